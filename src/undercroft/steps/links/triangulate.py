"""The step that plans links between neighbouring rooms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis.reach import run_by_rows
from undercroft.core.draft import Draft
from undercroft.core.rng import Rng, threshold
from undercroft.core.run import Run
from undercroft.kernels import buffer, plan
from undercroft.steps import frames
from undercroft.steps.rectangles import plan_links, room_labels_and_boxes
from undercroft.steps.step import Share

Pairs = NDArray[np.int32]
"""Rows of two point numbers."""


@dataclass(frozen=True, kw_only=True)
class Triangulate:
    """Plan links between neighbouring rooms: the shortest tree that joins them all, and some more. No tile changes.

    >>> from undercroft.core.level import Level
    >>> draft = Draft.of(Level.parse("11##22###33##44"))
    >>> Triangulate().apply(draft, Rng.root(1), Run())
    >>> [(link.a, link.b, link.carved) for link in draft.links]
    [(1, 2, False), (3, 4, False), (2, 3, False)]

    Neighbours come from the Delaunay triangulation of the rooms' middles, which contains that tree.
    """

    extra: Share = 0.15
    """The chance of a link that the tree does not need, which makes a loop."""

    edition: ClassVar[int] = 1
    needs: ClassVar[tuple[str, ...]] = ("regions",)
    gives: ClassVar[tuple[str, ...]] = ("links",)
    spoils: ClassVar[tuple[str, ...]] = ()

    def apply(self, draft: Draft, rng: Rng, run: Run) -> None:
        labels, boxes = room_labels_and_boxes(draft)
        points = np.empty((len(boxes), 2), np.int64)
        plan.locate_centres(buffer(boxes), buffer(points))
        run.spend(len(points))
        edges = _sort_by_length(delaunay_pairs(points, run), points)
        parent, stays = np.arange(len(points), dtype=np.int32), np.zeros(len(edges), np.uint8)
        args = buffer(edges), buffer(parent), buffer(stays), rng.state, threshold(self.extra)
        run_by_rows(run, len(edges), 4, lambda first, last: int(plan.select_spanning_edges(*args, first, last)))
        taken = edges.take(stays.view(bool).nonzero()[0], axis=0)
        draft.links = plan_links(labels, taken)
        frames.sketch_lines(draft, points, edges, run, one_by_one=True)
        frames.sketch_lines(draft, points, taken, run)


def delaunay_pairs(points: NDArray[np.int64], run: Run | None = None) -> Pairs:
    """Pairs of points that share an edge of the Delaunay triangulation; the smaller number first.

    Points on a line are paired with the next on it. Of points at the same place, each is paired with the one before it,
    and one is paired with the other points.

    >>> delaunay_pairs(np.array([[0, 0], [9, 0], [4, 3], [4, -5]])).tolist()
    [[0, 3], [0, 2], [2, 3], [1, 3], [1, 2]]

    Exact if 3 * w * h * (w * w + h * h) < 2^63 for the w x h of their box, which holds for 16384 x 16384. A larger box
    is halved until it holds, and points that then coincide count as one place. Cost: somewhat more than n log n for n
    evenly spread points.
    """
    count = len(points)
    if count < 2:
        return np.zeros((0, 2), np.int32)
    points, bounds = np.ascontiguousarray(points, np.int64), np.empty(4, np.int64)
    plan.bound_points(buffer(points), buffer(bounds))
    left, top, right, bottom = bounds.tolist()
    width, height, halvings = right - left + 1, bottom - top + 1, 0
    while 3 * width * height * (width * width + height * height) >= 1 << 63:
        width, height, halvings = (width + 1) // 2, (height + 1) // 2, halvings + 1
    ranks, xs, ys, numbers = (np.empty(count, np.int64) for _ in range(4))
    order, spare = np.empty(count, np.int32), np.empty(count, np.int32)
    args = buffer(points), left, top, halvings, height > width, min(width, height)
    room = buffer(ranks), buffer(order), buffer(spare), buffer(xs), buffer(ys), buffer(numbers)
    distinct = plan.sort_points(*args, *room)
    if distinct == count:
        return _delaunay_edges(xs, ys, numbers, run)
    is_first = np.append(True, (xs[1:] != xs[:-1]) | (ys[1:] != ys[:-1]))
    within = np.stack([numbers[:-1], numbers[1:]], axis=1)[~is_first[1:]].astype(np.int32)
    within.sort(axis=1)
    return np.concatenate([_delaunay_edges(xs[is_first], ys[is_first], numbers[is_first], run), within])


def _delaunay_edges(xs: NDArray[np.int64], ys: NDArray[np.int64], numbers: NDArray[np.int64], run: Run | None) -> Pairs:
    """The edges between distinct points, sorted by x, then y, as pairs of their numbers."""
    count = len(xs)
    corners, twins = np.empty(6 * count, np.int32), np.empty(6 * count, np.int32)
    hull, stack = np.empty((count, 3), np.int32), np.empty(2 * count + 8, np.int32)
    state = np.zeros(2, np.int64)
    args = buffer(state), buffer(xs), buffer(ys), buffer(corners), buffer(twins), buffer(hull), buffer(stack)
    (run or Run()).drive(lambda fuel: int(plan.triangulate(*args, fuel)))
    triangles = int(state[1])
    if not triangles:
        chain = np.stack([numbers[:-1], numbers[1:]], axis=1).astype(np.int32)
        chain.sort(axis=1)
        return chain
    pairs = np.empty((3 * triangles, 2), np.int32)
    found = plan.list_triangle_edges(buffer(corners), buffer(twins), buffer(numbers), triangles, buffer(pairs))
    return pairs[: int(found)]


def _sort_by_length(edges: Pairs, points: NDArray[np.int64]) -> Pairs:
    """Edges from short to long; those of one length by their smaller, then their larger point."""
    squares, ranks = np.empty(len(edges), np.int64), np.empty(len(edges), np.int64)
    plan.measure_edges(buffer(edges), buffer(points), buffer(squares), buffer(ranks))
    return edges.take(np.lexsort((ranks, squares)), axis=0)
