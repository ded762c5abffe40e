"""Represent things as tiles while rules run."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from undercroft.core.region import Thing
from undercroft.rewrite.model.program import ThingTile

CoveredGround = dict[tuple[int, int], tuple[str, int]]
"""For each cell where a tile represents a thing: the thing's kind, and the tile that was there before."""


def place_thing_tiles(
    tiles: NDArray[np.uint8], things: Sequence[Thing], standing: Sequence[ThingTile]
) -> CoveredGround:
    """Write the tiles of things that the rules know to the map, in place. Of several on a cell, the last one counts."""
    signs = {entry.kind: entry.tile for entry in standing}
    ground: CoveredGround = {}
    for thing in things:
        if thing.kind in signs:
            before = ground[thing.x, thing.y][1] if (thing.x, thing.y) in ground else int(tiles[thing.y, thing.x])
            ground[thing.x, thing.y] = (thing.kind, before)
            tiles[thing.y, thing.x] = signs[thing.kind]
    return ground


def restore_things(
    tiles: NDArray[np.uint8], things: Sequence[Thing], standing: Sequence[ThingTile], ground: CoveredGround
) -> list[Thing]:
    """Restore the ground below tiles that stand for things, and return the things: those that are where they were, then
    the new ones, row by row.

    If the tile of a thing is gone, the thing is removed; others that it hid stay. If the tile still stands, the cell is
    restored, with the tile below it.
    """
    kinds = {entry.tile: entry for entry in standing}
    if not kinds:
        return list(things)
    now = {(x, y): kinds[int(tiles[y, x])] for y, x in np.argwhere(np.isin(tiles, list(kinds))).tolist()}
    same = {cell for cell, (kind, _) in ground.items() if cell in now and now[cell].kind == kind}
    found = []
    for thing in things:
        laid = ground.get((thing.x, thing.y))
        if laid is None or laid[0] != thing.kind or (thing.x, thing.y) in same:
            found.append(thing)
    for cell, entry in now.items():
        if cell not in same:
            found.append(Thing(entry.kind, *cell))
        tiles[cell[1], cell[0]] = ground[cell][1] if cell in same else entry.ground
    return found
