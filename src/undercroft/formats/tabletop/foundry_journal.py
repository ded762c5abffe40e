"""Build the journal of a level for Foundry, in sentences: a page about the level, and one for each room."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from html import escape

from undercroft.core.level import Level
from undercroft.core.region import Thing
from undercroft.core.thing_data import list_contents
from undercroft.formats.tabletop.journal_places import LOCK, STAIRS, Places, list_openers, name_opener
from undercroft.formats.tabletop.lights import RoomMiddle
from undercroft.wording import join_words, plural

LINK_PHRASES = {
    "open": "An opening",
    "door": "A door",
    "locked": "A locked door",
    "secret": "A secret door",
    "one-way": "A one-way door",
}
TOLD_ELSEWHERE = (LOCK, STAIRS, "one-way")
"""Kinds of things that the sentences about doors and stairs tell of."""


def build_pages(level: Level, rooms: Sequence[RoomMiddle]) -> list[tuple[str, str]]:
    """The pages as name and HTML. The first is about the level; then comes one for each room, in order.

    >>> build_pages(Level.parse("#11#"), [RoomMiddle(1, 1, 1, 0)])[1]
    ('1', '<p>This room measures 2 by 1 squares.</p>')
    """
    places = Places(level, rooms)
    ways, stairs = _describe_ways(level, places), places.list_stairs()
    inside: dict[int, list[Thing]] = {}
    for thing in level.things:
        inside.setdefault(places.label_at(thing.x, thing.y), []).append(thing)
    return [
        (level.title or "Overview", _describe_level(level, places, [sentence for _, sentence in stairs])),
        *(
            (
                _page_name(level, room),
                _describe_room(level, room, places)
                + _format_list("Ways out", [*ways.get(room.label, []), *_list_here(stairs, room, places)])
                + _format_list("Here", describe_things(inside.get(room.label, []), places)),
            )
            for room in rooms
        ),
    ]


def _describe_level(level: Level, places: Places, stairs: list[str]) -> str:
    made = level.provenance
    size = f"{level.title or 'This level'} measures {level.width} by {level.height} squares"
    ends = [
        f"{sentence} {places.name_at(*point)}."
        for sentence, point in (("Players come in at", level.start), ("The way through ends in", level.end))
        if point is not None
    ]
    keys = [
        f"The {name_opener(thing, name)} is in {places.name_at(thing.x, thing.y)}. {_describe_use(name, places)}"
        for thing, name in list_openers(level.things)
    ]
    origin = ""
    if "recipe" in made and "seed" in made:
        origin = f"Made by undercroft: {made['recipe']}, seed {made.get('seed_text', made['seed'])}."
    return (
        _format_paragraphs([" ".join([f"{size} and has {plural(len(level.rooms), 'room')}.", *ends])])
        + _format_list("Stairs", stairs)
        + _format_list("Keys", keys)
        + _format_paragraphs([origin] if origin else [])
    )


def _page_name(level: Level, room: RoomMiddle) -> str:
    name = level.regions[room.label - 1].name
    return f"{room.number} {name}".strip()


def _describe_room(level: Level, room: RoomMiddle, places: Places) -> str:
    region = level.regions[room.label - 1]
    told = [f"This {region.kind} measures {region.width} by {region.height} squares."]
    if region.tags:
        told.append(f"It is marked as {join_words(region.tags)}.")
    for point, sentence in ((level.start, "Players come in here."), (level.end, "The way through ends here.")):
        if point is not None and places.label_at(*point) == room.label:
            told.append(sentence)
    return _format_paragraphs([" ".join(told)])


def _list_here(stairs: Iterable[tuple[int, str]], room: RoomMiddle, places: Places) -> list[str]:
    """The sentences about the stairs of a room, within its own page."""
    name = f" in {places.name_label(room.label)} "
    return [sentence.replace(name, " ", 1) for label, sentence in stairs if label == room.label]


def _describe_ways(level: Level, places: Places) -> dict[int, list[str]]:
    """For each region its exits in sentences: their kind, where they lead, and what opens them."""
    locks = {(lock.x, lock.y): name for name, found in places.locks.items() for lock in found}
    found: dict[int, list[str]] = {}
    for link in level.links:
        door = level.doors[link.door] if link.door >= 0 else None
        name = locks.get((door.x, door.y), "") if door is not None else ""
        opened = (
            f" {_capitalise(places.describe_openers(name) or f'the {name} key, which is not on this level,')} opens it."
            if name
            else ""
        )
        for here, there in ((link.a, link.b), (link.b, link.a)):
            if here and there and here != there:
                back = link.kind == "one-way" and here == link.b
                found.setdefault(here, []).append(
                    f"{LINK_PHRASES[link.kind]} leads {'in from' if back else 'to'} {places.name_label(there)}.{opened}"
                )
    return {
        label: [_count_sentence(sentence, count) for sentence, count in Counter(ways).items()]
        for label, ways in found.items()
    }


def _count_sentence(sentence: str, count: int) -> str:
    """A sentence about one thing, for several.

    >>> _count_sentence("A door leads to room 2.", 3)
    'A door leads to room 2 (3 times).'
    """
    first, dot, rest = sentence.partition(".")
    return sentence if count == 1 else f"{first} ({count} times){dot}{rest}"


def describe_things(things: Iterable[Thing], places: Places) -> list[str]:
    """The things of a room, a sentence or two for each; equal ones together.

    >>> beds = [Thing("bed", 1, 1), Thing("bed", 2, 1), Thing("chest", 3, 1, {"holds": "rope, a map"})]
    >>> describe_things(beds, Places(Level.parse("......"), []))
    ['A bed (2 times).', 'A chest holds rope and a map.']
    """
    told = Counter(_describe_thing(thing, places) for thing in things if thing.kind not in TOLD_ELSEWHERE)
    return [_count_sentence(sentence, count) for sentence, count in told.items()]


def _describe_thing(thing: Thing, places: Places) -> str:
    data = thing.data
    names = [name for _, name in list_openers([thing])]
    if names:
        what = f"The {name_opener(thing, join_words(names))}"
        uses = " ".join(dict.fromkeys(_describe_use(name, places) for name in names))
        return " ".join(filter(None, (f"{what} is here.", uses, _end_sentence(data.get("about")))))
    what = f"{'An' if thing.kind[:1].casefold() in 'aeiou' else 'A'} {thing.kind}"
    held = list_contents(data)
    sentences = [
        f"{what} holds {join_words(held)}." if held else "",
        f"{what} reads: “{data['text']}”" if data.get("text") else "",
    ]
    about = _end_sentence(data.get("about"))
    if not any(sentences):
        return f"{what}: {about}" if about else f"{what}."
    return " ".join(filter(None, (*sentences, _capitalise(about))))


def _describe_use(name: str, places: Places) -> str:
    """What a key or a switch of this name opens."""
    opened = places.describe_opened(name)
    return f"It opens {opened}." if opened else "It opens nothing on this level."


def _end_sentence(given: object) -> str:
    """A text with a full stop; empty if there is none."""
    text = given.strip() if isinstance(given, str) else ""
    return f"{text}." if text and text[-1] not in ".!?”" else text


def _capitalise(text: str) -> str:
    return text[:1].upper() + text[1:]


def _format_paragraphs(lines: Iterable[str]) -> str:
    return "".join(f"<p>{escape(line)}</p>" for line in lines)


def _format_list(title: str, rows: Sequence[str]) -> str:
    items = "".join(f"<li>{escape(row)}</li>" for row in rows)
    return f"<h3>{title}</h3><ul>{items}</ul>" if items else ""
