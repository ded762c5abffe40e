"""The distribution of one measure over very many levels. Numbers are counted by value as they come, so that a million
levels take no more memory than a thousand.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis.expressive_range import Numbers, compute_bin_edges

MAX_DISTINCT_VALUES = 65_536
"""The most distinct values. Whole numbers hardly ever have as many; if there are more, values that are nearly equal are
counted as one.
"""
BUFFER_SIZE = 65_536
"""How many numbers are collected before they are counted."""
MANTISSA_BITS, BITS_PER_REDUCTION = 52, 4
"""The bits of a mantissa, and how many of them are dropped at a time when there are too many values."""


class Extreme(NamedTuple):
    """A number and the first seed that has it."""

    number: float
    seed: int
    combination: int = 0
    """Which combination of parameters that vary, from 0."""


class Distribution:
    """The numbers of one measure, level after level.

    Least, greatest and mean are exact. So are quartiles and bins, up to `MAX_DISTINCT_VALUES` distinct values; beyond
    that they may be off by one part in ten thousand.

    >>> loops = Distribution(whole=True)
    >>> loops.add([7, 8, 9, 10], np.array([3.0, np.nan, 1.0, 3.0]))
    >>> loops.count, loops.missing, loops.least, loops.quantile(0.5), loops.greatest
    (3, 1, Extreme(number=1.0, seed=9, combination=0), 3.0, Extreme(number=3.0, seed=7, combination=0))
    """

    def __init__(self, *, whole: bool = False) -> None:
        self.whole = whole
        """Whether the measure has whole numbers only."""
        self.count = self.missing = 0
        """Levels with a number, and levels without one."""
        self.least: Extreme | None = None
        self.greatest: Extreme | None = None
        self._sum = 0.0
        self._values: Numbers = np.zeros(0)
        self._counts: NDArray[np.int64] = np.zeros(0, np.int64)
        self._waiting: list[Numbers] = []
        self._held = 0
        """How many numbers are waiting."""
        self._bits = MANTISSA_BITS

    def add(self, seeds: Sequence[int], numbers: Numbers, combinations: Sequence[int] = ()) -> None:
        """Add the numbers of more levels, NaN where a level has none, with their seeds. `combinations` are empty if all
        are 0.
        """
        known = ~np.isnan(numbers)
        places, numbers = np.flatnonzero(known), numbers[known]
        self.missing += len(known) - len(numbers)
        if not len(numbers):
            return
        self.count += len(numbers)
        self._sum += math.fsum(numbers.tolist())
        low, high = int(numbers.argmin()), int(numbers.argmax())
        ends = [
            Extreme(float(numbers[at]), seeds[places[at]], combinations[places[at]] if combinations else 0)
            for at in (low, high)
        ]
        if self.least is None or numbers[low] < self.least.number:
            self.least = ends[0]
        if self.greatest is None or numbers[high] > self.greatest.number:
            self.greatest = ends[1]
        self._waiting.append(self._rounded(numbers))
        self._held += len(numbers)
        if self._held >= BUFFER_SIZE:
            self._flush()

    def _flush(self) -> None:
        if not self._waiting:
            return
        new, counts = np.unique(np.concatenate(self._waiting), return_counts=True)
        self._waiting.clear()
        self._held = 0
        self._merge(np.concatenate([self._values, new]), np.concatenate([self._counts, counts]))
        while len(self._values) > MAX_DISTINCT_VALUES and self._bits > BITS_PER_REDUCTION:
            self._bits -= BITS_PER_REDUCTION
            self._merge(self._rounded(self._values), self._counts)

    def _merge(self, values: Numbers, counts: NDArray[np.int64]) -> None:
        self._values, places = np.unique(values, return_inverse=True)
        self._counts = np.zeros(len(self._values), np.int64)
        np.add.at(self._counts, places, counts)

    def _rounded(self, numbers: Numbers) -> Numbers:
        """Numbers rounded to the bits that are kept."""
        if self._bits == MANTISSA_BITS:
            return numbers + 0.0  # turns -0.0 into 0.0
        lost = MANTISSA_BITS - self._bits
        whole = (numbers + 0.0).view(np.int64) + (1 << (lost - 1))
        return (whole >> lost << lost).view(np.float64)

    @property
    def mean(self) -> float | None:
        """The mean."""
        return self._sum / self.count if self.count else None

    @property
    def varies(self) -> bool:
        """Whether the levels differ in this measure."""
        return self.least is not None and self.greatest is not None and self.least.number < self.greatest.number

    def quantile(self, share: float) -> float | None:
        """The quantile at `share`, interpolated between two numbers."""
        if self.least is None or self.greatest is None:
            return None
        self._flush()
        place = share * (self.count - 1)
        ends = np.cumsum(self._counts)
        low, high = (
            float(self._values[np.searchsorted(ends, at, side="right")]) for at in (math.floor(place), math.ceil(place))
        )
        return min(max(low + (high - low) * (place - math.floor(place)), self.least.number), self.greatest.number)

    def bins(self, most: int) -> tuple[Numbers, NDArray[np.int64]]:
        """The edges of at most `most` bins, at round numbers, and how many levels lie in each."""
        self._flush()
        if not self.count:
            return np.zeros(0), np.zeros(0, np.int64)
        limits = compute_bin_edges(self._values, whole=self.whole, most=most)
        counts, _ = np.histogram(self._values, limits, weights=self._counts)
        return limits, counts.astype(np.int64)

    @property
    def stored_count(self) -> int:
        """How many values and numbers are stored."""
        return len(self._values) + self._held
