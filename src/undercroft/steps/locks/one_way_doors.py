"""One-way doors, placed so that a player cannot get stuck."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis import reach
from undercroft.analysis.one_way import ONE_WAY, SIDES, STEPS
from undercroft.analysis.reach import Point
from undercroft.core.region import Thing
from undercroft.core.rng import Rng, threshold
from undercroft.core.run import Run
from undercroft.kernels import buffer, finish, flat_buffer
from undercroft.steps.locks.gates import LockableMap


def choose_one_way_doors(on: LockableMap, locked: Sequence[Point], share: float, rng: Rng, run: Run) -> list[Thing]:
    """One-way doors that lead back towards the start, on that share of the doors that have another way around.

    Without all these doors, and with all locks shut, connected cells stay connected. So a player who passes one can
    come back another way, and no one-way door leads past a lock.
    """
    is_open = on.open.copy()
    for x, y in locked:
        is_open[y, x] = False
    doors = np.flatnonzero(on.lone & is_open).astype(np.int32)
    if not share or not len(doors):
        return []
    run.spend(int(finish.shuffle(buffer(doors), rng.state)))
    spare = _spare_doors(is_open, doors, run)
    turned = spare[: threshold(share) * len(spare) + (1 << 31) >> 32]
    for x, y in locked:
        is_open[y, x] = True
    is_open.reshape(-1)[turned] = False
    steps = np.pad(reach.DistanceField(is_open, [on.start], run).steps, 1, constant_values=-1)
    return [
        _build_one_way_door(cell % is_open.shape[1], cell // is_open.shape[1], steps, rng) for cell in turned.tolist()
    ]


def _spare_doors(is_open: NDArray[np.bool_], doors: NDArray[np.int32], run: Run) -> NDArray[np.int32]:
    """The doors that can all be removed at once without cutting anything off."""
    height, width = is_open.shape
    walls = is_open.copy()
    walls.reshape(-1)[doors] = False
    labels, count = reach.label_components(walls.view(np.uint8), run=run)
    joins = np.empty(len(doors), np.uint8)
    run.spend(
        int(
            finish.find_needed_doors(
                flat_buffer(labels),
                buffer(np.arange(count + 1, dtype=np.int32)),
                buffer(doors),
                buffer(joins),
                width,
                height,
            )
        )
    )
    spare: NDArray[np.int32] = doors[joins == 0]
    return spare


def _build_one_way_door(x: int, y: int, steps: NDArray[np.int32], rng: Rng) -> Thing:
    """A one-way door to the side that is nearer to the start. `steps` has a rim of one cell."""
    far = {side: int(steps[y + 1 + down, x + 1 + right]) for side, (right, down) in enumerate(STEPS)}
    sides = [side for side in far if far[side] >= 0]
    rng.shuffle(sides)
    return Thing(ONE_WAY, x, y, {"to": SIDES[min(sides, key=far.__getitem__)]})
