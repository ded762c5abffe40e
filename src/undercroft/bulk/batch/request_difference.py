"""How two requests for a batch differ, and whether one only asks for further measures."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

KEY_DESCRIPTIONS = {
    "recipe": "the recipe",
    "editions": "the editions of its steps",
    "params": "what is set",
    "as": "the form",
    "options": "the options of the format",
    "written_by": "what writes the files",
    "packages": "the packages of its steps and measures",
}
"""How messages about differences call a key; other keys are called by their names."""
ENTRY_DESCRIPTIONS = {
    "editions": "the edition of {}",
    "measure_editions": "the edition of the measure {}",
    "packages": "the package of {}",
}
"""The same for single entries of a table."""


def is_extended(stored: Mapping[str, Any], asked: Mapping[str, Any]) -> bool:
    """Whether a request asks for the same levels as another, with further measures.

    >>> is_extended({"count": 7, "measures": ["loops"]}, {"count": 7, "measures": ["loops", "rooms"]})
    True
    """
    there, here = ({**data, "measures": [], "measure_editions": {}} for data in (stored, asked))
    editions = asked.get("measure_editions", {})
    return (
        _is_same_json(there, here)
        and isinstance(stored.get("measures"), list)
        and set(map(str, stored["measures"])) < set(map(str, asked["measures"]))
        and all(editions.get(name) == edition for name, edition in stored.get("measure_editions", {}).items())
    )


def describe_difference(there: Mapping[str, Any], here: Mapping[str, Any]) -> str:
    """How two requests differ, in words.

    >>> describe_difference({"count": 7, "size": [3, 2], "chunk": 1}, {"count": 9, "size": [3, 2], "chunk": 2})
    'count is 7 there and 9 here, chunk is 1 there and 2 here'
    """
    found = []
    other_recipe = not _is_same_json(there.get("recipe"), here.get("recipe"))
    for key in dict.fromkeys((*there, *here)):
        old, new = there.get(key), here.get(key)
        if _is_same_json(old, new):
            continue
        if isinstance(old, dict) and isinstance(new, dict) and key == "recipe":
            found.append(_describe_other_recipe(old, new))
        elif isinstance(old, dict) and isinstance(new, dict):
            found += [
                _describe_change(ENTRY_DESCRIPTIONS.get(key, "{}").format(name), old.get(name), new.get(name))
                for name in _differing_names(old, new, all_of_them=not other_recipe and key != "measure_editions")
            ]
        else:
            found.append(_describe_change(KEY_DESCRIPTIONS.get(key, key), old, new))
    return (", ".join(found[:4]) + (", and more" if len(found) > 4 else "")) or "its order differs"


def _differing_names(old: Mapping[str, Any], new: Mapping[str, Any], *, all_of_them: bool) -> list[str]:
    """The names whose values differ. If the recipe differs too, names that only one has do not matter."""
    names = [name for name in dict.fromkeys((*old, *new)) if not _is_same_json(old.get(name), new.get(name))]
    return [name for name in names if all_of_them or (name in old and name in new)]


def _is_same_json(old: Any, new: Any) -> bool:
    """Whether two values have the same JSON, as the digest of a request sees them: 2 and 2.0 differ."""
    return json.dumps(old, sort_keys=True) == json.dumps(new, sort_keys=True)


def _describe_change(name: str, old: Any, new: Any) -> str:
    format_one = (
        _format_value if _format_value(old) != _format_value(new) else json.dumps
    )  # a text of digits looks like the number
    return f"{name} is {format_one(old)} there and {format_one(new)} here"


def _describe_other_recipe(old: Mapping[str, Any], new: Mapping[str, Any]) -> str:
    if old.get("file") != new.get("file"):
        return f"the recipe is {old.get('file')} there and {new.get('file')} here"
    return (
        "the recipe has another text there"
        if old.get("text") != new.get("text")
        else "a file that the recipe reads is another there"
    )


def _format_value(value: Any) -> str:
    if isinstance(value, list):
        return (
            "x".join(map(str, value))
            if all(type(one) is int for one in value) and len(value) == 2
            else ", ".join(map(str, value))
        ) or "nothing"
    return "not set" if value is None else str(value)
