"""Give pixels of the tileset another colour: light and shade stay, so that stones remain stones."""

from __future__ import annotations

from math import isqrt

import numpy as np
from numpy.typing import NDArray

from undercroft.draw.scene.colour import brightness, rgb
from undercroft.draw.tileset.paint import COLOURS

Colours = NDArray[np.uint8]
"""Red, green and blue in the last axis."""
REFERENCE_COLOURS = {"floor": "flag", "corridor": "flag dark", "wall": "brick", "void": "brick", "water": "water"}
"""For each role the colour of the tileset that becomes the new colour; lighter and darker ones become its shades."""
FULL_SHARE, OLD_SHARE = 256, 30
"""The whole, and the part of the old colour that stays."""
MAX_SHADE = 435
"""The lightest shade of the new colour; 256 is the colour itself."""
PALE_HIGHLIGHT = 60
"""How much white is in a highlight of twice the brightness."""
PIT_WALL_BRIGHTNESS = 40
"""The brightness from which a pixel of a pit counts as its wall."""


def recoloured(pixels: Colours, colour: str, role: str, share: int = FULL_SHARE) -> Colours:
    """Pixels in shades of a colour, as a tile of that role; `share`, of 256, is how strong the new colour is. Colours
    that are much lighter than the tileset become a little darker.

    >>> recoloured(np.array([[123, 110, 97], [61, 55, 48]], np.uint8), "#40c020", "floor").tolist()
    [[65, 166, 36], [31, 82, 17]]
    """
    reference = int(brightness(np.rint(COLOURS[REFERENCE_COLOURS.get(role, "flag")]).astype(np.uint8)))
    new, old = np.array(rgb(colour), np.uint8), pixels.astype(np.int32)
    dimmed = min(FULL_SHARE, isqrt(FULL_SHARE * FULL_SHARE * reference // max(1, int(brightness(new)))))
    tone = new.astype(np.int32) * dimmed // FULL_SHARE
    bright = brightness(pixels)[..., None]
    if role == "pit":
        wall = np.minimum(bright * FULL_SHARE // (PIT_WALL_BRIGHTNESS * 1000), FULL_SHARE)
        mixed: NDArray[np.int32] = (tone * (4 * FULL_SHARE - 3 * wall) // 4 + old * wall // 2) // FULL_SHARE
        return _to_bytes(mixed)
    shade = np.minimum(bright * FULL_SHARE // reference, MAX_SHADE)
    shaded = (tone * shade + np.maximum(shade - FULL_SHARE, 0) * PALE_HIGHLIGHT) // FULL_SHARE
    kept = FULL_SHARE - share * (FULL_SHARE - OLD_SHARE) // FULL_SHARE
    return _to_bytes((old * kept + shaded * (FULL_SHARE - kept)) // FULL_SHARE)


def _to_bytes(values: NDArray[np.int32]) -> Colours:
    found: Colours = np.clip(values, 0, 255).astype(np.uint8)
    return found


def grained(pixels: Colours, noise: NDArray[np.uint8]) -> Colours:
    """Pixels with three shades, by a noise from 0 to 255 for each, so that a surface is not flat.

    >>> grained(np.full((3, 3), 200, np.uint8), np.array([0, 120, 255], np.uint8)).tolist()
    [[168, 168, 168], [187, 187, 187], [200, 200, 200]]
    """
    shares = np.array([216, 240, 256], np.uint16)[(noise > 108).astype(np.intp) + (noise > 140)]
    return (pixels * shares[..., None] // 256).astype(np.uint8)
