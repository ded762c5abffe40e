"""The key of a map: descriptions of the rooms for the game master."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis import reach
from undercroft.core.region import Region, Thing
from undercroft.core.thing_data import list_contents
from undercroft.draw.view.level_view import LevelView
from undercroft.draw.view.lock_labels import lock_name, opened_lock_name
from undercroft.wording import shorten

LEADING_GROUPS = ("clue", "monster", "loot", "key")
"""Groups of things that come first."""

SHAPES = frozenset(
    ("rectangle", "square", "corner", "plus", "donut", "zigzag", "horseshoe", "pillars", "heart", "aitch", "tee", "L")
)
"""Names of layouts that tell a shape, and no type of room."""
MAX_NAMED_ROOMS = 2
"""The maximum number of rooms that are named at the ends of a passage."""


class KeyEntry(NamedTuple):
    """A room: its number (0 for none), its name, and its contents in sentences, the most important first."""

    number: int
    name: str
    told: tuple[str, ...] = ()


def build_key(plan: LevelView, shown: frozenset[str]) -> list[KeyEntry]:
    """An entry for each room that has a number on the map; for a map of one room an entry without a number.

    >>> from undercroft.core.level import Level
    >>> level = Level.parse('''
    ...     ###########
    ...     #11111#222#
    ...     #11111+222#
    ...     #1111<#222#
    ...     ###########
    ... ''')
    >>> for entry in build_key(LevelView(level), frozenset()):
    ...     print(entry)
    KeyEntry(number=1, name='', told=('Stairs up.',))
    KeyEntry(number=2, name='', told=())
    """
    labels = plan.regions.labels
    there: dict[int, list[Thing]] = {}
    if "things" in shown:
        for thing in plan.things:
            there.setdefault(int(labels[thing.y, thing.x]), []).append(thing)
    stairs: dict[int, list[str]] = {}
    for stair in plan.stairs:
        stairs.setdefault(_region_at(plan, stair.x, stair.y), []).append("Stairs up." if stair.up else "Stairs down.")
    doors = describe_locks(plan) if "things" in shown else {}
    features = describe_features(plan)
    rooms = [region for region in plan.regions if region.kind != "corridor"]
    numbers = {label.label: label.number for label in plan.labels}
    found = [
        KeyEntry(
            numbers.get(room.label, 0),
            room.name or _describe_kind(room),
            (
                *_describe_type(room),
                *stairs.get(room.label, ()),
                *doors.get(room.label, ()),
                *features.get(room.label, ()),
                *describe_things(there.get(room.label, [])),
            ),
        )
        for room in rooms
        if room.label in numbers or len(rooms) == 1
    ]
    return sorted(found, key=lambda entry: entry.number)


def describe_features(plan: LevelView) -> dict[int, list[str]]:
    """The pools, pits and pillars of each region, by its label.

    >>> from undercroft.core.level import Level
    >>> describe_features(LevelView(Level.parse("#111o1~~1#222:2#")))
    {1: ['Pool.', 'Pillar.'], 2: ['Pit.']}
    """
    counts: dict[int, Counter[str]] = {}
    for name, cells in (("pool", plan.water), ("pit", plan.pits)):
        for label in _find_owners(plan, cells):
            counts.setdefault(label, Counter())[name] += 1
    for x, y in plan.pillar_centres.tolist():
        if label := _region_at(plan, int(x), int(y)):
            counts.setdefault(label, Counter())["pillar"] += 1
    return {
        label: [f"{name.capitalize()}{f' ×{count}' if count > 1 else ''}." for name, count in counted.items()]
        for label, counted in counts.items()
    }


def _find_owners(plan: LevelView, cells: NDArray[np.bool_]) -> list[int]:
    """The label of the region of each connected part of some cells: of all regions that hold some of it, or else are
    beside it.
    """
    if not cells.any():
        return []
    parts, labels = reach.label_components(cells.astype(np.uint8))[0], plan.regions.labels
    framed, around = np.pad(parts, 1), np.pad(labels, 1)
    pairs = []
    for down, right in ((0, 0), (0, 1), (0, -1), (1, 0), (-1, 0)):
        there = np.roll(around, (down, right), axis=(0, 1))
        touching = (framed > 0) & (there > 0)
        pairs.append(np.unique(np.stack([framed[touching], there[touching]], axis=1), axis=0))
    held = set(pairs[0][:, 0].tolist())
    beside = {(part, label) for part, label in np.concatenate(pairs[1:]).tolist() if part not in held}
    return [label for _, label in sorted(beside | set(map(tuple, pairs[0].tolist())))]


def _describe_type(region: Region) -> list[str]:
    """The type of a room with a name, if the name does not tell it."""
    kind = region.template
    if not region.name or not kind or kind in SHAPES or kind.casefold() in region.name.casefold():
        return []
    return [f"{_capitalise(shorten(kind))}."]


def describe_locks(plan: LevelView) -> dict[int, list[str]]:
    """The locked doors of each room, by its label: where they lead, what opens them, and where the opener is.

    >>> from undercroft.core.level import Level
    >>> level = Level.parse('''
    ...     ###########
    ...     #11111#222#
    ...     #11111L222#
    ...     #11111#222#
    ...     ###########
    ... ''')
    >>> things = [Thing("lock", 6, 2, {"key": "red"}), Thing("key", 2, 2, {"opens": "red"})]
    >>> known = Level(level.tiles, level.palette, regions=level.regions, things=things)
    >>> describe_locks(LevelView(known))
    {1: ['Locked door to 2: red key (in 1).'], 2: ['Locked door to 1: red key (in 1).']}
    """
    numbers = {label.label: str(label.number) for label in plan.labels}
    openers: dict[str, dict[str, None]] = {}
    for thing in plan.level.things:
        if name := opened_lock_name(thing):
            at = numbers.get(_region_at(plan, thing.x, thing.y))
            openers.setdefault(name, {})[f"{name} {thing.kind} ({f'in {at}' if at else 'in a passage'})"] = None
    ways: dict[int, set[int]] = {}
    for link in plan.level.links if any(map(lock_name, plan.level.things)) else ():
        ways.setdefault(link.a, set()).add(link.b)
        ways.setdefault(link.b, set()).add(link.a)
    found: dict[int, list[str]] = {}
    for thing in plan.level.things:
        name = lock_name(thing)
        if not name or not plan.is_open(thing.x, thing.y):
            continue
        sides = _regions_beside(plan, thing.x, thing.y)
        opens = " or ".join(openers.get(name, {})) or f"{name}, and nothing here opens it"
        ends = [_rooms_beyond(ways, side, set(sides), numbers.keys()) for side in sides]
        direct = [side for side in sides if side in numbers]
        for side, rooms in zip(sides, ends, strict=True):
            there = next((other for other in sides if other != side), 0)
            far = [numbers[label] for label in ends[sides.index(there)]] if there else []
            way = (
                f"to {numbers[there]}"
                if there in numbers
                else f"towards {' and '.join(far)}"
                if 0 < len(far) <= MAX_NAMED_ROOMS
                else "to a passage"
            )
            for room in rooms if side in numbers else [] if direct else rooms[:1]:
                found.setdefault(room, []).append(f"Locked door {way}: {opens}.")
    return found


def _rooms_beyond(ways: Mapping[int, set[int]], label: int, sides: set[int], rooms: Container[int]) -> list[int]:
    """The room itself, or the rooms that a passage leads to without the door between the sides."""
    if label in rooms:
        return [label]
    found, known, to_do = set(), set(sides), [label]
    while to_do:
        for other in ways.get(to_do.pop(), set()) - known - {0}:
            known.add(other)
            if other in rooms:
                found.add(other)
            else:
                to_do.append(other)
    return sorted(found)


def _regions_beside(plan: LevelView, x: int, y: int) -> list[int]:
    """The regions on the sides of a door."""
    labels = plan.regions.labels
    beside = ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))
    return list(
        dict.fromkeys(
            int(labels[row, column]) for column, row in beside if plan.is_open(column, row) and labels[row, column]
        )
    )


def _region_at(plan: LevelView, x: int, y: int) -> int:
    """The region of a cell, or one beside it."""
    labels = plan.regions.labels
    for column, row in ((x, y), (x, y + 1), (x, y - 1), (x + 1, y), (x - 1, y)):
        if 0 <= row < labels.shape[0] and 0 <= column < labels.shape[1] and labels[row, column]:
            return int(labels[row, column])
    return 0


def _describe_kind(region: Region) -> str:
    """A name for a room without one: boss, treasure, shop and so on, or its type."""
    special = [tag for tag in region.tags if tag in ("boss", "treasure", "shop", "secret", "start", "end")]
    if special:
        return f"{special[0].capitalize()} room"
    return "" if region.template in SHAPES else _capitalise(shorten(region.template))


def describe_things(things: list[Thing]) -> list[str]:
    """Things in sentences: notes with their text, others with their count, their qualities and their contents.

    >>> scrawl = Thing("scrawl", 3, 1, {"group": "clue", "text": "Not here."})
    >>> describe_things([Thing("bed", 1, 1), Thing("bed", 2, 1), scrawl])
    ['Scrawl: “Not here.”', 'Bed ×2.']
    """
    notes = [f"{_capitalise(thing.kind)}: “{thing.data['text']}”" for thing in things if thing.data.get("text")]
    rest = [thing for thing in things if not thing.data.get("text")]
    counts = Counter(_thing_name(thing) for thing in rest)
    firsts = {_thing_name(thing): thing for thing in reversed(rest)}
    foremost, others = [], []
    for name in counts:
        thing = firsts[name]
        many = f" ×{counts[name]}" if counts[name] > 1 else ""
        held = dict.fromkeys(part for other in rest if _thing_name(other) == name for part in list_contents(other.data))
        holds = f" ({_join_with_commas(list(held))})" if held else ""
        if thing.data.get("group") in LEADING_GROUPS or "opens" in thing.data:
            about = thing.data.get("about")
            foremost.append(f"{_capitalise(name)}{many}{holds}{f': {about}' if about else ''}.")
        else:
            others.append(f"{name}{many}{holds}")
    return [*notes, *foremost, *([_capitalise(_join_with_commas(others)) + "."] if others else [])]


def _thing_name(thing: Thing) -> str:
    opens = thing.data.get("opens")
    return f"{opens} {thing.kind}" if opens else thing.kind


def _join_with_commas(words: list[str]) -> str:
    return ", ".join(words)


def _capitalise(text: str) -> str:
    return text[:1].upper() + text[1:]
