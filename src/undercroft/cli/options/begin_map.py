"""`--on MAP`: the map that a recipe begins with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from undercroft.cli.messages import print_message
from undercroft.cli.options.points import parse_point
from undercroft.cli.options.reading import ReadOptions
from undercroft.core.level import Level
from undercroft.errors import BadInput
from undercroft.recipe.document import Recipe
from undercroft.recipe.ends import places_ends

FOUND_FACTS = ("regions", "doors", "links")
"""The facts that a survey finds on any map."""


def select_map_options(recipe: Recipe, on: str | None, reading: ReadOptions, reach: str | None) -> ReadOptions:
    """The options that are about the map to begin with. --start and --end are about it if no step places the ends, or
    if the recipe begins with ends.
    """
    if places_ends(recipe) and "ends" not in recipe.begins:
        return reading._replace(start=None, end=None)
    if reach is not None and not places_ends(recipe) and on is not None:
        raise BadInput(
            f"--reach is about the steps 'ends' and 'interest', and {recipe.name} has none", fix="leave it out"
        )
    return reading if on is not None else reading._replace(start=None, end=None)


def parse_ends(recipe: Recipe, on: str | None, reading: ReadOptions, reach: str | None) -> dict[str, Any]:
    """What --start, --end and --reach ask of the steps; empty if none of them is given, or if they are about the
    map.
    """
    if on is not None and not places_ends(recipe):
        return {}
    ends: dict[str, Any] = {
        name: parse_point(text, f"--{name}")
        for name, text in (("start", reading.start), ("end", reading.end))
        if text is not None
    }
    return ends | ({} if reach is None else {"reach": reach})


def read_begin_map(recipe: Recipe, on: str | None, reading: ReadOptions, size: str | None) -> Level | None:
    """The map that the command line names; None for a recipe that begins with rock. Raises if the two do not go
    together.
    """
    if on is None:
        for option, value in zip(("--read-as", "--palette", "--read-cell"), reading[:3], strict=True):
            if value is not None:
                raise BadInput(
                    f"{option} is about the map that --on names, and there is none",
                    fix="add --on MAP" if recipe.begins else f"leave {option} out",
                )
        if recipe.begins:
            raise BadInput(f"{recipe.name} needs a map to begin with", fix="name one with --on MAP")
        return None
    if not recipe.begins:
        raise BadInput(
            f"{recipe.name} begins with no map: its first step, {recipe.plans[0].use!r}, writes all of it",
            fix='leave --on out, or name a recipe that has a line such as begins = ["tiles"]',
        )
    if size:
        raise BadInput("a map has its own size", fix="leave --size out")
    from undercroft.cli.options.input_level import list_missing_ends, read_input_level  # only needed for a map

    level = read_input_level(on, reading)
    if "ends" in recipe.begins:
        for line in list_missing_ends(level):
            problem, _, fix = line.partition("\n  fix: ")
            raise BadInput(problem, fix=fix)
    if set(FOUND_FACTS) & {*recipe.begins} and not len(level.regions):
        from undercroft.analysis.survey import surveyed

        level = surveyed(level)
        print_message(f"note: {on} holds no rooms; they were found from its walls and doors")
    return level


def check_recorded_map(file: str, record: Any, level: Level | None) -> None:
    """Compare a map with the one that a level's provenance records: without it the level cannot be made again."""
    if not isinstance(record, Mapping):
        return
    made_by = record.get("recipe"), record.get("seed")
    which = (
        f", a level of {made_by[0]!r} with seed {made_by[1]}" if all(isinstance(one, str) for one in made_by) else ""
    )
    if level is None:
        raise BadInput(f"{file} was made on a map{which}, which it does not hold", fix="name that map too: --on MAP")
    from undercroft.formats.native import native

    if native.digest(level) != record.get("digest"):
        print_message(f"note: {file} was made on another map{which}, so this will be another level")
