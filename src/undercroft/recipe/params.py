"""The parameters of a recipe: what you may set, of which type and in which range."""

from __future__ import annotations

import keyword
import math
import typing
from collections.abc import Collection
from typing import Any, NamedTuple

import numpy as np

from undercroft.errors import BadInput, Place, unknown_name_error
from undercroft.inputs import toml

_PARAM_KEYS = ("default", "about", "range", "choices")
_TYPE_WORDS = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}


class Param(NamedTuple):
    """A parameter of a recipe. Its type is that of its default."""

    name: str
    default: Any
    about: str = ""
    low: float | None = None
    high: float | None = None
    choices: tuple[Any, ...] = ()

    def check_value(self, value: Any, place: Place | None = None) -> Any:
        """The value, if it is of the right type and in range."""
        if isinstance(value, np.generic):
            value = value.item()
        given = value
        if isinstance(self.default, float) and isinstance(value, int) and not isinstance(value, bool):
            value = float(value)
        wrong = type(value) is not type(self.default) or (isinstance(value, float) and not math.isfinite(value))
        if not wrong and self.choices and value not in self.choices:
            raise unknown_name_error(f"value of {self.name}", str(value), map(str, self.choices), place=place)
        if wrong or (self.low is not None and value < self.low) or (self.high is not None and value > self.high):
            raise BadInput(
                f"{self.name} is {self.describe_values()}, not {format_value(given)}",
                place=place,
                fix=f"for example {self.name}={format_value(self._example())}",
            )
        return value

    def _example(self) -> Any:
        """A value that may be given."""
        fits = type(self.default) in (int, float) and self.low is not None and self.high is not None
        return min(max(self.default, self.low), self.high) if fits else self.default

    def describe_values(self) -> str:
        """The allowed values, in words."""
        kind = _TYPE_WORDS.get(type(self.default), "a list")
        if self.choices:
            return f"one of {', '.join(map(str, self.choices))}"
        return kind if self.low is None else f"{kind} from {_format_number(self.low)} to {_format_number(self.high)}"


def read_param(name: str, document: toml.TomlDocument, taken: Collection[str]) -> Param:
    """The parameter of one [param.NAME] table. Names in `taken` have another meaning already."""
    table = document.data["param"][name]
    here = document.place("param", name)
    if name in taken or not name.isidentifier() or keyword.iskeyword(name):
        raise BadInput(
            f"a parameter cannot be called {name!r}",
            place=here,
            fix="choose a name that is one word and no option of generate",
        )
    if not isinstance(table, dict) or "default" not in table:
        raise BadInput(f"parameter {name!r} needs a default", place=here, fix="add a line default = ...")
    for key in table:
        if key not in _PARAM_KEYS:
            raise unknown_name_error("key", key, _PARAM_KEYS, place=document.place("param", name, key))
    low = high = None
    default = table["default"]
    if not isinstance(default, (bool, int, float, str, list)):
        raise BadInput(
            f"default of {name} is a number, a text, true, false or a list",
            place=document.value_place("param", name, "default"),
            fix="write one of these",
        )
    if "range" in table:
        span = table["range"]
        place = document.value_place("param", name, "range")
        numbers = isinstance(span, list) and len(span) == 2 and all(type(end) in (int, float) for end in span)
        if not numbers or span[0] > span[1] or type(default) not in (int, float):
            raise BadInput(
                f"range is [least, greatest] of a number, not {format_value(span)}",
                place=place,
                fix="for example range = [0.0, 1.0]",
            )
        low, high = span
    choices = table.get("choices", [])
    if not isinstance(choices, list):
        raise BadInput(
            f"choices is a list, not {format_value(choices)}",
            place=document.value_place("param", name, "choices"),
            fix='for example choices = ["a", "b"]',
        )
    about = check_text(table.get("about", ""), document, "param", name, "about")
    param = Param(name, default, about, low, high, tuple(choices))
    param.check_value(default, document.value_place("param", name, "default"))
    return param


def check_text(value: Any, document: toml.TomlDocument, *path: str | int) -> str:
    """The value, if it is a text."""
    if not isinstance(value, str):
        raise BadInput(
            f"{path[-1]} is a text, not {format_value(value)}",
            place=document.value_place(*path),
            fix="put it in quotes",
        )
    return value


def describe_type(hint: Any) -> str:
    """A type in words.

    >>> describe_type(int), describe_type(tuple[int, int]), describe_type(typing.Literal["a", "b"])
    ('a whole number', '[a whole number, a whole number]', 'one of a, b')
    """
    if typing.get_origin(hint) is typing.Annotated:
        kind, meta = typing.get_args(hint)[:2]
        low, high = getattr(meta, "ge", None), getattr(meta, "le", None)
        span = (
            f" from {_format_number(low)} to {_format_number(high)}"
            if high is not None
            else f" from {_format_number(low)}"
        )
        return describe_type(kind) + span
    if typing.get_origin(hint) is typing.Literal:
        return f"one of {', '.join(typing.get_args(hint))}"
    if typing.get_origin(hint) is tuple:
        parts = [part for part in typing.get_args(hint) if part is not ...]
        return (
            "[" + ", ".join(map(describe_type, parts)) + "]"
            if len(parts) > 1
            else f"a list of {describe_type(parts[0])}"
        )
    return _TYPE_WORDS.get(hint, "of another type")


def _format_number(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:g}"


def format_value(value: Any) -> str:
    """A value as a recipe writes it, cut if it is long.

    >>> format_value(True), format_value("a"), format_value([1, 2.5])
    ('true', '"a"', '[1, 2.5]')
    """
    if isinstance(value, bool):
        text = "true" if value else "false"
    elif isinstance(value, str):
        text = f'"{value}"'
    elif isinstance(value, (list, tuple)):
        text = f"[{', '.join(map(format_value, value[:20]))}]"
    else:
        text = str(value)
    return text if len(text) <= 60 else text[:57] + "..."
