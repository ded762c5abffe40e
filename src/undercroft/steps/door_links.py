"""Update regions, doors and links after doors became locked or secret."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from undercroft.analysis.one_way import is_one_way_door, mark_one_way_links
from undercroft.analysis.reach import Point
from undercroft.analysis.survey import survey_tiles
from undercroft.core.draft import Draft
from undercroft.core.region import DOOR_STATES, LINK_KINDS, REGION_KINDS, Regions, view_doors, view_links
from undercroft.core.run import Run


def update_links(draft: Draft, changed: Sequence[Point], run: Run, state: str = "locked") -> None:
    """Mark doors that became locked or secret, and one-way doors, in doors and links. If no link goes through such a
    door, survey regions and links again.
    """
    table = draft.doors.table
    rows = {cell: number for number, cell in enumerate(zip(table["x"].tolist(), table["y"].tolist(), strict=True))}
    directed_doors = [(thing.x, thing.y) for thing in draft.things if is_one_way_door(thing)]
    if draft.regions is None or not _are_all_linked(draft, rows, [*changed, *directed_doors], directed_doors):
        old = draft.regions
        draft.regions, draft.doors, draft.links = survey_tiles(draft.tiles, draft.palette, run=run)
        if old is not None:
            draft.regions = _carry_over_facts(draft.regions, old)
    elif changed:
        shut = [rows[cell] for cell in changed]
        door_rows, link_rows = table.copy(), draft.links.table.copy()
        door_rows["state"][shut] = DOOR_STATES.index(state)
        link_rows["kind"][np.isin(link_rows["door"], shut)] = LINK_KINDS.index(state)
        draft.doors, draft.links = view_doors(door_rows), view_links(link_rows)
    draft.links = mark_one_way_links(draft.links, draft.doors, draft.things, draft.regions.labels)


def _are_all_linked(draft: Draft, rows: dict[Point, int], doors: Sequence[Point], one_way: Sequence[Point]) -> bool:
    """Whether a link goes through each of these doors, and whether the link of a one-way door joins the regions on both
    sides of it.

    A planned hallway is one link with one door, however many doors it has at its ends.
    """
    through = {door: {a, b} for a, b, door in draft.links.table[["a", "b", "door"]].tolist() if door >= 0}
    if any(rows.get(cell, -1) not in through for cell in doors):
        return False
    beside = {cell: set(draft.doors.table[["a", "b"]][rows[cell]].item()) for cell in one_way}
    return all(through[rows[cell]] == sides for cell, sides in beside.items())


def _carry_over_facts(regions: Regions, old: Regions) -> Regions:
    """The regions with facts of the old ones. A region with the same cells keeps its kind, tags, template and name;
    others get the most common kind.
    """
    was = np.zeros(len(regions) + 1, np.int32)
    labels, first = np.unique(regions.labels, return_index=True)
    was[labels] = old.labels.reshape(-1)[first]
    was[0] = 0
    areas = np.append(-1, old.table["area"])
    same = was * (areas[was] == np.append(0, regions.table["area"]))
    rooms = old.table["kind"][old.table["kind"] != REGION_KINDS.index("corridor")]
    if len(rooms):
        regions.table["kind"][regions.table["kind"] != REGION_KINDS.index("corridor")] = np.bincount(rooms).argmax()
    kept = np.flatnonzero(same)
    regions.table["kind"][kept - 1] = old.table["kind"][same[kept] - 1]
    every: tuple[dict[int, Any], ...] = old.tags, old.templates, old.names
    told = ({new: values[int(same[new])] for new in kept.tolist() if int(same[new]) in values} for values in every)
    return Regions(regions.labels, regions.table, *told)
