"""The squares of the style `plain`: each mark of a cell, drawn once, smooth, on its ground."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from undercroft.draw.pen.box_drawing import EAST, NORTH, SOUTH, WEST
from undercroft.draw.scene.colour import blend

MIN_SHAPE_CELL_PIXELS = 5
"""Pixels a cell below which a mark is a square of one colour."""
OVERSAMPLING = 4
"""The oversampling factor of squares."""
PATH_MARKS = range(1, 16)
"""The marks of the path: the sum of the sides that it leads to."""
DOOR, LOCKED, SECRET, OPENING, PILLAR, UP, DOWN, START, END, THING = 16, 18, 20, 22, 24, 25, 26, 27, 28, 29
"""Other marks; one more for a door whose passage runs from north to south."""
MARK_COLOURS = {
    **dict.fromkeys(PATH_MARKS, (255, 255, 255)),
    DOOR: (0xA8, 0x5F, 0x1C),
    LOCKED: (0xC2, 0x2F, 0x2A),
    SECRET: (0x7A, 0x55, 0xCC),
    OPENING: (0xB5, 0x8A, 0x5A),
    PILLAR: (0x6B, 0x70, 0x80),
    UP: (0x14, 0x8A, 0x5C),
    DOWN: (0xC4, 0x2B, 0x48),
    START: (0x12, 0xA8, 0x6E),
    END: (0xE8, 0x33, 0x57),
    THING: (0x8A, 0x5A, 0x00),
}


def render_square(mark: int, ground: NDArray[np.uint8], cell: int, *, grid: bool) -> NDArray[np.uint8]:
    """The pixels of a cell with that mark."""
    pixels = np.empty((cell, cell, 3), np.uint8)
    pixels[:] = ground
    if mark:
        share = mark_coverage(mark, cell)[:, :, None]
        pixels = np.rint(pixels * (1 - share) + np.array(colour_of(mark)) * share).astype(np.uint8)
    if grid and cell > MIN_SHAPE_CELL_PIXELS:
        pixels[-1], pixels[:, -1] = blend(pixels[-1], (0, 0, 0), 0.15), blend(pixels[:, -1], (0, 0, 0), 0.15)
    return pixels


def colour_of(mark: int) -> tuple[int, int, int]:
    """The colour of a mark; a turned door has the door's colour."""
    return MARK_COLOURS[mark if mark in MARK_COLOURS else mark - 1]


def mark_coverage(mark: int, cell: int) -> NDArray[np.float64]:
    """The coverage of each pixel of a cell by a mark, from 0 to 1; 1 everywhere if the cell is small."""
    if cell < MIN_SHAPE_CELL_PIXELS:
        return np.ones((cell, cell))
    turned = DOOR <= mark < PILLAR and mark % 2
    share = np.asarray(_draw_mark(mark - 1 if turned else mark, cell), float) / 255
    return share.T if turned else share


def _draw_mark(kind: int, cell: int) -> Image.Image:
    """Draw the coverage of a mark."""
    side = cell * OVERSAMPLING
    mask = Image.new("L", (side, side))
    draw = ImageDraw.Draw(mask)

    def draw_box(left: float, top: float, right: float, bottom: float, fill: int = 255) -> None:
        draw.rectangle(
            (round(left * side), round(top * side), round(right * side) - 1, round(bottom * side) - 1), fill=fill
        )

    def draw_disc(radius: float, fill: int = 255) -> None:
        draw.ellipse(tuple(round(side * (0.5 + part * radius)) for part in (-1, -1, 1, 1)), fill=fill)

    if kind in PATH_MARKS:
        draw_disc(0.13)
        for arm, part in (
            (NORTH, (0.37, 0, 0.63, 0.5)),
            (EAST, (0.5, 0.37, 1, 0.63)),
            (SOUTH, (0.37, 0.5, 0.63, 1)),
            (WEST, (0, 0.37, 0.5, 0.63)),
        ):
            if kind & arm:
                draw_box(*part)
    elif kind in (DOOR, LOCKED, SECRET):
        draw_box(0.34, 0, 0.66, 1)
        if kind == LOCKED:
            draw_disc(0.12, 0)
        elif kind == SECRET:
            draw_box(0.34, 0.2, 0.66, 0.4, 0)
            draw_box(0.34, 0.6, 0.66, 0.8, 0)
    elif kind == OPENING:
        draw_box(0.34, 0, 0.66, 0.18)
        draw_box(0.34, 0.82, 0.66, 1)
    elif kind in (UP, DOWN):
        for step in range(4):
            shrink = 0.1 * step if kind == DOWN else 0
            draw_box(0.12 + shrink, 0.12 + 0.2 * step, 0.88 - shrink, 0.24 + 0.2 * step)
    elif kind == THING:
        middle = side / 2
        draw.polygon([(middle, side * 0.2), (side * 0.8, middle), (middle, side * 0.8), (side * 0.2, middle)], fill=255)
    else:
        draw_disc(0.32 if kind == PILLAR else 0.38)
        if kind in (START, END):
            draw_disc(0.2, 0)
    return mask.resize((cell, cell), Image.Resampling.BOX)
