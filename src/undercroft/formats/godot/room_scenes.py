"""Write room grids, on which every cell is a room, for games that put a scene of their own in the place of each: as a
Godot scene, and as JSON for other programs.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from undercroft import limits
from undercroft.analysis.room_grids import ROOM_GRID_PALETTE, plan_room_grid, to_pixels
from undercroft.core.level import Level, Point
from undercroft.core.region import Link, Region
from undercroft.errors import BadInput
from undercroft.formats.godot import godot
from undercroft.formats.godot.scene_text import format_cell, format_node, format_section, format_vector, to_node_name
from undercroft.formats.native.native import format_json_lines
from undercroft.formats.native.read_level import check_version
from undercroft.formats.shared.characters import encode_utf8
from undercroft.formats.shared.origin import ORIGIN_KEY, format_origin, read_provenance
from undercroft.inputs.json import format_json, parse_json
from undercroft.inputs.values import in_file

VERSION = "undercroft-rooms/1"
DEFAULT_ROOM_PIXELS = 320, 192
"""The default size of a room in pixels."""
SIDE_NAMES = {(0, -1): "n", (1, 0): "e", (0, 1): "s", (-1, 0): "w"}
ROOM_KINDS = ("start", "end", "secret", "dead end")
"""The special kinds of a room, from the tags of its region; the first that applies counts. A boss room is the end of a
floor.
"""


class GridRoom(NamedTuple):
    """A room of a grid."""

    x: int
    y: int
    kind: str
    tags: tuple[str, ...]
    doors: dict[str, str]
    """For each side with a door its kind; `door` is a plain one."""
    distance: int
    """Steps from the start, from room to room; -1 if it cannot be reached, or there is no start."""


def list_rooms(level: Level) -> list[GridRoom]:
    """The rooms of a room grid in reading order, or an error if the level is not a room grid."""
    regions, links = level.regions, list(level.links)
    if level.palette == ROOM_GRID_PALETTE and not len(regions):
        found = plan_room_grid(level.tiles > 0)
        regions, links = found.regions, list(found.links)
    if not len(regions) or any((region.width, region.height) != (1, 1) for region in regions):
        raise BadInput(
            "this level is no room grid: its rooms are made of tiles",
            fix="make one with a recipe such as isaac, neighbours or drunkard and --set expand=false, or write "
            "another format",
        )
    places = {region.label: (region.x, region.y) for region in regions}
    joined = [link for link in links if link.a in places and link.b in places]
    doors = _doors_by_room(places, joined)
    steps = _count_steps(level.start, places, joined)
    return [
        GridRoom(x, y, _room_kind(level, region), region.tags, doors[region.label], steps.get(region.label, -1))
        for region in sorted(regions, key=lambda region: (region.y, region.x))
        for x, y in [(region.x, region.y)]
    ]


def _room_kind(level: Level, region: Region) -> str:
    place = region.x, region.y
    tags = {*region.tags, *(["start"] if level.start == place else []), *(["end"] if level.end == place else [])}
    return next((kind for kind in ROOM_KINDS if kind in tags), "room")


def _doors_by_room(places: dict[int, Point], links: list[Link]) -> dict[int, dict[str, str]]:
    """The doors of each room, clockwise from the north. A one-way link has a door only on the side it leads from."""
    found: dict[int, dict[tuple[int, int], str]] = {label: {} for label in places}
    for link in links:
        (ax, ay), (bx, by) = places[link.a], places[link.b]
        found[link.a][bx - ax, by - ay] = link.kind
        if link.kind != "one-way":
            found[link.b][ax - bx, ay - by] = link.kind
    return {
        label: {name: some[side] for side, name in SIDE_NAMES.items() if side in some} for label, some in found.items()
    }


def _count_steps(start: Point | None, places: dict[int, Point], links: list[Link]) -> dict[int, int]:
    """Steps from the start to each room that can be reached."""
    ways: dict[int, list[int]] = {label: [] for label in places}
    for link in links:
        ways[link.a].append(link.b)
        if link.kind != "one-way":
            ways[link.b].append(link.a)
    steps = {label: 0 for label, place in places.items() if place == start}
    waiting = deque(steps)
    while waiting:
        here = waiting.popleft()
        for there in ways[here]:
            if there not in steps:
                steps[there] = steps[here] + 1
                waiting.append(there)
    return steps


def dump_json(level: Level) -> bytes:
    """The rooms as JSON, one line each.

    >>> from undercroft.formats import loads
    >>> print(dump_json(loads(b"23", "text:grid")).decode(), end="")
    {"format":"undercroft-rooms/1",
    "grid":[2,1],
    "start":[0,0],
    "end":[1,0],
    "rooms":[
    {"x":0,"y":0,"kind":"start","tags":[],"doors":{"e":"door"},"distance":0},
    {"x":1,"y":0,"kind":"end","tags":[],"doors":{"w":"door"},"distance":1}],
    "provenance":{}}
    """
    rows = format_json_lines(format_json(room._asdict()) for room in list_rooms(level))
    ends = f'"start":{format_json(level.start)},\n"end":{format_json(level.end)}'
    return encode_utf8(
        f'{{"format":"{VERSION}",\n"grid":[{level.width},{level.height}],\n{ends},\n"rooms":{rows},\n'
        f'"provenance":{format_origin(level)}}}\n'
    )


def dump_scene(level: Level, stem: str = "floor", room_size: Any = DEFAULT_ROOM_PIXELS) -> bytes:
    """The rooms as nodes of a scene for Godot 4. The origin of each is its top left corner, and a marker stands in the
    middle of each side with a door.
    """
    size = parse_room_size(room_size)
    meta = {
        "grid": format_cell(*level.size),
        "room_size": format_cell(*size),
        ORIGIN_KEY: format_origin(level),
    }
    parts = [format_section("gd_scene", format=3), format_node(to_node_name(stem, "Floor"), "Node2D", None, None, meta)]
    for room in list_rooms(level):
        parts += _format_nodes(room, size)
    return encode_utf8("\n".join(parts))


def _format_nodes(room: GridRoom, size: tuple[int, int]) -> Iterator[str]:
    name = f"Room_{room.x}_{room.y}"
    meta = {
        "cell": format_cell(room.x, room.y),
        "kind": room.kind,
        "tags": room.tags,
        "doors": room.doors,
        "distance": room.distance,
    }
    yield format_node(
        name, "Node2D", ".", {"position": format_vector(*to_pixels((room.x, room.y), size))}, meta, ["rooms"]
    )
    for (right, down), side in SIDE_NAMES.items():
        if side in room.doors:
            place = format_vector(size[0] * (1 + right) / 2, size[1] * (1 + down) / 2)
            told = {"side": side, "kind": room.doors[side], "leads_to": format_cell(room.x + right, room.y + down)}
            yield format_node(f"Door_{side}", "Marker2D", name, {"position": place}, told, ["doors"])


def read_scene_origin(data: bytes, file: str) -> Mapping[str, Any]:
    """The provenance of the room grid in a scene."""
    return godot.read_origin(data, file)


def read_json_origin(data: bytes, file: str) -> Mapping[str, Any]:
    """The provenance of the room grid in a JSON file."""
    whole = in_file(parse_json(data, file), "", file)
    whole.table()
    check_version(whole, VERSION)
    return read_provenance(whole.key("provenance", {}))


def parse_room_size(room_size: Any) -> tuple[int, int]:
    """Parse a size in pixels, as two numbers or as a text such as 320x192.

    >>> parse_room_size("320x192")
    (320, 192)
    """
    given = room_size.split("x") if isinstance(room_size, str) else room_size
    try:
        width, height = (int(side) for side in given)
    except (TypeError, ValueError):
        width = height = 0
    if not 0 < min(width, height) <= max(width, height) <= limits.GODOT_ROOM_PIXELS.value:
        raise BadInput(
            f"room_size is the width and height of a room in pixels, not {room_size!r}", fix="for example 320x192"
        )
    return width, height
