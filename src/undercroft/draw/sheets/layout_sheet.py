"""What comes of layouts, at a glance: a sheet of one layout over its sizes, or of several layouts at one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from undercroft.draw.sheets.contact_sheet import Card, sheet
from undercroft.draw.sheets.layout_parts import FAULT, colours, keys, picture
from undercroft.limits import PIXELS
from undercroft.templates.layouts import room_faults
from undercroft.templates.layouts import sizes as layout_sizes
from undercroft.templates.layouts.cell_origins import signed
from undercroft.templates.layouts.layout import Layout, Size
from undercroft.templates.layouts.room_faults import FAULTS
from undercroft.templates.layouts.sizes import written

MORE = 8
"""How much larger than the smallest room the largest on a sheet is, both ways."""
SHOWN = 5
"""Widths and heights on a sheet, if there are more."""
LONGEST = 210
"""Pixels of the longer side of the largest picture."""
SMALLEST_CELL, LARGEST_CELL = 3, 14
SHORT = {"open": "open", "parts": "in parts", "empty": "no floor", "stray": "stray wall", "socket": "no socket"}
"""Each fault in a word or two."""


def over_sizes(layout: Layout, also: Sequence[Size] = (), footer: str = "") -> Image.Image:
    """Rooms from the smallest to 8 cells more both ways, a row for each height; faults are marked. `also` names further
    sizes to show.
    """
    looked = room_faults.look(layout, MORE)
    widths, heights = (_chosen(looked, axis) for axis in (0, 1))
    sizes = [(width, height) for height in heights for width in widths]
    asked = [size for size in also if size not in sizes]
    cell = _cell([*sizes, *asked])
    cards = [_card(layout, layout.fits(size), cell, written(size)) for size in [*sizes, *asked]]
    bad = len({fault.size for fault in looked.faults})
    there = int(looked.reached.sum())
    verdict = (
        f"{bad} of {there} sizes have a fault"
        if bad
        else f"{there} sizes without a fault"
        if there > 1
        else "without a fault"
    )
    subtitle = f"{layout_sizes.in_words(layout)} · {verdict}"
    return sheet(cards, layout.name or "A layout", subtitle, footer, keys=keys(layout), columns=len(widths))


def _chosen(looked: room_faults.Sizes, axis: int) -> list[int]:
    """Some widths or heights that there are: the first, the last, the first faulty ones, and others spread between
    them.
    """
    there = (np.flatnonzero(looked.reached.any(axis=axis)) + looked.smallest[axis]).tolist()
    faulty = {first.size[axis] for kind in FAULTS if (first := looked.first(kind))}
    spread = {there[round(place * (len(there) - 1) / (SHOWN - 1))] for place in range(SHOWN)}
    return sorted(spread | faulty)


def side_by_side(
    layouts: Sequence[Layout],
    size: Size | None = None,
    *,
    leniency: int | Size = 0,
    overgrow: bool = False,
    title: str = "",
    footer: str = "",
) -> Image.Image:
    """One room of each layout: of a size, or as it is drawn."""
    near, over = (0, False) if size is None else (leniency, overgrow)
    fitting = [(layout, layout.fits(size or layout.smallest, leniency=near, overgrow=over)) for layout in layouts]
    cell = _cell([found for _, found in fitting if not isinstance(found, str)])
    cards = [_card(layout, found, cell, layout.name) for layout, found in fitting]
    count = sum(card.picture is not None for card in cards)
    subtitle = "each as it is drawn" if size is None else f"{count} of {len(cards)} give a room for {written(size)}"
    return sheet(
        cards, title or "Layouts", f"{subtitle} · parts that scale in their own way have their own colours", footer
    )


def _card(layout: Layout, size: Size | str, cell: int, heading: str) -> Card:
    """The room of just that size; a text is the reason why there is none."""
    if isinstance(size, str):
        return Card(None, heading, "no such room")
    room = layout.room(size)
    faults = list(room_faults.wrong(room, layout))
    cells: NDArray[np.bool_] | None = np.logical_or.reduce([cells for _, cells in faults]) if faults else None
    drawn = picture(room, signed(layout).room(size), colours(layout), cell, cells)
    note = ", ".join(SHORT[kind] for kind, _ in faults)
    return Card(
        drawn, heading, note or ("" if heading == written(size) else written(size)), mark=FAULT if faults else ""
    )


def _cell(sizes: Sequence[Size]) -> int:
    """Pixels a cell: as many as suit the largest room. Checked before anything is drawn."""
    longest = max((max(size) for size in sizes), default=1)
    cell = max(SMALLEST_CELL, min(LARGEST_CELL, LONGEST // longest))
    limit = PIXELS._replace(raise_by="ask for smaller rooms, or for fewer layouts")
    limit.check(
        sum(width * height for width, height in sizes) * cell * cell, "the number of pixels of all rooms of the sheet"
    )
    return cell
