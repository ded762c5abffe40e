"""Plans of rooms, against slow twins, brute force and SciPy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats
from scipy.sparse.csgraph import minimum_spanning_tree
from scipy.spatial import Delaunay

from support.maps import HEAVY, PLAIN, facts, interpreted
from undercroft.core.draft import Draft
from undercroft.core.rng import Rng, threshold
from undercroft.core.run import Run
from undercroft.kernels import buffer, plan
from undercroft.steps.links.triangulate import delaunay_pairs
from undercroft.steps.rooms.scatter import BoxIndex, Scatter, Separate
from undercroft.steps.rooms.split import Split

MANY = 3000 if HEAVY else 120
Box = tuple[int, int, int, int]
Edges = set[tuple[int, int]]
BOTH: list[tuple[Any, Callable[[Any], Any]]] = [(plan, buffer), (PLAIN["plan"], memoryview)]

# --- split ------------------------------------------------------------------------------------------------------------


def split_slowly(step: Split, box: Box, depth: int, rng: Rng) -> tuple[list[Box], list[tuple[Box, int]]]:
    """The cells of a box and the lines of its cuts, each with its depth: the slow twin."""
    x, y, w, h = box
    ratio = int(step.max_ratio * 65536)
    least_w, least_h = max(step.min_width, -(-h * 65536 // ratio)), max(step.min_height, -(-w * 65536 // ratio))
    across = depth < step.depth and 2 * least_w < w and h * 65536 <= ratio * w
    down = depth < step.depth and 2 * least_h < h and w * 65536 <= ratio * h
    if not across and not down:
        return [box], []
    if across and down:
        across = rng.below(w + h) < w
    side, least = (w, least_w) if across else (h, least_h)
    low = max(least, min(side * threshold(step.margin) >> 32, (side - 1) // 2))
    at = low + rng.below(side - 1 - 2 * low + 1)
    line = (x + at, y, 1, h) if across else (x, y + at, w, 1)
    first, second = (
        ((x, y, at, h), (x + at + 1, y, w - at - 1, h)) if across else ((x, y, w, at), (x, y + at + 1, w, h - at - 1))
    )
    cells, lines = split_slowly(step, first, depth + 1, rng)
    more_cells, more_lines = split_slowly(step, second, depth + 1, rng)
    return cells + more_cells, [(line, depth + 1), *lines, *more_lines]


@given(
    st.integers(3, 60),
    st.integers(3, 60),
    st.integers(1, 8),
    st.integers(1, 7),
    st.integers(1, 7),
    st.floats(0, 0.5),
    st.floats(2, 9),
    st.integers(0, 10_000),
)
def test_split_is_its_twin(
    width: int, height: int, depth: int, min_width: int, min_height: int, margin: float, ratio: float, seed: int
) -> None:
    step = Split(depth=depth, min_width=min_width, min_height=min_height, margin=margin, max_ratio=ratio)
    cells, lines = split_slowly(step, (1, 1, width - 2, height - 2), 0, Rng.root(seed))
    draft = Draft(width, height)
    step.apply(draft, Rng.root(seed), Run())
    assert draft.regions is not None
    assert [(cell.x, cell.y, cell.width, cell.height) for cell in draft.regions] == cells
    labels, layer = np.zeros((height, width), np.int32), np.zeros((height, width), np.uint8)
    for label, (x, y, w, h) in enumerate(cells, 1):
        labels[y : y + h, x : x + w] = label
    for (x, y, w, h), level in lines:
        layer[y : y + h, x : x + w] = level
    assert np.array_equal(draft.regions.labels, labels)
    assert np.array_equal(draft.layers["split"], layer)
    assert ((labels > 0) ^ (layer > 0))[1:-1, 1:-1].all(), "cells and lines share the map out between them"


# --- the laws of chance -----------------------------------------------------------------------------------------------


def scatter_by_kernel(
    count: int = 20_000,
    *,
    radius: int = 50,
    normal_place: bool = False,
    normal_size: bool = True,
    mean: float = 30.0,
    deviation: float = 5.0,
) -> Any:
    """Middles of cells from the middle of the disc, and sizes."""
    boxes = np.empty((count, 4), np.int32)
    lengths = (int(number * 65536) for number in (mean, mean, deviation))
    plan.scatter_boxes(
        buffer(boxes), Rng.root(1).state, 1001, 1001, radius, *lengths, normal_place, normal_size, 0, count
    )
    return boxes[:, :2] + boxes[:, 2:] // 2 - 500, boxes[:, 2:]


def test_even_places_fill_the_disc_evenly() -> None:
    """4.23: every cell of the disc is as likely as any other."""
    places, _ = scatter_by_kernel(40_000, radius=5)
    inside = [(x, y) for x in range(-5, 6) for y in range(-5, 6) if x * x + y * y <= 25]
    counts = dict.fromkeys(inside, 0)
    for place in map(tuple, places.tolist()):
        counts[place] += 1
    assert stats.chisquare(list(counts.values())).pvalue > 0.001


def test_normal_places_crowd_in_the_middle_of_the_disc() -> None:
    places, _ = scatter_by_kernel(radius=400, normal_place=True)
    far = (places.astype(np.int64) ** 2).sum(axis=1)
    assert far.max() <= 400**2
    whole = 1 - np.exp(-2)  # the part of the law that lies in the disc, with a deviation of half the radius
    for share in (0.25, 0.5, 0.75):
        assert abs(np.mean(far <= (400 * share) ** 2) - (1 - np.exp(-2 * share**2)) / whole) < 0.02


def test_sizes_follow_the_normal_law() -> None:
    """The sum of twelve even draws is normal to the eye: its distribution is nowhere farther off than a hundredth."""
    _, sizes = scatter_by_kernel()
    for lengths in sizes.T:
        assert abs(lengths.mean() - 30) < 0.2
        assert abs(lengths.std() - 5) < 0.1
        for at in range(18, 43):
            assert abs(np.mean(lengths <= at) - stats.norm.cdf((at + 0.5 - 30) / 5)) < 0.012


def test_sizes_of_the_even_law() -> None:
    _, sizes = scatter_by_kernel(normal_size=False, mean=6.0, deviation=2.0)
    values, counts = np.unique(sizes, return_counts=True)
    assert values.tolist() == [4, 5, 6, 7, 8]
    assert stats.chisquare(counts).pvalue > 0.001


def test_no_size_is_below_one() -> None:
    """4.23: the original could make cells of no or negative size."""
    for normal in (False, True):
        _, sizes = scatter_by_kernel(normal_size=normal, mean=1.0, deviation=9.0)
        assert sizes.min() == 1


def test_a_disc_of_radius_zero_is_one_place() -> None:
    for normal in (False, True):
        places, _ = scatter_by_kernel(100, radius=0, normal_place=normal)
        assert (places == 0).all()


def test_no_deviation_makes_all_cells_alike() -> None:
    for normal in (False, True):
        assert (scatter_by_kernel(100, normal_size=normal, mean=7.0, deviation=0.0)[1] == 7).all()


@given(
    st.integers(0, 2**62 - 1)
    | st.integers(0, 2**31 - 1).map(lambda root: root * root)
    | st.integers(1, 2**31 - 1).map(lambda root: root * root - 1)
)
def test_the_whole_root(value: int) -> None:
    from math import isqrt

    assert PLAIN["plan"].integer_sqrt(value) == isqrt(value)


# --- boxes that push each other apart ---------------------------------------------------------------------------------


def heap(number: int, most: int = 25) -> NDArray[np.int32]:
    """Boxes at random places of a small square, many of them on top of each other, some far off."""
    chance = np.random.default_rng(number)
    rows = chance.integers(-15, 15, (int(chance.integers(2, most)), 2))
    sizes = chance.integers(1, int(chance.integers(2, 12)), rows.shape)
    rows[0] += int(chance.integers(-90, 90))
    return np.ascontiguousarray(np.hstack([rows, sizes]), np.int32)


def are_too_near(boxes: NDArray[np.int32], i: int, j: int) -> bool:
    """Whether a box and another with a ring of one cell around it share a cell."""
    (x, y, w, h), (u, v, a, b) = boxes[i].tolist(), boxes[j].tolist()
    return bool({*range(x, x + w)} & {*range(u - 1, u + a + 1)} and {*range(y, y + h)} & {*range(v - 1, v + b + 1)})


def too_near_pairs(boxes: NDArray[np.int32]) -> Edges:
    return {(i, j) for i, j in combinations(range(len(boxes)), 2) if are_too_near(boxes, i, j)}


def steered(boxes: NDArray[np.int32], rounds: int, step: int = 4) -> Iterator[NDArray[np.int32]]:
    """Steer boxes apart; after each round, those that have a turn in the next."""
    count = len(boxes)
    crowd, marked, state = (
        np.arange(2 * count, dtype=np.int32).reshape(2, count),
        np.ones(count, np.uint8),
        np.array([0, 0, count, 0, 0]),
    )
    args = (
        buffer(state),
        buffer(boxes),
        buffer(crowd),
        buffer(marked),
        *BoxIndex.of(count, 60, 60),
        Rng.root(1).state,
        buffer(np.zeros(2, np.int32)),
        step,
    )
    while state[0] < rounds and state[2]:
        plan.separate_boxes(*args, int(state[0]) + 1, 1 << 40)
        yield crowd[state[0] & 1, : state[2]].copy()


def test_of_two_that_are_too_near_one_has_a_turn() -> None:
    """By brute force, after every round; so when nobody has a turn any more, all is well."""
    for number in range(MANY):
        boxes = heap(number)
        sizes = boxes[:, 2:].tolist()
        turns: NDArray[np.int32] | None = None
        for turns in steered(boxes, 500):
            assert len({*turns.tolist()}) == len(turns)
            assert all(i in turns or j in turns for i, j in too_near_pairs(boxes))
        assert turns is not None
        assert len(turns) == 0
        assert not too_near_pairs(boxes)
        assert boxes[:, 2:].tolist() == sizes


@pytest.mark.parametrize("step", [1, 2, 5])
def test_a_push_is_no_longer_than_a_step(step: int) -> None:
    """Two boxes push each other twice in a round, once each."""
    boxes = np.array([(0, 0, 30, 30), (9, 1, 30, 30)], np.int32)
    before = boxes.copy()
    list(steered(boxes, 1, step))
    assert (boxes - before).tolist() == [[-2 * step, 0, 0, 0], [2 * step, 0, 0, 0]]


def test_two_boxes_take_the_shorter_way_and_no_more_of_it_than_they_need() -> None:
    for away in range(-9, 10):
        boxes = np.array([(0, 0, 5, 9), (away, 2, 5, 9)], np.int32)
        near = len(too_near_pairs(boxes))
        list(steered(boxes, 50, 50))
        assert not too_near_pairs(boxes)
        assert boxes[:, 1].tolist() == [0, 2], "8 down, at most 6 across"
        assert not near or abs(int(boxes[0, 0] - boxes[1, 0])) == 6


def test_the_index_finds_what_is_near() -> None:
    """By brute force, wherever boxes lie."""
    kernel = PLAIN["plan"]
    for number in range(MANY):
        boxes = heap(number)
        with interpreted():
            found, heads, behind, before, grid, sums = BoxIndex.of(len(boxes), 1 + number % 90, 1 + number % 7)
            rows = buffer(boxes)
            kernel.lay_out_index(rows, sums, heads, grid)
            assert grid[0] * grid[1] <= len(heads)
            for i in range(len(boxes)):
                kernel.add_to_bucket(heads, behind, before, kernel.bucket_of_box(rows, i, grid), i)
            for i in range(len(boxes)):
                kernel.find_too_near(rows, i, heads, behind, grid, len(boxes), found)
                expected = {j for j in range(len(boxes)) if j != i and are_too_near(boxes, i, j)}
                assert {*found[1 : found[0] + 1]} == expected
                assert found[0] == len(expected)
                kernel.find_too_near(rows, i, heads, behind, grid, 1, found)
                assert found[0] == min(1, len(expected))


def test_of_boxes_too_near_to_each_other_the_first_in_order_stays() -> None:
    for number in range(MANY):
        boxes = heap(number)
        order = np.random.default_rng(number).permutation(len(boxes)).astype(np.int32)
        stays, index = np.empty(len(boxes), np.uint8), BoxIndex.of(len(boxes), 60, 60)
        plan.drop_crowded(buffer(boxes), buffer(order), *index, buffer(stays))
        kept: list[int] = []
        for i in order.tolist():
            if not any(are_too_near(boxes, i, j) for j in kept):
                kept.append(i)
        assert np.flatnonzero(stays).tolist() == sorted(kept)
        plan.find_crowded(buffer(boxes), *index)
        assert index.found[0] == bool(too_near_pairs(boxes))


def test_of_boxes_too_near_to_each_other_the_largest_stays() -> None:
    for number in range(MANY):
        boxes = heap(number)
        count = len(boxes)
        keys, order, spare = np.empty(count, np.int64), np.empty(count, np.int32), np.empty(count, np.int32)
        stays, expected, index = np.empty(count, np.uint8), np.empty(count, np.uint8), BoxIndex.of(count, 60, 60)
        plan.drop_smaller(buffer(boxes), buffer(keys), buffer(order), buffer(spare), *index, buffer(stays))
        falling = np.argsort(-boxes[:, 2].astype(np.int64) * boxes[:, 3], kind="stable").astype(np.int32)
        plan.drop_crowded(buffer(boxes), buffer(falling), *index, buffer(expected))
        assert stays.tolist() == expected.tolist()


def test_rows_are_sorted_as_numpy_does_it() -> None:
    """Equal keys stay in their order; compiled and interpreted."""
    for number in range(MANY):
        rng = np.random.default_rng(number)
        keys = rng.integers(-9, 9, rng.integers(0, 70))
        for kernel, wrap in BOTH:
            order, spare = np.empty(len(keys), np.int32), np.empty(len(keys), np.int32)
            kernel.sort_by_key(wrap(keys), wrap(order), wrap(spare))
            assert order.tolist() == np.argsort(keys, kind="stable").tolist()


def test_boxes_that_cover_an_area_are_counted() -> None:
    for number in range(MANY):
        boxes = heap(number)
        areas = ((boxes[:, 2] + 1) * (boxes[:, 3] + 1)).cumsum()
        for most in (0, int(areas[-1]) // 2, int(areas[-1]), int(areas[-1]) + 1):
            expected = min(int(np.searchsorted(areas, most)) + 1, len(boxes))
            for kernel, wrap in BOTH:
                assert kernel.count_within(wrap(boxes), most) == expected


def test_boxes_are_ordered_from_the_farthest_to_the_nearest() -> None:
    for number in range(MANY):
        boxes = heap(number)
        count = len(boxes)
        middles = 2 * boxes[:, :2].astype(np.int64) + boxes[:, 2:]
        middle = middles.sum(axis=0) // count
        squares = ((middles - middle) ** 2).sum(axis=1)
        for kernel, wrap in BOTH:
            places, sums, keys = np.empty((count, 2), np.int64), np.empty(15, np.int64), np.empty(count, np.int64)
            order, spare, crowd = np.empty(count, np.int32), np.empty(count, np.int32), np.empty((2, count), np.int32)
            found = np.empty(2, np.int32)
            room = wrap(places), wrap(sums), wrap(keys), wrap(order), wrap(spare)
            kernel.order_inwards(wrap(boxes), *room, wrap(crowd), wrap(found))
            assert found.tolist() == middle.tolist()
            assert crowd[0].tolist() == np.argsort(-squares, kind="stable").tolist()


def test_boxes_are_summed_up_clipped_and_moved_inside() -> None:
    """As NumPy does it, compiled and interpreted."""
    for number in range(MANY):
        boxes = heap(number)
        middles = 2 * boxes[:, :2].astype(np.int64) + boxes[:, 2:]
        ends = boxes[:, :2] + boxes[:, 2:]
        expected = [
            *(*boxes[:, :2].min(axis=0), *ends.max(axis=0), *boxes[:, 2:].max(axis=0)),
            *(*middles.min(axis=0), *middles.max(axis=0), *middles.sum(axis=0), *boxes[:, 2:].sum(axis=0)),
            ((boxes[:, 2] + 1) * (boxes[:, 3] + 1)).sum(),
        ]
        width, height = 20 + number % 40, 20 + number % 17
        for kernel, wrap in BOTH:
            sums = np.empty(15, np.int64)
            kernel.sum_up_boxes(wrap(boxes), wrap(sums))
            assert sums.tolist() == expected
            clipped, inside = boxes.copy(), np.empty(len(boxes), np.uint8)
            kernel.clip_boxes(wrap(clipped), width, height)
            starts = np.maximum(boxes[:, :2], 1)
            sizes = np.maximum(np.minimum(ends, (width - 1, height - 1)) - starts, 0)
            assert (clipped == np.hstack([starts, sizes])).all()
            lies = (boxes[:, :2] >= 1).all(axis=1) & (ends < (width, height)).all(axis=1)
            assert kernel.find_inner_boxes(wrap(boxes), wrap(inside), width, height) == lies.sum()
            assert (inside == lies).all()
            moved, here = boxes.copy(), np.zeros(len(boxes), np.uint8)
            order = np.arange(len(boxes), dtype=np.int32)[::2].copy()
            kernel.move_boxes_inside(wrap(moved), wrap(order), wrap(here), width, height)
            on_map = np.asarray((boxes[:, :2] < (width, height)).all(axis=1) & (ends > 0).all(axis=1))
            on_map[1::2] = False
            assert (here == on_map).all()
            wanted = boxes.copy()
            wanted[on_map, :2] = np.clip(boxes[on_map, :2], 1, (width - 1, height - 1) - boxes[on_map, 2:])
            assert (moved == wanted).all()


def test_places_and_edges_are_measured() -> None:
    for number in range(MANY):
        boxes = heap(number)
        points = boxes[:, :2].astype(np.int64)
        edges = np.array(list(combinations(range(len(boxes)), 2))[:40], np.int32).reshape(-1, 2)
        for kernel, wrap in BOTH if len(edges) else []:
            places, squares = np.empty((len(boxes), 2), np.int64), np.empty(len(boxes), np.int64)
            kernel.locate_middles(wrap(boxes), wrap(places), 3, -2, 7, 1, 2)
            assert (places == (2 * points + boxes[:, 2:] - (3, -2)) * 7 - (1, 2)).all()
            kernel.square_distances(wrap(places), wrap(squares))
            assert (squares == (places**2).sum(axis=1)).all()
            lengths, ranks = np.empty(len(edges), np.int64), np.empty(len(edges), np.int64)
            kernel.measure_edges(wrap(edges), wrap(points), wrap(lengths), wrap(ranks))
            assert (lengths == ((points[edges[:, 0]] - points[edges[:, 1]]) ** 2).sum(axis=1)).all()
            assert (np.argsort(ranks) == np.lexsort((edges[:, 1], edges[:, 0]))).all()


def test_points_are_bounded_and_sorted() -> None:
    for number in range(MANY):
        boxes = heap(number)
        count, halvings = len(boxes), number % 3
        for kernel, wrap in BOTH:
            points, bounds = np.empty((count, 2), np.int64), np.empty(4, np.int64)
            kernel.locate_centres(wrap(boxes), wrap(points))
            assert (points == boxes[:, :2] + boxes[:, 2:] // 2).all()
            kernel.bound_points(wrap(points), wrap(bounds))
            assert bounds.tolist() == [*points.min(axis=0), *points.max(axis=0)]
            seen = (points - points.min(axis=0)) >> halvings
            for turned in (False, True):
                along = seen[:, ::-1] if turned else seen
                short = int(along[:, 1].max()) + 1
                ranks, xs, ys, numbers = (np.empty(count, np.int64) for _ in range(4))
                order, spare = np.empty(count, np.int32), np.empty(count, np.int32)
                room = (wrap(part) for part in (ranks, order, spare, xs, ys, numbers))
                places = kernel.sort_points(wrap(points), *bounds[:2].tolist(), halvings, turned, short, *room)
                expected = np.lexsort((along[:, 1], along[:, 0]))
                assert numbers.tolist() == expected.tolist()
                assert np.stack([xs, ys], axis=1).tolist() == along[expected].tolist()
                assert places == len({*map(tuple, along.tolist())})


def with_room(boxes: NDArray[np.int32], places: NDArray[np.int64], stretch: float = 1.0) -> NDArray[np.int32]:
    moved = boxes.copy()
    order = np.argsort((places**2).sum(axis=1), kind="stable").astype(np.int32)
    plan.push_outwards(buffer(moved), buffer(order), buffer(places), 1000, 0, 0, int(stretch * 65536))
    return moved


@pytest.mark.parametrize("stretch", [0.4, 1.0, 2.0])
def test_boxes_make_room_for_those_nearer_to_the_middle(stretch: float) -> None:
    """Each of many in one place goes as far out as the area of those before it says; in the end they fill the ellipse
    evenly.
    """
    count = 5000
    boxes = np.array([(-1, -2, 2, 4)] * count, np.int32)
    places = np.zeros((count, 2), np.int64)
    plan.jitter_places(buffer(places), Rng.root(1).state, 2000)
    moved = with_room(boxes, places, stretch)
    assert (moved[:, 2:] == (2, 4)).all()
    far = np.hypot(*((2 * moved[:, :2] + moved[:, 2:]) / (stretch, 1 / stretch)).T)
    rank = np.argsort(np.argsort((places**2).sum(axis=1), kind="stable"))
    assert np.abs(far - np.sqrt(2 * 15 * rank)).max() < 4 * max(stretch, 1 / stretch), "but for whole cells"


def test_boxes_that_are_far_away_do_not_move() -> None:
    boxes = np.array([(-2, -2, 4, 4), (-2, -2, 4, 4), (30, 0, 3, 3), (0, -50, 3, 3)], np.int32)
    places = (2 * boxes[:, :2] + boxes[:, 2:]).astype(np.int64) * 1000
    moved = with_room(boxes, places)
    assert moved[[0, 2, 3]].tolist() == boxes[[0, 2, 3]].tolist(), "nor does the first"
    assert with_room(boxes, places + np.array([(0, 0), (700, 700), (0, 0), (0, 0)]))[1].tolist() == [0, 0, 4, 4]


def test_places_are_loosened_evenly() -> None:
    places = np.full((20_000, 2), 7, np.int64)
    plan.jitter_places(buffer(places), Rng.root(3).state, 1000)
    away = places - 7
    far = np.hypot(*away.T)
    assert far.max() <= 1000
    assert abs(np.mean(far < 500) - 0.25) < 0.01
    for axis in (0, 1):
        assert abs(np.mean(away[:, axis] > 0) - 0.5) < 0.01


@pytest.mark.parametrize(
    ("width", "height", "options"),
    [(60, 90, {"radius": 0.0}), (130, 30, {"cells": 200}), (50, 50, {"radius": 1.0, "position": "normal"})],
)
def test_apart_compiled_as_interpreted(width: int, height: int, options: dict[str, Any]) -> None:
    drafts = []
    for way in (nullcontext, interpreted):
        draft = Draft(width, height)
        with way():
            Scatter(**options).apply(draft, Rng.root(1), Run())
            Separate().apply(draft, Rng.root(2), Run())
        drafts.append(facts(draft))
    assert drafts[0] == drafts[1]


# --- triangles --------------------------------------------------------------------------------------------------------


def pairs(points: NDArray[Any]) -> Edges:
    found = [(a, b) for a, b in delaunay_pairs(points.astype(np.int64)).tolist()]
    assert all(a < b for a, b in found)
    assert len(set(found)) == len(found)
    return set(found)


def edges_of(triangles: NDArray[Any]) -> Edges:
    return {(min(a, b), max(a, b)) for triangle in triangles.tolist() for a, b in combinations(triangle, 2)}


def in_circle(points: NDArray[Any], a: int, b: int, c: int, d: int) -> int:
    """Positive if d is inside the circle through a, b, c; with Python's numbers, which have no end."""
    (ax, ay), (bx, by), (cx, cy) = (
        (int(points[i][0] - points[d][0]), int(points[i][1] - points[d][1])) for i in (a, b, c)
    )
    found = (
        (ax * ax + ay * ay) * (bx * cy - cx * by)
        - (bx * bx + by * by) * (ax * cy - cx * ay)
        + (cx * cx + cy * cy) * (ax * by - bx * ay)
    )
    return found * turn(points, a, b, c)


