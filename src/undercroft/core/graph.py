"""The graph of a level: regions as nodes, links as edges."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from undercroft.core.region import Door, Link, Region, Regions, Rows, Thing
from undercroft.errors import BadInput
from undercroft.inputs.arguments import require_type, require_whole_number
from undercroft.limits import CELLS
from undercroft.wording import format_value_briefly

Attributes = dict[str, str | int | bool]
_FIX = "take those of a level: level.links, level.doors and level.things"


class Graph:
    """Regions as nodes, links as edges, and the doors that links go through.

    >>> graph = Graph(3, [Link(1, 2, "door", 0), Link(2, 3, "open")], [Door(4, 1, 1, 2, "closed")])
    >>> graph.neighbours(2), graph.degree(3)
    ([1, 3], 1)
    >>> [graph.door(link) for link in graph.links]
    [Door(x=4, y=1, a=1, b=2, state='closed'), None]
    """

    __slots__ = ("_near", "doors", "end", "links", "nodes", "regions", "start", "things")

    def __init__(
        self,
        nodes: int | Regions,
        links: Sequence[Link],
        doors: Sequence[Door] = (),
        things: Sequence[Thing] = (),
        *,
        start: tuple[int, int] | None = None,
        end: tuple[int, int] | None = None,
    ) -> None:
        if not isinstance(nodes, Regions):
            nodes = require_whole_number("the number of nodes", nodes, 0, CELLS.value)
        _check_rows("links", links, Link)
        _check_rows("doors", doors, Door)
        _check_rows("things", things, Thing)
        self.regions = None if isinstance(nodes, int) else nodes
        """The regions behind the nodes, if they are known."""
        self.nodes = range(1, (nodes if isinstance(nodes, int) else len(nodes)) + 1)
        """The labels of the regions."""
        self.links = links
        """The edges."""
        self.doors = doors
        """The doors that links name by index."""
        self.things = things
        """What stands in the regions."""
        self.start = start
        """The cell where the way through begins."""
        self.end = end
        """The cell where it ends."""
        self._near: list[list[int]] = [[] for _ in range(len(self.nodes) + 1)]
        for link in links:
            if self._has_label(link.a) and self._has_label(link.b):
                self._near[link.a].append(link.b)
                self._near[link.b].append(link.a)

    def _has_label(self, label: int) -> bool:
        """Whether a region has that label, or it is 0, which means no region."""
        return 0 <= label <= len(self.nodes)

    def neighbours(self, label: int) -> list[int]:
        """The regions that are linked to this one, sorted, each once."""
        return sorted(set(self._near[self._check_label(label)]))

    def degree(self, label: int) -> int:
        """The number of links that end in this region."""
        return len(self._near[self._check_label(label)])

    def _check_label(self, label: int) -> int:
        if type(label) is int and 0 <= label < len(self._near):
            return label
        return require_whole_number("the label of a region", label, 0, len(self.nodes))

    def branching(self) -> dict[int, int]:
        """The number of rooms for each number of links, in ascending order of links. Corridors do not count as rooms;
        without regions, every node counts.

        >>> Graph(4, [Link(1, 2, "open"), Link(2, 3, "open"), Link(2, 4, "open")]).branching()
        {1: 3, 3: 1}
        """
        rooms = (
            self.nodes
            if self.regions is None
            else [region.label for region in self.regions if region.kind != "corridor"]
        )
        return dict(sorted(Counter(map(self.degree, rooms)).items()))

    def door(self, link: Link) -> Door | None:
        """The door of a link; None if the link is open."""
        require_type("link", link, Link, "a Link", "take one of graph.links")
        return self.doors[link.door] if 0 <= link.door < len(self.doors) else None

    def about_nodes(self) -> Iterator[tuple[int, Attributes]]:
        """Each region's label with its attributes: kind, box and area, and, where it has them, name, tags, things,
        start and end.
        """
        if self.regions is None:
            yield from ((label, {}) for label in self.nodes)
            return
        labels = self.regions.labels
        inside: dict[int, list[str]] = {}
        for thing in self.things:
            inside.setdefault(int(labels[thing.y, thing.x]), []).append(thing.kind)
        begins, ends = (0 if point is None else int(labels[point[1], point[0]]) for point in (self.start, self.end))
        for region in self.regions:
            told = _region_attributes(region)
            told |= {
                "name": region.name,
                "template": region.template,
                "tags": ", ".join(region.tags),
                "things": _format_counts(inside.get(region.label, [])),
            }
            yield region.label, _drop_empty(told | {"start": region.label == begins, "end": region.label == ends})

    def about_links(self) -> Iterator[tuple[Link, Attributes]]:
        """Each link between two regions, with its attributes.

        These are its kind, whether it is carved, its door's cell and state, its lock's name, and for a one-way link the
        regions that it leads from and to.
        """
        locks = {(thing.x, thing.y): str(thing.data.get("key", "")) for thing in self.things if thing.kind == "lock"}
        for link in self.links:
            if not (link.a and link.b and self._has_label(link.a) and self._has_label(link.b)):
                continue
            told: Attributes = {"kind": link.kind, "carved": link.carved}
            door = self.door(link)
            if door is not None:
                told |= {"x": door.x, "y": door.y, "state": door.state}
                told |= _drop_empty({"lock": locks.get((door.x, door.y), "")})
            if link.kind == "one-way":
                told |= {"from": link.a, "to": link.b}
            yield link, told

    def to_networkx(self, *, directed: bool = False) -> Any:
        """The graph for networkx: a `MultiGraph` whose nodes are labels. Nodes and edges carry their attributes.

        With `directed` it is a `MultiDiGraph`: a one-way link is an edge from its `a` to its `b`, any other link is one
        edge in each direction.
        """
        try:
            import networkx
        except ImportError:
            raise BadInput(
                "networkx is not installed", fix="pip install networkx, or save the level as .graphml or .dot"
            ) from None
        graph: Any = networkx.MultiDiGraph() if directed else networkx.MultiGraph()
        for label, told in self.about_nodes():
            graph.add_node(label, **told)
        for link, told in self.about_links():
            graph.add_edge(link.a, link.b, **told)
            if directed and link.kind != "one-way":
                graph.add_edge(link.b, link.a, **told)
        return graph


def _check_rows(name: str, rows: Any, kind: type) -> None:
    if type(rows) is not Rows and not (isinstance(rows, Sequence) and all(isinstance(row, kind) for row in rows)):
        raise BadInput(f"{name} are a list of {kind.__name__}, not {format_value_briefly(rows)}", fix=_FIX)


def _region_attributes(region: Region) -> Attributes:
    return {
        "kind": region.kind,
        "x": region.x,
        "y": region.y,
        "width": region.width,
        "height": region.height,
        "area": region.area,
    }


def _format_counts(kinds: Sequence[str]) -> str:
    """The kinds of things, each with its count if there is more than one.

    >>> _format_counts(["rat", "key", "rat"])
    'rat x2, key'
    """
    return ", ".join(f"{kind} x{count}" if count > 1 else kind for kind, count in Counter(kinds).items())


def _drop_empty(told: Attributes) -> Attributes:
    """The attributes without those that are empty or False."""
    return {name: value for name, value in told.items() if value is not False and value != ""}
