"""Flows in GraphML, which networkx, igraph, Gephi and yEd read and write."""

from __future__ import annotations

from collections.abc import Iterator
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from undercroft import limits
from undercroft.core.flow import Flow
from undercroft.errors import BadInput, Place
from undercroft.flows.attributes import link_attributes, room_attributes
from undercroft.flows.graph_data import Attributes, GraphData, GraphEdge, build_flow
from undercroft.flows.source import FlowSource

NODE_KEYS = ("start", "end", "tags", "size", "uses", "uses_tagged", "floor", "things")
EDGE_KEYS = ("kind", "key", "length", "side")
XML_FIX = "save the graph as GraphML"


def write_graphml(flow: Flow) -> str:
    """The flow as a graph in GraphML.

    >>> print(write_graphml(Flow.parse("link gate - hall")).splitlines()[-3])
    <edge source="gate" target="hall"><data key="edge-kind">open</data></edge>
    """
    return "".join(f"{line}\n" for line in _format_lines(flow))


def _format_lines(flow: Flow) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
    for domain, keys in (("graph", ("title",)), ("node", NODE_KEYS), ("edge", EDGE_KEYS)):
        yield from (
            f'<key id="{domain}-{name}" for="{domain}" attr.name="{name}" attr.type="string"/>' for name in keys
        )
    yield '<graph id="flow" edgedefault="undirected">'
    if flow.name:
        yield _format_data("graph", {"title": flow.name})
    for room in flow.rooms:
        yield f"<node id={quoteattr(room.name)}>{_format_data('node', room_attributes(flow, room))}</node>"
    for link in flow.links:
        ends = f"source={quoteattr(link.a)} target={quoteattr(link.b)}"
        yield f"<edge {ends}>{_format_data('edge', link_attributes(link))}</edge>"
    yield "</graph>"
    yield "</graphml>"


def _format_data(domain: str, told: Attributes) -> str:
    return "".join(f'<data key="{domain}-{name}">{escape(value)}</data>' for name, value in told.items())


def read_graphml(data: bytes, file: str) -> FlowSource:
    """The flow in a file in GraphML. Groups are passed over: their rooms are read. A document type, which could define
    entities, is refused.

    >>> read_graphml(write_graphml(Flow.parse("link gate - hall, door")).encode(), "a.graphml").flow.links[0].kind
    'door'
    """
    limits.FLOW_GRAPH_BYTES.check(len(data), f"{file}: its size in bytes")
    return build_flow(_GraphmlReader(file).read(data))


