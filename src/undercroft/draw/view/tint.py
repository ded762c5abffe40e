"""The tint of each cell: its relative distance from the start, which sets the colour of the ground."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis import reach
from undercroft.analysis.regions import infer_regions
from undercroft.core.level import Level
from undercroft.core.region import REGION_KINDS, Regions

TINT_BANDS = 14
"""Steps of colour on open ground; few enough to be visible as steps."""
MAX_PARTS = 1000
"""The maximum number of separate parts that get a tint of their own if there is no start."""


def compute_tint(level: Level, farthest: int | None = None) -> NDArray[np.float32]:
    """For each reachable walkable cell a number from 0 to 1, else -1: its steps from the start, or, without a start,
    from the first cell of its part.

    A room has one tint, its mean; corridors and caves change in bands. 1 is the greatest distance in the level, or
    `farthest`, so that several levels can share one scale.
    """
    far = distances_from_start(level)
    share = np.minimum(np.maximum(far, 0) / max(1, int(far.max()) if farthest is None else farthest), 1)
    regions = level.regions if len(level.regions) else infer_regions.find_regions(level)
    if len(regions) > 1:  # a single room has no gradient to show
        _average_rooms(regions, share, far >= 0)
    banded = np.minimum(np.floor(share * TINT_BANDS) / (TINT_BANDS - 1), 1)
    return np.where(far >= 0, banded, -1).astype(np.float32)


def distances_from_start(level: Level) -> NDArray[np.int32]:
    """The steps from the start to each cell, -1 for unreachable cells."""
    walkable = np.ascontiguousarray(level.walkable)
    inside = level.start is not None and bool(walkable[level.start[1], level.start[0]])
    return reach.distances(walkable, [level.start] if inside and level.start else _first_cells(walkable))


def _first_cells(walkable: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """The first cell of each connected part, in reading order."""
    labels, _ = reach.label_components(walkable.astype(np.uint8))
    # labels are in reading order, so a new one is the greatest so far
    newest = np.maximum.accumulate(labels.reshape(-1))
    cells = np.flatnonzero(np.diff(newest, prepend=0))[:MAX_PARTS]
    return [(cell % walkable.shape[1], cell // walkable.shape[1]) for cell in cells.tolist()]


def _average_rooms(regions: Regions, share: NDArray[np.float64], reached: NDArray[np.bool_]) -> None:
    """Set every cell of a room to the mean of its room."""
    kinds = np.concatenate([[REGION_KINDS.index("corridor")], regions.table["kind"]])
    labels = np.where(
        np.isin(kinds, [REGION_KINDS.index("corridor"), REGION_KINDS.index("cave")])[regions.labels] | ~reached,
        0,
        regions.labels,
    )
    sums = np.bincount(labels.reshape(-1), share.reshape(-1), len(kinds))
    counts = np.bincount(labels.reshape(-1), minlength=len(kinds))
    means = sums / np.maximum(counts, 1)
    np.copyto(share, means[labels], where=labels > 0)


def spread_colours(numbers: NDArray[np.int32], known: NDArray[np.bool_]) -> None:
    """Spread colours into neighbouring cells: pillars, rounded walls and shores show the colour of the ground around
    them.
    """
    known = known.copy()
    for _ in range(3):
        for to, source in (
            ((slice(1, None),), (slice(-1),)),
            ((slice(-1),), (slice(1, None),)),
            ((slice(None), slice(1, None)), (slice(None), slice(-1))),
            ((slice(None), slice(-1)), (slice(None), slice(1, None))),
        ):
            take = ~known[to] & known[source]
            numbers[to][take] = numbers[source][take]
            known[to] |= take
