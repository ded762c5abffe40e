"""Rules that never get a turn because another one always comes before them, and rules that stand there twice."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from undercroft.rewrite.lint.finding import Budget, Finding, Subject
from undercroft.rewrite.model.program import ANY, KEEP, LEAVES, Node, Rule
from undercroft.rewrite.model.symmetry import Variant


def shadowed(subject: Subject) -> Iterator[Finding]:
    """Rules of a `markov` that never act because an earlier node can act wherever they fit, and nodes that begin when
    nothing of theirs is left.
    """
    if not subject.small:
        return
    budget = Budget()
    for node in _branches(subject.program.root):
        if node.kind == "markov":
            yield from _in_markov(subject, node, budget)
        else:
            for before, after in pairwise(node.children):
                yield from _in_sequence(subject, before, after, budget)
    if budget.left <= 0:
        yield Finding(
            "shadowed",
            "note",
            None,
            "there are too many rules to compare each with each: some pairs were not looked at",
        )


def _branches(node: Node) -> Iterator[Node]:
    if node.children:
        yield node
    for child in node.children:
        yield from _branches(child)


class Blocker(NamedTuple):
    """A rule that surely acts when it matches."""

    rule: Rule
    single: frozenset[int]
    """The tiles that it asks for by themselves: a rule that it hides asks for each of them too."""
    shapes: tuple[tuple[int, int, tuple[tuple[int, int, int], ...]], ...]
    """For each position its width, its height, and the cells it asks for: (x, y, set of tiles)."""


def _in_markov(subject: Subject, node: Node, budget: Budget) -> Iterator[Finding]:
    before: list[Blocker] = []
    for child in node.children:
        if child.kind not in LEAVES:
            continue
        for rule in child.rules:
            if rule.works() and (hides := _hidden_by(subject, before, child, rule, budget)):
                problem = (
                    f"{subject.called(rule)} never acts: wherever it fits, {subject.called(hides)} fits too, and "
                    "comes first"
                )
                yield Finding(
                    "shadowed",
                    "warning",
                    rule.place,
                    problem,
                    f"put it before {subject.called(hides)}, limit that one, or take it out",
                )
        before += blockers(subject, child)


def _in_sequence(subject: Subject, before: Node, after: Node, budget: Budget) -> Iterator[Finding]:
    if before.kind not in LEAVES or after.kind not in LEAVES:
        return
    rules = [rule for rule in after.rules if rule.works()]
    known = blockers(subject, before)
    found = [_hidden_by(subject, known, after, rule, budget) for rule in rules]
    if found and all(found) and found[0]:
        which = f"'{after.name}'" if after.name else subject.called(rules[0]) if len(rules) == 1 else "this node"
        problem = (
            f"{which} never acts: wherever it fits, {subject.called(found[0])} fits too, and that one was applied "
            "until it fits nowhere"
        )
        yield Finding(
            "shadowed",
            "warning",
            after.place or rules[0].place,
            problem,
            f"put it before {subject.called(found[0])}, or take it out",
        )


def blockers(subject: Subject, leaf: Node) -> list[Blocker]:
    """The rules of a leaf that surely act when they match."""
    if leaf.limit or leaf.each:
        return []
    found = []
    for rule in leaf.rules:
        certain = (
            rule.works() and not (rule.limit or rule.guards or rule.area) and (leaf.kind == "one" or rule.chance >= 1)
        )
        if certain and (leaf.kind != "one" or leaf.pick != "match" or _used_up_by_itself(rule)):
            shapes = subject.variants(rule)
            single = (
                frozenset() if subject.turning else frozenset(tiles for tiles in rule.pattern if tiles.bit_count() == 1)
            )
            found.append(Blocker(rule, single, tuple((shape.width, shape.height, _tests(shape)) for shape in shapes)))
    return found


def _tests(shape: Variant) -> tuple[tuple[int, int, int], ...]:
    return tuple((k % shape.width, k // shape.width, tiles) for k, tiles in enumerate(shape.pattern) if tiles != ANY)


def _used_up_by_itself(rule: Rule) -> bool:
    """Whether it no longer matches once it was applied. A match that does would be used once and then passed over."""
    return all(
        any(code != KEEP and not tiles >> code & 1 for tiles, code in zip(rule.pattern, result.cells, strict=True))
        for result in rule.results
        if result.weight
    )


def _hidden_by(subject: Subject, before: list[Blocker], leaf: Node, rule: Rule, budget: Budget) -> Rule | None:
    """A rule that fits wherever this one does; if several share that, the first of them."""
    # over the border the others may not fit
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
    """Whether a rule matches, in some position, within the box of a pattern wherever that one matches."""
    for width, height, tests in other.shapes:
        for top in range(variant.height - height + 1):
            for left in range(variant.width - width + 1):
                if not budget.spend(3):
                    return False
                if all(not variant.pattern[(top + y) * variant.width + left + x] & ~tiles for x, y, tiles in tests):
                    return True
    return False


def twice(subject: Subject) -> Iterator[Finding]:
    """Rules of one node that say the same."""
    if not subject.small:
        return
    for leaf in subject.program.root.leaves():
        seen: dict[tuple[object, ...], Rule] = {}
        for rule in leaf.rules:
            if not rule.works():
                continue
            shapes = frozenset(
                (shape.width, shape.height, shape.pattern, shape.results) for shape in subject.variants(rule)
            )
            guards = frozenset(guard._replace(place=None) for guard in rule.guards)
            first = seen.setdefault((shapes, guards, rule.area), rule)
            if first is not rule:
                effect = f"together they weigh {first.weight + rule.weight}" if leaf.kind == "one" else "once is enough"
                problem = f"{subject.called(rule)} says the same as {subject.called(first)}: {effect}"
                yield Finding("twice", "note", rule.place, problem)
