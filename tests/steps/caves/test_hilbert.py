"""The Hilbert curve, and levels along a window of it (4.42 to 4.44)."""

from __future__ import annotations

from collections import deque
from fractions import Fraction
from itertools import pairwise
from math import floor
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import undercroft as uc
from support.maps import HEAVY, after, border, components
from undercroft.core.draft import Draft
from undercroft.core.level import Level
from undercroft.core.rng import Rng, threshold
from undercroft.core.run import Run
from undercroft.errors import BadInput, TooBig
from undercroft.kernels import buffer, curves
from undercroft.steps.caves.hilbert import Hilbert

SEEDS = 1000 if HEAVY else 40
Point = tuple[int, int]


# --- the curve (4.42) -------------------------------------------------------------------------------------------------


def by_recursion(order: int) -> list[Point]:
    """The curve from its description: four curves of the order below, in frames of their own."""

    def curve(origin: Point, right: Point, up: Point, order: int) -> list[Point]:
        if order == 0:
            return [origin]
        half = 2 ** (order - 1)

        def at(a: int, b: int) -> Point:
            return origin[0] + a * right[0] + b * up[0], origin[1] + a * right[1] + b * up[1]

        back, down = (-up[0], -up[1]), (-right[0], -right[1])
        quarters = (
            (at(0, 0), up, right),
            (at(half, 0), right, up),
            (at(half, half), right, up),
            (at(half - 1, 2 * half - 1), back, down),
        )
        return [point for frame in quarters for point in curve(*frame, order - 1)]

    return curve((0, 0), (1, 0), (0, 1), order)


@pytest.mark.parametrize("order", range(9))
def test_4_42_the_curve_is_the_recursion(order: int) -> None:
    points = uc.hilbert(order)
    assert points.dtype == np.int32
    assert points.tolist() == [list(point) for point in by_recursion(order)]


@pytest.mark.parametrize("order", range(11))
def test_4_42_what_a_hilbert_curve_is(order: int) -> None:
    points = uc.hilbert(order)
    side = 2**order
    assert points.shape == (4**order, 2)
    assert len(np.unique(points[:, 0] * side + points[:, 1])) == 4**order
    assert points.min() == 0
    assert points.max() == side - 1
    assert (np.abs(np.diff(points, axis=0)).sum(1) == 1).all()
    assert points[0].tolist() == [0, 0]
    assert points[-1].tolist() == [0, side - 1]
    if order:
        assert points[1].tolist() == ([1, 0] if order % 2 else [0, 1])


@pytest.mark.parametrize("order", [-1, -7, 1.5, "3", None, True])
def test_4_42_no_such_order(order: Any) -> None:
    with pytest.raises(BadInput, match="the order of a curve is a whole number from 0") as caught:
        uc.hilbert(order)
    assert caught.value.fix


@pytest.mark.parametrize("order", [15, 16, 1000, 10**9])
def test_a_curve_that_no_memory_holds_is_refused_at_once(order: int) -> None:
    with pytest.raises(TooBig, match="the number of points"):
        uc.hilbert(order)


def test_whole_numbers_of_numpy_are_orders() -> None:
    assert len(uc.hilbert(np.int64(3))) == 64  # type: ignore[arg-type]


@pytest.mark.parametrize("order", [1, 4, 5])
def test_the_place_of_every_point(order: int) -> None:
    side = 2**order
    out = np.empty(side * side, np.int64)
    curves.find_curve_positions(buffer(out), 0, 0, side, order, 0, side)
    points = uc.hilbert(order)
    assert out[points[:, 1] * side + points[:, 0]].tolist() == list(range(4**order))


# --- the way (4.43, 4.44) ---------------------------------------------------------------------------------------------


def twin(step: Hilbert, width: int, height: int, seed: int) -> tuple[list[Point], list[list[Point]], int, int]:
    """The way by lists: the cells of the window that it visits in order, and the runs of the curve it was cut into; and
    the size of the window.
    """
    rng = Rng.root(seed).stream("step")
    pitch = min(step.cell_size, width - 1, height - 1)
    columns, rows = (width - 1) // pitch, (height - 1) // pitch
    order = step.order
    while not step.order and 2**order < 2 * max(columns, rows):
        order += 1
    columns, rows = min(columns, 2**order), min(rows, 2**order)
    left = rng.below(2**order - columns + 1)
    top = rng.below(2**order - rows + 1)
    numbered = [
        (number, x - left, y - top)
        for number, (x, y) in enumerate(by_recursion(order))
        if left <= x < left + columns and top <= y < top + rows
    ]
    begin, end = (
        floor(Fraction(threshold(share), 1 << 32) * len(numbered) + Fraction(1, 2))
        for share in (step.start_share, step.end_share)
    )
    begin = min(begin, len(numbered) - 1)
    numbered = numbered[begin : max(end, begin + 1)]
    runs: list[list[Point]] = []
    last = None
    for number, x, y in numbered:
        if last is None or number != last + 1:
            runs.append([])
        runs[-1].append((x, y))
        last = number
    return [cell for run in runs for cell in run], runs, columns, rows


