"""Where a recipe spends its time, as a picture: how long each step takes at several sizes, and its share at one of
them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from PIL import Image

from undercroft.draw.plots.heat import GROUND, INK, LINES, PANEL, QUIET
from undercroft.draw.plots.plot_page import Page, Point
from undercroft.draw.scene.lettering import fitted, width

WIDTH, HEIGHT, EDGE = 1720, 1000, 40
LEFT, TOP, RIGHT, BOTTOM = 150, 150, 1060, 850
"""The plot on the page."""
NAMES = 1150
"""Where the names of the lines begin, and at their right the columns."""
COLUMNS = (1440, 1540, 1680)
"""The right ends of the columns: time, share, growth."""
BAR = 56
"""Pixels of the longest bar."""
ROW = 46
"""Pixels from one name to the next, at the most."""
TITLE, LINE, NAME, TICK, NOTE = 34, 16, 17, 14, 13
"""Heights of letters, in pixels."""
HUES = ("#2f6fb0", "#c8452b", "#2f8a57", "#c08415", "#7a4fa3", "#14878f", "#b8407f", "#6b7a1f", "#8a5a3c", "#4a5fc4")
MOST = len(HUES)
"""Steps that have a line of their own; the others, which take least, share one."""
UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))


class Line(NamedTuple):
    """Seconds at each size, and how they grow: with which power of the cells."""

    name: str
    seconds: tuple[float, ...]
    exponent: float | None = None


class Growth(NamedTuple):
    """What is drawn: the steps, what is spent beside them, and all of it, at each size; the size at which shares are
    told is that of the number `at`.
    """

    sizes: Sequence[tuple[int, int]]
    at: int
    steps: Sequence[Line]
    overhead: Line
    whole: Line


class _Drawn(NamedTuple):
    line: Line
    colour: str
    wide: float
    dashed: bool = False


def duration(seconds: float) -> str:
    """A time as people read it.

    >>> [duration(seconds) for seconds in (2.5e-8, 0.000302, 0.0451, 12.0, 0)]
    ['25 ns', '302 µs', '45.1 ms', '12 s', '0']
    """
    if seconds <= 0:
        return "0"
    unit, name = next(((unit, name) for unit, name in UNITS if seconds >= 0.9995 * unit), UNITS[-1])
    value = seconds / unit
    return f"{value:,.0f} {name}" if value >= 99.95 else f"{value:.3g} {name}"


def profile_plot(title: str, about: str, growth: Growth, footer: str = "") -> Image.Image:
    """The page."""
    page = Page(WIDTH, HEIGHT, GROUND)
    room = WIDTH - 2 * EDGE
    page.write(EDGE, 66, fitted(title, room, TITLE, "strong"), TITLE, INK, "strong")
    page.write(EDGE, 98, fitted(about, room, LINE, "sans"), LINE, QUIET)
    drawn = [
        *map(_coloured, _few(growth), HUES),
        _Drawn(growth.overhead, QUIET, 2.0, dashed=True),
        _Drawn(growth.whole, INK, 3.5),
    ]
    chart = _Chart(page, growth, [each.line for each in drawn])
    chart.ground()
    ends = [chart.draw(each) for each in drawn]
    _names(page, growth, drawn, ends)
    page.write(EDGE, HEIGHT - 28, fitted(footer, room, NOTE, "sans"), NOTE, QUIET)
    return page.finished()


def _coloured(line: Line, colour: str) -> _Drawn:
    return _Drawn(line, colour, 2.4)


def _few(growth: Growth) -> list[Line]:
    """As many steps as there are colours, in their own order; the rest, which take least, in one line."""
    order = sorted(range(len(growth.steps)), key=lambda number: -growth.steps[number].seconds[growth.at])
    if len(order) <= MOST:
        return list(growth.steps)
    kept, rest = sorted(order[: MOST - 1]), [growth.steps[number] for number in order[MOST - 1 :]]
    together = tuple(map(sum, zip(*(line.seconds for line in rest), strict=True)))
    return [*(growth.steps[number] for number in kept), Line(f"{len(rest)} other steps", together)]


class _Chart:
    """Time over cells, both on scales of logarithms: what grows evenly is a straight line."""

    def __init__(self, page: Page, growth: Growth, lines: Sequence[Line]) -> None:
        self.page, self.growth = page, growth
        self.cells = [wide * high for wide, high in growth.sizes]
        every = [seconds for line in lines for seconds in line.seconds if seconds > 0] or [1e-6]
        self.low, self.high = math.log10(min(every)) - 0.12, math.log10(max(every)) + 0.12
        first, last = math.log10(min(self.cells)), math.log10(max(self.cells))
        spare = 0.04 * (last - first) or 0.5
        self.first, self.last = first - spare, last + spare

    def at(self, cells: float, seconds: float) -> Point:
        """Where on the page."""
        across = (math.log10(cells) - self.first) / (self.last - self.first)
        up = (math.log10(seconds) - self.low) / (self.high - self.low)
        return LEFT + across * (RIGHT - LEFT), BOTTOM - up * (BOTTOM - TOP)

    def ground(self) -> None:
        """The frame, lines at the sizes and at round times, and a line of even growth."""
        page = self.page
        page.box(LEFT, TOP, RIGHT, BOTTOM, PANEL)
        for seconds, is_named in self._times():
            _, y = self.at(self.cells[0], seconds)
            page.line([(LEFT, y), (RIGHT, y)], LINES, 1.4 if is_named else 0.6)
            if is_named:
                page.write(LEFT - 12, y + 5, duration(seconds), TICK, INK, at="right")
        self._even()
        free = -math.inf
        for place in sorted(range(len(self.cells)), key=self.cells.__getitem__):
            x, _ = self.at(self.cells[place], 10**self.low)
            looked_at = place == self.growth.at
            page.line([(x, TOP), (x, BOTTOM)], LINES, 1.4)
            if looked_at:
                page.dashes((x, TOP), (x, BOTTOM), QUIET, 1.0)
            wide, high = self.growth.sizes[place]
            words, face = f"{wide}x{high}", "strong" if looked_at else "sans"
            half = max(width(words, TICK, face), width(f"{wide * high:,}", NOTE, "sans")) / 2
            if x - half > free:
                page.write(x, BOTTOM + 25, words, TICK, INK, face, at="middle")
                page.write(x, BOTTOM + 44, f"{wide * high:,}", NOTE, QUIET, at="middle")
                free = x + half + 8
        page.write(
            (LEFT + RIGHT) / 2, BOTTOM + 78, "Size, and how many cells that is", LINE, INK, "strong", at="middle"
        )
        page.write(LEFT - 96, (TOP + BOTTOM) / 2, "Time a level", LINE, INK, "strong", at="middle", turned=True)

    def _times(self) -> list[tuple[float, bool]]:
        """Round times from bottom to top, and whether they are named: all of 1, 2 and 5 if there is room, else those of
        1.
        """
        close = self.high - self.low < 2.5
        found = []
        for exponent in range(math.floor(self.low), math.ceil(self.high) + 1):
            found += [(digit * 10.0**exponent, digit == 1 or (close and digit in (2, 5))) for digit in range(1, 10)]
        return [(seconds, is_named) for seconds, is_named in found if self.low <= math.log10(seconds) <= self.high]

    def _even(self) -> None:
        """A dashed line on which twice the cells take twice the time, up to where all the time is at the largest
        size.
        """
        most = self.growth.whole.seconds[-1]
        if len(set(self.cells)) < 2 or most <= 0:
            return
        far = math.log10(max(self.cells))
        near = max(self.first, far - (math.log10(most) - self.low))
        self.page.dashes(self.at(10**near, most * 10 ** (near - far)), self.at(10**far, most), QUIET, 1.2)

    def draw(self, drawn: _Drawn) -> Point:
        """A line with a dot at each size; where it ends."""
        points = [
            self.at(cells, seconds)
            for cells, seconds in sorted(zip(self.cells, drawn.line.seconds, strict=True))
            if seconds > 0
        ]
        if drawn.dashed:
            for start, end in pairwise(points):
                self.page.dashes(start, end, drawn.colour, drawn.wide)
        elif len(points) > 1:
            self.page.line(points, drawn.colour, drawn.wide)
        for x, y in points:
            self.page.disc(x, y, 2.2 + drawn.wide, GROUND, drawn.colour, 2.0)
        return points[-1] if points else (RIGHT, BOTTOM)


def _names(page: Page, growth: Growth, drawn: Sequence[_Drawn], ends: Sequence[Point]) -> None:
    """The names of the lines, in the order in which they end, each with a curve to its end, and what it takes at the
    size that is looked at.
    """
    wide, high = growth.sizes[growth.at]
    whole = growth.whole.seconds[growth.at]
    order = sorted(range(len(drawn)), key=lambda number: (ends[number][1], -number))
    step = min(ROW, (BOTTOM - TOP - 30) / max(1, len(order) - 1))
    middle = sum(y for _, y in ends) / len(ends)
    first = min(max(middle - step * (len(order) - 1) / 2, TOP + 30), BOTTOM - step * (len(order) - 1))
    longest = max(each.line.seconds[growth.at] for each in drawn if each.line is not growth.whole)
    page.write(NAMES, first - 50, f"a level of {wide}x{high}", NOTE, QUIET)
    for right, words in zip(
        COLUMNS, ("time", "share", "grows with cells" if len(growth.sizes) > 1 else ""), strict=True
    ):
        page.write(right, first - 50, words, NOTE, QUIET, at="right")
    for row, number in enumerate(order):
        each, (x, y), line = drawn[number], ends[number], first + row * step
        seconds, face = each.line.seconds[growth.at], "strong" if each.line is growth.whole else "sans"
        page.swing((x + 8, y), (NAMES - 14, line - 5), each.colour, 1.0)
        room = COLUMNS[0] - NAMES - 90
        page.write(
            NAMES,
            line,
            fitted(each.line.name, room, NAME, "strong"),
            NAME,
            each.colour if each.colour != QUIET else INK,
            "strong",
        )
        page.write(COLUMNS[0], line, duration(seconds), TICK, INK, face, at="right")
        share = max(0.0, seconds / whole) if whole > 0 else 0.0
        page.write(COLUMNS[1], line, f"{share:.1%}", TICK, INK, face, at="right")
        if each.line is not growth.whole and longest > 0:
            page.box(
                COLUMNS[1] + 10, line - 11, COLUMNS[1] + 10 + BAR * max(0.0, seconds / longest), line + 1, each.colour
            )
        if each.line.exponent is not None:
            page.write(COLUMNS[2], line, f"^ {each.line.exponent:.2f}".replace("-", "−"), TICK, INK, face, at="right")
    if len(growth.sizes) > 1:
        below = min(first + step * len(order) + 20, BOTTOM + 40)
        page.dashes((NAMES, below - 5), (NAMES + 36, below - 5), QUIET, 1.2)
        page.write(NAMES + 48, below, "so all would end if twice the cells took twice the time", NOTE, QUIET)
