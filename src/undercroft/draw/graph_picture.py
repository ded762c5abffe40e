"""The graph of a level over its map: regions as discs, links as lines through their doors."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from undercroft.core.graph import Graph
from undercroft.core.level import Level
from undercroft.core.region import KINDS, Link
from undercroft.draw import marks
from undercroft.draw.canvas import Canvas, fitting_cell
from undercroft.draw.picture import STYLES, picture

Points = NDArray[np.float64]

COLOURS = {"open": "#8fb3c9", "door": "#ffffff", "locked": "#ff5470", "secret": "#c792ff", "one-way": "#ffc857"}
"""Of links, by their kinds."""
DIM = 0.62
"""How much of the map is taken back, so that the graph stands out."""
DASH = 0.45
"""Cells that a dash of a secret link is long."""


def graph_picture(level: Level, *, cell: int | None = None, style: str = "dark") -> Image.Image:
    """The level's graph over a dim picture of it. Discs with a number are rooms, small ones corridors; the numbers are the labels of the regions.

    Lines are links: blue without a door, white through one, red if it is locked, dashed if it is secret, yellow with an arrow if it leads one way.
    """
    bare = Level(level.tiles, level.palette, start=level.start)
    cell = fitting_cell(level.width, level.height, cell)
    image = picture(bare, cell=cell, style=style)
    look = STYLES[style]
    canvas = Canvas(level.width, level.height, cell, look.ground)
    canvas.image = Image.blend(image, canvas.image, DIM)
    graph = level.graph
    places = _places(level, graph)
    for kind, colour in COLOURS.items():
        lines = [_line(graph, link, places) for link in graph.links if link.kind == kind and link.a and link.b]
        if lines:
            shown = lines if kind != "secret" else [part for line in lines for part in _dashes(line)]
            canvas.paint("#000000", canvas.lines(shown, 0.34, least=4.0), 0.5)
            canvas.paint(colour, canvas.lines(shown, 0.16, least=1.6))
        if kind == "one-way" and lines:
            canvas.paint(colour, canvas.lines([_arrow(line) for line in lines], 0.16, least=1.6))
    _discs(canvas, level, graph, places, look.disc, look.edge)
    marks.ends(canvas, _beside(level, places), look)
    return canvas.image


def _places(level: Level, graph: Graph) -> Points:
    """For each label the point that stands for it: the middle of a room; in a corridor with several doors, the cell nearest to the middle of these."""
    table = level.regions.table
    middles = np.zeros((len(table) + 1, 2))
    middles[1:, 0], middles[1:, 1] = table["x"] + table["width"] / 2, table["y"] + table["height"] / 2
    doors: dict[int, list[tuple[float, float]]] = {}
    for link in graph.links:
        door = graph.door(link)
        if door is not None:
            for label in (link.a, link.b):
                doors.setdefault(label, []).append((door.x + 0.5, door.y + 0.5))
    for label in (np.flatnonzero(table["kind"] == KINDS.index("corridor")) + 1).tolist():
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


def _line(graph: Graph, link: Link, places: Points) -> Points:
    door = graph.door(link)
    ends = [places[link.a], places[link.b]]
    return np.array(ends if door is None else [ends[0], (door.x + 0.5, door.y + 0.5), ends[1]])


def _dashes(line: Points) -> Iterable[Points]:
    for a, b in pairwise(line):
        count = max(1, int(np.hypot(*(b - a)) / (2 * DASH)))
        for number in range(count):
            yield np.array([a + (b - a) * (number + share) / count for share in (0.25, 0.75)])


def _arrow(line: Points) -> Points:
    """The two strokes of an arrow in the middle of a line's last part."""
    a, b = line[-2], line[-1]
    length = float(np.hypot(*(b - a))) or 1.0
    along = (b - a) / length
    tip = (a + b) / 2 + along * 0.4
    across = np.array([-along[1], along[0]])
    return np.array([tip - along * 0.8 + across * 0.5, tip, tip - along * 0.8 - across * 0.5])


def _discs(canvas: Canvas, level: Level, graph: Graph, places: Points, fill: str, edge: str) -> None:
    """A disc for each region; those of rooms hold their labels. A corridor that no link names is only a part of one."""
    is_room = np.append(False, level.regions.table["kind"] != KINDS.index("corridor"))
    rooms = np.flatnonzero(is_room).tolist()
    passages = [label for label in graph.nodes if not is_room[label] and graph.degree(label)]
    radius = max(0.72, 8 / canvas.cell)
    for labels, wide in ((passages, radius * 0.4), (rooms, radius)):
        centres = [(float(x), float(y)) for x, y in places[labels]]
        canvas.paint("#000000", canvas.blurred(canvas.discs(centres, wide * 1.25), 0.2), 0.6)
        canvas.paint(edge, canvas.discs(centres, wide))
        canvas.paint(fill, canvas.discs(centres, wide - max(0.1, 1.3 / canvas.cell)))
    if canvas.cell >= 10:
        for label in rooms:
            size = radius * canvas.cell * (1.1 if label < 100 else 0.75)
            canvas.text(str(label), places[label, 0], places[label, 1], edge, size)


def _beside(level: Level, places: Points) -> Level:
    """Start and end only; moved a little where a disc would be under them."""
    moved = []
    for point in (level.start, level.end):
        if point is not None and (np.abs(places[1:] - np.array(point) - 0.5).max(axis=1, initial=0) < 1).any():
            point = min(point[0] + 1, level.width - 1), max(point[1] - 1, 0)  # noqa: PLW2901 - beside the disc
        moved.append(point)
    return Level(level.tiles, level.palette, start=moved[0], end=moved[1])
