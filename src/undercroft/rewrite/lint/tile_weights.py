"""Find weights of tiles whose sum every rewrite lowers, which proves that rules end.

A *change* is the effect of one rewrite: cells, each with the set of tiles that may be there and the tile that is
written. It lowers the weights if the sum over its cells falls in every case in which something changes. The dual
simplex method finds the weights, in fractions. A constraint is added only when the current weights violate it: one
case of one change at a time. The result is verified in whole numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import NamedTuple

from undercroft.rewrite.lint.finding import iterate_tiles

Change = tuple[tuple[tuple[int, int], int], ...]
"""((set of tiles, new tile), number of such cells) ..."""
Row = dict[int, Fraction]
MAX_PIVOTS = 400
MAX_WORK = 200_000
"""The most numbers to process in total: about half a second."""
MAX_CASES_PER_ROUND = 16


class TileWeights(NamedTuple):
    """A weight for every tile, and the least amount by which every change lowers their sum."""

    of: tuple[int, ...]
    falls: int


def build_change(cells: Iterable[tuple[int, int]]) -> Change:
    """A change of these cells: (set of tiles, new tile) each. Cells that surely stay are left out.

    >>> build_change([(0b1, 0), (0b10, 0), (0b10, 0)])
    (((2, 0), 2),)
    """
    return tuple(sorted(Counter((tiles, new) for tiles, new in cells if tiles != 1 << new).items()))


def find_lowering_weights(changes: Sequence[Change], tiles: int) -> TileWeights | None:
    """Weights of `tiles` tiles that every change lowers; None if there are none, or none was found in time.

    >>> find_lowering_weights([build_change([(0b1, 1), (0b1, 2)])], 3)  # BB -> WA
    TileWeights(of=(1, 0, 0), falls=2)
    >>> find_lowering_weights([build_change([(0b1, 1)]), build_change([(0b10, 0)])], 2) is None  # B -> W, W -> B
    True
    """
    simplex = _Simplex(tiles)
    while True:
        weights = simplex.solve()
        if weights is None:
            return None
        broken: dict[tuple[tuple[int, int], ...], None] = {}
        for each in changes:
            case = _find_worst_case(each, weights)
            if sum(weights[tile] * times for tile, times in case) > -1:
                broken[case] = None
            if len(broken) >= MAX_CASES_PER_ROUND:
                break
        if not broken:
            break
        if () in broken or not all(map(simplex.add_constraint, broken)):
            return None
    scale = lcm(*(weight.denominator for weight in weights))
    whole = [int(weight * scale) for weight in weights]
    common = gcd(*whole) or 1
    whole = [weight // common for weight in whole]
    falls = min((-worst_case_sum(each, whole) for each in changes), default=1)
    return TileWeights(tuple(whole), falls) if falls > 0 and min(whole, default=0) >= 0 else None


def worst_case_sum(each: Change, weights: Sequence[int]) -> int:
    """The amount that a change adds to the sum of the weights in the worst case; below 0 if it always lowers it."""
    return sum(weights[tile] * times for tile, times in _find_worst_case(each, weights))


def max_rise(each: Change, weights: Sequence[int]) -> int:
    """The most that a change can add, even if only some of its cells are written."""
    return sum(
        times * max(0, *(weights[new] - weights[old] for old in iterate_tiles(tiles))) for (tiles, new), times in each
    )


def _find_worst_case(each: Change, weights: Sequence[Fraction] | Sequence[int]) -> tuple[tuple[int, int], ...]:
    """The case of a change that lowers the weights least, as (tile, how many more of it)."""
    lightest = [(times, new, _lightest(tiles, weights)) for (tiles, new), times in each]
    # the change may have no effect; the case to examine changes at least one cell
    if all(tiles >> new & 1 for (tiles, new), _ in each):
        ways = []
        for index, ((tiles, new), _) in enumerate(each):
            old = _lightest(tiles & ~(1 << new), weights)
            ways.append((weights[new] - weights[old] - (weights[new] - weights[lightest[index][2]]), index, old))
        _, index, old = max(ways)
        times, new, other = lightest[index]
        lightest[index] = (times - 1, new, other)
        lightest.append((1, new, old))
    more: Counter[int] = Counter()
    for times, new, old in lightest:
        more[new] += times
        more[old] -= times
    return tuple(sorted((tile, times) for tile, times in more.items() if times))


def _lightest(tiles: int, weights: Sequence[Fraction] | Sequence[int]) -> int:
    return min(iterate_tiles(tiles), key=lambda tile: (weights[tile], tile))


class _Simplex:
    """The least weights that meet all constraints so far. A constraint is that a sum is -1 or less.

    Each row defines a variable: a constant, under the key -1, and multiples of the variables that are currently zero.
    """

    def __init__(self, tiles: int) -> None:
        self.tiles = tiles
        self.rows: dict[int, Row] = {}
        self.cost: Row = {tile: Fraction(1) for tile in range(tiles)}
        self.wishes = 0
        self.pivots = 0
        self.work = 0

    def add_constraint(self, case: tuple[tuple[int, int], ...]) -> bool:
        """Add a constraint as a new slack variable. Returns False if there are too many."""
        row: Row = {-1: Fraction(-1)}
        for tile, times in case:
            _add_multiple(row, self.rows.get(tile, {tile: Fraction(1)}), Fraction(-times))
        self.rows[self.tiles + self.wishes] = row
        self.wishes += 1
        return self.wishes < MAX_PIVOTS

    def solve(self) -> list[Fraction] | None:
        """The weights, or None if the constraints contradict each other or it takes too long."""
        while True:
            low = min((variable for variable, row in self.rows.items() if row.get(-1, 0) < 0), default=-1)
            if low < 0:
                return [
                    self.rows[tile].get(-1, Fraction(0)) if tile in self.rows else Fraction(0)
                    for tile in range(self.tiles)
                ]
            row = self.rows[low]
            enter = min(
                (
                    (self.cost.get(key, Fraction(0)) / value, key)
                    for key, value in row.items()
                    if key >= 0 and value > 0
                ),
                default=None,
            )
            if enter is None or self.pivots >= MAX_PIVOTS or self.work > MAX_WORK:
                return None
            self._pivot(low, enter[1])

    def _pivot(self, leaves: int, enters: int) -> None:
        self.pivots += 1
        row = self.rows.pop(leaves)
        factor = 1 / row.pop(enters)
        fresh: Row = {key: -value * factor for key, value in row.items()}
        fresh[leaves] = factor
        for other in [*self.rows.values(), self.cost]:
            times = other.pop(enters, None)
            if times:
                _add_multiple(other, fresh, times)
                self.work += len(fresh)
        self.rows[enters] = fresh
        self.cost.pop(-1, None)


def _add_multiple(row: Row, more: Row, times: Fraction) -> None:
    for key, value in more.items():
        total = row.get(key, Fraction(0)) + value * times
        if total:
            row[key] = total
        else:
            row.pop(key, None)
