"""Flows in DOT, GraphML and edge lists: ours and those of other programs, with networkx and pydot as oracles."""

from __future__ import annotations

import io
import random
import re
from collections import Counter
from pathlib import Path
from typing import Any

import networkx
import pydot
import pytest

import undercroft as uc
from flows.test_parse import KEEP, random_flow
from support.maps import HEAVY
from undercroft.core.flow import Flow, FlowLink, FlowRoom
from undercroft.errors import BadInput, TooBig
from undercroft.flows.dot import read_dot, write_dot
from undercroft.flows.edges import read_edges
from undercroft.flows.graphml import read_graphml, write_graphml
from undercroft.formats import dump

TAIL = '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">{}</graphml>'


def read_text(text: str) -> Flow:
    return read_dot(text.encode(), "a.dot").flow


def ends_of(flow: Flow) -> list[tuple[str, str, str]]:
    return [(link.a, link.b, link.kind) for link in flow.links]


# --- our own files


@pytest.mark.parametrize(("write", "read"), [(write_dot, read_dot), (write_graphml, read_graphml)])
def test_a_flow_comes_back_from_a_graph(write: Any, read: Any) -> None:
    """But for what is apart, and the order of things of different rooms."""
    for seed in range(4000 if HEAVY else 150):
        flow = random_flow(random.Random(seed))
        source = read(write(flow).encode(), "a")
        assert (source.flow.name, source.flow.rooms, source.flow.links) == (flow.name, flow.rooms, flow.links)
        assert Counter(source.flow.things) == Counter(flow.things)
        assert source.notes == ()


def test_a_graph_of_a_level_becomes_its_flow() -> None:
    level = uc.Level.parse("#######\n#.+,'.#\n#######").replace(title='The "Keep"')
    level = uc.survey(level).replace(start=(1, 1), end=(5, 1))
    for name, read in (("dot", read_dot), ("graphml", read_graphml)):
        source = read(dump(level, name), f"a.{name}")
        assert source.flow.name == 'The "Keep"'
        assert [(room.name, room.ends) for room in source.flow.rooms] == [("1", "start"), ("3", "end")]
        assert ends_of(source.flow) == [("1", "3", "door")]
        assert source.notes == ()


# --- DOT of other programs

DOT_GRAPHS: list[tuple[str, list[str], list[tuple[str, str, str]]]] = [
    ("graph { a -- b -- c }", ["a", "b", "c"], [("a", "b", "open"), ("b", "c", "open")]),
    ("digraph { a -> b; b -> a; b -> c }", ["a", "b", "c"], [("a", "b", "open"), ("b", "c", "one-way")]),
    ("digraph { a -> b [kind=door] }", ["a", "b"], [("a", "b", "door")]),
    ("digraph { a -> b [dir=both] }", ["a", "b"], [("a", "b", "open")]),
    ("strict graph { a -- b; b -- a; a -- c }", ["a", "b", "c"], [("a", "b", "open"), ("a", "c", "open")]),
    ("graph { a -- { b c } }", ["a", "b", "c"], [("a", "b", "open"), ("a", "c", "open")]),
    ("graph { subgraph cluster_x { label=x; a; b } a -- b }", ["a", "b"], [("a", "b", "open")]),
    ("graph { a:n -- b:port:sw }", ["a", "b"], [("a", "b", "open")]),
    ('graph { a [label=<<b>bold</b>>]; "a" -- b }', ["a", "b"], [("a", "b", "open")]),
    ('graph { 1 [label="Great Hall"]; 2; 1 -- 2 }', ["Great-Hall", "2"], [("Great-Hall", "2", "open")]),
    ('graph { 1 [label="\\N"]; 1 -- 2 }', ["1", "2"], [("1", "2", "open")]),
    ('graph "x" { rankdir=LR; node [shape=box]; edge [kind=door]; a -- b; }', ["a", "b"], [("a", "b", "door")]),
    ("GRAPH { // one\n a /* two */ -- b\n# a line\n}", ["a", "b"], [("a", "b", "open")]),
    ('graph { "a" + "b" -- c }', ["ab", "c"], [("ab", "c", "open")]),
    ("graph { a -- b [kind=locked, key=red] }", ["a", "b"], [("a", "b", "locked")]),
    ("graph { a -- b [kind=locked] }", ["a", "b"], [("a", "b", "locked")]),
    ("graph { a -- b; a -- b }", ["a", "b"], [("a", "b", "open"), ("a", "b", "open")]),
    ("graph {}", [], []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "rooms", "links"), DOT_GRAPHS)
