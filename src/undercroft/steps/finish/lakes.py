"""Steps that add water and pits without cutting anything off."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from msgspec import Meta

from undercroft.core.draft import Draft
from undercroft.core.palette import look_up_tiles
from undercroft.core.rng import Rng, threshold
from undercroft.core.run import Run
from undercroft.kernels import buffer, finish, flat_buffer
from undercroft.steps.neighbourhood import (
    REGION_FACTS,
    adjacent_cells,
    clear_border,
    door_and_stair_cells,
    protected_cells,
    ring_part_counts,
)
from undercroft.steps.step import Share

MAX_SEARCH_CELLS = 1 << 12
"""A search for another way visits this many cells from either end, then gives up, and the cell stays dry."""

Size = Annotated[int, Meta(ge=1, le=1_000_000)]


@dataclass(frozen=True, kw_only=True)
class Lakes:
    """Turn floor into water, pool by pool. Connected cells stay connected; corridors, doors, start, end, the path,
    frozen cells and cells with things stay dry.

    >>> draft = Draft(17, 8)
    >>> draft.tiles[1:-1, 1:-1] = draft.palette.role("floor")
    >>> Lakes(share=0.3, size=12).apply(draft, Rng.root(1).stream("lakes"), Run())
    >>> print(draft)
    #################
    #...~~~~.......~#
    #...~~~.~~......#
    #..~~....~......#
    #..~~.~~........#
    #~....~~~.......#
    #~~~~~~.........#
    #################

    Water may split the floor of a room into two parts if another way joins them; a later `survey` then finds two
    rooms. The step floods as many cells as requested, unless all others must stay dry or would cut something off.
    """

    share: Share = 0.1
    """The share of walkable cells that become water."""
    size: Size = 40
    """The most cells of a lake; each has 1 to this many."""

    edition: ClassVar[int] = 2
    needs: ClassVar[tuple[str, ...]] = ("tiles",)
    gives: ClassVar[tuple[str, ...]] = ()
    spoils: ClassVar[tuple[str, ...]] = (*REGION_FACTS, "locks", "choke", "sockets", "tunnel")

    def apply(self, draft: Draft, rng: Rng, run: Run) -> None:
        _grow_pools(draft, rng, run, self.share, self.size, "water")


@dataclass(frozen=True, kw_only=True)
class Pits:
    """Turn floor into pits, hole by hole. Connected cells stay connected; corridors, doors, start, end, the path,
    frozen cells and cells with things stay as they are.

    As with lakes, pits may split the floor of a room into two parts if another way joins them.
    """

    share: Share = 0.03
    """The share of walkable cells that become pits."""
    size: Size = 9
    """The most cells of a pit; each has 1 to this many."""

    edition: ClassVar[int] = 2
    needs: ClassVar[tuple[str, ...]] = ("tiles",)
    gives: ClassVar[tuple[str, ...]] = ()
    spoils: ClassVar[tuple[str, ...]] = (*REGION_FACTS, "locks", "choke", "sockets", "tunnel")

    def apply(self, draft: Draft, rng: Rng, run: Run) -> None:
        _grow_pools(draft, rng, run, self.share, self.size, "pit")


def _grow_pools(draft: Draft, rng: Rng, run: Run, share: float, size: int, role: str) -> None:
    """Grow pools of a role cell by cell. A cell changes only if that cuts nothing off."""
    palette, (height, width) = draft.palette, draft.tiles.shape
    walkable = look_up_tiles(palette.walkable, draft.tiles)
    ground = int(np.count_nonzero(walkable))
    asked = threshold(share) * ground + (1 << 31) >> 32
    may = clear_border(
        look_up_tiles(palette.role_mask("floor"), draft.tiles)
        & ~adjacent_cells(door_and_stair_cells(draft))
        & ~protected_cells(draft)
    ).view(np.uint8)
    cells = np.flatnonzero(may).astype(np.int32)
    run.spend(4 * draft.tiles.size)
    state = np.array([asked, 0, 0, len(cells), 0, 0, 0], np.int64)
    if len(cells):
        room = min(MAX_SEARCH_CELLS, draft.tiles.size + 1)
        place, edge = np.empty(draft.tiles.size, np.int32), np.empty(draft.tiles.size, np.int32)
        place[cells] = np.arange(len(cells), dtype=np.int32)
        mark = np.zeros(draft.tiles.size, np.int32)
        near_end, far_end = np.empty(room, np.int32), np.empty(room, np.int32)
        tables = buffer(palette.walkable.view(np.uint8)), buffer(ring_part_counts())
        grids = (
            flat_buffer(may),
            buffer(cells),
            buffer(place),
            buffer(edge),
            buffer(mark),
            buffer(near_end),
            buffer(far_end),
        )
        args = (
            buffer(state),
            flat_buffer(draft.tiles),
            *tables,
            *grids,
            rng.state,
            width,
            height,
            size,
            palette.role(role),
        )
        run.drive(lambda fuel: int(finish.grow_pools(*args, fuel)))
    if state[0]:
        done = asked - int(state[0])
        needed = f"{len(cells) - done:,} would have cut something off" if len(cells) > done else ""
        kept = (
            f"{ground - len(cells):,} may not change (not floor, frozen, or at a door, the border, the way or a thing)"
            if ground > len(cells)
            else ""
        )
        run.note(
            f"{done:,} of {asked:,} cells became {role}; of the others {' and '.join(filter(None, (needed, kept)))}"
        )
