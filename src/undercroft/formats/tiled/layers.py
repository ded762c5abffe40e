"""Convert a level to the layers of a Tiled map, for TMX and TMJ.

Tile layers from the bottom up: `terrain`, `doors`, `decor` as the tileset lays them, and `collision`, hidden, with a
tile on every cell that is not walkable. Object layers: `rooms`, `doorways` (the tile layer has the name `doors`, and
some programs identify layers by name alone), `links`, `path`, `spawns`, `things`; and `undercroft`, which has no
objects but notes with all that no picture shows.

Several tiles of a palette may look the same: a wall and the void, a floor and a corridor in a cave. So pictures do not
identify tiles. A hidden layer of pictures that stand for codes would look like nonsense, and could not represent a
palette with more tiles than the tileset. So the notes hold the map as text, one glyph of the palette per cell, as our
other files do. When such a file is read, the picture decides for cells that were repainted since.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.core import drawing
from undercroft.core.level import Level
from undercroft.core.region import DOOR_STATES, LINK_KINDS, REGION_KINDS
from undercroft.core.thing_data import has_lists
from undercroft.draw.tileset.picture import LAYERS
from undercroft.draw.tileset.piece_sheets import LevelDrawing, PieceSheet
from undercroft.draw.tileset.user_drawing import draw_level_with
from undercroft.formats.native import runs
from undercroft.formats.native.native import choose_version, format_palette
from undercroft.formats.shared.checked import to_plain_data
from undercroft.formats.shared.origin import format_origin
from undercroft.formats.tiled.object_table import Numbers, ObjectLayer, ObjectTable, Points, Property, PropertyColumn
from undercroft.formats.tiled.outlines import trace_outlines
from undercroft.formats.tiled.tags import format_tags
from undercroft.formats.tiled.thing_data import build_properties, read_side
from undercroft.formats.tiled.tiles import fingerprint

VERSIONS = ("undercroft-tiled/1", "undercroft-tiled/2")
"""The second is for levels whose things hold lists or tables in their data."""
NOTES_NAME = "undercroft"
"""The name of the layer with our notes, and of the property with the provenance."""
DRAWN_NOTE = "drawn "
"""How the names of notes begin that hold the tiles of a layer when a map with a tileset of a user's own was written."""
FIRST_GID = 1
"""The number of the first tile of our tileset."""


class TiledParts(NamedTuple):
    """All parts of a level for a Tiled map."""

    properties: dict[str, str]
    sheets: tuple[PieceSheet, ...]
    """The tilesets."""
    first_gids: tuple[int, ...]
    """The number of the first tile of each."""
    tiles: dict[str, NDArray[np.int32]]
    """The tile numbers of each layer, 0 for none; `collision` is the hidden one."""
    objects: tuple[ObjectLayer, ...]
    notes: dict[str, str]
    next_id: int


def build_parts(level: Level, tileset: Any = None) -> TiledParts:
    """Convert the level to the parts of a Tiled map, drawn with our tileset or one of the user's own."""
    drawn = draw_level_with(level, tileset)
    size, made = drawn.size, format_origin(level)
    properties = {"palette": format_palette(level.palette).strip('"'), "title": level.title, NOTES_NAME: made}
    notes = {
        "format": choose_version(level, VERSIONS),
        "pieces": fingerprint(level.palette),
        "tiles": drawing.format_tiles(level.tiles, level.palette),
    }
    if level.regions.labels.any():
        notes["labels"] = "\n".join(runs.format_runs(level.regions.labels))
    tiles = _build_tile_layers(level, drawn)
    if tileset is not None:  # whoever reads the map does not have its TOML file
        notes |= {f"{DRAWN_NOTE}{name}": "\n".join(runs.format_runs(tiles[name])) for name in LAYERS}
    first_door = len(level.regions) + 1
    first_link = first_door + len(level.doors)
    first_thing = first_link + len(level.links)
    rest = first_thing + len(level.things)
    layers = (
        ObjectLayer("rooms", "#6fa8dc", False, _build_rooms(level, size)),
        ObjectLayer("doorways", "#e0a458", False, [_build_doors(level, first_door, size)]),
        ObjectLayer("links", "#b58ae0", False, [_build_links(level, first_link, first_door, size)]),
        ObjectLayer("path", "#ffd166", False, [_build_path(level, rest, size)]),
        ObjectLayer("spawns", "#3cf0a6", True, [_build_spawns(level, rest + 1, size)]),
        ObjectLayer("things", "#ff5470", True, [_build_things(level, first_thing, drawn)]),
    )
    return TiledParts(
        {name: value for name, value in properties.items() if value},
        drawn.sheets,
        tuple(FIRST_GID + first for first in drawn.firsts[:-1]),
        tiles,
        layers,
        notes,
        rest + 3,
    )


