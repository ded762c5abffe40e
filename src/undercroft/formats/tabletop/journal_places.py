"""Where things of a level are, in words: rooms by their number, passages, floors; and what keys open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from undercroft.core.level import Level
from undercroft.core.region import Thing
from undercroft.core.stairs import STAIRS_ROLES, find_stairs, point_of
from undercroft.formats.tabletop.lights import RoomMiddle
from undercroft.wording import join_words

STAIRS, LOCK = "stairs", "lock"
FLOOR_NAME = "to_name"
"""The key in the data of stairs with the name of the floor that they lead to."""
NEIGHBOUR_STEPS = ((0, 0), (0, 1), (-1, 0), (1, 0), (0, -1))
STAIRS_PHRASES = {
    "stairs": ("Stairs", "lead"),
    "ladder": ("A ladder", "leads"),
    "shaft": ("A shaft", "leads"),
    "lift": ("A lift", "leads"),
    "portal": ("A portal", "leads"),
}
"""How a sentence about each form of stairs begins."""


class Places:
    """The places of a level. Rooms have the numbers of its map.

    >>> level = Level.parse('''
    ...     #########
    ...     #1111L22#
    ...     #########
    ... ''')
    >>> level = level.replace(things=[Thing("lock", 5, 1, {"key": "red"}), Thing("key", 1, 1, {"opens": "red"})])
    >>> places = Places(level, [RoomMiddle(1, 1, 2, 1), RoomMiddle(2, 2, 6, 1)])
    >>> places.name_at(7, 1), places.describe_opened("red")
    ('room 2', 'the door between room 1 and room 2')
    >>> places.describe_openers("red")
    'the red key from room 1'
    """

    def __init__(self, level: Level, rooms: Sequence[RoomMiddle]) -> None:
        self.level = level
        self.numbers = {room.label: room.number for room in rooms}
        self.locks: dict[str, list[Thing]] = {}
        self.openers: dict[str, list[Thing]] = {}
        for thing in level.things:
            for found, names in ((self.locks, thing.data.get("key")), (self.openers, thing.data.get("opens"))):
                if found is self.openers or thing.kind == LOCK:
                    for name in _list_names(names):
                        found.setdefault(name, []).append(thing)

    def label_at(self, x: int, y: int) -> int:
        """The region of a cell, or one beside it; 0 if there is none."""
        labels = self.level.regions.labels
        return next((label for label in self._labels_around(x, y) if label), int(labels[y, x]))

    def name_at(self, x: int, y: int) -> str:
        """The place of a cell."""
        return self.name_label(self.label_at(x, y))

    def name_label(self, label: int) -> str:
        """A region by its number on the map; others are passages."""
        return f"room {self.numbers[label]}" if label in self.numbers else "a passage"

    def describe_opened(self, name: str) -> str:
        """The doors that a key of this name opens; empty if there are none on this level."""
        return join_words(list(dict.fromkeys(self._describe_door(lock) for lock in self.locks.get(name, ()))))

    def describe_openers(self, name: str) -> str:
        """What opens a lock of this name, and where that is; empty if it is not on this level."""
        found = (
            f"the {name_opener(thing, name)} from {self.name_at(thing.x, thing.y)}"
            for thing in self.openers.get(name, ())
        )
        return join_words(list(dict.fromkeys(found)), "or")

    def list_stairs(self) -> list[tuple[int, str]]:
        """For each of the stairs its region and a sentence about where it leads."""
        cells: dict[tuple[int, int], Mapping[str, Any]] = {}
        for way, end in (("up", "start"), ("down", "end")):
            level = self.level
            at = [
                point_of(int(cell), level.width) for cell in find_stairs(level.tiles, level.palette, STAIRS_ROLES[end])
            ]
            cells.update((point, {"way": way}) for point in at)
        told = [(thing.x, thing.y, thing.data) for thing in self.level.things if thing.kind == STAIRS]
        known = {(x, y) for x, y, _ in told}
        told += [(*point, data) for point, data in cells.items() if point not in known]
        return [(self.label_at(x, y), self._describe_stairs(x, y, data)) for x, y, data in sorted(told, key=_place)]

    def _describe_stairs(self, x: int, y: int, data: Mapping[str, Any]) -> str:
        first, verb = STAIRS_PHRASES.get(str(data.get("form", STAIRS)), STAIRS_PHRASES[STAIRS])
        way = data.get("way")
        name = data.get(FLOOR_NAME)
        floor = f" to floor {data['to']}{f', {name}' if name else ''}" if data.get("to") else ""
        return f"{first} in {self.name_at(x, y)} {verb}{f' {way}' if way in ('up', 'down') else ''}{floor}."

    def _describe_door(self, lock: Thing) -> str:
        sides = list(dict.fromkeys(label for label in self._labels_around(lock.x, lock.y) if label))
        names = join_words(list(map(self.name_label, sides[:2])))
        return f"the door between {names}" if len(sides) > 1 else f"the door of {names}" if names else "a door"

    def _labels_around(self, x: int, y: int) -> Iterator[int]:
        labels = self.level.regions.labels
        for right, down in NEIGHBOUR_STEPS:
            if 0 <= x + right < self.level.width and 0 <= y + down < self.level.height:
                yield int(labels[y + down, x + right])


class Opener(NamedTuple):
    """What a key or a switch opens, and its name."""

    thing: Thing
    name: str


def name_opener(thing: Thing, name: str) -> str:
    """A key or a switch with the name of its lock.

    >>> name_opener(Thing("key", 1, 1), "red"), name_opener(Thing("key", 1, 1), "iron key")
    ('red key', 'iron key')
    """
    return name if name.split()[-1:] == [thing.kind] else f"{name} {thing.kind}"


def list_openers(things: Sequence[Thing]) -> list[Opener]:
    """Every key and switch, once for each lock it opens."""
    return [Opener(thing, name) for thing in things for name in _list_names(thing.data.get("opens"))]


def _place(row: tuple[int, int, Any]) -> tuple[int, int]:
    return row[1], row[0]


def _list_names(given: object) -> list[str]:
    """The names in a value of any type."""
    if isinstance(given, (tuple, list)):
        return [name for part in given for name in _list_names(part)]
    return [" ".join(str(given).split())] if given not in (None, "") else []
