"""The step that opens short cuts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np
from msgspec import Meta

from undercroft.analysis import reach
from undercroft.core.draft import Draft
from undercroft.core.palette import DOOR_ROLES, look_up_tiles
from undercroft.core.rng import Rng, threshold
from undercroft.core.run import Run
from undercroft.kernels import buffer, finish, flat_buffer
from undercroft.steps.neighbourhood import REGION_FACTS
from undercroft.steps.step import Share


@dataclass(frozen=True, kw_only=True)
class Loops:
    """Open walls whose two sides are close through the wall and far apart on foot.

    >>> from undercroft.core.level import Level
    >>> draft = Draft.of(Level.parse('''
    ...     #########
    ...     #.......#
    ...     #.#####.#
    ...     #.#...#.#
    ...     #.....#.#
    ...     #########'''))
    >>> Loops(detour=9).apply(draft, Rng.root(1).stream("loops"), Run())
    >>> print(draft)
    #########
    #.......#
    #.#####.#
    #.#...'.#
    #.....#.#
    #########

    If `share` is 1 and `most` does not stop the step, no original wall with so long a detour is left. Walls between
    parts that are not connected stay; `join` and `connect` open those.
    """

    detour: Annotated[int, Meta(ge=2, le=100_000)] = 30
    """The fewest steps on foot from one side to the other."""
    thickness: Annotated[int, Meta(ge=1, le=100)] = 3
    """The thickest wall to open, in cells; a passage of more than one cell is corridor behind its opening."""
    share: Share = 1.0
    """The share of walls to consider."""
    most: Annotated[int, Meta(ge=0, le=100_000_000)] = 0
    """The most openings; 0: as many as fit."""
    role: Literal["opening", "door", "floor", "corridor"] = "opening"
    """What a wall becomes. Doors and openings never touch each other."""

    edition: ClassVar[int] = 1
    needs: ClassVar[tuple[str, ...]] = ("tiles",)
    gives: ClassVar[tuple[str, ...]] = ()
    spoils: ClassVar[tuple[str, ...]] = (*REGION_FACTS, "locks", "split", "choke", "sockets")

    def apply(self, draft: Draft, rng: Rng, run: Run) -> None:
        palette, (height, width) = draft.palette, draft.tiles.shape
        labels, _ = reach.label_components(look_up_tiles(palette.walkable, draft.tiles).view(np.uint8), run=run)
        shape = flat_buffer(labels), flat_buffer(look_up_tiles(palette.rock, draft.tiles).view(np.uint8))
        walls = reach.collect_rows(
            2,
            lambda room: int(finish.find_thin_walls(*shape, buffer(room), width, height, self.thickness)),
            draft.tiles.size // 16 + 16,
        )
        order = np.arange(len(walls), dtype=np.int32)
        run.spend(2 * draft.tiles.size + int(finish.shuffle(buffer(order), rng.state)))
        walls = walls[order[: threshold(self.share) * len(walls) + (1 << 31) >> 32]]
        if not len(walls):
            return
        room = min(draft.tiles.size + 1, 2 * self.detour * (self.detour + 1) + 2)
        mark, near, far = (np.zeros(size, np.int32) for size in (draft.tiles.size, room, room))
        is_door = palette.role_mask(*DOOR_ROLES).view(np.uint8)
        state = np.zeros(4, np.int64)
        tables = buffer(palette.walkable.view(np.uint8)), buffer(is_door)
        grids = buffer(walls), buffer(mark), buffer(near), buffer(far)
        roles = palette.role(self.role), palette.role("floor" if self.role == "floor" else "corridor")
        args = (
            buffer(state),
            flat_buffer(draft.tiles),
            *tables,
            *grids,
            width,
            height,
            self.detour,
            self.most or len(walls),
            *roles,
        )
        run.drive(lambda fuel: int(finish.open_shortcuts(*args, fuel)))
