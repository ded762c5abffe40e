"""Connected components, floods and distances."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.core.palette import look_up_tiles
from undercroft.core.run import FUEL_PER_CALL, Run
from undercroft.kernels import buffer, flat_buffer, reach

Cells = NDArray[np.int32]
Point = tuple[int, int]


def label_components(
    kinds: NDArray[np.uint8], *, eight: bool = False, run: Run | None = None
) -> tuple[NDArray[np.int32], int]:
    """Label the connected sets of cells of equal, non-zero kind in reading order of their first cells. Returns the
    labels and their count.

    >>> label_components(np.array([[1, 0, 2], [1, 1, 2]], np.uint8))[0].tolist()
    [[1, 0, 2], [1, 1, 2]]

    Cost: two passes over the cells.
    """
    height, width = kinds.shape
    found = np.empty((height, width), np.int32)
    parent = np.empty(kinds.size + 1, np.int32)
    state = np.zeros(5, np.int64)
    args = buffer(state), flat_buffer(kinds), flat_buffer(found), buffer(parent), width, height, eight
    (run or Run()).drive(lambda fuel: int(reach.label_components(*args, fuel)))
    return found, int(state[3])


def find_label_boxes(
    labelled: NDArray[np.int32], kinds: NDArray[np.uint8], count: int, run: Run | None = None
) -> NDArray[np.int32]:
    """For each label a row: least x, least y, greatest x, greatest y, area, kind."""
    height, width = labelled.shape
    table = np.empty((count, 6), np.int32)
    table[:] = (width, height, -1, -1, 0, 0)
    if count:
        args = flat_buffer(labelled), flat_buffer(kinds), buffer(table), width
        run_by_rows(run, height, width, lambda first, last: int(reach.measure_boxes(*args, first, last)))
    return table


def bounding_box(cells: NDArray[np.bool_]) -> tuple[int, int, int, int]:
    """The least x and y and the greatest x and y of the cells; there must be at least one.

    >>> bounding_box(np.array([[False, False, False], [False, True, True]]))
    (1, 1, 2, 1)
    """
    width = cells.shape[1]
    whole, columns = cells.tobytes(), np.logical_or.reduce(cells, axis=0).tobytes()
    return columns.index(1), whole.index(1) // width, columns.rindex(1), whole.rindex(1) // width


def run_by_rows(run: Run | None, height: int, width: int, work: Callable[[int, int], int]) -> None:
    """Run a kernel on a range of rows at a time, and count its work."""
    run = run or Run()
    bite = max(1, (1 << 20) // max(1, width))
    for first in range(0, height, bite):
        run.spend(work(first, min(height, first + bite)))


def collect_rows(columns: int, fill: Callable[[NDArray[np.int32]], int], guess: int = 256) -> NDArray[np.int32]:
    """The rows that a kernel finds; it runs again with a larger array if the guess was too small."""
    room = np.empty((guess, columns), np.int32)
    count = fill(room)
    if count > guess:
        room = np.empty((count, columns), np.int32)
        fill(room)
    return room[:count]


INITIAL_QUEUE_CELLS = 1 << 12
"""The first capacity of a search's queue, in cells. Few maps have more cells at the same distance."""


def run_search(
    look: Callable[..., int], field: NDArray[Any], sources: Sequence[int], run: Run | None
) -> tuple[int, int, int]:
    """Run a search kernel from some cells of a field with a rim. Returns the number of cells found, the last of them
    and its distance; (0, -1, 0) if none is found.
    """
    if not sources:
        return 0, -1, 0
    begun = len(sources)
    queue = np.empty(max(INITIAL_QUEUE_CELLS, 2 * begun), np.int32)
    queue[:begun] = sources
    state = np.array([0, begun, begun, 0, begun], np.int64)
    place, cells, stride = buffer(state), flat_buffer(field), field.shape[1]

    def bite(fuel: int) -> int:
        nonlocal queue
        used = look(place, cells, buffer(queue), stride, fuel)
        # the queue is full: move the waiting cells to the start of a longer one
        while used < fuel and state[0] < state[1]:
            head, tail = int(state[0]), int(state[1])
            longer = np.empty(4 * len(queue), np.int32)
            longer[: tail - head] = queue[head:tail]
            queue = longer
            state[:3] -= head
            used += look(place, cells, buffer(queue), stride, fuel - used)
        return used

    (run or Run()).drive(bite)
    _, tail, _, far, found = state.tolist()
    return found, int(queue[tail - 1]), far


