"""Read and write maps as plain text: our own glyphs, and two alphabets that other programs use for caves and for
rooms.
"""

from __future__ import annotations

import codecs
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from undercroft import limits
from undercroft.core import drawing
from undercroft.core.level import Level
from undercroft.core.palette import DOOR_ROLES, STANDARD, Palette
from undercroft.core.region import Regions
from undercroft.core.stairs import clear_stairs, find_ends
from undercroft.errors import BadInput, Place
from undercroft.formats.shared.palette_option import resolve_palette
from undercroft.inputs.lines import decode_utf8

PLAYER_GLYPH = "@"
OTHER_PALETTE = "for other glyphs, name a palette that has them: --palette FILE.toml (palette= in Python)"
"""How to read a map with glyphs of its own."""
CAVE_LEGEND = {"#": "wall", ".": "floor"}
ROOMS_LEGEND = {"#": "wall", "+": "floor", "x": "door", " ": "corridor", ".": "corridor"}
"""'.' is a corridor cell on the path; the layer "path" holds these marks."""


def dump(level: Level) -> bytes:
    """The level as lines of its palette's glyphs; things that have a glyph in the palette are drawn with it."""
    return f"{drawing.format_things(str(level), level.tiles, level.palette, level.things)}\n".encode()


def load(data: bytes, file: str, *, palette: Palette | None = None) -> Level:
    """The level in a drawing with the standard palette, or another. Short lines end in void; a single `<` and a single
    `>` are its start and end.

    Many maps draw the player as `@`: a single `@` that the palette does not have is the start, on floor. Glyphs that
    stand for things in the palette are things.

    >>> tiles = [tile._replace(glyph="W") if tile.name == "wall" else tile for tile in STANDARD.tiles]
    >>> print(load(b"W.W", "hut.txt", palette=Palette(tiles)).pretty_text())
    █·█
    """
    palette, picture = resolve_palette(palette), _decode_text(data, file)
    standing = drawing.tiles_below_things(palette)
    at = (
        picture.find(PLAYER_GLYPH)
        if PLAYER_GLYPH not in palette
        and PLAYER_GLYPH not in standing
        and picture.count(PLAYER_GLYPH) == 1
        and "floor" in palette.roles
        else -1
    )
    if at >= 0:
        standing[PLAYER_GLYPH] = palette.role("floor")
    tiles, labels = drawing.parse_tiles(picture, palette, file=file, standing=standing, other_palette=OTHER_PALETTE)
    start, end = find_ends(tiles, palette)
    if at >= 0:
        start = (at - picture.rfind("\n", 0, at) - 1, picture.count("\n", 0, at))
    things = drawing.parse_things(picture, palette)
    return Level(tiles, palette, regions=Regions.of(labels), start=start, end=end, things=things)


def find_short_rows(data: bytes, file: str) -> list[int]:
    """The indices, from 0, of the rows of a drawing that are shorter than the longest one.

    >>> find_short_rows(b"####\\n#.\\n####\\n", "hut.txt")
    [1]
    """
    lengths = [len(line) for line in _split_lines(data, file)]
    longest = max(lengths, default=0)
    return [y for y, length in enumerate(lengths) if length < longest]


def dump_cave(level: Level) -> bytes:
    """The level as '.' for walkable cells and '#' elsewhere.

    >>> print(dump_cave(Level.parse("#.+~")).decode(), end="")
    #..#
    """
    return _join_lines(np.where(level.walkable, ord("."), ord("#")).astype(np.uint8))


def load_cave(data: bytes, file: str) -> Level:
    """The level in a drawing of '#' and '.'; short lines end in rock."""
    page = _parse_signs(data, file, CAVE_LEGEND)
    return Level(_signs_to_tiles(page, CAVE_LEGEND))


def dump_rooms(level: Level) -> bytes:
    """The level as rock, rooms, doors and corridors; corridor cells on the path are dots. Stairs are written as the
    ground around them.

    >>> print(dump_rooms(Level.parse("#.+,~#")).decode(), end="")
    #+x ##
    """
    signs = np.full(256, ord("#"), np.uint8)
    signs[level.palette.walkable] = ord("+")
    signs[level.palette.role_mask("corridor")] = ord(" ")
    signs[level.palette.role_mask(*DOOR_ROLES)] = ord("x")
    page = signs[clear_stairs(level.tiles, level.palette, level.regions)]
    page[_path_mask(level) & (page == ord(" "))] = ord(".")
    return _join_lines(page)


def load_rooms(data: bytes, file: str) -> Level:
    """The level in a drawing of rooms, doors and corridors. Short lines end in rock: only a blank that is drawn is a
    corridor.
    """
    page = _parse_signs(data, file, ROOMS_LEGEND)
    marked = page == ord(".")
    return Level(_signs_to_tiles(page, ROOMS_LEGEND), layers={"path": marked} if marked.any() else {})


def _path_mask(level: Level) -> NDArray[np.bool_]:
    marked = np.zeros(level.tiles.shape, bool)
    layer = level.layers.get("path")
    if layer is not None and layer.shape == marked.shape:
        marked |= layer.astype(bool)
    marked[level.path[:, 1], level.path[:, 0]] = True
    return marked


def _join_lines(signs: NDArray[np.uint8]) -> bytes:
    """ASCII codes as lines of text."""
    height, width = signs.shape
    page = np.full((height, width + 1), ord("\n"), np.uint8)
    page[:, :width] = signs
    return page.tobytes()


def _decode_text(data: bytes, file: str) -> str:
    data = data.removeprefix(codecs.BOM_UTF8)
    limits.SIDE.check(data.count(b"\n"), f"{file}: its number of rows")  # before a text is made for each
    return decode_utf8(data, file, "save the file as UTF-8, or name its format")


def _split_lines(data: bytes, file: str) -> list[str]:
    lines = [line.removesuffix("\r") for line in _decode_text(data, file).split("\n")]
    return lines if lines[-1] else lines[:-1]


def _parse_signs(data: bytes, file: str, legend: Mapping[str, str]) -> NDArray[np.uint8]:
    """The drawing as ASCII codes, each of them in the legend; short lines are filled with rock."""
    lines = _split_lines(data, file)
    width = max(map(len, lines), default=0)
    if not width:
        raise BadInput(
            "a drawing has at least one cell", place=Place(file, 1, 1), fix=f"draw a map with {_format_legend(legend)}"
        )
    limits.SIDE.check(width, f"{file}: its longer side")
    limits.CELLS.check(width * len(lines), f"{file}: its number of cells")
    text = "".join(line.ljust(width, "#") for line in lines)
    page = np.frombuffer(text.encode("utf-32-le"), "<u4").reshape(len(lines), width)
    strange = ~np.isin(page, [ord(sign) for sign in legend])
    if strange.any():
        y, x = divmod(int(strange.argmax()), width)
        raise BadInput(
            f"unknown glyph {lines[y][x]!r}",
            place=Place(file, y + 1, x + 1, lines[y]),
            fix=f"draw with {_format_legend(legend)}; a map with other glyphs is read with --read-as text --palette "
            "FILE.toml",
        )
    return page.astype(np.uint8)


def _format_legend(legend: Mapping[str, str]) -> str:
    return "  ".join(f"{sign!r} {name}" for sign, name in legend.items())


def _signs_to_tiles(page: NDArray[np.uint8], legend: Mapping[str, str]) -> NDArray[np.uint8]:
    codes = np.zeros(128, np.uint8)
    for sign, name in legend.items():
        codes[ord(sign)] = STANDARD[name]
    return codes[page]
