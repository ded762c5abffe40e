"""Check whether the order of rewrites matters. If no rewrite changes cells that another tests or writes, every order
gives the same map.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from undercroft.rewrite.lint.finding import Budget, Finding, RulesSubject
from undercroft.rewrite.lint.loops import RuleLoop, analyse_loops
from undercroft.rewrite.lint.reachable import find_reachable_tiles
from undercroft.rewrite.lint.termination_proof import list_effects, prove_termination
from undercroft.rewrite.model.program import ANY, KEEP, Node, Rule
from undercroft.rewrite.model.symmetry import Variant


class _RuleFootprint(NamedTuple):
    """A rule in a position: for each relevant cell its set, whether the cell may change, and whether the rule writes
    it.
    """

    width: int
    height: int
    cells: tuple[tuple[int, int, int, bool, bool], ...]


def find_order_independence(subject: RulesSubject) -> Iterator[Finding]:
    """A note if every seed gives the same map."""
    if subject.turns or not subject.is_small:
        return
    root = subject.program.root
    taken = analyse_loops(root)
    possible = find_reachable_tiles(subject).tiles
    budget = Budget()
    if taken.limited or any(loop.capped for loop in taken.loops):
        return
    if all(_is_deterministic(subject, loop, possible, budget) for loop in taken.loops) and budget.left > 0:
        place = root.place or next((rule.place for rule in subject.program.rules()), None)
        yield Finding("order", "note", place, "the order does not matter: every seed makes the same of a map")


def _is_deterministic(subject: RulesSubject, loop: RuleLoop, possible: int, budget: Budget) -> bool:
    rules = [(leaf, rule) for leaf in loop.leaves for rule in leaf.rules if rule.is_enabled()]
    if not all(_has_no_choice(subject, leaf, rule, possible) for leaf, rule in rules):
        return False
    boxes = [_build_footprint(variant, possible) for _, rule in rules for variant in subject.variants(rule)]
    for number, first in enumerate(boxes):
        for second in boxes[number:]:
            if _can_interfere(first, second, first is second, budget):
                return False
    return prove_termination(subject, loop, possible) is not None


def _has_no_choice(subject: RulesSubject, leaf: Node, rule: Rule, possible: int) -> bool:
    """Whether it has one result, is applied wherever it matches, and changes something each time."""
    drawn = sum(result.weight > 0 for result in rule.results)
    free = not (rule.limit or rule.guards or rule.area or leaf.each) and (leaf.kind == "one" or rule.chance >= 1)
    return drawn == 1 and free and not any(act.idle for act in list_effects(subject, leaf, rule, possible))


def _build_footprint(variant: Variant, possible: int) -> _RuleFootprint:
    [cells] = [result.cells for result in variant.results if result.weight]
    found = []
    for k, (tiles, code) in enumerate(zip(variant.pattern, cells, strict=True)):
        if tiles != ANY or code != KEEP:
            writes = code != KEEP
            found.append(
                (
                    k % variant.width,
                    k // variant.width,
                    tiles & possible,
                    writes and bool(tiles & possible & ~(1 << code)),
                    writes,
                )
            )
    return _RuleFootprint(variant.width, variant.height, tuple(found))


def _can_interfere(first: _RuleFootprint, second: _RuleFootprint, same: bool, budget: Budget) -> bool:
    """Whether the two can match at once so that one changes a cell that the other tests or writes. Also True if the
    budget is used up.
    """
    here = {(x, y): (tiles, changes) for x, y, tiles, changes, _ in first.cells}
    for dy in range(1 - second.height, first.height):
        for dx in range(1 - second.width, first.width):
            if same and not dx and not dy:
                continue
            if not budget.spend(1 + len(second.cells)):
                return True
            touches = False
            for x, y, tiles, changes, _ in second.cells:
                found = here.get((x + dx, y + dy))
                if found is not None:
                    if not found[0] & tiles:
                        break
                    touches |= found[1] or changes
            else:
                if touches:
                    return True
    return False
