"""Run a program on tiles."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from undercroft.core.rng import Rng
from undercroft.core.run import Run
from undercroft.errors import OutOfBudget
from undercroft.kernels import buffer
from undercroft.kernels import engine as kernel
from undercroft.rewrite.program import Program
from undercroft.rewrite.tables import BITS, BYTES, FIRST, LIST, ONCE, OTHER, RIM, ROOM, STATE_PLACES, Tables, tables

NOW, TURNS, MOST_TURNS, NEED, REWRITES, EVENTS, LOG_CELLS, LOG_ACTIONS, NEWEST, WORST_TURN, FULL = 0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11
COUNT = 8


class Engine:
    """A program at work on a map. `run` goes on until the program ends, or for some turns."""

    def __init__(self, program: Program, tiles: NDArray[np.uint8], rng: Rng, *, remember: bool = False) -> None:
        height, width = tiles.shape
        self.program, self.rng, self.tiles = program, rng, tiles
        self.tables: Tables = tables(program, width, height, _census(tiles))
        made = self.tables
        wide, high = made.rim
        stride = int(made.shape[2])
        cells = (height + 2 * high) * stride + wide
        self.grid = np.full(cells, RIM, np.uint8)
        self.inside = self.grid[: cells - wide].reshape(-1, stride)[high : high + height, :width]
        """The map within the rim."""
        np.take(made.classes.of_code, tiles, out=self.inside) if made.classes.renamed else np.copyto(self.inside, tiles)
        self.state = np.zeros(STATE_PLACES, np.int64)
        self.state[LOG_CELLS], self.state[LOG_ACTIONS], self.state[NEWEST], self.state[WORST_TURN] = made.log_cells, made.log_actions, -1, made.worst
        room, bits = 0, 0
        for leaf in made.leaves:
            entry = made.nodes[leaf]
            entry[LIST], entry[ROOM], entry[BITS] = room, max(1024, 2 * int(entry[19]) + 64), bits
            room += int(entry[ROOM])
            bits += 0 if entry[ONCE] else cells * int(entry[BYTES])
        self.lists = np.empty(room, np.int64)
        self.bits = np.zeros(bits, np.uint8)
        whole = any(made.nodes[leaf, 0] != 0 for leaf in made.leaves)
        self.used = np.full(cells if whole else 1, 255, np.uint8)
        self.log = np.empty(max(1 << 12, 4 * made.worst, 2 * width * height + made.worst if whole else 0), np.int64)
        self.counts = np.zeros(len(made.rows) + 1, np.int64)
        self.events = np.empty((1 << 12 if remember else 0, 3), np.int64)

    @property
    def ended(self) -> bool:
        """Whether nothing is left to do."""
        return bool(self.state[NOW] < 0)

    @property
    def turns(self) -> int:
        """Turns taken so far, the closing ones of branches included."""
        return int(self.state[TURNS])

    @property
    def rewrites(self) -> int:
        """How often a rule was applied."""
        return int(self.state[REWRITES])

    def run(self, run: Run, turns: int = 0) -> None:
        """Go on: to the end, or until `turns` in all have been taken."""
        self.state[MOST_TURNS] = turns
        try:
            while True:
                self.state[NEED] = self.state[FULL] = 0
                run.drive(self._bite if run.watcher is None else self._shown_bite)
                if self.state[NEED]:
                    self._grow(int(self.state[NEED]) - 1)
                elif self.state[FULL]:
                    self.events = np.concatenate((self.events, np.empty((len(self.events) + int(self.state[FULL]), 3), np.int64)))
                else:
                    break
        except OutOfBudget as error:
            leaf = self.program.root.name or self.program.name
            error.problem = f"{error.problem}; the rules were still at work ({leaf}, {self.rewrites:,} rewrites)"
            raise
        finally:
            self.write()

    def _bite(self, fuel: int) -> int:
        made = self.tables
        arrays: tuple[NDArray[Any], ...] = (
            *(self.state, made.nodes, made.children, made.variants, made.rules, made.test_at, made.test_set, made.actions, made.write_at, made.write_tile),
            *(made.changes, made.spots, made.pair_at, made.pairs, self.grid, self.used, self.log, self.lists, self.bits, self.counts, self.events, made.shape),
        )
        used = int(kernel.run(*(buffer(array) for array in arrays), self.rng.state, fuel))
        if self.state[NEED] or self.state[FULL]:
            return min(used, fuel - 1)
        return used

    def _shown_bite(self, fuel: int) -> int:
        """The same, and let the tiles be seen."""
        used = self._bite(fuel)
        self.write()
        return used

    def write(self) -> None:
        """Put what the grid holds back into the tiles."""
        classes = self.tables.classes
        if not classes.renamed:
            np.copyto(self.tiles, self.inside)
            return
        codes = np.append(classes.codes, np.zeros(64, np.uint8))[self.inside]
        np.copyto(self.tiles, codes, where=self.inside != OTHER)  # a tile that no rule names stays unless it is written

    def _grow(self, node: int) -> None:
        """Give a node's list four times the room; a scan that had begun begins again."""
        nodes = self.tables.nodes
        parts: list[NDArray[np.int64]] = []
        at = 0
        for leaf in self.tables.leaves:
            entry = nodes[leaf]
            start, room = int(entry[LIST]), int(entry[ROOM])
            wider = 4 * room if leaf == node else room
            part = np.empty(wider, np.int64)
            part[:room] = self.lists[start : start + room]
            parts.append(part)
            entry[LIST], entry[ROOM] = at, wider
            at += wider
        self.lists = np.concatenate(parts)

    def happened(self) -> NDArray[np.int64]:
        """All rewrites so far, if they were to be remembered, as rows of (turn, action, x, y). Actions are numbered variant by variant, result by result."""
        rows = self.events[: int(self.state[EVENTS])]
        wide, high = self.tables.rim
        y, x = np.divmod(rows[:, 2] + wide, int(self.tables.shape[2]))
        return np.column_stack((rows[:, 0], rows[:, 1], x - wide, y - high))

    def live(self, leaf: int) -> list[tuple[int, int, int]]:
        """The matches of a leaf as (variant, x, y), in order, brought up to date: what its next turn would choose from."""
        made = self.tables
        while True:
            arrays: tuple[NDArray[Any], ...] = (
                *(self.state, made.nodes, made.variants, made.rules, made.test_at, made.test_set, made.changes, made.spots, made.pair_at, made.pairs),
                *(self.grid, self.log, self.lists, self.bits, made.shape),
            )
            if kernel.refresh(*(buffer(array) for array in arrays), leaf):
                break
            self._grow(leaf)
        entry = made.nodes[leaf]
        wide, high = made.rim
        stride = int(made.shape[2])
        found = []
        for item in self.lists[int(entry[LIST]) : int(entry[LIST] + entry[COUNT])].tolist():
            y, x = divmod((item >> 16) + wide, stride)  # + the rim, so that places left of the map stay in their row
            found.append((int(entry[FIRST]) + (item & 0xFFFF), x - wide, y - high))
        return sorted(found)


def _census(tiles: NDArray[np.uint8]) -> NDArray[np.int64]:
    """How often each tile stands on the map; on a large map, in a part of it."""
    step = max(1, min(tiles.shape) // 64)
    return np.bincount(tiles[::step, ::step].reshape(-1), minlength=256)


def apply(program: Program, tiles: NDArray[np.uint8], rng: Rng, run: Run | None = None, *, turns: int = 0) -> Engine:
    """Run a program on tiles, in place."""
    engine = Engine(program, tiles, rng)
    engine.run(run or Run(), turns)
    return engine
