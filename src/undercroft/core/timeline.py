"""The log of every change to the tiles: state at any turn, forward and back, and who wrote a cell."""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

KEYFRAME_EVERY = 64


class Change(NamedTuple):
    """What one turn did: cells as y * width + x, with the codes before and after."""

    source: str
    cells: NDArray[np.int32]
    old: NDArray[np.uint8]
    new: NDArray[np.uint8]


class Written(NamedTuple):
    """Who wrote a cell last."""

    turn: int
    source: str
    old: int
    new: int


class Timeline:
    """A watcher that remembers. Turn 0 is the first state seen; turns that change nothing are not kept, nor attempts that failed.

    >>> import numpy as np
    >>> timeline = Timeline()
    >>> timeline("fill", np.array([[1, 1]], np.uint8)); timeline("dig", np.array([[1, 2]], np.uint8))
    >>> timeline.turns, timeline.at(0).tolist(), timeline.at(1).tolist(), timeline.writer(1, 0).source
    (2, [[1, 1]], [[1, 2]], 'dig')
    """

    def __init__(self) -> None:
        self._changes: list[Change] = []
        self._keys: dict[int, NDArray[np.uint8]] = {}
        self._key_turns: list[int] = []
        self._now: NDArray[np.uint8] | None = None

    def __call__(self, source: str, tiles: NDArray[np.uint8]) -> None:
        if source == "begin":  # a new attempt: what came before led nowhere
            self._changes.clear()
            self._keys.clear()
            self._key_turns.clear()
            self._now = None
        before = self._now
        if before is None or before.shape != tiles.shape:
            cells = np.arange(tiles.size, dtype=np.int32)
            old = np.zeros(tiles.size, np.uint8)
        else:
            cells = np.flatnonzero(before != tiles).astype(np.int32)
            if not len(cells):
                return
            old = before.reshape(-1)[cells]
        turn = len(self._changes)
        self._changes.append(Change(source, cells, old, tiles.reshape(-1)[cells]))
        if before is None or before.shape != tiles.shape or turn - self._key_turns[-1] >= KEYFRAME_EVERY:
            self._keys[turn] = tiles.copy()
            self._key_turns.append(turn)
        self._now = tiles.copy()

    @property
    def turns(self) -> int:
        """How many states there are: `at(0)` to `at(turns - 1)`."""
        return len(self._changes)

    @property
    def sources(self) -> list[str]:
        """Who made each turn."""
        return [change.source for change in self._changes]

    def change(self, turn: int) -> Change:
        """What happened in a turn."""
        return self._changes[turn]

    def at(self, turn: int) -> NDArray[np.uint8]:
        """The tiles after a turn: from the nearest whole state before it, forward."""
        if not 0 <= turn < self.turns:
            raise IndexError(f"turn {turn} of {self.turns}")
        key = self._key_turns[bisect_right(self._key_turns, turn) - 1]
        tiles = self._keys[key].copy()
        for between in range(key + 1, turn + 1):
            self.step(tiles, between)
        return tiles

    def step(self, tiles: NDArray[np.uint8], turn: int) -> None:
        """Redo a turn in place, from the state before it."""
        change = self._changes[turn]
        tiles.reshape(-1)[change.cells] = change.new

    def back(self, tiles: NDArray[np.uint8], turn: int) -> None:
        """Undo a turn in place, from the state after it."""
        change = self._changes[turn]
        tiles.reshape(-1)[change.cells] = change.old

    def writer(self, x: int, y: int, turn: int | None = None) -> Written | None:
        """Who wrote this cell last, up to a turn; None if it still stands as it began."""
        last = self.turns - 1 if turn is None else turn
        height, width = self.at(last).shape
        if not (0 <= x < width and 0 <= y < height):
            raise IndexError(f"({x}, {y}) is outside {width}x{height}")
        cell = y * width + x
        start = self._resized_before(last)
        for index in range(last, start, -1):
            change = self._changes[index]
            spot = int(np.searchsorted(change.cells, cell))
            if spot < len(change.cells) and change.cells[spot] == cell:
                return Written(index, change.source, int(change.old[spot]), int(change.new[spot]))
        return None

    def _resized_before(self, turn: int) -> int:
        """The last turn up to this one in which the map got its present size."""
        shape = self.at(turn).shape
        start = 0
        for key in self._key_turns:
            if key <= turn and self._keys[key].shape != shape:
                start = key + 1
        return next(key for key in self._key_turns if key >= start)
