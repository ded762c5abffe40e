"""The expressive range as a picture: a 2-D histogram with its margins and medians, and the levels at its corners. Two
recipes stand side by side.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PIL import Image

from undercroft.analysis.expressive_range import Box, Spread, shared
from undercroft.core.level import Level
from undercroft.draw.plots.heat import GROUND, INK, QUIET, Axis, Heat, legend
from undercroft.draw.plots.plot_page import FINE, Page, shown
from undercroft.draw.plots.thumbnail import size, thumbnail
from undercroft.draw.scene.lettering import fitted, width

EDGE = 40
"""The margin of the page."""
TITLE, SERIES, LINE, HEADING, NOTE = 34, 22, 16, 15, 13
"""Heights of letters, in pixels."""


LETTERS = "abcd"


class Series(NamedTuple):
    """The levels of one recipe that have both measures."""

    name: str
    about: str
    """How many there are, of which size, and the like."""
    spread: Spread
    stamps: Sequence[Stamp]
    """The levels at the corners, in the order of `spread.corners`."""
    remarks: Sequence[str] = ()
    """What else is to be known: levels that are not shown, say."""


class Stamp(NamedTuple):
    """A level that is drawn beside the plot."""

    seed: int
    level: Level


class _Look(NamedTuple):
    """Where things are on a page."""

    width: int
    height: int
    lefts: tuple[int, ...]
    """The left edge of each histogram."""
    top: int
    """Where histograms begin."""
    plot: tuple[int, int]
    """Width and height of a histogram."""
    bar: int
    """The longest bar at its side."""
    stamp: tuple[int, int]
    """The largest picture of a level."""


ALONE = _Look(1720, 1130, (424,), 224, (780, 700), 84, (270, 210))
BESIDE = _Look(2000, 1240, (404, 1084), 236, (480, 740), 52, (250, 136))


def range_plot(series: Sequence[Series], around: Box, axes: tuple[Axis, Axis], footer: str = "") -> Image.Image:
    """One recipe, or two on the same bins."""
    alone = len(series) == 1
    look = ALONE if alone else BESIDE
    counts = [each.spread.counts for each in series]
    most = max(int(count.max()) for count in counts)
    page = Page(look.width, look.height, GROUND)
    heats = [Heat(page, around, (left, look.top, *look.plot), axes, look.bar) for left in look.lefts]
    _head(page, series)
    heats[0].title_at_the_side()
    for place, (heat, each) in enumerate(zip(heats, series, strict=True)):
        heat.ground()
        heat.draw(each.spread, most)
        if alone:
            _corners(page, heat, each, look)
        else:
            heat.outline(counts[1 - place])
            _name(page, heat, each, look)
            _column(page, heat, each, look, EDGE if place == 0 else look.width - EDGE - look.stamp[0])
        _tell(page, heat, each)
    below = heats[0].bottom + (110 if alone else 180)
    legend(page, heats[0].left, below, most)
    if not alone:
        page.write(heats[1].right, below + 12, f"the two overlap by {shared(*counts):.0%}", HEADING, INK, at="right")
    page.write(EDGE, look.height - 28, fitted(footer, look.width - 2 * EDGE, NOTE, "sans"), NOTE, QUIET)
    return page.finished()


def _head(page: Page, series: Sequence[Series]) -> None:
    room = page.width - 2 * EDGE
    names = [f"“{each.name}”" for each in series]
    if len(series) == 1:
        title, said = f"What {names[0]} can and cannot make", [series[0].about]
    else:
        title, said = " beside ".join(names), ["both on the same bins", "lines show what the other one fills"]
    page.write(EDGE, 66, fitted(title, room, TITLE, "strong"), TITLE, INK, "strong")
    page.write(
        EDGE,
        98,
        fitted(" · ".join([*said, "a square is a bin, its ink the square root of its levels"]), room, LINE, "sans"),
        LINE,
        QUIET,
    )


def _name(page: Page, heat: Heat, each: Series, look: _Look) -> None:
    """Which of the two recipes it is."""
    line, room = look.top - look.bar - 48, look.plot[0] + look.bar
    name = fitted(each.name, room, SERIES, "strong")
    page.write(heat.left, line, name, SERIES, INK, "strong")
    used = width(name, SERIES, "strong") + 12
    page.write(heat.left + used, line, fitted(each.about, room - used, NOTE, "sans"), NOTE, QUIET)


def _tell(page: Page, heat: Heat, each: Series) -> None:
    """What the histogram says, in words below it."""
    related = each.spread.correlation
    said = f"{each.spread.empty:.0%} of the box is empty" + (
        f" · correlation {round(related, 2) + 0.0:.2f}".replace("-", "−") if related is not None else ""
    )
    page.write(heat.right, heat.bottom + 122, said, HEADING, INK, at="right")
    for line, words in enumerate(each.remarks):
        page.write(heat.right, heat.bottom + 144 + 18 * line, words, NOTE, QUIET, at="right")


def _corners(page: Page, heat: Heat, each: Series, look: _Look) -> None:
    """The levels in the corners of the page, each with a line to its place."""
    points = []
    for corner, stamp in zip(each.spread.corners, each.stamps, strict=True):
        wide, high = size(stamp.level.width, stamp.level.height, *look.stamp)
        left = EDGE if corner.right < 0 else page.width - EDGE - look.stamp[0]
        top = {1: heat.top + 10, 0: (heat.top + heat.bottom - high) // 2, -1: heat.bottom - 40 - high}[corner.up]
        points.append(heat.at(each.spread.x[corner.place], each.spread.y[corner.place]))
        page.swing((left + (wide if corner.right < 0 else 0), top + high / 2), points[-1], INK)
        _stamp(page, heat, each, len(points) - 1, (left, top), look)
    for point in points:  # rings lie over all lines
        heat.mark(*point)


def _column(page: Page, heat: Heat, each: Series, look: _Look, left: int) -> None:
    """The levels down the side of the page, with letters that are at their places too."""
    step = (heat.bottom - heat.top) / 4
    order = sorted(
        range(len(each.stamps)), key=lambda number: (-each.spread.corners[number].up, each.spread.corners[number].right)
    )
    for row, (number, letter) in enumerate(zip(order, LETTERS, strict=False)):
        place = each.spread.corners[number].place
        _stamp(page, heat, each, number, (left, round(heat.top + row * step)), look, f"{letter}  ")
        heat.mark(*heat.at(each.spread.x[place], each.spread.y[place]), letter)


def _stamp(
    page: Page, heat: Heat, each: Series, number: int, at: tuple[int, int], look: _Look, letter: str = ""
) -> None:
    """A level, what it is like, its seed and its numbers."""
    corner, (seed, level) = each.spread.corners[number], each.stamps[number]
    (left, top), room = at, look.stamp[0]
    wide, high = size(level.width, level.height, *look.stamp)
    page.paste(thumbnail(level, (wide * FINE, high * FINE)), left, top)
    words = [axis.word(sign) for axis, sign in zip(heat.axes, corner[1:], strict=True) if sign] or ["all alike"]
    page.write(
        left, top + high + 20, fitted(letter + ", ".join(words), room, HEADING, "strong"), HEADING, INK, "strong"
    )
    numbers = [shown(values[corner.place], axis.kind) for axis, values in zip(heat.axes, each.spread[:2], strict=True)]
    named = [f"{axis.title.lower()} {number}" for axis, number in zip(heat.axes, numbers, strict=True)]
    note, short = (" · ".join([f"seed {seed}", *said]) for said in (named, numbers))
    page.write(
        left,
        top + high + 39,
        fitted(note if width(note, NOTE, "sans") <= room else short, room, NOTE, "sans"),
        NOTE,
        QUIET,
    )
