"""The properties of every level of a named recipe."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from support.maps import border, components
from undercroft.core.level import Level


def holds(level: Level) -> None:
    """One part, nothing walkable on the border, a way from start to end, and regions, doors and links that agree with
    the map.
    """
    assert components(level.walkable) == 1
    assert not level.palette.walkable[border(level.tiles)].any()
    if level.start is not None and level.end is not None:
        assert level.walkable[level.start[1], level.start[0]]
        assert level.walkable[level.end[1], level.end[0]]
        path = [tuple(cell) for cell in level.path.tolist()]
        assert not path or (path[0], path[-1]) == (level.start, level.end)
        assert all(abs(a - c) + abs(b - d) == 1 for (a, b), (c, d) in pairwise(path))
        assert level.walkable[level.path[:, 1], level.path[:, 0]].all()
    labels, table = level.regions.labels, level.regions.table
    assert np.bincount(labels.reshape(-1), minlength=len(table) + 1)[1:].tolist() == table["area"].tolist()
    for door in level.doors:
        assert level.walkable[door.y, door.x]
        assert max(door.a, door.b) <= len(table)
    for link in level.links:
        assert 1 <= link.a <= len(table)
        assert 1 <= link.b <= len(table)
        assert link.door < len(level.doors)
