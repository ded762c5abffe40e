"""Hand-drawn lines: noise moves each point by its position, so walls, grid lines and doors that meet stay joined."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from undercroft.draw.pen import noise
from undercroft.draw.scene.scene import Points

HAND_SWAY = ((0.035, 0.8), (0.012, 4.0))
"""The wobble of a hand-drawn straight line: amplitudes in cells, and frequencies a cell."""
NATURE_SWAY = ((0.20, 0.8), (0.05, 2.7))
"""The same for natural rock."""
PIECE_CELLS = 0.25
"""Straight lines are cut into pieces of this many cells, so that they can bend."""

Sway = Sequence[tuple[float, float]]
Softness = Callable[[Points], NDArray[np.float64]]


def wobbled(
    lines: Sequence[Points],
    seed: int,
    soft: float | Softness = 0.0,
    *,
    hand: Sway = HAND_SWAY,
    nature: Sway = NATURE_SWAY,
    piece: float = PIECE_CELLS,
    closed: bool = True,
) -> list[Points]:
    """The lines, moved a little. `soft` is how natural each point is, from 0 to 1 (see `LevelView.natural_share`).

    >>> [line] = wobbled([np.array([[0, 0], [2, 0], [2, 2], [0, 2.0]])], seed=1)
    >>> len(line), bool(abs(line - line.round()).max() < 0.6)
    (32, True)
    """
    cut = subdivide_lines(lines, piece, closed=closed)
    if not cut:
        return []
    points = np.concatenate(cut)
    share = soft(points)[:, None] if callable(soft) else soft
    moved = points + drift(points, seed, hand) * (1 - share)
    if callable(soft) or soft:
        moved += drift(points, seed + 3, nature) * share
    return np.split(moved, np.cumsum([len(line) for line in cut])[:-1])


def drift(points: Points, seed: int, sway: Sway = HAND_SWAY) -> Points:
    """The displacement of each point, right and down."""
    moved = np.zeros_like(points)
    for octave, (reach, often) in enumerate(sway):
        for side in (0, 1):
            moved[:, side] += reach * (2 * noise.point_noise(points, often, seed + 17 * octave + side) - 1)
    return moved


def subdivide_lines(lines: Sequence[Points], piece: float, *, closed: bool) -> list[Points]:
    """The same lines with more points, so that neighbours are not much more than `piece` cells apart.

    >>> subdivide_lines([np.array([[0, 0], [1, 0.0]])], 0.5, closed=False)[0].tolist()
    [[0.0, 0.0], [0.5, 0.0], [1.0, 0.0]]
    """
    lines = [line for line in lines if len(line)]
    if not lines:
        return []
    points = np.concatenate(lines)
    sizes = np.array([len(line) for line in lines])
    lasts = np.cumsum(sizes) - 1
    following = np.arange(1, len(points) + 1)
    following[lasts] = lasts - sizes + 1 if closed else lasts
    step = points[following] - points
    counts = np.maximum(1, np.rint(np.hypot(step[:, 0], step[:, 1]) / piece)).astype(np.int64)
    owner = np.repeat(np.arange(len(points)), counts)
    share = (np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)) / counts[owner]
    made = points[owner] + step[owner] * share[:, None]
    return np.split(made, np.cumsum(counts)[lasts][:-1])
