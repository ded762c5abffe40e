"""The parts around a map on parchment: a frame with ticks, a ribbon with the title, and a compass rose if there is
room.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from undercroft.draw.pen.distance_field import SignedDistanceField
from undercroft.draw.scene import lettering
from undercroft.draw.scene.scene import Points, Scene, Shape, circle, rectangle
from undercroft.draw.view import headings
from undercroft.draw.view.legend import LegendEntry, list_legend_entries, list_scale_entries
from undercroft.draw.view.level_view import LevelView
from undercroft.draw.view.symbols import Inks, draw_signs, place_sign
from undercroft.draw.view.washes import heat_scale_colours
from undercroft.wording import shorten

INK, PALE, CREAM, TAN, RED = "#3a2312", "#6b431f", "#f2e3bd", "#d4b47a", "#a5321c"
SIDE_MARGIN = 3.4
"""Cells from the map to the edge of the sheet."""
RIBBON_RISE = 0.35
"""How much higher the middle of the ribbon is than its ends, in cells."""
LEGEND_ROW_HEIGHT = 1.7
"""The height of a row of the legend, in units."""
FRAME_INSET = 1.45
"""The distance of the inside of the frame from the edge of the sheet, in units."""
WORN_BANDS = ((0.25, 0.5), (0.6, 0.25), (1.0, 0.15), (2.2, 0.1))
"""The widths of the brown bands at the edge in vector files, in units, and their opacity."""
ROSE_REACH = 1.55
"""The reach of the letters around a compass rose, in its sizes."""


@dataclass(frozen=True)
class ParchmentSheet:
    """The page of a map."""

    plan: LevelView
    shown: frozenset[str]
    margin: float | None
    field: SignedDistanceField | None

    @cached_property
    def unit(self) -> float:
        """The scale of all parts relative to a map of the usual size."""
        return float(np.clip(max(self.plan.level.size) / 60, 0.7, 8.0))

    @cached_property
    def side(self) -> float:
        return SIDE_MARGIN * self.unit if self.margin is None else self.margin

    @cached_property
    def title(self) -> str:
        return headings.format_title(self.plan.level)

    @cached_property
    def head_height(self) -> float:
        return 3.6 * self.unit if self.margin is None and "title" in self.shown and self.title else 0.0

    @cached_property
    def has_legend(self) -> bool:
        return self.margin is None and "legend" in self.shown

    def blank_scene(self, ground: str) -> Scene:
        """An empty scene of the page's size."""
        level = self.plan.level
        least = (
            (lettering.text_width(self.title, 1.5 * self.unit, "title", 0.03) + 14 * self.unit)
            if self.head_height
            else 0.0
        )
        width = max(level.width + 2 * self.side, min(least, 60 * self.unit))
        foot = LEGEND_ROW_HEIGHT * len(self._wrap_legend(width)) * self.unit
        page = Scene(
            width,
            level.height + 2 * self.side + self.head_height + foot,
            ground,
            left=(width - level.width) / 2,
            top=self.side + self.head_height,
        )
        if self.title:
            page.notes["title"] = self.title
        return page

    @cached_property
    def rose(self) -> tuple[float, float, float] | None:
        """The position and size of the compass rose: in the rock, as far from walls as possible; None if there is no
        room.
        """
        if self.margin is not None or "scale" not in self.shown or self.field is None:
            return None
        level, field = self.plan.level, self.field
        inner = round(field.margin * field.per_cell)
        grid = field.distances[inner:-inner, inner:-inner]
        rows, columns = (np.arange(length, dtype=np.float32) / field.per_cell for length in grid.shape)
        border = (
            np.minimum(np.minimum(rows, level.height - rows)[:, None], np.minimum(columns, level.width - columns)[None])
            + self.side * 0.55
        )
        free = np.minimum(grid, border)
        y, x = np.unravel_index(int(free.argmax()), free.shape)
        size = min(3.4 * self.unit, (float(free[y, x]) - 0.5) / ROSE_REACH)
        return (float(columns[x]), float(rows[y]), size) if size >= 1.0 else None

    def rhumb_lines(self) -> list[Points]:
        """Rhumb lines from the rose over the whole sheet."""
        assert self.rose is not None
        x, y, size = self.rose
        turns = np.arange(32) * (2 * np.pi / 32)
        ways = np.stack([np.cos(turns), np.sin(turns)], axis=1)
        far = 3.0 * max(self.plan.level.size)
        return [np.array([[x, y] + way * size * 1.25, [x, y] + way * far]) for way in ways]

    def inner_frame(self, page: Scene) -> Points:
        """The area inside the frame; the whole page if there is no frame."""
        edge = FRAME_INSET * self.unit if self.margin is None else 0.0
        left, top = edge - page.left, edge - page.top
        return rectangle(left, top, page.width - page.left - edge, page.height - page.top - edge)

    def worn_edges(self, page: Scene) -> list[Shape]:
        """The brown edges of the sheet as bands of colour, for vector files."""
        left, top, right, bottom = -page.left, -page.top, page.width - page.left, page.height - page.top
        found = []
        for part, share in WORN_BANDS:
            edge = part * self.unit
            inner = rectangle(left + edge, top + edge, right - edge, bottom - edge)
            found.append(Shape([rectangle(left, top, right, bottom), inner], fill=PALE, opacity=share, closed=True))
        return found

    def draw(self, page: Scene) -> None:
        """Draw frame, ribbon, rose and legend."""
        if self.margin is not None:
            return
        self._draw_frame(page)
        if self.head_height:
            self._draw_ribbon(page)
        if self.rose is not None:
            self._draw_rose(page)
        if self.has_legend:
            self._draw_legend(page)

    def _draw_frame(self, page: Scene) -> None:
        """Draw a double line around the sheet, filled in alternate parts."""
        unit = self.unit
        left, top = -page.left + 1.1 * unit, -page.top + 1.1 * unit
        right, bottom = page.width - page.left - 1.1 * unit, page.height - page.top - 1.1 * unit
        for off, wide in ((0.0, 0.05), (0.32, 0.05)):
            page.stroke(
                [rectangle(left + off * unit, top + off * unit, right - off * unit, bottom - off * unit)],
                INK,
                wide * unit,
                closed=True,
                opacity=0.85,
            )
        thick = 0.32 * unit
        across = [
            rectangle(start, near, end, near + thick)
            for start, end in _tick_spans(left, right, unit)
            for near in (top, bottom - thick)
        ]
        down = [
            rectangle(near, start, near + thick, end)
            for start, end in _tick_spans(top, bottom, unit)
            for near in (left, right - thick)
        ]
        page.fill_area([*across, *down], INK, opacity=0.8)

    def _draw_ribbon(self, page: Scene) -> None:
        """Draw a slightly bent ribbon with the title, its ends folded behind it."""
        unit = self.unit
        middle = page.width / 2 - page.left
        size = 1.5 * unit
        room = page.width - 12 * unit
        size *= min(1.0, room / max(0.01, lettering.text_width(self.title, size, "title", 0.03)))
        half = lettering.text_width(self.title, size, "title", 0.03) / 2 + 2.4 * unit
        top, high = -page.top + 1.9 * unit, 2.7 * unit
        for side in (-1, 1):
            x = middle + side * half
            tail = np.array(
                [
                    [x - side * 1.2 * unit, top + 0.8 * unit],
                    [x + side * 2.2 * unit, top + 0.8 * unit],
                    [x + side * 1.5 * unit, top + 2.0 * unit],
                ]
            )
            tail = np.concatenate(
                [tail, [[x + side * 2.2 * unit, top + 3.2 * unit], [x - side * 1.2 * unit, top + 3.2 * unit]]]
            )
            page.fill_area([tail], TAN, stroke=INK, width=0.06 * unit)
            fold = np.array(
                [[x, top + high], [x - side * 1.2 * unit, top + high], [x - side * 1.2 * unit, top + 3.2 * unit]]
            )
            page.fill_area([fold], PALE, stroke=INK, width=0.05 * unit)
        across = np.linspace(-half, half, 41)
        bend = RIBBON_RISE * unit * np.cos(across / half * np.pi / 2)
        upper = np.stack([middle + across, top - bend], axis=1)
        band = np.concatenate([upper, upper[::-1] + np.array([0, high])])
        page.fill_area([band], CREAM, stroke=INK, width=0.08 * unit)
        for off in (0.18, high / unit - 0.18):
            page.stroke([upper + np.array([0, off * unit])], PALE, 0.03 * unit)
        page.fill_area(_bend_text(self.title, middle, top + 1.45 * unit, size, "title", half, RIBBON_RISE * unit), INK)
        under = self._subtitle()
        small = min(
            0.68 * unit,
            0.68 * unit * (2 * half - 1.6 * unit) / max(0.01, lettering.text_width(under, 0.68 * unit, "italic")),
        )
        page.fill_area(_bend_text(under, middle, top + 2.32 * unit, small, "italic", half, RIBBON_RISE * unit), PALE)

    def _subtitle(self) -> str:
        level = self.plan.level
        seed = f", seed {shorten(str(level.provenance['seed']))}" if "seed" in level.provenance else ""
        return f"being a true plan of {level.width} by {level.height} squares{seed}"

    def _draw_rose(self, page: Scene) -> None:
        """Draw a star of sixteen points, half of each dark, in a ring of ticks, with N, E, S and W around it."""
        assert self.rose is not None
        x, y, size = self.rose
        middle = np.array([x, y])
        page.stroke(
            [circle(x, y, size * 0.52, 48), circle(x, y, size * 0.58, 48)], INK, 0.02 * size, closed=True, opacity=0.8
        )
        for length, first, step in ((0.55, 22.5, 45.0), (0.72, 45.0, 90.0), (1.0, 0.0, 90.0)):
            dark, light = [], []
            for turn in np.radians(np.arange(first, 360, step)).tolist():
                tip = middle + length * size * np.array([np.sin(turn), -np.cos(turn)])
                waist = [
                    middle + 0.17 * size * length * np.array([np.sin(turn + side), -np.cos(turn + side)])
                    for side in (-0.6, 0.6)
                ]
                dark.append(np.array([tip, waist[0], middle]))
                light.append(np.array([tip, waist[1], middle]))
            page.fill_area(light, CREAM, stroke=INK, width=0.018 * size)
            page.fill_area(dark, INK, stroke=INK, width=0.018 * size)
        page.fill_area([circle(x, y, 0.07 * size)], RED, stroke=INK, width=0.02 * size)
        letter = 0.42 * size
        for sign, right, down in (("N", 0.0, -1.12), ("E", 1.16, 0.14), ("S", 0.0, 1.42), ("W", -1.2, 0.14)):
            page.fill_area(
                lettering.text_outlines(sign, x + right * size, y + down * size, letter, "title", anchor=0.5), INK
            )

    def _wrap_legend(self, width: float) -> list[list[tuple[LegendEntry, float]]]:
        """The entries of the legend in rows, each with its width, on a page of that width."""
        if not self.has_legend:
            return []
        found = list_scale_entries(self.plan.level, self.shown, heat_scale_colours(CREAM)) + list_legend_entries(
            self.plan, self.shown
        )
        found.sort(key=lambda entry: not entry.custom)  # a map need not explain its usual signs
        room = width - 2 * (1.1 + 1.4) * self.unit
        rows: list[list[tuple[LegendEntry, float]]] = []
        left = 0.0
        for entry in found:
            wide = (1.5 + lettering.text_width(entry.word, 0.72, "italic") + 1.2) * self.unit
            if not rows or wide > left:
                rows.append([])
                left = room
            rows[-1].append((entry, wide))
            left -= wide
        return rows

    def _draw_legend(self, page: Scene) -> None:
        """Draw signs and their words in rows below the map."""
        unit = self.unit
        y = self.plan.level.height + self.side * 0.55 + 1.1 * unit
        for row in self._wrap_legend(page.width):
            x = page.width / 2 - page.left - sum(wide for _, wide in row) / 2
            for entry, wide in row:
                draw_signs(page, [place_sign(entry.sign, x + 0.5 * unit, y, size=unit)], Inks(INK, CREAM, TAN))
                page.fill_area(
                    lettering.text_outlines(entry.word, x + 1.35 * unit, y + 0.22 * unit, 0.72 * unit, "italic"), INK
                )
                x += wide
            y += LEGEND_ROW_HEIGHT * unit


def _tick_spans(low: float, high: float, unit: float) -> list[tuple[float, float]]:
    """Every second one of an odd number of equal parts, each about three squares."""
    count = max(3, round((high - low) / (3 * unit)) // 2 * 2 + 1)
    ends = np.linspace(low, high, count + 1)
    return list(zip(ends[:-1:2].tolist(), ends[1::2].tolist(), strict=True))


def _bend_text(text: str, middle: float, y: float, size: float, face: str, half: float, rise: float) -> list[Points]:
    """A text along an arc that is `rise` higher in its middle than at `half` a ribbon's distance."""
    lines = lettering.text_outlines(text, middle, y, size, face, anchor=0.5, spacing=0.03 if face == "title" else 0.0)
    return [
        np.stack([line[:, 0], line[:, 1] - rise * np.cos((line[:, 0] - middle) / half * np.pi / 2)], axis=1)
        for line in lines
    ]
