"""Explore all states of a puzzle: the spot, and what is taken and opened."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft import limits
from undercroft.analysis.solver.puzzle import PuzzleDistances
from undercroft.core.run import Run
from undercroft.errors import OutOfBudget
from undercroft.kernels import buffer
from undercroft.kernels import solve as kernel

INITIAL_STATES = 1 << 10
COUNT_SLOT, BEST_SLOT, LAST_SLOT, FULL_SLOT = 0, 2, 3, 4
"""As in the kernel."""


class ExploredStates(NamedTuple):
    """States by their distance from the first. `best` is the number of steps to the end from the first state, through
    the state `last`; -1 if no path is known.
    """

    ways: PuzzleDistances
    keys: NDArray[np.int64]
    far: NDArray[np.int64]
    parent: NDArray[np.int32]
    table: NDArray[np.int32]
    best: int
    last: int

    def chain(self, state: int) -> list[int]:
        """The states on the path to one, the first included."""
        found = [state]
        while found[-1] > 0:
            found.append(int(self.parent[found[-1]]))
        return found[::-1]

    def spots(self, states: list[int]) -> list[int]:
        """The spots of these states."""
        return [int(spot) for spot in self.keys[states] % len(self.ways.puzzle.spots)]


class SpentKeyStates(NamedTuple):
    """States that differ by the locks in which a key broke."""

    parent: NDArray[np.int32]
    opened: NDArray[np.int32]
    wins: NDArray[np.bool_]
    """Whether the end is still reachable."""
    ever: list[int]
    """The spots that can be reached."""

    def chain(self, state: int) -> list[int]:
        """The spots at which keys were used up, in order."""
        found = []
        while state > 0:
            found.append(int(self.opened[state]))
            state = int(self.parent[state])
        return found[::-1]


class _GrowingArrays:
    """Arrays that grow together, up to the limit."""

    def __init__(self, spots: int, columns: dict[str, tuple[Any, int]]) -> None:
        self.size = max(INITIAL_STATES, 1 << (2 * spots).bit_length())
        self.arrays = {name: np.zeros((self.size * times,), kind) for name, (kind, times) in columns.items()}
        self._reset_table()

    def grow(self, count: int) -> None:
        if self.size * 4 > limits.SOLVER_STATES.value:
            raise OutOfBudget(
                f"gave up after {count:,} states of keys held and doors opened", fix=limits.SOLVER_STATES.raise_by
            )
        self.size *= 4
        for name, array in self.arrays.items():
            self.arrays[name] = np.concatenate([array, np.zeros(3 * len(array), array.dtype)])
        self._reset_table()
        kernel.rehash(buffer(self.arrays["keys"]), buffer(self.arrays["table"]), count)

    def _reset_table(self) -> None:
        self.arrays["table"] = np.full(2 * self.size, -1, np.int32)


def _puzzle_tables(ways: PuzzleDistances) -> tuple[Any, ...]:
    puzzle = ways.puzzle
    return tuple(buffer(table) for table in (ways.steps, ways.to_end, puzzle.takes, puzzle.first, puzzle.locks))


def explore_states(ways: PuzzleDistances, run: Run, *, whole: bool) -> ExploredStates:
    """Explore states from the first one: until the end is found or, with `whole`, all of them."""
    tables = _puzzle_tables(ways)
    room = _GrowingArrays(
        len(ways.puzzle.spots),
        {
            "keys": (np.int64, 1),
            "far": (np.int64, 1),
            "parent": (np.int32, 1),
            "table": (np.int32, 2),
            "heap": (np.int64, 2),
        },
    )
    room.arrays["keys"][0] = ways.puzzle.begin * len(ways.puzzle.spots)
    kernel.rehash(buffer(room.arrays["keys"]), buffer(room.arrays["table"]), 1)
    state = np.array([1, 1, -1, -1, 0], np.int64)

    def look(fuel: int) -> int:
        arrays = (buffer(room.arrays[name]) for name in ("keys", "far", "parent", "table", "heap"))
        return int(kernel.explore_states(buffer(state), *tables, *arrays, whole, fuel))

    _drive_kernel(run, state, room, look)
    count, arrays = int(state[COUNT_SLOT]), room.arrays
    return ExploredStates(
        ways,
        arrays["keys"][:count],
        arrays["far"][:count],
        arrays["parent"][:count],
        arrays["table"],
        best=int(state[BEST_SLOT]),
        last=int(state[LAST_SLOT]),
    )


def find_winning_states(found: ExploredStates, run: Run) -> NDArray[np.bool_]:
    """The states from which the end is reachable."""
    order = np.argsort(found.keys)[::-1].astype(np.int32)
    result = np.zeros(len(order), np.uint8)
    state = np.zeros(1, np.int64)
    args = (
        buffer(state),
        *_puzzle_tables(found.ways),
        buffer(found.keys),
        buffer(order),
        buffer(found.table),
        buffer(result),
    )
    run.drive(lambda fuel: int(kernel.mark_winning_states(*args, fuel)))
    return result.view(np.bool_)


def explore_spending(ways: PuzzleDistances, run: Run) -> SpentKeyStates:
    """All orders of using up keys; only for a puzzle without one-way doors."""
    tables, spots = _puzzle_tables(ways), len(ways.puzzle.spots)
    columns = {
        "keys": (np.int64, 1),
        "parent": (np.int32, 1),
        "opened": (np.int32, 1),
        "ends": (np.uint8, 1),
        "edges": (np.int32, 8),
        "table": (np.int32, 2),
    }
    room = _GrowingArrays(spots, columns)
    room.arrays["keys"][0] = ways.puzzle.begin
    state = np.array([1, 0, 0, 0, 0], np.int64)
    reached, thereafter, ever = (np.zeros(spots, np.uint8) for _ in range(3))

    def look(fuel: int) -> int:
        arrays = room.arrays
        first = (buffer(arrays[name]) for name in ("keys", "parent", "opened", "ends"))
        last = (buffer(array) for array in (arrays["edges"].reshape(-1, 2), arrays["table"], reached, thereafter, ever))
        return int(kernel.explore_spending(buffer(state), *tables, *first, *last, fuel))

    _drive_kernel(run, state, room, look)
    count = int(state[COUNT_SLOT])
    result = room.arrays["ends"][:count].view(np.bool_).copy()
    edges = room.arrays["edges"].reshape(-1, 2)[: int(state[BEST_SLOT])]
    while True:  # one round for each key that can break in a row
        before = np.count_nonzero(result)
        result[edges[result[edges[:, 1]], 0]] = True
        if np.count_nonzero(result) == before:
            break
    return SpentKeyStates(
        room.arrays["parent"][:count], room.arrays["opened"][:count], result, np.flatnonzero(ever).tolist()
    )


def _drive_kernel(run: Run, state: NDArray[np.int64], room: _GrowingArrays, look: Any) -> None:
    """Run a kernel to its end, with larger arrays whenever it needs them."""

    def bite(fuel: int) -> int:
        used = int(look(fuel))
        while state[FULL_SLOT] and used < fuel:
            room.grow(int(state[COUNT_SLOT]))
            used += int(look(fuel - used))
        return used

    run.drive(bite)
