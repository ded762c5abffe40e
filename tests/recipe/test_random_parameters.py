"""Recipes with random parameters and sizes: each request gives a level that keeps its promises, or a sentence that says
why there is none.

`make test` makes some levels of every recipe, `make test-long` further ones, `make soak` a hundred thousand. A failure
shows the command that makes the level.
"""

from __future__ import annotations

import os
from collections import Counter
from typing import Any

import pytest

from support.maps import spans
from support.random_parameters import (
    MAX_STEPS,
    RECIPES,
    RandomRequest,
    draw_request,
    list_broken_promises,
    make_level,
)
from undercroft.core.level import Level
from undercroft.core.region import Thing
from undercroft.errors import BadInput, NotMet, OutOfBudget
from undercroft.formats import dump

QUICK_CASES = 100
LONG_CASES = 10 * int(os.environ.get("UNDERCROFT_SOAK", "0")) or 2000
"""Cases of all recipes together: those of `make test`, and those that come on top."""
BLOCK_CASES = 200
"""Cases of one test item."""


def count_cases(total: int) -> int:
    """The cases of a recipe, if there are `total` for all of them: at least two."""
    return max(2, -(-total // len(RECIPES)))


def try_request(request: RandomRequest) -> Level | BadInput | NotMet | OutOfBudget:
    """The level of a request, or the error that says why there is none; anything else goes through."""
    try:
        return make_level(request)
    except (BadInput, NotMet, OutOfBudget) as error:
        refused = error
    assert refused.problem, f"no problem: {refused!r}"
    assert refused.fix, f"no fix: {refused}"
    return refused


def check_case(name: str, case: int) -> str:
    """What comes of a case, in a word. A failure notes its command."""
    request = draw_request(name, case)
    try:
        level = try_request(request)
        if not isinstance(level, Level):
            return type(level).__name__
        assert list_broken_promises(level, request) == []
        again = make_level(request)
        assert dump(again, "json") == dump(level, "json"), "the same request gives another level"
    except Exception as error:
        error.add_note(f"case {case}: {request.command()}")
        raise
    return "level"


@pytest.mark.parametrize("name", RECIPES)
@pytest.mark.parametrize(
    "cases",
    spans(count_cases(QUICK_CASES) + count_cases(LONG_CASES), quick=count_cases(QUICK_CASES), block=BLOCK_CASES),
)
def test_random_parameters_give_a_level_or_a_sentence(name: str, cases: range) -> None:
    found = Counter(check_case(name, case) for case in cases)
    assert found["level"] or len(cases) < 50, f"none of these requests gives a level: {found}"


# --- the checks can fail ---

PLAIN = RandomRequest("cave", (7, 4), 1, {})


def list_broken(picture: str, *things: Thing, **parts: Any) -> set[str]:
    """The promises that a drawn level breaks."""
    level = Level.parse(picture).replace(things=things, **parts)
    return {fault.partition(":")[0] for fault in list_broken_promises(level, PLAIN._replace(size=level.size))}


WHOLE = """
    #######
    #<...>#
    #.....#
    #######
"""


def test_a_level_that_keeps_its_promises() -> None:
    assert list_broken(WHOLE) == set()


@pytest.mark.parametrize(
    ("promise", "picture"),
    [
        ("connected", "#######\n#<>#..#\n#######"),
        ("connected", "#######"),
        ("border", "#######\n#<..>..\n#######"),
        ("path", "#####\n#<..#\n#####"),
        ("path", "#######\n#<.#.>#\n#######"),
        ("secrets", "#######\n#<.S.>#\n#######"),
    ],
)
def test_a_drawn_level_that_breaks_a_promise(promise: str, picture: str) -> None:
    assert promise in list_broken(picture)


def test_the_same_cell_as_start_and_end() -> None:
    assert "ends" in list_broken(WHOLE, start=(2, 2), end=(2, 2))


def test_another_size_than_was_asked_for() -> None:
    assert any("asked for" in fault for fault in list_broken_promises(Level.parse(WHOLE), PLAIN._replace(size=(9, 9))))


def test_things_that_cut_something_off() -> None:
    blocks = {"blocks": True}
    assert list_broken(WHOLE, Thing("crate", 3, 2, blocks)) == set()
    assert list_broken(WHOLE, Thing("crate", 3, 1, {**blocks, "height": 2})) == {"things"}
    assert list_broken(WHOLE, Thing("rat", 0, 0)) == {"things"}


def test_locks_that_cannot_be_opened() -> None:
    hall = """
        #########
        #<..+..>#
        #########
    """
    lock, key = Thing("lock", 4, 1, {"key": "red"}), Thing("key", 2, 1, {"opens": "red", "consumed": True})
    assert list_broken(hall, lock, key) == set()
    assert list_broken(hall, lock) == {"locks"}
    assert list_broken(hall, lock, Thing("key", 6, 1, {"opens": "red"})) == {"locks"}
    assert list_broken(hall, Thing("one-way", 4, 1, {"to": "E"})) == set()
    assert list_broken(hall, Thing("one-way", 4, 1, {"to": "W"})) == {"locks"}


def test_a_request_is_a_command_that_makes_the_same_level(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    import shlex

    from undercroft.cli import run

    request = next(
        request
        for request in (draw_request("cozy", case) for case in range(100))
        if isinstance(try_request(request), Level) and request.params
    )
    assert str(MAX_STEPS) in request.command()
    assert run([*shlex.split(request.command())[1:], "--quiet", "-o", "-", "--format", "json"]) == 0
    assert capsysbinary.readouterr().out == dump(make_level(request), "json")
