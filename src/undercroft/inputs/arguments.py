"""Check the arguments of Python calls: a value of a wrong type is refused in a sentence."""

from __future__ import annotations

import operator
import os
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from undercroft.errors import BadInput, OutOfRange, unknown_name_error
from undercroft.wording import format_value_briefly, plural


def require_type(name: str, value: object, kinds: type | tuple[type, ...], words: str, fix: str = "") -> None:
    """Raise unless a value is of one of these types; `words` describe them.

    >>> require_type("title", 3, str, "a text")
    Traceback (most recent call last):
    undercroft.errors.BadInput: title is a text, not 3
    """
    if not isinstance(value, kinds):
        raise BadInput(f"{name} {_verb(name)} {words}, not {format_value_briefly(value)}", fix=fix)


def _verb(name: str) -> str:
    """The verb after the name of an argument.

    >>> [_verb(name) for name in ("title", "axis", "things", "the tiles of a palette", "one of the measures")]
    ['is', 'is', 'are', 'are', 'is']
    """
    noun = name.removeprefix("the ").partition(" ")[0]
    return "are" if noun.endswith("s") and not noun.endswith("is") else "is"


def require_text(name: str, value: object, fix: str = "give a text in quotes") -> None:
    """Raise unless a value is a text."""
    require_type(name, value, str, "a text", fix)


def require_table(name: str, value: object, fix: str) -> None:
    """Raise unless a value is a table: a dict, or something alike."""
    if type(value) is not dict:  # the rule; a look at what else is a table takes longer
        require_type(name, value, Mapping, "a table", fix)


def require_callable(name: str, value: object, *, optional: bool = True) -> None:
    """Raise unless a value is a function, or None if it is optional.

    >>> require_callable("tick", print)
    >>> require_callable("tick", "print")
    Traceback (most recent call last):
    undercroft.errors.BadInput: tick is a function, not 'print'
      fix: give a function, or leave it out
    """
    if not callable(value) and not (optional and value is None):
        raise BadInput(
            f"{name} is a function, not {format_value_briefly(value)}",
            fix=f"give a function{', or leave it out' if optional else ''}",
        )


def is_list(value: Any) -> bool:
    """Whether a value is several values: no text, no bytes, no table, and no array without dimensions.

    >>> is_list([3]), is_list("abc"), is_list({"a": 1})
    (True, False, False)
    """
    return (
        isinstance(value, Iterable) and not isinstance(value, (str, bytes, Mapping)) and getattr(value, "ndim", 1) != 0
    )


def require_list(name: str, value: Any, fix: str) -> list[Any]:
    """The values as a list. Raises unless they are several: a text, bytes and a table are none."""
    if type(value) is list or is_list(value):
        return list(value)
    raise BadInput(f"{name} {_verb(name)} a list, not {format_value_briefly(value)}", fix=fix)


def require_texts(name: str, values: Any, fix: str) -> tuple[str, ...]:
    """The texts of a list. Raises if it is none, or holds anything else."""
    found = require_list(name, values, fix)
    for value in found:
        require_type(f"one of the {name}", value, str, "a text", fix)
    return tuple(found)


def require_name(what: str, word: object, known: Collection[str]) -> None:
    """Raise unless a value is one of the known names of something.

    >>> require_name("colour", "rde", ("red", "blue"))
    Traceback (most recent call last):
    undercroft.errors.BadInput: unknown colour 'rde'
      fix: did you mean 'red'?
    """
    if not isinstance(word, str) or word not in known:
        raise unknown_name_error(what, word, known)


def require_path(name: str, value: object) -> None:
    """Raise unless a value can name a file."""
    require_type(name, value, (str, os.PathLike), "the name of a file", "give a text or a pathlib.Path")


def resolve_index(what: str, index: Any, count: int) -> int:
    """The index of one of `count` rows, from 0. As everywhere in Python, -1 is the last one. Raises if there is none.

    >>> resolve_index("door", -1, 3)
    2
    >>> resolve_index("door", 3, 3)
    Traceback (most recent call last):
    undercroft.errors.OutOfRange: there is no door 3: there are 3 doors
      fix: count them from 0, or from -1 backwards
    """
    try:
        return range(count)[operator.index(index)]
    except TypeError:
        raise BadInput(
            f"the number of a {what} is a whole number, not {format_value_briefly(index)}", fix="count them from 0"
        ) from None
    except IndexError:
        verb = "is" if count == 1 else "are"
        raise OutOfRange(
            f"there is no {what} {format_value_briefly(operator.index(index))}: there {verb} {plural(count, what)}",
            fix="count them from 0, or from -1 backwards",
        ) from None


def require_whole_number(name: str, value: Any, low: int, high: int | None = None, fix: str = "") -> int:
    """The value as a plain integer. Raises unless it is a whole number from `low` to `high`.

    >>> require_whole_number("turn", 3, 0)
    3
    >>> require_whole_number("turn", 1.5, 0, 9)
    Traceback (most recent call last):
    undercroft.errors.BadInput: turn is a whole number from 0 to 9, not 1.5
      fix: for example 0
    """
    try:
        number = operator.index(value)
    except TypeError:
        number = None
    if number is None or number < low or (high is not None and number > high):
        span = f"from {low:,}" if high is None else f"from {low:,} to {high:,}"
        raise BadInput(
            f"{name} is a whole number {span}, not {format_value_briefly(value)}", fix=fix or f"for example {low}"
        )
    return number
