"""Check rules before they run: mistakes, rules that never act, and whether the program ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from undercroft.rewrite.lint import (
    chances,
    confluence,
    oddities,
    option_names,
    ports,
    reachable,
    shadowed_rules,
    shares,
    termination,
)
from undercroft.rewrite.lint.finding import MAX_CELLS, SEVERITIES, Finding, RulesSubject
from undercroft.rewrite.text import expectations
from undercroft.rewrite.text.parse import ParsedRules

MAX_FINDINGS_PER_CHECK = 20
"""The most findings to report of one check and severity; more are only counted."""


class RulesCheck(NamedTuple):
    """One check of the linter."""

    about: str
    look: Callable[[RulesSubject], Iterator[Finding]]


def _find_broken_expectations(subject: RulesSubject) -> Iterator[Finding]:
    for problem in expectations.find_problems(ParsedRules(subject.program, subject.expects, {})):
        yield Finding(
            "expectations",
            "error",
            problem.place,
            problem.problem,
            problem.fix,
            problem.picture,
        )


CHECKS = {
    "expectations": RulesCheck("every outcome that an `expect` draws happens, and no other", _find_broken_expectations),
    "contradictions": RulesCheck("every cell of a pattern accepts some tile", reachable.find_contradictions),
    "reach": RulesCheck(
        "the tiles that a pattern requires are on the map, or are written before", reachable.find_unreachable
    ),
    "size": RulesCheck("patterns fit on the map in every position", reachable.find_too_large),
    "areas": RulesCheck(
        "where rules act in regions, the map has such regions at the start", reachable.find_missing_regions
    ),
    "shadowed": RulesCheck(
        "no rule always comes after another that takes all its matches", shadowed_rules.find_shadowed
    ),
    "twice": RulesCheck("no rule is the same as another of its node", shadowed_rules.find_duplicates),
    "identity": RulesCheck("every rule and every result changes something", oddities.find_identities),
    "chance": RulesCheck(
        "chances have an effect, and no result or limit means less than it says", chances.find_idle_chances
    ),
    "names": RulesCheck("no name contains what was meant as an option", option_names.find_options_in_names),
    "off": RulesCheck("no rule or result has the weight 0", oddities.find_disabled),
    "guards": RulesCheck("no rule is always refused by its own guard", oddities.find_impossible_guards),
    "overwritten": RulesCheck(
        "stairs and locked doors are overwritten only by rules that name them", oddities.find_overwritten
    ),
    "ports": RulesCheck("corridors meet tiles that open back to them", ports.find_open_ends),
    "unread": RulesCheck("every tile that is written is required by some rule", oddities.find_unread_tiles),
    "shares": RulesCheck("how often rules are drawn, all positions counted", shares.find_uneven_shares),
    "ends": RulesCheck("the program ends: reports a proof, or a cycle that never ends", termination.judge_termination),
    "order": RulesCheck("whether the result depends on chance", confluence.find_order_independence),
}
"""All checks, in the order of the report."""


def lint_rules(subject: RulesSubject) -> list[Finding]:
    """All findings, the worst first, then in the order of the checks and of the program."""
    found = [finding for check in CHECKS.values() for finding in _limit_findings(list(check.look(subject)))]
    if not subject.is_small:
        problem = f"its rules have more than {MAX_CELLS:,} cells in all positions: only the plain checks were made"
        found.append(Finding("size", "note", None, problem, "split the program in two"))
    return sorted(found, key=lambda finding: SEVERITIES.index(finding.severity))


def _limit_findings(found: list[Finding]) -> Iterator[Finding]:
    """The first findings of each severity, and how many more there are."""
    for severity in SEVERITIES:
        same = [finding for finding in found if finding.severity == severity]
        yield from same[:MAX_FINDINGS_PER_CHECK]
        if len(same) > MAX_FINDINGS_PER_CHECK:
            last = same[-1]
            yield Finding(
                last.kind,
                severity,
                last.place and last.place._replace(line=1, column=1, text=""),
                f"and {len(same) - MAX_FINDINGS_PER_CHECK:,} more like these",
            )
