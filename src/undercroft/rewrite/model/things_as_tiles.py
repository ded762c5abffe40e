"""Represent things as tiles while rules run."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from undercroft.core.region import Thing
from undercroft.rewrite.model.program import ThingTile

CoveredGround = dict[tuple[int, int], tuple[ThingTile, int]]
"""For each cell where a tile represents a thing: that tile, and the code that was there before."""


def place_thing_tiles(
    tiles: NDArray[np.uint8], things: Sequence[Thing], standing: Sequence[ThingTile]
) -> CoveredGround:
    """Write the tiles of things that the rules know to the map, in place. Of several on a cell, the last one counts;
    of several tiles for a thing, the one that says most about its data, then the first.
    """
    by_kind: dict[str, list[ThingTile]] = {}
    for entry in sorted(standing, key=lambda entry: -len(entry.data)):
        by_kind.setdefault(entry.kind, []).append(entry)
    ground: CoveredGround = {}
    for thing in things:
        cell = thing.x, thing.y
        for entry in by_kind.get(thing.kind, ()):
            if entry.stands_for(thing):
                ground[cell] = (entry, ground[cell][1] if cell in ground else int(tiles[thing.y, thing.x]))
                tiles[thing.y, thing.x] = entry.tile
                break
    return ground


def restore_things(
    tiles: NDArray[np.uint8], things: Sequence[Thing], standing: Sequence[ThingTile], ground: CoveredGround
) -> list[Thing]:
    """Restore the ground below tiles that stand for things, and return the things: those that are where they were, then
    the new ones, row by row.

    If the tile of a thing is gone, the thing is removed; others that it hid stay. If the tile still stands, the cell is
    restored, with the tile below it.
    """
    entries = {entry.tile: entry for entry in standing}
    if not entries:
        return list(things)
    now = {(x, y): entries[int(tiles[y, x])] for y, x in np.argwhere(np.isin(tiles, list(entries))).tolist()}
    same = {cell for cell, (entry, _) in ground.items() if now.get(cell) == entry}
    found = []
    for thing in things:
        cell = thing.x, thing.y
        if cell not in ground or cell in same or not ground[cell][0].stands_for(thing):
            found.append(thing)
    for cell, entry in now.items():
        if cell not in same:
            found.append(Thing(entry.kind, *cell, dict(entry.data)))
        tiles[cell[1], cell[0]] = ground[cell][1] if cell in same else entry.ground
    return found
