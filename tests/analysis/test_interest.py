"""The path of interest against brute force, on a graph that is built here from the tiles, cell by cell."""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

import undercroft as uc
from support.maps import HEAVY, after, draft_of, soup
from undercroft.analysis.interest import path_of_interest, path_of_interest_from, place_graph
from undercroft.analysis.reach import label_components
from undercroft.core.draft import Draft
from undercroft.core.palette import DOOR_ROLES, STANDARD
from undercroft.errors import BadInput
from undercroft.steps.mazes.maze import Maze

Point = tuple[int, int]


class Places(NamedTuple):
    """Nodes from 1 in reading order of their first cells."""

    sorts: dict[int, str]
    weights: dict[int, int]
    near: dict[int, set[int]]
    node_of: dict[Point, int]


def sort_of(tiles: NDArray[np.uint8], x: int, y: int) -> str:
    """What a cell is part of; nothing if it is closed."""
    height, width = tiles.shape
    tile = STANDARD.tiles[tiles[y, x]]
    if not tile.walkable:
        return ""
    around = [
        STANDARD.tiles[tiles[b, a]]
        for a, b in ((x, y - 1), (x - 1, y), (x + 1, y), (x, y + 1))
        if 0 <= a < width and 0 <= b < height
    ]
    if tile.role in DOOR_ROLES:
        return "door"
    beside = {near.role for near in around}
    if tile.role in {"entry", "exit"} and "corridor" in beside and "floor" not in beside:
        pass  # stairs in a corridor are a part of it
    elif tile.role != "corridor":
        return "room"
    return "branch" if sum(near.walkable for near in around) >= 3 else "run"


