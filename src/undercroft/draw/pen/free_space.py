"""Free space on a drawing: mark what is drawn, and find places for labels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.draw.pen.distance_field import border_distances
from undercroft.draw.scene.scene import Points

PARTS_PER_CELL = 8
"""The resolution of the grid: squares along a cell."""
DISTANCE_COST = 0.10
"""The cost of one cell of distance from the preferred place, in cells of free space around."""
MAX_USEFUL_SPACE = 1.1
"""Cells of free space around a label beyond which more adds nothing."""


class CellRect(NamedTuple):
    """A rectangle, in cells."""

    left: float
    top: float
    right: float
    bottom: float

    @classmethod
    def centred_on(cls, x: float, y: float, width: float, height: float) -> CellRect:
        """The box of that size around a point.

        >>> CellRect.centred_on(2, 1, 2, 1)
        CellRect(left=1.0, top=0.5, right=3.0, bottom=1.5)
        """
        return cls(x - width / 2, y - height / 2, x + width / 2, y + height / 2)


class FreeSpace:
    """A grid of small squares, each free or taken. It extends `margin` cells beyond the map on all sides."""

    def __init__(self, width: int, height: int, margin: int = 0) -> None:
        self.margin = margin
        self.taken: NDArray[np.bool_] = np.zeros(
            ((height + 2 * margin) * PARTS_PER_CELL, (width + 2 * margin) * PARTS_PER_CELL), bool
        )

    def take(self, box: CellRect) -> None:
        """Mark a rectangle as taken.

        >>> places = FreeSpace(4, 2)
        >>> places.take(CellRect(1, 0, 2, 2))
        >>> places.is_free(CellRect(0, 0, 1, 1)), places.is_free(CellRect(0.5, 0, 1.5, 1))
        (True, False)
        >>> places.is_free(CellRect(3, 0, 5, 1))
        False
        """
        rows, columns = self._spans(box)
        self.taken[rows, columns] = True

    def take_cells(self, cells: NDArray[np.bool_]) -> None:
        """Mark whole cells of the map as taken."""
        edge = self.margin * PARTS_PER_CELL
        height, width = self.taken.shape
        large = np.repeat(np.repeat(cells, PARTS_PER_CELL, axis=0), PARTS_PER_CELL, axis=1)
        self.taken[edge : height - edge, edge : width - edge] |= large

    def take_lines(self, lines: list[Points], width: float) -> None:
        """Mark the area under strokes as taken."""
        for line in lines:
            for first, second in pairwise(line):
                steps = max(2, int(np.abs(second - first).max() * PARTS_PER_CELL) + 2)
                for x, y in (first + (second - first) * np.linspace(0, 1, steps)[:, None]).tolist():
                    self.take(CellRect.centred_on(x, y, width, width))

    def is_free(self, box: CellRect) -> bool:
        """Whether nothing in the box is taken. Space outside the grid counts as taken."""
        height, width = self.taken.shape
        if (
            min(box.left, box.top) < -self.margin - 1e-9
            or box.right > width / PARTS_PER_CELL - self.margin + 1e-9
            or box.bottom > height / PARTS_PER_CELL - self.margin + 1e-9
        ):
            return False
        rows, columns = self._spans(box)
        return not self.taken[rows, columns].any()

    def taken_at(self, points: Points) -> NDArray[np.bool_]:
        """Which points are on taken squares."""
        height, width = self.taken.shape
        places = np.clip(np.floor((points + self.margin) * PARTS_PER_CELL).astype(np.int64), 0, (width - 1, height - 1))
        return self.taken[places[:, 1], places[:, 0]]

    def find_place(
        self,
        width: float,
        height: float,
        near: tuple[float, float],
        within: CellRect,
        cells: NDArray[np.bool_] | None = None,
    ) -> tuple[float, float] | None:
        """The centre of the best free place for a box of that size: it weighs nearness to a point against free space
        around. None if the box fits nowhere.

        The search stays within a box, and on `cells` if they are given (a mask of the box's whole cells).
        """
        rows, columns = self._spans(within)
        taken = self.taken[rows, columns]
        if cells is not None:
            taken = taken | ~np.repeat(np.repeat(cells, PARTS_PER_CELL, axis=0), PARTS_PER_CELL, axis=1)
        wide, high = (max(1, int(np.ceil(length * PARTS_PER_CELL - 1e-6))) for length in (width, height))
        if taken.shape[0] < high or taken.shape[1] < wide:
            return None
        sums = np.zeros((taken.shape[0] + 1, taken.shape[1] + 1), np.int32)
        np.cumsum(np.cumsum(taken, axis=0, dtype=np.int32), axis=1, out=sums[1:, 1:])
        free = sums[high:, wide:] - sums[:-high, wide:] - sums[high:, :-wide] + sums[:-high, :-wide] == 0
        ys, xs = np.nonzero(free)
        if not len(ys):
            return None
        middle_x = (xs + columns.start + wide / 2) / PARTS_PER_CELL - self.margin
        middle_y = (ys + rows.start + high / 2) / PARTS_PER_CELL - self.margin
        space = border_distances(np.pad(free, 1).astype(np.uint8))[ys + 1, xs + 1] / PARTS_PER_CELL
        score = np.minimum(space, MAX_USEFUL_SPACE) - DISTANCE_COST * np.hypot(middle_x - near[0], middle_y - near[1])
        place = int(np.argmax(score))
        x, y = float(middle_x[place]), float(middle_y[place])
        settled = _snapped(x, near[0]), _snapped(y, near[1])
        return settled if self.is_free(CellRect.centred_on(*settled, width, height)) else (x, y)

    def _spans(self, box: CellRect) -> tuple[slice, slice]:
        """The rows and columns that a box touches, clipped to the grid."""
        first = [max(0, int(np.floor((start + self.margin) * PARTS_PER_CELL + 1e-6))) for start in (box.top, box.left)]
        last = [max(0, int(np.ceil((end + self.margin) * PARTS_PER_CELL - 1e-6))) for end in (box.bottom, box.right)]
        return slice(first[0], max(first[0], last[0])), slice(first[1], max(first[1], last[1]))


def cut_lines(lines: Iterable[Points], boxes: Sequence[CellRect]) -> list[Points]:
    """The pieces of lines outside of all boxes.

    >>> [line.tolist() for line in cut_lines([np.array([[0.0, 0], [4, 0]])], [CellRect(1, -1, 2, 1)])]
    [[[0.0, 0.0], [1.0, 0.0]], [[2.0, 0.0], [4.0, 0.0]]]
    """
    found: list[Points] = []
    for line in lines:
        piece: list[Points] = []
        for start, end in pairwise(line):
            for first, last in _outer_spans(start, end, boxes):
                head, tail = start + (end - start) * first, start + (end - start) * last
                if piece and np.allclose(piece[-1], head):
                    piece.append(tail)
                    continue
                if len(piece) > 1:
                    found.append(np.array(piece))
                piece = [head, tail]
        if len(piece) > 1:
            found.append(np.array(piece))
    return found


def _outer_spans(start: Points, end: Points, boxes: Sequence[CellRect]) -> list[tuple[float, float]]:
    """The parts of a line outside of all boxes, as shares of its length."""
    spans = [(0.0, 1.0)]
    for box in boxes:
        enters, leaves = 0.0, 1.0
        for side in (0, 1):
            low, high, step = box[side], box[side + 2], float(end[side] - start[side])
            if abs(step) < 1e-12:
                if not low < start[side] < high:
                    enters, leaves = 1.0, 0.0
                continue
            near, far = sorted(((low - float(start[side])) / step, (high - float(start[side])) / step))
            enters, leaves = max(enters, near), min(leaves, far)
        if enters < leaves:
            spans = [
                span
                for first, last in spans
                for span in ((first, min(last, enters)), (max(first, leaves), last))
                if span[1] - span[0] > 1e-9
            ]
    return spans


def _snapped(found: float, wished: float) -> float:
    """The preferred coordinate, if only the grid's resolution differs from it."""
    return wished if abs(found - wished) <= 0.5 / PARTS_PER_CELL + 1e-9 else found
