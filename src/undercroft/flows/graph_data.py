"""A graph as DOT, GraphML and edge lists hold it, and the flow that it means."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from undercroft import limits
from undercroft.core.flow import (
    FLOW_SIDES,
    NAMED_KINDS,
    WAY_KINDS,
    Flow,
    FlowLink,
    FlowRoom,
    FlowThing,
    Point,
)
from undercroft.core.region import LINK_KINDS
from undercroft.errors import Place
from undercroft.flows.options import SIDE_WORDS
from undercroft.flows.source import FlowSource
from undercroft.flows.words import to_new_word, to_word

Attributes = dict[str, str]
DRAWING_ATTRIBUTES = frozenset(
    (
        *("id", "kind", "box", "x", "y", "width", "height", "area", "pos", "shape", "fixedsize", "template"),
        *("carved", "state", "style", "color", "dir", "from", "to"),
    )
)
"""What files of ours say besides, for other programs and of the map: no part of a flow, and dropped without a word."""
NODE_ATTRIBUTES = frozenset(
    ("name", "title", "label", "tags", "start", "end", "size", "floor", "uses", "uses_tagged", "things")
)
EDGE_ATTRIBUTES = frozenset(("kind", "key", "lock", "length", "side"))
UNNAMED_LOCK = "lock"
"""The name of locks that a level does not name."""
_SIZE = re.compile(r"([0-9]{1,3})x([0-9]{1,3})(?: to ([0-9]{1,3})x([0-9]{1,3}))?")
_LENGTH = re.compile(r"([0-9]{1,4})(?: to ([0-9]{1,4}))?")
_COUNTED = re.compile(r"(.*?) x([0-9]{1,4})")
TRUE_WORDS = ("true", "1", "yes")


@dataclass
class GraphEdge:
    """An edge, as it is written."""

    a: str
    b: str
    attributes: Attributes
    directed: bool
    place: Place | None = None


@dataclass
class GraphData:
    """Nodes by their ids, edges, and what else a file says."""

    file: str
    name: str = ""
    nodes: dict[str, Attributes] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)
    edges: list[GraphEdge] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add_node(self, node: str, place: Place | None = None) -> Attributes:
        """The attributes of a node, which is new if nothing named it so far."""
        if node not in self.nodes:
            limits.FLOW_GRAPH_PARTS.check(len(self.nodes) + 1, f"{self.file}: the number of nodes", place)
            self.nodes[node] = {}
            if place is not None:
                self.places[node] = place
        return self.nodes[node]

    def add_edge(self, edge: GraphEdge) -> None:
        limits.FLOW_GRAPH_PARTS.check(len(self.edges) + 1, f"{self.file}: the number of edges", edge.place)
        self.edges.append(edge)


def build_flow(graph: GraphData) -> FlowSource:
    """The flow that a graph means.

    Nodes of the kind corridor with two edges become part of a link. A directed edge is one-way unless its opposite is
    there, or its kind says otherwise. What is not understood is dropped, with a note for each name of an attribute.
    """
    edges = _contract_corridors(graph, _pair_edges(graph.edges))
    builder = _FlowBuilder(graph)
    builder.add_rooms()
    builder.add_links(edges)
    limits.FLOW_ROOMS.check(len(builder.rooms), f"{graph.file}: the number of rooms")
    limits.FLOW_LINKS.check(len(builder.links), f"{graph.file}: the number of links")
    limits.FLOW_THINGS.check(len(builder.things), f"{graph.file}: the number of things")
    name = " ".join(graph.name.replace(";", " ").split())[: limits.FLOW_TITLE_LENGTH.value].strip()
    flow = Flow(name if name.isprintable() else "", tuple(builder.rooms), tuple(builder.links), tuple(builder.things))
    names = builder.names
    return FlowSource(
        flow,
        graph.file,
        {names[node]: place for node, place in graph.places.items() if node in names},
        {},
        tuple(builder.link_places),
        tuple(graph.places.get(builder.nodes[thing.room]) for thing in flow.things),
        (),
        (*graph.notes, *builder.list_notes()),
    )


def _pair_edges(edges: list[GraphEdge]) -> list[GraphEdge]:
    """The edges, where a directed edge and its opposite of the same kind are one that leads both ways."""
    found: list[GraphEdge] = []
    waiting: dict[tuple[str, str, str], list[GraphEdge]] = {}
    for edge in edges:
        kind = edge.attributes.get("kind", "")
        if not edge.directed or kind == "one-way" or (kind and kind not in LINK_KINDS):
            found.append(edge)
        elif twins := waiting.get((edge.b, edge.a, kind)):
            twin = twins.pop(0)
            twin.directed = False
        else:
            waiting.setdefault((edge.a, edge.b, kind), []).append(edge)
            found.append(edge)
    return found


def _contract_corridors(graph: GraphData, edges: list[GraphEdge]) -> list[GraphEdge]:
    """The edges, where each corridor with two of them is one link; corridors without edges are left out."""
    hallways = {node for node, attributes in graph.nodes.items() if attributes.get("kind") == "corridor"}
    if not hallways:
        return edges
    degree = Counter(end for edge in edges for end in (edge.a, edge.b))
    passed = {node for node in hallways if degree[node] == 2}
    ends: dict[str, list[int]] = {}
    for number, edge in enumerate(edges):
        for node in {edge.a, edge.b} & passed:
            ends.setdefault(node, []).append(number)
    found: list[GraphEdge] = []
    used: set[int] = set()
    for number, edge in enumerate(edges):
        if number in used or {edge.a, edge.b} <= passed:
            continue
        used.add(number)
        at = edge.b if edge.a not in passed else edge.a
        here = edge.a if at == edge.b else edge.b
        chain = [(edge, at == edge.b)]
        last = number
        while at in passed and len(ends[at]) == 2:
            last = next(other for other in ends[at] if other != last)
            used.add(last)
            further = edges[last]
            chain.append((further, further.a == at))
            at = further.b if further.a == at else further.a
        found.append(_join_chain(here, at, chain))
    gone = passed | {node for node in hallways if not degree[node]}
    for node in gone:
        del graph.nodes[node]
    return [edge for edge in found if edge.a not in gone and edge.b not in gone]


def _join_chain(a: str, b: str, chain: list[tuple[GraphEdge, bool]]) -> GraphEdge:
    """One edge for a chain of them: of the kind that is hardest to pass."""
    if len(chain) == 1:
        return chain[0][0]
    ranked = sorted(chain, key=lambda part: -_rank_kind(part[0].attributes.get("kind", "open")))
    edge, forward = ranked[0]
    one_way = edge.directed or edge.attributes.get("kind") == "one-way"
    ends = (a, b) if forward or not one_way else (b, a)
    return GraphEdge(*ends, edge.attributes, edge.directed, edge.place)


def _rank_kind(kind: str) -> int:
    return LINK_KINDS.index(kind) if kind in LINK_KINDS else 0


class _FlowBuilder:
    """The parts of a flow, and what could not be understood."""

    def __init__(self, graph: GraphData) -> None:
        self.graph = graph
        self.rooms: list[FlowRoom] = []
        self.links: list[FlowLink] = []
        self.link_places: list[Place | None] = []
        self.things: list[FlowThing] = []
        self.names: dict[str, str] = {}
        """The name of the room of each node."""
        self.nodes: dict[str, str] = {}
        self.dropped: Counter[str] = Counter()
        self.ends: set[str] = set()

    def add_rooms(self) -> None:
        for node, told in self.graph.nodes.items():
            name = to_new_word(_pick_name(node, told), self.nodes)
            self.names[node], self.nodes[name] = name, node
            for attribute in told:
                if attribute not in NODE_ATTRIBUTES | DRAWING_ATTRIBUTES:
                    self.dropped[f"the attribute {attribute!r} of rooms"] += 1
            self.rooms.append(
                FlowRoom(
                    name,
                    _split_words(told.get("tags", "")),
                    self._pick_end(told),
                    self._read_size(told.get("size", "")),
                    _split_words(told.get("uses", "")),
                    _split_words(told.get("uses_tagged", "")),
                    self._read_floor(told.get("floor", "")),
                )
            )
            for thing in self._read_things(told.get("things", ""), name):
                self.things.append(thing)

    def _pick_end(self, told: Attributes) -> str:
        for end in ("start", "end"):
            if told.get(end, "").casefold() in TRUE_WORDS:
                if end in self.ends:
                    self.dropped[f"a second {end}"] += 1
                else:
                    self.ends.add(end)
                    return end
        return ""

    def _read_size(self, text: str) -> tuple[Point, Point] | None:
        if not text:
            return None
        found = _SIZE.fullmatch(text)
        if found:
            least = int(found[1]), int(found[2])
            greatest = (int(found[3]), int(found[4])) if found[3] else least
            if all(1 <= low <= high <= limits.FLOW_SIDE.value for low, high in zip(least, greatest, strict=True)):
                return least, greatest
        self.dropped["a size that is not like 5x5 to 9x7"] += 1
        return None

    def _read_floor(self, text: str) -> int:
        if not text:
            return 0
        if text.isdecimal() and text.isascii() and len(text) <= 3 and int(text) <= limits.FLOORS.value:
            return int(text)
        self.dropped[f"a floor that is no number from 0 to {limits.FLOORS.value}"] += 1
        return 0

    def _read_things(self, text: str, room: str) -> Iterator[FlowThing]:
        """The things of a room: `key red, switch gate, rat x2`."""
        for item in filter(None, (part.strip() for part in text.split(","))):
            counted = _COUNTED.fullmatch(item)
            words = (counted[1] if counted else item).split()
            kind = to_word(words[0], "thing") if words else ""
            if kind in NAMED_KINDS and len(words) > 1:
                consumed = kind == "key" and words[2:] == ["consumed"]
                yield FlowThing(kind, room, to_word(words[1], UNNAMED_LOCK), consumed)
            elif kind in NAMED_KINDS or kind in WAY_KINDS or not kind:
                self.dropped[f"a thing {item[:20]!r}"] += 1
            else:
                count = int(counted[2]) if counted else 1
                limits.FLOW_THINGS.check(len(self.things) + count, f"{self.graph.file}: the number of things")
                yield from [FlowThing(kind, room)] * count

    def add_links(self, edges: Iterable[GraphEdge]) -> None:
        for edge in edges:
            told = edge.attributes
            for attribute in told:
                if attribute not in EDGE_ATTRIBUTES | DRAWING_ATTRIBUTES:
                    self.dropped[f"the attribute {attribute!r} of links"] += 1
            a, b = self.names[edge.a], self.names[edge.b]
            if a == b:
                self.dropped["a link from a room to itself"] += 1
                continue
            kind, key = self._pick_kind(edge)
            self.links.append(
                FlowLink(a, b, kind, key, self._read_length(told.get("length", "")), self._read_side(told))
            )
            self.link_places.append(edge.place)

    def _pick_kind(self, edge: GraphEdge) -> tuple[str, str]:
        kind = edge.attributes.get("kind", "")
        key = edge.attributes.get("key", "") or edge.attributes.get("lock", "")
        if kind not in ("", *LINK_KINDS):
            self.dropped[f"the kind of links {kind[:20]!r}"] += 1
            kind = ""
        if kind == "locked":
            return kind, to_word(key, UNNAMED_LOCK)
        return kind or ("one-way" if edge.directed else "open"), ""

    def _read_length(self, text: str) -> tuple[int, int] | None:
        if not text:
            return None
        found = _LENGTH.fullmatch(text)
        if found:
            low, high = int(found[1]), int(found[2] or found[1])
            if low <= high <= limits.FLOW_DISTANCE.value:
                return low, high
        self.dropped["a length that is not like 1 to 8"] += 1
        return None

    def _read_side(self, told: Attributes) -> str:
        side = told.get("side", "")
        side = SIDE_WORDS.get(side.casefold(), side.upper())
        if side and side not in FLOW_SIDES:
            self.dropped["a side that is none of N, E, S and W"] += 1
            return ""
        return side

    def list_notes(self) -> list[str]:
        """A sentence for each sort of what was dropped."""
        return [f"left out: {what}{f' ({count:,} times)' if count > 1 else ''}" for what, count in self.dropped.items()]


def _pick_name(node: str, told: Attributes) -> str:
    """What a room is called: its name, else its label, else its id."""
    for name in ("name", "title", "label"):
        text = told.get(name, "")
        if text and "\\" not in text and "<" not in text:
            return text
    return node


def _split_words(text: str) -> tuple[str, ...]:
    """The words of a list with commas or blanks, each once."""
    return tuple(dict.fromkeys(to_word(word, "tag") for word in re.split(r"[,\s]+", text) if word))
