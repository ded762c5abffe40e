"""The view of a level for players: it leaves out what they have to discover."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from undercroft.core.custom_tiles import rock_behind_secrets
from undercroft.core.level import Level
from undercroft.core.palette import DOOR_ROLES, Palette
from undercroft.core.region import DOOR_STATES, LINK_KINDS, Regions, Thing, view_doors, view_links

VISIBLE_DATA = ("group", "facing", "blocks", "width", "height", "room")
"""The keys of a thing's data that are visible at a glance."""


def for_players(level: Level) -> Level:
    """The level without its secrets. Secret doors become wall, locked doors become ordinary doors.

    Of the things only furniture stays (the group `prop`), without its contents. Names, tags, the path and the
    provenance are left out. Stairs stay where players enter; start and end are not marked otherwise. Rooms behind
    secret doors stay: a virtual tabletop hides unseen rooms, and needs them once the door is found.

    >>> print(for_players(Level.parse('''
    ...     ########
    ...     #<.S.L.#
    ...     ########
    ... ''')))
    ########
    #<.#.+.#
    ########
    """
    table = level.doors.table
    secret, locked = (table["state"] == DOOR_STATES.index(state) for state in ("secret", "locked"))
    kept_doors = table[~secret].copy()
    kept_doors["state"][locked[~secret]] = DOOR_STATES.index("closed")
    regions = level.regions
    return Level(
        _visible_tiles(level, table[secret]),
        level.palette,
        regions=Regions(regions.labels, regions.table),
        doors=view_doors(kept_doors),
        links=view_links(_known_links(level.links.table, secret)),
        things=_furniture(level.things),
    )


def _visible_tiles(level: Level, secret: NDArray[np.void]) -> NDArray[np.uint8]:
    palette = level.palette
    hidden = palette.role_mask("secret")[level.tiles]
    hidden[secret["y"], secret["x"]] = True
    tiles = rock_behind_secrets(level.tiles, palette, hidden).copy()
    door = _first_tile(palette, "door")
    if door is not None:
        tiles[palette.role_mask("locked")[level.tiles]] = door
    stairs = _first_tile(palette, "entry")
    if (
        stairs is not None
        and level.start is not None
        and not palette.role_mask("entry", "exit", *DOOR_ROLES)[level.tiles[level.start[1], level.start[0]]]
    ):
        tiles[level.start[1], level.start[0]] = stairs
    return tiles


def _first_tile(palette: Palette, *roles: str) -> int | None:
    """The first tile with one of these roles, in the order of the roles."""
    return next((palette.role(role) for role in roles if role in palette.roles), None)


def _known_links(table: NDArray[np.void], secret: NDArray[np.bool_]) -> NDArray[np.void]:
    """The links without secret ones, with the new numbers of doors; locks are left out."""
    hidden = np.append(secret, False)[table["door"]] | (table["kind"] == LINK_KINDS.index("secret"))
    kept: NDArray[np.void] = table[~hidden].copy()
    kept["door"] = np.append(np.cumsum(~secret) - 1, -1)[kept["door"]]
    kept["kind"][kept["kind"] == LINK_KINDS.index("locked")] = LINK_KINDS.index("door")
    return kept


def _furniture(things: Iterable[Thing]) -> list[Thing]:
    return [
        thing._replace(data={key: value for key, value in thing.data.items() if key in VISIBLE_DATA})
        for thing in things
        if thing.data.get("group") == "prop"
    ]
