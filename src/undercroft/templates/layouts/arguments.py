"""Check the arguments of layouts and pools: their parts, and the sizes of rooms that are asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from undercroft.core.rng import Rng
from undercroft.errors import BadInput
from undercroft.inputs.arguments import require_type
from undercroft.limits import LAYOUT_DISTANCE, ROOM_SIDE
from undercroft.wording import format_value_briefly

Size = tuple[int, int]


def check_fields(what: str, part: Any, kinds: Mapping[str, tuple[type, str]], fix: str) -> None:
    """Raise unless each field is of its type, given with its words; `what` has these fields.

    >>> check_fields("an axis", ("x",), {"locked": (bool, "True or False")}, "")
    Traceback (most recent call last):
    undercroft.errors.BadInput: 'locked' of an axis is True or False, not ('x',)
    """
    for name, (kind, words) in kinds.items():
        require_type(f"{name!r} of {what}", getattr(part, name, part), kind, words, fix)


def as_tuple(what: str, values: Any, kind: type, words: str, fix: str) -> tuple[Any, ...]:
    """The values as a tuple. Raises unless they are a list whose members are all of that type."""
    if not isinstance(values, (list, tuple)):
        raise BadInput(f"{what} are a list of {words}, not {format_value_briefly(values)}", fix=fix)
    for value in values:
        require_type(f"one of the {what}", value, kind, f"one of {words}", fix)
    return tuple(values)


def check_cell(x: Any, y: Any) -> None:
    """Raise unless a cell can be in a layout."""
    if not all(type(value) is int and abs(value) <= LAYOUT_DISTANCE.value for value in (x, y)):
        raise BadInput(
            f"a cell of a layout is two whole numbers from -{LAYOUT_DISTANCE.value:,} to {LAYOUT_DISTANCE.value:,}, "
            f"not {format_value_briefly(x)} and {format_value_briefly(y)}",
            fix="for example layout.tile(3, 1)",
        )


def check_room_arguments(flip: Any, odd_centre: Any = "grow") -> None:
    """Raise unless these are how a room is flipped, and what to do about an odd centre."""
    if not isinstance(flip, (tuple, list)) or len(flip) != 2 or not all(isinstance(one, bool) for one in flip):
        raise BadInput(
            f"'flip' is two truth values, for X and Y, not {format_value_briefly(flip)}",
            fix="for example (True, False)",
        )
    if not isinstance(odd_centre, str) or odd_centre not in ("grow", "error"):
        raise BadInput(
            f"'odd_centre' is 'grow' or 'error', not {format_value_briefly(odd_centre)}", fix="leave it out to grow"
        )


def check_stream(rng: Any) -> None:
    """Raise unless a value is a stream of random numbers."""
    require_type("rng", rng, Rng, "an Rng", "for example undercroft.Rng.root(7)")


def size_bounds(size: Size, leniency: int | Size, overgrow: bool) -> tuple[Size, Size]:
    """The least and the greatest width and height that a request allows."""
    near = (leniency, leniency) if isinstance(leniency, int) else leniency
    if not _is_pair(size, 1):
        raise BadInput(
            f"a size is two whole numbers from 1, width and height, not {format_value_briefly(size)}",
            fix="for example (12, 9)",
        )
    if not _is_pair(near, 0):
        raise BadInput(
            f"a leniency is a whole number from 0, or two, not {format_value_briefly(leniency)}",
            fix="for example 1, or (2, 1)",
        )
    ROOM_SIDE.check(max(near), "the leniency")
    more = near if overgrow else (0, 0)
    ROOM_SIDE.check(max(size) + max(more), "the longer side of a room")
    return (size[0] - near[0], size[1] - near[1]), (size[0] + more[0], size[1] + more[1])


def _is_pair(value: object, least: int) -> bool:
    """Whether a value is two whole numbers of at least `least`."""
    return (
        isinstance(value, tuple | list)
        and len(value) == 2
        and all(type(part) is int and part >= least for part in value)
    )
