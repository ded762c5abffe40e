"""The tile sheet: all pieces side by side on one picture."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from undercroft.draw.tileset import (
    decor_tiles,
    door_tiles,
    ground_tiles,
    rock_tiles,
    thing_sprites,
    water_and_pit_tiles,
)
from undercroft.draw.tileset.paint import TILE_PIXELS, Pixels, TilesetPiece
from undercroft.errors import unknown_name_error

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PIL import Image

SHEET_COLUMNS = 32


@dataclass(frozen=True, eq=False, repr=False)
class Tileset:
    """Square pieces on one picture, numbered row by row from the top left."""

    pixels: Pixels
    """[number, y, x, RGBA]"""
    size: int
    """Pixels a side of a piece."""
    columns: int
    """Pieces in a row of the picture."""
    names: tuple[str, ...]
    """The name of each piece."""
    solid: tuple[bool, ...]
    """Whether a cell with that piece is blocked."""
    roles: tuple[str, ...]
    """The role that each piece depicts."""

    @cached_property
    def image(self) -> Image.Image:
        """The picture, with an alpha channel."""
        from PIL import Image

        rows = -(-len(self.names) // self.columns)
        sheet = np.zeros((rows * self.columns, self.size, self.size, 4), np.uint8)
        sheet[: len(self.names)] = self.pixels
        return Image.fromarray(
            sheet.reshape(rows, self.columns, self.size, self.size, 4)
            .swapaxes(1, 2)
            .reshape(rows * self.size, self.columns * self.size, 4)
        )

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """The number of each name."""
        return MappingProxyType({name: number for number, name in enumerate(self.names)})

    def number(self, name: str) -> int:
        """The number of the piece of that name."""
        if name not in self.numbers:
            raise unknown_name_error("piece of the tileset", name, self.names)
        return self.numbers[name]

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return f"<Tileset {len(self)} pieces of {self.size}x{self.size}>"


@cache
def tileset() -> Tileset:
    """Our own tileset. It is drawn at the first call.

    >>> tiles = tileset()
    >>> tiles.names[tiles.number("stairs.down")], tiles.solid[tiles.number("pool.alone")]
    ('stairs.down', True)
    """
    pieces: list[TilesetPiece] = []
    for part in (rock_tiles, ground_tiles, water_and_pit_tiles, door_tiles, decor_tiles, thing_sprites):
        pieces += part.build_pieces()
    pixels = np.stack([piece.pixels for piece in pieces])
    pixels.setflags(write=False)
    names, solid, roles = (tuple(getattr(piece, field) for piece in pieces) for field in ("name", "solid", "role"))
    return Tileset(pixels, TILE_PIXELS, SHEET_COLUMNS, names, solid, roles)
