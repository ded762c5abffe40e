"""Labels, boxes, distances, ways and counts, against SciPy and against loops anybody can read."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from itertools import product
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import ndimage
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import shortest_path

from support.maps import HEAVY, PLAIN, Bites, holes, random_grid
from undercroft.analysis import reach as analysis
from undercroft.analysis.survey import find_contacts
from undercroft.core.run import Run
from undercroft.kernels import buffer, reach

Ints = NDArray[np.int32]
BOTH: list[tuple[Any, Callable[[Any], Any]]] = [(reach, buffer), (PLAIN["reach"], memoryview)]
SHAPES = [(1, 1), (1, 9), (9, 1), (2, 2), (5, 4), (13, 11), (31, 17)]
GRIDS = 20_000 if HEAVY else 300
DIRECTIONS = [(0, -1), (-1, 0), (1, 0), (0, 1)]


def kinds_grid(number: int) -> NDArray[np.uint8]:
    """A grid of kinds 0 to 1, 2 or 3, more or less crowded."""
    chance = np.random.default_rng(number)
    width, height = SHAPES[number % len(SHAPES)]
    most = 2 + number % 3
    empty = (0.2, 0.45, 0.7)[number % 7 % 3]
    return np.where(chance.random((height, width)) < empty, 0, chance.integers(1, most, (height, width))).astype(
        np.uint8
    )


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
    labels, parent, state = (
        np.full(kinds.size, 77, np.int32),
        np.full(kinds.size + 1, 99, np.int32),
        np.zeros(5, np.int64),
    )
    while (
        module.label_components(
            wrap(state), wrap(kinds.reshape(-1)), wrap(labels), wrap(parent), width, height, eight, fuel
        )
        >= fuel
    ):
        pass
    return labels.reshape(height, width), int(state[3])


@pytest.mark.parametrize("eight", [False, True])
def test_labels_are_scipys(eight: bool) -> None:
    for number in range(GRIDS):
        kinds = kinds_grid(number)
        expected, count = scipy_labels(kinds, eight)
        got, found = analysis.label_components(kinds, eight=eight)
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
    assert analysis.label_components(comb)[1] == 1
    assert analysis.label_components(comb[::-1].copy())[1] == 1
    stairs = np.eye(30, dtype=np.uint8)
    assert (analysis.label_components(stairs)[1], analysis.label_components(stairs, eight=True)[1]) == (30, 1)
    assert (
        analysis.label_components(stairs[::-1].copy())[1],
        analysis.label_components(stairs[::-1].copy(), eight=True)[1],
    ) == (30, 1)


def test_boxes() -> None:
    for number in range(GRIDS):
        kinds = kinds_grid(number)
        labels, count = analysis.label_components(kinds)
        rows = []
        for label in range(1, count + 1):
            ys, xs = np.nonzero(labels == label)
            rows.append([xs.min(), ys.min(), xs.max(), ys.max(), len(xs), kinds[ys[0], xs[0]]])
        table = analysis.find_label_boxes(labels, kinds, count)
        assert table.tolist() == rows
        height, width = kinds.shape
        for module, wrap in BOTH if count and number < 60 else []:
            pieces = np.array([(width, height, -1, -1, 0, 0)] * count, np.int32)
            for row in range(height):
                module.measure_boxes(
                    wrap(labels.reshape(-1)), wrap(kinds.reshape(-1)), wrap(pieces), width, row, row + 1
                )
            assert (pieces == table).all()


def test_parts_are_counted_from_regions_doors_and_contacts() -> None:
    """As many as there are connected sets of cells, where no two doors are next to each other."""
    counted = 0
    for number in range(GRIDS):
        kinds = kinds_grid(number)
        doors = (kinds > 0) & (np.random.default_rng(GRIDS + number).random(kinds.shape) < 0.1)
        doors[1:] &= ~doors[:-1]
        doors[:, 1:] &= ~doors[:, :-1]
        ys, xs = np.nonzero(doors)
        rows = np.stack([xs, ys], axis=1).astype(np.int32).reshape(-1, 2)
        labels, count = analysis.label_components(np.where(doors, 0, kinds).astype(np.uint8))
        contacts = find_contacts(labels)
        expected = ndimage.label(kinds > 0)[1]
        height, width = kinds.shape
        for module, wrap in BOTH if number < 200 else BOTH[:1]:
            parent = np.empty(count + 1, np.int32)
            if module is reach or (len(rows) and len(contacts)):  # plain Python has no view of nothing
                args = wrap(labels.reshape(-1)), wrap(rows), wrap(contacts), wrap(parent), width, height
                assert module.count_parts(*args) == expected
                counted += 1
    assert counted > GRIDS


# --- distances --------------------------------------------------------------------------------------------------------


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
        field = analysis.DistanceField(cells, sources)
        height, width = cells.shape
        for y in range(height):
            for x in range(width):
                steps = field.steps_to(x, y)
                assert steps == expected.get((x, y), -1 if cells[y, x] else -2)
                assert field.steps[y, x] == steps
        assert field.reached == len(expected)
        if expected:
            assert field.farthest is not None
            assert expected[field.farthest] == max(expected.values())
            assert field.farthest == list(expected)[-1]
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


def searched(
    work: Callable[..., int],
    wrap: Callable[[Any], Any],
    field: NDArray[Any],
    sources: list[int],
    fuel: int,
    length: int,
) -> tuple[list[int], int]:
    """Search a field in bites, with a queue that begins so long; the state at the end, and the last cell found."""
    queue = np.full(max(length, len(sources)), -9, np.int32)
    queue[: len(sources)] = sources
    state = np.array([0, len(sources), len(sources), 0, len(sources)], np.int64)
    while state[0] < state[1]:
        used = work(wrap(state), wrap(field.reshape(-1)), wrap(queue), field.shape[1], fuel)
        assert 0 <= used <= fuel
        if used < fuel and state[0] < state[1]:
            assert 2 * state[0] < len(queue)  # it asks for more only if half of the queue is waiting
            queue = np.concatenate([queue, np.full(len(queue) + 4, -9, np.int32)])
    return state[3:].tolist(), int(queue[state[1] - 1]) if sources else -1


def test_distances_are_the_same_in_any_bites_and_with_any_queue_and_interpreted() -> None:
    for number in range(60):
        cells, sources = open_grid(number)
        expected = breadth_first(cells, sources)
        stride = cells.shape[1] + 1
        begun = [(y + 1) * stride + x + 1 for x, y in dict.fromkeys(sources) if cells[y, x]]
        x, y = list(expected)[-1] if expected else (-1, -1)
        for module, wrap in BOTH:
            for fuel, length in product((1, 2, 7, 1 << 18), (4, 5, 8, 64)):
                rimmed = np.full((cells.shape[0] + 2, stride), -2, np.int32)
                rimmed[1:-1, 1:] = np.where(cells, -1, -2)
                rimmed.reshape(-1)[begun] = 0
                (far, found), last = searched(module.spread_distances, wrap, rimmed, begun, fuel, length)
                assert rimmed[1:-1, 1:].tolist() == analysis.distances(cells, sources).tolist()
                assert (far, found) == (max(expected.values(), default=0), len(expected))
                assert last == ((y + 1) * stride + x + 1 if expected else -1)


def test_a_flood_marks_the_last_bits_of_distances_in_any_bites_and_with_any_queue_and_interpreted() -> None:
    for number in range(60):
        cells, sources = open_grid(number)
        expected = breadth_first(cells, sources[:1])
        stride = cells.shape[1] + 1
        steps = analysis.distances(cells, sources[:1])
        marks = np.where(steps < 0, cells, 8 + 2 * (steps & 3))
        for module, wrap in BOTH:
            for fuel, length in product((1, 2, 7, 1 << 18), (4, 5, 8, 64)):
                rimmed = np.pad(cells.astype(np.uint8), ((1, 1), (1, 0)))
                begun = [(y + 1) * stride + x + 1 for x, y in sources[:1] if cells[y, x]]
                rimmed.reshape(-1)[begun] = 0
                (far, found), last = searched(module.flood_distances, wrap, rimmed, begun, fuel, length)
                assert (rimmed[1:-1, 1:] == marks).all()
                assert (far, found) == (max(expected.values(), default=0), len(expected))
                if begun:
                    assert (last % stride - 1, last // stride - 1) == list(expected)[-1]
                    way = np.full((far + 1, 2), -5, np.int32)
                    module.trace_flooded_path(
                        wrap(rimmed.reshape(-1)), wrap(way), last % stride - 1, last // stride - 1, stride
                    )
                    assert way.tolist() == way_down(steps, last % stride - 1, last // stride - 1)


def comb(teeth: int, length: int) -> NDArray[np.bool_]:
    """Many ways of the same length: all their ends wait at the same time."""
    cells = np.zeros((teeth * length + teeth, 2 * teeth - 1), bool)
    cells[0] = True
    for tooth in range(teeth):
        cells[: teeth * length + teeth - 2 * tooth, 2 * tooth] = True
    return cells


@pytest.mark.parametrize("queue", [4, 16, 1 << 12])
def test_a_full_queue_grows(queue: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis, "INITIAL_QUEUE_CELLS", queue)
    for cells, source in (
        (comb(40, 3), (0, 0)),
        (np.ones((90, 90), bool), (45, 45)),
        (np.ones((200, 1), bool), (0, 100)),
    ):
        expected = breadth_first(cells, [source])
        for fuel in (3, 1 << 18):
            field, flood = (
                analysis.DistanceField(cells, [source], Bites(fuel)),
                analysis.Flood(cells, source, Bites(fuel)),
            )
            assert {(int(x), int(y)): int(field.steps[y, x]) for y, x in np.argwhere(field.steps >= 0)} == expected
            assert (
                (field.reached, field.farthest)
                == (flood.reached, flood.farthest)
                == (len(expected), list(expected)[-1])
            )
            assert flood.path_to_farthest().tolist() == field.path_to(*flood.farthest).tolist()


def test_a_flood_is_a_field_with_less_to_say() -> None:
    for number in range(GRIDS):
        cells, _ = open_grid(number)
        for source in [
            divmod(int(place), cells.shape[1])[::-1] for place in np.flatnonzero(cells)[:: max(1, cells.size // 3)]
        ]:
            field, flood = analysis.DistanceField(cells, [source]), analysis.Flood(cells, source)
            assert (flood.reached, flood.farthest) == (field.reached, field.farthest)
            assert flood.path_to_farthest().dtype == np.int32
            assert flood.path_to_farthest().tolist() == field.path_to(*flood.farthest).tolist()


# --- one sweep for all ------------------------------------------------------------------------------------------------

EVEN = np.arange(256) % 2 == 0


def test_components_are_scipys() -> None:
    whole = 0
    for number in range(GRIDS):
        cells, _ = open_grid(number)
        tiles = np.where(cells, 4, 7).astype(np.uint8)
        found = analysis.count_components(tiles, EVEN, Run())
        assert found == ndimage.label(cells)[1]
        whole += found == 1
    assert whole > GRIDS // 10


def test_the_run_keeps_a_sweep_for_the_same_map_only() -> None:
    run = Run()
    tiles = np.array([[2, 2, 1, 2, 1, 1]], np.uint8)
    first = analysis.flood_map(tiles, EVEN, run)
    assert (first.open, first.reached, first.last, first.is_connected) == (3, 2, (1, 0), False)
    used = run.used
    assert analysis.flood_map(tiles.copy(), EVEN.copy(), run) is first
    assert run.used == used
    assert analysis.flood_map(tiles, ~EVEN, run).open == 3
    assert analysis.flood_map(tiles, ~EVEN, run).last == (2, 0)
    assert analysis.flood_map(tiles.reshape(2, 3), EVEN, run).is_connected
    tiles[0, 2] = 0
    assert analysis.flood_map(tiles, EVEN, run).is_connected
    assert analysis.count_components(tiles, EVEN, run) == 1
    tiles[:] = 1
    nothing = analysis.flood_map(tiles, EVEN, run)
    assert (nothing.open, nothing.reached, nothing.last) == (0, 0, None)
    assert analysis.count_components(tiles, EVEN, run) == 0


def test_how_far_a_map_goes_is_kept_with_the_sweep() -> None:
    run = Run()
    tiles = np.array([[2, 2, 2], [1, 1, 2]], np.uint8)
    found = analysis.flood_map(tiles, EVEN, run)
    assert (found.last, found.across) == ((2, 1), None)
    flood = analysis.flood_back(found, run)
    assert (flood.farthest, flood.steps) == ((0, 0), 3)
    assert analysis.flood_map(tiles, EVEN, run).across == ((0, 0), 3)
    tiles[0, 1] = 1
    assert analysis.flood_map(tiles, EVEN, run).across is None, "that was another map"


def way_down(steps: NDArray[np.int32], x: int, y: int) -> list[list[int]]:
    """From a cell to distance 0, by the first neighbour that is nearer: up, left, right, down."""
    height, width = steps.shape
    way = [[x, y]]
    while steps[y, x]:
        want = steps[y, x] - 1
        x, y = next(
            (x + dx, y + dy)
            for dx, dy in DIRECTIONS
            if 0 <= x + dx < width and 0 <= y + dy < height and steps[y + dy, x + dx] == want
        )
        way.append([x, y])
    return way[::-1]


def test_ways() -> None:
    seen = 0
    for number in range(GRIDS):
        cells, sources = open_grid(number)
        field = analysis.DistanceField(cells, sources)
        height, width = cells.shape
        for y in range(height):
            for x in range(0, width, 3):
                way = field.path_to(x, y)
                if field.steps_to(x, y) < 0:
                    assert way.shape == (0, 2)
                else:
                    seen += 1
                    assert way.tolist() == way_down(field.steps, x, y)
    assert seen > 1000


def test_ways_interpreted() -> None:
    for number in range(60):
        cells, sources = open_grid(number)
        field = analysis.DistanceField(cells, sources)
        if field.farthest is None:
            continue
        x, y = field.farthest
        height, width = cells.shape
        rimmed = np.full((height + 2, width + 1), -2, np.int32)
        rimmed[1:-1, 1:] = field.steps
        way = np.zeros(field.steps_to(x, y) + 1, np.int32)
        count = BOTH[1][0].trace_path(
            BOTH[1][1](rimmed.reshape(-1)), BOTH[1][1](way), (y + 1) * (width + 1) + x + 1, width + 1
        )
        assert count == len(way)
        assert [[cell % (width + 1) - 1, cell // (width + 1) - 1] for cell in way.tolist()][::-1] == field.path_to(
            x, y
        ).tolist()


# --- counts -----------------------------------------------------------------------------------------------------------


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
            module.count_exits(
                wrap(np.pad(cells.view(np.uint8), ((1, 1), (1, 0))).reshape(-1)),
                wrap(rooms.view(np.uint8).reshape(-1)),
                wrap(tally),
                width,
                height,
            )
            assert tally.tolist() == expected
        parts = ndimage.label(cells)[1]
        assert parts - (expected[0] - expected[1] + expected[2]) == holes(cells)


def test_boxes_of_cells() -> None:
    for number in range(GRIDS):
        cells, _ = open_grid(number)
        if not cells.any():
            continue
        ys, xs = np.nonzero(cells)
        assert analysis.bounding_box(cells) == (xs.min(), ys.min(), xs.max(), ys.max())
    assert analysis.bounding_box(np.ones((1, 1), bool)) == (0, 0, 0, 0)


def test_the_far_ends_of_a_map_are_the_same_whether_it_is_flooded_at_once_or_in_parts() -> None:
    opens = np.arange(256) == 1
    for number in range(GRIDS // 4):
        tiles = np.minimum(kinds_grid(number), 1)
        at_once, in_parts = Run(), Run()
        found, path = analysis.find_far_ends(tiles, opens, at_once)
        slow = analysis.flood_map(tiles, opens, in_parts)
        assert found[:3] == slow[:3]
        assert (found.cells.tolist(), found.open, found.reached, found.last) == (slow.cells.tolist(), *slow[4:7])
        assert (found.cells.dtype, found.cells.flags.writeable) == (np.dtype(bool), False)
        if slow.last is None:
            assert (path, found.across) == (None, None)
            continue
        flood = analysis.flood_back(slow, in_parts)
        assert (found.across, at_once.used) == ((flood.farthest, flood.steps), in_parts.used)
        assert path is not None
        assert (path.dtype, path.tolist()) == (np.dtype(np.int32), flood.path_to_farthest().tolist())


def test_the_flood_both_ways_is_the_same_interpreted() -> None:
    opens = np.array([0, 1, 1] + [0] * 253, np.uint8)
    for number in range(0, GRIDS // 4, 7):
        tiles = kinds_grid(number)
        height, width = tiles.shape
        every = []
        for module, wrap in BOTH:
            arrays = (
                *(np.zeros(tiles.size, np.uint8), np.ones((height + 2) * (width + 1), np.uint8)),
                *(np.zeros(tiles.size + 4, np.int32), np.zeros(7, np.int64)),
            )
            module.flood_both_ways(
                wrap(tiles.reshape(-1)), wrap(opens), *(wrap(array) for array in arrays), width, height
            )
            every.append([arrays[0].tolist(), arrays[1].tolist(), arrays[3].tolist()])
        assert every[0] == every[1]


def test_a_flood_gives_the_path_to_any_cell() -> None:
    for number in range(GRIDS // 10):
        cells = kinds_grid(number) > 0
        if not cells.any():
            continue
        y, x = (int(places[0]) for places in np.nonzero(cells))
        field, flood = analysis.DistanceField(cells, [(x, y)]), analysis.Flood(cells, (x, y))
        for to_y, to_x in np.argwhere(cells)[:: 1 + number % 3].tolist():
            path = flood.path_to(to_x, to_y)
            assert (path.dtype, path.base) == (np.dtype(np.int32), None)
            assert path.tolist() == field.path_to(to_x, to_y).tolist()


def test_the_path_over_a_flood_is_the_same_interpreted() -> None:
    for number in range(GRIDS // 40):
        cells = kinds_grid(number) > 0
        if not cells[0, 0]:
            continue
        flood = analysis.Flood(cells, (0, 0))
        stride, marked = cells.shape[1] + 1, flood._rimmed.reshape(-1)
        ways = [np.zeros((flood.steps + 1, 2), np.int32) for _ in BOTH]
        for (module, wrap), way in zip(BOTH, ways, strict=True):
            module.trace_path_over_flood(wrap(marked), wrap(way), *flood.farthest, stride + 1, stride)
        assert ways[0].tolist() == ways[1].tolist() == flood.path_to_farthest().tolist()
