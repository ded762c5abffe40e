"""Read maps of donjon's dungeon generator, from the JSON file that it offers.

The file is an object with `cells`, rows of numbers whose bits describe a cell; `cell_bit`, the meaning of each bit;
`settings`; `rooms` with their contents and their `doors`; `corridor_features`, marks in the passages; `egress`, where
passages leave the map. `cells` has a blank rim around the map (`bleed`); all other coordinates do not count it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from undercroft import limits
from undercroft.analysis.survey import surveyed
from undercroft.core.draft import Draft
from undercroft.core.level import Level, Point
from undercroft.core.palette import STANDARD
from undercroft.core.region import Regions, Thing
from undercroft.core.stairs import find_only_stairs
from undercroft.formats.shared.checked import check_finite
from undercroft.inputs.json import parse_json
from undercroft.inputs.values import CheckedValue, in_file

BIT_ROLES = (
    ("corridor", "corridor"),
    ("room", "floor"),
    ("aperture", "opening"),
    ("arch", "opening"),
    ("door", "door"),
    ("trapped", "door"),
    ("portcullis", "locked"),
    ("locked", "locked"),
    ("secret", "secret"),
    ("stair_up", "entry"),
    ("stair_down", "exit"),
)
"""The relevant bits, and the tile roles they stand for; of several, the last counts."""
BIT_THINGS = {"portcullis": "portcullis", "trapped": "trap"}
DOOR_NOTE_KEYS = {"desc": "text", "trap": "trap", "secret": "secret"}
"""The texts about a door, and their keys in a note."""
MAX_UINT32 = (1 << 32) - 1


def load(data: bytes, file: str) -> Level:
    """The level, with its rooms, doors and stairs. Texts about rooms, doors and passages become things of the kind
    `note`.
    """
    whole = in_file(parse_json(data, file), "", file)
    for key in whole.table():
        if key != "cells":
            check_finite(whole.key(key))
    bits = whole.key("cell_bit")
    masks = {
        name: bits.key(name, 0).integer(0, MAX_UINT32)
        for name in [*bits.table(), *(name for name, _ in BIT_ROLES), "room_id", "label"]
    }
    cells = _read_cells(whole.key("cells"))
    tiles = np.full(cells.shape, STANDARD.role("wall"), np.uint8)
    for name, role in BIT_ROLES:
        tiles[cells & masks[name] > 0] = STANDARD.role(role)
    marks = {kind: np.argwhere(cells & masks[name] > 0) for name, kind in BIT_THINGS.items()}
    limits.DRAWING_MARKS.check(sum(map(len, marks.values())), f"{file}: its number of traps and portcullises")
    things = [Thing(kind, x, y) for kind, found in marks.items() for y, x in found.tolist()]
    rooms = _room_numbers(cells, masks)
    settings = whole.key("settings", {})
    rim = _rim_width(settings, cells.shape)
    things += _room_notes(whole.key("rooms", []), rooms, cells & masks["label"] > 0)
    things += _door_notes(whole.key("rooms", []), rim, cells.shape)
    things += _passage_notes(whole.key("corridor_features", {}), rim, cells.shape)
    level = Level(
        tiles,
        things=things,
        start=find_only_stairs(tiles, STANDARD, "entry") or _find_way_in(whole.key("egress", []), rim, tiles),
        end=find_only_stairs(tiles, STANDARD, "exit"),
        provenance={"program": "donjon", **_read_details(whole)},
        title=settings.key("name", "").text(),
    )
    return _name_rooms(surveyed(level), rooms)


def _read_cells(spot: CheckedValue) -> NDArray[np.int64]:
    rows = spot.list()
    if not rows:
        raise spot.error("there is no cell", "export the map again")
    width = len(spot.item(0).list())
    limits.FOREIGN_CELLS.check(width * len(rows), f"{spot.file}: the number of cells of {width}x{len(rows)}")
    for y, row in enumerate(rows):
        spot.item(y).list(width)
        if not all(type(cell) is int and 0 <= cell <= MAX_UINT32 for cell in row):
            x = next(x for x, cell in enumerate(row) if type(cell) is not int or not 0 <= cell <= MAX_UINT32)
            spot.item(y).item(x).integer(0, MAX_UINT32)
    if not width:
        raise spot.error("there is no cell", "export the map again")
    return np.array(rows, np.int64)


def _room_numbers(cells: NDArray[np.int64], masks: dict[str, int]) -> NDArray[np.int64]:
    """The number of the room of each cell, 0 for none."""
    mask = masks["room_id"]
    return np.where(cells & masks["room"] > 0, (cells & mask) // (mask & -mask) if mask else 0, 0)


def _rim_width(settings: CheckedValue, shape: tuple[int, ...]) -> int:
    """The width of the blank rim in `cells`, which other coordinates do not count."""
    settings.table()
    rim = settings.key("bleed", 0).integer(0, 1 << 20)
    rows = settings.value.get("n_rows")
    return rim if type(rows) is int and rows + 2 * rim == shape[0] else 0


def _read_cell(spot: CheckedValue, rim: int, shape: tuple[int, ...]) -> Point:
    spot.table()
    return spot.key("col").integer(-rim, shape[1] - 1 - rim) + rim, spot.key("row").integer(
        -rim, shape[0] - 1 - rim
    ) + rim


def _room_notes(spot: CheckedValue, rooms: NDArray[np.int64], printed: NDArray[np.bool_]) -> list[Thing]:
    """Notes about the contents of rooms. A note stands where the room's number is printed, or on its first cell."""
    cells: dict[int, int] = {}
    for where in (rooms, np.where(printed, rooms, 0)):
        cells |= dict(zip(*(found.tolist() for found in np.unique(where, return_index=True)), strict=True))
    notes = []
    for index in range(len(spot.list())):
        row = spot.item(index)
        if row.value is None:  # entry 0 is null
            continue
        row.table()
        number = row.key("id").integer(0, MAX_UINT32)
        data = _read_contents(row.key("contents", {}))
        if data and number and number in cells:
            y, x = divmod(cells[number], rooms.shape[1])
            notes.append(Thing("note", x, y, {**data, "ref": str(number)}))
    return notes


