"""Count a large region as several rooms of usual size, so that what it gets grows with its area.

A region of several times the greatest usual size is cut into parts of equal size, in order of the steps from the start.
Each part gets what a room of its size would get there: it has things or none, as many as are drawn for it, and danger
as its nearest cell says. The cells of a part are not laid down: all its things may stand anywhere in the region.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.core.region import Regions
from undercroft.steps.furnish.room_floor import UNREACHABLE, RoomFloor

Numbers = NDArray[np.int64]
SCALE = 1 << 11
"""Sizes of parts are fractions of this, so that draws times budgets fit into 64 bits."""


class RoomParts(NamedTuple):
    """The parts of all regions, one after the other."""

    counts: Numbers
    """The number of parts of each region, at least 1."""
    firsts: Numbers
    """The index of the first part of each region."""
    scale: Numbers
    """For each region what its parts get, in shares of `SCALE`: the whole for a room of usual size, and up to twice as
    much for parts of a larger one.
    """
    regions: Numbers
    """For each part the index of its region."""
    steps: Numbers
    """For each part the steps from the start to its nearest cell; a large number if it cannot be reached."""


def divide_regions(regions: Regions, floor: RoomFloor, usual: int) -> RoomParts:
    """The parts of the regions; one with fewer than twice the `usual` number of cells is one part."""
    area = regions.table["area"].astype(np.int64)
    counts = np.maximum(1, area // usual)
    firsts = np.cumsum(counts) - counts
    scale = np.where(area > usual, area * SCALE // (counts * usual), SCALE)
    steps = np.full(int(counts.sum()), UNREACHABLE, np.int64)
    nearest = floor.steps.reshape(-1)[floor.spots]
    has_cells = np.flatnonzero(np.diff(floor.bounds[1:]))
    if len(has_cells):
        steps[firsts[has_cells]] = np.minimum.reduceat(nearest, floor.bounds[has_cells + 1])
    for place in has_cells[counts[has_cells] > 1].tolist():
        count, first = int(counts[place]), int(firsts[place])
        inside = np.sort(nearest[floor.bounds[place + 1] : floor.bounds[place + 2]])
        steps[first : first + count] = inside[np.arange(count) * len(inside) // count]
    return RoomParts(counts, firsts, scale, np.repeat(np.arange(len(counts)), counts), steps)
