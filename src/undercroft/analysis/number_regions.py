"""Number regions in the order in which they are reached from the start."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from undercroft.core.draft import Draft
from undercroft.core.passable import open_cells
from undercroft.core.region import LINK_KINDS, REGION_KINDS, Door, Link, Regions, Rows
from undercroft.core.run import Run
from undercroft.kernels import buffer, flat_buffer, tables
from undercroft.kernels import regions as kernel

T = TypeVar("T")
CORRIDOR = REGION_KINDS.index("corridor")
ONE_WAY = LINK_KINDS.index("one-way")
OUT_OF_REACH, LAST = 1 << 60, 1 << 61
"""What is added to the numbers that regions are sorted by: more than any number of steps times cells."""


class NumberedTables(NamedTuple):
    """Regions, doors and links that name them by their new labels."""

    regions: Regions
    doors: Rows[Door]
    links: Rows[Link]


def number_regions(draft: Draft, run: Run) -> None:
    """Give the regions of a draft new labels, in the order of `order_regions`. Doors, links, tags, templates and names
    follow them.

    >>> from undercroft.core.level import Level
    >>> draft = Draft.of(Level.parse('''
    ...     ###########
    ...     #1,,222#33#
    ...     #########.#
    ...     ###########''').replace(start=(5, 1)))
    >>> number_regions(draft, Run())
    >>> [(room.label, room.x) for room in draft.regions]
    [(1, 4), (2, 1), (3, 8)]
    """
    regions = draft.regions
    if regions is None or len(regions) < 2:
        return
    order = order_regions(draft, run)
    if order == list(range(1, len(order) + 1)):
        return
    draft.regions, draft.doors, draft.links = rename_regions(NumberedTables(regions, draft.doors, draft.links), order)


def order_regions(draft: Draft, run: Run) -> list[int]:
    """The labels of the regions by steps from the start: rooms, then corridors, and among each those that can be
    reached first. Between equals, the row of the nearest cell decides, then its column.

    Cells of things that block are closed; doors of all kinds are open. Without a start, it is the reading order of the
    first cells.
    """
    regions = draft.regions
    assert regions is not None
    first = _find_region_steps(draft, regions, run)
    if first[1:].min() < 0:
        cells = _find_first_cells(regions)
        first = np.where(first < 0, OUT_OF_REACH + cells, first)
    first[1:][regions.table["kind"] == CORRIDOR] += LAST
    keys = first.tolist()
    return sorted(range(1, len(keys)), key=keys.__getitem__)


def _find_region_steps(draft: Draft, regions: Regions, run: Run) -> NDArray[np.int64]:
    """For each label a number that grows with the steps to it, and then with its nearest cell; -1 for those out of
    reach.
    """
    height, width = draft.tiles.shape
    first = np.full(len(regions) + 1, -1, np.int64)
    if draft.start is None:
        return first
    if "doors" in draft.layers:
        return _find_steps_on_grid(draft, regions)
    x, y = draft.start
    stride = width + 1
    field = np.empty((height + 2) * stride, np.int32)
    is_open = draft.palette.walkable.view(np.uint8)
    if any(thing.data.get("blocks") is True for thing in draft.things):
        tiles, is_open = open_cells(draft).view(np.uint8), np.arange(256, dtype=np.uint8)
    else:
        tiles = draft.tiles
    kernel.label_open_cells(
        flat_buffer(tiles), buffer(is_open), flat_buffer(regions.labels), buffer(field), width, height
    )
    cell = (y + 1) * stride + x + 1
    label = int(regions.labels[y, x])
    first[label] = cell
    field[cell] = -1
    queue = np.empty(field.size, np.int32)
    queue[0] = cell
    state = np.array([0, 1, 1, 0], np.int64)
    args = buffer(state), buffer(field), buffer(queue), buffer(first), stride
    run.drive(lambda fuel: int(kernel.find_region_steps(*args, fuel)))
    return first


def _find_steps_on_grid(draft: Draft, regions: Regions) -> NDArray[np.int64]:
    """The same for a room grid, where only links tell which neighbours are joined."""
    assert draft.start is not None
    cells = _find_first_cells(regions)
    near: dict[int, list[int]] = {}
    for a, b in draft.links.table[["a", "b"]].tolist():
        near.setdefault(a, []).append(b)
        near.setdefault(b, []).append(a)
    first = np.full(len(regions) + 1, -1, np.int64)
    waiting = [int(regions.labels[draft.start[1], draft.start[0]])]
    steps = 0
    while waiting:
        first[waiting] = steps * regions.labels.size + cells[waiting]
        waiting = sorted({other for label in waiting for other in near.get(label, ()) if other and first[other] < 0})
        steps += 1
    return first


def _view_bytes(table: NDArray[Any]) -> Any:
    """The bytes of a table, as the kernels take them."""
    return buffer(np.ascontiguousarray(table).view(np.uint8))


def _find_first_cells(regions: Regions) -> NDArray[np.int64]:
    """The index of the first cell of each label in reading order; for one without cells, one beyond all."""
    found = np.full(len(regions) + 1, regions.labels.size, np.int64)
    labels, cells = np.unique(regions.labels, return_index=True)
    found[labels] = cells
    return found


def rename_regions(old: NumberedTables, order: list[int]) -> NumberedTables:
    """The regions in this order of their labels."""
    regions, doors, links = old
    names = np.zeros(len(order) + 1, np.int32)
    names[order] = np.arange(1, len(order) + 1, dtype=np.int32)
    labels, table = np.empty_like(regions.labels), np.empty_like(regions.table)
    door_table, link_table = np.empty_like(doors.table), np.empty_like(links.table)
    tables.rename_regions(
        flat_buffer(regions.labels),
        *(_view_bytes(each) for each in (regions.table, doors.table, links.table)),
        buffer(names),
        ONE_WAY,
        flat_buffer(labels),
        *(_view_bytes(each) for each in (table, door_table, link_table)),
    )
    new = names.tolist()

    def follow(about: dict[int, T]) -> dict[int, T]:
        return {new[label]: about[label] for label in order if label in about}

    return NumberedTables(
        Regions(labels, table, follow(regions.tags), follow(regions.templates), follow(regions.names)),
        doors.with_table(door_table),
        links.with_table(link_table),
    )
