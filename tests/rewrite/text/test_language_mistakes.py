"""What the `.rules` language says about mistakes."""

from __future__ import annotations

import re

import pytest

from support.language_mistakes import MISTAKES
from support.texts import again, same
from undercroft.errors import TooBig, UndercroftError
from undercroft.rewrite.model.program import Node
from undercroft.rewrite.text.parse import parse
from undercroft.rewrite.text.write_rules import dump_program


@pytest.mark.parametrize(
    ("source", "where", "problem", "fix"), MISTAKES, ids=[re.sub(r"[^ -~]", " ", row[0])[:40] for row in MISTAKES]
)
def test_a_mistake_is_told_with_its_place_and_how_to_mend_it(source: str, where: str, problem: str, fix: str) -> None:
    with pytest.raises(UndercroftError) as caught:
        parse(source, "x.rules")
    error = caught.value
    assert error.place is not None
    assert (f"{error.place.line}:{error.place.column}", error.problem, error.fix) == (where, problem, fix)
    assert error.place.file == "x.rules"
    assert str(error).startswith(f"x.rules:{where}: {problem}")


def test_there_are_many_mistakes_and_each_is_another() -> None:
    assert len(MISTAKES) >= 200
    assert len({row[0] for row in MISTAKES}) == len(MISTAKES)


TOO_MUCH = [
    ("; " + "x" * 70_000, "its size in bytes is 70,002; the limit is 65,536", "1:1"),
    ("one\n" + "    . -> #\n" * 1001, "the number of rules is 1,001; the limit is 1,000", "1002:5"),
    (f"one  {'.' * 65} -> {'#' * 65}", "the side of the pattern is 65; the limit is 64", "1:6"),
    (f"one  {'./' * 64}. -> {'#/' * 64}#", "the side of the pattern is 65; the limit is 64", "1:6"),
    (
        "one\n" + f"    {'.' * 65}      {'#' * 65}\n" + f"    {'.' * 65}  ->  {'#' * 65}\n",
        "the width of the drawing is 65; the limit is 64",
        "2:5",
    ),
    ("one\n" + "    ..      ##\n" * 64 + "    ..  ->  ##\n", "the height of the drawing is 65; the limit is 64", "2:5"),
    (
        "".join("  " * depth + "markov\n" for depth in range(33)) + "  " * 33 + "one  . -> #",
        "the depth of blocks is 33; the limit is 32",
        "33:65",
    ),
]


@pytest.mark.parametrize(("source", "problem", "where"), TOO_MUCH, ids=[row[1][:30] for row in TOO_MUCH])
def test_too_much_is_refused_in_a_sentence(source: str, problem: str, where: str) -> None:
    with pytest.raises(TooBig) as caught:
        parse(source, "x.rules")
    assert problem in caught.value.problem
    assert caught.value.place
    assert f"{caught.value.place.line}:{caught.value.place.column}" == where
    assert caught.value.fix


def test_as_much_as_allowed_is_read() -> None:
    blocks = "".join("  " * depth + "markov\n" for depth in range(32)) + "  " * 32 + "one  . -> #"
    deep = parse(blocks, "x.rules").program
    assert len(list(deep.root.leaves())) == 1
    assert same(again(deep), deep)
    with pytest.raises(TooBig, match="the depth of blocks is 33"):
        dump_program(deep._replace(root=Node("markov", children=(deep.root,))))
    assert len(list(parse("one\n" + "    . -> #\n" * 1000, "x.rules").program.rules())) == 1000
    big = parse(
        "one\n" + f"    {'.' * 64}      {'#' * 64}\n" * 63 + f"    {'.' * 64}  ->  {'#' * 64}\n", "x.rules"
    ).program.root.rules[0]
    assert (big.width, big.height) == (64, 64)
