"""The page for contributors names files that are there, and tests that walk them."""

from __future__ import annotations

import re

from support.paths import ROOT

PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| `(tests/cases/\w+)` \| (.+) \| `(tests/[\w/]+\.py)` \|$", re.MULTILINE)


def test_the_drawn_case_is_there() -> None:
    [(folder, listing)] = re.findall(r"^```text\n(tests/cases/\S+)/\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    drawn = {line.split()[0] for line in listing.splitlines()}
    assert drawn == {path.name for path in (ROOT / folder).iterdir()}


def test_every_kind_of_case_is_walked() -> None:
    rows = ROW.findall(PAGE)
    assert len(rows) == 3
    for folder, holds, test in rows:
        needed = {name.rstrip("/") for name in re.findall(r"`([\w.]+/?)`", holds)} - {"before.txt"}
        cases = [case for case in (ROOT / folder).iterdir() if (case / "note.md").is_file()]
        assert cases, folder
        for case in cases:
            assert needed <= {path.name for path in case.iterdir()}, case.name
        assert (ROOT / test).is_file()
        assert "CASES" in (ROOT / test).read_text(encoding="utf-8")
