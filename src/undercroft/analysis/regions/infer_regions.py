"""Infer the structure of a map that has only tiles: rooms, the passages between them, caves, and the path."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis import reach
from undercroft.analysis.room_grids import is_room_grid
from undercroft.analysis.survey import add_doors_and_links, classify_cells, survey_tiles
from undercroft.core.level import Level
from undercroft.core.palette import DOOR_ROLES
from undercroft.core.region import REGION_DTYPE, REGION_KINDS, Regions

Cells = NDArray[np.bool_]
MAX_CELLS = 1_500_000
"""The largest map whose regions are inferred; on larger maps the difference is not visible."""
ROOM, PASSAGE = 1, 2
CAVE_ROOM_BENDS, CAVE_MAP_BENDS = 0.45, 0.42
"""The corners per cell side along the outline from which a room, or a map without doors and corridors, counts as a
cave.
"""
MIN_CAVE_CORNERS = 14
"""The corners that a room needs to count as a cave; small rooms have as many relative to their size."""
MAZE_PASSAGE_SHARE = 0.5
"""The share of ground in passages from which a map without doors and corridors counts as a maze, not a cave."""


def add_regions(level: Level) -> Level:
    """The level with regions, doors and links, and with a path if it has a start and an end. The level itself if it
    already has regions, or is too large.
    """
    if len(level.regions) or level.tiles.size > MAX_CELLS or is_room_grid(level):
        return level
    found, doors, links = add_doors_and_links(
        find_regions(level), classify_cells(np.ascontiguousarray(level.tiles), level.palette)
    )
    return level.replace(
        regions=found,
        doors=level.doors if len(level.doors) else doors,
        links=links,
        path=level.path if len(level.path) else _find_path(level),
    )


def find_regions(level: Level) -> Regions:
    """The regions of a map that has none. Pools, pits and pillars belong to the region around them; passages one square
    wide are corridors.

    >>> found = find_regions(Level.parse('''
    ...     ############
    ...     #....#.....#
    ...     #.~~.....o.#
    ...     #....#.....#
    ...     ############
    ... '''))
    >>> [(region.kind, region.area) for region in found]
    [('room', 12), ('room', 15), ('corridor', 1)]
    """
    having = level.palette.role_mask
    doors, corridors = having(*DOOR_ROLES)[level.tiles], having("corridor")[level.tiles]
    if level.tiles.size > MAX_CELLS:
        built = bool(doors.any() or corridors.any())
        return survey_tiles(np.ascontiguousarray(level.tiles), level.palette, kind="room" if built else "cave").regions
    floor = ~having("wall", "void")[level.tiles] & ~doors
    wide = _wide_cells(floor & ~corridors)
    if not (doors.any() or corridors.any()) and _is_cave(floor, wide):
        return _build_regions(floor.view(np.uint8), REGION_KINDS.index("cave"))
    wide |= _nook_cells(floor, wide, doors)
    found = _build_regions(
        np.where(wide, ROOM, np.where(floor, PASSAGE, 0)).astype(np.uint8), REGION_KINDS.index("room")
    )
    bends = _corners_per_side(found.labels, len(found))
    for region in found:
        if region.kind != "room" or bends[region.label] < CAVE_ROOM_BENDS:
            continue
        box = found.labels[region.y : region.y + region.height, region.x : region.x + region.width]
        if _is_asymmetric(box == region.label):
            found.table["kind"][region.label - 1] = REGION_KINDS.index("cave")
    return found


def _build_regions(kinds: NDArray[np.uint8], first: int) -> Regions:
    """The connected regions of cells of one kind. Cells of kind 1 have the region kind `first`, cells of kind 2 are
    corridors.
    """
    labels, count = reach.label_components(kinds)
    boxes = reach.find_label_boxes(labels, kinds, count)
    table = np.empty(count, REGION_DTYPE)
    table["kind"] = np.where(boxes[:, 5] == ROOM, first, REGION_KINDS.index("corridor"))
    table["x"], table["y"], table["area"] = boxes[:, 0], boxes[:, 1], boxes[:, 4]
    table["width"], table["height"] = (boxes[:, 2:4] - boxes[:, 0:2] + 1).T
    return Regions(labels, table)


def _wide_cells(ground: Cells) -> Cells:
    """The cells of all 2x2 squares of ground."""
    framed = np.pad(ground, 1)
    squares = framed[:-1, :-1] & framed[1:, :-1] & framed[:-1, 1:] & framed[1:, 1:]
    return squares[1:, 1:] | squares[:-1, 1:] | squares[1:, :-1] | squares[:-1, :-1]


def _nook_cells(ground: Cells, wide: Cells, doors: Cells) -> Cells:
    """Single cells that lead only into a room."""
    beside = np.zeros(ground.shape, np.uint8)
    framed = np.pad(ground | doors, 1)
    rooms = np.pad(wide, 1)
    into = np.zeros(ground.shape, bool)
    for there in (np.s_[:-2, 1:-1], np.s_[2:, 1:-1], np.s_[1:-1, :-2], np.s_[1:-1, 2:]):
        beside += framed[there]
        into |= rooms[there]
    found: Cells = ground & ~wide & (beside == 1) & into
    return found


def _corners_per_side(labels: NDArray[np.int32], count: int) -> NDArray[np.float64]:
    """For each label, the corners of its outline per cell side; 0 if it has few corners."""
    framed = np.pad(labels, 1)
    height, width = labels.shape
    sides, corners = np.zeros(count + 1), np.zeros(count + 1)

    def equals_neighbour(down: int, across: int) -> Cells:
        there = framed[1 + down : 1 + down + height, 1 + across : 1 + across + width]
        equal: Cells = there == labels
        return equal

    for down, across in ((0, 1), (0, -1), (1, 0), (-1, 0)):
        sides += np.bincount(labels[~equals_neighbour(down, across)], minlength=count + 1)
    for down in (1, -1):
        for across in (1, -1):
            upright, level = equals_neighbour(down, 0), equals_neighbour(0, across)
            bent = ~upright & ~level | upright & level & ~equals_neighbour(down, across)
            corners += np.bincount(labels[bent], minlength=count + 1)
    share: NDArray[np.float64] = np.where(corners >= MIN_CAVE_CORNERS, corners / np.maximum(sides, 1), 0)
    share[0] = 0
    return share


def _is_cave(ground: Cells, wide: Cells) -> bool:
    """Whether ground without doors and corridors looks natural, not built."""
    many = np.count_nonzero(ground)
    if np.count_nonzero(wide) < (1 - MAZE_PASSAGE_SHARE) * many:
        return False
    if many < MIN_CAVE_CORNERS:
        return True
    left, top, right, bottom = reach.bounding_box(ground)
    return float(_corners_per_side(ground.astype(np.int32), 1)[1]) >= CAVE_MAP_BENDS and _is_asymmetric(
        ground[top : bottom + 1, left : right + 1]
    )


def _is_asymmetric(cells: Cells) -> bool:
    """Whether a room has no mirror symmetry: built round rooms are usually symmetric."""
    return not (np.array_equal(cells, cells[::-1]) or np.array_equal(cells, cells[:, ::-1]))


def _find_path(level: Level) -> NDArray[np.int32] | None:
    """A shortest path from start to end; None if either is missing or no path exists."""
    if level.start is None or level.end is None:
        return None
    return reach.DistanceField(np.ascontiguousarray(level.walkable), [level.start]).path_to(*level.end)
