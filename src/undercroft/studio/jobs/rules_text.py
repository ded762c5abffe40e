"""Check a rule file in the editor: draw every rule with its variants, test its expectations, lint it, and run it on a
map.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from undercroft.errors import Place, UndercroftError
from undercroft.rewrite.explain.reasons import RuleContext, list_rule_contexts
from undercroft.rewrite.explain.wording import POSITION_NAMES
from undercroft.rewrite.lint.finding import Finding, RulesSubject
from undercroft.rewrite.lint.lint import lint_rules
from undercroft.rewrite.model.program import ALL_POSITIONS, QUARTER_TURNS
from undercroft.rewrite.model.symmetry import list_variants
from undercroft.rewrite.rules import Rules
from undercroft.rewrite.text import expectations, parse
from undercroft.rewrite.text.alphabet import list_usable_signs
from undercroft.rewrite.text.expectations import Expectation
from undercroft.rewrite.text.options import format_positions
from undercroft.rewrite.text.parse import ParsedRules
from undercroft.studio.jobs import level_json, rules_run
from undercroft.studio.jobs.levels import LevelSources
from undercroft.studio.jobs.rule_drawings import RuleFormatter, timeline_name
from undercroft.studio.jobs.work import Answer, JobContext
from undercroft.studio.protocol import requests
from undercroft.studio.protocol.messages import MessagePart, build_problem
from undercroft.studio.protocol.requests import RulesRequest

SEVERITY_LEVELS = {"error": "error", "warning": "warning", "note": "ok"}
POSITION_LABELS = (
    "as drawn",
    "quarter turn",
    "half turn",
    "three quarters",
    "mirrored",
    "mirrored, quarter turn",
    "mirrored, half turn",
    "mirrored, three quarters",
)
PROGRAM_WIDE_CHECKS = {"ends", "order", "unread"}
"""Checks whose notes concern the whole program, though their place is its first rule."""


def do_rules(sources: LevelSources, ask: dict[str, Any], job: JobContext) -> Answer:
    """All data about the text of a rule file."""
    request = requests.read_request(ask, RulesRequest)
    empty: dict[str, Any] = {"tiles": [], "signs": [], "sets": [], "rules": [], "expectations": [], "notes": []}
    try:
        parsed = parse.parse(request.text, request.file, sources.origins.include_loader(request.file))
    except UndercroftError as error:
        return Answer({**empty, "problems": [build_problem(error)]})
    palette = parsed.program.palette
    formatter = RuleFormatter(palette, parsed.sets)
    findings = lint_rules(RulesSubject(parsed.program, parsed.expects))
    rules = [
        _build_rule_data(context, parsed, formatter, request, findings)
        for context in list_rule_contexts(parsed.program)
    ]
    rule_finding_ids = {id(finding) for rule in rules for finding in rule.pop("found")}
    notes = [
        _build_note(finding)
        for finding in findings
        if id(finding) not in rule_finding_ids and finding.kind != "expectations"
    ]
    head: dict[str, Any] = {
        "problems": [],
        "tiles": level_json.list_tiles(palette),
        "rules": rules,
        "expectations": _build_expectations(parsed, formatter),
        "notes": notes,
    }
    head["signs"] = ["".join(list_usable_signs(tile)) for tile in palette.tiles]
    parts: dict[str, MessagePart] = {}
    if request.run is not None:
        rules_read = Rules(parsed.program, expects=parsed.expects, open_program=parsed.open_program)
        start = rules_run.prepare_start(sources, rules_read, request.run, job)
        head["run"], parts = rules_run.run_rules(start, rules_read, request, request.run, job)
        if request.seeds and head["run"]["ends"]:
            head["coverage"] = rules_run.measure_uses(start, rules_read, request.seeds, job)
    return Answer({**head, "sets": formatter.list_sets()}, parts)


def _build_rule_data(
    context: RuleContext,
    parsed: ParsedRules,
    formatter: RuleFormatter,
    request: RulesRequest,
    findings: Sequence[Finding],
) -> dict[str, Any]:
    """The data of one rule, with its drawings."""
    rule, leaf = context.rule, context.leaf
    first, last = _find_lines(rule.place, rule.height, request)
    findings_here = [
        finding
        for finding in findings
        if finding.place and finding.place.file == request.file and first <= finding.place.line <= last
    ]
    about = [
        finding for finding in findings_here if finding.severity != "note" or finding.kind not in PROGRAM_WIDE_CHECKS
    ]
    shapes = list_variants([rule], parsed.program.palette)
    return {
        "name": timeline_name(context),
        "node": leaf.name,
        "kind": leaf.kind,
        "line": first,
        "last_line": last,
        "head_line": leaf.place.line if leaf.place and leaf.place.file == request.file else 0,
        "symmetry": format_positions(rule.positions, ()) or "as drawn",
        "limit": rule.limit or leaf.limit or None,
        "weight": rule.weight,
        "chance": rule.chance,
        "pattern": formatter.format_pattern(rule.pattern, rule.width),
        "results": [
            {"rows": formatter.format_result(result.cells, rule.width), "weight": result.weight}
            for result in rule.results
        ],
        "variants": [
            {
                "label": POSITION_LABELS[shape.position],
                "pattern": formatter.format_pattern(shape.pattern, shape.width),
                "result": formatter.format_result(shape.results[0].cells, shape.width) if shape.results else [],
            }
            for shape in shapes
        ],
        "variant_note": _describe_variants(
            rule.positions,
            len(shapes),
            len(list_variants([rule._replace(positions=ALL_POSITIONS)], parsed.program.palette)),
        ),
        "notes": [_build_note(finding) for finding in about],
        "found": about,
    }


def _describe_variants(positions: Sequence[int], different: int, of_all: int) -> str:
    """How many positions a rule has, how many of them differ, and whether all eight would add some.

    >>> print(_describe_variants(QUARTER_TURNS, 4, 8))
    4 turns
    >>> print(_describe_variants(QUARTER_TURNS, 4, 4))
    4 turns; mirroring adds none, it is its own mirror image
    >>> print(_describe_variants(ALL_POSITIONS, 4, 4))
    8 positions, 4 of them different: in the others it looks the same
    """
    if len(positions) == 1:
        return POSITION_NAMES[positions[0]]
    turns = tuple(positions) == QUARTER_TURNS
    label = f"{len(positions)} turns" if turns else f"{len(positions)} positions"
    if different < len(positions):
        return f"{label}, {different} of them different: in the others it looks the same"
    return f"{label}; mirroring adds none, it is its own mirror image" if turns and of_all == different else label


def _build_note(finding: Finding) -> dict[str, Any]:
    text = f"{finding.problem}; {finding.fix}" if finding.fix and finding.severity != "note" else finding.problem
    line = finding.place.line if finding.place else 0
    return {
        "level": SEVERITY_LEVELS[finding.severity],
        "text": text,
        "line": line,
        "kind": finding.kind,
        "picture": finding.picture,
    }


def _find_lines(place: Place | None, height: int, request: RulesRequest) -> tuple[int, int]:
    """The lines on which a rule is drawn; 0 if it is in another file."""
    if place is None or place.file != request.file:
        return 0, 0
    rows = request.text.split("\n")
    pattern, arrow, _ = rows[place.line - 1][place.column - 1 :].partition("->")
    on_one = height == 1 or (bool(arrow) and "/" in pattern)
    return place.line, place.line if on_one else min(place.line + height - 1, len(rows))


def _build_expectations(parsed: ParsedRules, formatter: RuleFormatter) -> list[dict[str, Any]]:
    """Each expectation, and whether it is met."""
    found = []
    for expect in parsed.expects:
        failed = expectations.find_problems(parsed._replace(expects=(expect,)))
        outcomes = [formatter.format_result(outcome, expect.width) for outcome in expect.outcomes]
        found.append(
            {
                "name": expect.about or expect.name,
                "rule": expect.name,
                "line": expect.place.line,
                "passed": not failed,
                "expected": _format_outcome_count(len(expect.outcomes)),
                "found": failed[0].problem.partition(": ")[2] if failed else "as drawn",
                "before": formatter.format_result(expect.before, expect.width),
                "after": outcomes[0] if outcomes else None,
                "outcomes": outcomes,
                "really": _list_real_outcomes(expect, parsed, formatter),
            }
        )
    return found


def _list_real_outcomes(expect: Expectation, parsed: ParsedRules, formatter: RuleFormatter) -> list[list[str]]:
    """The first few real outcomes of an expectation."""
    try:
        real = expectations.find_outcomes(expect, parsed.program.palette, parsed.program.things)
    except UndercroftError:
        return []
    return [formatter.format_result(outcome, expect.width) for outcome in list(real)[:8]]


def _format_outcome_count(count: int) -> str:
    return "nothing changes" if not count else "1 outcome" if count == 1 else f"{count} outcomes"