class _GraphmlReader:
    """Reads one graph with nodes in groups, element by element."""

    def __init__(self, file: str) -> None:
        self.graph = GraphData(file)
        self._keys: dict[str, tuple[str, str]] = {}
        """The domain and name of each key."""
        self._defaults: dict[str, str] = {}
        self._open: list[str] = []
        self._directed = [False]
        """Of each graph that is open, whether its edges are directed."""
        self._held: list[Attributes] = []
        """The attributes of each node and edge that is open."""
        self._key = ""
        self._words: list[str] | None = None
        self._edges: list[tuple[GraphEdge, str, str]] = []
        self._parser = parser = expat.ParserCreate(namespace_separator=" ")
        parser.buffer_text = True
        parser.StartElementHandler = self._on_start
        parser.EndElementHandler = self._on_end
        parser.CharacterDataHandler = self._on_text
        parser.StartDoctypeDeclHandler = self._on_doctype

    def read(self, data: bytes) -> GraphData:
        try:
            self._parser.Parse(data, True)
        except expat.ExpatError as error:
            what = expat.ErrorString(error.code)
            place = Place(self.graph.file, error.lineno, error.offset + 1)
            raise BadInput(f"this is not XML: {what}", place=place, fix=XML_FIX) from None
        except (LookupError, ValueError):
            raise BadInput(
                f"{self.graph.file}: the text is in an encoding that is not read here", fix="save the file as UTF-8"
            ) from None
        for node, told in self.graph.nodes.items():
            self.graph.nodes[node] = self._add_defaults("node", told)
        for edge, _, _ in self._edges:
            for end in (edge.a, edge.b):
                if end not in self.graph.nodes:
                    raise BadInput(
                        f"an edge ends at {end[:40]!r}, and no node has that id",
                        place=edge.place,
                        fix="add the node, or leave the edge out",
                    )
            edge.attributes = self._add_defaults("edge", edge.attributes)
            self.graph.add_edge(edge)
        return self.graph

    def _add_defaults(self, domain: str, told: Attributes) -> Attributes:
        return {
            self._keys[key][1]: value for key, value in self._defaults.items() if self._keys[key][0] in (domain, "all")
        } | told

    def _on_start(self, name: str, said: dict[str, str]) -> None:
        tag = name.rpartition(" ")[2]
        if not self._open and tag != "graphml":
            raise self._error(f"this is <{tag[:40]}>, not a graph", "name a file that ends in .graphml")
        if len(self._open) == limits.XML_DEPTH.value:
            raise self._error(f"more than {limits.XML_DEPTH.value} elements in each other", limits.XML_DEPTH.raise_by)
        self._open.append(tag)
        if tag == "key":
            limits.FLOW_GRAPH_PARTS.check(len(self._keys) + 1, "the number of keys", self._place())
            word = said.get("attr.name", "") or said.get("yfiles.type", "")
            self._key = said.get("id", "")
            self._keys[self._key] = (said.get("for", "all"), word)
        elif tag == "graph":
            self._directed.append(said.get("edgedefault", "undirected") == "directed")
        elif tag == "node":
            self._held.append(self.graph.add_node(self._require(said, "id"), self._place()))
        elif tag == "edge":
            directed = said.get("directed", str(self._directed[-1])).casefold() in ("true", "1")
            ends = self._require(said, "source"), self._require(said, "target")
            edge = GraphEdge(*ends, {}, directed, self._place())
            limits.FLOW_GRAPH_PARTS.check(len(self._edges) + 1, "the number of edges", edge.place)
            self._edges.append((edge, *ends))
            self._held.append(edge.attributes)
        elif tag == "hyperedge":
            note = "left out: edges between more than two rooms"
            self.graph.notes += [note] if note not in self.graph.notes else []
        elif tag == "data":
            self._key = said.get("key", "")
            self._words = []
        elif tag in ("default", "NodeLabel"):
            self._words = []

    def _on_end(self, _: str) -> None:
        tag = self._open.pop()
        text = "".join(self._words or ()).strip()
        if tag in ("node", "edge"):
            self._held.pop()
        elif tag == "graph":
            self._directed.pop()
        elif tag == "default" and self._key in self._keys and text:
            self._defaults[self._key] = text
        elif tag == "NodeLabel" and self._held and text:
            self._held[-1].setdefault("label", text)
        elif tag == "data" and self._key in self._keys and text:
            domain, word = self._keys[self._key]
            if self._held and word:
                self._held[-1][word] = text
            elif domain in ("graph", "all") and word == "title" and len(self._open) == 2:
                self.graph.name = text
        if tag in ("data", "default", "NodeLabel"):
            self._words = None

    def _on_text(self, words: str) -> None:
        if self._words is not None:
            self._words.append(words)

    def _on_doctype(self, *_: object) -> None:
        raise self._error("a document type stands here, and graphs have none", "delete the line <!DOCTYPE ...>")

    def _require(self, said: dict[str, str], name: str) -> str:
        if not said.get(name):
            raise self._error(f"<{self._open[-1]}> has no {name}", f"add {name}=...")
        return said[name]

    def _place(self) -> Place:
        return Place(self.graph.file, self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber + 1)

    def _error(self, problem: str, fix: str) -> BadInput:
        return BadInput(problem, place=self._place(), fix=fix)
