"""The options of every command that reads a level. `input_level` reads it: a command that may read none does not wait
for that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import click

from undercroft.cli.options.points import point_option

Command = TypeVar("Command", bound=Callable[..., Any])


def reading_options(file: str, *, ends: bool = True) -> Callable[[Command], Command]:
    """The reading options, for every command that reads a level; `file` is the name of its argument. Without `ends`,
    --start and --end are left to the command.
    """
    end_options = (
        point_option("end", "The cell where the way through ends, counted from 0; by default the only >."),
        point_option("start", "The cell where the way through begins, counted from 0; by default the only <."),
    )

    def add_options(command: Command) -> Command:
        for option in (
            *(end_options if ends else ()),
            click.option(
                "--read-cell",
                type=click.IntRange(min=1),
                metavar="N",
                help="Pixels a cell of a picture that is read as png:tiles; 1 by default.",
            ),
            click.option(
                "--palette",
                metavar="FILE|WORDS",
                help="The tiles of a map or template: a TOML file that lists them, or the words of a 'palette' line "
                "of rules, such as 'letters #.+X'.",
            ),
            click.option(
                "--read-as", metavar="NAME", help=f"The format of {file}, if its suffix does not determine it."
            ),
        ):
            command = option(command)
        return command

    return add_options


class ReadOptions(NamedTuple):
    """The options for reading a level."""

    read_as: str | None = None
    palette: str | None = None
    read_cell: int | None = None
    start: str | None = None
    end: str | None = None
