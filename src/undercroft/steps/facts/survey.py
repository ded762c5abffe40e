"""The step that finds regions, doors and links, and changes no tile."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from undercroft.analysis.flow_rooms import name_flow_rooms
from undercroft.analysis.one_way import mark_one_way_links
from undercroft.analysis.survey import survey_tiles
from undercroft.core.draft import Draft
from undercroft.core.rng import Rng
from undercroft.core.run import Run


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
        draft.regions, draft.doors, found = survey_tiles(draft.tiles, draft.palette, kind=self.kind, run=run)
        draft.links = mark_one_way_links(found, draft.doors, draft.things, draft.regions.labels)
        if draft.flow is not None:
            for note in name_flow_rooms(draft.regions, draft.flow):
                run.note(note)
