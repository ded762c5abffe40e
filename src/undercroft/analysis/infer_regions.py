"""Maps that are nothing but tiles, read as a person would: which parts are rooms, which are passages between them, what
nature made, and the way through.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis import reach
from undercroft.analysis.room_grids import is_grid
from undercroft.analysis.survey import ground, joined, survey
from undercroft.core.level import Level
from undercroft.core.palette import DOOR_ROLES
from undercroft.core.region import KINDS, REGION_ROW, Regions

Cells = NDArray[np.bool_]
MOST = 1_500_000
"""Cells of a map that is read closely; of larger ones nobody sees the difference."""
ROOM, PASSAGE = 1, 2
RAGGED, WHOLE = 0.45, 0.42
"""Corners for each side of a square along the outline, from which on a room, or a map without doors and corridors, is
taken for a cave.
"""
FEWEST = 14
"""Corners of a room that may be a cave; small rooms have as many for their size."""
NARROW = 0.5
"""Share of the ground in passages from which on a map without doors and corridors is a maze, not a cave."""


def read(level: Level) -> Level:
    """The level with regions, doors and links, and with a path if it has both ends; itself if it has regions already,
    or is too large.
    """
    if len(level.regions) or level.tiles.size > MOST or is_grid(level):
        return level
    found, doors, links = joined(regions(level), ground(np.ascontiguousarray(level.tiles), level.palette))
    return Level(
        level.tiles,
        level.palette,
        regions=found,
        doors=level.doors if len(level.doors) else doors,
        links=links,
        things=level.things,
        start=level.start,
        end=level.end,
        path=level.path if len(level.path) else _path(level),
        layers=level.layers,
        provenance=level.provenance,
        title=level.title,
    )


def regions(level: Level) -> Regions:
    """The regions of a map without any. Pools, pits and pillars are a part of what they lie in; passages one square
    wide are corridors.

    >>> found = regions(Level.drawn('''
    ...     ############
    ...     #....#.....#
    ...     #.~~.....o.#
    ...     #....#.....#
    ...     ############
    ... '''))
    >>> [(region.kind, region.area) for region in found]
    [('room', 12), ('room', 15), ('corridor', 1)]
    """
    having = level.palette.having
    doors, corridors = having(*DOOR_ROLES)[level.tiles], having("corridor")[level.tiles]
    if level.tiles.size > MOST:
        built = bool(doors.any() or corridors.any())
        return survey(np.ascontiguousarray(level.tiles), level.palette, kind="room" if built else "cave").regions
    floor = ~having("wall", "void")[level.tiles] & ~doors
    wide = _wide(floor & ~corridors)
    if not (doors.any() or corridors.any()) and _is_cave(floor, wide):
        return _numbered(floor.view(np.uint8), KINDS.index("cave"))
    wide |= _nooks(floor, wide, doors)
    found = _numbered(np.where(wide, ROOM, np.where(floor, PASSAGE, 0)).astype(np.uint8), KINDS.index("room"))
    bends = _bends(found.labels, len(found))
    for region in found:
        if region.kind != "room" or bends[region.label] < RAGGED:
            continue
        box = found.labels[region.y : region.y + region.height, region.x : region.x + region.width]
        if _is_odd(box == region.label):
            found.table["kind"][region.label - 1] = KINDS.index("cave")
    return found


def _numbered(kinds: NDArray[np.uint8], first: int) -> Regions:
    """Regions of cells of one kind that hang together: the first kind is of that sort, the second are corridors."""
    labels, count = reach.labels(kinds)
    boxes = reach.boxes(labels, kinds, count)
    table = np.empty(count, REGION_ROW)
    table["kind"] = np.where(boxes[:, 5] == ROOM, first, KINDS.index("corridor"))
    table["x"], table["y"], table["area"] = boxes[:, 0], boxes[:, 1], boxes[:, 4]
    table["width"], table["height"] = (boxes[:, 2:4] - boxes[:, 0:2] + 1).T
    return Regions(labels, table)


def _wide(ground: Cells) -> Cells:
    """The cells of all squares of two by two cells of ground."""
    framed = np.pad(ground, 1)
    squares = framed[:-1, :-1] & framed[1:, :-1] & framed[:-1, 1:] & framed[1:, 1:]
    return squares[1:, 1:] | squares[:-1, 1:] | squares[1:, :-1] | squares[:-1, :-1]


def _nooks(ground: Cells, wide: Cells, doors: Cells) -> Cells:
    """Single cells that lead nowhere but into a room."""
    beside = np.zeros(ground.shape, np.uint8)
    framed = np.pad(ground | doors, 1)
    rooms = np.pad(wide, 1)
    into = np.zeros(ground.shape, bool)
    for there in (np.s_[:-2, 1:-1], np.s_[2:, 1:-1], np.s_[1:-1, :-2], np.s_[1:-1, 2:]):
        beside += framed[there]
        into |= rooms[there]
    found: Cells = ground & ~wide & (beside == 1) & into
    return found


def _bends(labels: NDArray[np.int32], count: int) -> NDArray[np.float64]:
    """For each label, how many corners its outline has for each side of a square; 0 if they are few."""
    framed = np.pad(labels, 1)
    height, width = labels.shape
    sides, corners = np.zeros(count + 1), np.zeros(count + 1)

    def same(down: int, across: int) -> Cells:
        there = framed[1 + down : 1 + down + height, 1 + across : 1 + across + width]
        equal: Cells = there == labels
        return equal

    for down, across in ((0, 1), (0, -1), (1, 0), (-1, 0)):
        sides += np.bincount(labels[~same(down, across)], minlength=count + 1)
    for down in (1, -1):
        for across in (1, -1):
            upright, level = same(down, 0), same(0, across)
            bent = ~upright & ~level | upright & level & ~same(down, across)
            corners += np.bincount(labels[bent], minlength=count + 1)
    share: NDArray[np.float64] = np.where(corners >= FEWEST, corners / np.maximum(sides, 1), 0)
    share[0] = 0
    return share


def _is_cave(ground: Cells, wide: Cells) -> bool:
    """Whether ground without doors and corridors looks grown, not built."""
    many = np.count_nonzero(ground)
    if np.count_nonzero(wide) < (1 - NARROW) * many:
        return False
    if many < FEWEST:
        return True
    left, top, right, bottom = reach.box(ground)
    return float(_bends(ground.astype(np.int32), 1)[1]) >= WHOLE and _is_odd(ground[top : bottom + 1, left : right + 1])


def _is_odd(cells: Cells) -> bool:
    """Whether a room is its own mirror image in no direction: builders like their round rooms even."""
    return not (np.array_equal(cells, cells[::-1]) or np.array_equal(cells, cells[:, ::-1]))


def _path(level: Level) -> NDArray[np.int32] | None:
    """A shortest way from start to end, if there are both and a way."""
    if level.start is None or level.end is None:
        return None
    return reach.Field(np.ascontiguousarray(level.walkable), [level.start]).way(*level.end)
