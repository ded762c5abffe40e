"""What the page for developers says of the tree and of the Makefile is so."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "developing.md").read_text(encoding="utf-8")
PACKAGE = ROOT / "src" / "undercroft"


def told_folders(block: str) -> set[str]:
    """The folders that a drawn tree names: two blanks a level, one or several on a line."""
    found: set[str] = set()
    above: list[str] = []
    for line in block.splitlines():
        depth = (len(line) - len(line.lstrip())) // 2
        names = re.match(r"\s*((?:[a-z_]+/ ?)*)", line)
        assert names is not None
        for name in names[1].split():
            above[depth - 1 :] = [name.rstrip("/")]
            found.add("/".join(above))
    return found


def test_drawn_trees_are_read() -> None:
    assert told_folders("  a/   first\n    b/ c/\n  d.py  no folder\n  e/") == {"a", "a/b", "a/c", "e"}


def test_the_house_is_drawn_as_it_stands() -> None:
    block = PAGE.split("src/undercroft/\n", 1)[1].split("```", 1)[0]
    there = {
        path.parent.relative_to(PACKAGE).as_posix()
        for pattern in ("**/*.py", "shipped/*/*")
        for path in PACKAGE.glob(pattern)
    } - {"."}
    assert told_folders(block) == there | {"shipped"}


def test_every_make_target_is_told_of() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):.*##", makefile, re.MULTILINE))
    told = set(re.findall(r"^\| `([a-z-]+)` \|", PAGE, re.MULTILINE))
    assert targets - {"help"} == told - {"help"}
