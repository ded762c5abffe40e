"""The legend of a map: an entry for each sign that is on it, and for no other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from undercroft.core.level import Level
from undercroft.core.palette import Tile
from undercroft.draw.view.level_view import ROOM_SIGNS, LevelView
from undercroft.draw.view.symbols import Sign, box, door_sign, pillar_sign, pit_sign, stair_sign, water_sign
from undercroft.draw.view.thing_symbols import badge_sign, drawn_kind, room_sign, thing_group, thing_sign
from undercroft.draw.view.tint import distances_from_start
from undercroft.wording import plural, shorten

MAX_THING_SIGNS = 200
"""The maximum number of signs of things in a legend."""
MAX_TILE_SWATCHES, MAX_TILE_NAME = 32, 40
"""The maximum number of tiles with a colour of their own in a legend, and of letters of their names."""
FIRST_GROUPS = ("monster", "loot")
"""Groups of things that come first."""


class LegendEntry(NamedTuple):
    """A sign centred on (0, 0), and its name."""

    word: str
    sign: Sign
    custom: bool = False
    """Whether it names a tile with a colour of its own."""


def colour_swatch(colour: str) -> Sign:
    """A box of a colour."""
    return [box(-0.4, -0.32, 0.4, 0.32, colour, 0.05)]


def list_legend_entries(
    plan: LevelView,
    shown: frozenset[str],
    swatch: Callable[[Tile], Sign] = lambda tile: colour_swatch(tile.colour),
) -> list[LegendEntry]:
    """The legend of a level. `swatch` gives the sign of a tile with a colour of its own.

    >>> from undercroft.core.level import Level
    >>> [entry.word for entry in list_legend_entries(LevelView(Level.parse("#<.+.~#")), frozenset({"things"}))]
    ['door', 'stairs up', 'water']
    """
    found: list[LegendEntry] = []
    states = {(door.state, bool(door.to)) for door in plan.doors}
    found += [LegendEntry(word, door_sign(state)) for state, word in DOOR_WORDS.items() if (state, False) in states]
    if any(one_way for _, one_way in states):
        found.append(LegendEntry("one-way door", door_sign("closed", one_way=True)))
    found += [
        LegendEntry(word, stair_sign(up=up))
        for word, up in (("stairs up", True), ("stairs down", False))
        if any(stair.up == up for stair in plan.stairs)
    ]
    if len(plan.pillar_centres):
        found.append(LegendEntry("pillar", pillar_sign(0, 0)))
    if any(not body.colour for body in plan.water_bodies):
        found.append(LegendEntry("water", water_sign()))
    if any(not body.colour for body in plan.pit_bodies):
        found.append(LegendEntry("pit", pit_sign()))
    found += _list_tile_entries(plan, swatch)
    if "things" in shown:
        found += _list_thing_entries(plan)
    return [entry._replace(sign=_centred(entry.sign)) for entry in found]


def list_scale_entries(level: Level, shown: frozenset[str], colours: Sequence[str]) -> list[LegendEntry]:
    """The meaning of the distance colours, from near to far, if they are on the map.

    >>> from undercroft.core.level import Level
    >>> [entry.word for entry in list_scale_entries(Level.parse("#<...#"), frozenset({"heat"}), ["#ffffff", "#a5452c"])]
    ['0 to 3 squares from the start']
    """
    if "heat" not in shown or level.start is None or not level.walkable[level.start[1], level.start[0]]:
        return []
    ends = np.linspace(-0.5, 0.5, len(colours) + 1).tolist()
    strips = [
        box(left, -0.3, right, 0.3, fill=colour, width=0)
        for left, right, colour in zip(ends[:-1], ends[1:], colours, strict=True)
    ]
    farthest = int(distances_from_start(level).max())
    return [
        LegendEntry(
            f"0 to {plural(farthest, 'square')} from the start",
            [*strips, box(-0.5, -0.3, 0.5, 0.3, fill="")],
        )
    ]


def _list_tile_entries(plan: LevelView, swatch: Callable[[Tile], Sign]) -> list[LegendEntry]:
    """The tiles with a colour of their own; if there are too many, those with the most cells, and the number of the
    rest.
    """
    tiles = plan.coloured_tiles
    if len(tiles) > MAX_TILE_SWATCHES:
        counts = [int(np.count_nonzero(each.cells)) for each in tiles]
        least = sorted(counts, reverse=True)[MAX_TILE_SWATCHES - 1]
        tiles = [each for each, count in zip(tiles, counts, strict=True) if count >= least][:MAX_TILE_SWATCHES]
    found = [LegendEntry(shorten(tile.name, MAX_TILE_NAME), swatch(tile), custom=True) for tile, _ in tiles]
    left = len(plan.coloured_tiles) - len(tiles)
    return [*found, LegendEntry(f"and {plural(left, 'more tile')}", [], custom=True)] if left else found


def _list_thing_entries(plan: LevelView) -> list[LegendEntry]:
    """Monsters, loot, then other things, each group by name. Of more than MAX_THING_SIGNS kinds the most frequent ones,
    and the number of the rest.
    """
    groups = {drawn_kind(thing): thing_group(thing) for thing in plan.things}
    counted = Counter(drawn_kind(thing) for thing in plan.things)
    if len(plan.pillar_centres):
        counted.pop("pillar", None)  # the tile has the same sign
    often = sorted(counted, key=lambda kind: (-counted[kind], kind))[:MAX_THING_SIGNS]
    ranks = {group: rank for rank, group in enumerate(FIRST_GROUPS)}
    found = []
    for kind in sorted(often, key=lambda kind: (ranks.get(groups[kind], len(ranks)), kind)):
        badge = plan.badges.get(kind, "")
        sign = thing_sign(kind, groups[kind]) + (badge_sign(badge) if badge else [])
        found.append(LegendEntry(shorten(kind, MAX_TILE_NAME), sign))
    left = len(counted) - len(often)
    return [*found, LegendEntry(f"and {left} more", [])] if left else found


def list_room_entries(plan: LevelView) -> list[LegendEntry]:
    """The signs of special rooms that are on the map."""
    tags = {tag for label in plan.labels if label.room_sign for tag in label.tags}
    return [
        LegendEntry(f"{tag} room", room_sign(sign))
        for tag, sign in ROOM_SIGNS.items()
        if tag in tags and sign in {label.room_sign for label in plan.labels}
    ]


def _centred(sign: Sign) -> Sign:
    """The sign with its centre at (0, 0): some things hang on the wall behind them."""
    if not sign:
        return sign
    points = np.concatenate([line for part in sign for line in part.lines])
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    return [part._replace(lines=[line - middle for line in part.lines]) for part in sign]


DOOR_WORDS = {"open": "open door", "closed": "door", "locked": "locked door", "secret": "secret door"}