def _build_tile_layers(level: Level, drawn: LevelDrawing) -> dict[str, NDArray[np.int32]]:
    layers = {name: layer + np.int32(FIRST_GID) for name, layer in drawn.layers.items()}
    solid = np.int32(FIRST_GID + drawn.solid_piece)
    return {**layers, "collision": np.where(level.walkable, np.int32(0), solid)}


def _build_rooms(level: Level, size: int) -> list[ObjectTable]:
    """Rooms as rectangles, or as polygons if they are not rectangular. Their ids are the labels of the regions."""
    regions = level.regions
    polygons = trace_outlines(regions)
    plain_ones = np.ones(len(regions), bool)
    plain_ones[polygons.labels - 1] = False
    return [
        _build_room_table(level, np.flatnonzero(plain_ones) + 1, None, size),
        _build_room_table(level, polygons.labels, Points(polygons.counts, polygons.points), size),
    ]


def _build_room_table(level: Level, labels: Numbers, corners: Points | None, size: int) -> ObjectTable:
    regions = level.regions
    rows = regions.table[labels - 1]
    x, y = (rows[side].astype(np.int64) * size for side in "xy")
    if corners:
        at = np.stack([x, y], axis=1)
        corners = Points(corners.counts, corners.rows * size - np.repeat(at, corners.counts, axis=0))
    numbers = labels.tolist()
    tags, templates, names = regions.tags, regions.templates, regions.names
    told = {
        pair: _room_properties(*pair) for pair in {(tags.get(label, ()), templates.get(label, "")) for label in numbers}
    }
    return ObjectTable(
        ids=numbers,
        types=[REGION_KINDS[kind] for kind in rows["kind"].tolist()],
        x=x.tolist(),
        y=y.tolist(),
        names=[names.get(label, "") for label in numbers],
        sizes=None
        if corners
        else ((rows["width"].astype(np.int64) * size).tolist(), (rows["height"].astype(np.int64) * size).tolist()),
        shape="polygon" if corners else "",
        points=corners,
        properties=[PropertyColumn("label", "int", numbers), PropertyColumn("area", "int", rows["area"].tolist())],
        further=[told[tags.get(label, ()), templates.get(label, "")] for label in numbers],
    )


def _room_properties(tags: tuple[str, ...], template: str) -> tuple[Property, ...]:
    told = {"tags": format_tags(tags) if tags else "", "template_name": template}
    return tuple(Property(name, "string", value) for name, value in told.items() if value)


def _build_doors(level: Level, first: int, size: int) -> ObjectTable:
    table = level.doors.table
    count = len(table)
    return ObjectTable(
        ids=range(first, first + count),
        types=["door"] * count,
        x=(table["x"].astype(np.int64) * size).tolist(),
        y=(table["y"].astype(np.int64) * size).tolist(),
        sizes=([size] * count, [size] * count),
        properties=[
            PropertyColumn("state", "string", [DOOR_STATES[state] for state in table["state"].tolist()]),
            PropertyColumn("a", "int", table["a"].tolist()),
            PropertyColumn("b", "int", table["b"].tolist()),
        ],
    )


