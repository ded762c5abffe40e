"""Checks of single rules: rules that are switched off, change nothing, never act, or overwrite unnamed tiles."""

from __future__ import annotations

from collections.abc import Iterator

from undercroft.rewrite.lint.finding import Finding, RulesSubject, iterate_tiles
from undercroft.rewrite.lint.reachable import find_reachable_tiles
from undercroft.rewrite.model.program import ANY, KEEP, Guard, Node, Rule, tile_set
from undercroft.rewrite.text import tile_wording
from undercroft.wording import join_words

PROTECTED_ROLES = ("entry", "exit", "locked")
"""Roles of tiles that a level cannot do without."""


def find_disabled(subject: RulesSubject) -> Iterator[Finding]:
    """Rules and results that are never drawn."""
    for rule in subject.program.rules():
        called = subject.rule_name(rule)
        if not rule.is_enabled():
            why = (
                "its weight is 0"
                if not rule.weight
                else "its chance is 0"
                if not rule.chance
                else "all its results weigh 0"
            )
            yield Finding("off", "note", rule.place, f"{called} is switched off: {why}")
            continue
        for number, result in enumerate(rule.results, 1):
            if not result.weight:
                yield Finding("off", "note", rule.place, f"result {number} of {called} is switched off: it weighs 0")


def find_identities(subject: RulesSubject) -> Iterator[Finding]:
    """Rules and results that change nothing."""
    for leaf, rule in subject.rules:
        called = subject.rule_name(rule)
        if rule.changes_nothing() and _holds_cells(leaf, rule):
            problem = (
                f"{called} changes nothing, and holds the cells that it writes against the other rules of its turn"
            )
            yield Finding("identity", "note", rule.place, problem)
            continue
        if rule.changes_nothing():
            yield Finding(
                "identity",
                "warning",
                rule.place,
                f"{called} changes nothing",
                "write another tile into its result, or take the rule out",
            )
            continue
        for number, result in enumerate(rule.results, 1):
            if result.weight and all(
                code == KEEP or tiles == 1 << code for tiles, code in zip(rule.pattern, result.cells, strict=True)
            ):
                yield Finding("identity", "note", rule.place, f"result {number} of {called} changes nothing")


def _holds_cells(leaf: Node, rule: Rule) -> bool:
    """Whether a rule that changes nothing still has an effect: in one turn of `all` no other rule writes the cells that
    it writes, and in `parallel` it restores what rules before it wrote.
    """
    others = [other for other in leaf.rules if other.is_enabled() and not other.changes_nothing()]
    if leaf.kind == "parallel":
        others = [other for other in others if leaf.rules.index(other) < leaf.rules.index(rule)]
    return (
        leaf.kind != "one"
        and bool(others)
        and any(code != KEEP for result in rule.results if result.weight for code in result.cells)
    )


def find_unread_tiles(subject: RulesSubject) -> Iterator[Finding]:
    """Tiles that are written but that no pattern needs, all in one note."""
    palette = subject.program.palette
    things = {standing.tile for standing in subject.program.things}
    left = [
        f"`{tile_wording.format_tile(code, palette)}`"
        for code in iterate_tiles(subject.written_tiles & ~subject.asked_tiles, len(palette))
        if code not in things
    ]
    if left:
        place = subject.rules[0][1].place
        yield Finding(
            "unread",
            "note",
            place and place._replace(line=1, column=1, text=""),
            f"written, and asked for by no rule: {join_words(left)}",
        )


def find_impossible_guards(subject: RulesSubject) -> Iterator[Finding]:
    """Rules that their own guard always refuses."""
    things = tile_set(standing.tile for standing in subject.program.things)
    for leaf, rule in subject.rules:
        for guard in rule.guards:
            least = min(_least_after(rule, result.cells, guard, things) for result in rule.results if result.weight)
            if guard.kind == "count" and leaf.outside < 0 and 0 <= guard.most < least:
                kept = tile_wording.describe_guard(guard, subject.program.palette)
                problem = f"{subject.rule_name(rule)} can never act: every result breaks its own guard, `{kept}`"
                yield Finding(
                    "guards",
                    "warning",
                    guard.place or rule.place,
                    problem,
                    "raise the bound, or write fewer of these tiles",
                )


def _least_after(rule: Rule, cells: tuple[int, ...], guard: Guard, things: int) -> int:
    """The number of cells of the box that surely hold the guarded tiles afterwards; 0 if the rule may not have added
    one. Any tile may be under a thing.
    """
    after = sum(
        guard.tiles >> code & 1 if code != KEEP else not tiles & ~guard.tiles
        for tiles, code in zip(rule.pattern, cells, strict=True)
    )
    before = sum(bool(tiles & (guard.tiles | things)) for tiles in rule.pattern)
    return after if after > before else 0


def find_overwritten(subject: RulesSubject) -> Iterator[Finding]:
    """Rules that may overwrite stairs or locked doors because a cell admits nearly every tile."""
    palette = subject.program.palette
    possible = find_reachable_tiles(subject).tiles if subject.is_small else ANY
    precious = sum(1 << code for code, role in enumerate(palette.roles) if role in PROTECTED_ROLES) & possible
    if not precious:
        return
    for _, rule in subject.rules:
        lost = 0
        for result in rule.results:
            for tiles, code in zip(rule.pattern, result.cells, strict=True):
                # only ? and negated sets hold tiles that no palette names
                if result.weight and code != KEEP and tiles >> len(palette):
                    lost |= tiles & precious & ~(1 << code)
        if lost:
            names = join_words([palette.tiles[code].name for code in iterate_tiles(lost, len(palette))])
            problem = (
                f"{subject.rule_name(rule)} may overwrite {names}: a cell it writes admits them without naming them"
            )
            yield Finding(
                "overwritten",
                "warning",
                rule.place,
                problem,
                "name the tiles it may replace, or keep the cell with ? in the result",
            )
