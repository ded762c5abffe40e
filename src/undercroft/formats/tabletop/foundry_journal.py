"""Build the journal of a level for Foundry: a page about the level, and one for each room."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from undercroft.core.level import Level
from undercroft.core.region import Thing
from undercroft.core.thing_data import describe_contents
from undercroft.formats.tabletop.lights import RoomMiddle

LINK_PHRASES = {
    "open": "an opening",
    "door": "a door",
    "locked": "a locked door",
    "secret": "a secret door",
    "one-way": "a one-way door",
}


def build_pages(level: Level, rooms: Sequence[RoomMiddle]) -> list[tuple[str, str]]:
    """The pages as name and HTML. The first is about the level; then comes one for each room, in order.

    >>> build_pages(Level.parse("#11#"), [RoomMiddle(1, 1, 1, 0)])[1]
    ('1', '<p>Room, 2 x 1 squares.</p>')
    """
    numbers = {room.label: room.number for room in rooms}
    ways = _describe_ways(level, numbers)
    inside: dict[int, list[Thing]] = {}
    for thing in level.things:
        inside.setdefault(int(level.regions.labels[thing.y, thing.x]), []).append(thing)
    return [
        (level.title or "Overview", _describe_level(level)),
        *(
            (_page_name(level, room), _describe_room(level, room, ways.get(room.label, []), inside.get(room.label, [])))
            for room in rooms
        ),
    ]


def _describe_level(level: Level) -> str:
    made = level.provenance
    told = [f"{level.width} x {level.height} squares, {len(level.rooms)} rooms."]
    if "recipe" in made and "seed" in made:
        told.append(f"Made by undercroft: {made['recipe']}, seed {made.get('seed_text', made['seed'])}.")
    return _format_paragraphs(told)


def _page_name(level: Level, room: RoomMiddle) -> str:
    name = level.regions[room.label - 1].name
    return f"{room.number} {name}".strip()


def _describe_room(level: Level, room: RoomMiddle, ways: Iterable[str], things: Iterable[Thing]) -> str:
    region = level.regions[room.label - 1]
    kind = ", ".join([region.kind.capitalize(), *region.tags])
    parts = [_format_paragraphs([f"{kind}, {region.width} x {region.height} squares."])]
    parts += [
        _format_list(title, rows)
        for title, rows in (("Ways out", ways), ("Here", map(_describe_thing, things)))
        if rows
    ]
    return "".join(parts)


def _describe_ways(level: Level, numbers: dict[int, int]) -> dict[int, list[str]]:
    """For each region its exits as text: their kind, where they lead, and what opens them."""
    locks = {
        (thing.x, thing.y): str(thing.data["key"])
        for thing in level.things
        if thing.kind == "lock" and thing.data.get("key")
    }
    found: dict[int, list[str]] = {}
    for link in level.links:
        opened = locks.get((level.doors[link.door].x, level.doors[link.door].y), "") if link.door >= 0 else ""
        for here, there in ((link.a, link.b), (link.b, link.a)):
            if here and there and here != there:
                back = link.kind == "one-way" and here == link.b
                place = f"room {numbers[there]}" if there in numbers else "a passage"
                found.setdefault(here, []).append(
                    f"{LINK_PHRASES[link.kind]} {'in from' if back else 'to'} "
                    f"{place}{f' (opened by: {opened})' if opened else ''}"
                )
    return {label: list(dict.fromkeys(ways)) for label, ways in found.items()}


def _describe_thing(thing: Thing) -> str:
    data = thing.data
    said = [
        f"{data['opens']} {thing.kind}" if data.get("opens") else thing.kind,
        *(str(data[key]) for key in ("about", "text") if data.get(key)),
    ]
    held = describe_contents(data)
    return ": ".join(said) + (f" (holds {held})" if held else "")


def _format_paragraphs(lines: Iterable[str]) -> str:
    return "".join(f"<p>{escape(line)}</p>" for line in lines)


def _format_list(title: str, rows: Iterable[Any]) -> str:
    items = "".join(f"<li>{escape(str(row))}</li>" for row in rows)
    return f"<h3>{title}</h3><ul>{items}</ul>" if items else ""
