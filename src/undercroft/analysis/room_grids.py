"""Room grids: maps on which every non-empty cell is a room, and neighbouring rooms have a door between them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.core.level import Level, Point
from undercroft.core.palette import ROLES, Palette, Tile
from undercroft.core.region import LINK_DTYPE, LINK_KINDS, REGION_DTYPE, Link, Regions, Rows, view_links
from undercroft.inputs.points import as_point

EMPTY, ROOM, START, END = range(4)
"""The kinds of cells: digits in texts, codes on the grid."""
NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8
"""The sides on which a room has doors: the bits of the layer "doors"."""


def _tile(name: str, role: str, code: int, face: str, colour: str) -> Tile:
    return Tile(name, role, str(code), face, colour, ROLES[role].walkable, ROLES[role].opaque)


ROOM_GRID_PALETTE = Palette(
    [
        _tile("empty", "void", EMPTY, "·", "#0d0f16"),
        _tile("room", "floor", ROOM, "□", "#d8c9a8"),
        _tile("start", "entry", START, "◇", "#3cf0a6"),
        _tile("end", "exit", END, "◆", "#ff5470"),
    ],
    "room grid",
)
"""The palette of room grids: a tile's code is its digit."""


def is_room_grid(level: Level) -> bool:
    """Whether every cell of the level is a room."""
    return level.palette.name == ROOM_GRID_PALETTE.name


class RoomGridPlan(NamedTuple):
    """The rooms of a grid as regions of one cell, the links between neighbours, and the mask of doors of each room."""

    regions: Regions
    links: Rows[Link]
    doors: NDArray[np.uint8]


def plan_room_grid(rooms: NDArray[np.bool_]) -> RoomGridPlan:
    """Make every cell a room, and plan a door between every two neighbours. Rooms are numbered in reading order.

    >>> plan_room_grid(np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]], bool)).doors.tolist()
    [[0, 4, 0], [2, 15, 8], [0, 1, 0]]
    """
    ys, xs = np.nonzero(rooms)
    labels = np.zeros(rooms.shape, np.int32)
    labels[ys, xs] = np.arange(1, len(xs) + 1)
    table = np.ones(len(xs), REGION_DTYPE)
    table["kind"], table["x"], table["y"] = 0, xs, ys
    doors = np.zeros(rooms.shape, np.uint8)
    right, down = rooms[:, :-1] & rooms[:, 1:], rooms[:-1] & rooms[1:]
    for side, near, where in (
        (EAST, right, np.s_[:, :-1]),
        (WEST, right, np.s_[:, 1:]),
        (SOUTH, down, np.s_[:-1]),
        (NORTH, down, np.s_[1:]),
    ):
        doors[where] |= near * np.uint8(side)
    found = np.zeros(int(right.sum() + down.sum()), LINK_DTYPE)
    found["a"] = np.concatenate([labels[:, :-1][right], labels[:-1][down]])
    found["b"] = np.concatenate([labels[:, 1:][right], labels[1:][down]])
    found["kind"], found["door"] = LINK_KINDS.index("door"), -1
    return RoomGridPlan(Regions(labels, table), view_links(found[np.lexsort((found["b"], found["a"]))]), doors)


def find_hiding_places(grid: NDArray[np.uint8]) -> list[NDArray[np.intp]]:
    """The cells where a secret room may be: empty cells beside three rooms or more, beside two, and beside one, but
    none beside the end.

    >>> [cells.tolist() for cells in find_hiding_places(np.array([[2, 1, 0], [0, 1, 0], [1, 1, 3]], np.uint8))]
    [[3], [], [2]]
    """
    rooms = grid != EMPTY
    touched = np.zeros(grid.shape, np.uint8)
    ends = np.zeros(grid.shape, bool)
    for here, there in (
        (np.s_[1:], np.s_[:-1]),
        (np.s_[:-1], np.s_[1:]),
        (np.s_[:, 1:], np.s_[:, :-1]),
        (np.s_[:, :-1], np.s_[:, 1:]),
    ):
        touched[here] += rooms[there]
        ends[here] |= grid[there] == END
    cells = np.flatnonzero((touched > 0) & ~rooms & ~ends)
    counts = touched.reshape(-1)[cells]
    return [cells[counts >= 3], cells[counts == 2], cells[counts == 1]]


def encode_room_grid(level: Level) -> NDArray[np.uint8]:
    """Any level as codes: 0 where a cell is not walkable, 1 where it is, 2 the start, 3 the end.

    >>> encode_room_grid(Level.parse("#<.>")).tolist()
    [[0, 2, 1, 3]]
    """
    grid = np.where(level.walkable, ROOM, EMPTY).astype(np.uint8)
    for code, point in ((END, level.end), (START, level.start)):  # the start overrides the end in a single room
        if point is not None:
            grid[point[1], point[0]] = code
    return grid


def to_pixels(cell: Point, room: tuple[int, int]) -> Point:
    """The top left corner of a room in pixels; `room` is the width and height of every room.

    >>> [to_pixels(cell, (100, 200)) for cell in ((0, 0), (1, 0), (0, 1))]
    [(0, 0), (100, 0), (0, 200)]
    """
    (x, y), (width, height) = as_point(cell, "the cell"), as_point(room, "the size of a room")
    return x * width, y * height
