"""Write tilesets for Tiled: a picture each, and the properties of each piece."""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b
from typing import Any

from undercroft.core.level import Level
from undercroft.core.palette import Palette
from undercroft.draw.tileset.picture import custom_pieces
from undercroft.draw.tileset.piece_sheets import (
    CUSTOM_SHEET_PATTERN,
    SHEET_NAME,
    PieceFacts,
    PieceSheet,
    custom_sheet,
    custom_sheet_name,
)
from undercroft.draw.tileset.user_drawing import draw_level_with
from undercroft.formats.tiled.xml_text import quote_attribute
from undercroft.inputs.json import format_json

__all__ = ["CUSTOM_SHEET_PATTERN", "custom_sheet", "custom_sheet_name"]
TILESET_NAME = SHEET_NAME


def dump_siblings(level: Level, stem: str, tileset: Any = None) -> dict[str, bytes]:  # noqa: ARG001
    """The sibling files of a map. Ours and their names are the same for every level, those of custom tiles for every
    level with the same palette.
    """
    sheets = draw_level_with(level, tileset).sheets
    return {name: data for sheet in sheets for name, data in _dump_sheet(sheet).items()}


def dump_picture_siblings(level: Level, stem: str, tileset: Any = None) -> dict[str, bytes]:  # noqa: ARG001
    """Only the pictures, for maps that contain the tilesets."""
    return {f"{sheet.name}.png": sheet.png for sheet in draw_level_with(level, tileset).sheets}


def _dump_sheet(sheet: PieceSheet) -> dict[str, bytes]:
    return {f"{sheet.name}.png": sheet.png, f"{sheet.name}.tsx": dump_tsx(sheet)}


@lru_cache(maxsize=8)
def fingerprint(palette: Palette) -> str:
    """Sixteen hex digits that change when the pieces, and so the meaning of tile numbers, change."""
    tiles = custom_pieces(palette).tiles
    return blake2b(
        "\n".join(f"{row}" for row in zip(tiles.names, tiles.roles, tiles.solid, strict=True)).encode(
            "utf-8", "surrogatepass"
        ),
        digest_size=8,
    ).hexdigest()


@lru_cache(maxsize=8)
def dump_tsx(sheet: PieceSheet) -> bytes:
    """The tileset as TSX."""
    return "".join(f"{line}\n" for line in _format_lines(sheet)).encode()


def _format_lines(sheet: PieceSheet) -> list[str]:
    about = build_tileset(sheet)
    inner = "".join(
        f' {key}="{quote_attribute(str(about[key]))}"'
        for key in ("name", "tilewidth", "tileheight", "spacing", "margin", "tilecount", "columns")
        if about[key] != 0
    )
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f'<tileset version="1.10"{inner}>']
    size = f'width="{about["imagewidth"]}" height="{about["imageheight"]}"'
    lines.append(f' <image source="{quote_attribute(about["image"])}" {size}/>')
    for tile in about["tiles"]:
        lines += [f' <tile id="{tile["id"]}" type="{quote_attribute(tile["type"])}">', "  <properties>"]
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
    kind = "" if row["type"] == "string" else f' type="{row["type"]}"'
    return f'   <property name="{row["name"]}"{kind} value="{quote_attribute(row["value"])}"/>'


@lru_cache(maxsize=8)
def format_tileset_json(sheet: PieceSheet) -> str:
    """The tileset as TMJ text, to follow its first number."""
    return format_json(build_tileset(sheet)).removeprefix("{")


def build_tileset(sheet: PieceSheet) -> dict[str, Any]:
    """The tileset as a TMJ object. Each piece has its `role`, whether it is `solid`, and its name; those of custom
    tiles the tile's `name` and `colour` too.
    """
    return {
        "name": sheet.name,
        "tilewidth": sheet.size,
        "tileheight": sheet.size,
        "tilecount": len(sheet),
        "columns": sheet.columns,
        "margin": sheet.margin,
        "spacing": sheet.spacing,
        "image": f"{sheet.name}.png",
        "imagewidth": sheet.width,
        "imageheight": sheet.height,
        "tiles": [_build_tile(number, facts, sheet.size) for number, facts in sheet.pieces.items()],
    }


def _build_tile(number: int, facts: PieceFacts, size: int) -> dict[str, Any]:
    properties = [("piece", "string", facts.piece), ("role", "string", facts.role), ("solid", "bool", facts.solid)]
    if facts.tile:
        properties = [("colour", "color", facts.colour), ("name", "string", facts.tile), *properties]
    tile = {
        "id": number,
        "type": facts.role if facts.tile else piece_type(facts.piece, facts.role),
        "properties": [dict(zip(("name", "type", "value"), row, strict=True)) for row in properties],
    }
    return {**tile, "objectgroup": _build_collision_box(size)} if facts.solid else tile


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
