"""Regions as boxes, for steps that plan with rectangles."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from undercroft.core.draft import Draft
from undercroft.core.region import (
    LINK_DTYPE,
    LINK_PAIR_DTYPE,
    REGION_BOX_DTYPE,
    REGION_DTYPE,
    REGION_KINDS,
    Link,
    Regions,
    Rows,
    join_tables,
    view_links,
)
from undercroft.core.run import Run
from undercroft.kernels import buffer, flat_buffer, plan

CELL, ROOM, CORRIDOR = (REGION_KINDS.index(kind) for kind in ("cell", "room", "corridor"))
_IS_JOINED = np.array([kind not in ("cell", "corridor") for kind in REGION_KINDS])
"""For each kind of region, whether hallways join it."""
Boxes = NDArray[np.int32]
"""Rows of x, y, width, height."""


def regions_of(draft: Draft) -> Regions:
    """The regions of a draft; an empty table if it has none."""
    return Regions.empty(draft.height, draft.width) if draft.regions is None else draft.regions


def boxes_of(table: NDArray[Any]) -> Boxes:
    """The boxes of a table of regions."""
    rows: Boxes = table.view(REGION_BOX_DTYPE)["box"].copy()
    return rows


def build_region_table(boxes: Boxes, kind: int) -> NDArray[Any]:
    """A table of regions that fill their boxes."""
    table = np.empty(len(boxes), REGION_DTYPE)
    rows = table.view(REGION_BOX_DTYPE)
    rows["kind"], rows["box"], rows["area"] = kind, boxes, boxes[:, 2] * boxes[:, 3]
    return table


def select_regions(regions: Regions, stays: NDArray[np.bool_]) -> tuple[Regions, NDArray[np.int32]]:
    """The regions that stay, renumbered, and a table from old label to new label, 0 for removed regions."""
    names = np.zeros(len(stays) + 1, np.int32)
    count = int(np.count_nonzero(stays))
    if not count:
        return Regions(np.zeros(regions.labels.shape, np.int32), regions.table[:0]), names
    names[1:][stays] = np.arange(1, count + 1, dtype=np.int32)
    if count == len(stays):
        labels, table = regions.labels.copy(), regions.table
    else:
        labels, table = np.empty_like(regions.labels), regions.table[stays]
        plan.rename_cells(flat_buffer(regions.labels), buffer(names), flat_buffer(labels))
    return Regions(labels, table, *(_relabelled(values, names) for values in _values_by_label(regions))), names


def place_boxes(
    draft: Draft,
    boxes: Boxes,
    kind: int,
    run: Run,
    *,
    tile: int = -1,
    stays: NDArray[np.bool_] | None = None,
    was: NDArray[np.intp] | None = None,
) -> Regions:
    """The regions of a draft that stay (none by default), followed by one region per box. Each box is drawn with `tile`
    unless that is negative.

    `was` holds, for each box, the index of the region whose tags it takes over. Where boxes overlap, the label grid
    holds the last.
    """
    regions = regions_of(draft)
    others, _ = select_regions(regions, np.zeros(len(regions), bool) if stays is None else stays)
    names = np.arange(len(others) + 1, len(others) + len(boxes) + 1, dtype=np.int32)
    state = np.zeros(1, np.int64)
    args = (
        buffer(state),
        buffer(boxes),
        buffer(names),
        flat_buffer(draft.tiles),
        flat_buffer(others.labels),
        max(0, tile),
        tile >= 0,
        draft.width,
    )
    run.spend(others.labels.size)
    run.drive(lambda fuel: int(plan.paint_boxes(*args, fuel)))
    table = build_region_table(boxes, kind)
    if len(others):
        table = join_tables(others.table, table)
    if was is None or not any(_values_by_label(regions)):
        return Regions(others.labels, table, *_values_by_label(others))
    became = np.zeros(len(regions) + 1, np.int32)
    became[was + 1] = names
    told = (
        own | _relabelled(values, became)
        for own, values in zip(_values_by_label(others), _values_by_label(regions), strict=True)
    )
    return Regions(others.labels, table, *told)


def _values_by_label(regions: Regions) -> tuple[dict[int, Any], ...]:
    """The mappings of a table of regions that are keyed by label."""
    return regions.tags, regions.templates, regions.names


def _relabelled(values: dict[int, Any], names: NDArray[np.int32]) -> dict[int, Any]:
    """The values under their new labels, without those of removed regions."""
    return {int(names[label]): value for label, value in values.items() if names[label]}


def room_labels_and_boxes(draft: Draft) -> tuple[NDArray[np.int32], Boxes]:
    """The labels and boxes of the regions that hallways join: all but cells and corridors."""
    table = regions_of(draft).table
    found = (_IS_JOINED[table["kind"]] & (table["area"] > 0)).nonzero()[0]
    return (found + 1).astype(np.int32), boxes_of(table)[found]


def plan_links(labels: NDArray[np.int32], pairs: NDArray[np.int32]) -> Rows[Link]:
    """Links that are not yet carved, for pairs of indices into `labels`; the smaller label first."""
    table = np.zeros(len(pairs), LINK_DTYPE)
    ends = labels[pairs]
    ends.sort(axis=1)
    table.view(LINK_PAIR_DTYPE)["pair"] = ends
    table["door"] = -1
    return view_links(table)
