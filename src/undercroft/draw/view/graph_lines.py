"""The graph of a level as points and lines on its map."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import numpy as np

from undercroft.core.graph import Graph
from undercroft.core.level import Level
from undercroft.core.region import REGION_KINDS, Link
from undercroft.draw.scene.scene import Points

DASH_CELLS = 0.45
"""The length of a dash, in cells."""


def node_points(level: Level) -> Points:
    """The point of each label: the centre of a room; in a corridor with several doors, the cell nearest to the centre
    of the doors.
    """
    graph, table = level.graph, level.regions.table
    middles = np.zeros((len(table) + 1, 2))
    middles[1:, 0], middles[1:, 1] = table["x"] + table["width"] / 2, table["y"] + table["height"] / 2
    doors: dict[int, list[tuple[float, float]]] = {}
    for link in graph.links:
        door = graph.door(link)
        if door is not None:
            for label in (link.a, link.b):
                doors.setdefault(label, []).append((door.x + 0.5, door.y + 0.5))
    for label in (np.flatnonzero(table["kind"] == REGION_KINDS.index("corridor")) + 1).tolist():
        if len(doors.get(label, ())) > 1:
            middles[label] = np.mean(doors[label], axis=0)
    ys, xs = np.nonzero(level.regions.labels)
    owners = level.regions.labels[ys, xs]
    off = np.abs(xs + 0.5 - middles[owners, 0]) + np.abs(ys + 0.5 - middles[owners, 1])
    order = np.lexsort((xs, ys, off, owners))
    first = order[np.flatnonzero(np.diff(owners[order], prepend=0))]
    away = first[off[first] > 1]
    middles[owners[away]] = np.stack([xs[away] + 0.5, ys[away] + 0.5], axis=1)
    return middles


def link_line(graph: Graph, link: Link, at: Points) -> Points:
    """The line from one region's point through the door to the other's; `at` is the result of `node_points`."""
    door = graph.door(link)
    ends = [at[link.a], at[link.b]]
    return np.array(ends if door is None else [ends[0], (door.x + 0.5, door.y + 0.5), ends[1]])


def split_into_dashes(way: Points) -> Iterable[Points]:
    """Split a line into dashes."""
    for a, b in pairwise(way):
        count = max(1, int(np.hypot(*(b - a)) / (2 * DASH_CELLS)))
        for number in range(count):
            yield np.array([a + (b - a) * (number + share) / count for share in (0.25, 0.75)])


def arrow_strokes(way: Points) -> Points:
    """The two strokes of an arrow head in the middle of a line's last segment."""
    a, b = way[-2], way[-1]
    length = float(np.hypot(*(b - a))) or 1.0
    along = (b - a) / length
    tip = (a + b) / 2 + along * 0.4
    across = np.array([-along[1], along[0]])
    return np.array([tip - along * 0.8 + across * 0.5, tip, tip - along * 0.8 - across * 0.5])
