"""Steps that find regions, ends and the path of interest, and change no tile."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from undercroft.analysis import reach
from undercroft.core.draft import Draft
from undercroft.core.rng import Rng
from undercroft.core.run import Run
from undercroft.steps.facts.given_ends import (
    Cell,
    GivenEnds,
    Reach,
    build_no_way_error,
    place_given_ends,
    set_ends,
)

Weight = Annotated[int, Meta(ge=0, le=1_000_000)]


@dataclass(frozen=True, kw_only=True)
class Survey:
    """Find regions, doors and links from the roles of the tiles."""

    kind: Literal["room", "cave", "cell", "vault"] = "room"
    """The kind of region that connected ground becomes; connected corridor cells become a corridor."""

    edition: ClassVar[int] = 2
    needs: ClassVar[tuple[str, ...]] = ("tiles",)
    gives: ClassVar[tuple[str, ...]] = ("regions", "doors", "links")
    spoils: ClassVar[tuple[str, ...]] = ()

    def apply(self, draft: Draft, rng: Rng, run: Run) -> None:  # noqa: ARG002
        from undercroft.analysis import survey  # not needed for ends alone
        from undercroft.analysis.one_way import mark_one_way_links

        draft.regions, draft.doors, found = survey.survey_tiles(draft.tiles, draft.palette, kind=self.kind, run=run)
        draft.links = mark_one_way_links(found, draft.doors, draft.things, draft.regions.labels)


@dataclass(frozen=True, kw_only=True)
class Ends:
    """Place start and end far apart, with the shortest path between them: the end is a cell farthest from the start,
    and the start is a cell farthest from some cell.

    Start and end avoid cells with things: the start moves to the nearest cell without one, and the end is the farthest
    such cell, if there is one.

    If the start or the end is given, the other one is the farthest cell; if both are, the path joins them.
    """

    start: Cell = ()
    """The cell [x, y] to start from, counted from 0 at the top left; by default the step chooses it."""
    end: Cell = ()
    """The cell [x, y] to end at; by default the step chooses it."""
    reach: Reach = "exact"
    """If a given cell cannot be walked on: give up, take the nearest cell that can, or dig a corridor to it."""

    edition: ClassVar[int] = 2
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
        if self._given_ends:
            place_given_ends(self._given_ends, draft, run)
            return
        found = reach.flood_map(draft.tiles, draft.palette.walkable, run)
        draft.forget(("ends", "path"))
        if found.last is not None:
            flood = reach.flood_back(found, run)
            draft.start, draft.end, draft.path = found.last, flood.farthest, flood.path_to_farthest()
            if {(thing.x, thing.y) for thing in draft.things} & {draft.start, draft.end}:
                self._move_off_things(draft, found.cells, run)

    def _move_off_things(self, draft: Draft, cells: NDArray[np.bool_], run: Run) -> None:
        """Move start and end to cells without things."""
        assert draft.start is not None
        free = cells.copy()
        for thing in draft.things:
            free[thing.y, thing.x] = False
        steps = reach.distances(cells, [draft.start], run)
        near = np.where(free & (steps >= 0), steps, steps.size)
        if near.min() == steps.size:
            return  # every reachable cell has a thing
        y, x = divmod(int(near.argmin()), cells.shape[1])
        field = reach.DistanceField(cells, [(x, y)], run)
        far = np.where(free, field.steps, -1)
        to_y, to_x = divmod(int(far.argmax()), cells.shape[1])
        draft.start, draft.end, draft.path = (x, y), (to_x, to_y), field.path_to(to_x, to_y)


@dataclass(frozen=True, kw_only=True)
class Interest:
    """Find the path of interest: the longest of all shortest paths over rooms, doors, branching points and corridor
    runs. It gives start, end and path.

    A weight of 0 means the default. If the start or the end is given, it is the longest of the shortest paths from
    there; if both are, it is the shortest path between them.
    """

    room: Weight = 0
    """Weight of a room; by default (width + height) // 2."""
    run: Weight = 0
    """Weight of a corridor run; by default the number of its cells."""
    branch: Weight = 0
    """Weight of a branching point; by default 1."""
    door: Weight = 0
    """Weight of a door; by default 1."""
    start: Cell = ()
    """The cell [x, y] to start from, counted from 0 at the top left; by default the step chooses it."""
    end: Cell = ()
    """The cell [x, y] to end at; by default the step chooses it."""
    reach: Reach = "exact"
    """If a given cell cannot be walked on: give up, take the nearest cell that can, or dig a corridor to it."""

    edition: ClassVar[int] = 1
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
        from undercroft.analysis.interest import path_of_interest, path_of_interest_from  # not needed for ends alone

        weights = {
            name: value
            for name, value in (("room", self.room), ("run", self.run), ("branch", self.branch), ("door", self.door))
            if value
        }
        if self._given_ends:
            start, end = self._given_ends.resolve(draft, run)
            cells = path_of_interest_from(draft.tiles, draft.palette, start, end, weights, run).cells
            if not len(cells):
                raise build_no_way_error(start, end)
        else:
            cells = path_of_interest(draft.tiles, draft.palette, weights, run).cells
        draft.forget(("ends", "path"))
        if len(cells):
            set_ends(draft, cells)
