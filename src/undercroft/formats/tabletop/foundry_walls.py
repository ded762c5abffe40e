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
from undercroft.inputs.json import format_json

SQUARE_PIXELS = 100
"""Pixels of the scene per square, whatever the picture has."""
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


def build_walls(level: Level, *, curved: bool) -> Iterator[tuple[list[float], str]]:
    """Every wall: its ends in pixels as x, y, x, y, and its other fields as JSON."""
    rock = _format_wall()
    for line in _to_pixels(walls.trace_walls(level, secrets=True, curved=curved).segments()):
        yield line, rock
    squares = walls.trace_pillars(level)
    pillar = _format_wall(sight=LIMITED, light=LIMITED, sound=NONE)
    for line in _to_pixels(np.concatenate([squares[:, :-1], squares[:, 1:]], axis=2).reshape(-1, 4)):
        yield line, pillar
    yield from _build_doors(level, curved)
    yield from _build_one_ways(level)


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


def _to_pixels(lines: NDArray[Any]) -> list[list[float]]:
    """Squares as whole pixels, since programs round them anyway."""
    pixels: list[list[float]] = np.rint(lines * SQUARE_PIXELS).astype(np.int64).tolist()
    return pixels


def _build_doors(level: Level, curved: bool) -> Iterator[tuple[list[float], str]]:
    doors = walls.find_doors(level)
    lines = doors.lines(walls.find_soft_cells(level) if curved else None)
    hidden = doors.state == walls.SECRET
    lines[hidden] += _secret_door_offsets(level, doors.select(hidden))
    states = {walls.OPEN: OPEN, walls.CLOSED: CLOSED, walls.LOCKED: LOCKED, walls.SECRET: CLOSED}
    for line, state, barred in zip(_to_pixels(lines), doors.state.tolist(), doors.barred.tolist(), strict=True):
        seen = {"sight": NONE, "light": NONE, "sound": NONE} if barred else {}
        opened = CLOSED if barred and state == walls.OPEN else states[state]
        yield line, _format_wall(**seen, door=SECRET_DOOR if state == walls.SECRET else DOOR, ds=opened)


def _secret_door_offsets(level: Level, secret: walls.Doors) -> NDArray[np.float64]:
    """The offsets of secret doors from the middle of their squares: towards the players' side, where a niche in the
    wall would otherwise be visible.

    That is the side that can be reached from the start without secret doors, else the left or upper one.
    """
    known = np.zeros(level.tiles.shape, bool)
    if level.start is not None:
        open_cells = level.walkable.copy()
        hidden = walls.find_doors(level)
        hidden = hidden.select(hidden.state == walls.SECRET)
        open_cells[hidden.y, hidden.x] = False
        known = distances(open_cells, [level.start]) >= 0
    around = np.pad(known, 1)
    x, y = secret.x + 1, secret.y + 1
    before = np.where(secret.level, around[y, x - 1], around[y - 1, x])
    after = np.where(secret.level, around[y, x + 1], around[y + 1, x])
    off = np.where(after & ~before, 0.5, -0.5)[:, None]
    return np.where(secret.level[:, None], [[1, 0, 1, 0]], [[0, 1, 0, 1]]) * off


def _build_one_ways(level: Level) -> Iterator[tuple[list[float], str]]:
    """A wall across the middle of each one-way square that blocks the way back but not the view. If there is a door
    too, that is a separate wall.
    """
    for thing in level.things:
        if is_one_way_door(thing):
            side = "NESW"[side_of(thing)]
            x, y = thing.x, thing.y
            line = [x, y + 0.5, x + 1, y + 0.5] if side in "NS" else [x + 0.5, y, x + 0.5, y + 1]
            yield (
                _to_pixels(np.array([line]))[0],
                _format_wall(sight=NONE, light=NONE, sound=NONE, dir=BLOCKED_SIDES[side]),
            )
