"""What lies about: pillars, torches, and small things that keep empty rooms from looking empty."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from undercroft.draw.tileset.emblems import MARKS, emblem, small_emblem
from undercroft.draw.tileset.paint import SIZE, Piece, Pixels, colour, through
from undercroft.draw.tileset.sprites import drawn, pictures

FLAG_LOTS = ("crack.0", "rubble.0", "crack.1", "rubble.1", "crack.2", "rubble.0", "bones.0", "crack.0", "rubble.1")
EARTH_LOTS = (
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
FACE_LOTS = ("vines.0", "vines.1", "vines.0", "gap")
"""What is drawn by lot."""


def pieces() -> Iterator[Piece]:
    """All of them."""
    pillar = column()
    yield Piece("pillar", "pillar", True, pillar[SIZE:])
    yield Piece("pillar.head", "pillar", False, pillar[:SIZE])
    litter = pictures("litter")
    yield Piece("torch", "wall", False, drawn(litter["torch"], outline=False, shadow=False, lit=False))
    for name in dict.fromkeys(FACE_LOTS):
        yield Piece(name, "wall", False, _faint(drawn(litter[name], outline=False, shadow=False, lit=False), 235))
    for name in dict.fromkeys((*FLAG_LOTS, *EARTH_LOTS)):
        crack = name.startswith("crack")
        flat = drawn(litter[name], {"k": "#3c332d"} if crack else None, outline=False, shadow=not crack, lit=not crack)
        yield Piece(name, "floor", False, _faint(flat, 200) if crack else flat)
    yield Piece("candles", "floor", False, drawn(litter["candles"], outline=False, lit=False))
    yield Piece("glowcaps", "floor", False, drawn(litter["glowcaps"], outline=False))
    web = _faint(drawn(litter["cobweb"], outline=False, shadow=False, lit=False), 120)
    yield Piece("cobweb.nw", "floor", False, web)
    yield Piece("cobweb.ne", "floor", False, np.ascontiguousarray(web[:, ::-1]))
    for mark in MARKS:
        yield Piece(f"emblem.{mark}", "floor", False, small_emblem(mark))
        whole = emblem(mark)
        for part in range(9):
            top, left = part // 3 * SIZE, part % 3 * SIZE
            yield Piece(f"emblem.{mark}.{part}", "floor", False, whole[top : top + SIZE, left : left + SIZE])


def _faint(pixels: Pixels, most: int) -> Pixels:
    """The same, and one sees through it."""
    pixels[..., 3] = np.minimum(pixels[..., 3], most)
    return pixels


def column() -> Pixels:
    """A pillar of two squares: it stands on the lower one and rises over the upper one."""
    height, top = 2 * SIZE, 7
    paint, mask = np.zeros((height, SIZE, 3), np.float32), np.zeros((height, SIZE), bool)
    round_ = np.array([0.58, 0.84, 1.06, 1.2, 1.24, 1.16, 1.04, 0.9, 0.74, 0.58], np.float32)
    for row in range(top + 4, height - 4):
        paint[row, 3:13] = colour("brick", 1.04) * (round_ * np.float32(1.05 - 0.014 * (row - top)))[:, None]
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
        across = np.linspace(1.1, 0.66, SIZE - 2 * left, dtype=np.float32)[:, None]
        paint[top + row, left : SIZE - left] = colour("brick light", tone) * across
        mask[top + row, left : SIZE - left] = True
    mask[top + 4 : height - 5, 3:13] = True
    found = through(paint, mask)
    ys, xs = np.indices((height, SIZE))
    shade = ((xs - 9) ** 2 * 5 + (ys - (height - 3)) ** 2 * 24 < 49 * 5) & ~mask
    found[shade] = (0, 0, 0, 105)
    return found
