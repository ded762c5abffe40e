"""Count the cells that keep a pattern from matching, at every place of a map at once."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from undercroft.core.palette import look_up_tiles
from undercroft.rewrite.model.program import ANY, KEEP
from undercroft.rewrite.model.symmetry import Variant

Point = tuple[int, int]

OUTSIDE_CODE = 255
"""The code outside the map if the rule has no tile outside. It matches every pattern cell, so that only cells of the
map count as wrong.
"""
BAND_PLACES = 1 << 18
"""The number of places to process at once, which bounds the memory on large maps."""
MAX_LISTED_POINTS = 1000
"""The most matches and places over the border to list; more are only counted."""
MAX_NEAR_PLACES = 32


@dataclass
class MatchScan:
    """The result of scanning the whole map for a rule in one position. Points are top left cells, row by row."""

    variant: Variant
    places: int = 0
    """The number of places where the pattern could stand: inside the map; with a tile outside, also over the border,
    where it writes on the map or matches.
    """
    matches: int = 0
    matched: list[Point] = field(default_factory=list)
    off: dict[int, int] = field(default_factory=dict)
    """The number of places by their number of wrong cells, without matches."""
    firsts: dict[int, NDArray[np.int64]] = field(default_factory=dict)
    """For each pattern cell the count of each tile found there, at the places where this is the first wrong cell."""
    nearest: list[tuple[int, int, int]] = field(default_factory=list)
    """The places with the fewest wrong cells, as (wrong cells, y, x)."""
    leaving: int = 0
    """The number of places over the border, without a tile outside, where all cells inside match and some would change.
    """
    left: list[Point] = field(default_factory=list)


def crop_map(tiles: NDArray[np.uint8], x: int, y: int, width: int, height: int, outside: int) -> NDArray[np.uint8]:
    """A piece of the map. Beyond its border it holds the outside tile, or `OUTSIDE_CODE`.

    >>> crop_map(np.array([[1, 2], [3, 4]], np.uint8), 1, -1, 2, 2, 0).tolist()
    [[0, 0], [2, 0]]
    """
    rows, columns = tiles.shape
    if x >= 0 and y >= 0 and x + width <= columns and y + height <= rows:
        return tiles[y : y + height, x : x + width]
    piece = np.full((height, width), outside if outside >= 0 else OUTSIDE_CODE, np.uint8)
    inside = tiles[max(y, 0) : max(y + height, 0), max(x, 0) : max(x + width, 0)]
    top, left = max(-y, 0), max(-x, 0)
    piece[top : top + inside.shape[0], left : left + inside.shape[1]] = inside
    return piece


def changeable_cells(variant: Variant) -> NDArray[np.bool_]:
    """A mask of the cells that some result may change: it writes a tile that the pattern does not require there."""
    found = np.zeros(len(variant.pattern), bool)
    for result in variant.results:
        if result.weight:
            found |= [
                code != KEEP and mask != 1 << code for mask, code in zip(variant.pattern, result.cells, strict=True)
            ]
    return found.reshape(variant.height, variant.width)


def written_cells(variant: Variant) -> NDArray[np.bool_]:
    """A mask of the cells that some result writes, even with the tile that is there already."""
    found = np.zeros(len(variant.pattern), bool)
    for result in variant.results:
        found |= [code != KEEP for code in result.cells]
    return found.reshape(variant.height, variant.width)


def wrong_cells(tiles: NDArray[np.uint8], variant: Variant, outside: int, x: int, y: int) -> list[tuple[int, int]]:
    """The cells that do not match at one place, as (pattern cell, tile found there), in reading order."""
    piece = crop_map(tiles, x, y, variant.width, variant.height, outside).reshape(-1).tolist()
    return [
        (index, code)
        for index, (mask, code) in enumerate(zip(variant.pattern, piece, strict=True))
        if not mask >> code & 1 and code != OUTSIDE_CODE
    ]


def count_wrong_cells(
    piece: NDArray[np.uint8], variant: Variant, fits: NDArray[np.bool_], firsts: dict[int, NDArray[np.int64]]
) -> NDArray[np.uint16] | NDArray[np.int32]:
    """The number of wrong cells for every place in a piece of the map. `fits` marks the places that count, and
    afterwards those that match.
    """
    rows, columns = fits.shape
    wrong = np.zeros(fits.shape, np.uint16 if len(variant.pattern) < 1 << 16 else np.int32)
    some_fit = bool(fits.any())
    planes: dict[int, NDArray[np.bool_]] = {}
    for index, mask in enumerate(variant.pattern):
        if mask == ANY:
            continue
        if mask not in planes:
            planes[mask] = look_up_tiles(_refusal_table(mask), piece)
        y, x = divmod(index, variant.width)
        bad = planes[mask][y : y + rows, x : x + columns]
        wrong += bad
        here = fits & bad if some_fit else None
        if here is not None and here.any():
            found = np.bincount(piece[y : y + rows, x : x + columns][here], minlength=256)
            firsts[index] = firsts[index] + found if index in firsts else found
            fits ^= here
            some_fit = bool(fits.any())
    return wrong


def _refusal_table(mask: int) -> NDArray[np.bool_]:
    """A table, by code, of the tiles that do not belong to a set."""
    table: NDArray[np.bool_] = (
        np.unpackbits(np.frombuffer(mask.to_bytes(32, "little"), np.uint8), bitorder="little") == 0
    )
    table[OUTSIDE_CODE] = False
    return table


def scan_map(tiles: NDArray[np.uint8], variant: Variant, outside: int) -> MatchScan:
    """Scan a whole map, band by band."""
    found = MatchScan(variant)
    height, width = tiles.shape
    wide, high = variant.width - 1, variant.height - 1
    columns = width + wide
    band = max(1, BAND_PLACES // columns)
    across = _starts_inside(np.arange(-wide, width), variant.width, width, outside)
    changed, writes = changeable_cells(variant), written_cells(variant)
    fits_map = variant.width <= width and variant.height <= height
    for top in range(-high, height, band):
        rows = min(band, height - top)
        piece = crop_map(tiles, -wide, top, columns + wide, rows + high, outside)
        tried = _starts_inside(np.arange(top, top + rows), variant.height, height, outside)[:, None] & across
        useful = tried & _any_inside(writes, top, rows, height, width) if outside >= 0 and writes.any() else tried
        fits = useful.copy()
        wrong = count_wrong_cells(piece, variant, fits, found.firsts)
        # a match that writes nothing on the map still counts: it is used up
        fits |= tried & ~useful & (wrong == 0)
        tried = useful | fits if outside >= 0 else tried
        found.places += int(np.count_nonzero(tried))
        found.matches += int(np.count_nonzero(fits))
        _add_points(found.matched, fits, -wide, top)
        _keep_nearest(found, np.where(tried, wrong, 0), -wide, top)
        if outside < 0 and fits_map and changed.any():
            over = ~tried & (wrong == 0) & _any_inside(changed, top, rows, height, width)
            found.leaving += int(np.count_nonzero(over))
            _add_points(found.left, over, -wide, top)
    return found


def _starts_inside(starts: NDArray[np.int64], side: int, whole: int, outside: int) -> NDArray[np.bool_]:
    """A mask of the starts that keep a side inside the map; all of them if the rule has a tile outside."""
    return (starts >= 0) & (starts + side <= whole) if outside < 0 else np.ones(len(starts), bool)


def _any_inside(changed: NDArray[np.bool_], top: int, rows: int, height: int, width: int) -> NDArray[np.bool_]:
    """A mask of the places where some of these cells lie inside the map. Counts them in the part of the pattern inside,
    by a summed-area table.
    """
    high, wide = changed.shape
    sums = np.zeros((high + 1, wide + 1), np.int32)
    sums[1:, 1:] = changed.cumsum(0).cumsum(1)
    ys, xs = np.arange(top, top + rows), np.arange(1 - wide, width)
    first_y, last_y = np.clip(-ys, 0, high)[:, None], np.clip(height - ys, 0, high)[:, None]
    first_x, last_x = np.clip(-xs, 0, wide), np.clip(width - xs, 0, wide)
    found: NDArray[np.bool_] = (
        sums[last_y, last_x] - sums[first_y, last_x] - sums[last_y, first_x] + sums[first_y, first_x] > 0
    )
    return found


def _add_points(points: list[Point], where: NDArray[np.bool_], left: int, top: int) -> None:
    """Add the points of a band, up to `MAX_LISTED_POINTS` in the list."""
    room = MAX_LISTED_POINTS - len(points)
    if room > 0:
        flat = np.flatnonzero(where)[:room]
        ys, xs = np.divmod(flat, where.shape[1])
        points += zip((xs + left).tolist(), (ys + top).tolist(), strict=True)


def _keep_nearest(found: MatchScan, wrong: NDArray[np.uint16] | NDArray[np.int32], left: int, top: int) -> None:
    """Count the places by wrong cells, and keep the nearest ones."""
    flat = wrong.reshape(-1)
    counts = np.bincount(flat)
    counts[0] = 0
    for cells in np.flatnonzero(counts).tolist():
        found.off[cells] = found.off.get(cells, 0) + int(counts[cells])
    most = int(np.searchsorted(np.cumsum(counts), min(MAX_NEAR_PLACES, int(counts.sum()))))
    at = np.flatnonzero((flat > 0) & (flat <= most))
    at = at[np.argsort(flat[at], kind="stable")[:MAX_NEAR_PLACES]]
    ys, xs = np.divmod(at, wrong.shape[1])
    found.nearest += zip(flat[at].tolist(), (ys + top).tolist(), (xs + left).tolist(), strict=True)
    found.nearest.sort()
    del found.nearest[MAX_NEAR_PLACES:]
