"""Convert areas of a grid to few triangles that meet corner to corner, and trace their outlines, for models of a map.

Equal adjacent cells of a row form a run, equal runs below each other form a slab:

    ##..##        11..22
    ##..##   ->   11..22
    ######        333333

Slabs alone would not meet corner to corner: two corners of the upper slabs lie in the middle of an edge of the lower
one, and such a seam would show gaps (T-junctions). So every corner that lies on an edge divides it, on both sides.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]


class Slabs(NamedTuple):
    """Rectangles from (left, top) to (right, bottom), each of cells with one number, and the points at their
    corners.
    """

    numbers: Numbers
    left: Numbers
    right: Numbers
    top: Numbers
    bottom: Numbers
    points: Numbers
    """Every corner once, as y * stride + x, sorted."""
    places: NDArray[np.int32]
    """The inverse: the number of the point at y * stride + x."""
    stride: int

    def xy(self) -> Numbers:
        """The points as rows of x and y."""
        return np.stack([self.points % self.stride, self.points // self.stride], axis=1)

    def point_at(self, x: Numbers, y: Numbers) -> Numbers:
        """The number of the point at a corner."""
        found: Numbers = self.places[y * self.stride + x].astype(np.int64)
        return found

    def edges(self, y: Numbers) -> tuple[Numbers, Numbers]:
        """The pieces of the slabs' upper or lower edges, which lie at `y`: the slab of each, and the number of its
        first point. The next point is its end.
        """
        first, last = self.point_at(self.left, y), self.point_at(self.right, y)
        count = last - first
        slab = np.repeat(np.arange(len(count)), count)
        return slab, np.arange(len(slab)) + np.repeat(first - (np.cumsum(count) - count), count)


def build_slabs(grid: NDArray[np.int32]) -> Slabs:
    """The slabs of all cells that are not 0.

    >>> found = build_slabs(np.array([[1, 1, 0, 0, 2], [1, 1, 0, 0, 2], [1, 1, 1, 1, 1]], np.int32))
    >>> [[*map(int, row)] for row in zip(*found[:5])]
    [[1, 0, 2, 0, 2], [1, 0, 5, 2, 3], [2, 4, 5, 0, 2]]
    """
    height, width = grid.shape
    stride = width + 1
    padded = np.zeros((height, width + 2), grid.dtype)
    padded[:, 1:-1] = grid
    changes = np.flatnonzero(padded[:, 1:] != padded[:, :-1])
    y, x = np.divmod(changes, stride)
    numbers = padded[y, x + 1].astype(np.int64)
    begins = np.flatnonzero(numbers)
    y, left, right, numbers = y[begins], x[begins], x[np.minimum(begins + 1, len(x) - 1)], numbers[begins]
    order = np.lexsort((y, right, left, numbers))
    y, left, right, numbers = y[order], left[order], right[order], numbers[order]
    new = np.ones(len(y), bool)
    new[1:] = (
        (y[1:] != y[:-1] + 1) | (left[1:] != left[:-1]) | (right[1:] != right[:-1]) | (numbers[1:] != numbers[:-1])
    )
    heads = np.flatnonzero(new)
    top, bottom = y[heads], y[np.flatnonzero(np.roll(new, -1))] + 1
    left, right, numbers = left[heads], right[heads], numbers[heads]
    is_corner = np.zeros((height + 1) * stride, bool)
    for at in (top, bottom):
        for x in (left, right):
            is_corner[at * stride + x] = True
    places = np.cumsum(is_corner, dtype=np.int32) - np.int32(1)
    return Slabs(numbers, left, right, top, bottom, np.flatnonzero(is_corner), places, stride)


def triangulate(found: Slabs) -> tuple[Numbers, Numbers]:
    """The slab of each triangle, and its three points, counter-clockwise as seen from above.

    The lower edge's pieces are joined with the upper left corner, the upper edge's with the lower right one.
    """
    upper_left, lower_right = found.point_at(found.left, found.top), found.point_at(found.right, found.bottom)
    below, low = found.edges(found.bottom)
    above, high = found.edges(found.top)
    lower = np.stack([upper_left[below], low, low + 1], axis=1)
    upper = np.stack([lower_right[above], high + 1, high], axis=1)
    return np.concatenate([below, above]), np.concatenate([lower, upper])


def trace_outline(found: Slabs) -> tuple[Numbers, Numbers]:
    """The pieces of the outline of slabs of one number, as pairs of points: seen from outside, the first is at the
    left.
    """
    lower, upper = (np.zeros(len(found.points), bool) for _ in range(2))
    lower[found.edges(found.bottom)[1]] = True
    upper[found.edges(found.top)[1]] = True
    south, north = np.flatnonzero(lower & ~upper), np.flatnonzero(upper & ~lower)
    corners = [found.point_at(x, y) for x in (found.left, found.right) for y in (found.top, found.bottom)]
    left_top, left_bottom, right_top, right_bottom = corners
    first = np.concatenate([left_top, right_bottom, south, north + 1])
    second = np.concatenate([left_bottom, right_top, south + 1, north])
    return first, second
