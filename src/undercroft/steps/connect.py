"""Doors between regions that a wall keeps apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from undercroft.analysis import reach
from undercroft.core.draft import Draft
from undercroft.core.palette import DOOR_ROLES
from undercroft.core.rng import Rng, threshold
from undercroft.core.run import Run
from undercroft.kernels import buffer, carve, flat
from undercroft.steps.step import ALL_BUT_TILES, Share


@dataclass(frozen=True, kw_only=True)
class Connect:
    """Open walls between regions: a spanning tree of doors in random order, and some more. No two doors touch, not even at corners.

    A connector is a wall cell inside the border that touches two or more regions.
    """

    extra: Share = 0.05
    """The chance that a connector is opened although its regions are joined already: loops."""
    doors: Share = 1.0
    """The share of openings that get a door; the others are plain openings."""

    edition: ClassVar[int] = 1
    needs: ClassVar[tuple[str, ...]] = ("tiles",)
    gives: ClassVar[tuple[str, ...]] = ()
    spoils: ClassVar[tuple[str, ...]] = ALL_BUT_TILES

    def apply(self, draft: Draft, rng: Rng, run: Run) -> None:
        palette, (height, width) = draft.palette, draft.tiles.shape
        labels, count = reach.labels(palette.walkable[draft.tiles].view(np.uint8), run=run)
        rock = palette.having("wall", "void").view(np.uint8)
        shape = flat(draft.tiles), buffer(rock), flat(labels)
        order = np.empty(max(256, draft.tiles.size // 8), np.int32)
        found = int(carve.connectors(*shape, buffer(order), width, height))
        if found > len(order):
            order = np.empty(found, np.int32)
            carve.connectors(*shape, buffer(order), width, height)
        run.spend(draft.tiles.size)
        state = np.zeros(6, np.int64)
        parent = np.arange(count + 1, dtype=np.int32)
        is_door = palette.having(*DOOR_ROLES).view(np.uint8)
        openings = palette.role("door"), palette.role("opening"), palette.role("corridor")
        chances = threshold(self.extra), threshold(self.doors)
        args = buffer(state), flat(draft.tiles), buffer(is_door), flat(labels), buffer(parent), buffer(order[:found]), rng.state, width, *chances, *openings
        run.drive(lambda fuel: int(carve.connect(*args, fuel)))
        if state[4]:
            run.note(f"{state[4]} openings without a door, where one would have stood beside another")
