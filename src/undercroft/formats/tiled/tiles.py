"""Write our tileset for Tiled: a picture, and the properties of each piece."""

from __future__ import annotations

from functools import cache
from hashlib import blake2b
from typing import Any
from xml.sax.saxutils import escape

from undercroft.core.level import Level
from undercroft.draw.sheets.contact_sheet import encode_png
from undercroft.draw.tileset.picture import tileset
from undercroft.inputs.json import format_json

TILESET_NAME = "undercroft"
PICTURE_FILE = f"{TILESET_NAME}.png"
TILESET_FILE = f"{TILESET_NAME}.tsx"


def dump_siblings(level: Level, stem: str) -> dict[str, bytes]:  # noqa: ARG001
    """The sibling files of a map; they and their names are the same for every level."""
    return {PICTURE_FILE: encode_picture(), TILESET_FILE: dump_tsx()}


def dump_picture_sibling(level: Level, stem: str) -> dict[str, bytes]:  # noqa: ARG001
    """Only the picture, for maps that contain the tileset."""
    return {PICTURE_FILE: encode_picture()}


@cache
def encode_picture() -> bytes:
    """All pieces on one PNG picture."""
    return encode_png(tileset().image)


@cache
def fingerprint() -> str:
    """Sixteen hex digits that change when the pieces, and so the meaning of tile numbers, change."""
    tiles = tileset()
    return blake2b(
        "\n".join(f"{row}" for row in zip(tiles.names, tiles.roles, tiles.solid, strict=True)).encode(), digest_size=8
    ).hexdigest()


@cache
def dump_tsx() -> bytes:
    """The tileset as TSX."""
    return "".join(f"{line}\n" for line in _format_lines()).encode()


def _format_lines() -> list[str]:
    about = build_tileset()
    inner = "".join(f' {key}="{about[key]}"' for key in ("name", "tilewidth", "tileheight", "tilecount", "columns"))
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f'<tileset version="1.10"{inner}>']
    lines.append(f' <image source="{PICTURE_FILE}" width="{about["imagewidth"]}" height="{about["imageheight"]}"/>')
    for tile in about["tiles"]:
        lines += [f' <tile id="{tile["id"]}" type="{tile["type"]}">', "  <properties>"]
        lines += [_format_property(row) for row in tile["properties"]]
        lines += ["  </properties>"]
        for box in tile.get("objectgroup", {}).get("objects", ()):
            lines += [
                '  <objectgroup draworder="index">',
                f'   <object id="1" x="0" y="0" width="{box["width"]}" height="{box["height"]}"/>',
                "  </objectgroup>",
            ]
        lines += [" </tile>"]
    return [*lines, "</tileset>"]


def _format_property(row: dict[str, Any]) -> str:
    if row["type"] == "bool":
        return f'   <property name="{row["name"]}" type="bool" value="{str(row["value"]).lower()}"/>'
    return f'   <property name="{row["name"]}" value="{escape(row["value"])}"/>'


@cache
def format_tileset_json() -> str:
    """The tileset as TMJ text, to follow its first number."""
    return format_json(build_tileset()).removeprefix("{")


def build_tileset() -> dict[str, Any]:
    """The tileset as a TMJ object. Each piece has its `role`, whether it is `solid`, and its name."""
    tiles = tileset()
    size, (width, height) = tiles.size, tiles.image.size
    return {
        "name": TILESET_NAME,
        "tilewidth": size,
        "tileheight": size,
        "tilecount": (width // size) * (height // size),
        "columns": tiles.columns,
        "margin": 0,
        "spacing": 0,
        "image": PICTURE_FILE,
        "imagewidth": width,
        "imageheight": height,
        "tiles": [
            _build_tile(*row, size)
            for row in zip(range(len(tiles.names)), tiles.names, tiles.roles, tiles.solid, strict=True)
        ],
    }


def _build_tile(number: int, name: str, role: str, solid: bool, size: int) -> dict[str, Any]:
    properties = [("piece", "string", name), ("role", "string", role), ("solid", "bool", solid)]
    tile = {
        "id": number,
        "type": piece_type(name, role),
        "properties": [dict(zip(("name", "type", "value"), row, strict=True)) for row in properties],
    }
    return {**tile, "objectgroup": _build_collision_box(size)} if solid else tile


def piece_type(name: str, role: str) -> str:
    """The type of a piece, which an object with this piece and without a type of its own gets.

    >>> piece_type("thing.key.red", "floor"), piece_type("wall.top", "wall")
    ('key', 'wall')
    """
    return name.split(".")[1] if name.startswith("thing.") else role


def _build_collision_box(size: int) -> dict[str, Any]:
    """The collision shape: the whole piece."""
    box = {
        "id": 1,
        "name": "",
        "type": "",
        "x": 0,
        "y": 0,
        "width": size,
        "height": size,
        "rotation": 0,
        "visible": True,
    }
    return {
        "type": "objectgroup",
        "name": "",
        "draworder": "index",
        "objects": [box],
        "opacity": 1,
        "visible": True,
        "x": 0,
        "y": 0,
    }