def test_dot_is_read_as_graphviz_reads_it(text: str, rooms: list[str], links: list[tuple[str, str, str]]) -> None:
    flow = read_text(text)
    assert [room.name for room in flow.rooms] == rooms
    assert ends_of(flow) == links


def test_what_is_not_understood_is_dropped_with_a_note_for_each_name() -> None:
    source = read_dot(
        b"graph { a [fill=x, weight=2, start=true]; b [weight=3, start=1]; a -- b [penwidth=3, kind=river]; a -- a }",
        "a.dot",
    )
    assert set(source.notes) == {
        "left out: the attribute 'fill' of rooms",
        "left out: the attribute 'weight' of rooms (2 times)",
        "left out: a second start",
        "left out: the attribute 'penwidth' of links",
        "left out: the kind of links 'river'",
        "left out: a link from a room to itself",
    }
    assert source.flow.start == "a"


def test_values_that_are_wrong_are_dropped_with_a_note() -> None:
    source = read_dot(b"graph { a [size=big, floor=x]; a -- b [length=long, side=up] }", "a.dot")
    assert source.flow == Flow(rooms=(FlowRoom("a"), FlowRoom("b")), links=(FlowLink("a", "b"),))
    assert len(source.notes) == 4


@pytest.mark.parametrize(
    ("text", "sentence", "place"),
    [
        ("tree { a }", "a file in DOT begins with graph or digraph", "a.dot:1:1"),
        ("graph { a -> b }", "-> stands in a graph", "a.dot:1:11"),
        ("digraph { a -- b }", "-- stands in a digraph", "a.dot:1:13"),
        ("graph { a -- }", "a name belongs here, not '}'", "a.dot:1:14"),
        ("graph { a", "the { of the graph is not closed", "a.dot:1:10"),
        ("graph { a [x] }", "a = belongs after 'x'", "a.dot:1:13"),
        ('graph { "a }', "the quotes that open here are not closed", "a.dot:1:9"),
        ("graph { a [label=<b] }", "the label in <...> is not closed", "a.dot:1:18"),
        ("graph { a & b }", "'&' belongs to nothing here", "a.dot:1:11"),
        ("graph a b", "a { belongs here", "a.dot:1:9"),
    ],
)
def test_broken_dot_has_a_place(text: str, sentence: str, place: str) -> None:
    with pytest.raises(BadInput) as caught:
        read_text(text)
    assert sentence in caught.value.problem
    assert str(caught.value.place) == place


def test_hostile_dot_is_refused() -> None:
    for text in (
        "graph " + "{" * 100_000,
        "graph { a -- " + "{" * 100 + "}" * 100 + "}",
        "graph { {" + " ".join(f"a{n}" for n in range(300)) + "} -- {" + " ".join(f"b{n}" for n in range(300)) + "} }",
        "graph { " + " ".join(f"a{n};" for n in range(20_000)) + " }",
        'graph { a [things="' + ",".join(["rat x9999"] * 100) + '"] }',
        "graph { a -- b [" + "x=1," * 2_000_000 + "] }",
    ):
        with pytest.raises((TooBig, BadInput)):
            read_text(text)


def random_dot(rng: random.Random) -> str:
    """A small graph in DOT, with many of its notations."""
    names = ["a", "b", '"c d"', "e1", "-3.5", '"x\\"y"']
    directed = rng.random() < 0.5
    sign = "->" if directed else "--"

    def operand(deep: int) -> str:
        if deep and rng.random() < 0.25:
            return (
                rng.choice(["{", "subgraph s {", "subgraph {"]) + "; ".join(statement(deep - 1) for _ in range(2)) + "}"
            )
        return rng.choice(names) + rng.choice(["", "", ":p", ":p:n"])

    def statement(deep: int) -> str:
        if rng.random() < 0.2:
            return rng.choice(["node [shape=box]", "edge [kind=door]", "rankdir=LR", "graph [bgcolor=red]"])
        parts = f" {sign} ".join(operand(deep) for _ in range(rng.randint(1, 3)))
        return parts + ("" if "{" in parts else rng.choice(["", " [kind=door]", ' [start="false" x=1]']))

    body = ";\n".join(statement(2) for _ in range(rng.randint(0, 5)))
    return f"{'digraph' if directed else 'graph'} g {{\n{body}\n}}\n"


