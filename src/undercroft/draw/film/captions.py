"""The strip below an animation: which step is at work, how far it all is, and whose level it is."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.draw.film.cell_sprites import GROUND, WARM, Sprites
from undercroft.draw.scene import lettering
from undercroft.draw.scene.colour import blend, rgb
from undercroft.draw.scene.pixel_text import impression

STRIP, TRACK, TEXT, QUIET = GROUND, "#2a3145", "#e9edf7", "#8690a8"
SHADES = 4
"""Steps from the ground to a letter's colour."""
WIDE = 200
"""Pixels that a picture is wide at least to have a strip."""
LINE = 2
"""Pixels of the line that grows."""


class Caption(NamedTuple):
    """What is said below a frame."""

    step: str
    note: str
    """How far it is."""
    share: float
    """How much of all is done, from 0 to 1."""


def size_of(width: int) -> int:
    """The size of letters for a picture of that width."""
    return 13 if width < 480 else 15


def height_of(width: int) -> int:
    """The height of the strip."""
    return round(size_of(width) * 1.9) + LINE


def colours() -> list[tuple[int, int, int]]:
    """All colours that a strip has."""
    inks = [_mixed(ink, shade) for ink in (TEXT, QUIET) for shade in range(SHADES + 1)]
    return [*inks, rgb(TRACK), rgb(WARM)]


def _mixed(ink: str, shade: int) -> tuple[int, int, int]:
    r, g, b = blend(np.array(rgb(STRIP), np.uint8), rgb(ink), shade / SHADES).tolist()
    return r, g, b


def strip(caption: Caption, about: str, width: int, sprites: Sprites) -> NDArray[np.uint8]:
    """The strip, as places in the table of colours. `about` stands at its right end; what there is no room for is left
    out.
    """
    size = size_of(width)
    page = np.full((height_of(width), width), sprites.place(rgb(STRIP)), np.uint8)
    page[:LINE] = sprites.place(rgb(TRACK))
    page[:LINE, : round(width * caption.share)] = sprites.place(rgb(WARM))
    edge, line = round(size * 0.6), LINE + round(size * 1.3)
    step = lettering.fitted(caption.step, width - 2 * edge, size, "strong")
    _put(page, edge, line, step, size, "strong", _shades(sprites, TEXT))
    used = edge + lettering.width(step, size, "strong") + size * 0.7
    for words, at, x in ((caption.note, "left", used), (about, "right", width - edge)):
        room = width - edge - used
        if words and lettering.width(words, size - 1, "sans") <= room:
            _put(page, x, line, words, size - 1, "sans", _shades(sprites, QUIET), at=at)
            used += lettering.width(words, size - 1, "sans") + size
    return page


def _shades(sprites: Sprites, ink: str) -> NDArray[np.uint8]:
    """The places of an ink's shades."""
    return np.array([sprites.place(_mixed(ink, shade)) for shade in range(SHADES + 1)], np.uint8)


def _put(
    page: NDArray[np.uint8],
    x: float,
    line: int,
    words: str,
    size: int,
    face: str,
    shades: NDArray[np.uint8],
    *,
    at: str = "left",
) -> None:
    mask, left, top = impression(words, size, face)
    start = round(x - (lettering.width(words, size, face) if at == "right" else 0)) + left
    high, wide = mask.shape
    part = page[line + top : line + top + high, max(0, start) : start + wide]
    letters = np.rint(mask[: part.shape[0], : part.shape[1]] * (SHADES / 255)).astype(np.intp)
    np.copyto(part, shades[letters], where=letters > 0)
