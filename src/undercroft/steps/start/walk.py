"""The step that digs by a random walk."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np
from msgspec import Meta

from undercroft.core.draft import Draft
from undercroft.core.palette import look_up_tiles
from undercroft.core.rng import Rng, threshold
from undercroft.core.run import Run
from undercroft.errors import BadInput
from undercroft.kernels import buffer, curves, flat_buffer
from undercroft.steps.step import ALL_BUT_TILES, Share

MAX_STEPS_PER_CELL = 100
"""A walk gives up after this many steps per cell of the map: 40 % of floor takes about 3, 90 % about 20."""


@dataclass(frozen=True, kw_only=True)
class Walk:
    """Dig by a random walk (drunkard's walk): step up, down, left or right until a share of the map is floor. The dug
    cells are connected, and the border stays closed.

    >>> draft = Draft(13, 5)
    >>> Walk(floor=0.3).apply(draft, Rng.root(2).stream("walk"), Run())
    >>> print(draft)
    #############
    ##.......####
    #......######
    #......######
    #############
    """

    floor: Share = 0.4
    """The share of the map that is walkable at the end, including cells that were walkable before."""
    straight: Annotated[float, Meta(ge=0, le=0.95)] = 0.0
    """The chance to keep the direction instead of drawing a new one; a higher chance gives longer galleries."""
    life: Annotated[int, Meta(ge=0, le=1_000_000_000)] = 0
    """The walk returns to its start after this many steps, which makes a rounder cave; 0: never."""
    start: Literal["middle", "anywhere"] = "middle"
    """Where the walk starts."""

    edition: ClassVar[int] = 1
    needs: ClassVar[tuple[str, ...]] = ("tiles",)
    gives: ClassVar[tuple[str, ...]] = ()
    spoils: ClassVar[tuple[str, ...]] = ALL_BUT_TILES

    def check(self, width: int, height: int) -> None:
        """Refuse a map without a cell inside the border."""
        if min(width, height) < 3:
            raise BadInput(
                f"a walk needs a map of at least 3x3, not {width}x{height}",
                fix=f"ask for {max(width, 3)}x{max(height, 3)}",
            )

    def apply(self, draft: Draft, rng: Rng, run: Run) -> None:
        self.check(draft.width, draft.height)
        width, height, palette = draft.width, draft.height, draft.palette
        floor = palette.role("floor")
        x, y = (
            (width // 2, height // 2)
            if self.start == "middle"
            else (rng.between(1, width - 2), rng.between(1, height - 2))
        )
        walkable = look_up_tiles(palette.walkable, draft.tiles)
        closed_inside = int(np.count_nonzero(~walkable[1:-1, 1:-1]))
        asked = threshold(self.floor) * draft.tiles.size + (1 << 31) >> 32
        missing = asked - int(np.count_nonzero(walkable))
        if missing > closed_inside:
            run.note(
                f"{asked:,} cells of floor are more than there are inside the border: all "
                f"{(width - 2) * (height - 2):,} shall do"
            )
            missing = closed_inside
        run.spend(draft.tiles.size)
        if missing <= 0:
            return
        if not walkable[y, x]:
            draft.tiles[y, x] = floor
            missing -= 1
        ground = (~walkable).astype(np.uint8)
        ground[y, x] = 0
        ground[0], ground[-1], ground[:, 0], ground[:, -1] = 2, 2, 2, 2
        begin = y * width + x
        state = np.array([begin, missing, MAX_STEPS_PER_CELL * draft.tiles.size, 0, 0, 0, begin, 0], np.int64)
        steps = np.array([1, -1, width, -width], np.int64)
        args = buffer(state), flat_buffer(ground), buffer(steps), rng.state, threshold(self.straight), self.life

        def bite(fuel: int) -> int:
            return int(curves.dig_random_walk(*args, fuel))

        def bite_and_draw(fuel: int) -> int:
            used = bite(fuel)
            draft.tiles[(ground == 0) & ~walkable] = floor
            return used

        run.drive(bite if run.watcher is None else bite_and_draw)
        draft.tiles[(ground == 0) & ~walkable] = floor
        if state[1]:
            run.note(
                f"the walk ended after {MAX_STEPS_PER_CELL * draft.tiles.size:,} steps: "
                f"{int(state[1]):,} cells of floor are missing"
            )
