"""Sheets of the rooms that layouts give: one layout at many sizes, or several layouts at one size."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from undercroft.draw.sheets.contact_sheet import Card, render_sheet
from undercroft.draw.sheets.layout_parts import FAULT_COLOUR, choose_colours, list_colour_keys, render_room
from undercroft.limits import PICTURE_PIXELS
from undercroft.templates.layouts import room_faults
from undercroft.templates.layouts import sizes as layout_sizes
from undercroft.templates.layouts.arguments import Size
from undercroft.templates.layouts.cell_origins import sign_parts
from undercroft.templates.layouts.layout import Layout
from undercroft.templates.layouts.room_faults import FAULTS
from undercroft.templates.layouts.sizes import format_size

EXTRA_CELLS = 8
"""How much larger than the smallest room the largest on a sheet is, each way."""
MAX_SIDES_SHOWN = 5
"""The maximum number of widths and heights on a sheet."""
MAX_PICTURE_SIDE = 210
"""The longer side of the largest picture, in pixels."""
MIN_CELL_PIXELS, MAX_CELL_PIXELS = 3, 14
FAULT_LABELS = {"open": "open", "parts": "in parts", "empty": "no floor", "stray": "stray wall", "socket": "no socket"}
"""Each fault in a word or two."""


def render_size_sheet(layout: Layout, also: Sequence[Size] = (), footer: str = "") -> Image.Image:
    """Rooms from the smallest to 8 cells more each way, a row for each height; faults are marked. `also` lists further
    sizes to show.
    """
    looked = room_faults.survey_sizes(layout, EXTRA_CELLS)
    widths, heights = (_choose_sides(looked, axis) for axis in (0, 1))
    sizes = [(width, height) for height in heights for width in widths]
    asked = [size for size in also if size not in sizes]
    cell = _choose_cell_pixels([*sizes, *asked])
    cards = [_build_card(layout, layout.fits(size), cell, format_size(size)) for size in [*sizes, *asked]]
    bad = len({fault.size for fault in looked.faults})
    there = int(looked.reached.sum())
    verdict = (
        f"{bad} of {there} sizes have a fault"
        if bad
        else f"{there} sizes without a fault"
        if there > 1
        else "without a fault"
    )
    subtitle = f"{layout_sizes.describe_sizes(layout)} · {verdict}"
    return render_sheet(
        cards, layout.name or "A layout", subtitle, footer, keys=list_colour_keys(layout), columns=len(widths)
    )


def _choose_sides(looked: room_faults.SizeTable, axis: int) -> list[int]:
    """Some of the possible widths or heights: the first, the last, the first faulty ones, and others spread between
    them.
    """
    there = (np.flatnonzero(looked.reached.any(axis=axis)) + looked.smallest[axis]).tolist()
    faulty = {first.size[axis] for kind in FAULTS if (first := looked.first_fault(kind))}
    spread = {there[round(place * (len(there) - 1) / (MAX_SIDES_SHOWN - 1))] for place in range(MAX_SIDES_SHOWN)}
    return sorted(spread | faulty)


def render_comparison(
    layouts: Sequence[Layout],
    size: Size | None = None,
    *,
    leniency: int | Size = 0,
    overgrow: bool = False,
    title: str = "",
    footer: str = "",
) -> Image.Image:
    """One room of each layout: at a given size, or as it is drawn."""
    near, over = (0, False) if size is None else (leniency, overgrow)
    fitting = [(layout, layout.fits(size or layout.smallest, leniency=near, overgrow=over)) for layout in layouts]
    cell = _choose_cell_pixels([found for _, found in fitting if not isinstance(found, str)])
    cards = [_build_card(layout, found, cell, layout.name) for layout, found in fitting]
    count = sum(card.picture is not None for card in cards)
    subtitle = "each as it is drawn" if size is None else f"{count} of {len(cards)} give a room for {format_size(size)}"
    return render_sheet(
        cards, title or "Layouts", f"{subtitle} · parts that scale in their own way have their own colours", footer
    )


def _build_card(layout: Layout, size: Size | str, cell: int, heading: str) -> Card:
    """The card of the room of exactly that size; a text is the reason why there is none."""
    if isinstance(size, str):
        return Card(None, heading, "no such room")
    room = layout.room(size)
    faults = list(room_faults.find_faults(room, layout))
    cells: NDArray[np.bool_] | None = np.logical_or.reduce([cells for _, cells in faults]) if faults else None
    drawn = render_room(room, sign_parts(layout).room(size), choose_colours(layout), cell, cells)
    note = ", ".join(FAULT_LABELS[kind] for kind, _ in faults)
    return Card(
        drawn,
        heading,
        note or ("" if heading == format_size(size) else format_size(size)),
        mark=FAULT_COLOUR if faults else "",
    )


def _choose_cell_pixels(sizes: Sequence[Size]) -> int:
    """Pixels a cell that suit the largest room. Checked before anything is drawn."""
    longest = max((max(size) for size in sizes), default=1)
    cell = max(MIN_CELL_PIXELS, min(MAX_CELL_PIXELS, MAX_PICTURE_SIDE // longest))
    limit = PICTURE_PIXELS._replace(raise_by="ask for smaller rooms, or for fewer layouts")
    limit.check(
        sum(width * height for width, height in sizes) * cell * cell, "the number of pixels of all rooms of the sheet"
    )
    return cell
