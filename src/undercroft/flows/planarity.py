"""Whether a flow can be drawn without crossings, in which order links then lie round each room, and if not, why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.core.run import Run
from undercroft.kernels import buffer, planar

Pair = tuple[int, int]
"""The numbers of the two rooms of a link."""
EDGE_TABLE_ROWS, NODE_TABLE_ROWS, PAIR_TABLE_ROWS = 10, 5, 4
"""As in the kernel."""


class PlanarOrder(NamedTuple):
    """An order of links round each room in which no two of them cross."""

    around: tuple[tuple[int, ...], ...]
    """For each room, the numbers of its links, clockwise."""


class _SimpleGraph(NamedTuple):
    """A graph in which no two edges are alike, as the kernel takes it, and the links that each edge stands for."""

    ends: NDArray[np.int32]
    links: list[list[int]]


def find_planar_order(count: int, pairs: Sequence[Pair], run: Run | None = None) -> PlanarOrder | None:
    """The order of links round each of `count` rooms in a drawing without crossings; None if there is no such drawing.
    Several links between the same two rooms lie side by side.

    >>> find_planar_order(3, [(0, 1), (1, 2), (2, 0)])
    PlanarOrder(around=((0, 2), (0, 1), (1, 2)))
    >>> find_planar_order(5, [(a, b) for a in range(5) for b in range(a)])

    Cost: linear in rooms and links, by the left-right test.
    """
    graph = _simplify(count, pairs)
    found = _test(count, graph.ends, run)
    if found is None:
        return None
    order, heads = found
    around = []
    for room in range(count):
        links: list[int] = []
        half = first = int(heads[room])
        while half >= 0:
            edge, end = divmod(half, 2)
            links += graph.links[edge] if end == 0 else graph.links[edge][::-1]
            half = int(order[0, half])
            if half == first:
                break
        around.append(tuple(links))
    return PlanarOrder(tuple(around))


def is_planar(count: int, pairs: Sequence[Pair], run: Run | None = None) -> bool:
    """Whether a graph can be drawn without crossings.

    >>> is_planar(6, [(a, b) for a in range(3) for b in range(3, 6)])
    False
    """
    return _test(count, _simplify(count, pairs).ends, run) is not None


def _simplify(count: int, pairs: Iterable[Pair]) -> _SimpleGraph:
    """The graph without links that join the same two rooms as one before."""
    numbers: dict[Pair, int] = {}
    links: list[list[int]] = []
    for number, (a, b) in enumerate(pairs):
        if not (0 <= a < count and 0 <= b < count and a != b):
            raise ValueError(f"no link between two of {count} rooms: {a}, {b}")
        edge = numbers.setdefault((min(a, b), max(a, b)), len(links))
        if edge == len(links):
            links.append([])
        links[edge].append(number)
    return _SimpleGraph(np.array(list(numbers), np.int32).reshape(-1, 2).T.copy(), links)


def _test(count: int, ends: NDArray[np.int32], run: Run | None) -> tuple[NDArray[np.int32], NDArray[np.int32]] | None:
    """The order of half edges and the first of each node, from the kernel; None if there is none."""
    edges = ends.shape[1]
    if run is not None:
        run.spend(count + edges)
    if count > 2 and edges > 3 * count - 6:
        return None
    both = ends.T.reshape(-1)
    near = (np.argsort(both, kind="stable") // 2).astype(np.int32)
    first = np.zeros(count + 1, np.int32)
    np.cumsum(np.bincount(both, minlength=count), out=first[1:])
    room = max(count, edges) + 2
    order, heads = np.zeros((2, 2 * edges + 1), np.int32), np.zeros(count + 1, np.int32)
    scratch = [np.zeros((rows, room), np.int32) for rows in (EDGE_TABLE_ROWS, NODE_TABLE_ROWS, PAIR_TABLE_ROWS, 2)]
    counts = np.zeros(4 * count + 8, np.int32)
    tables = [buffer(table) for table in (ends, first, near, *scratch, counts, order, heads)]
    return (order, heads) if planar.find_planar_order(*tables) else None
