"""A plot of the expressive range: a 2-D histogram with its margins and medians, and the levels at its corners. Two
recipes are drawn side by side.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PIL import Image

from undercroft.analysis.expressive_range import BinGrid, Spread, measure_overlap
from undercroft.core.level import Level
from undercroft.draw.plots.histogram_plot import GROUND, INK, QUIET, HistogramPlot, MeasureAxis, draw_legend
from undercroft.draw.plots.plot_page import OVERSAMPLING, PlotPage, format_number
from undercroft.draw.plots.thumbnail import fit_size, render_thumbnail
from undercroft.draw.scene.lettering import shorten_to_fit, text_width

EDGE = 40
"""The margin of the page."""
TITLE_SIZE, SERIES_SIZE, LINE_SIZE, HEADING_SIZE, NOTE_SIZE = 34, 22, 16, 15, 13
"""Letter heights, in pixels."""


CORNER_LETTERS = "abcd"


class Series(NamedTuple):
    """The levels of one recipe that have both measures."""

    name: str
    about: str
    """The number of levels, their size, and similar facts."""
    spread: Spread
    stamps: Sequence[CornerLevel]
    """The levels at the corners, in the order of `spread.corners`."""
    remarks: Sequence[str] = ()
    """Further remarks, for example about levels that are not shown."""


class CornerLevel(NamedTuple):
    """A level that is drawn beside the plot."""

    seed: int
    level: Level


class _PlotLayout(NamedTuple):
    """The layout of a page."""

    width: int
    height: int
    lefts: tuple[int, ...]
    """The left edge of each histogram."""
    top: int
    """The top edge of the histograms."""
    plot: tuple[int, int]
    """The width and height of a histogram."""
    bar: int
    """The length of the longest bar at its side."""
    stamp: tuple[int, int]
    """The maximum size of a level's picture."""


SINGLE_LAYOUT = _PlotLayout(1720, 1130, (424,), 224, (780, 700), 84, (270, 210))
PAIR_LAYOUT = _PlotLayout(2000, 1240, (404, 1084), 236, (480, 740), 52, (250, 136))


def render_range_plot(
    series: Sequence[Series], around: BinGrid, axes: tuple[MeasureAxis, MeasureAxis], footer: str = ""
) -> Image.Image:
    """Plot one recipe, or two on the same bins."""
    alone = len(series) == 1
    look = SINGLE_LAYOUT if alone else PAIR_LAYOUT
    counts = [each.spread.counts for each in series]
    most = max(int(count.max()) for count in counts)
    page = PlotPage(look.width, look.height, GROUND)
    heats = [HistogramPlot(page, around, (left, look.top, *look.plot), axes, look.bar) for left in look.lefts]
    _draw_head(page, series)
    heats[0].draw_side_title()
    for place, (heat, each) in enumerate(zip(heats, series, strict=True)):
        heat.draw_ground()
        heat.draw(each.spread, most)
        if alone:
            _draw_corners(page, heat, each, look)
        else:
            heat.draw_outline(counts[1 - place])
            _draw_name(page, heat, each, look)
            _draw_column(page, heat, each, look, EDGE if place == 0 else look.width - EDGE - look.stamp[0])
        _draw_remarks(page, heat, each)
    below = heats[0].bottom + (110 if alone else 180)
    draw_legend(page, heats[0].left, below, most)
    if not alone:
        page.write(
            heats[1].right,
            below + 12,
            f"the two overlap by {measure_overlap(*counts):.0%}",
            HEADING_SIZE,
            INK,
            at="right",
        )
    page.write(
        EDGE, look.height - 28, shorten_to_fit(footer, look.width - 2 * EDGE, NOTE_SIZE, "sans"), NOTE_SIZE, QUIET
    )
    return page.render()


def _draw_head(page: PlotPage, series: Sequence[Series]) -> None:
    room = page.width - 2 * EDGE
    names = [f"“{each.name}”" for each in series]
    if len(series) == 1:
        title, said = f"What {names[0]} can and cannot make", [series[0].about]
    else:
        title, said = " beside ".join(names), ["both on the same bins", "lines show what the other one fills"]
    page.write(EDGE, 66, shorten_to_fit(title, room, TITLE_SIZE, "strong"), TITLE_SIZE, INK, "strong")
    page.write(
        EDGE,
        98,
        shorten_to_fit(
            " · ".join([*said, "a square is a bin, its ink the square root of its levels"]), room, LINE_SIZE, "sans"
        ),
        LINE_SIZE,
        QUIET,
    )


