"""The path of interest: the longest of all shortest paths between rooms, doors, branching points and corridor runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis import reach
from undercroft.analysis.survey import DOOR, classes
from undercroft.core.palette import Palette
from undercroft.core.run import Run
from undercroft.errors import BadInput
from undercroft.kernels import buffer, flat, paths

SORTS = ("room", "run", "branch", "door")
_SORT_OF_KIND = np.array([0, 0, 1, 2, 2, 3, 3])
FAR = 1 << 60


class Node(NamedTuple):
    """A place on the path: what it is, its weight, and its box."""

    sort: str
    weight: int
    x: int
    y: int
    width: int
    height: int


class Interest(NamedTuple):
    """`length` is the sum of the weights of the nodes; `cells` is a walk through them, as rows (x, y)."""

    length: int
    nodes: tuple[Node, ...]
    cells: NDArray[np.int32]
    searches: int
    """How many searches over the graph it took."""


class PlaceGraph(NamedTuple):
    """Nodes are numbered from 1 in reading order of their first cells."""

    labels: NDArray[np.int32]
    boxes: NDArray[np.int32]
    sorts: NDArray[np.int64]
    weights: NDArray[np.int32]
    starts: NDArray[np.int32]
    targets: NDArray[np.int32]


def place_graph(tiles: NDArray[np.uint8], palette: Palette, weights: Mapping[str, int] | None = None, run: Run | None = None) -> PlaceGraph:
    """The graph of a map. A room weighs (width + height) // 2, a run its number of cells, a door and a branching point 1, unless `weights` says otherwise."""
    run = run or Run()
    height, width = tiles.shape
    table = np.minimum(classes(palette), DOOR)
    roles = table[tiles]
    kinds = np.empty_like(roles)
    run.spend(int(paths.kinds(flat(roles), flat(kinds), width, height)))
    labelled, count = reach.labels(kinds, run=run)
    boxes = reach.boxes(labelled, kinds, count, run)
    sorts = _SORT_OF_KIND[boxes[:, 5]]
    weight = np.ones(count + 1, np.int32)
    weight[1:][sorts == 0] = ((boxes[:, 2] - boxes[:, 0] + boxes[:, 3] - boxes[:, 1] + 2) // 2)[sorts == 0]
    weight[1:][sorts == 1] = boxes[:, 4][sorts == 1]
    for name, value in (weights or {}).items():
        if name not in SORTS or value < 1:
            raise BadInput(f"{name} = {value} is no weight", fix=f"give one of {', '.join(SORTS)} a whole number from 1")
        weight[1:][sorts == SORTS.index(name)] = value
    starts = np.empty(count + 2, np.int32)
    total = int(paths.edges(flat(labelled), buffer(starts), buffer(np.empty(0, np.int32)), width, height))
    targets = np.empty(total, np.int32)
    if total:
        paths.edges(flat(labelled), buffer(starts), buffer(targets), width, height)
    run.spend(2 * tiles.size)
    return PlaceGraph(labelled, boxes, sorts, weight, starts, targets)


def longest_path(graph: PlaceGraph, run: Run | None = None) -> tuple[int, list[int], int]:
    """Length, nodes and number of searches of the longest shortest path; of equal ones that with the smallest start, then the smallest end."""
    run = run or Run()
    count = len(graph.boxes)
    if not count:
        return 0, [], 0
    dist = np.full(count + 1, -1, np.int64)
    low = np.zeros(count + 1, np.int64)
    high = np.full(count + 1, FAR, np.int64)
    order = np.empty(count, np.int32)
    heap = np.empty(len(graph.targets) + 2, np.uint64)
    state = np.zeros(10, np.int64)
    state[6] = 1
    shape = buffer(graph.starts), buffer(graph.targets), buffer(graph.weights)
    args = buffer(state), *shape, buffer(dist), buffer(low), buffer(high), buffer(order), buffer(heap)
    run.drive(lambda fuel: int(paths.longest(*args, fuel)))
    way = np.empty(count, np.int32)
    steps = paths.way_back(*shape, buffer(dist), buffer(way), int(state[8]))
    return int(state[3]) // 2, way[:steps][::-1].tolist(), int(state[5])


def path_of_interest(tiles: NDArray[np.uint8], palette: Palette, weights: Mapping[str, int] | None = None, run: Run | None = None) -> Interest:
    """The path of interest of a map, and a walk along it from the middle of its first room (or the end of its first run) to that of its last.

    Cost: a few searches over the graph; exact nevertheless.
    """
    run = run or Run()
    graph = place_graph(tiles, palette, weights, run)
    length, way, searches = longest_path(graph, run)
    nodes = tuple(_node(graph, node) for node in way)
    return Interest(length, nodes, _walk(graph, way, run) if way else np.zeros((0, 2), np.int32), searches)


def _node(graph: PlaceGraph, node: int) -> Node:
    x0, y0, x1, y1, _, _ = graph.boxes[node - 1].tolist()
    return Node(SORTS[graph.sorts[node - 1]], int(graph.weights[node]), x0, y0, x1 - x0 + 1, y1 - y0 + 1)


def _walk(graph: PlaceGraph, way: list[int], run: Run) -> NDArray[np.int32]:
    """A shortest walk through the cells of the path's nodes only."""
    on_path = np.zeros(len(graph.boxes) + 1, bool)
    on_path[way] = True
    cells = on_path[graph.labels]
    start = _middle(graph, way[0])
    if graph.sorts[way[0] - 1] != 0:  # not a room: begin where the run is farthest from the other end
        start = _last_cell(graph, way[0], reach.Field(cells, [_middle(graph, way[-1])], run))
    field = reach.Field(cells, [start], run)
    end = _middle(graph, way[-1]) if graph.sorts[way[-1] - 1] == 0 else _last_cell(graph, way[-1], field)
    return field.way(*end)


def _cells(graph: PlaceGraph, node: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    x0, y0, x1, y1, _, _ = graph.boxes[node - 1].tolist()
    ys, xs = np.nonzero(graph.labels[y0 : y1 + 1, x0 : x1 + 1] == node)
    return xs + x0, ys + y0


def _middle(graph: PlaceGraph, node: int) -> tuple[int, int]:
    """The cell of the node nearest to the middle of its box."""
    x0, y0, x1, y1, _, _ = graph.boxes[node - 1].tolist()
    x, y = (x0 + x1) // 2, (y0 + y1) // 2
    if graph.labels[y, x] == node:
        return x, y
    xs, ys = _cells(graph, node)
    at = int(np.argmin((2 * xs - x0 - x1) ** 2 + (2 * ys - y0 - y1) ** 2))
    return int(xs[at]), int(ys[at])


def _last_cell(graph: PlaceGraph, node: int, field: reach.Field) -> tuple[int, int]:
    """The cell of the node that is farthest away."""
    xs, ys = _cells(graph, node)
    at = int(np.argmax(field.steps[ys, xs]))
    return int(xs[at]), int(ys[at])


