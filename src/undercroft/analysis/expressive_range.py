"""The expressive range of a recipe: how its levels spread over two measures, which share of the bins stays empty, and
which levels lie at the corners.

Expressive range analysis: Smith and Whitehead, "Analyzing the expressive range of a level generator" (2010).
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import count, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis.measures.table import Number

Numbers = NDArray[np.float64]

MAX_BINS = 30
"""The maximum number of bins along a measure."""
BINS_FOR_FEW_LEVELS = 8
"""The number of bins that is allowed even for few levels."""
ROUND_WIDTH_DIGITS = (10, 12, 15, 20, 25, 30, 40, 50, 60, 80)
"""The digits of round bin widths: close enough together that every axis has about the same number of bins."""
SAME_TOLERANCE = 1e-9
"""Numbers whose relative difference is smaller count as equal."""

SCORE_DECIMALS = 9
"""Decimals to which standard scores are compared: the last digits of sums differ between processors."""


class RangeColumn:
    """One measure of many levels, at eight bytes a number."""

    def __init__(self, numbers: Iterable[Number] = ()) -> None:
        self._numbers = array("d")
        self.whole = True
        """Whether all numbers so far have an integer type."""
        self.missing = 0
        """Levels without a value."""
        for number in numbers:
            self.add(number)

    def add(self, number: Number) -> None:
        """Add the value of one more level."""
        if number is None:
            self.missing += 1
        elif not isinstance(number, int):
            self.whole = False
        self._numbers.append(np.nan if number is None else number)

    def __len__(self) -> int:
        return len(self._numbers)

    @property
    def numbers(self) -> Numbers:
        """All values; NaN where a level has none."""
        return np.array(self._numbers)

    @property
    def is_constant(self) -> bool:
        """Whether all levels that have a value have the same one.

        >>> RangeColumn([1, None, 1]).is_constant, RangeColumn([1, 2]).is_constant
        (True, False)
        """
        there = self.numbers[~np.isnan(self.numbers)]
        return bool((there == there[:1]).all())

    def numbers_between(self, first: int, last: int) -> list[float]:
        """The values of the levels from `first` to `last`."""
        return self._numbers[first:last].tolist()

    @property
    def known_numbers(self) -> Numbers:
        """The values without the missing ones."""
        numbers = self.numbers
        return numbers[~np.isnan(numbers)]


class Corner(NamedTuple):
    """A level at a corner of the range."""

    place: int
    """The index of the level, from 0."""
    right: int
    """1 for a high value of the first measure, -1 for a low one, 0 if all levels have the same."""
    up: int
    """The same for the second measure."""


class BinGrid(NamedTuple):
    """The bins from the least to the greatest value of two measures."""

    x: Numbers
    """Edges of the bins of the first measure."""
    y: Numbers
    """Edges of the bins of the second measure."""

    def is_inside(self, x: Numbers, y: Numbers) -> NDArray[np.bool_]:
        """Whether each point lies in a bin."""
        inside: NDArray[np.bool_] = (_bin_numbers(x, self.x) >= 0) & (_bin_numbers(y, self.y) >= 0)
        return inside

    def count_points(self, x: Numbers, y: Numbers) -> NDArray[np.int64]:
        """The number of points in each bin: `counts[row, column]`, where row 0 has the least y. A bin contains its
        lower edge, the last bin both edges.

        >>> box = BinGrid(np.array([0.0, 1.0, 2.0]), np.array([0.0, 10.0]))
        >>> box.count_points(np.array([0.5, 1.0, 2.0]), np.array([3.0, 4.0, 10.0])).tolist()
        [[1, 2]]
        """
        columns, rows = _bin_numbers(x, self.x), _bin_numbers(y, self.y)
        inside = (columns >= 0) & (rows >= 0)
        shape = len(self.y) - 1, len(self.x) - 1
        flat = np.bincount(rows[inside] * shape[1] + columns[inside], minlength=shape[0] * shape[1])
        return flat.reshape(shape)


def compute_bin_edges(numbers: Numbers, *, whole: bool = False, most: int = MAX_BINS) -> Numbers:
    """The edges of at most `most` bins that contain all numbers, at round values. The edges for integers lie halfway
    between them.

    >>> compute_bin_edges(np.array([1.0, 3.0]), whole=True).tolist()
    [0.5, 1.5, 2.5, 3.5]
    >>> compute_bin_edges(np.array([0.31, 0.58]), most=3).tolist()
    [0.3, 0.4, 0.5, 0.6]
    """
    most = max(2, most)  # values on both sides of 0 never fit into one bin
    least, greatest = float(numbers.min()), float(numbers.max())
    span = greatest - least + whole
    if span <= SAME_TOLERANCE * max(abs(least), abs(greatest)):
        half = 10.0 ** math.floor(math.log10(abs(greatest))) / 100 if greatest else 0.01
        return np.array([least - half, greatest + half])
    width = next(
        width
        for width in _round_widths(span / most, whole)
        if _last_edge(greatest, width, whole) - _first_edge(least, width) <= most
    )
    numbered = np.arange(_first_edge(least, width), _last_edge(greatest, width, whole) + 1, dtype=float)
    return numbered * width.numerator / width.denominator - (0.5 if whole else 0.0)


def _round_widths(least: float, whole: bool) -> Iterator[Fraction]:
    """Round bin widths as exact fractions, ascending from about the least one."""
    for power in count(math.floor(math.log10(least))):
        for tenths in ROUND_WIDTH_DIGITS:
            width = Fraction(tenths, 10) * Fraction(10) ** power
            if not whole or width.denominator == 1:
                yield width


def _first_edge(least: float, width: Fraction) -> int:
    return math.floor(least * width.denominator / width.numerator)


def _last_edge(greatest: float, width: Fraction, whole: bool) -> int:
    places = greatest * width.denominator / width.numerator
    return math.floor(places) + 1 if whole else math.ceil(places)


class Spread(NamedTuple):
    """The distribution of the levels of one recipe over a grid of bins."""

    x: Numbers
    y: Numbers
    counts: NDArray[np.int64]
    """The number of levels in each bin, `counts[row, column]`."""
    corners: tuple[Corner, ...]

    @property
    def empty_share(self) -> float:
        """The share of bins without a level."""
        return float(np.count_nonzero(self.counts == 0) / self.counts.size)

    @property
    def medians(self) -> tuple[float, float]:
        """The medians of both measures."""
        return float(np.median(self.x)), float(np.median(self.y))

    @property
    def correlation(self) -> float | None:
        """Pearson's correlation, to six decimals; None if one of the measures is constant."""
        across, along = _standard_scores(self.x), _standard_scores(self.y)
        return round(float(np.clip((across * along).mean(), -1, 1)), 6) + 0.0 if across.any() and along.any() else None


