"""D-66: every mistake in a dungeon recipe has a sentence, its place and a fix."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from support.dungeons import build
from undercroft.core.rng import Rng
from undercroft.errors import BadInput, UndercroftError
from undercroft.recipe.dungeon.document import DungeonRecipe
from undercroft.recipe.dungeon.request import DungeonRequest

FLOORS = '[[floor]]\ndepths = "1..3"\nrecipe = "cave"\n'
DEEP = "[param.deep]\ndefault = 5\nrange = [2, 40]\n"

MISTAKES = [
    ("a dungeon has at least one [[floor]]", "", "about = 'x'\n"),
    ("the key 'depths' is missing", "1:3", '[[floor]]\nrecipe = "cave"\n'),
    ("the key 'recipe' is missing", "1:3", "[[floor]]\ndepths = 1\n"),
    ("unknown recipe 'caev'", "3:10", '[[floor]]\ndepths = 1\nrecipe = "caev"\n'),
    ("a recipe has [[floor]] tables or [[step]] tables, not both", "4:3", f'{FLOORS}[[step]]\nuse = "fill"\n'),
    ("unknown key 'keys'", "4:2", f"{FLOORS}[keys]\nacross = 2\n"),
    ("unknown key 'recipes'", "4:1", f'{FLOORS}recipes = "bsp"\n'),
    ("depths are", "2:10", '[[floor]]\ndepths = "one"\nrecipe = "cave"\n'),
    ("depths are", "2:10", '[[floor]]\ndepths = "1-3"\nrecipe = "cave"\n'),
    ("is no range of depths", "2:10", '[[floor]]\ndepths = "1..2..3"\nrecipe = "cave"\n'),
    ('the range "3..1" is empty', "2:10", '[[floor]]\ndepths = "3..1"\nrecipe = "cave"\n'),
    ("unknown parameter 'dep'", "5:10", f'{DEEP}[[floor]]\ndepths = "1..$dep"\nrecipe = "cave"\n'),
    ("nothing uses the parameter 'deep'", "1:8", DEEP + FLOORS),
    ("a parameter cannot be called 'depth'", "1:8", f"[param.depth]\ndefault = 3\n{FLOORS}"),
    ("a parameter cannot be called 'floors'", "1:8", f"[param.floors]\ndefault = 3\n{FLOORS}"),
    ("unknown parameter of cave 'fill_prop'", "4:9", f"{FLOORS}set = {{ fill_prop = 0.4 }}\n"),
    ("unknown name 'dept' in a formula", "4:28", f'{FLOORS}set = {{ fill_prob = "= 0.4*dept" }}\n'),
    ("unknown name 'area' in a formula", "4:24", f'{FLOORS}set = {{ fill_prob = "= area" }}\n'),
    ("", "", ""),
    ("bsp begins with rock, so it would wipe the floor out", "4:11", f'{FLOORS}finish = ["bsp"]\n'),
    ("unknown way of [stairs] 'sideways'", "5:7", f'{FLOORS}[stairs]\nway = "sideways"\n'),
    ("unknown place of [stairs] 'alcoves'", "5:9", f'{FLOORS}[stairs]\nplace = "alcoves"\n'),
    ("unknown key 'extras'", "5:1", f"{FLOORS}[stairs]\nextras = 2\n"),
    ("margin holds for all floors, so it cannot name depth", "5:10", f'{FLOORS}[stairs]\nmargin = "= depth"\n'),
    ("the key 'name' is missing", "4:3", f'{FLOORS}[[branch]]\nleaves = 1\nrecipe = "bsp"\n'),
    ("'9th' cannot name a branch", "5:8", f'{FLOORS}[[branch]]\nname = "9th"\nleaves = 1\nrecipe = "bsp"\n'),
    (
        "two branches are called 'a'",
        "9:8",
        f'{FLOORS}[[branch]]\nname = "a"\nleaves = 1\nrecipe = "bsp"\n' * 1
        + '[[branch]]\nname = "a"\nleaves = 1\nrecipe = "bsp"\n',
    ),
    ("size is [width, height]", "4:8", f"{FLOORS}size = 80\n"),
    ("the points of a curve go from left to right", "4:30", f"{FLOORS}set = {{ fill_prob = [[2, 1], [1, 3]] }}\n"),
    ("a curve has at least two points", "4:21", f"{FLOORS}set = {{ fill_prob = [[2, 1]] }}\n"),
]


@pytest.mark.parametrize(("problem", "place", "text"), [row for row in MISTAKES if row[2]])
def test_a_mistake_in_the_text(problem: str, place: str, text: str) -> None:
    with pytest.raises(UndercroftError) as caught:
        DungeonRecipe.parse(text, "a.toml")
    assert problem in caught.value.problem
    assert caught.value.fix
    assert caught.value.place is not None
    if place:
        assert f"{caught.value.place.line}:{caught.value.place.column}" == place


LATE_MISTAKES: list[tuple[str, str, str, dict[str, Any]]] = [
    (
        "no [[floor]] is for depth 2",
        "2:10",
        '[[floor]]\ndepths = 1\nrecipe = "cave"\n[[floor]]\ndepths = 3\nrecipe = "bsp"\n',
        {},
    ),
    ("depths are from 1 to 100, not 1 to 101", "2:10", '[[floor]]\ndepths = "1..101"\nrecipe = "cave"\n', {}),
    ("depths are from 1 to 100, not 0 to 3", "2:10", '[[floor]]\ndepths = "0..3"\nrecipe = "cave"\n', {}),
    (
        "the branch 'crypt' leaves from depth 5 to 5, and the floors go from 1 to 3",
        "6:10",
        f'{FLOORS}[[branch]]\nname = "crypt"\nleaves = 5\nrecipe = "bsp"\n',
        {},
    ),
    (
        "the length of the branch 'crypt' is a whole number from 1 to 100, not 0",
        "7:10",
        f'{FLOORS}[[branch]]\nname = "crypt"\nleaves = 1\nlength = "= 0"\nrecipe = "bsp"\n',
        {},
    ),
    (
        "the number of floors is 102",
        "",
        f'{FLOORS.replace("1..3", "1..100")}[[branch]]\nname = "b"\nleaves = 3\nlength = 2\nrecipe = "bsp"\n',
        {},
    ),
    (
        "floor 2 joins 5 others",
        "4:3",
        f"{FLOORS}" + "".join(f'[[branch]]\nname = "b{n}"\nleaves = 2\nrecipe = "bsp"\n' for n in range(3)),
        {},
    ),
    ("the formula divides by zero (depth = 1)", "4:25", f'{FLOORS}set = {{ fill_prob = "= 1/(depth - 1)" }}\n', {}),
    ("extra of [stairs] is a whole number from 0 to 8, not 10", "5:9", f'{FLOORS}[stairs]\nextra = "= 10*depth"\n', {}),
    (
        "fill_prob is a number from 0 to 1, not 2.0 at depth 2",
        "4:21",
        f'{FLOORS}set = {{ fill_prob = "= depth/1" }}\n',
        {},
    ),
    (
        "the value of the formula is beyond 1e308 (huge = 1e+300)",
        "6:22",
        f'[param.huge]\ndefault = 1e300\n{FLOORS}set = {{ fill_prob = "= huge*huge" }}\n'.replace("..3", ""),
        {},
    ),
    (
        "not 100000000000000005250476025520442024870446858110815915491...",
        "7:9",
        f'[param.huge]\ndefault = 1e300\n{FLOORS}[stairs]\napart = "= huge"\n',
        {},
    ),
    ("unknown parameter of a 'depht'", "", FLOORS, {"params": {"depht": 3}}),
    (
        "deep is a whole number from 2 to 40, not 1",
        "",
        f'{DEEP}[[floor]]\ndepths = "1..$deep"\nrecipe = "cave"\n',
        {"params": {"deep": 1}},
    ),
    ("floor 1 (cave)", "", FLOORS, {"size": (2, 2)}),
]


@pytest.mark.parametrize(("problem", "place", "text", "others"), LATE_MISTAKES)
def test_a_mistake_that_shows_when_floors_are_planned(
    problem: str, place: str, text: str, others: dict[str, Any]
) -> None:
    recipe = DungeonRecipe.parse(text, "a.toml")
    with pytest.raises(UndercroftError) as caught:
        build(recipe, **others)
    assert problem in caught.value.problem
    assert caught.value.fix
    if place:
        assert caught.value.place is not None
        assert f"{caught.value.place.line}:{caught.value.place.column}" == place


def test_an_unknown_floor_names_the_nearest() -> None:
    from support.dungeons import maker

    text = f'{FLOORS}[[branch]]\nname = "crypt"\nleaves = 1\nrecipe = "bsp"\n'
    with pytest.raises(BadInput) as caught:
        maker(DungeonRecipe.parse(text, "a.toml")).make_floor("cript-1")
    assert (caught.value.problem, caught.value.fix) == ("no floor 'cript-1'", "did you mean 'crypt-1'?")


@pytest.mark.parametrize(
    "wrong",
    [
        *({"seed": value} for value in (-1, 1.5, "", None)),
        *({"size": value} for value in ("80x50", (80,), (0, 5))),
        *({"tries": value} for value in (0, 1.5, "3")),
        *({"attempt": value} for value in (-1, "1")),
        {"params": 3},
        {"recipe": "delve"},
    ],
)
def test_a_wrong_request_is_refused(wrong: dict[str, Any]) -> None:
    given: dict[str, Any] = {"recipe": DungeonRecipe.parse(FLOORS, "a.toml"), "seed": 7, **wrong}
    with pytest.raises(UndercroftError):
        DungeonRequest(given.pop("recipe"), **given)


def test_a_request_survives_a_message(tmp_path: Path) -> None:
    request = DungeonRequest(
        DungeonRecipe.parse(FLOORS, "a.toml", tmp_path), seed="Saint Ossory", size=(60, 40), tries=3
    )
    again = DungeonRequest.of(request.data())
    assert again.data() == request.data()
    assert again.recipe.plan({}, Rng.root(1)) == request.recipe.plan({}, Rng.root(1))
