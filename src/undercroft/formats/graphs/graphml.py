"""The graph of a level in GraphML, which networkx, igraph, Gephi and yEd read."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any
from xml.sax.saxutils import escape

from undercroft.analysis.survey import surveyed
from undercroft.core.graph import Attributes
from undercroft.core.level import Level
from undercroft.errors import BadInput
from undercroft.formats.native.native import text
from undercroft.formats.native.read_level import read_provenance
from undercroft.formats.shared.checked import Spot, plain
from undercroft.formats.shared.guarded_json import parsed
from undercroft.formats.shared.xml_note import NoteReader

BOX = dict.fromkeys(("x", "y", "width", "height", "area"), "int")
WORDS = dict.fromkeys(("name", "template", "tags", "things"), "string")
NODE_KEYS = {"kind": "string", **BOX, **WORDS, "start": "boolean", "end": "boolean"}
EDGE_KEYS = {
    "kind": "string",
    "carved": "boolean",
    "x": "int",
    "y": "int",
    "state": "string",
    "lock": "string",
    "from": "int",
    "to": "int",
}
ORIGIN = "undercroft"
"""What is told of the graph under this name is how its level was made."""
GRAPH_KEYS = {"title": "string", "width": "int", "height": "int", ORIGIN: "string"}
KEYS = {"graph": GRAPH_KEYS, "node": NODE_KEYS, "edge": EDGE_KEYS}
FIX = "name a graph that undercroft made"


def dump(level: Level) -> bytes:
    """The graph of the level; a level whose regions nobody has found yet is surveyed first.

    >>> print(dump(Level.drawn("#.+.#")).decode().splitlines()[-3].replace("><", f">{chr(10)}<"))
    <edge id="link0" source="1" target="2">
    <data key="edge-kind">door</data>
    <data key="edge-carved">true</data>
    <data key="edge-x">2</data>
    <data key="edge-y">0</data>
    <data key="edge-state">closed</data>
    </edge>
    """
    return "".join(f"{line}\n" for line in _lines(level if len(level.regions) else surveyed(level))).encode()


def _lines(level: Level) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
    for domain, keys in KEYS.items():
        yield from (
            f'<key id="{domain}-{name}" for="{domain}" attr.name="{name}" attr.type="{kind}"/>'
            for name, kind in keys.items()
        )
    graph = level.graph
    yield '<graph id="level" edgedefault="undirected">'
    made = {ORIGIN: made_text(level)} if level.provenance else {}
    yield _data(
        "graph",
        {**({"title": level.title} if level.title else {}), "width": level.width, "height": level.height, **made},
    )
    for label, told in graph.about_nodes():
        yield f'<node id="{label}">{_data("node", told)}</node>'
    for number, (link, told) in enumerate(graph.about_links()):
        yield f'<edge id="link{number}" source="{link.a}" target="{link.b}">{_data("edge", told)}</edge>'
    yield "</graph>"
    yield "</graphml>"


def _data(domain: str, told: Attributes) -> str:
    return "".join(f'<data key="{domain}-{name}">{_value(value)}</data>' for name, value in told.items())


def _value(value: str | int | bool) -> str:
    if isinstance(value, str):
        return escape("".join(sign if sign.isprintable() else " " for sign in value))
    return str(value).lower()


def made_text(level: Level) -> str:
    """How the level was made, as JSON in which every sign can be seen."""
    words = text(plain(level.provenance, "provenance"))
    return "".join(sign if sign.isprintable() else json.dumps(sign)[1:-1] for sign in words)


def origin(data: bytes, file: str) -> Mapping[str, Any]:
    """How the level of a graph of ours was made, also after networkx has written it anew. A document type, which could
    define entities, is refused.
    """
    note = _Reading(file).note(data)
    if not note.strip():
        raise BadInput(f"{file}: the graph does not tell how its level was made", fix=FIX)
    return read_provenance(Spot(parsed(note.encode(), file), ORIGIN, file))


class _Reading(NoteReader):
    """A graph, up to the text that tells how its level was made."""

    ROOT, WHAT, FIX = "graphml", "graph", FIX

    def __init__(self, file: str) -> None:
        super().__init__(file)
        self.key: str | None = None

    def holds(self, told: dict[str, str]) -> bool:
        if self.open[-1] == "key" and told.get("attr.name") == ORIGIN and told.get("for") in ("graph", "all"):
            self.key = told.get("id")
        return self.open == ["graphml", "graph", "data"] and self.key is not None and told.get("key") == self.key
