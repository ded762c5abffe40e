"""Numbers that are counted as they come: the same as over all of them at once, in a room that does not grow."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from undercroft.bulk.report.distribution import BUFFER_SIZE, MAX_DISTINCT_VALUES, Distribution

NUMBERS = st.one_of(st.none(), st.integers(-40, 40).map(float), st.floats(-1e6, 1e6, allow_subnormal=False))


def of(parts: list[list[float | None]], *, whole: bool = False) -> Distribution:
    """A distribution that hears of its numbers part by part; seeds count from 100."""
    found, seed = Distribution(whole=whole), 100
    for part in parts:
        found.add(
            range(seed, seed + len(part)),
            np.array([math.nan if number is None else number for number in part], np.float64),
        )
        seed += len(part)
    return found


@settings(max_examples=150, deadline=None)
@given(st.lists(st.lists(NUMBERS, max_size=12), max_size=8))
def test_it_says_what_numpy_says(parts: list[list[float | None]]) -> None:
    found = of(parts)
    flat = [number for part in parts for number in part]
    known = np.array([number for number in flat if number is not None], np.float64)
    assert (found.count, found.missing) == (len(known), len(flat) - len(known))
    if not len(known):
        assert (found.least, found.greatest, found.mean, found.quantile(0.5)) == (None, None, None, None)
        assert not found.varies
        return
    assert found.least is not None
    assert found.greatest is not None
    assert found.least == (known.min(), 100 + flat.index(known.min()), 0)
    assert found.greatest == (known.max(), 100 + flat.index(known.max()), 0)
    assert found.varies == (known.min() < known.max())
    assert found.mean == pytest.approx(known.mean(), rel=1e-12, abs=1e-9)
    for share in (0, 0.25, 0.5, 0.75, 1):
        assert found.quantile(share) == pytest.approx(np.quantile(known, share), rel=1e-12, abs=1e-9)
    edges, counts = found.bins(12)
    assert counts.tolist() == np.histogram(known, edges)[0].tolist()
    assert counts.sum() == len(known)
    assert len(counts) <= 12


def test_whole_numbers_have_bins_of_whole_numbers() -> None:
    edges, counts = of([[1.0, 3.0, 3.0], [7.0]], whole=True).bins(30)
    assert edges.tolist() == [0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5]
    assert counts.tolist() == [1, 0, 2, 0, 0, 0, 1]


class Watched(list[np.ndarray]):
    """A list that counts how often somebody goes through it."""

    walks = 0

    def __iter__(self) -> Iterator[np.ndarray]:
        self.walks += 1
        return super().__iter__()


def test_what_waits_is_not_counted_anew_for_each_part() -> None:
    found = Distribution()
    found._waiting = waiting = Watched()
    for seed in range(2000):
        found.add([seed], np.array([float(seed)]))
    assert found.stored_count == len(waiting) == 2000
    assert waiting.walks == 0
    assert found.quantile(0.5) == 999.5
    assert found.stored_count == 2000
    found.add([0], np.array([1.5]))
    assert found.stored_count == 2001


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_very_many_different_numbers_are_counted_in_little_room(sign: float) -> None:
    chance = np.random.default_rng(8)
    numbers = sign * chance.lognormal(3, 2, 600_000)
    found, most = Distribution(), 0
    for first in range(0, len(numbers), 1000):
        found.add(range(first, first + 1000), numbers[first : first + 1000])
        most = max(most, found.stored_count)
    assert most < 2 * MAX_DISTINCT_VALUES + BUFFER_SIZE
    assert found.count == len(numbers)
    assert found.least == (numbers.min(), int(numbers.argmin()), 0)
    assert found.greatest == (numbers.max(), int(numbers.argmax()), 0)
    assert found.mean == pytest.approx(numbers.mean(), rel=1e-12)
    for share in (0.01, 0.25, 0.5, 0.75, 0.99):
        assert found.quantile(share) == pytest.approx(np.quantile(numbers, share), rel=1e-4)
    assert found.quantile(0) == numbers.min()
    assert found.quantile(1) == numbers.max()
    assert found.bins(30)[1].sum() == len(numbers)
