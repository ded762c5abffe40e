"""Rock, water and pits in the colours of their tiles, and ground that continues under smooth shores."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.core.custom_tiles import has_own_colour
from undercroft.core.level import Level
from undercroft.core.palette import Tile
from undercroft.draw.styles.pixels.pixel_terrain import (
    Bytes,
    Mask,
    PixelTerrain,
    build_noise,
    cells_to_pixels,
    tile_texture,
)
from undercroft.draw.tileset.recolour import grained, recoloured
from undercroft.draw.tileset.terrain import Layer, Terrain
from undercroft.draw.view.coloured_tiles import HOLLOW_ROLES, ROCK_ROLES, find_shown_tiles
from undercroft.draw.view.tint import spread_colours

Numbers = NDArray[np.int32]


class OwnColours(NamedTuple):
    """The tiles of a level with a colour of their own, or of some rows of it."""

    tiles: tuple[Tile, ...]
    """They, from number 1 on."""
    rock: Numbers
    """The number of each cell of rock, and of the ground beside it; 0 for none."""
    hollow: Numbers
    """The same for water and pits."""

    @classmethod
    def of(cls, level: Level, frame: int, *, secrets: bool) -> OwnColours:
        """The colours of a level in a frame."""
        palette = level.palette
        codes = np.pad(find_shown_tiles(level, secrets=secrets), frame, mode="edge").astype(np.int32)
        tiles = tuple(tile for tile in palette.tiles if has_own_colour(tile))
        if not tiles:
            return cls((), codes, codes)
        table = np.zeros(256, np.int32)
        for number, tile in enumerate(tiles, 1):
            table[palette[tile.name]] = number
        grids = []
        for roles in (ROCK_ROLES, HOLLOW_ROLES):
            there = palette.role_mask(*roles)[codes]
            numbers = np.where(there, table[codes], 0).astype(np.int32)
            spread_colours(numbers, there)
            grids.append(numbers)
        return cls(tiles, *grids)

    def rows(self, top: int, bottom: int) -> OwnColours:
        """Some rows of it."""
        return self._replace(rock=self.rock[top:bottom], hollow=self.hollow[top:bottom])

    def apply(self, image: Bytes, land: PixelTerrain) -> None:
        """Colour the pixels of rock, water and pits."""
        if not self.tiles:
            return
        masks: dict[str, tuple[Mask, Numbers]] = {
            "wall": (~land.ground, self.rock),
            "void": (~land.ground, self.rock),
            "water": (land.water, self.hollow),
            "pit": (land.pit, self.hollow),
        }
        for number, tile in enumerate(self.tiles, 1):
            if tile.role in masks:
                mask, numbers = masks[tile.role]
                there = mask & cells_to_pixels(numbers == number)
                image[there] = recoloured(image[there], tile.colour, tile.role)
                if tile.role == "pit":
                    image[there] = grained(image[there], tile_texture(build_noise(7, "pit ground"), mask.shape)[there])

    def spread_floors(self, floors: Layer, lie: Terrain) -> Layer:
        """Ground pieces, with those beside water and pits continued under their shores."""
        if not self.tiles:
            return floors
        numbers = floors.astype(np.int32)
        spread_colours(numbers, lie.ground & ~lie.having(*HOLLOW_ROLES))
        return np.where(lie.having(*HOLLOW_ROLES), numbers, floors).astype(np.int16)
