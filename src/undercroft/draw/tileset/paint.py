"""Tools for painting the pieces of the tileset: one colour table, grain, and drawings converted to pixels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.core.rng import Rng
from undercroft.draw.autotile.cell_random import CellRandom
from undercroft.draw.scene.colour import rgb

TILE_PIXELS = 16
"""Pixels a side."""
Pixels = NDArray[np.uint8]
"""[y, x, RGBA]"""
Paint = NDArray[np.float32]
"""[y, x, RGB], from 0 to 255; intermediate values can be outside."""

COLOURS: dict[str, NDArray[np.float32]] = {
    name: np.array(rgb(colour), np.float32)
    for name, colour in {
        "void": "#07060b",
        "deep": "#0f0d15",
        "top": "#1d1a27",
        "top light": "#282435",
        "top bright": "#353045",
        "rim": "#4f4964",
        "rim bright": "#837a9e",
        "mortar": "#332d3b",
        "brick dark": "#564e60",
        "brick": "#6a6173",
        "brick light": "#80768a",
        "crag": "#5f5450",
        "crag light": "#85756a",
        "crag dark": "#3a3234",
        "joint": "#4f453d",
        "flag dark": "#6f6357",
        "flag": "#7b6e61",
        "flag light": "#87796b",
        "earth": "#6b5c4b",
        "earth dark": "#584a3c",
        "earth light": "#7f6e5a",
        "water deep": "#17405a",
        "water": "#205672",
        "water light": "#34799a",
        "foam": "#93cfdb",
        "pit": "#050409",
        "wood dark": "#46291a",
        "wood": "#6b4124",
        "wood light": "#93602f",
        "iron dark": "#4a4852",
        "iron": "#77747e",
        "iron light": "#b4b0b8",
        "gold": "#e9b44c",
        "moss": "#4f6a3a",
        "bone": "#d8cfb4",
        "red": "#8f2b30",
    }.items()
}


class TilesetPiece(NamedTuple):
    """One square of the tileset."""

    name: str
    role: str
    """The role that the piece depicts."""
    solid: bool
    pixels: Pixels


def pick_colour(name: str, light: float = 1.0) -> NDArray[np.float32]:
    """A colour of the table, lighter or darker."""
    return COLOURS[name] * np.float32(light)


def flat_paint(name: str, light: float = 1.0, *, width: int = TILE_PIXELS, height: int = TILE_PIXELS) -> Paint:
    """A square of one colour."""
    return np.tile(pick_colour(name, light), (height, width, 1))


def pixel_noise(name: str, *, width: int = TILE_PIXELS, height: int = TILE_PIXELS) -> NDArray[np.float32]:
    """A number from 0 to 1 for every pixel; the name seeds it."""
    throws = CellRandom(Rng.root(0).stream(f"tileset {name}"), width, height).rows(0, height)
    return (throws >> np.uint32(8)).astype(np.float32) / np.float32(1 << 24)


def opaque_pixels(paint: Paint) -> Pixels:
    """The paint as opaque pixels."""
    return masked_pixels(paint, np.ones(paint.shape[:2], bool))


def masked_pixels(paint: Paint, mask: NDArray[np.bool_]) -> Pixels:
    """The paint inside the mask; transparent elsewhere."""
    found = np.zeros((*paint.shape[:2], 4), np.uint8)
    found[..., :3] = np.clip(np.rint(paint), 0, 255)
    found[..., 3] = 255
    found[~mask] = 0
    return found
