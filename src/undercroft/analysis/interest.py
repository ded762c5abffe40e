"""The path of interest: the longest of all shortest paths between rooms, doors, branching points and corridor runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft import limits
from undercroft.analysis import reach
from undercroft.analysis.spans import find_components
from undercroft.analysis.survey import classify_roles
from undercroft.core.palette import Palette
from undercroft.core.run import Run
from undercroft.errors import BadInput
from undercroft.kernels import buffer, flat_buffer, paths

SORTS = ("room", "run", "branch", "door")
_SORT_OF_KIND = (0, 0, 1, 2, 2, 3, 3)
INFINITE_LENGTH = 1 << 60
LEAST_PLACES_FOR_BUCKETS = 1 << 10
"""A search over fewer places is quick with a heap, and takes no longer to prepare."""
MAX_BUCKETS = 1 << 20
"""With a longer edge than this, a search uses a heap."""
Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Point = tuple[int, int]


_NO_BUCKETS: tuple[Ints, Ints, Ints] = (np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0, np.int32))


class PathNode(NamedTuple):
    """A node of the path: its sort, its weight, and its box."""

    sort: str
    weight: int
    x: int
    y: int
    width: int
    height: int


class InterestPath(NamedTuple):
    """`length` is the sum of the weights of the nodes; `cells` is a walk through them, as rows (x, y)."""

    length: int
    cells: NDArray[np.int32]
    graph: PlaceGraph
    way: list[int]
    """The numbers of the nodes on the path."""
    searches: int
    """The number of searches over the graph."""

    @property
    def nodes(self) -> list[PathNode]:
        """The nodes on the path."""
        return [_build_node(self.graph, node) for node in self.way]


class PlaceGraph(NamedTuple):
    """Nodes are numbered from 1 in reading order of their first cells: connected cells of equal kind."""

    kinds: NDArray[np.uint8]
    boxes: NDArray[np.int32]
    """For each node: least x, least y, greatest x, greatest y, area, kind, first cell."""
    weights: NDArray[np.int32]
    starts: NDArray[np.int32]
    targets: NDArray[np.int32]

    def node_sort(self, node: int) -> str:
        """The sort of a node: room, run, branch or door."""
        return SORTS[_SORT_OF_KIND[self.boxes[node - 1, 5]]]


def place_graph(
    tiles: NDArray[np.uint8], palette: Palette, weights: Mapping[str, int] | None = None, run: Run | None = None
) -> PlaceGraph:
    """The graph of a map. By default a room weighs (width + height) // 2, a run its number of cells, a door and a
    branching point 1; `weights` overrides this.
    """
    run = run or Run()
    height, width = tiles.shape
    roles = classify_roles(tiles, palette)
    kinds = np.empty_like(roles)
    run.spend(int(paths.classify_cells(flat_buffer(roles), flat_buffer(kinds), width, height)))
    found = find_components(kinds, run, keep_spans=False)
    boxes, count = found.boxes, len(found.boxes)
    fixed = np.array([0, 0, 1, 1], np.int32)
    for name, value in (weights or {}).items():
        if name not in SORTS or value < 1:
            raise BadInput(
                f"{name} = {value} is no weight", fix=f"give one of {', '.join(SORTS)} a whole number from 1"
            )
        fixed[SORTS.index(name)] = value
    weight = np.empty(count + 1, np.int32)
    total = paths.weigh_nodes(buffer(boxes), buffer(fixed), buffer(weight))
    limits.INTEREST_WEIGHT.check(int(total), "the weight of all nodes together")
    starts, targets = np.empty(count + 2, np.int32), np.empty(2 * len(found.pairs), np.int32)
    paths.index_edges(buffer(found.pairs), buffer(found.numbers), buffer(starts), buffer(targets))
    run.spend(len(found.pairs))
    return PlaceGraph(kinds, boxes, weight, starts, targets)


def find_longest_path(graph: PlaceGraph, run: Run | None = None) -> tuple[int, list[int], int]:
    """The length, nodes and number of searches of the longest shortest path. Ties go to the smallest start, then the
    smallest end.

    Trees that hang on the rest are removed and represented by their heights, chains of nodes become one edge, and
    bounds prune the search of the rest. Lengths are doubled internally: an edge costs the weights of its two ends, a
    path its edges and the weights of both its ends.
    """
    run = run or Run()
    count = len(graph.boxes)
    if not count:
        return 0, [], 0
    whole = buffer(graph.starts), buffer(graph.targets), buffer(graph.weights)
    degree, parent, order, slot = (np.empty(count + 1, np.int32) for _ in range(4))
    height = np.empty(count + 1, np.int64)
    in_trees = int(paths.strip_trees(*whole, buffer(degree), buffer(height), buffer(parent), buffer(order)))
    best, start, way, searches = _search_between_trees(whole, degree, height, parent, order, slot, in_trees, run)
    if not way:  # a path inside one tree, or from there to another
        least = best - int(graph.weights[start])
        dist = _measure_distances(graph, start, run)
        way = _trace_way(graph, dist, int(paths.find_end(buffer(dist), buffer(graph.weights), least)))
        searches += 1
    return best // 2, way, searches


def _measure_distances(graph: PlaceGraph, start: int, run: Run) -> Longs:
    """The doubled length of the shortest path from a node to each, without the weights of its two ends; -1 if there is
    none.
    """
    count = len(graph.boxes) + 1
    dist = np.full(count, -1, np.int64)
    dist[start] = 0
    longest = 2 * int(np.maximum.reduce(graph.weights)) if count > LEAST_PLACES_FOR_BUCKETS else 0
    ring, waiting, after = build_buckets(longest, len(graph.targets) + 2)
    heap = np.empty(1 if len(ring) else len(graph.targets) + 2, np.uint64)
    heap[0] = start
    if len(ring):
        ring[0], waiting[1], after[1] = 1, start, 0
    args = (
        *(buffer(np.array([1, 0, 1], np.int64)), buffer(graph.starts), buffer(graph.targets), buffer(graph.weights)),
        *(buffer(dist), buffer(heap), buffer(ring), buffer(waiting), buffer(after)),
    )
    run.drive(lambda fuel: int(paths.measure_distances(*args, fuel)))
    return dist


def build_buckets(longest: int, entries: int) -> tuple[Ints, Ints, Ints]:
    """The empty buckets of a search over edges up to that length, and two lists for so many entries, numbered from 1:
    see `put` of the kernels. They are empty if the search is to use a heap: its graph has no edge, or a very long one.

    >>> [len(part) for part in build_buckets(9, 30)], [len(part) for part in build_buckets(0, 30)]
    ([16, 31, 31], [0, 0, 0])
    """
    if not 0 < longest < MAX_BUCKETS:
        return _NO_BUCKETS
    ring = np.zeros(1 << longest.bit_length(), np.int32)
    return ring, np.empty(entries + 1, np.int32), np.empty(entries + 1, np.int32)


def _trace_way(graph: PlaceGraph, dist: Longs, end: int) -> list[int]:
    """The nodes of the shortest path to a node, from the one at distance 0."""
    way = np.empty(len(graph.boxes), np.int32)
    whole = buffer(graph.starts), buffer(graph.targets), buffer(graph.weights)
    steps = paths.trace_path_back(*whole, buffer(dist), buffer(way), end)
    nodes: list[int] = way[:steps][::-1].tolist()
    return nodes


def _search_between_trees(
    whole: Any, degree: Ints, height: Longs, parent: Ints, order: Ints, slot: Ints, in_trees: int, run: Run
) -> tuple[int, int, list[int], int]:
    """The best length, doubled; the first node that attains it; its path, if it does not end in the tree that it
    begins in; the number of searches.
    """
    count = len(slot) - 1
    sizes = np.empty(3, np.int64)
    paths.count_kept(buffer(degree), buffer(sizes))
    kept, edges, _ = sizes.tolist()
    forks, inner = np.empty(kept, np.int32), np.empty(kept, np.int32)
    along, ends = np.empty(kept, np.int64), np.empty((edges, 4), np.int64)
    paths.split_into_chains(
        *whole, buffer(degree), buffer(slot), buffer(forks), buffer(inner), buffer(along), buffer(ends), buffer(sizes)
    )
    fork_count, inner_count, chain_count = sizes.tolist()
    ends = ends[:chain_count]
    first, across, chain_of = (np.empty(size, np.int32) for size in (fork_count + 1, 2 * chain_count, inner_count))
    lengths = np.empty(2 * chain_count, np.int64)
    paths.index_chains(buffer(ends), buffer(first), buffer(across), buffer(lengths), buffer(chain_of))
    places = fork_count + inner_count
    tall, open_places = np.empty(places, np.int64), np.empty(places, np.int32)
    paths.list_places(buffer(height), buffer(forks), buffer(inner), buffer(tall), buffer(open_places), fork_count)
    low, high = np.zeros(places, np.int64), np.full(places, INFINITE_LENGTH, np.int64)
    state = np.zeros(11, np.int64)
    state[3], state[8] = in_trees, places
    longest = int(lengths.max(initial=0)) if fork_count > LEAST_PLACES_FOR_BUCKETS else 0
    ring, waiting, after = build_buckets(longest, 2 * chain_count + 3)
    dist = np.empty(fork_count, np.int64)
    heap = np.empty(1 if len(ring) else 2 * chain_count + 3, np.uint64)
    arrays: tuple[NDArray[Any], ...] = (
        state,
        ends,
        first,
        across,
        lengths,
        along,
        chain_of,
        tall,
        dist,
        low,
        high,
        open_places,
        heap,
        ring,
        waiting,
        after,
    )
    args = [buffer(array) for array in arrays]
    none = buffer(np.empty(1, np.int64))
    run.drive(lambda fuel: int(paths.find_longest_path(*args, none, fuel)))
    first_inside = 0
    if state[3] == in_trees:  # a path inside one tree can be as long: its starts count too
        own, above, widest, wide = (np.empty(count + 1, np.int64) for _ in range(4))
        paths.measure_inside_trees(
            buffer(order),
            buffer(parent),
            whole[2],
            buffer(height),
            buffer(widest),
            buffer(wide),
            buffer(above),
            buffer(own),
        )
        own[0] = 0
        first_inside = int((own == state[3]).argmax())
    candidates = np.empty(count, np.int64)
    kept_nodes = buffer(open_places), buffer(forks[:fork_count]), buffer(inner)
    trees = buffer(parent), buffer(height), buffer(order), buffer(candidates)
    many = paths.list_deepest(*kept_nodes, *whole, *trees, int(state[8]))
    candidates = np.sort(candidates[:many])
    state[4], state[6] = 3, 0
    run.drive(lambda fuel: int(paths.find_longest_path(*args, buffer(candidates), fuel)))
    run.spend(4 * count)
    start = int(state[7])
    if first_inside and (not start or first_inside <= start):
        return int(state[3]), first_inside, [], int(state[5])
    way = np.empty(count, np.int32)
    steps = paths.trace_path_between_trees(
        buffer(state),
        buffer(candidates),
        *(buffer(array) for array in (ends, along, chain_of, tall, dist, slot)),
        *whole,
        buffer(parent),
        buffer(way),
    )
    return int(state[3]), start, way[:steps][::-1].tolist(), int(state[5])


def path_of_interest(
    tiles: NDArray[np.uint8], palette: Palette, weights: Mapping[str, int] | None = None, run: Run | None = None
) -> InterestPath:
    """The path of interest of a map, with a walk along it from the middle of its first room (or the end of its first
    run) to that of its last.

    Cost: a few searches over the graph. The result is exact.
    """
    run = run or Run()
    graph = place_graph(tiles, palette, weights, run)
    length, way, searches = find_longest_path(graph, run)
    return InterestPath(length, _walk(graph, way, run) if way else np.zeros((0, 2), np.int32), graph, way, searches)


def path_of_interest_from(
    tiles: NDArray[np.uint8],
    palette: Palette,
    start: Point | None,
    end: Point | None,
    weights: Mapping[str, int] | None = None,
    run: Run | None = None,
) -> InterestPath:
    """The longest of all shortest paths from a given start, or to a given end; with both, the shortest path between
    them. The walk along it begins and ends at the given cells. It has no cells if no way leads from one to the other.

    Cost: one search over the graph.
    """
    run = run or Run()
    graph = place_graph(tiles, palette, weights, run)
    first = start or end
    assert first is not None
    other = end if start else None
    begin = _node_at(graph, first)
    if not begin:
        return InterestPath(0, np.zeros((0, 2), np.int32), graph, [], 0)
    dist = _measure_distances(graph, begin, run)
    if other is None:
        last = int(np.where(dist >= 0, dist + graph.weights, -1).argmax())
    else:
        last = _node_at(graph, other)
    if not last or dist[last] < 0:
        return InterestPath(0, np.zeros((0, 2), np.int32), graph, [], 1)
    way = _trace_way(graph, dist, last)
    length = int(dist[last] + graph.weights[begin] + graph.weights[last]) // 2
    cells = _walk(graph, way, run, first, other)
    if start is None:
        way, cells = way[::-1], np.ascontiguousarray(cells[::-1])
    return InterestPath(length, cells, graph, way, 1)


def _build_node(graph: PlaceGraph, node: int) -> PathNode:
    x0, y0, x1, y1, _, _, _ = graph.boxes[node - 1].tolist()
    return PathNode(graph.node_sort(node), int(graph.weights[node]), x0, y0, x1 - x0 + 1, y1 - y0 + 1)


def _walk(
    graph: PlaceGraph, way: list[int], run: Run, start: Point | None = None, end: Point | None = None
) -> NDArray[np.int32]:
    """A shortest walk that uses only cells of the path's nodes, from and to the given cells."""
    boxes = graph.boxes[np.array(way) - 1]
    cells = _mark_cells(graph.kinds, boxes[:, 6].copy(), int(boxes[:, 4].max()))
    run.spend(int(boxes[:, 4].sum()))
    if start is None:
        start = _node_middle(graph, way[0])
        if graph.node_sort(way[0]) != "room":  # a run: begin at its cell farthest from the other end
            start = _farthest_cell(graph, way[0], reach.DistanceField(cells, [_node_middle(graph, way[-1])], run))
    if end is None and graph.node_sort(way[-1]) == "room":
        end = _node_middle(graph, way[-1])
    if end is not None and cells[start[1], start[0]]:
        return reach.Flood(cells, start, run).path_to(*end)
    field = reach.DistanceField(cells, [start], run)
    return field.path_to(*(end or _farthest_cell(graph, way[-1], field)))


