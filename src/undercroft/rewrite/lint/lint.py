"""A look at rules before they run: mistakes, rules that never act, and whether the program ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from undercroft.rewrite.lint import (
    confluence,
    oddities,
    option_names,
    ports,
    reachable,
    shadowed_rules,
    shares,
    termination,
)
from undercroft.rewrite.lint.finding import MOST_CELLS, SEVERITIES, Finding, Subject
from undercroft.rewrite.text import expectations
from undercroft.rewrite.text.parse import Parsed

MOST_OF_A_KIND = 20
"""Findings of one check and severity that are told; of the others only the number."""


class Check(NamedTuple):
    """One thing that is looked at."""

    about: str
    look: Callable[[Subject], Iterator[Finding]]


def _expectations(subject: Subject) -> Iterator[Finding]:
    for problem in expectations.check(Parsed(subject.program, subject.expects, {})):
        yield Finding(
            "expectations",
            "error",
            problem.place,
            problem.problem,
            "mend the rule, or draw what it really does",
            problem.picture,
        )


CHECKS = {
    "expectations": Check("every outcome that an `expect` draws happens, and no other", _expectations),
    "contradictions": Check("every cell of a pattern admits some tile", reachable.contradictions),
    "reach": Check("what a pattern asks for is on the map, or is written before", reachable.unreachable),
    "size": Check("patterns fit on the map in every position", reachable.too_large),
    "areas": Check("where rules act in regions, the map has such regions at the start", reachable.no_regions),
    "shadowed": Check("no rule always comes too late", shadowed_rules.shadowed),
    "twice": Check("no rule says the same as another of its node", shadowed_rules.twice),
    "identity": Check("every rule and every result changes something", oddities.identities),
    "names": Check("no name swallows an option", option_names.with_options),
    "off": Check("no rule or result weighs nothing", oddities.switched_off),
    "guards": Check("no rule is always refused by its own guard", oddities.guards),
    "overwritten": Check("stairs and locked doors are overwritten only by rules that name them", oddities.overwritten),
    "ports": Check("corridors meet what opens back to them", ports.open_ends),
    "unread": Check("what is written is asked for by some rule", oddities.unread),
    "shares": Check("how often rules are drawn, all positions counted", shares.shares),
    "ends": Check("the program ends: with a proof, or with a way to go on for ever", termination.ends),
    "order": Check("whether the result depends on chance", confluence.any_order),
}
"""All that is looked at, in the order in which it is told."""


def look(subject: Subject) -> list[Finding]:
    """All findings, the worst first, else in the order of the checks and of the program."""
    found = [finding for check in CHECKS.values() for finding in _few(list(check.look(subject)))]
    if not subject.small:
        problem = f"its rules have more than {MOST_CELLS:,} cells in all positions: only the plain checks were made"
        found.append(Finding("size", "note", None, problem, "split the program in two"))
    return sorted(found, key=lambda finding: SEVERITIES.index(finding.severity))


def _few(found: list[Finding]) -> Iterator[Finding]:
    """The first findings of each severity, and how many more there are."""
    for severity in SEVERITIES:
        same = [finding for finding in found if finding.severity == severity]
        yield from same[:MOST_OF_A_KIND]
        if len(same) > MOST_OF_A_KIND:
            last = same[-1]
            yield Finding(
                last.kind,
                severity,
                last.place and last.place._replace(line=1, column=1, text=""),
                f"and {len(same) - MOST_OF_A_KIND:,} more like these",
            )
