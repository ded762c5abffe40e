"""The parts around a map on its page: title, north arrow, scale bar, legend and the key of rooms. The page grows until
all of them fit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from undercroft.core.palette import Tile
from undercroft.draw.scene.lettering import shorten_to_fit, text_outlines, text_width
from undercroft.draw.scene.scene import Points, Scene, rectangle
from undercroft.draw.view import headings
from undercroft.draw.view.legend import (
    LegendEntry,
    colour_swatch,
    list_legend_entries,
    list_room_entries,
    list_scale_entries,
)
from undercroft.draw.view.level_view import LevelView
from undercroft.draw.view.symbols import Inks, Sign, SignPart, draw_signs, place_sign
from undercroft.draw.view.washes import heat_scale_colours

SIGN_GAP = 0.55
"""The gap between an entry's sign and its word. All lengths here are in cells of a map of the usual size, and grow with
larger maps.
"""
ENTRY_GAP = 1.3
"""The gap between a word and the next sign."""
LEGEND_ROW_HEIGHT = 1.45
KEY_ROW_HEIGHT = 1.0
TITLE_SIZE, SUBTITLE_SIZE, SMALL_TEXT_SIZE = 1.75, 0.8, 0.74
"""Letter sizes."""
MAX_KEY_NAMES = 240
"""The maximum number of rooms in the key; with more rooms there is no key."""
USUAL_MAP_CELLS = 60
"""The cells of the longer side of a map that the sizes above are made for."""
MIN_PAGE_CELLS = 22
"""The minimum width of a page with text, in cells."""
TEXT_PARTS = frozenset({"title", "legend", "scale", "measures"})
"""Parts that are drawn around the map."""


class PageStyle(NamedTuple):
    """The colours and typefaces of the parts around the map."""

    inks: Inks
    title: str = "title"
    """The typeface of the title; the fields below are the other typefaces."""
    text: str = "italic"
    figures: str = "figures"
    spacing: float = 0.04
    pale: str = ""
    """The colour of small print; empty for the ink."""
    swatch: Callable[[Tile], Sign] = lambda tile: colour_swatch(tile.colour)
    """The sign of a tile with a colour of its own."""


@dataclass(frozen=True)
class MapPage:
    """The layout of the page. `scene` makes an empty scene of its size, and `draw` paints everything except the map on
    it.
    """

    plan: LevelView
    shown: frozenset[str]
    looks: PageStyle
    side: float
    """The free cells on each side of the map."""
    bare: bool = False
    """Whether the page has only the map."""
    extent: str = ""
    """The size of the map, as text."""

    def scene(self, ground: str) -> Scene:
        """An empty scene of the page's size."""
        scene = Scene(self.width, self.height, ground, left=self.left, top=self.top)
        if self.title:
            scene.notes["title"] = self.title
        return scene

    @cached_property
    def unit(self) -> float:
        """The scale of all parts relative to the usual size."""
        return float(np.clip(max(self.plan.level.size) / USUAL_MAP_CELLS, 0.7, 8.0))

    @property
    def left(self) -> float:
        return (self.width - self.plan.level.width) / 2

    @cached_property
    def width(self) -> float:
        least = MIN_PAGE_CELLS * self.unit if TEXT_PARTS & self.shown and not self.bare else 0.0
        return max(self.plan.level.width + 2 * self.side, least)

    @property
    def top(self) -> float:
        return self.side + self.head_height

    @property
    def height(self) -> float:
        return self.top + self.plan.level.height + self.side + self.foot_height

    @cached_property
    def title(self) -> str:
        return headings.format_title(self.plan.level)

    @cached_property
    def head_height(self) -> float:
        """The height of the band with the title."""
        if self.bare:
            return 0.0
        if "title" in self.shown and self.title:
            return 3.1 * self.unit
        return 1.8 * self.unit if {"title", "scale"} & self.shown else 0.0

    @cached_property
    def subtitle(self) -> str:
        """The line below the title."""
        return headings.format_subtitle(self.plan.level, self.extent)

    @cached_property
    def legend(self) -> list[LegendEntry]:
        if "legend" not in self.shown or self.bare:
            return []
        numbered = {"numbers", "names"} & self.shown and "graph" not in self.shown
        return (
            list_legend_entries(self.plan, self.shown, swatch=self.looks.swatch)
            + (list_room_entries(self.plan) if numbered else [])
            + list_scale_entries(self.plan.level, self.shown, heat_scale_colours(self.looks.inks.paper))
        )

    @cached_property
    def room_key(self) -> list[tuple[str, str]]:
        """The numbers and names of rooms, if the map has numbers only."""
        if self.bare or "legend" not in self.shown or "numbers" not in self.shown or "names" in self.shown:
            return []
        names = [(str(label.number), label.name) for label in self.plan.labels if label.name]
        return names if len(names) <= MAX_KEY_NAMES else []

    @cached_property
    def measures(self) -> str:
        """Some measures of the level."""
        return "" if self.bare or "measures" not in self.shown else headings.format_measures(self.plan)

    @cached_property
    def legend_rows(self) -> list[list[tuple[float, LegendEntry]]]:
        """The entries of the legend in rows, each with its offset from the left end of its row."""
        return _wrap_entries(self.legend, [self._entry_width(entry) for entry in self.legend], self._line_width)

    @property
    def _line_width(self) -> float:
        """The maximum width of a line of text."""
        return max(self.width - 2 * max(self.side, 1.0), 1.0)

    def _entry_width(self, entry: LegendEntry) -> float:
        return (1 + SIGN_GAP * 0.6 + text_width(entry.word, SMALL_TEXT_SIZE, self.looks.text) + ENTRY_GAP) * self.unit

    @cached_property
    def is_legend_beside_scale(self) -> bool:
        """Whether the legend is beside the scale bar, not below it."""
        room = self._line_width - (15 * self.unit if "scale" in self.shown else 0)
        return len(self.legend_rows) == 1 and sum(map(self._entry_width, self.legend)) <= room

    @cached_property
    def key_layout(self) -> tuple[float, int]:
        """The unit and the columns of the key of rooms: the largest unit for which the key is less than half as high as
        the map.
        """
        widest = (
            max((text_width(name, SMALL_TEXT_SIZE, self.looks.text) for _, name in self.room_key), default=1.0) + 2.4
        )
        for share in (1.0, 0.85, 0.7, 0.6, 0.5):
            unit = self.unit * share
            columns = max(1, min(len(self.room_key), int(self._line_width / (widest * unit))))
            if KEY_ROW_HEIGHT * unit * -(-len(self.room_key) // columns) < self.plan.level.height * 0.4:
                break
        return unit, columns

    @cached_property
    def foot_height(self) -> float:
        """The height of the band below the map."""
        if self.bare:
            return 0.0
        lines = 1.0 if "scale" in self.shown else 0.0
        lines += max(0, len(self.legend_rows) - (1 if self.is_legend_beside_scale and lines else 0))
        lines += 0.8 if self.measures else 0.0
        lines *= LEGEND_ROW_HEIGHT
        if self.room_key:
            unit, columns = self.key_layout
            lines += 0.5 + KEY_ROW_HEIGHT * -(-len(self.room_key) // columns) * unit / self.unit
        return (lines + 0.3) * self.unit if lines else 0.0

    def draw(self, scene: Scene) -> None:
        """Draw all parts."""
        if self.bare:
            return
        left, right = -self.left + max(self.side, 1.0), self.plan.level.width + self.left - max(self.side, 1.0)
        words: list[Points] = []
        if "title" in self.shown and self.head_height:
            words += self._draw_titles(scene, left, right)
        if "scale" in self.shown:
            words += self._draw_north_arrow(scene, right)
        if self.foot_height:
            words += self._draw_foot(scene, left, right)
        scene.fill_area(words, self.looks.inks.ink)

    def _draw_titles(self, scene: Scene, left: float, right: float) -> list[Points]:
        unit, looks = self.unit, self.looks
        room = right - left - (3.2 * unit if "scale" in self.shown else 0)
        top = -self.top + max(0.6, self.side * 0.5)
        if self.title:
            size = (
                TITLE_SIZE
                * unit
                * min(1.0, room / max(0.01, text_width(self.title, TITLE_SIZE * unit, looks.title, looks.spacing)))
            )
            size = max(size, 0.8 * unit)
            title = shorten_to_fit(self.title, room, size * 1.05, looks.title)
            words = text_outlines(title, left, top + 1.45 * unit, size, looks.title, spacing=looks.spacing)
            top += 1.1 * unit
        else:
            words = []
        small = shorten_to_fit(self.subtitle, room, SUBTITLE_SIZE * unit, looks.text)
        scene.fill_area(
            text_outlines(small, left + 0.05 * unit, top + 1.45 * unit, SUBTITLE_SIZE * unit, looks.text),
            looks.pale or looks.inks.ink,
        )
        return words

    def _draw_north_arrow(self, scene: Scene, right: float) -> list[Points]:
        unit = self.unit
        x, y = right - 0.5 * unit, -self.top + max(0.6, self.side * 0.5) + 1.25 * unit
        half = np.array([[0, -1.15], [0.42, 0.75], [0, 0.4]]) * unit + (x, y)
        whole = np.array([[0, -1.15], [0.42, 0.75], [0, 0.4], [-0.42, 0.75]]) * unit + (x, y)
        scene.fill_area([half], self.looks.inks.ink)
        scene.stroke([whole], self.looks.inks.ink, 0.06 * unit, closed=True)
        return text_outlines("N", x - 1.0 * unit, y + 0.35 * unit, unit, self.looks.title, anchor=0.5)

    def _draw_foot(self, scene: Scene, left: float, right: float) -> list[Points]:
        unit = self.unit
        y = self.plan.level.height + self.side * 0.6 + LEGEND_ROW_HEIGHT * unit * 0.55
        words: list[Points] = []
        signs: list[Sign] = []
        if "scale" in self.shown:
            words += self._draw_scale_bar(scene, left, y)
            y += 0.0 if self.is_legend_beside_scale and self.legend_rows else LEGEND_ROW_HEIGHT * unit
        for row in self.legend_rows:
            shift = (
                right - left - (row[-1][0] + self._entry_width(row[-1][1]) - ENTRY_GAP * unit)
                if self.is_legend_beside_scale
                else 0.0
            )
            for place, entry in row:
                x = left + place + shift
                signs.append(_place_scaled(entry.sign, x + 0.5 * unit, y, unit))
                words += self._text_lines(entry.word, x + (1 + SIGN_GAP * 0.6) * unit, y + 0.22 * unit, np.inf)
            y += LEGEND_ROW_HEIGHT * unit
        draw_signs(scene, signs, self.looks.inks)
        if self.measures:
            words += self._text_lines(self.measures, left, y + 0.1 * unit, right - left)
            y += 0.8 * LEGEND_ROW_HEIGHT * unit
        return words + self._room_key_lines(left, right, y - 0.1 * unit)

    def _draw_scale_bar(self, scene: Scene, left: float, y: float) -> list[Points]:
        """Draw five squares, black and white, and their length."""
        unit, inks = self.unit, self.looks.inks
        step = max(1, round(unit))
        boxes = [rectangle(left + k * step, y - 0.13 * unit, left + (k + 1) * step, y + 0.13 * unit) for k in range(5)]
        scene.fill_area(boxes[1::2], inks.paper, stroke=inks.ink, width=0.045 * unit)
        scene.fill_area(boxes[::2], inks.ink, stroke=inks.ink, width=0.045 * unit)
        words = {1: "five", 2: "ten", 3: "fifteen", 4: "twenty"}.get(step, str(5 * step))
        return self._text_lines(
            f"{words} squares = {25 * step} feet", left + 5 * step + SIGN_GAP * unit, y + 0.22 * unit, 9 * unit
        )

    def _room_key_lines(self, left: float, right: float, y: float) -> list[Points]:
        """The outlines of the key: numbers and names in columns."""
        unit, columns = self.key_layout
        rows = -(-len(self.room_key) // columns)
        wide = (right - left) / columns
        words: list[Points] = []
        for place, (number, name) in enumerate(self.room_key):
            x, down = left + (place // rows) * wide, y + (place % rows) * KEY_ROW_HEIGHT * unit + 0.5 * unit
            words += text_outlines(number, x + 1.0 * unit, down, SMALL_TEXT_SIZE * unit, self.looks.figures, anchor=1.0)
            words += self._text_lines(name, x + 1.3 * unit, down, wide - 1.6 * unit, unit)
        return words

    def _text_lines(self, words: str, x: float, y: float, room: float, unit: float = 0.0) -> list[Points]:
        size = SMALL_TEXT_SIZE * (unit or self.unit)
        return text_outlines(shorten_to_fit(words, room, size, self.looks.text), x, y, size, self.looks.text)


def build_page(
    plan: LevelView, shown: frozenset[str], looks: PageStyle, margin: float | None, side: float = 1.8, extent: str = ""
) -> MapPage:
    """The page of a view. Without a margin it has the style's margin (`side`) and all shown parts; with margin 0 it has
    only the map.
    """
    return MapPage(plan, shown, looks, side if margin is None else margin, margin == 0, extent)


def _place_scaled(sign: Sign, x: float, y: float, unit: float) -> Sign:
    """The sign at a point, with thicker lines if it is larger than usual."""
    return [
        SignPart(part.lines, part.fill, part.width * max(1.0, unit), part.closed)
        for part in place_sign(sign, x, y, "S", unit)
    ]


def _wrap_entries(
    legend: Sequence[LegendEntry], widths: Sequence[float], line: float
) -> list[list[tuple[float, LegendEntry]]]:
    rows: list[list[tuple[float, LegendEntry]]] = []
    at = 0.0
    for entry, wide in zip(legend, widths, strict=True):
        if not rows or at + wide > line:
            rows.append([])
            at = 0.0
        rows[-1].append((at, entry))
        at += wide
    return rows
