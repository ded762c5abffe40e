from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import undercroft as uc
from support.maps import picture
from undercroft import limits
from undercroft.core import region
from undercroft.core.level import Level, check_level_size
from undercroft.core.palette import STANDARD, Palette
from undercroft.core.region import Door, Link, Regions, Thing, view_doors, view_links
from undercroft.errors import BadInput, TooBig


@pytest.fixture(scope="module")
def keep() -> Level:
    return uc.generate("rooms-and-mazes", seed=3, size=(81, 31))


def full(**changes: Any) -> Level:
    """A level with something in every field."""
    labels = np.array([[0, 1, 2]], np.int32)
    values: dict[str, Any] = {
        "tiles": np.array([[1, 2, 2]], np.uint8),
        "palette": STANDARD,
        "regions": Regions.of(labels),
        "doors": view_doors(np.array([(1, 0, 1, 2, 0)], region.DOOR_DTYPE)),
        "links": view_links(np.array([(1, 2, 1, 0, True)], region.LINK_DTYPE)),
        "things": [Thing("chest", 1, 0, {"gold": 3})],
        "start": (1, 0),
        "end": (2, 0),
        "path": np.array([[1, 0], [2, 0]], np.int32),
        "layers": {"height": np.array([[1, 2, 3]], np.int16)},
        "provenance": {"recipe": "test"},
    }
    return Level(**(values | changes))


# --- frozen -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", Level.__slots__)
def test_no_field_can_be_set(name: str) -> None:
    level = full()
    with pytest.raises(AttributeError, match="frozen"):
        setattr(level, name, getattr(level, name))
    with pytest.raises(AttributeError, match="frozen"):
        delattr(level, name)


def test_no_array_can_be_written(keep: Level) -> None:
    for level in (full(), keep):
        arrays: list[Any] = [
            level.tiles,
            level.path,
            level.regions.labels,
            level.regions.table,
            level.doors.table,
            level.links.table,
            *level.layers.values(),
        ]
        for array in arrays:
            with pytest.raises(ValueError, match="read-only"):
                array[0] = array[0]


def test_no_layer_can_be_added() -> None:
    level = full()
    with pytest.raises(TypeError):
        level.layers["more"] = level.tiles  # type: ignore[index]
    with pytest.raises(TypeError):
        level.provenance["recipe"] = "another"  # type: ignore[index]


def test_the_giver_of_an_array_cannot_change_the_level() -> None:
    tiles, path, layer = np.array([[1, 2, 2]], np.uint8), np.array([[1, 0]], np.int32), np.array([[1, 2, 3]], np.int16)
    given = {"height": layer}
    level = full(tiles=tiles, path=path, layers=given)
    tiles[:], path[:], layer[:] = 0, 9, 9
    given["more"] = layer
    assert level == full(path=np.array([[1, 0]], np.int32))


def test_a_view_of_a_writable_array_is_copied() -> None:
    owner = np.array([[1, 2, 2], [0, 0, 0]], np.uint8)
    view = owner[:1]
    view.setflags(write=False)
    level = full(tiles=view)
    owner[:] = 7
    assert level.tiles.tolist() == [[1, 2, 2]]


def test_a_level_cannot_be_a_key() -> None:
    with pytest.raises(TypeError):
        hash(full())


# --- equality ---------------------------------------------------------------------------------------------------------

