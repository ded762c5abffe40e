"""Scenes for Godot 4.3 and later: tile layers, a node for every room, door and thing, and our tileset beside it.

The nodes: `Terrain`, `Doors` and `Decor` are TileMapLayers, `Doors` with a Marker2D for each door; `Rooms` has an
Area2D for each room with its box, and a plain node for each corridor; `Things` has a Marker2D with a picture for each
thing; `Start` and `End` are markers. What else is known is metadata.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from undercroft import limits
from undercroft.core.level import Level
from undercroft.core.region import Region
from undercroft.draw.sheets.contact_sheet import png
from undercroft.draw.tileset.picture import LAYERS, laid, things, tileset
from undercroft.errors import BadInput
from undercroft.formats.godot.scene_text import Raw, cell, node, node_name, packed, section, unquoted, vector
from undercroft.formats.godot.tile_layers import SIZE, layer_data, tile_set
from undercroft.formats.native.native import text
from undercroft.formats.native.read_level import read_provenance
from undercroft.formats.shared import guarded_json
from undercroft.formats.shared.characters import utf8
from undercroft.formats.shared.checked import Spot, plain

PICTURE = "undercroft.png"
"""The file with the tiles, beside the scene."""
ORIGIN = re.compile(rb'^metadata/undercroft = "((?:[^"\\]|\\.)*+)"', re.MULTILINE | re.DOTALL)
HALF = SIZE / 2
NEAREST = 1
"""How pixels are enlarged: sharp."""


def dump(level: Level, stem: str = "level") -> bytes:
    """The level as a scene; its root is called as the file."""
    limits.GODOT_SIDE.check(max(level.size), "the longer side of the level")
    sizes = sorted({(room.width, room.height) for room in level.regions if _has_box(room)})
    head = [
        section("gd_scene", format=4),
        section("ext_resource", type="Texture2D", path=PICTURE, id="picture"),
        tile_set(),
        *(
            section("sub_resource", {"size": vector(w * SIZE, h * SIZE)}, type="RectangleShape2D", id=f"box_{w}x{h}")
            for w, h in sizes
        ),
    ]
    path = Raw(f"PackedVector2Array({', '.join(map(str, level.path.reshape(-1).tolist()))})")
    links = [[link.a, link.b, link.kind, link.door, link.carved] for link in level.links]
    meta = {
        "title": level.title,
        "size": cell(*level.size),
        "path": path,
        "links": links,
        "undercroft": text(plain(level.provenance, "provenance")),
    }
    root = node(node_name(stem, "Level"), "Node2D", None, {"texture_filter": NEAREST}, meta)
    return utf8(
        "\n".join([*head, root, *_layers(level), *_doors(level), *_rooms(level), *_things(level), *_ends(level)])
    )


def beside(level: Level, stem: str) -> dict[str, bytes]:  # noqa: ARG001 - the same for all levels
    """The picture with the tiles."""
    return {PICTURE: png(tileset().image)}


def origin(data: bytes, file: str) -> Mapping[str, Any]:
    """How the level of a scene was made."""
    found = ORIGIN.search(data)
    if found is None:
        raise BadInput(f"{file}: this scene does not tell how it was made", fix="name a scene that this program wrote")
    told = unquoted(found[1].decode("utf-8", "replace")).encode("utf-8", "replace")
    return read_provenance(Spot(guarded_json.parsed(told, file), "metadata/undercroft", file))


def _middle(x: int, y: int) -> Raw:
    """The middle of a cell in pixels."""
    return vector(x * SIZE + HALF, y * SIZE + HALF)


def _layers(level: Level) -> Iterator[str]:
    pieces = laid(level)
    for name in LAYERS:
        yield node(
            name.capitalize(),
            "TileMapLayer",
            ".",
            {"tile_map_data": packed(layer_data(pieces[name])), "tile_set": Raw('SubResource("tiles")')},
        )


def _doors(level: Level) -> Iterator[str]:
    for number, (x, y, a, b, state) in enumerate(level.doors, 1):
        told = {"cell": cell(x, y), "state": state, "a": a, "b": b}
        yield node(f"Door{number}", "Marker2D", "Doors", {"position": _middle(x, y)}, told, ["doors"])


def _has_box(region: Region) -> bool:
    """Whether one can be told to stand in it: a corridor winds through the boxes of others."""
    return region.kind != "corridor" and region.width > 0 and region.height > 0


def _rooms(level: Level) -> Iterator[str]:
    yield node("Rooms", "Node2D", ".")
    for region in level.regions:
        label, kind, x, y, width, height, area, tags, template, name = region
        told: dict[str, Any] = {
            "label": label,
            "kind": kind,
            "box": Raw(f"Rect2i({x}, {y}, {width}, {height})"),
            "area": area,
            "tags": tags,
        }
        told |= {"template": template, "title": name}
        place = {"position": vector((x + width / 2) * SIZE, (y + height / 2) * SIZE)}
        called = f"{kind.capitalize()}{label}"
        if not _has_box(region):
            yield node(called, "Node2D", "Rooms", place, told, ["regions"])
            continue
        yield node(called, "Area2D", "Rooms", place, told, ["regions", "rooms"])
        yield node("Box", "CollisionShape2D", f"Rooms/{called}", {"shape": Raw(f'SubResource("box_{width}x{height}")')})


def _things(level: Level) -> Iterator[str]:
    yield node("Things", "Node2D", ".")
    for number, thing in enumerate(level.things, 1):
        data = plain(thing.data, f"the data of the {thing.kind} at ({thing.x}, {thing.y})")
        called = numbered(node_name(thing.kind, "Thing"), number)
        told = {"kind": thing.kind, "cell": cell(int(thing.x), int(thing.y)), "data": data}
        yield node(called, "Marker2D", "Things", {"position": _middle(int(thing.x), int(thing.y))}, told, ["things"])
        y, x = divmod(things(thing.kind, data), tileset().columns)
        look = {
            "texture": Raw('ExtResource("picture")'),
            "region_enabled": True,
            "region_rect": Raw(f"Rect2({x * SIZE}, {y * SIZE}, {SIZE}, {SIZE})"),
        }
        yield node("Picture", "Sprite2D", f"Things/{called}", look)


def numbered(name: str, number: int) -> str:
    """A name that no other number gives, also if it ends in one.

    >>> numbered("Key", 11), numbered("Key1", 1)
    ('Key11', 'Key1_1')
    """
    return f"{name}_{number}" if name[-1].isdigit() else f"{name}{number}"


def _ends(level: Level) -> Iterator[str]:
    for name, point in (("Start", level.start), ("End", level.end)):
        if point is not None:
            yield node(name, "Marker2D", ".", {"position": _middle(*map(int, point))}, {"cell": cell(*map(int, point))})
