"""What a solver proved of locks is not undone by a later step without a word."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import undercroft as uc
from support.digests import CASES
from support.maps import HEAVY, after, draft_of
from undercroft.analysis import reach
from undercroft.analysis.solver.solve import prove
from undercroft.core.draft import Draft
from undercroft.core.level import Level
from undercroft.core.region import Thing
from undercroft.errors import BadInput, UndercroftError
from undercroft.recipe.document import Recipe
from undercroft.steps import STEPS, Step
from undercroft.steps.facts.ends import Ends
from undercroft.steps.facts.survey import Survey
from undercroft.steps.finish.lakes import Lakes, Pits
from undercroft.steps.finish.secrets import Secrets
from undercroft.steps.furnish.furnish import Furnish
from undercroft.steps.links.loops import Loops
from undercroft.steps.locks.locks import Locks
from undercroft.steps.step import describe_step

FIRST = (
    '[[step]]\nuse = "fill"\n[[step]]\nuse = "rooms"\n[[step]]\nuse = "maze"\n[[step]]\nuse = "connect"\n[[step]]\n'
    'use = "ends"\n[[step]]\nuse = "survey"\n'
)
LOCKS = '[[step]]\nuse = "locks"\n'
LEVELS = 30 if HEAVY else 12
NAMES: dict[str, dict[str, Any]] = {"rooms-and-mazes": {}, "tinykeep": {}, "bsp": {"doors": 1.0}}


@functools.cache
def locked(number: int) -> Level:
    """A level with locks: few colours, keys that break, and one-way doors."""
    name = list(NAMES)[number % len(NAMES)]
    step = Locks(locks=6, keys="consumed", colours=("red", "blue"), one_way=1.0) if number % 2 else Locks()
    return after(step, Draft.of(uc.generate(name, seed=number, size=(61, 41), **NAMES[name])), seed=number).level()


def open_to_all(level: Level) -> NDArray[np.bool_]:
    """Where one can go without any key."""
    shut = level.walkable & ~level.palette.role_mask("locked")[level.tiles]
    assert level.start is not None
    return reach.DistanceField(shut, [level.start]).steps >= 0


def is_kept(before: Level, now: Level) -> bool:
    """It can be solved, cannot be lost, needs no further secret, and no lock can be walked around that could not."""
    if now.start != before.start or now.end != before.end or not prove(now).unlosable:
        return False
    if prove(before, secrets=False).solvable and not prove(now, secrets=False).solvable:
        return False
    return not (open_to_all(now) & before.walkable & ~open_to_all(before)).any()


def spoil(step: Step | type[Step]) -> bool:
    return "locks" in step.spoils


@pytest.mark.parametrize(
    "step",
    [step for step, _ in CASES if not spoil(step)] + [Furnish(share=1.0, density=0.8, most=(40, 60))],
    ids=str,
)
def test_steps_that_say_nothing_of_locks_keep_them(step: Step) -> None:
    tried = 0
    for number in range(LEVELS):
        before = locked(number)
        try:
            draft = after(step, after(Survey(), Draft.of(before)), seed=number)
        except UndercroftError:
            continue
        tried += 1
        assert is_kept(before, draft.level()), number
    assert tried


@pytest.mark.parametrize(
    "step", [Lakes(share=0.4), Pits(share=0.2), Secrets(share=1.0), Loops(detour=8, role="door"), Ends()], ids=str
)
def test_those_that_spoil_them_do_so_now_and_then(step: Step) -> None:
    assert not all(
        is_kept(locked(number), after(step, Draft.of(locked(number)), seed=number).level()) for number in range(30)
    )


@pytest.mark.parametrize("name", STEPS)
def test_the_wrong_order_is_refused_when_a_recipe_is_loaded(name: str) -> None:
    step = STEPS[name]
    text = f'{FIRST}{LOCKS}[[step]]\nuse = "{name}"\nid = "last"\n'
    if spoil(step) and "things" not in step.spoils and name != "rewrite":
        with pytest.raises(
            BadInput, match=f"'{name}' comes after the locks, so it is unknown whether they can still be opened"
        ) as caught:
            Recipe.parse(text, "late.toml")
        assert caught.value.fix == "put it before 'locks'"
        assert caught.value.place is not None
        assert (caught.value.place.line, caught.value.place.column) == (16, 7)
    else:
        Recipe.parse(text, "fine.toml")


def test_steps_that_are_refused_after_locks() -> None:
    assert {name for name, step in STEPS.items() if spoil(step)} >= {
        "lakes",
        "pits",
        "secrets",
        "loops",
        "ends",
        "interest",
        "join",
        "maze",
        "hallways",
        "attach",
    }
    assert {describe_step(type(step)).name for step, _ in CASES} == {*STEPS}


def test_a_map_to_begin_with_that_has_locks_says_so() -> None:
    with pytest.raises(BadInput, match="'lakes' comes after the locks") as caught:
        Recipe.parse('begins = ["tiles", "locks"]\n[[step]]\nuse = "lakes"\n', "flood.toml")
    assert "the map to begin with has locks already" in caught.value.fix


@pytest.mark.parametrize(
    ("name", "more"), [("lakes", "share = 0.4"), ("pits", "share = 0.2"), ("secrets", "share = 1.0")]
)
def test_a_map_to_begin_with_is_proved_again_and_what_is_worse_is_told(name: str, more: str) -> None:
    recipe = Recipe.parse(f'begins = ["tiles", "ends"]\n[[step]]\nuse = "{name}"\n{more}\n', "late.toml")
    told = set()
    for number in range(LEVELS):
        result = recipe.generate(seed=number, begin=locked(number))
        note = next(
            (
                note
                for note in result.notes
                if note.startswith(f"the map has locks, and {name!r} may have changed it: ")
            ),
            "",
        )
        proof = prove(result.level)
        worse = (
            "its end cannot be reached any more"
            if not proof.solvable
            else "it can be lost now"
            if not proof.unlosable
            else ""
        )
        worse = worse or ("it takes secret doors now" if not prove(result.level, secrets=False).solvable else "")
        assert note.partition(": ")[2] == worse, number
        told.add(worse)
    assert "" in told
    assert len(told) > 1


HOUSE = """
    #########
    #<..L..>#
    #...#...#
    #########