def round_the_border(a: Point, b: Point, columns: int, rows: int) -> int:
    """Steps from one border cell to another over border cells only."""
    far = {a: 0}
    queue = deque([a])
    while queue:
        x, y = queue.popleft()
        for cell in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            inside = 0 <= cell[0] < columns and 0 <= cell[1] < rows
            if inside and (cell[0] in (0, columns - 1) or cell[1] in (0, rows - 1)) and cell not in far:
                far[cell] = far[x, y] + 1
                queue.append(cell)
    return far[b]


STEPS = [
    Hilbert(),
    Hilbert(start_share=0.0, end_share=1.0, room_cells=1, branches=0.0),
    Hilbert(order=5, cell_size=4, way_width=1),
    Hilbert(order=3, cell_size=5, start_share=0.25, end_share=0.5, branch_cells=5, branches=1.0),
    Hilbert(order=1, cell_size=6, room_cells=4, roughness=1.0),
    Hilbert(cell_size=2, rounds=0, roughness=0.0, room_cells=2),
    Hilbert(cell_size=7, rounds=20, roughness=0.9, way_width=100),
]
SIZES = [(80, 50), (41, 31), (30, 61), (9, 40), (40, 9), (3, 3), (5, 64)]


@pytest.mark.parametrize("step", STEPS)
def test_4_44_the_way_follows_the_curve(step: Hilbert) -> None:
    """Run by run, in the order of the curve, and between two runs along the border of the window by the shortest
    way.
    """
    bridges = 0
    for seed in range(20):
        for width, height in SIZES:
            cells, runs, columns, rows = twin(step, width, height, seed)
            walk = step._walk(step._window(width, height), Rng.root(seed).stream("step"), Run())
            at = [(int(cell) % columns, int(cell) // columns) for cell in walk[:, 0]]
            assert all(abs(a - c) + abs(b - d) == 1 for (a, b), (c, d) in pairwise(at))
            assert [place for place, run in zip(at, walk[:, 1].tolist(), strict=True) if run] == cells
            assert [run for run in walk[:, 1].tolist() if run] == [
                number for number, run in enumerate(runs, 1) for _ in run
            ]
            between = sum(round_the_border(a[-1], b[0], columns, rows) - 1 for a, b in pairwise(runs))
            assert len(walk) == len(cells) + between
            assert all(
                x in (0, columns - 1) or y in (0, rows - 1)
                for (x, y), run in zip(at, walk[:, 1].tolist(), strict=True)
                if not run
            )
            bridges += len(runs) - 1
    assert bridges > 20 or step.order == 1  # that curve fits into the window


def run_hilbert(step: Hilbert, size: Point, seed: int) -> Level:
    return after(step, Draft(*size), seed=seed).level()


def is_a_way(level: Level, *, is_numbered: bool = False) -> None:
    """Connected, closed, and a path that visits the rooms of the way in their order; that of their labels, unless these
    are numbered by steps from the start.
    """
    assert components(level.walkable) == 1
    assert (border(level.tiles) == level.palette["wall"]).all()
    path = level.path
    assert (np.abs(np.diff(path, axis=0)).sum(1) == 1).all()
    assert level.walkable[path[:, 1], path[:, 0]].all()
    assert (tuple(path[0].tolist()), tuple(path[-1].tolist())) == (level.start, level.end)
    visited = level.regions.labels[path[:, 1], path[:, 0]].tolist()
    on_the_way = [region.label for region in level.regions if region.tags == ("way",)]
    if is_numbered:
        assert {*on_the_way} <= {*visited}
    else:
        assert on_the_way == list(range(1, len(on_the_way) + 1))
        following = 0
        for label in visited:
            following += following < len(on_the_way) and label == on_the_way[following]
        assert following == len(on_the_way)
    labels = level.regions.labels
    assert ((labels > 0) == level.walkable).all()
    assert (
        np.bincount(labels.reshape(-1), minlength=len(level.regions) + 1)[1:].tolist()
        == level.regions.table["area"].tolist()
    )


def touching(level: Level) -> set[Point]:
    """Pairs of regions that have neighbouring cells."""
    labels = level.regions.labels
    pairs = np.concatenate(
        [
            np.stack([labels[:, :-1].ravel(), labels[:, 1:].ravel()], 1),
            np.stack([labels[:-1].ravel(), labels[1:].ravel()], 1),
        ],
    )
    return {(min(a, b), max(a, b)) for a, b in pairs.tolist() if a and b and a != b}


@pytest.mark.parametrize("step", STEPS)
def test_4_44_connected_and_in_order(step: Hilbert) -> None:
    for seed in range(SEEDS // 5):
        for size in SIZES:
            is_a_way(run_hilbert(step, size, seed))


@pytest.mark.parametrize("step", STEPS)
def test_rooms_that_no_way_joins_never_touch(step: Hilbert) -> None:
    for seed in range(SEEDS // 5):
        level = run_hilbert(step, (80, 50), seed)
        assert touching(level) == {(link.a, link.b) for link in level.links}


@pytest.mark.parametrize("longest", [1, 2, 5])
def test_4_44_rooms_are_some_cells_in_a_row(longest: int) -> None:
    """Without roughness a room is as large as its cells: here 3x3 each, and the wall between two of them."""
    lengths = []
    for seed in range(SEEDS // 2):
        level = run_hilbert(
            Hilbert(cell_size=4, way_width=3, room_cells=longest, rounds=0, roughness=0.0, branches=0.0), (61, 61), seed
        )
        for region in level.regions:
            if region.tags == ("way",):
                blocks = {
                    (x // 4, y // 4)
                    for y, x in np.argwhere(level.regions.labels == region.label).tolist()
                    if x % 4 and y % 4
                }
                lengths.append(len(blocks))
    assert set(lengths) == set(range(1, longest + 1))


@pytest.mark.parametrize("longest", [1, 3])
def test_4_44_branches_are_dead_ends(longest: int) -> None:
    several = 0
    for seed in range(SEEDS // 2):
        level = run_hilbert(
            Hilbert(cell_size=4, rounds=0, roughness=0.0, end_share=0.6, branches=0.7, branch_cells=longest),
            (61, 45),
            seed,
        )
        graph = level.graph
        for region in level.regions:
            if region.kind == "room" and not region.tags:
                assert graph.degree(region.label) == 1
                assert max(region.width, region.height) <= 4 * longest
                several += 1
    assert several > 100
    assert not [
        region
        for region in run_hilbert(Hilbert(branch_cells=0), (80, 50), 1).regions
        if not region.tags and region.kind != "corridor"
    ]


def test_4_44_the_share_of_the_curve() -> None:
    """A window of 15x10 cells: 150 in all."""
    for start, end, count in ((0.0, 1.0, 150), (0.2, 0.6, 60), (0.5, 0.5, 1), (1.0, 1.0, 1), (0.0, 0.0, 1)):
        step = Hilbert(cell_size=4, start_share=start, end_share=end, room_cells=1, branches=0.0)
        level = run_hilbert(step, (61, 41), 3)
        assert sum(region.tags == ("way",) for region in level.regions) == count


def test_the_automaton_roughens() -> None:
    """Straight edges are gone: many more corners than the drawn rooms have."""

    def corners(level: Level) -> int:
        cells = level.walkable.astype(int)
        squares = cells[:-1, :-1] + cells[1:, :-1] + cells[:-1, 1:] + cells[1:, 1:]
        return int(np.count_nonzero(squares % 2))

    drawn, rough = (
        sum(corners(run_hilbert(Hilbert(rounds=rounds, roughness=roughness), (80, 50), seed)) for seed in range(10))
        for rounds, roughness in ((0, 0.0), (3, 0.7))
    )
    assert rough > 1.5 * drawn


def test_windows_lie_anywhere_on_the_curve() -> None:
    step = Hilbert(order=4, cell_size=8, start_share=0.0, end_share=1.0)
    assert len({tuple(twin(step, 65, 65, seed)[0]) for seed in range(60)}) > 30
    assert len({str(run_hilbert(Hilbert(), (80, 50), seed)) for seed in range(100)}) == 100


def test_every_small_size_gives_a_level_or_a_sentence() -> None:
    for width in range(1, 20):
        for height in range(1, 20):
            ask: dict[str, Any] = {"seed": width * height, "size": (width, height), "cell_size": 2 + width % 7}
            if min(width, height) < 3:
                with pytest.raises(BadInput, match="at least 3x3") as caught:
                    uc.generate("galak-z", **ask)
                assert caught.value.fix
            else:
                is_a_way(uc.generate("galak-z", **ask), is_numbered=True)


shares = st.floats(0, 1)
anything = st.fixed_dictionaries(
    {},
    optional={
        "order": st.integers(0, 15),
        "cell_size": st.integers(2, 200),
        "room_cells": st.integers(1, 1000),
        "branches": shares,
        "branch_cells": st.integers(0, 1000),
        "way_width": st.integers(1, 100),
        "roughness": shares,
        "rounds": st.integers(0, 50),
    },
)


@given(st.integers(0, 2**64 - 1), st.integers(3, 70), st.integers(3, 70), anything, shares, shares)
def test_a_way_of_any_parameters(
    seed: int, width: int, height: int, params: dict[str, Any], one: float, other: float
) -> None:
    params |= {"start_share": min(one, other), "end_share": max(one, other)}
    is_a_way(uc.generate("galak-z", seed=seed, size=(width, height), tries=1, params=params), is_numbered=True)


def test_a_way_that_would_end_before_it_begins() -> None:
    with pytest.raises(BadInput, match=r"cannot begin at 0\.8 of the curve and end at 0\.2") as caught:
        uc.generate("galak-z", seed=1, start_share=0.8, end_share=0.2)
    assert caught.value.fix == "set end_share above start_share"


def test_galak_z() -> None:
    for seed in range(SEEDS):
        level = uc.generate("galak-z", seed=seed, size=(80, 50))
        is_a_way(level, is_numbered=True)
        assert len(level.rooms) > 5
    is_a_way(uc.generate("galak-z", seed=1, size=(512, 512)), is_numbered=True)
