"""Convert the data of a thing to the properties of an object."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from undercroft import limits
from undercroft.formats.shared.checked import to_json_value
from undercroft.formats.tiled.object_table import Property
from undercroft.inputs.json import format_json

RESERVED_NAMES = frozenset((
    *("id", "name", "type", "class", "x", "y", "width", "height", "rotation", "gid"),
    *("visible", "closed", "template", "points", "data", "parent", "properties", "image", "as_points"),
    *("custom_types", "apply_transformations", "parse_xml", "from_xml_string", "allow_duplicate_names"),
))  # fmt: skip
"""Names that some programs refuse for properties, because they equal or hide an object's own attributes."""
SAFE_NAME_PATTERN = re.compile(r"[^\W_][\w ./:+-]*")
PROPERTY_KINDS = {str: "string", bool: "bool", int: "int", float: "float"}


def to_plain_data(data: Mapping[str, Any], what: str) -> dict[str, Any]:
    """The data as JSON values, sorted by name."""
    return dict(sorted(to_json_value(data, what).items())) if data else {}


def read_side(told: Any) -> int:
    """The number of cells that a thing covers along a side; 1 if the value is not a valid size."""
    return told if type(told) is int and 1 <= told <= limits.THING_SIDE.value else 1


def build_properties(data: dict[str, Any]) -> tuple[Property, ...]:
    """Data as properties that every program can read; other values are kept as JSON in the property `data`.

    >>> build_properties({"gold": 7, "width": 2})
    (Property(name='gold', kind='int', value=7), Property(name='data', kind='string', value='{"width":2}'))
    """
    kept = [
        (name, value)
        for name, value in data.items()
        if name not in RESERVED_NAMES and SAFE_NAME_PATTERN.fullmatch(name) and _fits(value)
    ]
    rest = dict(data)
    for name, _ in kept:
        del rest[name]
    if type(rest.get("name")) is str and rest["name"]:  # it becomes the name of the object
        del rest["name"]
    if rest:
        kept.append(("data", format_json(rest)))
    return tuple(
        Property(name, PROPERTY_KINDS[type(value)], repr(value) if type(value) is float else value)
        for name, value in kept
    )


def _fits(value: Any) -> bool:
    """Whether an integer fits Tiled's 32 bits; True for other values."""
    return type(value) is not int or -(2**31) <= value < 2**31