def build_spread(x: Numbers, y: Numbers, around: BinGrid) -> Spread:
    """The spread of the levels with these values; there must be at least one.

    >>> around = build_bin_grid([np.array([1.0, 4.0, 4.0])], [np.array([2.0, 2.0, 3.0])], whole=(True, True))
    >>> one = build_spread(np.array([1.0, 4.0, 4.0]), np.array([2.0, 2.0, 3.0]), around)
    >>> one.counts.tolist(), one.empty_share, one.medians
    ([[1, 0, 0, 1], [0, 0, 0, 1]], 0.625, (4.0, 2.0))
    """
    return Spread(x, y, around.count_points(x, y), tuple(find_corners(x, y)))


class AxisBins(NamedTuple):
    """How a measure is cut into bins, as far as the user sets it; None means that the values decide."""

    low: float | None = None
    high: float | None = None
    """The least and the greatest value."""
    bins: int | None = None
    """The number of bins."""


def build_bin_grid(
    x: Sequence[Numbers],
    y: Sequence[Numbers],
    *,
    whole: tuple[bool, bool] = (False, False),
    axes: tuple[AxisBins, AxisBins] = (AxisBins(), AxisBins()),
) -> BinGrid:
    """The grid of bins for several recipes together: `x` and `y` hold the values of each.

    The grid has at most as many bins as the largest recipe has levels, but up to 8x8 for few levels, and never more
    than 30x30, unless `axes` says otherwise.
    """
    most = min(MAX_BINS, max(BINS_FOR_FEW_LEVELS, math.isqrt(max(map(len, x)))))
    across, along = (
        _compute_axis_edges(np.concatenate(values), is_whole, axis, most)
        for values, is_whole, axis in zip((x, y), whole, axes, strict=True)
    )
    return BinGrid(across, along)


