"""What stands around a map on its page: title, north arrow, scale bar, legend and the key of rooms. The page grows
until all of it fits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from undercroft.draw.scene.lettering import fitted, outlines, width
from undercroft.draw.scene.scene import Points, Scene, square
from undercroft.draw.view import headings
from undercroft.draw.view.legend import Entry, entries, scale
from undercroft.draw.view.level_view import Plan
from undercroft.draw.view.symbols import Inks, Part, Sign, paint, placed
from undercroft.draw.view.washes import strips

GAP = 0.55
"""Between an entry's sign and its word; all lengths here are in cells of a map of the usual size, and grow with larger
maps.
"""
AFTER = 1.3
"""After a word, before the next sign."""
ROW = 1.45
KEY_ROW = 1.0
TITLE, UNDER, SMALL = 1.75, 0.8, 0.74
"""Sizes of letters."""
MOST_NAMES = 240
"""Rooms that the key names; with more of them there is none."""
USUAL = 60
"""Cells of the longer side of a map for which the sizes above are made."""
NARROWEST = 22
"""Cells that a page with words is wide at least."""
WORDY = frozenset({"title", "legend", "scale", "measures"})
"""Parts that stand around the map."""


class Looks(NamedTuple):
    """Colours and letters of what stands around the map."""

    inks: Inks
    title: str = "title"
    """The face of the title, and of the others below."""
    text: str = "italic"
    figures: str = "figures"
    spacing: float = 0.04
    pale: str = ""
    """The colour of small print; the ink if empty."""


@dataclass(frozen=True)
class Page:
    """Where everything stands. `draw` paints all but the map on a scene that `scene` makes."""

    plan: Plan
    shown: frozenset[str]
    looks: Looks
    side: float
    """Cells left free on each side of the map."""
    bare: bool = False
    """Whether there is nothing but the map."""
    extent: str = ""
    """How large the map is, in words."""

    def scene(self, ground: str) -> Scene:
        """An empty scene of the page's size."""
        scene = Scene(self.width, self.height, ground, left=self.left, top=self.top)
        if self.title:
            scene.notes["title"] = self.title
        return scene

    @cached_property
    def unit(self) -> float:
        """How much larger than usual everything is."""
        return float(np.clip(max(self.plan.level.size) / USUAL, 0.7, 8.0))

    @property
    def left(self) -> float:
        return (self.width - self.plan.level.width) / 2

    @cached_property
    def width(self) -> float:
        least = NARROWEST * self.unit if WORDY & self.shown and not self.bare else 0.0
        return max(self.plan.level.width + 2 * self.side, least)

    @property
    def top(self) -> float:
        return self.side + self.head

    @property
    def height(self) -> float:
        return self.top + self.plan.level.height + self.side + self.foot

    @cached_property
    def title(self) -> str:
        return headings.title(self.plan.level)

    @cached_property
    def head(self) -> float:
        """How high the band with the title is."""
        if self.bare:
            return 0.0
        if "title" in self.shown and self.title:
            return 3.1 * self.unit
        return 1.8 * self.unit if {"title", "scale"} & self.shown else 0.0

    @cached_property
    def subtitle(self) -> str:
        """What else there is to say, in one line."""
        return headings.subtitle(self.plan.level, self.extent)

    @cached_property
    def legend(self) -> list[Entry]:
        if "legend" not in self.shown or self.bare:
            return []
        return entries(self.plan, self.shown) + scale(self.plan.level, self.shown, strips(self.looks.inks.paper))

    @cached_property
    def key(self) -> list[tuple[str, str]]:
        """Numbers and names of rooms, where only numbers stand on the map."""
        if self.bare or "legend" not in self.shown or "numbers" not in self.shown or "names" in self.shown:
            return []
        names = [(str(label.number), label.name) for label in self.plan.labels if label.name]
        return names if len(names) <= MOST_NAMES else []

    @cached_property
    def measures(self) -> str:
        """Some numbers about the level."""
        return "" if self.bare or "measures" not in self.shown else headings.measures(self.plan)

    @cached_property
    def rows(self) -> list[list[tuple[float, Entry]]]:
        """The entries of the legend in rows, each with how far it stands from the left end of its row."""
        return _wrapped(self.legend, [self._entry_width(entry) for entry in self.legend], self._line)

    @property
    def _line(self) -> float:
        """How wide a line of text may be."""
        return max(self.width - 2 * max(self.side, 1.0), 1.0)

    def _entry_width(self, entry: Entry) -> float:
        return (1 + GAP * 0.6 + width(entry.word, SMALL, self.looks.text) + AFTER) * self.unit

    @cached_property
    def beside(self) -> bool:
        """Whether the legend stands beside the scale bar, not below it."""
        room = self._line - (15 * self.unit if "scale" in self.shown else 0)
        return len(self.rows) == 1 and sum(map(self._entry_width, self.legend)) <= room

    @cached_property
    def small(self) -> tuple[float, int]:
        """The unit of the key of rooms, and its columns: the largest with which it is not half as high as the map."""
        widest = max((width(name, SMALL, self.looks.text) for _, name in self.key), default=1.0) + 2.4
        for share in (1.0, 0.85, 0.7, 0.6, 0.5):
            unit = self.unit * share
            columns = max(1, min(len(self.key), int(self._line / (widest * unit))))
            if KEY_ROW * unit * -(-len(self.key) // columns) < self.plan.level.height * 0.4:
                break
        return unit, columns

    @cached_property
    def foot(self) -> float:
        """How high the band below the map is."""
        if self.bare:
            return 0.0
        lines = 1.0 if "scale" in self.shown else 0.0
        lines += max(0, len(self.rows) - (1 if self.beside and lines else 0))
        lines += 0.8 if self.measures else 0.0
        lines *= ROW
        if self.key:
            unit, columns = self.small
            lines += 0.5 + KEY_ROW * -(-len(self.key) // columns) * unit / self.unit
        return (lines + 0.3) * self.unit if lines else 0.0

    def draw(self, scene: Scene) -> None:
        """Paint it all."""
        if self.bare:
            return
        left, right = -self.left + max(self.side, 1.0), self.plan.level.width + self.left - max(self.side, 1.0)
        words: list[Points] = []
        if "title" in self.shown and self.head:
            words += self._titles(scene, left, right)
        if "scale" in self.shown:
            words += self._north(scene, right)
        if self.foot:
            words += self._below(scene, left, right)
        scene.area(words, self.looks.inks.ink)

    def _titles(self, scene: Scene, left: float, right: float) -> list[Points]:
        unit, looks = self.unit, self.looks
        room = right - left - (3.2 * unit if "scale" in self.shown else 0)
        top = -self.top + max(0.6, self.side * 0.5)
        if self.title:
            size = (
                TITLE * unit * min(1.0, room / max(0.01, width(self.title, TITLE * unit, looks.title, looks.spacing)))
            )
            size = max(size, 0.8 * unit)
            title = fitted(self.title, room, size * 1.05, looks.title)
            words = outlines(title, left, top + 1.45 * unit, size, looks.title, spacing=looks.spacing)
            top += 1.1 * unit
        else:
            words = []
        small = fitted(self.subtitle, room, UNDER * unit, looks.text)
        scene.area(
            outlines(small, left + 0.05 * unit, top + 1.45 * unit, UNDER * unit, looks.text),
            looks.pale or looks.inks.ink,
        )
        return words

    def _north(self, scene: Scene, right: float) -> list[Points]:
        unit = self.unit
        x, y = right - 0.5 * unit, -self.top + max(0.6, self.side * 0.5) + 1.25 * unit
        half = np.array([[0, -1.15], [0.42, 0.75], [0, 0.4]]) * unit + (x, y)
        whole = np.array([[0, -1.15], [0.42, 0.75], [0, 0.4], [-0.42, 0.75]]) * unit + (x, y)
        scene.area([half], self.looks.inks.ink)
        scene.stroke([whole], self.looks.inks.ink, 0.06 * unit, closed=True)
        return outlines("N", x - 1.0 * unit, y + 0.35 * unit, unit, self.looks.title, anchor=0.5)

    def _below(self, scene: Scene, left: float, right: float) -> list[Points]:
        unit = self.unit
        y = self.plan.level.height + self.side * 0.6 + ROW * unit * 0.55
        words: list[Points] = []
        signs: list[Sign] = []
        if "scale" in self.shown:
            words += self._scale(scene, left, y)
            y += 0.0 if self.beside and self.rows else ROW * unit
        for row in self.rows:
            shift = right - left - (row[-1][0] + self._entry_width(row[-1][1]) - AFTER * unit) if self.beside else 0.0
            for place, entry in row:
                x = left + place + shift
                signs.append(_grown(entry.sign, x + 0.5 * unit, y, unit))
                words += self._text(entry.word, x + (1 + GAP * 0.6) * unit, y + 0.22 * unit, np.inf)
            y += ROW * unit
        paint(scene, signs, self.looks.inks)
        if self.measures:
            words += self._text(self.measures, left, y + 0.1 * unit, right - left)
            y += 0.8 * ROW * unit
        return words + self._rooms(left, right, y - 0.1 * unit)

    def _scale(self, scene: Scene, left: float, y: float) -> list[Points]:
        """Five squares, black and white, and what they stand for."""
        unit, inks = self.unit, self.looks.inks
        step = max(1, round(unit))
        boxes = [square(left + k * step, y - 0.13 * unit, left + (k + 1) * step, y + 0.13 * unit) for k in range(5)]
        scene.area(boxes[1::2], inks.paper, stroke=inks.ink, width=0.045 * unit)
        scene.area(boxes[::2], inks.ink, stroke=inks.ink, width=0.045 * unit)
        words = {1: "five", 2: "ten", 3: "fifteen", 4: "twenty"}.get(step, str(5 * step))
        return self._text(
            f"{words} squares = {25 * step} feet", left + 5 * step + GAP * unit, y + 0.22 * unit, 9 * unit
        )

    def _rooms(self, left: float, right: float, y: float) -> list[Points]:
        """The key: numbers and names in columns."""
        unit, columns = self.small
        rows = -(-len(self.key) // columns)
        wide = (right - left) / columns
        words: list[Points] = []
        for place, (number, name) in enumerate(self.key):
            x, down = left + (place // rows) * wide, y + (place % rows) * KEY_ROW * unit + 0.5 * unit
            words += outlines(number, x + 1.0 * unit, down, SMALL * unit, self.looks.figures, anchor=1.0)
            words += self._text(name, x + 1.3 * unit, down, wide - 1.6 * unit, unit)
        return words

    def _text(self, words: str, x: float, y: float, room: float, unit: float = 0.0) -> list[Points]:
        size = SMALL * (unit or self.unit)
        return outlines(fitted(words, room, size, self.looks.text), x, y, size, self.looks.text)


def page(
    plan: Plan, shown: frozenset[str], looks: Looks, margin: float | None, side: float = 1.8, extent: str = ""
) -> Page:
    """The page for a plan: with the style's margin (`side`) and all that is shown if none is asked for, and nothing but
    the map if it is 0.
    """
    return Page(plan, shown, looks, side if margin is None else margin, margin == 0, extent)


def _grown(sign: Sign, x: float, y: float, unit: float) -> Sign:
    """A sign somewhere, with thicker lines if it is larger than usual."""
    return [
        Part(part.lines, part.fill, part.width * max(1.0, unit), part.closed) for part in placed(sign, x, y, "S", unit)
    ]


def _wrapped(legend: Sequence[Entry], widths: Sequence[float], line: float) -> list[list[tuple[float, Entry]]]:
    rows: list[list[tuple[float, Entry]]] = []
    at = 0.0
    for entry, wide in zip(legend, widths, strict=True):
        if not rows or at + wide > line:
            rows.append([])
            at = 0.0
        rows[-1].append((at, entry))
        at += wide
    return rows
