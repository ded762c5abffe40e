"""Explain rules: where each matches on the map after some turn, where it nearly matches, and how often it fires."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from undercroft import limits
from undercroft.core.level import Level
from undercroft.core.timeline import Timeline
from undercroft.errors import BadInput, unknown_name_error
from undercroft.recipe.request import Request
from undercroft.recipe.run import run_request
from undercroft.rewrite.coverage import Recorder, count_coverage
from undercroft.rewrite.explain.explanation import Placement, RuleExplanation
from undercroft.rewrite.explain.reasons import RuleContext, list_rule_contexts
from undercroft.rewrite.rules import Rules
from undercroft.rewrite.text.areas import format_area
from undercroft.rewrite.text.options import format_positions
from undercroft.steps.finish.rewrite import Rewrite
from undercroft.studio.jobs.levels import LevelRecord, LevelSources
from undercroft.studio.jobs.rule_drawings import RuleFormatter, timeline_name
from undercroft.studio.jobs.work import Answer, JobContext
from undercroft.studio.protocol import requests
from undercroft.studio.protocol.requests import CoverageRequest, ExplainRequest, LevelSource

MAX_FIRST_FAILURES = 3
"""How many of the pattern cells that fail first are sent."""


def do_explain(sources: LevelSources, ask: dict[str, Any], job: JobContext) -> Answer:
    """Explain the rules of a step on the map after a turn."""
    request = requests.read_request(ask, ExplainRequest)
    record, timeline = sources.make_watched(requests.read_request(ask, LevelSource), job.is_cancelled)
    rules = resolve_rules(record, request, request.step)
    if not 0 <= request.turn < timeline.turns:
        raise BadInput(
            f"there is no turn {request.turn:,}: the level has {timeline.turns:,}", fix="ask for one of them"
        )
    palette = timeline.palette(request.turn) or record.level.palette
    level = Level(timeline.at(request.turn), palette)
    contexts = list_rule_contexts(rules.program)
    selection = [
        context
        for context in contexts
        if request.rule in (None, timeline_name(context), context.name, f"{request.step}: {timeline_name(context)}")
    ]
    if not selection:
        raise unknown_name_error("rule", str(request.rule), dict.fromkeys(map(timeline_name, contexts)))
    if request.at is not None and not (0 <= request.at[0] < level.width and 0 <= request.at[1] < level.height):
        raise BadInput(
            f"({request.at[0]}, {request.at[1]}) is outside the level",
            fix=f"name a cell of {level.width}x{level.height}",
        )
    fired = _count_turns(timeline, request.turn)
    step = request.step or rules.program.name
    found = rules.explain(level, None if request.rule is None else selection[0].name, request.at)
    formatter = RuleFormatter(rules.palette_with(palette)[0])
    by_name = {(context.name, context.leaf.name): context for context in contexts}
    rows = []
    for explanation in found.rules:
        job.is_cancelled()
        context = by_name[explanation.name, explanation.node]
        rows.append(build_rule_data(explanation, context, formatter, fired[f"{step}: {timeline_name(context)}"]))
    return Answer({"rules": rows, "sets": formatter.list_sets()})


def resolve_rules(record: LevelRecord, source: LevelSource, step: str) -> Rules:
    """The rules of a step, or those of a rule file."""
    if isinstance(record.origin, Rules):
        return record.origin
    recipe = record.recipe
    if recipe is None:
        raise BadInput("a level from a file has no rules", fix="choose a recipe with a step 'rewrite'")
    _, steps = recipe.prepare(source.params, *(source.size or recipe.size))
    found = {plan.id: one for plan, one in zip(recipe.plans, steps, strict=True) if isinstance(one, Rewrite)}
    if step not in found:
        if not found:
            raise BadInput(f"{recipe.name} has no step with rules", fix="choose a recipe with a step 'rewrite'")
        raise unknown_name_error("step with rules", step, found)
    rules = found[step].parsed_rules
    if rules is None:
        raise BadInput(f"the step {step!r} has no rules", fix="write some")
    return rules


def _count_turns(timeline: Timeline, turn: int) -> Counter[str]:
    """How often each source made a turn, up to the given one."""
    log = timeline.all_turns()
    counts = np.bincount(log.who[: turn + 1], minlength=len(log.names))
    return Counter(dict(zip(log.names, counts.tolist(), strict=True)))


def build_rule_data(
    explanation: RuleExplanation, context: RuleContext, formatter: RuleFormatter, fired: int
) -> dict[str, Any]:
    """The explanation of one rule, which fired so often, as the page shows it."""
    rule = context.rule
    near = explanation.at.best if explanation.at else explanation.nearest
    return {
        "name": timeline_name(context),
        "kind": context.leaf.kind,
        "pattern": formatter.format_pattern(rule.pattern, rule.width),
        "results": [formatter.format_result(result.cells, rule.width) for result in rule.results],
        "matches": explanation.matches,
        "places": [list(place) for place in explanation.matched],
        "tried": explanation.places,
        "off": [[cells, many] for cells, many in list(explanation.off.items())[:8]],
        "nearest": [_build_placement_data(placement) for placement in near],
        "fired": fired,
        "why": [finding.text for finding in explanation.findings],
        "size": (rule.width, rule.height),
        "words": _list_use_words(context),
        "findings": [{"kind": finding.kind, "text": finding.text} for finding in explanation.findings],
        "firsts": [
            {"variant": first.position, "cell": (first.column, first.row), "places": first.places}
            for first in explanation.firsts[:MAX_FIRST_FAILURES]
        ],
        "letters": explanation.sets,
    }


def _list_use_words(context: RuleContext) -> list[str]:
    """How a rule is used, in the words of the language: the kind of its node, or markov if earlier rules come first;
    its limit; where it acts; its positions.
    """
    limit = context.rule.limit or context.leaf.limit
    often = "" if not limit else "once" if limit == 1 else f"{limit:,} times"
    positions = format_positions(context.rule.positions, ()) if len(set(context.rule.positions)) > 1 else ""
    area = context.area
    where = "" if area is None else format_area(area, "each" if context.leaf.each else "in")
    return [word for word in ("markov" if context.earlier else context.leaf.kind, often, where, positions) if word]


def _build_placement_data(placement: Placement) -> dict[str, Any]:
    return {
        "at": (placement.x, placement.y),
        "variant": placement.position,
        "wrong": [
            {"at": (wrong.x, wrong.y), "cell": (wrong.column, wrong.row), "wanted": wrong.wanted, "found": wrong.found}
            for wrong in placement.wrong
        ],
        "pattern": placement.pattern,
        "map": placement.ground,
        "sentence": str(placement),
    }


def do_coverage(sources: LevelSources, ask: dict[str, Any], job: JobContext) -> Answer:
    """Count how often each rule of a recipe fires, over the seeds from 0 on."""
    source = requests.read_request(ask, CoverageRequest)
    requests.check_seed_count(source.seeds)
    recipe = sources.recipe(source)
    if not any(plan.use == "rewrite" for plan in recipe.plans):
        raise BadInput(f"{recipe.name} has no step with rules", fix="choose a recipe with a step 'rewrite'")
    request = Request(recipe, size=source.size, params=source.params, max_steps=limits.COVERAGE_STEPS.value)

    def run(seed: int, recorder: Recorder) -> None:
        run_request(request.for_seed(seed), watcher=recorder, cancelled=job.is_cancelled).unwrap()

    tally = count_coverage(
        run, range(source.seeds), lambda seed: job.report_progress(f"seed {seed}", seed, source.seeds)
    )
    rows = [
        {
            "name": f"{program.name}: {_timeline_name(rule.name, rule.node, rule.kind, number)}",
            "fired": rule.use.applied,
            "runs": rule.use.runs,
            "refused": rule.use.refused,
            "guards": list(rule.refused_by),
        }
        for program in tally.coverage()
        for number, rule in enumerate(program.rules, 1)
    ]
    return Answer({"seeds": source.seeds, "rules": rows})


def _timeline_name(name: str, node: str, kind: str, number: int) -> str:
    """The name of a rule in the timeline."""
    return name if name != f"rule {number}" else node or f"{kind} {number}"