def turn(points: NDArray[Any], a: int, b: int, c: int) -> int:
    (ax, ay), (bx, by), (cx, cy) = ((int(x), int(y)) for x, y in points[[a, b, c]])
    area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    return (area > 0) - (area < 0)


def is_delaunay(points: NDArray[Any], found: Edges) -> None:
    """By brute force: an edge may stand if some circle through its ends holds no point, and there are as many edges as
    a triangulation has.
    """
    every = range(len(points))
    for a, b in found:
        left, right = ([c for c in every if turn(points, a, b, c) == side] for side in (1, -1))
        assert not any(between(points, a, b, c) for c in every), "no edge runs through a point"
        best = [c for c in left if all(in_circle(points, a, b, c, d) <= 0 for d in left)]
        assert bool(best) == bool(left)
        assert not best or all(in_circle(points, a, b, best[0], d) <= 0 for d in right)
    flat = all(turn(points, 0, 1, c) == 0 for c in every[2:])
    assert len(found) == (len(points) - 1 if flat else 3 * len(points) - 3 - on_the_border(points))


def between(points: NDArray[Any], a: int, b: int, c: int) -> bool:
    """Whether c lies on the line from a to b."""
    if c in (a, b) or turn(points, a, b, c):
        return False
    return all(min(points[a][i], points[b][i]) <= points[c][i] <= max(points[a][i], points[b][i]) for i in (0, 1))


