"""Where a lock would shut something off: doors and narrow places that nobody can walk around, or all doors of a room
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
from undercroft.analysis.solver.puzzle import LOCK, open_cells
from undercroft.core.draft import Draft
from undercroft.core.palette import DOOR_ROLES, through
from undercroft.core.rng import Rng
from undercroft.core.run import Run
from undercroft.kernels import buffer, finish
from undercroft.steps.neighbourhood import near

Mask = NDArray[np.bool_]

DOORS = 4
"""A room with more doors than that gets no lock on all of them."""
ROOMS = 24
"""So many rooms are looked at for those with few doors."""
LEAST = 4
"""No lock is put before fewer cells than that."""
MOST = 256
"""Of more places than that, so many are drawn: a map has 16 locks at the most."""


class Gate(NamedTuple):
    """Cells that get the same lock. Without them, some others cannot be reached from the start."""

    cells: tuple[Point, ...]
    guards: bool
    """Whether the end is among these."""
    firm: bool = True
    """Whether no secret door leads around it."""


class Ground(NamedTuple):
    """What a map is to locks."""

    open: Mask
    """Where one can walk from the start: past no lock and no one-way door that was there before, and past no secret
    door if the end can do without.
    """
    hidden: Mask
    """Where one can walk besides if one finds the secret doors."""
    narrow: Mask
    """Cells between two walls that can hold a door."""
    doors: Mask
    """Those of them that are doors already."""
    lone: Mask
    """Those of these that touch no other door."""
    start: Point
    end: Point


def ground(draft: Draft, start: Point, end: Point, run: Run) -> Ground:
    """Look at a map."""
    palette, tiles = draft.palette, draft.tiles
    shut = through(palette.having("locked"), tiles).copy()
    for thing in draft.things:
        if thing.kind in (LOCK, ONE_WAY):
            shut[thing.y, thing.x] = True
    every = open_cells(draft, secrets=True) & ~shut
    is_open = open_cells(draft, secrets=False)
    if reach.Field(is_open, [start], run).at(*end) < 0:
        is_open = every
    is_open = reach.Field(is_open & ~shut, [start], run).steps >= 0
    around = np.pad(through(palette.walkable, tiles), 1)
    up, down, left, right = around[:-2, 1:-1], around[2:, 1:-1], around[1:-1, :-2], around[1:-1, 2:]
    narrow = is_open & ((up & down & ~left & ~right) | (left & right & ~up & ~down))
    for x, y in (start, end, *((thing.x, thing.y) for thing in draft.things)):
        narrow[y, x] = False
    if draft.frozen is not None:
        narrow &= ~draft.frozen
    all_doors = through(palette.having(*DOOR_ROLES), tiles)
    doors = narrow & through(palette.having("door", "opening"), tiles)
    narrow &= doors | ~(all_doors | near(all_doors))
    run.spend(6 * tiles.size)
    return Ground(is_open, every & ~is_open, narrow, doors, doors & ~near(all_doors), start, end)


def single_gates(on: Ground, wanted: int, rng: Rng, run: Run) -> list[Gate]:
    """Gates of one cell, in any order. Doors come first; other narrow places only if these are too few, or none of them
    is before the end.

    A narrow place beside a room or a crossroads looks more like a doorway than one in the middle of a passage, and is
    taken before it.
    """
    choke = on.narrow & (choke_points(on.open, run) > 0)
    firm = choke_points(on.open | on.hidden, run) > 0 if on.hidden.any() else choke
    way = reach.Field(on.open, [on.start], run).way(*on.end)
    before_end = np.zeros_like(choke)
    before_end[way[:, 1], way[:, 0]] = True
    mouths = near(on.open & ~_passage(on.open))
    found: list[Gate] = []
    for cells in (choke & on.doors, choke & ~on.doors & mouths, choke & ~on.doors & ~mouths):
        if len(found) >= wanted and any(gate.guards for gate in found):
            break
        for here, guards in ((cells & before_end, True), (cells & ~before_end, False)):
            found += [Gate((point,), guards, bool(firm[point[1], point[0]])) for point in _drawn(here, rng, run)]
    rng.shuffle(found)
    return found


def room_gates(on: Ground, rng: Rng, run: Run) -> list[Gate]:
    """Gates of several cells: the doors of a room that lead towards the start. The room of the end comes first, then
    others in any order.
    """
    labels, count = reach.labels((on.open & ~on.narrow).view(np.uint8), run=run)
    sizes = np.bincount(labels.reshape(-1), minlength=count + 1)
    end = int(labels[on.end[1], on.end[0]])
    rooms = np.flatnonzero(sizes >= LEAST)[1 if sizes[0] >= LEAST else 0 :].astype(np.int32)
    finish.shuffle(buffer(rooms), rng.state)
    found = []
    for label in dict.fromkeys((end, *rooms[:ROOMS].tolist())):
        if label in (0, int(labels[on.start[1], on.start[0]])):
            continue
        room = labels == label
        around = near(room) & on.narrow
        outside = reach.Field(on.open & ~room & ~around, [on.start], run).steps >= 0
        cells = np.argwhere(around & near(outside)).tolist()
        if 1 < len(cells) <= DOORS:
            shut = on.open.copy()
            shut[tuple(np.transpose(cells))] = False
            found.append(Gate(tuple((x, y) for y, x in cells), reach.Field(shut, [on.start], run).at(*on.end) < 0))
    return found


def _drawn(cells: Mask, rng: Rng, run: Run) -> list[Point]:
    """Some of the cells, in any order."""
    places = np.flatnonzero(cells).astype(np.int32)
    run.spend(int(finish.shuffle(buffer(places), rng.state)))
    ys, xs = np.divmod(places[:MOST], cells.shape[1])
    return list(zip(xs.tolist(), ys.tolist(), strict=True))


def _passage(is_open: Mask) -> Mask:
    """Cells with two ways out or fewer."""
    around = np.pad(is_open, 1).astype(np.uint8)
    ways: NDArray[np.uint8] = around[:-2, 1:-1] + around[2:, 1:-1] + around[1:-1, :-2] + around[1:-1, 2:]
    return ways <= 2
