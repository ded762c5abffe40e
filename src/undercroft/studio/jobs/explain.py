"""Explain rules: where each matches on the map after some turn, where it nearly matches, and how often it fires."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from undercroft.core.level import Level
from undercroft.core.timeline import Timeline
from undercroft.errors import BadInput, unknown_name_error
from undercroft.recipe.request import Request
from undercroft.recipe.run import run_request
from undercroft.rewrite.coverage import MAX_STEPS, Recorder, count_coverage
from undercroft.rewrite.explain.explanation import Placement, RuleExplanation
from undercroft.rewrite.explain.reasons import RuleContext, list_rule_contexts
from undercroft.rewrite.rules import Rules
from undercroft.rewrite.text.options import format_positions
from undercroft.steps.finish.rewrite import Rewrite
from undercroft.studio.jobs.levels import LevelRecord, LevelSources
from undercroft.studio.jobs.rule_drawings import RuleFormatter, timeline_name
from undercroft.studio.jobs.work import Answer, JobContext
from undercroft.studio.protocol import requests
from undercroft.studio.protocol.requests import CoverageRequest, ExplainRequest, LevelSource

MAX_FIRST_FAILURES = 3
"""How many of the pattern cells that fail first are sent."""


def do_explain(sources: LevelSources, ask: dict[str, Any], teller: JobContext) -> Answer:
    """Explain the rules of a step on the map after a turn."""
    asked = requests.read_request(ask, ExplainRequest)
    made, timeline = sources.make_watched(requests.read_request(ask, LevelSource), teller.is_cancelled)
    rules = resolve_rules(made, asked, asked.step)
    if not 0 <= asked.turn < timeline.turns:
        raise BadInput(f"there is no turn {asked.turn:,}: the level has {timeline.turns:,}", fix="ask for one of them")
    palette = timeline.palette(asked.turn) or made.level.palette
    level = Level(timeline.at(asked.turn), palette)
    everyone = list_rule_contexts(rules.program)
    shown = [
        seat
        for seat in everyone
        if asked.rule in (None, timeline_name(seat), seat.name, f"{asked.step}: {timeline_name(seat)}")
    ]
    if not shown:
        raise unknown_name_error("rule", str(asked.rule), dict.fromkeys(map(timeline_name, everyone)))
    if asked.at is not None and not (0 <= asked.at[0] < level.width and 0 <= asked.at[1] < level.height):
        raise BadInput(
            f"({asked.at[0]}, {asked.at[1]}) is outside the level", fix=f"name a cell of {level.width}x{level.height}"
        )
    fired = _count_turns(timeline, asked.turn)
    step = asked.step or rules.program.name
    found = rules.explain(level, None if asked.rule is None else shown[0].name, asked.at)
    pen = RuleFormatter(rules.palette_with(palette)[0])
    by_name = {(seat.name, seat.leaf.name): seat for seat in everyone}
    seen = []
    for explained in found.rules:
        teller.is_cancelled()
        seat = by_name[explained.name, explained.node]
        seen.append(_build_rule_data(explained, seat, pen, fired[f"{step}: {timeline_name(seat)}"]))
    return Answer({"rules": seen, "sets": pen.list_sets()})


def resolve_rules(made: LevelRecord, source: LevelSource, step: str) -> Rules:
    """The rules of a step, or those of a rule file."""
    if isinstance(made.origin, Rules):
        return made.origin
    recipe = made.recipe
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


def _build_rule_data(explained: RuleExplanation, seat: RuleContext, pen: RuleFormatter, fired: int) -> dict[str, Any]:
    rule = seat.rule
    near = explained.at.best if explained.at else explained.nearest
    return {
        "name": timeline_name(seat),
        "kind": seat.leaf.kind,
        "pattern": pen.format_pattern(rule.pattern, rule.width),
        "results": [pen.format_result(result.cells, rule.width) for result in rule.results],
        "matches": explained.matches,
        "places": [list(place) for place in explained.matched],
        "tried": explained.places,
        "off": [[cells, many] for cells, many in list(explained.off.items())[:8]],
        "nearest": [_build_placement_data(placement) for placement in near],
        "fired": fired,
        "why": [finding.text for finding in explained.findings],
        "size": (rule.width, rule.height),
        "words": _list_use_words(seat),
        "findings": [{"kind": finding.kind, "text": finding.text} for finding in explained.findings],
        "firsts": [
            {"variant": first.position, "cell": (first.column, first.row), "places": first.places}
            for first in explained.firsts[:MAX_FIRST_FAILURES]
        ],
        "letters": explained.sets,
    }


def _list_use_words(seat: RuleContext) -> list[str]:
    """How a rule is used, in the words of the language: the kind of its node, or markov if earlier rules come first;
    its limit; its positions.
    """
    limit = seat.rule.limit or seat.leaf.limit
    often = "" if not limit else "once" if limit == 1 else f"{limit:,} times"
    positions = format_positions(seat.rule.positions, ()) if len(set(seat.rule.positions)) > 1 else ""
    return [word for word in ("markov" if seat.earlier else seat.leaf.kind, often, positions) if word]


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


def do_coverage(sources: LevelSources, ask: dict[str, Any], teller: JobContext) -> Answer:
    """Count how often each rule of a recipe fires, over the seeds from 0 on."""
    asked = requests.read_request(ask, CoverageRequest)
    requests.check_seed_count(asked.seeds)
    recipe = sources.recipe(asked)
    if not any(plan.use == "rewrite" for plan in recipe.plans):
        raise BadInput(f"{recipe.name} has no step with rules", fix="choose a recipe with a step 'rewrite'")
    request = Request(recipe, size=asked.size, params=asked.params, max_steps=MAX_STEPS)

    def run(seed: int, recorder: Recorder) -> None:
        run_request(request.for_seed(seed), watcher=recorder, cancelled=teller.is_cancelled).unwrap()

    tally = count_coverage(
        run, range(asked.seeds), lambda seed: teller.report_progress(f"seed {seed}", seed, asked.seeds)
    )
    rows = [
        {
            "name": f"{program.name}: {_timeline_name(rule.name, rule.node, rule.kind, number)}",
            "fired": rule.use.applied,
            "runs": rule.use.runs,
        }
        for program in tally.coverage()
        for number, rule in enumerate(program.rules, 1)
    ]
    return Answer({"seeds": asked.seeds, "rules": rows})


def _timeline_name(name: str, node: str, kind: str, number: int) -> str:
    """The name of a rule in the timeline."""
    return name if name != f"rule {number}" else node or f"{kind} {number}"
