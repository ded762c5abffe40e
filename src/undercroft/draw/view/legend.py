"""What the signs on a map mean: an entry for each that is on it, and for no other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from undercroft.core.level import Level
from undercroft.draw.view.level_view import Plan
from undercroft.draw.view.symbols import Sign, box, door_mark, pillar, pit_mark, stair_mark, water_mark
from undercroft.draw.view.thing_symbols import mark
from undercroft.draw.view.tint import distances

MOST = 24
"""Signs of things that a legend has."""
TOGETHER = 3
"""Kinds that one entry names, if their signs are the same."""
FIRST = ("monster", "loot")
"""Groups of things that are named before all others."""

Look = tuple[tuple[object, ...], ...]


class Entry(NamedTuple):
    """A sign about (0, 0), and what it is called."""

    word: str
    sign: Sign


def entries(plan: Plan, shown: frozenset[str], most: int = MOST) -> list[Entry]:
    """The legend of a level, with at most so many signs of things.

    >>> from undercroft.core.level import Level
    >>> [entry.word for entry in entries(Plan(Level.drawn("#<.+.~#")), frozenset({"things"}))]
    ['door', 'stairs up', 'water']
    """
    found: list[Entry] = []
    states = {(door.state, bool(door.to)) for door in plan.doors}
    found += [Entry(word, door_mark(state)) for state, word in WORDS.items() if (state, False) in states]
    if any(one_way for _, one_way in states):
        found.append(Entry("one-way door", door_mark("closed", one_way=True)))
    found += [
        Entry(word, stair_mark(up=up))
        for word, up in (("stairs up", True), ("stairs down", False))
        if any(stair.up == up for stair in plan.stairs)
    ]
    if len(plan.pillars):
        found.append(Entry("pillar", pillar(0, 0)))
    if plan.water.any():
        found.append(Entry("water", water_mark()))
    if plan.pits.any():
        found.append(Entry("pit", pit_mark()))
    if "things" in shown:
        found += _things(plan, most)
    return [entry._replace(sign=_centred(entry.sign)) for entry in found]


def scale(level: Level, shown: frozenset[str], colours: Sequence[str]) -> list[Entry]:
    """What the colours of distance mean, from near to far, if they are on the map.

    >>> from undercroft.core.level import Level
    >>> [entry.word for entry in scale(Level.drawn("#<...#"), frozenset({"heat"}), ["#ffffff", "#a5452c"])]
    ['0 to 3 squares from the start']
    """
    if "heat" not in shown or level.start is None or not level.walkable[level.start[1], level.start[0]]:
        return []
    ends = np.linspace(-0.5, 0.5, len(colours) + 1).tolist()
    strips = [
        box(left, -0.3, right, 0.3, fill=colour, width=0)
        for left, right, colour in zip(ends[:-1], ends[1:], colours, strict=True)
    ]
    farthest = int(distances(level).max())
    return [
        Entry(
            f"0 to {farthest:,} square{'' if farthest == 1 else 's'} from the start",
            [*strips, box(-0.5, -0.3, 0.5, 0.3, fill="")],
        )
    ]


def _things(plan: Plan, most: int) -> list[Entry]:
    """Monsters, loot, then all else, each by name; kinds that look alike share an entry. If there are too many, those
    there are most of, and how many more.
    """
    groups = {thing.kind: str(thing.data.get("group", "")) for thing in plan.things}
    counted = Counter(thing.kind for thing in plan.things)
    alike: dict[tuple[int, Look], list[str]] = {}
    for kind in sorted(counted, key=lambda kind: (-counted[kind], kind)):
        group = groups[kind]
        rank = FIRST.index(group) if group in FIRST else len(FIRST)
        alike.setdefault((rank, _look(mark(kind, group))), []).append(kind)
    rows = sorted(
        ((rank, -sum(counted[kind] for kind in kinds), sorted(kinds[:TOGETHER])) for (rank, _), kinds in alike.items())
    )[:most]
    found = [
        Entry(", ".join(kinds), mark(kinds[0], groups[kinds[0]]))
        for _, _, kinds in sorted(rows, key=lambda row: (row[0], row[2]))
    ]
    left = len(counted) - sum(len(kinds) for _, _, kinds in rows)
    return [*found, Entry(f"and {left} more", [])] if left else found


def _look(sign: Sign) -> Look:
    """What is the same for signs that are drawn alike."""
    return tuple((part.fill, part.width, part.closed, *(line.tobytes() for line in part.lines)) for part in sign)


def _centred(sign: Sign) -> Sign:
    """A sign whose middle is at (0, 0): some things hang on the wall behind them."""
    if not sign:
        return sign
    points = np.concatenate([line for part in sign for line in part.lines])
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    return [part._replace(lines=[line - middle for line in part.lines]) for part in sign]


WORDS = {"open": "open door", "closed": "door", "locked": "locked door", "secret": "secret door"}
