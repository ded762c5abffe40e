"""The map that a recipe begins with: whether it holds what the recipe needs, and how the level records it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from undercroft.core.draft import LAYER_FACTS
from undercroft.core.level import Level
from undercroft.errors import BadInput

MAX_RECORDED_LENGTH = 200
"""The most characters of a recipe's name or a seed in the record: anybody may have written the map's file."""
_FIXES = {
    "regions": "let them be found: 'begin=uc.survey(level)' in Python",
    "flow": "take a level that was made from one, or level.replace(flow=flow) in Python",
    "ends": "name them with --start X,Y and --end X,Y, or put < and > on the map",
    "path": "take a level with a path, or let the recipe find one with the step 'ends' or 'interest'",
}


def check_begin_map(recipe: str, begins: Sequence[str], level: Level) -> None:
    """Raise if the map lacks something that the recipe's steps rely on. A map without doors, links or things may be
    right as it is.
    """
    for fact in begins:
        if _lacks(level, fact):
            raise BadInput(
                f"{recipe} begins with {fact}, and the map to begin with has none",
                fix=_FIXES.get(fact, "take a level that has them, or leave them out of 'begins'"),
            )


def _lacks(level: Level, fact: str) -> bool:
    if fact == "regions":
        return not len(level.regions)
    if fact == "ends":
        return level.start is None or level.end is None
    if fact == "path":
        return not len(level.path)
    if fact == "flow":
        return level.flow is None
    return fact in LAYER_FACTS and fact not in level.layers


def record_begin_map(level: Level) -> dict[str, Any]:
    """What a level's provenance says about the map that it began with: a digest, by which `--from` knows the map
    again, and its recipe and seed if it has some.

    >>> record_begin_map(Level.parse("#.#"))
    {'digest': 'd4ee1b67c1038526094e3933a8b4d5b0'}
    """
    from undercroft.formats.native import native

    record: dict[str, Any] = {"digest": native.digest(level)}
    for key in ("recipe", "seed"):
        value = level.provenance.get(key)
        if isinstance(value, str) and value.isprintable() and len(value) <= MAX_RECORDED_LENGTH:
            record[key] = value
    return record
