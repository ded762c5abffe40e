"""The doorways of rooms that stay: hallways lead on from each of them, and their doors stay doors."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.core.draft import Draft
from undercroft.core.palette import DOOR_ROLES, look_up_tiles
from undercroft.core.region import Regions
from undercroft.core.rng import Rng
from undercroft.core.run import Run
from undercroft.steps.links.routes import NO_ROUTE, dig_routes
from undercroft.steps.rectangles import ROOM, build_region_table, room_labels_and_boxes

_SIDES = np.array([(0, -1), (0, 1), (-1, 0), (1, 0)])
"""The steps (x, y) to the four cells beside one; the first two and the last two are opposite."""


class DugWays(NamedTuple):
    """Hallways that were dug from doorways."""

    pairs: NDArray[np.int32]
    """The labels of the two regions of each."""
    ends: NDArray[np.int32]
    """The cells where each leaves the two."""


def has_frozen_cells(draft: Draft) -> bool:
    """Whether some cells of a draft must stay."""
    return draft.frozen is not None and bool(draft.frozen.any())


def find_kept_walls(draft: Draft, regions: Regions) -> NDArray[np.bool_]:
    """The walls around frozen rooms that have a frozen doorway: hallways need no other place to enter them."""
    assert draft.frozen is not None
    frozen = np.append(0, regions.table["area"]) == np.bincount(
        regions.labels[draft.frozen], minlength=len(regions) + 1
    )
    frozen[0] = False
    ways = look_up_tiles(draft.palette.walkable, draft.tiles) & draft.frozen & (regions.labels == 0)
    has_way = np.zeros_like(frozen)
    has_way[np.unique(regions.labels[_spread(ways)])] = True
    walls: NDArray[np.bool_] = _spread((frozen & has_way)[regions.labels]) & (regions.labels == 0)
    return walls


def dig_from_unused_ways(draft: Draft, regions: Regions, dug: NDArray[np.uint8], rng: Rng, run: Run) -> DugWays:
    """Dig a hallway from each frozen doorway that leads into rock, to the nearest other room."""
    assert draft.frozen is not None
    cells, owners = _unused_ways(draft, regions)
    goals = _nearest_rooms(draft, cells, owners)
    has_goal = goals > 0
    cells, owners, goals = cells[has_goal], owners[has_goal], goals[has_goal]
    if not len(cells):
        return DugWays(np.zeros((0, 2), np.int32), np.zeros((0, 2), np.int32))
    labels = regions.labels.copy()
    starts = np.arange(len(regions) + 1, len(regions) + len(cells) + 1, dtype=np.int32)
    labels.reshape(-1)[cells] = starts
    y, x = np.divmod(cells, draft.width)
    ones = np.ones_like(cells)
    table = np.concatenate((regions.table, build_region_table(np.stack([x, y, ones, ones], 1).astype(np.int32), ROOM)))
    walls = find_kept_walls(draft, regions)
    kept = draft.tiles[draft.frozen]
    open_cells = draft.tiles.reshape(-1)[cells]
    draft.tiles[draft.frozen] = draft.palette.role("wall")  # no way leads back through the room
    draft.tiles.reshape(-1)[cells] = open_cells
    touched = np.zeros(len(table) + 1, np.uint8)
    pairs = np.stack([starts, goals], 1).astype(np.int32)
    ends, how = dig_routes(draft, Regions(labels, table), pairs, touched, dug, rng, run, closed=walls)
    draft.tiles[draft.frozen] = kept
    ends[:, 0] = cells
    found = how != NO_ROUTE
    return DugWays(np.sort(np.stack([owners, goals], 1), axis=1)[found].astype(np.int32), ends[found])


def list_frozen_doors(draft: Draft) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
    """The frozen doors that are not in the table of doors yet, with open ground on both sides. Returns rows of a
    door's cell and the cells on both sides of it, and the number of its state.
    """
    assert draft.frozen is not None
    walkable = np.pad(look_up_tiles(draft.palette.walkable, draft.tiles), 1)
    is_door = look_up_tiles(draft.palette.role_mask(*DOOR_ROLES), draft.tiles) & draft.frozen
    is_door[draft.doors.table["y"], draft.doors.table["x"]] = False
    cells = np.flatnonzero(is_door)
    y, x = np.divmod(cells, draft.width)
    sides = [(walkable[y + 1 + dy, x + 1 + dx], cells + dy * draft.width + dx) for dx, dy in _SIDES.tolist()]
    down, across = sides[0][0] & sides[1][0], sides[2][0] & sides[3][0]
    first, second = np.where(down, sides[0][1], sides[2][1]), np.where(down, sides[1][1], sides[3][1])
    whole = down | across
    states = np.zeros(len(draft.palette.tiles), np.uint8)
    for number, role in enumerate(DOOR_ROLES):
        states[draft.palette.role_mask(role)[: len(states)]] = number
    rows = np.stack([cells, first, second], 1)[whole].astype(np.int32)
    return rows, states[draft.tiles.reshape(-1)[rows[:, 0]]]


def find_frozen_corridors(draft: Draft, regions: Regions) -> NDArray[np.bool_]:
    """The frozen cells of corridors that belong to no region yet."""
    assert draft.frozen is not None
    found: NDArray[np.bool_] = draft.frozen & (regions.labels == 0)
    return found & look_up_tiles(draft.palette.role_mask("corridor"), draft.tiles)


def _unused_ways(draft: Draft, regions: Regions) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """The frozen doorways beside a frozen room that lead into rock, and the labels of their rooms."""
    assert draft.frozen is not None
    walkable = look_up_tiles(draft.palette.walkable, draft.tiles)
    inside = np.zeros(draft.tiles.shape, bool)
    inside[1:-1, 1:-1] = True
    ways = walkable & draft.frozen & inside & (regions.labels == 0)
    cells = np.flatnonzero(ways)
    beside = cells[:, None] + (_SIDES[:, 1] * draft.width + _SIDES[:, 0])[None]
    frozen, open_, can_dig = (grid.reshape(-1)[beside] for grid in (draft.frozen, walkable, inside))
    owners = np.where(frozen & open_, regions.labels.reshape(-1)[beside], 0).max(axis=1, initial=0)
    unused = (owners > 0) & ~(~frozen & open_).any(axis=1) & (~frozen & can_dig).any(axis=1)
    return cells[unused], owners[unused].astype(np.int32)


def _spread(cells: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The cells and all eight around each of them."""
    wide = np.pad(cells, 1)
    rows = wide[:-2] | wide[1:-1] | wide[2:]
    spread: NDArray[np.bool_] = rows[:, :-2] | rows[:, 1:-1] | rows[:, 2:]
    return spread


def _nearest_rooms(draft: Draft, cells: NDArray[np.int64], owners: NDArray[np.int32]) -> NDArray[np.int32]:
    """For each cell the room, other than its own, whose box is nearest; 0 if there is none."""
    labels, boxes = room_labels_and_boxes(draft)
    if not len(labels):
        return np.zeros(len(cells), np.int32)
    at = np.stack(np.divmod(cells, draft.width)[::-1], 1)[:, None]
    low, high = boxes[None, :, :2], boxes[None, :, :2] + boxes[None, :, 2:] - 1
    far = (np.maximum(low - at, 0) + np.maximum(at - high, 0)).sum(axis=2)
    others = labels[None] != owners[:, None]
    nearest: NDArray[np.int32] = labels[np.where(others, far, far.max(initial=0) + 1).argmin(axis=1)]
    return np.where(others.any(axis=1), nearest, 0)
