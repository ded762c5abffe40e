"""Find rules that can never match: the tiles they need must be on the map or be written, and they must fit on it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from undercroft.analysis.survey import survey_tiles
from undercroft.rewrite.explain.regions import explain_missing_region
from undercroft.rewrite.lint.finding import Finding, RulesSubject
from undercroft.rewrite.model.program import ANY, KEEP, Node, Rule
from undercroft.rewrite.text import areas, tile_wording
from undercroft.wording import plural


class ReachableTiles(NamedTuple):
    """The tiles that the map can ever hold, and, for each rule that can never match, the tiles that were possible at
    its turn.
    """

    tiles: int
    missed: dict[int, int]
    """Keyed by `id` of the rule."""


class _Need(NamedTuple):
    """A position of a rule: the sets it needs, and the tiles it writes."""

    rule: Rule
    sets: frozenset[int]
    writes: int


def find_reachable_tiles(subject: RulesSubject) -> ReachableTiles:
    """Propagate tiles through the program: a rule whose every cell can match adds the tiles it writes."""
    have = subject.map_tiles
    if have == ANY:
        return ReachableTiles(ANY, {})
    missed: dict[int, int] = {}
    root = subject.program.root
    # one after the other; a loop is treated as a whole
    parts = root.children if root.kind == "sequence" else (root,)
    for part in parts:
        have = _follow_part(subject, part, have, missed)
    return ReachableTiles(have, missed)


def _follow_part(subject: RulesSubject, part: Node, have: int, missed: dict[int, int]) -> int:
    """The possible tiles after a part of the program."""
    waiting = [
        (leaf, need)
        for leaf in part.leaves()
        for rule in leaf.rules
        if rule.is_enabled()
        for need in _list_needs(subject, rule)
    ]
    matched: set[int] = set()
    before = -1
    while before != have:
        before = have
        still = []
        for leaf, need in waiting:
            there = have | (1 << leaf.outside if leaf.outside >= 0 else 0)
            if all(tiles & there for tiles in need.sets):
                matched.add(id(need.rule))
                have |= need.writes
            else:
                still.append((leaf, need))
        waiting = still
    for _, need in waiting:
        if id(need.rule) not in matched:
            missed[id(need.rule)] = have
    return have


def _list_needs(subject: RulesSubject, rule: Rule) -> Iterator[_Need]:
    for variant in subject.variants(rule):
        writes = 0
        for result in variant.results:
            for code in result.cells if result.weight else ():
                writes |= 0 if code == KEEP else 1 << code
        yield _Need(rule, frozenset(variant.pattern), writes)


def find_contradictions(subject: RulesSubject) -> Iterator[Finding]:
    """Cells whose set is empty."""
    for _, rule in subject.rules:
        empty = next((index for index, tiles in enumerate(rule.pattern) if not tiles), -1)
        if empty >= 0:
            y, x = divmod(empty, rule.width)
            problem = f"{subject.rule_name(rule)} can never match: no tile is in the set of its cell ({x}, {y})"
            yield Finding("contradictions", "error", rule.place, problem, "name at least one tile there, or ? for any")


def find_unreachable(subject: RulesSubject) -> Iterator[Finding]:
    """Tiles that rules need, and that are neither on the map nor written before: one warning for each, with all rules
    that lack it. Rules that only wait for what such rules would write are notes.
    """
    if not subject.is_small:
        return
    palette = subject.program.palette
    for missing in _sort_by_cause(subject, _list_missing_sets(subject)):
        tiles = tile_wording.format_tile_set(missing.tiles, palette)
        names = subject.rule_names(missing.rules)
        if missing.awaited:
            problem = (
                f"{names} can never match either: only {subject.rule_names(missing.awaited)} would write `{tiles}`"
            )
            yield Finding("reach", "note", missing.rules[0].place, problem)
            continue
        why = (
            "no rule that can act before it writes it" if missing.tiles & subject.written_tiles else "no rule writes it"
        )
        problem = f"{names} can never match: `{tiles}` is not on the map, and {why}"
        yield Finding(
            "reach", "warning", missing.rules[0].place, problem, "check the tile, or begin with a map that holds it"
        )


class _MissingSet(NamedTuple):
    """A set of tiles that is never on the map, and the rules that need it."""

    tiles: int
    rules: list[Rule]
    awaited: list[Rule]
    """The rules that would write it if they could match; empty if the set is missing for another reason."""


def _list_missing_sets(subject: RulesSubject) -> list[_MissingSet]:
    """All sets that rules lack, in the order of the rules; each rule lacks the first of its pattern."""
    missed = find_reachable_tiles(subject).missed
    found: dict[int, list[Rule]] = {}
    for leaf, rule in subject.rules:
        have = missed.get(id(rule))
        if have is None or not all(rule.pattern):
            continue
        have |= 1 << leaf.outside if leaf.outside >= 0 else 0
        lacking = next((tiles for tiles in rule.pattern if not tiles & have), 0)
        if not lacking:  # it could match as drawn, but it is not used as drawn
            lacking = next(tiles for tiles in subject.variants(rule)[0].pattern if not tiles & have)
        found.setdefault(lacking, []).append(rule)
    return [_MissingSet(tiles, rules, []) for tiles, rules in found.items()]


def _sort_by_cause(subject: RulesSubject, missing: list[_MissingSet]) -> list[_MissingSet]:
    """The sets that are missing for a reason of their own, and after them those that only rules which lack another set
    would write. In a circle of such rules, the first set counts as the cause.
    """
    writes = [(rule, need.writes) for _, rule in subject.rules for need in _list_needs(subject, rule)]
    lacking = {id(rule): one.tiles for one in missing for rule in one.rules}
    causes: list[_MissingSet] = []
    follow: list[_MissingSet] = []
    known: set[int] = set()
    waiting = missing
    while waiting:
        still = []
        for one in waiting:
            writers = {
                id(rule): rule for rule, tiles in writes if tiles & one.tiles and lacking.get(id(rule)) != one.tiles
            }
            if not writers or any(of not in lacking for of in writers):
                causes.append(one)
                known.add(one.tiles)
            elif all(lacking[of] in known for of in writers):
                follow.append(one._replace(awaited=list(writers.values())))
                known.add(one.tiles)
            else:
                still.append(one)
        if len(still) == len(waiting):  # they wait for each other
            causes.append(still[0])
            known.add(still.pop(0).tiles)
        waiting = still
    return causes + follow


def find_too_large(subject: RulesSubject) -> Iterator[Finding]:
    """Patterns that do not fit on the map."""
    if subject.size is None:
        return
    width, height = subject.size
    for leaf, rule in subject.rules:
        if leaf.outside >= 0:  # they may reach over the border
            continue
        lying = [bool(position & 1) for position in rule.positions]
        fits = sum(
            (rule.height if turned else rule.width) <= width and (rule.width if turned else rule.height) <= height
            for turned in lying
        )
        called, size = subject.rule_name(rule), f"{rule.width}x{rule.height}"
        if not fits:
            problem = f"{called} can never match: its pattern is {size}, the map {width}x{height}"
            yield Finding("size", "warning", rule.place, problem, "draw a smaller pattern, or make the map larger")
        elif fits < len(lying):
            problem = (
                f"{called} fits in {fits} of its {plural(len(lying), 'position')}: its pattern is {size}, the map "
                f"{width}x{height}"
            )
            yield Finding("size", "note", rule.place, problem)


def find_missing_regions(subject: RulesSubject) -> Iterator[Finding]:
    """Areas that include no region of the start map; regions are not surveyed again later."""
    if subject.start is None:
        return
    wanted = {
        (id(leaf), leaf.each or rule.area): (leaf, rule)
        for leaf, rule in reversed(subject.rules)
        if leaf.each or rule.area
    }
    regions = subject.regions
    if wanted and regions is None:
        regions = survey_tiles(subject.start, subject.program.palette).regions
    for (_, area), (leaf, rule) in reversed(wanted.items()):
        lack = explain_missing_region(area, regions) if area and regions is not None else None
        if lack and area:
            said = areas.format_area(area, "each" if leaf.each else "in")
            yield Finding(
                "areas",
                "warning",
                rule.place,
                f"{subject.rule_name(rule)} can never act: `{said}`, but {lack.problem}",
                lack.fix,
            )