OTHER_PALETTE = Palette([tile._replace(colour="#000000") for tile in STANDARD.tiles])
CHANGES: list[dict[str, Any]] = [
    {"tiles": np.array([[1, 2, 3]], np.uint8)},
    {"tiles": np.array([[1, 2, 2, 2]], np.uint8), "regions": None},
    {"palette": OTHER_PALETTE},
    {"regions": Regions.of(np.array([[0, 1, 1]], np.int32))},
    {"regions": Regions.of(np.array([[0, 1, 2]], np.int32), "cave")},
    {
        "regions": Regions(
            Regions.of(np.array([[0, 1, 2]], np.int32)).labels,
            Regions.of(np.array([[0, 1, 2]], np.int32)).table,
            {1: ("crypt",)},
        )
    },
    {
        "regions": Regions(
            Regions.of(np.array([[0, 1, 2]], np.int32)).labels,
            Regions.of(np.array([[0, 1, 2]], np.int32)).table,
            {},
            {2: "hall"},
        )
    },
    {
        "regions": Regions(
            Regions.of(np.array([[0, 1, 2]], np.int32)).labels,
            Regions.of(np.array([[0, 1, 2]], np.int32)).table,
            {},
            {},
            {2: "The Hall"},
        )
    },
    {"doors": view_doors(np.array([(1, 0, 1, 2, 1)], region.DOOR_DTYPE))},
    {"doors": None},
    {"links": view_links(np.array([(1, 2, 1, 0, False)], region.LINK_DTYPE))},
    {"links": None},
    {"things": [Thing("chest", 1, 0, {"gold": 4})]},
    {"things": []},
    {"start": None},
    {"start": (2, 0)},
    {"end": (1, 0)},
    {"path": np.array([[1, 0]], np.int32)},
    {"path": None},
    {"layers": {"height": np.array([[1, 2, 4]], np.int16)}},
    {"layers": {"depth": np.array([[1, 2, 3]], np.int16)}},
    {"layers": {}},
    {"title": "The Old Keep"},
    {"flow": uc.Flow(name="keep")},
]


@pytest.mark.parametrize(
    "change", CHANGES, ids=[f"{number} {next(iter(change))}" for number, change in enumerate(CHANGES)]
)
def test_equality_notices(change: dict[str, Any]) -> None:
    assert full() != full(**change)
    assert full(**change) == full(**change)


def test_every_field_that_counts_is_changed_above() -> None:
    assert {next(iter(change)) for change in CHANGES} == set(Level.__slots__) - {"provenance"}


def test_equality_ignores_where_a_level_came_from() -> None:
    assert full() == full(provenance={}) == full(provenance={"recipe": "other", "seed": "1"})
    assert full() != "a level"


# --- pickles ----------------------------------------------------------------------------------------------------------


def test_pickles_are_equal(keep: Level) -> None:
    for level in (full(), keep, full(palette=OTHER_PALETTE), Level.parse("#")):
        again = pickle.loads(pickle.dumps(level))
        assert again == level
        assert again.provenance == level.provenance
        assert [array.dtype for array in (again.tiles, again.path, again.regions.labels)] == [
            np.uint8,
            np.int32,
            np.int32,
        ]
        with pytest.raises(ValueError, match="read-only"):
            again.tiles[0] = 0


def test_pickles_are_small() -> None:
    small = uc.generate("cave", seed=7, size=(60, 30))
    assert len(pickle.dumps(small)) < 3000
    large = uc.generate("cave", seed=7, size=(512, 512))
    raw = large.tiles.nbytes + large.regions.labels.nbytes + sum(layer.nbytes for layer in large.layers.values())
    assert len(pickle.dumps(large)) < 0.15 * raw


# --- pictures ---------------------------------------------------------------------------------------------------------


def test_a_picture_with_every_tile_comes_back() -> None:
    glyphs = "".join(tile.glyph for tile in STANDARD.tiles if tile.glyph != " ")
    assert str(Level.parse(f"{glyphs}\n{glyphs[::-1]}")) == f"{glyphs}\n{glyphs[::-1]}"


@given(st.lists(st.text("#., +<>~", min_size=3, max_size=3), min_size=1, max_size=6))
def test_a_picture_comes_back(rows: list[str]) -> None:
    framed = ["#" + row + "#" for row in rows]
    level = Level.parse("\n".join(framed))
    assert str(level) == "\n".join(framed)
    assert Level.parse(str(level)) == level


def test_digits_are_labels() -> None:
    level = Level.parse("""
        ######
        #11#3#
        #1#33#
        ######
    """)
    assert str(level) == picture("""
        ######
        #..#.#
        #.#..#
        ######
    """)
    assert level.regions.labels.tolist() == [[0] * 6, [0, 1, 1, 0, 3, 0], [0, 1, 0, 3, 3, 0], [0] * 6]
    assert [(room.label, room.x, room.y, room.width, room.height, room.area) for room in level.rooms] == [
        (1, 1, 1, 2, 2, 3),
        (2, 0, 0, 0, 0, 0),
        (3, 3, 1, 2, 2, 3),
    ]
    found = level.regions.at(1, 2)
    assert found is not None
    assert found.label == 1
    assert level.regions.at(0, 0) is None


