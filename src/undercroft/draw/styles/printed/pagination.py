"""Split large drawings into pages: which pages are needed, and the part of the drawing on each."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.draw.pen.free_space import CellRect
from undercroft.draw.scene.scene import Points, Scene, Shape, rectangle

SIDE_INCHES, TOP_INCHES, FOOT_INCHES = 0.5, 0.4, 0.8
"""The minimum margins beside, above and below the squares of a page, in inches."""
MIN_CUT_POINTS = 40
"""The number of points from which lines are cut; shorter lines are on a page as a whole, or not at all."""
BLEED = 0.3
"""Cells beyond a page up to which lines are kept, so that their ends are not visible."""


class PageTiling(NamedTuple):
    """Pages of `wide` by `high` squares, starting at the square `left`, `top`; `needed` marks by [row, column] those
    that are not empty.
    """

    left: int
    top: int
    wide: int
    high: int
    needed: NDArray[np.bool_]

    @property
    def pages(self) -> list[tuple[int, int]]:
        """The column and row of each needed page, row by row."""
        rows, columns = np.nonzero(self.needed)
        return list(zip(columns.tolist(), rows.tolist(), strict=True))

    @property
    def cuts(self) -> tuple[range, range]:
        """The columns and rows of the map at which pages begin and end."""
        rows, columns = self.needed.shape
        return range(self.left, self.left + (columns + 1) * self.wide, self.wide), range(
            self.top, self.top + (rows + 1) * self.high, self.high
        )

    def has_page(self, column: int, row: int) -> bool:
        return 0 <= column < self.needed.shape[1] and 0 <= row < self.needed.shape[0] and bool(self.needed[row, column])

    def page_box(self, column: int, row: int) -> CellRect:
        """The squares of a page."""
        left, top = self.left + column * self.wide, self.top + row * self.high
        return CellRect(left, top, left + self.wide, top + self.high)


def count_page_squares(width: float, height: float) -> tuple[int, int]:
    """The number of one-inch squares that fit on paper of that size in inches, each way.

    >>> count_page_squares(210 / 25.4, 297 / 25.4), count_page_squares(8.5, 11)
    ((7, 10), (7, 9))
    """
    return max(1, int(width - 2 * SIDE_INCHES)), max(1, int(height - TOP_INCHES - FOOT_INCHES))


def plan_pages(cells: NDArray[np.bool_], wide: int, high: int) -> PageTiling:
    """The fewest pages that hold all cells. Among the arrangements with as many, the one with the fewest rows and
    columns, and nearest to the middle.

    >>> plan_pages(np.ones((3, 9), bool), 5, 5).pages
    [(0, 0), (1, 0)]
    """
    ys, xs = np.nonzero(cells)
    if not len(ys):
        return PageTiling(0, 0, wide, high, np.zeros((1, 1), bool))
    left, top = int(xs.min()), int(ys.min())
    used = cells[top : int(ys.max()) + 1, left : int(xs.max()) + 1]
    ways = []
    for shift_y in range(high):
        for shift_x in range(wide):
            down, across = used.shape[0] + shift_y, used.shape[1] + shift_x
            rows, columns = -(-down // high), -(-across // wide)
            whole = np.zeros((rows * high, columns * wide), bool)
            whole[shift_y:down, shift_x:across] = used
            needed = np.asarray(whole.reshape(rows, high, columns, wide).any(axis=(1, 3)))
            off = abs(shift_x - (columns * wide - across)) + abs(shift_y - (rows * high - down))
            ways.append(
                (int(needed.sum()), needed.size, off, PageTiling(left - shift_x, top - shift_y, wide, high, needed))
            )
    return min(ways, key=lambda way: way[:3])[3]


class SceneCutter:
    """A drawing to cut into pieces. The boxes of all lines are computed once."""

    def __init__(self, scene: Scene) -> None:
        self._shapes = [
            (shape, _line_boxes(shape.lines), float(shape.width) / 2)
            for shape in scene.items
            if isinstance(shape, Shape)
        ]

    def copy_box(self, page: Scene, box: CellRect) -> None:
        """Copy the content of a box onto a page, clipped to it."""
        page.define_clip("page", [rectangle(*box)])
        for shape, boxes, half in self._shapes:
            near = (
                (boxes[:, 0] < box.right + half)
                & (boxes[:, 2] > box.left - half)
                & (boxes[:, 1] < box.bottom + half)
                & (boxes[:, 3] > box.top - half)
            )
            lines = [shape.lines[place] for place in np.flatnonzero(near).tolist()]
            if not lines:
                continue
            edge = CellRect(box.left - BLEED, box.top - BLEED, box.right + BLEED, box.bottom + BLEED)
            if shape.fill:
                cut = [line if len(line) < MIN_CUT_POINTS else clipped(line, edge) for line in lines]
                page.items.append(shape._replace(lines=cut, clip="page"))
                continue
            short = [line for line in lines if len(line) < MIN_CUT_POINTS]
            page.items.append(shape._replace(lines=short, clip="page"))
            cut = [
                piece
                for line in lines
                if len(line) >= MIN_CUT_POINTS
                for piece in cut_to_box(line, edge, closed=shape.closed)
            ]
            page.items.append(shape._replace(lines=cut, clip="page", closed=False))
        page.items = [item for item in page.items if not isinstance(item, Shape) or any(map(len, item.lines))]


def _line_boxes(lines: Iterable[Points]) -> NDArray[np.float64]:
    """The left, top, right and bottom of each line."""
    lines = [line if len(line) else np.full((1, 2), np.nan) for line in lines]
    points = np.concatenate(lines)
    firsts = np.cumsum([0, *(len(line) for line in lines[:-1])])
    return np.concatenate([np.minimum.reduceat(points, firsts), np.maximum.reduceat(points, firsts)], axis=1)


def clipped(line: Points, box: CellRect) -> Points:
    """The part of an area within a box (Sutherland and Hodgman 1974). Separate parts are joined along its edge, which
    is not visible.

    >>> clipped(np.array([[0, 0], [4, 0], [4, 4], [0, 4.0]]), CellRect(1, 1, 2, 9)).tolist()
    [[2.0, 4.0], [1.0, 4.0], [1.0, 1.0], [2.0, 1.0]]
    """
    for axis, limit, sign in ((0, box.left, 1), (1, box.top, 1), (0, box.right, -1), (1, box.bottom, -1)):
        if not len(line):
            break
        after = np.roll(line, -1, axis=0)
        here, there = (line[:, axis] - limit) * sign, (after[:, axis] - limit) * sign
        crosses = (here >= 0) != (there >= 0)
        share = np.divide(here, here - there, out=np.zeros_like(here), where=crosses)
        both = np.stack([line, line + (after - line) * share[:, None]], axis=1).reshape(-1, 2)
        line = both[np.stack([here >= 0, crosses], axis=1).reshape(-1)]
    return line


def cut_to_box(line: Points, box: CellRect, *, closed: bool) -> list[Points]:
    """The runs of a line that enter a box, each from the point before to the point after."""
    if closed:
        line = np.concatenate([line, line[:1]])
    if len(line) < 2:
        return [line]
    low, high = np.minimum(line[1:], line[:-1]), np.maximum(line[1:], line[:-1])
    near = (low[:, 0] < box.right) & (high[:, 0] > box.left) & (low[:, 1] < box.bottom) & (high[:, 1] > box.top)
    ends = np.flatnonzero(np.diff(near, prepend=False, append=False))
    return [line[start : end + 1] for start, end in zip(ends[::2].tolist(), ends[1::2].tolist(), strict=True)]
