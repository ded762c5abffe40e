"""Signed distances from lines, for hatching, shores, ledges and shadows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from undercroft.draw.scene.scene import Points
from undercroft.kernels import buffer, flat_buffer, inking

Distances = NDArray[np.float32]
MARGIN_CELLS = 3
"""Cells around the map that the field also covers."""


@dataclass(frozen=True)
class SignedDistanceField:
    """Distances in cells to closed lines: positive outside, negative inside. They are sampled at the centres of small
    squares, `per_cell` to a cell.

    >>> from undercroft.draw.scene.scene import rectangle
    >>> field = SignedDistanceField.of([rectangle(1, 1, 5, 5)], 6, 6)
    >>> [round(distance, 1) for distance in field.sample(np.array([[2.0, 3.0], [6.0, 3.0], [1.0, 1.0]])).tolist()]
    [-1.0, 1.0, 0.0]
    """

    distances: Distances
    per_cell: int
    margin: float

    @classmethod
    def of(
        cls, lines: Sequence[Points], width: int, height: int, per_cell: int = 8, margin: int = MARGIN_CELLS
    ) -> SignedDistanceField:
        """The field of lines on a map of that size."""
        rows, columns = (height + 2 * margin) * per_cell, (width + 2 * margin) * per_cell
        inside = np.zeros((rows, columns), np.uint8)
        lines = [line for line in lines if len(line)]
        if lines:
            points = np.ascontiguousarray((np.concatenate(lines) + margin) * per_cell)
            ends = np.cumsum([len(line) for line in lines], dtype=np.int64)
            inking.fill_polygons(buffer(points), buffer(ends), flat_buffer(inside), columns)
        outside: NDArray[np.uint8] = np.bitwise_xor(inside, 1, dtype=np.uint8)
        return cls((border_distances(outside) - border_distances(inside)) / np.float32(per_cell), per_cell, margin)

    def sample(self, points: Points) -> NDArray[np.float32]:
        """The distances at points; beyond the margin, those at its edge."""
        height, width = self.distances.shape
        places = np.clip((points + self.margin) * self.per_cell - 0.5, 0, (width - 1, height - 1))
        first = np.minimum(places.astype(np.int64), (max(0, width - 2), max(0, height - 2)))
        share = (places - first).astype(np.float32)
        across, down = share[:, 0], share[:, 1]
        row, column = first[:, 1], first[:, 0]
        below, right = np.minimum(row + 1, height - 1), np.minimum(column + 1, width - 1)
        grid = self.distances
        top = grid[row, column] * (1 - across) + grid[row, right] * across
        bottom = grid[below, column] * (1 - across) + grid[below, right] * across
        found: NDArray[np.float32] = top * (1 - down) + bottom * down
        return found

    def sample_nearest(self, points: Points) -> NDArray[np.float32]:
        """Approximate distances, faster: those of the nearest samples."""
        height, width = self.distances.shape
        places = np.clip((points + self.margin) * self.per_cell, 0, (width - 1, height - 1)).astype(np.int64)
        return self.distances[places[:, 1], places[:, 0]]

    def blurred(self, reach: float) -> SignedDistanceField:
        """The field with corners rounded over about `reach` cells, so that lines along it are smooth."""
        size = max(1, round(reach * self.per_cell))
        grid = self.distances
        room, totals = np.empty_like(grid), np.empty(grid.shape[1])
        for _ in range(2):
            smooth = np.empty_like(grid)
            inking.blur(buffer(grid), buffer(room), buffer(smooth), buffer(totals), size)
            grid = smooth
        return replace(self, distances=grid)

    def lines_at(self, distance: float) -> list[Points]:
        """Lines of equal distance, by marching squares. Greater distances are on their left; closed lines end where
        they begin.

        >>> from undercroft.draw.scene.scene import rectangle
        >>> [line] = SignedDistanceField.of([rectangle(1, 1, 5, 5)], 6, 6).lines_at(-1)
        >>> round(float(line.min()), 1), round(float(line.max()), 1), bool((line[0] == line[-1]).all())
        (2.0, 4.0, True)
        """
        grid = self.distances
        return [(line + 0.5) / self.per_cell - self.margin for line in trace_level_lines(grid, distance)]


def border_distances(cells: NDArray[np.uint8]) -> Distances:
    """How far each cell that is 1 is from the border with cells that are 0: half a cell less than from their
    centres.
    """
    squares = np.empty(cells.shape, np.int32)
    inking.measure_squared_distances(
        flat_buffer(cells), flat_buffer(squares), buffer(np.empty((3, cells.shape[1]), np.int32))
    )
    found: Distances = np.sqrt(squares, dtype=np.float32)
    np.maximum(found - np.float32(0.5), 0, out=found)
    return found


# The sides by which a line enters and leaves a square of four values, by which of them are above the level (1 top left,
# 2 top right, 4 bottom right, 8 bottom left). The sides are 0 top, 1 right, 2 bottom, 3 left. The values above are on
# the left of the line. Two opposite corners give two lines.
_PASSAGES = {
    1: (3, 0),
    2: (0, 1),
    3: (3, 1),
    4: (1, 2),
    6: (0, 2),
    7: (3, 2),
    8: (2, 3),
    9: (2, 0),
    11: (2, 1),
    12: (1, 3),
    13: (1, 0),
    14: (0, 3),
}
_FIRST_PASSAGES = _PASSAGES | {5: (3, 0), 10: (0, 1)}
_SECOND_PASSAGES = {5: (1, 2), 10: (2, 3)}


def trace_level_lines(grid: NDArray[np.float32], level: float) -> list[Points]:
    """The lines that separate values above a level from the others, as x and y; the first value of the grid is at (0,
    0).
    """
    height, width = grid.shape
    if height < 2 or width < 2:
        return []
    above = grid > level
    across = above[:, :-1] != above[:, 1:]
    down = above[:-1] != above[1:]
    numbers = np.concatenate([across.reshape(-1), down.reshape(-1)]).cumsum(dtype=np.int32) - 1
    many = int(numbers[-1]) + 1
    if not many:
        return []
    first = numbers[: across.size].reshape(across.shape)
    second = numbers[across.size :].reshape(down.shape)
    corners = (
        above[:-1, :-1]
        + 2 * above[:-1, 1:].astype(np.uint8)
        + 4 * above[1:, 1:].astype(np.uint8)
        + 8 * above[1:, :-1].astype(np.uint8)
    )
    ys, xs = np.nonzero((corners > 0) & (corners < 15))
    kinds = corners[ys, xs]
    sides = np.stack([first[ys, xs], second[ys, xs + 1], first[ys + 1, xs], second[ys, xs]], axis=1)
    following = np.full(many, -1, np.int32)
    for table in (_FIRST_PASSAGES, _SECOND_PASSAGES):
        ways = np.full((16, 2), -1)
        for kind, way in table.items():
            ways[kind] = way
        used = np.flatnonzero(ways[kinds, 0] >= 0)
        following[sides[used, ways[kinds[used], 0]]] = sides[used, ways[kinds[used], 1]]
    return _chain_lines(
        following, np.concatenate([_crossings(grid, level, across, 1), _crossings(grid, level, down, 0)])
    )


def _crossings(grid: NDArray[np.float32], level: float, where: NDArray[np.bool_], axis: int) -> Points:
    """The points between neighbouring values where the level is reached."""
    ys, xs = np.nonzero(where)
    before = grid[ys, xs].astype(np.float64)
    after = grid[ys + (axis == 0), xs + (axis == 1)].astype(np.float64)
    share = (level - before) / (after - before)
    return np.stack([xs + share * (axis == 1), ys + share * (axis == 0)], axis=1)


def _chain_lines(following: NDArray[np.int32], points: Points) -> list[Points]:
    order, ends = np.empty(len(following), np.int32), np.empty(len(following), np.int32)
    many = inking.order_chains(
        buffer(following), buffer(np.zeros(len(following), np.uint8)), buffer(order), buffer(ends)
    )
    lines = []
    begin = 0
    for end in ends[:many].tolist():
        cells = order[begin:end]
        line = points[cells]
        lines.append(np.concatenate([line, line[:1]]) if following[cells[-1]] == cells[0] else line)
        begin = end
    return lines