def test_short_lines_end_in_void_and_x_is_void() -> None:
    level = Level.parse("""
        ###
        #.###
        #X
        ###
    """)
    assert str(level).split("\n") == ["###  ", "#.###", "#    ", "###  "]
    assert level.tiles[2].tolist() == [1, 0, 0, 0, 0]


def test_blank_lines_inside_and_line_ends_of_other_systems() -> None:
    assert Level.parse("#.#\n\n#.#").size == (3, 3)
    assert Level.parse("#.#\r\n###\r\n") == Level.parse("#.#\n###")


def test_stairs_are_start_and_end() -> None:
    level = Level.parse("#<.>#")
    assert (level.start, level.end) == ((1, 0), (3, 0))
    assert Level.parse("#<.<#").start is None


def test_an_unknown_glyph_is_shown_where_it_stands() -> None:
    with pytest.raises(BadInput) as caught:
        Level.parse("####\n#.?#\n#!.#")
    assert str(caught.value).startswith(
        "drawing:2:3: unknown glyph '?'\n    #.?#\n      ^\n  fix: the palette 'standard' has   void  # wall"
    )


@pytest.mark.parametrize("nothing", ["", "\n", "   ", "\n \n"])
def test_nothing_is_no_picture(nothing: str) -> None:
    with pytest.raises(BadInput, match="at least one cell"):
        Level.parse(nothing)


def test_zero_is_no_label() -> None:
    with pytest.raises(BadInput, match="unknown glyph '0'"):
        Level.parse("#0#")


@pytest.mark.parametrize(
    "change",
    [
        {"tiles": np.array([[1, 2, 2, 2]], np.uint8)},
        {"tiles": np.array([[1, 2, 200]], np.uint8)},
        {"tiles": np.array([[1, 2, 2]], np.int64)},
        {"tiles": np.zeros((0, 3), np.uint8)},
        {"start": (3, 0)},
        {"end": (0, -1)},
    ],
)
def test_what_does_not_fit_is_no_level(change: dict[str, Any]) -> None:
    with pytest.raises(BadInput, match=r"fit|not in|uint8|outside"):
        full(**change)


@pytest.mark.parametrize("cell", [(3, 0), (0, 1), (-1, 0), (0, -1), (99, 99)])
def test_a_thing_outside_is_refused(cell: tuple[int, int]) -> None:
    with pytest.raises(BadInput, match=rf"^the chest at \({cell[0]}, {cell[1]}\) is outside the level, which is 3x1\n"):
        full(things=iter([Thing("rat", 2, 0), Thing("chest", *cell)]))
    assert [thing.kind for thing in full(things=iter([Thing("rat", 2, 0), Thing("chest", 0, 0)])).things] == [
        "rat",
        "chest",
    ]


# --- what it says of itself -------------------------------------------------------------------------------------------


def test_a_path_of_any_whole_numbers_is_stored_as_int32_and_comes_back(tmp_path: Path) -> None:
    for kind in ("uint8", "int64", ">i4"):
        level = Level.parse("#..#").replace(path=np.array([(1, 0), (2, 0)], kind))
        assert level.path.dtype == np.int32
        level.save(tmp_path / "a.npz")
        assert uc.load(tmp_path / "a.npz") == level


@pytest.mark.parametrize("cell", [(4, 0), (-1, 0), (1, 1), (2**40, 0)])
def test_a_path_that_leaves_the_level_is_refused(cell: tuple[int, int]) -> None:
    with pytest.raises(BadInput, match=rf"the path leaves the level at \({cell[0]}, {cell[1]}\)"):
        Level.parse("#..#").replace(path=np.array([(1, 0), cell]))


def test_walkable_and_opaque() -> None:
    level = Level.parse("#.,+'LS~:o<>X")
    assert level.walkable[0].tolist() == [
        False,
        True,
        True,
        True,
        True,
        True,
        True,
        False,
        False,
        False,
        True,
        True,
        False,
    ]
    assert level.opaque[0].tolist() == [
        True,
        False,
        False,
        True,
        False,
        True,
        True,
        False,
        False,
        False,
        False,
        False,
        True,
    ]


