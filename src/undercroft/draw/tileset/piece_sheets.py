"""What a level looks like in programs that draw tiles: sheets of pieces, and the piece of each cell, layer by layer.

All levels share the sheet of our own tileset. The pieces of custom tiles are on a second sheet, which levels with the
same palette share. A tileset of a user's own comes first, and ours stands in for what it lacks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.core.custom_tiles import list_custom_codes
from undercroft.core.level import Level
from undercroft.core.palette import Palette
from undercroft.draw.tileset.custom_pieces import custom_pieces
from undercroft.draw.tileset.paint import Pixels
from undercroft.draw.tileset.picture import lay_pieces, thing_piece_number
from undercroft.draw.tileset.tile_sheet import SHEET_COLUMNS, tileset

SHEET_NAME = "undercroft"
"""The name of our own sheet, and the beginning of the names of others that we draw."""
CUSTOM_SHEET_PATTERN = re.compile(rf"{SHEET_NAME}-(?:[a-z0-9-]+-)?[0-9a-f]{{8}}", re.ASCII)
"""The names of sheets of custom tiles."""
Numbers = NDArray[np.int32]


class PieceFacts(NamedTuple):
    """What a piece shows."""

    piece: str
    """Its name."""
    role: str
    solid: bool
    """Whether a cell with it is blocked."""
    tile: str = ""
    """The name of the tile, if it is a custom one."""
    colour: str = ""
    """The colour of that tile."""


@dataclass(frozen=True, eq=False)
class PieceSheet:
    """A picture with pieces in rows. Each has a number, counted row by row; the last ones may be blank."""

    name: str
    """Its name; its files are called so."""
    size: int
    """Pixels a side of a piece."""
    columns: int
    rows: int
    pieces: Mapping[int, PieceFacts]
    """What is known of pieces, by their numbers."""
    encode: Callable[[], bytes]
    """Makes the picture as a PNG file."""
    width: int
    height: int
    """Pixels of the picture."""
    margin: int = 0
    """Pixels around all pieces."""
    spacing: int = 0
    """Pixels between pieces."""

    @cached_property
    def png(self) -> bytes:
        """The picture as a PNG file."""
        return self.encode()

    def __len__(self) -> int:
        return self.columns * self.rows


@dataclass(frozen=True, eq=False)
class LevelDrawing:
    """The pieces of a level. A piece's number counts through all sheets."""

    sheets: tuple[PieceSheet, ...]
    layers: Mapping[str, Numbers]
    """For each layer the number of the piece on each cell, -1 for none."""
    thing_number: Callable[[str, Mapping[str, Any]], int]
    """The number of the piece for a thing of a kind with some data."""

    @property
    def size(self) -> int:
        """Pixels a side of a cell."""
        return self.sheets[0].size

    @cached_property
    def firsts(self) -> tuple[int, ...]:
        """The number of the first piece of each sheet, and after them the count of all pieces."""
        return tuple(int(number) for number in np.cumsum([0, *map(len, self.sheets)]))

    def find_sheet(self, number: int) -> tuple[int, int]:
        """The sheet of a piece, and its number on it."""
        sheet = int(np.searchsorted(self.firsts, number, side="right")) - 1
        return sheet, number - self.firsts[sheet]

    @cached_property
    def solid_piece(self) -> int:
        """The number of the first solid piece."""
        return next(
            first + number
            for first, sheet in zip(self.firsts, self.sheets, strict=False)
            for number, facts in sorted(sheet.pieces.items())
            if facts.solid
        )


def draw_level(level: Level) -> LevelDrawing:
    """The level in our own tileset.

    >>> found = draw_level(Level.parse("#..+..#"))
    >>> [sheet.name for sheet in found.sheets], found.sheets[0].pieces[int(found.layers["doors"][0, 3])].piece
    (['undercroft'], 'door.ew.closed')
    """
    standard, own = standard_sheet(), custom_sheet(level.palette)
    first = custom_pieces(level.palette).first
    layers = {}
    for name, layer in lay_pieces(level).items():
        numbers = layer.astype(np.int32)
        numbers[numbers >= first] += len(standard) - first
        layers[name] = numbers
    return LevelDrawing((standard, own) if own else (standard,), layers, thing_piece_number)


@cache
def standard_sheet(size: int = 0) -> PieceSheet:
    """The sheet of our own tileset; with a size, scaled to that many pixels a piece."""
    tiles = tileset()
    pieces = {
        number: PieceFacts(*row) for number, row in enumerate(zip(tiles.names, tiles.roles, tiles.solid, strict=True))
    }
    return build_sheet(SHEET_NAME, tiles.pixels, pieces, size)


def custom_sheet(palette: Palette, size: int = 0) -> PieceSheet | None:
    """The sheet of the custom tiles of a palette; None if it has none. Its name tells palettes apart."""
    return _build_custom_sheet(palette, custom_sheet_name(palette), size) if list_custom_codes(palette) else None


@lru_cache(maxsize=8)
def _build_custom_sheet(palette: Palette, name: str, size: int) -> PieceSheet:
    """The same; palettes with equal tiles may have different names."""
    found = custom_pieces(palette)
    tiles, pieces = found.tiles, {}
    for number, code in enumerate(found.codes):
        at, tile = found.first + number, palette.tiles[code]
        pieces[number] = PieceFacts(tiles.names[at], tiles.roles[at], tiles.solid[at], tile.name, tile.colour)
    return build_sheet(name, tiles.pixels[found.first :], pieces, size)


def custom_sheet_name(palette: Palette) -> str:
    """The name of the sheet of a palette's custom tiles: the palette's name, and a digest of its tiles."""
    said = "\n".join(
        f"{tile.name}\0{tile.role}\0{tile.colour}\0{tile.walkable}\0{tile.opaque}" for tile in palette.tiles
    )
    mark = blake2b(said.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
    words = "-".join(re.findall(r"[a-z0-9]+", palette.name.casefold()[:60], re.ASCII))[:24].strip("-")
    return "-".join(filter(None, (SHEET_NAME, words, mark)))


def build_sheet(name: str, pixels: Pixels, pieces: Mapping[int, PieceFacts], size: int = 0) -> PieceSheet:
    """A sheet of pieces in rows of 32. With another size than theirs, they are scaled and the name says so."""
    side = pixels.shape[1]
    columns, rows = SHEET_COLUMNS, -(-len(pixels) // SHEET_COLUMNS)
    size = size or side
    return PieceSheet(
        name if size == side else f"{name}-{size}",
        size,
        columns,
        rows,
        pieces,
        lambda: _encode_sheet(pixels, columns, rows, size),
        columns * size,
        rows * size,
    )


def _encode_sheet(pixels: Pixels, columns: int, rows: int, size: int) -> bytes:
    from PIL import Image

    from undercroft.draw.scene.png_file import encode_png_file

    side = pixels.shape[1]
    sheet = np.zeros((rows * columns, side, side, 4), np.uint8)
    sheet[: len(pixels)] = pixels
    image = Image.fromarray(
        sheet.reshape(rows, columns, side, side, 4).swapaxes(1, 2).reshape(rows * side, columns * side, 4)
    )
    if size != side:
        image = image.resize((columns * size, rows * size), Image.Resampling.NEAREST)
    return encode_png_file(image)
