"""Light: the lamps of a level, how far each reaches without crossing a wall, and the light at each point."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from undercroft.draw.tileset.terrain import Cells

POINTS_PER_CELL = 4
"""Points a cell, along each side, at which light is sampled."""
MAX_REACH_CELLS = 9
"""Cells beyond which no light is visible."""
UNREACHED = 99.0
"""The number of steps for cells that no light reaches."""
STEP_LENGTH = 0.74
"""The length of a step: light that turns corners travels farther than the steps suggest."""
LAMPS_PER_BATCH = 256
"""Lamps whose light is spread at a time."""


class Lamp(NamedTuple):
    """A light source: its cell, its reach, and its colour."""

    x: float
    y: float
    """The y of its centre, in cells."""
    cell: tuple[int, int]
    """The cell from which its light spreads."""
    reach: float
    colour: tuple[float, float, float]


def spread_light(clear: Cells, lamps: Sequence[Lamp]) -> NDArray[np.float32]:
    """The light at POINTS_PER_CELL points along each side of every cell, [y, x, RGB]: it spreads from cell to cell
    through clear cells, and weakens with distance.

    >>> clear = np.array([[1, 1, 0, 1]], bool)
    >>> light = spread_light(clear, [Lamp(0.5, 0.5, (0, 0), 9.0, (1.0, 1.0, 1.0))])
    >>> (light[0, ::POINTS_PER_CELL, 0] * 100).astype(int).tolist()
    [88, 84, 66, 0]

    Cells that are not clear but beside a lit one are lit too, and pass no light on.
    """
    height, width = clear.shape
    light = np.zeros(
        ((height + 2 * MAX_REACH_CELLS) * POINTS_PER_CELL, (width + 2 * MAX_REACH_CELLS) * POINTS_PER_CELL, 3),
        np.float32,
    )
    framed = np.pad(clear, MAX_REACH_CELLS)
    side = 2 * MAX_REACH_CELLS + 1
    for first in range(0, len(lamps), LAMPS_PER_BATCH):
        batch = lamps[first : first + LAMPS_PER_BATCH]
        steps = _count_steps(
            np.stack([framed[lamp.cell[1] : lamp.cell[1] + side, lamp.cell[0] : lamp.cell[0] + side] for lamp in batch])
        )
        for lamp, far in zip(batch, steps, strict=True):
            x, y = lamp.cell[0] * POINTS_PER_CELL, lamp.cell[1] * POINTS_PER_CELL
            light[y : y + side * POINTS_PER_CELL, x : x + side * POINTS_PER_CELL] += _strength(lamp, far)[
                ..., None
            ] * np.array(lamp.colour, np.float32)
    edge = MAX_REACH_CELLS * POINTS_PER_CELL
    return light[edge:-edge, edge:-edge]


def _strength(lamp: Lamp, steps: NDArray[np.float32]) -> NDArray[np.float32]:
    """The brightness of a white lamp at the sample points around it: by the straight distance, or by the steps around
    corners if that is longer.
    """
    at = (
        np.arange(len(steps) * POINTS_PER_CELL, dtype=np.float32) + np.float32(0.5)
    ) / POINTS_PER_CELL - MAX_REACH_CELLS
    straight = np.sqrt(
        (at[None] - np.float32(lamp.x - lamp.cell[0])) ** 2 + (at[:, None] - np.float32(lamp.y - lamp.cell[1])) ** 2
    )
    smooth = Image.fromarray(np.minimum(steps, 2 * MAX_REACH_CELLS)).resize(
        (len(at), len(at)), Image.Resampling.BILINEAR
    )
    distance = np.maximum(straight, np.asarray(smooth) * np.float32(STEP_LENGTH))
    strength: NDArray[np.float32] = np.square(np.clip(1 - distance / np.float32(lamp.reach), 0, 1))
    strength[(steps == UNREACHED).repeat(POINTS_PER_CELL, axis=0).repeat(POINTS_PER_CELL, axis=1)] = 0
    return strength


def _count_steps(windows: NDArray[np.bool_]) -> NDArray[np.float32]:
    """For each window the steps from its centre to every cell that light reaches; UNREACHED for others."""
    side = windows.shape[1]
    steps = np.full(windows.shape, UNREACHED, np.float32)
    lit = np.zeros(windows.shape, bool)
    lit[:, MAX_REACH_CELLS, MAX_REACH_CELLS] = True
    steps[:, MAX_REACH_CELLS, MAX_REACH_CELLS] = 0
    for step in range(1, int(MAX_REACH_CELLS * 1.5)):
        new = np.zeros_like(lit)
        passing = lit & windows
        new[:, 1:] |= passing[:, :-1]
        new[:, :-1] |= passing[:, 1:]
        new[:, :, 1:] |= passing[:, :, :-1]
        new[:, :, :-1] |= passing[:, :, 1:]
        new &= ~lit
        steps[new] = step
        lit |= new
    # Corners of rooms are lit from inside, though no straight step leads there
    near = np.zeros_like(lit)
    passing = lit & windows
    near[:, 1:, 1:] |= passing[:, :-1, :-1]
    near[:, :-1, :-1] |= passing[:, 1:, 1:]
    near[:, 1:, :-1] |= passing[:, :-1, 1:]
    near[:, :-1, 1:] |= passing[:, 1:, :-1]
    near &= ~lit & ~windows
    if near.any():
        framed = np.pad(np.where(windows, steps, UNREACHED), ((0, 0), (1, 1), (1, 1)), constant_values=UNREACHED)
        least = np.minimum.reduce(
            [
                framed[:, 1 + down : side + 1 + down, 1 + right : side + 1 + right]
                for down in (-1, 1)
                for right in (-1, 1)
            ]
        )
        steps[near] = least[near] + 1
    return steps
