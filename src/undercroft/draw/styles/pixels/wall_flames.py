"""The torches and candles that the style adds to rooms, besides the things that burn."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from undercroft.analysis.flames import WALL_CANDLES, WALL_TORCH, Flame
from undercroft.analysis.regions import infer_regions
from undercroft.analysis.room_grids import is_room_grid
from undercroft.core.level import Level
from undercroft.draw.tileset.piece_placement import lay_pieces
from undercroft.draw.tileset.tile_sheet import tileset
from undercroft.draw.view.grid_rooms import SQUARES_PER_ROOM, expand_rooms

HALF_WALL = 0.5
"""The part of a wall's thickness, in squares, that lies in the cell of a room of a room grid."""


class WallFlame(NamedTuple):
    """A torch or candles, in cells of the level."""

    x: float
    y: float
    """The foot of the wall that a torch hangs on; the middle of the cell with candles."""
    hangs: bool
    """Whether it hangs on a wall, above its foot."""
    size: float
    """The side of a drawn square: less than 1 where a cell is a whole room."""
    flame: Flame


def find_wall_flames(level: Level) -> list[WallFlame]:
    """The torches and candles in a picture of the level, in reading order: torches first.

    >>> find_wall_flames(Level.parse('''
    ...     #####
    ...     #...#
    ...     #####
    ... '''))
    [WallFlame(x=2.5, y=1.0, hangs=True, size=1.0, flame=Flame(bright=4.0, colour='ffb45e'))]
    """
    level, size, edge = infer_regions.add_regions(level), 1.0, 0.0
    if is_room_grid(level):
        level, size, edge = expand_rooms(level), 1 / SQUARES_PER_ROOM, HALF_WALL
    decor = lay_pieces(level)["decor"]
    found = []
    for name, hangs, flame in (("torch", True, WALL_TORCH), ("candles", False, WALL_CANDLES)):
        ys, xs = np.nonzero(decor == tileset().number(name))
        found += [
            WallFlame(
                (x + 0.5 - edge) * size,
                (y + (1.0 if hangs else 0.5) - edge) * size,
                hangs,
                size,
                flame._replace(bright=flame.bright * size),
            )
            for x, y in zip(xs.tolist(), ys.tolist(), strict=True)
        ]
    return found
