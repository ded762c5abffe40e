"""The strip below an animation: the current step, the progress, and the origin of the level."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.draw.film.cell_sprites import GLOW_COLOUR, GROUND, CellSprites
from undercroft.draw.scene import lettering
from undercroft.draw.scene.colour import blend, rgb
from undercroft.draw.scene.pixel_text import render_text_mask

STRIP, TRACK, TEXT, QUIET = GROUND, "#2a3145", "#e9edf7", "#8690a8"
SHADE_STEPS = 4
"""Steps from the background to a letter's colour."""
MIN_STRIP_WIDTH = 200
"""The minimum width of a picture with a strip, in pixels."""
PROGRESS_LINE_PIXELS = 2
"""The height of the progress line, in pixels."""


class Caption(NamedTuple):
    """The caption of a frame."""

    step: str
    note: str
    """The progress of the step."""
    share: float
    """The share of all work that is done, from 0 to 1."""


def letter_size(width: int) -> int:
    """The size of letters for a picture of that width."""
    return 13 if width < 480 else 15


def strip_height(width: int) -> int:
    """The height of the strip."""
    return round(letter_size(width) * 1.9) + PROGRESS_LINE_PIXELS


def list_strip_colours() -> list[tuple[int, int, int]]:
    """All colours of a strip."""
    inks = [_mix_ink(ink, shade) for ink in (TEXT, QUIET) for shade in range(SHADE_STEPS + 1)]
    return [*inks, rgb(TRACK), rgb(GLOW_COLOUR)]


def _mix_ink(ink: str, shade: int) -> tuple[int, int, int]:
    r, g, b = blend(np.array(rgb(STRIP), np.uint8), rgb(ink), shade / SHADE_STEPS).tolist()
    return r, g, b


def render_strip(caption: Caption, about: str, width: int, sprites: CellSprites) -> NDArray[np.uint8]:
    """The strip, as indexes into the colour table. `about` is at its right end; text that does not fit is left out."""
    size = letter_size(width)
    page = np.full((strip_height(width), width), sprites.colour_index(rgb(STRIP)), np.uint8)
    page[:PROGRESS_LINE_PIXELS] = sprites.colour_index(rgb(TRACK))
    page[:PROGRESS_LINE_PIXELS, : round(width * caption.share)] = sprites.colour_index(rgb(GLOW_COLOUR))
    edge, line = round(size * 0.6), PROGRESS_LINE_PIXELS + round(size * 1.3)
    step = lettering.shorten_to_fit(caption.step, width - 2 * edge, size, "strong")
    _draw_words(page, edge, line, step, size, "strong", _shade_places(sprites, TEXT))
    used = edge + lettering.text_width(step, size, "strong") + size * 0.7
    for words, at, x in ((caption.note, "left", used), (about, "right", width - edge)):
        room = width - edge - used
        if words and lettering.text_width(words, size - 1, "sans") <= room:
            _draw_words(page, x, line, words, size - 1, "sans", _shade_places(sprites, QUIET), at=at)
            used += lettering.text_width(words, size - 1, "sans") + size
    return page


def _shade_places(sprites: CellSprites, ink: str) -> NDArray[np.uint8]:
    """The indexes of an ink's shades in the colour table."""
    return np.array([sprites.colour_index(_mix_ink(ink, shade)) for shade in range(SHADE_STEPS + 1)], np.uint8)


def _draw_words(
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
    mask, left, top = render_text_mask(words, size, face)
    start = round(x - (lettering.text_width(words, size, face) if at == "right" else 0)) + left
    high, wide = mask.shape
    part = page[line + top : line + top + high, max(0, start) : start + wide]
    letters = np.rint(mask[: part.shape[0], : part.shape[1]] * (SHADE_STEPS / 255)).astype(np.intp)
    np.copyto(part, shades[letters], where=letters > 0)
