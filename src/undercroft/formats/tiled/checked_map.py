"""Check a map of Tiled: its size, properties, tilesets and layers. TMX and TMJ arrive as the same dicts and lists;
numbers may be texts.
"""

from __future__ import annotations

import math
import sys
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from itertools import pairwise
from types import MappingProxyType
from typing import Any, NamedTuple, cast

from undercroft import limits
from undercroft.errors import find_similar_word
from undercroft.formats.shared.checked import check_finite
from undercroft.formats.tiled import cells as tiled_cells
from undercroft.formats.tiled.cells import Gids
from undercroft.formats.tiled.external_files import ExternalFiles, normalise_path
from undercroft.formats.tiled.object_table import JSON_KIND
from undercroft.formats.tiled.thing_data import parse_lists
from undercroft.inputs.values import CheckedValue, format_path, in_file, quote_name

BOOLEANS = {True: True, False: False, "1": True, "0": False, "true": True, "false": False}
"""This includes the numbers 1 and 0, which equal True and False in Python."""

Value = str | int | float | bool | list[Any] | dict[str, Any]
"""The value of a property. Lists and tables come from properties of the type `json`."""
SCALAR_TYPES = (str, int, float, bool)
ALIGNMENT_SHARES = {"left": 0.0, "top": 0.0, "right": 1.0, "bottom": 1.0}
ALIGNMENTS = {
    f"{down}{across}" or "center": (ALIGNMENT_SHARES.get(across, 0.5), ALIGNMENT_SHARES.get(down, 0.5))
    for down in ("top", "", "bottom")
    for across in ("left", "", "right")
}
LOWER_LEFT = ALIGNMENTS["bottomleft"]
"""The anchor of a tile object on an orthogonal map, unless its tileset sets another."""
MATCHING_TYPES = {("string", str), ("int", int), ("object", int), ("bool", bool)}
"""Pairs of property type and value type that agree."""


class TiledTileset(NamedTuple):
    """A tileset, whose tiles are numbered from `first` on."""

    first: int
    length: int | None
    """The number of tiles; None if they are in a separate file."""
    name: str
    """Its name, or that of its file."""
    tiles: tuple[CheckedValue, ...]
    source: str = ""
    """Its file, as the map names it; empty if it is in the map."""
    size: tuple[float, float] = (0.0, 0.0)
    """Width and height of its tiles in pixels; 0 if unknown."""
    hold: tuple[float, float] = LOWER_LEFT
    """The anchor of its tile objects, as shares of width and height."""

    pictures: Mapping[int, tuple[float, float]] = MappingProxyType({})
    """Width and height of tiles with a picture of their own, by their numbers in the tileset."""
    last: int = -1
    """The highest number in the tileset of a tile that is described; -1 if none is."""

    def tile_size(self, gid: int) -> tuple[float, float]:
        """Width and height of a tile in pixels; 0 if unknown."""
        return self.pictures.get(gid - self.first, self.size)


class TiledLayer(NamedTuple):
    """A layer of tiles or of objects, taken out of its groups."""

    name: str
    kind: str
    shown: bool
    shift: tuple[float, float]
    """Its offset in pixels."""
    properties: dict[str, Value]
    spot: CheckedValue


class TiledMap(NamedTuple):
    """A checked map. An infinite map has no size of its own."""

    size: tuple[int, int] | None
    tile: tuple[int, int]
    properties: dict[str, Value]
    tilesets: tuple[TiledTileset, ...]
    layers: tuple[TiledLayer, ...]
    spot: CheckedValue
    beside: ExternalFiles
    """The files that it names."""

    def find_tileset(self, gid: int) -> TiledTileset | None:
        """The tileset of a tile."""
        place = bisect_right(self.tilesets, gid, key=lambda tileset: tileset.first)
        return self.tilesets[place - 1] if place else None

    def find_layer(self, name: str, kind: str) -> TiledLayer | None:
        """The first layer of that name."""
        return next((layer for layer in self.layers if layer.name == name and layer.kind == kind), None)


