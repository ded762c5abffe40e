"""How often rules are really drawn, once their positions are counted."""

from __future__ import annotations

from collections.abc import Iterator

from undercroft.rewrite.explain import wording
from undercroft.rewrite.lint.finding import Finding, Subject
from undercroft.rewrite.model.program import Node, Rule

MOST_ROWS = 24


def shares(subject: Subject) -> Iterator[Finding]:
    """A table for every `one` node in which rules have different numbers of positions, or equal positions count each
    for itself.
    """
    if not subject.small:
        return
    for leaf in subject.program.root.leaves():
        rules = [rule for rule in leaf.rules if rule.works()]
        if leaf.kind != "one" or len(rules) < 2 or leaf.pick == "first":
            continue
        counts = [len(subject.variants(rule)) if leaf.merge else len(rule.positions) for rule in rules]
        copies = any(len(subject.variants(rule)) < count for rule, count in zip(rules, counts, strict=True))
        if len(set(counts)) > 1 or copies:
            yield _table(subject, leaf, rules, counts)


def _table(subject: Subject, leaf: Node, rules: list[Rule], counts: list[int]) -> Finding:
    parts = [rule.weight * count for rule, count in zip(rules, counts, strict=True)]
    rows = [["rule", "weight", "positions", "different", "share"]]
    for rule, count, part in zip(rules, counts, parts, strict=True):
        rows.append(
            [
                rule.name or subject.called(rule),
                str(rule.weight),
                str(count),
                str(len(subject.variants(rule))),
                f"{part}/{sum(parts)}",
            ]
        )
    more = [f"    and {len(rows) - MOST_ROWS - 1} more"] if len(rows) > MOST_ROWS + 1 else []
    rows = rows[: MOST_ROWS + 1]
    node = f"in '{leaf.name}' " if leaf.name else ""
    if leaf.pick == "rule":
        most = parts.index(max(parts))
        problem = (
            f"{node}every position is drawn like a rule of its own: {subject.called(rules[most])} has "
            f"{parts[most]}/{sum(parts)} of the draws"
        )
    else:
        rows = [row[:-1] for row in rows]
        problem = f"{node}every place counts in every position, and rules have different numbers of them"
    lines = [f"    {line}" for line in wording.table(rows, "<>>>>"[: len(rows[0])])]
    return Finding("shares", "note", leaf.place or rules[0].place, problem, picture="\n".join(lines + more))
