"""A measure: a number of a level or of a dungeon."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

from undercroft.analysis.measures.facts import Number


class Measure(NamedTuple):
    """A measure: a function of the facts about a level.

    >>> Measure("cells", "all cells of the map", lambda facts: facts.given.tiles.size, "count").name
    'cells'
    """

    name: str
    about: str
    """What it counts or computes, in a line."""
    of: Callable[[Any], Number]
    """Takes the facts about a level, or about a dungeon, and returns its number; None if there is no such value."""
    kind: Literal["count", "flag", "share", "amount", "number"] = "number"
    """The range of values: integers from 0; 0 or 1; numbers from 0 to 1; numbers from 0; any numbers."""
    at_least: bool = False
    """Whether the number is a lower bound of the exact value."""
    edition: int = 1
    """It rises when the same level gets another number than before."""
