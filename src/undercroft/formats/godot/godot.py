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
from undercroft.core.palette import STANDARD
from undercroft.core.region import Region
from undercroft.draw.tileset.picture import LAYERS
from undercroft.draw.tileset.piece_sheets import LevelDrawing
from undercroft.draw.tileset.user_drawing import draw_level_with
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
from undercroft.formats.godot.tile_layers import encode_layer, format_tileset, picture_id
from undercroft.formats.native.native import palette_data
from undercroft.formats.shared.characters import encode_utf8
from undercroft.formats.shared.origin import ORIGIN_KEY, check_note, format_origin, parse_origin

ORIGIN_PATTERN = re.compile(rb'^metadata/undercroft = "((?:[^"\\]|\\.)*+)"', re.MULTILINE | re.DOTALL)
NEAREST_FILTER = 1
"""Godot's texture filter that keeps pixels sharp."""


def dump(level: Level, stem: str = "level", tileset: Any = None) -> bytes:
    """The level as a scene; its root node has the name of the file. `tileset` is one of the user's own."""
    limits.GODOT_SIDE.check(max(level.size), "the longer side of the level")
    drawn = draw_level_with(level, tileset)
    cell = drawn.size
    sizes = sorted({(room.width, room.height) for room in level.regions if _has_box(room)})
    head = [
        format_section("gd_scene", format=4),
        *(
            format_section("ext_resource", type="Texture2D", path=f"{sheet.name}.png", id=picture_id(number))
            for number, sheet in enumerate(drawn.sheets)
        ),
        format_tileset(drawn.sheets, level.palette),
        *(
            format_section(
                "sub_resource",
                {"size": format_vector(w * cell, h * cell)},
                type="RectangleShape2D",
                id=f"box_{w}x{h}",
            )
            for w, h in sizes
        ),
    ]
    path = RawValue(f"PackedVector2Array({', '.join(map(str, level.path.reshape(-1).tolist()))})")
    links = [[link.a, link.b, link.kind, link.door, link.carved] for link in level.links]
    palette = {} if level.palette == STANDARD else {"palette": palette_data(level.palette)}
    meta = {
        "title": level.title,
        **palette,
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
                *_format_layers(drawn),
                *_format_doors(level, cell),
                *_format_rooms(level, cell),
                *_format_things(level, drawn),
                *_format_ends(level, cell),
            ]
        )
    )


def dump_siblings(level: Level, stem: str, tileset: Any = None) -> dict[str, bytes]:  # noqa: ARG001
    """The pictures with the tiles, by file name. Ours is the same for all levels."""
    return {f"{sheet.name}.png": sheet.png for sheet in draw_level_with(level, tileset).sheets}


def read_origin(data: bytes, file: str) -> Mapping[str, Any]:
    """The provenance of the level in a scene."""
    found = ORIGIN_PATTERN.search(data)
    note = check_note(found[1], file).decode("utf-8", "replace") if found else ""
    return parse_origin(unquote(note), file, "scene")


def _cell_middle(x: int, y: int, cell: int) -> RawValue:
    """The middle of a cell in pixels."""
    return format_vector(x * cell + cell / 2, y * cell + cell / 2)


def _format_layers(drawn: LevelDrawing) -> Iterator[str]:
    for name in LAYERS:
        yield format_node(
            name.capitalize(),
            "TileMapLayer",
            ".",
            {"tile_map_data": format_bytes(encode_layer(drawn, name)), "tile_set": RawValue('SubResource("tiles")')},
        )


def _format_doors(level: Level, cell: int) -> Iterator[str]:
    for number, (x, y, a, b, state) in enumerate(level.doors, 1):
        told = {"cell": format_cell(x, y), "state": state, "a": a, "b": b}
        yield format_node(f"Door{number}", "Marker2D", "Doors", {"position": _cell_middle(x, y, cell)}, told, ["doors"])


def _has_box(region: Region) -> bool:
    """Whether its box can show that a player is inside; a corridor winds through the boxes of other regions."""
    return region.kind != "corridor" and region.width > 0 and region.height > 0


def _format_rooms(level: Level, cell: int) -> Iterator[str]:
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
        place = {"position": format_vector((x + width / 2) * cell, (y + height / 2) * cell)}
        called = f"{kind.capitalize()}{label}"
        if not _has_box(region):
            yield format_node(called, "Node2D", "Rooms", place, told, ["regions"])
            continue
        yield format_node(called, "Area2D", "Rooms", place, told, ["regions", "rooms"])
        yield format_node(
            "Box", "CollisionShape2D", f"Rooms/{called}", {"shape": RawValue(f'SubResource("box_{width}x{height}")')}
        )


def _format_things(level: Level, drawn: LevelDrawing) -> Iterator[str]:
    cell = drawn.size
    yield format_node("Things", "Node2D", ".")
    for number, thing in enumerate(level.things, 1):
        called = append_number(to_node_name(thing.kind, "Thing"), number)
        told = {"kind": thing.kind, "cell": format_cell(int(thing.x), int(thing.y)), "data": thing.data}
        yield format_node(
            called, "Marker2D", "Things", {"position": _cell_middle(int(thing.x), int(thing.y), cell)}, told, ["things"]
        )
        at, piece = drawn.find_sheet(drawn.thing_number(thing.kind, thing.data))
        sheet = drawn.sheets[at]
        y, x = (sheet.margin + part * (cell + sheet.spacing) for part in divmod(piece, sheet.columns))
        look = {
            "texture": RawValue(f'ExtResource("{picture_id(at)}")'),
            "region_enabled": True,
            "region_rect": RawValue(f"Rect2({x}, {y}, {cell}, {cell})"),
        }
        yield format_node("Picture", "Sprite2D", f"Things/{called}", look)


def append_number(name: str, number: int) -> str:
    """The name with a number, unambiguous even if the name ends in a digit.

    >>> append_number("Key", 11), append_number("Key1", 1)
    ('Key11', 'Key1_1')
    """
    return f"{name}_{number}" if name[-1].isdigit() else f"{name}{number}"


def _format_ends(level: Level, cell: int) -> Iterator[str]:
    for name, point in (("Start", level.start), ("End", level.end)):
        if point is not None:
            yield format_node(
                name,
                "Marker2D",
                ".",
                {"position": _cell_middle(int(point[0]), int(point[1]), cell)},
                {"cell": format_cell(*map(int, point))},
            )
