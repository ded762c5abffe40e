"""Ground pieces: flagstones, paving, earth, and stairs."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from undercroft.draw.tileset.paint import (
    TILE_PIXELS,
    Paint,
    TilesetPiece,
    flat_paint,
    opaque_pixels,
    pick_colour,
    pixel_noise,
)

Slab = tuple[int, int, int, int]
"""Left, top, width, height."""
_ONE_SLAB: tuple[Slab, ...] = ((0, 0, 16, 16),)
_FLAGSTONE_LOOKS: tuple[tuple[str, tuple[Slab, ...]], ...] = (
    ("flag", _ONE_SLAB),
    ("flag light", _ONE_SLAB),
    ("flag dark", _ONE_SLAB),
    ("flag", _ONE_SLAB),
    ("flag", ((0, 0, 8, 16), (8, 0, 8, 16))),
    ("flag dark", ((0, 0, 16, 8), (0, 8, 16, 8))),
    ("flag", ((0, 0, 8, 8), (8, 0, 8, 8), (0, 8, 16, 8))),
    ("flag light", ((0, 0, 16, 9), (0, 9, 7, 7), (7, 9, 9, 7))),
    ("flag", ((0, 0, 10, 16), (10, 0, 6, 8), (10, 8, 6, 8))),
    ("flag dark", _ONE_SLAB),
)
"""The tone and the slabs of each variant of flagstones."""
_PAVING_LOOKS: tuple[tuple[Slab, ...], ...] = (
    ((0, 0, 8, 8), (8, 0, 8, 8), (0, 8, 8, 8), (8, 8, 8, 8)),
    ((0, 0, 8, 8), (8, 0, 8, 8), (0, 8, 16, 8)),
    ((0, 0, 16, 8), (0, 8, 8, 8), (8, 8, 8, 8)),
    ((0, 0, 8, 16), (8, 0, 8, 8), (8, 8, 8, 8)),
    ((0, 0, 8, 8), (0, 8, 8, 8), (8, 0, 8, 16)),
)
FLAGSTONE_WEIGHTS = (14, 9, 9, 12, 3, 2, 3, 2, 2, 8)
PAVING_WEIGHTS = (4, 2, 2, 1, 1)
EARTH_WEIGHTS = (9, 9, 9, 1, 9, 9, 9, 1)
"""The weight of each variant."""


def build_pieces() -> Iterator[TilesetPiece]:
    """All ground pieces."""
    for look in range(len(FLAGSTONE_WEIGHTS)):
        yield TilesetPiece(f"flags.{look}", "floor", False, opaque_pixels(paint_flagstones(look)))
    for look in range(len(PAVING_WEIGHTS)):
        yield TilesetPiece(
            f"paving.{look}",
            "corridor",
            False,
            opaque_pixels(_paint_slabs("flag dark", _PAVING_LOOKS[look], f"paving {look}") * np.float32(0.94)),
        )
    for look in range(len(EARTH_WEIGHTS)):
        yield TilesetPiece(f"earth.{look}", "floor", False, opaque_pixels(paint_earth(look)))
    yield TilesetPiece("stairs.up", "entry", False, opaque_pixels(_paint_stairs(down=False)))
    yield TilesetPiece("stairs.down", "exit", False, opaque_pixels(_paint_stairs(down=True)))
    yield TilesetPiece("start", "floor", False, opaque_pixels(_paint_stairs(down=False)))
    yield TilesetPiece("end", "floor", False, opaque_pixels(_paint_stairs(down=True)))


def paint_flagstones(look: int) -> Paint:
    """Flagstones: usually one slab a square, sometimes two or three."""
    return _paint_slabs(*_FLAGSTONE_LOOKS[look], f"flags {look}")


def _paint_slabs(tone: str, slabs: tuple[Slab, ...], name: str) -> Paint:
    """Slabs with a light edge above and to the left, and a joint below and to the right."""
    paint = flat_paint(tone)
    rough = pixel_noise(name)
    for number, (left, top, width, height) in enumerate(slabs):
        part = paint[top : top + height, left : left + width]
        part *= np.float32(1 + 0.07 * (rough[number, 0] - 0.5))
        here = rough[top : top + height, left : left + width]
        part[here < 0.09] *= np.float32(0.955)
        part[here > 0.93] *= np.float32(1.04)
        part[0] *= np.float32(1.09)
        part[:, 0] *= np.float32(1.05)
        part[-1] = part[:, -1] = pick_colour("joint")
        part[-1, 0] = part[0, -1] = pick_colour("joint", 1.12)  # worn joint between slabs
    return paint


def paint_earth(look: int) -> Paint:
    """Trodden earth: soft blots, grit, a few stones. No shape is cut at the edge."""
    paint = flat_paint("earth")
    rough = pixel_noise(f"earth {look}")
    blots = pixel_noise(f"earth blots {look}", width=4, height=4).repeat(4, axis=0).repeat(4, axis=1)
    paint *= (np.float32(0.97) + np.float32(0.06) * blots)[..., None]
    paint[rough > 0.955] = pick_colour("earth light", 0.94)
    paint[rough < 0.035] = pick_colour("earth dark")
    if look % 4 == 3:
        for number in range(2):
            x, y = (2 + int(value * 10) for value in rough[number, :2])
            paint[y : y + 2, x : x + 3] = pick_colour("earth light", 1.04)
            paint[y, x : x + 2] = pick_colour("earth light", 1.15)
            paint[y + 2, x : x + 3] = pick_colour("earth dark", 0.85)
    return paint


def _paint_stairs(*, down: bool) -> Paint:
    """Five steps between two stone sides. Stairs down get darker; stairs up get lighter to the north."""
    paint = flat_paint("flag dark")
    for step in range(5):
        top = 1 + 3 * step
        light = np.float32((1.15, 0.92, 0.66, 0.42, 0.22)[step] if down else (1.42, 1.28, 1.14, 1.0, 0.86)[step])
        paint[top : top + 3] = pick_colour("flag light") * light
        paint[top] = pick_colour("flag light") * light * np.float32(1.22)
        paint[top + 2] = pick_colour("joint") * light * np.float32(0.8)
    for columns, tone in ((slice(0, 2), 1.0), (slice(TILE_PIXELS - 2, TILE_PIXELS), 0.78)):
        paint[:, columns] = pick_colour("brick", tone)
    paint[:, 0] = pick_colour("brick light", 1.08)
    paint[:, 1] *= np.float32(0.92)
    paint[:, 2] *= np.float32(0.7)
    paint[0] = pick_colour("joint", 0.8) if down else pick_colour("brick light", 1.1)
    if down:
        paint[-1] = pick_colour("void")
        paint[-1, :2], paint[-1, -2:] = pick_colour("brick", 0.7), pick_colour("brick", 0.55)
    return paint
