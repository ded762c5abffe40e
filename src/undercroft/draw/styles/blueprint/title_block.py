"""The title block of a blueprint: facts about the drawing in columns, in as many rows as needed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from undercroft.draw.scene.lettering import shorten_to_fit, text_width
from undercroft.draw.scene.scene import Scene, rectangle
from undercroft.draw.styles.blueprint.inks import (
    FEET_PER_SQUARE,
    FLOOR,
    LETTER_FACE,
    LINE,
    PALE,
    format_square_feet,
    outline_words,
)
from undercroft.draw.view.headings import format_recipe_name, format_title
from undercroft.draw.view.level_view import LevelView
from undercroft.wording import shorten

ROW_HEIGHT = 1.75
"""The height of a row. All lengths here are in units that grow with the map."""
HEADING_SIZE, TEXT_SIZE, TITLE_SIZE = 0.36, 0.66, 0.8
"""Letter sizes."""
MAX_COLUMN_WIDTH = 8.5
"""The maximum width of a column in units, except the first."""


def list_facts(plan: LevelView, shown: frozenset[str]) -> list[tuple[str, str]]:
    """The headings and their texts. There is no date, so that the same level gives the same file.

    >>> from undercroft.core.level import Level
    >>> list_facts(LevelView(Level.parse("#..#")), frozenset())
    [('PROJECT', 'UNTITLED'), ('SIZE', '4 × 1'), ('SCALE', '1 SQ = 5′'), ('FLOOR', '50 ft²')]
    """
    level, made = plan.level, plan.level.provenance
    recipe = shorten(str(made.get("recipe", "")))
    title = format_title(level)
    found = [("PROJECT", (title or "Untitled").upper())]
    if recipe and title != format_recipe_name(level):
        found.append(("RECIPE", recipe))
    if "seed" in made:
        found.append(("SEED", shorten(str(made["seed"]))))
    found += [("SIZE", f"{level.width} × {level.height}"), ("SCALE", f"1 SQ = {FEET_PER_SQUARE}′")]
    rooms, doors = sum(region.kind != "corridor" for region in plan.regions), len(plan.doors)
    if rooms > 1 or doors:
        found.append(("ROOMS/DOORS", f"{rooms} / {doors}"))
    if "measures" in shown or not (rooms > 1 or doors):
        found.append(("FLOOR", format_square_feet(int(np.count_nonzero(plan.open_cells)))))
    if "measures" in shown and len(level.path) > 1:
        found.append(("START TO END", f"{(len(level.path) - 1) * FEET_PER_SQUARE}′"))
    return found


class TitleColumn(NamedTuple):
    """The start of a column, its width, its heading, and its text."""

    at: float
    width: float
    heading: str
    text: str


@dataclass(frozen=True)
class TitleBlock:
    """The title block: `told` are its headings and texts. It is `room` wide if one row fits there, else `line`."""

    told: list[tuple[str, str]]
    room: float
    line: float

    @cached_property
    def rows(self) -> list[list[TitleColumn]]:
        """The columns, row by row."""
        sizes = [TITLE_SIZE, *[TEXT_SIZE] * (len(self.told) - 1)]
        widths = [
            max(text_width(head, HEADING_SIZE, LETTER_FACE), text_width(said, size, LETTER_FACE)) + 0.7
            for (head, said), size in zip(self.told, sizes, strict=False)
        ]
        widths = [min(wide, MAX_COLUMN_WIDTH if place else 0.7 * self.line) for place, wide in enumerate(widths)]
        most = self.room if sum(widths) <= self.room else self.line
        rows: list[list[TitleColumn]] = []
        at = most + 1
        for wide, (head, said) in zip(widths, self.told, strict=True):
            if at + wide > most + 1e-9:
                rows.append([])
                at = 0.0
            rows[-1].append(TitleColumn(at, wide, head, said))
            at += wide
        longest = max((row[-1].at + row[-1].width for row in rows), default=0.0)
        # Widen the last column of a shorter row, so that the block has straight sides.
        return [[*row[:-1], row[-1]._replace(width=longest - row[-1].at)] for row in rows]

    @property
    def width(self) -> float:
        return self.rows[0][-1].at + self.rows[0][-1].width if self.rows else 0.0

    @property
    def height(self) -> float:
        return ROW_HEIGHT * len(self.rows)

    @property
    def is_wide(self) -> bool:
        """Whether it needs more than `room`."""
        return self.width > self.room + 1e-9

    def draw(self, page: Scene, right: float, top: float, unit: float) -> None:
        """Draw the block with its upper right corner there."""
        left = right - self.width * unit
        for number, row in enumerate(self.rows):
            up, down = top + number * ROW_HEIGHT * unit, top + (number + 1) * ROW_HEIGHT * unit
            page.fill_area([rectangle(left, up, right, down)], FLOOR, stroke=LINE, width=0.08 * unit)
            page.stroke(
                [np.array([[left + place * unit, up], [left + place * unit, down]]) for place, *_ in row if place],
                LINE,
                0.04 * unit,
                cap="butt",
            )
            for place, wide, head, said in row:
                x, is_title = left + (place + 0.3) * unit, head == self.told[0][0]
                size = (TITLE_SIZE if is_title else TEXT_SIZE) * unit
                page.fill_area(outline_words(head, x, up + 0.46 * unit, HEADING_SIZE * unit, anchor=0), PALE)
                lines = outline_words(
                    shorten_to_fit(said, (wide - 0.5) * unit, size, LETTER_FACE), x, up + 1.15 * unit, size, anchor=0
                )
                page.fill_area(lines, LINE, stroke=LINE if is_title else "", width=0.025 * unit if is_title else 0.0)
