"""The step that opens doors between regions."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis import reach
from undercroft.analysis.spans import Components, find_components, longer
from undercroft.core.draft import Draft
from undercroft.core.palette import DOOR_ROLES, look_up_tiles
from undercroft.core.rng import Rng, threshold
from undercroft.core.run import Run
from undercroft.kernels import buffer, carve, flat_buffer
from undercroft.steps.step import ALL_BUT_TILES, Share
from undercroft.wording import plural

MAX_PLAIN_SHUFFLE_ROWS = 1 << 16
"""The most rows to shuffle in one go; more would not fit the cache, and be slow."""
WATCHED_FINENESS = 16
"""Openings are few and quickly made, so a watcher gets them one by one."""


@dataclass(frozen=True, kw_only=True)
class Connect:
    """Open walls between regions: a spanning tree of doors in random order, and some more. No two doors touch, not even
    at corners.

    A connector is a wall cell inside the border that touches two or more regions.
    """

    extra: Share = 0.05
    """The chance to open a connector whose regions are already joined, which makes a loop."""
    doors: Share = 1.0
    """The share of openings with a door; the others are plain openings."""

    edition: ClassVar[int] = 1
    needs: ClassVar[tuple[str, ...]] = ("tiles",)
    gives: ClassVar[tuple[str, ...]] = ()
    spoils: ClassVar[tuple[str, ...]] = ALL_BUT_TILES

    def apply(self, draft: Draft, rng: Rng, run: Run) -> None:
        palette, width = draft.palette, draft.width
        found = find_components(look_up_tiles(palette.walkable, draft.tiles).view(np.uint8), run)
        rows, sides = _find_connectors(draft, found, run)
        rows = _shuffled(rows, rng, run)
        state = np.zeros(5, np.int64)
        parent = np.arange(len(found.boxes) + 1, dtype=np.int32)
        is_door = palette.role_mask(*DOOR_ROLES).view(np.uint8)
        openings = palette.role("door"), palette.role("opening"), palette.role("corridor")
        chances = threshold(self.extra), threshold(self.doors)
        args = (
            buffer(state),
            flat_buffer(draft.tiles),
            buffer(is_door),
            buffer(sides),
            buffer(parent),
            buffer(rows),
            rng.state,
            width,
            *chances,
            *openings,
        )
        run.drive(lambda fuel: int(carve.open_connectors(*args, fuel)), fine=WATCHED_FINENESS)
        if state[4]:
            run.note(f"{plural(state[4], 'opening')} without a door, where one would have stood beside another")


def _find_connectors(draft: Draft, found: Components, run: Run) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The connectors as rows (cell, least component, greatest), and the components on the four sides of those that
    touch more than two.
    """
    height, width = draft.tiles.shape
    rows, sides = np.empty((draft.tiles.size // 3 + width, 3), np.int32), np.empty((2 * width + 64, 4), np.int32)
    state = np.zeros(4, np.int64)
    grids = flat_buffer(draft.tiles), buffer(draft.palette.rock.view(np.uint8))
    spans = buffer(found.spans), buffer(found.numbers)
    labels, lows, highs, cells = (np.empty(size, np.int32) for size in (3 * width, width, width, width))
    row = buffer(labels), buffer(lows), buffer(highs), buffer(np.empty(width, np.uint8)), buffer(cells)

    def bite(fuel: int) -> int:
        nonlocal rows, sides
        used = 0
        while True:
            lists = buffer(rows), buffer(sides)
            used += int(carve.find_connectors(buffer(state), *grids, *spans, *row, *lists, width, height, fuel - used))
            if used >= fuel or state[0] == height:
                return used
            rows, sides = longer(rows, int(state[2]), width), longer(sides, int(state[3]), width)

    run.drive(bite)
    return rows[: int(state[2])], sides


def _shuffled(rows: NDArray[np.int32], rng: Rng, run: Run) -> NDArray[np.int32]:
    """The rows in random order. Many rows are first dealt to 256 piles, each of which fits the cache (Rao 1961,
    Sandelius 1962); the order is just as random.
    """
    total = len(rows)
    starts = [0, total]
    if total > MAX_PLAIN_SHUFFLE_ROWS:
        piles, counts, dealt = np.empty(total, np.uint8), np.zeros(256, np.int64), np.empty_like(rows)
        reach.run_by_rows(
            run,
            total,
            1,
            lambda first, last: int(carve.assign_piles(buffer(piles), buffer(counts), rng.state, first, last)),
        )
        starts = [0, *np.cumsum(counts).tolist()]
        ends = np.array(starts[:-1], np.int64)
        reach.run_by_rows(
            run,
            total,
            1,
            lambda first, last: int(
                carve.sort_into_piles(buffer(rows), buffer(piles), buffer(ends), buffer(dealt), first, last)
            ),
        )
        rows = dealt
    for first, last in pairwise(starts):
        run.spend(int(carve.shuffle_rows(buffer(rows), rng.state, first, last)))
    return rows
