"""The arrays and look-ups of a level that games use: against a naive twin, and kept once computed (D-5)."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Collection

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import undercroft as uc
from undercroft.core.palette import STANDARD
from undercroft.core.passable import open_cells
from undercroft.core.region import Region, Regions, Thing
from undercroft.errors import BadInput

RECIPES = ("cozy", "bsp", "cave", "isaac", "rooms-and-mazes")
NAMES = ("", "red", "blue")


@st.composite
def levels(draw: st.DrawFn) -> uc.Level:
    """Small maps of all tiles, with locks, things that block, and one-way doors."""
    width, height = draw(st.integers(1, 9)), draw(st.integers(1, 7))
    codes = draw(st.lists(st.integers(0, len(STANDARD) - 1), min_size=width * height, max_size=width * height))
    cells = st.tuples(st.integers(0, width - 1), st.integers(0, height - 1))
    things = [
        Thing(kind, *cell, data)
        for kind, cell, data in draw(
            st.lists(
                st.one_of(
                    st.tuples(st.just("lock"), cells, st.sampled_from([{"key": name} for name in NAMES] + [{}])),
                    st.tuples(st.just("one-way"), cells, st.just({"to": "E"})),
                    st.tuples(
                        st.just("table"),
                        cells,
                        st.fixed_dictionaries(
                            {"blocks": st.sampled_from([True, False, 1])},
                            optional={
                                "width": st.sampled_from([0, 1, 2, 5, -3, 2.5, "wide"]),
                                "height": st.integers(1, 3),
                            },
                        ),
                    ),
                ),
                max_size=6,
            )
        )
    ]
    ends = draw(st.tuples(st.none() | cells, st.none() | cells))
    return uc.Level(
        np.array(codes, np.uint8).reshape(height, width), things=things, start=ends[0], end=ends[1]
    )  # fmt: skip


def can_enter(level: uc.Level, x: int, y: int, keys: Collection[str]) -> bool:
    """Whether a cell can be entered, word by word as the specification says it."""
    tile = level.palette.tiles[level.tiles[y, x]]
    if not tile.walkable:
        return False
    for thing in level.things:
        if thing.data.get("blocks") is True:
            sides = [thing.data.get(side, 1) for side in ("width", "height")]
            wide, high = (side if type(side) is int and side > 0 else 1 for side in sides)
            if thing.x <= x < thing.x + wide and thing.y <= y < thing.y + high:
                return False
    names = [
        str(thing.data.get("key", ""))
        for thing in level.things
        if thing.kind == "lock" and (thing.x, thing.y) == (x, y)
    ]
    if tile.role == "locked" and not names:
        names = [""]
    return all(name in keys for name in names)


def grid(level: uc.Level, keys: Collection[str] = ()) -> NDArray[np.bool_]:
    return np.array([[can_enter(level, x, y, keys) for x in range(level.width)] for y in range(level.height)])


@given(levels(), st.sets(st.sampled_from((*NAMES, "green"))))
def test_passable_is_what_can_be_entered(level: uc.Level, keys: set[str]) -> None:
    assert np.array_equal(level.passable, grid(level))
    assert np.array_equal(level.passable_with(keys), grid(level, keys))
    assert np.array_equal(level.passable_with(iter(sorted(keys))), grid(level, keys))
    for name in keys:
        assert np.array_equal(level.passable_with(name), grid(level, {name}))
    assert not (level.passable & ~level.passable_with(keys)).any()
    assert not (level.passable_with(keys) & ~level.walkable).any()


@given(levels())
def test_all_keys_open_what_the_solver_calls_open(level: uc.Level) -> None:
    assert np.array_equal(level.passable_with(NAMES), open_cells(level))


def test_a_locked_start_is_not_passable() -> None:
    level = uc.Level.parse("L.>").replace(start=(0, 0), things=[Thing("lock", 2, 0, {"key": "red"})])
    assert level.passable.tolist() == [[False, True, False]]
    assert level.passable_with([""]).tolist() == [[True, True, False]]
    assert level.passable_with({"", "red"}).tolist() == [[True, True, True]]
    assert uc.Level.parse("S.'+").passable.all()


@pytest.mark.parametrize("keys", [None, 3, [3], ["red", None], b"red", [b"red"], 1.5, np.array([1])])
def test_keys_are_texts(keys: object) -> None:
    with pytest.raises(BadInput, match="keys are named by texts"):
        uc.Level.parse("..").passable_with(keys)  # type: ignore[arg-type]


@pytest.mark.parametrize("recipe", RECIPES)
def test_arrays_are_computed_once_and_read_only(recipe: str) -> None:
    level = uc.generate(recipe, seed=3)
    for name in ("walkable", "opaque", "passable"):
        array = getattr(level, name)
        assert getattr(level, name) is array
        assert array.dtype == bool
        assert array.shape == level.tiles.shape
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = True
    assert level.rooms is level.rooms
    assert isinstance(level.rooms, tuple)
    for other in (level.replace(), pickle.loads(pickle.dumps(level)), copy.copy(level), copy.deepcopy(level)):
        assert other == level
        assert np.array_equal(other.passable, level.passable)
        assert other.rooms == level.rooms
    with pytest.raises(AttributeError, match="frozen"):
        level.walkable = level.opaque  # type: ignore[misc]
    with pytest.raises(AttributeError, match="frozen"):
        level._walkable = level.opaque


def test_a_copy_with_other_parts_computes_its_own() -> None:
    level = uc.Level.parse("#11#").replace(title="a")
    assert level.passable.tolist() == [[False, True, True, False]]
    assert (len(level.rooms), int(level.walkable.sum()), int(level.opaque.sum())) == (1, 2, 2)
    other = level.replace(tiles=1 - np.minimum(level.tiles, 1), regions=None)
    assert (len(other.rooms), int(other.walkable.sum()), int(other.opaque.sum())) == (0, 0, 4)
    blocked = level.replace(things=[Thing("rock", 1, 0, {"blocks": True})])
    assert blocked.passable.tolist() == [[False, False, True, False]]
    assert blocked.walkable.tolist() == level.walkable.tolist()


@pytest.mark.parametrize("recipe", RECIPES)
@pytest.mark.parametrize("seed", range(4))
def test_rooms_cells_and_centres(recipe: str, seed: int) -> None:
    level = uc.generate(recipe, seed=seed)
    for region in level.regions:
        cells = level.cells(region)
        assert cells.dtype == np.int32
        assert np.array_equal(cells, level.cells(region.label))
        ys, xs = np.nonzero(level.regions.labels == region.label)
        assert cells.tolist() == np.stack((xs, ys), axis=1).tolist()
        x, y = level.centre(region)
        assert level.walkable[y, x]
        assert [x, y] in cells.tolist()
        if level.passable[cells[:, 1], cells[:, 0]].any():
            assert level.passable[y, x]
        whole = len(cells) == region.width * region.height
        if whole and level.passable[cells[:, 1], cells[:, 0]].all():
            assert abs(2 * x + 1 - 2 * region.x - region.width) <= 1
            assert abs(2 * y + 1 - 2 * region.y - region.height) <= 1
    for y in range(level.height):
        for x in range(0, level.width, 3):
            found, room = level.regions.at(x, y), level.room_at(x, y)
            assert room == (None if found is None or found.kind == "corridor" else found)
            assert room is None or room in level.rooms


@given(st.integers(1, 8), st.integers(1, 8), st.data())
def test_the_centre_is_nearest_to_the_middle(width: int, height: int, data: st.DataObject) -> None:
    labels = np.array(
        data.draw(st.lists(st.integers(0, 2), min_size=width * height, max_size=width * height)), np.int32
    ).reshape(height, width)
    level = uc.Level(np.full((height, width), STANDARD["floor"], np.uint8), regions=Regions.of(labels))
    for region in level.regions:
        cells = level.cells(region).tolist()
        if not cells:
            with pytest.raises(BadInput, match="no walkable cell"):
                level.centre(region)
            continue
        middle = np.mean(cells, axis=0)
        x, y = level.centre(region)
        apart = [float(((np.array(cell) - middle) ** 2).sum()) for cell in cells]
        assert ((np.array((x, y)) - middle) ** 2).sum() <= min(apart) + 0.05


def test_a_region_without_ground_has_no_centre() -> None:
    drawn = uc.Level.parse("#11#22")
    level = drawn.replace(tiles=np.where(drawn.regions.labels == 1, STANDARD["water"], drawn.tiles))
    with pytest.raises(BadInput, match="region 1 has no walkable cell, and so no centre"):
        level.centre(1)
    assert level.centre(2) == (4, 0)
    statue = level.replace(things=[Thing("statue", x, 0, {"blocks": True}) for x in (4, 5)])
    assert statue.centre(2) == (4, 0)  # walkable, as no cell is passable


@pytest.mark.parametrize("region", [0, 3, -1, 2**70, None, "room", 1.0, (1, 2), np.array([1, 2])])
def test_another_region_is_refused(region: object) -> None:
    level = uc.Level.parse("#11#22")
    for look in (level.cells, level.centre):
        with pytest.raises(BadInput, match="region"):
            look(region)  # type: ignore[arg-type]
    assert np.array_equal(level.cells(np.int32(2)), level.cells(2))  # type: ignore[arg-type]


def test_a_region_of_a_larger_level_is_refused() -> None:
    with pytest.raises(BadInput, match="the level has no region 9"):
        uc.Level.parse("#11#").cells(Region(9, "room", 0, 0, 1, 1, 1))
    with pytest.raises(BadInput, match="it has 0 regions"):
        uc.Level.parse("#").cells(1)


@pytest.mark.parametrize("cell", [("x", 0), (0, None), (-1, 0), (4, 0), (0, 1), (2**63, 0), (0.5, 0), ((1, 2), 0)])
def test_a_cell_elsewhere_is_refused(cell: tuple[int, int]) -> None:
    level = uc.Level.parse("#11#")
    for look in (level.room_at, level.regions.at):
        with pytest.raises(BadInput, match=r"a cell|outside the level"):
            look(*cell)
    assert level.room_at(np.int64(1), np.uint8(0)) == level.rooms[0]  # type: ignore[arg-type]


def test_corridors_and_doors_are_no_rooms() -> None:
    level = uc.survey(uc.Level.parse("#..+,,+..#"))
    assert [region.kind for region in level.regions] == ["room", "corridor", "room"]
    assert "".join("r" if level.room_at(x, 0) else " " for x in range(10)) == " rr    rr "
    assert [region.label if region else 0 for region in (level.regions.at(x, 0) for x in (0, 1, 3, 4, 8))] == [
        *(0, 1, 0, 2, 3)
    ]
