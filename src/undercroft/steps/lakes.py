"""Water and pits that block nobody."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from msgspec import Meta

from undercroft.core.draft import Draft
from undercroft.core.palette import through
from undercroft.core.rng import Rng, threshold
from undercroft.core.run import Run
from undercroft.kernels import buffer, finish, flat
from undercroft.steps.around import DIVISION, doors, groups, held, inner, near
from undercroft.steps.step import Share

TRIES = 1000
"""Pools in a row that find no place, after which no more are tried."""
SEARCH = 1 << 12
"""Cells a search for another way may see from either end before it gives up and the cell stays dry."""

Size = Annotated[int, Meta(ge=1, le=1_000_000)]


@dataclass(frozen=True, kw_only=True)
class Lakes:
    """Turn floor into water, pool by pool. What was connected stays so; corridors, doors, start, end, the way and things stay dry.

    >>> draft = Draft(17, 8)
    >>> draft.tiles[1:-1, 1:-1] = draft.palette.role("floor")
    >>> Lakes(share=0.3, size=12).apply(draft, Rng.root(1).stream("lakes"), Run())
    >>> print(draft)
    #################
    #.........~.....#
    #.~~~....~~~~~..#
    #.~~~~..........#
    #~~.~......~....#
    #~~......~.~....#
    #~~~.....~~~....#
    #################
    """

    share: Share = 0.1
    """The share of walkable cells that goes under."""
    size: Size = 40
    """A lake has 1 to so many cells."""

    edition: ClassVar[int] = 1
    needs: ClassVar[tuple[str, ...]] = ("tiles",)
    gives: ClassVar[tuple[str, ...]] = ()
    spoils: ClassVar[tuple[str, ...]] = (*DIVISION, "tunnel")

    def apply(self, draft: Draft, rng: Rng, run: Run) -> None:
        _pools(draft, rng, run, self.share, self.size, "water")


@dataclass(frozen=True, kw_only=True)
class Pits:
    """Turn floor into pits, hole by hole. What was connected stays so; corridors, doors, start, end, the way and things stay on firm ground."""

    share: Share = 0.03
    """The share of walkable cells that falls away."""
    size: Size = 9
    """A pit has 1 to so many cells."""

    edition: ClassVar[int] = 1
    needs: ClassVar[tuple[str, ...]] = ("tiles",)
    gives: ClassVar[tuple[str, ...]] = ()
    spoils: ClassVar[tuple[str, ...]] = (*DIVISION, "tunnel")

    def apply(self, draft: Draft, rng: Rng, run: Run) -> None:
        _pools(draft, rng, run, self.share, self.size, "pit")


def _pools(draft: Draft, rng: Rng, run: Run, share: float, size: int, role: str) -> None:
    """Pools of a role, grown cell by cell; each cell is asked first whether others can do without it."""
    palette, (height, width) = draft.palette, draft.tiles.shape
    walkable = through(palette.walkable, draft.tiles)
    asked = threshold(share) * int(np.count_nonzero(walkable)) + (1 << 31) >> 32
    gates = doors(draft)
    may = inner(through(palette.having("floor"), draft.tiles) & ~near(gates) & ~held(draft)).view(np.uint8)
    run.spend(4 * draft.tiles.size)
    state = np.array([asked, 0, 0, 0, 0, 0, 0], np.int64)
    if may.any():
        room = min(SEARCH, draft.tiles.size + 1)
        edge, mark = np.empty(draft.tiles.size, np.int32), np.zeros(draft.tiles.size, np.int32)
        near_end, far_end = np.empty(room, np.int32), np.empty(room, np.int32)
        tables = buffer(palette.walkable.view(np.uint8)), buffer(groups())
        grids = flat(may), buffer(edge), buffer(mark), buffer(near_end), buffer(far_end)
        args = buffer(state), flat(draft.tiles), *tables, *grids, rng.state, width, height, size, TRIES, palette.role(role)
        run.drive(lambda fuel: int(finish.flood(*args, fuel)))
    if state[0]:
        run.note(f"{asked - int(state[0]):,} of {asked:,} cells became {role}: more would have cut something off")
