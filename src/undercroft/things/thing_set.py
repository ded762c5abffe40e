"""A set of things: types of things, their items, and the kinds of rooms they stand in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

GROUPS = ("prop", "loot", "monster", "note")
PLACES = ("wall", "corner", "inner corner", "centre", "open", "anywhere", "slot")
RARITIES = ("common", "uncommon", "rare")
"""The rarities of things and of kinds of rooms: 60, 30 and 10 %."""
ITEM_RARITIES = ("common", "uncommon", "rare", "very rare", "legendary")
"""The rarities of items in things: 50, 25, 15, 7 and 3 %."""
ITEM_WEIGHTS = (50, 25, 15, 7, 3)
MAX_PER_ROOM = {"common": 4, "uncommon": 2, "rare": 1}
"""The default maximum of a type in a room, by rarity."""
ROOM_POSITIONS = ("any", "leaf", "way", "off", "start", "end", "far")
"""The values of `where`. leaf: rooms with one link; way, off: rooms on or off the path from start to end; start, end:
rooms that hold them; far: rooms at two thirds of the greatest distance from the start or farther.
"""
ANY = "any"
"""Stands for rooms without a kind."""


class ThingType(NamedTuple):
    """A type of thing: its place, size and frequency."""

    name: str
    group: str = "prop"
    place: str = "anywhere"
    near: str = ""
    """The type it stands near; one is placed if there is none."""
    size: tuple[int, int] = (1, 1)
    """Cells along its back, and cells from back to front."""
    blocks: bool = True
    rarity: str = "common"
    most: int = 4
    """The maximum in a room."""
    total: int = 0
    """The maximum in a level; 0: no maximum."""
    from_start: int = 0
    """The fewest steps from the start."""
    danger: int = 0
    holds: tuple[str, ...] = ()
    """Names and sorts of items that it may hold."""
    held: tuple[int, int] = (1, 5)
    """The least and the greatest number of items in it."""
    about: str = ""


class Item(NamedTuple):
    """An item that things hold."""

    name: str
    sort: str = ""
    rarity: str = "common"
    about: str = ""


class RoomKind(NamedTuple):
    """A kind of room: which rooms may have it, and the things in them."""

    name: str
    rarity: str = "common"
    min_area: int = 0
    max_area: int = 1 << 29
    least: int = 0
    """The fewest rooms of this kind in a level."""
    most: int = 1 << 29
    where: str = "any"
    regions: tuple[str, ...] = ("room", "cell", "vault")
    tags: tuple[str, ...] = ()
    """Tags that make a room this kind; its name is one too."""
    always: tuple[str, ...] = ()
    things: Mapping[str, int] = {}
    """Types of things, each with its weight."""


@dataclass(frozen=True)
class ThingSet:
    """All types, items and kinds of a file. `any` is for rooms without a kind."""

    types: dict[str, ThingType]
    items: dict[str, Item]
    kinds: dict[str, RoomKind]
    any: RoomKind
    about: str = ""

    def items_of(self, kind: ThingType) -> list[Item]:
        """The items that a type may hold, each once."""
        return [item for item in self.items.values() if item.name in kind.holds or item.sort in kind.holds]