def _compute_axis_edges(numbers: Numbers, whole: bool, axis: AxisBins, most: int) -> Numbers:
    """The edges of the bins of one measure. What the user sets is kept exactly: the first and the last edge, and the
    number of bins. Bins of integers are as wide as a whole number, unless the user sets how many there are.
    """
    if axis == AxisBins():
        return compute_bin_edges(numbers, whole=whole, most=most)
    least, greatest = float(numbers.min()), float(numbers.max())
    low, high = least if axis.low is None else axis.low, greatest if axis.high is None else axis.high
    low, high = min(low, high), max(low, high)  # one end is set, and all values are beyond it
    if whole:
        low, high = math.ceil(low) - 0.5, max(math.ceil(low), math.floor(high)) + 0.5
    elif high - low <= SAME_TOLERANCE * max(abs(low), abs(high)):
        half = 10.0 ** math.floor(math.log10(abs(high))) / 100 if high else 0.01
        low, high = low - half, high + half
    if axis.bins is not None:
        return np.linspace(low, high, axis.bins + 1)
    if not whole:
        return np.linspace(low, high, most + 1)
    width = math.ceil((high - low) / most)
    return low + width * np.arange(math.ceil((high - low) / width) + 1, dtype=float)


def measure_overlap(one: NDArray[np.int64], other: NDArray[np.int64]) -> float:
    """The overlap of two recipes: 1 if their levels have the same distribution over the bins, 0 if no bin has levels of
    both.

    >>> measure_overlap(np.array([[3, 1]]), np.array([[1, 3]]))
    0.5
    """
    return float(np.minimum(one / max(1, one.sum()), other / max(1, other.sum())).sum())


def find_corners(x: Numbers, y: Numbers) -> list[Corner]:
    """The level farthest out towards each corner: the one with the greatest signed sum of standard scores, among those
    beyond both medians on that side.

    >>> for corner in find_corners(np.array([1.0, 1.0, 9.0, 5.0]), np.array([0.0, 4.0, 0.0, 2.0])):
    ...     print(corner)
    Corner(place=1, right=-1, up=1)
    Corner(place=2, right=1, up=-1)
    Corner(place=0, right=-1, up=-1)
    Corner(place=3, right=1, up=1)

    A corner without such a level is left out. No two corners have levels at the same point: the corner with the
    farthest level chooses first. Among levels at the same distance, the first is taken.
    """
    across, along = _standard_scores(x), _standard_scores(y)
    signs = list(product((-1, 1) if across.any() else (0,), (-1, 1) if along.any() else (0,)))
    far = np.array([right * across + up * along for right, up in signs]).round(SCORE_DECIMALS)
    for (right, up), score in zip(signs, far, strict=True):
        if right or up:
            score[(right * (x - np.median(x)) < 0) | (up * (y - np.median(y)) < 0) | (score <= 0)] = -np.inf
    found: list[Corner] = []
    while far.size and far.max() > -np.inf:
        sign, place = divmod(int(far.argmax()), len(x))
        found.append(Corner(place, *signs[sign]))
        far[sign] = -np.inf
        far[:, (x == x[place]) & (y == y[place])] = -np.inf
    return found


def _standard_scores(numbers: Numbers) -> Numbers:
    """Standard scores; all 0 if the numbers are the same."""
    centred = numbers - numbers.mean() if len(numbers) else numbers
    spread = float(np.sqrt((centred**2).mean())) if len(numbers) else 0.0
    if spread <= SAME_TOLERANCE * float(np.abs(numbers).max(initial=0.0)):
        return np.zeros_like(numbers)
    scores: Numbers = centred / spread
    return scores


def _bin_numbers(numbers: Numbers, limits: Numbers) -> NDArray[np.intp]:
    """The bin of each number; -1 if it is in none."""
    found = np.searchsorted(limits, numbers, side="right") - 1
    found[numbers == limits[-1]] = len(limits) - 2
    found[(found < 0) | (found >= len(limits) - 1) | np.isnan(numbers)] = -1
    return found
