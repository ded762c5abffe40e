"""Pictures of scaled rooms that show which part of the layout each cell came from."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageColor

from undercroft.draw.pen import contour
from undercroft.draw.scene.colour import blend, rgb
from undercroft.draw.sheets.contact_sheet import PANEL, ColourKey
from undercroft.draw.view import canvas_marks
from undercroft.draw.view.canvas import Canvas
from undercroft.templates.layouts import growth
from undercroft.templates.layouts.cell_origins import read_part_numbers
from undercroft.templates.layouts.layout import BASE, OVERLAY, Layout
from undercroft.templates.template import OUTSIDE, Template
from undercroft.templates.template_level import build_level

PARTITION_COLOURS = (
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
"""The colours of partitions without one, in this order, repeated if needed."""
BASE_COLOUR, OVERLAY_COLOUR = "#8a93a6", "#f0f3fa"
"""The colours of base and overlay."""
ROCK_DARKENING = 0.52
"""How far walls fade into the background."""
FAULT_COLOUR = "#ff5470"


def choose_colours(layout: Layout) -> dict[int, str]:
    """The colour of each partition, of the base (-1) and of the overlay (-2).

    >>> from undercroft.templates.layouts.drawn_text import parse
    >>> choose_colours(parse("scale w = walls\\ncolour w = gold\\n\\n    #  |  w", "a.layout"))[0]
    '#ffd700'
    """
    own = {
        number: _parse_colour(partition.colour) or PARTITION_COLOURS[number % len(PARTITION_COLOURS)]
        for number, partition in enumerate(layout.partitions)
    }
    return {BASE: BASE_COLOUR, OVERLAY: OVERLAY_COLOUR} | own


def _parse_colour(colour: str) -> str:
    """Parse a colour from an editor: a name, #hex or hsl(...); empty if it is invalid."""
    try:
        r, g, b = ImageColor.getrgb(colour[:40])[:3]
    except ValueError:
        return ""
    return f"#{r:02x}{g:02x}{b:02x}"


def list_colour_keys(layout: Layout) -> list[ColourKey]:
    """The meaning of each colour: the partition's name, and how it scales."""
    found = choose_colours(layout)
    said = [
        ColourKey(
            found[number],
            f"{partition.name or f'partition {number}'}: {', '.join(growth.format_phrases(partition)) or 'stays'}",
        )
        for number, partition in enumerate(layout.partitions)
    ]
    return said + [
        ColourKey(found[part], what) for part, what in ((BASE, "base"), (OVERLAY, "overlay")) if len(layout.part(part))
    ]


def render_room(
    room: Template, parts: Template, hues: dict[int, str], cell: int, faulty: NDArray[np.bool_] | None = None
) -> Image.Image:
    """A room in the colours of its parts, `cell` pixels a cell. `parts` is the same room built from the marked layout.
    Faulty cells are crossed out.
    """
    level, look = build_level(room), canvas_marks.DEFAULT_ROOM_COLOURS
    canvas = Canvas(room.width, room.height, cell, PANEL)
    squares = Image.fromarray(_colour_cells(room, read_part_numbers(parts), hues))
    canvas.image.paste(
        squares.resize((room.width * cell, room.height * cell), Image.Resampling.NEAREST),
        (canvas.margin, canvas.margin),
    )
    canvas.paint(PANEL, canvas.grid_mask(), 0.35)
    body = (room.tiles != OUTSIDE) & ~room.palette.rock[room.tiles]
    canvas_marks.draw_water_and_pits(canvas, level, look, np.zeros(body.shape, bool))
    loops = contour.trace_outlines(body)
    canvas.paint(look.edge, canvas.line_mask([loop.points for loop in loops], 0.10, closed=True, least=1.25))
    canvas_marks.draw_pillars(canvas, level, look)
    canvas_marks.draw_doors(canvas, level, look)
    canvas_marks.draw_things(canvas, level)
    if faulty is not None:
        _cross_out(canvas, faulty)
    skip = canvas.margin - max(1, cell // 4)
    return canvas.image.crop((skip, skip, canvas.size[0] - skip, canvas.size[1] - skip))


def _colour_cells(room: Template, owner: NDArray[np.int16], hues: dict[int, str]) -> NDArray[np.uint8]:
    """The colour of each cell: its part's colour, darker for rock."""
    shown = np.empty((*room.tiles.shape, 3), np.uint8)
    shown[:] = rgb(PANEL)
    for number in np.unique(owner[owner != OUTSIDE]).tolist():
        shown[owner == number] = rgb(hues[number])
    rock = room.palette.rock[room.tiles] & (room.tiles != OUTSIDE)
    shown[rock] = blend(shown[rock], rgb(PANEL), ROCK_DARKENING)
    return shown


def _cross_out(canvas: Canvas, cells: NDArray[np.bool_]) -> None:
    strokes = []
    for y, x in np.argwhere(cells).tolist():
        strokes += [
            np.array([(x + 0.15, y + 0.15), (x + 0.85, y + 0.85)]),
            np.array([(x + 0.85, y + 0.15), (x + 0.15, y + 0.85)]),
        ]
    canvas.paint(FAULT_COLOUR, canvas.line_mask(strokes, 0.16, least=1.5))