def _door_notes(rooms: CheckedValue, rim: int, shape: tuple[int, ...]) -> list[Thing]:
    """Notes about doors, one for each, though both of its rooms list it. Texts that only name its kind, such as `Door`
    or `Archway`, are left out.
    """
    found: dict[Point, dict[str, str]] = {}
    for row in _list_doors(rooms):
        place = _read_cell(row, rim, shape)
        told = {name: row.key(key).text() for key, name in DOOR_NOTE_KEYS.items() if row.value.get(key)}
        plain = told.keys() <= {"text"} and told.get("text", "").casefold().removesuffix("way") in (
            "",
            row.value.get("type"),
        )
        if not plain:
            found[place] = told | found.get(place, {})
    return [Thing("note", *place, told) for place, told in found.items()]


def _list_doors(rooms: CheckedValue) -> Iterator[CheckedValue]:
    """The doors in the order of the rooms' lists, by side."""
    for index in range(len(rooms.list())):
        if rooms.value[index] is None:
            continue
        sides = rooms.item(index).key("doors", {})
        for side in sides.table():
            yield from (sides.key(side).item(number) for number in range(len(sides.key(side).list())))


def _read_contents(spot: CheckedValue) -> dict[str, str]:
    """The contents of a room, as texts; empty if its summary says `Empty`."""
    spot.table()
    detail = spot.key("detail", {})
    told = {key: _read_text(detail.key(key)) for key, value in detail.table().items() if value is not None}
    summary = spot.key("summary", "").text()
    return {"text": summary, **told} if told or summary not in ("", "Empty") else {}


def _read_text(spot: CheckedValue) -> str:
    """A text, given as one text or as a list of lines."""
    if type(spot.value) is list:
        return "\n".join(spot.item(index).text() for index in range(len(spot.value)) if spot.value[index] != "--")
    return spot.text()


def _passage_notes(spot: CheckedValue, rim: int, shape: tuple[int, ...]) -> list[Thing]:
    notes = []
    for key in spot.table():
        row = spot.key(key)
        row.table()
        marks = row.key("marks", [])
        text = row.key("detail", row.value.get("summary", "")).text()
        notes += [
            Thing("note", *_read_cell(marks.item(index), rim, shape), {"text": text, "ref": key})
            for index in range(len(marks.list()))
        ]
    return notes


def _find_way_in(spot: CheckedValue, rim: int, tiles: NDArray[np.uint8]) -> Point | None:
    """The first walkable cell where a passage leaves the map; None if there is none."""
    for index in range(len(spot.list())):
        x, y = _read_cell(spot.item(index), rim, tiles.shape)
        if STANDARD.walkable[tiles[y, x]]:
            return x, y
    return None


def _read_details(whole: CheckedValue) -> dict[str, Any]:
    """The texts about the whole dungeon."""
    found: dict[str, Any] = {}
    seed = whole.key("settings", {}).value.get("seed")
    if type(seed) in (int, str):
        found["seed"] = str(seed)
    for key in ("details", "wandering_monsters"):
        if key in whole.value:
            texts = whole.key(key)
            found[key] = {name: texts.key(name).text() for name, value in texts.table().items() if value is not None}
    return found


def _name_rooms(level: Level, rooms: NDArray[np.int64]) -> Level:
    """The level with its rooms named by their numbers."""
    numbers, first = np.unique(rooms, return_index=True)
    labels = level.regions.labels.reshape(-1)[first]
    names: dict[int, str] = {}
    for number, label in zip(numbers.tolist(), labels.tolist(), strict=True):
        if number and label:
            names.setdefault(label, f"Room {number}")
    draft = Draft.of(level)
    draft.regions = Regions(level.regions.labels, level.regions.table, names=names)
    return draft.level(level.provenance)
