"""Where in a room its number stands: in the open, near the middle, off the path."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.core.level import Level
from undercroft.core.palette import DOOR_ROLES
from undercroft.core.region import KINDS

DEPTH = 3
"""Cells from the wall beyond which a number is free enough."""


class Spot(NamedTuple):
    """A number and the point, in cells, that it is centred on."""

    number: int
    x: float
    y: float


def spots(level: Level) -> list[Spot]:
    """A spot for each region but corridors, where there is one; none if the level is a single region.

    >>> spots(Level.drawn('''
    ...     #########
    ...     #111#222#
    ...     #111#222#
    ...     #########
    ... '''))
    [Spot(number=1, x=2.5, y=2.0), Spot(number=2, x=6.5, y=2.0)]
    """
    table = level.regions.table
    wanted = np.concatenate([[False], (table["kind"] != KINDS.index("corridor")) & (table["area"] > 3)])
    if np.count_nonzero(wanted) < 2:
        return []
    taken = _taken(level)
    labels = np.where(wanted[level.regions.labels], level.regions.labels, 0)
    free = (labels > 0) & ~taken & level.walkable
    ys, xs = np.nonzero(free)
    owner = labels[ys, xs]
    space = clearance(free)[ys, xs]
    middle_x = np.concatenate([[0], table["x"] + (table["width"] - 1) / 2])[owner]
    middle_y = np.concatenate([[0], table["y"] + (table["height"] - 1) / 2])[owner]
    off = np.abs(xs - middle_x) + np.abs(ys - middle_y)
    best = np.lexsort((xs, ys, off, -space, owner))
    first = best[np.flatnonzero(np.diff(owner[best], prepend=0))]
    found = []
    numbers = np.cumsum(table["kind"] != KINDS.index("corridor"))  # rooms are counted without the corridors between them
    for cell in first.tolist():
        region = level.regions[int(owner[cell]) - 1]
        x, y = xs[cell] + 0.5, ys[cell] + 0.5
        box = free[region.y : region.y + region.height, region.x : region.x + region.width]
        if off[cell] <= 1 and box[_middle(region.height), _middle(region.width)].all():
            x, y = region.x + region.width / 2, region.y + region.height / 2
        found.append(Spot(int(numbers[region.label - 1]), float(x), float(y)))
    return found


def _middle(length: int) -> slice:
    """The middle one, or the middle two, of a row of cells."""
    return slice((length - 1) // 2, length // 2 + 1)


def _taken(level: Level) -> NDArray[np.bool_]:
    """Cells where a number would cover something."""
    taken = level.palette.having(*DOOR_ROLES, "entry", "exit")[level.tiles]
    taken[level.path[:, 1], level.path[:, 0]] = True
    for point in (level.start, level.end):
        if point is not None:
            x, y = point
            taken[max(0, y - 1) : y + 2, max(0, x - 1) : x + 2] = True
    for thing in level.things:
        taken[thing.y, thing.x] = True
    return taken


def clearance(cells: NDArray[np.bool_]) -> NDArray[np.int32]:
    """For each of these cells how many it is from the nearest other cell or the border, up, down, left and right, at most DEPTH; 0 elsewhere.

    >>> clearance(np.ones((3, 5), bool)).tolist()
    [[1, 1, 1, 1, 1], [1, 2, 2, 2, 1], [1, 1, 1, 1, 1]]
    """
    height, width = cells.shape
    left = np.zeros((height + 2, width + 2), bool)
    left[1:-1, 1:-1] = cells
    depth = np.zeros(cells.shape, np.int32)
    for _ in range(DEPTH):
        inner = left[1:-1, 1:-1]
        if not inner.any():
            break
        depth += inner
        left[1:-1, 1:-1] = inner & left[:-2, 1:-1] & left[2:, 1:-1] & left[1:-1, :-2] & left[1:-1, 2:]
    return depth
