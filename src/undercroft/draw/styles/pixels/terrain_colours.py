"""Land as colours: floors, and the tops and faces of rock, before any light falls on them."""

from __future__ import annotations

from functools import cache

import numpy as np

from undercroft.draw.styles.pixels.hollows import pits, water
from undercroft.draw.styles.pixels.pixel_canvas import Canvas, tiled
from undercroft.draw.styles.pixels.pixel_terrain import FACE, Bytes, Land, cloud, moved, spread
from undercroft.draw.tileset.paint import SIZE, opaque
from undercroft.draw.tileset.stone import bricks, crag_strip, rock_top
from undercroft.draw.tileset.terrain import Layer, Lie
from undercroft.draw.tileset.tile_sheet import tileset

TURN = 48
"""Pixels that crags of the next row of cells are moved by. After sixteen rows, as after bands of rows, they begin
again.
"""


def painted(land: Land, lie: Lie, terrain: Layer) -> Canvas:
    """Land in plain daylight."""
    canvas = Canvas(tiled(tileset().pixels[..., :3], _floors(lie, terrain)))
    _tops(canvas, land, lie)
    _faces(canvas, land, lie)
    if land.water.any():
        water(canvas, land)
    if land.pit.any():
        pits(canvas, land)
    canvas.flatten()
    return canvas


def _floors(lie: Lie, terrain: Layer) -> Layer:
    """The ground of each cell: below rock and in hollows too, since their outline may leave a part of it free."""
    number = tileset().number
    under = np.where(lie.natural | lie.shore | lie.rock, np.int16(number("earth.0")), np.int16(number("flags.0")))
    return np.where(lie.ground & ~lie.having("water", "pit"), terrain, under)


def _looks(lie: Lie) -> Layer:
    """Which of four looks the stone of each cell has."""
    return (lie.throws >> np.uint32(8) & np.uint32(3)).astype(np.int16)


def _tops(canvas: Canvas, land: Land, lie: Lie) -> None:
    """Rock from above, with a rim where it ends: brightest to the south."""
    top = land.top
    np.copyto(canvas.image, tiled(_stones()[0], _looks(lie)), where=top[..., None])
    rims = {
        side: top & ~moved(top, *step) for side, step in (("n", (0, -1)), ("s", (0, 1)), ("w", (-1, 0)), ("e", (1, 0)))
    }
    edge = rims["n"] | rims["s"] | rims["w"] | rims["e"]
    canvas.tint(top & (moved(edge, 0, 1) | moved(edge, 0, -1) | moved(edge, 1, 0) | moved(edge, -1, 0)), "top bright")
    for side, tone, light in (("n", "rim", 0.85), ("w", "rim", 1.0), ("e", "rim", 0.8), ("s", "rim bright", 1.0)):
        canvas.tint(rims[side], tone, light)
    canvas.tint(rims["s"] & (spread(cloud(2, "chips"), top.shape) > 190), "rim")


def _faces(canvas: Canvas, land: Land, lie: Lie) -> None:
    """Rock from the side: courses of bricks, or crags."""
    ys, xs = np.nonzero(land.face)
    below = land.below[ys, xs]
    down = (FACE - below).astype(np.intp)  # from the head of the wall
    _, courses, crags = _stones()
    found = courses[_looks(lie)[ys // SIZE, xs // SIZE], down, xs % SIZE]
    wild = land.wild[ys, xs]
    if wild.any():
        row = (ys + below) // SIZE  # of the ground: faces that stand side by side go on
        found = np.where(wild[:, None], crags[down, (xs + row * TURN) % crags.shape[1]], found)
    canvas.image[ys, xs] = found
    canvas.dim(land.face & moved(land.top, 0, -1), 0.82)
    canvas.dim(land.face & (moved(land.ground, -1, 0) | moved(land.ground, 1, 0)), 0.72)
    canvas.tint(
        land.face & land.wild & (land.below <= 1 + spread(cloud(4, "foot"), land.face.shape) // 120), "earth dark", 0.72
    )


@cache
def _stones() -> tuple[Bytes, Bytes, Bytes]:
    """Four looks of tops, four of bricks, and a long strip of crags."""
    tops = np.stack([opaque(rock_top(look)) for look in range(4)])[..., :3]
    courses = np.stack([opaque(bricks(look)) for look in range(4)])[..., :3]
    crags = crag_strip() * np.linspace(1.12, 0.62, FACE, dtype=np.float32)[:, None, None]
    return tops, courses, opaque(crags)[..., :3]
