"""What stands in a cell of a level: its room with the entry of the printed key, its door, links and things. And the
kinds of things that can be placed by hand.
"""

from __future__ import annotations

from typing import Any

from undercroft.analysis.one_way import is_one_way_door
from undercroft.core.level import Level
from undercroft.core.region import Door, Link, Region, Regions
from undercroft.draw.styles.printed.room_key import build_key
from undercroft.draw.view.level_view import LevelView
from undercroft.errors import BadInput
from undercroft.formats.shared.checked import to_plain_data
from undercroft.steps.furnish.furnish import Furnish
from undercroft.studio.jobs.levels import LevelRecord, LevelSources
from undercroft.studio.jobs.work import Answer, JobContext
from undercroft.studio.protocol import requests
from undercroft.studio.protocol.requests import InspectRequest, LevelSource


def do_inspect(sources: LevelSources, ask: dict[str, Any], job: JobContext) -> Answer:
    """What is known of one cell, if the request names one, and the kinds of things."""
    request = requests.read_request(ask, InspectRequest)
    record = sources.make_or_nearest(request, job.is_cancelled)
    cell = {} if request.at is None else describe_cell(record.level, request.at)
    return Answer({"kinds": list_kinds(record, request), **cell})


def list_kinds(record: LevelRecord, source: LevelSource) -> list[str]:
    """The kinds of things that the level has, and those of the recipe's sets of things, or of our own set if it has
    none.
    """
    level, recipe = record.level, record.recipe
    steps = recipe.prepare(source.params, *(source.size or recipe.size))[1] if recipe else ()
    sets = [step for step in steps if isinstance(step, Furnish)] or [Furnish()]
    return sorted({thing.kind for thing in level.things}.union(*(step.type_names for step in sets)))


def describe_cell(level: Level, at: tuple[int, int]) -> dict[str, Any]:
    """Everything about a cell.

    >>> level = Level.parse('''
    ...     ###########
    ...     #11111#222#
    ...     #11111+222#
    ...     #1111<#222#
    ...     ###########
    ... ''')
    >>> describe_cell(level, (1, 1))["room"]["key"]
    ('Stairs up.',)
    """
    x, y = at
    if not (0 <= x < level.width and 0 <= y < level.height):
        raise BadInput(f"({x}, {y}) is outside the level", fix=f"name a cell of {level.width}x{level.height}")
    view = LevelView(level)
    label = int(view.regions.labels[y, x])
    numbers = {room.label: room.number for room in view.labels}
    door = next((door for door in level.doors if (door.x, door.y) == at), None)
    return {
        "at": at,
        "room": describe_room(view, view.regions[label - 1], numbers) if label else None,
        "door": None if door is None else describe_door(level, door, view.regions, numbers),
        "links": [
            describe_link(level, link, label, view.regions, numbers)
            for link in level.links
            if label and label in (link.a, link.b)
        ],
        "things": [
            {"kind": thing.kind, "x": x, "y": y, "data": to_plain_data(thing.data)}
            for thing in level.things
            if (thing.x, thing.y) == at
        ],
    }


def describe_room(view: LevelView, region: Region, numbers: dict[int, int]) -> dict[str, Any]:
    """A region, with its entry in the printed key if it has a number."""
    number = numbers.get(region.label, 0)
    entry = next((entry for entry in build_key(view, frozenset({"things"})) if entry.number == number), None)
    return {
        "number": number,
        "name": entry.name if entry else region.name,
        "kind": region.kind,
        "area": region.area,
        "tags": region.tags,
        "template": region.template,
        "key": entry.told if entry else (),
    }


def describe_door(level: Level, door: Door, regions: Regions, numbers: dict[int, int]) -> dict[str, Any]:
    """A door: its state, what lies on its sides, and the direction of a one-way door."""
    things = [thing for thing in level.things if (thing.x, thing.y) == door[:2] and is_one_way_door(thing)]
    return {
        "state": door.state,
        "to": things[0].data["to"] if things else "",
        "between": [name_region(label, regions, numbers) for label in (door.a, door.b) if label],
    }


def describe_link(level: Level, link: Link, label: int, regions: Regions, numbers: dict[int, int]) -> dict[str, Any]:
    """A link as it is seen from one of its regions."""
    from_here = link.a == label
    door = level.doors[link.door] if link.door >= 0 else None
    return {
        "kind": link.kind,
        "way": ("out" if from_here else "in") if link.kind == "one-way" else "",
        "to": name_region(link.b if from_here else link.a, regions, numbers),
        "at": None if door is None else (door.x, door.y),
    }


def name_region(label: int, regions: Regions, numbers: dict[int, int]) -> str:
    """A region in few words: its number on the map and its name, or else its kind."""
    region = regions[label - 1]
    return " ".join(filter(None, [str(numbers.get(label, "")), region.name])) or region.kind