def _draw_name(page: PlotPage, heat: HistogramPlot, each: Series, look: _PlotLayout) -> None:
    """Draw the name of one of the two recipes."""
    line, room = look.top - look.bar - 48, look.plot[0] + look.bar
    name = shorten_to_fit(each.name, room, SERIES_SIZE, "strong")
    page.write(heat.left, line, name, SERIES_SIZE, INK, "strong")
    used = text_width(name, SERIES_SIZE, "strong") + 12
    page.write(heat.left + used, line, shorten_to_fit(each.about, room - used, NOTE_SIZE, "sans"), NOTE_SIZE, QUIET)


def _draw_remarks(page: PlotPage, heat: HistogramPlot, each: Series) -> None:
    """Describe the histogram in text below it."""
    related = each.spread.correlation
    said = f"{each.spread.empty_share:.0%} of the box is empty" + (
        f" · correlation {round(related, 2) + 0.0:.2f}".replace("-", "−") if related is not None else ""
    )
    page.write(heat.right, heat.bottom + 122, said, HEADING_SIZE, INK, at="right")
    for line, words in enumerate(each.remarks):
        page.write(heat.right, heat.bottom + 144 + 18 * line, words, NOTE_SIZE, QUIET, at="right")


def _draw_corners(page: PlotPage, heat: HistogramPlot, each: Series, look: _PlotLayout) -> None:
    """Draw the levels in the corners of the page, each with a line to its point."""
    points = []
    for corner, stamp in zip(each.spread.corners, each.stamps, strict=True):
        wide, high = fit_size(stamp.level.width, stamp.level.height, *look.stamp)
        left = EDGE if corner.right < 0 else page.width - EDGE - look.stamp[0]
        top = {1: heat.top + 10, 0: (heat.top + heat.bottom - high) // 2, -1: heat.bottom - 40 - high}[corner.up]
        points.append(heat.to_point(each.spread.x[corner.place], each.spread.y[corner.place]))
        page.curve((left + (wide if corner.right < 0 else 0), top + high / 2), points[-1], INK)
        _draw_level(page, heat, each, len(points) - 1, (left, top), look)
    for point in points:  # draw rings over all lines
        heat.draw_ring(*point)


def _draw_column(page: PlotPage, heat: HistogramPlot, each: Series, look: _PlotLayout, left: int) -> None:
    """Draw the levels down the side of the page, with letters that also mark their points."""
    step = (heat.bottom - heat.top) / 4
    order = sorted(
        range(len(each.stamps)), key=lambda number: (-each.spread.corners[number].up, each.spread.corners[number].right)
    )
    for row, (number, letter) in enumerate(zip(order, CORNER_LETTERS, strict=False)):
        place = each.spread.corners[number].place
        _draw_level(page, heat, each, number, (left, round(heat.top + row * step)), look, f"{letter}  ")
        heat.draw_ring(*heat.to_point(each.spread.x[place], each.spread.y[place]), letter)


def _draw_level(
    page: PlotPage,
    heat: HistogramPlot,
    each: Series,
    number: int,
    at: tuple[int, int],
    look: _PlotLayout,
    letter: str = "",
) -> None:
    """Draw a level with its description, its seed and its values."""
    corner, (seed, level) = each.spread.corners[number], each.stamps[number]
    (left, top), room = at, look.stamp[0]
    wide, high = fit_size(level.width, level.height, *look.stamp)
    page.paste(render_thumbnail(level, (wide * OVERSAMPLING, high * OVERSAMPLING)), left, top)
    words = [axis.describe_amount(sign) for axis, sign in zip(heat.axes, corner[1:], strict=True) if sign] or [
        "all alike"
    ]
    page.write(
        left,
        top + high + 20,
        shorten_to_fit(letter + ", ".join(words), room, HEADING_SIZE, "strong"),
        HEADING_SIZE,
        INK,
        "strong",
    )
    numbers = [
        format_number(values[corner.place], axis.kind) for axis, values in zip(heat.axes, each.spread[:2], strict=True)
    ]
    named = [f"{axis.title.lower()} {number}" for axis, number in zip(heat.axes, numbers, strict=True)]
    note, short = (" · ".join([f"seed {seed}", *said]) for said in (named, numbers))
    page.write(
        left,
        top + high + 39,
        shorten_to_fit(note if text_width(note, NOTE_SIZE, "sans") <= room else short, room, NOTE_SIZE, "sans"),
        NOTE_SIZE,
        QUIET,
    )
