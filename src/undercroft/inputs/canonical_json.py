"""Write JSON as ECMAScript does, keys in order: a program in Python and a page in a browser give the same bytes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from undercroft.inputs.json import format_json

SAFE_INTEGER = 2**53 - 1
"""The greatest whole number that ECMAScript holds exactly."""
_PLAIN_POINTS = range(-5, 22)
"""Where the point may stand, counted from the first digit, in a number that ECMAScript writes without an exponent."""


def format_canonical_json(value: Any) -> str:
    """Compact JSON, the keys sorted as UTF-16. Equal data gives equal text.

    >>> print(format_canonical_json({"seed": "7", "params": {"b": 2.0, "a": 1e-7}, "on": [True, None]}))
    {"on":[true,null],"params":{"a":1e-7,"b":2},"seed":"7"}
    """
    if isinstance(value, str) or value is None or isinstance(value, bool):
        return format_json(value)
    if isinstance(value, float):
        return _format_float(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Mapping):
        keys = sorted(value, key=lambda key: key.encode("utf-16-be", "surrogatepass"))
        return f"{{{','.join(f'{format_canonical_json(key)}:{format_canonical_json(value[key])}' for key in keys)}}}"
    return f"[{','.join(map(format_canonical_json, value))}]"


def _format_float(number: float) -> str:
    """A number with the fewest digits that give it back, as `Number.prototype.toString` writes it."""
    if not math.isfinite(number):
        raise ValueError(f"{number} is not a number that JSON knows")
    if number == 0:
        return "0"
    sign = "-" if number < 0 else ""
    mantissa, _, power = f"{abs(number)!r}".partition("e")
    whole, _, fraction = mantissa.partition(".")
    point = len(whole) + int(power or 0)
    digits = (whole + fraction).lstrip("0")
    point -= len(whole + fraction) - len(digits)
    digits = digits.rstrip("0")
    if point in _PLAIN_POINTS:
        if point <= 0:
            return f"{sign}0.{'0' * -point}{digits}"
        padded = digits.ljust(point, "0")
        return f"{sign}{padded[:point]}{'.' + padded[point:] if len(padded) > point else ''}"
    more = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{more}e{'+' if point > 0 else '-'}{abs(point - 1)}"
