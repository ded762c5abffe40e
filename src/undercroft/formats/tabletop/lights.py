"""Lights for tabletops: at every flame of the picture, or one in the middle of each room."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from undercroft.analysis.flames import LAMP, find_flame
from undercroft.analysis.regions import infer_regions
from undercroft.analysis.survey import surveyed
from undercroft.core.level import Level
from undercroft.core.region import REGION_KINDS
from undercroft.draw.styles.pixels.wall_flames import find_wall_flames
from undercroft.draw.styles.table import resolve_parts, select_things
from undercroft.errors import unknown_name_error
from undercroft.formats.tabletop.wall_depth import NO_DEPTH, WallDepth

LIGHT_SOURCES = ("things", "rooms", "none")
"""The sources of lights."""
FLAME_STYLES = ("pixels",)
"""The styles that add torches and candles to rooms."""
FLAME_HEIGHT, FOOT_GAP = 0.6, 0.05
"""The height of a torch's flame above the foot of its wall, and the least distance of a light from a wall, in cells."""
ROOM_LIGHT = 4.0
"""The radius of bright light of a room in cells; a larger room gets a wider one, up to twice as wide."""


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


def list_lights(
    level: Level, way: str = "things", *, style: str = "", hide: Iterable[str] = (), depth: WallDepth = NO_DEPTH
) -> list[Light]:
    """The lights of a level: at the flames of its things and those that the style adds to its picture, or in its rooms.

    The level is the one that the picture shows; hidden things give no light. `depth` is how far tokens see into rock:
    the lights of torches on walls stand in front of the line.

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
            Light(x + 0.5, y + 0.5, _bright_cells(areas[label - 1]), LAMP)
            for _, label, x, y in find_room_middles(known)
        ]
    if way == "none":
        return []
    if not style:
        return _list_fires(level)
    drawn, parts = select_things(infer_regions.add_regions(level), resolve_parts(style, hide=hide))
    fires = _list_fires(drawn) if "things" in parts else []
    return [*fires, *_list_wall_flames(drawn, depth)] if style in FLAME_STYLES else fires


def _list_fires(level: Level) -> list[Light]:
    closed = level.palette.rock
    found = []
    for thing in level.things:
        flame = find_flame(thing)
        if flame is not None and not closed[level.tiles[thing.y, thing.x]]:
            width, height = (
                size if isinstance(size := thing.data.get(side), int) else 1 for side in ("width", "height")
            )
            found.append(Light(thing.x + width / 2, thing.y + height / 2, *flame))
    return found


def _list_wall_flames(level: Level, depth: WallDepth) -> list[Light]:
    """The torches and candles that the picture adds. A torch hangs on the rock above its cell."""
    found = []
    for flame in find_wall_flames(level):
        raised = min(FLAME_HEIGHT * flame.size, depth.face - FOOT_GAP * flame.size) if flame.hangs else 0.0
        found.append(Light(round(flame.x, 3), round(flame.y - raised, 3), *flame.flame))
    return found


def _bright_cells(area: int) -> float:
    """Half the side of a square room of that area, within limits."""
    least, most = int(ROOM_LIGHT), int(2 * ROOM_LIGHT)
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
