"""The outline of a set of cells: closed loops of points, with sharp corners for built walls and curves for natural
ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from undercroft.draw.pen.rounding import Arc, snap_to_arcs
from undercroft.kernels import buffer, inking

Points = NDArray[np.float64]
Kind = TypeVar("Kind", bound=np.generic)

CUTTING_ROUNDS = 2
"""Rounds of corner cutting (Chaikin 1974); each doubles the points of a curve."""
EASING_SHARES = (0.5, -0.53, 0.5, -0.53, 0.5)
"""How far each pass moves every point of a curve towards its neighbours, and back (Taubin 1995). Stairs become slopes,
and the shape hardly shrinks.
"""
MAX_DRIFT = 0.2
"""How far, in cells, easing may move a point: it must not cross the centre of a cell."""
MIN_EASED_POINTS = 9
"""The points that a loop needs to be eased: a single cell keeps its size."""
SIDE_STEPS = np.array([[1, 0], [0, 1], [-1, 0], [0, -1]])
"""East along the top of a cell, south along its right side, west, north: the cell is always to the right."""


class ContourLoop(NamedTuple):
    """A closed outline in cells. `hole` means that the cells lie around it."""

    points: Points
    hole: bool


def trace_outlines(
    cells: NDArray[np.bool_], soft: NDArray[np.bool_] | None = None, arcs: Sequence[Arc] = ()
) -> list[ContourLoop]:
    """The loops around the cells, largest first, so that painting each over the last gives the cells. A corner whose
    cells are all soft is rounded; a corner near one of the arcs follows the arc.

    >>> [loop] = trace_outlines(np.ones((1, 2), bool))
    >>> loop.points.tolist()
    [[2.0, 0.0], [2.0, 1.0], [0.0, 1.0], [0.0, 0.0]]

    Cost: a few passes over the cells, and work for each side of the outline.
    """
    sides = _mark_sides(cells)
    following, starts, ways = _link_sides(sides)
    if not len(starts):
        return []
    order, sizes = _order_loops(following)
    starts, ways = starts[order], ways[order]
    ends = starts + SIDE_STEPS[ways]
    turns = _rolled(ways, sizes, -1) != ways
    if soft is None:
        hard = np.ones(len(ends), bool)
    else:
        padded = np.pad(cells & ~soft, 1)
        stiff = padded[1:, 1:] | padded[1:, :-1] | padded[:-1, 1:] | padded[:-1, :-1]
        hard = stiff[ends[:, 1], ends[:, 0]]
    # Keep the middle of a side that bends at either end; keep a hard corner itself.
    keep_middle = ~hard | ~_rolled(hard, sizes, 1)
    keep_corner = hard & turns
    points = np.stack([(starts + ends) / 2, ends.astype(float)], axis=1).reshape(-1, 2)
    keep = np.stack([keep_middle, keep_corner], axis=1).reshape(-1)
    fixed = np.stack([np.zeros(len(ends), bool), np.ones(len(ends), bool)], axis=1).reshape(-1)[keep]
    points = points[keep]
    sizes = np.add.reduceat(keep, np.concatenate([[0], np.cumsum(2 * sizes)[:-1]]), dtype=np.int64)
    pull = np.where(fixed | np.repeat(sizes < MIN_EASED_POINTS, sizes), 0.0, 1.0)[:, None]
    middles = points
    for share in EASING_SHARES:
        near = (points[_neighbour_indexes(sizes, 1)] + points[_neighbour_indexes(sizes, -1)]) / 2
        points = points + pull * share * (near - points)
    points = middles + np.clip(points - middles, -MAX_DRIFT, MAX_DRIFT)
    for _ in range(CUTTING_ROUNDS):
        points, fixed, sizes = _cut_corners(points, fixed, sizes)
    if arcs:
        points = snap_to_arcs(points, ~fixed, arcs)
    loops = [(loop, _twice_area(loop)) for loop in np.split(points, np.cumsum(sizes)[:-1])]
    loops.sort(key=lambda pair: -abs(pair[1]))
    return [ContourLoop(loop, area < 0) for loop, area in loops]


def count_sides(cells: NDArray[np.bool_]) -> int:
    """The number of sides of the outline, to estimate the cost beforehand."""
    return sum(int(np.count_nonzero(way)) for way in _mark_sides(cells))


def _mark_sides(cells: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """For each direction and grid corner, whether a side of the outline leaves the corner in that direction."""
    height, width = cells.shape
    padded = np.pad(cells, 1)
    inner = padded[1:-1, 1:-1]
    found = np.zeros((4, height + 1, width + 1), bool)
    found[0, :-1, :-1] = inner & ~padded[:-2, 1:-1]
    found[1, :-1, 1:] = inner & ~padded[1:-1, 2:]
    found[2, 1:, 1:] = inner & ~padded[2:, 1:-1]
    found[3, 1:, :-1] = inner & ~padded[1:-1, :-2]
    return found


def _link_sides(found: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """For each side the index of the next one, its first corner, and its direction.

    Where two sides leave a corner, the outline turns right: cells that touch by a corner stay apart.
    """
    number = np.cumsum(found.reshape(-1), dtype=np.int64).reshape(found.shape) - 1
    ways, ys, xs = np.nonzero(found)
    starts = np.stack([xs, ys], axis=1)
    end_x, end_y = xs + SIDE_STEPS[ways, 0], ys + SIDE_STEPS[ways, 1]
    following = number[(ways + 3) % 4, end_y, end_x]
    for turn in (0, 1):
        way = (ways + turn) % 4
        there = found[way, end_y, end_x]
        following[there] = number[way, end_y, end_x][there]
    return following, starts, ways


def _order_loops(following: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The sides in the order of their loops, and the number of sides of each loop."""
    many = len(following)
    order, ends = np.empty(many, np.int32), np.empty(many, np.int32)
    found = inking.order_chains(
        buffer(following.astype(np.int32)), buffer(np.zeros(many, np.uint8)), buffer(order), buffer(ends)
    )
    return order.astype(np.int64), np.diff(ends[:found], prepend=0).astype(np.int64)


