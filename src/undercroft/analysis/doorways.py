"""Doorways: adjacent door cells between the same two regions. A doorway is one link, however wide or deep it is."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from undercroft.core.region import DOOR_STATES, LINK_DTYPE
from undercroft.kernels import buffer, tables

Indices = NDArray[np.intp]


def find_doorways(doors: NDArray[Any], sides: NDArray[np.int8] | None = None) -> Indices:
    """For each row of a door table, the index of the first row of its doorway.

    Cells of a doorway are adjacent and join the same two regions. With `sides`, a number for each row, they also have
    the same number.

    >>> from undercroft.core.region import DOOR_DTYPE
    >>> find_doorways(np.array([(3, 0, 1, 2, 1), (4, 0, 1, 2, 1), (6, 0, 1, 2, 1)], DOOR_DTYPE)).tolist()
    [0, 0, 2]
    """
    first = np.arange(len(doors))
    if len(doors) < 2:
        return first
    return _join_pairs(first, *_adjacent_rows(doors, sides))


def build_door_links(doors: NDArray[Any]) -> NDArray[Any]:
    """A row of a link table for each door between two regions."""
    found = np.empty(np.count_nonzero(doors["b"]), LINK_DTYPE)
    tables.write_door_links(buffer(found.view(np.uint8)), buffer(np.ascontiguousarray(doors).view(np.uint8)))
    return found


def build_doorway_links(
    doors: NDArray[Any], labels: NDArray[np.int32], sides: NDArray[np.int8] | None = None
) -> NDArray[Any]:
    """A row of a link table for each doorway between two regions, in the order of the doors; see `find_doorways`.

    The kind of a link is that of its easiest way through: the state that is needed at most on the way from one region
    to the other, where open comes before closed, locked and secret. Its door is the first cell with that state.
    """
    found = build_door_links(doors)
    through = found["door"].copy()
    rows = doors[through]
    first = find_doorways(rows, None if sides is None else sides[through])
    alone = first == np.arange(len(rows))
    if alone.all():
        return found
    mixed = np.zeros(len(rows), bool)
    mixed[first[rows["state"] != rows["state"][first]]] = True
    if mixed.any():
        kinds = _easiest_states(rows, first, labels)
        has_kind = np.flatnonzero(rows["state"] == kinds[first])
        places, at = np.unique(first[has_kind], return_index=True)
        found["kind"][places], found["door"][places] = kinds[places], through[has_kind[at]]
    doorways: NDArray[Any] = found[alone]
    return doorways


def _adjacent_rows(doors: NDArray[Any], sides: NDArray[np.int8] | None) -> tuple[Indices, Indices]:
    """The rows of each two adjacent doors that belong to one doorway."""
    stride = int(doors["x"].max()) + 2
    cells = doors["y"].astype(np.int64) * stride + doors["x"]
    order = np.argsort(cells, kind="stable")
    ordered = cells[order]
    ones, others = [], []
    for step in (1, stride):
        at = np.minimum(np.searchsorted(ordered, ordered + step), len(ordered) - 1)
        near = np.flatnonzero(ordered[at] == ordered + step)
        ones.append(order[near])
        others.append(order[at[near]])
    one, other = np.concatenate(ones), np.concatenate(others)
    same = (doors["a"][one] == doors["a"][other]) & (doors["b"][one] == doors["b"][other])
    if sides is not None:
        same &= sides[one] == sides[other]
    return one[same], other[same]


def _join_pairs(first: Indices, one: Indices, other: Indices) -> Indices:
    """For each row, the least row that it is joined to, by a number of passes that grows with the logarithm of the
    rows.
    """
    while len(one):
        low = np.minimum(first[one], first[other])
        joined = first.copy()
        np.minimum.at(joined, first[one], low)
        np.minimum.at(joined, first[other], low)
        while not np.array_equal(further := joined[joined], joined):
            joined = further
        if np.array_equal(joined, first):
            break
        first = joined
    return first


def _easiest_states(rows: NDArray[Any], first: Indices, labels: NDArray[np.int32]) -> NDArray[np.uint8]:
    """For the first row of each doorway, the greatest state on the easiest way through it. If no such way is found, as
    in a doorway with a bend, it is the greatest state of all its cells.
    """
    around = np.pad(labels, 1)
    beside = np.stack(
        [around[rows["y"] + 1 + down, rows["x"] + 1 + right] for right, down in ((0, -1), (1, 0), (0, 1), (-1, 0))]
    )
    touches = [(beside == rows[side]).any(axis=0) for side in "ab"]
    kinds = np.zeros(len(rows), np.uint8)
    np.maximum.at(kinds, first, rows["state"])
    for state in range(len(DOOR_STATES) - 2, -1, -1):
        passable = np.flatnonzero(rows["state"] <= state)
        groups = passable[find_doorways(rows[passable])]
        reached = np.zeros((2, len(rows)), bool)
        for side in (0, 1):
            reached[side, groups[touches[side][passable]]] = True
        kinds[first[np.flatnonzero(reached.all(axis=0))]] = state
    return kinds
