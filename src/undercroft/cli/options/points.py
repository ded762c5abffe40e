"""Cells on a command line: options such as `--start X,Y`."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeVar

import click

from undercroft.errors import BadInput
from undercroft.wording import shorten

Command = TypeVar("Command", bound=Callable[..., Any])
Point = tuple[int, int]


def point_option(name: str, about: str) -> Callable[[Command], Command]:
    """An option that takes a cell: its text, which `parse_point` reads."""
    return click.option(f"--{name}", metavar="X,Y", help=about)


def parse_point(text: str, option: str = "") -> Point:
    """`4,2` as (4, 2). `option` is the one that the text was given for.

    >>> parse_point("4,2"), parse_point(" ( 4, 2 ) ")
    ((4, 2), (4, 2))
    >>> parse_point("4x2", "--start")
    Traceback (most recent call last):
    undercroft.errors.BadInput: --start: a cell is X,Y, not '4x2'
      fix: did you mean 4,2? column 4 and row 2, counted from 0 at the top left
    """
    match = re.fullmatch(r"\s*(\(?)\s*(-?\d{1,9})\s*,\s*(-?\d{1,9})\s*(\)?)\s*", text)
    if match and bool(match[1]) == bool(match[4]):
        return int(match[2]), int(match[3])
    guess = re.fullmatch(r"\D*?(-?\d{1,9})[^\d-]+(-?\d{1,9})\D*", text)
    x, y = (guess[1], guess[2]) if guess else ("4", "2")
    raise BadInput(
        f"{f'{option}: ' if option else ''}a cell is X,Y, not {shorten(text, 40)!r}",
        fix=f"{f'did you mean {x},{y}?' if guess else f'for example {x},{y}:'} column {x} and row {y}, "
        "counted from 0 at the top left",
    )


def parse_point_inside(text: str, size: tuple[int, int], option: str) -> Point:
    """The same, for a cell of a map of this size.

    >>> parse_point_inside("80,2", (80, 50), "--start")
    Traceback (most recent call last):
    undercroft.errors.BadInput: --start 80,2 is outside the map, which is 80x50
      fix: give a column from 0 to 79 and a row from 0 to 49
    """
    x, y = parse_point(text, option)
    width, height = size
    if not (0 <= x < width and 0 <= y < height):
        raise BadInput(
            f"{option} {x},{y} is outside the map, which is {width}x{height}",
            fix=f"give a column from 0 to {width - 1} and a row from 0 to {height - 1}",
        )
    return x, y
