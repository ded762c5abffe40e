"""D-66: dungeons of no floor and of too many, floors of different sizes, formulas without end: a sentence each."""

from __future__ import annotations

from typing import Any

import pytest

from support.dungeons import build, maker
from undercroft import limits
from undercroft.errors import NotMet, TooBig, UndercroftError
from undercroft.recipe.dungeon.document import DungeonRecipe
from undercroft.recipe.dungeon.formula import Formula

CAVES = '[[floor]]\ndepths = "1..3"\nrecipe = "cave"\n'


@pytest.mark.parametrize(
    ("message", "fix", "text", "others"),
    [
        (
            "no [[floor]] is for depth 7",
            "let one of them reach to 7",
            '[param.deep]\ndefault = 8\nrange = [2, 40]\n[[floor]]\ndepths = "1..6"\nrecipe = "cave"\n'
            '[[floor]]\ndepths = "8..$deep"\nrecipe = "bsp"\n',
            {},
        ),
        (
            "unknown name 'dept' in a formula",
            "did you mean 'depth'?",
            f'{CAVES}set = {{ fill_prob = "= dept/9" }}\n',
            {},
        ),
        (
            "floor 2 joins 5 others",
            "at most 4: move a branch",
            CAVES + "".join(f'[[branch]]\nname = "b{n}"\nleaves = 2\nrecipe = "bsp"\n' for n in range(3)),
            {},
        ),
        ("depths are from 1 to 100, not 1 to 101", "for example", CAVES.replace("1..3", "1..101"), {}),
        ("depths are from 1 to 100, not 0 to 0", "for example", CAVES.replace('"1..3"', "0"), {}),
        ("a dungeon has at least one [[floor]]", "add one", 'about = "nothing"\n', {}),
        (
            "the branch 'crypt' leaves from depth 4 to 9, and the floors go from 1 to 3",
            "let it leave from 1 to 3",
            f'{CAVES}[[branch]]\nname = "crypt"\nleaves = "4..9"\nrecipe = "bsp"\n',
            {},
        ),
        (
            "the formula divides by zero (depth = 1)",
            "never 0",
            f'{CAVES}[stairs]\nextra = "= 1/(depth - 1)"\n',
            {},
        ),
        (
            "the length of a formula is",
            "",
            f'{CAVES}[stairs]\nextra = "= {"+".join(["1"] * 200)}"\n',
            {},
        ),
        ("the brackets are nested too deep", "fewer brackets", f'{CAVES}[stairs]\nextra = "= {"(" * 60}1"\n', {}),
    ],
)
def test_a_message_with_a_fix(message: str, fix: str, text: str, others: dict[str, Any]) -> None:
    with pytest.raises(UndercroftError) as caught:
        build(DungeonRecipe.parse(text, "a.toml"), **others)
    assert message in caught.value.problem
    assert fix in caught.value.fix
    assert caught.value.place is not None


def test_floors_that_are_too_large_together_are_refused_before_any_is_made() -> None:
    recipe = DungeonRecipe.parse(CAVES.replace("1..3", "1..5"), "a.toml")
    with pytest.raises(TooBig, match="the number of cells of all floors is 83,886,080; the limit is") as caught:
        build(recipe, size=(4096, 4096))
    assert "--floor" in caught.value.fix


def two_floors(upper: str, lower: str, stairs: str = "") -> DungeonRecipe:
    """Two floors, each a recipe and a size."""
    tables = "".join(
        f'[[floor]]\ndepths = {depth}\nrecipe = "{what.split()[0]}"\nsize = {what.split(maxsplit=1)[1]}\n'
        for depth, what in ((1, upper), (2, lower))
    )
    return DungeonRecipe.parse(f"{tables}[stairs]\n{stairs}\n", "a.toml")


def test_floors_that_share_no_cell() -> None:
    """A floor that covers only what is rock on the other, and no digging."""
    recipe = two_floors("bsp [60, 40]", "cave [4, 4]", "dig = 0")
    told = {}
    for seed in range(12):
        try:
            build(recipe, seed, tries=1)
        except NotMet as error:
            told[error.problem] = error.fix
    assert told
    assert all(told.values())
    for problem in told:
        assert problem.startswith(("floors 1 and 2 share", "no place for stairs between 1 and 2", "floor 2", "nobody"))


def test_floors_of_different_sizes_meet_where_both_are() -> None:
    recipe = two_floors("bsp [80, 50]", "cave [50, 60]")
    for seed in range(6):
        dungeon = build(recipe, seed)
        assert dungeon["1"].size == (80, 50)
        for one in dungeon.stairs:
            assert max(one.x, one.y) < 50
            assert (one.x, one.y) == (one.to_x, one.to_y)


def test_a_hundred_floors_are_planned_and_no_more() -> None:
    made = maker(DungeonRecipe.parse(CAVES.replace("1..3", "1..100"), "a.toml"), size=(20, 12))
    assert len(made.plan.floors) == 100
    text = CAVES.replace("1..3", "1..100") + '[[branch]]\nname = "b"\nleaves = 1\nrecipe = "bsp"\n'
    recipe = DungeonRecipe.parse(text, "a.toml")
    with pytest.raises(TooBig, match="the number of floors is 101"):
        maker(recipe)


@pytest.mark.parametrize(
    "text", ["= " + "*".join(["9999999999"] * 16), "= " + "/".join(["9999999999"] * 16), "= 1" + "*9e9" * 40]
)
def test_a_formula_has_a_bounded_value(text: str) -> None:
    """The longest chains that fit into a formula stay within its bits, or are refused."""
    try:
        value = Formula.parse(text, ()).value({})
    except UndercroftError:
        return
    assert max(value.numerator.bit_length(), value.denominator.bit_length()) <= limits.FORMULA_BITS.value


def test_a_landing_can_be_left_unless_it_is_a_trap() -> None:
    from undercroft.recipe.dungeon.make import DungeonMaker
    from undercroft.recipe.dungeon.request import DungeonRequest

    text = f'{CAVES}[shafts]\ncount = "= depth"\n'
    for trap in (False, True):
        recipe = DungeonRecipe.parse(f"{text}trap = {str(trap).lower()}\n", "a.toml")
        made = DungeonMaker(DungeonRequest(recipe, seed=7, size=(60, 40)))
        dressed, _ = made._dress("2", made.bare("2").level)
        landings = [shaft.cell for shaft in made.shafts(("1", "2"))[0]]
        assert landings
        assert {*landings} <= {*dressed.stairs} or trap
        assert not trap or not {*landings} <= {*dressed.stairs}
    with pytest.raises(UndercroftError):
        DungeonRecipe.parse(f'{text}trap = "yes"\n', "a.toml")
