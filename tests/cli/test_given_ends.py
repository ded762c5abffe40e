"""`generate --start X,Y`, `--end` and `--reach`."""

from __future__ import annotations

import pytest

import undercroft as uc
from support.command_lines import Say


def test_a_level_starts_where_it_is_told(say: Say) -> None:
    done = say("generate", "cave", "--seed", "5", "--start", "2,1", "--reach", "dig", "-o", "a.json")
    assert done.code == 0
    assert "note: a corridor of " in done.err
    level = uc.load("a.json")
    assert level.start == (2, 1)
    assert say("generate", "--from", "a.json", "-o", "b.json").code == 0
    assert uc.load("b.json") == level


def test_options_beside_from_are_added_to_those_of_the_file(say: Say) -> None:
    say("generate", "cave", "--seed", "5", "--start", "2,1", "--reach", "dig", "-o", "a.json")
    assert say("generate", "--from", "a.json", "--reach", "near", "-o", "b.json").code == 0
    assert uc.load("b.json").provenance["ends"] == {"start": (2, 1), "reach": "near"}
    assert say("generate", "--from", "a.json", "--end", "40,20", "--reach", "near", "-o", "c.json").code == 0
    assert uc.load("c.json").provenance["ends"] == {"start": (2, 1), "end": (40, 20), "reach": "near"}


@pytest.mark.parametrize(
    ("words", "problem", "fix"),
    [
        (["cave", "--start", "99,99"], "the start (99, 99) is outside the level, which is 60x30", "x is from 0 to 59"),
        (["cave", "--start", "4x2"], "--start: a cell is X,Y, not '4x2'", "did you mean 4,2?"),
        (["cave", "--reach", "near"], "none is given", "--start X,Y"),
        (["isaac", "--start", "1,1"], "no step of isaac takes a start or an end", "put the step 'ends'"),
    ],
)
def test_mistakes_are_sentences(words: list[str], problem: str, fix: str, say: Say) -> None:
    done = say("generate", *words, "--seed", "1")
    assert done.code == 2
    assert problem in done.err
    assert fix in done.err
