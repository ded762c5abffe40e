"""The step that places start and end far apart, with stairs on them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis import reach
from undercroft.core.draft import Draft
from undercroft.core.rng import Rng
from undercroft.core.run import Run
from undercroft.steps.end_stairs import find_end_stairs, write_end_stairs
from undercroft.steps.facts.given_ends import (
    Cell,
    GivenEnds,
    Reach,
    find_farthest_free,
    list_places_of_things,
    place_given_ends,
    set_ends,
)


@dataclass(frozen=True, kw_only=True)
class Ends:
    """Place start and end far apart, with the shortest path between them: the end is a cell farthest from the start,
    and the start is a cell farthest from some cell.

    Start and end avoid cells with things: the start moves to the nearest cell without one, and the end is the farthest
    such cell, if there is one. Things of the kind `stairs` are not avoided.

    The start becomes stairs `<`, the end stairs `>`: two tiles are written, and those of the ends before become ground
    again. A door, a frozen cell and a cell with a thing that blocks keep their tiles.

    If the start or the end is given, the other one is the farthest cell; if both are, the path joins them.
    """

    start: Cell = ()
    """The cell [x, y] to start from, counted from 0 at the top left; by default the step chooses it."""
    end: Cell = ()
    """The cell [x, y] to end at; by default the step chooses it."""
    reach: Reach = "exact"
    """If a given cell cannot be walked on: give up, take the nearest cell that can, or dig a corridor to it."""
    stairs: bool = True
    """Whether the tiles of both ends become `<` and `>`."""

    edition: ClassVar[int] = 3
    needs: ClassVar[tuple[str, ...]] = ("tiles",)
    gives: ClassVar[tuple[str, ...]] = ("ends", "path")
    spoils: ClassVar[tuple[str, ...]] = ("locks",)

    def __post_init__(self) -> None:
        self._given_ends.check_points()

    @property
    def _given_ends(self) -> GivenEnds:
        return GivenEnds(self.start, self.end, self.reach)

    def check(self, width: int, height: int) -> None:
        """Refuse ends outside of the level."""
        self._given_ends.check(width, height)

    def apply(self, draft: Draft, rng: Rng, run: Run) -> None:  # noqa: ARG002
        before = find_end_stairs(draft)
        if self._given_ends:
            place_given_ends(self._given_ends, draft, run)
        else:
            self._place_far_apart(draft, run)
        if self.stairs:
            write_end_stairs(draft, before, run)

    def _place_far_apart(self, draft: Draft, run: Run) -> None:
        found, path = reach.find_far_ends(draft.tiles, draft.palette.walkable, run)
        draft.forget(("ends", "path"))
        if found.across is not None:
            draft.start, draft.end, draft.path = found.last, found.across[0], path
            if draft.things and list_places_of_things(draft) & {draft.start, draft.end}:
                self._move_off_things(draft, found.cells, run)

    def _move_off_things(self, draft: Draft, cells: NDArray[np.bool_], run: Run) -> None:
        """Move start and end to cells without things."""
        assert draft.start is not None
        free = cells.copy()
        for x, y in list_places_of_things(draft):
            free[y, x] = False
        steps = reach.distances(cells, [draft.start], run)
        near = np.where(free & (steps >= 0), steps, steps.size)
        if near.min() == steps.size:
            return  # every reachable cell has a thing
        y, x = divmod(int(near.argmin()), cells.shape[1])
        field = reach.DistanceField(cells, [(x, y)], run)
        set_ends(draft, field.path_to(*find_farthest_free(field, draft)))