def places(tiles: NDArray[np.uint8], given: Mapping[str, int]) -> Places:
    """The graph as document 004 describes it: rooms, doors, branching points, and the corridor runs between them."""
    height, width = tiles.shape
    sorts = {(x, y): sort_of(tiles, x, y) for y in range(height) for x in range(width)}
    node_of: dict[Point, int] = {}
    cells_of: dict[int, list[Point]] = {}
    for start, sort in sorts.items():  # in reading order
        if not sort or start in node_of:
            continue
        node = len(cells_of) + 1
        cells, node_of[start] = [start], node
        for x, y in cells:
            for near in ((x, y - 1), (x - 1, y), (x + 1, y), (x, y + 1)):
                alike = sorts.get(near) == sort and sort in {"room", "run"}
                if alike and near not in node_of:
                    node_of[near] = node
                    cells.append(near)
        cells_of[node] = cells
    result = Places({}, {}, {node: set() for node in cells_of}, node_of)
    for node, cells in cells_of.items():
        sort = sorts[cells[0]]
        wide = max(x for x, _ in cells) - min(x for x, _ in cells) + 1
        high = max(y for _, y in cells) - min(y for _, y in cells) + 1
        usual = {"room": (wide + high) // 2, "run": len(cells), "branch": 1, "door": 1}[sort]
        result.sorts[node] = sort
        result.weights[node] = given.get(sort, usual)
        for x, y in cells:
            for near in ((x, y - 1), (x - 1, y), (x + 1, y), (x, y + 1)):
                if node_of.get(near, node) != node:
                    result.near[node].add(node_of[near])
    return result


def lengths(graph: Places, source: int) -> dict[int, int]:
    """The least sum of weights from a node to every other, both included."""
    best = {source: graph.weights[source]}
    heap = [(best[source], source)]
    while heap:
        length, node = heapq.heappop(heap)
        if length == best[node]:
            for near in graph.near[node]:
                longer = length + graph.weights[near]
                if longer < best.get(near, longer + 1):
                    best[near] = longer
                    heapq.heappush(heap, (longer, near))
    return best


def brute_force(graph: Places) -> tuple[int, int, int]:
    """Length, start and end of the longest shortest path; of equals the smallest start, then the smallest end."""
    return max(
        ((length, -start, -end) for start in graph.near for end, length in lengths(graph, start).items()),
        default=(0, 0, 0),
    )


def check(tiles: NDArray[np.uint8], weights: Mapping[str, int] | None = None) -> int:
    """Compare with brute force; returns the number of nodes."""
    graph = places(tiles, weights or {})
    length, start, end = brute_force(graph)
    found = path_of_interest(tiles, STANDARD, weights)
    assert found.length == length
    if not graph.near:
        assert (len(found.nodes), found.cells.shape) == (0, (0, 2))
        return 0
    walk = [(int(x), int(y)) for x, y in found.cells]
    visited = [graph.node_of[cell] for cell in walk]
    # the walk is a walk, from the first node to the last
    assert (visited[0], visited[-1]) == (-start, -end)
    assert all(abs(a - c) + abs(b - d) == 1 for (a, b), (c, d) in pairwise(walk))
    assert len(set(walk)) == len(walk)
    # through the nodes that are named, in their order, and no others
    order = list(dict.fromkeys(visited))
    assert [graph.sorts[node] for node in order] == [node.sort for node in found.nodes]
    assert sum(graph.weights[node] for node in order) == length == sum(node.weight for node in found.nodes)
    assert all(b in graph.near[a] for a, b in pairwise(order))
    return len(graph.near)


def numbers(graph: Places) -> list[tuple[str, int]]:
    return [(graph.sorts[node], graph.weights[node]) for node in graph.near]


SOUPS = ["#,,,,", "##,,,+", "##..,,+", "#.,+'LS<", "###.,~+", ",,,,,,+#", "####,", "##.+"]


@pytest.mark.parametrize("glyphs", SOUPS)
def test_soups(glyphs: str) -> None:
    nodes = [check(soup(number, glyphs, 10).tiles) for number in range(2000 if HEAVY else 60)]
    assert max(nodes) > 8


def test_the_graph_is_numbered_in_reading_order() -> None:
    for number in range(100):
        tiles = soup(number, "##..,,+", 9).tiles
        graph, ours = places(tiles, {}), place_graph(tiles, STANDARD)
        labels = [[graph.node_of.get((x, y), 0) for x in range(tiles.shape[1])] for y in range(tiles.shape[0])]
        assert label_components(ours.kinds)[0].tolist() == labels
        assert [(ours.node_sort(node), int(ours.weights[node])) for node in range(1, len(ours.boxes) + 1)] == numbers(
            graph
        )


def corridors(width: int, height: int) -> Draft:
    """Streets on all odd rows and columns: many ways of equal length."""
    draft = Draft(width, height)
    draft.tiles[1:-1:2, 1:-1] = draft.tiles[1:-1, 1:-1:2] = STANDARD["corridor"]
    return draft


def test_many_ties() -> None:
    for width in range(3, 13, 2):
        for height in range(3, 11, 2):
            check(corridors(width, height).tiles)
    check(np.full((9, 9), STANDARD["corridor"], np.uint8))
    check(np.full((7, 8), STANDARD["door"], np.uint8))


def test_broken_grids_of_streets() -> None:
    for number in range(300):
        chance = np.random.default_rng(number)
        tiles = corridors(11, 9).tiles
        tiles[chance.random(tiles.shape) < 0.12] = STANDARD["wall"]
        tiles[(tiles == STANDARD["corridor"]) & (chance.random(tiles.shape) < 0.1)] = STANDARD["door"]
        check(tiles)


def test_trees() -> None:
    for seed in range(150):
        check(after(Maze(winding=seed % 3 / 2), Draft(5 + 2 * (seed % 7), 5 + 2 * (seed % 5)), seed=seed).tiles)


def test_rings() -> None:
    for size in range(3, 9):
        tiles = np.full((size + 2, 9), STANDARD["wall"], np.uint8)
        tiles[1:-1, 1:-1] = STANDARD["corridor"]
        tiles[2:-2, 2:-2] = STANDARD["wall"]
        for doors in range(4):
            tiles[1, 1 + doors] = STANDARD["door"]
            check(tiles)


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"dead_ends": 1.0},
        {"dead_ends": 0.5, "extra": 0.2},
        {"extra": 1.0},
        {"extra": 0.0, "room_tries": 4},
        {"doors": 0.5, "winding": 0.0},
    ],
)
def test_levels_of_rooms_and_mazes(params: dict[str, float]) -> None:
    for seed in range(25):
        level = uc.generate(
            "rooms-and-mazes", seed=seed, size=(21 + 2 * (seed % 7), 15 + 2 * (seed % 4)), params=params
        )
        assert check(level.tiles)
        found = path_of_interest(level.tiles, level.palette)
        assert (level.path == found.cells).all()
        assert (level.start, level.end) == (tuple(found.cells[0].tolist()), tuple(found.cells[-1].tolist()))
        assert uc.measure(level, "poi_length") == {"poi_length": found.length}


@pytest.mark.parametrize(
    "weights",
    [
        {"room": 1},
        {"run": 1},
        {"door": 9},
        {"branch": 40},
        {"room": 7, "run": 3, "door": 2, "branch": 5},
        {"room": 1_000_000},
    ],
)
def test_other_weights(weights: dict[str, int]) -> None:
    for number in range(100):
        check(soup(number, "##..,,+", 9).tiles, weights)


