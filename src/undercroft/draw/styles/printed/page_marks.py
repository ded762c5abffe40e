"""A page of a stack: its squares, marks to cut along, the names of its neighbours, a bar to check the size by, and
where on the map it lies.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from undercroft.draw.pen.contour import outlines as outlined
from undercroft.draw.pen.free_space import Box
from undercroft.draw.scene.lettering import outlines
from undercroft.draw.scene.paper import Paper
from undercroft.draw.scene.scene import Points, Scene, square
from undercroft.draw.styles.printed.black_map import BLACK, WHITE
from undercroft.draw.styles.printed.one_page import tag
from undercroft.draw.styles.printed.pagination import BLEED, FOOT, TOP, Cutter, Tiling
from undercroft.draw.styles.printed.paragraphs import line_of
from undercroft.draw.view.level_view import Plan

SMALL = (0.85, 0.42)
"""Inches that the small map on each page is wide and high at most."""
DOTS = 90
"""Cells of the small map along its longer side; larger maps are told in blocks of cells."""
NEXT = 0.18
"""Inches from the squares to the names of neighbours."""
BAR = 2
"""Inches of the bar."""


@dataclass(frozen=True)
class Marks:
    """What all pages of a stack share."""

    plan: Plan
    paper: Paper
    tiling: Tiling
    title: str

    @property
    def left(self) -> float:
        """Inches from the paper's side to the squares."""
        return (self.paper.width - self.tiling.wide) / 2

    @property
    def top(self) -> float:
        return TOP + min(0.2, (self.paper.height - TOP - FOOT - self.tiling.high) / 2)

    @property
    def right(self) -> float:
        return self.left + self.tiling.wide

    @property
    def bottom(self) -> float:
        return self.top + self.tiling.high

    def page(self, number: int, cutter: Cutter) -> Scene:
        """One of the pages, in inches."""
        column, row = self.tiling.pages[number]
        box = self.tiling.box(column, row)
        # What has no neighbour goes on a little, so that its walls are whole.
        around = Box(
            box.left - BLEED * (not self.tiling.has(column - 1, row)),
            box.top - BLEED * (not self.tiling.has(column, row - 1)),
            box.right + BLEED * (not self.tiling.has(column + 1, row)),
            box.bottom + BLEED * (not self.tiling.has(column, row + 1)),
        )
        page = Scene(self.paper.width, self.paper.height, WHITE, left=self.left - box.left, top=self.top - box.top)
        page.notes = {"page": tag(column, row), **({"title": self.title} if self.title else {})}
        cutter.lay(page, around)
        self._corners(page)
        self._neighbours(page, column, row)
        self._below(page, number)
        return page

    def _put(self, page: Scene, lines: Iterable[Points], width: float = 0.0) -> None:
        """Lines in inches of the paper: strokes of a width, or areas."""
        moved = [line - (page.left, page.top) for line in lines]
        if width:
            page.stroke(moved, BLACK, width, cap="butt")
        else:
            page.area(moved, BLACK)

    def _corners(self, page: Scene) -> None:
        marks = []
        for x, out in ((self.left, -1), (self.right, 1)):
            for y, up in ((self.top, -1), (self.bottom, 1)):
                marks.append(np.array([[x + out * 0.06, y], [x + out * 0.25, y]]))
                marks.append(np.array([[x, y + up * 0.06], [x, y + up * 0.25]]))
        self._put(page, marks, 0.01)

    def _neighbours(self, page: Scene, column: int, row: int) -> None:
        """Which page comes where, with an arrow to it."""
        middle_x, middle_y = (self.left + self.right) / 2, (self.top + self.bottom) / 2
        places = (
            (-1, 0, self.left - NEXT, middle_y),
            (1, 0, self.right + NEXT, middle_y),
            (0, -1, middle_x, self.top - NEXT),
            (0, 1, middle_x, self.bottom + NEXT),
        )
        for right, down, x, y in places:
            if self.tiling.has(column + right, row + down):
                front, side = np.array([right, down]) * 0.035, np.array([down, right]) * 0.05
                middle = np.array([x, y - 0.14] if right else [x + 0.22, y])
                arrow = np.array([middle + front, middle - front + side, middle - front - side])
                self._put(
                    page, [arrow, *outlines(tag(column + right, row + down), x, y + 0.05, 0.15, "figures", anchor=0.5)]
                )

    def _below(self, page: Scene, number: int) -> None:
        column, row = self.tiling.pages[number]
        y = self.paper.height - 0.46
        room = self.right - self.left - BAR - SMALL[0] - 1.0
        self._put(page, outlines(tag(column, row), self.left + 0.1, y + 0.08, 0.27, "figures"))
        self._put(page, line_of(self.title, self.left + 0.62, y - 0.03, 0.15, "italic", room=room))
        self._put(
            page,
            line_of(
                f"page {number + 1} of {len(self.tiling.pages)} · cut on the marks · print at 100 %, no scaling",
                self.left + 0.62,
                y + 0.13,
                0.11,
                room=room + 0.4,
            ),
        )
        left = self.right - BAR - SMALL[0] - 0.2
        self._put(page, [square(left, y - 0.1, left + BAR / 2, y - 0.03)])
        self._put(
            page,
            [
                np.array(
                    [[left, y - 0.1], [left + BAR, y - 0.1], [left + BAR, y - 0.03], [left, y - 0.03], [left, y - 0.1]]
                )
            ],
            0.008,
        )
        self._put(page, line_of(f"this bar is exactly {BAR} inches long", left + BAR / 2, y + 0.13, 0.11, anchor=0.5))
        self._small_map(page, self.tiling.box(column, row), y - 0.16)

    @cached_property
    def _silhouette(self) -> tuple[float, list[Points]]:
        """How large a cell of the small map is, and its outline in cells."""
        level = self.plan.level
        block = -(-max(level.size) // DOTS)
        cells = np.zeros((-(-level.height // block) * block, -(-level.width // block) * block), bool)
        cells[: level.height, : level.width] = self.plan.open
        coarse = np.asarray(
            cells.reshape(cells.shape[0] // block, block, cells.shape[1] // block, block).any(axis=(1, 3))
        )
        rows, columns = self.tiling.needed.shape
        return min(SMALL[0] / (columns * self.tiling.wide), SMALL[1] / (rows * self.tiling.high)), [
            loop.points * block for loop in outlined(coarse)
        ]

    def _small_map(self, page: Scene, box: Box, top: float) -> None:
        """The whole map, no larger than a stamp, with a frame around what is on this page."""
        cell, lines = self._silhouette
        left, top = (
            self.right - cell * (self.tiling.left + self.tiling.wide * self.tiling.needed.shape[1]),
            top - cell * self.tiling.top,
        )
        self._put(page, [line * cell + (left, top) for line in lines])
        frame = square(left + box.left * cell, top + box.top * cell, left + box.right * cell, top + box.bottom * cell)
        closed = np.concatenate([frame, frame[:1]])
        page.stroke([closed - (page.left, page.top)], WHITE, 0.035)
        self._put(page, [closed], 0.014)
