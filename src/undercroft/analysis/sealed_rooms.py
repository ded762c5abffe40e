"""Cells that only secret doors lead to: find them, and fill them with rock as if they had never been dug."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis import reach
from undercroft.core.level import Level
from undercroft.core.palette import Palette
from undercroft.core.region import Regions

Cells = NDArray[np.bool_]


def find_sealed_cells(level: Level, secret: Cells) -> Cells:
    """The ground beside a secret door, and all that is joined to it, if players do not come in there.

    They come in at the start; without one at the stairs up, and without these in the largest part.

    >>> level = Level.parse("<..S..S..#..")
    >>> "".join(map(str, find_sealed_cells(level, level.palette.role_mask("secret")[level.tiles])[0].astype(int)))
    '000011011000'
    """
    palette = level.palette
    parts, count = reach.label_components((~palette.rock[level.tiles] & ~secret).view(np.uint8))
    framed = np.pad(secret, 1)
    beside = framed[:-2, 1:-1] | framed[2:, 1:-1] | framed[1:-1, :-2] | framed[1:-1, 2:]
    sealed = np.zeros(count + 1, bool)
    sealed[parts[beside]] = True
    known = parts[level.start[1], level.start[0]] if level.start is not None else 0
    if known:
        sealed[known] = False
    elif (stairs := parts[palette.role_mask("entry")[level.tiles] if "entry" in palette.roles else secret]).any():
        sealed[stairs] = False
    elif count:
        sealed[1 + int(np.argmax(np.bincount(parts.reshape(-1), minlength=count + 1)[1:]))] = False
    sealed[0] = False
    return sealed[parts]


def fill_with_rock(tiles: NDArray[np.uint8], palette: Palette, cells: Cells) -> NDArray[np.uint8]:
    """The map with these cells as rock. Walls that stood around nothing else become void, if the map has any."""
    walls, voids = (palette.role_mask(role)[tiles] for role in ("wall", "void"))
    if not cells.any() or not (walls | voids).any():
        return tiles
    bare = tiles[voids] if voids.any() else tiles[walls]
    rock = np.bincount(bare).argmax()
    found = tiles.copy()
    found[cells] = rock
    if voids.any():
        found[walls & _touch(cells) & ~_touch(~cells & ~walls & ~voids)] = rock
        found[cells & _touch(~cells & ~walls & ~voids)] = np.bincount(tiles[walls]).argmax() if walls.any() else rock
    return found


def _touch(cells: Cells) -> Cells:
    """These cells and their eight neighbours."""
    framed = np.pad(cells, 1)
    rows = framed[:-2] | framed[1:-1] | framed[2:]
    found: Cells = rows[:, :-2] | rows[:, 1:-1] | rows[:, 2:]
    return found


def drop_regions(regions: Regions, cells: Cells) -> tuple[Regions, NDArray[np.int32]]:
    """The regions without these cells, and for each old label the new one; 0 for regions that are gone."""
    if not cells.any():
        return regions, np.arange(len(regions) + 1, dtype=np.int32)
    left = np.where(cells, 0, regions.labels)
    areas = np.bincount(left.reshape(-1), minlength=len(regions) + 1)
    there = np.append(False, areas[1:] > 0)
    labels = np.where(there, np.cumsum(there), 0).astype(np.int32)
    table = regions.table[there[1:]].copy()
    for label in filter(there.__getitem__, np.unique(regions.labels[cells]).tolist()):
        ys, xs = np.nonzero(left == label)
        table[labels[label] - 1] = (
            regions.table["kind"][label - 1],
            xs.min(),
            ys.min(),
            np.ptp(xs) + 1,
            np.ptp(ys) + 1,
            len(xs),
        )
    return Regions(labels[left], table), labels