def test_rooms_are_all_but_corridors(keep: Level) -> None:
    kinds = {region.kind for region in keep.regions}
    assert kinds == {"room", "corridor"}
    assert {room.kind for room in keep.rooms} == {"room"}
    assert repr(keep) == f"<Level 81x31 rooms-and-mazes: rooms {len(keep.rooms)}, doors {len(keep.doors)}>"


def test_rows_read_as_what_they_are() -> None:
    level = full()
    assert level.doors[0] == Door(1, 0, 1, 2, "open")
    assert list(level.links) == level.links[:] == [Link(1, 2, "door", 0, True)]
    assert level.links[-1] == level.links[0]
    with pytest.raises(IndexError):
        level.doors[1]
    assert level.graph.neighbours(1) == [2]
    assert (level.graph.degree(1), level.graph.degree(2)) == (1, 1)
    assert [room.label for room in level.regions[0:2]] == [1, 2]
    assert level.regions[-1].label == 2


# --- sizes ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "size", [(1, 1), (1, 500), [80, 50], (80.0, 50.0), (np.int64(3), np.int32(4)), (4096, 4096), (1 << 20, 16)]
)
def test_sizes(size: Any) -> None:
    assert check_level_size(size) == tuple(int(side) for side in size)


@pytest.mark.parametrize("size", [(0, 5), (5, 0), (-1, 5), (0, 0), (-3, -3)])
def test_a_size_without_cells(size: tuple[int, int]) -> None:
    with pytest.raises(BadInput, match=f"a level of {size[0]}x{size[1]} has no cells") as caught:
        check_level_size(size)
    assert caught.value.fix == "both sides are at least 1"


@pytest.mark.parametrize(
    "size", [5, (1,), (1, 2, 3), ("a", "b"), (None, 1), (float("nan"), 3), (float("inf"), 3), "12x5", (2.5, 3)]
)
def test_no_size(size: Any) -> None:
    with pytest.raises(BadInput, match="a size is two whole numbers"):
        check_level_size(size)


def test_the_limit_of_cells_at_its_edge() -> None:
    side = 4096
    assert limits.CELLS.value == side * side
    assert check_level_size((side, side - 1)) == (side, side - 1)
    assert check_level_size((side, side)) == (side, side)
    with pytest.raises(TooBig, match="16,781,312; the limit is 16,777,216") as caught:
        check_level_size((side, side + 1))
    assert "--max-cells" in caught.value.fix
    assert check_level_size((side, side + 1), max_cells=side * (side + 1)) == (side, side + 1)
    for cells, fits in ((99, False), (100, True), (101, True)):
        if fits:
            assert check_level_size((10, 10), max_cells=cells) == (10, 10)
        else:
            with pytest.raises(TooBig, match="100; the limit is 99"):
                check_level_size((10, 10), max_cells=cells)


def test_the_limit_of_a_side_at_its_edge() -> None:
    side = limits.SIDE.value
    assert check_level_size((side - 1, 1))
    assert check_level_size((1, side))
    with pytest.raises(TooBig, match="the longer side is 1,048,577"):
        check_level_size((side + 1, 1), max_cells=1 << 40)


def test_replace_changes_the_named_parts_and_keeps_the_others() -> None:
    level = uc.generate("cozy", seed=3)
    assert level.replace() == level
    for name in Level.__slots__:
        assert level.replace(**{name: getattr(level, name)}) == level
    other = level.replace(title="Crypt", things=(), start=None)
    assert (other.title, other.things, other.start) == ("Crypt", (), None)
    assert other != level
    assert other.tiles is level.tiles
    assert other.replace(title=level.title, things=level.things, start=level.start) == level
    assert len(level.replace(doors=None).doors) == 0
    with pytest.raises(TypeError, match="tils"):
        level.replace(tils=level.tiles)  # type: ignore[call-arg]
    with pytest.raises(BadInput, match="outside the level"):
        level.replace(start=(level.width, 0))
