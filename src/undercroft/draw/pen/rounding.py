"""Rooms with round corners: tiles cannot hold an arc, so arcs are detected from the stairs of cells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis import reach
from undercroft.core.level import Level
from undercroft.core.region import REGION_KINDS, Regions
from undercroft.draw.scene.scene import Points

MIN_RADIUS = 2.0
"""The smallest radius in cells; a smaller corner is broken, not round."""
MIN_CUT_CELLS = 3
"""The minimum number of cells that an arc cuts off, unless it belongs to a small round room."""
MAX_MISS = 0.36
"""How far, in cells, the centre of a cell may lie on the wrong side of an arc."""
SNAP_DISTANCE = 0.95
"""The distance from an arc, in cells, within which points are moved onto it."""
MAX_REGIONS = 1000
"""The maximum number of regions that are checked; larger levels are drawn so small that the arcs do not show."""


class Arc(NamedTuple):
    """A quarter of a circle: its centre, its radius, and the quarter as two signs, of x and y."""

    x: float
    y: float
    radius: float
    right: int
    down: int


def find_arcs(level: Level) -> list[Arc]:
    """The round corners of all rooms except caves.

    >>> found = find_arcs(Level.parse('''
    ...     ..111..
    ...     .11111.
    ...     1111111
    ...     1111111
    ...     1111111
    ...     .11111.
    ...     ..111..
    ... '''))
    >>> len(found), found[0]
    (4, Arc(x=3.5, y=3.5, radius=3.5, right=-1, down=-1))
    """
    if not 0 < len(level.regions) <= MAX_REGIONS:
        return []
    found = _find_arcs_of(level.regions)
    if (whole := _join_over_water(level)) is not None:
        found += [arc for arc in _find_arcs_of(whole) if arc not in found]
    return found


def _join_over_water(level: Level) -> Regions | None:
    """The regions with the water and the pits in them, where these cut a room in pieces or take a bite of it; None if
    there is neither.
    """
    wet = level.palette.role_mask("water", "pit")[level.tiles] & (level.regions.labels == 0)
    if not wet.any():
        return None
    corridors = np.concatenate([[True], level.regions.table["kind"] == REGION_KINDS.index("corridor")])
    caves = np.concatenate([[True], level.regions.table["kind"] == REGION_KINDS.index("cave")])
    dry = np.where(corridors[level.regions.labels] | caves[level.regions.labels], 0, level.regions.labels)
    bodies, many = reach.label_components(wet.astype(np.uint8))
    joined = np.arange(len(level.regions) + 1)
    framed, around = np.pad(bodies, 1), np.pad(dry, 1)
    owners = np.zeros(many + 1, np.int64)
    for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0)):
        there = np.roll(around, (down, right), axis=(0, 1))
        touching = (framed > 0) & (there > 0)
        pairs = np.unique(np.stack([framed[touching], there[touching]], axis=1), axis=0)
        for body, label in pairs.tolist():
            if owners[body]:
                joined[joined == joined[label]] = joined[owners[body]]
            owners[body] = label
    return Regions.of(np.where(bodies > 0, joined[owners[bodies]], joined[dry]).astype(np.int32))


def _find_arcs_of(regions: Regions) -> list[Arc]:
    """The round corners of these regions."""
    labels = regions.labels
    found = []
    for region in regions:
        if region.kind in ("cave", "corridor") or min(region.width, region.height) < 2 * MIN_RADIUS:
            continue
        right, bottom = region.x + region.width, region.y + region.height
        everywhere = not (labels[[region.y, bottom - 1]][:, [region.x, right - 1]] == region.label).any()
        for down, row in ((-1, region.y), (1, bottom - 1)):
            for across, column in ((-1, region.x), (1, right - 1)):
                if labels[row, column] == region.label:
                    continue
                cells = labels[region.y : bottom, region.x : right][::-down, ::-across] == region.label
                radius = _find_radius(cells, everywhere)
                if radius:
                    x = region.x + radius if across < 0 else right - radius
                    y = region.y + radius if down < 0 else bottom - radius
                    found.append(Arc(x, y, radius, across, down))
    return found


def _find_radius(cells: NDArray[np.bool_], everywhere: bool) -> float:
    """The radius of the arc in the top left corner of these cells, or 0 if there is none. `everywhere` means that all
    four corners are cut off.
    """
    height, width = cells.shape
    best, least = 0.0, MAX_MISS
    for half in range(int(2 * MIN_RADIUS), min(height, width) + 1):
        radius = half / 2
        many = half - half // 2
        places = np.arange(many) + 0.5
        off = np.hypot(radius - places[:, None], radius - places) - radius
        corner = cells[:many, :many]
        if not (cells[min(many, height - 1), 0] and cells[0, min(many, width - 1)]):
            continue  # beyond the arc the wall must continue straight, or in the next arc
        if np.count_nonzero(~corner) < MIN_CUT_CELLS and not (everywhere and half == min(height, width)):
            continue
        wrong = float(np.where(corner, off, -off).max())
        if wrong < least - 1e-9:
            best, least = radius, wrong
    return best


def corner_cells(cells: NDArray[np.bool_], found: Sequence[Arc]) -> NDArray[np.bool_]:
    """Those of the cells that lie in a corner with an arc."""
    inside = np.zeros_like(cells)
    for arc in found:
        ends_x, ends_y = sorted((arc.x, arc.x + arc.right * arc.radius)), sorted((arc.y, arc.y + arc.down * arc.radius))
        box = np.s_[int(ends_y[0]) : int(np.ceil(ends_y[1])), int(ends_x[0]) : int(np.ceil(ends_x[1]))]
        inside[box] = cells[box]
    return inside


def snap_to_arcs(points: Points, loose: NDArray[np.bool_], found: Sequence[Arc]) -> Points:
    """The points, with those loose ones that are near an arc moved onto it."""
    moved = points[loose]
    for arc in found:
        off = moved - (arc.x, arc.y)
        far = np.hypot(off[:, 0], off[:, 1])
        quarter = (off[:, 0] * arc.right >= -1e-9) & (off[:, 1] * arc.down >= -1e-9)
        near = np.flatnonzero(quarter & (np.abs(far - arc.radius) < SNAP_DISTANCE) & (far > 0.5))
        moved[near] = (arc.x, arc.y) + off[near] * (arc.radius / far[near])[:, None]
    points = points.copy()
    points[loose] = moved
    return points
