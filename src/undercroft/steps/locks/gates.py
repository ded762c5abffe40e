"""Places where a lock separates something: doors and narrow places without a way around, or all doors of a room
together.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis import reach
from undercroft.analysis.chokes import choke_points
from undercroft.analysis.one_way import ONE_WAY
from undercroft.analysis.reach import Point
from undercroft.core.draft import Draft
from undercroft.core.palette import DOOR_ROLES, look_up_tiles
from undercroft.core.passable import LOCK, open_cells
from undercroft.core.rng import Rng
from undercroft.core.run import Run
from undercroft.kernels import buffer, finish
from undercroft.steps.neighbourhood import adjacent_cells

Mask = NDArray[np.bool_]

MAX_ROOM_DOORS = 4
"""The most doors of a room that get a common lock."""
MAX_ROOMS_SEARCHED = 24
"""The most rooms to search for rooms with few doors."""
MIN_CELLS_BEHIND = 4
"""The fewest cells behind a lock."""
MAX_DRAWN_PLACES = 256
"""The most places to draw: a map has at most 16 locks."""


class Gate(NamedTuple):
    """Cells that get the same lock. Without them, some cells cannot be reached from the start."""

    cells: tuple[Point, ...]
    guards: bool
    """Whether the end is one of those."""
    firm: bool = True
    """Whether no secret door leads around it."""


class LockableMap(NamedTuple):
    """The facts about a map that placing locks needs."""

    open: Mask
    """Cells that can be reached from the start without passing existing locks and one-way doors, and without secret
    doors if the end does not need them.
    """
    hidden: Mask
    """Further walkable cells, behind secret doors."""
    narrow: Mask
    """Cells between two walls that can hold a door."""
    doors: Mask
    """The narrow cells that are doors already."""
    lone: Mask
    """The doors that touch no other door."""
    start: Point
    end: Point


def build_lockable_map(draft: Draft, start: Point, end: Point, run: Run) -> LockableMap:
    """Find the facts about a map that placing locks needs."""
    palette, tiles = draft.palette, draft.tiles
    shut = look_up_tiles(palette.role_mask("locked"), tiles).copy()
    for thing in draft.things:
        if thing.kind in (LOCK, ONE_WAY):
            shut[thing.y, thing.x] = True
    every = open_cells(draft, secrets=True) & ~shut
    is_open = open_cells(draft, secrets=False)
    if reach.DistanceField(is_open, [start], run).steps_to(*end) < 0:
        is_open = every
    is_open = reach.DistanceField(is_open & ~shut, [start], run).steps >= 0
    around = np.pad(look_up_tiles(palette.walkable, tiles), 1)
    up, down, left, right = around[:-2, 1:-1], around[2:, 1:-1], around[1:-1, :-2], around[1:-1, 2:]
    narrow = is_open & ((up & down & ~left & ~right) | (left & right & ~up & ~down))
    for x, y in (start, end, *((thing.x, thing.y) for thing in draft.things)):
        narrow[y, x] = False
    if draft.frozen is not None:
        narrow &= ~draft.frozen
    all_doors = look_up_tiles(palette.role_mask(*DOOR_ROLES), tiles)
    doors = narrow & look_up_tiles(palette.role_mask("door", "opening"), tiles)
    narrow &= doors | ~(all_doors | adjacent_cells(all_doors))
    run.spend(6 * tiles.size)
    return LockableMap(is_open, every & ~is_open, narrow, doors, doors & ~adjacent_cells(all_doors), start, end)


def find_single_gates(on: LockableMap, wanted: int, rng: Rng, run: Run) -> list[Gate]:
    """Gates of one cell, in random order. Doors come first; other narrow places only if there are too few doors, or
    none is before the end.

    A narrow place beside a room or a crossroads looks more like a doorway than one in the middle of a passage, so it is
    preferred.
    """
    choke = on.narrow & (choke_points(on.open, run) > 0)
    firm = choke_points(on.open | on.hidden, run) > 0 if on.hidden.any() else choke
    way = reach.DistanceField(on.open, [on.start], run).path_to(*on.end)
    before_end = np.zeros_like(choke)
    before_end[way[:, 1], way[:, 0]] = True
    mouths = adjacent_cells(on.open & ~_passage_cells(on.open))
    found: list[Gate] = []
    for cells in (choke & on.doors, choke & ~on.doors & mouths, choke & ~on.doors & ~mouths):
        if len(found) >= wanted and any(gate.guards for gate in found):
            break
        for here, guards in ((cells & before_end, True), (cells & ~before_end, False)):
            found += [Gate((point,), guards, bool(firm[point[1], point[0]])) for point in _sample_cells(here, rng, run)]
    rng.shuffle(found)
    return found


def find_room_gates(on: LockableMap, rng: Rng, run: Run) -> list[Gate]:
    """Gates of several cells: the doors of a room that lead towards the start. The room of the end comes first, then
    others in random order.
    """
    labels, count = reach.label_components((on.open & ~on.narrow).view(np.uint8), run=run)
    sizes = np.bincount(labels.reshape(-1), minlength=count + 1)
    end = int(labels[on.end[1], on.end[0]])
    rooms = np.flatnonzero(sizes >= MIN_CELLS_BEHIND)[1 if sizes[0] >= MIN_CELLS_BEHIND else 0 :].astype(np.int32)
    finish.shuffle(buffer(rooms), rng.state)
    found = []
    for label in dict.fromkeys((end, *rooms[:MAX_ROOMS_SEARCHED].tolist())):
        if label in (0, int(labels[on.start[1], on.start[0]])):
            continue
        room = labels == label
        around = adjacent_cells(room) & on.narrow
        outside = reach.DistanceField(on.open & ~room & ~around, [on.start], run).steps >= 0
        cells = np.argwhere(around & adjacent_cells(outside)).tolist()
        if 1 < len(cells) <= MAX_ROOM_DOORS:
            shut = on.open.copy()
            shut[tuple(np.transpose(cells))] = False
            found.append(
                Gate(tuple((x, y) for y, x in cells), reach.DistanceField(shut, [on.start], run).steps_to(*on.end) < 0)
            )
    return found


def _sample_cells(cells: Mask, rng: Rng, run: Run) -> list[Point]:
    """Up to `MAX_DRAWN_PLACES` of the cells, in random order."""
    places = np.flatnonzero(cells).astype(np.int32)
    run.spend(int(finish.shuffle(buffer(places), rng.state)))
    ys, xs = np.divmod(places[:MAX_DRAWN_PLACES], cells.shape[1])
    return list(zip(xs.tolist(), ys.tolist(), strict=True))


def _passage_cells(is_open: Mask) -> Mask:
    """Cells with at most two open neighbours."""
    around = np.pad(is_open, 1).astype(np.uint8)
    ways: NDArray[np.uint8] = around[:-2, 1:-1] + around[2:, 1:-1] + around[1:-1, :-2] + around[1:-1, 2:]
    return ways <= 2
