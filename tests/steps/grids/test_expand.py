"""From a grid of rooms to tiles: sizes, walls, doors, tags, and the rooms that somebody drew."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from support.maps import after, border, components, draft_of, picture
from undercroft.analysis.room_grids import ROOM_GRID_PALETTE, plan_room_grid
from undercroft.core.draft import Draft
from undercroft.core.level import Level
from undercroft.core.palette import DOOR_ROLES, STANDARD
from undercroft.core.region import LINK_DTYPE, LINK_KINDS, view_links
from undercroft.core.timeline import Timeline
from undercroft.errors import BadInput, TooBig
from undercroft.formats import dump, loads
from undercroft.steps.grids.expand import Expand
from undercroft.steps.grids.room_grid import RoomGrid
from undercroft.steps.grids.room_shape import parse_room_shape as drawn_room

METHODS: tuple[Any, ...] = ("isaac", "neighbours", "drunkard")
WALL, FLOOR = STANDARD["wall"], STANDARD["floor"]
IS_DOOR = STANDARD.role_mask(*DOOR_ROLES)
CHAPEL = """
    #########
    #.o...o.#
    #.......#
    #.o...o.#
    #########
"""


def grid(text: str, wanted: tuple[int, int] | None = None) -> Draft:
    """A draft of a room grid, for a level of that size."""
    draft = Draft.of(loads(picture(text).encode(), "text:grid"))
    draft.wanted = wanted
    return draft


def is_expanded(before: Draft, draft: Draft) -> None:
    """Equal rooms, closed, joined as planned, with the tags they had."""
    assert before.regions is not None
    assert draft.regions is not None
    assert draft.wanted is None
    assert draft.palette == STANDARD
    assert (border(draft.tiles) == WALL).all()
    walkable = STANDARD.walkable[draft.tiles]
    assert components(walkable) == 1
    labels = draft.regions.labels
    assert ((labels > 0) == (walkable & ~IS_DOOR[draft.tiles])).all()
    assert len(draft.regions) == len(before.regions)
    assert len({(room.width, room.height, room.area) for room in draft.regions}) <= 1, (
        "3.3: all rooms have the same size"
    )
    for room, cell in zip(draft.regions, before.regions, strict=True):
        assert (room.tags, room.kind) == (cell.tags, cell.kind)
        ys, xs = np.nonzero(labels == room.label)
        assert [room.x, room.y, room.width, room.height] == [
            int(side) for side in (xs.min(), ys.min(), np.ptp(xs) + 1, np.ptp(ys) + 1)
        ]
        assert room.area == len(xs)
    assert len(draft.doors) == IS_DOOR[draft.tiles].sum() == len(before.links)
    for number, (link, planned) in enumerate(zip(draft.links, before.links, strict=True)):
        assert link == planned._replace(door=number, carved=True)
        door = draft.doors[number]
        assert {door.a, door.b} == {link.a, link.b}
        near = {int(labels[door.y + dy, door.x + dx]) for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0))} - {0}
        assert near == {link.a, link.b}, "a door leads to both rooms and to nothing else"
        assert door.state == {"door": "closed", "secret": "secret"}[link.kind]
        assert STANDARD.tiles[draft.tiles[door.y, door.x]].role == link.kind
    for point, cell_point in ((draft.start, before.start), (draft.end, before.end)):
        assert (point is None) == (cell_point is None)
        if point is not None and cell_point is not None:
            assert labels[point[1], point[0]] == before.regions.labels[cell_point[1], cell_point[0]]


# --- drawn ------------------------------------------------------------------------------------------------------------


def test_the_plus_of_the_document() -> None:
    """3.2 and 3.13: to be seen, with its doors."""
    draft = after(Expand(), grid("020\n111\n030", (25, 13)))
    assert str(draft) == picture("""
        #########################
        #########.......#########
        #########...<...#########
        #########.......#########
        ############+############
        #.......#.......#.......#
        #.......+.......+.......#
        #.......#.......#.......#
        ############+############
        #########.......#########
        #########...>...#########
        #########.......#########
        #########################
    """)
    assert (draft.start, draft.end) == ((12, 2), (12, 10))
    assert draft.path is not None
    assert draft.path.tolist() == [[12, y] for y in range(2, 11)]


def test_doors_of_uneven_rooms_and_the_smallest_ones() -> None:
    assert str(after(Expand(cell_size=(5, 3)), grid("11\n01"))) == picture("""
        ###########
        #....+....#
        #....#....#
        #######+###
        ######....#
        ######....#
        ###########
    """)
    assert str(after(Expand(), grid("11\n10", (5, 5)))) == picture("""
        #####
        #.+.#
        #+###
        #.###
        #####
    """)


def test_rooms_stand_in_the_middle() -> None:
    assert str(after(Expand(cell_size=(4, 2)), grid("1", (9, 6)))) == picture("""
        #########
        #########
        ###...###
        #########
        #########
        #########
    """)


def test_empty_columns_and_rows_are_left_out_or_not() -> None:
    """Without them rooms are larger, and still twice as wide as high."""
    rooms = "0000\n0110\n0000\n0000"
    assert str(after(Expand(crop=False), grid(rooms, (17, 9)))) == picture("""
        #################
        #################
        #################
        #####...+...#####
        #################
        #################
        #################
        #################
        #################
    """)
    assert str(after(Expand(), grid(rooms, (17, 9)))) == picture("""
        #################
        #################
        #################
        #.......#.......#
        #.......+.......#
        #.......#.......#
        #################
        #################
        #################
    """)


def linked(draft: Draft, *rows: tuple[int, int, str]) -> Draft:
    """With these links instead of its own."""
    draft.links = view_links(np.array([(a, b, LINK_KINDS.index(kind), -1, False) for a, b, kind in rows], LINK_DTYPE))
    return draft


def test_a_secret_door_is_not_on_the_path() -> None:
    """The way through it would be shorter; it is taken only if there is no other."""
    rows = (1, 2, "secret"), (2, 3, "door"), (1, 4, "door"), (4, 5, "door"), (5, 6, "door"), (3, 6, "door")
    draft = after(Expand(), linked(grid("213\n111", (25, 9)), *rows))
    assert str(draft).count("S") == 1
    assert draft.path is not None
    assert not STANDARD.role_mask("secret")[draft.tiles[draft.path[:, 1], draft.path[:, 0]]].any()
    assert len(draft.path) == 25
    draft = after(Expand(), linked(grid("213\n111", (25, 9)), *rows[:2], *rows[3:]))
    assert draft.path is not None
    assert len(draft.path) == 17


def test_links_of_every_kind() -> None:
    kinds = "open", "locked", "secret", "one-way"
    draft = after(
        Expand(), linked(grid("11111", (41, 9)), *((number, number + 1, kind) for number, kind in enumerate(kinds, 1)))
    )
    assert [door.state for door in draft.doors] == ["open", "locked", "secret", "open"]
    assert tuple(link.kind for link in draft.links) == kinds
    assert [sign for sign in str(draft) if sign not in "#.\n"] == ["'", "L", "S", "'"]


def test_links_that_no_door_can_be_in_stay_planned() -> None:
    rows = (1, 2, "door"), (1, 3, "door"), (0, 5, "door"), (3, 4, "door"), (5, 0, "door"), (1, 5, "door")
    draft = after(Expand(), linked(grid("101\n111", (25, 9)), *rows))
    assert [(link.door, link.carved) for link in draft.links] == [
        (-1, False),
        (0, True),
        (-1, False),
        (1, True),
        (-1, False),
        (-1, False),
    ]
    assert len(draft.doors) == 2


# --- any grid ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "params", [{}, {"crop": False}, {"cell_size": (5, 3)}, {"cell_size": (0, 3)}, {"template": CHAPEL}]
)
def test_grids_become_levels(method: Any, params: dict[str, Any]) -> None:
    for seed in range(40):
        size = [(80, 50), (73, 33), (65, 41)][seed % 3] if "template" not in params else (80, 50)
        made = RoomGrid(method=method, secrets=seed % 2)
        before = after(made, Draft(*size), seed=seed)
        draft = after(Expand(**params), after(made, Draft(*size), seed=seed))
        assert (draft.width, draft.height) == size
        is_expanded(before, draft)
        assert draft.path is not None
        assert draft.regions is not None
        assert [tuple(cell) for cell in draft.path[[0, -1]].tolist()] == [draft.start, draft.end]
        on_way = {int(draft.regions.labels[y, x]) for x, y in draft.path} - {0}
        assert not any("secret" in draft.regions[label - 1].tags for label in on_way)


def test_every_size_gives_a_level_or_a_sentence() -> None:
    before = after(RoomGrid(grid=(4, 3), rooms=6), Draft(1, 1))
    made = refused = 0
    for width in range(1, 30):
        for height in range(1, 24):
            for crop in (True, False):
                start = after(RoomGrid(grid=(4, 3), rooms=6), Draft(width, height))
                if width < 9 or height < 7:
                    with pytest.raises(BadInput, match=f"needs a level of 9x7, not {width}x{height}") as caught:
                        after(Expand(crop=crop), start)
                    assert caught.value.fix == f"ask for {max(9, width)}x{max(7, height)}, or for a smaller grid"
                    refused += 1
                else:
                    is_expanded(before, after(Expand(crop=crop), start))
                    made += 1
    assert min(made, refused) > 100


def test_whether_a_size_fits_does_not_depend_on_the_seed() -> None:
    """Two rooms would fit, the whole grid would not."""
    for crop in (True, False):
        with pytest.raises(
            BadInput, match=r"8x8 rooms, 9x9 tiles from one to the next, needs a level of 73x73, not 72x80"
        ) as caught:
            after(Expand(cell_size=(9, 9), crop=crop), after(RoomGrid(valid=(), rooms=2), Draft(72, 80)))
        assert caught.value.fix == "ask for 73x80, or for a smaller grid, or for smaller rooms"


def test_any_map_is_a_room_grid() -> None:
    """Every walkable cell is a room, and the level grows as far as that needs."""
    for text in ("#.#\n...\n#.#", "..,+.\n#~.#.", ".", "###"):
        before = draft_of(text)
        found = plan_room_grid(STANDARD.walkable[before.tiles])
        before.regions, before.links = found.regions, found.links
        draft = after(Expand(crop=False), draft_of(text))
        assert (draft.width, draft.height) == (before.width * 8 + 1, before.height * 4 + 1)
        if len(found.regions):
            is_expanded(before, draft)
        else:
            assert (draft.tiles == WALL).all()


def test_no_room_at_all() -> None:
    for crop in (True, False):
        draft = after(Expand(crop=crop), grid("00\n00", (9, 7)))
        assert (draft.tiles == WALL).all()
        assert (draft.start, draft.end, draft.path) == (None, None, None)
        assert draft.regions is not None
        assert len(draft.regions) == len(draft.doors) == 0


def test_a_grid_that_is_left_as_it_is() -> None:
    for seed in range(20):
        draft = after(Expand(expand=False), after(RoomGrid(), Draft(80, 50), seed=seed))
        assert (draft.width, draft.height, draft.palette) == (8, 8, ROOM_GRID_PALETTE)
        level = draft.level()
        for name in ("json", "npz"):
            assert loads(dump(level, name), name) == level
        assert level.layers["doors"].shape == (8, 8)


def test_large_grids() -> None:
    draft = after(RoomGrid(method="neighbours", grid=(512, 512), rooms=40_000), Draft(2049, 1025))
    after(Expand(), draft)
    assert (draft.width, draft.height) == (2049, 1025)
    assert components(STANDARD.walkable[draft.tiles]) == 1
    assert draft.regions is not None
    assert len(draft.regions) == 40_000


def test_expansion_can_be_watched() -> None:
    timeline = Timeline()
    draft = after(Expand(), grid("11", (17, 9)), watcher=timeline)
    assert timeline.palette(timeline.turns - 1) == STANDARD
    assert (timeline.at(timeline.turns - 1) == draft.tiles).all()


# --- templates --------------------------------------------------------------------------------------------------------


def test_rooms_as_drawn() -> None:
    draft = after(Expand(template=CHAPEL), grid("21\n03"))
    assert str(draft) == picture("""
        #################
        #.o...o.#.o...o.#
        #...<...+.......#
        #.o...o.#.o...o.#
        ############+####
        #########.o...o.#
        #########...>...#
        #########.o...o.#
        #################
    """)
    assert draft.regions is not None
    assert [(room.x, room.y, room.width, room.height, room.area) for room in draft.regions] == [
        (1, 1, 7, 3, 17),
        (9, 1, 7, 3, 17),
        (9, 5, 7, 3, 17),
    ]


def test_the_start_is_where_one_can_stand() -> None:
    well = """
        #######
        #.....#
        #.~~~.#
        #.~~~.#
        #.....#
        #######
    """
    draft = after(Expand(template=well), grid("23"))
    assert draft.start == (3, 1)
    assert STANDARD.walkable[draft.tiles[draft.start[1], draft.start[0]]]


MISTAKES: list[tuple[str, str, tuple[int, int]]] = [
    ("a room with its walls is at least 3x3, not 3x2", "###\n###", (1, 1)),
    ("a room has walls all round", "###\n#..\n###", (3, 2)),
    ("a room has walls all round", "#+#\n#.#\n###", (2, 1)),
    ("a room has walls all round", "####\n#..#\n###", (4, 3)),
    ("'door' has no place in a room", "#####\n#.+.#\n#####", (3, 2)),
    ("'void' has no place in a room", "#####\n#. .#\n#####", (3, 2)),
    ("'stairs up' has no place in a room", "#####\n#.<.#\n#####", (3, 2)),
    ("a door in the middle of the wall beside this would lead nowhere", "#####\n#.o.#\n#...#\n#...#\n#####", (3, 2)),
    ("this floor cannot be reached", "#######\n#.#...#\n#.....#\n#...#~#\n#...~.#\n#######", (6, 5)),
    ("unknown glyph '!'", "###\n#!#\n###", (2, 2)),
]


@pytest.mark.parametrize(("problem", "text", "place"), MISTAKES)
def test_pictures_of_no_room(problem: str, text: str, place: tuple[int, int]) -> None:
    with pytest.raises(BadInput, match=problem) as caught:
        Expand(template=text).check(80, 50)
    assert caught.value.place is not None
    assert (caught.value.place.column, caught.value.place.line) == place
    assert caught.value.fix
    with pytest.raises(BadInput, match=problem):
        after(Expand(template=text), grid("11"))


@pytest.mark.parametrize(
    "params", [{"cell_size": (1, 5)}, {"cell_size": (5, 1)}, {"cell_size": (8, 4), "template": CHAPEL}]
)
def test_sizes_that_are_none(params: dict[str, Any]) -> None:
    with pytest.raises(BadInput, match="cell_size") as caught:
        Expand(**params).check(80, 50)
    assert caught.value.fix


def test_too_large() -> None:
    with pytest.raises(TooBig, match="the number of cells of 200001x200001"):
        after(Expand(cell_size=(100_000, 100_000)), Draft.of(Level(np.full((2, 2), FLOOR, np.uint8))))


def test_frozen_cells_are_refused() -> None:
    draft = grid("11")
    draft.frozen = np.zeros((1, 2), bool)
    assert after(Expand(), draft).frozen is None
    draft = grid("11")
    draft.frozen = np.ones((1, 2), bool)
    with pytest.raises(BadInput, match="none of its cells can stay") as caught:
        after(Expand(), draft)
    assert caught.value.fix


def test_a_room_is_read_once() -> None:
    assert drawn_room(CHAPEL) is drawn_room(CHAPEL)
    with pytest.raises(ValueError, match="read-only"):
        drawn_room(CHAPEL).tiles[0, 0] = 0
