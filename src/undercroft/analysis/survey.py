"""Find the regions, doors and links of any map from the roles of its tiles."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis import reach
from undercroft.analysis.doorways import build_door_links, build_doorway_links
from undercroft.analysis.flow_rooms import name_flow_rooms
from undercroft.analysis.one_way import mark_one_way_links
from undercroft.analysis.spans import distinct_pairs, find_components
from undercroft.core.level import Level
from undercroft.core.palette import DOOR_ROLES, Palette, look_up_tiles
from undercroft.core.region import (
    DOOR_DTYPE,
    LINK_DTYPE,
    REGION_BOX_DTYPE,
    REGION_DTYPE,
    REGION_KINDS,
    Door,
    Link,
    Regions,
    Rows,
    view_doors,
    view_links,
)
from undercroft.core.run import Run
from undercroft.inputs.arguments import require_name
from undercroft.kernels import buffer, flat_buffer, tables
from undercroft.kernels import reach as kernel

ROOM, CORRIDOR, DOOR = 1, 2, 3
"""The class of a cell in the survey; the door roles are 3, 4, 5 and 6."""
STAIRS = 7
"""Stairs, until the region that they belong to is known."""

BESIDE_COLUMN = 5
"""The column of `_list_doors` that says whether another door is next to one."""
_NO_DOOR_ROWS, _NO_CONTACTS = np.zeros((0, 6), np.int32), np.zeros((0, 2), np.int32)


class SurveyResult(NamedTuple):
    regions: Regions
    doors: Rows[Door]
    links: Rows[Link]


@functools.lru_cache(maxsize=16)
def classify_codes(palette: Palette) -> NDArray[np.uint8]:
    """The table code -> 0 closed, 1 ground of a room, 2 corridor, 3 to 6 a door, 7 stairs."""
    table = np.zeros(256, np.uint8)
    for code, tile in enumerate(palette.tiles):
        if tile.role in DOOR_ROLES:
            table[code] = DOOR + DOOR_ROLES.index(tile.role)
        elif tile.role in ("entry", "exit"):
            table[code] = STAIRS
        elif tile.role == "corridor":
            table[code] = CORRIDOR
        elif tile.walkable:
            table[code] = ROOM
    table.setflags(write=False)
    return table


def survey_tiles(
    tiles: NDArray[np.uint8], palette: Palette, *, kind: str = "room", run: Run | None = None
) -> SurveyResult:
    """The regions, doors and links of a map.

    Connected ground is a region of that kind, connected corridor cells are a corridor, door cells join the regions that
    they touch. Adjacent door cells between the same two regions are one link.

    >>> level = Level.parse('''
    ...     #######
    ...     #..+,,#
    ...     #######
    ... ''')
    >>> found = survey_tiles(level.tiles, level.palette)
    >>> [(region.kind, region.area) for region in found.regions], found.links[0].kind
    ([('room', 2), ('corridor', 2)], 'door')

    Cost: two passes over the cells and two over their spans, or one search if all of them are one region.
    """
    run = run or Run()
    kinds, most = _classify_with_greatest(tiles, palette)
    if piece := _find_single_region(kinds, most, tiles, palette, run):
        labelled, (x, y, right, bottom, area) = piece
        run.spend(2 * tiles.size)
        only = np.array([(_kind_table(kind).item(most), x, y, right - x + 1, bottom - y + 1, area)], REGION_DTYPE)
        return SurveyResult(Regions(labelled, only), view_doors(), view_links())
    has_doors = most >= DOOR
    found = find_components(kinds, run, unlabelled=DOOR)
    labelled, boxes = found.labels(kinds.shape, run), found.boxes
    table = np.empty(len(boxes), REGION_DTYPE)
    table["kind"], table["area"] = _kind_table(kind)[boxes[:, 5]], boxes[:, 4]
    boxes[:, 2:4] += 1 - boxes[:, 0:2]
    table.view(REGION_BOX_DTYPE)["box"] = boxes[:, :4]
    regions = Regions(labelled, table)
    contacts = found.find_contacts()
    rows = _list_doors(kinds, labelled, found.spans) if has_doors else _NO_DOOR_ROWS
    if _all_walkable(palette) and not rows[:, BESIDE_COLUMN].any():
        parts = _count_parts(labelled, len(regions), rows, contacts)
        reach.remember_components(tiles, palette.walkable, parts, run)
    return _build_links(regions, rows, contacts)


def add_doors_and_links(regions: Regions, kinds: NDArray[np.uint8]) -> SurveyResult:
    """The regions with the doors and links between them. `kinds` holds the class of each cell, from
    `classify_cells`.
    """
    contacts = find_contacts(regions.labels) if len(regions) > 1 else _NO_CONTACTS
    doors = find_components(kinds, Run(), unlabelled=0).spans
    return _build_links(regions, _list_doors(kinds, regions.labels, doors), contacts)


def _build_links(regions: Regions, rows: NDArray[np.int32], touching: NDArray[np.int32]) -> SurveyResult:
    """The regions with their doors and links, from the rows of doors and the pairs of regions that touch."""
    labelled = regions.labels
    found = np.empty(len(rows), DOOR_DTYPE)
    tables.write_doors(buffer(found.view(np.uint8)), buffer(rows), DOOR)
    through = build_doorway_links(found, labelled) if rows[:, BESIDE_COLUMN].any() else build_door_links(found)
    return SurveyResult(regions, view_doors(found), view_links(_add_contacts(through, touching)))


def classify_cells(tiles: NDArray[np.uint8], palette: Palette) -> NDArray[np.uint8]:
    """The class of each cell: 0 closed, 1 ground of a room, 2 corridor, 3 and more a door. Stairs in a corridor belong
    to the corridor.
    """
    return _classify_with_greatest(tiles, palette)[0]


def classify_roles(tiles: NDArray[np.uint8], palette: Palette) -> NDArray[np.uint8]:
    """The same with one class for all doors: 0 closed, 1 ground of a room, 2 corridor, 3 a door."""
    roles = look_up_tiles(_role_codes(palette), tiles)
    if np.maximum.reduce(roles, axis=None) < STAIRS:
        return roles
    return np.minimum(classify_cells(tiles, palette), DOOR)


@functools.lru_cache(maxsize=16)
def _role_codes(palette: Palette) -> NDArray[np.uint8]:
    """The table of `classify_codes` with one class for all doors."""
    table = classify_codes(palette)
    return np.where(table == STAIRS, table, np.minimum(table, DOOR))


def _classify_with_greatest(tiles: NDArray[np.uint8], palette: Palette) -> tuple[NDArray[np.uint8], int]:
    """The same, and the greatest class."""
    kinds = look_up_tiles(classify_codes(palette), tiles)
    most = int(np.maximum.reduce(kinds, axis=None))
    if most == STAIRS:
        kinds = kinds.copy()
        stairs = kinds == STAIRS
        kinds[stairs] = ROOM
        beside = {kind: np.zeros(tiles.shape, bool) for kind in (ROOM, CORRIDOR)}
        for kind, near in beside.items():
            of_kind = (kinds == kind) & ~stairs
            near[1:] |= of_kind[:-1]
            near[:-1] |= of_kind[1:]
            near[:, 1:] |= of_kind[:, :-1]
            near[:, :-1] |= of_kind[:, 1:]
        kinds[stairs & beside[CORRIDOR] & ~beside[ROOM]] = CORRIDOR
        most = int(kinds.max())
    return kinds, most


def _find_single_region(
    kinds: NDArray[np.uint8], most: int, tiles: NDArray[np.uint8], palette: Palette, run: Run
) -> tuple[NDArray[np.int32], tuple[int, int, int, int, int]] | None:
    """The labels, box and area of a map that is one region, as caves and mazes are; None if it is not. It takes one
    search, which later callers share through the cache.
    """
    if not 0 < most < DOOR or not _all_walkable(palette):
        return None
    if most == ROOM:
        cells = kinds.view(bool)
    else:
        cells = kinds == most
        if np.count_nonzero(cells) < np.count_nonzero(kinds):
            return None
    cells.setflags(write=False)
    found = reach.flood_map(tiles, palette.walkable, run, cells)
    if not found.is_connected:
        return None
    return cells.astype(np.int32), (*reach.bounding_box(cells), found.open)


@functools.lru_cache(maxsize=16)
def _all_walkable(palette: Palette) -> bool:
    """Whether the cells of regions and doors are exactly the walkable cells. This holds unless a palette has doors or
    corridors that are not walkable.
    """
    return np.array_equal(classify_codes(palette) > 0, palette.walkable)


@functools.cache
def _kind_table(kind: str) -> NDArray[np.uint8]:
    """The table from the class of a cell to the kind of its region."""
    return np.array([0, REGION_KINDS.index(kind), REGION_KINDS.index("corridor")], np.uint8)


def _list_doors(kinds: NDArray[np.uint8], labelled: NDArray[np.int32], spans: NDArray[np.int32]) -> NDArray[np.int32]:
    """The doors as rows x, y, a, b, class, and 1 if the cell to the left or above is a door too."""
    height, width = kinds.shape
    grids = flat_buffer(kinds), flat_buffer(labelled), buffer(spans)
    return reach.collect_rows(
        6, lambda room: int(kernel.list_doors(*grids, buffer(room), width, height, DOOR)), 256 + kinds.size // 32
    )


def _count_parts(labelled: NDArray[np.int32], count: int, rows: NDArray[np.int32], contacts: NDArray[np.int32]) -> int:
    """The number of connected sets of cells of regions and doors, where no two doors are next to each other. It costs
    far less than a search over the map.
    """
    height, width = labelled.shape
    parent = np.empty(count + 1, np.int32)
    return int(kernel.count_parts(flat_buffer(labelled), buffer(rows), buffer(contacts), buffer(parent), width, height))


def find_contacts(labelled: NDArray[np.int32]) -> NDArray[np.int32]:
    """Pairs of labels on neighbouring cells, the smaller first, each pair once and in order."""
    height, width = labelled.shape
    pairs = reach.collect_rows(
        2, lambda room: int(kernel.list_contacts(flat_buffer(labelled), buffer(room), width, height))
    )
    return distinct_pairs(pairs)


def _add_contacts(through: NDArray[Any], touching: NDArray[np.int32]) -> NDArray[Any]:
    """The links through doorways, and a link for every two regions that touch."""
    if not len(touching):
        return through
    table = np.zeros(len(through) + len(touching), LINK_DTYPE)
    table[: len(through)] = through
    open_part = table[len(through) :]
    open_part["a"], open_part["b"], open_part["door"], open_part["carved"] = touching[:, 0], touching[:, 1], -1, True
    return table


def surveyed(level: Level, *, kind: str = "room") -> Level:
    """The level with its regions, doors and links found again."""
    from undercroft.core.draft import Draft

    require_name("kind of region", kind, REGION_KINDS)
    draft = Draft.of(level)
    draft.regions, draft.doors, found = survey_tiles(draft.tiles, draft.palette, kind=kind)
    draft.links = mark_one_way_links(found, draft.doors, draft.things, draft.regions.labels)
    if draft.flow is not None:
        name_flow_rooms(draft.regions, draft.flow)
    return draft.level(level.provenance)