class DistanceField:
    """Distances in steps over a map. A rim around the map saves the kernel every border check."""

    __slots__ = ("_rimmed", "_stride", "farthest", "reached")

    def __init__(
        self, open_cells: NDArray[np.bool_], sources: Iterable[tuple[int, int]], run: Run | None = None
    ) -> None:
        height, width = open_cells.shape
        stride = width + 1
        rimmed = np.empty((height + 2, stride), np.int32)
        rimmed[0], rimmed[-1], rimmed[:, 0] = -2, -2, -2
        np.subtract(open_cells, 2, out=rimmed[1:-1, 1:], dtype=np.int32)
        begun = []
        for x, y in sources:
            if rimmed[y + 1, x + 1] == -1:
                rimmed[y + 1, x + 1] = 0
                begun.append((y + 1) * stride + x + 1)
        self._rimmed, self._stride = rimmed, stride
        self.reached, last, _ = run_search(reach.spread_distances, rimmed, begun, run)
        """The number of reachable cells."""
        self.farthest = point_without_rim(last, stride) if self.reached else None
        """A cell at the greatest distance: the last one found."""

    @property
    def steps(self) -> NDArray[np.int32]:
        """Distances as [y, x]; negative for unreachable cells."""
        return self._rimmed[1:-1, 1:]

    def steps_to(self, x: int, y: int) -> int:
        """Steps to a cell; negative if it is unreachable."""
        return int(self._rimmed[y + 1, x + 1])

    def path_to(self, x: int, y: int) -> Cells:
        """A shortest path from the nearest source to a cell, as rows (x, y); no rows if there is none."""
        length = self.steps_to(x, y)
        if length < 0:
            return np.zeros((0, 2), np.int32)
        cells = np.empty(length + 1, np.int32)
        reach.trace_path(flat_buffer(self._rimmed), buffer(cells), (y + 1) * self._stride + x + 1, self._stride)
        way = np.empty((length + 1, 2), np.int32)
        np.remainder(cells[::-1], self._stride, out=way[:, 0])
        np.floor_divide(cells[::-1], self._stride, out=way[:, 1])
        way -= 1
        return way


class Flood:
    """The search of a `DistanceField` from one open cell, with one byte for each cell. It knows only the distance of
    the last cell found, and takes half the time.

    >>> flood = Flood(np.array([[True, True, False, True]]), (0, 0))
    >>> flood.reached, flood.farthest, flood.path_to_farthest().tolist()
    (2, (1, 0), [[0, 0], [1, 0]])
    """

    __slots__ = ("_rimmed", "_source", "farthest", "reached", "steps")

    def __init__(self, open_cells: NDArray[np.bool_], source: Point, run: Run | None = None) -> None:
        height, width = open_cells.shape
        self._rimmed = np.zeros((height + 2, width + 1), np.uint8)
        self._rimmed[1:-1, 1:] = open_cells
        x, y = source
        self._rimmed[y + 1, x + 1] = 0
        self._source = (y + 1) * (width + 1) + x + 1
        self.reached, last, self.steps = run_search(reach.flood_distances, self._rimmed, [self._source], run)
        self.farthest = point_without_rim(last, width + 1)

    def path_to_farthest(self) -> Cells:
        """The path to the last cell found, the same as that of a `DistanceField`."""
        way = np.empty((self.steps + 1, 2), np.int32)
        reach.trace_flooded_path(flat_buffer(self._rimmed), buffer(way), *self.farthest, self._rimmed.shape[1])
        return way

    def path_to(self, x: int, y: int) -> Cells:
        """The path to a cell, the same as that of a `DistanceField`; no rows if it was not reached.

        >>> Flood(np.array([[True, True, True]]), (0, 0)).path_to(1, 0).tolist()
        [[0, 0], [1, 0]]
        """
        if self._rimmed[y + 1, x + 1] < _LEAST_FLOOD_MARK:
            return np.zeros((0, 2), np.int32)
        way = np.empty((self.steps + 1, 2), np.int32)
        rows = reach.trace_path_over_flood(
            flat_buffer(self._rimmed), buffer(way), x, y, self._source, self._rimmed.shape[1]
        )
        return way[len(way) - rows :].copy()


