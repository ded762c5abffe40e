"""The step that divides large rooms and caves at their narrow places."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from msgspec import Meta

from undercroft.analysis.regions.divide_regions import divide_regions
from undercroft.core.draft import Draft
from undercroft.core.rng import Rng
from undercroft.core.run import Run

Cells = Annotated[int, Meta(ge=1, le=1_000_000_000)]


@dataclass(frozen=True, kw_only=True)
class Areas:
    """Divide large rooms and caves at their narrow places, so that each part has a number, things and a name of its
    own. No tile changes.

    Parts begin where the ground is widest, and grow until they meet. They meet in a narrow place if it is at most two
    thirds as wide as the narrower of both parts; other parts that meet are one. Small parts join the neighbour that
    they share most of their border with.

    Parts keep the kind, the tags and the template of their room, and open links join them. The largest one keeps its
    number and its name. Corridors stay whole. A later `survey` finds the whole rooms again.

    >>> from undercroft.core.level import Level
    >>> draft = Draft.of(Level.parse('''
    ...     ###################
    ...     #11111#############
    ...     #11111####1111111##
    ...     #1111111111111111##
    ...     #11111####1111111##
    ...     #11111####1111111##
    ...     ###################'''))
    >>> Areas(least_room=40).apply(draft, Rng.root(1).stream("areas"), Run())
    >>> [(room.x, room.width, room.area) for room in draft.regions], [link.kind for link in draft.links]
    ([(8, 9, 30), (1, 7, 27)], ['open'])
    """

    least_room: Cells = 151
    """The least number of cells of a room that is divided."""
    least_part: Cells = 20
    """The least number of cells of a part."""

    edition: ClassVar[int] = 1
    needs: ClassVar[tuple[str, ...]] = ("tiles", "regions")
    gives: ClassVar[tuple[str, ...]] = ("regions", "doors", "links")
    spoils: ClassVar[tuple[str, ...]] = ()

    def apply(self, draft: Draft, rng: Rng, run: Run) -> None:  # noqa: ARG002
        run.spend(draft.tiles.size)
        divide_regions(draft, self.least_room, self.least_part, run)
