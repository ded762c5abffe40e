"""Room grids as data: rooms, links, masks of doors, codes and pixels."""

from __future__ import annotations

import numpy as np

from support.maps import random_grid
from undercroft.analysis.room_grids import (
    EAST,
    END,
    NORTH,
    ROOM,
    ROOM_GRID_PALETTE,
    SOUTH,
    START,
    WEST,
    encode_room_grid,
    plan_room_grid,
    to_pixels,
)
from undercroft.core.level import Level

SIDES = {NORTH: (0, -1), EAST: (1, 0), SOUTH: (0, 1), WEST: (-1, 0)}


def test_a_code_is_its_own_digit() -> None:
    """3.7."""
    assert [tile.glyph for tile in ROOM_GRID_PALETTE.tiles] == ["0", "1", "2", "3"]
    assert (
        [ROOM_GRID_PALETTE[name] for name in ("empty", "room", "start", "end")] == [0, ROOM, START, END] == [0, 1, 2, 3]
    )
    assert ROOM_GRID_PALETTE.walkable[:4].tolist() == [False, True, True, True]


def test_rooms_links_and_doors_of_any_grid() -> None:
    """3.13: a door between every two neighbours, in both masks and in one link."""
    for number in range(200):
        height, width = np.random.default_rng(number).integers(1, 9, 2).tolist()
        grid = random_grid(number, width, height, number % 11 / 10).astype(bool)
        found = plan_room_grid(grid)
        cells = [(x, y) for y in range(height) for x in range(width) if grid[y, x]]
        assert [(room.x, room.y, room.width, room.height, room.area, room.kind) for room in found.regions] == [
            (x, y, 1, 1, 1, "room") for x, y in cells
        ]
        assert [int(found.regions.labels[y, x]) for x, y in cells] == list(range(1, len(cells) + 1))
        pairs = [
            (a, b)
            for a, (x, y) in enumerate(cells, 1)
            for b, cell in enumerate(cells, 1)
            if cell in ((x + 1, y), (x, y + 1))
        ]
        assert [(link.a, link.b) for link in found.links] == sorted(pairs)
        for y in range(height):
            for x in range(width):
                sides = [side for side, (dx, dy) in SIDES.items() if (x, y) in cells and (x + dx, y + dy) in cells]
                assert found.doors[y, x] == sum(sides)


def test_codes_of_any_level() -> None:
    assert encode_room_grid(Level.parse("#<.\n~+>")).tolist() == [[0, 2, 1], [0, 1, 3]]
    assert encode_room_grid(Level(np.array([[1, 2]], np.uint8), start=(1, 0), end=(1, 0))).tolist() == [[0, 2]]


def test_pixels() -> None:
    """3.4, and x is the column: 3.8."""
    assert to_pixels((7, 0), (100, 200)) == (700, 0)
    assert to_pixels((0, 7), (100, 200)) == (0, 1400)
