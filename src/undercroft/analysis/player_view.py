"""The view of a level for players: it leaves out what they have to discover."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis.flames import FLAMES, LIT, has_gone_out
from undercroft.analysis.sealed_rooms import Cells, drop_regions, fill_with_rock, find_sealed_cells
from undercroft.core.custom_tiles import rock_behind_secrets
from undercroft.core.level import Level, Point
from undercroft.core.palette import DOOR_ROLES, Palette
from undercroft.core.region import DOOR_STATES, LINK_KINDS, Regions, Thing, view_doors, view_links

VISIBLE_DATA = ("group", "facing", "blocks", "width", "height", LIT)
"""The keys of a thing's data that are visible at a glance; `room` is the region that it stands in."""
FURNITURE_GROUP = "prop"
"""The group of furniture."""


def for_players(level: Level, *, secret_rooms: bool = False) -> Level:
    """The level without its secrets. Secret doors become wall, locked doors become ordinary doors.

    Of the things only furniture stays, without its contents. Names, tags, the path and the provenance are left out.
    Stairs stay, and there are some where players come in and where the way through ends. What only secret doors lead
    to becomes rock, unless `secret_rooms` is set: a virtual tabletop hides what no token sees, and needs these rooms
    once the door is found.

    >>> level = Level.parse('''
    ...     ###########
    ...     #<.L..S...#
    ...     ###########
    ... ''')
    >>> print(for_players(level))
    ###########
    #<.+..#####
    ###########
    >>> print(for_players(level, secret_rooms=True))
    ###########
    #<.+..#...#
    ###########
    """
    table = level.doors.table
    secret = table["state"] == DOOR_STATES.index("secret")
    hidden = level.palette.role_mask("secret")[level.tiles]
    hidden[table["y"][secret], table["x"][secret]] = True
    sealed = np.zeros_like(hidden) if secret_rooms else find_sealed_cells(level, hidden)
    kept = ~(secret | sealed[table["y"], table["x"]])
    doors = table[kept].copy()
    doors["state"][doors["state"] == DOOR_STATES.index("locked")] = DOOR_STATES.index("closed")
    regions, labels = drop_regions(level.regions, sealed)
    links = _known_links(level.links.table, kept)
    if sealed.any() and len(level.regions):
        for end in ("a", "b"):
            doors[end] = labels[doors[end]]
            links = links[(links[end] == 0) | (labels[links[end]] > 0)]
            links[end] = labels[links[end]]
    return Level(
        _visible_tiles(level, hidden, sealed),
        level.palette,
        regions=Regions(regions.labels, regions.table),
        doors=view_doors(doors),
        links=view_links(links),
        things=_furniture([thing for thing in level.things if not sealed[thing.y, thing.x]], labels),
    )


def is_furniture(thing: Thing) -> bool:
    """Whether players see the thing at a glance: it is furniture, or burns and is nothing else.

    >>> is_furniture(Thing("bed", 1, 1, {"group": "prop"})), is_furniture(Thing("torch", 1, 1))
    (True, True)
    >>> is_furniture(Thing("key", 1, 1)), is_furniture(Thing("lantern", 1, 1, {"group": "loot"}))
    (False, False)
    """
    group = thing.data.get("group", FURNITURE_GROUP if thing.kind in FLAMES else "")
    return bool(group == FURNITURE_GROUP)


def _visible_tiles(level: Level, hidden: Cells, sealed: Cells) -> NDArray[np.uint8]:
    palette = level.palette
    tiles = rock_behind_secrets(level.tiles, palette, hidden).copy()
    door = _first_tile(palette, "door")
    if door is not None:
        tiles[palette.role_mask("locked")[level.tiles]] = door
    for role, point in (("entry", level.start), ("exit", level.end)):
        _put_stairs(tiles, palette, role, point)
    return fill_with_rock(tiles, palette, sealed)


def _put_stairs(tiles: NDArray[np.uint8], palette: Palette, role: str, point: Point | None) -> None:
    """Put stairs where there are none yet, unless there is a door."""
    stairs = _first_tile(palette, role)
    if (
        stairs is not None
        and point is not None
        and not palette.role_mask("entry", "exit", *DOOR_ROLES)[tiles[point[1], point[0]]]
    ):
        tiles[point[1], point[0]] = stairs


def _first_tile(palette: Palette, *roles: str) -> int | None:
    """The first tile with one of these roles, in the order of the roles."""
    return next((palette.role(role) for role in roles if role in palette.roles), None)


def _known_links(table: NDArray[np.void], known: NDArray[np.bool_]) -> NDArray[np.void]:
    """The links without secret ones and those through unknown doors, with the new numbers of doors; locks are left
    out.
    """
    hidden = np.append(~known, False)[table["door"]] | (table["kind"] == LINK_KINDS.index("secret"))
    kept: NDArray[np.void] = table[~hidden].copy()
    kept["door"] = np.append(np.cumsum(known) - 1, -1)[kept["door"]]
    kept["kind"][kept["kind"] == LINK_KINDS.index("locked")] = LINK_KINDS.index("door")
    return kept


def _furniture(things: Iterable[Thing], labels: NDArray[np.int32]) -> list[Thing]:
    return [thing._replace(data=_visible_data(thing, labels)) for thing in things if is_furniture(thing)]


def _visible_data(thing: Thing, labels: NDArray[np.int32]) -> dict[str, Any]:
    """What is visible of a thing; with the new label of its region, and whether it has gone out."""
    data: dict[str, Any] = {key: value for key, value in thing.data.items() if key in VISIBLE_DATA}
    room = thing.data.get("room")
    if type(room) is int and 0 < room < len(labels):
        data["room"] = int(labels[room])
    if has_gone_out(thing):
        data[LIT] = False
    return data
