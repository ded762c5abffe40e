"""`uc.distances`: against a search cell by cell, and networkx (D-5)."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import undercroft as uc
from undercroft.core.palette import STANDARD
from undercroft.core.region import Thing
from undercroft.errors import BadInput


def naive(level: uc.Level, cells: list[tuple[int, int]], over: Any = None) -> list[list[int]]:
    """Cell by cell, over what can be entered."""
    mask = level.passable if over is None else over
    found = [[-1] * level.width for _ in range(level.height)]
    waiting = [cell for cell in cells if mask[cell[1], cell[0]]]
    for x, y in waiting:
        found[y][x] = 0
    while waiting:
        x, y = waiting.pop(0)
        for right, down in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            to_x, to_y = x + right, y + down
            inside = 0 <= to_x < level.width and 0 <= to_y < level.height
            if inside and mask[to_y, to_x] and found[to_y][to_x] < 0:
                found[to_y][to_x] = found[y][x] + 1
                waiting.append((to_x, to_y))
    return found


@settings(max_examples=150)
@given(st.integers(1, 12), st.integers(1, 9), st.data())
def test_distances_are_steps(width: int, height: int, data: st.DataObject) -> None:
    signs = data.draw(st.text("#....L'S~", min_size=width * height, max_size=width * height))
    point = st.tuples(st.integers(0, width - 1), st.integers(0, height - 1))
    cells = data.draw(st.lists(point, max_size=4))
    blocks = data.draw(st.lists(point, max_size=2))
    level = uc.Level(
        np.array([STANDARD[sign] for sign in signs], np.uint8).reshape(height, width),
        things=[Thing("crate", *cell, {"blocks": True}) for cell in blocks],
    )
    found = uc.distances(level, cells)
    assert found.dtype == np.int32
    assert found.flags.c_contiguous
    assert found.tolist() == naive(level, cells)
    assert uc.distances(level, cells, over=level.walkable).tolist() == naive(level, cells, level.walkable)
    mask = np.zeros((height, width), bool)
    for x, y in cells:
        mask[y, x] = True
    assert np.array_equal(uc.distances(level, mask), found)
    assert np.array_equal(uc.distances(level, np.array(cells, np.int32).reshape(-1, 2)), found)
    if len(cells) == 1:
        assert np.array_equal(uc.distances(level, cells[0]), found)


@pytest.mark.parametrize("recipe", ["cave", "cozy", "rooms-and-mazes"])
def test_networkx_counts_the_same(recipe: str) -> None:
    level = uc.generate(recipe, seed=5, size=(61, 31))
    graph = nx.grid_2d_graph(level.width, level.height)
    graph.remove_nodes_from([(x, y) for x, y in list(graph) if not level.passable[y, x]])
    for source in (level.start, level.end):
        assert source is not None
        steps = nx.single_source_shortest_path_length(graph, source) if source in graph else {}
        found = uc.distances(level, source)
        assert {(x, y): int(found[y, x]) for y, x in np.argwhere(found >= 0).tolist()} == steps


def test_a_region_is_a_source() -> None:
    level = uc.generate("bsp", seed=2)
    room = level.rooms[0]
    found = uc.distances(level, room)
    assert np.array_equal(found, uc.distances(level, level.cells(room)))
    assert int(found.max()) > 5


def test_keys_open_the_way() -> None:
    level = uc.Level.parse("..L.").replace(things=[Thing("lock", 2, 0, {"key": "red"})])
    assert uc.distances(level, (0, 0)).tolist() == [[0, 1, -1, -1]]
    assert uc.distances(level, (0, 0), over=level.passable_with("red")).tolist() == [[0, 1, 2, 3]]
    assert uc.distances(level, (2, 0)).tolist() == [[-1] * 4]
    assert uc.distances(level, []).tolist() == [[-1] * 4]


@pytest.mark.parametrize(
    "cells", [None, 3, "x", "ab", b"ab", (9, 0), (-1, 0), [(0, 0), "x"], [[0, 0, 0]], {1: 2}, np.zeros((2, 2), bool)]
)
def test_what_are_no_cells_is_refused(cells: Any) -> None:
    with pytest.raises(BadInput):
        uc.distances(uc.Level.parse("...."), cells)


@pytest.mark.parametrize("over", ["x", [[True]], np.zeros((1, 4)), np.zeros((4, 1), bool)])
def test_over_is_a_mask(over: Any) -> None:
    with pytest.raises(BadInput, match=r"^over is a mask of 4x1 cells"):
        uc.distances(uc.Level.parse("...."), (0, 0), over=over)
    with pytest.raises(BadInput, match=r"^level is a Level, not 'cave'"):
        uc.distances("cave", (0, 0))  # type: ignore[arg-type]
