"""Rooms with round corners: squares cannot show an arc, so it is found again in the steps that stand for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.core.level import Level
from undercroft.draw.scene.scene import Points

MIN_RADIUS = 2.0
"""Cells of the smallest radius; less is a broken corner, not an arc."""
MIN_CUT_CELLS = 3
"""Cells that an arc cuts off at least, unless it is half of a small round room."""
MAX_MISS = 0.36
"""How far, in cells, the middle of a cell may lie on the wrong side of an arc."""
SNAP_DISTANCE = 0.95
"""How far from an arc points are drawn on to it."""
MAX_REGIONS = 1000
"""Regions that are looked at; levels with more are seen from so far that nobody misses the arcs."""


class Arc(NamedTuple):
    """A quarter of a circle: its middle, its radius, and the quarter as two signs, of x and y."""

    x: float
    y: float
    radius: float
    right: int
    down: int


def find_arcs(level: Level) -> list[Arc]:
    """The round corners of all rooms but caves.

    >>> found = find_arcs(Level.parse('''
    ...     ..111..
    ...     .11111.
    ...     1111111
    ...     1111111
    ...     1111111
    ...     .11111.
    ...     ..111..
    ... '''))
    >>> len(found), found[0]
    (4, Arc(x=3.5, y=3.5, radius=3.5, right=-1, down=-1))
    """
    labels = level.regions.labels
    if not 0 < len(level.regions) <= MAX_REGIONS:
        return []
    found = []
    for region in level.regions:
        if region.kind in ("cave", "corridor") or min(region.width, region.height) < 2 * MIN_RADIUS:
            continue
        right, bottom = region.x + region.width, region.y + region.height
        everywhere = not (labels[[region.y, bottom - 1]][:, [region.x, right - 1]] == region.label).any()
        for down, row in ((-1, region.y), (1, bottom - 1)):
            for across, column in ((-1, region.x), (1, right - 1)):
                if labels[row, column] == region.label:
                    continue
                cells = labels[region.y : bottom, region.x : right][::-down, ::-across] == region.label
                radius = _find_radius(cells, everywhere)
                if radius:
                    x = region.x + radius if across < 0 else right - radius
                    y = region.y + radius if down < 0 else bottom - radius
                    found.append(Arc(x, y, radius, across, down))
    return found


def _find_radius(cells: NDArray[np.bool_], everywhere: bool) -> float:
    """The radius of the arc in the top left corner of these cells, or 0 if there is none. `everywhere` says that all
    four corners are cut off.
    """
    height, width = cells.shape
    best, least = 0.0, MAX_MISS
    for half in range(int(2 * MIN_RADIUS), min(height, width) + 1):
        radius = half / 2
        many = half - half // 2
        places = np.arange(many) + 0.5
        off = np.hypot(radius - places[:, None], radius - places) - radius
        corner = cells[:many, :many]
        if not (cells[min(many, height - 1), 0] and cells[0, min(many, width - 1)]):
            continue  # beyond the arc the wall goes on straight, or into the next arc
        if np.count_nonzero(~corner) < MIN_CUT_CELLS and not (everywhere and half == min(height, width)):
            continue
        wrong = float(np.where(corner, off, -off).max())
        if wrong < least - 1e-9:
            best, least = radius, wrong
    return best


def corner_cells(cells: NDArray[np.bool_], found: Sequence[Arc]) -> NDArray[np.bool_]:
    """The cells that lie in a corner with an arc, of those given."""
    inside = np.zeros_like(cells)
    for arc in found:
        ends_x, ends_y = sorted((arc.x, arc.x + arc.right * arc.radius)), sorted((arc.y, arc.y + arc.down * arc.radius))
        box = np.s_[int(ends_y[0]) : int(np.ceil(ends_y[1])), int(ends_x[0]) : int(np.ceil(ends_x[1]))]
        inside[box] = cells[box]
    return inside


def snap_to_arcs(points: Points, loose: NDArray[np.bool_], found: Sequence[Arc]) -> Points:
    """Points, with those of the loose ones that are near an arc moved on to it."""
    moved = points[loose]
    for arc in found:
        off = moved - (arc.x, arc.y)
        far = np.hypot(off[:, 0], off[:, 1])
        quarter = (off[:, 0] * arc.right >= -1e-9) & (off[:, 1] * arc.down >= -1e-9)
        near = np.flatnonzero(quarter & (np.abs(far - arc.radius) < SNAP_DISTANCE) & (far > 0.5))
        moved[near] = (arc.x, arc.y) + off[near] * (arc.radius / far[near])[:, None]
    points = points.copy()
    points[loose] = moved
    return points
