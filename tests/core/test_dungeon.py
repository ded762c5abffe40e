"""D-1, D-2, D-15: a dungeon is frozen, and its stairs are things."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from undercroft.core.dungeon import Dungeon, Floor
from undercroft.core.dungeon_stairs import Stairs
from undercroft.core.level import Level
from undercroft.core.region import Thing
from undercroft.errors import BadInput, TooBig, UndercroftError

ROOM = Level.parse(
    """
    ######
    #1111#
    #1111#
    ######
    """
)
CELLAR = Dungeon.of(
    {"1": ROOM, "2": ROOM, "crypt-2": ROOM}, [("1", (1, 1), "2", (1, 1)), ("1", (4, 2), "crypt-2", (4, 2))]
)


def stairs(x: int, y: int, **data: Any) -> Thing:
    return Thing(
        "stairs", x, y, {"way": "down", "form": "stairs", "to": "2", "to_x": 1, "to_y": 1, "link": "a", **data}
    )


def floors(upper: tuple[Thing, ...] = (), lower: tuple[Thing, ...] = ()) -> list[Floor]:
    return [Floor("1", "", 1, ROOM.replace(things=upper)), Floor("2", "", 2, ROOM.replace(things=lower))]


def test_stairs_are_things_with_tiles() -> None:
    assert str(CELLAR["1"]) == "######\n#>...#\n#...>#\n######"
    assert str(CELLAR["2"]) == "######\n#<...#\n#....#\n######"
    assert CELLAR.stairs_of("2") == (Stairs("2", 1, 1, "up", "stairs", "1", 1, 1, "1-2#1"),)
    assert [thing.kind for thing in CELLAR["1"].things] == ["stairs", "stairs"]


def test_floors_by_id() -> None:
    assert CELLAR.ids == ("1", "2", "crypt-2")
    assert [(floor.branch, floor.depth) for floor in CELLAR] == [("", 1), ("", 2), ("crypt", 2)]
    assert CELLAR["2"] is CELLAR.levels[1]
    assert CELLAR.floor("2").level is CELLAR["2"]
    assert len(CELLAR) == 3
    with pytest.raises(BadInput, match="no floor 'cript-2'") as caught:
        CELLAR["cript-2"]
    assert caught.value.fix == "did you mean 'crypt-2'?"


@pytest.mark.parametrize("name", Dungeon.__slots__)
def test_nothing_can_be_set(name: str) -> None:
    with pytest.raises(AttributeError, match="frozen"):
        setattr(CELLAR, name, None)
    with pytest.raises(AttributeError, match="frozen"):
        delattr(CELLAR, name)


def test_a_dungeon_is_pickled() -> None:
    again = pickle.loads(pickle.dumps(CELLAR))
    assert again == CELLAR
    assert again.stairs == CELLAR.stairs


def test_dungeons_differ_in_every_part() -> None:
    same = Dungeon(CELLAR.floors)
    assert same == CELLAR
    assert Dungeon(CELLAR.floors, provenance={"seed": "7"}) == CELLAR
    for other in (
        Dungeon(CELLAR.floors, title="Cellar"),
        Dungeon(CELLAR.floors, start=("1", 1, 1)),
        Dungeon(CELLAR.floors, end=("2", 1, 1)),
        Dungeon([*CELLAR.floors[:2], CELLAR.floors[2]._replace(depth=7)]),
        CELLAR.replace_levels({"2": CELLAR["2"].replace(title="Below")}),
    ):
        assert other != CELLAR
    assert CELLAR.__eq__(3) is NotImplemented


def test_a_stairs_thing_without_a_goal_is_furniture() -> None:
    assert Dungeon([Floor("1", "", 1, ROOM.replace(things=[Thing("stairs", 1, 1)]))]).stairs == ()


def test_stairs_to_a_floor_that_is_not_there_lead_out() -> None:
    out = Dungeon([Floor("1", "", 1, ROOM.replace(things=[stairs(1, 1, to="surface")]))])
    assert [one.to for one in out.stairs] == ["surface"]


def test_a_shaft_has_one_end() -> None:
    shaft = Dungeon(floors((stairs(1, 1, form="shaft"),)))
    assert [(one.floor, one.form) for one in shaft.stairs] == [("1", "shaft")]


BACK = {"way": "up", "to": "1"}
WRONG_STAIRS: list[tuple[str, tuple[Thing, ...], tuple[Thing, ...]]] = [
    ("1 leads down to (1, 1) on 2, where no stairs lead back", (stairs(1, 1),), ()),
    (
        "1 leads down to (1, 1) on 2, where stairs lead up from (2, 1)",
        (stairs(1, 1),),
        (stairs(2, 1, **BACK),),
    ),
    (
        "1 leads down to (1, 1) on 2, and from there stairs lead to (3, 1) on 1",
        (stairs(1, 1),),
        (stairs(1, 1, **BACK, to_x=3),),
    ),
    ("1 leads down to (1, 1) on 2, and stairs lead down from there", (stairs(1, 1),), (stairs(1, 1, to="1"),)),
    ("1 leads down to (9, 1) on 2, which is outside of it: 2 is 6x4", (stairs(1, 1, to_x=9),), ()),
    ("floor 1, the stairs at (1, 1): unknown way 'sideways'", (stairs(1, 1, way="sideways"),), ()),
    ("floor 1, the stairs at (1, 1): unknown form 'rope'", (stairs(1, 1, form="rope"),), ()),
    ("floor 1, the stairs at (1, 1): to is a text, not 2", (stairs(1, 1, to=2),), ()),
    ("floor 1, the stairs at (1, 1): to_x is a whole number from 0", (stairs(1, 1, to_x=-1),), ()),
    ("floor 1, the stairs at (1, 1): to_y is a whole number from 0", (stairs(1, 1, to_y="1"),), ()),
    ("floor 1, the stairs at (1, 1): link is a text, not 3", (stairs(1, 1, link=3),), ()),
]


@pytest.mark.parametrize(("problem", "upper", "lower"), WRONG_STAIRS)
def test_ends_that_contradict_each_other(problem: str, upper: tuple[Thing, ...], lower: tuple[Thing, ...]) -> None:
    with pytest.raises(BadInput) as caught:
        Dungeon(floors(upper, lower))
    assert caught.value.problem.startswith(problem)
    assert caught.value.fix


WRONG_CALLS: list[tuple[str, Any]] = [
    ("a dungeon has at least one floor", lambda: Dungeon([])),
    ("floors are a list", lambda: Dungeon("crypt")),  # type: ignore[arg-type]
    ("a floor is Floor(id, branch, depth, level)", lambda: Dungeon([ROOM])),  # type: ignore[list-item]
    ("two floors are called '1'", lambda: Dungeon([Floor("1", "", 1, ROOM)] * 2)),
    ("'../1' is no id of a floor", lambda: Dungeon([Floor("../1", "", 1, ROOM)])),
    ("the depth of floor 1 is a whole number from 1", lambda: Dungeon([Floor("1", "", 0, ROOM)])),
    ("the level of floor 1 is a Level", lambda: Dungeon([Floor("1", "", 1, "cave")])),  # type: ignore[arg-type]
    ("title is a text", lambda: Dungeon(CELLAR.floors, title=3)),  # type: ignore[arg-type]
    ("the start of a dungeon is a floor, x and y", lambda: Dungeon(CELLAR.floors, start=(1, 1))),  # type: ignore[arg-type]
    ("no floor '9'", lambda: Dungeon(CELLAR.floors, start=("9", 1, 1))),
    ("the end on floor 2 (6, 1) is outside the level", lambda: Dungeon(CELLAR.floors, end=("2", 6, 1))),
    ("provenance is a table", lambda: Dungeon(CELLAR.floors, provenance=3)),  # type: ignore[arg-type]
    ("stairs are (floor, cell, floor, cell)", lambda: Dungeon.of([ROOM], [(1, 2)])),  # type: ignore[list-item]
    ("unknown floor '7'", lambda: Dungeon.of([ROOM], [("1", (1, 1), "7", (1, 1))])),
    ("the stairs on floor 1 (9, 1) is outside", lambda: Dungeon.of([ROOM, ROOM], [("1", (9, 1), "2", (1, 1))])),
]


@pytest.mark.parametrize(("problem", "call"), WRONG_CALLS)
def test_wrong_parts_are_refused(problem: str, call: Any) -> None:
    with pytest.raises(UndercroftError) as caught:
        call()
    assert caught.value.problem.startswith(problem)


def test_a_hundred_floors_and_no_more() -> None:
    assert len(Dungeon.of([ROOM] * 100)) == 100
    with pytest.raises(TooBig, match="the number of floors is 101"):
        Dungeon.of([ROOM] * 101)
