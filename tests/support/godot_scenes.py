"""A strict reader of Godot's scenes, which shares no code with the writer."""

from __future__ import annotations

import base64
import json
import re
import struct
from functools import cache
from typing import Any

TOKEN = re.compile(
    r'\s*(?:("(?:[^"\\]|\\.)*")|([A-Za-z_][A-Za-z0-9_]*)|(-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)|(.))', re.DOTALL
)
Section = tuple[str, dict[str, Any], dict[str, Any]]
ARITY = {"Vector2": 2, "Vector2i": 2, "Rect2": 4, "Rect2i": 4, "ExtResource": 1, "SubResource": 1}


class Reader:
    """Reads a text from the front; anything unexpected is an error."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def token(self) -> tuple[str, str]:
        found = TOKEN.match(self.text, self.at)
        assert found, self.text[self.at : self.at + 60]
        self.at = found.end()
        kind = ("text", "word", "number", "sign")[
            next(index for index, part in enumerate(found.groups()) if part is not None)
        ]
        return kind, next(part for part in found.groups() if part is not None)

    def peek(self) -> str:
        before = self.at
        token = self.token()[1]
        self.at = before
        return token

    def expect(self, sign: str) -> None:
        assert self.token()[1] == sign, self.text[self.at - 1 : self.at + 60]

    def items(self, end: str) -> list[Any]:
        found: list[Any] = []
        while self.peek() != end:
            if found:
                self.expect(",")
            found.append(self.value())
        self.expect(end)
        return found

    def value(self) -> Any:
        kind, token = self.token()
        if kind == "text":
            return json.loads(token.replace("\n", "\\n"))  # the escapes that we use are those of JSON
        if kind == "number":
            return float(token) if re.search("[.eE]", token) else int(token)
        if kind == "word":
            if token in ("true", "false", "null"):
                return {"true": True, "false": False, "null": None}[token]
            self.expect("(")
            held = self.items(")")
            assert len(held) == ARITY.get(token, len(held))
            if token == "PackedByteArray":
                assert len(held) == 1
                return base64.b64decode(held[0], validate=True)
            return (token, *held)
        if token == "[":
            return self.items("]")
        assert token == "{", token
        table: dict[str, Any] = {}
        while self.peek() != "}":
            if table:
                self.expect(",")
            key = self.value()
            assert isinstance(key, str)
            assert key not in table
            self.expect(":")
            table[key] = self.value()
        self.expect("}")
        return table


def sections(data: bytes) -> list[Section]:
    """The sections of a file. The tileset comes first and is always the same, so it is read once."""
    text = data.decode()
    cut = min(
        (
            found.start()
            for word in ('[sub_resource type="RectangleShape2D"', "[node ")
            if (found := re.search(re.escape(word), text))
        ),
        default=0,
    )
    return [*read_sections(text[:cut]), *read_sections.__wrapped__(text[cut:])]


@cache
def read_sections(text: str) -> list[Section]:
    """The sections of a text: the kind of each, the contents of its brackets, and its assignments."""
    reader = Reader(text)
    found: list[Section] = []
    while reader.text[reader.at :].strip():
        reader.expect("[")
        kind = reader.token()[1]
        head: dict[str, Any] = {}
        while reader.peek() != "]":
            key = reader.token()[1]
            reader.expect("=")
            head[key] = reader.value()
        reader.expect("]")
        held: dict[str, Any] = {}
        while match := re.compile(r"\s*\n([A-Za-z0-9_/:]+) = ").match(reader.text, reader.at):
            assert match[1] not in held
            reader.at = match.end()
            held[match[1]] = reader.value()
        found.append((kind, head, held))
    return found


class Scene:
    """A scene, all of whose references resolve."""

    def __init__(self, data: bytes) -> None:
        rows = sections(data)
        assert [rows[0][0], *dict.fromkeys(kind for kind, _, _ in rows[1:])] in (
            ["gd_scene", "ext_resource", "sub_resource", "node"],
            ["gd_scene", "node"],
        )
        self.head = rows[0][1]
        self.pictures = {head["id"]: head["path"] for kind, head, _ in rows if kind == "ext_resource"}
        self.resources = {head["id"]: (head["type"], held) for kind, head, held in rows if kind == "sub_resource"}
        self.nodes: dict[str, tuple[str, dict[str, Any], list[str]]] = {}
        for kind, head, held in rows:
            if kind != "node":
                continue
            parent = head.get("parent")
            path = "." if parent is None else head["name"] if parent == "." else f"{parent}/{head['name']}"
            assert (parent is None) == (not self.nodes), "one root, and it comes first"
            assert parent is None or parent in self.nodes, f"{parent} is no node before {path}"
            assert path not in self.nodes, f"two nodes are {path}"
            assert not re.search(r'[.:@/"%]', head["name"])
            if parent is None:
                self.name = head["name"]
            self.nodes[path] = head["type"], held, head.get("groups", [])
            for value in held.values():
                self.check(value)
        for _, held in self.resources.values():
            for value in held.values():
                self.check(value)

    def check(self, value: Any) -> None:
        if isinstance(value, tuple) and value[0] in ("SubResource", "ExtResource"):
            assert value[1] in (self.resources if value[0] == "SubResource" else self.pictures)

    def meta(self, path: str) -> dict[str, Any]:
        return {
            key.removeprefix("metadata/"): value
            for key, value in self.nodes[path][1].items()
            if key.startswith("metadata/")
        }

    def cells(self, layer: str) -> dict[tuple[int, int], tuple[int, int]]:
        """The cells of a layer and the place of each in the atlas."""
        found = self.sourced_cells(layer)
        assert {source for source, _, _ in found.values()} <= {0}
        return {cell: (right, down) for cell, (_, right, down) in found.items()}

    def sourced_cells(self, layer: str) -> dict[tuple[int, int], tuple[int, int, int]]:
        """The cells of a layer: the atlas of each, and its place there."""
        kind, held, _ = self.nodes[layer]
        assert kind == "TileMapLayer"
        data = held["tile_map_data"]
        assert struct.unpack_from("<H", data) == (0,)
        assert (len(data) - 2) % 12 == 0
        found = {}
        for x, y, source, atlas_x, atlas_y, alternative in struct.iter_unpack("<hhHHHH", data[2:]):
            assert alternative == 0
            assert (x, y) not in found
            found[x, y] = source, atlas_x, atlas_y
        return found

    def places(self, group: str) -> list[str]:
        return [path for path, (_, _, groups) in self.nodes.items() if group in groups]
