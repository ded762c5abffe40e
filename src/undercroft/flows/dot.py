"""Flows in DOT, the language of Graphviz: read as other programs write it, and written."""

from __future__ import annotations

from collections.abc import Iterator

from undercroft import limits
from undercroft.core.flow import Flow
from undercroft.errors import Place
from undercroft.flows.attributes import link_attributes, room_attributes
from undercroft.flows.dot_tokens import DotToken, DotTokens
from undercroft.flows.graph_data import Attributes, GraphData, GraphEdge, build_flow
from undercroft.flows.source import FlowSource
from undercroft.inputs.lines import decode_utf8

LINK_STYLES = {
    "locked": {"style": "bold", "color": "firebrick"},
    "secret": {"style": "dotted", "color": "gray40"},
    "one-way": {"style": "bold", "color": "navy", "dir": "forward"},
    "door": {"style": "bold"},
}
"""How Graphviz draws a link of each kind, as in graphs of levels."""


def write_dot(flow: Flow) -> str:
    """The flow as a graph in DOT.

    >>> print(write_dot(Flow.parse("room gate, start\\nlink gate - hall, locked by red")), end="")
    graph "flow" {
      "gate" [start="true"];
      "hall";
      "gate" -- "hall" [kind="locked", key="red", style="bold", color="firebrick"];
    }
    """
    return "".join(f"{line}\n" for line in _format_lines(flow))


def _format_lines(flow: Flow) -> Iterator[str]:
    yield f"graph {_quote(flow.name or 'flow')} {{"
    for room in flow.rooms:
        yield f"  {_quote(room.name)}{_format_attributes(room_attributes(flow, room))};"
    for link in flow.links:
        told = link_attributes(link) | LINK_STYLES.get(link.kind, {})
        yield f"  {_quote(link.a)} -- {_quote(link.b)}{_format_attributes(told)};"
    yield "}"


def _format_attributes(told: Attributes) -> str:
    return f" [{', '.join(f'{name}={_quote(value)}' for name, value in told.items())}]" if told else ""