def count_with_pydot(text: str) -> tuple[set[str], int]:
    """The nodes of a graph as pydot reads it, without ports; and the number of statements with edges."""
    graphs: Any = pydot.graph_from_dot_data(text)
    graph = graphs[0]
    found: set[str] = set()

    def collect(part: Any) -> None:
        for node in part.get_nodes():
            if node.get_name() not in ("node", "edge", "graph"):
                found.add(plain(node.get_name()))
        for edge in part.get_edges():
            for end in (edge.get_source(), edge.get_destination()):
                if isinstance(end, str):
                    found.add(plain(end))
                else:
                    found.update(plain(name) for name in end.get("nodes", ()))
        for group in part.get_subgraphs():
            collect(group)

    def plain(name: str) -> str:
        quoted = re.match(r'"((?:[^"\\]|\\.)*)"', name)
        return quoted[1].replace('\\"', '"') if quoted else name.partition(":")[0]

    collect(graph)
    return found, len(graph.get_edges())


@pytest.mark.filterwarnings("ignore")
def test_simple_dot_agrees_with_pydot() -> None:
    """Nodes and edges, without groups: pydot keeps these as they are written."""
    from undercroft.flows.dot import _DotReader

    seen = 0
    for seed in range(2000 if HEAVY else 120):
        text = random_dot(random.Random(seed))
        if text.count("{") > 1:
            read_text(text)
            continue
        if pydot.graph_from_dot_data(text) is None:  # it refuses some numbers with ports
            continue
        nodes, edges = count_with_pydot(text)
        graph = _DotReader(text, "a.dot").read()
        assert set(graph.nodes) == nodes, text
        assert len(graph.edges) == edges, text
        seen += 1
    assert seen > 30


# --- GraphML of other programs


def test_graphml_of_networkx_is_read() -> None:
    for seed in range(300 if HEAVY else 20):
        rng = random.Random(seed)
        graph: Any = networkx.gnm_random_graph(
            rng.randint(1, 12), rng.randint(0, 20), seed=seed, directed=rng.random() < 0.5
        )
        file = io.BytesIO()
        networkx.write_graphml(graph, file)
        flow = read_graphml(file.getvalue(), "a.graphml").flow
        assert [room.name for room in flow.rooms] == [str(node) for node in graph]
        if graph.is_directed():
            pairs = {(a, b) for a, b in graph.edges if not graph.has_edge(b, a)}
            assert {(int(a), int(b)) for a, b, kind in ends_of(flow) if kind == "one-way"} == pairs
            assert len(flow.links) == graph.to_undirected().number_of_edges()
        else:
            assert [(int(a), int(b)) for a, b, _ in ends_of(flow)] == [*graph.edges]


@pytest.mark.filterwarnings("ignore")
def test_our_graphs_are_read_by_networkx_and_pydot() -> None:
    flow = Flow.parse(KEEP)
    graph: Any = networkx.read_graphml(io.BytesIO(write_graphml(flow).encode()), force_multigraph=True)
    assert [*graph.nodes] == [room.name for room in flow.rooms]
    assert Counter(told["kind"] for _, _, told in graph.edges(data=True)) == Counter(link.kind for link in flow.links)
    graphs: Any = pydot.graph_from_dot_data(write_dot(flow))
    drawn = graphs[0]
    assert [node.get_name().strip('"') for node in drawn.get_nodes()] == [room.name for room in flow.rooms]
    assert len(drawn.get_edges()) == len(flow.links)


