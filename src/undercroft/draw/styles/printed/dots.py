"""Fine lines and dots for paper: squares, crosses at their corners, the edges of pits, and evenly spaced dots."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from undercroft.draw.pen import noise
from undercroft.draw.scene.scene import Points
from undercroft.draw.styles.ink import marks


def cell_borders(cells: NDArray[np.bool_]) -> NDArray[np.float64]:
    """A line along each side between two of the cells: rows of two ends, x and y.

    >>> cell_borders(np.array([[True, True], [True, False]])).tolist()
    [[[1.0, 0.0], [1.0, 1.0]], [[0.0, 1.0], [1.0, 1.0]]]
    """
    rows, columns = np.nonzero(cells[:, 1:] & cells[:, :-1])
    upright = np.stack([np.stack([columns + 1, rows], axis=1), np.stack([columns + 1, rows + 1], axis=1)], axis=1)
    rows, columns = np.nonzero(cells[1:] & cells[:-1])
    level = np.stack([np.stack([columns, rows + 1], axis=1), np.stack([columns + 1, rows + 1], axis=1)], axis=1)
    return np.concatenate([upright, level]).astype(np.float64)


def corner_crosses(cells: NDArray[np.bool_], reach: float) -> NDArray[np.float64]:
    """Two short lines at each corner where four of the cells meet."""
    rows, columns = np.nonzero(cells[1:, 1:] & cells[1:, :-1] & cells[:-1, 1:] & cells[:-1, :-1])
    middles = np.stack([columns + 1.0, rows + 1.0], axis=1)[:, None]
    arms = np.array([[[-reach, 0], [reach, 0]], [[0, -reach], [0, reach]]])
    return np.concatenate([middles + arm for arm in arms])


def pit_strokes(brinks: list[Points], seed: int) -> list[Points]:
    """Short strokes down from the edge of a pit, close together."""
    return [
        stroke
        for shift in (0.0, 0.07)
        for stroke in marks.pit_hachures([line + shift * 0.2 for line in brinks], seed + int(100 * shift))
    ]


def scatter_dots(apart: float) -> Points:
    """Points in a square cell with a minimum distance that also holds across its borders, so that copies of the cell
    tile.
    """
    many = int(6 / (apart * apart))
    places = np.stack([noise.hash_noise(np.arange(many), side, 4) for side in (0, 1)], axis=1)
    kept: list[NDArray[np.float64]] = []
    buckets = max(3, int(1 / apart))
    grid: dict[tuple[int, int], list[tuple[float, float]]] = {}
    for x, y in places.tolist():
        column, row = int(x * buckets), int(y * buckets)
        near = [
            point
            for dx in (-1, 0, 1)
            for dy in (-1, 0, 1)
            for point in grid.get(((column + dx) % buckets, (row + dy) % buckets), ())
        ]
        if all(
            (abs(x - a) - round(abs(x - a))) ** 2 + (abs(y - b) - round(abs(y - b))) ** 2 >= apart * apart
            for a, b in near
        ):
            grid.setdefault((column, row), []).append((x, y))
            kept.append(np.array([x, y]))
    return np.array(kept)
