"""Number regions in the order in which they are reached from the start."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from undercroft.core.draft import Draft
from undercroft.core.passable import TilesWithThings, open_cells
from undercroft.core.region import LINK_KINDS, REGION_DTYPE, REGION_KINDS, Door, Link, Regions, Rows
from undercroft.core.run import Run
from undercroft.kernels import buffer, flat_buffer, tables
from undercroft.kernels import regions as kernel

CORRIDOR = REGION_KINDS.index("corridor")
ONE_WAY = LINK_KINDS.index("one-way")
OUT_OF_REACH = 1 << 60
"""What is added to the numbers of regions that cannot be reached: more than any number of steps times cells."""
Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
_OPEN = np.arange(256, dtype=np.uint8)
"""The table of tiles that are 1 where a cell is open."""


class NumberedTables(NamedTuple):
    """Regions, doors and links that name them by their new labels."""

    regions: Regions
    doors: Rows[Door]
    links: Rows[Link]


class Numbered(TilesWithThings, Protocol):
    """A level or a draft."""

    @property
    def regions(self) -> Regions | None: ...
    @property
    def doors(self) -> Rows[Door]: ...
    @property
    def links(self) -> Rows[Link]: ...
    @property
    def start(self) -> tuple[int, int] | None: ...
    @property
    def layers(self) -> Mapping[str, NDArray[Any]]: ...


def number_regions(draft: Draft, run: Run) -> None:
    """Give the regions of a draft new labels, in the order in which they are reached from the start. Doors, links,
    tags, templates and names follow them.

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
    found = number_tables(draft, run)
    if found is not None:
        draft.regions, draft.doors, draft.links = found


def number_tables(level: Numbered, run: Run) -> NumberedTables | None:
    """The regions, doors and links of a level or a draft by the labels that `number_regions` gives; None if all keep
    theirs.
    """
    regions = level.regions
    if regions is None or len(regions) < 2:
        return None
    names = _find_names(level, regions, run)
    return None if names is None else rename_regions(NumberedTables(regions, level.doors, level.links), names)


def _find_names(level: Numbered, regions: Regions, run: Run) -> Ints | None:
    """The new label of each region by its old one, for `number_regions`; None if all keep theirs.

    Regions are in the order of the steps to their nearest cells: rooms, then corridors, and among each those that can
    be reached first. Between equals, the row of the nearest cell decides, then its column. Cells of things that block
    are closed; doors of all kinds are open. Without a start, it is the reading order of the first cells.
    """
    count = len(regions)
    first = np.full(count + 1, -1, np.int64)
    names, found = np.empty(count + 1, np.int32), np.empty(count, np.int32)
    reached = 0
    if level.start is not None:
        search = _find_steps_on_grid if "doors" in level.layers else _find_region_steps
        reached = search(level, regions, first, found, run)
    if reached < count:
        cells = _find_first_cells(regions)
        first = np.where(first < 0, OUT_OF_REACH + cells, first)
        found = np.argsort(first[1:], kind="stable").astype(np.int32) + np.int32(1)
    same = kernel.name_regions(
        buffer(found), buffer(first), _view_bytes(regions.table), REGION_DTYPE.itemsize, CORRIDOR, buffer(names)
    )
    return None if same else names


def _find_region_steps(level: Numbered, regions: Regions, first: Longs, found: Ints, run: Run) -> int:
    """Set for each label that can be reached a number that grows with the steps to it, and then with its nearest cell.
    Lists them, nearly in order, and returns how many there are.
    """
    assert level.start is not None
    height, width = level.tiles.shape
    x, y = level.start
    stride = width + 1
    size = (height + 2) * stride
    tiles, is_open = level.tiles, level.palette.walkable.view(np.uint8)
    if level.things:
        tiles, is_open = open_cells(level).view(np.uint8), _OPEN
    cells, field, queue = np.empty(size, np.uint8), np.empty(size, np.int32), np.empty(size, np.int32)
    fields = buffer(cells), buffer(field)
    kernel.lay_out_fields(
        flat_buffer(tiles), buffer(is_open), flat_buffer(regions.labels), fields[0], fields[1], width, height
    )
    queue[0] = source = (y + 1) * stride + x + 1
    cells[source] = first[0] = 0
    state = np.array((0, 1, 1, 0, 0), np.int64)
    args = buffer(state), *fields, buffer(queue), buffer(first), buffer(found), stride
    run.drive(lambda fuel: int(kernel.find_region_steps(*args, fuel)))
    return int(state[4])


def _find_steps_on_grid(level: Numbered, regions: Regions, first: Longs, found: Ints, run: Run) -> int:
    """The same for a room grid, where only links tell which neighbours are joined."""
    assert level.start is not None
    cells = _find_first_cells(regions)
    near: dict[int, list[int]] = {}
    for a, b in level.links.table[["a", "b"]].tolist():
        near.setdefault(a, []).append(b)
        near.setdefault(b, []).append(a)
    waiting = [label] if (label := int(regions.labels[level.start[1], level.start[0]])) else []
    steps = count = 0
    while waiting:
        run.spend(len(waiting))
        first[waiting] = steps * regions.labels.size + cells[waiting]
        found[count : count + len(waiting)] = waiting
        count += len(waiting)
        waiting = sorted({other for label in waiting for other in near.get(label, ()) if other and first[other] < 0})
        steps += 1
    return count


def _view_bytes(table: NDArray[Any]) -> Any:
    """The bytes of a table, as the kernels take them."""
    return buffer((table if table.flags.c_contiguous else np.ascontiguousarray(table)).view(np.uint8))


def _find_first_cells(regions: Regions) -> NDArray[np.int64]:
    """The index of the first cell of each label in reading order; for one without cells, one beyond all."""
    found = np.full(len(regions) + 1, regions.labels.size, np.int64)
    labels, cells = np.unique(regions.labels, return_index=True)
    found[labels] = cells
    return found


def rename_regions(old: NumberedTables, names: Ints) -> NumberedTables:
    """The regions with other labels: `names` has the new one of each, and 0 for 0."""
    regions, doors, links = old
    labels, table = np.empty_like(regions.labels), np.empty_like(regions.table)
    door_table, link_table = np.empty_like(doors.table), np.empty_like(links.table)
    tables.rename_regions(
        flat_buffer(regions.labels),
        *(_view_bytes(regions.table), _view_bytes(doors.table), _view_bytes(links.table), buffer(names), ONE_WAY),
        *(flat_buffer(labels), _view_bytes(table), _view_bytes(door_table), _view_bytes(link_table)),
    )
    words = (_follow_names(about, names) for about in (regions.tags, regions.templates, regions.names))
    return NumberedTables(Regions(labels, table, *words), doors.with_table(door_table), links.with_table(link_table))


def _follow_names(about: dict[int, Any], names: Ints) -> dict[int, Any]:
    """What is said of regions, in the order of their new labels."""
    return dict(sorted((int(names[label]), words) for label, words in about.items())) if about else {}
