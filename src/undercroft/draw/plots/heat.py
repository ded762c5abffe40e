"""A 2-D histogram on a page: bins as dark as they are full, bars for each measure alone, medians, ticks and titles."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis.expressive_range import Box, Numbers, Spread
from undercroft.draw.plots.plot_page import Page, Point, shown, ticks
from undercroft.draw.scene.colour import STEPS, ramp
from undercroft.draw.scene.lettering import fitted, width

GROUND, PANEL, BOX, LINES = "#fbf8f1", "#f7f3e9", "#f1ebdd", "#ffffff"
INK, QUIET, MARK = "#211d2b", "#7d7686", "#c8452b"
TICK, TITLE, ABOUT = 14, 16, 13
"""Heights of letters, in pixels."""
PALEST = 0.12
"""Where on the ramp of colours a bin of one level is: the very palest would be lost on the ground."""
FEWEST = 9
"""Bins that there is room for at least: a measure that hardly changes has a narrow box, not wide bins."""
AWAY = 10
"""Pixels between the histogram and the bars at its sides."""
MOST_TICKS = 9
LIMITS = {"share": (0.0, 1.0), "number": (-np.inf, np.inf)}
"""Numbers that there can be; of other kinds, all from 0 on."""
SHADES, SHADE = 60, 4
"""Steps of the legend, and the pixels of one."""


class Axis(NamedTuple):
    """A measure, for people."""

    name: str
    about: str
    kind: str
    whole: bool

    @property
    def title(self) -> str:
        """Its name as words begin a line.

        >>> Axis("path_length", "", "count", True).title
        'Path length'
        """
        words = self.name.replace("_", " ")
        return words[:1].upper() + words[1:]

    def word(self, sign: int) -> str:
        """Much or little of it, in a word or two.

        >>> Axis("path_length", "", "count", True).word(1), Axis("loops", "", "count", True).word(-1)
        ('long path', 'few loops')
        >>> Axis("density", "", "share", False).word(1)
        'high density'
        """
        words = self.name.replace("_", " ")
        if words.endswith(" length"):
            return f"{'long' if sign > 0 else 'short'} {words.removesuffix(' length')}"
        if self.kind == "count" and words.endswith("s"):
            return f"{'many' if sign > 0 else 'few'} {words}"
        return f"{'high' if sign > 0 else 'low'} {words}"


class _Scale:
    """From numbers to pixels, along one side."""

    def __init__(self, edges: Numbers, start: float, end: float, kind: str) -> None:
        width = float(edges[1] - edges[0])
        spare = max(0, FEWEST - (len(edges) - 1)) / 2 * width
        self.low, self.high = float(edges[0]) - spare, float(edges[-1]) + spare
        if spare:  # room for numbers that cannot be is given to the other side
            least, most = LIMITS.get(kind, (0.0, np.inf))
            moved = max(0.0, least - width / 2 - self.low) or min(0.0, most + width / 2 - self.high)
            self.low, self.high = self.low + moved, self.high + moved
        self.start, self.end = start, end
        self.ends = [round(self.at(edge)) for edge in edges.tolist()]
        """The edges of the bins; whole pixels, so that all of them are sharp."""

    def at(self, number: float) -> float:
        """The pixel of a number."""
        return self.start + (number - self.low) / (self.high - self.low) * (self.end - self.start)


class Heat:
    """One histogram: where it lies on the page, and how it is drawn there. `place` is left, top, width, height."""

    def __init__(
        self, page: Page, box: Box, place: tuple[int, int, int, int], axes: tuple[Axis, Axis], margin: int
    ) -> None:
        self.page, self.axes, self.margin = page, axes, margin
        self.left, self.top, width, height = place
        self.right, self.bottom = self.left + width, self.top + height
        self.x, self.y = (
            _Scale(edges, *ends, axis.kind)
            for edges, ends, axis in zip(box, ((self.left, self.right), (self.bottom, self.top)), axes, strict=True)
        )

    def at(self, x: float, y: float) -> Point:
        """Where a level lies."""
        return self.x.at(float(x)), self.y.at(float(y))

    def draw(self, spread: Spread, most: int) -> None:
        """Bins, bars and medians; `most` is the count of the darkest bin."""
        counts = spread.counts
        for row, column in np.argwhere(counts).tolist():
            colour = ink(fullness(int(counts[row, column]), most))
            self.page.box(
                self.x.ends[column], self.y.ends[row + 1] + 1, self.x.ends[column + 1] - 1, self.y.ends[row], colour
            )
        self._bars(counts)
        self._medians(*spread.medians)

    def ground(self) -> None:
        """The frame and the box in it, with lines at the ticks, their numbers, and the title of the first measure."""
        page, (across, along) = self.page, self.axes
        page.box(self.left, self.top, self.right, self.bottom, PANEL)
        page.box(self.x.ends[0], self.y.ends[-1], self.x.ends[-1], self.y.ends[0], BOX)
        for tick in ticks(self.x.low, self.x.high, MOST_TICKS, whole=across.whole):
            at = self.x.at(tick)
            page.line([(at, self.top), (at, self.bottom)], LINES, 1.2)
            page.write(at, self.bottom + 25, shown(tick, across.kind, 6), TICK, INK, at="middle")
        for tick in ticks(self.y.low, self.y.high, MOST_TICKS, whole=along.whole):
            at = self.y.at(tick)
            page.line([(self.left, at), (self.right, at)], LINES, 1.2)
            page.write(self.left - 12, at + 5, shown(tick, along.kind, 6), TICK, INK, at="right")
        middle = (self.left + self.right) / 2
        page.write(middle, self.bottom + 56, across.title, TITLE, INK, "strong", at="middle")
        page.write(
            middle,
            self.bottom + 76,
            fitted(across.about, self.right - self.left, ABOUT, "sans"),
            ABOUT,
            QUIET,
            at="middle",
        )

    def title_at_the_side(self) -> None:
        """The title of the second measure."""
        page, along = self.page, self.axes[1]
        middle = (self.top + self.bottom) / 2
        page.write(self.left - 84, middle, along.title, TITLE, INK, "strong", at="middle", turned=True)
        page.write(
            self.left - 64,
            middle,
            fitted(along.about, self.bottom - self.top, ABOUT, "sans"),
            ABOUT,
            QUIET,
            at="middle",
            turned=True,
        )

    def _bars(self, counts: NDArray[np.int64]) -> None:
        """How the levels spread over each measure alone."""
        columns, rows = counts.sum(axis=0), counts.sum(axis=1)
        for column, share in enumerate((columns / columns.max()).tolist()):
            high = max(1, round(share * self.margin)) if share else 0
            self.page.box(
                self.x.ends[column], self.top - AWAY - high, self.x.ends[column + 1] - 1, self.top - AWAY, ink(share)
            )
        for row, share in enumerate((rows / rows.max()).tolist()):
            wide = max(1, round(share * self.margin)) if share else 0
            self.page.box(
                self.right + AWAY, self.y.ends[row + 1] + 1, self.right + AWAY + wide, self.y.ends[row], ink(share)
            )

    def _medians(self, x: float, y: float) -> None:
        page, (across, along), (left, top) = self.page, self.axes, self.at(x, y)
        end = self.top - AWAY - self.margin - 4
        page.dashes((left, end), (left, self.bottom), MARK)
        page.write(left, end - 6, f"median {shown(x, across.kind)}", ABOUT, MARK, "strong", at="middle")
        end = self.right + AWAY + self.margin + 4
        page.dashes((self.left, top), (end, top), MARK)
        page.write(end + 6, top - 3, "median", ABOUT, MARK, "strong")
        page.write(end + 6, top + 13, shown(y, along.kind), ABOUT, MARK, "strong")

    def outline(self, counts: NDArray[np.int64]) -> None:
        """A line around the bins that are not empty."""
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

    def mark(self, x: float, y: float, letter: str = "") -> None:
        """A ring at a level's place, with a letter in it."""
        self.page.disc(x, y, 9 if letter else 7.5, GROUND, MARK)
        if letter:
            self.page.write(x, y + 4, letter, TICK, INK, "strong", at="middle")


