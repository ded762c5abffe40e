"""Letters of a font file that the user names, for scripts that our tables lack."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from PIL import ImageFont

from undercroft import limits
from undercroft.draw.pen.contour import trace_outlines
from undercroft.draw.scene.lettering import MISSING_SIGN, Letter, list_missing_signs, own_letters
from undercroft.errors import BadInput
from undercroft.inputs import files

PIXELS_PER_LETTER = 96
"""The size at which letters are drawn before their outlines are traced."""
MAX_LETTERS = 2000
"""The maximum number of different letters that are read from a font."""


@contextmanager
def use_font(font: str | Path | None, *texts: str) -> Iterator[None]:
    """Draw the characters of these texts that our tables lack with the letters of a font file, within the block."""
    missing = list(dict.fromkeys(sign for text in texts for sign in list_missing_signs(text)))[:MAX_LETTERS]
    if font is None or not missing:
        if font is not None:
            _load_font(font)
        yield
        return
    token = own_letters.set(read_letters(font, missing))
    try:
        yield
    finally:
        own_letters.reset(token)


def read_letters(font: str | Path, signs: list[str]) -> dict[str, Letter]:
    """The letters of a font file for these characters; characters that it lacks are left out."""
    loaded = _load_font(font)
    blank = loaded.getmask(MISSING_SIGN, "L", anchor="ls")
    nothing = bytes(blank), blank.size
    found = {}
    for sign in signs:
        mask, (left, top) = loaded.getmask2(sign, "L", anchor="ls")
        if (bytes(mask), mask.size) == nothing and sign != MISSING_SIGN:
            continue
        width, height = mask.size
        cells = np.frombuffer(bytes(mask), np.uint8).reshape(height, width) > 127
        loops = trace_outlines(cells, np.ones_like(cells)) if cells.size else []
        corner = np.array([left, top], float)
        lines = tuple((loop.points + corner) / PIXELS_PER_LETTER for loop in loops)
        found[sign] = Letter(loaded.getlength(sign) / PIXELS_PER_LETTER, lines)
    return found


def _load_font(font: str | Path) -> ImageFont.FreeTypeFont:
    data = files.read_bytes(files.as_path(font, "font"), limits.FONT_BYTES)
    try:
        return ImageFont.truetype(io.BytesIO(data), PIXELS_PER_LETTER, layout_engine=ImageFont.Layout.BASIC)
    except OSError as error:
        raise BadInput(f"{font}: this is no font", fix="name a .ttf or .otf file") from error
