"""Labels, boxes, distances, ways and counts, against SciPy and against loops anybody can read."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import ndimage
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import shortest_path

from drawn import HEAVY, PLAIN, holes, random_grid
from undercroft.analysis import reach as analysis
from undercroft.kernels import buffer, reach

Ints = NDArray[np.int32]
BOTH: list[tuple[Any, Callable[[Any], Any]]] = [(reach, buffer), (PLAIN["reach"], memoryview)]
SHAPES = [(1, 1), (1, 9), (9, 1), (2, 2), (5, 4), (13, 11), (31, 17)]
GRIDS = 20_000 if HEAVY else 1000
DIRECTIONS = [(0, -1), (-1, 0), (1, 0), (0, 1)]


def kinds_grid(number: int) -> NDArray[np.uint8]:
    """A grid of kinds 0 to 1, 2 or 3, more or less crowded."""
    chance = np.random.default_rng(number)
    width, height = SHAPES[number % len(SHAPES)]
    most = 2 + number % 3
    empty = (0.2, 0.45, 0.7)[number % 7 % 3]
    return np.where(chance.random((height, width)) < empty, 0, chance.integers(1, most, (height, width))).astype(np.uint8)


def scipy_labels(kinds: NDArray[np.uint8], eight: bool) -> tuple[Ints, int]:
    """SciPy's labels of each kind, renumbered in reading order of their first cells."""
    structure = np.ones((3, 3)) if eight else None
    whole = np.zeros(kinds.shape, np.int64)
    for kind in range(1, 256):
        if (kinds == kind).any():
            part, _ = ndimage.label(kinds == kind, structure)
            whole = np.where(part > 0, part + 10_000 * kind, whole)
    order = dict.fromkeys(value for value in whole.reshape(-1).tolist() if value)
    number = {0: 0} | {value: place for place, value in enumerate(order, 1)}
    return np.array([number[value] for value in whole.reshape(-1).tolist()], np.int32).reshape(kinds.shape), len(order)


def labelled(module: ModuleType, wrap: Any, kinds: NDArray[np.uint8], eight: bool, fuel: int) -> tuple[Ints, int]:
    height, width = kinds.shape
    labels, parent, state = np.full(kinds.size, 77, np.int32), np.full(kinds.size + 1, 99, np.int32), np.zeros(5, np.int64)
    while module.label(wrap(state), wrap(kinds.reshape(-1)), wrap(labels), wrap(parent), width, height, eight, fuel) >= fuel:
        pass
    return labels.reshape(height, width), int(state[3])


@pytest.mark.parametrize("eight", [False, True])
def test_labels_are_scipys(eight: bool) -> None:
    for number in range(GRIDS):
        kinds = kinds_grid(number)
        expected, count = scipy_labels(kinds, eight)
        got, found = analysis.labels(kinds, eight=eight)
        assert found == count
        assert (got == expected).all(), number


@pytest.mark.parametrize("eight", [False, True])
def test_labels_are_the_same_in_any_bites_and_interpreted(eight: bool) -> None:
    for number in range(60):
        kinds = kinds_grid(number)
        expected, count = scipy_labels(kinds, eight)
        for module, wrap in BOTH:
            for fuel in (1, 2, 7, 40, 1 << 18):
                got, found = labelled(module, wrap, kinds, eight, fuel)
                assert found == count
                assert (got == expected).all(), (number, fuel)


def test_labels_of_a_spiral_and_a_comb() -> None:
    """Shapes that make one region of many provisional labels."""
    comb = np.zeros((20, 41), np.uint8)
    comb[:, ::2] = 1
    comb[-1] = 1
    assert analysis.labels(comb)[1] == 1
    assert analysis.labels(comb[::-1].copy())[1] == 1
    stairs = np.eye(30, dtype=np.uint8)
    assert (analysis.labels(stairs)[1], analysis.labels(stairs, eight=True)[1]) == (30, 1)
    assert (analysis.labels(stairs[::-1].copy())[1], analysis.labels(stairs[::-1].copy(), eight=True)[1]) == (30, 1)


