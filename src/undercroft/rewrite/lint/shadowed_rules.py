"""Find rules that never get a turn because another always comes first, and duplicate rules."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from undercroft.rewrite.lint.finding import Budget, Finding, RulesSubject
from undercroft.rewrite.model.program import ANY, KEEP, LEAF_KINDS, Node, Rule
from undercroft.rewrite.model.symmetry import Variant


def find_shadowed(subject: RulesSubject) -> Iterator[Finding]:
    """Rules of a `markov` that never act because an earlier node can act wherever they match, and nodes that start when
    no match of theirs can be left.
    """
    if not subject.is_small:
        return
    budget = Budget()
    for node in _walk_branches(subject.program.root):
        if node.kind == "markov":
            yield from _find_in_markov(subject, node, budget)
        else:
            for before, after in pairwise(node.children):
                yield from _find_in_sequence(subject, before, after, budget)
    if budget.left <= 0:
        yield Finding(
            "shadowed",
            "note",
            None,
            "there are too many rules to compare each with each: some pairs were not looked at",
        )


def _walk_branches(node: Node) -> Iterator[Node]:
    if node.children:
        yield node
    for child in node.children:
        yield from _walk_branches(child)


class Blocker(NamedTuple):
    """A rule that surely acts when it matches."""

    rule: Rule
    single: frozenset[int]
    """Its sets of a single tile: a rule that it shadows needs each of them too."""
    shapes: tuple[tuple[int, int, tuple[tuple[int, int, int], ...]], ...]
    """For each position its width, its height, and the cells it tests: (x, y, set of tiles)."""


def _find_in_markov(subject: RulesSubject, node: Node, budget: Budget) -> Iterator[Finding]:
    before: list[Blocker] = []
    for child in node.children:
        if child.kind not in LEAF_KINDS:
            continue
        for rule in child.rules:
            if rule.is_enabled() and (hides := _find_blocker(subject, before, child, rule, budget)):
                problem = (
                    f"{subject.rule_name(rule)} never acts: wherever it fits, {subject.rule_name(hides)} fits too, and "
                    "comes first"
                )
                yield Finding(
                    "shadowed",
                    "warning",
                    rule.place,
                    problem,
                    f"put it before {subject.rule_name(hides)}, limit that one, or take it out",
                )
        before += list_blockers(subject, child)


def _find_in_sequence(subject: RulesSubject, before: Node, after: Node, budget: Budget) -> Iterator[Finding]:
    if before.kind not in LEAF_KINDS or after.kind not in LEAF_KINDS:
        return
    rules = [rule for rule in after.rules if rule.is_enabled()]
    known = list_blockers(subject, before)
    found = [_find_blocker(subject, known, after, rule, budget) for rule in rules]
    if found and all(found) and found[0]:
        which = f"'{after.name}'" if after.name else subject.rule_name(rules[0]) if len(rules) == 1 else "this node"
        problem = (
            f"{which} never acts: wherever it fits, {subject.rule_name(found[0])} fits too, and that one was applied "
            "until it fits nowhere"
        )
        yield Finding(
            "shadowed",
            "warning",
            after.place or rules[0].place,
            problem,
            f"put it before {subject.rule_name(found[0])}, or take it out",
        )


def list_blockers(subject: RulesSubject, leaf: Node) -> list[Blocker]:
    """The rules of a leaf that surely act when they match."""
    if leaf.limit or leaf.each:
        return []
    found = []
    for rule in leaf.rules:
        certain = (
            rule.is_enabled()
            and not (rule.limit or rule.guards or rule.area)
            and (leaf.kind == "one" or rule.chance >= 1)
        )
        if certain and (leaf.kind != "one" or leaf.pick != "match" or _is_used_up(rule)):
            shapes = subject.variants(rule)
            single = (
                frozenset()
                if subject.has_turning_tiles
                else frozenset(tiles for tiles in rule.pattern if tiles.bit_count() == 1)
            )
            found.append(
                Blocker(rule, single, tuple((shape.width, shape.height, _list_tests(shape)) for shape in shapes))
            )
    return found


def _list_tests(shape: Variant) -> tuple[tuple[int, int, int], ...]:
    return tuple((k % shape.width, k // shape.width, tiles) for k, tiles in enumerate(shape.pattern) if tiles != ANY)


def _is_used_up(rule: Rule) -> bool:
    """Whether it no longer matches once it was applied. A match that stays true is used once and then skipped."""
    return all(
        any(code != KEEP and not tiles >> code & 1 for tiles, code in zip(rule.pattern, result.cells, strict=True))
        for result in rule.results
        if result.weight
    )


def _find_blocker(subject: RulesSubject, before: list[Blocker], leaf: Node, rule: Rule, budget: Budget) -> Rule | None:
    """A rule that matches wherever this one does; if several cover it together, the first of them."""
    # over the border the others may not match
    if leaf.outside >= 0 or not all(rule.pattern) or not budget.spend(len(before)):
        return None
    found: Rule | None = None
    asked = {tiles for variant in subject.variants(rule) for tiles in variant.pattern}
    likely = [other for other in before if other.single <= asked]
    for variant in subject.variants(rule):
        cover = next((other.rule for other in likely if covers(other, variant, budget)), None)
        if cover is None:
            return None
        found = found or cover
    return found


def covers(other: Blocker, variant: Variant, budget: Budget) -> bool:
    """Whether, wherever a pattern matches, the rule matches within its box, in some position."""
    for width, height, tests in other.shapes:
        for top in range(variant.height - height + 1):
            for left in range(variant.width - width + 1):
                if not budget.spend(3):
                    return False
                if all(not variant.pattern[(top + y) * variant.width + left + x] & ~tiles for x, y, tiles in tests):
                    return True
    return False


def find_duplicates(subject: RulesSubject) -> Iterator[Finding]:
    """Rules of one node that are the same, each group in one note."""
    if not subject.is_small:
        return
    for leaf in subject.program.root.leaves():
        groups: dict[tuple[object, ...], list[Rule]] = {}
        for rule in leaf.rules:
            if not rule.is_enabled():
                continue
            shapes = frozenset(
                (shape.width, shape.height, shape.pattern, shape.results) for shape in subject.variants(rule)
            )
            guards = frozenset(guard._replace(place=None) for guard in rule.guards)
            groups.setdefault((shapes, guards, rule.area), []).append(rule)
        for first, *more in groups.values():
            if more:
                problem = (
                    f"{subject.rule_names(more)} {'says' if len(more) == 1 else 'say'} the same as "
                    f"{subject.rule_name(first)}: {_describe_copies(leaf, [first, *more])}"
                )
                yield Finding("twice", "note", more[0].place, problem)


def _describe_copies(leaf: Node, copies: list[Rule]) -> str:
    """What it means that a leaf holds several rules that are the same. Each has its own matches."""
    if any(rule.limit for rule in copies):
        return "each has a limit of its own"
    others = sum(rule.is_enabled() for rule in leaf.rules) > len(copies)
    if leaf.kind == "one" and leaf.pick in {"match", "rule"}:
        return f"together they weigh {sum(rule.weight for rule in copies):,}"
    if leaf.kind != "one" and any(rule.chance < 1 for rule in copies):
        return "each has a chance of its own"
    if (leaf.kind == "all" or leaf.pick == "token") and others:
        return f"where rules compete for cells, they count {len(copies)} times"
    return "once is enough"
