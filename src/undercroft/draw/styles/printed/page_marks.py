"""A page of a stack: its squares, cut marks, the names of its neighbours, a bar to check the scale, and its position on
the map.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from undercroft.draw.pen.contour import trace_outlines
from undercroft.draw.pen.free_space import CellRect
from undercroft.draw.scene.lettering import text_outlines
from undercroft.draw.scene.paper import Paper
from undercroft.draw.scene.scene import Points, Scene, rectangle
from undercroft.draw.styles.printed.black_map import BLACK, WHITE
from undercroft.draw.styles.printed.one_page import format_page_tag
from undercroft.draw.styles.printed.pagination import BLEED, FOOT_INCHES, TOP_INCHES, PageTiling, SceneCutter
from undercroft.draw.styles.printed.paragraphs import outline_line
from undercroft.draw.view.level_view import LevelView

MAX_OVERVIEW_INCHES = (0.85, 0.42)
"""The maximum width and height of the overview on each page, in inches."""
MAX_OVERVIEW_CELLS = 90
"""The maximum number of cells along the longer side of the overview; larger maps are reduced by blocks of cells."""
NEIGHBOUR_GAP = 0.18
"""Inches from the squares to the names of neighbours."""
BAR_INCHES = 2
"""The length of the bar, in inches."""


@dataclass(frozen=True)
class PageMarks:
    """The marks that all pages of a stack share."""

    plan: LevelView
    paper: Paper
    tiling: PageTiling
    title: str

    @property
    def left(self) -> float:
        """Inches from the edge of the paper to the squares."""
        return (self.paper.width - self.tiling.wide) / 2

    @property
    def top(self) -> float:
        return TOP_INCHES + min(0.2, (self.paper.height - TOP_INCHES - FOOT_INCHES - self.tiling.high) / 2)

    @property
    def right(self) -> float:
        return self.left + self.tiling.wide

    @property
    def bottom(self) -> float:
        return self.top + self.tiling.high

    def render_page(self, number: int, cutter: SceneCutter) -> Scene:
        """One of the pages, in inches."""
        column, row = self.tiling.pages[number]
        box = self.tiling.page_box(column, row)
        # Extend a side without a neighbour a little, so that its walls are whole.
        around = CellRect(
            box.left - BLEED * (not self.tiling.has_page(column - 1, row)),
            box.top - BLEED * (not self.tiling.has_page(column, row - 1)),
            box.right + BLEED * (not self.tiling.has_page(column + 1, row)),
            box.bottom + BLEED * (not self.tiling.has_page(column, row + 1)),
        )
        page = Scene(self.paper.width, self.paper.height, WHITE, left=self.left - box.left, top=self.top - box.top)
        page.notes = {"page": format_page_tag(column, row), **({"title": self.title} if self.title else {})}
        cutter.copy_box(page, around)
        self._draw_cut_marks(page)
        self._draw_neighbours(page, column, row)
        self._draw_footer(page, number)
        return page

    def _draw_lines(self, page: Scene, lines: Iterable[Points], width: float = 0.0) -> None:
        """Draw lines in inches of the paper: strokes of a width, or areas."""
        moved = [line - (page.left, page.top) for line in lines]
        if width:
            page.stroke(moved, BLACK, width, cap="butt")
        else:
            page.fill_area(moved, BLACK)

    def _draw_cut_marks(self, page: Scene) -> None:
        marks = []
        for x, out in ((self.left, -1), (self.right, 1)):
            for y, up in ((self.top, -1), (self.bottom, 1)):
                marks.append(np.array([[x + out * 0.06, y], [x + out * 0.25, y]]))
                marks.append(np.array([[x, y + up * 0.06], [x, y + up * 0.25]]))
        self._draw_lines(page, marks, 0.01)

    def _draw_neighbours(self, page: Scene, column: int, row: int) -> None:
        """Draw the names of the neighbouring pages, with arrows to them."""
        middle_x, middle_y = (self.left + self.right) / 2, (self.top + self.bottom) / 2
        places = (
            (-1, 0, self.left - NEIGHBOUR_GAP, middle_y),
            (1, 0, self.right + NEIGHBOUR_GAP, middle_y),
            (0, -1, middle_x, self.top - NEIGHBOUR_GAP),
            (0, 1, middle_x, self.bottom + NEIGHBOUR_GAP),
        )
        for right, down, x, y in places:
            if self.tiling.has_page(column + right, row + down):
                front, side = np.array([right, down]) * 0.035, np.array([down, right]) * 0.05
                middle = np.array([x, y - 0.14] if right else [x + 0.22, y])
                arrow = np.array([middle + front, middle - front + side, middle - front - side])
                self._draw_lines(
                    page,
                    [
                        arrow,
                        *text_outlines(
                            format_page_tag(column + right, row + down), x, y + 0.05, 0.15, "figures", anchor=0.5
                        ),
                    ],
                )

    def _draw_footer(self, page: Scene, number: int) -> None:
        column, row = self.tiling.pages[number]
        y = self.paper.height - 0.46
        room = self.right - self.left - BAR_INCHES - MAX_OVERVIEW_INCHES[0] - 1.0
        self._draw_lines(page, text_outlines(format_page_tag(column, row), self.left + 0.1, y + 0.08, 0.27, "figures"))
        self._draw_lines(page, outline_line(self.title, self.left + 0.62, y - 0.03, 0.15, "italic", room=room))
        self._draw_lines(
            page,
            outline_line(
                f"page {number + 1} of {len(self.tiling.pages)} · cut on the marks · print at 100 %, no scaling",
                self.left + 0.62,
                y + 0.13,
                0.11,
                room=room + 0.4,
            ),
        )
        left = self.right - BAR_INCHES - MAX_OVERVIEW_INCHES[0] - 0.2
        self._draw_lines(page, [rectangle(left, y - 0.1, left + BAR_INCHES / 2, y - 0.03)])
        self._draw_lines(
            page,
            [
                np.array(
                    [
                        [left, y - 0.1],
                        [left + BAR_INCHES, y - 0.1],
                        [left + BAR_INCHES, y - 0.03],
                        [left, y - 0.03],
                        [left, y - 0.1],
                    ]
                )
            ],
            0.008,
        )
        self._draw_lines(
            page,
            outline_line(
                f"this bar is exactly {BAR_INCHES} inches long", left + BAR_INCHES / 2, y + 0.13, 0.11, anchor=0.5
            ),
        )
        self._draw_overview(page, self.tiling.page_box(column, row), y - 0.16)

    @cached_property
    def _silhouette(self) -> tuple[float, list[Points]]:
        """The size of a cell of the overview, and its outline in cells."""
        level = self.plan.level
        block = -(-max(level.size) // MAX_OVERVIEW_CELLS)
        cells = np.zeros((-(-level.height // block) * block, -(-level.width // block) * block), bool)
        cells[: level.height, : level.width] = self.plan.open_cells
        coarse = np.asarray(
            cells.reshape(cells.shape[0] // block, block, cells.shape[1] // block, block).any(axis=(1, 3))
        )
        rows, columns = self.tiling.needed.shape
        return min(
            MAX_OVERVIEW_INCHES[0] / (columns * self.tiling.wide), MAX_OVERVIEW_INCHES[1] / (rows * self.tiling.high)
        ), [loop.points * block for loop in trace_outlines(coarse)]

    def _draw_overview(self, page: Scene, box: CellRect, top: float) -> None:
        """Draw a small overview of the map, with a frame around the part on this page."""
        cell, lines = self._silhouette
        left, top = (
            self.right - cell * (self.tiling.left + self.tiling.wide * self.tiling.needed.shape[1]),
            top - cell * self.tiling.top,
        )
        self._draw_lines(page, [line * cell + (left, top) for line in lines])
        frame = rectangle(
            left + box.left * cell, top + box.top * cell, left + box.right * cell, top + box.bottom * cell
        )
        closed = np.concatenate([frame, frame[:1]])
        page.stroke([closed - (page.left, page.top)], WHITE, 0.035)
        self._draw_lines(page, [closed], 0.014)
