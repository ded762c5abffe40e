"""Choke points: cells whose removal cuts off others."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis import reach
from undercroft.core.run import Run
from undercroft.kernels import buffer, finish, flat_buffer


def choke_points(walkable: NDArray[np.bool_], run: Run) -> NDArray[np.int32]:
    """For each cell, how many others its removal would cut off from the largest remaining part.

    >>> choke_points(np.array([[True, True, True, True, False]]), Run()).tolist()
    [[0, 1, 1, 0, 0]]
    """
    height, width = walkable.shape
    rimmed = np.zeros((height + 2, width + 1), np.uint8)
    rimmed[1:-1, 1:] = walkable
    order, low, beyond, most = (np.zeros(rimmed.shape, np.int32) for _ in range(4))
    turn = np.zeros(rimmed.shape, np.uint8)
    state = np.zeros(4, np.int64)
    args = (
        buffer(state),
        flat_buffer(rimmed),
        flat_buffer(order),
        flat_buffer(low),
        flat_buffer(turn),
        flat_buffer(beyond),
        flat_buffer(most),
        width + 1,
    )
    run.drive(lambda fuel: int(finish.measure_chokes(*args, fuel)))
    del order, low, turn
    labels, count = reach.label_components(walkable.view(np.uint8), run=run)
    others = np.bincount(labels.reshape(-1), minlength=count + 1)[labels] - 1
    behind, largest = beyond[1:-1, 1:], most[1:-1, 1:]
    run.spend(walkable.size)
    return np.where(behind > 0, others - np.maximum(largest, others - behind), 0).astype(np.int32)
