"""Connected components of a map from the spans of its rows, with their boxes and contacts."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.core.run import Run
from undercroft.kernels import buffer, flat_buffer, reach

Ints = NDArray[np.int32]

NO_KIND = 256
"""No kind of cell is as great as this one."""
MAX_CELLS_FOR_ALL_ROOM = 1 << 16
"""Up to so many cells the lists get room for the worst map at once; more get some, and grow."""


class Components(NamedTuple):
    """The connected sets of cells of equal, non-zero kind, numbered from 1 in reading order of their first cells."""

    spans: Ints
    """Rows (first cell, end, provisional label) in reading order; label 0 for cells that are in no component. Those of
    the last row only, if they were not to be kept.
    """
    numbers: Ints
    """The component of each provisional label."""
    boxes: Ints
    """For each component: least x, least y, greatest x, greatest y, area, kind, first cell."""
    pairs: Ints
    """Provisional labels of different kind that touch, with repeats."""

    def find_contacts(self) -> Ints:
        """Pairs of components that touch, the smaller first, each pair once and in order."""
        return distinct_pairs(np.sort(self.numbers[self.pairs], axis=1)) if len(self.pairs) else self.pairs

    def labels(self, shape: tuple[int, ...], run: Run) -> Ints:
        """The component of each cell; 0 for none."""
        found = np.zeros(shape, np.int32)
        args = buffer(self.spans), buffer(self.numbers), flat_buffer(found)
        for first in range(0, len(self.spans), SPANS_PER_CALL):
            run.spend(int(reach.paint_labels(*args, first, min(first + SPANS_PER_CALL, len(self.spans)))))
        return found


SPANS_PER_CALL = 1 << 17
"""Spans whose cells are painted in one call."""


def find_components(
    kinds: NDArray[np.uint8], run: Run, *, unlabelled: int = NO_KIND, keep_spans: bool = True
) -> Components:
    """The components of a map of kinds. Cells of kind `unlabelled` and above are in none.

    >>> found = find_components(np.array([[1, 0, 2], [1, 1, 2]], np.uint8), Run())
    >>> found.labels((2, 3), Run()).tolist(), found.numbers[found.pairs].tolist()
    ([[1, 0, 2], [1, 1, 2]], [[1, 2]])
    >>> found.boxes.tolist()
    [[0, 0, 1, 1, 3, 1, 0], [2, 0, 2, 1, 2, 2, 2]]

    Cost: one pass over the cells, and one over their spans.
    """
    height, width = kinds.shape
    cells = kinds.size
    least = cells if cells <= MAX_CELLS_FOR_ALL_ROOM else cells // 4
    rows = width, width, width, 3 * width  # the most that a row can add
    parts = [
        np.empty(((least if keep_spans else 3 * width) + width, 3), np.int32),
        np.empty(least + width + 1, np.int32),
        np.empty((least + width, 7), np.int32),
        np.empty((least + 3 * width, 2), np.int32),
    ]
    state, bounds = np.zeros(5, np.int64), np.empty(width + 1, np.int32)
    fixed = buffer(state), flat_buffer(kinds), buffer(bounds)

    def bite(fuel: int) -> int:
        used = 0
        while True:
            used += int(
                reach.join_spans(*fixed, *(buffer(part) for part in parts), width, height, unlabelled, fuel - used)
            )
            if used >= fuel or state[0] == height:
                return used
            _, filled, above, labels, pairs = state.tolist()
            if not keep_spans:  # only the row above is needed
                parts[0][: filled - above] = parts[0][above:filled].copy()
                state[1:3] = filled - above, 0
            for at, count in enumerate((int(state[1]), labels + 1, labels, pairs)):
                parts[at] = longer(parts[at], count, rows[at])

    run.drive(bite)
    _, filled, _, labels, pairs = state.tolist()
    count = int(reach.number_components(buffer(parts[1]), buffer(parts[2]), labels))
    return Components(parts[0][:filled], parts[1][: labels + 1], parts[2][:count], parts[3][:pairs])


def longer(part: Ints, count: int, more: int) -> Ints:
    """The list with twice the room, and the same first entries; as it is if it has room for so many more."""
    if count + more <= len(part):
        return part
    larger = np.empty((2 * len(part) + more, *part.shape[1:]), np.int32)
    larger[:count] = part[:count]
    return larger


def distinct_pairs(pairs: Ints) -> Ints:
    """The different rows of a table of pairs, in order.

    >>> distinct_pairs(np.array([[2, 3], [1, 2], [2, 3]], np.int32)).tolist()
    [[1, 2], [2, 3]]
    """
    if not len(pairs):
        return pairs
    # a pair as one number: np.unique of rows takes ten times as long
    ranks = pairs[:, 0].astype(np.int64) << 32 | pairs[:, 1]
    ranks.sort()
    ranks = ranks[np.append(True, ranks[1:] != ranks[:-1])]
    return np.stack([ranks >> 32, ranks & 0xFFFFFFFF], axis=1).astype(np.int32)