def test_labels_of_yed_groups_and_defaults_are_read() -> None:
    text = TAIL.format(
        '<key id="k" for="node" yfiles.type="nodegraphics"/>'
        '<key id="d" for="edge" attr.name="kind"><default>door</default></key>'
        '<graph edgedefault="directed">'
        '<node id="n0"><data key="k"><y:S xmlns:y="y"><y:NodeLabel>Great Hall</y:NodeLabel></y:S></data></node>'
        '<node id="g"><graph edgedefault="undirected"><node id="n1"/></graph></node>'
        '<edge source="n0" target="n1" directed="false"/>'
        '<edge source="n1" target="g"><data key="d">one-way</data></edge></graph>'
    )
    flow = read_graphml(text.encode(), "a.graphml").flow
    assert [room.name for room in flow.rooms] == ["Great-Hall", "g", "n1"]
    assert ends_of(flow) == [("Great-Hall", "n1", "door"), ("n1", "g", "one-way")]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("<html/>", "this is <html>, not a graph"),
        ("<graphml><graph>", "this is not XML"),
        (TAIL.format("<graph><node/></graph>"), "<node> has no id"),
        (TAIL.format('<graph><edge source="a" target="b"/></graph>'), "an edge ends at 'a', and no node has that id"),
        ('<!DOCTYPE x [<!ENTITY a "b">]>' + TAIL.format("<graph/>"), "a document type stands here"),
        ("<graphml>" + "<graph>" * 100, "more than 64 elements in each other"),
    ],
)
def test_broken_or_hostile_graphml_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(BadInput) as caught:
        read_graphml(text.encode(), "a.graphml")
    assert sentence in caught.value.problem
    assert caught.value.fix


def test_mutated_graphs_are_read_or_refused_in_a_sentence() -> None:
    refused: list[BadInput] = []
    for write, read in ((write_dot, read_dot), (write_graphml, read_graphml)):
        for seed in range(10_000 if HEAVY else 200):
            rng = random.Random(seed)
            data = bytearray(write(Flow.parse(KEEP)).encode())
            for _ in range(rng.randint(1, 6)):
                at = rng.randrange(len(data))
                data[at : at + rng.randint(0, 3)] = bytes(
                    rng.choice(b'"<>[]{}-;=,/\\ \n\0\xffab:+') for _ in range(rng.randint(0, 3))
                )
            try:
                read(bytes(data), "a")
            except BadInput as error:
                refused.append(error)
    assert len(refused) > 20
    assert all(error.problem and error.fix for error in refused)


# --- edge lists


def test_edge_lists_count_from_nought_or_from_one() -> None:
    assert [room.name for room in read_edges(b"3\n0 1\n1 2\n", "a").flow.rooms] == ["0", "1", "2"]
    assert [room.name for room in read_edges(b"3\n1 2\n2 3\n", "a").flow.rooms] == ["1", "2", "3"]
    assert read_edges(b"2 ; rooms\n", "a").flow.links == ()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (b"", "the number of rooms is missing"),
        (b"x", "the number of rooms is a whole number"),
        (b"3\n0 1 2", "two rooms stand in a line"),
        (b"3\n0 4", "the number of a room is a whole number from 0 to 3"),
        (b"3\n1 1", "a link from 1 to itself"),
        (b"3\n0 1\n1 3", "rooms are numbered from 0 to 3, which are 4"),
        (b"1001\n", "the number of rooms is 1,001"),
        (b"\xff", "not UTF-8"),
    ],
)
def test_broken_edge_lists_are_refused(text: bytes, sentence: str) -> None:
    with pytest.raises(BadInput) as caught:
        read_edges(text, "a.txt")
    assert sentence in caught.value.problem


# --- files


def test_files_are_loaded_and_saved_by_their_suffix(tmp_path: Path) -> None:
    flow = Flow.parse("room a, start\nroom b, end\nlink a - b, door")
    for suffix in ("flow", "dot", "gv", "graphml"):
        flow.save(tmp_path / f"a.{suffix}")
        assert Flow.load(tmp_path / f"a.{suffix}") == flow
    (tmp_path / "a.txt").write_text("2\n0 1\n")
    assert ends_of(Flow.load(tmp_path / "a.txt", read_as="edges")) == [("0", "1", "open")]
    with pytest.raises(BadInput, match=r"no file of a flow ends in '.txt'"):
        Flow.load(tmp_path / "a.txt")
    with pytest.raises(BadInput, match="edge lists are only read"):
        flow.save(tmp_path / "a.txt", "edges")
