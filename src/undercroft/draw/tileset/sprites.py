"""Sprites drawn by hand on the sheets in `tiles`: one character a pixel. Each sprite gets an outline, light from the
upper left, and a shadow.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from undercroft import limits
from undercroft.draw.scene.colour import rgb
from undercroft.draw.tileset.paint import TILE_PIXELS, Pixels
from undercroft.inputs import files

SHEET_FOLDER = Path(__file__).parent / "tiles"
SIGN_COLOURS: dict[str, str] = {
    "k": "#17121a", "w": "#3d2517", "d": "#55331d", "D": "#774a26", "W": "#9a6836", "x": "#3a3842", "i": "#5f5c67",
    "I": "#8e8a95", "L": "#c3bfc8", "s": "#443d4e", "S": "#6a6173", "t": "#857b8f", "T": "#a79db0", "b": "#9a8f78",
    "B": "#d2c8ac", "V": "#f0e9d2", "g": "#9a6a22", "G": "#d9a03c", "Y": "#ffdf75", "r": "#5e1a24", "R": "#9a2f32",
    "e": "#d05a4a", "n": "#2c4429", "N": "#4b6e38", "M": "#7aa04c", "u": "#243a63", "U": "#3f669c", "a": "#4f9fb4",
    "A": "#a4e0e4", "p": "#3d2750", "P": "#6e4488", "q": "#a274bb", "f": "#8a5c42", "F": "#c08c66", "o": "#e0662a",
    "O": "#ff9d3c", "h": "#fff4c4", "m": "#4a4038", "j": "#675a4c", "J": "#8a7a67", "z": "#2a2430", "c": "#6e675f",
    "C": "#a8a093",
}  # fmt: skip
"""The colour of each character; a dot is transparent."""
OUTLINE_COLOUR = rgb("#140f17")
SHADOW_ALPHA = 92
"""The opacity of a sprite's shadow, of 255."""


@cache
def load_drawings(sheet: str) -> dict[str, str]:
    """The drawings of a sheet by name.

    >>> print(load_drawings("furniture")["rug"].splitlines()[0])
    GrGrGrGr
    """
    found: dict[str, str] = {}
    name = ""
    for line in files.read_text(SHEET_FOLDER / f"{sheet}.txt", limits.LAYOUT_BYTES).splitlines():
        if line.startswith(" "):
            found[name] = f"{found[name]}\n{line.strip()}" if found[name] else line.strip()
        elif line and not line.startswith("#"):
            name = line
            found[name] = ""
    return found


def render_sprite(
    picture: str, swap: Mapping[str, str] | None = None, *, outline: bool = True, shadow: bool = True, lit: bool = True
) -> Pixels:
    """The pixels of a drawing of at most 16x16 characters, centred horizontally at the bottom.

    Rows of eight characters are the left half of a symmetric sprite. `swap` gives characters another colour.

    >>> render_sprite('''
    ...     BB
    ...     BB
    ... ''', outline=False, shadow=False)[-2:, 6:10, 3].tolist()
    [[0, 255, 255, 0], [0, 255, 255, 0]]
    """
    rows = [line.strip() for line in picture.strip("\n").splitlines() if line.strip()]
    if max(map(len, rows)) == TILE_PIXELS // 2:
        rows = [half + half[::-1] for half in rows]
    width = max(map(len, rows))
    if any(len(row) != width for row in rows):
        raise ValueError(f"the rows of a drawing are equally long, and these are not:\n{picture}")
    colours = {sign: (*rgb(colour), 255) for sign, colour in (SIGN_COLOURS | dict(swap or {})).items()} | {
        ".": (0, 0, 0, 0)
    }
    pixels = np.zeros((TILE_PIXELS, TILE_PIXELS, 4), np.uint8)
    left = (TILE_PIXELS - width) // 2
    bottom = TILE_PIXELS - outline
    pixels[bottom - len(rows) : bottom, left : left + width] = [[colours[sign] for sign in row] for row in rows]
    return finish_sprite(pixels, outline=outline, shadow=shadow, lit=lit)


def finish_sprite(pixels: Pixels, *, outline: bool = True, shadow: bool = True, lit: bool = True) -> Pixels:
    """Add light, outline and shadow to flat colours."""
    pixels = pixels.copy()
    body = pixels[..., 3] > 0
    if lit:
        _apply_light(pixels, body)
    edge = _neighbour_pixels(body) & ~body if outline else np.zeros_like(body)
    pixels[edge] = (*OUTLINE_COLOUR, 255)
    if shadow:
        _cast_shadow(pixels)
    return pixels


def _apply_light(pixels: Pixels, body: NDArray[np.bool_]) -> None:
    """Lighten the upper and left edges, darken the lower and right ones."""
    framed = np.pad(body, 1)
    light = np.ones(body.shape, np.float32)
    light[~framed[:-2, 1:-1]] += np.float32(0.14)
    light[~framed[1:-1, :-2]] += np.float32(0.07)
    light[~framed[2:, 1:-1]] -= np.float32(0.16)
    light[~framed[1:-1, 2:]] -= np.float32(0.13)
    pixels[..., :3] = np.clip(np.rint(pixels[..., :3] * light[..., None]), 0, 255)


def _neighbour_pixels(body: NDArray[np.bool_]) -> NDArray[np.bool_]:
    framed = np.pad(body, 1)
    return framed[:-2, 1:-1] | framed[2:, 1:-1] | framed[1:-1, :-2] | framed[1:-1, 2:]


def _cast_shadow(pixels: Pixels) -> None:
    """Add a shadow on the ground, to the right of the lowest rows."""
    body = pixels[..., 3] > 0
    cast = np.zeros_like(body)
    for right, rows in ((1, 5), (2, 3), (3, 2)):
        low = np.zeros_like(body)
        bottom = int(np.flatnonzero(body.any(axis=1))[-1]) + 1 if body.any() else 0
        low[max(0, bottom - rows) : bottom, right:] = body[max(0, bottom - rows) : bottom, :-right]
        cast |= low
    pixels[cast & ~body] = (0, 0, 0, SHADOW_ALPHA)
