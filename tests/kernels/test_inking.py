"""The kernels of drawing against slow twins, and compiled as interpreted."""

from __future__ import annotations

import heapq
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import ndimage

from support.maps import HEAVY, each, interpreted, random_grid
from undercroft.draw.pen import distance_field, hatching, noise
from undercroft.draw.pen.distance_field import SignedDistanceField, border_distances, trace_level_lines
from undercroft.draw.scene.scene import Points, circle, rectangle
from undercroft.draw.view import smooth_path
from undercroft.kernels import buffer, flat_buffer, inking

MAPS = 300 if HEAVY else 24


def blobs(number: int) -> list[Points]:
    """Some polygons, one of them a hole or not, as chance has it."""
    chance = np.random.default_rng(number)
    places = chance.uniform(1, 7, (int(chance.integers(1, 5)), 2)).tolist()
    return [circle(x, y, float(chance.uniform(0.4, 3)), int(chance.integers(3, 9))) for x, y in places]


@each("number", MAPS)
def test_distances_are_exact(number: int) -> None:
    chance = np.random.default_rng(number)
    height, width = (int(side) for side in chance.integers(1, 40, 2))
    cells = random_grid(number, width, height, float(chance.random()))
    squares = np.empty((height, width), np.int32)
    inking.measure_squared_distances(flat_buffer(cells), flat_buffer(squares), buffer(np.empty((3, width), np.int32)))
    if cells.all():
        assert (squares == (height + width) ** 2).all()
    else:
        assert np.array_equal(squares, np.rint(ndimage.distance_transform_edt(cells) ** 2))


def test_distances_count_to_the_border_between_cells() -> None:
    assert border_distances(np.array([[0, 1, 1, 1, 0]], np.uint8)).tolist() == [[0.0, 0.5, 1.5, 0.5, 0.0]]


@each("number", MAPS)
def test_what_lines_enclose(number: int) -> None:
    """A pixel is within if a ray from its middle crosses the lines an odd number of times."""
    lines = blobs(number)
    points = np.ascontiguousarray(np.concatenate(lines) * 5)
    ends = np.cumsum([len(line) for line in lines], dtype=np.int64)
    found = np.zeros((40, 45), np.uint8)
    inking.fill_polygons(buffer(points), buffer(ends), flat_buffer(found), 45)
    assert np.array_equal(found > 0, within([line * 5 for line in lines], 45, 40))


def within(lines: list[Points], width: int, height: int) -> NDArray[np.bool_]:
    ys, xs = np.mgrid[0:height, 0:width] + 0.5
    odd = np.zeros((height, width), bool)
    for line in lines:
        for (x0, y0), (x1, y1) in pairwise([*line.tolist(), line[0].tolist()]):
            if y0 != y1:
                crosses = (np.minimum(y0, y1) <= ys) & (ys < np.maximum(y0, y1))
                odd ^= crosses & (x0 + (ys - y0) * (x1 - x0) / (y1 - y0) <= xs)
    return odd


@each("number", MAPS)
def test_points_keep_apart_and_none_is_left_out_without_need(number: int) -> None:
    chance = np.random.default_rng(number)
    points, apart = chance.uniform(0, 5, (200, 2)), 0.55
    kept = np.zeros(200, np.uint8)
    many = inking.thin_points(
        buffer(points), apart, buffer(np.full((11, 11), -1, np.int32)), buffer(np.empty(200, np.int32)), buffer(kept)
    )
    chosen: list[int] = []
    for number, point in enumerate(points):
        if all(np.hypot(*(points[other] - point)) >= apart for other in chosen):
            chosen.append(number)
    assert np.flatnonzero(kept).tolist() == chosen
    assert many == len(chosen)


