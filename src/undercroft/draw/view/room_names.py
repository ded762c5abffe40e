"""Place names of rooms where they fit: in one line or several, as large as possible, off doors, stairs and things."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.draw.scene.lettering import text_width
from undercroft.draw.view.level_view import LevelView, RoomLabel

PLACES_PER_CELL = 4
"""Candidate places a cell, each way."""
LEADING = 1.0
"""The line height, in letter sizes."""
NAME_MARGIN = 0.22
"""Cells around a name that stay free."""
MAX_LINES = 4
MAX_WORDS = 12
"""The maximum number of words in a name that is split into lines."""


class NameLabel(NamedTuple):
    """A name in its lines, the point that they are centred on, and the letter size in cells."""

    label: RoomLabel
    lines: tuple[str, ...]
    x: float
    y: float
    size: float

    def baselines(self) -> list[tuple[str, float]]:
        """Each line with the y of its baseline."""
        first = self.y - (len(self.lines) - 1) / 2 * LEADING * self.size + 0.3 * self.size
        return [(line, first + number * LEADING * self.size) for number, line in enumerate(self.lines)]


def place_names(
    plan: LevelView,
    face: str,
    size: float = 0.85,
    smallest: float = 0.5,
    measure: Callable[[str, float, str], float] = text_width,
) -> list[NameLabel]:
    """The names that fit, in letters between these sizes; on large maps they are larger. `measure` gives the width of a
    text of some size and face.
    """
    level = plan.level
    free, scale = plan.writable_cells, plan.label_scale
    found = []
    for label in plan.labels:
        if not label.name:
            continue
        region = level.regions[label.label - 1]
        rows, columns = np.s_[region.y : region.y + region.height], np.s_[region.x : region.x + region.width]
        cells = free[rows, columns] & (level.regions.labels[rows, columns] == label.label)
        name = _fit_name(label, cells, face, size * scale, smallest * scale, measure)
        if name is not None:
            found.append(name._replace(x=name.x + region.x, y=name.y + region.y))
    return found


def _fit_name(
    label: RoomLabel,
    cells: NDArray[np.bool_],
    face: str,
    size: float,
    smallest: float,
    measure: Callable[[str, float, str], float],
) -> NameLabel | None:
    """The name, as large as possible within some cells whose first corner is (0, 0); None if it does not fit."""
    sums = np.pad(
        np.repeat(np.repeat(cells, PLACES_PER_CELL, axis=0), PLACES_PER_CELL, axis=1)
        .cumsum(axis=0, dtype=np.int32)
        .cumsum(axis=1, dtype=np.int32),
        ((1, 0), (1, 0)),
    )
    for letters in np.linspace(size, smallest, max(2, round((size - smallest) / 0.07) + 1)).tolist():
        for lines in split_name(label.name):
            wide = max(measure(line, letters, face) for line in lines) + 2 * NAME_MARGIN
            spot = _find_place(sums, wide, letters * (1 + LEADING * (len(lines) - 1)) + 2 * NAME_MARGIN)
            if spot is not None:
                return NameLabel(label, lines, *spot, letters)
    return None


def _find_place(sums: NDArray[np.int32], wide: float, high: float) -> tuple[float, float] | None:
    """The centre of a box of that size within the cells, as near as possible to their common centre."""
    across, down = int(np.ceil(wide * PLACES_PER_CELL)), int(np.ceil(high * PLACES_PER_CELL))
    if across >= sums.shape[1] or down >= sums.shape[0]:
        return None
    full = (
        sums[down:, across:] - sums[:-down, across:] - sums[down:, :-across] + sums[:-down, :-across] == across * down
    )
    if not full.any():
        return None
    ys, xs = np.nonzero(full)
    off = np.hypot(xs + (across - sums.shape[1] + 1) / 2, ys + (down - sums.shape[0] + 1) / 2)
    ties = np.flatnonzero(off <= off.min() + 1e-9)
    # Average only neighbouring ties: the middle between distant ones could be a table.
    best = ties[(np.abs(xs[ties] - xs[ties[0]]) <= 1) & (np.abs(ys[ties] - ys[ties[0]]) <= 1)]
    return float(xs[best].mean() + across / 2) / PLACES_PER_CELL, float(ys[best].mean() + down / 2) / PLACES_PER_CELL


def split_name(name: str) -> list[tuple[str, ...]]:
    """The name split into one line, two lines and so on, each as even as its words allow.

    >>> split_name("Court of the Queen")
    [('Court of the Queen',), ('Court of', 'the Queen'), ('Court', 'of the', 'Queen'), ('Court', 'of', 'the', 'Queen')]
    """
    words = name.split()
    if len(words) > MAX_WORDS:
        return [(name,)]
    return [_split_evenly(words, lines) for lines in range(1, min(MAX_LINES, len(words)) + 1)]


def _split_evenly(words: list[str], lines: int) -> tuple[str, ...]:
    """The words in `lines` lines, with the longest line as short as possible."""
    if lines == 1:
        return (" ".join(words),)
    best: tuple[str, ...] = ()
    for first in range(1, len(words) - lines + 2):
        made = (" ".join(words[:first]), *_split_evenly(words[first:], lines - 1))
        if not best or max(map(len, made)) < max(map(len, best)):
            best = made
    return best
