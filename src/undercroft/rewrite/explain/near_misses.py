"""How far a pattern is from fitting: counted at every place of a map at once."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from undercroft.core.palette import look_up_tiles
from undercroft.rewrite.model.program import ANY, KEEP
from undercroft.rewrite.model.symmetry import Variant

Point = tuple[int, int]

OUTSIDE_CODE = 255
"""Stands outside the map where no tile does. It fits every pattern cell, so that only cells of the map are counted as
wrong.
"""
BAND_PLACES = 1 << 18
"""Places looked at in one go: what is needed for them stays small, however large the map."""
MAX_LISTED_POINTS = 1000
"""Matches and places over the border are listed up to here, and counted beyond."""
MAX_NEAR_PLACES = 32


@dataclass
class MatchScan:
    """What a look over the whole map tells of a rule in one position. Points are top left cells, row by row."""

    variant: Variant
    places: int = 0
    """Where the pattern could stand: inside the map; if a tile stands outside, also over the border, where it writes on
    the map or matches.
    """
    matches: int = 0
    matched: list[Point] = field(default_factory=list)
    off: dict[int, int] = field(default_factory=dict)
    """Wrong cells -> places with so many, matches left out."""
    firsts: dict[int, NDArray[np.int64]] = field(default_factory=dict)
    """Pattern cell -> how often each tile stood there, counted at the places where this is the first wrong cell."""
    nearest: list[tuple[int, int, int]] = field(default_factory=list)
    """The places with the fewest wrong cells, as (wrong cells, y, x)."""
    leaving: int = 0
    """Places over the border, with no tile outside, where all that lies inside fits and something would be changed
    there.
    """
    left: list[Point] = field(default_factory=list)


def crop_map(tiles: NDArray[np.uint8], x: int, y: int, width: int, height: int, outside: int) -> NDArray[np.uint8]:
    """A piece of the map, also beyond its border, where the outside tile stands, or `OUTSIDE_CODE`.

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
    """The cells that some result may change: it writes another tile than the one that must stand there."""
    found = np.zeros(len(variant.pattern), bool)
    for result in variant.results:
        if result.weight:
            found |= [
                code != KEEP and mask != 1 << code for mask, code in zip(variant.pattern, result.cells, strict=True)
            ]
    return found.reshape(variant.height, variant.width)


def written_cells(variant: Variant) -> NDArray[np.bool_]:
    """The cells that some result writes, even if what it writes stands there already."""
    found = np.zeros(len(variant.pattern), bool)
    for result in variant.results:
        found |= [code != KEEP for code in result.cells]
    return found.reshape(variant.height, variant.width)


def wrong_cells(tiles: NDArray[np.uint8], variant: Variant, outside: int, x: int, y: int) -> list[tuple[int, int]]:
    """The cells that do not fit at one place, as (pattern cell, what stands there), in reading order."""
    piece = crop_map(tiles, x, y, variant.width, variant.height, outside).reshape(-1).tolist()
    return [
        (index, code)
        for index, (mask, code) in enumerate(zip(variant.pattern, piece, strict=True))
        if not mask >> code & 1 and code != OUTSIDE_CODE
    ]


def count_wrong_cells(
    piece: NDArray[np.uint8], variant: Variant, fits: NDArray[np.bool_], firsts: dict[int, NDArray[np.int64]]
) -> NDArray[np.uint16] | NDArray[np.int32]:
    """For every place in a piece of the map, how many cells are wrong. `fits` says which places count, and afterwards
    which of them match.
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
    """The tiles that do not belong to a set, by code."""
    table: NDArray[np.bool_] = (
        np.unpackbits(np.frombuffer(mask.to_bytes(32, "little"), np.uint8), bitorder="little") == 0
    )
    table[OUTSIDE_CODE] = False
    return table


def scan_map(tiles: NDArray[np.uint8], variant: Variant, outside: int) -> MatchScan:
    """Look at a whole map, band by band."""
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
        # a match that writes nothing on the map is one all the same: it is used up
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
    """Which starts keep a side inside the map; all of them if something stands outside."""
    return (starts >= 0) & (starts + side <= whole) if outside < 0 else np.ones(len(starts), bool)


def _any_inside(changed: NDArray[np.bool_], top: int, rows: int, height: int, width: int) -> NDArray[np.bool_]:
    """At which places some of these cells lies inside the map: counted in the part of the pattern that does, by sums
    over rectangles.
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
    """Add the points of a band, as long as the list is short."""
    room = MAX_LISTED_POINTS - len(points)
    if room > 0:
        flat = np.flatnonzero(where)[:room]
        ys, xs = np.divmod(flat, where.shape[1])
        points += zip((xs + left).tolist(), (ys + top).tolist(), strict=True)


def _keep_nearest(found: MatchScan, wrong: NDArray[np.uint16] | NDArray[np.int32], left: int, top: int) -> None:
    """Count the places by their wrong cells, and keep the nearest ones."""
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
