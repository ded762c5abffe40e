"""What several measures need to know about a level, found once and only if somebody asks."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis import diameter, reach
from undercroft.analysis.chokes import choke_points
from undercroft.analysis.survey import surveyed
from undercroft.core.level import Level
from undercroft.core.palette import look_up_tiles
from undercroft.core.region import REGION_KINDS
from undercroft.core.run import Run
from undercroft.errors import OutOfBudget
from undercroft.kernels import buffer, flat_buffer
from undercroft.kernels import reach as kernel

if TYPE_CHECKING:
    from undercroft.analysis.solver.solution import Solution

Number = int | float | None
"""None: the level has no such thing (a path without a start, say)."""

CORRIDOR = REGION_KINDS.index("corridor")
_NO_DEAD_ENDS = np.array([kind in ("room", "cell", "vault") for kind in REGION_KINDS], np.uint8)
"""For each kind of region, whether nothing in it is a dead end."""
PUZZLE_KINDS = frozenset(("lock", "key", "switch", "one-way"))
"""Things that make a way longer than it looks."""


class Facts:
    """A level, and what was found out about it so far."""

    def __init__(self, level: Level, run: Run | None = None) -> None:
        self.given = level
        self.run = run or Run()

    def __eq__(self, other: object) -> bool:
        """Of equal levels, however much is found out."""
        return isinstance(other, Facts) and self.given == other.given

    __hash__ = None  # type: ignore[assignment]

    # --- the ground

    @cached_property
    def walkable(self) -> NDArray[np.bool_]:
        found = self.__dict__.get("flood_summary")
        return self.given.walkable if found is None else found.cells

    @cached_property
    def open_count(self) -> int:
        """How many cells are walkable."""
        self.run.spend(self.walkable.size)
        return int(np.count_nonzero(self.walkable))

    @cached_property
    def flood_summary(self) -> reach.FloodSummary:
        """What a search from the first walkable cell finds."""
        return reach.flood_map(self.given.tiles, self.given.palette.walkable, self.run, self.__dict__.get("walkable"))

    @cached_property
    def parts(self) -> diameter.MapParts:
        """The connected parts of the walkable cells."""
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
        """1 for each cell of a room, cell or vault: where nothing is a dead end."""
        regions = self.level.regions
        closed = _NO_DEAD_ENDS[regions.table["kind"]]
        return (
            np.append(np.uint8(0), closed)[regions.labels] if closed.any() else np.zeros(regions.labels.shape, np.uint8)
        )

    @cached_property
    def chokes(self) -> NDArray[np.int32]:
        """For each cell, how many others would be cut off without it."""
        return choke_points(self.walkable, self.run)

    @cached_property
    def longest_path_bound(self) -> int:
        """How long the longest shortest way is at least."""
        return diameter.diameter_lower_bound(self.parts, self.run)

    # --- the rooms and their graph

    @cached_property
    def level(self) -> Level:
        """The level; surveyed, if nobody has found its regions yet."""
        return self.given if len(self.given.regions) else surveyed(self.given)

    @cached_property
    def is_room(self) -> NDArray[np.bool_]:
        """For each label, whether it is a room: a region that is no corridor. Label 0 is none."""
        return np.append(False, self.level.regions.table["kind"] != CORRIDOR)

    @cached_property
    def areas(self) -> list[int]:
        """The cells of each room, the fewest first."""
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
        """How many links end in each room."""
        ends = np.concatenate([self.links["a"], self.links["b"]])
        degrees: NDArray[np.int64] = np.bincount(ends, minlength=len(self.is_room))[self.is_room]
        return degrees

    # --- the way from start to end

    @cached_property
    def from_start(self) -> reach.DistanceField | None:
        """How far every cell is from the start."""
        return None if self.given.start is None else reach.DistanceField(self.walkable, [self.given.start], self.run)

    @cached_property
    def steps_to_end(self) -> int | None:
        """Steps from start to end, past all doors."""
        if self.given.start is None or self.given.end is None:
            return None
        if (
            self.run.swept is not None
            and (across := self.flood_summary.across) is not None
            and (self.flood_summary.last, across[0]) == (self.given.start, self.given.end)
        ):
            return across[1]  # known since they were chosen
        assert self.from_start is not None
        steps = self.from_start.steps_to(*self.given.end)
        return steps if steps >= 0 else None

    @cached_property
    def secrets(self) -> NDArray[np.bool_]:
        """Cells with secret doors."""
        return look_up_tiles(self.given.palette.role_mask("secret"), self.given.tiles)

    @cached_property
    def has_puzzle(self) -> bool:
        """Whether there are locks, keys, switches, one-way doors or things in the way."""
        level = self.given
        in_the_way = any(thing.kind in PUZZLE_KINDS or thing.data.get("blocks") is True for thing in level.things)
        return in_the_way or bool(look_up_tiles(level.palette.role_mask("locked"), level.tiles).any())

    @property
    def solution(self) -> Solution:
        """The shortest way that a player can go. Raises `OutOfBudget` if there is too much that can become of the
        level.
        """
        if isinstance(self._solution_or_error, OutOfBudget):
            raise self._solution_or_error
        return self._solution_or_error

    @cached_property
    def _solution_or_error(self) -> Solution | OutOfBudget:
        """The solution, or that it was given up: several measures ask, and nobody shall wait for that twice."""
        from undercroft.analysis.solver.solve import solve

        try:
            return solve(self.given, run=self.run)
        except OutOfBudget as error:
            return error
