"""What is connected to what, and how far it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from undercroft.core.run import Run
from undercroft.kernels import buffer, flat, reach

Cells = NDArray[np.int32]


def labels(kinds: NDArray[np.uint8], *, eight: bool = False, run: Run | None = None) -> tuple[NDArray[np.int32], int]:
    """Number the connected sets of cells of equal, non-zero kind, in reading order of their first cells; and how many there are.

    >>> labels(np.array([[1, 0, 2], [1, 1, 2]], np.uint8))[0].tolist()
    [[1, 0, 2], [1, 1, 2]]

    Cost: two passes over the cells.
    """
    height, width = kinds.shape
    found = np.empty((height, width), np.int32)
    parent = np.empty(kinds.size + 1, np.int32)
    state = np.zeros(5, np.int64)
    args = buffer(state), flat(kinds), flat(found), buffer(parent), width, height, eight
    (run or Run()).drive(lambda fuel: int(reach.label(*args, fuel)))
    return found, int(state[3])


def boxes(labelled: NDArray[np.int32], kinds: NDArray[np.uint8], count: int, run: Run | None = None) -> NDArray[np.int32]:
    """For each label a row: least x, least y, greatest x, greatest y, area, kind."""
    height, width = labelled.shape
    table = np.empty((count, 6), np.int32)
    table[:] = (width, height, -1, -1, 0, 0)
    if count:
        args = flat(labelled), flat(kinds), buffer(table), width
        by_rows(run, height, width, lambda first, last: int(reach.boxes(*args, first, last)))
    return table


def by_rows(run: Run | None, height: int, width: int, work: Callable[[int, int], int]) -> None:
    """Do a kernel that takes a range of rows, some rows at a time, and account for it."""
    run = run or Run()
    bite = max(1, (1 << 20) // max(1, width))
    for first in range(0, height, bite):
        run.spend(work(first, min(height, first + bite)))


def found_rows(columns: int, fill: Callable[[NDArray[np.int32]], int], guess: int = 256) -> NDArray[np.int32]:
    """The rows a kernel finds: again with more room if the guess was too small."""
    room = np.empty((guess, columns), np.int32)
    count = fill(room)
    if count > guess:
        room = np.empty((count, columns), np.int32)
        fill(room)
    return room[:count]


class Field:
    """Distances in steps over a map, inside a rim that spares the kernel every check of the border."""

    __slots__ = ("_rimmed", "_stride", "farthest", "reached")

    def __init__(self, open_cells: NDArray[np.bool_], sources: Iterable[tuple[int, int]], run: Run | None = None) -> None:
        height, width = open_cells.shape
        stride = width + 1
        rimmed = np.empty((height + 2, stride), np.int32)
        rimmed[0], rimmed[-1], rimmed[:, 0] = -2, -2, -2
        np.subtract(open_cells, 2, out=rimmed[1:-1, 1:], dtype=np.int32)
        row = rimmed.reshape(-1)
        queue = np.empty(max(1, open_cells.size), np.int32)
        tail = 0
        for x, y in sources:
            cell = (y + 1) * stride + x + 1
            if row[cell] == -1:
                row[cell] = 0
                queue[tail] = cell
                tail += 1
        state = np.array([0, tail, tail, 0], np.int64)
        args = buffer(state), flat(rimmed), buffer(queue), stride
        (run or Run()).drive(lambda fuel: int(reach.spread(*args, fuel)))
        self._rimmed, self._stride = rimmed, stride
        self.reached = int(state[1])
        """How many cells can be reached."""
        self.farthest = self._point(int(queue[self.reached - 1])) if self.reached else None
        """A cell none is farther than: the last one found."""

    def _point(self, cell: int) -> tuple[int, int]:
        y, x = divmod(cell, self._stride)
        return x - 1, y - 1

    @property
    def steps(self) -> NDArray[np.int32]:
        """Distances as [y, x]; negative where nothing leads."""
        return self._rimmed[1:-1, 1:]

    def at(self, x: int, y: int) -> int:
        """Steps to a cell; negative if there is no way."""
        return int(self._rimmed[y + 1, x + 1])

    def way(self, x: int, y: int) -> Cells:
        """A shortest way from the nearest source to a cell, as rows (x, y); no rows if there is none."""
        length = self.at(x, y)
        if length < 0:
            return np.zeros((0, 2), np.int32)
        cells = np.empty(length + 1, np.int32)
        reach.trace(flat(self._rimmed), buffer(cells), (y + 1) * self._stride + x + 1, self._stride)
        way = np.empty((length + 1, 2), np.int32)
        np.remainder(cells[::-1], self._stride, out=way[:, 0])
        np.floor_divide(cells[::-1], self._stride, out=way[:, 1])
        way -= 1
        return way


def distances(open_cells: NDArray[np.bool_], sources: Iterable[tuple[int, int]], run: Run | None = None) -> NDArray[np.int32]:
    """Steps from the nearest source to every cell, going up, down, left and right; negative where nothing leads.

    >>> distances(np.array([[True, True, False, True]]), [(0, 0)]).tolist()
    [[0, 1, -2, -1]]
    """
    return Field(open_cells, sources, run).steps
