"""Trace the outlines of rooms that are not rectangles, as polygons."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.core.region import Regions

MAX_SIDES = 1000
"""The most cell sides of an outline: longer ones slow an editor down, and the box of a whole cave shows as much."""
Numbers = NDArray[np.int64]


class Polygons(NamedTuple):
    """The corners of several polygons, one after the other."""

    labels: Numbers
    """The region of each."""
    counts: Numbers
    """The number of corners of each."""
    points: Numbers
    """Rows of x and y, in cells."""


def trace_outlines(regions: Regions) -> Polygons:
    """The outer outline of each region that does not fill its box, except those in pieces or too long.

    >>> labels = np.array([[1, 0, 2, 2], [1, 1, 2, 2]], np.int32)
    >>> trace_outlines(Regions.of(labels))
    Polygons(labels=array([1]), counts=array([6]), points=array([[1, 0],
           [1, 1],
           [2, 1],
           [2, 2],
           [0, 2],
           [0, 0]]))

    All outlines are traced at once, step by step. Cost: a pass over the cells, and some operations for each side of an
    outline.
    """
    labels, table = regions.labels, regions.table
    boxes = table["width"].astype(np.int64) * table["height"]
    areas = np.bincount(labels.reshape(-1), minlength=len(table) + 1)[1:]
    odd = np.flatnonzero((areas != boxes) & (areas > 2)) + 1
    owners, ends, whole = _walk_outlines(labels, odd)
    kept = whole[owners]
    owners, ends = owners[kept], ends[kept]
    order = np.argsort(owners, kind="stable")
    width = labels.shape[1] + 1
    found = Polygons(
        odd[whole],
        np.bincount(owners, minlength=len(odd))[whole],
        np.stack([ends[order] % width, ends[order] // width], axis=1),
    )
    return _drop_misfits(found, regions)


def _walk_outlines(labels: NDArray[np.int32], odd: Numbers) -> tuple[Numbers, Numbers, NDArray[np.bool_]]:
    """Walk around each region, with the region to the right. Returns the owner and place of each corner, step by step,
    and a mask of the closed walks.
    """
    framed = np.pad(labels, 1)
    across = framed.shape[1]
    flat = framed.reshape(-1)
    steps = np.array([1, across, -1, -across])  # east along the top of a cell, south along its right side, west, north
    # the end of such a side, counted from the upper left corner of the cell, on a grid without a frame
    corners = np.array([1, across, across - 1, 0])
    begins = _first_cells(flat, len(odd) and int(odd[-1]) + 1)[odd]
    whole = np.zeros(len(odd), bool)
    active, cell, way, own = np.arange(len(odd)), begins.copy(), np.zeros(len(odd), np.int64), odd
    met: list[tuple[Numbers, Numbers]] = [(active[:0], active[:0])]
    for _ in range(MAX_SIDES):
        ahead = cell + steps[way]
        beyond = ahead + steps[way - 1]
        right = flat[ahead] != own
        left = ~right & (flat[beyond] == own)
        bends = right | left
        met.append((active[bends], _unframed(cell[bends], across) + corners[way[bends]]))
        cell = np.where(right, cell, np.where(left, beyond, ahead))
        way = (way + right - left) & 3
        back = (cell == begins[active]) & (way == 0)
        if back.any():
            whole[active[back]] = True
            active, cell, way, own = (column[~back] for column in (active, cell, way, own))
        if not len(active):
            break
    owners, ends = (np.concatenate(column) for column in zip(*met, strict=True))
    return owners, ends, whole


def _first_cells(flat: NDArray[np.int32], count: int) -> Numbers:
    """The topmost cell of each label, the leftmost of several."""
    runs = np.flatnonzero(flat[1:] != flat[:-1])[::-1] + 1
    firsts = np.zeros(max(count, int(flat.max()) + 1), np.int64)
    firsts[flat[runs]] = runs  # the last of several writes wins
    return firsts


def _unframed(cells: Numbers, across: int) -> Numbers:
    """Convert cell numbers in the framed grid to the numbers of their upper left corners on the grid of points, which
    has one more row and column than the cells.
    """
    return (cells // across - 1) * (across - 1) + cells % across - 1


def _drop_misfits(polygons: Polygons, regions: Regions) -> Polygons:
    """The polygons whose box equals the region's, so that no information is lost. A rectangle with holes is drawn as a
    rectangle.
    """
    if not len(polygons.labels):
        return polygons
    begins = np.cumsum(polygons.counts) - polygons.counts
    low, high = np.minimum.reduceat(polygons.points, begins), np.maximum.reduceat(polygons.points, begins)
    rows = regions.table[polygons.labels - 1]
    fits = (
        (low[:, 0] == rows["x"])
        & (low[:, 1] == rows["y"])
        & (high[:, 0] - low[:, 0] == rows["width"])
        & (high[:, 1] - low[:, 1] == rows["height"])
    )
    fits &= polygons.counts > 4
    return Polygons(polygons.labels[fits], polygons.counts[fits], polygons.points[np.repeat(fits, polygons.counts)])
