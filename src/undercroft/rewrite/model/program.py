"""The program that all notations of rules compile to: a tree of nodes whose leaves hold rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from undercroft.core.palette import Palette
from undercroft.core.region import Thing
from undercroft.errors import Place

KEEP = -1
"""In a result: keep the cell's tile."""
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
"""Positions of a rule: k quarter turns clockwise; + 4 if left and right are swapped first."""


class Replacement(NamedTuple):
    """What a rule writes: for each cell a tile code or `KEEP`."""

    cells: tuple[int, ...]
    weight: int = 1


class Guard(NamedTuple):
    """A condition that a rewrite must not break. A rewrite that would break it is refused, and tried again when its
    surroundings change. Sets of tiles are bit masks.

    `connected`: the cells with these tiles do not split into more parts than before. `count`: there are at least
    `least` and at most `most` such cells. `distance`: every path from one of these tiles to one of the `others` has at
    least `least` steps.
    """

    kind: str
    tiles: int
    others: int = 0
    least: int = 0
    most: int = -1
    """-1: no upper bound."""
    place: Place | None = None


class Area(NamedTuple):
    """Regions by kind (room, corridor, cave ...; empty for any kind) and tag (empty for any)."""

    kind: str
    tag: str = ""


class ThingTile(NamedTuple):
    """A tile that stands for a thing while rules run; afterwards the cell has the ground tile, with the thing on it."""

    kind: str
    tile: int
    ground: int
    data: tuple[tuple[str, str | int | float | bool], ...] = ()
    """What is known of the thing, such as the lock that a key opens. The tile stands for things with this data, and
    perhaps more.
    """

    def stands_for(self, thing: Thing) -> bool:
        """Whether the tile stands for a thing."""
        return thing.kind == self.kind and all(
            key in thing.data and thing.data[key] == value for key, value in self.data
        )


class Rule(NamedTuple):
    """A pattern and its possible results, row by row. A pattern cell is a set of tile codes as a bit mask."""

    name: str
    width: int
    height: int
    pattern: tuple[int, ...]
    results: tuple[Replacement, ...]
    weight: int = 1
    """How often it is chosen, relative to other rules; 0 switches the rule off."""
    chance: float = 1.0
    limit: int = 0
    """The most applications; 0: no limit."""
    positions: tuple[int, ...] = AS_DRAWN
    guards: tuple[Guard, ...] = ()
    area: Area | None = None
    """All written cells must lie in one such region; None: anywhere."""
    place: Place | None = None

    def is_enabled(self) -> bool:
        """Whether it can be applied at all: a weight or chance of 0 switches it off, and so do results that all have
        weight 0.
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
    limit. A sequence or markov with the limit 1 runs once; without one it starts again, unless it is the root.
    """

    kind: str
    name: str = ""
    rules: tuple[Rule, ...] = ()
    children: tuple[Node, ...] = ()
    limit: int = 0
    pick: str = "match"
    outside: int = -1
    """The tile that cells outside the map count as; -1: patterns stay inside."""
    merge: bool = True
    """Whether equal positions of a rule count once, or each separately."""
    each: Area | None = None
    """Process such regions one by one, with a separate count of turns for each; a rule then writes in only one of them.
    """
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


def is_margin_list(root: Node) -> bool:
    """Whether a root is the list of the nodes at the left margin of a program, and no block that was written."""
    return root == Node("sequence", children=root.children, place=root.place)


def tile_set(codes: Iterable[int]) -> int:
    """A set of tile codes as a bit mask."""
    mask = 0
    for code in codes:
        mask |= 1 << code
    return mask
