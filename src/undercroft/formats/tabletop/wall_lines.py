"""Outlines as closed lines, which tabletops use as walls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.draw.pen import contour
from undercroft.kernels import buffer, contours, flat_buffer

Cells = NDArray[np.bool_]
Points = NDArray[np.int64] | NDArray[np.float64]
"""Rows x and y, in cells."""

MAX_DEVIATION = 0.08
"""The greatest distance, in cells, of a point from the line without it at which the point is left out."""
THINNING_PASSES = 5
MIN_LINE_POINTS = 8
"""The fewest points of a line that is thinned."""
STEPS_PER_CELL = 1000
"""Points of smooth lines are rounded to this fraction of a cell, so that files are short."""


class Outline(NamedTuple):
    """Closed lines, one after the other: the last point of each equals its first."""

    points: Points
    sizes: NDArray[np.int64]
    """The number of points of each line."""

    def lines(self) -> Iterator[Points]:
        """The points of each line."""
        ends = np.cumsum(self.sizes).tolist()
        return (self.points[first:last] for first, last in zip([0, *ends[:-1]], ends, strict=False))

    def segments(self) -> Points:
        """Rows x, y, x, y: from each point to the next one of its line."""
        within = np.ones(max(0, len(self.points) - 1), bool)
        within[np.cumsum(self.sizes)[:-1] - 1] = False
        found: Points = np.concatenate([self.points[:-1], self.points[1:]], axis=1)[within]
        return found


def trace_corners(cells: Cells) -> Outline:
    """The outline of the cells and of their holes: a line for each, from its first corner in reading order, with the
    cells to the right. It holds only corners.

    >>> [line.tolist() for line in trace_corners(np.array([[True, True, False]])).lines()]
    [[[0, 0], [2, 0], [2, 1], [0, 1], [0, 0]]]

    No two lines have the same first corner, so that programs that join lines whose ends meet find nothing to join.

    Cost: a few passes over the cells, and work for each side of the outline.
    """
    grid = np.pad(cells, 1).view(np.uint8)
    stride = grid.shape[1]
    room, starts = _count_corners_and_starts(grid)
    points, sizes = np.empty(room, np.int64), np.empty(len(starts), np.int64)
    count = contours.trace_corners(
        flat_buffer(grid), stride, buffer(starts), flat_buffer(np.zeros_like(grid)), buffer(points), buffer(sizes)
    )
    y, x = np.divmod(points, stride)
    return _close_lines(np.stack([x - 1, y - 1], axis=1), sizes[:count])


def _count_corners_and_starts(grid: NDArray[np.uint8]) -> tuple[int, NDArray[np.int64]]:
    """The number of corners, and the corners at which a line may begin."""
    here, above, left, across = grid[1:, 1:], grid[:-1, 1:], grid[1:, :-1], grid[:-1, :-1]
    odd = np.count_nonzero(here ^ above ^ left ^ across)
    touching = np.count_nonzero((here == across) & (above == left) & (here != above))
    begins = np.zeros(grid.shape, bool)
    begins[1:, 1:] = (here > (above | left)) | (here < (above & left & across))
    return int(odd + 2 * touching), np.flatnonzero(begins).astype(np.int64, copy=False)


def trace_smooth(cells: Cells, soft: Cells) -> Outline:
    """The outline as in pictures: smooth where the cells at a corner are soft. Points that hardly bend a line are left
    out.

    >>> [line] = trace_smooth(np.ones((1, 2), bool), np.zeros((1, 2), bool)).lines()
    >>> line.tolist()
    [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [0.0, 1.0], [0.0, 0.0]]
    """
    loops = [loop.points for loop in contour.trace_outlines(cells, soft)]
    if not loops:
        return trace_corners(cells)
    points, sizes = np.concatenate(loops), np.array([len(loop) for loop in loops], np.int64)
    for _ in range(THINNING_PASSES):
        points, sizes = _keep_points(points, sizes, ~_find_plain_points(points, sizes))
    points = np.rint(points * STEPS_PER_CELL) / STEPS_PER_CELL
    points, sizes = _keep_points(points, sizes, (points != points[_next_indices(sizes)]).any(axis=1))
    return _close_lines(points[_reading_order(points, sizes)], sizes)


def _find_plain_points(points: NDArray[np.float64], sizes: NDArray[np.int64]) -> Cells:
    """A mask of points that hardly bend their line; never two neighbours, and none of a short line."""
    after = points[_next_indices(sizes)]
    before = np.empty_like(points)
    before[_next_indices(sizes)] = points
    along, off = after - before, points - before
    aside = along[:, 0] * off[:, 1] - along[:, 1] * off[:, 0]
    straight = aside * aside <= MAX_DEVIATION * MAX_DEVIATION * (along * along).sum(axis=1)
    plain: Cells = straight & (_places_in_line(sizes) % 2 == 1) & np.repeat(sizes >= MIN_LINE_POINTS, sizes)
    return plain


def _keep_points(
    points: NDArray[np.float64], sizes: NDArray[np.int64], keep: Cells
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The kept points of all lines, and their new sizes."""
    return points[keep], np.add.reduceat(keep, np.cumsum(sizes) - sizes, dtype=np.int64)


def _next_indices(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each point the index of the next one of its line; the first follows the last."""
    found = np.arange(1, int(sizes.sum()) + 1)
    ends = np.cumsum(sizes)
    found[ends - 1] = ends - sizes
    return found


def _places_in_line(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each point its index in its line."""
    return np.arange(int(sizes.sum())) - np.repeat(np.cumsum(sizes) - sizes, sizes)


def _reading_order(points: NDArray[np.float64], sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """The indices of the points, each line starting from its first in reading order."""
    begins = np.cumsum(sizes) - sizes
    owner = np.repeat(np.arange(len(sizes)), sizes)
    first = np.lexsort((points[:, 0], points[:, 1], owner))[begins] - begins
    order: NDArray[np.int64] = np.repeat(begins, sizes) + (
        _places_in_line(sizes) + np.repeat(first, sizes)
    ) % np.repeat(sizes, sizes)
    return order


def _close_lines(points: Points, sizes: NDArray[np.int64]) -> Outline:
    """The lines with the first point of each repeated at its end."""
    ends = np.cumsum(sizes)
    return Outline(np.insert(points, ends, points[ends - sizes], axis=0), sizes + 1)
