"""Draw very large levels at a few pixels a cell: small tiles, side by side."""

from __future__ import annotations

import numpy as np
from PIL import Image

from undercroft.core.level import Level
from undercroft.draw.styles.pixels.pixel_canvas import blended
from undercroft.draw.styles.pixels.pixel_terrain import Bytes
from undercroft.draw.tileset.custom_pieces import custom_pieces
from undercroft.draw.tileset.piece_placement import LAYERS, lay_pieces
from undercroft.draw.tileset.tile_sheet import Tileset

DUSK_LIGHT = np.array([0.92, 0.86, 0.84], np.float32)
"""The uniform light."""
ROWS_PER_STRIP = 64
"""Rows of cells that are drawn at a time."""


def render_small_picture(level: Level, cell: int, margin: float) -> Image.Image:
    """The level at `cell` pixels a cell, with a margin in cells around it."""
    layers, tiles = lay_pieces(level), _scale_tiles(custom_pieces(level.palette).tiles, cell)
    edge = round(margin * cell)
    picture = np.zeros((level.height * cell + 2 * edge, level.width * cell + 2 * edge, 3), np.uint8)
    for first in range(0, level.height, ROWS_PER_STRIP):
        rows = slice(first, min(level.height, first + ROWS_PER_STRIP))
        squares = tiles[layers["terrain"][rows]][..., :3]
        for name in LAYERS[1:]:
            ys, xs = np.nonzero(layers[name][rows] >= 0)
            squares[ys, xs] = blended(tiles[layers[name][rows][ys, xs]], squares[ys, xs])
        high, wide = squares.shape[:2]
        strip = squares.swapaxes(1, 2).reshape(high * cell, wide * cell, 3)
        picture[edge + first * cell : edge + (first + high) * cell, edge : edge + wide * cell] = strip
    return Image.fromarray(picture)


def _scale_tiles(tiles: Tileset, cell: int) -> Bytes:
    """All pieces at `cell` pixels a side."""
    how = Image.Resampling.BOX if cell <= tiles.size else Image.Resampling.NEAREST
    small = np.stack([np.asarray(Image.fromarray(piece).resize((cell, cell), how)) for piece in tiles.pixels])
    small[..., :3] = (small[..., :3] * DUSK_LIGHT).astype(np.uint8)
    return small
