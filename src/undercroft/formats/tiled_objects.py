"""The objects of a map of Tiled: where each stands, what it is, and what it says of itself."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.core.level import Point
from undercroft.core.region import Thing
from undercroft.errors import BadInput
from undercroft.formats import checked, guard
from undercroft.formats.checked import Spot, shown
from undercroft.formats.tiled_cells import TURNED
from undercroft.formats.tiled_map import FAR, Layer, Map, Value, integer, items, number, properties, truth, word
from undercroft.formats.tiled_words import END, START, words


class Object(NamedTuple):
    """An object. Its place and size are in cells, and may have fractions."""

    id: int
    name: str
    type: str
    x: float
    y: float
    width: float
    height: float
    properties: dict[str, Value]
    gid: int
    """The number of its tile, 0 for none."""
    text: str
    tile: Point
    """How many pixels a cell has, across and down."""
    spot: Spot

    @property
    def cell(self) -> Point:
        """The cell it stands on; of a larger one, that in its upper left corner."""
        return math.floor(self.x + min(self.width, 1) / 2), math.floor(self.y + min(self.height, 1) / 2)

    @property
    def points(self) -> NDArray[np.float64]:
        """The corners of a line or polygon, in cells; no rows if it is none."""
        return _points(self.spot) / self.tile + (self.x, self.y)

    @property
    def box(self) -> tuple[int, int, int, int]:
        """Its box in whole cells: x, y, width, height."""
        low, high = np.array([self.x, self.y]), np.array([self.x + self.width, self.y + self.height])
        if "polygon" in self.spot.value and len(self.points):
            low, high = self.points.min(axis=0), self.points.max(axis=0)
        x, y, right, bottom = (math.floor(side + 0.5) for side in (*low.tolist(), *high.tolist()))
        return x, y, right - x, bottom - y


def objects(found: Map, layer: Layer) -> Iterator[Object]:
    """The objects of a layer, in the order they have there."""
    across, down = found.tile
    right, lower = layer.shift
    for row in items(layer.spot, "objects"):
        value = row.value
        here = Spot(value, f"{layer.spot.path}: object {value.get('id')!a:.20}", row.file)
        x, y, width, height = (_place(here, key) if key in value else 0.0 for key in ("x", "y", "width", "height"))
        height = max(height, 0.0)
        yield Object(
            id=integer(here.key("id"), 0, FAR) if "id" in value else 0,
            name=word(here, "name", ""),
            type=word(here, "type", "") or word(here, "class", ""),
            x=(x + right) / across,
            y=(y + lower - (height if "gid" in value else 0.0)) / down,  # the place of a tile is its lower left corner
            width=max(width, 0.0) / across,
            height=height / down,
            properties=properties(here) if "properties" in value else {},
            gid=integer(here.key("gid"), 0, 0xFFFFFFFF) & ~TURNED if "gid" in value else 0,
            text=_text(here) if "text" in value else "",
            tile=found.tile,
            spot=here,
        )


def _place(here: Spot, key: str) -> float:
    value = number(here, key)
    if not -FAR < value < FAR:
        raise here.key(key).wrong(f"{shown(value)} is too far away", "move the object back to the map")
    return value


def _text(here: Spot) -> str:
    """The text of an object that is one: TMJ has it within another object."""
    text = here.value["text"]
    return word(Spot(text, f"{here.path}.text", here.file), "text", "") if type(text) is dict else word(here, "text", "")


def _points(here: Spot) -> NDArray[np.float64]:
    """The corners of a line or polygon, in pixels from its place: a text in TMX, a list of objects in TMJ."""
    key = "polygon" if "polygon" in here.value else "polyline"
    rows: Any = here.value.get(key, "")
    try:
        if isinstance(rows, str):
            found = np.array(rows.replace(",", " ").split(), np.float64).reshape(-1, 2)
        else:
            found = np.array([(row["x"], row["y"]) for row in rows], np.float64).reshape(-1, 2)
    except (ValueError, TypeError, KeyError, OverflowError):
        raise here.key(key).wrong("the corners are not pairs of numbers", "save the map anew in Tiled") from None
    if not (np.abs(found) < FAR).all():
        raise here.key(key).wrong("a corner is too far away", "move it back to the map")
    return found


def thing(found: Object, shift: Point = (0, 0), tile: str = "") -> Thing:
    """An object as a thing: its kind is its type, else that of its tile, else its name."""
    data: dict[str, Value] = dict(found.properties)
    kind = found.type or tile or found.name or ("note" if found.text else "thing")
    if found.name and (found.type or tile):
        data = {"name": found.name, **data}
    if found.text:
        data.setdefault("text", found.text)
    if isinstance(data.get("data"), str):
        data |= _kept(found, str(data.pop("data")))
    return Thing(kind, found.cell[0] - shift[0], found.cell[1] - shift[1], data)


def _kept(found: Object, said: str) -> dict[str, Value]:
    """What could not be a property, out of the JSON in the property `data`; that of others may be any text, and stays what it is."""
    try:
        held = guard.parsed(said.encode(), found.spot.file) if said.startswith("{") else None
        checked.finite(Spot(held, "data", found.spot.file))
    except BadInput:
        held = None
    plain = isinstance(held, dict) and all(type(value) in (str, int, float, bool) for value in held.values())
    return dict(held) if isinstance(held, dict) and plain else {"data": said}


def which_end(found: Object) -> str:
    """Whether an object marks the start or the end of the way.

    Its type says so, or its name: `start`, `spawn`, `player`; `end`, `exit`, `goal`.
    """
    said = {" ".join(words(found.type)), " ".join(words(found.name))}
    return "start" if said & START else "end" if said & END else ""


def is_shown(found: Object) -> bool:
    """Whether it is seen."""
    return truth(found.spot, "visible", True)
