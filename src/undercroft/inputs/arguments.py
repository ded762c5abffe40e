"""Check the arguments of Python calls: a value of a wrong type is refused in a sentence."""

from __future__ import annotations

import operator
import os
from typing import Any

from undercroft.errors import BadInput
from undercroft.wording import format_value_briefly


def require_type(name: str, value: object, kinds: type | tuple[type, ...], words: str, fix: str = "") -> None:
    """Raise unless a value is of one of these types; `words` describe them.

    >>> require_type("title", 3, str, "a text")
    Traceback (most recent call last):
    undercroft.errors.BadInput: title is a text, not 3
    """
    if not isinstance(value, kinds):
        verb = "are" if name.endswith("s") else "is"
        raise BadInput(f"{name} {verb} {words}, not {format_value_briefly(value)}", fix=fix)


def require_text(name: str, value: object, fix: str = "") -> None:
    """Raise unless a value is a text."""
    require_type(name, value, str, "a text", fix)


def require_path(name: str, value: object) -> None:
    """Raise unless a value can name a file."""
    require_type(name, value, (str, os.PathLike), "the name of a file", "give a text or a pathlib.Path")


def require_whole_number(name: str, value: Any, low: int, high: int | None = None) -> int:
    """The value as a plain integer. Raises unless it is a whole number from `low` to `high`.

    >>> require_whole_number("turn", 3, 0)
    3
    >>> require_whole_number("turn", 1.5, 0, 9)
    Traceback (most recent call last):
    undercroft.errors.BadInput: turn is a whole number from 0 to 9, not 1.5
    """
    try:
        number = operator.index(value)
    except TypeError:
        number = None
    if number is None or number < low or (high is not None and number > high):
        span = f"from {low:,}" if high is None else f"from {low:,} to {high:,}"
        raise BadInput(f"{name} is a whole number {span}, not {format_value_briefly(value)}")
    return number
