"""What a rule file says that it does, and that it is so."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from support.programs import random_program
from support.texts import PROGRAMS
from undercroft.core.rng import Rng
from undercroft.errors import Place
from undercroft.rewrite.engine.engine import apply
from undercroft.rewrite.model.program import Program
from undercroft.rewrite.text.alphabet import build_letter_palette
from undercroft.rewrite.text.expectations import Expectation, find_outcomes, find_problems
from undercroft.rewrite.text.parse import load, parse


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_the_example_programs_hold_what_they_expect(path: Path) -> None:
    found = load(path)
    assert [str(problem) for problem in find_problems(found)] == []
    assert found.program.name == ("all words, once" if path.stem == "everything" else path.stem)


def test_an_expectation_that_does_not_hold_draws_what_is_wrong() -> None:
    source = """\
one  dig, turned
    #. -> ..
expect  dig makes a way
    #.#X  ->  ..#X  |  .##X
"""
    [problem] = find_problems(parse(source, "x.rules"))
    assert str(problem) == (
        "x.rules:3:1: expected of 'dig' (makes a way): 1 outcome(s) never happen and 1 outcome(s) are not drawn\n"
        "  never happens:\n    .##X\n  is not drawn:\n    #..X"
    )


EXPECTED = [
    ("one  a\n    . -> # | ~", "a", ".. -> #. | ~. | .# | .~"),
    ("one  a, results 1:0\n    . -> # | ~", "a", ".. -> #. | .#"),
    ("one  a, weight 0\n    . -> #", "a", ".. ->"),
    ("one  a, chance 0\n    . -> #", "a", ".. ->"),
    ("one  a, pick by first\n    . -> #", "a", "#.. -> ##."),
    ("one  a\n    # -> ?", "a", "#.# -> #.#"),
    ("one  a\n    X. -> ?#", "a", ".. ->"),
    ("one  a, outside X\n    X. -> ?#", "a", ".. -> #."),
    ("one  a, outside X, mirrored\n    X. -> ?#", "a", ".. -> #. | .#"),
    ("one  a, outside X\n    ?.? -> #?#", "a", "... -> #.# | .#."),
    ("one  a\n    rule  b\n        . -> #\n    rule  c\n        . -> ~", "a", ". -> # | ~"),
    ("one  a\n    rule  b\n        . -> #\n    rule  c\n        . -> ~", "c", ". -> ~"),
    ("one  a\n    rule  b\n        . -> #\n    rule  c\n        . -> ~", '"c"', ". -> ~"),
    ("all  a\n    . -> #", "a, everywhere", ".. -> #. | .#"),
    ("one  a\n    . -> #", "a", "X -> "),
    ("one  a b\n    . -> #\none  a\n    # -> .", "a b c", ". -> #"),
]


@pytest.mark.parametrize(("source", "name", "drawn"), EXPECTED)
def test_every_outcome_of_one_application(source: str, name: str, drawn: str) -> None:
    assert [str(problem) for problem in find_problems(parse(f"{source}\nexpect {name}\n    {drawn}", "x.rules"))] == []


def test_too_many_outcomes_are_not_compared() -> None:
    row = "." * 64
    rows = "\n".join(f"    {row}" + ("  ->" if index == 0 else "") for index in range(64))
    [problem] = find_problems(parse(f"one  a\n    . -> #\nexpect a\n{rows}", "x.rules"))
    assert "more than 1,000 outcomes" in problem.problem


def test_the_engine_does_what_is_expected_and_nothing_else() -> None:
    """The slow enumerator against the engine: what it draws over many seeds is the whole set."""
    for seed in range(20):
        source = random.Random(seed)
        rows = random_program(source).root
        [leaf, *_] = [leaf._replace(kind="one", limit=1, pick="match") for leaf in rows.leaves()]
        width, height = source.randint(1, 4), source.randint(1, 3)
        before = tuple(source.randrange(4) for _ in range(width * height))
        palette = build_letter_palette("BWARGU")
        wanted = set(
            find_outcomes(
                Expectation("", "", width, height, before, (), Place("x.rules", 1, 1), leaf, leaf.rules), palette
            )
        )
        seen = set()
        for run in range(20 * max(1, len(wanted))):
            tiles = np.array(before, np.uint8).reshape(height, width)
            if apply(Program("", palette, leaf), tiles, Rng.root(run)).rewrites:
                seen.add(tuple(tiles.reshape(-1).tolist()))
        assert seen == wanted, seed
