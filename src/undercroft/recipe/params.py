"""The parameters of a recipe: their types, ranges and choices."""

from __future__ import annotations

import keyword
import math
import sys
import typing
from collections.abc import Collection
from typing import Any, NamedTuple

import numpy as np

from undercroft.core.frozen import freeze
from undercroft.errors import BadInput, Place, unknown_name_error
from undercroft.inputs.values import TYPE_WORDS, CheckedValue, format_value

_PARAM_KEYS = ("default", "about", "range", "choices")


class Param(NamedTuple):
    """A parameter of a recipe. Its type is that of its default; a list is a tuple, which cannot be changed."""

    name: str
    default: Any
    about: str = ""
    low: float | None = None
    high: float | None = None
    choices: tuple[Any, ...] = ()

    def check_value(self, value: Any, place: Place | None = None) -> Any:
        """The value, converted and frozen. Raises if its type is wrong or it is out of range."""
        if isinstance(value, np.generic):
            value = value.item()
        original = value
        if isinstance(value, list):
            value = freeze(value)
        elif isinstance(self.default, float) and type(value) is int and abs(value) <= sys.float_info.max:
            value = float(value)
        wrong = type(value) is not type(self.default) or (isinstance(value, float) and not math.isfinite(value))
        if not wrong and self.choices and value not in self.choices:
            raise unknown_name_error(f"value of {self.name}", str(value), map(str, self.choices), place=place)
        if wrong or (self.low is not None and value < self.low) or (self.high is not None and value > self.high):
            shown = "None" if original is None else format_value(original)
            raise BadInput(
                f"{self.name} is {self.describe_values()}, not {shown}",
                place=place,
                fix=f"for example {self.name}={format_value(self._example())}",
            )
        return value

    def _example(self) -> Any:
        """An example of an allowed value."""
        fits = type(self.default) in (int, float) and self.low is not None and self.high is not None
        return min(max(self.default, self.low), self.high) if fits else self.default

    def describe_values(self) -> str:
        """The allowed values, in words."""
        kind = TYPE_WORDS.get(type(self.default), "a list")
        if self.choices:
            return f"one of {', '.join(map(str, self.choices))}"
        return kind if self.low is None else f"{kind} from {_format_number(self.low)} to {_format_number(self.high)}"


def read_param(table: CheckedValue, taken: Collection[str]) -> Param:
    """The parameter of one [param.NAME] table. Names in `taken` are not allowed: they have another meaning."""
    name = str(table.path[-1])
    if name in taken or not name.isidentifier() or keyword.iskeyword(name):
        raise BadInput(
            f"a parameter cannot be called {name!r}",
            place=table.key_place(),
            fix="choose a name that is one word and no option of generate",
        )
    if not isinstance(table.value, dict) or "default" not in table.value:
        raise BadInput(f"parameter {name!r} needs a default", place=table.key_place(), fix="add a line default = ...")
    table.table(_PARAM_KEYS)
    default = table.key("default")
    if not isinstance(default.value, (bool, int, float, str, list)):
        raise default.error(f"default of {name} is a number, a text, true, false or a list", "write one of these")
    low, high = _read_range(table.key("range"), default.value) if "range" in table.value else (None, None)
    choices = table.key("choices", [])
    if not isinstance(choices.value, list):
        raise choices.mismatch("a list", "choices", 'for example choices = ["a", "b"]')
    about = table.key("about", "").text("about")
    param = Param(name, freeze(default.value), about, low, high, freeze(choices.value))
    param.check_value(default.value, default.place())
    return param


def _read_range(span: CheckedValue, default: Any) -> tuple[float, float]:
    found = span.value
    numbers = isinstance(found, list) and len(found) == 2 and all(type(end) in (int, float) for end in found)
    if not numbers or found[0] > found[1] or type(default) not in (int, float):
        raise span.mismatch("[least, greatest] of a number", "range", "for example range = [0.0, 1.0]")
    return found[0], found[1]


def describe_type(hint: Any) -> str:
    """A type in words.

    >>> describe_type(int), describe_type(tuple[int, int]), describe_type(typing.Literal["a", "b"])
    ('a whole number', '[a whole number, a whole number]', 'one of a, b')
    >>> describe_type(tuple[str, ...])
    'a list of texts'
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
            else f"a list of {_pluralise(describe_type(parts[0]))}"
        )
    return TYPE_WORDS.get(hint, "of another type")


def _pluralise(kind: str) -> str:
    """The words for several values of a type.

    >>> _pluralise("a whole number from 0 to 9")
    'whole numbers from 0 to 9'
    """
    noun, span, numbers = kind.partition(" from ")
    return f"{noun.removeprefix('a ')}s{span}{numbers}" if noun.startswith("a ") else kind


def _format_number(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:g}"
