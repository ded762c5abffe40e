"""Report the effective shares of rules, with their positions counted."""

from __future__ import annotations

from collections.abc import Iterator

from undercroft.rewrite.explain import wording
from undercroft.rewrite.lint.finding import Finding, RulesSubject
from undercroft.rewrite.model.program import Node, Rule

MAX_ROWS = 24


def find_uneven_shares(subject: RulesSubject) -> Iterator[Finding]:
    """A table for every `one` node in which rules have different numbers of positions, or equal positions count
    separately.
    """
    if not subject.is_small:
        return
    for leaf in subject.program.root.leaves():
        rules = [rule for rule in leaf.rules if rule.is_enabled()]
        if leaf.kind != "one" or len(rules) < 2 or leaf.pick == "first":
            continue
        counts = [len(subject.variants(rule)) if leaf.merge else len(rule.positions) for rule in rules]
        copies = any(len(subject.variants(rule)) < count for rule, count in zip(rules, counts, strict=True))
        if len(set(counts)) > 1 or copies:
            yield _build_share_table(subject, leaf, rules, counts)


def _build_share_table(subject: RulesSubject, leaf: Node, rules: list[Rule], counts: list[int]) -> Finding:
    parts = [rule.weight * count for rule, count in zip(rules, counts, strict=True)]
    rows = [["rule", "weight", "positions", "different", "share"]]
    for rule, count, part in zip(rules, counts, parts, strict=True):
        rows.append(
            [
                rule.name or subject.rule_name(rule),
                str(rule.weight),
                str(count),
                str(len(subject.variants(rule))),
                f"{part}/{sum(parts)}",
            ]
        )
    more = [f"    and {len(rows) - MAX_ROWS - 1} more"] if len(rows) > MAX_ROWS + 1 else []
    rows = rows[: MAX_ROWS + 1]
    node = f"in '{leaf.name}' " if leaf.name else ""
    if leaf.pick == "rule":
        most = parts.index(max(parts))
        problem = (
            f"{node}every position is drawn like a rule of its own: {subject.rule_name(rules[most])} has "
            f"{parts[most]}/{sum(parts)} of the draws"
        )
    else:
        rows = [row[:-1] for row in rows]
        problem = f"{node}every place counts in every position, and rules have different numbers of them"
    lines = [f"    {line}" for line in wording.format_table(rows, "<>>>>"[: len(rows[0])])]
    return Finding("shares", "note", leaf.place or rules[0].place, problem, picture="\n".join(lines + more))
