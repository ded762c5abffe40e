"""Parse TMX into the same dicts and lists as TMJ, so that one reader serves both. The XML is untrusted: no DTD, no
entities, limited depth.

Attribute values stay texts; `checked_map` accepts numbers as texts. Properties become a dict by name, as in older TMJ,
since there are many.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from xml.parsers import expat

from undercroft import limits
from undercroft.errors import BadInput, Place
from undercroft.formats.tiled.object_table import JSON_KIND
from undercroft.formats.tiled.thing_data import parse_lists
from undercroft.inputs.values import quote_name

Node = dict[str, Any]

LAYER_TYPES = {"layer": "tilelayer", "objectgroup": "objectgroup", "imagelayer": "imagelayer", "group": "group"}
LIST_ELEMENTS = {
    ("map", "tileset"): "tilesets",
    ("tileset", "tile"): "tiles",
    ("objectgroup", "object"): "objects",
    ("data", "chunk"): "chunks",
}
"""Elements that may repeat, by parent element."""
SHAPES = ("polygon", "polyline", "ellipse", "point", "text")
SINGLE_ELEMENTS = {
    ("tile", "objectgroup"),
    ("layer", "data"),
    ("template", "tileset"),
    ("template", "object"),
    *(("object", shape) for shape in SHAPES),
}
"""Elements that occur once."""
RESERVED_KEYS = frozenset(
    ("layers", "properties", "data", "gids", *LIST_ELEMENTS.values(), *(name for _, name in SINGLE_ELEMENTS))
)
"""Names that no attribute may have."""
VALUE_PARSERS: dict[str, Callable[[str], Any]] = {
    "int": int,
    "object": int,
    "float": float,
    "bool": {"true": True, "false": False}.__getitem__,
}
"""The parsers of property types; values of other types are texts."""
TEXT_ELEMENTS = {"data", "chunk", "property", "text"}
SUFFIXES = {"map": ".tmx", "tileset": ".tsx", "template": ".tx"}
"""The possible contents of a file, with the suffix of each."""


def parse_xml(data: bytes, file: str, what: str = "map") -> Node:
    """Parse the map in the text; or the tileset, or the template.

    >>> parse_xml(b'<map width="1"><layer name="ground"><data encoding="csv">7</data></layer></map>', "a.tmx")
    {'width': '1', 'layers': [{'name': 'ground', 'data': '7', 'encoding': 'csv', 'type': 'tilelayer'}]}
    """
    limits.TILED_BYTES.check(len(data), f"{file}: its size in bytes")
    return _XmlReader(file, what).read(data)


class _XmlReader:
    """Parses XML, with a stack of open elements and their contents."""

    def __init__(self, file: str, what: str) -> None:
        self.file = file
        self.what = what
        self.open: list[tuple[str, Node]] = []
        self.said: list[str] = []
        self.text_depth = 0
        """How many elements whose text is used are open; other text is not collected."""
        self.map: Node = {}
        self.parser = parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.buffer_size = 1 << 20
        parser.StartElementHandler = self.on_start
        parser.EndElementHandler = self.on_end
        parser.StartDoctypeDeclHandler = self.on_doctype

    def read(self, data: bytes) -> Node:
        try:
            self.parser.Parse(data, True)
        except expat.ExpatError as error:
            what = expat.ErrorString(error.code)
            raise BadInput(
                f"this is not XML: {what}",
                place=Place(self.file, error.lineno, error.offset + 1),
                fix=f"save the {self.what} again in Tiled",
            ) from None
        except (LookupError, ValueError):
            raise BadInput(
                f"{self.file}: the text is in an encoding that is not read here", fix="save the file as UTF-8"
            ) from None
        return self.map

    def on_doctype(self, *_: object) -> None:
        raise self.error(f"a document type stands here, and {self.what}s have none", "delete the line <!DOCTYPE ...>")

    def error(self, problem: str, fix: str = "") -> BadInput:
        fix = fix or f"save the {self.what} again in Tiled"
        return BadInput(
            problem, place=Place(self.file, self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1), fix=fix
        )

    def on_start(self, tag: str, attributes: dict[str, str]) -> None:
        # first, because there may be millions
        if tag == "tile" and self.open and self.open[-1][0] in ("data", "chunk"):
            self.open[-1][1].setdefault("gids", []).append(attributes.get("gid", "0"))
            self.open.append(("cell", {}))
            return
        if not self.open and tag != self.what:
            raise self.error(
                f"this is {quote_name(tag)}, not a {self.what}",
                f"name a {self.what} of Tiled, a file that ends in {SUFFIXES[self.what]}",
            )
        if len(self.open) == limits.XML_DEPTH.value:
            raise self.error(f"more than {limits.XML_DEPTH.value} elements in each other", limits.XML_DEPTH.raise_by)
        if not RESERVED_KEYS.isdisjoint(attributes):
            attributes = {name: value for name, value in attributes.items() if name not in RESERVED_KEYS}
        self.open.append((tag, {} if tag == "properties" else attributes))  # it has none, and gets a key of ours
        if tag in TEXT_ELEMENTS:
            self.said.clear()
            self.text_depth += 1
            self.parser.CharacterDataHandler = self.said.append

    def on_end(self, _: str) -> None:
        found, node = self.open.pop()
        if found in TEXT_ELEMENTS:
            self.text_depth -= 1
            if not self.text_depth:
                self.parser.CharacterDataHandler = None
        if not self.open:
            self.map = node
            return
        within, parent = self.open[-1]
        if found == "property":
            if "properties" not in node and within == "properties":  # a class has its own properties
                self.set_once(parent.setdefault("rows", {}), node.get("name", ""), self.parse_value(node))
        elif found == "properties":
            self.set_once(parent, "properties", node.get("rows", {}))
        elif (within, found) in LIST_ELEMENTS:
            if found == "chunk":
                node["data"] = self.read_cells(node)
            parent.setdefault(LIST_ELEMENTS[within, found], []).append(node)
        elif (within, found) == ("layer", "data"):
            self.set_once(parent, "data", self.read_cells(node))
            parent |= {key: node[key] for key in ("encoding", "compression", "chunks") if key in node}
        elif (within, found) in SINGLE_ELEMENTS:
            self.set_once(parent, found, self.read_single(found, node))
        elif (within, found) == ("tile", "image"):  # a tile with its own picture
            parent |= {f"image{side}": node[side] for side in ("width", "height") if side in node}
        elif found in LAYER_TYPES and within in ("map", "group"):
            parent.setdefault("layers", []).append({**node, "type": LAYER_TYPES[found]})

    def parse_value(self, node: Node) -> Any:
        """The value of a property: from its attribute, or from the text if it has several lines."""
        said = node["value"] if "value" in node else "".join(self.said)
        if node.get("propertytype") == JSON_KIND and node.get("type", "string") == "string":
            return parse_lists(said)
        try:
            return VALUE_PARSERS.get(node.get("type", ""), str)(said)
        except (KeyError, ValueError):
            raise self.error(f"{quote_name(said)} is no value of the type {quote_name(node['type'])}") from None

    def read_single(self, found: str, node: Node) -> Any:
        """What an element that occurs once becomes."""
        if found == "text":
            return "".join(self.said)
        return True if found in ("point", "ellipse") else node.get("points", node)

    def read_cells(self, node: Node) -> Any:
        """The text of a layer or chunk; or a list of numbers, if each cell has its own element."""
        if "gids" not in node:
            return "".join(self.said)
        try:
            return list(map(int, node["gids"]))
        except ValueError:
            raise self.error("a tile has a number that is none") from None

    def set_once(self, parent: Node, key: str, value: Any) -> None:
        if key in parent:
            raise self.error(f"{quote_name(key)} stands here twice", "keep one of them")
        parent[key] = value
