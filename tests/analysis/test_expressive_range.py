"""Bins, histograms and corners, against NumPy and against looking at every level."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from support.maps import each
from undercroft.analysis.expressive_range import (
    BINS_FOR_FEW_LEVELS,
    MAX_BINS,
    BinGrid,
    Corner,
    Numbers,
    RangeColumn,
    build_bin_grid,
    build_spread,
    compute_bin_edges,
    find_corners,
    measure_overlap,
)

CLOUDS = list(range(40))


def cloud(seed: int) -> tuple[Numbers, Numbers, bool, bool]:
    """Some levels: a few or many, by whole or other numbers, many of them equal."""
    rng = np.random.default_rng(seed)
    count = int(rng.choice([1, 2, 3, 10, 100, 1000]))
    whole_x, whole_y = bool(rng.integers(2)), bool(rng.integers(2))
    x = (
        rng.integers(0, int(rng.choice([1, 3, 40, 900])), count).astype(float)
        if whole_x
        else rng.normal(0.4, 0.1, count).round(int(rng.choice([1, 2, 6])))
    )
    y = rng.integers(-5, 60, count).astype(float) if whole_y else x * 0.01 + rng.random(count)
    return x, y, whole_x, whole_y


@each("seed", len(CLOUDS))
def test_the_histogram_is_numpys(seed: int) -> None:
    x, y, whole_x, whole_y = cloud(seed)
    around = build_bin_grid([x], [y], whole=(whole_x, whole_y))
    counts = around.count_points(x, y)
    wanted, _, _ = np.histogram2d(x, y, [around.x, around.y])
    assert np.array_equal(counts, wanted.T), "rows go up with y"
    assert counts.sum() == len(x), "every level is in the box"


def test_points_outside_the_box_are_in_no_bin() -> None:
    around = BinGrid(np.array([0.0, 1.0, 2.0]), np.array([0.0, 1.0]))
    outside = [(-0.1, 0.5), (2.1, 0.5), (1.0, -3.0), (1.0, 1.5), (np.nan, 0.5), (0.5, np.nan)]
    inside = [(0.0, 0.0), (1.0, 0.0), (2.0, 1.0)]
    x, y = np.array(outside + inside).T
    assert around.count_points(x, y).tolist() == [[1, 2]]


@each("seed", len(CLOUDS))
@pytest.mark.parametrize("most", [2, 12, 30])
def test_bins_are_few_even_round_and_around_everything(seed: int, most: int) -> None:
    x, y, whole_x, whole_y = cloud(seed)
    for numbers, whole in ((x, whole_x), (y, whole_y)):
        found = compute_bin_edges(numbers, whole=whole, most=most)
        widths = np.diff(found)
        assert 1 <= len(widths) <= most
        assert np.allclose(widths, widths[0])
        assert found[0] <= numbers.min()
        assert found[-1] >= numbers.max()
        if whole:
            assert widths[0] == round(widths[0])
            assert (found % 1 == 0.5).all(), "halfway between whole numbers"
        if len(widths) > 2:
            counts, _ = np.histogram(numbers, found)
            assert counts[0], "no bin at the end is empty"
            assert counts[-1]


@pytest.mark.parametrize("low", [0, 1, -7, 1000])
@pytest.mark.parametrize("span", [1, 2, 29, 30, 31, 100, 12345])
def test_whole_numbers_share_a_bin_with_as_many_others(low: int, span: int) -> None:
    numbers = np.arange(low, low + span, dtype=float)
    counts, _ = np.histogram(numbers, compute_bin_edges(numbers, whole=True))
    assert len(set(counts[1:-1].tolist())) <= 1
    if span <= MAX_BINS:
        assert (counts == 1).all(), "each number has a bin of its own"


@pytest.mark.parametrize("number", [0.0, 0.5, 1.0, -3.25, 1e9, 1e-9])
def test_a_measure_that_never_changes_has_one_bin_around_it(number: float) -> None:
    found = compute_bin_edges(np.full(5, number))
    assert len(found) == 2
    assert found[0] < number < found[1]
    assert found.mean() == pytest.approx(number)


def test_few_levels_have_few_bins() -> None:
    for count, most in ((1, BINS_FOR_FEW_LEVELS), (50, BINS_FOR_FEW_LEVELS), (100, 10), (400, 20), (5000, MAX_BINS)):
        numbers = np.linspace(0.013, 0.987, count)
        around = build_bin_grid([numbers, numbers[:1]], [numbers, numbers[:1]])
        assert len(around.x) - 1 <= most
        assert len(around.y) == len(around.x)
        assert count == 1 or len(around.x) - 1 > most / 2


def test_one_box_holds_two_recipes() -> None:
    around = build_bin_grid(
        [np.array([1.0, 2.0]), np.array([9.0])], [np.array([5.0, 5.0]), np.array([7.0])], whole=(True, True)
    )
    assert (around.x[0], around.x[-1], around.y[0], around.y[-1]) == (-0.5, 9.5, 4.5, 7.5)


def brute_corners(x: Numbers, y: Numbers) -> list[Corner]:
    """The same by looking at every level for every corner, again and again."""

    def scores(numbers: Numbers) -> list[float]:
        mean, spread = float(np.mean(numbers)), float(np.std(numbers))
        return [0.0 if len(set(numbers.tolist())) == 1 else (number - mean) / spread for number in numbers.tolist()]

    across, along = scores(x), scores(y)
    middle_x, middle_y = float(np.median(x)), float(np.median(y))
    signs = list(
        itertools.product((-1, 1) if len(set(x.tolist())) > 1 else (0,), (-1, 1) if len(set(y.tolist())) > 1 else (0,))
    )
    found: list[Corner] = []
    while True:
        best: tuple[float, int, int, Corner] | None = None
        for number, (right, up) in enumerate(signs):
            if any(corner[1:] == (right, up) for corner in found):
                continue
            for place in range(len(x)):
                score = round(right * across[place] + up * along[place], 9)
                beyond = right * (x[place] - middle_x) >= 0 and up * (y[place] - middle_y) >= 0 and score > 0
                if (right or up) and not beyond:
                    continue
                if any((x[corner.place], y[corner.place]) == (x[place], y[place]) for corner in found):
                    continue
                key = (-score, number, place, Corner(place, right, up))
                best = key if best is None else min(best, key)
        if best is None:
            return found
        found.append(best[3])


@each("seed", len(CLOUDS))
def test_corners_are_the_farthest_levels(seed: int) -> None:
    x, y, _, _ = cloud(seed)
    x, y = x[:100], y[:100]
    assert find_corners(x, y) == brute_corners(x, y)


@each("seed", len(CLOUDS))
def test_no_two_corners_show_the_same_and_none_lies(seed: int) -> None:
    x, y, _, _ = cloud(seed)
    found = find_corners(x, y)
    assert 1 <= len(found) <= 4
    assert len({(x[corner.place], y[corner.place]) for corner in found}) == len(found)
    for corner in found:
        assert corner.right * (x[corner.place] - np.median(x)) >= 0, "what is called much is not below the middle"
        assert corner.up * (y[corner.place] - np.median(y)) >= 0


def test_corners_of_levels_that_are_all_alike() -> None:
    same, other = np.ones(4), np.array([3.0, 1.0, 2.0, 5.0])
    assert find_corners(same, same) == [Corner(0, 0, 0)]
    assert find_corners(same, other) == [Corner(3, 0, 1), Corner(1, 0, -1)]
    assert find_corners(other, same) == [Corner(3, 1, 0), Corner(1, -1, 0)]
    assert find_corners(np.array([]), np.array([])) == []


def test_levels_on_a_line_have_two_corners() -> None:
    line = np.arange(11.0)
    assert find_corners(line, 2 * line) == [Corner(0, -1, -1), Corner(10, 1, 1)]


@each("seed", len(CLOUDS))
def test_a_spread_counts_what_is_empty_and_correlates_as_numpy_does(seed: int) -> None:
    x, y, whole_x, whole_y = cloud(seed)
    around = build_bin_grid([x], [y], whole=(whole_x, whole_y))
    found = build_spread(x, y, around)
    filled = {
        (int(np.searchsorted(around.x, a, "right")), int(np.searchsorted(around.y, b, "right")))
        for a, b in zip(x, y, strict=True)
    }
    ends = int((x == around.x[-1]).any()) + int((y == around.y[-1]).any())
    if not ends:
        assert found.empty_share == pytest.approx(1 - len(filled) / found.counts.size)
    assert found.medians == (np.median(x), np.median(y))
    if len(set(x.tolist())) == 1 or len(set(y.tolist())) == 1:
        assert found.correlation is None
    else:
        assert found.correlation == pytest.approx(np.corrcoef(x, y)[0, 1], abs=1e-6)


def test_overlap() -> None:
    one, other = np.array([[4, 0], [0, 4]]), np.array([[0, 1], [1, 0]])
    assert measure_overlap(one, one) == measure_overlap(one, 3 * one) == 1
    assert measure_overlap(one, other) == 0
    assert measure_overlap(one, one + 2 * other) == pytest.approx(2 / 3)


def test_a_column_counts_what_is_missing_and_knows_whole_numbers() -> None:
    whole, mixed, none = RangeColumn([3, None, 5]), RangeColumn([3, 0.5]), RangeColumn([None])
    assert (whole.whole, whole.missing, len(whole), whole.known_numbers.tolist()) == (True, 1, 3, [3.0, 5.0])
    assert np.isnan(whole.numbers[1])
    assert (mixed.whole, mixed.missing) == (False, 0)
    assert (none.missing, none.known_numbers.tolist()) == (1, [])
    assert np.array_equal(whole.numbers_between(1, 3), [np.nan, 5.0], equal_nan=True)
