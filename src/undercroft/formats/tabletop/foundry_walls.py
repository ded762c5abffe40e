"""Build the walls of a scene in Foundry: rock, doors of every kind, pillars, and one-way walls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis.one_way import is_one_way_door, side_of
from undercroft.analysis.reach import distances
from undercroft.core.level import Level
from undercroft.formats.tabletop import walls
from undercroft.formats.tabletop.wall_depth import PLAIN_DEPTH, WallDepth
from undercroft.inputs.json import format_json

NONE, LIMITED, NORMAL = 0, 10, 20
"""How a wall blocks: not at all, only as the second such wall, or always."""
DOOR, SECRET_DOOR = 1, 2
CLOSED, OPEN, LOCKED = 0, 1, 2
"""States of a door."""
LEFT, RIGHT = 1, 2
"""The side from which a wall blocks, seen from its first end to its second."""
BLOCKED_SIDES = {"N": LEFT, "E": LEFT, "S": RIGHT, "W": RIGHT}
"""For each direction of a one-way door, the side of its line that blocks the way back. The line leads down or to the
right.
"""


def build_walls(
    level: Level, square: int, *, curved: bool, depth: WallDepth = PLAIN_DEPTH
) -> Iterator[tuple[list[float], str]]:
    """Every wall: its ends in pixels as x, y, x, y, with `square` pixels per square, and its other fields as JSON."""
    rock = _format_wall()
    for line in _to_pixels(walls.trace_walls(level, secrets=True, curved=curved, depth=depth).segments(), square):
        yield line, rock
    squares = walls.trace_pillars(level)
    pillar = _format_wall(sight=LIMITED, light=LIMITED, sound=NONE)
    for line in _to_pixels(np.concatenate([squares[:, :-1], squares[:, 1:]], axis=2).reshape(-1, 4), square):
        yield line, pillar
    yield from _build_doors(level, square, curved, depth)
    yield from _build_one_ways(level, square)


def _format_wall(**but: int) -> str:
    """The fields of a wall except its place; it blocks everything unless `but` says otherwise."""
    wall: dict[str, Any] = {
        "move": NORMAL,
        "sight": NORMAL,
        "light": NORMAL,
        "sound": NORMAL,
        "dir": 0,
        "door": 0,
        "ds": CLOSED,
        **but,
    }
    return format_json(
        {**wall, "threshold": {"light": None, "sight": None, "sound": None, "attenuation": False}, "flags": {}}
    )[1:-1]


def _to_pixels(lines: NDArray[Any], square: int) -> list[list[float]]:
    """Squares as whole pixels, since programs round them anyway."""
    pixels: list[list[float]] = np.rint(lines * square).astype(np.int64).tolist()
    return pixels


def _build_doors(level: Level, square: int, curved: bool, depth: WallDepth) -> Iterator[tuple[list[float], str]]:
    doors = walls.find_doors(level)
    places = _place_secret_doors(level, doors, depth)
    ground, soft = walls.find_ground(level, secrets=True), walls.find_soft_cells(level) if curved else None
    lines = doors.lines(ground, depth, soft, places)
    states = {walls.OPEN: OPEN, walls.CLOSED: CLOSED, walls.LOCKED: LOCKED, walls.SECRET: CLOSED}
    for line, state, barred in zip(_to_pixels(lines, square), doors.state.tolist(), doors.barred.tolist(), strict=True):
        seen = {"sight": NONE, "light": NONE, "sound": NONE} if barred else {}
        opened = CLOSED if barred and state == walls.OPEN else states[state]
        yield line, _format_wall(**seen, door=SECRET_DOOR if state == walls.SECRET else DOOR, ds=opened)


def _place_secret_doors(
    level: Level, doors: walls.Doors, depth: WallDepth
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Where doors stand in their squares, the x of upright ones and the y of lying ones: in the middle, but secret ones
    in line with the wall on the players' side, where a niche in it would otherwise be visible.

    That is the side that can be reached from the start without secret doors, else the left or upper one.
    """
    known = np.zeros(level.tiles.shape, bool)
    hidden = doors.state == walls.SECRET
    if level.start is not None:
        open_cells = level.walkable.copy()
        open_cells[doors.y[hidden], doors.x[hidden]] = False
        known = distances(open_cells, [level.start]) >= 0
    around = np.pad(known, 1)
    x, y = doors.x + 1, doors.y + 1
    before = np.where(doors.level, around[y, x - 1], around[y - 1, x])
    after = np.where(doors.level, around[y, x + 1], around[y + 1, x])
    last = after & ~before
    found = (np.where(hidden, np.where(last, *sides[::-1]), 0.5) for sides in (depth.lying, depth.upright))
    return next(found), next(found)


def _build_one_ways(level: Level, square: int) -> Iterator[tuple[list[float], str]]:
    """A wall across the middle of each one-way square that blocks the way back but not the view. If there is a door
    too, that is a separate wall.
    """
    for thing in level.things:
        if is_one_way_door(thing):
            side = "NESW"[side_of(thing)]
            x, y = thing.x, thing.y
            line = [x, y + 0.5, x + 1, y + 0.5] if side in "NS" else [x + 0.5, y, x + 0.5, y + 1]
            yield (
                _to_pixels(np.array([line]), square)[0],
                _format_wall(sight=NONE, light=NONE, sound=NONE, dir=BLOCKED_SIDES[side]),
            )