def on_the_border(points: NDArray[Any]) -> int:
    """How many points lie on the border of all: on a line through another point that has nothing on one side."""
    every = range(len(points))
    sides = {(a, b): {turn(points, a, b, c) for c in every} for a in every for b in every if a != b}
    return sum(any({1, -1} - sides[a, b] for b in every if b != a) for a in every)


@pytest.mark.parametrize("side", [100, 3000, 16_384])
def test_as_scipy_in_general_position(side: int) -> None:
    """4.26. Points of which four lie on a circle have several triangulations; with large coordinates they are rare, and
    left out.
    """
    chance = np.random.default_rng(side)
    same = 0
    for _ in range(MANY):
        points = np.unique(chance.integers(0, side, (int(chance.integers(4, 40)), 2)), axis=0)
        theirs, ours = edges_of(Delaunay(points).simplices), pairs(points)
        assert side < 3000 or theirs == ours
        same += theirs == ours
    assert same > MANY // 2


def test_ten_thousand_points_as_scipy() -> None:
    points = np.unique(np.random.default_rng(1).integers(0, 16_384, (10_000, 2)), axis=0)
    ours, theirs = pairs(points), edges_of(Delaunay(points).simplices)
    assert len(ours) == len(theirs)
    assert len(ours ^ theirs) <= 8, "but for four points on a circle, which may be cut either way"


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=2, max_size=12, unique=True))
def test_small_grids_by_brute_force(places: list[tuple[int, int]]) -> None:
    """Points on few lines and circles, where every shortcut fails."""
    points = np.array(places)
    is_delaunay(points, pairs(points))


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), min_size=2, max_size=14, unique=True))
def test_larger_grids_by_brute_force(places: list[tuple[int, int]]) -> None:
    points = np.array(places)
    is_delaunay(points, pairs(points))


