"""Things as tiles while rules run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from undercroft.core.region import Thing
from undercroft.rewrite.program import Standing


def set_up(tiles: NDArray[np.uint8], things: Iterable[Thing], standing: Sequence[Standing]) -> None:
    """Put the tiles of things that rules know on the map, in place."""
    signs = {entry.kind: entry.tile for entry in standing}
    for thing in things:
        if thing.kind in signs:
            tiles[thing.y, thing.x] = signs[thing.kind]


def take_up(tiles: NDArray[np.uint8], things: Iterable[Thing], standing: Sequence[Standing]) -> list[Thing]:
    """Put the ground back in place of tiles that stand for things, and tell the things: those rules do not know first, then all others, row by row.

    A thing that stands where one of its kind stood before is that one, with all that is known of it.
    """
    kinds = {entry.tile: entry for entry in standing}
    if not kinds:
        return list(things)
    known = {(thing.kind, thing.x, thing.y): thing for thing in things}
    names = {entry.kind for entry in standing}
    found = [thing for thing in things if thing.kind not in names]
    for y, x in np.argwhere(np.isin(tiles, list(kinds))).tolist():
        entry = kinds[int(tiles[y, x])]
        found.append(known.get((entry.kind, x, y)) or Thing(entry.kind, x, y))
        tiles[y, x] = entry.ground
    return found
