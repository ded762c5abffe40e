"""The step that fills the map with a maze, by one of five known methods."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from undercroft.analysis.reach import run_by_rows
from undercroft.core.draft import Draft
from undercroft.core.rng import Rng, threshold
from undercroft.core.run import Run
from undercroft.errors import BadInput
from undercroft.kernels import buffer, flat_buffer, labyrinth
from undercroft.steps.step import Share, all_facts_but

Weight = Annotated[int, Meta(ge=0, le=1_000_000)]
EAST, SOUTH, PART, RIM = 1, 2, 4, 8
"""Bits of a plot: open to the east, open to the south, part of the maze, outside it."""


@dataclass(frozen=True, kw_only=True)
class Labyrinth:
    """Make a maze over the whole map: exactly one way leads from every cell to every other, unless you ask for loops.

    >>> draft = Draft(21, 7)
    >>> Labyrinth(method="wilson").apply(draft, Rng.root(1).stream("labyrinth"), Run())
    >>> print(draft)
    #####################
    #,,,#,,,,,,,#,,,,,#,#
    #,###,#######,#,###,#
    #,,,,,,,,,,,,,#,,,#,#
    ###,#####,#,###,#,#,#
    #,,,,,,,#,#,#,,,#,,,#
    #####################
    """

    method: Literal["growing", "kruskal", "wilson", "eller", "division"] = "growing"
    """growing: a growing tree; kruskal: walls removed in random order; wilson: loop-erased random walks, which make
    every maze equally likely; eller: row by row; division: walls with one gap each.
    """
    newest: Weight = 1
    """For a growing tree: the weight of growing from the newest cell (long, winding passages), relative to the other
    two.
    """
    random: Weight = 0
    """The weight of growing from a random cell that still has room (short dead ends)."""
    oldest: Weight = 0
    """The weight of growing from the oldest cell (straight passages that run out from the first cell)."""
    winding: Share = 1.0
    """For a growing tree: the chance that a passage turns where it could go straight on."""
    loops: Share = 0.0
    """The share of dead ends that get a second exit."""
    passage: Annotated[int, Meta(ge=1, le=1000)] = 1
    """The width of a passage, in tiles. Walls are one tile thick; the rest at the sides of the map is rock."""

    edition: ClassVar[int] = 1
    needs: ClassVar[tuple[str, ...]] = ()
    gives: ClassVar[tuple[str, ...]] = ("tiles",)
    spoils: ClassVar[tuple[str, ...]] = all_facts_but(*gives)

    def check(self, width: int, height: int) -> None:
        """Refuse a map without room for one cell, and a growing tree without a weight above 0."""
        least = self.passage + 2
        if min(width, height) < least:
            raise BadInput(
                f"a maze of passages {self.passage} wide needs a map of at least {least}x{least}, not {width}x{height}",
                fix=f"ask for {max(width, least)}x{max(height, least)}",
            )
        if self.method == "growing" and not self.newest + self.random + self.oldest:
            raise BadInput(
                "a growing tree needs a weight above 0 for newest, random or oldest", fix="for example newest=1"
            )

    def apply(self, draft: Draft, rng: Rng, run: Run) -> None:
        self.check(draft.width, draft.height)
        pitch = self.passage + 1
        columns, rows = (draft.width - 1) // pitch, (draft.height - 1) // pitch
        plots = np.full((rows + 2, columns + 2), RIM, np.uint8)
        plots[1:-1, 1:-1] = 0
        wall, floor = draft.palette.role("wall"), draft.palette.role("corridor")
        draft.tiles[:] = wall
        left, top = (draft.width - columns * pitch - 1) // 2 + 1, (draft.height - rows * pitch - 1) // 2 + 1
        picture = (
            flat_buffer(plots),
            flat_buffer(draft.tiles),
            draft.width,
            columns,
            left,
            top,
            self.passage,
            wall,
            floor,
        )
        bite = METHODS[self.method](self, plots, rng)

        def bite_and_draw(fuel: int) -> int:
            """Run one bite and draw the maze so far."""
            used = bite(fuel)
            labyrinth.paint_tiles(*picture, 0, rows)
            return used

        run.spend(draft.tiles.size)
        run.drive(bite if run.watcher is None else bite_and_draw)
        if self.loops:
            chance = threshold(self.loops)
            run_by_rows(
                run,
                rows,
                columns,
                lambda first, last: int(labyrinth.braid(flat_buffer(plots), rng.state, columns, chance, first, last)),
            )
        run_by_rows(
            run, rows, columns * pitch * pitch, lambda first, last: int(labyrinth.paint_tiles(*picture, first, last))
        )


Plots = NDArray[np.uint8]
Bite = Callable[[int], int]


def growing_tree(maze: Labyrinth, plots: Plots, rng: Rng) -> Bite:
    """Grow a tree from one cell, by the weights of newest, random and oldest cell."""
    rows, columns = plots.shape[0] - 2, plots.shape[1] - 2
    active = np.empty(rows * columns, np.uint32)
    y, x = rng.between(1, rows), rng.between(1, columns)
    plots[y, x] = PART
    first, last = y * plots.shape[1] + x, rng.below(4)
    if maze.newest and not maze.random and not maze.oldest and maze.winding == 1.0:
        active[0] = first
        way = buffer(np.ones(1, np.int64)), flat_buffer(plots), buffer(active), rng.state, plots.shape[1]
        return lambda fuel: int(labyrinth.backtrack(*way, fuel))
    active[0] = first * 4 + last
    state = np.array([0, 1, 1], np.int64)
    weights = maze.newest, maze.random, maze.oldest
    args = (
        buffer(state),
        flat_buffer(plots),
        buffer(active),
        rng.state,
        plots.shape[1],
        *weights,
        threshold(maze.winding),
    )
    return lambda fuel: int(labyrinth.grow_tree(*args, fuel))


def kruskal(maze: Labyrinth, plots: Plots, rng: Rng) -> Bite:  # noqa: ARG001
    """Kruskal's algorithm: remove walls in random order, each if it separates two parts."""
    rows, columns = plots.shape[0] - 2, plots.shape[1] - 2
    sides = np.empty(2 * rows * columns - rows - columns, np.int32)
    labyrinth.list_walls(buffer(sides), columns, rows)
    plots[1:-1, 1:-1] = PART
    parent = np.arange(plots.size, dtype=np.int32)
    state = np.array([0, rows * columns - 1], np.int64)
    args = buffer(state), flat_buffer(plots), buffer(sides), buffer(parent), rng.state, plots.shape[1]
    return lambda fuel: int(labyrinth.kruskal(*args, fuel))


