"""Maps drawn as text: one parser and one printer for tests, docs and files."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from undercroft import limits
from undercroft.core.palette import Palette
from undercroft.errors import BadInput, Place


def format_tiles(tiles: NDArray[np.uint8], palette: Palette) -> str:
    """The grid as lines of glyphs, without a final line break."""
    height, width = tiles.shape
    page = np.full((height, width + 1), "\n")
    page[:, :width] = palette.glyphs[tiles]
    return str(np.ascontiguousarray(page).reshape(-1).view(f"U{page.size}")[0]).removesuffix("\n")


def parse_tiles(
    picture: str, palette: Palette, *, file: str = "drawing", standing: str = ""
) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
    """The tiles and labels of a picture.

    A digit that is not a glyph is a floor cell with that label. A character of `standing` is on floor. Short lines are
    filled up with void.
    """
    lines = [line.rstrip("\r") for line in picture.split("\n")]
    if lines and not lines[-1]:
        lines.pop()
    width = max(map(len, lines), default=0)
    if not width:
        raise BadInput("a drawing has at least one cell", place=Place(file, 1, 1), fix="draw a map, for example '#.#'")
    limits.SIDE.check(max(width, len(lines)), f"{file}: its longer side")
    limits.CELLS.check(width * len(lines), f"{file}: its number of cells")
    blank = " " if " " in palette else palette.tiles[0].glyph
    page = np.array([line.ljust(width, blank) for line in lines]).view(np.uint32).reshape(len(lines), width)
    known = np.unique(page)
    codes = np.zeros(len(known), np.uint8)
    digits = np.zeros(len(known), np.int32)
    strange: dict[int, str] = {}
    for index, point in enumerate(known.tolist()):
        glyph = chr(point)
        if glyph in palette:
            codes[index] = palette[glyph]
        elif glyph in "123456789":
            codes[index] = palette.role("floor")
            digits[index] = int(glyph)
        elif glyph in standing:
            codes[index] = palette.role("floor")
        else:
            strange[point] = glyph
    if strange:  # report the first in reading order
        y, x = divmod(int(np.isin(page, list(strange)).argmax()), width)
        glyphs = "  ".join(f"{tile.glyph} {tile.name}" for tile in palette.tiles)
        glyph = strange[int(page[y, x])]
        raise BadInput(
            f"unknown glyph {glyph!r}",
            place=Place(file, y + 1, x + 1, lines[y]),
            fix=f"the palette {palette.name!r} has {glyphs}",
        )
    at = np.searchsorted(known, page)
    return codes[at], digits[at]


def dedented(picture: str) -> str:
    """A picture from a docstring, without the surrounding blank lines and the common indentation."""
    lines = picture.split("\n")
    while lines and not lines[0].strip():
        lines.pop(0)
    while lines and not lines[-1].strip():
        lines.pop()
    indent = min((len(line) - len(line.lstrip(" ")) for line in lines if line.strip()), default=0)
    return "\n".join(line[indent:] for line in lines)