_LEAST_FLOOD_MARK = 8
"""A cell of a flooded field has at least this value once it was visited."""


def point_without_rim(cell: int, stride: int) -> Point:
    """The x and y of a cell, given its index in a field with a rim."""
    y, x = divmod(cell, stride)
    return x - 1, y - 1


class FloodSummary(NamedTuple):
    """The result of a flood from the first open cell of a map."""

    shape: tuple[int, ...]
    tiles: bytes
    table: bytes
    """The flooded map, and which of its tiles are open."""
    cells: NDArray[np.bool_]
    """Which cells are open, read-only."""
    open: int
    """The number of open cells."""
    reached: int
    last: Point | None
    """A cell at the greatest distance from the first; None if no cell is open."""
    across: tuple[Point, int] | None = None
    """A cell at the greatest distance from `last`, and that distance, once it was searched for."""

    @property
    def is_connected(self) -> bool:
        """Whether all open cells are connected; True if there are none."""
        return self.reached == self.open


def flood_map(
    tiles: NDArray[np.uint8], opens: NDArray[np.bool_], run: Run, cells: NDArray[np.bool_] | None = None
) -> FloodSummary:
    """Flood a map from its first open cell. The run caches the result, because steps and requirements ask about the
    same map in turn.

    `opens` is a table of the open tiles. A caller that already knows the open cells passes `cells`, and must not change
    them afterwards.

    >>> run = Run()
    >>> found = flood_map(np.array([[0, 1, 1, 0, 1]], np.uint8), np.arange(256) == 1, run)
    >>> found.open, found.reached, found.is_connected, found.last
    (3, 2, False, (2, 0))
    """
    given, table = tiles.tobytes(), opens.tobytes()
    kept = run.swept
    if isinstance(kept, FloodSummary) and (kept.shape, kept.tiles, kept.table) == (tiles.shape, given, table):
        return kept
    cells = look_up_tiles(opens, tiles) if cells is None else cells
    count = int(np.count_nonzero(cells))
    reached, last = 0, None
    if count:
        y, x = divmod(int(cells.argmax()), tiles.shape[1])
        flood = Flood(cells, (x, y), run)
        reached, last = flood.reached, flood.farthest
    run.swept = found = FloodSummary(tiles.shape, given, table, cells, count, reached, last)
    return found


def flood_back(found: FloodSummary, run: Run) -> Flood:
    """Flood the same map from the cell farthest from its first one. The run caches the distance."""
    assert found.last is not None
    flood = Flood(found.cells, found.last, run)
    run.swept = found._replace(across=(flood.farthest, flood.steps))
    return flood


def find_far_ends(tiles: NDArray[np.uint8], opens: NDArray[np.bool_], run: Run) -> tuple[FloodSummary, Cells | None]:
    """The flood of a map and the flood back, and the path between the two cells that they find last; None if no cell
    is open.

    >>> found, path = find_far_ends(np.array([[0, 1, 1, 0, 1]], np.uint8), np.arange(256) == 1, Run())
    >>> found.last, found.across, path.tolist()
    ((2, 0), ((1, 0), 1), [[2, 0], [1, 0]])
    """
    if tiles.size <= FUEL_PER_CALL and run.watcher is None and not isinstance(run.swept, FloodSummary):
        return _find_far_ends_at_once(tiles, opens, run)
    found = flood_map(tiles, opens, run)
    if found.last is None:
        return found, None
    flood = flood_back(found, run)
    return found._replace(across=(flood.farthest, flood.steps)), flood.path_to_farthest()


