"""Write the graph of a level in GraphML, which networkx, igraph, Gephi and yEd read."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any
from xml.sax.saxutils import escape

from undercroft.analysis.survey import surveyed
from undercroft.core.graph import Attributes
from undercroft.core.level import Level
from undercroft.formats.shared.origin import ORIGIN_KEY, check_origin_bytes, format_origin, parse_origin
from undercroft.formats.shared.xml_note import NoteReader

BOX_KEYS = dict.fromkeys(("x", "y", "width", "height", "area"), "int")
TEXT_KEYS = dict.fromkeys(("name", "template", "tags", "things"), "string")
NODE_KEYS = {"kind": "string", **BOX_KEYS, **TEXT_KEYS, "start": "boolean", "end": "boolean"}
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
GRAPH_KEYS = {"title": "string", "width": "int", "height": "int", ORIGIN_KEY: "string"}
KEYS_BY_DOMAIN = {"graph": GRAPH_KEYS, "node": NODE_KEYS, "edge": EDGE_KEYS}
FIX = "name a graph that undercroft made"


def dump(level: Level) -> bytes:
    """The graph of the level; a level without regions is surveyed first.

    >>> print(dump(Level.parse("#.+.#")).decode().splitlines()[-3].replace("><", f">{chr(10)}<"))
    <edge id="link0" source="1" target="2">
    <data key="edge-kind">door</data>
    <data key="edge-carved">true</data>
    <data key="edge-x">2</data>
    <data key="edge-y">0</data>
    <data key="edge-state">closed</data>
    </edge>
    """
    return "".join(f"{line}\n" for line in _format_lines(level if len(level.regions) else surveyed(level))).encode()


def _format_lines(level: Level) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
    for domain, keys in KEYS_BY_DOMAIN.items():
        yield from (
            f'<key id="{domain}-{name}" for="{domain}" attr.name="{name}" attr.type="{kind}"/>'
            for name, kind in keys.items()
        )
    graph = level.graph
    yield '<graph id="level" edgedefault="undirected">'
    made = {ORIGIN_KEY: format_printable_origin(level)} if level.provenance else {}
    yield _format_data(
        "graph",
        {**({"title": level.title} if level.title else {}), "width": level.width, "height": level.height, **made},
    )
    for label, told in graph.about_nodes():
        yield f'<node id="{label}">{_format_data("node", told)}</node>'
    for number, (link, told) in enumerate(graph.about_links()):
        yield f'<edge id="link{number}" source="{link.a}" target="{link.b}">{_format_data("edge", told)}</edge>'
    yield "</graph>"
    yield "</graphml>"


def _format_data(domain: str, told: Attributes) -> str:
    return "".join(f'<data key="{domain}-{name}">{_format_value(value)}</data>' for name, value in told.items())


def _format_value(value: str | int | bool) -> str:
    if isinstance(value, str):
        return escape("".join(sign if sign.isprintable() else " " for sign in value))
    return str(value).lower()


def format_printable_origin(level: Level) -> str:
    """The provenance of the level, as JSON with only printable characters."""
    text = "".join(sign if sign.isprintable() else json.dumps(sign)[1:-1] for sign in format_origin(level))
    check_origin_bytes(len(text.encode("utf-8", "replace")), "the level")
    return text


def read_origin(data: bytes, file: str) -> Mapping[str, Any]:
    """The provenance of the level in a graph that undercroft wrote, even after networkx has rewritten it. A document
    type, which could define entities, is refused.
    """
    return parse_origin(_GraphmlNoteReader(file).read_note(data), file, "graph")


class _GraphmlNoteReader(NoteReader):
    """Reads a graph up to the text with the provenance."""

    ROOT, FILE_KIND, FIX = "graphml", "graph", FIX

    def __init__(self, file: str) -> None:
        super().__init__(file)
        self.key: str | None = None

    def is_note_element(self, told: dict[str, str]) -> bool:
        if self.open[-1] == "key" and told.get("attr.name") == ORIGIN_KEY and told.get("for") in ("graph", "all"):
            self.key = told.get("id")
        return self.open == ["graphml", "graph", "data"] and self.key is not None and told.get("key") == self.key
