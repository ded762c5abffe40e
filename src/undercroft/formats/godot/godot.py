"""Write scenes for Godot 4.3 and later: tile layers, a node for every room, door and thing, and our tileset beside it.

The nodes: `Terrain`, `Doors` and `Decor` are TileMapLayers, `Doors` with a Marker2D for each door; `Rooms` has an
Area2D for each room with its box, and a plain node for each corridor; `Things` has a Marker2D with a picture for each
thing; `Start` and `End` are markers. All other facts are metadata.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from undercroft import limits
from undercroft.core.level import Level
from undercroft.core.region import Region
from undercroft.draw.sheets.contact_sheet import encode_png
from undercroft.draw.tileset.picture import LAYERS, lay_pieces, thing_piece_number, tileset
from undercroft.formats.godot.scene_text import (
    RawValue,
    format_bytes,
    format_cell,
    format_node,
    format_section,
    format_vector,
    to_node_name,
    unquote,
)
from undercroft.formats.godot.tile_layers import CELL_PIXELS, encode_layer, format_tileset
from undercroft.formats.shared.characters import encode_utf8
from undercroft.formats.shared.origin import ORIGIN_KEY, check_note, format_origin, parse_origin

PICTURE_FILE = "undercroft.png"
"""The file with the tiles, beside the scene."""
ORIGIN_PATTERN = re.compile(rb'^metadata/undercroft = "((?:[^"\\]|\\.)*+)"', re.MULTILINE | re.DOTALL)
HALF_CELL = CELL_PIXELS / 2
NEAREST_FILTER = 1
"""Godot's texture filter that keeps pixels sharp."""


def dump(level: Level, stem: str = "level") -> bytes:
    """The level as a scene; its root node has the name of the file."""
    limits.GODOT_SIDE.check(max(level.size), "the longer side of the level")
    sizes = sorted({(room.width, room.height) for room in level.regions if _has_box(room)})
    head = [
        format_section("gd_scene", format=4),
        format_section("ext_resource", type="Texture2D", path=PICTURE_FILE, id="picture"),
        format_tileset(),
        *(
            format_section(
                "sub_resource",
                {"size": format_vector(w * CELL_PIXELS, h * CELL_PIXELS)},
                type="RectangleShape2D",
                id=f"box_{w}x{h}",
            )
            for w, h in sizes
        ),
    ]
    path = RawValue(f"PackedVector2Array({', '.join(map(str, level.path.reshape(-1).tolist()))})")
    links = [[link.a, link.b, link.kind, link.door, link.carved] for link in level.links]
    meta = {
        "title": level.title,
        "size": format_cell(*level.size),
        "path": path,
        "links": links,
        ORIGIN_KEY: format_origin(level),
    }
    root = format_node(to_node_name(stem, "Level"), "Node2D", None, {"texture_filter": NEAREST_FILTER}, meta)
    return encode_utf8(
        "\n".join(
            [
                *head,
                root,
                *_format_layers(level),
                *_format_doors(level),
                *_format_rooms(level),
                *_format_things(level),
                *_format_ends(level),
            ]
        )
    )


def dump_siblings(level: Level, stem: str) -> dict[str, bytes]:  # noqa: ARG001 - the same for all levels
    """The picture with the tiles, by file name."""
    return {PICTURE_FILE: encode_png(tileset().image)}


def read_origin(data: bytes, file: str) -> Mapping[str, Any]:
    """The provenance of the level in a scene."""
    found = ORIGIN_PATTERN.search(data)
    note = check_note(found[1], file).decode("utf-8", "replace") if found else ""
    return parse_origin(unquote(note), file, "scene")


def _cell_middle(x: int, y: int) -> RawValue:
    """The middle of a cell in pixels."""
    return format_vector(x * CELL_PIXELS + HALF_CELL, y * CELL_PIXELS + HALF_CELL)


def _format_layers(level: Level) -> Iterator[str]:
    pieces = lay_pieces(level)
    for name in LAYERS:
        yield format_node(
            name.capitalize(),
            "TileMapLayer",
            ".",
            {"tile_map_data": format_bytes(encode_layer(pieces[name])), "tile_set": RawValue('SubResource("tiles")')},
        )


def _format_doors(level: Level) -> Iterator[str]:
    for number, (x, y, a, b, state) in enumerate(level.doors, 1):
        told = {"cell": format_cell(x, y), "state": state, "a": a, "b": b}
        yield format_node(f"Door{number}", "Marker2D", "Doors", {"position": _cell_middle(x, y)}, told, ["doors"])


def _has_box(region: Region) -> bool:
    """Whether its box can show that a player is inside; a corridor winds through the boxes of other regions."""
    return region.kind != "corridor" and region.width > 0 and region.height > 0


def _format_rooms(level: Level) -> Iterator[str]:
    yield format_node("Rooms", "Node2D", ".")
    for region in level.regions:
        label, kind, x, y, width, height, area, tags, template, name = region
        told: dict[str, Any] = {
            "label": label,
            "kind": kind,
            "box": RawValue(f"Rect2i({x}, {y}, {width}, {height})"),
            "area": area,
            "tags": tags,
        }
        told |= {"template": template, "title": name}
        place = {"position": format_vector((x + width / 2) * CELL_PIXELS, (y + height / 2) * CELL_PIXELS)}
        called = f"{kind.capitalize()}{label}"
        if not _has_box(region):
            yield format_node(called, "Node2D", "Rooms", place, told, ["regions"])
            continue
        yield format_node(called, "Area2D", "Rooms", place, told, ["regions", "rooms"])
        yield format_node(
            "Box", "CollisionShape2D", f"Rooms/{called}", {"shape": RawValue(f'SubResource("box_{width}x{height}")')}
        )


def _format_things(level: Level) -> Iterator[str]:
    yield format_node("Things", "Node2D", ".")
    for number, thing in enumerate(level.things, 1):
        called = append_number(to_node_name(thing.kind, "Thing"), number)
        told = {"kind": thing.kind, "cell": format_cell(int(thing.x), int(thing.y)), "data": thing.data}
        yield format_node(
            called, "Marker2D", "Things", {"position": _cell_middle(int(thing.x), int(thing.y))}, told, ["things"]
        )
        y, x = divmod(thing_piece_number(thing.kind, thing.data), tileset().columns)
        look = {
            "texture": RawValue('ExtResource("picture")'),
            "region_enabled": True,
            "region_rect": RawValue(f"Rect2({x * CELL_PIXELS}, {y * CELL_PIXELS}, {CELL_PIXELS}, {CELL_PIXELS})"),
        }
        yield format_node("Picture", "Sprite2D", f"Things/{called}", look)


def append_number(name: str, number: int) -> str:
    """The name with a number, unambiguous even if the name ends in a digit.

    >>> append_number("Key", 11), append_number("Key1", 1)
    ('Key11', 'Key1_1')
    """
    return f"{name}_{number}" if name[-1].isdigit() else f"{name}{number}"


def _format_ends(level: Level) -> Iterator[str]:
    for name, point in (("Start", level.start), ("End", level.end)):
        if point is not None:
            yield format_node(
                name,
                "Marker2D",
                ".",
                {"position": _cell_middle(*map(int, point))},
                {"cell": format_cell(*map(int, point))},
            )
