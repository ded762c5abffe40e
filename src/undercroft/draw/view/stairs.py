"""The positions, sizes and directions of drawn stairs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.core.level import Level

Cells = NDArray[np.bool_]
SIDE_STEPS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
OPPOSITE_SIDES = {"N": "S", "E": "W", "S": "N", "W": "E"}
LARGE_SIZES, FREE_MARGIN = (2.0, 1.8, 1.6, 1.4), 0.35
"""The side, in cells, of a stair in a cave, and how much of it stays free: drawn walls are not exactly on cell
borders.
"""
PLACES_PER_CELL, MAX_MOVE_CELLS = 5, 1.4
"""Candidate places a cell, and the maximum move in cells."""
MAX_MOVED_STAIRS = 50
"""The maximum number of stairs for which stairs are moved and enlarged."""


class Stair(NamedTuple):
    """A stair to draw: its cell, whether it goes up, and the side (N, E, S, W) that it leads to: that of the wall, or
    N.
    """

    x: int
    y: int
    up: bool
    side: str
    size: float = 1.0
    """Its width and length in cells: more than one in caves, where a small stair is hard to see."""
    off: tuple[float, float] = (0.0, 0.0)
    """Its offset from the centre of its cell, right and down."""

    @property
    def middle(self) -> tuple[float, float]:
        """The point that it is centred on."""
        return self.x + 0.5 + self.off[0], self.y + 0.5 + self.off[1]


def list_stairs(level: Level, is_open: Cells, soft: Cells, dry: Cells) -> list[Stair]:
    """The entries and exits; start and end without stairs are included as if they had some.

    >>> level = Level.parse("##.>##")
    >>> everywhere = np.ones((1, 6), bool)
    >>> list_stairs(level, level.walkable, ~everywhere, everywhere)
    [Stair(x=3, y=0, up=False, side='E', size=1.0, off=(0.0, 0.0))]
    """
    found = []
    for role, up, point in (("entry", True, level.start), ("exit", False, level.end)):
        ys, xs = np.nonzero(level.palette.role_mask(role)[level.tiles])
        cells = list(zip(xs.tolist(), ys.tolist(), strict=True))
        if point is not None and point not in cells and (up or point != level.start):
            cells.append(point)
        found += [
            _orient_stair(Stair(x, y, up, "N"), is_open, soft, dry if len(cells) <= MAX_MOVED_STAIRS else None)
            for x, y in cells
        ]
    return found


def _orient_stair(stair: Stair, is_open: Cells, soft: Cells, dry: Cells | None) -> Stair:
    """A stair that leads into a wall, preferably one with open ground opposite; in a cave a large one, if there is
    room.
    """
    opens = {}
    for name, (right, down) in SIDE_STEPS.items():
        x, y = stair.x + right, stair.y + down
        opens[name] = 0 <= x < is_open.shape[1] and 0 <= y < is_open.shape[0] and bool(is_open[y, x])
    walls = sorted((name for name in SIDE_STEPS if not opens[name]), key=lambda name: not opens[OPPOSITE_SIDES[name]])
    plain = stair._replace(side=walls[0] if walls else "N")
    return _enlarge_stair(plain, dry) if dry is not None and soft[stair.y, stair.x] else plain


def _enlarge_stair(stair: Stair, dry: Cells) -> Stair:
    """The stair enlarged, and moved to the nearest place where all of it lies on dry ground."""
    left, top = max(0, stair.x - 3), max(0, stair.y - 3)
    around = np.zeros((7, 7), bool)
    near = dry[top : stair.y + 4, left : stair.x + 4]
    around[
        top - stair.y + 3 : top - stair.y + 3 + near.shape[0], left - stair.x + 3 : left - stair.x + 3 + near.shape[1]
    ] = near
    fine = np.repeat(np.repeat(around, PLACES_PER_CELL, axis=0), PLACES_PER_CELL, axis=1).astype(np.int32)
    sums = np.pad(fine.cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))
    for size in LARGE_SIZES:
        across = round(size * PLACES_PER_CELL)
        full = (
            sums[across:, across:] - sums[:-across, across:] - sums[across:, :-across] + sums[:-across, :-across]
            == across * across
        )
        downs, rights = ((place + across / 2) / PLACES_PER_CELL - 3.5 for place in np.nonzero(full))
        far = np.hypot(rights, downs)
        if len(far) and far.min() <= MAX_MOVE_CELLS:
            best = int(np.argmin(far))
            right, down = float(rights[best]), float(downs[best])
            away = ("W" if right > 0 else "E") if abs(right) > abs(down) else ("N" if down > 0 else "S")
            return stair._replace(
                side=away if far[best] > 0.1 else stair.side, size=size - FREE_MARGIN, off=(right, down)
            )
    return stair