def read_tiled_map(document: Any, file: str, beside: ExternalFiles | None = None) -> TiledMap:
    """The checked map in a file; `beside` opens the files that it names."""
    beside = beside or ExternalFiles(None, file)
    whole = in_file(document, "", file)
    if type(document) is not dict or not document.keys() >= {"width", "height", "tilewidth", "tileheight"}:
        raise whole.error(
            "this is no map of Tiled", "name a file that Tiled saved as a map, not a tileset or a project"
        )
    orientation = optional_text(whole, "orientation", "orthogonal")
    if orientation != "orthogonal":
        raise whole.error(
            f"the map is {quote_name(orientation)}; only orthogonal maps are read",
            "in Tiled, set Map > Map Properties > Orientation to Orthogonal",
        )
    tile = (
        read_integer(whole.key("tilewidth"), 1, limits.TILED_TILE_PIXELS.value),
        read_integer(whole.key("tileheight"), 1, limits.TILED_TILE_PIXELS.value),
    )
    size = None
    if not read_boolean(whole, "infinite", False):
        size = (
            read_integer(whole.key("width"), 1, limits.SIDE.value),
            read_integer(whole.key("height"), 1, limits.SIDE.value),
        )
        check_size(size, whole)
    layers = tuple(_read_layers(whole, True, (0.0, 0.0)))
    if size:
        cells = size[0] * size[1] * sum(layer.kind == "tilelayer" for layer in layers)
        limits.TILED_CELLS.check(cells, f"{file}: the number of cells of all its layers")
    return TiledMap(size, tile, read_properties(whole), _read_tilesets(whole, beside), layers, whole, beside)


def check_size(size: tuple[int, int], spot: CheckedValue) -> None:
    """Raise if a level cannot be that large."""
    limits.CELLS._replace(raise_by="cut the map into parts").check(
        size[0] * size[1], f"{spot.file}: the number of cells of {size[0]:,}x{size[1]:,}"
    )


def read_blocks(found: TiledMap, layer: TiledLayer) -> Iterator[tuple[int, int, Gids]]:
    """The blocks of cells of a layer, each with the place of its first cell: one block, or the chunks of an infinite
    map.
    """
    right, down = (math.floor(way / side + 0.5) for way, side in zip(layer.shift, found.tile, strict=True))
    encoding, compression = optional_text(layer.spot, "encoding", "csv"), optional_text(layer.spot, "compression", "")
    if found.size is None:
        for chunk in read_items(layer.spot, "chunks"):
            x, y = (
                read_integer(chunk.key("x"), -limits.TILED_DISTANCE.value, limits.TILED_DISTANCE.value),
                read_integer(chunk.key("y"), -limits.TILED_DISTANCE.value, limits.TILED_DISTANCE.value),
            )
            size = (
                read_integer(chunk.key("width"), 1, limits.SIDE.value),
                read_integer(chunk.key("height"), 1, limits.SIDE.value),
            )
            check_size(size, chunk)
            yield x + right, y + down, tiled_cells.read_cells(chunk.key("data", ""), encoding, compression, *size)
        return
    for side, wanted in zip(("width", "height"), found.size, strict=True):
        if side in layer.spot.value and read_integer(layer.spot.key(side), 0, limits.SIDE.value) != wanted:
            raise layer.spot.error(
                f"its {side} is {layer.spot.value[side]}, that of the map is {wanted}", "save the map again in Tiled"
            )
    yield right, down, tiled_cells.read_cells(layer.spot.key("data", ""), encoding, compression, *found.size)


def _read_tilesets(whole: CheckedValue, beside: ExternalFiles) -> tuple[TiledTileset, ...]:
    found: list[TiledTileset] = []
    opened: dict[str, TiledTileset] = {}
    told = 0
    for row in read_items(whole, "tilesets"):
        found.append(_read_tileset(row, beside, opened))
        told += len(found[-1].tiles)  # a map may name a file more than once
        limits.TILED_TILES.check(told, f"{whole.file}: the number of tiles in all its tilesets")
    found.sort(key=lambda tileset: tileset.first)
    for before, after in pairwise(found):
        if before.first + (before.length or 1) > after.first:
            raise whole.error(
                f"the tilesets {quote_name(before.name)} and {quote_name(after.name)} share the number {after.first}",
                "save the map again in Tiled",
            )
    return tuple(found)