@cache
def _inks() -> list[tuple[int, int, int]]:
    """From pale to dark."""
    return [(int(r), int(g), int(b)) for r, g, b in ramp()[::-1].tolist()]


def ink(share: float) -> tuple[int, int, int]:
    """The colour from the palest (0) to the darkest (1)."""
    return _inks()[round((PALEST + (1 - PALEST) * share) * (STEPS - 1))]


def fullness(count: float, most: int) -> float:
    """How dark a bin is: from 0 for one level to 1 for the most, by the square root, so that bins of a few levels
    differ as well.

    >>> fullness(1, 9), fullness(4, 9), fullness(9, 9)
    (0.0, 0.5, 1.0)
    """
    return (count**0.5 - 1) / (most**0.5 - 1) if most > 1 else 0.5


def legend(page: Page, left: float, top: float, most: int) -> None:
    """What the colours mean: from one level to the most that a bin holds."""
    words = "levels in a bin"
    page.write(left, top + 12, words, ABOUT, QUIET)
    left += width(words, ABOUT, "sans") + 16
    if most == 1:
        page.box(left, top, left + 8 * SHADE, top + 15, ink(fullness(1, 1)))
        page.write(left + 4 * SHADE, top + 33, "1", ABOUT, QUIET, at="middle")
        return
    for step in range(SHADES):
        page.box(left + step * SHADE, top, left + (step + 1) * SHADE, top + 15, ink(step / (SHADES - 1)))
    for count in sorted({round((1 + share * (most**0.5 - 1)) ** 2) for share in (0.0, 0.25, 0.5, 0.75, 1.0)}):
        page.write(
            left + fullness(count, most) * (SHADES - 1) * SHADE + SHADE / 2,
            top + 33,
            f"{count:,}",
            ABOUT,
            QUIET,
            at="middle",
        )
