"""The data of a thing: what may stand in it, and the sentence about what a thing holds.

Data is a table. Its values are texts, numbers and truth values; lists of these and of flat tables; and flat tables. A
flat table holds texts, numbers and truth values only. This is what every file of ours can hold and give back, so
anything else is refused when the thing is made, and in the same words when a file is read.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from undercroft import limits
from undercroft.core.frozen import ReadOnlyDict
from undercroft.errors import BadInput
from undercroft.inputs.values import Path, format_path, format_value
from undercroft.wording import format_value_briefly, shorten

Fail = Callable[[Path, str, str], BadInput]
"""Builds the error about the value at a path within the data, from the problem and its fix."""
PLAIN_WORDS = "a text, a number or a truth value"
LIST_WORDS = "a text, a number, a truth value or a flat table"
DATA_WORDS = "a text, a number, a truth value, a list or a table"
FIXES: dict[str, str] = {
    "NoneType": "leave the key out",
    "bytes": "decode it to a text",
    "set": "write a sorted list",
    "frozenset": "write a sorted list",
    "ndarray": "write a list: values.tolist()",
}
"""How to mend a value of a type that data never holds."""
NESTED_FIX = "keep lists and tables flat: give it a key of its own in the data"


class ThingData(ReadOnlyDict):
    """Data that was checked. Only `build_data` and code that knows its values make it."""

    __slots__ = ()

    @classmethod
    def of_checked(cls, table: dict[str, Any]) -> ThingData:
        """The data in a table whose values are known to be right, and frozen."""
        made = dict.__new__(cls)
        dict.update(made, table)
        return made

    def __reduce__(self) -> Any:
        return ThingData, (dict(self),)


NO_DATA = ThingData()


def build_data(given: object, fail: Fail) -> ThingData:
    """The data, checked and frozen; itself if it was checked before.

    >>> build_data({"loot": ["rope", {"item": "torch", "count": 2}]}, lambda *_: BadInput("no"))
    {'loot': ('rope', {'item': 'torch', 'count': 2})}
    """
    if type(given) is ThingData:
        return given
    if not isinstance(given, Mapping):
        raise fail((), f"a table belongs here, not {_describe(given)}", "write names with their values")
    if not given:
        return NO_DATA
    return ThingData.of_checked(
        {_check_key(key, (), fail): _check_value(value, (key,), fail) for key, value in given.items()}
    )


def has_lists(data: Iterable[Mapping[str, Any]]) -> bool:
    """Whether any of these data holds a list or a table.

    >>> has_lists([NO_DATA, {"gold": 7}]), has_lists([{"loot": ("rope",)}])
    (False, True)
    """
    return any(isinstance(value, (tuple, list, Mapping)) for table in data for value in table.values())


def format_contents(contents: Iterable[Any]) -> str:
    """The sentence about what a thing holds, from its `contents`: a list of texts and of tables with `item` and
    `count`. Other values are left out.

    >>> format_contents([{"item": "rope", "count": 1}, {"item": "torch", "count": 2}, "a map"])
    'rope, torch x2, a map'
    """
    return ", ".join(filter(None, map(_format_item, contents)))


def _format_item(entry: Any) -> str:
    if not isinstance(entry, Mapping):
        return entry if isinstance(entry, str) else ""
    name, count = entry.get("item"), entry.get("count", 1)
    if not isinstance(name, str):
        return ""
    return name if type(count) is not int or count == 1 else f"{name} x{count}"


def describe_contents(data: Mapping[str, Any]) -> str:
    """The sentence about what a thing holds, from its `contents`; its `holds` if it has no such list.

    >>> describe_contents({"contents": [{"item": "torch", "count": 2}]}), describe_contents({"holds": "a rope"})
    ('torch x2', 'a rope')
    """
    return ", ".join(list_contents(data))


def list_contents(data: Mapping[str, Any]) -> list[str]:
    """What a thing holds, item by item; empty if it holds nothing.

    >>> list_contents({"contents": ["rope", {"item": "torch", "count": 2}]}), list_contents({"holds": "rope, torch x2"})
    (['rope', 'torch x2'], ['rope', 'torch x2'])
    """
    contents, held = data.get("contents"), data.get("holds")
    if isinstance(contents, (tuple, list)):
        return [entry for entry in map(_format_item, contents) if entry]
    return [part.strip() for part in held.split(",") if part.strip()] if isinstance(held, str) else []


def thing_error(kind: object, x: object, y: object) -> Fail:
    """The builder of errors about the data of a thing that is being made."""

    def fail(path: Path, problem: str, fix: str) -> BadInput:
        whose = f"the data of the {shorten(str(kind), limits.THING_NAME_LENGTH.value)} at {_format_cell(x, y)}"
        return BadInput(f"{whose}{f', at {shorten(format_path(path))}' if path else ''}: {problem}", fix=fix)

    return fail


def _format_cell(x: object, y: object) -> str:
    return f"({format_value_briefly(x)}, {format_value_briefly(y)})"


def check_kind(kind: object, x: object, y: object) -> str:
    """The kind of a thing as a text.

    >>> check_kind(3, 5, 2)
    Traceback (most recent call last):
    undercroft.errors.BadInput: the kind of the thing at (5, 2) is a text, not 3
      fix: write what it is, such as "chest"
    """
    whose = f"the kind of the thing at {_format_cell(x, y)}"
    if not isinstance(kind, str):
        raise BadInput(f"{whose} is a text, not {format_value(kind)}", fix='write what it is, such as "chest"')
    return _check_text(kind, (), lambda _, problem, fix: BadInput(f"{whose}: {problem}", fix=fix))


def _check_key(key: object, path: Path, fail: Fail) -> str:
    if not isinstance(key, str):
        raise fail(path, f"the key {format_value(key)} is not a text", "write it as text")
    return _check_text(key, path, fail)


def _check_value(value: Any, path: Path, fail: Fail) -> Any:
    """A value of the data itself."""
    if isinstance(value, (list, tuple)):
        _check_length(value, path, fail)
        return tuple([_check_entry(entry, (*path, index), fail) for index, entry in enumerate(value)])
    if isinstance(value, Mapping):
        return _check_flat_table(value, path, fail)
    return _check_plain(value, path, fail, DATA_WORDS)


def _check_entry(value: Any, path: Path, fail: Fail) -> Any:
    """A value of a list."""
    if isinstance(value, Mapping):
        return _check_flat_table(value, path, fail)
    return _check_plain(value, path, fail, LIST_WORDS)


def _check_flat_table(value: Mapping[Any, Any], path: Path, fail: Fail) -> ReadOnlyDict:
    _check_length(value, path, fail)
    return ReadOnlyDict(
        {
            _check_key(key, path, fail): _check_plain(held, (*path, key), fail, PLAIN_WORDS)
            for key, held in value.items()
        }
    )


def _check_length(value: Any, path: Path, fail: Fail) -> None:
    most = limits.THING_ENTRIES
    if len(value) > most.value:
        what = "table" if isinstance(value, Mapping) else "list"
        raise fail(
            path, f"the {what} has {len(value):,} entries; the limit is {most.value} ({most.reason})", most.raise_by
        )


def _check_plain(value: Any, path: Path, fail: Fail, wanted: str) -> str | int | float | bool:
    """A text, a number or a truth value, as Python's own type. Errors say that `wanted` belongs there."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, str):
        return _check_text(value, path, fail)
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        most = limits.NUMBER_LENGTH
        if abs(value) >= 10 ** (most.value - 1):
            raise fail(path, f"the number has more than {most.value - 1} digits", most.raise_by)
        return int(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise fail(path, f"the number is not finite: {value}", "leave it out, or write it as text")
        return float(value)
    is_nested = isinstance(value, (list, tuple, Mapping))
    fix = NESTED_FIX if is_nested else FIXES.get(type(value).__name__, f"write {PLAIN_WORDS}")
    raise fail(path, f"{wanted} belongs here, not {_describe(value)}", fix)


def _check_text(text: str, path: Path, fail: Fail) -> str:
    most = limits.THING_TEXT_LENGTH
    if len(text) > most.value:
        raise fail(
            path, f"the text has {len(text):,} letters; the limit is {most.value:,} ({most.reason})", most.raise_by
        )
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            raise fail(path, f"the text {format_value(text)} holds half a character", "write it as UTF-8") from None
    return text if type(text) is str else str.__str__(text)


def _describe(value: object) -> str:
    """The type of a value in an error."""
    known = {type(None): "null", list: "a list", tuple: "a list"}
    if type(value) in known:
        return known[type(value)]
    if isinstance(value, Mapping):
        return "a table"
    name = type(value).__name__
    return name if name == "bytes" else f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"
