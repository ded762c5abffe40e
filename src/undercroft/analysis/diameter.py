"""The longest of all shortest paths on a map: a lower bound by four searches, or the exact length."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft import limits
from undercroft.analysis import reach
from undercroft.analysis.reach import Point
from undercroft.core.run import Run
from undercroft.errors import OutOfBudget
from undercroft.kernels import buffer, flat_buffer, measures

Mask = NDArray[np.bool_]

SEARCH_COST = 1 << 11
"""The fixed cost of a search, in cells."""
OPEN_CODE = 79
LONGEST_SLOT, FULL_SLOT = 7, 9
"""As in the kernel."""


class MapParts(NamedTuple):
    """The connected parts of the open cells of a map, in reading order of their first cells."""

    cells: Mask
    labels: NDArray[np.int32] | None
    """None if there is at most one part."""
    boxes: NDArray[np.int32]
    """For each part a row: least x, least y, greatest x, greatest y, cells, 1."""
    firsts: NDArray[np.int64]
    """The index of the first cell of each part."""
    last: Point | None = None
    """A cell at the greatest distance from the first one, if it is known."""

    @property
    def max_steps(self) -> NDArray[np.int64]:
        """For each part, an upper bound of the distance between two of its cells. In a full rectangle it is the
        distance from corner to corner, and exact.
        """
        x0, y0, x1, y1, cells = self.boxes[:, :5].astype(np.int64).T
        across, down = x1 - x0, y1 - y0
        most: NDArray[np.int64] = np.where(cells == (across + 1) * (down + 1), across + down, cells - 1)
        return most


def find_parts(swept: reach.FloodSummary, run: Run) -> MapParts:
    """The parts of a map that was flooded. Cost: nothing if there is one part, else four passes over the cells."""
    cells = swept.cells
    if swept.is_connected:
        if not swept.open:
            return MapParts(cells, None, np.zeros((0, 6), np.int32), np.zeros(0, np.int64))
        whole = np.array([[*reach.bounding_box(cells), swept.open, 1]], np.int32)
        return MapParts(cells, None, whole, np.array([np.argmax(cells)], np.int64), swept.last)
    labels, count = reach.label_components(cells.view(np.uint8), run=run)
    height, width = cells.shape
    firsts = np.zeros(count + 1, np.int64)
    args = flat_buffer(labels), buffer(firsts)
    reach.run_by_rows(
        run, height, width, lambda first, last: int(measures.find_first_cells(*args, first * width, last * width))
    )
    return MapParts(cells, labels, reach.find_label_boxes(labels, cells.view(np.uint8), count, run), firsts[1:])


def diameter_lower_bound(found: MapParts, run: Run) -> int:
    """A lower bound of the longest shortest path: the longest path that four searches in each part find. It is rarely
    too short.

    >>> ring = np.array([[True, True, True], [True, False, True], [True, True, True]])
    >>> diameter_lower_bound(find_parts(reach.flood_map(ring.view(np.uint8), np.arange(256) == 1, Run()), Run()), Run())
    4
    """
    height, width = found.cells.shape
    stride = width + 1
    field = np.zeros((height + 2, stride), np.uint8)
    np.multiply(found.cells, OPEN_CODE, out=field[1:-1, 1:], dtype=np.uint8)
    rows = np.empty((len(found.firsts), 2), np.int64)
    rows[:, 0], rows[:, 1] = (found.firsts // width + 1) * stride + found.firsts % width + 1, found.max_steps
    rows = np.ascontiguousarray(rows[np.argsort(-rows[:, 1], kind="stable")])
    state = np.zeros(10, np.int64)
    if found.last is not None:  # the flood was the first search
        state[5:7] = 1, (found.last[1] + 1) * stride + found.last[0] + 1
    queue = np.empty(reach.INITIAL_QUEUE_CELLS, np.int32)
    place, cells, table = buffer(state), flat_buffer(field), buffer(rows)

    def bite(fuel: int) -> int:
        nonlocal queue
        used = int(measures.estimate_diameter(place, cells, buffer(queue), table, stride, fuel))
        while state[FULL_SLOT] and used < fuel:
            head, tail = state[:2].tolist()
            longer = np.empty(4 * len(queue), np.int32)
            longer[: tail - head] = queue[head:tail]
            queue = longer
            state[:3] -= head
            used += int(measures.estimate_diameter(place, cells, buffer(queue), table, stride, fuel - used))
        return used

    run.drive(bite)
    return int(state[LONGEST_SLOT])


def exact_diameter(found: MapParts, at_least: int, run: Run) -> int:
    """The exact length of the longest shortest path. Raises `OutOfBudget` if that takes too many searches.

    Each search bounds the greatest distance from every other cell. Cells that can no longer be an end of a longer path
    are dropped (Takes and Kosters 2011).

    Cost: ten searches for most maps of 80x50, forty for 512x512; many on uniform maps such as a ring.
    """
    best, spent = at_least, 0
    most = found.max_steps
    for part in np.argsort(-most, kind="stable").tolist():
        if most[part] <= best:
            break
        x0, y0, x1, y1 = found.boxes[part, :4].tolist()
        box = np.s_[y0 : y1 + 1, x0 : x1 + 1]
        cells = found.cells[box] if found.labels is None else found.labels[box] == part + 1
        ys, xs = np.nonzero(cells)
        low, high = np.zeros(len(xs), np.int32), np.full(len(xs), np.iinfo(np.int32).max, np.int32)
        at, searches = 0, 0
        while True:
            spent += cells.size + SEARCH_COST
            if spent > limits.DIAMETER_VISITS.value:
                raise OutOfBudget(
                    f"gave up on the diameter after {searches:,} searches over {len(xs):,} cells",
                    fix="ask for longest_path, which takes four searches",
                )
            steps = reach.DistanceField(cells, [(int(xs[at]), int(ys[at]))], run).steps[ys, xs]
            far = int(steps.max())
            best = max(best, far)
            np.maximum(low, np.maximum(steps, far - steps), out=low)
            np.minimum(high, steps + far, out=high)
            low[at] = high[at] = far
            searches += 1
            left = np.flatnonzero((high > best) & (low < high))
            if not len(left):
                break
            at = int(left[np.argmax(high[left])] if searches % 2 else left[np.argmin(low[left])])
    return best
