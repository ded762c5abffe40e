"""Rooms at random places that do not collide."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from msgspec import Meta

from undercroft.core.draft import Draft
from undercroft.core.rng import Rng
from undercroft.core.run import Run
from undercroft.errors import BadInput
from undercroft.kernels import buffer, carve, flat
from undercroft.steps.step import ALL_BUT_TILES


@dataclass(frozen=True, kw_only=True)
class Rooms:
    """Place rooms of odd width and height on odd columns and rows, with at least a wall between any two.

    A room's shorter side is 3, 5, ... up to 2 * extra_size + 5; one side may be stretched by up to the other's length.
    """

    tries: Annotated[int, Meta(ge=0, le=100_000_000)] = 0
    """How many rooms to try; 0 means one for every 12 cells."""
    extra_size: Annotated[int, Meta(ge=0, le=1000)] = 0
    """Allows larger rooms."""

    edition: ClassVar[int] = 1
    needs: ClassVar[tuple[str, ...]] = ("tiles",)
    gives: ClassVar[tuple[str, ...]] = ()
    spoils: ClassVar[tuple[str, ...]] = ALL_BUT_TILES

    def check(self, width: int, height: int) -> None:
        """Rooms and passages lie on odd columns and rows."""
        odd_size(width, height, least=5, what="rooms")

    def apply(self, draft: Draft, rng: Rng, run: Run) -> None:
        rock = draft.palette.rock.view(np.uint8)
        state = np.array([self.tries or max(1, draft.tiles.size // 12), 0, 0], np.int64)
        found = np.empty((0, 4), np.int32)
        floor = draft.palette.role("floor")
        args = buffer(state), flat(draft.tiles), buffer(rock), buffer(found), rng.state, draft.width, draft.height, self.extra_size, floor
        run.drive(lambda fuel: int(carve.rooms(*args, fuel)))
        if not state[1]:
            run.note(f"none of {state[2]} rooms found a place")


def odd_size(width: int, height: int, *, least: int, what: str) -> None:
    """Refuse a map on which rooms and passages on odd columns and rows would not be closed in."""
    if width < least or height < least:
        raise BadInput(f"{what} need a map of at least {least}x{least}, not {width}x{height}", fix=f"ask for {max(width, least) | 1}x{max(height, least) | 1}")
    if width % 2 == 0 or height % 2 == 0:
        raise BadInput(f"{what} need odd sides, not {width}x{height}", fix=f"ask for {width | 1}x{height | 1}")
