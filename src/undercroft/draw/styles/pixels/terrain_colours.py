"""Terrain colours: floors, and the tops and faces of rock, before light is applied."""

from __future__ import annotations

from functools import cache

import numpy as np

from undercroft.draw.styles.pixels.own_colours import OwnColours
from undercroft.draw.styles.pixels.pixel_canvas import PixelCanvas, arrange_tiles
from undercroft.draw.styles.pixels.pixel_terrain import (
    FACE_HEIGHT,
    Bytes,
    PixelTerrain,
    build_noise,
    moved,
    tile_texture,
)
from undercroft.draw.styles.pixels.water_and_pits import draw_pits, draw_water
from undercroft.draw.tileset.paint import TILE_PIXELS, opaque_pixels
from undercroft.draw.tileset.stone import paint_bricks, paint_crag_strip, paint_rock_top
from undercroft.draw.tileset.terrain import Layer, Terrain
from undercroft.draw.tileset.tile_sheet import Tileset, tileset

CRAG_SHIFT = 48
"""Pixels by which the crags of each row of cells are shifted. They repeat after sixteen rows, as bands of rows do."""


def render_terrain(land: PixelTerrain, lie: Terrain, terrain: Layer, own: OwnColours, tiles: Tileset) -> PixelCanvas:
    """The terrain in plain daylight."""
    canvas = PixelCanvas(arrange_tiles(tiles.pixels[..., :3], _choose_floor_tiles(lie, terrain, own)))
    _draw_tops(canvas, land, lie)
    _draw_faces(canvas, land, lie)
    if land.water.any():
        draw_water(canvas, land)
    if land.pit.any():
        draw_pits(canvas, land)
    canvas.flatten()
    own.apply(canvas.image, land)
    return canvas


def _choose_floor_tiles(lie: Terrain, terrain: Layer, own: OwnColours) -> Layer:
    """The ground of each cell, also below rock and in hollows, because their outline can leave a part of it free."""
    number = tileset().number
    under = np.where(lie.natural | lie.shore | lie.rock, np.int16(number("earth.0")), np.int16(number("flags.0")))
    return own.spread_floors(np.where(lie.ground & ~lie.having("water", "pit"), terrain, under), lie)


def _stone_variants(lie: Terrain) -> Layer:
    """Which of four variants the stone of each cell has."""
    return (lie.throws >> np.uint32(8) & np.uint32(3)).astype(np.int16)


def _draw_tops(canvas: PixelCanvas, land: PixelTerrain, lie: Terrain) -> None:
    """Draw rock from above, with a rim at its edge: brightest to the south."""
    top = land.top
    np.copyto(canvas.image, arrange_tiles(_stone_textures()[0], _stone_variants(lie)), where=top[..., None])
    rims = {
        side: top & ~moved(top, *step) for side, step in (("n", (0, -1)), ("s", (0, 1)), ("w", (-1, 0)), ("e", (1, 0)))
    }
    edge = rims["n"] | rims["s"] | rims["w"] | rims["e"]
    canvas.tint(top & (moved(edge, 0, 1) | moved(edge, 0, -1) | moved(edge, 1, 0) | moved(edge, -1, 0)), "top bright")
    for side, tone, light in (("n", "rim", 0.85), ("w", "rim", 1.0), ("e", "rim", 0.8), ("s", "rim bright", 1.0)):
        canvas.tint(rims[side], tone, light)
    canvas.tint(rims["s"] & (tile_texture(build_noise(2, "chips"), top.shape) > 190), "rim")


def _draw_faces(canvas: PixelCanvas, land: PixelTerrain, lie: Terrain) -> None:
    """Draw rock from the side: courses of bricks, or crags."""
    ys, xs = np.nonzero(land.face)
    below = land.below[ys, xs]
    down = (FACE_HEIGHT - below).astype(np.intp)  # from the top of the wall
    _, courses, crags = _stone_textures()
    found = courses[_stone_variants(lie)[ys // TILE_PIXELS, xs // TILE_PIXELS], down, xs % TILE_PIXELS]
    wild = land.wild[ys, xs]
    if wild.any():
        row = (ys + below) // TILE_PIXELS  # the ground's row, so that faces side by side join
        found = np.where(wild[:, None], crags[down, (xs + row * CRAG_SHIFT) % crags.shape[1]], found)
    canvas.image[ys, xs] = found
    canvas.dim(land.face & moved(land.top, 0, -1), 0.82)
    canvas.dim(land.face & (moved(land.ground, -1, 0) | moved(land.ground, 1, 0)), 0.72)
    canvas.tint(
        land.face & land.wild & (land.below <= 1 + tile_texture(build_noise(4, "foot"), land.face.shape) // 120),
        "earth dark",
        0.72,
    )


@cache
def _stone_textures() -> tuple[Bytes, Bytes, Bytes]:
    """Four variants of tops, four of bricks, and a long strip of crags."""
    tops = np.stack([opaque_pixels(paint_rock_top(look)) for look in range(4)])[..., :3]
    courses = np.stack([opaque_pixels(paint_bricks(look)) for look in range(4)])[..., :3]
    crags = paint_crag_strip() * np.linspace(1.12, 0.62, FACE_HEIGHT, dtype=np.float32)[:, None, None]
    return tops, courses, opaque_pixels(crags)[..., :3]
