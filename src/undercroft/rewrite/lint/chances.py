"""Check where chances, results and limits do not mean what they seem to say."""

from __future__ import annotations

from collections.abc import Iterator

from undercroft.rewrite.lint.finding import Finding, RulesSubject
from undercroft.rewrite.model.program import KEEP, LEAF_KINDS, Node, Rule

LIMIT_FIX = "add once, or up to 3 times"


def find_idle_chances(subject: RulesSubject) -> Iterator[Finding]:
    """Chances without effect, chances and results that only delay, and limits that are reset in each pass."""
    for leaf in subject.program.root.leaves():
        rules = [rule for rule in leaf.rules if rule.is_enabled()]
        for rule in rules:
            called = subject.rule_name(rule)
            if rule.chance < 1 and leaf.kind == "one" and (len(rules) == 1 or leaf.pick == "first"):
                why = "its node has no other rule" if len(rules) == 1 else "its node takes the first match"
                yield Finding(
                    "chance",
                    "warning",
                    rule.place,
                    f"the chance of {called} has no effect: in a `one` it is a weight, and {why}",
                    "write the node as all, or leave the chance out",
                )
            elif rule.chance < 1 and leaf.kind != "one" and len(rules) == 1 and not (leaf.limit or rule.limit):
                yield Finding(
                    "chance",
                    "warning",
                    rule.place,
                    f"the chance of {called} only delays: without a limit its node goes on until nothing matches",
                    LIMIT_FIX,
                )
            if not (leaf.limit or rule.limit) and _may_stay(rule):
                yield Finding(
                    "chance",
                    "warning",
                    rule.place,
                    f"the result of {called} that changes nothing only delays: without a limit the match comes again",
                    LIMIT_FIX,
                )
    yield from _find_reset_limits(subject.program.root)


def _may_stay(rule: Rule) -> bool:
    """Whether some results surely change nothing, and others surely something."""
    kept = [
        all(code == KEEP or tiles == 1 << code for tiles, code in zip(rule.pattern, result.cells, strict=True))
        for result in rule.results
        if result.weight
    ]
    return any(kept) and not all(kept)


def _find_reset_limits(root: Node) -> Iterator[Finding]:
    """Blocks inside others that start again, and so reset a `once` in them."""
    todo = list(reversed(root.children))
    while todo:
        node = todo.pop()
        todo += reversed(node.children)
        if node.kind not in {"sequence", "markov"} or node.limit:
            continue
        limited = [child for child in node.children if child.kind in LEAF_KINDS and child.limit == 1]
        if limited:
            name = f"'{limited[0].name}'" if limited[0].name else f"a {limited[0].kind!r} in it"
            yield Finding(
                "chance",
                "note",
                node.place,
                f"this {node.kind} starts again when it is done, and then {name} may act once more",
                "add once to the block if it is to run through a single time",
            )
