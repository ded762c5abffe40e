"""A map of Tiled, checked: its size, properties, tilesets and layers. TMX and TMJ come as the same dicts and lists;
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
from undercroft.errors import nearest
from undercroft.formats.shared.checked import Spot, finite, shown
from undercroft.formats.tiled import cells as tiled_cells
from undercroft.formats.tiled.cells import Gids
from undercroft.formats.tiled.external_files import Beside, plain

LONGEST = 40
"""Signs that a number may have."""
TRUTHS = {True: True, False: False, "1": True, "0": False, "true": True, "false": False}
"""The numbers 1 and 0 are among them: Python takes them for the truth values."""
SIDE = 100_000
"""Pixels that a tile may have; nobody draws larger ones."""
FAR = 1 << 40
"""How far off an object may lie, in pixels."""

Value = str | int | float | bool
PLAIN = (str, int, float, bool)
PARTS = {"left": 0.0, "top": 0.0, "right": 1.0, "bottom": 1.0}
HOLDS = {
    f"{down}{across}" or "center": (PARTS.get(across, 0.5), PARTS.get(down, 0.5))
    for down in ("top", "", "bottom")
    for across in ("left", "", "right")
}
LOWER_LEFT = HOLDS["bottomleft"]
"""Where the place of a tile is that stands on an orthogonal map, unless its tileset says otherwise."""
AS_IT_IS = {("string", str), ("int", int), ("object", int), ("bool", bool)}
"""Types of properties and of values that are what they should be."""


class Tileset(NamedTuple):
    """Tiles that are numbered from `first` on."""

    first: int
    length: int | None
    """How many there are; None if they are in a file of their own."""
    name: str
    """Its name, or that of its file."""
    tiles: tuple[Spot, ...]
    source: str = ""
    """The file that it is in, as the map names it; empty if it is in the map."""
    size: tuple[float, float] = (0.0, 0.0)
    """Width and height of its tiles in pixels; 0 if that is not known."""
    hold: tuple[float, float] = LOWER_LEFT
    """Where the place of a tile is that stands on the map: in parts of its width and height."""

    pictures: Mapping[int, tuple[float, float]] = MappingProxyType({})
    """Width and height of tiles that have a picture of their own, by their numbers in the tileset."""

    def size_of(self, gid: int) -> tuple[float, float]:
        """Width and height of a tile in pixels; 0 if that is not known."""
        return self.pictures.get(gid - self.first, self.size)


class Layer(NamedTuple):
    """A layer of tiles or of objects, out of its groups."""

    name: str
    kind: str
    shown: bool
    shift: tuple[float, float]
    """How far it is moved, in pixels."""
    properties: dict[str, Value]
    spot: Spot


class Map(NamedTuple):
    """A map. An infinite one has no size of its own."""

    size: tuple[int, int] | None
    tile: tuple[int, int]
    properties: dict[str, Value]
    tilesets: tuple[Tileset, ...]
    layers: tuple[Layer, ...]
    spot: Spot
    beside: Beside
    """The files that it names."""

    def tileset(self, gid: int) -> Tileset | None:
        """The tileset of a tile."""
        place = bisect_right(self.tilesets, gid, key=lambda tileset: tileset.first)
        return self.tilesets[place - 1] if place else None

    def layer(self, name: str, kind: str) -> Layer | None:
        """The first layer of that name."""
        return next((layer for layer in self.layers if layer.name == name and layer.kind == kind), None)


def read(document: Any, file: str, beside: Beside | None = None) -> Map:
    """The map that a file holds; `beside` opens the files that it names."""
    beside = beside or Beside(None, file)
    whole = Spot(document, "", file)
    if type(document) is not dict or not document.keys() >= {"width", "height", "tilewidth", "tileheight"}:
        raise whole.wrong(
            "this is no map of Tiled", "name a file that Tiled saved as a map, not a tileset or a project"
        )
    orientation = word(whole, "orientation", "orthogonal")
    if orientation != "orthogonal":
        raise whole.wrong(
            f"the map is {shown(orientation)}; only orthogonal maps are read",
            "in Tiled, set Map > Map Properties > Orientation to Orthogonal",
        )
    tile = integer(whole.key("tilewidth"), 1, SIDE), integer(whole.key("tileheight"), 1, SIDE)
    size = None
    if not truth(whole, "infinite", False):
        size = integer(whole.key("width"), 1, limits.SIDE.value), integer(whole.key("height"), 1, limits.SIDE.value)
        fits(size, whole)
    layers = tuple(_layers(whole, True, (0.0, 0.0)))
    if size:
        cells = size[0] * size[1] * sum(layer.kind == "tilelayer" for layer in layers)
        limits.TILED_CELLS.check(cells, f"{file}: the number of cells of all its layers")
    return Map(size, tile, properties(whole), _tilesets(whole, beside), layers, whole, beside)


def fits(size: tuple[int, int], spot: Spot) -> None:
    """Raise if a level cannot be as large."""
    limits.CELLS._replace(raise_by="cut the map into parts").check(
        size[0] * size[1], f"{spot.file}: the number of cells of {size[0]:,}x{size[1]:,}"
    )


def blocks(found: Map, layer: Layer) -> Iterator[tuple[int, int, Gids]]:
    """The cells of a layer, with the place of the first one: all at once, or the chunks of an infinite map."""
    right, down = (math.floor(way / side + 0.5) for way, side in zip(layer.shift, found.tile, strict=True))
    encoding, compression = word(layer.spot, "encoding", "csv"), word(layer.spot, "compression", "")
    if found.size is None:
        for chunk in items(layer.spot, "chunks"):
            x, y = integer(chunk.key("x"), -FAR, FAR), integer(chunk.key("y"), -FAR, FAR)
            size = integer(chunk.key("width"), 1, limits.SIDE.value), integer(chunk.key("height"), 1, limits.SIDE.value)
            fits(size, chunk)
            yield x + right, y + down, tiled_cells.read(chunk.key("data", ""), encoding, compression, *size)
        return
    for side, wanted in zip(("width", "height"), found.size, strict=True):
        if side in layer.spot.value and integer(layer.spot.key(side), 0, limits.SIDE.value) != wanted:
            raise layer.spot.wrong(
                f"its {side} is {layer.spot.value[side]}, that of the map is {wanted}", "save the map anew in Tiled"
            )
    yield right, down, tiled_cells.read(layer.spot.key("data", ""), encoding, compression, *found.size)


def _tilesets(whole: Spot, beside: Beside) -> tuple[Tileset, ...]:
    found: list[Tileset] = []
    told = 0
    for row in items(whole, "tilesets"):
        found.append(_tileset(row, beside))
        told += len(found[-1].tiles)  # a file may be named more than once
        limits.TILED_TILES.check(told, f"{whole.file}: the number of tiles in all its tilesets")
    found.sort(key=lambda tileset: tileset.first)
    for before, after in pairwise(found):
        if before.first + (before.length or 1) > after.first:
            raise whole.wrong(
                f"the tilesets {shown(before.name)} and {shown(after.name)} share the number {after.first}",
                "save the map anew in Tiled",
            )
    return tuple(found)


def _tileset(row: Spot, beside: Beside) -> Tileset:
    first = integer(row.key("firstgid"), 1, limits.TILED_TILES.value)
    source = word(row, "source", "")
    if not source:
        return _described(row, first)
    closed = Tileset(first, None, source.replace("\\", "/").rpartition("/")[2], (), plain(source))
    opened = beside.tileset(source)
    # How many tiles it has may have changed since the map was saved: their numbers go on to the next tileset.
    return (
        closed
        if opened is None
        else _described(opened, first)._replace(length=None, name=closed.name, source=closed.source)
    )


def _described(row: Spot, first: int) -> Tileset:
    """What a tileset says of itself."""
    most = limits.TILED_TILES.value
    tiles = tuple(items(_listed(row), "tiles"))
    last = max((integer(tile.key("id"), 0, most) for tile in tiles), default=-1)
    count = integer(row.key("tilecount"), 0, most) if "tilecount" in row.value else None
    limits.TILED_TILES.check(
        first + max(count or 0, last + 1) - 1,
        f"{row.file}: {f'at {row.path}: ' if row.path else ''}its highest tile number",
    )
    size = number(row, "tilewidth"), number(row, "tileheight")
    pictures = {
        integer(tile.key("id"), 0, most): (number(tile, "imagewidth"), number(tile, "imageheight"))
        for tile in tiles
        if "imagewidth" in tile.value
    }
    hold = HOLDS.get(word(row, "objectalignment", ""), LOWER_LEFT)
    return Tileset(
        first, None if count is None else max(count, last + 1), word(row, "name", ""), tiles, "", size, hold, pictures
    )


def _listed(row: Spot) -> Spot:
    """A tileset whose tiles are a list; before 2018 TMJ had them by their ids, and their properties apart."""
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
        rows[id_] |= {"properties": tile} if tile is (told or {}).get(id_) else tile
    return Spot({**row.value, "tiles": list(rows.values())}, row.path, row.file)


def _layers(spot: Spot, seen: bool, shift: tuple[float, float]) -> Iterator[Layer]:
    """The layers from below, those in groups among them."""
    for row in items(spot, "layers"):
        name = word(row, "name", "")
        here = Spot(row.value, f"layer {shown(name)}", row.file)
        kind = word(here, "type", "")
        visible = truth(here, "visible", True) and seen
        moved = shift[0] + number(here, "offsetx"), shift[1] + number(here, "offsety")
        if kind == "group":
            yield from _layers(here, visible, moved)
        elif kind in ("tilelayer", "objectgroup"):
            yield Layer(name, kind, visible, moved, properties(here), here)


def properties(spot: Spot) -> dict[str, Value]:
    """The properties of something, by their names. Those that are neither a text, nor a number, nor a truth value are
    left out.
    """
    rows = spot.value.get("properties") or {}
    if type(rows) is dict:  # as TMX comes, and as TMJ was before 2018
        named: dict[str, Value] = {name: value for name, value in rows.items() if type(value) in PLAIN}
        finite(Spot(named, f"{spot.path}: properties", spot.file))
        return named
    found: dict[str, Value] = {}
    for row in Spot(rows, f"{spot.path}.properties", spot.file).list():
        if type(row) is not dict or type(row.get("name")) is not str:
            raise spot.wrong(
                f"a property has a name and a value, and is not {shown(row)}", "save the map anew in Tiled"
            )
        name, value = row["name"], row.get("value")
        if name in found:
            raise spot.wrong(f"the property {shown(name)} stands there twice", "keep one of them")
        if (row.get("type", "string"), type(value)) not in AS_IT_IS or (type(value) is str and not value.isascii()):
            value = _typed(Spot(row, f"{spot.path}: property {shown(name)}", spot.file))
        if value is not None:
            found[name] = value
    return found


def _typed(row: Spot) -> Value | None:
    """The value of a property, which may be written as a text; None if it is no text, number or truth value."""
    value, kind = row.key("value"), word(row, "type", "string")
    word(row, "name", "")
    if type(value.value) not in PLAIN:
        return None
    if kind in ("int", "object"):
        return integer(value, -(10**30), 10**30)
    if kind == "float":
        return number(row, "value")
    if kind == "bool":
        return truth(row, "value", False)
    return value.text() if type(value.value) is str else cast(Value, value.value)


def items(spot: Spot, key: str) -> Iterator[Spot]:
    """The objects of a list, if it is there."""
    rows = spot.key(key)
    if rows.value is None:
        return
    for index in range(len(rows.list())):
        row = rows.item(index)
        row.object()
        yield row


def word(spot: Spot, key: str, default: str) -> str:
    """A text, if it is there."""
    value = spot.value.get(key)
    if type(value) is str and value.isascii():  # most are
        return value
    return default if value is None else spot.key(key).text()


def integer(spot: Spot, low: int, high: int) -> int:
    """A whole number, or a text that is one."""
    value = spot.value
    if type(value) is str and len(value) <= LONGEST:
        try:
            value = int(value)
        except ValueError:
            value = spot.value
    if type(value) is float and value.is_integer():
        value = int(value)
    if value is None:
        raise spot.wrong("a whole number is missing here", "save the map anew in Tiled")
    return Spot(value, spot.path, spot.file).whole(low, high)


def number(spot: Spot, key: str, default: float = 0.0) -> float:
    """A finite number, or a text that is one, if it is there."""
    value = spot.value.get(key)
    if value is None:
        return default
    if type(value) is str and len(value) <= LONGEST:
        try:
            value = float(value)
        except ValueError:
            value = spot.value[key]
    if type(value) not in (int, float) or not -sys.float_info.max <= value <= sys.float_info.max:
        raise spot.key(key).wrong(f"a number belongs here, not {shown(value)}", "save the map anew in Tiled")
    return float(value)


def truth(spot: Spot, key: str, default: bool) -> bool:
    """A truth value, or a text that is one, if it is there."""
    value = spot.value.get(key)
    if value is None:
        return default
    if type(value) in (list, dict, float) or value not in TRUTHS:
        guess = nearest(value, ("true", "false")) if type(value) is str else ""
        raise spot.key(key).wrong(
            f"true or false belongs here, not {shown(value)}",
            f"did you mean {guess!r}?" if guess else "write true or false",
        )
    return TRUTHS[value]
