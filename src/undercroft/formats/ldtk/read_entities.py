"""Read the entities of an LDtk level: the rooms, doors and things that we wrote, or the entities of other people's
maps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft import limits
from undercroft.core.region import (
    DOOR_DTYPE,
    DOOR_STATES,
    LINK_DTYPE,
    LINK_KINDS,
    REGION_DTYPE,
    REGION_KINDS,
    Regions,
    Thing,
    view_doors,
    view_links,
)
from undercroft.core.thing_data import ThingData
from undercroft.errors import BadInput
from undercroft.formats.ldtk.entities import ENTITY_FIELDS, THING_TAG
from undercroft.formats.native.read_level import check_regions, count_region_cells
from undercroft.formats.shared.checked import check_finite, read_thing_data
from undercroft.inputs.json import parse_json
from undercroft.inputs.values import CheckedValue, in_file, quote_name

START_NAMES = ("start", "playerstart", "player", "spawn", "spawnpoint", "entry", "entrance")
END_NAMES = ("end", "exit", "goal", "levelend")
"""Common names of the start and of the end."""

Parts = dict[str, Any]


class FieldKeys(NamedTuple):
    """The original names of things and of their data, and the fields that hold JSON, by the uids of definitions."""

    names: dict[int, str]
    json: frozenset[int]


class Entity(NamedTuple):
    """An entity, with its place and size in cells."""

    name: str
    is_thing: bool
    uid: int
    x: int
    y: int
    width: int
    height: int
    fields: dict[str, CheckedValue]
    """Its values by field name."""
    uids: dict[str, int]
    """The uids of the fields."""
    spot: CheckedValue

    @classmethod
    def of(cls, spot: CheckedValue, grid: int, moved: tuple[int, int] = (0, 0)) -> Entity:
        """Read an entity, on a map with `grid` pixels per cell and a layer with an offset of `moved` pixels."""
        place = spot.key("px")
        place.list(2)
        pivot = spot.key("__pivot", [0, 0]).value
        size = [spot.key(side, grid).integer(0, limits.LDTK_NUMBER.value) for side in ("width", "height")]
        pixels = [place.item(axis).integer(-limits.LDTK_NUMBER.value, limits.LDTK_NUMBER.value) for axis in (0, 1)]
        # its pivot is on the line below its cell
        back = [int(pivot[axis] == 1) if isinstance(pivot, list) and len(pivot) == 2 else 0 for axis in (0, 1)]
        fields, uids = {}, {}
        rows = spot.key("fieldInstances", [])
        for index in range(len(rows.list())):
            row = rows.item(index)
            row.table()
            name = row.key("__identifier").text()
            fields[name], uids[name] = row.key("__value"), row.key("defUid", 0).integer(0, limits.LDTK_NUMBER.value)
        x, y = ((pixel + more - less) // grid for pixel, more, less in zip(pixels, moved, back, strict=True))
        tags = spot.value.get("__tags")
        is_thing = isinstance(tags, list) and THING_TAG in tags
        return cls(
            spot.key("__identifier").text(),
            is_thing,
            spot.key("defUid", 0).integer(0, limits.LDTK_NUMBER.value),
            x,
            y,
            size[0] // grid,
            size[1] // grid,
            fields,
            uids,
            spot,
        )

    def field(self, name: str) -> CheckedValue:
        if name not in self.fields:
            raise self.spot.error(
                f"the {self.name} has no field {name!r}",
                f"its fields are {', '.join(field.identifier for field in ENTITY_FIELDS[self.name])}",
            )
        return self.fields[name]

    def word_index(self, name: str, words: Sequence[str]) -> int:
        """The index of a field's word in a list."""
        found = self.field(name)
        word = found.text().replace("_", "-")
        if word not in words:
            raise found.error(f"unknown {name} {quote_name(word)}", f"one of: {', '.join(words)}")
        return words.index(word)

    def own_data(self, keys: FieldKeys) -> ThingData:
        """The values of the fields of a thing of ours, by their original keys. Empty fields and arrays are left out."""
        found: dict[str, Any] = {}
        for name, spot in self.fields.items():
            if spot.value is not None and spot.value != []:
                key, value = keys.names.get(self.uids[name], name), spot.value
                if self.uids[name] in keys.json and isinstance(value, str):
                    value = parse_json_field(spot).value
                found[key] = value
        return read_thing_data(self.spot.replaced(found))

    def foreign_data(self) -> dict[str, Any]:
        """The values of the fields that the data of a thing may hold."""
        found: dict[str, Any] = {}
        for name, spot in self.fields.items():
            if type(spot.value) in (str, int, float, bool):
                found[name] = check_finite(spot)
            elif isinstance(spot.value, (list, dict)):
                with suppress(BadInput):  # arrays may have empty entries, and other programs more than lists
                    found |= read_thing_data(self.spot.replaced({name: spot.value}))
        return found


