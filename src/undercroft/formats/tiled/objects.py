"""Read the objects of a map of Tiled: place, shape, type and properties of each."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from undercroft import limits
from undercroft.core.level import Point
from undercroft.core.region import Thing
from undercroft.core.thing_data import NO_DATA, ThingData
from undercroft.errors import BadInput
from undercroft.formats.shared import checked
from undercroft.formats.shared.role_names import END_WORDS, START_WORDS, split_words
from undercroft.formats.tiled.cells import TURN_BITS
from undercroft.formats.tiled.checked_map import (
    LOWER_LEFT,
    TiledLayer,
    TiledMap,
    Value,
    optional_text,
    read_boolean,
    read_integer,
    read_items,
    read_number,
    read_properties,
)
from undercroft.formats.tiled.external_files import (
    MAX_NAME_LENGTH,
    ObjectTemplate,
    normalise_path,
    resolve_from_template,
)
from undercroft.formats.tiled.shapes import Corners, cosine_and_sine, ellipse_corners, rectangle_corners, turned
from undercroft.formats.tiled.thing_data import BRACKETS, parse_lists
from undercroft.inputs.json import format_json
from undercroft.inputs.values import CheckedValue, quote_name

SHAPES = ("polygon", "polyline", "ellipse", "point")
INHERITED_KEYS = ("name", "type", "class", "width", "height", "rotation", "gid", "visible", "text", *SHAPES)
"""The keys that an object inherits from its template, besides its properties."""


class TiledObject(NamedTuple):
    """An object. Its place and size are in cells, and may have fractions. It rotates about its place."""

    id: int
    name: str
    type: str
    x: float
    y: float
    width: float
    height: float
    properties: Mapping[str, Value]
    gid: int
    """The number of its tile, 0 for none."""
    text: str
    tile: Point
    """The pixels of a cell, across and down."""
    hold: tuple[float, float]
    """Its anchor, as shares of its width and height."""
    rotation: float
    """Its rotation about its place, in degrees clockwise."""
    spot: CheckedValue

    @property
    def cell(self) -> Point:
        """The cell of its middle; for an object larger than a cell, the cell of its upper left corner."""
        if not self.rotation:
            x, y = self.corner
            return math.floor(x + min(self.width, 1) / 2), math.floor(y + min(self.height, 1) / 2)
        across, down = self.tile
        [[x, y]] = self._to_cells(
            np.array([[(0.5 - self.hold[0]) * self.width * across, (0.5 - self.hold[1]) * self.height * down]])
        ).tolist()
        cosine, sine = map(abs, cosine_and_sine(self.rotation))
        wide, high = max(self.width - 1, 0) * across, max(self.height - 1, 0) * down
        return math.floor(x - (wide * cosine + high * sine) / across / 2), math.floor(
            y - (wide * sine + high * cosine) / down / 2
        )

    @property
    def corner(self) -> tuple[float, float]:
        """The upper left corner of its box before rotation, in cells."""
        return self.x - self.hold[0] * self.width, self.y - self.hold[1] * self.height

    @property
    def points(self) -> Corners:
        """The corners of a line or polygon, in cells; no rows for other shapes."""
        return self._to_cells(_read_points(self.spot))

    @property
    def shape(self) -> str:
        """`polygon`, `polyline`, `ellipse`, `point` or, by default, `rectangle`."""
        value = self.spot.value
        return next(
            (shape for shape in SHAPES if value.get(shape) not in (None, False)),
            "rectangle",
        )

    @property
    def outline(self) -> Corners:
        """Its corners in cells; no rows if it has no area."""
        if self.shape == "polygon":
            points = self.points
            return points if len(points) > 2 else points[:0]
        width, height = self.width * self.tile[0], self.height * self.tile[1]
        if self.shape in ("polyline", "point") or not (width and height):
            return np.zeros((0, 2))
        if self.shape == "ellipse":
            return self._to_cells(ellipse_corners(width, height))
        return self._to_cells(rectangle_corners(-self.hold[0] * width, -self.hold[1] * height, width, height))

    @property
    def box(self) -> tuple[int, int, int, int]:
        """Its box in whole cells: x, y, width, height."""
        left, top = self.corner
        sides = [left, top, left + self.width, top + self.height]
        if (self.rotation or self.shape == "polygon") and len(outline := self.outline):
            sides = [*outline.min(axis=0).tolist(), *outline.max(axis=0).tolist()]
        x, y, right, bottom = (math.floor(side + 0.5) for side in sides)
        return x, y, right - x, bottom - y

    def _to_cells(self, points: Corners) -> Corners:
        """Convert points in pixels from its place to cells of the map, with its rotation."""
        return turned(points, self.rotation) / self.tile + (self.x, self.y)


def read_objects(found: TiledMap, layer: TiledLayer) -> Iterator[TiledObject]:
    """The objects of a layer, in order."""
    across, down = found.tile
    right, lower = layer.shift
    for row in read_items(layer.spot, "objects"):
        here = layer.spot.replaced(row.value, f": object {row.value.get('id')!a:.20}")
        told: ThingData = NO_DATA
        if here.value.get("template"):
            here, told = _apply_template(found, here)
        value = here.value
        x, y, width, height = (
            _read_coordinate(here, key) if key in value else 0.0 for key in ("x", "y", "width", "height")
        )
        gid = read_integer(here.key("gid"), 0, 0xFFFFFFFF) & ~TURN_BITS if "gid" in value else 0
        hold = 0.0, 0.0
        if "gid" in value:
            hold, width, height = _measure_tile(found, gid, width, height)
        yield TiledObject(
            id=read_integer(here.key("id"), 0, limits.TILED_DISTANCE.value) if "id" in value else 0,
            name=optional_text(here, "name", ""),
            type=optional_text(here, "type", "") or optional_text(here, "class", ""),
            x=(x + right) / across,
            y=(y + lower) / down,
            width=max(width, 0.0) / across,
            height=max(height, 0.0) / down,
            properties={**told, **read_properties(here)} if "properties" in value else told,
            gid=gid,
            text=_read_text(here) if "text" in value else "",
            tile=found.tile,
            hold=hold,
            rotation=read_number(here, "rotation") % 360.0 if "rotation" in value else 0.0,
            spot=here,
        )


def _measure_tile(found: TiledMap, gid: int, width: float, height: float) -> tuple[tuple[float, float], float, float]:
    """The anchor of a tile object, and its width and height; the tileset gives those that an older file lacks."""
    tileset = found.find_tileset(gid)
    sizes = tileset.tile_size(gid) if tileset else (0.0, 0.0)
    width, height = (said or own or cell for said, own, cell in zip((width, height), sizes, found.tile, strict=True))
    return tileset.hold if tileset else LOWER_LEFT, width, height


def _apply_template(found: TiledMap, here: CheckedValue) -> tuple[CheckedValue, ThingData]:
    """An object merged with its template, and the properties that it inherits."""
    name = optional_text(here, "template", "")
    templates, path = found.beside.templates, normalise_path(name)
    if path not in templates:
        templates[path] = _read_template(found, name)
    template = templates[path]
    if template is None:
        return here, NO_DATA
    found.beside.count_inherited(template)
    return here.replaced({**template.values, **here.value}, f", with {quote_name(name)}"), template.properties


def _read_template(found: TiledMap, name: str) -> ObjectTemplate | None:
    """The template of that name; None if it cannot be opened."""
    opened = found.beside.open_template(name)
    if opened is None:
        return None
    held = opened.key("object")
    table = held.table()
    values = checked.check_finite(held.replaced({key: table[key] for key in INHERITED_KEYS if key in table}))
    properties = _freeze_properties(read_properties(held), held)
    letters = len(format_json([values, properties]))
    if "gid" in values:
        values["gid"] = _find_map_gid(found, opened, read_integer(held.key("gid"), 0, 0xFFFFFFFF) & ~TURN_BITS, name)
    return ObjectTemplate(values, properties, letters)


def _find_map_gid(found: TiledMap, opened: CheckedValue, gid: int, name: str) -> int:
    """The number that a tile of a template has in the map; 0 if the map does not name its tileset."""
    sheet = opened.key("tileset", {})
    sheet.table()
    source = resolve_from_template(name, optional_text(sheet, "source", ""))
    for tileset in found.tilesets:
        if tileset.source == source:
            return tileset.first + gid - read_integer(sheet.key("firstgid", 1), 1, limits.TILED_DISTANCE.value)
    found.beside.closed[source[:MAX_NAME_LENGTH]] = f"the template {quote_name(name)} names it, the map does not"
    return 0


def _read_coordinate(here: CheckedValue, key: str) -> float:
    value = read_number(here, key)
    if not -limits.TILED_DISTANCE.value < value < limits.TILED_DISTANCE.value:
        raise here.key(key).error(f"{quote_name(value)} is too far away", "move the object back to the map")
    return value


def _read_text(here: CheckedValue) -> str:
    """The text of a text object; TMJ nests it in another object."""
    text = here.value["text"]
    return (
        optional_text(here.at("text").replaced(text), "text", "")
        if type(text) is dict
        else optional_text(here, "text", "")
    )


def _read_points(here: CheckedValue) -> Corners:
    """The corners of a line or polygon, in pixels from its place: a text in TMX, a list of objects in TMJ."""
    key = "polygon" if "polygon" in here.value else "polyline"
    rows: Any = here.value.get(key, "")
    try:
        if isinstance(rows, str):
            found = np.array(rows.replace(",", " ").split(), np.float64).reshape(-1, 2)
        else:
            found = np.array([(row["x"], row["y"]) for row in rows], np.float64).reshape(-1, 2)
    except (ValueError, TypeError, KeyError, OverflowError):
        raise here.key(key).error("the corners are not pairs of numbers", "save the map again in Tiled") from None
    if not (np.abs(found) < limits.TILED_DISTANCE.value).all():
        raise here.key(key).error("a corner is too far away", "move it back to the map")
    return found


def build_thing(found: TiledObject, shift: Point = (0, 0), tile: str = "", *, lists: bool = False) -> Thing:
    """An object as a thing: its kind is its type, else the type of its tile, else its name. If the map holds `lists`,
    each property with the JSON text of one is one, although Tiled may have dropped its type.
    """
    data = found.properties
    if lists and any(isinstance(value, str) and value.startswith(BRACKETS) for value in data.values()):
        data = {
            name: parse_lists(value) if isinstance(value, str) and name != "data" else value
            for name, value in data.items()
        }
    kind = found.type or tile or found.name or ("note" if found.text else "thing")
    if found.name and (found.type or tile):
        data = {"name": found.name, **data}
    if found.text and "text" not in data:
        data = {**data, "text": found.text}
    if isinstance(data.get("data"), str):
        rest = {name: value for name, value in data.items() if name != "data"}
        data = rest | _parse_data(found, str(data["data"]), lists)
    return Thing(
        kind, found.cell[0] - shift[0], found.cell[1] - shift[1], _freeze_properties(data, found.spot.at("properties"))
    )


def _freeze_properties(values: Mapping[str, Any], spot: CheckedValue) -> ThingData:
    """Properties as the data of a thing. Raises if one is not what data may hold."""
    return checked.read_thing_data(spot.replaced(values))


def _parse_data(found: TiledObject, said: str, lists: bool) -> dict[str, Any]:
    """The values that could not be properties, from the JSON in the property `data`. In foreign maps `data` may be any
    text, and stays as it is.
    """
    held = parse_lists(said)
    if isinstance(held, dict):
        try:
            return _freeze_properties(held, found.spot.at("data"))
        except BadInput:
            if lists:
                raise
    return {"data": said}


def detect_end(found: TiledObject) -> str:
    """Whether an object marks the start or the end; empty if neither.

    Its type or its name decides: `start`, `spawn`, `player`; `end`, `exit`, `goal`.
    """
    said = {" ".join(split_words(found.type)), " ".join(split_words(found.name))}
    return "start" if said & START_WORDS else "end" if said & END_WORDS else ""


def is_visible(found: TiledObject) -> bool:
    """Whether it is visible."""
    return read_boolean(found.spot, "visible", True)
