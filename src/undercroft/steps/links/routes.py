"""Dig hallways along the cheapest paths."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.core.draft import Draft
from undercroft.core.region import Regions
from undercroft.core.rng import Rng
from undercroft.core.run import Run
from undercroft.kernels import buffer, flat_buffer, route
from undercroft.steps.rectangles import CELL, CORRIDOR, boxes_of

DUG, AGAINST_SOCKETS, NO_ROUTE = range(3)
"""The result for a link."""


class RouteCosts(NamedTuple):
    """The cost of each cell that a path passes. No cell may cost less than `way`: the search relies on it.

    The numbers were chosen by looking at maps. A random 0 to 7 per cell is added at turns and doorways.
    """

    unknown: int = 0
    shut: int = 0
    beyond: int = 0
    rock: int = 24
    way: int = 18
    """An open cell outside rooms, mostly an existing hallway."""
    hall: int = 120
    """The floor of a room other than the two to join."""
    pillar: int = 144
    """A closed cell in a room."""
    cell: int = 20
    """A region of the kind "cell", before it is drawn."""
    turn: int = 72
    crooked: int = 160
    """A turn in a doorway, instead of `turn`."""
    beside: int = 168
    """Digging beside an open cell without entering it, for each side."""
    edge: int = 24
    """Meeting a room at its very corner."""


ROUTE_COSTS = np.array(RouteCosts(), np.int32)
STATE_SIZE, NEEDED_SIZE_INDEX = 18, 2
"""The number of the kernel's state variables, and the index of the one that requests larger buffers."""


def dig_routes(
    draft: Draft,
    regions: Regions,
    pairs: NDArray[np.int32],
    touched: NDArray[np.uint8],
    dug: NDArray[np.uint8],
    rng: Rng,
    run: Run,
    *,
    closed: NDArray[np.bool_] | None = None,
) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
    """Dig a path for each pair of regions. Returns the cells where each leaves the two, and the result for each link.

    The border, frozen and closed cells are never dug. The layer "sockets" holds 1 where a wall of a room must stay
    closed, 2 where it may become a doorway.
    """
    height, width = draft.tiles.shape
    kinds = regions.table["kind"]
    sorts = np.append(0, np.where(kinds == CELL, 2, kinds != CORRIDOR)).astype(np.uint8)
    shut, sockets = _undiggable_cells(draft)
    if closed is not None:
        shut |= closed
    ends, how = np.empty((len(pairs), 2), np.int32), np.zeros(len(pairs), np.uint8)
    places = (
        flat_buffer(draft.tiles),
        buffer(draft.palette.walkable.view(np.uint8)),
        flat_buffer(regions.labels),
        buffer(boxes_of(regions.table)),
        buffer(sorts),
        flat_buffer(shut),
    )
    marks = (
        buffer(pairs),
        buffer(ends),
        buffer(how),
        buffer(touched),
        flat_buffer(dug),
        rng.state,
        sockets,
        buffer(ROUTE_COSTS),
    )
    tiles = draft.palette.role("floor"), draft.palette.role("corridor")
    state, needs = np.zeros(STATE_SIZE, np.int64), 1024
    ring = np.empty(
        1 << (2 * int(ROUTE_COSTS.sum()) + RouteCosts().way * (width + height + 4) + 32).bit_length(), np.int32
    )
    run.spend(dug.size)
    while needs:
        cells, states = np.empty(needs, np.int32), np.empty((3, 4 * needs), np.int32)
        search = buffer(cells), *map(buffer, states), buffer(ring)
        args = buffer(state), *places, *marks, *search, width, height, *tiles
        run.drive(partial(route.dig_routes, *args))
        needs = 2 * int(state[NEEDED_SIZE_INDEX])
    return ends, how


def _undiggable_cells(draft: Draft) -> tuple[NDArray[np.uint8], bool]:
    """A grid of the cells not to dig: 1 never, 2 because of sockets; and whether there are any of the latter."""
    shut = np.ones(draft.tiles.shape, np.uint8)
    shut[1:-1, 1:-1] = 0
    if draft.frozen is not None:
        shut |= draft.frozen
    walls = draft.layers.get("sockets")
    if walls is None or walls.shape != shut.shape:
        return shut, False
    shut |= (walls == 1).astype(np.uint8) << 1
    return shut, bool((walls == 1).any())
