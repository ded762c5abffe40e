"""The input level of a command: read from a file with options, or made by a recipe."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from undercroft.analysis.update_facts import find_path
from undercroft.cli.messages import print_message, warn_of_editions
from undercroft.cli.options import values
from undercroft.cli.options.batch_rows import find_batch, read_batch_level
from undercroft.cli.options.palettes import resolve_palette
from undercroft.cli.options.points import parse_point_inside
from undercroft.cli.options.reading import ReadOptions
from undercroft.cli.stdio import read_level
from undercroft.core.draft import Draft
from undercroft.core.level import Level
from undercroft.core.run import Run
from undercroft.core.stairs import STAIRS_ROLES, describe_missing_end, find_stairs
from undercroft.errors import BadInput
from undercroft.inputs.files import is_file
from undercroft.recipe.catalogue import names, unknown_recipe
from undercroft.recipe.document import Recipe


def read_input_level(source: str, reading: ReadOptions) -> Level:
    """The level in a file, in a batch (`caves#7`), or in standard input if the name is -."""
    if source != "-" and (found := find_batch(source)) is not None:
        for option, value in zip(("--read-as", "--palette", "--read-cell"), reading[:3], strict=True):
            if value:
                raise BadInput(f"{source} is a batch, which knows its own format", fix=f"leave {option} out")
        return place_ends(read_batch_level(found), reading)
    options: dict[str, Any] = {"palette": resolve_palette(reading.palette)} if reading.palette else {}
    if reading.read_cell:
        options["cell"] = reading.read_cell
    level = read_level(source, reading.read_as, lambda text: print_message(f"note: {text}"), **options)
    warn_of_editions(level)
    return place_ends(level, reading)


def place_ends(level: Level, reading: ReadOptions) -> Level:
    """The level with the start and end that were asked for; its path, if it has one, leads from one to the other."""
    asked = {
        name: parse_point_inside(text, level.size, f"--{name}")
        for name, text in (("start", reading.start), ("end", reading.end))
        if text is not None
    }
    if not asked:
        return level
    for name, (x, y) in asked.items():
        if not level.walkable[y, x]:
            raise BadInput(
                f"--{name} {x},{y} is {level.palette.tiles[level.tiles[y, x]].name}, which nobody can walk on",
                fix="name a cell of a floor",
            )
    draft = Draft.of(level)
    draft.start, draft.end = asked.get("start", draft.start), asked.get("end", draft.end)
    if len(level.path):
        find_path(draft, Run())
    return draft.level(level.provenance)


def list_missing_ends(level: Level) -> list[str]:
    """For each end that a level does not have although it has stairs for it: a sentence with a fix."""
    return [
        f"{describe_missing_end(level.tiles, level.palette, name)}\n  fix: name one with --{name} X,Y"
        for name, point in (("start", level.start), ("end", level.end))
        if point is None and len(find_stairs(level.tiles, level.palette, STAIRS_ROLES[name])) > 1
    ]


def is_recipe(what: str, reading: ReadOptions) -> bool:
    """Whether this names a recipe. Raises if there are reading options for a recipe; but a file with `--read-as` may
    have the name of a recipe.
    """
    if not what.endswith(".toml") and (reading.read_as or what not in names()):
        return False
    for option, value in zip(("--read-as", "--palette", "--read-cell"), reading[:3], strict=True):
        if value:
            raise BadInput(f"{what} is a recipe, and no level to be read", fix=f"leave {option} out")
    return True


def load_or_generate_level(
    what: str, reading: ReadOptions, *, seed: str | None, size: str | None, settings: Sequence[str]
) -> Level:
    """The level in a file, or the one that a recipe makes."""
    if is_recipe(what, reading):
        level = (
            Recipe.load(what)
            .generate(seed=seed, size=values.parse_size(size) if size else None, params=values.parse_settings(settings))
            .level
        )
        if seed is None:
            print_message(f"seed {level.provenance['seed']}")
        return place_ends(level, reading)
    if seed is not None or size or settings:
        raise build_file_option_error(what, reading)
    if what != "-" and not reading.read_as and "." not in what and find_batch(what) is None:
        if is_file(Path(what)):
            raise BadInput(f"{what} has no suffix that names a format", fix="add --read-as, for example --read-as text")
        raise unknown_recipe(what)
    return read_input_level(what, reading)


def build_file_option_error(what: str, reading: ReadOptions) -> BadInput:
    """The error for recipe options given with a file."""
    if not reading.read_as and "." not in what and what != "-" and find_batch(what) is None:
        return unknown_recipe(what)
    return BadInput(
        f"{what} is a file: its seed, size and settings are what they are",
        fix="leave these options out, or name a recipe",
    )
