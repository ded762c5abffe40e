"""Masks and tables of a cell's surroundings, for finishing steps that must keep the map intact."""

from __future__ import annotations

import functools

import numpy as np
from numpy.typing import NDArray

from undercroft.core.draft import Draft
from undercroft.core.palette import DOOR_ROLES, look_up_tiles

Mask = NDArray[np.bool_]
Table = NDArray[np.uint8]

REGION_FACTS = ("regions", "doors", "links")
"""The facts spoiled by a step that changes tiles but keeps start, end and the path between them open."""


def adjacent_cells(mask: Mask) -> Mask:
    """The cells with a cell of the mask above, below, left or right.

    >>> adjacent_cells(np.array([[True, False, False]])).tolist()
    [[False, True, False]]
    """
    found = np.zeros_like(mask)
    found[1:] |= mask[:-1]
    found[:-1] |= mask[1:]
    found[:, 1:] |= mask[:, :-1]
    found[:, :-1] |= mask[:, 1:]
    return found


def dilated(mask: Mask) -> Mask:
    """The cells of the mask and all that touch one, corners included."""
    rows = mask.copy()
    rows[1:] |= mask[:-1]
    rows[:-1] |= mask[1:]
    found = rows.copy()
    found[:, 1:] |= rows[:, :-1]
    found[:, :-1] |= rows[:, 1:]
    return found


def clear_border(mask: Mask) -> Mask:
    """Clear the map's border in the mask, in place, and return it."""
    mask[0] = mask[-1] = False
    mask[:, 0] = mask[:, -1] = False
    return mask


def protected_cells(draft: Draft) -> Mask:
    """Cells that must stay as they are: frozen ones, start, end, the path between them, and cells with things."""
    mask = np.zeros(draft.tiles.shape, bool) if draft.frozen is None else draft.frozen.copy()
    if draft.path is not None:
        mask[draft.path[:, 1], draft.path[:, 0]] = True
    for x, y in (
        *(point for point in (draft.start, draft.end) if point),
        *((thing.x, thing.y) for thing in draft.things),
    ):
        mask[y, x] = True
    return mask


def door_and_stair_cells(draft: Draft) -> Mask:
    """Doors and openings of all kinds, and stairs."""
    return look_up_tiles(draft.palette.role_mask(*DOOR_ROLES, "entry", "exit"), draft.tiles)


@functools.cache
def ring_part_counts() -> Table:
    """For each ring of open neighbours (one bit each, clockwise from above): the number of parts that the open side
    neighbours fall into without the cell.

    A part is connected along the ring. With one part or none, closing the cell disconnects nothing here.
    """
    table = np.zeros(256, np.uint8)
    for ring in range(256):
        is_open = [ring >> bit & 1 for bit in range(8)]
        parts = sum(is_open[bit] and not (is_open[bit - 1] and is_open[bit - 2]) for bit in (0, 2, 4, 6))
        table[ring] = parts or int(any(is_open[bit] for bit in (0, 2, 4, 6)))
    table.setflags(write=False)
    return table


@functools.cache
def simple_point_table() -> Table:
    """For each ring, 1 if opening or closing the cell joins, splits, creates and fills no part: the crossing number for
    four neighbours is 1 (Yokoi 1973).
    """
    table = np.zeros(256, np.uint8)
    for ring in range(256):
        is_open = [ring >> bit & 1 for bit in range(8)]
        table[ring] = (
            sum(is_open[bit] - is_open[bit] * is_open[bit - 1] * is_open[bit - 2] for bit in (0, 2, 4, 6)) == 1
        )
    table.setflags(write=False)
    return table
