"""Shapes of Tiled objects: rotation, ellipses, and the cells they cover."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft import limits

Corners = NDArray[np.float64]
Whole = NDArray[np.int64]

RIGHT_ANGLES = {0.0: (1.0, 0.0), 90.0: (0.0, 1.0), 180.0: (-1.0, 0.0), 270.0: (0.0, -1.0)}
"""Exact cosine and sine of right angles; `math` gives rounded values."""
ELLIPSE_CORNERS = 256
"""The corners of the polygon for an ellipse; with a radius of ten it deviates by a thousandth of a cell."""
CHUNK_CROSSINGS = 1 << 18
"""The number of crossings to process at a time, which bounds the memory."""
CROSSING_COST_CELLS = 16
"""The cost of a crossing, in filled cells."""


def cosine_and_sine(degrees: float) -> tuple[float, float]:
    """Cosine and sine of an angle, clockwise with y pointing down.

    >>> cosine_and_sine(-90)
    (0.0, -1.0)
    """
    angle = degrees % 360.0
    return RIGHT_ANGLES.get(angle) or (math.cos(math.radians(angle)), math.sin(math.radians(angle)))


def turned(points: Corners, degrees: float) -> Corners:
    """Points turned about (0, 0), clockwise with y pointing down.

    >>> turned(np.array([[4.0, 1.0]]), 90).tolist()
    [[-1.0, 4.0]]
    """
    if not degrees % 360.0:
        return points
    cosine, sine = cosine_and_sine(degrees)
    x, y = points[:, 0], points[:, 1]
    return np.stack([x * cosine - y * sine, x * sine + y * cosine], axis=1)


def rectangle_corners(left: float, top: float, width: float, height: float) -> Corners:
    """The corners of a rectangle."""
    return np.array([(left, top), (left + width, top), (left + width, top + height), (left, top + height)])


def ellipse_corners(width: float, height: float) -> Corners:
    """Points around an ellipse that fills a box with its corner at (0, 0)."""
    angles = np.arange(ELLIPSE_CORNERS) * (2 * np.pi / ELLIPSE_CORNERS)
    return np.stack([(1 + np.cos(angles)) * (width / 2), (1 + np.sin(angles)) * (height / 2)], axis=1)


class _PolygonSides(NamedTuple):
    """The sides of a polygon that cross the middle of a row."""

    begins: Corners
    slopes: NDArray[np.float64]
    """How far to the right a side moves per row down."""
    first: Whole
    """The first row that each crosses."""
    counts: Whole
    """The number of rows that each crosses."""


def fill_polygon(grid: NDArray[Any], corners: Corners, value: int, spent: int, file: str) -> int:
    """Set the cells whose middles lie in a polygon, by the even-odd rule. A middle on the left or upper side lies
    outside.

    >>> cells = np.zeros((2, 4), int)
    >>> _ = fill_polygon(cells, np.array([(0.0, 0.0), (3.0, 0.0), (3.0, 2.0), (2.0, 2.0)]), 1, 0, "a.tmx")
    >>> cells.tolist()
    [[0, 1, 1, 0], [0, 0, 1, 0]]

    `spent` is the cost so far; returns the new total.
    """
    height, width = grid.shape
    left, right = (
        int(side) for side in _first_cells_beyond(np.array([corners[:, 0].min(), corners[:, 0].max()]), width)
    )
    top, bottom = (
        int(side) for side in _first_cells_beyond(np.array([corners[:, 1].min(), corners[:, 1].max()]), height)
    )
    if left == right or top == bottom:
        return spent
    sides = _find_crossing_sides(corners, height)
    spent = add_cell_cost(spent, (right - left) * (bottom - top) + CROSSING_COST_CELLS * int(sides.counts.sum()), file)
    flips = np.zeros((bottom - top, right - left + 1), np.uint8)
    ends = np.cumsum(sides.counts)
    for begin in range(0, int(ends[-1]) if len(ends) else 0, CHUNK_CROSSINGS):
        number = np.arange(begin, min(begin + CHUNK_CROSSINGS, int(ends[-1])))
        side = np.searchsorted(ends, number, side="right")
        row = sides.first[side] + number - (ends - sides.counts)[side]
        across = sides.begins[side, 0] + (row + 0.5 - sides.begins[side, 1]) * sides.slopes[side]
        np.add.at(flips, (row - top, np.clip(_first_cells_beyond(across, width), left, right) - left), 1)
    inside = (np.add.accumulate(flips[:, :-1], axis=1, dtype=np.uint8) & 1).view(bool)
    grid[top:bottom, left:right][inside] = value
    return spent


def add_cell_cost(spent: int, more: int, file: str) -> int:
    """Add to the cost of filling shapes of walls; an error above the limit."""
    limits.TILED_CELLS._replace(raise_by="draw fewer shapes, or smaller ones").check(
        spent + more, f"{file}: the number of cells that its shapes of walls span"
    )
    return spent + more


def _find_crossing_sides(corners: Corners, height: int) -> _PolygonSides:
    begins, ends = corners, np.roll(corners, -1, axis=0)
    first = _first_cells_beyond(np.minimum(begins[:, 1], ends[:, 1]), height)
    counts = _first_cells_beyond(np.maximum(begins[:, 1], ends[:, 1]), height) - first
    crossing = counts > 0
    begins, way = begins[crossing], (ends - begins)[crossing]
    return _PolygonSides(begins, way[:, 0] / way[:, 1], first[crossing], counts[crossing])


def _first_cells_beyond(places: NDArray[np.float64], most: int) -> Whole:
    """The first cell whose middle lies beyond each place, or `most`."""
    return np.clip(np.floor(places + 0.5), 0, most).astype(np.int64)