@each("number", MAPS)
def test_chains_follow_each_other(number: int) -> None:
    chance = np.random.default_rng(number)
    many = int(chance.integers(1, 60))
    order = chance.permutation(many)
    following = np.full(many, -1, np.int32)
    cuts = [0, *sorted(chance.choice(np.arange(1, many + 1), min(many, 5), replace=False).tolist()), many]
    expected = []
    for first, last in pairwise(cuts):
        chain = order[first:last]
        if len(chain):
            following[chain[:-1]] = chain[1:]
            if chance.random() < 0.5:
                following[chain[-1]] = chain[0]
            expected.append((following[chain[-1]] >= 0, chain.tolist()))
    found, ends = np.empty(many, np.int32), np.empty(many, np.int32)
    count = inking.order_chains(buffer(following), buffer(np.zeros(many, np.uint8)), buffer(found), buffer(ends))
    chains = [found[first:last].tolist() for first, last in pairwise([0, *ends[:count].tolist()])]
    assert sorted(map(sorted, chains)) == sorted(sorted(chain) for _, chain in expected)
    for chain in chains:
        assert all(following[a] == b for a, b in pairwise(chain))


@each("number", MAPS)
def test_the_cheapest_way(number: int) -> None:
    chance = np.random.default_rng(number)
    height, width = (int(side) + 2 for side in chance.integers(2, 9, 2))
    costs = np.zeros((height, width), np.int32)
    costs[1:-1, 1:-1] = chance.integers(0, 5, (height - 2, width - 2)) * 40
    start, goal = (
        int(cell) for cell in chance.choice(np.flatnonzero(costs.reshape(-1) >= 0)[width + 1 : -width - 1], 2)
    )
    for cell in (start, goal):
        if 0 < cell % width < width - 1:
            costs.reshape(-1)[cell] = 100
    flat_costs = costs.reshape(-1)
    best, back = np.full(costs.size, 2**31 - 1, np.int32), np.zeros(costs.size, np.int32)
    found = inking.find_cheapest_path(
        flat_buffer(costs),
        buffer(best),
        buffer(back),
        buffer(np.empty(8 * costs.size + 8, np.int64)),
        width,
        start,
        goal,
    )
    assert found == dijkstra(flat_costs.tolist(), width, start, goal)


def dijkstra(costs: list[int], width: int, start: int, goal: int) -> int:
    heap, done = [(0, start)], set()
    while heap:
        cost, at = heapq.heappop(heap)
        if at == goal:
            return cost
        if at in done:
            continue
        done.add(at)
        for dy in (-1, 0, 1):
            for dx in (-1, 0, 1):
                to = at + dy * width + dx
                slanting = bool(dx and dy)
                if (
                    not 0 <= to < len(costs)
                    or not costs[to]
                    or to == at
                    or (slanting and not (costs[at + dx] and costs[at + dy * width]))
                ):
                    continue
                heapq.heappush(heap, (cost + costs[to] * (7 if slanting else 5), to))
    return -1


def test_blurring_is_a_mean_of_means() -> None:
    grid = np.random.default_rng(3).random((9, 14)).astype(np.float32)
    found = np.empty_like(grid)
    inking.blur(buffer(grid), buffer(np.empty_like(grid)), buffer(found), buffer(np.empty(14)), 2)
    assert found == pytest.approx(ndimage.uniform_filter(grid, 5, mode="nearest"), abs=1e-5)


def test_noise_is_the_hash_at_the_corners_of_its_lattice_and_smooth_between() -> None:
    xs, ys = np.meshgrid(np.arange(-3, 9), np.arange(-2, 7))
    assert noise.value_noise(xs * 2.0, ys * 2.0, 0.5, 77) == pytest.approx(noise.hash_noise(xs, ys, 77), abs=1e-12)
    along = noise.value_noise(np.linspace(0, 4, 4001), 1.3, 1.0, 5)
    assert np.abs(np.diff(along)).max() < 0.002
    assert 0 <= along.min() < along.max() < 1


@pytest.mark.parametrize("number", range(12))
def test_strokes_do_not_cross(number: int) -> None:
    """Each group stays in its own cell, but for the little that strokes may be too long."""
    strokes = np.concatenate(
        hatching.build_hatching(SignedDistanceField.of([rectangle(2, 2, 5, 4)], 7, 6), number, 1.2)
    )
    assert len(strokes) > 100
    a, b = strokes[:, :2], strokes[:, 2:]
    length = np.hypot(*(b - a).T)
    assert (length > 0.1).all()
    assert (length < 1.4).all()
    a, b = a + (b - a) * (0.06 / length)[:, None], b - (b - a) * (0.06 / length)[:, None]
    for one in range(len(a)):
        sides = [cross(a[one], b[one], point) for point in (a, b)]
        others = [cross(a, b, point) for point in (a[one], b[one])]
        assert not ((sides[0] * sides[1] < 0) & (others[0] * others[1] < 0)).any()


