"""Write levels as drawings for REXPaint, an editor of maps made of signs, and for programs that read its files, such
as python-tcod.

A file is compressed with gzip: a version, the number of layers, and for each layer its width, its height and its cells
by columns, ten bytes per cell: the sign (a code of code page 437, as in REXPaint's own fonts) and two colours. A cell
with a pure magenta background is transparent.

Our layers are the ground, the doors over it, and the things.
Below a door is ground, below a secret door is wall: with the upper layers hidden, the picture suits players.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from undercroft.core.level import Level
from undercroft.core.palette import DOOR_ROLES, Palette
from undercroft.core.region import Thing
from undercroft.formats.rexpaint.cp437 import encode_sign
from undercroft.formats.shared.palette_option import resolve_palette

CELL_DTYPE = np.dtype([("sign", "<u4"), ("ink", "u1", 3), ("ground", "u1", 3)])
CLEAR_COLOUR = (255, 0, 255)
"""The background of a transparent cell."""
DEFAULT_THING_COLOUR = "#ffd75f"
"""The colour of a thing without its own."""
VERSION = -1
BLOCK_CELLS = 1 << 19
"""The number of cells to compress or decompress at once."""
COMPRESSION_LEVEL = 4


def dump(level: Level) -> bytes:
    """The level as the bytes of an .xp file; the same level gives the same bytes."""
    packing = zlib.compressobj(COMPRESSION_LEVEL, wbits=-15)
    parts: list[bytes] = []
    crc = size = 0
    for piece in _dump_layers(level):
        crc, size = zlib.crc32(piece, crc), size + len(piece)
        parts.append(packing.compress(piece))
    # no time, name or system, so that the bytes are the same everywhere
    return b"".join(
        [b"\x1f\x8b\x08\0\0\0\0\0\0\xff", *parts, packing.flush(), struct.pack("<II", crc, size & 0xFFFFFFFF)]
    )


def _dump_layers(level: Level) -> Iterator[bytes]:
    looks = _tile_cells(level.palette)
    below = _build_base_table(level.palette)
    doors = looks.copy()
    doors[~level.palette.role_mask(*DOOR_ROLES)] = _clear_cell()
    yield struct.pack("<iI", VERSION, 3)
    yield from _dump_layer(level, lambda tiles: looks[below[tiles]])
    yield from _dump_layer(level, lambda tiles: doors[tiles])
    clear = np.full(256, _clear_cell(), CELL_DTYPE)
    cells = {(thing.x, thing.y): _thing_cell(thing) for thing in reversed(level.things)}
    yield from _dump_layer(level, lambda tiles: clear[tiles], cells)


def _dump_layer(
    level: Level,
    drawn: Callable[[NDArray[np.uint8]], NDArray[np.void]],
    cells: dict[tuple[int, int], NDArray[np.void]] | None = None,
) -> Iterator[bytes]:
    """A layer, some columns at a time; `cells` are drawn over the rest."""
    yield struct.pack("<II", level.width, level.height)
    step = max(1, BLOCK_CELLS // level.height)
    for x in range(0, level.width, step):
        block = np.ascontiguousarray(drawn(level.tiles[:, x : x + step]).T)
        for (at, y), cell in (cells or {}).items():
            if x <= at < x + step:
                block[at - x, y] = cell
        yield block.tobytes()


def _tile_cells(palette: Palette) -> NDArray[np.void]:
    """The cell for each tile: its face, or its glyph if REXPaint has no such sign, on a dark shade of its colour."""
    looks = np.full(256, _clear_cell(), CELL_DTYPE)
    for number, tile in enumerate(palette.tiles):
        looks[number] = _build_cell(encode_sign(tile.face, tile.glyph), tile.colour)
    return looks


def _build_cell(sign: int, colour: str) -> NDArray[np.void]:
    red, green, blue = bytes.fromhex(colour[1:])
    return np.array((sign, (red, green, blue), (red // 6, green // 6, blue // 6)), CELL_DTYPE)


def _clear_cell() -> NDArray[np.void]:
    return np.array((32, (0, 0, 0), CLEAR_COLOUR), CELL_DTYPE)


def _build_base_table(palette: Palette) -> NDArray[np.uint8]:
    """A table from tile code to the tile in the lowest layer: below doors, the tile they stand in."""
    table = np.arange(256, dtype=np.uint8)
    grounds = [palette.roles.index(role) for role in ("floor", "corridor") if role in palette.roles]
    walls = [palette.roles.index(role) for role in ("wall", "void") if role in palette.roles]
    for number, role in enumerate(palette.roles):
        if role in DOOR_ROLES:
            table[number] = next(iter(walls if role == "secret" else grounds), number)
    return table


def _thing_cell(thing: Thing) -> NDArray[np.void]:
    """The cell for a thing: its own sign, or the first letter of its kind; never a blank, which would be no thing."""
    colour = thing.data.get("colour", DEFAULT_THING_COLOUR)
    known = (
        isinstance(colour, str)
        and len(colour) == 7
        and colour[0] == "#"
        and {*colour[1:].casefold()} <= {*"0123456789abcdef"}
    )
    signs = (str(thing.data.get("glyph", "")).strip(), thing.kind.strip()[:1])
    return _build_cell(encode_sign(*signs), str(colour) if known else DEFAULT_THING_COLOUR)


def load(data: bytes, file: str, *, palette: Palette | None = None) -> Level:
    """The level in a drawing, with the standard palette or another."""
    from undercroft.formats.rexpaint.read_drawing import read_drawing

    return read_drawing(data, file, resolve_palette(palette))
