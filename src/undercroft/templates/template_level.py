"""Convert a single room to a level."""

from __future__ import annotations

import numpy as np

from undercroft.core.level import Level
from undercroft.core.palette import DOOR_ROLES
from undercroft.core.region import DOOR_DTYPE, DOOR_STATES, Regions, Thing, view_doors
from undercroft.templates.template import OUTSIDE, Template


def build_level(room: Template) -> Level:
    """The room on a map of its own: one region with its name and tags, a door in every socket, a thing in every slot.

    >>> from undercroft.templates.prefabs.prefab import parse
    >>> nook = build_level(parse('''
    ... slot  chest = c
    ... room  nook, tagged small
    ...      ####
    ...     ##c.#
    ...     +...#
    ...     #####
    ... ''', "nook").types[0].template)
    >>> print(nook)
     ####
    ##..#
    +...#
    #####
    >>> nook.rooms[0].template, nook.rooms[0].tags, nook.doors[0].state, nook.things[0].kind
    ('nook', ('small',), 'closed', 'chest')
    """
    palette = room.palette
    tiles = room.tiles.copy()
    rows = []
    for socket in room.sockets:
        across, down = (0, 1) if socket.side in "EW" else (1, 0)
        state = (
            DOOR_ROLES.index(palette.roles[socket.tile])
            if palette.roles[socket.tile] in DOOR_ROLES
            else DOOR_STATES.index("open")
        )
        for step in range(socket.width):
            x, y = socket.x + step * across, socket.y + step * down
            tiles[y, x] = socket.tile
            rows.append((x, y, 1, 0, state))
    inside = (room.tiles != OUTSIDE) & palette.walkable[room.tiles]
    tiles[tiles == OUTSIDE] = palette.roles.index("void") if "void" in palette.roles else palette.role("wall")
    measured = Regions.of(inside.astype(np.int32))
    regions = (
        Regions(
            measured.labels, measured.table, {1: room.tags} if room.tags else {}, {1: room.name} if room.name else {}
        )
        if len(measured)
        else None
    )
    things = [Thing(slot.kind, slot.x, slot.y) for slot in room.slots]
    return Level(tiles, palette, regions=regions, doors=view_doors(np.array(rows, DOOR_DTYPE)), things=things)