def _mark_cells(kinds: NDArray[np.uint8], firsts: Ints, area: int) -> NDArray[np.bool_]:
    """The cells of the nodes that have these cells, none of more than that area."""
    cells = np.zeros(kinds.shape, np.uint8)
    height, width = kinds.shape
    paths.mark_nodes(
        flat_buffer(kinds), buffer(firsts), flat_buffer(cells), buffer(np.empty(area, np.int32)), width, height
    )
    return cells.view(bool)


def _node_at(graph: PlaceGraph, point: Point) -> int:
    """The node of a cell; 0 if it has none."""
    x, y = point
    if not graph.kinds[y, x]:
        return 0
    cell = np.array([y * graph.kinds.shape[1] + x], np.int32)
    first = _mark_cells(graph.kinds, cell, int(graph.boxes[:, 4].max())).argmax()
    return int(graph.boxes[:, 6].searchsorted(first)) + 1


def _node_cells(graph: PlaceGraph, node: int) -> NDArray[np.bool_]:
    """Which cells of its box belong to a node."""
    x0, y0, x1, y1, area, _, _ = graph.boxes[node - 1].tolist()
    return _mark_cells(graph.kinds, graph.boxes[node - 1, 6:].copy(), area)[y0 : y1 + 1, x0 : x1 + 1]


def _node_middle(graph: PlaceGraph, node: int) -> tuple[int, int]:
    """The cell of the node nearest to the middle of its box."""
    x0, y0, x1, y1, *_ = graph.boxes[node - 1].tolist()
    x, y = (x0 + x1) // 2, (y0 + y1) // 2
    cells = _node_cells(graph, node)
    if cells[y - y0, x - x0]:
        return x, y
    ys, xs = np.nonzero(cells)
    at = int(np.argmin((2 * xs + x0 - x1) ** 2 + (2 * ys + y0 - y1) ** 2))
    return int(xs[at]) + x0, int(ys[at]) + y0


def _farthest_cell(graph: PlaceGraph, node: int, field: reach.DistanceField) -> tuple[int, int]:
    """The cell of the node that is farthest from the sources of the field."""
    x0, y0, *_ = graph.boxes[node - 1].tolist()
    ys, xs = np.nonzero(_node_cells(graph, node))
    at = int(np.argmax(field.steps[ys + y0, xs + x0]))
    return int(xs[at]) + x0, int(ys[at]) + y0
