"""Numbers about a level, each one function and one line in `MEASURES`. What several of them need is found once, in `Facts`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis import reach
from undercroft.analysis.interest import longest_path, place_graph
from undercroft.analysis.survey import surveyed
from undercroft.core.level import Level
from undercroft.core.region import KINDS
from undercroft.core.run import Run
from undercroft.errors import unknown
from undercroft.kernels import buffer, flat
from undercroft.kernels import reach as kernel

Number = int | float | None
"""None: the level has no such thing (a path without a start, say)."""


class Facts:
    """A level, and what was found out about it so far."""

    def __init__(self, level: Level, run: Run | None = None) -> None:
        self.given = level
        self.run = run or Run()

    @cached_property
    def level(self) -> Level:
        """The level; surveyed, if nobody has found its regions yet."""
        return self.given if len(self.given.regions) else surveyed(self.given)

    @cached_property
    def walkable(self) -> NDArray[np.bool_]:
        return self.given.walkable

    @cached_property
    def components(self) -> int:
        return reach.labels(self.walkable.view(np.uint8), run=self.run)[1]

    @cached_property
    def tally(self) -> list[int]:
        """Walkable cells, pairs of neighbours, full 2x2 squares, dead ends."""
        level = self.level
        is_room = np.zeros(len(level.regions) + 1, np.uint8)
        is_room[1:] = np.isin(level.regions.table["kind"], [KINDS.index(kind) for kind in ("room", "cell", "vault")])
        counts = np.zeros(4, np.int64)
        kernel.exits(flat(self.walkable.view(np.uint8)), flat(is_room[level.regions.labels]), buffer(counts), level.width, level.height)
        return [int(count) for count in counts]

    @cached_property
    def way(self) -> int | None:
        """Steps from start to end."""
        level = self.given
        if level.start is None or level.end is None:
            return None
        steps = reach.Field(self.walkable, [level.start], self.run).at(*level.end)
        return steps if steps >= 0 else None


class Measure(NamedTuple):
    name: str
    about: str
    of: Callable[[Facts], Number]


def components(facts: Facts) -> Number:
    return facts.components


def density(facts: Facts) -> Number:
    return round(facts.tally[0] / facts.walkable.size, 6)


def rooms(facts: Facts) -> Number:
    return int(np.count_nonzero(facts.level.regions.table["kind"] != KINDS.index("corridor")))


def corridors(facts: Facts) -> Number:
    return len(facts.level.regions) - int(rooms(facts) or 0)


def doors(facts: Facts) -> Number:
    return len(facts.level.doors)


def loops(facts: Facts) -> Number:
    """Euler: a region without holes has cells - pairs + squares = 1, and each hole takes 1 away."""
    cells, pairs, squares, _ = facts.tally
    return facts.components - (cells - pairs + squares)


def graph_loops(facts: Facts) -> Number:
    """Edges - nodes + parts of the room graph."""
    level = facts.level
    table = level.links.table
    parent = list(range(len(level.regions) + 1))
    parts = len(level.regions)
    for a, b in zip(table["a"].tolist(), table["b"].tolist(), strict=True):
        roots = []
        for node in (a, b):
            while parent[node] != node:
                parent[node] = parent[parent[node]]
                node = parent[node]  # noqa: PLW2901 - climbing to the root
            roots.append(node)
        if roots[0] != roots[1]:
            parent[roots[0]] = roots[1]
            parts -= 1
    return len(table) - len(level.regions) + parts


def dead_ends(facts: Facts) -> Number:
    return facts.tally[3]


def path_length(facts: Facts) -> Number:
    return facts.way


def poi_length(facts: Facts) -> Number:
    return longest_path(place_graph(facts.given.tiles, facts.given.palette, run=facts.run), facts.run)[0]


MEASURES: Mapping[str, Measure] = {
    measure.name: measure
    for measure in (
        Measure("components", "connected sets of walkable cells (steps up, down, left, right)", components),
        Measure("density", "walkable cells / all cells", density),
        Measure("rooms", "regions that are not corridors", rooms),
        Measure("corridors", "regions that are corridors", corridors),
        Measure("doors", "door cells, of all kinds", doors),
        Measure("loops", "independent ways round, on the grid (Euler's formula; a pillar in a room counts)", loops),
        Measure("graph_loops", "independent ways round in the graph of regions: links - regions + parts", graph_loops),
        Measure("dead_ends", "walkable cells outside rooms with exactly one exit", dead_ends),
        Measure("path_length", "steps from start to end by the shortest way; none without start, end or way", path_length),
        Measure("poi_length", "weight of the path of interest: rooms (w + h) // 2, doors and branching points 1, corridor runs their cells", poi_length),
    )
}


def measure(level: Level, *names: str) -> dict[str, Number]:
    """The named measures of a level, or all of them.

    >>> measure(Level.drawn('''
    ...     #####
    ...     #...#
    ...     #.#.#
    ...     #...#
    ...     #####'''), "loops", "density")
    {'loops': 1, 'density': 0.32}
    """
    facts = Facts(level)
    for name in names:
        if name not in MEASURES:
            raise unknown("measure", name, MEASURES)
    return {name: MEASURES[name].of(facts) for name in names or MEASURES}