def test_boxes() -> None:
    for number in range(GRIDS):
        kinds = kinds_grid(number)
        labels, count = analysis.labels(kinds)
        rows = []
        for label in range(1, count + 1):
            ys, xs = np.nonzero(labels == label)
            rows.append([xs.min(), ys.min(), xs.max(), ys.max(), len(xs), kinds[ys[0], xs[0]]])
        table = analysis.boxes(labels, kinds, count)
        assert table.tolist() == rows
        height, width = kinds.shape
        for module, wrap in BOTH if count and number < 60 else []:
            pieces = np.array([(width, height, -1, -1, 0, 0)] * count, np.int32)
            for row in range(height):
                module.boxes(wrap(labels.reshape(-1)), wrap(kinds.reshape(-1)), wrap(pieces), width, row, row + 1)
            assert (pieces == table).all()


# --- distances ------------------------------------------------------------------------------------------------------------------------


def breadth_first(open_cells: NDArray[np.bool_], sources: list[tuple[int, int]]) -> dict[tuple[int, int], int]:
    height, width = open_cells.shape
    steps = {source: 0 for source in sources if open_cells[source[1], source[0]]}
    queue = deque(steps)
    while queue:
        x, y = queue.popleft()
        for dx, dy in DIRECTIONS:
            near = x + dx, y + dy
            if 0 <= near[0] < width and 0 <= near[1] < height and open_cells[near[1], near[0]] and near not in steps:
                steps[near] = steps[x, y] + 1
                queue.append(near)
    return steps


def open_grid(number: int) -> tuple[NDArray[np.bool_], list[tuple[int, int]]]:
    width, height = SHAPES[number % len(SHAPES)]
    chance = np.random.default_rng(number)
    cells = random_grid(number, width, height, (0.5, 0.65, 0.9)[number % 3]).astype(bool)
    sources = [(int(chance.integers(width)), int(chance.integers(height))) for _ in range(number % 4)]
    return cells, sources


def test_distances_are_those_of_a_breadth_first_search() -> None:
    for number in range(GRIDS):
        cells, sources = open_grid(number)
        expected = breadth_first(cells, sources)
        field = analysis.Field(cells, sources)
        height, width = cells.shape
        for y in range(height):
            for x in range(width):
                steps = field.at(x, y)
                assert steps == expected.get((x, y), -1 if cells[y, x] else -2)
                assert field.steps[y, x] == steps
        assert field.reached == len(expected)
        if expected:
            assert field.farthest is not None
            assert expected[field.farthest] == max(expected.values())
        else:
            assert field.farthest is None
        assert (analysis.distances(cells, sources) == field.steps).all()


