"""How much two levels differ: drawn, by hand-written loops, and against networkx."""

from __future__ import annotations

import networkx
import numpy as np
import pytest

import undercroft as uc
from support.maps import soup
from undercroft.analysis.compare import compare
from undercroft.analysis.room_grids import ROOM_GRID_PALETTE
from undercroft.analysis.survey import surveyed
from undercroft.core.level import Level
from undercroft.core.palette import STANDARD, Palette, Tile


@pytest.mark.parametrize(
    ("a", "b", "spread"),
    [
        ("#.#", "#.#", 0.0),
        ("#.#", "#.+", 0.333333),
        ("###", "...", 1.0),
        ("#.", "#.#", 0.333333),
        ("##\n##", "###", 0.6),
        (".", "#\n#\n#\n#", 1.0),
        ("..", "..\n..", 0.5),
    ],
)
def test_spread(a: str, b: str, spread: float) -> None:
    one, other = Level.parse(a), Level.parse(b)
    assert compare(one, other)["spread"] == compare(other, one)["spread"] == spread


@pytest.mark.parametrize(
    ("a", "b", "graph"),
    [
        (".+.", ".+.", 0.0),
        (".+.+.", ".....+..+....", 0.0),
        (".+.", ".#.", 1.0),
        (".+.", ".L.", 0.333333),
        (".+.", ".+,", 0.666667),
        (".#.", ".#.#.", 0.2),
        ("#", "#", 0.0),
        ("#", ".", 1.0),
    ],
)
def test_graphs(a: str, b: str, graph: float) -> None:
    one, other = Level.parse(a), Level.parse(b)
    assert compare(one, other)["graph"] == compare(other, one)["graph"] == graph


def test_palettes_are_compared_by_role() -> None:
    stone, moss = (Tile(name, "wall", "#", "#", "#000000", False, True) for name in ("stone", "moss"))
    floor = Tile("grass", "floor", ".", ".", "#00ff00", True, False)
    a = Level(np.array([[0, 1, 1]], np.uint8), Palette([stone, floor]))
    b = Level(np.array([[1, 0, 1]], np.uint8), Palette([floor, moss]))
    assert compare(a, Level.parse("#.."))["spread"] == 0
    assert compare(a, b)["spread"] == 0.333333
    assert compare(a, Level(np.zeros((1, 3), np.uint8), ROOM_GRID_PALETTE))["spread"] == 1


def test_spread_by_hand_and_as_a_distance() -> None:
    """Symmetric, 0 for equal maps only, and never more than by way of a third."""
    for number in range(200):
        levels = [soup(3 * number + more, "##..+", 7).level() for more in range(3)]
        far = {}
        for first in range(3):
            for second in range(3):
                a, b = levels[first], levels[second]
                cells = {(x, y) for level in (a, b) for x in range(level.width) for y in range(level.height)}
                unlike = sum(_role(a, *cell) != _role(b, *cell) for cell in cells)
                far[first, second] = compare(a, b)["spread"]
                assert far[first, second] == round(unlike / len(cells), 6)
        assert far[0, 1] == far[1, 0]
        assert far[0, 0] == 0
        assert far[0, 2] <= far[0, 1] + far[1, 2] + 2e-6


def _role(level: Level, x: int, y: int) -> str:
    return level.palette.roles[level.tiles[y, x]] if x < level.width and y < level.height else "nothing"


def test_like_graphs_are_0_apart_and_the_share_is_one() -> None:
    same = 0
    levels = [surveyed(soup(number, "##.,+L", 9).level()) for number in range(120)]
    graphs = [level.graph.to_networkx() for level in levels]
    for graph in graphs:
        networkx.set_node_attributes(graph, {label: graph.nodes[label]["kind"] for label in graph}, "sort")
    for a, b in zip(range(119), range(1, 120), strict=True):
        share = compare(levels[a], levels[b])["graph"]
        assert 0 <= share <= 1
        alike = networkx.is_isomorphic(
            graphs[a],
            graphs[b],
            node_match=lambda one, other: one["sort"] == other["sort"],
            edge_match=lambda one, other: (
                sorted(edge["kind"] for edge in one.values()) == sorted(edge["kind"] for edge in other.values())
            ),
        )
        if alike:
            assert share == 0
            same += 1
        assert compare(levels[a], levels[a]) == {"spread": 0.0, "graph": 0.0}
    assert same


def test_levels_of_different_recipes_are_further_apart_than_seeds_of_one_maze() -> None:
    mazes = [uc.generate("maze", seed=seed, size=(31, 21)) for seed in (1, 2)]
    cave = uc.generate("cave", seed=1, size=(31, 21))
    assert uc.compare(*mazes)["spread"] < uc.compare(mazes[0], cave)["spread"]
    assert uc.compare(cave, mazes[0])["graph"] == 1.0, "a room and a corridor"


def test_roles_of_other_programs_are_compared_by_name() -> None:
    lava = Tile("lava", "lava", "v", "v", "#ff0000", walkable=False, opaque=False)
    level = Level.parse("#v.", Palette([*STANDARD.tiles, lava]))
    assert compare(level, level)["spread"] == 0
    assert compare(level, Level.parse("#~."))["spread"] == 0.333333