def cross(a: Points, b: Points, c: Points) -> NDArray[np.float64]:
    one, other = b - a, c - a
    found: NDArray[np.float64] = one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0]
    return found


def test_neighbours_are_hatched_in_other_directions() -> None:
    """With random directions, one of four groups would be within 22 degrees of the nearest one; ours are rarely."""
    strokes = np.concatenate(hatching.build_hatching(SignedDistanceField.of([rectangle(2, 2, 30, 30)], 32, 32), 5, 1.2))
    middles, steps = (strokes[:, :2] + strokes[:, 2:]) / 2, strokes[:, 2:] - strokes[:, :2]
    turns = np.arctan2(steps[:, 1], steps[:, 0]) % np.pi
    alike = total = 0
    for one in range(0, len(strokes), 7):
        away = np.abs((turns - turns[one] + np.pi / 2) % np.pi - np.pi / 2)
        # those of the same group are parallel
        far = np.where(away > 0.02, np.hypot(*(middles - middles[one]).T), np.inf)
        total += 1
        alike += bool(away[np.argmin(far)] < np.pi / 8)
    assert alike < 0.14 * total


def test_compiled_as_interpreted() -> None:
    def all_of_it() -> list[object]:
        lines = blobs(4)
        made = SignedDistanceField.of(lines, 8, 8, per_cell=4)
        cells = random_grid(3, 13, 9, 0.7).astype(bool)
        cells[0, 0] = cells[8, 12] = True
        costs = np.pad(cells * np.int32(100), 1)
        best, back = np.full(costs.shape, 2**31 - 1, np.int32), np.zeros(costs.shape, np.int32)
        cost = vars(distance_field)["inking"].find_cheapest_path(
            flat_buffer(costs),
            flat_buffer(best),
            flat_buffer(back),
            buffer(np.empty(8 * costs.size + 8, np.int64)),
            15,
            16,
            148,
        )
        return [
            made.distances.tolist(),
            made.blurred(0.3).distances.tolist(),
            [line.tolist() for line in made.lines_at(0.4)],
            [strokes.tolist() for strokes in hatching.build_hatching(made, 9, 1.2)],
            noise.value_noise(np.linspace(-3, 3, 50), np.linspace(9, -9, 50), 1.7, 12).tolist(),
            (cost, best.tolist(), back.tolist()),
        ]

    quick = all_of_it()
    with interpreted():
        assert str(vars(distance_field)["inking"].__file__).endswith(".py")
        assert all_of_it() == quick


def test_lines_of_a_field_go_round_what_is_higher() -> None:
    grid = np.zeros((4, 5), np.float32)
    grid[1:3, 1:4] = 1
    [line] = trace_level_lines(grid, 0.5)
    assert np.array_equal(line[0], line[-1])
    assert line.min(axis=0).tolist() == [0.5, 0.5]
    assert line.max(axis=0).tolist() == [3.5, 2.5]
    x, y = line[:-1].T
    assert np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)) < 0, "the higher side is on the left"


def test_lines_of_a_field_part_where_corners_touch() -> None:
    assert (
        len(trace_level_lines(np.array([[0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0]], np.float32), 0.5)) == 2
    )


def test_a_way_is_kept_where_the_level_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    import undercroft as uc

    level = uc.generate("bsp", seed=2, size=(40, 30))
    assert not np.array_equal(smooth_path.find_smooth_path(level)[1:-1][: len(level.path) - 2], level.path[1:-1] + 0.5)
    monkeypatch.setattr(smooth_path, "MAX_CELLS", 100)
    assert np.array_equal(smooth_path.find_smooth_path(level), level.path + 0.5)