def _quote(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def read_dot(data: bytes, file: str) -> FlowSource:
    """The flow in a file in DOT. Ports, labels in HTML and the borders of subgraphs are passed over.

    >>> read_dot(b"digraph { a -> b -> a; b -> c }", "a.dot").flow.links[1]
    FlowLink(a='b', b='c', kind='one-way', key='', length=None, side='')

    Cost: one pass over the text.
    """
    limits.FLOW_GRAPH_BYTES.check(len(data), f"{file}: its size in bytes")
    return build_flow(_DotReader(decode_utf8(data, file, "save the graph as UTF-8"), file).read())


class _DotReader:
    """Reads one graph, by the grammar of Graphviz."""

    def __init__(self, text: str, file: str) -> None:
        self.tokens = DotTokens(text, file)
        self.graph = GraphData(file)
        self.directed = self.strict = False
        self._joined: set[tuple[str, str]] = set()

    def read(self) -> GraphData:
        tokens = self.tokens
        if tokens.next.is_word("strict"):
            tokens.take()
            self.strict = True
        head = tokens.take()
        if not (head.is_word("graph") or head.is_word("digraph")):
            raise tokens.error(
                f"a file in DOT begins with graph or digraph, not {head.text[:20]!r}", "name a file of Graphviz", head
            )
        self.directed = head.is_word("digraph")
        if tokens.next.kind in ("word", "text"):
            name = tokens.take()
            self.graph.name = "" if name.text in ("flow", "level") else name.text
        if not tokens.accept("{"):
            raise tokens.error("a { belongs here", "write: graph { ... }")
        self._read_statements({}, {}, 0)
        if tokens.next.kind != "end":
            self.graph.notes.append("left out: what follows the first graph")
        return self.graph

    def _read_statements(self, nodes: Attributes, edges: Attributes, depth: int) -> list[str]:
        """Everything up to the } that closes this graph. Returns the nodes named in it. `nodes` and `edges` are what
        is said of all that follow.
        """
        limits.FLOW_GRAPH_DEPTH.check(depth, "the number of groups in each other", self._place())
        nodes, edges = dict(nodes), dict(edges)
        named: dict[str, None] = {}
        tokens = self.tokens
        while not tokens.accept("}"):
            token = tokens.next
            if token.kind == "end":
                raise tokens.error("the { of the graph is not closed", "write } at its end")
            if tokens.accept(";") or tokens.accept(","):
                continue
            if token.kind == "word" and token.text.casefold() in ("graph", "node", "edge"):
                tokens.take()
                said = self._read_attributes()
                if not token.is_word("graph"):
                    (nodes if token.is_word("node") else edges).update(said)
                continue
            ends = self._read_operand(nodes, edges, depth)
            if len(ends) == 1 and tokens.accept("="):  # a property of the graph
                self._read_id()
                continue
            named |= dict.fromkeys(self._read_chain(token, ends, nodes, edges, depth))
        return list(named)

    def _read_chain(
        self, first: DotToken, ends: list[str], nodes: Attributes, edges: Attributes, depth: int
    ) -> list[str]:
        """The rest of a statement about nodes or edges. Returns the nodes in it."""
        tokens = self.tokens
        places = [first]
        chain = [ends]
        while tokens.next.kind == "sign" and tokens.next.text in ("--", "->"):
            sign = tokens.take()
            if (sign.text == "->") != self.directed:
                other, graph = ("--", "graph") if sign.text == "->" else ("->", "digraph")
                raise tokens.error(
                    f"{sign.text} stands in a {'digraph' if self.directed else 'graph'}",
                    f"write {other}, or begin the file with {'graph' if graph == 'digraph' else 'digraph'}",
                    sign,
                )
            places.append(tokens.next)
            chain.append(self._read_operand(nodes, edges, depth))
        said = self._read_attributes()
        is_group = first.kind == "sign" or first.is_word("subgraph")
        if len(chain) == 1:
            if not is_group:
                self.graph.nodes[ends[0]].update(said)
            return ends
        told = edges | said
        for left, right, token in zip(chain, chain[1:], places, strict=False):
            limits.FLOW_GRAPH_PARTS.check(len(left) * len(right), "the number of edges", self._place())
            for a in left:
                for b in right:
                    self._add_edge(a, b, told, self.tokens.index.locate(token.at))
        return [node for operand in chain for node in operand]

    def _add_edge(self, a: str, b: str, told: Attributes, place: Place) -> None:
        ends = (a, b) if self.directed else (min(a, b), max(a, b))
        if self.strict and ends in self._joined:
            return
        self._joined.add(ends)
        directed = self.directed and told.get("dir") not in ("both", "none")
        self.graph.add_edge(GraphEdge(a, b, dict(told), directed, place))

    def _read_operand(self, nodes: Attributes, edges: Attributes, depth: int) -> list[str]:
        """A node, or the nodes of a subgraph."""
        tokens = self.tokens
        if tokens.next.is_word("subgraph"):
            tokens.take()
            if tokens.next.kind in ("word", "text"):
                tokens.take()
            if not tokens.accept("{"):
                raise tokens.error("a { belongs here", "write: subgraph name { ... }")
            return self._read_statements(nodes, edges, depth + 1)
        if tokens.accept("{"):
            return self._read_statements(nodes, edges, depth + 1)
        at = tokens.next.at
        node = self._read_id()
        while tokens.accept(":"):  # a port, and a side of the node
            self._read_id()
        is_property = tokens.next.kind == "sign" and tokens.next.text == "="
        if not is_property and node not in self.graph.nodes:
            self.graph.add_node(node, tokens.index.locate(at)).update(nodes)
        return [node]

    def _read_id(self) -> str:
        token = self.tokens.take()
        if token.kind not in ("word", "text", "html"):
            raise self.tokens.error(
                f"a name belongs here, not {token.text[:20]!r}", "write a name, or a text in quotes", token
            )
        return token.text

    def _read_attributes(self) -> Attributes:
        """The attributes in brackets, if there are any. Labels in HTML are left out."""
        tokens = self.tokens
        said: Attributes = {}
        while tokens.accept("["):
            while not tokens.accept("]"):
                if tokens.accept(";") or tokens.accept(","):
                    continue
                name = self._read_id()
                if not tokens.accept("="):
                    raise tokens.error(f"a = belongs after {name[:20]!r}", "write: name=value")
                is_html = tokens.next.kind == "html"
                value = self._read_id()
                if not is_html:
                    said[name] = value
        return said

    def _place(self) -> Place:
        return self.tokens.index.locate(self.tokens.next.at)