def _rolled(values: NDArray[Kind], sizes: NDArray[np.int64], by: int) -> NDArray[Kind]:
    """The values of the neighbours within each loop: the previous one (1) or the next one (-1)."""
    return values[_neighbour_indexes(sizes, by)]


def _neighbour_indexes(sizes: NDArray[np.int64], by: int) -> NDArray[np.int64]:
    total = int(sizes.sum())
    index = np.arange(total) - by
    lasts = np.cumsum(sizes) - 1
    firsts = lasts - sizes + 1
    if by > 0:
        index[firsts] = lasts
    else:
        index[lasts] = firsts
    return index


def _cut_corners(
    points: Points, fixed: NDArray[np.bool_], sizes: NDArray[np.int64]
) -> tuple[Points, NDArray[np.bool_], NDArray[np.int64]]:
    """Cut corners once: two points on the lines to its neighbours replace each point; fixed points stay."""
    before = points * 0.75 + points[_neighbour_indexes(sizes, 1)] * 0.25
    after = points * 0.75 + points[_neighbour_indexes(sizes, -1)] * 0.25
    counts = np.where(fixed, 1, 2)
    seconds = np.cumsum(counts) - 1
    firsts = seconds - counts + 1
    cut = np.empty((int(counts.sum()), 2))
    cut[firsts] = np.where(fixed[:, None], points, before)
    cut[seconds[~fixed]] = after[~fixed]
    loop_ends = np.cumsum(sizes) - 1
    return cut, np.repeat(fixed, counts), np.diff(seconds[loop_ends] + 1, prepend=0)


def _twice_area(loop: Points) -> float:
    """Twice the enclosed area, positive if the cells are inside."""
    x, y = loop[:, 0], loop[:, 1]
    return float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))