def read_foreign_entities(entities: Sequence[Entity]) -> Parts:
    """Read entities of a foreign project: a start and an end if names say so, and things."""
    parts: Parts = {"things": []}
    for entity in entities:
        plain = entity.name.replace("_", "").casefold()
        role = "start" if plain in START_NAMES else "end" if plain in END_NAMES else ""
        if role and role not in parts:
            parts[role] = (entity.x, entity.y)
        else:
            parts["things"].append(
                Thing(entity.name.replace("_", " ").casefold(), entity.x, entity.y, entity.foreign_data())
            )
    return parts


def read_own_entities(entities: Sequence[Entity], labels: NDArray[np.int64], keys: FieldKeys) -> Parts:
    """Read entities of our own project, which a user may have moved, added or removed since."""
    known: dict[str, list[Entity]] = {name: [] for name in ENTITY_FIELDS}
    things = []
    for entity in entities:
        if not entity.is_thing and entity.name in known:
            known[entity.name].append(entity)
        else:
            things.append(Thing(keys.names.get(entity.uid, entity.name), entity.x, entity.y, entity.own_data(keys)))
    regions, new = _read_regions(known["Room"], labels)
    door_rows = [
        (door.x, door.y, new(door.field("a")), new(door.field("b")), door.word_index("state", DOOR_STATES))
        for door in known["Door"]
    ]
    places = _door_indices(known["Door"])
    return {
        "regions": regions,
        "doors": view_doors(np.array(door_rows, DOOR_DTYPE)),
        "links": view_links(np.array([_read_link(link, new, places) for link in known["Link"]], LINK_DTYPE)),
        "things": things,
        "path": _read_path(known["Path"], labels.shape),
        **{
            role: (known[name][0].x, known[name][0].y)
            for role, name in (("start", "Start"), ("end", "End"))
            if known[name]
        },
    }


def _read_regions(rooms: list[Entity], labels: NDArray[np.int64]) -> tuple[Regions, Callable[[CheckedValue], int]]:
    """The regions, numbered from 1 without a gap, and a function from an old label to the new one: 0 if its room is
    gone.
    """
    height, width = labels.shape
    rooms = sorted(rooms, key=lambda room: room.field("label").integer(1, limits.LDTK_NUMBER.value))
    table = np.zeros(len(rooms), REGION_DTYPE)
    tags, templates, names = {}, {}, {}
    numbers: dict[int, int] = {}
    for number, room in enumerate(rooms, 1):
        table[number - 1] = (
            room.word_index("kind", REGION_KINDS),
            room.x,
            room.y,
            min(room.width, width),
            min(room.height, height),
            0,
        )
        numbers.setdefault(room.field("label").value, number)
        told = room.field("tags")
        tags[number] = tuple(told.item(index).text() for index in range(len(told.list())))
        templates[number], names[number] = room.field("template").text(), room.field("name").text()
    old = np.array([0, *numbers], np.int64)
    place = np.minimum(np.searchsorted(old, labels), len(old) - 1)
    renumbered = np.where(old[place] == labels, np.array([0, *numbers.values()], np.int32)[place], 0).astype(np.int32)
    rows = in_file(None, "the rooms", rooms[0].spot.file if rooms else "")
    table["area"] = count_region_cells(renumbered, len(rooms), rows)
    for side in ("width", "height"):
        table[side][table["area"] == 0] = 0  # a copy, whose label no cell has
    check_regions(renumbered, table, rows, rows)
    kept = ({number: told for number, told in some.items() if told} for some in (tags, templates, names))
    return Regions(renumbered, table, *kept), lambda spot: numbers.get(spot.integer(0, limits.LDTK_NUMBER.value), 0)  # type: ignore[arg-type]


def _door_indices(found: list[Entity]) -> dict[int, int]:
    """The index of each door in the list, by the number that links refer to. A user may have removed doors, or added
    others, which have no number.
    """
    if not any("number" in door.fields for door in found):  # a file from before doors had numbers
        return {place: place for place in range(len(found))}
    places: dict[int, int] = {}
    for place, door in enumerate(found):
        number = door.fields.get("number")
        if number is not None and number.value is not None:
            places.setdefault(number.integer(0, limits.LDTK_NUMBER.value), place)
    return places


def _read_link(
    link: Entity, new: Callable[[CheckedValue], int], places: dict[int, int]
) -> tuple[int, int, int, int, bool]:
    door = link.field("door").integer(-1, limits.LDTK_NUMBER.value)
    return (
        new(link.field("a")),
        new(link.field("b")),
        link.word_index("kind", LINK_KINDS),
        places.get(door, -1),
        link.field("carved").boolean(),
    )


def _read_path(found: list[Entity], shape: tuple[int, ...]) -> NDArray[np.int32] | None:
    if not found:
        return None
    cells = found[0].field("cells")
    path = np.zeros((len(cells.list()), 2), np.int32)
    for index in range(len(path)):
        cells.item(index).table()
        path[index] = [
            cells.item(index).key(axis).integer(0, side - 1) for axis, side in (("cx", shape[1]), ("cy", shape[0]))
        ]
    return path


def parse_json_field(spot: CheckedValue) -> CheckedValue:
    """Parse the JSON in a text field of ours."""
    try:
        return spot.replaced(parse_json(spot.text().encode(), spot.file))
    except BadInput as error:
        raise spot.error(error.problem, error.fix) from None
