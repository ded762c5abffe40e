"""Convert the data of a thing to the properties of an object, and back.

Tiled has no lists. A list or a table is the JSON text of a property whose type is called `json` (`propertytype`, which
Tiled and other programs ignore). Tiled forgets that name when it saves a map. So the notes of a map with lists say that
it holds some (`undercroft-tiled/2`), and in such a map no other property begins with a bracket.
"""

from __future__ import annotations

import re
from typing import Any

from undercroft import limits
from undercroft.errors import BadInput
from undercroft.formats.tiled.object_table import JSON_KIND, Property
from undercroft.inputs.json import format_json, parse_json

RESERVED_NAMES = frozenset((
    *("id", "name", "type", "class", "x", "y", "width", "height", "rotation", "gid"),
    *("visible", "closed", "template", "points", "data", "parent", "properties", "image", "as_points"),
    *("custom_types", "apply_transformations", "parse_xml", "from_xml_string", "allow_duplicate_names"),
))  # fmt: skip
"""Names that some programs refuse for properties, because they equal or hide an object's own attributes."""
SAFE_NAME_PATTERN = re.compile(r"[^\W_][\w ./:+-]*")
PROPERTY_KINDS = {str: "string", bool: "bool", int: "int", float: "float", list: JSON_KIND, dict: JSON_KIND}
BRACKETS = ("[", "{")


def read_side(told: Any) -> int:
    """The number of cells that a thing covers along a side; 1 if the value is not a valid size."""
    return told if type(told) is int and 1 <= told <= limits.THING_SIDE.value else 1


def build_properties(data: dict[str, Any], *, lists: bool = False) -> tuple[Property, ...]:
    """Data as properties that every program can read; other values are kept as JSON in the property `data`. If the map
    holds `lists`, these include all texts that begin with a bracket.

    >>> build_properties({"gold": 7, "width": 2})
    (Property(name='gold', kind='int', value=7), Property(name='data', kind='string', value='{"width":2}'))
    >>> build_properties({"loot": ["rope"]}, lists=True)
    (Property(name='loot', kind='json', value='["rope"]'),)
    """
    kept = [
        (name, value)
        for name, value in data.items()
        if name not in RESERVED_NAMES
        and SAFE_NAME_PATTERN.fullmatch(name)
        and _fits(value)
        and not (lists and type(value) is str and value.startswith(BRACKETS))
    ]
    rest = dict(data)
    for name, _ in kept:
        del rest[name]
    if type(rest.get("name")) is str and rest["name"]:  # it becomes the name of the object
        del rest["name"]
    if rest:
        kept.append(("data", format_json(rest)))
    return tuple(Property(name, PROPERTY_KINDS[type(value)], _to_property_value(value)) for name, value in kept)


def parse_lists(said: str) -> Any:
    """The list or table in the JSON text of a property; the text itself if it is no such JSON.

    >>> parse_lists('["rope"]'), parse_lists("[draft] a rope")
    (['rope'], '[draft] a rope')
    """
    if not said.startswith(BRACKETS):
        return said
    try:
        return parse_json(said.encode("utf-8", "surrogatepass"), "")
    except BadInput:
        return said


def _to_property_value(value: Any) -> str | int | bool:
    if isinstance(value, (list, dict)):
        return format_json(value)
    return repr(value) if type(value) is float else value


def _fits(value: Any) -> bool:
    """Whether an integer fits Tiled's 32 bits; True for other values."""
    return type(value) is not int or -(2**31) <= value < 2**31
