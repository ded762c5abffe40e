"""Cells that everybody must pass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from undercroft.analysis import reach
from undercroft.core.draft import Draft
from undercroft.core.palette import through
from undercroft.core.rng import Rng
from undercroft.core.run import Run
from undercroft.kernels import buffer, finish, flat


@dataclass(frozen=True, kw_only=True)
class Chokes:
    """Find the choke points: cells without which some could not be reached from the others.

    The layer "choke" holds, for each of them, how many cells would be cut off from the largest part that is left; 0 elsewhere.

    >>> from undercroft.core.level import Level
    >>> draft = Draft.of(Level.drawn('''
    ...     ########
    ...     #..#...#
    ...     #......#
    ...     ########'''))
    >>> Chokes().apply(draft, Rng.root(1).stream("chokes"), Run())
    >>> print(draft.layers["choke"])
    [[0 0 0 0 0 0 0 0]
     [0 0 0 0 0 0 0 0]
     [0 0 3 4 5 0 0 0]
     [0 0 0 0 0 0 0 0]]
    """

    edition: ClassVar[int] = 1
    needs: ClassVar[tuple[str, ...]] = ("tiles",)
    gives: ClassVar[tuple[str, ...]] = ()
    spoils: ClassVar[tuple[str, ...]] = ()

    def apply(self, draft: Draft, rng: Rng, run: Run) -> None:  # noqa: ARG002
        walkable = through(draft.palette.walkable, draft.tiles)
        height, width = walkable.shape
        rimmed = np.zeros((height + 2, width + 1), np.uint8)
        rimmed[1:-1, 1:] = walkable
        order, low, beyond, most = (np.zeros(rimmed.shape, np.int32) for _ in range(4))
        turn = np.zeros(rimmed.shape, np.uint8)
        state = np.zeros(4, np.int64)
        args = buffer(state), flat(rimmed), flat(order), flat(low), flat(turn), flat(beyond), flat(most), width + 1
        run.drive(lambda fuel: int(finish.chokes(*args, fuel)))
        del order, low, turn
        labels, count = reach.labels(walkable.view(np.uint8), run=run)
        others = np.bincount(labels.reshape(-1), minlength=count + 1)[labels] - 1
        behind, largest = beyond[1:-1, 1:], most[1:-1, 1:]
        run.spend(draft.tiles.size)
        draft.layers["choke"] = np.where(behind > 0, others - np.maximum(largest, others - behind), 0).astype(np.int32)