@pytest.mark.parametrize("weights", [{"hall": 1}, {"room": 0}, {"run": -3}])
def test_no_weight(weights: dict[str, int]) -> None:
    with pytest.raises(BadInput, match="is no weight"):
        path_of_interest(draft_of("#.#").tiles, STANDARD, weights)


def test_drawn() -> None:
    """Two rooms of weight 3 and 2, two doors, a run of five cells; the blind alley is no longer than the way to the
    right room.
    """
    level = draft_of("""
        #############
        #...#####..##
        #...+,,,,+.##
        #...##,######
        #############
    """)
    found = path_of_interest(level.tiles, level.palette)
    assert found.length == 3 + 1 + 1 + 1 + 2 + 1 + 2
    assert [node.sort for node in found.nodes] == ["room", "door", "run", "branch", "run", "door", "room"]
    assert (tuple(found.cells[0].tolist()), tuple(found.cells[-1].tolist())) == ((2, 2), (9, 1))


def test_of_equal_paths_the_first_is_taken() -> None:
    cross = draft_of("""
        ##.##
        ##,##
        .,,,.
        ##,##
        ##.##
    """)
    found = path_of_interest(cross.tiles, cross.palette)
    assert found.cells.tolist() == [[2, 0], [2, 1], [2, 2], [1, 2], [0, 2]]


def test_rock_has_no_path() -> None:
    assert check(draft_of("###").tiles) == 0
    assert path_of_interest(draft_of("###").tiles, STANDARD).length == 0


def test_a_large_map_takes_few_searches() -> None:
    level = uc.generate("rooms-and-mazes", seed=5, size=(201, 201))
    found = path_of_interest(level.tiles, level.palette)
    count = len(place_graph(level.tiles, level.palette).boxes)
    assert count > 1000
    assert found.searches < count / 4


# --- given ends -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(400 if HEAVY else 24))
def test_from_a_given_start_against_brute_force(seed: int) -> None:
    tiles = soup(seed).tiles
    graph = places(tiles, {})
    if not graph.near:
        return
    cells = sorted(graph.node_of)
    cell, other = cells[seed % len(cells)], cells[7 * seed % len(cells)]
    reached = lengths(graph, graph.node_of[cell])
    far = max((length, -node) for node, length in reached.items())
    for start, end in ((cell, None), (None, cell)):
        found = path_of_interest_from(tiles, STANDARD, start, end)
        walk = [tuple(step) for step in found.cells.tolist()]
        assert found.length == far[0]
        assert walk[0 if start else -1] == cell
        assert graph.node_of[walk[-1 if start else 0]] == -far[1] == found.way[-1 if start else 0]
        check_way(graph, found.way, walk)
    found = path_of_interest_from(tiles, STANDARD, cell, other)
    walk = [tuple(step) for step in found.cells.tolist()]
    if graph.node_of[other] not in reached:
        assert (found.length, walk) == (0, [])
    else:
        assert found.length == reached[graph.node_of[other]]
        assert (walk[0], walk[-1]) == (cell, other)
        check_way(graph, found.way, walk)


def check_way(graph: Places, way: list[int], walk: list[Point]) -> None:
    """The nodes of a way are neighbours, and the walk over it passes them in order."""
    assert all(after in graph.near[node] for node, after in pairwise(way))
    assert all(abs(x - to_x) + abs(y - to_y) == 1 for (x, y), (to_x, to_y) in pairwise(walk))
    passed = [graph.node_of[cell] for cell in walk]
    assert [node for node, before in zip(passed, [0, *passed], strict=False) if node != before] == way


@pytest.mark.parametrize("weights", [{}, {"run": 900, "door": 7}])
def test_buckets_and_a_heap_find_the_same_path(monkeypatch: pytest.MonkeyPatch, weights: dict[str, int]) -> None:
    for seed in range(12):
        level = uc.generate("rooms-and-mazes", seed=seed, size=(61, 41), dead_ends=seed % 3 / 2, extra=0.3)
        found = []
        for least, most in ((0, 1 << 20), (1 << 40, 1 << 20), (0, 1)):
            monkeypatch.setattr("undercroft.analysis.interest.LEAST_PLACES_FOR_BUCKETS", least)
            monkeypatch.setattr("undercroft.analysis.interest.MAX_BUCKETS", most)
            path = path_of_interest(level.tiles, level.palette, weights)
            begun = path_of_interest_from(level.tiles, level.palette, level.start, None, weights)
            found.append((path.length, path.way, path.cells.tolist(), begun.length, begun.way))
        assert found[0] == found[1] == found[2]
