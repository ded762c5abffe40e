"""Lights for tabletops: at fires, or one in the middle of each room."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from undercroft.analysis.survey import surveyed
from undercroft.core.level import Level
from undercroft.core.region import REGION_KINDS
from undercroft.errors import unknown_name_error

LIGHT_SOURCES = ("things", "rooms", "none")
"""The sources of lights."""
FIRE, CANDLE, LAMP = "ffb45e", "ffd9a0", "ffe2b0"
"""Colours as rrggbb."""
BURNING_KINDS: dict[str, tuple[float, str]] = {
    "torch": (4, FIRE),
    "torches": (4, FIRE),
    "brazier": (6, FIRE),
    "campfire": (5, FIRE),
    "fire": (5, FIRE),
    "bonfire": (8, FIRE),
    "hearth": (5, FIRE),
    "fireplace": (5, FIRE),
    "forge": (4, FIRE),
    "stove": (2, FIRE),
    "lamp": (4, LAMP),
    "lantern": (6, LAMP),
    "chandelier": (8, LAMP),
    "candle": (2, CANDLE),
    "candles": (2, CANDLE),
    "candelabrum": (3, CANDLE),
}
"""Kinds of things that give light: the radius of bright light in cells, and the colour. As much again is dim."""
ROOM_LIGHT = (4.0, LAMP)
"""The light of a room; a larger room gets a wider one, up to twice as wide."""


class Light(NamedTuple):
    """A light: its middle in cells, the radius of bright light in cells, and its colour."""

    x: float
    y: float
    bright: float
    colour: str


class RoomMiddle(NamedTuple):
    """A room's number on maps, its label, and the cell nearest to its middle."""

    number: int
    label: int
    x: int
    y: int


def list_lights(level: Level, way: str = "things") -> list[Light]:
    """The lights of a level, from its things or its rooms.

    >>> from undercroft.core.region import Thing
    >>> level = Level.parse("#11.#")
    >>> list_lights(Level(level.tiles, things=[Thing("torch", 1, 0), Thing("rat", 2, 0)]))
    [Light(x=1.5, y=0.5, bright=4, colour='ffb45e')]
    >>> list_lights(level, "rooms")
    [Light(x=1.5, y=0.5, bright=4.0, colour='ffe2b0')]
    """
    if way not in LIGHT_SOURCES:
        raise unknown_name_error("kind of lights", str(way), LIGHT_SOURCES)
    if way == "rooms":
        known = ensure_rooms(level)
        areas = known.regions.table["area"].tolist()
        return [
            Light(x + 0.5, y + 0.5, _bright_cells(areas[label - 1]), ROOM_LIGHT[1])
            for _, label, x, y in find_room_middles(known)
        ]
    return _list_fires(level) if way == "things" else []


def _list_fires(level: Level) -> list[Light]:
    closed = level.palette.rock
    found = []
    for thing in level.things:
        if thing.kind in BURNING_KINDS and not closed[level.tiles[thing.y, thing.x]]:
            width, height = (
                size if isinstance(size := thing.data.get(side), int) else 1 for side in ("width", "height")
            )
            found.append(Light(thing.x + width / 2, thing.y + height / 2, *BURNING_KINDS[thing.kind]))
    return found


def _bright_cells(area: int) -> float:
    """Half the side of a square room of that area, within limits."""
    least, most = int(ROOM_LIGHT[0]), int(2 * ROOM_LIGHT[0])
    return float(next((half for half in range(least, most) if 4 * half * half >= area), most))


def ensure_rooms(level: Level) -> Level:
    """The level, surveyed first if it has no regions."""
    return level if len(level.regions) else surveyed(level)


def find_room_middles(level: Level) -> list[RoomMiddle]:
    """For each room with walkable cells, in the order of their numbers, its cell nearest to the middle of its box.

    >>> find_room_middles(Level.parse("11.222"))
    [RoomMiddle(number=1, label=1, x=0, y=0), RoomMiddle(number=2, label=2, x=4, y=0)]
    """
    table, labels = level.regions.table, level.regions.labels
    rooms = table["kind"] != REGION_KINDS.index("corridor")
    numbers = np.cumsum(rooms).tolist()
    y, x = np.nonzero(np.concatenate([[False], rooms])[labels] & level.walkable)
    owner = labels[y, x]
    box = table[owner - 1]
    off = np.abs(2 * x + 1 - (2 * box["x"] + box["width"])) + np.abs(2 * y + 1 - (2 * box["y"] + box["height"]))
    order = np.lexsort((x, y, off, owner))
    first = order[np.flatnonzero(np.diff(owner[order], prepend=0))]
    return [
        RoomMiddle(numbers[owner[cell] - 1], int(owner[cell]), int(x[cell]), int(y[cell])) for cell in first.tolist()
    ]
