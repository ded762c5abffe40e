"""The step that makes a grid of rooms, one cell per room: grown from the middle, or along a random walk."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal, NamedTuple

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from undercroft.analysis import reach
from undercroft.analysis.room_grids import END, ROOM, ROOM_GRID_PALETTE, START, find_hiding_places, plan_room_grid
from undercroft.core.draft import Draft
from undercroft.core.level import Level, Point
from undercroft.core.region import LINK_KINDS
from undercroft.core.rng import Rng, threshold
from undercroft.core.run import Run
from undercroft.errors import BadInput
from undercroft.kernels import buffer, flat_buffer, grids
from undercroft.steps.grids import feasible_grid
from undercroft.steps.step import Share, all_facts_but

Side = Annotated[int, Meta(ge=1, le=1 << 20)]
Count = Annotated[int, Meta(ge=0, le=1 << 24)]
Clause = Literal["count", "connected", "distinct", "apart", "dead end"]
BORDERS = ("restart", "reject", "clamp")
MAX_FAILED_WORK = 1 << 25
"""After this many steps of failed work no further attempt starts: a second or two. Large grids get more."""


class GridAttempt(NamedTuple):
    """The result of an attempt."""

    field: reach.DistanceField
    end: Point
    broken: set[str]
    """The clauses that do not hold."""


@dataclass(frozen=True, kw_only=True)
class RoomGrid:
    """Make a room grid: a small map on which every cell is a room or empty, with a planned door between every two
    neighbours. `expand` turns it into tiles.

    The grid has exactly the requested number of rooms. The start is the first room, the end one of the farthest; dead
    ends are tagged, and the end is one. The level gets the size of the grid, and its tiles are 0 empty, 1 room, 2
    start, 3 end.

    >>> draft = Draft(80, 50)
    >>> RoomGrid(rooms=9, grid=(6, 4)).apply(draft, Rng.root(1).stream("room-grid"), Run())
    >>> print(draft)
    011000
    002111
    011030
    000000
    """

    method: Literal["isaac", "neighbours", "drunkard"] = "isaac"
    """isaac: rooms in the order of a queue, each with one neighbour when it is built; neighbours: in rounds, close
    together; drunkard: along a random walk.
    """
    grid: tuple[Side, Side] = (8, 8)
    """Columns and rows of the grid."""
    rooms: Count = 0
    """How many rooms; 0: base + per_level * level + a random number from 0 to jitter."""
    level: Count = 1
    """The depth of the level in the game; deeper levels have more rooms."""
    base: Count = 7
    """Rooms at level 0."""
    per_level: Annotated[float, Meta(ge=0, le=1_000_000)] = 3.0
    """Additional rooms per level."""
    jitter: Count = 3
    """The most additional random rooms."""
    refuse: Share = 0.5
    """isaac, neighbours: the chance that a possible room is not built this time."""
    crowded: tuple[Share, Share, Share] = (1 / 3, 1 / 2, 1.0)
    """neighbours: the chance of refusal before that, if one, two or three more rooms touch the cell."""
    reseed: Count = 16
    """isaac: if growth dies out, it begins again at the start if more than this many rooms are asked for; else the
    attempt fails.
    """
    border: Literal["restart", "reject", "clamp"] = "restart"
    """drunkard: what a step over the border does. restart: return to the start; reject: draw another step; clamp: stay
    at the border.
    """
    secrets: Annotated[int, Meta(ge=0, le=1000)] = 0
    """Additional secret rooms, behind secret doors: beside three rooms if there is such a cell, else beside two, or
    one; never beside the end.
    """
    valid: tuple[Clause, ...] = ("count", "connected", "distinct", "apart", "dead end")
    """What a grid must fulfil, else the step tries again: all rooms are there, and connected; the end is not the start,
    does not touch it, and has one door.
    """
    tries: Annotated[int, Meta(ge=1, le=1_000_000)] = 1000
    """The most attempts; fewer if they take long."""

    edition: ClassVar[int] = 1
    needs: ClassVar[tuple[str, ...]] = ()
    gives: ClassVar[tuple[str, ...]] = ("tiles", "regions", "doors", "links", "ends", "path")
    spoils: ClassVar[tuple[str, ...]] = all_facts_but(*gives)

    def check(self, width: int, height: int) -> None:  # noqa: ARG002 - the grid has a size of its own
        """Refuse parameters that are known to be impossible."""
        feasible_grid.check(self)
        if feasible_grid.is_deterministic(self):
            for target in sorted({self.target_rooms(0), self.target_rooms(self.jitter)}):
                self._try_until_valid(np.zeros(self.grid[::-1], np.uint8), target, Rng.root(0), Run())

    def target_rooms(self, more: int) -> int:
        """The requested number of rooms, with `more` random ones."""
        return self.rooms or self.base + int(round(self.per_level * self.level, 6)) + more

    def apply(self, draft: Draft, rng: Rng, run: Run) -> None:
        feasible_grid.check(self)
        if draft.frozen is not None and draft.frozen.any():
            raise BadInput(
                "a room grid has another scale than the level: no cell of it can stay as it is", fix="leave frozen out"
            )
        target = self.target_rooms(rng.below(self.jitter + 1))
        draft.wanted = draft.wanted or (draft.width, draft.height)
        draft.begin_anew(np.zeros(self.grid[::-1], np.uint8), ROOM_GRID_PALETTE)
        run.tiles, run.palette = draft.tiles, draft.palette
        start, judged = self._try_until_valid(draft.tiles, target, rng, run)
        draft.tiles[judged.end[1], judged.end[0]] = END
        draft.tiles[start[1], start[0]] = START
        hidden = self._place_secret_rooms(draft.tiles, rng, run)
        draft.start, draft.end, draft.path = start, judged.end, judged.field.path_to(*judged.end)
        draft.regions, draft.links, draft.layers["doors"] = plan_room_grid(draft.tiles > 0)
        self._tag_rooms(draft, hidden)
        run.spend(draft.tiles.size)

    def _try_until_valid(self, tiles: NDArray[np.uint8], target: int, rng: Rng, run: Run) -> tuple[Point, GridAttempt]:
        """Make attempts until one is valid, and return its start and result."""
        failed: dict[str, int] = dict.fromkeys(self.valid, 0)
        best: tuple[int, Level] | None = None
        certain = feasible_grid.is_deterministic(self)
        tries, enough = 0, run.used + max(MAX_FAILED_WORK, 100 * tiles.size)
        while tries < (1 if certain else self.tries) and run.used < enough:
            tries += 1
            run.spend(tiles.size)  # also if nothing grows
            tiles[:] = 0
            start, count = (
                self._walk(tiles, target, rng, run)
                if self.method == "drunkard"
                else self._grow(tiles, target, rng, run)
            )
            judged = self._judge(tiles, start, count, target, run)
            wrong = [clause for clause in failed if clause in judged.broken]
            if not wrong:
                return start, judged
            for clause in wrong:
                failed[clause] += 1
            if best is None or len(wrong) < best[0]:
                best = len(wrong), Level(tiles, ROOM_GRID_PALETTE, start=start, end=judged.end)
        assert best is not None
        raise feasible_grid.build_failure(
            self, tries, {clause: number for clause, number in failed.items() if number}, target, best[1]
        )

    def _grow(self, tiles: NDArray[np.uint8], target: int, rng: Rng, run: Run) -> tuple[Point, int]:
        """Grow rooms from the middle. Returns the start and the number of rooms."""
        height, width = tiles.shape
        start = (width - 1) // 2, (height - 1) // 2
        tiles[start[1], start[0]] = ROOM
        queue = self.method == "isaac"
        crowded = np.array([0, *map(threshold, (1, 1, 1) if queue else self.crowded)], np.uint64)
        hope = np.ascontiguousarray(np.minimum.accumulate(crowded[::-1])[::-1])
        rooms = np.empty(tiles.size, np.int32)
        rooms[0] = start[1] * width + start[0]
        state = np.array([1, 0, 0, 1, 1, 0], np.int64)
        again = not queue or target > self.reseed
        chances = buffer(crowded), buffer(hope), rng.state
        args = (
            buffer(state),
            flat_buffer(tiles),
            buffer(rooms),
            *chances,
            width,
            height,
            target,
            threshold(self.refuse),
            queue,
            again,
        )
        left = max(MAX_FAILED_WORK, 1000 * tiles.size)

        def bite(fuel: int) -> int:
            nonlocal left
            used = int(grids.grow_rooms(*args, min(fuel, left)))
            left -= used
            return used

        run.drive(bite)
        return start, int(state[0])

    def _walk(self, tiles: NDArray[np.uint8], target: int, rng: Rng, run: Run) -> tuple[Point, int]:
        """Build rooms along a random walk. Returns the start and the number of rooms."""
        height, width = tiles.shape
        x, y = rng.below(width), rng.below(height)
        tiles[y, x] = ROOM
        # enough steps to fill the grid, in one or two dimensions, if that is possible at all
        enough = tiles.size * (1000 + 8 * max(width, height))
        state = np.array([1, x, y, x, y, enough], np.int64)
        args = buffer(state), flat_buffer(tiles), rng.state, width, height, target, BORDERS.index(self.border)
        run.drive(lambda fuel: int(grids.build_by_walk(*args, fuel)))
        return (x, y), int(state[0])

    def _judge(self, tiles: NDArray[np.uint8], start: Point, count: int, target: int, run: Run) -> GridAttempt:
        """Choose the end, and find the clauses that do not hold."""
        rooms = tiles > 0
        field = reach.DistanceField(rooms, [start], run)
        assert field.farthest is not None
        end, steps = field.farthest, field.steps_to(*field.farthest)
        # with isaac, all farthest rooms are dead ends: the last one found is the end
        if self.method != "isaac":
            ys, xs = np.nonzero(field.steps == steps)
            far = list(zip(xs.tolist(), ys.tolist(), strict=True))
            end = next((cell for cell in far if _count_exits(rooms, cell) == 1), far[0])
        held = {
            "count": count == target,
            "connected": field.reached == count,
            "distinct": end != start,
            "apart": steps > 1,
            "dead end": _count_exits(rooms, end) == 1,
        }
        return GridAttempt(field, end, {clause for clause, holds in held.items() if not holds})

    def _place_secret_rooms(self, tiles: NDArray[np.uint8], rng: Rng, run: Run) -> list[int]:
        """Place secret rooms and return their cell numbers: cells that touch most rooms first, none beside another."""
        width = tiles.shape[1]
        hidden: list[int] = []
        taken: set[Point] = set()
        for cells in find_hiding_places(tiles) if self.secrets else ():
            left = len(cells)
            while left and len(hidden) < self.secrets:
                k = rng.below(left)
                y, x = divmod(int(cells[k]), width)
                left -= 1
                cells[k] = cells[left]
                if (x, y) not in taken:
                    hidden.append(y * width + x)
                    taken |= {(x, y - 1), (x - 1, y), (x + 1, y), (x, y + 1)}
        if len(hidden) < self.secrets:
            run.note(f"{self.secrets - len(hidden)} of {self.secrets} secret rooms found no place")
        tiles.flat[hidden] = ROOM
        return hidden

    def _tag_rooms(self, draft: Draft, hidden: list[int]) -> None:
        """Tag the start, the end, dead ends and secret rooms, and make the doors of secret rooms secret."""
        assert draft.regions is not None
        labels, table = draft.regions.labels, draft.links.table
        secret = labels.flat[hidden]
        table["kind"][np.isin(table["a"], secret) | np.isin(table["b"], secret)] = LINK_KINDS.index("secret")
        shown = table[table["kind"] != LINK_KINDS.index("secret")]
        degree = np.bincount(np.concatenate([shown["a"], shown["b"]]), minlength=len(draft.regions) + 1)
        tags: dict[int, tuple[str, ...]] = dict.fromkeys(np.flatnonzero(degree == 1).tolist(), ("dead end",))
        for point, words in (
            (draft.start, ("start",)),
            (draft.end, ("end", "boss") if self.method == "isaac" else ("end",)),
        ):
            assert point is not None
            label = int(labels[point[1], point[0]])
            tags[label] = (*tags.get(label, ()), *words)
        draft.regions.tags = tags | dict.fromkeys(secret.tolist(), ("secret",))


def _count_exits(rooms: NDArray[np.bool_], cell: Point) -> int:
    """The number of rooms beside a cell."""
    x, y = cell
    around = rooms[max(0, y - 1) : y + 2, x], rooms[y, max(0, x - 1) : x + 2]
    return int(around[0].sum() + around[1].sum()) - 2