def _read_tileset(row: CheckedValue, beside: ExternalFiles, opened: dict[str, TiledTileset]) -> TiledTileset:
    """A tileset of a map. Adds the descriptions in files to `opened`: a map may name a file more than once."""
    first = read_integer(row.key("firstgid"), 1, limits.TILED_TILES.value)
    source = optional_text(row, "source", "")
    if not source:
        return _number_tiles(_read_description(row), first, row)
    closed = TiledTileset(first, None, source.replace("\\", "/").rpartition("/")[2], (), normalise_path(source))
    sheet = beside.open_tileset(source)
    if sheet is None:
        return closed
    if closed.source not in opened:
        opened[closed.source] = _read_description(sheet)
    # The number of tiles may have changed since the map was saved: numbers are valid up to the next tileset.
    return _number_tiles(opened[closed.source], first, sheet)._replace(
        length=None, name=closed.name, source=closed.source
    )


def _number_tiles(tileset: TiledTileset, first: int, row: CheckedValue) -> TiledTileset:
    """The tileset with its tiles numbered from `first` on."""
    limits.TILED_TILES.check(
        first + max(tileset.length or 0, tileset.last + 1) - 1,
        f"{row.file}: {f'at {format_path(row.path)}: ' if row.path else ''}its highest tile number",
    )
    return tileset._replace(first=first)


def _read_description(row: CheckedValue) -> TiledTileset:
    """The description of a tileset, with tiles numbered from 1 on."""
    most = limits.TILED_TILES.value
    tiles = tuple(read_items(_normalise_tiles(row), "tiles"))
    last = max((read_integer(tile.key("id"), 0, most) for tile in tiles), default=-1)
    count = read_integer(row.key("tilecount"), 0, most) if "tilecount" in row.value else None
    size = read_number(row, "tilewidth"), read_number(row, "tileheight")
    pictures = {
        read_integer(tile.key("id"), 0, most): (read_number(tile, "imagewidth"), read_number(tile, "imageheight"))
        for tile in tiles
        if "imagewidth" in tile.value
    }
    hold = ALIGNMENTS.get(optional_text(row, "objectalignment", ""), LOWER_LEFT)
    return TiledTileset(
        1,
        None if count is None else max(count, last + 1),
        optional_text(row, "name", ""),
        tiles,
        "",
        size,
        hold,
        pictures,
        last,
    )


def _normalise_tiles(row: CheckedValue) -> CheckedValue:
    """A tileset whose tiles are a list. Before 2018, TMJ had them by id, with their properties in a separate table."""
    tiles, told = row.value.get("tiles"), row.value.get("tileproperties")
    if type(tiles) is not dict and type(told) is not dict:
        return row
    old = [
        (id_, tile)
        for table in (tiles, told)
        if type(table) is dict
        for id_, tile in table.items()
        if type(tile) is dict
    ]
    rows: dict[str, dict[str, Any]] = {id_: {"id": id_} for id_, _ in old}
    for id_, tile in old:
        is_properties = type(told) is dict and tile is told.get(id_)
        rows[id_] |= {"properties": tile} if is_properties else tile
    return row.replaced({**row.value, "tiles": list(rows.values())})


def _read_layers(spot: CheckedValue, seen: bool, shift: tuple[float, float]) -> Iterator[TiledLayer]:
    """The layers from the bottom up, including those in groups."""
    for row in read_items(spot, "layers"):
        name = optional_text(row, "name", "")
        here = in_file(row.value, f"layer {quote_name(name)}", row.file)
        kind = optional_text(here, "type", "")
        visible = read_boolean(here, "visible", True) and seen
        moved = shift[0] + read_number(here, "offsetx"), shift[1] + read_number(here, "offsety")
        if kind == "group":
            yield from _read_layers(here, visible, moved)
        elif kind in ("tilelayer", "objectgroup"):
            yield TiledLayer(name, kind, visible, moved, read_properties(here), here)


