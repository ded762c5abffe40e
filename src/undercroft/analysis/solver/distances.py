"""The distances between the spots of a puzzle, over cells at which nothing happens."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis import reach
from undercroft.analysis.one_way import STEPS
from undercroft.analysis.reach import Cells
from undercroft.analysis.solver.puzzle import Puzzle
from undercroft.core.level import Point
from undercroft.core.run import Run


class SpotDistances:
    """Steps from each spot to each other and to the end; negative where every path crosses other spots.

    Cost: one search over the map for each spot.
    """

    def __init__(self, puzzle: Puzzle, run: Run) -> None:
        self.puzzle = puzzle
        self._run = run
        self._number: dict[Point, int] = {
            (spot.x, spot.y): number for number, spot in enumerate(puzzle.spots) if 0 < number != puzzle.past
        }
        entries = [(number, *cell) for number in range(1, len(puzzle.spots)) for cell in self._entries(number)]
        to, xs, ys = np.array(entries, np.intp).reshape(-1, 3).T
        count = len(puzzle.spots)
        self.steps: NDArray[np.int32] = np.full((count, count), -1, np.int32)
        self.to_end: NDArray[np.int32] = np.full(count, -1, np.int32)
        for number in range(count):
            field, before = self._field_from(number)
            row = np.full(count, np.iinfo(np.int32).max, np.int32)
            found = field.steps[ys, xs]
            np.minimum.at(row, to[found >= 0], found[found >= 0] + (before + 1))
            row[self._adjacent_spots(number)] = 1
            row[[0, number]] = np.iinfo(np.int32).max  # no move returns to the start, or stays on its spot
            self.steps[number] = np.where(row == np.iinfo(np.int32).max, -1, row)
            if puzzle.end is not None and field.steps_to(*puzzle.end) >= 0:
                self.to_end[number] = field.steps_to(*puzzle.end) + before
        # the end can be locked: then it is entered like any spot
        if puzzle.end is not None and puzzle.end in self._number:
            self.to_end[self._number[puzzle.end]] = 0
        if puzzle.start == puzzle.end and self._exits(0):
            self.to_end[0] = 0
        if puzzle.past:
            self.steps[:, puzzle.past] = -1
            if self._sources(puzzle.past)[0]:
                left = self.to_end == 0
                self.steps[left] = -1
                self.steps[left, puzzle.past] = 0

    def path_between(self, a: int, b: int | None) -> Cells:
        """The cells of a shortest path from one spot to another, or to the end, without the first cell."""
        end = self.puzzle.end
        if b == self.puzzle.past or (b is None and (self.puzzle.spots[a].x, self.puzzle.spots[a].y) == end):
            return np.zeros((0, 2), np.int32)
        field, before = self._field_from(a)
        if b is None:
            assert end is not None
            return field.path_to(*end)[1 - before :]
        last = np.array([self.puzzle.spots[b][:2]], np.int32)
        if b in self._adjacent_spots(a):
            return last
        near = [cell for cell in self._entries(b) if field.steps_to(*cell) >= 0]
        return np.concatenate([field.path_to(*min(near, key=lambda cell: field.steps_to(*cell)))[1 - before :], last])

    def reachable_cells(self, spots: Iterable[int]) -> NDArray[np.bool_]:
        """The cells that can be reached from the spots without crossing others, and the spots themselves."""
        spots = list(spots)
        sources = [cell for number in spots for cell in self._sources(number)[0]]
        cells: NDArray[np.bool_] = reach.DistanceField(self.puzzle.plain, sources, self._run).steps >= 0
        spots = [number for number in spots if number or self._exits(0)]
        for number in spots:
            cells[self.puzzle.spots[number].y, self.puzzle.spots[number].x] = True
        return cells

    def _field_from(self, number: int) -> tuple[reach.DistanceField, int]:
        """The distances over plain cells after leaving a spot, and how many steps leaving took."""
        sources, before = self._sources(number)
        return reach.DistanceField(self.puzzle.plain, sources, self._run), before

    def _sources(self, number: int) -> tuple[list[Point], int]:
        if number == 0 and self._is_plain(*self.puzzle.start):
            return [self.puzzle.start], 0
        return [cell for cell in self._exits(number) if self._is_plain(*cell)], 1

    def _exits(self, number: int) -> list[Point]:
        """The cells one step away from a spot. None if the start is inside a wall."""
        x, y, to = self.puzzle.spots[number][:3]
        if number == 0 and (x, y) not in self._number and not self._is_plain(x, y):
            return []
        return [(x + right, y + down) for side, (right, down) in enumerate(STEPS) if to in (-1, side)]

    def _entries(self, number: int) -> list[Point]:
        """The plain cells from which a spot can be entered."""
        x, y, to = self.puzzle.spots[number][:3]
        near = [(x - right, y - down) for side, (right, down) in enumerate(STEPS) if to in (-1, side)]
        return [cell for cell in near if self._is_plain(*cell)]

    def _adjacent_spots(self, number: int) -> list[int]:
        """The spots that are one step away."""
        spot = self.puzzle.spots[number]
        found = []
        for x, y in self._exits(number):
            other = self._number.get((x, y))
            if other is not None:
                right, down = STEPS[self.puzzle.spots[other].to]
                if self.puzzle.spots[other].to < 0 or (x - right, y - down) == (spot.x, spot.y):
                    found.append(other)
        return found

    def _is_plain(self, x: int, y: int) -> bool:
        height, width = self.puzzle.plain.shape
        return 0 <= x < width and 0 <= y < height and bool(self.puzzle.plain[y, x])
