"""The findings of the linter, and its subject: a program and its map."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.core.region import Regions
from undercroft.errors import Place
from undercroft.rewrite.model.program import ANY, KEEP, Node, Program, Rule, tile_set
from undercroft.rewrite.model.symmetry import Variant, list_variants
from undercroft.rewrite.text.expectations import Expectation
from undercroft.wording import join_words

SEVERITIES = ("error", "warning", "note")
MAX_CELLS = 500_000
"""The most cells of all rules in all positions; on larger programs only the plain checks examine every rule."""
MAX_LISTED_RULES = 6
MAX_COMPARISONS = 1_000_000
"""The most comparisons of one check: less than a second's work."""


class Finding(NamedTuple):
    """A finding about rules. An error is a mistake, a warning may be one, a note is information.

    >>> place = Place("x.rules", 1, 6, "one  AB -> AB")
    >>> print(Finding("identity", "warning", place, "'one' changes nothing", "write another result"))
    x.rules:1:6: warning: 'one' changes nothing
        one  AB -> AB
             ^
      fix: write another result
    """

    kind: str
    """The name of the check."""
    severity: str
    place: Place | None
    problem: str
    fix: str = ""
    picture: str = ""

    def __str__(self) -> str:
        lines = [f"{self.place}: {self.severity}: {self.problem}" if self.place else f"{self.severity}: {self.problem}"]
        if self.severity != "note" and self.place and self.place.text.strip():
            lines.append(self.place.excerpt())
        if self.picture:
            lines.append(self.picture)
        if self.fix:
            lines.append(f"  fix: {self.fix}")
        return "\n".join(lines)


class Budget:
    """The remaining comparisons of a check. When it is used up, the check ends and reports that."""

    def __init__(self, left: int = MAX_COMPARISONS) -> None:
        self.left = left

    def spend(self, count: int) -> bool:
        """Use up `count` comparisons. Returns whether any are left."""
        self.left -= count
        return self.left > 0


@dataclass(frozen=True, eq=False)
class RulesSubject:
    """A program, and the known facts about the map it will run on."""

    program: Program
    expects: tuple[Expectation, ...] = ()
    start: NDArray[np.uint8] | None = None
    """The start map; None if it may be any."""
    regions: Regions | None = None
    """The regions on it; None if they are not surveyed yet."""
    only_size: tuple[int, int] | None = None
    """The size of the map, if the map itself is unknown."""
    only_tiles: int = ANY
    """The tiles that such a map can hold, as a set."""
    turns: int = 0
    """The most turns of the run; 0: no limit."""

    @property
    def size(self) -> tuple[int, int] | None:
        """Width and height of the map; None if unknown."""
        return self.only_size if self.start is None else (self.start.shape[1], self.start.shape[0])

    @cached_property
    def rules(self) -> tuple[tuple[Node, Rule], ...]:
        """Every rule that can be applied at all, with its leaf."""
        return tuple((leaf, rule) for leaf in self.program.root.leaves() for rule in leaf.rules if rule.is_enabled())

    @cached_property
    def is_small(self) -> bool:
        """Whether the program is small enough to examine every rule in every position."""
        return (
            sum(len(rule.pattern) * (1 + len(rule.results)) * len(rule.positions) for _, rule in self.rules)
            <= MAX_CELLS
        )

    @cached_property
    def has_turning_tiles(self) -> bool:
        """Whether some tile becomes another when a rule is turned or mirrored."""
        palette = self.program.palette
        same = np.arange(256)
        return not (np.array_equal(palette.turn, same) and np.array_equal(palette.mirror, same))

    @cached_property
    def _rule_numbers(self) -> dict[int, int]:
        return {id(rule): number for number, rule in enumerate(self.program.rules(), 1)}

    @cached_property
    def _variants(self) -> dict[int, list[Variant]]:
        palette = self.program.palette
        return {id(rule): list_variants([rule], palette) for _, rule in self.rules}

    def variants(self, rule: Rule) -> list[Variant]:
        """The different positions of a rule."""
        return self._variants[id(rule)]

    @cached_property
    def map_tiles(self) -> int:
        """The tiles that the start map can hold, as a set, with the tiles for things on it; all tiles if it may be any
        map.
        """
        if self.start is None:
            return self.only_tiles
        return tile_set(int(code) for code in np.unique(self.start)) | tile_set(
            standing.tile for standing in self.program.things
        )

    @cached_property
    def written_tiles(self) -> int:
        """The tiles that rules write, as a set."""
        return tile_set(
            code
            for shape in self._shapes()
            for result in shape.results
            if result.weight
            for code in result.cells
            if code != KEEP
        )

    @cached_property
    def asked_tiles(self) -> int:
        """The tiles that patterns need, as a set; ? needs none."""
        found = 0
        for tiles in {tiles for shape in self._shapes() for tiles in shape.pattern if tiles != ANY}:
            found |= tiles
        return found

    def _shapes(self) -> Iterator[Rule | Variant]:
        """All rules, in all positions if turning changes their tiles."""
        if self.has_turning_tiles and self.is_small:
            return (shape for _, rule in self.rules for shape in self.variants(rule))
        return (rule for _, rule in self.rules)

    def rule_name(self, rule: Rule) -> str:
        """A rule in messages: its name in quotes, or its number in the program."""
        return f"'{rule.name}'" if rule.name else f"rule {self._rule_numbers[id(rule)]}"

    def rule_names(self, rules: Sequence[Rule]) -> str:
        """Several rules in messages; the last of a long list are only counted."""
        names = [self.rule_name(rule) for rule in rules[:MAX_LISTED_RULES]]
        return join_words([*names, f"{len(rules) - MAX_LISTED_RULES:,} more"] if len(rules) > len(names) else names)


def iterate_tiles(tiles: int, most: int = 256) -> Iterator[int]:
    """The codes in a set of tiles."""
    tiles &= (1 << most) - 1
    while tiles:
        low = tiles & -tiles
        yield low.bit_length() - 1
        tiles ^= low
