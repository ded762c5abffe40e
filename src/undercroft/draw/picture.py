"""Levels as pictures: ground tinted by the way from the start, walls as crisp lines, the path as a glowing one."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from undercroft.core.level import Level
from undercroft.core.palette import DOOR_ROLES
from undercroft.draw import contour, marks
from undercroft.draw.canvas import Canvas, fitting_cell
from undercroft.draw.colour import STEPS, blend, ramp, rgb
from undercroft.draw.tint import tint
from undercroft.errors import unknown

FINE = 5
"""Pixels a cell below which lines would only blur: such pictures have squares."""
SIDES = 400_000
"""Sides of an outline beyond which a picture has squares too."""


class Look(NamedTuple):
    """The colours of a style."""

    ground: str
    dots: str
    halo: str
    wall: str
    edge: str
    lost: str
    """Ground that cannot be reached."""
    shadow: float
    water: str
    shore: str
    pit: str
    door: str
    way: str
    glow: str
    start: str
    end: str
    disc: str


STYLES: dict[str, Look] = {
    "dark": Look(
        ground="#0d0f16",
        dots="#1b2030",
        halo="#2c3a63",
        wall="#252c40",
        edge="#f3f6fd",
        lost="#3a3f4c",
        shadow=0.50,
        water="#1f4263",
        shore="#7fb3d0",
        pit="#0a090d",
        door="#ffffff",
        way="#e8feff",
        glow="#5df2ff",
        start="#3cf0a6",
        end="#ff5470",
        disc="#0b0d14",
    ),
}
"""Every style by its name; the first is used if none is named."""


def picture(level: Level, *, cell: int | None = None, style: str = "dark") -> Image.Image:
    """The level as a picture with `cell` pixels a cell; without a number, as many as make the longer side about 1600.

    Cost: grows with the pixels; a level of 81x31 takes a fraction of a second.
    """
    if style not in STYLES:
        raise unknown("style", style, STYLES)
    look = STYLES[style]
    cell = fitting_cell(level.width, level.height, cell)
    open_cells = ~level.palette.having("wall", "void")[level.tiles]
    if cell < FINE or contour.sides(open_cells) > SIDES:
        return _squares(level, look, cell, open_cells)
    return _drawn(level, look, cell, open_cells)


def _squares(level: Level, look: Look, cell: int, open_cells: NDArray[np.bool_]) -> Image.Image:
    """A small picture of a large level: every cell is a square of one colour."""
    colours = _ground(level, look, tint(level))
    rim = np.pad(~open_cells, 1)
    near = ~(rim[:-2, 1:-1] & rim[2:, 1:-1] & rim[1:-1, :-2] & rim[1:-1, 2:])
    colours[~open_cells] = rgb(look.ground)
    colours[~open_cells & near] = rgb(look.wall)
    for roles, colour in ((DOOR_ROLES, look.door), (("water",), look.water), (("pit",), look.pit), (("pillar",), look.wall)):
        colours[level.palette.having(*roles)[level.tiles]] = rgb(colour)
    colours[level.path[:, 1], level.path[:, 0]] = rgb(look.way)
    canvas = Canvas(level.width, level.height, cell, look.ground)
    image = Image.fromarray(colours)
    canvas.image.paste(image.resize((level.width * cell, level.height * cell), Image.Resampling.NEAREST), (canvas.margin, canvas.margin))
    marks.ends(canvas, level, look)
    return canvas.image


def _drawn(level: Level, look: Look, cell: int, open_cells: NDArray[np.bool_]) -> Image.Image:
    soft, shade = _soft(level), tint(level)
    loops = contour.outlines(open_cells, soft)
    canvas = Canvas(level.width, level.height, cell, look.ground)
    floor = canvas.area(loops)
    canvas.dots(look.dots)
    for reach, share in ((1.15, 0.40), (0.45, 0.36)):
        canvas.paint(look.halo, canvas.blurred(floor, reach), share)
    canvas.paint(look.wall, canvas.lines([loop.points for loop in loops], 0.66, closed=True))
    canvas.image.paste(canvas.spread(_ground(level, look, shade)), (0, 0), floor)
    canvas.paint("#000000", canvas.both(canvas.grid(), floor), 0.10)
    marks.hollows(canvas, level, look, soft)
    canvas.paint("#000000", canvas.both(canvas.moved(canvas.blurred(canvas.inverse(floor), 0.10), 0.08, 0.24), floor), look.shadow)
    canvas.paint(look.edge, canvas.lines([loop.points for loop in loops], 0.09, closed=True, least=1.25))
    marks.pillars(canvas, level, look)
    marks.glow(canvas, level, look)
    marks.doors(canvas, level, look)
    marks.way(canvas, level, look)
    marks.things(canvas, level)
    marks.ends(canvas, level, look)
    marks.numbers(canvas, level, shade)
    return canvas.image


def _ground(level: Level, look: Look, shade: NDArray[np.float32]) -> NDArray[np.uint8]:
    """The colour of each cell's ground."""
    colours: NDArray[np.uint8] = ramp()[np.rint(np.maximum(shade, 0) * (STEPS - 1)).astype(np.intp)]
    colours[shade < 0] = rgb(look.lost)
    passages = level.palette.having("corridor")[level.tiles]
    colours[passages] = blend(colours[passages], rgb(look.ground), 0.16)
    _flow(colours, shade >= 0, ~level.walkable)
    return colours


def _flow(colours: NDArray[np.uint8], known: NDArray[np.bool_], bare: NDArray[np.bool_]) -> None:
    """Let colours flow into bare cells beside them: what shows behind a pillar, a rounded wall or a shore is the ground around it."""
    known = known.copy()
    for _ in range(3):
        for to, source in (
            ((slice(1, None),), (slice(-1),)),
            ((slice(-1),), (slice(1, None),)),
            ((slice(None), slice(1, None)), (slice(None), slice(-1))),
            ((slice(None), slice(-1)), (slice(None), slice(1, None))),
        ):
            take = bare[to] & ~known[to] & known[source]
            colours[to][take] = colours[source][take]
            known[to] |= take


def _soft(level: Level) -> NDArray[np.bool_]:
    """Cells that nature made: caves; and all, if nobody ever built a door or a corridor here."""
    if len(level.regions):
        caves = np.concatenate([[False], [region.kind == "cave" for region in level.regions]])
        return caves[level.regions.labels] | (level.palette.having("water", "pit")[level.tiles] & bool(caves.any()))
    built = level.palette.having("corridor", *DOOR_ROLES)[level.tiles].any()
    return np.full(level.tiles.shape, not built)
