"""Maps drawn as text: one parser and one printer for tests, docs and files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from undercroft import limits
from undercroft.core.frozen import EMPTY_TABLE
from undercroft.core.palette import Palette
from undercroft.core.region import Thing
from undercroft.core.thing_glyphs import ThingGlyph
from undercroft.errors import BadInput, Place


def format_tiles(tiles: NDArray[np.uint8], palette: Palette) -> str:
    """The grid as lines of glyphs, without a final line break."""
    height, width = tiles.shape
    page = np.full((height, width + 1), "\n")
    page[:, :width] = palette.glyphs[tiles]
    return str(np.ascontiguousarray(page).reshape(-1).view(f"U{page.size}")[0]).removesuffix("\n")


def parse_tiles(
    picture: str,
    palette: Palette,
    *,
    file: str = "drawing",
    standing: Mapping[str, int] = EMPTY_TABLE,
    other_palette: str = "",
) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
    """The tiles and labels of a picture.

    A digit that is not a glyph is a floor cell with that label. `standing` has the tiles below glyphs that stand for
    something else. Short lines are filled up with void. `other_palette` tells users how to give another palette.
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
        elif glyph in standing:
            codes[index] = standing[glyph]
        elif glyph in "123456789":
            codes[index] = palette.role("floor")
            digits[index] = int(glyph)
        else:
            strange[point] = glyph
    if strange:  # report the first in reading order
        y, x = divmod(int(np.isin(page, list(strange)).argmax()), width)
        glyphs = "  ".join(
            [f"{tile.glyph} {tile.name}" for tile in palette.tiles]
            + [f"{glyph} {palette.things[glyph].kind}" for glyph in palette.things if glyph in standing]
        )
        glyph = strange[int(page[y, x])]
        raise BadInput(
            f"unknown glyph {glyph!r}",
            place=Place(file, y + 1, x + 1, lines[y]),
            fix=f"the palette {palette.name!r} has {glyphs}{other_palette and f'; {other_palette}'}",
        )
    at = np.searchsorted(known, page)
    return codes[at], digits[at]


def tiles_below_things(palette: Palette) -> dict[str, int]:
    """For each glyph of the palette that stands for a thing, the code of the tile below it."""
    return {
        glyph: palette.code(thing.on) if thing.on else palette.role("floor") for glyph, thing in palette.things.items()
    }


def parse_things(picture: str, palette: Palette) -> list[Thing]:
    """The things that glyphs of a picture stand for, row by row."""
    if not palette.things:
        return []
    return [
        Thing(palette.things[glyph].kind, x, y, palette.things[glyph].data)
        for y, line in enumerate(picture.split("\n"))
        for x, glyph in enumerate(line)
        if glyph in palette.things
    ]


def find_thing_glyphs(
    tiles: NDArray[np.uint8], palette: Palette, things: Iterable[Thing]
) -> dict[tuple[int, int], str | None]:
    """The glyph of each cell with things. It is None if the palette has none for the kind, the data and the tile of the
    thing, or if several things stand there.
    """
    below = tiles_below_things(palette)
    signs = {(thing.kind, below[glyph], _data_key(thing)): glyph for glyph, thing in palette.things.items()}
    found: dict[tuple[int, int], str | None] = {}
    for thing in things:
        cell = thing.x, thing.y
        found[cell] = None if cell in found else signs.get((thing.kind, int(tiles[thing.y, thing.x]), _data_key(thing)))
    return found


def _data_key(thing: Thing | ThingGlyph) -> str:
    return repr(sorted(thing.data.items()))


def format_things(text: str, tiles: NDArray[np.uint8], palette: Palette, things: Iterable[Thing]) -> str:
    """The text of a map with the glyphs of its things, where they have one."""
    if not palette.things:
        return text
    page, width = list(text), tiles.shape[1] + 1
    for (x, y), glyph in find_thing_glyphs(tiles, palette, things).items():
        if glyph is not None:
            page[y * width + x] = glyph
    return "".join(page)


def dedented(picture: str) -> str:
    """A picture from a docstring, without the surrounding blank lines and the common indentation."""
    lines = picture.split("\n")
    while lines and not lines[0].strip():
        lines.pop(0)
    while lines and not lines[-1].strip():
        lines.pop()
    indent = min((len(line) - len(line.lstrip(" ")) for line in lines if line.strip()), default=0)
    return "\n".join(line[indent:] for line in lines)
