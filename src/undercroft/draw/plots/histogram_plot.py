"""A 2-D histogram on a page: bins shaded by their counts, bars for each measure alone, medians, ticks and titles."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis.expressive_range import BinGrid, Numbers, Spread
from undercroft.draw.plots.plot_page import Page, Point, choose_ticks, format_number
from undercroft.draw.scene.colour import RAMP_STEPS, colour_ramp
from undercroft.draw.scene.lettering import shorten_to_fit, text_width

GROUND, PANEL, BOX, LINES = "#fbf8f1", "#f7f3e9", "#f1ebdd", "#ffffff"
INK, QUIET, MARK = "#211d2b", "#7d7686", "#c8452b"
TICK_SIZE, TITLE_SIZE, ABOUT_SIZE = 14, 16, 13
"""Letter heights, in pixels."""
PALEST_SHARE = 0.12
"""The position on the colour ramp of a bin with one level: the palest colour would be invisible on the background."""
MIN_BINS = 9
"""The minimum number of bins that the axis has room for: a measure with a narrow range gets a narrow box, not wide
bins.
"""
BAR_GAP = 10
"""Pixels between the histogram and the bars at its sides."""
MAX_TICKS = 9
NUMBER_LIMITS = {"share": (0.0, 1.0), "number": (-np.inf, np.inf)}
"""The possible range of values; for other kinds, all values from 0."""
LEGEND_SHADES, SHADE_PIXELS = 60, 4
"""The steps of the legend, and the pixels of each."""


class MeasureAxis(NamedTuple):
    """A measure as the axis of a plot."""

    name: str
    about: str
    kind: str
    whole: bool

    @property
    def title(self) -> str:
        """Its name as a title.

        >>> MeasureAxis("path_length", "", "count", True).title
        'Path length'
        """
        words = self.name.replace("_", " ")
        return words[:1].upper() + words[1:]

    def describe_amount(self, sign: int) -> str:
        """A high or low value in a word or two.

        >>> MeasureAxis("path_length", "", "count", True).describe_amount(1)
        'long path'
        >>> MeasureAxis("loops", "", "count", True).describe_amount(-1)
        'few loops'
        >>> MeasureAxis("density", "", "share", False).describe_amount(1)
        'high density'
        """
        words = self.name.replace("_", " ")
        if words.endswith(" length"):
            return f"{'long' if sign > 0 else 'short'} {words.removesuffix(' length')}"
        if self.kind == "count" and words.endswith("s"):
            return f"{'many' if sign > 0 else 'few'} {words}"
        return f"{'high' if sign > 0 else 'low'} {words}"


class _Scale:
    """The mapping from values to pixels along one side."""

    def __init__(self, edges: Numbers, start: float, end: float, kind: str) -> None:
        width = float(edges[1] - edges[0])
        spare = max(0, MIN_BINS - (len(edges) - 1)) / 2 * width
        self.low, self.high = float(edges[0]) - spare, float(edges[-1]) + spare
        if spare:  # shift the range so that no room is left for impossible values
            least, most = NUMBER_LIMITS.get(kind, (0.0, np.inf))
            moved = max(0.0, least - width / 2 - self.low) or min(0.0, most + width / 2 - self.high)
            self.low, self.high = self.low + moved, self.high + moved
        self.start, self.end = start, end
        self.ends = [round(self.to_pixel(edge)) for edge in edges.tolist()]
        """The edges of the bins, in whole pixels, so that all of them are sharp."""

    def to_pixel(self, number: float) -> float:
        """The pixel of a value."""
        return self.start + (number - self.low) / (self.high - self.low) * (self.end - self.start)


class HistogramPlot:
    """One histogram: its place on the page, and how it is drawn. `place` is left, top, width, height."""

    def __init__(
        self,
        page: Page,
        box: BinGrid,
        place: tuple[int, int, int, int],
        axes: tuple[MeasureAxis, MeasureAxis],
        margin: int,
    ) -> None:
        self.page, self.axes, self.margin = page, axes, margin
        self.left, self.top, width, height = place
        self.right, self.bottom = self.left + width, self.top + height
        self.x, self.y = (
            _Scale(edges, *ends, axis.kind)
            for edges, ends, axis in zip(box, ((self.left, self.right), (self.bottom, self.top)), axes, strict=True)
        )

    def to_point(self, x: float, y: float) -> Point:
        """The point of a level with these values."""
        return self.x.to_pixel(float(x)), self.y.to_pixel(float(y))

    def draw(self, spread: Spread, most: int) -> None:
        """Draw bins, bars and medians; `most` is the count of the darkest bin."""
        counts = spread.counts
        for row, column in np.argwhere(counts).tolist():
            colour = bin_colour(bin_darkness(int(counts[row, column]), most))
            self.page.box(
                self.x.ends[column], self.y.ends[row + 1] + 1, self.x.ends[column + 1] - 1, self.y.ends[row], colour
            )
        self._draw_bars(counts)
        self._draw_medians(*spread.medians)

    def draw_ground(self) -> None:
        """Draw the frame and the box in it, with grid lines at the ticks, their numbers, and the title of the first
        measure.
        """
        page, (across, along) = self.page, self.axes
        page.box(self.left, self.top, self.right, self.bottom, PANEL)
        page.box(self.x.ends[0], self.y.ends[-1], self.x.ends[-1], self.y.ends[0], BOX)
        for tick in choose_ticks(self.x.low, self.x.high, MAX_TICKS, whole=across.whole):
            at = self.x.to_pixel(tick)
            page.line([(at, self.top), (at, self.bottom)], LINES, 1.2)
            page.write(at, self.bottom + 25, format_number(tick, across.kind, 6), TICK_SIZE, INK, at="middle")
        for tick in choose_ticks(self.y.low, self.y.high, MAX_TICKS, whole=along.whole):
            at = self.y.to_pixel(tick)
            page.line([(self.left, at), (self.right, at)], LINES, 1.2)
            page.write(self.left - 12, at + 5, format_number(tick, along.kind, 6), TICK_SIZE, INK, at="right")
        middle = (self.left + self.right) / 2
        page.write(middle, self.bottom + 56, across.title, TITLE_SIZE, INK, "strong", at="middle")
        page.write(
            middle,
            self.bottom + 76,
            shorten_to_fit(across.about, self.right - self.left, ABOUT_SIZE, "sans"),
            ABOUT_SIZE,
            QUIET,
            at="middle",
        )

    def draw_side_title(self) -> None:
        """Draw the title of the second measure."""
        page, along = self.page, self.axes[1]
        middle = (self.top + self.bottom) / 2
        page.write(self.left - 84, middle, along.title, TITLE_SIZE, INK, "strong", at="middle", turned=True)
        page.write(
            self.left - 64,
            middle,
            shorten_to_fit(along.about, self.bottom - self.top, ABOUT_SIZE, "sans"),
            ABOUT_SIZE,
            QUIET,
            at="middle",
            turned=True,
        )

    def _draw_bars(self, counts: NDArray[np.int64]) -> None:
        """Draw the distribution of the levels over each measure alone."""
        columns, rows = counts.sum(axis=0), counts.sum(axis=1)
        for column, share in enumerate((columns / columns.max()).tolist()):
            high = max(1, round(share * self.margin)) if share else 0
            self.page.box(
                self.x.ends[column],
                self.top - BAR_GAP - high,
                self.x.ends[column + 1] - 1,
                self.top - BAR_GAP,
                bin_colour(share),
            )
        for row, share in enumerate((rows / rows.max()).tolist()):
            wide = max(1, round(share * self.margin)) if share else 0
            self.page.box(
                self.right + BAR_GAP,
                self.y.ends[row + 1] + 1,
                self.right + BAR_GAP + wide,
                self.y.ends[row],
                bin_colour(share),
            )

    def _draw_medians(self, x: float, y: float) -> None:
        page, (across, along), (left, top) = self.page, self.axes, self.to_point(x, y)
        end = self.top - BAR_GAP - self.margin - 4
        page.dashes((left, end), (left, self.bottom), MARK)
        page.write(left, end - 6, f"median {format_number(x, across.kind)}", ABOUT_SIZE, MARK, "strong", at="middle")
        end = self.right + BAR_GAP + self.margin + 4
        page.dashes((self.left, top), (end, top), MARK)
        page.write(end + 6, top - 3, "median", ABOUT_SIZE, MARK, "strong")
        page.write(end + 6, top + 13, format_number(y, along.kind), ABOUT_SIZE, MARK, "strong")

    def draw_outline(self, counts: NDArray[np.int64]) -> None:
        """Draw a line around the bins that are not empty."""
        filled = np.pad(counts > 0, 1)
        for row, column in np.argwhere(filled[1:] != filled[:-1]).tolist():
            if 0 < column < filled.shape[1] - 1:
                self.page.line(
                    [(self.x.ends[column - 1] - 0.5, self.y.ends[row]), (self.x.ends[column] - 0.5, self.y.ends[row])],
                    INK,
                    1.3,
                )
        for row, column in np.argwhere(filled[:, 1:] != filled[:, :-1]).tolist():
            if 0 < row < filled.shape[0] - 1:
                self.page.line(
                    [(self.x.ends[column] - 0.5, self.y.ends[row - 1]), (self.x.ends[column] - 0.5, self.y.ends[row])],
                    INK,
                    1.3,
                )

    def draw_ring(self, x: float, y: float, letter: str = "") -> None:
        """Draw a ring at a level's point, with a letter in it."""
        self.page.disc(x, y, 9 if letter else 7.5, GROUND, MARK)
        if letter:
            self.page.write(x, y + 4, letter, TICK_SIZE, INK, "strong", at="middle")


