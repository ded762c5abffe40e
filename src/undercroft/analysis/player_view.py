"""A level as players may see it: what they would have to find out is left out."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from undercroft.core.level import Level
from undercroft.core.palette import DOOR_ROLES, Palette
from undercroft.core.region import DOOR_STATES, LINK_KINDS, Regions, Thing, view_doors, view_links

VISIBLE_DATA = ("group", "facing", "blocks", "width", "height", "room")
"""What of a thing's data one sees at a glance."""


def for_players(level: Level) -> Level:
    """The level without its secrets. Secret doors are wall, and locked ones are doors like others.

    Of things only furniture is left, that is what is in the group `prop`, without what is in it. Names, tags, the path
    and how the level was made are left out. Where they come in are stairs, as they would see them; start and end are
    not marked otherwise. Rooms behind secret doors stay, because a tabletop hides what nobody sees: the day the door is
    found they must be there.

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
    tiles = level.tiles.copy()
    rock = _first_tile(palette, "wall", "void")
    if rock is not None:
        tiles[palette.role_mask("secret")[level.tiles]] = rock
        tiles[secret["y"], secret["x"]] = rock
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
    """The first tile with one of these roles, the first role first."""
    return next((palette.role(role) for role in roles if role in palette.roles), None)


def _known_links(table: NDArray[np.void], secret: NDArray[np.bool_]) -> NDArray[np.void]:
    """The links but for secret ones, with the numbers that doors have now; locks are not known."""
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
