"""Scaled rooms as pictures that show which cell came from which part of the layout."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageColor

from undercroft.draw.pen import contour
from undercroft.draw.scene.colour import blend, rgb
from undercroft.draw.sheets.contact_sheet import PANEL, Key
from undercroft.draw.view import canvas_marks
from undercroft.draw.view.canvas import Canvas
from undercroft.templates.layouts import growth
from undercroft.templates.layouts.cell_origins import numbers
from undercroft.templates.layouts.layout import BASE, OVERLAY, Layout
from undercroft.templates.template import OUTSIDE, Template
from undercroft.templates.template_level import level as alone

COLOURS = (
    "#4f9ad8",
    "#e6a23c",
    "#5dbb7a",
    "#c86bb5",
    "#e06c5e",
    "#48b8b0",
    "#9a86e0",
    "#b9b04a",
    "#d98aa8",
    "#7fa35a",
    "#6f8fd0",
    "#c98d5d",
)
"""Of partitions that bring none, in this order, and again from the first."""
STILL, OVER = "#8a93a6", "#f0f3fa"
"""The colours of base and overlay."""
ROCK = 0.52
"""How far walls are sunk into the ground."""
FAULT = "#ff5470"


def colours(layout: Layout) -> dict[int, str]:
    """The colour of each partition, of the base (-1) and of the overlay (-2).

    >>> from undercroft.templates.layouts.drawn_text import parse
    >>> colours(parse("scale w = walls\\ncolour w = gold\\n\\n    #  |  w", "a.layout"))[0]
    '#ffd700'
    """
    own = {
        number: _hex(partition.colour) or COLOURS[number % len(COLOURS)]
        for number, partition in enumerate(layout.partitions)
    }
    return {BASE: STILL, OVERLAY: OVER} | own


def _hex(colour: str) -> str:
    """A colour as an editor wrote it, by name, as #hex or as hsl(...); empty if nobody can tell what it is."""
    try:
        r, g, b = ImageColor.getrgb(colour[:40])[:3]
    except ValueError:
        return ""
    return f"#{r:02x}{g:02x}{b:02x}"


def keys(layout: Layout) -> list[Key]:
    """What each colour means: the partition's name, and how it scales."""
    found = colours(layout)
    said = [
        Key(found[number], f"{partition.name or f'partition {number}'}: {', '.join(growth.told(partition)) or 'stays'}")
        for number, partition in enumerate(layout.partitions)
    ]
    return said + [
        Key(found[part], what) for part, what in ((BASE, "base"), (OVERLAY, "overlay")) if len(layout.part(part))
    ]


def picture(
    room: Template, parts: Template, hues: dict[int, str], cell: int, faulty: NDArray[np.bool_] | None = None
) -> Image.Image:
    """A room in the colours of its parts, `cell` pixels a cell; `parts` is the same room of the signed layout. Faulty
    cells are crossed out.
    """
    level, look = alone(room), canvas_marks.LOOK
    canvas = Canvas(room.width, room.height, cell, PANEL)
    squares = Image.fromarray(_ground(room, numbers(parts), hues))
    canvas.image.paste(
        squares.resize((room.width * cell, room.height * cell), Image.Resampling.NEAREST),
        (canvas.margin, canvas.margin),
    )
    canvas.paint(PANEL, canvas.grid(), 0.35)
    body = (room.tiles != OUTSIDE) & ~room.palette.rock[room.tiles]
    canvas_marks.hollows(canvas, level, look, np.zeros(body.shape, bool))
    loops = contour.outlines(body)
    canvas.paint(look.edge, canvas.lines([loop.points for loop in loops], 0.10, closed=True, least=1.25))
    canvas_marks.pillars(canvas, level, look)
    canvas_marks.doors(canvas, level, look)
    canvas_marks.things(canvas, level)
    if faulty is not None:
        _cross_out(canvas, faulty)
    skip = canvas.margin - max(1, cell // 4)
    return canvas.image.crop((skip, skip, canvas.size[0] - skip, canvas.size[1] - skip))


def _ground(room: Template, owner: NDArray[np.int16], hues: dict[int, str]) -> NDArray[np.uint8]:
    """The colour of each cell: its part's, darker where it is rock."""
    shown = np.empty((*room.tiles.shape, 3), np.uint8)
    shown[:] = rgb(PANEL)
    for number in np.unique(owner[owner != OUTSIDE]).tolist():
        shown[owner == number] = rgb(hues[number])
    rock = room.palette.rock[room.tiles] & (room.tiles != OUTSIDE)
    shown[rock] = blend(shown[rock], rgb(PANEL), ROCK)
    return shown


def _cross_out(canvas: Canvas, cells: NDArray[np.bool_]) -> None:
    strokes = []
    for y, x in np.argwhere(cells).tolist():
        strokes += [
            np.array([(x + 0.15, y + 0.15), (x + 0.85, y + 0.85)]),
            np.array([(x + 0.85, y + 0.15), (x + 0.15, y + 0.85)]),
        ]
    canvas.paint(FAULT, canvas.lines(strokes, 0.16, least=1.5))
