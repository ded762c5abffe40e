"""Checks of measures that other packages give, and of the numbers that they return."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from undercroft.analysis.measures.facts import Number
from undercroft.plugins.checks import guard, require_callable, require_text, require_type
from undercroft.plugins.provider import Provider

RESERVED_WORDS = ("and", "between")
"""Words of requirements, which no measure can be called."""
INT64 = np.iinfo(np.int64)
"""The numbers that the columns of a batch hold."""
_NUMBER_CHECKS: Mapping[str, Callable[[float], bool]] = {
    "count": lambda value: value >= 0 and value == int(value),
    "flag": lambda value: value in (0, 1),
    "share": lambda value: 0 <= value <= 1,
    "amount": lambda value: value >= 0,
    "number": lambda value: True,  # noqa: ARG005 - any finite number
}


def check_measure(row_type: type, part: Any, name: str, provider: Provider) -> Any:
    """The row of a measure (of the type `row_type`). Its function is guarded, and its numbers are checked, and rounded
    as ours are.
    """
    require_type(part, row_type, "a measure")
    require_text(part.about, f"about of {name}")
    require_callable(part.of, f"of of {name}")
    if name in RESERVED_WORDS:
        raise TypeError(f"{name!r} is a word of requirements")
    if part.kind not in _NUMBER_CHECKS or type(part.at_least) is not bool:
        raise TypeError(f"the kind of {name} is one of {', '.join(_NUMBER_CHECKS)}, and at_least is true or false")
    check_number = functools.partial(_check_number, kind=part.kind)
    return part._replace(of=guard(part.of, f"the measure {name!r}", provider, check_number))


def _check_number(value: Any, kind: str) -> Number:
    """The number of a measure: whole for counts and flags, else with six decimals."""
    value = value.item() if isinstance(value, np.generic) else value
    if value is None:
        return None
    if not isinstance(value, (int, float)) or not math.isfinite(value) or not _NUMBER_CHECKS[kind](value):
        raise TypeError(f"it returns {value!r}, which is no {kind}")
    if abs(value) > INT64.max:
        raise TypeError(f"it returns {value:,}; the limit is {INT64.max:,}")
    return int(value) if kind in ("count", "flag") else round(float(value), 6)
