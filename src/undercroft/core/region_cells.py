"""The cells of a region, and the one nearest to its middle."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from undercroft.core.region import Region, Regions
from undercroft.errors import BadInput
from undercroft.wording import format_value_briefly, plural

PARTS_OF_A_CELL = 256


def resolve_region(regions: Regions, region: Region | int) -> Region:
    """The region itself, or the one with that label. Raises if there is none."""
    label: Any = region.label if isinstance(region, Region) else region
    try:
        number = operator.index(label)
    except TypeError:
        raise BadInput(
            f"a region is a Region or its label, not {format_value_briefly(region)}", fix="for example level.rooms[0]"
        ) from None
    if not 1 <= number <= len(regions):
        raise BadInput(
            f"the level has no region {format_value_briefly(number)}",
            fix=f"it has {plural(len(regions), 'region')}" + (", counted from 1" if len(regions) else ""),
        )
    return regions[number - 1]


def list_region_cells(regions: Regions, region: Region) -> NDArray[np.int32]:
    """The cells of a region as rows (x, y), in reading order."""
    x, y = max(region.x, 0), max(region.y, 0)
    inside = regions.labels[y : region.y + region.height, x : region.x + region.width] == region.label
    ys, xs = np.nonzero(inside)
    cells = np.empty((len(xs), 2), np.int32)
    cells[:, 0], cells[:, 1] = xs + x, ys + y
    return cells


def find_middle_cell(cells: NDArray[np.int32]) -> tuple[int, int]:
    """The cell nearest to the middle of some cells, the first one of several; there must be at least one.

    >>> find_middle_cell(np.array([[0, 0], [1, 0], [2, 0], [3, 0], [3, 1]], np.int32))
    (2, 0)
    """
    # in parts of a cell: whole numbers decide, and the squares of the longest side fit into 64 bits
    count = len(cells)
    middle = PARTS_OF_A_CELL * cells.sum(axis=0, dtype=np.int64) // count
    apart = PARTS_OF_A_CELL * cells.astype(np.int64) - middle
    nearest = int((apart * apart).sum(axis=1).argmin())
    return int(cells[nearest, 0]), int(cells[nearest, 1])