def wilson(maze: Labyrinth, plots: Plots, rng: Rng) -> Bite:  # noqa: ARG001
    """Wilson's algorithm: loop-erased random walks. The maze starts with the middle cell, which walks reach soonest."""
    plots[plots.shape[0] // 2, plots.shape[1] // 2] = PART
    way = np.empty(plots.size, np.uint8)
    state = np.zeros(5, np.int64)
    args = buffer(state), flat_buffer(plots), buffer(way), rng.state, plots.shape[1]
    return lambda fuel: int(labyrinth.wilson(*args, fuel))


def eller(maze: Labyrinth, plots: Plots, rng: Rng) -> Bite:  # noqa: ARG001
    """Eller's algorithm: row by row, with the memory of one row."""
    rows, columns = plots.shape[0] - 2, plots.shape[1] - 2
    before, after = (np.arange(columns + 1, dtype=np.int32) for _ in range(2))
    state = np.zeros(1, np.int64)
    args = buffer(state), flat_buffer(plots), buffer(before), buffer(after), rng.state, columns, rows
    return lambda fuel: int(labyrinth.eller(*args, fuel))


def recursive_division(maze: Labyrinth, plots: Plots, rng: Rng) -> Bite:  # noqa: ARG001
    """Recursive division: split chambers by walls with one gap."""
    rows, columns = plots.shape[0] - 2, plots.shape[1] - 2
    plots[1:-1, 1:-1] = EAST | SOUTH | PART
    plots[1:-1, -2] &= 255 - EAST
    plots[-2, 1:-1] &= 255 - SOUTH
    chambers = np.zeros((2 * plots.size.bit_length() + 2, 4), np.int32)
    chambers[0] = 0, 0, columns, rows
    state = np.ones(1, np.int64)
    args = buffer(state), flat_buffer(plots), buffer(chambers), rng.state, plots.shape[1]
    return lambda fuel: int(labyrinth.divide(*args, fuel))


METHODS: Mapping[str, Callable[[Labyrinth, Plots, Rng], Bite]] = {
    "growing": growing_tree,
    "kruskal": kruskal,
    "wilson": wilson,
    "eller": eller,
    "division": recursive_division,
}
