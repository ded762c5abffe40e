"""What the page for developers says of the tree and of the Makefile is so."""

from __future__ import annotations

import importlib.util
import re
import sys
from array import array
from pathlib import Path

import pytest

from undercroft.kernels import _stand_in

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


def test_files_are_there_and_hold_what_is_named() -> None:
    """A path from the root names a file or folder; "`A` and `B` in `path`" names what stands in it."""
    path = r"`((?:src|tests|docs|studio|benchmarks)/[\w./-]*)`"
    paths = set(re.findall(path, PAGE))
    assert len(paths) > 20
    assert [name for name in sorted(paths) if not (ROOT / name).exists()] == []
    named = re.findall(rf"((?:`\w+`(?:,| and| or)? )+)(?:in|of) {path}", PAGE)
    assert len(named) > 10
    for names, file in named:
        text = (ROOT / file).read_text(encoding="utf-8")
        assert [name for name in re.findall(r"`(\w+)`", names) if not re.search(rf"\b{name}\b", text)] == [], file


def test_the_kernel_on_the_page_counts_whatever_its_fuel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    [source] = re.findall(r"^```python\n(# counting\.py\n.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    (tmp_path / "counting.py").write_text(source, encoding="utf-8")
    monkeypatch.setitem(sys.modules, "cython", _stand_in)
    spec = importlib.util.spec_from_file_location("counting", tmp_path / "counting.py")
    assert spec is not None
    assert spec.loader is not None
    counting = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(counting)
    tiles = memoryview(bytes([1, 2, 1]))
    for fuel in (1, 100):
        state, counts = array("q", [0]), array("q", [0] * 3)
        while counting.count_codes(state, tiles, counts, fuel) == fuel:
            pass
        assert counts.tolist() == [0, 2, 1]