def test_distances_are_scipys() -> None:
    for number in range(40):
        cells, _ = open_grid(number)
        height, width = cells.shape
        index = np.arange(cells.size).reshape(height, width)
        right, down = cells[:, 1:] & cells[:, :-1], cells[1:] & cells[:-1]
        a = np.concatenate([index[:, :-1][right], index[:-1][down]])
        b = np.concatenate([index[:, 1:][right], index[1:][down]])
        graph = coo_matrix((np.ones(len(a)), (a, b)), (cells.size, cells.size))
        for source in np.flatnonzero(cells)[:3].tolist():
            expected = shortest_path(graph, directed=False, unweighted=True, indices=source).reshape(height, width)
            steps = analysis.distances(cells, [(source % width, source // width)])
            assert (np.where(steps >= 0, steps, np.inf) == expected).all()


def test_distances_are_the_same_in_any_bites_and_interpreted() -> None:
    for number in range(60):
        cells, sources = open_grid(number)
        height, width = cells.shape
        stride = width + 1
        fields = []
        for module, wrap in BOTH:
            for fuel in (1, 2, 7, 1 << 18):
                rimmed = np.full((height + 2, stride), -2, np.int32)
                rimmed[1:-1, 1:] = np.where(cells, -1, -2)
                queue, tail = np.zeros(cells.size + 1, np.int32), 0
                for x, y in dict.fromkeys(sources):
                    if cells[y, x]:
                        rimmed[y + 1, x + 1] = 0
                        queue[tail] = (y + 1) * stride + x + 1
                        tail += 1
                state = np.array([0, tail, tail, 0], np.int64)
                while module.spread(wrap(state), wrap(rimmed.reshape(-1)), wrap(queue), stride, fuel) == fuel:
                    pass
                fields.append((rimmed.tobytes(), queue.tobytes(), state.tolist()))
        assert len(set(map(repr, fields))) == 1
        assert np.frombuffer(fields[0][0], np.int32).reshape(height + 2, stride)[1:-1, 1:].tolist() == analysis.distances(cells, sources).tolist()


def way_down(steps: NDArray[np.int32], x: int, y: int) -> list[list[int]]:
    """From a cell to distance 0, by the first neighbour that is nearer: up, left, right, down."""
    height, width = steps.shape
    way = [[x, y]]
    while steps[y, x]:
        want = steps[y, x] - 1
        x, y = next((x + dx, y + dy) for dx, dy in DIRECTIONS if 0 <= x + dx < width and 0 <= y + dy < height and steps[y + dy, x + dx] == want)
        way.append([x, y])
    return way[::-1]


def test_ways() -> None:
    seen = 0
    for number in range(GRIDS):
        cells, sources = open_grid(number)
        field = analysis.Field(cells, sources)
        height, width = cells.shape
        for y in range(height):
            for x in range(0, width, 3):
                way = field.way(x, y)
                if field.at(x, y) < 0:
                    assert way.shape == (0, 2)
                else:
                    seen += 1
                    assert way.tolist() == way_down(field.steps, x, y)
    assert seen > 1000


def test_ways_interpreted() -> None:
    for number in range(60):
        cells, sources = open_grid(number)
        field = analysis.Field(cells, sources)
        if field.farthest is None:
            continue
        x, y = field.farthest
        height, width = cells.shape
        rimmed = np.full((height + 2, width + 1), -2, np.int32)
        rimmed[1:-1, 1:] = field.steps
        way = np.zeros(field.at(x, y) + 1, np.int32)
        count = BOTH[1][0].trace(BOTH[1][1](rimmed.reshape(-1)), BOTH[1][1](way), (y + 1) * (width + 1) + x + 1, width + 1)
        assert count == len(way)
        assert [[cell % (width + 1) - 1, cell // (width + 1) - 1] for cell in way.tolist()][::-1] == field.way(x, y).tolist()


# --- counts ---------------------------------------------------------------------------------------------------------------------------


def counts(cells: NDArray[np.bool_], rooms: NDArray[np.bool_]) -> list[int]:
    """Cells, pairs of neighbours, full squares, and cells outside rooms with exactly one neighbour."""
    wide = np.pad(cells, 1).astype(int)
    near = wide[:-2, 1:-1] + wide[2:, 1:-1] + wide[1:-1, :-2] + wide[1:-1, 2:]
    pairs = int((cells[:, 1:] & cells[:, :-1]).sum() + (cells[1:] & cells[:-1]).sum())
    squares = int((cells[1:, 1:] & cells[1:, :-1] & cells[:-1, 1:] & cells[:-1, :-1]).sum())
    return [int(cells.sum()), pairs, squares, int((cells & ~rooms & (near == 1)).sum())]


def test_exits() -> None:
    for number in range(GRIDS):
        cells, _ = open_grid(number)
        height, width = cells.shape
        rooms = random_grid(number + 1, width, height, 0.3).astype(bool)
        expected = counts(cells, rooms)
        for module, wrap in BOTH:
            tally = np.full(4, 55, np.int64)
            module.exits(wrap(cells.view(np.uint8).reshape(-1)), wrap(rooms.view(np.uint8).reshape(-1)), wrap(tally), width, height)
            assert tally.tolist() == expected
        parts = ndimage.label(cells)[1]
        assert parts - (expected[0] - expected[1] + expected[2]) == holes(cells)
