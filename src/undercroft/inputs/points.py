"""Check points that users give."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Set
from typing import Any

from undercroft.errors import BadInput
from undercroft.wording import format_value_briefly

Point = tuple[int, int]


def check_point(point: Any, width: int, height: int, what: str = "a cell") -> Point:
    """The point as two plain integers. Raises if it is no point, or outside a level of that size; `what` is how a
    sentence calls it.

    >>> check_point([3, 1], 4, 2)
    (3, 1)
    >>> check_point((4, 1), 4, 2, "the start")
    Traceback (most recent call last):
    undercroft.errors.BadInput: the start (4, 1) is outside the level, which is 4x2
      fix: x is from 0 to 3, y is from 0 to 1
    """
    x, y = as_point(point, what)
    if not (0 <= x < width and 0 <= y < height):
        raise BadInput(
            f"{what} ({format_value_briefly(x)}, {format_value_briefly(y)}) is outside the level, "
            f"which is {width}x{height}",
            fix=f"x is from 0 to {width - 1}, y is from 0 to {height - 1}",
        )
    return x, y


def as_point(point: Any, what: str = "a cell") -> Point:
    """Two whole numbers, whatever sequence they come in, as a tuple of plain integers. Raises if they are none."""
    if type(point) is tuple and len(point) == 2 and type(point[0]) is type(point[1]) is int:
        return point
    try:
        numbers = [] if isinstance(point, (str, bytes, Set, Mapping)) else list(map(operator.index, point))
        x, y = numbers
    except (TypeError, ValueError):
        raise BadInput(
            f"{what} is a point (x, y) of two whole numbers, not {format_value_briefly(point)}",
            fix="for example (4, 2): column 4 and row 2, counted from 0 at the top left",
        ) from None
    return x, y
