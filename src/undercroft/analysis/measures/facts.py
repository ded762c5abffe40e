"""Facts about a level that several measures need, computed once and on demand."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis import reach
from undercroft.analysis.survey import surveyed
from undercroft.core.level import Level
from undercroft.core.palette import look_up_tiles
from undercroft.core.region import REGION_KINDS
from undercroft.core.run import Run
from undercroft.errors import OutOfBudget
from undercroft.kernels import buffer, flat_buffer
from undercroft.kernels import reach as kernel

if TYPE_CHECKING:
    from undercroft.analysis.diameter import MapParts
    from undercroft.analysis.solver.solution import Solution

Number = int | float | None
"""None means that the level has no such value, for example a path without a start."""

CORRIDOR = REGION_KINDS.index("corridor")
_NO_DEAD_ENDS = np.array([kind in ("room", "cell", "vault") for kind in REGION_KINDS], np.uint8)
"""For each kind of region, whether its cells are never dead ends."""
PUZZLE_KINDS = frozenset(("lock", "key", "switch", "one-way"))
"""Things that can make the solution longer than the shortest path."""


class Facts:
    """A level, and the facts that are computed so far."""

    def __init__(self, level: Level, run: Run | None = None) -> None:
        self.given = level
        self.run = run or Run()

    def start_anew(self) -> None:
        """Give the next measure the whole budget."""
        self.run.used = 0

    def __eq__(self, other: object) -> bool:
        """Equal if the levels are equal, whatever is computed."""
        return isinstance(other, Facts) and self.given == other.given

    __hash__ = None  # type: ignore[assignment]

    # --- the ground

    @cached_property
    def walkable(self) -> NDArray[np.bool_]:
        found = self.__dict__.get("flood_summary")
        return self.given.walkable if found is None else found.cells

    @cached_property
    def open_count(self) -> int:
        """The number of walkable cells."""
        self.run.spend(self.walkable.size)
        return int(np.count_nonzero(self.walkable))

    @cached_property
    def flood_summary(self) -> reach.FloodSummary:
        """The result of a flood from the first walkable cell."""
        return reach.flood_map(self.given.tiles, self.given.palette.walkable, self.run, self.__dict__.get("walkable"))

    @cached_property
    def parts(self) -> MapParts:
        """The connected parts of the walkable cells."""
        from undercroft.analysis import diameter  # most levels need no more than their regions and a flood

        return diameter.find_parts(self.flood_summary, self.run)

    @cached_property
    def ground_counts(self) -> list[int]:
        """Walkable cells, pairs of neighbours, full 2x2 squares, dead ends."""
        counts = np.zeros(4, np.int64)
        height, width = self.walkable.shape
        field = np.zeros((height + 2, width + 1), np.uint8)
        field[1:-1, 1:] = self.walkable
        kernel.count_exits(flat_buffer(field), flat_buffer(self.in_rooms), buffer(counts), width, height)
        self.run.spend(self.walkable.size)
        tally: list[int] = counts.tolist()
        return tally

    @cached_property
    def in_rooms(self) -> NDArray[np.uint8]:
        """1 for each cell of a room, cell or vault: none of these is a dead end."""
        regions = self.level.regions
        closed = _NO_DEAD_ENDS[regions.table["kind"]]
        return (
            np.append(np.uint8(0), closed)[regions.labels] if closed.any() else np.zeros(regions.labels.shape, np.uint8)
        )

    @cached_property
    def chokes(self) -> NDArray[np.int32]:
        """For each cell, how many others its removal would cut off."""
        from undercroft.analysis.chokes import choke_points

        return choke_points(self.walkable, self.run)

    @cached_property
    def longest_path_bound(self) -> int:
        """A lower bound of the longest shortest path."""
        from undercroft.analysis import diameter

        return diameter.diameter_lower_bound(self.parts, self.run)

    # --- the rooms and their graph

    @cached_property
    def level(self) -> Level:
        """The level, surveyed if it has no regions yet."""
        return self.given if len(self.given.regions) else surveyed(self.given)

    @cached_property
    def is_room(self) -> NDArray[np.bool_]:
        """For each label, whether it is a room: a region that is not a corridor. False for label 0."""
        return np.append(False, self.level.regions.table["kind"] != CORRIDOR)

    @cached_property
    def areas(self) -> list[int]:
        """The number of cells of each room, ascending."""
        areas: list[int] = np.sort(self.level.regions.table["area"][self.is_room[1:]]).tolist()
        return areas

    @cached_property
    def links(self) -> NDArray[Any]:
        """The links between regions."""
        table, count = self.level.links.table, len(self.level.regions)
        rows: NDArray[Any] = table[
            (np.minimum(table["a"], table["b"]) > 0) & (np.maximum(table["a"], table["b"]) <= count)
        ]
        return rows

    @cached_property
    def degrees(self) -> NDArray[np.int64]:
        """The number of links that end in each room."""
        ends = np.concatenate([self.links["a"], self.links["b"]])
        degrees: NDArray[np.int64] = np.bincount(ends, minlength=len(self.is_room))[self.is_room]
        return degrees

    # --- the path from start to end

    @cached_property
    def from_start(self) -> reach.DistanceField | None:
        """The distance of every cell from the start."""
        return None if self.given.start is None else reach.DistanceField(self.walkable, [self.given.start], self.run)

    @cached_property
    def steps_to_end(self) -> int | None:
        """Steps from start to end, through all doors."""
        if self.given.start is None or self.given.end is None:
            return None
        if (
            isinstance(self.run.swept, reach.FloodSummary)
            and (across := self.flood_summary.across) is not None
            and (self.flood_summary.last, across[0]) == (self.given.start, self.given.end)
        ):
            return across[1]  # known from the choice of start and end
        assert self.from_start is not None
        steps = self.from_start.steps_to(*self.given.end)
        return steps if steps >= 0 else None

    @cached_property
    def secrets(self) -> NDArray[np.bool_]:
        """Cells with secret doors."""
        return look_up_tiles(self.given.palette.role_mask("secret"), self.given.tiles)

    @cached_property
    def has_puzzle(self) -> bool:
        """Whether there are locks, keys, switches, one-way doors or things that block."""
        level = self.given
        in_the_way = any(thing.kind in PUZZLE_KINDS or thing.data.get("blocks") is True for thing in level.things)
        return in_the_way or bool(look_up_tiles(level.palette.role_mask("locked"), level.tiles).any())

    @property
    def solution(self) -> Solution:
        """The shortest solution for a player. Raises `OutOfBudget` if the level has too many states."""
        if isinstance(self._solution_or_error, OutOfBudget):
            raise self._solution_or_error
        return self._solution_or_error

    @cached_property
    def _solution_or_error(self) -> Solution | OutOfBudget:
        """The solution, or the error that ended the search: several measures ask for it, and the search runs once."""
        from undercroft.analysis.solver.solve import solve

        try:
            return solve(self.given, run=self.run)
        except OutOfBudget as error:
            return error
