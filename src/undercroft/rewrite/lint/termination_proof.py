"""Proofs that a program ends: for each loop, weights of tiles whose sum every rewrite lowers, which bound the number
of rewrites.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from undercroft.rewrite.lint.finding import RulesSubject, iterate_tiles
from undercroft.rewrite.lint.loops import RuleLoop
from undercroft.rewrite.lint.tile_weights import Change, build_change, find_lowering_weights, max_rise
from undercroft.rewrite.model.program import KEEP, Node, Rule
from undercroft.rewrite.model.symmetry import Variant


class TurnBound(NamedTuple):
    """A bound: a number for each cell of the map, plus a constant."""

    each_cell: Fraction = Fraction(0)
    more: Fraction = Fraction(0)

    def plus(self, other: TurnBound) -> TurnBound:
        """The sum of both bounds."""
        return TurnBound(self.each_cell + other.each_cell, self.more + other.more)

    def times(self, factor: Fraction | int) -> TurnBound:
        """The bound multiplied by a factor."""
        return TurnBound(self.each_cell * factor, self.more * factor)

    def total_for(self, cells: int) -> int:
        """The bound for a map of `cells` cells."""
        return int(self.each_cell * cells + self.more)


class Certificate(NamedTuple):
    """The proof that a loop ends."""

    weights: dict[int, int]
    """Weights by tile code; other tiles have weight 0."""
    bound: TurnBound | None
    """None if unknown: there may be turns that change nothing."""
    in_turns: bool
    """Whether the bound counts turns instead of rewrites."""


class RewriteEffect(NamedTuple):
    """A result of a rule in a position, with its effect on the weights."""

    whole: Change
    changes: tuple[Change, ...]
    """Changes that must each lower the weights: the whole, or, where only some of its cells may be written, each cell.
    """
    idle: bool
    """Whether it can be applied and change nothing."""


class _CappedRewrites(NamedTuple):
    """A rule or a leaf with a limited number of applications, and its effects."""

    often: TurnBound
    acts: list[RewriteEffect]
    whole_map: bool
    """Whether one turn of it can change the whole map."""


def prove_termination(subject: RulesSubject, loop: RuleLoop, possible: int) -> Certificate | None:
    """The proof that a loop ends, or None. `possible` is the set of tiles that the map can ever hold."""
    free: list[tuple[Node, RewriteEffect]] = []
    capped: list[_CappedRewrites] = []
    for leaf in loop.leaves:
        for rule in leaf.rules:
            found = list(list_effects(subject, leaf, rule, possible))
            if rule.limit and not _limits_restart(loop, leaf):
                capped.append(_CappedRewrites(bound_turns(leaf, rule.limit), found, False))
            else:
                free += [(leaf, act) for act in found]
    for leaf in loop.capped:
        found = [act for rule in leaf.rules for act in list_effects(subject, leaf, rule, possible)]
        capped.append(_CappedRewrites(bound_turns(leaf, leaf.limit), found, leaf.kind != "one"))
    if any(act.idle and repeats_idle_matches(loop, leaf) for leaf, act in free):
        return None
    wanted = sorted({each for _, act in free for each in act.changes})
    classes = _TileGroups([*wanted, *(act.whole for each in capped for act in each.acts)], possible)
    weights = find_lowering_weights([classes.renumber(each) for each in wanted], classes.count)
    if weights is None:
        return None
    by_tile = {code: weights.of[number] for code, number in classes.of.items() if weights.of[number]}
    in_turns = any(leaf.kind == "parallel" for leaf in loop.leaves) or any(leaf.kind != "one" for leaf in loop.capped)
    # a turn in which chance passes over all matches counts, too
    if any(act.idle for _, act in free) or (in_turns and any(_has_chance(leaf) for leaf in loop.leaves)):
        return Certificate(by_tile, None, in_turns)
    heaviest = max(weights.of, default=0)
    total = _initial_weight(subject, loop, heaviest, by_tile)
    often = TurnBound()
    for each in capped:
        often = often.plus(each.often)
        most = max((max_rise(classes.renumber(act.whole), weights.of) for act in each.acts), default=0)
        total = total.plus(
            TurnBound(each_cell=heaviest * (each.often.more + each.often.each_cell))
            if each.whole_map
            else each.often.times(most)
        )
    return Certificate(by_tile, total.times(Fraction(1, weights.falls)).plus(often).times(loop.passes), in_turns)


def _has_chance(leaf: Node) -> bool:
    return leaf.kind != "one" and any(0 < rule.chance < 1 for rule in leaf.rules)


def _initial_weight(subject: RulesSubject, loop: RuleLoop, heaviest: int, by_tile: dict[int, int]) -> TurnBound:
    """The greatest weight of the map when a loop starts."""
    if subject.start is None or loop.node is not subject.program.root:
        return TurnBound(each_cell=Fraction(heaviest))
    counts = np.bincount(subject.start.reshape(-1))
    return TurnBound(
        more=Fraction(sum(int(counts[code]) * weight for code, weight in by_tile.items() if code < len(counts)))
    )


def repeats_idle_matches(loop: RuleLoop, leaf: Node) -> bool:
    """Whether a match that changes nothing is applied repeatedly. In a `one` node that picks by match it is used up, or
    another of its results changes something in the end.
    """
    return _limits_restart(loop, leaf) or leaf.kind != "one" or leaf.pick != "match"


def _limits_restart(loop: RuleLoop, leaf: Node) -> bool:
    """Whether the limits of rules are reset each round: in a branch that starts again, or where a leaf processes all
    regions each time it gets a turn.
    """
    return loop.again or (leaf.each is not None and loop.node is not leaf)


def bound_turns(leaf: Node, limit: int) -> TurnBound:
    """The bound on the turns of a leaf, or on the rewrites of a rule in it. A leaf that processes region by region
    counts for each separately, and there are at most as many regions as cells.
    """
    return TurnBound(each_cell=Fraction(limit)) if leaf.each else TurnBound(more=Fraction(limit))


def list_effects(subject: RulesSubject, leaf: Node, rule: Rule, possible: int) -> Iterator[RewriteEffect]:
    """The effects of a rule, in each position, with each result of positive weight."""
    if not rule.is_enabled():
        return
    there = possible | (1 << leaf.outside if leaf.outside >= 0 else 0)
    # if tiles do not turn, all positions have the same effect
    for variant in subject.variants(rule)[: None if subject.has_turning_tiles else 1]:
        if all(tiles & there for tiles in variant.pattern):
            for result in variant.results:
                if result.weight:
                    yield _build_effect(leaf, variant, result.cells, possible)


def _build_effect(leaf: Node, variant: Variant, cells: tuple[int, ...], possible: int) -> RewriteEffect:
    pairs = [(tiles, code) for tiles, code in zip(variant.pattern, cells, strict=True) if code != KEEP]
    sure = [tiles for tiles, code in pairs if not tiles >> code & 1]
    idle = not sure
    if leaf.outside >= 0 and sure:  # writes over the border are lost, and all of them may lie there
        idle = len(sure) < len(variant.pattern) and all(tiles >> leaf.outside & 1 for tiles in sure)
    # the others can only lie outside the map
    written = [(tiles & possible, code) for tiles, code in pairs if tiles & possible]
    whole = build_change(written)
    # in `parallel`, the last rewrite is written whole, and so lowers the sum
    if leaf.kind == "parallel" or leaf.outside >= 0:
        return RewriteEffect(whole, tuple(((cell, 1),) for cell, _ in whole), idle)
    return RewriteEffect(whole, (whole,) if whole else (), idle)


class _TileGroups:
    """Groups of tiles that no change distinguishes, each with a number."""

    def __init__(self, changes: list[Change], possible: int) -> None:
        sets = sorted({tiles for each in changes for (tiles, _), _ in each})
        single = {new for each in changes for (_, new), _ in each}
        kinds: dict[tuple[int, ...], int] = {}
        self.of: dict[int, int] = {}
        for code in sorted({*iterate_tiles(possible), *single}):
            kind = (code,) if code in single else (-1, *(tiles >> code & 1 for tiles in sets))
            self.of[code] = kinds.setdefault(kind, len(kinds))
        self.count = len(kinds)

    def renumber(self, each: Change) -> Change:
        """A change with group numbers in place of tiles."""
        cells: list[tuple[int, int]] = []
        for (tiles, new), times in each:
            renamed = 0
            for code in iterate_tiles(tiles):
                renamed |= 1 << self.of[code]
            cells += [(renamed, self.of[new])] * times
        return build_change(cells)