def test_the_brute_force_finds_faults() -> None:
    points = np.array([(0, 0), (9, 0), (9, 1), (0, 1), (4, 9)])
    good = pairs(points)
    is_delaunay(points, good)
    for wrong in (good - {(0, 1)}, (good - {(2, 3)}) | {(0, 4)}, good | {(0, 4)}):
        with pytest.raises(AssertionError):
            is_delaunay(points, wrong)


def test_few_points() -> None:
    """4.26: none, one, two."""
    assert pairs(np.zeros((0, 2))) == set()
    assert pairs(np.array([(4, 4)])) == set()
    assert pairs(np.array([(4, 4), (1, 9)])) == {(0, 1)}


@pytest.mark.parametrize("along", [(1, 0), (0, 1), (1, 1), (3, -2)])
def test_points_on_a_line(along: tuple[int, int]) -> None:
    """4.26: each is paired with the next, whatever the order they come in."""
    order = np.random.default_rng(3).permutation(20)
    points = order[:, None] * np.array(along)
    place = np.argsort(order)
    assert pairs(points) == {(min(place[k], place[k + 1]), max(place[k], place[k + 1])) for k in range(19)}


def test_points_at_the_same_place() -> None:
    """4.26: they hang together."""
    assert pairs(np.array([(5, 5)] * 4)) == {(0, 1), (1, 2), (2, 3)}
    points = np.array([(0, 0), (9, 0), (4, 8), (9, 0), (0, 0), (0, 0)])
    found = pairs(points)
    assert len(found) == 3 + 3
    assert {(0, 4), (4, 5), (1, 3)} <= found
    for places in ([(0, 0), (0, 0)], [(0, 0), (0, 0), (3, 3), (3, 3)]):
        assert len(pairs(np.array(places))) == len(places) - 1