"""


def house(*things: Thing) -> Level:
    draft = after(Survey(), draft_of(HOUSE))
    draft.start, draft.end = (1, 1), (7, 1)
    draft.things = [Thing("lock", 4, 1, {"key": "red"}), *things]
    return draft.level()


def rewritten(level: Level, rules: str) -> tuple[str, ...]:
    text = f'begins = ["tiles", "ends"]\n[[step]]\nuse = "rewrite"\nrules = """\n{rules}\n"""\n'
    return recipe_notes(level, text)


def recipe_notes(level: Level, text: str) -> tuple[str, ...]:
    return Recipe.parse(text, "rules.toml").generate(seed=1, begin=level).notes


def test_rules_after_locks() -> None:
    key = Thing("key", 1, 2, {"opens": "red"})
    assert rewritten(house(key), "thing rat = r, on .\none  . -> r, up to 3 times") == ()
    assert rewritten(house(key), "one  .. -> ##, once") == (), "the end can still be reached"
    damage = "the map has locks, and 'rewrite' may have changed it: "
    assert rewritten(house(key), "one  L -> #, once") == (f"{damage}its end cannot be reached any more",)
    gone, unknown = rewritten(house(key), "one  > -> #, once")
    assert gone == "the end at (7, 1) was written over, so there is none"
    assert unknown == f"{damage}without start and end nobody knows whether it can still be solved"
    assert rewritten(house(), "one  L -> #, once") == (), "it could not be solved before"
    assert recipe_notes(house(key), 'begins = ["tiles"]\n[[step]]\nuse = "fill"\n') == (), "nothing is left of them"
    Recipe.parse(
        f'{FIRST}{LOCKS}[[step]]\nuse = "rewrite"\nrules = "thing rat = r, on .\\none  . -> r, once"\n', "rats.toml"
    ).generate(seed=1, size=(41, 31))


def test_what_cannot_be_proved_is_let_be() -> None:
    assert (
        recipe_notes(house(Thing("one-way", 2, 1, {})), 'begins = ["tiles", "ends"]\n[[step]]\nuse = "lakes"\n') == ()
    )
