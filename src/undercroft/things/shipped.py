"""Load the shipped sets of things and words by name."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from undercroft import limits
from undercroft.errors import unknown_name_error
from undercroft.inputs import files
from undercroft.inputs.files import SHIPPED_FOLDER

if TYPE_CHECKING:
    from undercroft.things.thing_set import ThingSet
    from undercroft.things.words import WordGrammar


@functools.cache
def list_names(folder: str) -> tuple[str, ...]:
    """The names of the sets in the folder `things` or `names`."""
    return tuple(name.removesuffix(".toml") for name in files.list_files(SHIPPED_FOLDER / folder, ".toml"))


@functools.cache
def load_things(name: str) -> ThingSet:
    """The set of things of that name.

    >>> "library" in load_things("dungeon").kinds
    True
    """
    from undercroft.things.read_things import parse_things

    return parse_things(_read_text("things", "set of things", name), f"{name}.toml", load_things)


@functools.cache
def load_words(name: str) -> WordGrammar:
    """The words of that name."""
    from undercroft.things.read_words import parse_words

    return parse_words(_read_text("names", "set of words", name), f"{name}.toml", load_words)


def _read_text(folder: str, what: str, name: str) -> str:
    if name not in list_names(folder):
        raise unknown_name_error(what, name[:60], list_names(folder))
    return files.read_text(SHIPPED_FOLDER / folder / f"{name}.toml", limits.TOML_BYTES)
