"""The step that finds the path of interest, with stairs on its ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from msgspec import Meta

from undercroft.analysis.interest import path_of_interest, path_of_interest_from
from undercroft.core.draft import Draft
from undercroft.core.rng import Rng
from undercroft.core.run import Run
from undercroft.steps.end_stairs import find_end_stairs, write_end_stairs
from undercroft.steps.facts.given_ends import Cell, GivenEnds, Reach, build_no_way_error, set_ends

Weight = Annotated[int, Meta(ge=0, le=1_000_000)]


@dataclass(frozen=True, kw_only=True)
class Interest:
    """Find the path of interest: the longest of all shortest paths over rooms, doors, branching points and corridor
    runs. It gives start, end and path.

    A weight of 0 means the default. If the start or the end is given, it is the longest of the shortest paths from
    there; if both are, it is the shortest path between them.

    The start becomes stairs `<`, the end stairs `>`, as in `ends`.
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
    stairs: bool = True
    """Whether the tiles of both ends become `<` and `>`."""

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
        weights = {
            name: value
            for name, value in (("room", self.room), ("run", self.run), ("branch", self.branch), ("door", self.door))
            if value
        }
        before = find_end_stairs(draft)
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
        if self.stairs:
            write_end_stairs(draft, before, run)
