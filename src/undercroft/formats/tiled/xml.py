"""TMX as the same dicts and lists that TMJ is made of, so that one reader serves both. XML from a stranger: no DTD, no
entities, not too deep.

Values of attributes stay texts; `tiled_map` takes numbers either way. Properties become values by their names, as TMJ
had them once: there are many.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from xml.parsers import expat

from undercroft import limits
from undercroft.errors import BadInput, Place
from undercroft.formats.shared.checked import shown

Node = dict[str, Any]

LAYERS = {"layer": "tilelayer", "objectgroup": "objectgroup", "imagelayer": "imagelayer", "group": "group"}
LISTED = {
    ("map", "tileset"): "tilesets",
    ("tileset", "tile"): "tiles",
    ("objectgroup", "object"): "objects",
    ("data", "chunk"): "chunks",
}
"""Elements of which there are many, by what they stand in."""
SHAPES = ("polygon", "polyline", "ellipse", "point", "text")
SINGLE = {
    ("tile", "objectgroup"),
    ("layer", "data"),
    ("template", "tileset"),
    ("template", "object"),
    *(("object", shape) for shape in SHAPES),
}
"""Elements of which there is one."""
HELD = frozenset(("layers", "properties", "data", "gids", *LISTED.values(), *(name for _, name in SINGLE)))
"""Keys that no attribute may have."""
VALUES: dict[str, Callable[[str], Any]] = {
    "int": int,
    "object": int,
    "float": float,
    "bool": {"true": True, "false": False}.__getitem__,
}
"""How the values of properties are read; all others are texts."""
TEXTS = {"data", "chunk", "property", "text"}
SUFFIXES = {"map": ".tmx", "tileset": ".tsx", "template": ".tx"}
"""What a file may hold, and how its name ends then."""


def parsed(data: bytes, file: str, what: str = "map") -> Node:
    """The map that the text describes; or the tileset, or the template.

    >>> parsed(b'<map width="1"><layer name="ground"><data encoding="csv">7</data></layer></map>', "a.tmx")
    {'width': '1', 'layers': [{'name': 'ground', 'data': '7', 'encoding': 'csv', 'type': 'tilelayer'}]}
    """
    limits.TILED_BYTES.check(len(data), f"{file}: its size in bytes")
    return _Reading(file, what).read(data)


class _Reading:
    """The elements that are open, and what was found in each."""

    def __init__(self, file: str, what: str) -> None:
        self.file = file
        self.what = what
        self.open: list[tuple[str, Node]] = []
        self.said: list[str] = []
        self.map: Node = {}
        self.parser = parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.buffer_size = 1 << 20
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self.end
        parser.CharacterDataHandler = self.said.append
        parser.StartDoctypeDeclHandler = self.doctype

    def read(self, data: bytes) -> Node:
        try:
            self.parser.Parse(data, True)
        except expat.ExpatError as error:
            what = expat.ErrorString(error.code)
            raise BadInput(
                f"this is not XML: {what}",
                place=Place(self.file, error.lineno, error.offset + 1),
                fix=f"save the {self.what} anew in Tiled",
            ) from None
        except (LookupError, ValueError):
            raise BadInput(
                f"{self.file}: the text is in an encoding that is not read here", fix="save the file as UTF-8"
            ) from None
        return self.map

    def doctype(self, *_: object) -> None:
        raise self.wrong(f"a document type stands here, and {self.what}s have none", "delete the line <!DOCTYPE ...>")

    def wrong(self, problem: str, fix: str = "") -> BadInput:
        fix = fix or f"save the {self.what} anew in Tiled"
        return BadInput(
            problem, place=Place(self.file, self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1), fix=fix
        )

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        # before anything else: there may be millions
        if tag == "tile" and self.open and self.open[-1][0] in ("data", "chunk"):
            self.open[-1][1].setdefault("gids", []).append(attributes.get("gid", "0"))
            self.open.append(("cell", {}))
            return
        if not self.open and tag != self.what:
            raise self.wrong(
                f"this is {shown(tag)}, not a {self.what}",
                f"name a {self.what} of Tiled, a file that ends in {SUFFIXES[self.what]}",
            )
        if len(self.open) == limits.XML_DEPTH.value:
            raise self.wrong(f"more than {limits.XML_DEPTH.value} elements in each other", limits.XML_DEPTH.raise_by)
        if not HELD.isdisjoint(attributes):
            attributes = {name: value for name, value in attributes.items() if name not in HELD}
        self.open.append((tag, attributes))
        if tag in TEXTS:
            self.said.clear()

    def end(self, _: str) -> None:
        found, node = self.open.pop()
        if not self.open:
            self.map = node
            return
        within, parent = self.open[-1]
        if found == "property":
            if "properties" not in node and within == "properties":  # a class has properties of its own
                self.once(parent.setdefault("rows", {}), node.get("name", ""), self.value(node))
        elif found == "properties":
            self.once(parent, "properties", node.get("rows", {}))
        elif (within, found) in LISTED:
            if found == "chunk":
                node["data"] = self.cells(node)
            parent.setdefault(LISTED[within, found], []).append(node)
        elif (within, found) == ("layer", "data"):
            self.once(parent, "data", self.cells(node))
            parent |= {key: node[key] for key in ("encoding", "compression", "chunks") if key in node}
        elif (within, found) in SINGLE:
            self.once(
                parent,
                found,
                {"point": True, "ellipse": True, "text": "".join(self.said)}.get(found, node.get("points", node)),
            )
        elif (within, found) == ("tile", "image"):  # a tile with a picture of its own
            parent |= {f"image{side}": node[side] for side in ("width", "height") if side in node}
        elif found in LAYERS and within in ("map", "group"):
            parent.setdefault("layers", []).append({**node, "type": LAYERS[found]})

    def value(self, node: Node) -> str | int | float | bool:
        """The value of a property: an attribute, or the text if it has several lines."""
        said = node["value"] if "value" in node else "".join(self.said)
        try:
            return VALUES.get(node.get("type", ""), str)(said)  # type: ignore[no-any-return]
        except (KeyError, ValueError):
            raise self.wrong(f"{shown(said)} is no value of the type {shown(node['type'])}") from None

    def cells(self, node: Node) -> Any:
        """The text of a layer or chunk; or a list of numbers, if each cell has an element of its own."""
        if "gids" not in node:
            return "".join(self.said)
        try:
            return list(map(int, node["gids"]))
        except ValueError:
            raise self.wrong("a tile has a number that is none") from None

    def once(self, parent: Node, key: str, value: Any) -> None:
        if key in parent:
            raise self.wrong(f"{shown(key)} stands here twice", "keep one of them")
        parent[key] = value
