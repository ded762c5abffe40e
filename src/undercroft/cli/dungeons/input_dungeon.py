"""The input dungeon of a command: read from a file or a folder, or made by a recipe."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from undercroft.bulk.dungeon_batch import is_dungeon_batch
from undercroft.bulk.make_dungeon import make_dungeon
from undercroft.cli.messages import print_message
from undercroft.cli.options.reading import ReadOptions
from undercroft.cli.options.values import parse_settings, parse_size
from undercroft.core.dungeon import Dungeon
from undercroft.errors import BadInput
from undercroft.formats.dungeons.files import is_dungeon, load_dungeon
from undercroft.recipe.dungeon.document import DungeonRecipe, is_dungeon_recipe
from undercroft.recipe.dungeon.request import DungeonRequest
from undercroft.recipe.run import draw_seed


def names_dungeon(what: str) -> bool:
    """Whether a word names a dungeon recipe, a file or folder with a dungeon, or a batch of dungeons."""
    return what != "-" and (is_dungeon_recipe(what) or is_dungeon(what) or is_dungeon_batch(what))


def refuse_options(what: str, options: Mapping[str, Any]) -> None:
    """Raise for options that are about levels. `options` are the words of the command line, with their values."""
    for word, value in options.items():
        if value:
            raise BadInput(
                f"{word} is about single levels, and {what} is a dungeon",
                fix="leave it out, or write the floors: undercroft convert IN DIR/ --format json",
            )


def refuse_reading(what: str, reading: ReadOptions) -> None:
    """Raise for options that say how a level is read."""
    words = ("--read-as", "--palette", "--read-cell", "--start", "--end")
    refuse_options(what, dict(zip(words, reading, strict=True)))


def read_dungeon(what: str) -> Dungeon:
    """The dungeon in a file or a folder. Raises for a batch of them."""
    if is_dungeon_batch(what):
        raise BadInput(f"{what} is a batch of dungeons, and one is needed", fix=f"name one: {what.rstrip('/')}/0.json")
    return load_dungeon(what)


def load_or_make_dungeon(what: str, *, seed: str | None, size: str | None, settings: Sequence[str]) -> Dungeon:
    """The dungeon in a file or a folder, or the one that a recipe makes."""
    if not is_dungeon_recipe(what):
        if seed is not None or size or settings:
            raise BadInput(
                f"{what} is there already: its seed, size and settings are what they are",
                fix="leave these options out, or name a recipe",
            )
        return read_dungeon(what)
    request = DungeonRequest(
        DungeonRecipe.load(what),
        seed=draw_seed() if seed is None else seed,
        size=parse_size(size) if size else None,
        params=parse_settings(settings),
    )
    dungeon, notes = make_dungeon(request)
    if seed is None:
        print_message(f"seed {dungeon.provenance['seed']}")
    for note in notes:
        print_message(f"note: {note}")
    return dungeon
