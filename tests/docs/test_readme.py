"""The README is executed: its commands, its Python, its recipes."""

from __future__ import annotations

import importlib
import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from support.paths import ROOT

README = ROOT / "README.md"
sys.path.insert(0, str(ROOT / "docs"))
blocks: Any = importlib.import_module("making.blocks")

posix = pytest.mark.skipif(os.name == "nt", reason="the pages speak to a POSIX shell")


def of_kind(kind: str) -> list[Any]:
    return [block for block in blocks.blocks(README.read_text(encoding="utf-8")) if block.kind == kind]


@posix
def test_the_readme_says_what_the_program_says() -> None:
    told = blocks.played(README)
    for block, truth in told:
        assert block.lines == truth, (
            f"README.md, block at line {block.line}: run make docs, and look at what it changed"
        )
    assert len(told) >= 10


def test_the_readme_has_something_of_each_kind() -> None:
    assert sum(len(blocks.commands(block)) for block in of_kind("console")) >= 8
    assert sum(block.text.count(">>> ") for block in of_kind("python")) >= 8
    assert any("[[step]]" in block.text and block.file_name for block in of_kind("toml"))


def test_the_readme_opens_with_a_picture_that_is_there() -> None:
    title, picture = [line for line in README.read_text(encoding="utf-8").split("\n") if line][:2]
    assert title == "# Undercroft"
    match = re.fullmatch(r"!\[.+\]\((docs/gallery/[\w-]+\.webp)\)", picture)
    assert match
    assert (ROOT / match[1]).is_file(), "run make docs"


def test_the_readme_can_be_read_in_three_minutes() -> None:
    """Some 250 words a minute. Blocks, descriptions of pictures and targets of links are not counted."""
    text = re.sub(r"^```.*?^```$", "", README.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"!\[.+?\]|\]\(.+?\)", "", text)
    assert len(re.findall(r"\w[\w'-]*", text)) <= 750


def test_the_two_commands_of_a_fresh_clone_are_targets() -> None:
    lines = [line for block in of_kind("sh") for line in block.lines]
    assert [line for line in lines if line.startswith("make ")] == ["make demo", "make test"]
    assert {"demo", "test", "check", "bench", "golden", "docs", "heavy", "clean"} <= targets()


def test_every_make_command_on_a_page_is_a_target() -> None:
    for page in (README, ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))):
        text = page.read_text(encoding="utf-8")
        lines = [
            line
            for block in blocks.blocks(text)
            if block.kind == "sh"
            for line in block.lines
            if line.startswith("make ")
        ]
        asked = {word for line in lines for word in line.split()[1:]} | set(re.findall(r"`make ([a-z-]+)`", text))
        assert asked <= targets(), page.name


def targets() -> set[str]:
    return set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


# The machine that runs the pages is tested too: a check that cannot fail checks nothing.

PAGE = """
```console
$ undercroft generate cave --seed 7 --size 12x5 -o - --format text --quiet
############
#wrong#
```

```python
>>> 1 + 1
3
>>> for row in ("a", "", "b"):
...     print(row)
```
"""


@posix
def test_a_wrong_output_is_noticed_and_mended(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(PAGE, encoding="utf-8")
    told = blocks.played(page)
    assert [block.right for block in told] == [False, False]
    mended = blocks.rewritten(PAGE, told)
    assert ">>> 1 + 1\n2\n>>> for" in mended
    assert "    print(row)\na\n<BLANKLINE>\nb\n```" in mended
    page.write_text(mended, encoding="utf-8")
    assert all(block.right for block in blocks.played(page))


@pytest.mark.parametrize(
    "text",
    [
        "```console\n$ echo one\n...\ntwo\n```\n",
        "```console\nno prompt\n```\n",
        "```python\nunnamed = 1\n```\n",
        "```python\n>>> 1 / 0\n```\n",
        '```toml\n[[step]]\nuse = "nois"\n```\n',
        "```console\n$ echo one\n",
    ],
)
@posix
def test_a_block_that_cannot_be_right_is_an_error(tmp_path: Path, text: str) -> None:
    page = tmp_path / "page.md"
    page.write_text(text, encoding="utf-8")
    with pytest.raises(
        Exception, match=r"mend it by hand|begins with|names its file|ZeroDivisionError|unknown step|never closed"
    ):
        blocks.played(page)


@pytest.mark.parametrize(
    ("wanted", "got", "answer"),
    [
        ("a b", "a b", True),
        ("a b", "a", False),
        ("a ... b", "a b", True),
        ("a ... b", "a x y b", True),
        ("...", "", True),
        ("a…c b", "abc b", True),
        ("a…d b", "abc b", False),
        ("#...#", "#xyz#", False),
    ],
)
def test_what_a_page_leaves_open(wanted: str, got: str, answer: bool) -> None:
    assert blocks.fits(tuple(wanted.split()), tuple(got.split())) is answer