def read_properties(spot: CheckedValue) -> dict[str, Value]:
    """The properties of an element by name. Those that are not a text, a number, a boolean or JSON are left out."""
    rows = spot.value.get("properties") or {}
    if type(rows) is dict:  # as parsed from TMX, and as in TMJ before 2018
        named: dict[str, Value] = {
            name: value for name, value in rows.items() if type(value) in (*SCALAR_TYPES, list, dict)
        }
        check_finite(spot.replaced(named, ": properties"))
        return named
    found: dict[str, Value] = {}
    for row in spot.at("properties").replaced(rows).list():
        if type(row) is not dict or type(row.get("name")) is not str:
            raise spot.error(
                f"a property has a name and a value, and is not {quote_name(row)}", "save the map again in Tiled"
            )
        name, value, kind = row["name"], row.get("value"), row.get("type", "string")
        if name in found:
            raise spot.error(f"the property {quote_name(name)} stands there twice", "keep one of them")
        is_plain = type(kind) is str and (kind, type(value)) in MATCHING_TYPES
        if not is_plain or (type(value) is str and not value.isascii()):
            value = _read_property(spot.replaced(row, f": property {quote_name(name)}"))
        if row.get("propertytype") == JSON_KIND and kind == "string" and isinstance(value, str):
            value = parse_lists(value)
        if value is not None:
            found[name] = value
    return found


def _read_property(row: CheckedValue) -> Value | None:
    """The value of a property, which may be given as a text; None if it is not a text, a number or a boolean."""
    value, kind = row.key("value"), optional_text(row, "type", "string")
    optional_text(row, "name", "")
    if type(value.value) not in SCALAR_TYPES:
        return None
    if kind in ("int", "object"):
        return read_integer(value, -(10**30), 10**30)
    if kind == "float":
        return read_number(row, "value")
    if kind == "bool":
        return read_boolean(row, "value", False)
    return value.text() if type(value.value) is str else cast(Value, value.value)


def read_items(spot: CheckedValue, key: str) -> Iterator[CheckedValue]:
    """The objects of a list; none if the list is missing."""
    rows = spot.key(key)
    if rows.value is None:
        return
    for index in range(len(rows.list())):
        row = rows.item(index)
        row.table()
        yield row


def optional_text(spot: CheckedValue, key: str, default: str) -> str:
    """A text; the default if it is missing."""
    value = spot.value.get(key)
    if type(value) is str and value.isascii():  # most texts are ASCII
        return value
    return default if value is None else spot.key(key).text()


def read_integer(spot: CheckedValue, low: int, high: int) -> int:
    """A whole number, also from a text."""
    value = spot.value
    if type(value) is str and len(value) <= limits.NUMBER_LENGTH.value:
        try:
            value = int(value)
        except ValueError:
            value = spot.value
    if type(value) is float and value.is_integer():
        value = int(value)
    if value is None:
        raise spot.error("a whole number is missing here", "save the map again in Tiled")
    return spot.replaced(value).integer(low, high)


def read_number(spot: CheckedValue, key: str, default: float = 0.0) -> float:
    """A finite number, also from a text; the default if it is missing."""
    value = spot.value.get(key)
    if value is None:
        return default
    if type(value) is str and len(value) <= limits.NUMBER_LENGTH.value:
        try:
            value = float(value)
        except ValueError:
            value = spot.value[key]
    if type(value) not in (int, float) or not -sys.float_info.max <= value <= sys.float_info.max:
        raise spot.key(key).error(f"a number belongs here, not {quote_name(value)}", "save the map again in Tiled")
    return float(value)


def read_boolean(spot: CheckedValue, key: str, default: bool) -> bool:
    """A boolean, also from a text; the default if it is missing."""
    value = spot.value.get(key)
    if value is None:
        return default
    if type(value) in (list, dict, float) or value not in BOOLEANS:
        guess = find_similar_word(value, ("true", "false")) if type(value) is str else ""
        raise spot.key(key).error(
            f"true or false belongs here, not {quote_name(value)}",
            f"did you mean {guess!r}?" if guess else "write true or false",
        )
    return BOOLEANS[value]
