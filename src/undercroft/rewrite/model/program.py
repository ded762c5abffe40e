"""What all ways to write rules come down to: a tree of nodes whose leaves hold rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from undercroft.core.palette import Palette
from undercroft.errors import Place

KEEP = -1
"""In a result: leave the cell as it is."""
ANY = (1 << 256) - 1
"""In a pattern: any tile."""

LEAF_KINDS = ("one", "all", "parallel")
BRANCH_KINDS = ("sequence", "markov", "repeat")
PICKS = ("match", "rule", "token", "first")

AS_DRAWN = (0,)
QUARTER_TURNS = (0, 1, 2, 3)
LEFT_RIGHT = (0, 4)
UP_DOWN = (0, 6)
BOTH_MIRRORS = (0, 4, 6, 2)
ALL_POSITIONS = (0, 1, 2, 3, 4, 5, 6, 7)
"""Positions of a rule: k quarter turns clockwise; + 4 if left and right change places first."""


class Replacement(NamedTuple):
    """What is written: a tile code a cell, or `KEEP`."""

    cells: tuple[int, ...]
    weight: int = 1


class Guard(NamedTuple):
    """What a rewrite must not break; one that would is refused, and tried again when its surroundings change. Sets of
    tiles are bit masks.

    `connected`: the cells with these tiles do not fall into more parts than before. `count`: there are at least `least`
    and at most `most` such cells. `distance`: nobody walks from one of these tiles to one of the `others` in less than
    `least` steps.
    """

    kind: str
    tiles: int
    others: int = 0
    least: int = 0
    most: int = -1
    """-1 for no such bound."""
    place: Place | None = None


class Area(NamedTuple):
    """Regions by kind (room, corridor, cave ...; empty for any kind) and tag (empty for any)."""

    kind: str
    tag: str = ""


class ThingTile(NamedTuple):
    """A tile that stands for a thing while rules run; afterwards the ground is there, and the thing on it."""

    kind: str
    tile: int
    ground: int


class Rule(NamedTuple):
    """A pattern and what may replace it, row by row. A pattern cell is a set of tile codes as a bit mask."""

    name: str
    width: int
    height: int
    pattern: tuple[int, ...]
    results: tuple[Replacement, ...]
    weight: int = 1
    """How much more often than others; 0 switches the rule off."""
    chance: float = 1.0
    limit: int = 0
    """How often at the most; 0 for no limit."""
    positions: tuple[int, ...] = AS_DRAWN
    guards: tuple[Guard, ...] = ()
    area: Area | None = None
    """All that it writes lies in one such region; None for anywhere."""
    place: Place | None = None

    def is_enabled(self) -> bool:
        """Whether it can be applied at all: a weight or chance of 0 switches it off, and so do results that weigh
        nothing.
        """
        return self.weight > 0 and self.chance > 0 and any(result.weight for result in self.results)

    def changes_nothing(self) -> bool:
        """Whether no result can change anything."""
        return all(
            code == KEEP or mask == 1 << code
            for result in self.results
            for mask, code in zip(self.pattern, result.cells, strict=True)
        )


class Node(NamedTuple):
    """A leaf with rules, or a branch with children. `limit` counts turns of a leaf, passes of a repeat; 0 for no
    limit.
    """

    kind: str
    name: str = ""
    rules: tuple[Rule, ...] = ()
    children: tuple[Node, ...] = ()
    limit: int = 0
    pick: str = "match"
    outside: int = -1
    """The tile that stands outside the map; -1: patterns stay inside."""
    merge: bool = True
    """Whether equal positions of a rule count once, or each for itself."""
    each: Area | None = None
    """Work region by region, and count turns for each anew; a rule then writes in one of them only."""
    place: Place | None = None

    def leaves(self) -> Iterator[Node]:
        """The leaves below, in order."""
        if self.kind in LEAF_KINDS:
            yield self
        for child in self.children:
            yield from child.leaves()


class Program(NamedTuple):
    """A palette and a tree of nodes."""

    name: str
    palette: Palette
    root: Node
    things: tuple[ThingTile, ...] = ()

    def rules(self) -> Iterator[Rule]:
        """All rules, in order."""
        for leaf in self.root.leaves():
            yield from leaf.rules


def tile_set(codes: Iterable[int]) -> int:
    """A set of tile codes as a bit mask."""
    mask = 0
    for code in codes:
        mask |= 1 << code
    return mask
