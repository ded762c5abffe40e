"""Regions as boxes, for steps that plan with rectangles."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from undercroft.core.draft import Draft
from undercroft.core.region import (
    LINK_DTYPE,
    LINK_KINDS,
    REGION_BOX_DTYPE,
    REGION_DTYPE,
    REGION_KINDS,
    Link,
    Regions,
    Rows,
    view_links,
)
from undercroft.core.run import Run
from undercroft.kernels import buffer, flat_buffer, plan, tables

CELL, ROOM, CORRIDOR = (REGION_KINDS.index(kind) for kind in ("cell", "room", "corridor"))
CELLS = np.array([kind == "cell" for kind in REGION_KINDS], np.uint8)
JOINED = np.array([kind not in ("cell", "corridor") for kind in REGION_KINDS], np.uint8)
"""For each kind of region whether it is a cell, and whether hallways join it."""
_OPEN_LINK = LINK_KINDS.index("open")
Boxes = NDArray[np.int32]
"""Rows of x, y, width, height."""


def regions_of(draft: Draft) -> Regions:
    """The regions of a draft; an empty table if it has none."""
    return Regions.empty(draft.height, draft.width) if draft.regions is None else draft.regions


def boxes_of(table: NDArray[Any]) -> Boxes:
    """The boxes of a table of regions."""
    rows: Boxes = table.view(REGION_BOX_DTYPE)["box"].copy()
    return rows


def list_boxes(
    table: NDArray[Any], kinds: NDArray[np.uint8], *, least_area: int = 0, filled: bool = False
) -> tuple[NDArray[np.int32], Boxes]:
    """The indices and the boxes of the regions of these kinds, with that area or more; with `filled`, only of those
    that fill their boxes.
    """
    numbers, boxes = np.empty(len(table), np.int32), np.empty((len(table), 4), np.int32)
    count = tables.list_boxes(
        buffer(rows_as_bytes(table)), buffer(kinds), least_area, filled, buffer(boxes), buffer(numbers)
    )
    return numbers[:count], boxes[:count]


def rows_as_bytes(table: NDArray[Any]) -> NDArray[np.uint8]:
    """The rows of a table for the kernels of `tables`."""
    return table.view(np.uint8)


def build_region_table(boxes: Boxes, kind: int) -> NDArray[Any]:
    """A table of regions that fill their boxes."""
    table = np.empty(len(boxes), REGION_DTYPE)
    tables.write_regions(buffer(rows_as_bytes(table)), 0, buffer(boxes), kind)
    return table


def select_regions(regions: Regions, stays: NDArray[np.bool_]) -> tuple[Regions, NDArray[np.int32]]:
    """The regions that stay, renumbered, and a table from old label to new label, 0 for removed regions."""
    labels, table, names = _select_with_room(regions, stays, 0)
    return Regions(labels, table, *_relabelled(regions, names)), names


def _select_with_room(
    regions: Regions, stays: NDArray[np.bool_], more: int
) -> tuple[NDArray[np.int32], NDArray[Any], NDArray[np.int32]]:
    """The labels and the rows of the regions that stay, renumbered, with room for so many rows after them; and a table
    from old label to new label.
    """
    names, labels = np.empty(len(stays) + 1, np.int32), np.empty(regions.labels.shape, np.int32)
    table = np.empty(int(np.count_nonzero(stays)) + more, REGION_DTYPE)
    old = flat_buffer(regions.labels), buffer(rows_as_bytes(regions.table)), buffer(stays.view(np.uint8))
    tables.select_regions(*old, buffer(names), flat_buffer(labels), buffer(rows_as_bytes(table)))
    return labels, table, names


def place_boxes(
    draft: Draft,
    boxes: Boxes,
    kind: int,
    run: Run,
    *,
    tile: int = -1,
    stays: NDArray[np.bool_] | None = None,
    was: NDArray[np.integer[Any]] | None = None,
) -> Regions:
    """The regions of a draft that stay (none by default), followed by one region per box. Each box is drawn with `tile`
    unless that is negative.

    `was` holds, for each box, the index of the region whose tags it takes over. Where boxes overlap, the label grid
    holds the last.
    """
    regions, count = draft.regions, len(boxes)
    if regions is not None and stays is not None and np.count_nonzero(stays):
        labels, table, names = _select_with_room(regions, stays, count)
    else:
        labels, table = np.zeros(draft.tiles.shape, np.int32), np.empty(count, REGION_DTYPE)
        names = np.zeros(1 if regions is None else len(regions) + 1, np.int32)
    others = len(table) - count
    tables.write_regions(buffer(rows_as_bytes(table)), others, buffer(boxes), kind)
    state = np.zeros(1, np.int64)
    grids = flat_buffer(draft.tiles), flat_buffer(labels)
    args = buffer(state), buffer(boxes), others + 1, *grids, max(0, tile), tile >= 0, draft.width
    run.spend(labels.size)
    run.drive(lambda fuel: int(plan.paint_boxes(*args, fuel)))
    if regions is None or not (regions.tags or regions.templates or regions.names):
        return Regions(labels, table)
    if was is not None:
        names[was + 1] = np.arange(others + 1, others + count + 1)
    return Regions(labels, table, *_relabelled(regions, names))


def _relabelled(regions: Regions, names: NDArray[np.int32]) -> tuple[dict[int, Any], ...]:
    """The tags, templates and names of regions under their new labels, without those of removed regions."""
    return tuple(
        {int(names[label]): value for label, value in values.items() if names[label]}
        for values in (regions.tags, regions.templates, regions.names)
    )


def room_labels_and_boxes(draft: Draft) -> tuple[NDArray[np.int32], Boxes]:
    """The labels and boxes of the regions that hallways join: all but cells and corridors."""
    numbers, boxes = list_boxes(regions_of(draft).table, JOINED, least_area=1)
    return numbers + 1, boxes


def plan_links(labels: NDArray[np.int32], pairs: NDArray[np.int32]) -> Rows[Link]:
    """Links that are not yet carved, for pairs of indices into `labels`; the smaller label first."""
    table = np.empty(len(pairs), LINK_DTYPE)
    tables.write_links(buffer(rows_as_bytes(table)), _OPEN_LINK, buffer(labels), buffer(pairs))
    return view_links(table)


def plan_pairs(ends: NDArray[np.int32]) -> Rows[Link]:
    """Links that are not yet carved, for pairs of labels; the smaller label first."""
    table = np.zeros(len(ends), LINK_DTYPE)
    ends.sort(axis=1)
    table["a"], table["b"] = ends.T
    table["door"] = -1
    return view_links(table)
