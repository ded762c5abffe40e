"""The data of a thing as the properties of an object."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from undercroft import limits
from undercroft.formats.native.native import text
from undercroft.formats.shared.checked import plain
from undercroft.formats.tiled.object_table import Property

RESERVED = frozenset((
    *("id", "name", "type", "class", "x", "y", "width", "height", "rotation", "gid"),
    *("visible", "closed", "template", "points", "data", "parent", "properties", "image", "as_points"),
    *("custom_types", "apply_transformations", "parse_xml", "from_xml_string", "allow_duplicate_names"),
))  # fmt: skip
"""Properties of these names some programs do not open: they are, or hide, what an object has anyhow."""
GOOD_NAME = re.compile(r"[^\W_][\w ./:+-]*")
KINDS = {str: "string", bool: "bool", int: "int", float: "float"}


def plain_data(data: Mapping[str, Any], what: str) -> dict[str, Any]:
    """The data as JSON could hold it, by name."""
    return dict(sorted(plain(data, what).items())) if data else {}


def cells_wide(told: Any) -> int:
    """How many cells a thing covers, if that is what this tells."""
    return told if type(told) is int and 1 <= told <= limits.THING_SIDE.value else 1


def shown(data: dict[str, Any]) -> tuple[Property, ...]:
    """Data as properties that every program can read; what cannot be one is kept as JSON in the property `data`.

    >>> shown({"gold": 7, "width": 2})
    (Property(name='gold', kind='int', value=7), Property(name='data', kind='string', value='{"width":2}'))
    """
    kept = [
        (name, value)
        for name, value in data.items()
        if name not in RESERVED and GOOD_NAME.fullmatch(name) and _fits(value)
    ]
    rest = dict(data)
    for name, _ in kept:
        del rest[name]
    if type(rest.get("name")) is str and rest["name"]:  # it is the name of the object
        del rest["name"]
    if rest:
        kept.append(("data", text(rest)))
    return tuple(
        Property(name, KINDS[type(value)], repr(value) if type(value) is float else value) for name, value in kept
    )


def _fits(value: Any) -> bool:
    """Tiled counts with 32 bits."""
    return type(value) is not int or -(2**31) <= value < 2**31
