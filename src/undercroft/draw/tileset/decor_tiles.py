"""Decor pieces: pillars, torches, and small litter that keeps rooms from looking empty."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from undercroft.draw.tileset.emblems import MARK_DRAWINGS, paint_emblem, paint_small_emblem
from undercroft.draw.tileset.paint import TILE_PIXELS, Pixels, TilesetPiece, masked_pixels, pick_colour
from undercroft.draw.tileset.sprites import load_drawings, render_sprite

FLAGSTONE_LITTER = (
    "crack.0",
    "rubble.0",
    "crack.1",
    "rubble.1",
    "crack.2",
    "rubble.0",
    "bones.0",
    "crack.0",
    "rubble.1",
)
EARTH_LITTER = (
    "pebbles.0",
    "tuft.0",
    "pebbles.1",
    "pebbles.0",
    "tuft.1",
    "toadstools",
    "pebbles.1",
    "bones.1",
    "pebbles.0",
    "tuft.0",
    "pebbles.1",
)
TORCH_DROP_PIXELS = 2
"""Pixels that torches hang lower than they are drawn, so that tokens on tabletops see the flame: walls block the view
from the middle of a cell on.
"""
FACE_DECOR = ("vines.0", "vines.1", "vines.0", "gap")
"""The pieces of random decor on faces."""


def build_pieces() -> Iterator[TilesetPiece]:
    """All decor pieces."""
    pillar = paint_pillar()
    yield TilesetPiece("pillar", "pillar", True, pillar[TILE_PIXELS:])
    yield TilesetPiece("pillar.head", "pillar", False, pillar[:TILE_PIXELS])
    litter = load_drawings("litter")
    torch = render_sprite(litter["torch"], outline=False, shadow=False, lit=False)
    yield TilesetPiece("torch", "wall", False, np.roll(torch, TORCH_DROP_PIXELS, axis=0))
    for name in dict.fromkeys(FACE_DECOR):
        yield TilesetPiece(
            name, "wall", False, _faded(render_sprite(litter[name], outline=False, shadow=False, lit=False), 235)
        )
    for name in dict.fromkeys((*FLAGSTONE_LITTER, *EARTH_LITTER)):
        crack = name.startswith("crack")
        flat = render_sprite(
            litter[name], {"k": "#3c332d"} if crack else None, outline=False, shadow=not crack, lit=not crack
        )
        yield TilesetPiece(name, "floor", False, _faded(flat, 200) if crack else flat)
    yield TilesetPiece("candles", "floor", False, render_sprite(litter["candles"], outline=False, lit=False))
    yield TilesetPiece("glowcaps", "floor", False, render_sprite(litter["glowcaps"], outline=False))
    web = _faded(render_sprite(litter["cobweb"], outline=False, shadow=False, lit=False), 120)
    yield TilesetPiece("cobweb.nw", "floor", False, web)
    yield TilesetPiece("cobweb.ne", "floor", False, np.ascontiguousarray(web[:, ::-1]))
    for mark in MARK_DRAWINGS:
        yield TilesetPiece(f"emblem.{mark}", "floor", False, paint_small_emblem(mark))
        whole = paint_emblem(mark)
        for part in range(9):
            top, left = part // 3 * TILE_PIXELS, part % 3 * TILE_PIXELS
            yield TilesetPiece(
                f"emblem.{mark}.{part}", "floor", False, whole[top : top + TILE_PIXELS, left : left + TILE_PIXELS]
            )


def _faded(pixels: Pixels, most: int) -> Pixels:
    """The same pixels, translucent."""
    pixels[..., 3] = np.minimum(pixels[..., 3], most)
    return pixels


def paint_pillar() -> Pixels:
    """A pillar of two squares: it stands on the lower one and extends over the upper one."""
    height, top = 2 * TILE_PIXELS, 7
    paint, mask = np.zeros((height, TILE_PIXELS, 3), np.float32), np.zeros((height, TILE_PIXELS), bool)
    round_ = np.array([0.58, 0.84, 1.06, 1.2, 1.24, 1.16, 1.04, 0.9, 0.74, 0.58], np.float32)
    for row in range(top + 4, height - 4):
        paint[row, 3:13] = pick_colour("brick", 1.04) * (round_ * np.float32(1.05 - 0.014 * (row - top)))[:, None]
    for row in (top + 10, top + 16):
        paint[row, 3:13] *= np.float32(0.8)
    for row, left, tone in (
        (0, 4, 1.34),
        (1, 2, 1.2),
        (2, 2, 1.1),
        (3, 3, 0.72),
        (20, 3, 1.2),
        (21, 2, 1.12),
        (22, 2, 0.98),
        (23, 3, 0.72),
    ):
        across = np.linspace(1.1, 0.66, TILE_PIXELS - 2 * left, dtype=np.float32)[:, None]
        paint[top + row, left : TILE_PIXELS - left] = pick_colour("brick light", tone) * across
        mask[top + row, left : TILE_PIXELS - left] = True
    mask[top + 4 : height - 5, 3:13] = True
    found = masked_pixels(paint, mask)
    ys, xs = np.indices((height, TILE_PIXELS))
    shade = ((xs - 9) ** 2 * 5 + (ys - (height - 3)) ** 2 * 24 < 49 * 5) & ~mask
    found[shade] = (0, 0, 0, 105)
    return found
