"""The graph of a level: what is said of its regions and links, and what networkx makes of it."""

from __future__ import annotations

import sys

import networkx
import numpy as np
import pytest

import undercroft as uc
from support.maps import draft_of
from undercroft.analysis.survey import surveyed
from undercroft.core.graph import Graph
from undercroft.core.level import Level
from undercroft.core.region import LINK_DTYPE, LINK_KINDS, Door, Link, Regions, Thing, view_links
from undercroft.errors import BadInput


def vault() -> Level:
    """Three rooms in a row: through a locked door, and on through a one-way door."""
    draft = draft_of("""
        ###########
        #<..L..+..#
        #...#..#.>#
        ###########
    """)
    draft.things = [
        Thing("key", 1, 2, {"opens": "red"}),
        Thing("lock", 4, 1, {"key": "red"}),
        Thing("one-way", 7, 1, {"to": "W"}),
        *(Thing("rat", x, 2) for x in (5, 6)),
    ]
    found = surveyed(draft.level())
    draft = uc.Draft.of(found)
    table = found.links.table.copy()
    table[1]["a"], table[1]["b"], table[1]["kind"] = 3, 2, LINK_KINDS.index("one-way")
    draft.links = view_links(table)
    draft.regions = Regions(
        found.regions.labels, found.regions.table, {2: ("lit", "wet")}, {3: "hall"}, {3: "Hall of Dust"}
    )
    return draft.level()


def test_what_is_said_of_regions() -> None:
    graph = vault().graph
    assert dict(graph.about_nodes()) == {
        1: {"kind": "room", "x": 1, "y": 1, "width": 3, "height": 2, "area": 6, "things": "key", "start": True},
        2: {"kind": "room", "x": 5, "y": 1, "width": 2, "height": 2, "area": 4, "tags": "lit, wet", "things": "rat x2"},
        3: {
            "kind": "room",
            "x": 8,
            "y": 1,
            "width": 2,
            "height": 2,
            "area": 4,
            "name": "Hall of Dust",
            "template": "hall",
            "end": True,
        },
    }


def test_what_is_said_of_links() -> None:
    level = vault()
    assert [(link.a, link.b, told) for link, told in level.graph.about_links()] == [
        (1, 2, {"kind": "locked", "carved": True, "x": 4, "y": 1, "state": "locked", "lock": "red"}),
        (3, 2, {"kind": "one-way", "carved": True, "x": 7, "y": 1, "state": "closed", "from": 3, "to": 2}),
    ]
    assert [level.graph.door(link) for link in level.links] == list(level.doors)


def test_a_graph_without_regions_says_nothing() -> None:
    graph = Graph(
        2, [Link(1, 2, "open"), Link(0, 2, "door", 0), Link(1, 1, "secret", 9, False)], [Door(0, 0, 0, 2, "open")]
    )
    assert list(graph.about_nodes()) == [(1, {}), (2, {})]
    assert [told for _, told in graph.about_links()] == [
        {"kind": "open", "carved": True},
        {"kind": "secret", "carved": False},
    ]
    assert (graph.neighbours(1), graph.degree(1)) == ([1, 2], 3)
    assert (len(Graph(0, []).nodes), Graph(0, []).to_networkx().number_of_nodes()) == (0, 0)


def test_links_to_regions_that_are_not_there_are_left_out() -> None:
    """Whoever makes links by hand may err."""
    level = Level.parse("1#2")
    table = np.array([(1, 2, 0, -1, True), (1, 9, 0, -1, True), (-3, 1, 1, -1, True), (7, 8, 2, 5, True)], LINK_DTYPE)
    graph = Level(level.tiles, regions=level.regions, links=view_links(table)).graph
    assert (graph.neighbours(1), graph.neighbours(2), graph.degree(1)) == ([2], [1], 1)
    assert [link[:2] for link, _ in graph.about_links()] == [(1, 2)]
    assert graph.to_networkx().number_of_nodes() == 2
    assert Graph(0, [Link(1, 2, "open")]).to_networkx().number_of_edges() == 0


def test_networkx_gets_it_all() -> None:
    level = vault()
    graph = level.graph.to_networkx()
    assert isinstance(graph, networkx.MultiGraph)
    assert not graph.is_directed()
    assert dict(graph.nodes(data=True)) == dict(level.graph.about_nodes())
    assert [told for _, _, told in graph.edges(data=True)] == [told for _, told in level.graph.about_links()]


def test_one_way_links_are_directed() -> None:
    graph = vault().graph.to_networkx(directed=True)
    assert sorted(graph.edges()) == [(1, 2), (2, 1), (3, 2)]
    assert networkx.has_path(graph, 3, 1)
    assert not networkx.has_path(graph, 1, 3)


def test_two_links_between_the_same_regions_are_two_edges() -> None:
    level = surveyed(Level.parse(".+,\n.#,\n.+,"))
    assert level.graph.to_networkx().number_of_edges(1, 2) == 2


@pytest.mark.parametrize("recipe", ["rooms-and-mazes", "bsp", "isaac", "dungeoning"])
def test_levels_agree_with_networkx(recipe: str) -> None:
    for seed in range(5):
        level = uc.generate(recipe, seed=seed)
        graph, theirs = level.graph, level.graph.to_networkx()
        assert dict(theirs.degree) == {label: graph.degree(label) for label in graph.nodes}
        assert {label: sorted(theirs[label]) for label in theirs} == {
            label: graph.neighbours(label) for label in graph.nodes
        }
        assert sum("start" in told for _, told in theirs.nodes(data=True)) == 1


def test_without_networkx_one_is_told_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(BadInput, match="networkx is not installed") as caught:
        vault().graph.to_networkx()
    assert "pip install networkx" in caught.value.fix


def test_importing_the_package_does_not_import_networkx() -> None:
    import subprocess

    program = "import sys, undercroft as uc; uc.generate('cave', seed=1).graph; print('networkx' in sys.modules)"
    assert (
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout == "False\n"
    )
