"""Doors that can be passed in one direction only."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis.doorways import build_doorway_links, find_doorways
from undercroft.core.region import LINK_KINDS, Door, Link, Rows, Thing, view_links
from undercroft.errors import BadInput

ONE_WAY = "one-way"
"""The kind of thing that makes its cell a one-way door; its data is {"to": "E"}."""
SIDES = "NESW"
STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""A step to each side."""


def is_one_way_door(thing: Thing) -> bool:
    """Whether a thing is a one-way door with a direction."""
    to = thing.data.get("to", "")
    return thing.kind == ONE_WAY and isinstance(to, str) and len(to) == 1 and to in SIDES


def side_of(thing: Thing) -> int:
    """The direction of a one-way door: 0 N, 1 E, 2 S, 3 W."""
    if not is_one_way_door(thing):
        to = thing.data.get("to")
        where = "does not say where it leads" if to is None else f"leads to {to!r}, which is no side"
        raise BadInput(
            f"the one-way door at ({thing.x}, {thing.y}) {where}",
            fix='its data says where: {"to": "N"}, "E", "S" or "W"',
        )
    return SIDES.index(str(thing.data["to"]))


def mark_one_way_links(
    found: Rows[Link], doors: Rows[Door], things: Iterable[Thing], labels: NDArray[np.int32]
) -> Rows[Link]:
    """The links, where those through one-way doors have the kind "one-way" and lead from `a` to `b`. A one-way door
    without a direction counts as an ordinary door. If only some cells of a doorway are one-way, or in different
    directions, these cells have a link of their own.
    """
    sides = {(thing.x, thing.y): side_of(thing) for thing in things if is_one_way_door(thing)}
    if not sides:
        return found
    cells = list(zip(doors.table["x"].tolist(), doors.table["y"].tolist(), strict=True))
    of_doors = np.array([sides.get(cell, -1) for cell in cells], np.int8)
    table = _split_doorways(found.table, doors.table, of_doors, labels)
    around = np.pad(labels, 1)
    for row in np.flatnonzero((table["door"] >= 0) & (of_doors[table["door"]] >= 0) if cells else ()).tolist():
        x, y = cells[table[row]["door"]]
        right, down = STEPS[sides[x, y]]
        behind, ahead = int(around[y + 1 - down, x + 1 - right]), int(around[y + 1 + down, x + 1 + right])
        if {int(table[row]["a"]), int(table[row]["b"])} == {behind, ahead}:
            table[row]["a"], table[row]["b"], table[row]["kind"] = behind, ahead, LINK_KINDS.index("one-way")
    return view_links(table)


def _split_doorways(
    links: NDArray[Any], doors: NDArray[Any], sides: NDArray[np.int8], labels: NDArray[np.int32]
) -> NDArray[Any]:
    """A copy of the links, where each doorway whose cells lead to different sides has a link for each side."""
    if not len(doors):
        return links.copy()
    first = find_doorways(doors)
    uneven = np.unique(first[sides != sides[first]])
    if not len(uneven):
        return links.copy()
    is_split = (links["door"] >= 0) & np.isin(first[links["door"]], uneven)
    parts = build_doorway_links(doors, labels, sides)
    parts = parts[np.isin(first[parts["door"]], first[links["door"][is_split]])]
    table = np.concatenate([links[~is_split], parts])
    through = table["door"] >= 0
    return np.concatenate([table[through][np.argsort(table["door"][through], kind="stable")], table[~through]])
