"""A plot of a recipe's profile: the time of each step at several sizes, and its share at one of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from PIL import Image

from undercroft.draw.plots.histogram_plot import GROUND, INK, LINES, PANEL, QUIET
from undercroft.draw.plots.plot_page import Page, PlotPage, Point
from undercroft.draw.scene.lettering import shorten_to_fit, text_width

WIDTH, HEIGHT, EDGE = 1720, 1000, 40
LEFT, TOP, RIGHT, BOTTOM = 150, 150, 1060, 850
"""The box of the plot on the page."""
NAMES_LEFT = 1150
"""The left edge of the names of the lines; the columns are at their right."""
COLUMN_RIGHTS = (1440, 1540, 1680)
"""The right edges of the columns: time, share, growth."""
MAX_BAR_PIXELS = 56
"""The length of the longest bar, in pixels."""
MAX_ROW_PIXELS = 46
"""The maximum distance between two names, in pixels."""
TITLE_SIZE, LINE_SIZE, NAME_SIZE, TICK_SIZE, NOTE_SIZE = 34, 16, 17, 14, 13
"""Letter heights, in pixels."""
HUES = ("#2f6fb0", "#c8452b", "#2f8a57", "#c08415", "#7a4fa3", "#14878f", "#b8407f", "#6b7a1f", "#8a5a3c", "#4a5fc4")
MAX_STEP_LINES = len(HUES)
"""The maximum number of steps with a line of their own; the others, which take least, share one."""
TIME_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))


class GrowthLine(NamedTuple):
    """Seconds at each size, and the exponent of their growth with the number of cells."""

    name: str
    seconds: tuple[float, ...]
    exponent: float | None = None


class Growth(NamedTuple):
    """The data of the plot: the steps, the time outside of them, and the total, at each size. Shares are those at the
    size with the index `at`.
    """

    sizes: Sequence[tuple[int, int]]
    at: int
    steps: Sequence[GrowthLine]
    overhead: GrowthLine
    whole: GrowthLine


class _StyledLine(NamedTuple):
    line: GrowthLine
    colour: str
    wide: float
    dashed: bool = False


def format_duration(seconds: float) -> str:
    """A duration for people.

    >>> [format_duration(seconds) for seconds in (2.5e-8, 0.000302, 0.0451, 12.0, 0)]
    ['25 ns', '302 µs', '45.1 ms', '12 s', '0']
    """
    if seconds <= 0:
        return "0"
    unit, name = next(((unit, name) for unit, name in TIME_UNITS if seconds >= 0.9995 * unit), TIME_UNITS[-1])
    value = seconds / unit
    return f"{value:,.0f} {name}" if value >= 99.95 else f"{value:.3g} {name}"


def render_profile_plot(title: str, about: str, growth: Growth, footer: str = "") -> Image.Image:
    """Render the page as pixels."""
    page = draw_profile_plot(PlotPage, title, about, growth, footer)
    assert isinstance(page, PlotPage)
    return page.render()


def draw_profile_plot(page_type: type[Page], title: str, about: str, growth: Growth, footer: str = "") -> Page:
    """Draw the plot on a page of that type."""
    page = page_type(WIDTH, HEIGHT, GROUND)
    room = WIDTH - 2 * EDGE
    page.write(EDGE, 66, shorten_to_fit(title, room, TITLE_SIZE, "strong"), TITLE_SIZE, INK, "strong")
    page.write(EDGE, 98, shorten_to_fit(about, room, LINE_SIZE, "sans"), LINE_SIZE, QUIET)
    drawn = [
        *map(_style_line, _merge_small_steps(growth), HUES),
        _StyledLine(growth.overhead, QUIET, 2.0, dashed=True),
        _StyledLine(growth.whole, INK, 3.5),
    ]
    chart = _Chart(page, growth, [each.line for each in drawn])
    chart.draw_ground()
    ends = [chart.draw_line(each) for each in drawn]
    _draw_names(page, growth, drawn, ends)
    page.write(EDGE, HEIGHT - 28, shorten_to_fit(footer, room, NOTE_SIZE, "sans"), NOTE_SIZE, QUIET)
    return page


def _style_line(line: GrowthLine, colour: str) -> _StyledLine:
    return _StyledLine(line, colour, 2.4)


def _merge_small_steps(growth: Growth) -> list[GrowthLine]:
    """As many steps as there are colours, in their order; the rest, which take least, in one line."""
    order = sorted(range(len(growth.steps)), key=lambda number: -growth.steps[number].seconds[growth.at])
    if len(order) <= MAX_STEP_LINES:
        return list(growth.steps)
    kept, rest = sorted(order[: MAX_STEP_LINES - 1]), [growth.steps[number] for number in order[MAX_STEP_LINES - 1 :]]
    together = tuple(map(sum, zip(*(line.seconds for line in rest), strict=True)))
    return [*(growth.steps[number] for number in kept), GrowthLine(f"{len(rest)} other steps", together)]


class _Chart:
    """Time over cells, both on logarithmic scales: linear growth is a straight line."""

    def __init__(self, page: Page, growth: Growth, lines: Sequence[GrowthLine]) -> None:
        self.page, self.growth = page, growth
        self.cells = [wide * high for wide, high in growth.sizes]
        every = [seconds for line in lines for seconds in line.seconds if seconds > 0] or [1e-6]
        self.low, self.high = math.log10(min(every)) - 0.12, math.log10(max(every)) + 0.12
        first, last = math.log10(min(self.cells)), math.log10(max(self.cells))
        spare = 0.04 * (last - first) or 0.5
        self.first, self.last = first - spare, last + spare

    def to_point(self, cells: float, seconds: float) -> Point:
        """The point on the page."""
        across = (math.log10(cells) - self.first) / (self.last - self.first)
        up = (math.log10(seconds) - self.low) / (self.high - self.low)
        return LEFT + across * (RIGHT - LEFT), BOTTOM - up * (BOTTOM - TOP)

    def draw_ground(self) -> None:
        """Draw the frame, lines at the sizes and at round times, and a line of linear growth."""
        page = self.page
        page.box(LEFT, TOP, RIGHT, BOTTOM, PANEL)
        for seconds, is_named in self._list_times():
            _, y = self.to_point(self.cells[0], seconds)
            page.line([(LEFT, y), (RIGHT, y)], LINES, 1.4 if is_named else 0.6)
            if is_named:
                page.write(LEFT - 12, y + 5, format_duration(seconds), TICK_SIZE, INK, at="right")
        self._draw_even_growth()
        free = -math.inf
        for place in sorted(range(len(self.cells)), key=self.cells.__getitem__):
            x, _ = self.to_point(self.cells[place], 10**self.low)
            looked_at = place == self.growth.at
            page.line([(x, TOP), (x, BOTTOM)], LINES, 1.4)
            if looked_at:
                page.dashes((x, TOP), (x, BOTTOM), QUIET, 1.0)
            wide, high = self.growth.sizes[place]
            words, face = f"{wide}x{high}", "strong" if looked_at else "sans"
            half = max(text_width(words, TICK_SIZE, face), text_width(f"{wide * high:,}", NOTE_SIZE, "sans")) / 2
            if x - half > free:
                page.write(x, BOTTOM + 25, words, TICK_SIZE, INK, face, at="middle")
                page.write(x, BOTTOM + 44, f"{wide * high:,}", NOTE_SIZE, QUIET, at="middle")
                free = x + half + 8
        page.write(
            (LEFT + RIGHT) / 2, BOTTOM + 78, "Size, and how many cells that is", LINE_SIZE, INK, "strong", at="middle"
        )
        page.write(LEFT - 96, (TOP + BOTTOM) / 2, "Time a level", LINE_SIZE, INK, "strong", at="middle", turned=True)

    def _list_times(self) -> list[tuple[float, bool]]:
        """Round times from bottom to top, and whether each is labelled: 1, 2 and 5 of each power of ten if there is
        room, else 1.
        """
        close = self.high - self.low < 2.5
        found = []
        for exponent in range(math.floor(self.low), math.ceil(self.high) + 1):
            found += [(digit * 10.0**exponent, digit == 1 or (close and digit in (2, 5))) for digit in range(1, 10)]
        return [(seconds, is_named) for seconds, is_named in found if self.low <= math.log10(seconds) <= self.high]

    def _draw_even_growth(self) -> None:
        """Draw a dashed line of linear growth (twice the cells, twice the time) that ends at the total of the largest
        size.
        """
        most = self.growth.whole.seconds[-1]
        if len(set(self.cells)) < 2 or most <= 0:
            return
        far = math.log10(max(self.cells))
        near = max(self.first, far - (math.log10(most) - self.low))
        self.page.dashes(self.to_point(10**near, most * 10 ** (near - far)), self.to_point(10**far, most), QUIET, 1.2)

    def draw_line(self, drawn: _StyledLine) -> Point:
        """Draw a line with a dot at each size; return its end."""
        points = [
            self.to_point(cells, seconds)
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


def _draw_names(page: Page, growth: Growth, drawn: Sequence[_StyledLine], ends: Sequence[Point]) -> None:
    """Draw the names of the lines in the order of their ends, each with a curve to its end, and its figures at the
    chosen size.
    """
    wide, high = growth.sizes[growth.at]
    whole = growth.whole.seconds[growth.at]
    order = sorted(range(len(drawn)), key=lambda number: (ends[number][1], -number))
    step = min(MAX_ROW_PIXELS, (BOTTOM - TOP - 30) / max(1, len(order) - 1))
    middle = sum(y for _, y in ends) / len(ends)
    first = min(max(middle - step * (len(order) - 1) / 2, TOP + 30), BOTTOM - step * (len(order) - 1))
    longest = max(each.line.seconds[growth.at] for each in drawn if each.line is not growth.whole)
    page.write(NAMES_LEFT, first - 50, f"a level of {wide}x{high}", NOTE_SIZE, QUIET)
    for right, words in zip(
        COLUMN_RIGHTS, ("time", "share", "grows with cells" if len(growth.sizes) > 1 else ""), strict=True
    ):
        page.write(right, first - 50, words, NOTE_SIZE, QUIET, at="right")
    for row, number in enumerate(order):
        each, (x, y), line = drawn[number], ends[number], first + row * step
        seconds, face = each.line.seconds[growth.at], "strong" if each.line is growth.whole else "sans"
        page.curve((x + 8, y), (NAMES_LEFT - 14, line - 5), each.colour, 1.0)
        room = COLUMN_RIGHTS[0] - NAMES_LEFT - 90
        page.write(
            NAMES_LEFT,
            line,
            shorten_to_fit(each.line.name, room, NAME_SIZE, "strong"),
            NAME_SIZE,
            each.colour if each.colour != QUIET else INK,
            "strong",
        )
        page.write(COLUMN_RIGHTS[0], line, format_duration(seconds), TICK_SIZE, INK, face, at="right")
        share = max(0.0, seconds / whole) if whole > 0 else 0.0
        page.write(COLUMN_RIGHTS[1], line, f"{share:.1%}", TICK_SIZE, INK, face, at="right")
        if each.line is not growth.whole and longest > 0:
            page.box(
                COLUMN_RIGHTS[1] + 10,
                line - 11,
                COLUMN_RIGHTS[1] + 10 + MAX_BAR_PIXELS * max(0.0, seconds / longest),
                line + 1,
                each.colour,
            )
        if each.line.exponent is not None:
            page.write(
                COLUMN_RIGHTS[2],
                line,
                f"^ {each.line.exponent:.2f}".replace("-", "−"),
                TICK_SIZE,
                INK,
                face,
                at="right",
            )
    if len(growth.sizes) > 1:
        below = min(first + step * len(order) + 20, BOTTOM + 40)
        page.dashes((NAMES_LEFT, below - 5), (NAMES_LEFT + 36, below - 5), QUIET, 1.2)
        page.write(NAMES_LEFT + 48, below, "so all would end if twice the cells took twice the time", NOTE_SIZE, QUIET)
