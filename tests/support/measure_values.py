"""The numbers of every measure on maps that no step makes, so that a change of a recipe does not change them.

`tests/golden/measures.json` holds them, each with the edition of its measure.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import undercroft as uc
from support.digests import CAVE, KEEP
from support.paths import ROOT
from undercroft.analysis.measures.table import MEASURES
from undercroft.analysis.survey import surveyed
from undercroft.core.region import Thing
from undercroft.core.rng import Rng

Record = dict[str, Any]

LOCKED = """
    #############
    #<..+...L..>#
    #...#...#...#
    ##S##...#####
    #...'...#...#
    #...#++++...#
    #############
"""
SOUPS, GLYPHS = 40, "#####.......,,,,++'LS~:o"
"""So many maps of random tiles, with these."""


def soup(number: int) -> uc.Level:
    """A map with a tile on every cell that our own random numbers choose: they never change."""
    rng = Rng.root(number).stream("soup")
    width, height = rng.between(2, 14), rng.between(2, 12)
    cells = [rng.below(len(GLYPHS)) for _ in range(width * height)]
    level = uc.Level.parse(
        "\n".join("".join(GLYPHS[cell] for cell in cells[y * width : (y + 1) * width]) for y in range(height))
    )
    free = [(x, y) for y in range(height) for x in range(width) if level.walkable[y, x]]
    things = [
        Thing(
            ("key", "lock", "rat", "chest")[rng.below(4)],
            *free[rng.below(len(free))],
            {"danger": 2, "group": "monster"},
        )
        for _ in range(3 * bool(free))
    ]
    ends = (free[rng.below(len(free))], free[rng.below(len(free))]) if number % 3 and free else (None, None)
    return level.replace(
        start=ends[0], end=ends[1], things=[thing for thing in things if thing.kind in ("rat", "chest")]
    )


@cache
def maps() -> tuple[uc.Level, ...]:
    """Drawn maps, stored levels and random tiles."""
    locked = uc.Level.parse(LOCKED).replace(
        things=(Thing("lock", 8, 1, {"key": "red"}), Thing("key", 1, 4, {"opens": "red"})),
        flow=replace(
            uc.Flow.parse("link a - b, door\nlink b - c, locked by red\nkey red in a"), places=((1, 1), (5, 1), (9, 1))
        ),
    )
    stored = [uc.load(ROOT / "examples" / "chapel.json"), uc.load(ROOT / "tests" / "golden" / "formats" / "crypt.json")]
    drawn = [uc.Level.parse(CAVE), surveyed(uc.Level.parse(KEEP)), locked]
    return (*drawn, *stored, *map(soup, range(SOUPS)))


def records() -> dict[str, Record]:
    """The record of each measure."""
    numbers = [uc.measure(level) for level in maps()]
    return {
        name: {"edition": measure.edition, "values": [found.get(name) for found in numbers]}
        for name, measure in MEASURES.items()
    }


def fault(name: str, before: Record | None, now: Record) -> str:
    """What differs in a record, and what to do; empty if it is unchanged."""
    if before is None:
        return f"there are no values of {name}: run 'make golden'"
    if before == now:
        return ""
    if before["edition"] != now["edition"]:
        return (
            f"the values of {name} are of another edition ({before['edition']}, now {now['edition']}): run 'make "
            "golden', and tell the users in CHANGELOG.md"
        )
    changed = sum(a != b for a, b in zip(before["values"], now["values"], strict=False))
    return (
        f"{name} gives other numbers than before ({changed} of {len(before['values'])} differ), and its edition is "
        "the same. If that is not meant, find out what moved. If it is meant, raise `edition` of the measure in "
        "analysis/measures/table.py, run 'make golden', and write it in CHANGELOG.md"
    )
