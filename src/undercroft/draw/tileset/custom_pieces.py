"""Pieces for custom tiles: the pieces of their roles, in their own colours.

A palette has at most MAX_CUSTOM_PIECES of them. Tiles for which there is no room have one piece each.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.core.custom_tiles import has_own_colour, list_custom_codes
from undercroft.core.palette import Palette, Tile
from undercroft.draw.tileset.paint import TILE_PIXELS, Pixels, TilesetPiece, pixel_noise
from undercroft.draw.tileset.recolour import grained, recoloured
from undercroft.draw.tileset.tile_sheet import Tileset, tileset
from undercroft.draw.tileset.water_and_pit_tiles import find_hollow_pixels

MAX_CUSTOM_PIECES = 12_000
"""The most pieces for the custom tiles of a palette, besides one for each."""
STANDING_SHARE = 180
"""How strong, of 256, the colour of a door, a pillar or a stair is: its stone stays visible."""
PIECE_PREFIXES = {
    "void": ("void", "deep", "deeper", "wall", "rock"),
    "wall": ("deep", "deeper", "wall", "rock", "secret.wall", "secret.rock"),
    "floor": ("flags", "paving", "earth"),
    "corridor": ("paving", "flags", "earth"),
    "water": ("pool", "lake"),
    "pit": ("shaft", "chasm"),
    "door": ("door.ns.closed", "door.ew.closed"),
    "opening": ("door.ns.open", "door.ew.open"),
    "locked": ("door.ns.locked", "door.ew.locked"),
    "secret": ("secret.wall", "secret.rock", "secret.mark"),
    "pillar": ("pillar",),
    "entry": ("stairs.up",),
    "exit": ("stairs.down",),
}
"""For each role the pieces that can stand for it; the first of them alone, if there is no room for all."""


class CustomPieces(NamedTuple):
    """The pieces of the custom tiles of a palette."""

    tiles: Tileset
    """They, and before them all standard pieces."""
    first: int
    """The number of the first of them."""
    codes: tuple[int, ...]
    """The palette's tile that each stands for."""
    tables: dict[int, NDArray[np.int16]]
    """For each custom tile, by its code: the piece that replaces each standard one; the same number if none does."""

    def standard_names(self, palette: Palette) -> dict[str, str]:
        """The name of the tile that standard pieces stand for, by role: that of the palette's first tile which is not a
        custom one.
        """
        found: dict[str, str] = {}
        for code, tile in enumerate(palette.tiles):
            if code not in self.tables:
                found.setdefault(tile.role, tile.name)
        return found


@lru_cache(maxsize=8)
def custom_pieces(palette: Palette) -> CustomPieces:
    """The pieces of a palette.

    >>> from undercroft.core.palette import STANDARD
    >>> grass = Tile("grass", "floor", "g", "g", "#6fae4a", walkable=True, opaque=False)
    >>> found = custom_pieces(Palette([*STANDARD.tiles, grass]))
    >>> found.tiles.names[found.first], len(found.codes)
    ('grass.flags.0', 23)
    """
    standard = tileset()
    made: list[TilesetPiece] = []
    codes: list[int] = []
    tables: dict[int, NDArray[np.int16]] = {}
    for code in list_custom_codes(palette):
        tile = palette.tiles[code]
        numbers = _base_numbers(tile.role)
        if len(made) + len(numbers) > MAX_CUSTOM_PIECES:
            numbers = numbers[:1]
        table = np.arange(len(standard), dtype=np.int16)
        if len(numbers) == 1:
            table[list(_base_numbers(tile.role))] = len(standard) + len(made)
        for number in numbers:
            table[number] = len(standard) + len(made)
            made.append(_build_piece(tile, number, standard))
            codes.append(code)
        table.setflags(write=False)
        tables[code] = table
    if not made:
        return CustomPieces(standard, len(standard), (), {})
    pixels = np.concatenate([standard.pixels, np.stack([piece.pixels for piece in made])])
    pixels.setflags(write=False)
    whole = Tileset(
        pixels,
        standard.size,
        standard.columns,
        (*standard.names, *(piece.name for piece in made)),
        (*standard.solid, *(piece.solid for piece in made)),
        (*standard.roles, *(piece.role for piece in made)),
    )
    return CustomPieces(whole, len(standard), tuple(codes), tables)


@cache
def _base_numbers(role: str) -> tuple[int, ...]:
    """The numbers of the standard pieces that can stand for a role, in the order of their prefixes."""
    return tuple(_list_base_numbers(role))


def _list_base_numbers(role: str) -> Iterator[int]:
    for prefix in PIECE_PREFIXES[role]:
        for number, name in enumerate(tileset().names):
            if name == prefix or name.startswith(f"{prefix}."):
                yield number


@cache
def _pit_noise() -> Pixels:
    """Blots two pixels wide on the ground of a pit."""
    half = TILE_PIXELS // 2
    blots = pixel_noise("pit ground", width=half, height=half) * 255
    return np.rint(blots).astype(np.uint8).repeat(2, axis=0).repeat(2, axis=1)


def _build_piece(tile: Tile, number: int, standard: Tileset) -> TilesetPiece:
    name, role = standard.names[number], tile.role
    pixels = standard.pixels[number]
    hides = name.startswith("secret.") and name != "secret.mark"
    if has_own_colour(tile) and not (hides and role == "secret"):  # a secret door looks like the wall around it
        pixels = pixels.copy()
        inside = find_hollow_pixels().get(name, pixels[..., 3] > 0)
        share = 256 if role in ("floor", "corridor", "wall", "void", "water", "pit") else STANDING_SHARE
        pixels[..., :3][inside] = recoloured(pixels[..., :3][inside], tile.colour, role, share)
        if role == "pit":
            pixels[..., :3][inside] = grained(pixels[..., :3][inside], _pit_noise()[inside])
    if hides and role == "wall":
        return TilesetPiece(f"{tile.name}.{name}", "secret", False, pixels)
    return TilesetPiece(f"{tile.name}.{name}", role, not tile.walkable and name != "pillar.head", pixels)
