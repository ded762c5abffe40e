"""The parts around a blueprint: lettered axes, overall lengths, legend, schedule of rooms, scale, north, title block
and frame.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from undercroft.draw.scene.lettering import shorten_to_fit, text_width
from undercroft.draw.scene.scene import Scene, circle, rectangle
from undercroft.draw.styles.blueprint import legend as blueprint_legend
from undercroft.draw.styles.blueprint.inks import (
    FAINT,
    FEET_PER_SQUARE,
    GROUND,
    LETTER_FACE,
    LINE,
    PALE,
    format_square_feet,
    outline_words,
)
from undercroft.draw.styles.blueprint.labels import LabelLayer
from undercroft.draw.styles.blueprint.legend import list_entries
from undercroft.draw.styles.blueprint.room_labels import list_numbered_rooms
from undercroft.draw.styles.blueprint.title_block import ROW_HEIGHT, TitleBlock, list_facts
from undercroft.draw.view import headings
from undercroft.draw.view.legend import LegendEntry
from undercroft.draw.view.level_view import LevelView

REFERENCE_SIDE_CELLS = 60
"""The longer side of a map, in cells, that the sizes here are made for; they scale with the map."""
SIDE_UNITS, TOP_UNITS = 4.0, 4.2
"""Units beside and above the map."""
MIN_SHEET_UNITS = 21.0
"""The minimum width of a sheet, in units."""
AXIS_STEP = 10
"""Squares from axis to axis."""
OVERALL_LENGTH_UNITS = 1.9
"""The units that the overall length takes below the map."""
SCHEDULE_ROW_UNITS = 0.9
"""The height of a row of the schedule."""


@dataclass(frozen=True)
class BlueprintSheet:
    """The layout of the sheet, in cells of the map. Lengths with `unit` grow with the map."""

    plan: LevelView
    shown: frozenset[str]
    margin: float | None
    edge: float = 0.0
    """Cells around everything that the caller will cut off."""

    @property
    def is_bare(self) -> bool:
        """Whether the sheet has only the map."""
        return self.margin == 0

    @cached_property
    def unit(self) -> float:
        return float(np.clip(max(self.plan.level.size) / REFERENCE_SIDE_CELLS, 0.7, 8.0))

    @cached_property
    def side(self) -> float:
        return 0.0 if self.is_bare else max(self.margin or 0.0, SIDE_UNITS * self.unit)

    @cached_property
    def width(self) -> float:
        least = 0.0 if self.is_bare else MIN_SHEET_UNITS * self.unit
        return max(self.plan.level.width + 2 * self.side, least) + (0.0 if self.is_bare else 2 * self.edge)

    @property
    def left(self) -> float:
        return (self.width - self.plan.level.width) / 2

    @property
    def top(self) -> float:
        return 0.0 if self.is_bare else max(self.margin or 0.0, TOP_UNITS * self.unit) + self.edge

    @cached_property
    def height(self) -> float:
        return self.plan.level.height if self.is_bare else self.top + self.plan.level.height + self.foot_height

    @cached_property
    def line_length(self) -> float:
        """The maximum length of a line of text, in units."""
        return (self.width - 2 * self.edge) / self.unit - 4.2

    @cached_property
    def legend_rows(self) -> list[list[tuple[float, LegendEntry]]]:
        return (
            blueprint_legend.arrange_rows(list_entries(self.plan, self.shown), self.line_length)
            if "legend" in self.shown
            else []
        )

    @cached_property
    def schedule(self) -> list[tuple[str, str, str]]:
        """The number, name and area of rooms, if the map has only their numbers."""
        if "legend" not in self.shown or "numbers" not in self.shown or "names" in self.shown:
            return []
        return [
            (f"{number:02d}", region.name.upper(), format_square_feet(region.area))
            for number, region in list_numbered_rooms(self.plan)
            if region.name
        ]

    @cached_property
    def schedule_columns(self) -> int:
        """The number of columns of the schedule."""
        widest = max((text_width(name, 0.5, LETTER_FACE) for _, name, _ in self.schedule), default=1.0) + 5.6
        return max(1, min(len(self.schedule), int(self.line_length / widest)))

    @property
    def _scale_width(self) -> float:
        """The units that scale and north take."""
        return 4 * self.scale_step / self.unit + 5.0 if "scale" in self.shown else 0.0

    @cached_property
    def scale_step(self) -> int:
        """The squares of one part of the scale bar."""
        return 2 * max(1, round(self.unit)) if self.unit > 0.8 else 1

    @cached_property
    def title_block(self) -> TitleBlock:
        """The title block: beside scale and north, or below them if it is long."""
        return TitleBlock(
            list_facts(self.plan, self.shown) if "title" in self.shown else [],
            self.line_length - self._scale_width,
            self.line_length,
        )

    @cached_property
    def foot_height(self) -> float:
        """The height of everything below the map."""
        units = OVERALL_LENGTH_UNITS + len(self.legend_rows) * blueprint_legend.ROW_HEIGHT + 1.5
        if self.schedule:
            units += SCHEDULE_ROW_UNITS * (-(-len(self.schedule) // self.schedule_columns)) + 0.6
        units += self.title_block.height
        if "scale" in self.shown and (self.title_block.is_wide or not self.title_block.rows):
            units += ROW_HEIGHT + 0.3
        return max(self.margin or 0.0, 1 + units * self.unit) + self.edge

    def blank_scene(self) -> Scene:
        """An empty page."""
        page = Scene(self.width, self.height, GROUND, left=self.left, top=self.top)
        title = headings.format_title(self.plan.level)
        if title:
            page.notes["title"] = title
        return page

    def draw(self, page: Scene) -> None:
        """Draw all parts."""
        if self.is_bare:
            return
        self._draw_overall_lengths(page)
        unit = self.unit
        left, right = -self.left + self.edge + 2.1 * unit, self.plan.level.width + self.left - self.edge - 2.1 * unit
        y = self.plan.level.height + 1 + OVERALL_LENGTH_UNITS * unit
        blueprint_legend.draw_legend(page, self.legend_rows, left, y, unit)
        y += (len(self.legend_rows) * blueprint_legend.ROW_HEIGHT + 0.2) * unit
        if self.schedule:
            self._draw_schedule(page, left, right, y)
            y += (SCHEDULE_ROW_UNITS * (-(-len(self.schedule) // self.schedule_columns)) + 0.6) * unit
        if "scale" in self.shown:
            self._draw_scale(page, left, y + 0.85 * unit)
            self._draw_north(page, left + 4 * self.scale_step + 2.9 * unit, y + 0.95 * unit)
            y += (ROW_HEIGHT + 0.3) * unit if self.title_block.is_wide else 0.0
        self.title_block.draw(page, right, y, unit)
        self._draw_frame(page)

    def draw_axes(self, page: Scene) -> None:
        """Draw every tenth line, with a letter or number at its end, under everything that is built."""
        if self.is_bare or "grid" not in self.shown:
            return
        level, unit = self.plan.level, self.unit
        step = AXIS_STEP * max(1, int(np.ceil(2.0 * unit / AXIS_STEP)))
        across, down = range(0, level.width + 1, step), range(0, level.height + 1, step)
        beyond = 1 + 0.5 * unit
        lines = [np.array([[x, -beyond], [x, level.height + beyond]]) for x in across]
        lines += [np.array([[-beyond, y], [level.width + beyond, y]]) for y in down]
        page.stroke(lines, FAINT, 0.045, opacity=0.75, cap="butt")
        far, radius = 1 + 1.25 * unit, 0.62 * unit
        ends = [(float(x), -far, _column_letters(number)) for number, x in enumerate(across)] + [
            (-far, float(y), str(number + 1)) for number, y in enumerate(down)
        ]
        page.stroke(
            [np.array([[x, y], [x, -1.0]] if y < 0 and x >= 0 else [[x, y], [-1.0, y]]) for x, y, _ in ends],
            PALE,
            0.04 * unit,
        )
        page.fill_area([circle(x, y, radius) for x, y, _ in ends], GROUND, stroke=PALE, width=0.05 * unit)
        page.fill_area(
            [line for x, y, text in ends for line in outline_words(text, x, y, unit * min(0.7, 1.5 / len(text)))], LINE
        )

    def _draw_overall_lengths(self, page: Scene) -> None:
        """Draw the width and height of the whole map."""
        ys, xs = np.nonzero(self.plan.open_cells)
        if not len(ys):
            return
        level, unit = self.plan.level, self.unit
        left, right, top, bottom = int(xs.min()), int(xs.max()) + 1, int(ys.min()), int(ys.max()) + 1
        writing = LabelLayer()
        y, x = level.height + 1 + 0.95 * unit, level.width + 1 + 0.95 * unit
        size = 0.6 * unit
        for text in (f"{(right - left) * FEET_PER_SQUARE}′-0″ OVERALL", f"{(right - left) * FEET_PER_SQUARE}′"):
            if text_width(text, size, LETTER_FACE) + size < right - left:
                writing.add_length((left, y), (right, y), text, size)
                break
        if text_width(f"{(bottom - top) * FEET_PER_SQUARE}′-0″", size, LETTER_FACE) + size < bottom - top:
            writing.add_length((x, top), (x, bottom), f"{(bottom - top) * FEET_PER_SQUARE}′-0″", size)
        ends = (
            [[[left, bottom + 0.6], [left, y + 0.3 * unit]], [[right, bottom + 0.6], [right, y + 0.3 * unit]]]
            if writing.lines
            else []
        )
        ends += (
            [[[right + 0.6, top], [x + 0.3 * unit, top]], [[right + 0.6, bottom], [x + 0.3 * unit, bottom]]]
            if len(writing.lines) > 2
            else []
        )
        page.stroke([np.array(line) for line in ends], PALE, 0.025, opacity=0.8, cap="butt")
        writing.draw(page)

    def _draw_schedule(self, page: Scene, left: float, right: float, top: float) -> None:
        unit = self.unit
        rows = -(-len(self.schedule) // self.schedule_columns)
        wide = (right - left) / self.schedule_columns
        for place, (number, name, area) in enumerate(self.schedule):
            x, y = left + (place // rows) * wide, top + (place % rows + 0.5) * SCHEDULE_ROW_UNITS * unit
            page.fill_area(outline_words(number, x, y, 0.5 * unit, anchor=0), LINE)
            page.fill_area(
                outline_words(
                    shorten_to_fit(name, wide - 5.0 * unit, 0.5 * unit, LETTER_FACE),
                    x + 1.2 * unit,
                    y,
                    0.5 * unit,
                    anchor=0,
                ),
                PALE,
            )
            page.fill_area(outline_words(area, x + wide - 0.7 * unit, y, 0.44 * unit, anchor=1), FAINT)
        rules = [
            np.array(
                [
                    [left + k * wide, top + row * SCHEDULE_ROW_UNITS * unit],
                    [left + (k + 1) * wide - 0.7 * unit, top + row * SCHEDULE_ROW_UNITS * unit],
                ]
            )
            for k in range(self.schedule_columns)
            for row in range(rows + 1)
        ]
        page.stroke(rules, FAINT, 0.025 * unit, opacity=0.6)

    def _draw_scale(self, page: Scene, left: float, y: float) -> None:
        unit, step = self.unit, self.scale_step
        boxes = [rectangle(left + k * step, y - 0.12 * unit, left + (k + 1) * step, y + 0.12 * unit) for k in range(4)]
        page.stroke(boxes, LINE, 0.04 * unit, closed=True)
        page.fill_area(boxes[::2], LINE)
        for k in range(5):
            text = f"{k * step * FEET_PER_SQUARE}" + (" ft" if k == 4 else "")
            page.fill_area(outline_words(text, left + k * step, y + 0.55 * unit, 0.46 * unit), PALE)

    def _draw_north(self, page: Scene, x: float, y: float) -> None:
        unit = self.unit
        needle = np.array([[0, -1.0], [0.33, 0.5], [0, 0.28], [-0.33, 0.5]]) * unit + (x, y)
        page.stroke([circle(x, y, 0.72 * unit)], LINE, 0.05 * unit, closed=True)
        page.fill_area([needle], GROUND, stroke=LINE, width=0.04 * unit)
        page.fill_area([needle[:3]], LINE)
        page.fill_area(outline_words("N", x + 1.0 * unit, y - 0.75 * unit, 0.5 * unit), LINE)

    def _draw_frame(self, page: Scene) -> None:
        unit = self.unit
        left, top, right, bottom = -self.left, -self.top, self.width - self.left, self.height - self.top
        for edge, colour, thick in ((self.edge + 0.55 * unit, LINE, 0.09), (self.edge + 0.77 * unit, PALE, 0.03)):
            page.stroke(
                [rectangle(left + edge, top + edge, right - edge, bottom - edge)], colour, thick * unit, closed=True
            )


def _column_letters(number: int) -> str:
    """A, B ... Z, AA, AB, like the columns of a spreadsheet.

    >>> _column_letters(0), _column_letters(25), _column_letters(26), _column_letters(701), _column_letters(702)
    ('A', 'Z', 'AA', 'ZZ', 'AAA')
    """
    text = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        text = chr(65 + rest) + text
    return text
