"""Keep cells while the rest of a level is made again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis.reach import label_components
from undercroft.core.level import Level
from undercroft.core.palette import DOOR_ROLES, STANDARD, Palette
from undercroft.errors import BadInput


def build_start_map(old: Level, runs: Iterable[Sequence[int]]) -> tuple[Level, NDArray[np.bool_]]:
    """The map to begin with, rock around the kept cells, and the mask of these. A room that is kept whole keeps its
    pools and pillars too, and its doorways: through them, and not through its walls, new hallways reach it.

    >>> begin, mask = build_start_map(Level.parse("#..+.#"), [(1, 2)])
    >>> print(begin)
    #..###
    >>> mask.tolist()
    [[False, True, True, False, False, False]]
    """
    mask = mask_runs(runs, old.tiles.shape)
    mask |= _rest_of_whole_rooms(old, mask)
    palette, tiles = _fill_with_rock(old, mask)
    return Level(tiles, palette, things=[thing for thing in old.things if mask[thing.y, thing.x]]), mask


def mask_runs(runs: Iterable[Sequence[int]], shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """The mask of cells that are given as runs [first, length] in reading order."""
    mask = np.zeros(shape, bool)
    row = mask.reshape(-1)
    for first, length in runs:
        if not (first >= 0 and length > 0 and first + length <= row.size):
            raise BadInput(
                f"cells {first} to {first + length - 1} cannot be kept: the level has {row.size:,}",
                fix="keep cells of the level",
            )
        row[first : first + length] = True
    return mask


def _rest_of_whole_rooms(old: Level, mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """What belongs to rooms of which all cells are kept: the doors and corridor cells beside them, and their pools,
    pits and pillars.
    """
    labels = old.regions.labels
    areas = np.bincount(labels.reshape(-1), minlength=len(old.regions) + 1)
    whole = (np.bincount(labels[mask], minlength=len(areas)) == areas) & (areas > 0)
    whole[0] = False
    for region in old.regions:
        whole[region.label] &= region.kind != "corridor"
    if not whole.any():
        return np.zeros_like(mask)
    inside = ~old.walkable & ~old.palette.role_mask("wall", "void")[old.tiles]
    parts, _ = label_components(inside.view(np.uint8))
    room: NDArray[np.bool_] = whole[labels]
    room |= np.isin(parts, np.unique(parts[_beside(room) & inside])) & inside
    ways: NDArray[np.bool_] = old.palette.role_mask(*DOOR_ROLES, "corridor")[old.tiles]
    return room | (_beside(room & old.walkable) & ways)  # nobody enters across a pit


def _beside(cells: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The cells on the four sides of these cells."""
    wide = np.pad(cells, 1)
    beside: NDArray[np.bool_] = wide[:-2, 1:-1] | wide[2:, 1:-1] | wide[1:-1, :-2] | wide[1:-1, 2:]
    return beside


def _fill_with_rock(old: Level, mask: NDArray[np.bool_]) -> tuple[Palette, NDArray[np.uint8]]:
    """The kept tiles with rock around them, or with the first tile of a palette that cannot be merged with the standard
    one.
    """
    try:
        palette, table = STANDARD.merged(old.palette)
    except BadInput:
        return old.palette, np.where(mask, old.tiles, np.uint8(0))
    return palette, np.where(mask, table[old.tiles], np.uint8(STANDARD.role("wall")))


def find_changed_runs(old: Level, mask: NDArray[np.bool_], now: Level) -> list[list[int]]:
    """Kept cells whose tile has changed, as runs [first, length].

    >>> find_changed_runs(Level.parse("..+"), np.array([[True, True, True]]), Level.parse("#.#"))
    [[0, 1], [2, 1]]
    """
    if old.size != now.size:
        return list_runs(mask)
    table = now.palette.merged(old.palette)[1]  # a tile that the new palette lacks gets an unused code
    return list_runs(mask & (table[old.tiles] != now.tiles))


def list_runs(mask: NDArray[np.bool_]) -> list[list[int]]:
    """The cells of a mask as runs [first, length] in reading order."""
    edges = np.diff(np.concatenate([[0], mask.reshape(-1).astype(np.int8), [0]]))
    firsts, ends = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)
    return [[first, end - first] for first, end in zip(firsts.tolist(), ends.tolist(), strict=True)]
