"""Parallel lines that fill a shape, as in technical drawings of walls, pits and water. They are cut to the shape, so no
clipping is needed.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from undercroft.draw.pen.distance_field import SignedDistanceField
from undercroft.draw.scene.scene import Points

Depths = NDArray[np.float32]
"""How deep each point of a fine grid is inside a shape; negative outside."""


def slanted_lines(depths: Depths, every: int, *, falling: bool = False) -> Points:
    """Lines from lower left to upper right (or from upper left to lower right), one for `every` columns of the grid:
    rows of two ends, x and y.

    >>> slanted_lines(np.array([[-1, 1, 1], [1, 1, 1], [1, 1, -1]], np.float32), 2).tolist()
    [[[-0.5, 2.5], [2.5, -0.5]]]
    """
    if falling:
        lines = slanted_lines(depths[:, ::-1], every)
        lines[:, :, 0] = depths.shape[1] - 1 - lines[:, :, 0]
        return lines
    height, width = depths.shape
    framed = np.full((height + 2, width + 2), -1, np.float32)
    framed[1:-1, 1:-1] = depths
    chosen = (framed > 0) & ((np.arange(height + 2)[:, None] + np.arange(width + 2)) % every == 0)
    ends = []
    for step in (1, -1):
        ys, xs = np.nonzero(chosen & ~(np.roll(framed, (-step, step), (0, 1)) > 0))
        order = np.lexsort((xs, xs + ys))
        ys, xs = ys[order], xs[order]
        here, beyond = framed[ys, xs], framed[ys + step, xs - step]
        off = step * here / (here - beyond)
        ends.append(np.stack([xs - off - 1, ys + off - 1], axis=1))
    return np.stack(ends, axis=1).astype(np.float64)


def to_cell_lines(lines: Points, field: SignedDistanceField) -> list[Points]:
    """Lines through the grid of a field, in cells."""
    return list((lines + 0.5) / field.per_cell - field.margin)


def dash_lines(depths: Depths, rows: NDArray[np.int64], dash: int, gap: int) -> Points:
    """Horizontal dashes along some rows of the grid; every second row is offset."""
    framed = np.pad(depths[rows] > 0, ((0, 0), (1, 1)))
    shift = np.arange(len(rows))[:, None] % 2 * ((dash + gap) // 2)
    framed &= (np.arange(framed.shape[1]) + shift) % (dash + gap) < dash
    steps = np.diff(framed.astype(np.int8), axis=1)
    row, start = np.nonzero(steps == 1)
    _, end = np.nonzero(steps == -1)
    y = rows[row]
    return np.stack([np.stack([start - 0.5, y], axis=1), np.stack([end - 0.5, y], axis=1)], axis=1)