@cache
def _bin_colours() -> list[tuple[int, int, int]]:
    """The colours of bins, from pale to dark."""
    return [(int(r), int(g), int(b)) for r, g, b in colour_ramp()[::-1].tolist()]


def bin_colour(share: float) -> tuple[int, int, int]:
    """The colour of a share, from the palest (0) to the darkest (1)."""
    return _bin_colours()[round((PALEST_SHARE + (1 - PALEST_SHARE) * share) * (RAMP_STEPS - 1))]


def bin_darkness(count: float, most: int) -> float:
    """The darkness of a bin: from 0 for one level to 1 for the most, by the square root, so that bins with few levels
    differ too.

    >>> bin_darkness(1, 9), bin_darkness(4, 9), bin_darkness(9, 9)
    (0.0, 0.5, 1.0)
    """
    return (count**0.5 - 1) / (most**0.5 - 1) if most > 1 else 0.5


def draw_legend(page: Page, left: float, top: float, most: int) -> None:
    """Draw the meaning of the colours: from one level to the most in a bin."""
    words = "levels in a bin"
    page.write(left, top + 12, words, ABOUT_SIZE, QUIET)
    left += text_width(words, ABOUT_SIZE, "sans") + 16
    if most == 1:
        page.box(left, top, left + 8 * SHADE_PIXELS, top + 15, bin_colour(bin_darkness(1, 1)))
        page.write(left + 4 * SHADE_PIXELS, top + 33, "1", ABOUT_SIZE, QUIET, at="middle")
        return
    for step in range(LEGEND_SHADES):
        page.box(
            left + step * SHADE_PIXELS,
            top,
            left + (step + 1) * SHADE_PIXELS,
            top + 15,
            bin_colour(step / (LEGEND_SHADES - 1)),
        )
    for count in sorted({round((1 + share * (most**0.5 - 1)) ** 2) for share in (0.0, 0.25, 0.5, 0.75, 1.0)}):
        page.write(
            left + bin_darkness(count, most) * (LEGEND_SHADES - 1) * SHADE_PIXELS + SHADE_PIXELS / 2,
            top + 33,
            f"{count:,}",
            ABOUT_SIZE,
            QUIET,
            at="middle",
        )
