"""Every word of the glossary has one owner, which is there."""

from __future__ import annotations

import re

import pytest

from support.paths import ROOT

PAGE = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| \*\*(?P<word>[a-z ]+)\*\* \| (?P<about>.+) \| (?:`(?P<name>\w+)` in )?`(?P<owner>[\w/.]+)` \|$")
LINES = [line for line in PAGE.splitlines() if line.startswith("| **")]
ROWS = [match for line in LINES if (match := ROW.match(line))]
WORDS = [row["word"] for row in ROWS]


def test_every_row_is_read() -> None:
    assert len(ROWS) == len(LINES) >= 40


def test_words_are_sorted_and_stand_once() -> None:
    assert sorted(set(WORDS)) == WORDS


@pytest.mark.parametrize("row", ROWS, ids=WORDS)
def test_a_word_is_explained_and_its_owner_is_there(row: re.Match[str]) -> None:
    assert row["about"].endswith(".")
    assert 1 <= len(re.findall(r"[.?](?= |$)", row["about"])) <= 3
    owner = ROOT / "src" / "undercroft" / row["owner"]
    assert owner.exists()
    if row["name"]:
        assert re.search(rf"^(?:class |def )?{row['name']}\b", owner.read_text(encoding="utf-8"), re.MULTILINE)


def test_words_that_are_pointed_to_have_a_row() -> None:
    assert set(re.findall(r"\*([a-z ]+)\*(?!\*)", re.sub(r"\*\*[a-z ]+\*\*", "", PAGE))) <= set(WORDS)
