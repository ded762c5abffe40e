"""A plot of the expressive range: a 2-D histogram with its margins and medians, and the levels at its corners. Two
recipes are drawn side by side, more of them in rows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from PIL import Image

from undercroft.analysis.expressive_range import BinGrid, Spread, measure_overlap
from undercroft.core.level import Level
from undercroft.draw.plots.histogram_plot import GROUND, INK, QUIET, HistogramPlot, MeasureAxis, draw_legend
from undercroft.draw.plots.plot_page import Page, PlotPage, format_number
from undercroft.draw.plots.thumbnail import fit_size
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

    seed: int | str
    """Its seed, or its name if there are several levels of a seed."""
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
GRID_LAYOUT = _PlotLayout(0, 0, (), 120, (400, 330), 44, (132, 100))
"""The layout of one of more than two recipes, in a panel of `PANEL_SIZE`."""
PANEL_SIZE, PANEL_LEFT = (640, 850), 128
"""The size of a panel, and the left edge of the histogram in it."""
GRID_TOP, GRID_FOOT = 130, 110
"""The heights above and below the panels."""
STAMPS_BELOW = 190
"""Pixels from a histogram to the levels below it."""


def choose_columns(count: int) -> int:
    """The number of panels side by side.

    >>> [choose_columns(count) for count in (3, 4, 5, 9, 30)]
    [3, 2, 3, 3, 6]
    """
    return 3 if count == 3 else math.ceil(math.sqrt(count))


def render_range_plot(
    series: Sequence[Series], around: BinGrid, axes: tuple[MeasureAxis, MeasureAxis], footer: str = ""
) -> Image.Image:
    """Plot recipes on the same bins, as pixels."""
    page = draw_range_plot(PlotPage, series, around, axes, footer)
    assert isinstance(page, PlotPage)
    return page.render()


def draw_range_plot(
    page_type: type[Page],
    series: Sequence[Series],
    around: BinGrid,
    axes: tuple[MeasureAxis, MeasureAxis],
    footer: str = "",
) -> Page:
    """Plot one recipe, or several on the same bins, on a page of that type."""
    if len(series) > 2:
        page = _draw_grid(page_type, series, around, axes)
    else:
        page = _draw_one_or_two(page_type, series, around, axes)
    page.write(
        EDGE, page.height - 28, shorten_to_fit(footer, page.width - 2 * EDGE, NOTE_SIZE, "sans"), NOTE_SIZE, QUIET
    )
    return page


def _draw_one_or_two(
    page_type: type[Page], series: Sequence[Series], around: BinGrid, axes: tuple[MeasureAxis, MeasureAxis]
) -> Page:
    alone = len(series) == 1
    look = SINGLE_LAYOUT if alone else PAIR_LAYOUT
    counts = [each.spread.counts for each in series]
    most = max(int(count.max()) for count in counts)
    page = page_type(look.width, look.height, GROUND)
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
    return page


def _draw_grid(
    page_type: type[Page], series: Sequence[Series], around: BinGrid, axes: tuple[MeasureAxis, MeasureAxis]
) -> Page:
    """Draw each recipe in a panel of its own, with the levels at its corners below it."""
    look, columns = GRID_LAYOUT, choose_columns(len(series))
    rows = -(-len(series) // columns)
    page = page_type(columns * PANEL_SIZE[0] + 2 * EDGE, GRID_TOP + rows * PANEL_SIZE[1] + GRID_FOOT, GROUND)
    most = max(int(each.spread.counts.max()) for each in series)
    _draw_head(page, series)
    for place, each in enumerate(series):
        row, column = divmod(place, columns)
        left, top = EDGE + column * PANEL_SIZE[0] + PANEL_LEFT, GRID_TOP + row * PANEL_SIZE[1] + look.top
        heat = HistogramPlot(page, around, (left, top, *look.plot), axes, look.bar)
        if column == 0:
            heat.draw_side_title()
        heat.draw_ground()
        heat.draw(each.spread, most)
        _draw_name(page, heat, each, look._replace(top=top))
        _draw_remarks(page, heat, each)
        _draw_row(page, heat, each, look)
    draw_legend(page, EDGE + PANEL_LEFT, page.height - GRID_FOOT + 20, most)
    return page


def _draw_row(page: Page, heat: HistogramPlot, each: Series, look: _PlotLayout) -> None:
    """Draw the levels below a histogram, with letters that also mark their points."""
    for place, (number, letter) in enumerate(zip(_order_corners(each), CORNER_LETTERS, strict=False)):
        left = heat.left - PANEL_LEFT + 30 + place * (look.stamp[0] + 18)
        corner = each.spread.corners[number].place
        _draw_level(page, heat, each, number, (left, heat.bottom + STAMPS_BELOW), look, f"{letter}  ", brief=True)
        heat.draw_ring(*heat.to_point(each.spread.x[corner], each.spread.y[corner]), letter)


def _order_corners(each: Series) -> list[int]:
    """The corners from the top left to the bottom right."""
    return sorted(
        range(len(each.stamps)), key=lambda number: (-each.spread.corners[number].up, each.spread.corners[number].right)
    )


def _draw_head(page: Page, series: Sequence[Series]) -> None:
    room = page.width - 2 * EDGE
    names = [f"“{each.name}”" for each in series]
    if len(series) == 1:
        title, said = f"What {names[0]} can and cannot make", [series[0].about]
    elif len(series) == 2:
        title, said = " beside ".join(names), ["both on the same bins", "lines show what the other one fills"]
    else:
        title, said = ", ".join(names), [f"{len(series)} recipes on the same bins"]
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


def _draw_name(page: Page, heat: HistogramPlot, each: Series, look: _PlotLayout) -> None:
    """Draw the name of one of the two recipes."""
    line, room = look.top - look.bar - 48, look.plot[0] + look.bar
    name = shorten_to_fit(each.name, room, SERIES_SIZE, "strong")
    page.write(heat.left, line, name, SERIES_SIZE, INK, "strong")
    used = text_width(name, SERIES_SIZE, "strong") + 12
    page.write(heat.left + used, line, shorten_to_fit(each.about, room - used, NOTE_SIZE, "sans"), NOTE_SIZE, QUIET)


def _draw_remarks(page: Page, heat: HistogramPlot, each: Series) -> None:
    """Describe the histogram in text below it."""
    related = each.spread.correlation
    said = f"{each.spread.empty_share:.0%} of the box is empty" + (
        f" · correlation {round(related, 2) + 0.0:.2f}".replace("-", "−") if related is not None else ""
    )
    page.write(heat.right, heat.bottom + 122, said, HEADING_SIZE, INK, at="right")
    for line, words in enumerate(each.remarks):
        page.write(heat.right, heat.bottom + 144 + 18 * line, words, NOTE_SIZE, QUIET, at="right")


def _draw_corners(page: Page, heat: HistogramPlot, each: Series, look: _PlotLayout) -> None:
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


def _draw_column(page: Page, heat: HistogramPlot, each: Series, look: _PlotLayout, left: int) -> None:
    """Draw the levels down the side of the page, with letters that also mark their points."""
    step = (heat.bottom - heat.top) / 4
    for row, (number, letter) in enumerate(zip(_order_corners(each), CORNER_LETTERS, strict=False)):
        place = each.spread.corners[number].place
        _draw_level(page, heat, each, number, (left, round(heat.top + row * step)), look, f"{letter}  ")
        heat.draw_ring(*heat.to_point(each.spread.x[place], each.spread.y[place]), letter)


def _draw_level(
    page: Page,
    heat: HistogramPlot,
    each: Series,
    number: int,
    at: tuple[int, int],
    look: _PlotLayout,
    letter: str = "",
    *,
    brief: bool = False,
) -> None:
    """Draw a level with its description, its seed and its values; in `brief`, without the description."""
    corner, (seed, level) = each.spread.corners[number], each.stamps[number]
    (left, top), room = at, look.stamp[0]
    wide, high = fit_size(level.width, level.height, *look.stamp)
    page.draw_level(level, left, top, wide, high)
    words = [axis.describe_amount(sign) for axis, sign in zip(heat.axes, corner[1:], strict=True) if sign] or [
        "all alike"
    ]
    page.write(
        left,
        top + high + 20,
        shorten_to_fit(letter + (f"seed {seed}" if brief else ", ".join(words)), room, HEADING_SIZE, "strong"),
        HEADING_SIZE,
        INK,
        "strong",
    )
    numbers = [
        format_number(values[corner.place], axis.kind) for axis, values in zip(heat.axes, each.spread[:2], strict=True)
    ]
    named = [f"{axis.title.lower()} {number}" for axis, number in zip(heat.axes, numbers, strict=True)]
    first = [] if brief else [f"seed {seed}"]
    note, short = (" · ".join([*first, *said]) for said in (named, numbers))
    page.write(
        left,
        top + high + 39,
        shorten_to_fit(note if text_width(note, NOTE_SIZE, "sans") <= room else short, room, NOTE_SIZE, "sans"),
        NOTE_SIZE,
        QUIET,
    )
