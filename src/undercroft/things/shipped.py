"""The sets of things and the words that come with the program, by name."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from undercroft import limits
from undercroft.errors import unknown
from undercroft.inputs import files
from undercroft.inputs.files import SHIPPED

if TYPE_CHECKING:
    from undercroft.things.thing_set import ThingSet
    from undercroft.things.words import Words


@functools.cache
def names(folder: str) -> tuple[str, ...]:
    """What there is in `things` or `names`."""
    return tuple(name.removesuffix(".toml") for name in files.listed(SHIPPED / folder, ".toml"))


@functools.cache
def things(name: str) -> ThingSet:
    """The set of things of that name.

    >>> "library" in things("dungeon").kinds
    True
    """
    from undercroft.things.read_things import parse

    return parse(_text("things", "set of things", name), f"{name}.toml", things)


@functools.cache
def words(name: str) -> Words:
    """The words of that name."""
    from undercroft.things.read_words import parse

    return parse(_text("names", "set of words", name), f"{name}.toml", words)


def _text(folder: str, what: str, name: str) -> str:
    if name not in names(folder):
        raise unknown(what, name[:60], names(folder))
    return files.text(SHIPPED / folder / f"{name}.toml", limits.TOML_BYTES)
