"""Write all that is not a grid as LDtk entities: start and end, doors, things, rooms, links and the path."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import Any, NamedTuple

from undercroft.core.frozen import thaw
from undercroft.core.level import Level
from undercroft.core.region import DOOR_STATES, LINK_KINDS, REGION_KINDS, Link
from undercroft.draw.tileset.picture import thing_piece_number, tileset
from undercroft.formats.ldtk import definitions as defs
from undercroft.formats.ldtk.definitions import CELL_PIXELS, Data, LdtkField, UidCounter
from undercroft.formats.shared.characters import encode_utf8
from undercroft.inputs.json import format_json

ENUMS = {
    "DoorState": DOOR_STATES,
    "RoomKind": REGION_KINDS,
    "LinkKind": tuple(kind.replace("-", "_") for kind in LINK_KINDS),
}
"""The enums of our fields. LDtk allows no hyphens in their values."""
ENTITY_FIELDS: dict[str, tuple[LdtkField, ...]] = {
    "Start": (),
    "End": (),
    "Door": (
        *(LdtkField("state", "DoorState", show="ValueOnly"), LdtkField("a", "Int"), LdtkField("b", "Int")),
        LdtkField("number", "Int", null=True, doc="what links call this door; leave it empty for new doors"),
    ),
    "Room": (
        *(
            LdtkField("label", "Int"),
            LdtkField("kind", "RoomKind"),
            LdtkField("area", "Int"),
            LdtkField("tags", "String", array=True),
        ),
        *(LdtkField("template", "String"), LdtkField("name", "String", show="ValueOnly")),
    ),
    "Link": (
        LdtkField("a", "Int"),
        LdtkField("b", "Int"),
        LdtkField("kind", "LinkKind"),
        LdtkField("door", "Int"),
        LdtkField("carved", "Bool"),
    ),
    "Path": (LdtkField("cells", "Point", array=True, show="PointPath"),),
}
"""Our own kinds of entities, and the fields of each."""
ENTITY_COLOURS = {
    "Start": "#3CF0A6",
    "End": "#FF5470",
    "Door": "#C77B30",
    "Room": "#8B9BB4",
    "Link": "#5FA8D3",
    "Path": "#FEE761",
}
ENTITY_PIECES = {"Start": "stairs.up", "End": "stairs.down", "Door": "door.ns.closed"}
"""The pieces of the tileset that represent them."""
THING_TAG = "thing"
"""The tag of all kinds of things."""
MAX_EXACT_INTEGER = 1 << 53
"""The greatest whole number that all readers of JSON keep exactly."""


class Entities:
    """The entities of a level, their definitions, and the enums of their fields."""

    def __init__(self, level: Level, new_iid: Callable[[], str], numbers: UidCounter) -> None:
        self.level, self._new_iid, self._numbers = level, new_iid, numbers
        self._enum_uids = {name: numbers.new_uid() for name in ENUMS}
        self.enums = [defs.enum_def(self._enum_uids[name], name, words) for name, words in ENUMS.items()]
        self.defs: list[Data] = []
        self._kinds: dict[str, tuple[Data, list[tuple[LdtkField, int]]]] = {}
        for name, fields in ENTITY_FIELDS.items():
            tile = tileset().number(ENTITY_PIECES[name]) if name in ENTITY_PIECES else None
            box, most = name in ("Room", "Path"), int(name in ("Start", "End", "Path"))
            self._define(
                name,
                defs.entity_def(numbers.new_uid(), name, ENTITY_COLOURS[name], tile=tile, box=box, most=most),
                fields,
            )
        self._data: list[Data] = [thaw(thing.data) for thing in level.things]
        told: dict[str, list[Data]] = {}
        for thing, data in zip(level.things, self._data, strict=True):
            told.setdefault(thing.kind, []).append(data)
        self._things = {kind: self._define_things(kind, some) for kind, some in told.items()}

    def dump_layer(self, layer: str) -> bytes:
        """The entities of one of the layers, one line each."""
        found = self._build_entities() if layer == "Entities" else self._build_rooms()
        return encode_utf8(",\n".join(map(format_json, found)))

    def _define(self, name: str, definition: Data, fields: Sequence[LdtkField]) -> None:
        rows = [(field, self._numbers.new_uid()) for field in fields]
        definition["fieldDefs"] = [defs.field_def(uid, field, self._enum_uids) for field, uid in rows]
        self.defs.append(definition)
        self._kinds[name] = definition, rows

    def _define_things(self, kind: str, some: Sequence[Data]) -> str:
        """Define a kind of things, with a field for each key and type of their data; the field's doc holds the key."""
        name = _make_unique(defs.to_identifier(kind, "Thing"), self._kinds)
        fields: dict[str, LdtkField] = {}
        for key, type_ in dict.fromkeys((key, _field_type(value)) for data in some for key, value in data.items()):
            field = _make_unique(defs.to_identifier(key, "field"), fields)
            fields[field] = LdtkField(
                field, type_.name, array=type_.array, null=not type_.array, doc=key, language=type_.language
            )
        definition = defs.entity_def(
            self._numbers.new_uid(), name, "#EAD4AA", tile=thing_piece_number(kind), tag=THING_TAG, doc=kind
        )
        self._define(name, definition, tuple(fields.values()))
        return name

    def _build_entities(self) -> Iterator[Data]:
        for name, point in (("Start", self.level.start), ("End", self.level.end)):
            if point is not None:
                yield self._build_entity(name, *map(int, point))
        for number, (x, y, a, b, state) in enumerate(self.level.doors):
            yield self._build_entity("Door", x, y, state, a, b, number)
        for thing, data in zip(self.level.things, self._data, strict=True):
            name = self._things[thing.kind]
            made = self._build_entity(
                name, int(thing.x), int(thing.y), *(_value_for_field(field, data) for field, _ in self._kinds[name][1])
            )
            yield made | {"__tile": defs.build_tile_rect(thing_piece_number(thing.kind, data))}

    def _build_rooms(self) -> Iterator[Data]:
        for label, kind, x, y, width, height, area, tags, template, name in self.level.regions:
            yield self._build_entity("Room", x, y, label, kind, area, [*tags], template, name, size=(width, height))
        for link in self.level.links:
            yield self._build_entity(
                "Link", *self._link_cell(link), link.a, link.b, link.kind.replace("-", "_"), link.door, link.carved
            )
        path = self.level.path.tolist()
        if path:
            yield self._build_entity("Path", *path[0], [{"cx": x, "cy": y} for x, y in path])

    def _link_cell(self, link: Link) -> tuple[int, int]:
        """The cell that shows a link: its door, or between its regions."""
        if 0 <= link.door < len(self.level.doors):
            door = self.level.doors[link.door]
            return door.x, door.y
        ends = [self.level.regions[label - 1] for label in (link.a, link.b) if 0 < label <= len(self.level.regions)]
        middles = [(end.x + end.width // 2, end.y + end.height // 2) for end in ends] or [(0, 0)]
        x, y = (sum(places) // len(places) for places in zip(*middles, strict=True))
        return min(x, self.level.width - 1), min(y, self.level.height - 1)

    def _build_entity(self, name: str, x: int, y: int, *values: Any, size: tuple[int, int] = (1, 1)) -> Data:
        definition, fields = self._kinds[name]
        told = {
            "__identifier": name,
            "__grid": [x, y],
            "__pivot": [0, 0],
            "__tags": definition["tags"],
            "__tile": definition["tileRect"],
        }
        place = {
            "px": [x * CELL_PIXELS, y * CELL_PIXELS],
            "__worldX": x * CELL_PIXELS,
            "__worldY": y * CELL_PIXELS,
            "width": size[0] * CELL_PIXELS,
            "height": size[1] * CELL_PIXELS,
        }
        rows = [defs.field_value(field, uid, value) for (field, uid), value in zip(fields, values, strict=True)]
        return (
            told
            | place
            | {
                "__smartColor": definition["color"],
                "iid": self._new_iid(),
                "defUid": definition["uid"],
                "fieldInstances": rows,
            }
        )


def _make_unique(name: str, taken: Any) -> str:
    """The name, with a number after it if it is taken."""
    return next(other for number in count(1) if (other := name if number == 1 else f"{name}_{number}") not in taken)


class _FieldType(NamedTuple):
    """The type of a field that holds a value of a thing."""

    name: str
    array: bool = False
    language: str | None = None


_JSON_TYPE = _FieldType("String", language=defs.JSON_MODE)


def _field_type(value: Any) -> _FieldType:
    """The type of a field that can hold the value. JSON holds what LDtk has no type for: tables, mixed lists, large
    numbers, and empty lists, since an empty array stands for no value.
    """
    if isinstance(value, list):
        kinds = {_field_type(held) for held in value}
        only = kinds.pop() if len(kinds) == 1 else _JSON_TYPE
        return _JSON_TYPE if only == _JSON_TYPE else only._replace(array=True)
    if isinstance(value, bool):
        return _FieldType("Bool")
    if isinstance(value, int) and -MAX_EXACT_INTEGER <= value <= MAX_EXACT_INTEGER:
        return _FieldType("Int")
    if isinstance(value, (int, dict)):
        return _JSON_TYPE
    return _FieldType("Float" if isinstance(value, float) else "String")


def _value_for_field(field: LdtkField, data: Data) -> Any:
    """The value of a thing in a field; None, or no entries of an array, if it has no such key, or a value of another
    type.
    """
    value = data.get(str(field.doc))
    if value is None or _field_type(value) != (field.type, field.array, field.language):
        return [] if field.array else None
    return format_json(value) if field.language else value