def _find_far_ends_at_once(
    tiles: NDArray[np.uint8], opens: NDArray[np.bool_], run: Run
) -> tuple[FloodSummary, Cells | None]:
    """The same for a map that a kernel floods in one call."""
    height, width = tiles.shape
    stride = width + 1
    cells, field = np.empty(tiles.shape, np.uint8), np.empty((height + 2) * stride, np.uint8)
    queue, sums = np.empty(tiles.size + 4, np.int32), np.empty(7, np.int64)
    grids = flat_buffer(tiles), buffer(opens.view(np.uint8)), flat_buffer(cells), buffer(field)
    reach.flood_both_ways(*grids, buffer(queue), buffer(sums), width, height)
    cells.setflags(write=False)
    count, reached, last, _, back, farthest, steps = sums.tolist()
    given = tiles.tobytes(), opens.tobytes()
    if not count:
        run.swept = found = FloodSummary(tiles.shape, *given, cells.view(bool), 0, 0, None)
        return found, None
    run.spend(reached)
    run.spend(back)
    start, end = point_without_rim(last, stride), point_without_rim(farthest, stride)
    run.swept = found = FloodSummary(tiles.shape, *given, cells.view(bool), count, reached, start, (end, steps))
    way = np.empty((steps + 1, 2), np.int32)
    reach.trace_flooded_path(buffer(field), buffer(way), *end, stride)
    return found, way


class ComponentCount(NamedTuple):
    """The number of connected sets of open cells of a map, where somebody found it without a flood."""

    tiles: NDArray[np.uint8]
    table: bytes
    """A copy of the map, and which of its tiles are open."""
    components: int


def remember_components(tiles: NDArray[np.uint8], opens: NDArray[np.bool_], count: int, run: Run) -> None:
    """Let the run keep the number of components of a map, for `recall_components` of the same map."""
    run.swept = ComponentCount(tiles.copy(), opens.tobytes(), count)


def recall_components(tiles: NDArray[np.uint8], opens: NDArray[np.bool_], run: Run) -> int | None:
    """The number of components of a map, if the run remembers it; else None.

    >>> run, tiles, opens = Run(), np.array([[0, 1, 1, 0, 1]], np.uint8), np.arange(256) == 1
    >>> remember_components(tiles, opens, 2, run)
    >>> recall_components(tiles, opens, run), recall_components(tiles[:, :4], opens, run)
    (2, None)
    """
    kept = run.swept
    if not isinstance(kept, ComponentCount) or kept.table != opens.tobytes() or not _are_equal(kept.tiles, tiles):
        return None
    return kept.components


def _are_equal(a: NDArray[np.uint8], b: NDArray[np.uint8]) -> bool:
    """Whether two maps are the same: the rows of a large one in parts that fit the cache."""
    rows = 1 + FUEL_PER_CALL // a.shape[1]
    return a.shape == b.shape and all(
        a[y : y + rows].tobytes() == b[y : y + rows].tobytes() for y in range(0, len(a), rows)
    )


def count_components(tiles: NDArray[np.uint8], opens: NDArray[np.bool_], run: Run) -> int:
    """The number of connected sets of open cells. Cost: one search if there is one set, which is the common case; else
    two more passes.
    """
    found = flood_map(tiles, opens, run)
    return min(found.open, 1) if found.is_connected else label_components(found.cells.view(np.uint8), run=run)[1]


def distances(
    open_cells: NDArray[np.bool_], sources: Iterable[tuple[int, int]], run: Run | None = None
) -> NDArray[np.int32]:
    """Steps from the nearest source to every cell, moving up, down, left and right; negative for unreachable cells.

    >>> distances(np.array([[True, True, False, True]]), [(0, 0)]).tolist()
    [[0, 1, -2, -1]]
    """
    return DistanceField(open_cells, sources, run).steps
