"""A page for plots. It is drawn several times too large and reduced, so that letters and curves are smooth. Lengths are
pixels of the finished page.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import count
from typing import Protocol

import numpy as np
from PIL import Image, ImageDraw

from undercroft.core.level import Level
from undercroft.draw.plots.thumbnail import render_thumbnail
from undercroft.draw.scene.colour import rgb
from undercroft.draw.scene.pixel_text import At, draw_text
from undercroft.limits import PICTURE_PIXELS, PICTURE_SIDE

OVERSAMPLING = 3
"""The oversampling factor of a page."""
DASH_PIXELS, DASH_GAP_PIXELS = 6, 4
"""The length of a dash and of the gap after it, in pixels."""
TICK_STEPS = (1.0, 2.0, 2.5, 5.0)
"""The leading digits of the steps between ticks."""
TICK_TOLERANCE = 1e-9
"""The tolerance for a tick at the end of an axis."""

Point = tuple[float, float]


class Page(Protocol):
    """What plots are drawn on: pixels, or shapes."""

    width: int
    height: int

    def __init__(self, width: int, height: int, ground: str) -> None: ...

    def box(self, left: float, top: float, right: float, bottom: float, colour: str | tuple[int, int, int]) -> None:
        """Draw a filled rectangle; one without an area is skipped."""

    def line(self, points: Sequence[Point], colour: str, width: float = 1.0) -> None:
        """Draw a line through points, with rounded corners."""

    def dashes(self, start: Point, end: Point, colour: str, width: float = 1.5) -> None:
        """Draw a dashed straight line."""

    def curve(self, start: Point, end: Point, colour: str, width: float = 1.3) -> None:
        """Draw a curve that leaves and arrives horizontally."""

    def disc(self, x: float, y: float, radius: float, fill: str, rim: str, thick: float = 2.0) -> None:
        """Draw a disc with a rim."""

    def write(
        self,
        x: float,
        line: float,
        words: str,
        size: int,
        colour: str,
        face: str = "sans",
        *,
        at: At = "left",
        turned: bool = False,
    ) -> None:
        """Write text on a baseline, with its left end, middle or right end at x. Turned text reads upwards."""

    def draw_level(self, level: Level, left: float, top: float, wide: int, high: int) -> None:
        """Draw a small picture of a level."""


def curve_points(start: Point, end: Point) -> list[Point]:
    """Points of a Bézier curve that leaves and arrives horizontally, with its two control points halfway."""
    share = np.linspace(0, 1, 65)
    middle = (start[0] + end[0]) / 2
    x = (1 - share) ** 3 * start[0] + 3 * share * (1 - share) * middle + share**3 * end[0]
    y = ((1 - share) ** 3 + 3 * share * (1 - share) ** 2) * start[1] + (share**3 + 3 * share**2 * (1 - share)) * end[1]
    return list(zip(x.tolist(), y.tolist(), strict=True))


class PlotPage:
    """A page in progress. Limits are checked before anything is drawn."""

    def __init__(self, width: int, height: int, ground: str) -> None:
        PICTURE_SIDE.check(OVERSAMPLING * max(width, height), "the longer side of the plot while it is drawn")
        PICTURE_PIXELS.check(
            OVERSAMPLING * OVERSAMPLING * width * height, "the number of pixels of the plot while it is drawn"
        )
        self.width, self.height = width, height
        self._image = Image.new("RGB", (width * OVERSAMPLING, height * OVERSAMPLING), rgb(ground))
        self._draw = ImageDraw.Draw(self._image)

    def render(self) -> Image.Image:
        """The page at its final size."""
        return self._image.reduce(OVERSAMPLING)

    def box(self, left: float, top: float, right: float, bottom: float, colour: str | tuple[int, int, int]) -> None:
        """Draw a filled rectangle; one without an area is skipped."""
        x0, y0, x1, y1 = (round(value * OVERSAMPLING) for value in (left, top, right, bottom))
        if x1 > x0 and y1 > y0:
            self._draw.rectangle((x0, y0, x1 - 1, y1 - 1), fill=rgb(colour) if isinstance(colour, str) else colour)

    def line(self, points: Sequence[Point], colour: str, width: float = 1.0) -> None:
        """Draw a line through points, with rounded corners."""
        self._draw.line(
            [(x * OVERSAMPLING, y * OVERSAMPLING) for x, y in points],
            fill=rgb(colour),
            width=max(1, round(width * OVERSAMPLING)),
            joint="curve",
        )

    def dashes(self, start: Point, end: Point, colour: str, width: float = 1.5) -> None:
        """Draw a dashed straight line."""
        length = math.dist(start, end)
        if length == 0:
            return
        across, along = (end[0] - start[0]) / length, (end[1] - start[1]) / length
        for first in np.arange(0, length, DASH_PIXELS + DASH_GAP_PIXELS).tolist():
            last = min(first + DASH_PIXELS, length)
            self.line([(start[0] + at * across, start[1] + at * along) for at in (first, last)], colour, width)

    def curve(self, start: Point, end: Point, colour: str, width: float = 1.3) -> None:
        """Draw a curve that leaves and arrives horizontally."""
        self.line(curve_points(start, end), colour, width)

    def disc(self, x: float, y: float, radius: float, fill: str, rim: str, thick: float = 2.0) -> None:
        """Draw a disc with a rim."""
        reach = radius * OVERSAMPLING
        box = x * OVERSAMPLING - reach, y * OVERSAMPLING - reach, x * OVERSAMPLING + reach, y * OVERSAMPLING + reach
        self._draw.ellipse(box, fill=rgb(fill), outline=rgb(rim), width=round(thick * OVERSAMPLING))

    def write(
        self,
        x: float,
        line: float,
        words: str,
        size: int,
        colour: str,
        face: str = "sans",
        *,
        at: At = "left",
        turned: bool = False,
    ) -> None:
        """Write text on a baseline, with its left end, middle or right end at x. Turned text reads upwards: then x is
        its baseline, and `line` its position along it.
        """
        draw_text(
            self._image,
            x * OVERSAMPLING,
            line * OVERSAMPLING,
            words,
            size * OVERSAMPLING,
            colour,
            face,
            at=at,
            turned=turned,
        )

    def draw_level(self, level: Level, left: float, top: float, wide: int, high: int) -> None:
        """Draw a small picture of a level."""
        image = render_thumbnail(level, (wide * OVERSAMPLING, high * OVERSAMPLING))
        self._image.paste(image, (round(left * OVERSAMPLING), round(top * OVERSAMPLING)))


def choose_ticks(low: float, high: float, most: int, *, whole: bool = False) -> list[float]:
    """At most `most` round numbers from low to high at even steps; integers for integer measures.

    >>> choose_ticks(0.08, 0.32, 5), choose_ticks(2.5, 6.5, 9, whole=True), choose_ticks(3, 3, 5)
    ([0.1, 0.15, 0.2, 0.25, 0.3], [3.0, 4.0, 5.0, 6.0], [3.0])
    """
    if high <= low:
        return [float(low)]
    for exponent in count(math.floor(math.log10((high - low) / most))):
        for digits in TICK_STEPS:
            up, down = (digits * 10**exponent, 1) if exponent >= 0 else (digits, 10**-exponent)
            first, last = math.ceil(low * down / up - TICK_TOLERANCE), math.floor(high * down / up + TICK_TOLERANCE)
            if last - first < most and not (whole and (up / down) % 1):
                return [number * up / down for number in range(first, last + 1)]
    raise AssertionError("steps grow until there is at most one")


def format_number(number: float, kind: str = "number", digits: int = 3) -> str:
    """A number for people, with `digits` digits: shares in per cent, large numbers in thousands and millions.

    >>> format_number(0.125, "share")
    '12.5%'
    >>> format_number(1200), format_number(12500), format_number(0.0625), format_number(2.0)
    ('1,200', '12.5k', '0.0625', '2')
    """
    value = number * 100 if kind == "share" else number
    for least, unit, name in ((1e6, 1e6, "M"), (1e4, 1e3, "k")):
        if abs(value) >= least:
            return f"{value / unit:,.{digits}g}{name}"
    text = f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.{digits}g}"
    return f"{text}%" if kind == "share" else text
