"""The planarity test against networkx, its orders against Euler's formula, least figures against their definition."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import networkx
import pytest

from support.maps import HEAVY, interpreted
from undercroft.core.run import Run
from undercroft.errors import OutOfBudget
from undercroft.flows.figure import (
    draw_figure,
    find_figure,
    list_links_too_many,
    list_rooms_too_many,
)
from undercroft.flows.planarity import Pair, find_planar_order, is_planar

GRAPHS = 60_000 if HEAVY else 2_500


def random_pairs(rng: random.Random, count: int, links: int) -> list[Pair]:
    return [(a, b) for a, b in (rng.sample(range(count), 2) for _ in range(links))] if count > 1 else []


def build_graph(count: int, pairs: Sequence[Pair]) -> Any:
    graph: Any = networkx.Graph()
    graph.add_nodes_from(range(count))
    graph.add_edges_from(pairs)
    return graph


def count_faces(pairs: Sequence[Pair], around: Sequence[Sequence[int]]) -> int:
    """The faces that an order of links round each room gives: each is walked along, with the wall on one side."""
    following = {
        (room, link): links[(at + 1) % len(links)] for room, links in enumerate(around) for at, link in enumerate(links)
    }
    seen: set[Pair] = set()
    faces = 0
    for first in following:
        faces += first not in seen
        step = first
        while step not in seen:
            seen.add(step)
            room, link = step
            other = sum(pairs[link]) - room
            step = (other, following[other, link])
    return faces


def check_order(count: int, pairs: Sequence[Pair]) -> None:
    """That the order is one of a drawing without crossings: for each part, rooms - links + faces is 2."""
    found = find_planar_order(count, pairs)
    assert found is not None
    assert sorted(link for links in found.around for link in links) == sorted([*range(len(pairs))] * 2)
    for room, links in enumerate(found.around):
        assert all(room in pairs[link] for link in links)
    for part in networkx.connected_components(build_graph(count, pairs)):
        around = [links if room in part else () for room, links in enumerate(found.around)]
        inside = sum(map(len, around)) // 2
        if inside:
            assert len(part) - inside + count_faces(pairs, around) == 2, (count, pairs, found)


def test_it_agrees_with_networkx_on_random_graphs() -> None:
    seen = {True: 0, False: 0}
    for seed in range(GRAPHS):
        rng = random.Random(seed)
        count = rng.randint(1, 12)
        pairs = random_pairs(rng, count, rng.randint(0, 3 * count + 3))
        planar: bool = networkx.check_planarity(build_graph(count, pairs))[0]
        assert is_planar(count, pairs) == planar, (count, pairs)
        if planar:
            check_order(count, pairs)
        else:
            assert find_planar_order(count, pairs) is None
        seen[planar] += 1
    assert min(seen.values()) > GRAPHS // 10, seen


def maximal_planar(rng: random.Random, count: int) -> list[Pair]:
    """A triangulation: every room lies in a face of those before, and is linked to its corners; then links are turned
    within the two faces beside them.
    """
    pairs = [(0, 1), (1, 2), (0, 2)]
    faces = [(0, 1, 2), (0, 1, 2)]
    for room in range(3, count):
        a, b, c = faces.pop(rng.randrange(len(faces)))
        faces += [(a, b, room), (b, c, room), (a, c, room)]
        pairs += [(a, room), (b, room), (c, room)]
    rng.shuffle(pairs)
    return pairs


@pytest.mark.parametrize("count", [10, 25, 50, 333])
def test_maximal_planar_graphs_are_planar_and_one_link_more_is_too_much(count: int) -> None:
    for seed in range(20 if HEAVY else 3):
        rng = random.Random(seed)
        pairs = maximal_planar(rng, count)
        assert len(pairs) == 3 * count - 6
        check_order(count, pairs)
        linked = {*pairs, *(pair[::-1] for pair in pairs)}
        more = next((a, b) for a in range(count) for b in range(a) if (a, b) not in linked)
        assert not is_planar(count, [*pairs[1:], more, pairs[0]])


def test_trees_rings_grids_and_nothing() -> None:
    check_order(0, [])
    check_order(1, [])
    check_order(3, [])
    check_order(2, [(0, 1), (1, 0), (0, 1)])
    check_order(1000, [(room // 2, room) for room in range(1, 1000)])
    check_order(500, [(room, (room + 1) % 500) for room in range(500)])
    side = 14
    grid = [(y * side + x, y * side + x + 1) for y in range(side) for x in range(side - 1)]
    grid += [(y * side + x, y * side + x + side) for y in range(side - 1) for x in range(side)]
    check_order(side * side, grid)


def test_links_between_the_same_rooms_lie_side_by_side() -> None:
    found = find_planar_order(3, [(0, 1), (1, 2), (1, 0), (2, 0), (0, 1)])
    assert found is not None
    check_order(3, [(0, 1), (1, 2), (1, 0), (2, 0), (0, 1)])
    twins = [link for link in found.around[0] if link != 3]
    assert twins in ([0, 2, 4], [4, 2, 0], [2, 4, 0], [4, 0, 2], [0, 4, 2], [2, 0, 4])


def test_compiled_and_interpreted_kernels_agree() -> None:
    graphs = []
    for seed in range(60):
        rng = random.Random(seed)
        count = rng.randint(2, 14)
        graphs.append((count, random_pairs(rng, count, rng.randint(0, 2 * count))))
    compiled = [find_planar_order(*graph) for graph in graphs]
    with interpreted():
        assert [find_planar_order(*graph) for graph in graphs] == compiled


def test_work_is_counted() -> None:
    with pytest.raises(OutOfBudget):
        is_planar(50, [(room, room + 1) for room in range(49)], Run(budget=20))


# --- figures


def check_figure(count: int, pairs: list[Pair]) -> None:
    """That the figure is what it says: not planar, planar without any one link, and made of its rooms and ways."""
    found = find_figure(count, pairs)
    assert found is not None
    figure = [pairs[link] for link in found.links]
    assert not networkx.check_planarity(build_graph(count, figure))[0]
    for link in range(len(figure)):
        assert networkx.check_planarity(build_graph(count, figure[:link] + figure[link + 1 :]))[0]
    assert (len(found.one_side), len(found.other_side)) in ((5, 0), (3, 3))
    wanted = (
        {(a, b) for a in found.one_side for b in found.other_side}
        if found.other_side
        else {(a, b) for a in found.one_side for b in found.one_side if a < b}
    )
    assert found.ways.keys() == wanted
    steps = [(a, b) for ends, way in found.ways.items() for a, b in zip((ends[0], *way), (*way, ends[1]), strict=True)]
    assert sorted(map(sorted, steps)) == sorted(map(sorted, figure))
    drawn = draw_figure(found, [f"room{number}" for number in range(count)])
    assert all(f"room{number}" in drawn for number in {*found.one_side, *found.other_side})


def test_the_least_figure_is_least() -> None:
    seen = {0: 0, 3: 0}
    for seed in range(2_000 if HEAVY else 60):
        rng = random.Random(seed)
        count = rng.randint(5, 30)
        pairs = random_pairs(rng, count, int(1.5 * count) + 4)
        if is_planar(count, pairs):
            assert find_figure(count, pairs) is None
            continue
        check_figure(count, pairs)
        found = find_figure(count, pairs)
        assert found is not None
        seen[len(found.other_side)] += 1
    check_figure(5, [(a, b) for a in range(5) for b in range(a)])
    assert seen[3] > 10


def test_what_is_left_out_is_enough() -> None:
    for seed in range(40):
        rng = random.Random(seed)
        count = rng.randint(6, 20)
        pairs = random_pairs(rng, count, 2 * count)
        links, rooms = list_links_too_many(count, pairs), list_rooms_too_many(count, pairs)
        if links is not None:
            assert is_planar(count, [pair for number, pair in enumerate(pairs) if number not in links])
            assert bool(links) != is_planar(count, pairs)
        assert rooms is not None
        assert is_planar(count, [pair for pair in pairs if not {*pair} & {*rooms}])
