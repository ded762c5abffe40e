"""The level that a command is asked about: read from a file as the options say, or made by a recipe."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import click

from undercroft.cli.messages import complain, warn_of_editions
from undercroft.cli.options import values
from undercroft.cli.stdio import level_from
from undercroft.core.level import Level
from undercroft.core.palette import Palette
from undercroft.errors import BadInput
from undercroft.inputs.files import is_file
from undercroft.recipe.document import Recipe, names, unknown_recipe

Command = TypeVar("Command", bound=Callable[..., Any])


def reads(file: str) -> Callable[[Command], Command]:
    """The options about reading, for every command that reads a level; `file` is what its argument is called."""

    def told(command: Command) -> Command:
        for option in (
            click.option(
                "--read-cell",
                type=click.IntRange(min=1),
                metavar="N",
                help="Pixels a cell of a picture that is read as png:tiles; 1 if missing.",
            ),
            click.option(
                "--palette",
                metavar="FILE|WORDS",
                help="The tiles of a map or template: a TOML file that lists them, or what a 'palette' line of rules "
                "says, such as 'letters #.+X'.",
            ),
            click.option("--read-as", metavar="NAME", help=f"The format of {file}, if its suffix does not say it."),
        ):
            command = option(command)
        return command

    return told


class Reading(NamedTuple):
    """What was said about how to read a level."""

    read_as: str | None = None
    palette: str | None = None
    read_cell: int | None = None


def read(source: str, reading: Reading) -> Level:
    """The level in a file, or in standard input if the name is -."""
    options: dict[str, Any] = {"palette": _palette(reading.palette)} if reading.palette else {}
    if reading.read_cell:
        options["cell"] = reading.read_cell
    level = level_from(source, reading.read_as, lambda text: complain(f"note: {text}"), **options)
    warn_of_editions(level)
    return level


def is_recipe(what: str, reading: Reading) -> bool:
    """Whether this names a recipe. What is said about reading is refused then; but a file that is read as something may
    be called like a recipe.
    """
    if not what.endswith(".toml") and (reading.read_as or what not in names()):
        return False
    for option, value in zip(("--read-as", "--palette", "--read-cell"), reading, strict=True):
        if value:
            raise BadInput(f"{what} is a recipe, and no level to be read", fix=f"leave {option} out")
    return True


def level_of(what: str, reading: Reading, *, seed: str | None, size: str | None, settings: Sequence[str]) -> Level:
    """The level in a file, or the one that a recipe makes."""
    if is_recipe(what, reading):
        level = (
            Recipe.load(what)
            .generate(seed=seed, size=values.size(size) if size else None, params=values.settings(settings))
            .level
        )
        if seed is None:
            complain(f"seed {level.provenance['seed']}")
        return level
    if seed is not None or size or settings:
        raise not_made(what, reading)
    if what != "-" and not reading.read_as and "." not in what:
        if is_file(Path(what)):
            raise BadInput(f"{what} has no suffix that names a format", fix="add --read-as, for example --read-as text")
        raise unknown_recipe(what)
    return read(what, reading)


def not_made(what: str, reading: Reading) -> BadInput:
    """The error for who tells a file how to be made."""
    if not reading.read_as and "." not in what and what != "-":
        return unknown_recipe(what)
    return BadInput(
        f"{what} is a file: its seed, size and settings are what they are",
        fix="leave these options out, or name a recipe",
    )


def _palette(text: str) -> Palette:
    """The palette in a TOML file, or the one that a `palette` line with these words names."""
    if text.casefold().endswith(".toml"):
        return Palette.load(text)
    from undercroft.cli.options.palettes import named

    return named(text)