def test_a_full_grid_of_points() -> None:
    """Every four lie on a circle."""
    points = np.array([(x, y) for x in range(30) for y in range(20)])
    assert len(pairs(points)) == 3 * 600 - 3 - 2 * (30 + 20) + 4


def test_exact_at_the_greatest_size() -> None:
    """Compiled numbers have 64 bits, interpreted ones have no end: they agree on the largest circles that are allowed,
    all but touching a fourth point.
    """
    side = 16_384
    corners = [(0, 0), (side - 1, 0), (0, side - 1), (side - 1, side - 1)]
    near = [(side - 2, side - 1), (side - 1, side - 2), (1, side - 1), (side // 2, side // 2), (0, 1)]
    chance = np.random.default_rng(5)
    for _ in range(60):
        points = np.array(corners[: int(chance.integers(2, 5))] + [near[k] for k in chance.permutation(5)[:3]])
        points = np.unique(np.concatenate([points, chance.integers(0, side, (4, 2))]), axis=0)
        quick = pairs(points)
        with interpreted():
            assert pairs(points) == quick
        is_delaunay(points, quick)


def test_the_bound_holds_where_it_is_said_to() -> None:
    assert 3 * 16_384 * 16_384 * (2 * 16_384**2) < 2**63
    cells, side = 4096 * 4096, 1 << 18
    assert 3 * cells * (side**2 + (cells // side) ** 2) < 2**63, (
        "every map of the usual limit, up to that length, is exact"
    )


def test_a_map_too_long_for_64_bits_is_halved() -> None:
    chance = np.random.default_rng(2)
    points = np.stack([chance.integers(0, 1 << 20, 500), chance.integers(0, 500, 500)], axis=1)
    halved = points - points.min(axis=0) >> 1
    width, height = (int(side) + 1 for side in np.ptp(points, axis=0))
    assert 3 * width * height * (width**2 + height**2) >= 2**63
    found = pairs(points)
    while 3 * (width := (width + 1) // 2) * (height := (height + 1) // 2) * (width**2 + height**2) >= 2**63:
        halved = halved >> 1
    _, first = np.unique(halved, axis=0, return_index=True)
    if len(first) == len(points):
        assert found == edges_of(Delaunay(halved).simplices)
    reached = {0}
    for _ in range(500):
        reached |= {b for a, b in found if a in reached} | {a for a, b in found if b in reached}
    assert len(reached) == 500


# --- the shortest tree ------------------------------------------------------------------------------------------------


def tree_lengths(points: NDArray[Any]) -> list[int]:
    """The lengths (squared) of a shortest tree over all pairs: by growing it from one point."""
    far = ((points[:, None].astype(np.int64) - points[None]) ** 2).sum(axis=2)
    inside, best, found = {0}, far[0].copy(), []
    while len(inside) < len(points):
        at = min((k for k in range(len(points)) if k not in inside), key=lambda k: best[k])
        found.append(int(best[at]))
        inside.add(at)
        best = np.minimum(best, far[at])
    return sorted(found)


def spanned(points: NDArray[Any], extra: float = 0.0, seed: int = 0) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Edges by length, those that are kept, and the squares of their lengths."""
    edges = delaunay_pairs(points.astype(np.int64))
    squares = ((points[edges[:, 0]].astype(np.int64) - points[edges[:, 1]]) ** 2).sum(axis=1)
    order = np.argsort(squares, kind="stable")
    edges, squares = np.ascontiguousarray(edges[order]), squares[order]
    stays, parent = np.zeros(len(edges), np.uint8), np.arange(len(points), dtype=np.int32)
    plan.select_spanning_edges(
        buffer(edges), buffer(parent), buffer(stays), Rng.root(seed).state, threshold(extra), 0, len(edges)
    )
    return edges, stays, squares


def test_the_tree_is_shortest_by_brute_force() -> None:
    """4.26: over all pairs, not only neighbours. Lengths of shortest trees are unique even where the trees are not."""
    chance = np.random.default_rng(8)
    for _ in range(MANY):
        points = np.unique(
            chance.integers(0, int(chance.choice([5, 30, 5000])), (int(chance.integers(1, 25)), 2)), axis=0
        )
        _, stays, squares = spanned(points)
        assert sorted(squares[stays == 1].tolist()) == tree_lengths(points)


def test_the_tree_is_as_short_as_scipys() -> None:
    points = np.random.default_rng(4).integers(0, 1000, (200, 2))
    points = np.unique(points, axis=0)
    far = np.sqrt(((points[:, None] - points[None]) ** 2).sum(axis=2))
    _, stays, squares = spanned(points)
    assert np.isclose(np.sqrt(squares[stays == 1]).sum(), minimum_spanning_tree(far).sum())


def test_extra_edges_come_with_their_chance() -> None:
    points = np.unique(np.random.default_rng(4).integers(0, 4000, (3000, 2)), axis=0)
    _, stays, _ = spanned(points)
    assert stays.sum() == len(points) - 1
    more = len(stays) - len(points) + 1
    _, stays, _ = spanned(points, 0.15)
    assert abs((stays.sum() - len(points) + 1) / more - 0.15) < 0.02
    assert spanned(points, 1.0)[1].all()