def _build_links(level: Level, first: int, first_door: int, size: int) -> ObjectTable:
    """Links as lines from room to room, through the door if there is one. Without a room they end at the door."""
    table = level.links.table
    count, through = len(table), table["door"] >= 0
    middles = np.concatenate([np.zeros((1, 2), np.int64), _middle_pixels(level.regions.table, size)])
    doors = np.concatenate([_middle_pixels(level.doors.table, size), np.zeros((1, 2), np.int64)])[table["door"]]
    begin, end = middles[table["a"]], middles[table["b"]]
    for ends, others, label in ((begin, end, "a"), (end, begin, "b")):
        nowhere = table[label] == 0
        ends[nowhere] = np.where(through[nowhere, None], doors[nowhere], others[nowhere])
    rows = np.stack([begin, doors, end], axis=1) - begin[:, None]
    return ObjectTable(
        ids=range(first, first + count),
        types=[LINK_KINDS[kind] for kind in table["kind"].tolist()],
        x=begin[:, 0].tolist(),
        y=begin[:, 1].tolist(),
        shape="polyline",
        points=Points(
            2 + through.astype(np.int64),
            rows[np.stack([np.ones_like(through), through, np.ones_like(through)], axis=1)],
        ),
        properties=[
            PropertyColumn("a", "int", table["a"].tolist()),
            PropertyColumn("b", "int", table["b"].tolist()),
            PropertyColumn("door", "object", np.where(through, table["door"] + first_door, 0).tolist()),
            PropertyColumn("carved", "bool", table["carved"].tolist()),
        ],
    )


def _middle_pixels(table: NDArray[Any], size: int) -> Numbers:
    """The middles of boxes or cells, in pixels."""
    names = table.dtype.names or ()
    sides = [
        table[side].astype(np.int64) if side in names else np.ones(len(table), np.int64) for side in ("width", "height")
    ]
    return np.stack(
        [
            table["x"].astype(np.int64) * size + sides[0] * size // 2,
            table["y"].astype(np.int64) * size + sides[1] * size // 2,
        ],
        axis=1,
    )


def _build_path(level: Level, number: int, size: int) -> ObjectTable:
    if not len(level.path):
        return ObjectTable([], [], [], [])
    middles = level.path.astype(np.int64) * size + size // 2
    x, y = middles[0].tolist()
    return ObjectTable(
        [number], ["path"], [x], [y], shape="polyline", points=Points(np.array([len(middles)]), middles - middles[0])
    )


def _build_spawns(level: Level, first: int, size: int) -> ObjectTable:
    ends = [(name, end) for name, end in (("start", level.start), ("end", level.end)) if end is not None]
    names = [name for name, _ in ends]
    x, y = ([int(end[side]) * size + size // 2 for _, end in ends] for side in (0, 1))
    return ObjectTable(range(first, first + len(ends)), names, x, y, names=names, shape="point")


def _build_things(level: Level, first: int, drawn: LevelDrawing) -> ObjectTable:
    """Things as tile objects on their cells; those that cover several cells are drawn at that size."""
    size = drawn.size
    known = [to_plain_data(thing.data) for thing in level.things]
    lists = has_lists(known)
    wide, high = ([read_side(data.get(side)) * size for data in known] for side in ("width", "height"))
    return ObjectTable(
        ids=range(first, first + len(known)),
        types=[thing.kind for thing in level.things],
        x=[int(thing.x) * size for thing in level.things],
        # the anchor of a tile object is its lower left corner
        y=[int(thing.y) * size + tall for thing, tall in zip(level.things, high, strict=True)],
        names=[data["name"] if type(data.get("name")) is str else "" for data in known],
        sizes=(wide, high),
        gids=[
            FIRST_GID + drawn.thing_number(thing.kind, data) for thing, data in zip(level.things, known, strict=True)
        ],
        further=[build_properties(data, lists=lists) for data in known],
    )
