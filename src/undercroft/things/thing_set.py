"""A set of things: what may stand in rooms, in which kinds of rooms, and what is in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

GROUPS = ("prop", "loot", "monster", "note")
PLACES = ("wall", "corner", "inner corner", "centre", "open", "anywhere", "slot")
RARITIES = ("common", "uncommon", "rare")
"""Of things and of kinds of rooms: 60, 30 and 10 of a hundred."""
ITEM_RARITIES = ("common", "uncommon", "rare", "very rare", "legendary")
"""Of what is in things: 50, 25, 15, 7 and 3 of a hundred."""
ITEM_WEIGHTS = (50, 25, 15, 7, 3)
MAX_PER_ROOM = {"common": 4, "uncommon": 2, "rare": 1}
"""How many of a type stand in a room at the most, unless it says so."""
ROOM_POSITIONS = ("any", "leaf", "way", "off", "start", "end", "far")
"""Rooms with one way in; on the way from start to end, or off it; that hold start or end; that are at two thirds of the
farthest way from the start or on.
"""
ANY = "any"
"""The kind of rooms that have none."""


class ThingType(NamedTuple):
    """A type of thing: where it stands, how large it is, how often there is one."""

    name: str
    group: str = "prop"
    place: str = "anywhere"
    near: str = ""
    """It stands beside one of these, which is made if there is none."""
    size: tuple[int, int] = (1, 1)
    """Cells along its back, and cells from back to front."""
    blocks: bool = True
    rarity: str = "common"
    most: int = 4
    """In a room."""
    total: int = 0
    """In a level; 0 for any number."""
    from_start: int = 0
    """At least so many steps from the start."""
    danger: int = 0
    holds: tuple[str, ...] = ()
    """Names and sorts of items that may be in it."""
    held: tuple[int, int] = (1, 5)
    """How many items are in it."""
    about: str = ""


class Item(NamedTuple):
    """Something that things hold."""

    name: str
    sort: str = ""
    rarity: str = "common"
    about: str = ""


class RoomKind(NamedTuple):
    """A kind of room: which rooms may be one, and what stands there."""

    name: str
    rarity: str = "common"
    min_area: int = 0
    max_area: int = 1 << 29
    least: int = 0
    """In a level."""
    most: int = 1 << 29
    where: str = "any"
    regions: tuple[str, ...] = ("room", "cell", "vault")
    tags: tuple[str, ...] = ()
    """Tags of rooms that are of this kind without further ado; its name is one."""
    always: tuple[str, ...] = ()
    things: Mapping[str, int] = {}
    """Types of things, each with its weight."""


@dataclass(frozen=True)
class ThingSet:
    """All types, items and kinds of a file. `any` holds what stands in rooms of no kind."""

    types: dict[str, ThingType]
    items: dict[str, Item]
    kinds: dict[str, RoomKind]
    any: RoomKind
    about: str = ""

    def items_of(self, kind: ThingType) -> list[Item]:
        """What a type may hold, each once."""
        return [item for item in self.items.values() if item.name in kind.holds or item.sort in kind.holds]
