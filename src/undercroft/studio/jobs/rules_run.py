"""Run the rules in the editor on a map: how often a rule is used, where it still matches, and why it is not used."""

from __future__ import annotations

import copy
import dataclasses
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from undercroft import limits
from undercroft.core.draft import Draft
from undercroft.core.level import Level, check_level_size
from undercroft.core.palette import Palette
from undercroft.core.rng import Rng, seed_number
from undercroft.core.run import Run, Watcher
from undercroft.core.timeline import Timeline
from undercroft.errors import BadInput, OutOfBudget, unknown_name_error
from undercroft.rewrite.coverage import Recorder, count_coverage
from undercroft.rewrite.explain.explain import explain
from undercroft.rewrite.explain.explanation import Reason, RuleExplanation
from undercroft.rewrite.explain.reasons import RuleContext, list_rule_contexts
from undercroft.rewrite.model.symmetry import list_variants
from undercroft.rewrite.rules import Rules
from undercroft.steps.finish.rewrite import Rewrite
from undercroft.studio.jobs import level_json
from undercroft.studio.jobs.explain import build_rule_data
from undercroft.studio.jobs.levels import LevelSources
from undercroft.studio.jobs.rule_drawings import RuleFormatter, timeline_name
from undercroft.studio.jobs.work import JobContext
from undercroft.studio.protocol import requests
from undercroft.studio.protocol.messages import MessagePart
from undercroft.studio.protocol.requests import RulesRequest, RulesRun
from undercroft.wording import plural

MAX_PLACES = 500
MAX_STEPS, MAX_STEPS_PER_CELL = 1_000_000, 1_000
"""The budget of a run, and an addition for each cell of its map: half a second of work if it never ends."""


class RunStart(NamedTuple):
    """A map to run rules on, and the random stream of the run."""

    draft: Draft
    seed: int
    attempt: int = 0
    stream: str = "rules"
    turns: int = 0
    """The most turns; 0: as many as the rules say."""

    @property
    def max_steps(self) -> int:
        """The budget of a run."""
        return MAX_STEPS + MAX_STEPS_PER_CELL * self.draft.tiles.size

    def merge_palette(self, rules: Rules) -> Palette:
        """The palette of the rules, with the further tiles of the map."""
        return rules.palette_with(self.draft.palette)[0]

    def run(self, rules: Rules, watcher: Watcher, cancelled: Callable[[], bool], seed: int | None = None) -> None:
        """Run rules as `Rules.apply` or the step 'rewrite' does; `seed` is another one than its own."""
        draft = copy.deepcopy(self.draft)
        draft.palette, table = rules.palette_with(draft.palette)
        draft.tiles = table[draft.tiles]
        run = Run(budget=self.max_steps, watcher=watcher, cancelled=cancelled)
        run.tiles, run.palette, run.source = draft.tiles, draft.palette, "begin"
        run.show()
        run.source = rules.program.name
        rng = Rng.root(self.seed if seed is None else seed, self.attempt).stream(self.stream)
        mask = None if draft.frozen is None else ~draft.frozen
        rules.rewrite(draft, rng, run, steps=self.turns, mask=mask)


def prepare_start(sources: LevelSources, rules: Rules, run: RulesRun, job: JobContext) -> RunStart:
    """The map that a request wants its rules to run on."""
    on = run.on
    if on.level is None:
        width, height = check_level_size(run.size, limits.STUDIO_CELLS.value)
        palette = rules.program.palette
        fill = palette.code(on.fill) if on.fill else 0
        draft = Draft.of(Level(np.full((height, width), fill, np.uint8), palette))
        for cell, name in on.edits:
            if not 0 <= cell < width * height:
                raise BadInput(f"there is no cell {cell} on a map of {width}x{height}", fix="draw on the map")
            if name in palette:  # a drawing may have tiles of other rules, too
                draft.tiles.flat[cell] = palette.code(name)
        return RunStart(draft, seed_number(run.seed))
    if not on.step:
        return RunStart(Draft.of(sources.make_cached(on.level, job.is_cancelled).level), seed_number(run.seed))
    start = sources.make_before_step(on.level, on.step, job.is_cancelled)
    turns = start.step.turns if isinstance(start.step, Rewrite) else 0
    return RunStart(start.draft, seed_number(on.level.seed), start.attempt, start.id, turns)


def run_rules(
    start: RunStart, rules: Rules, request: RulesRequest, run: RulesRun, job: JobContext
) -> tuple[dict[str, Any], dict[str, MessagePart]]:
    """Run rules to their end or to the last use of a rule: how often that rule was used, and where it still matches.
    The parts are the map before, `begin`, and after, `tiles`.
    """
    palette = start.merge_palette(rules)
    program = rules.program_with(palette)
    contexts = list_rule_contexts(program)
    context = _find_rule(contexts, request, run)
    timeline, ends = Timeline(), True
    try:
        start.run(rules, timeline, job.is_cancelled)
    except OutOfBudget:
        ends = False
    log = timeline.all_turns()
    counts = Counter(dict(zip(log.names, np.bincount(log.who, minlength=len(log.names)).tolist(), strict=True)))
    name = _full_name(program.name, context)
    used = np.flatnonzero(log.who == log.names.index(name)) if name in log.names else np.zeros(0, np.intp)
    turn = int(used[-1]) if run.until == "rule" and used.size else timeline.turns - 1
    tiles = timeline.at(turn)
    namesakes = [one.number for one in contexts if one.name == context.name]
    found = explain(program, tiles, rule=context.name, regions=start.draft.regions)
    explanation = found.rules[namesakes.index(context.number)]
    shapes = {shape.position: shape for shape in list_variants([context.rule], palette)}
    places = [
        (x, y, shapes[position].width, shapes[position].height) for x, y, position in explanation.matched[:MAX_PLACES]
    ]
    head = {
        "fired": len(used),
        "left": explanation.matches,
        "size": (tiles.shape[1], tiles.shape[0]),
        "tiles": level_json.list_tiles(palette),
        "places": places,
        "limit": context.rule.limit or context.leaf.limit or None,
        "turn": turn,
        "turns": timeline.turns - 1,
        "ends": ends,
        "why": None,
    }
    if not used.size:
        others = [_full_name(program.name, one) for one in contexts if one.leaf is context.leaf]
        why = _add_unproven_reason(explanation, context, sum(counts[other] for other in others), ends)
        head["why"] = build_rule_data(why, context, RuleFormatter(palette), 0)
    return head, {"begin": timeline.at(0), "tiles": tiles}


def _find_rule(contexts: list[RuleContext], request: RulesRequest, run: RulesRun) -> RuleContext:
    """The rule that a run is about: by its line, else by its name."""
    by_line = (
        one
        for one in contexts
        if run.line and one.rule.place and (one.rule.place.file, one.rule.place.line) == (request.file, run.line)
    )
    by_name = (one for one in contexts if run.rule in (timeline_name(one), one.name))
    found = next(by_line, None) or next(by_name, None)
    if found is None:
        raise unknown_name_error("rule", run.rule, dict.fromkeys(map(timeline_name, contexts)))
    return found


def _full_name(program: str, context: RuleContext) -> str:
    """The name of a rule in the timeline, with that of its program."""
    return f"{program}: {timeline_name(context)}"


def _add_unproven_reason(
    explanation: RuleExplanation, context: RuleContext, node_uses: int, ends: bool
) -> RuleExplanation:
    """The explanation of a rule that was never used. If it has no reason for one that matches, one is added that
    follows from the run.
    """
    limit = context.leaf.limit
    if limit and node_uses >= limit:
        text = f"its node may be used {plural(limit, 'time')}, and its other rules were"
    elif explanation.findings or not explanation.matches:
        return explanation
    elif not ends:
        text = "the run was stopped before its turn came"
    else:
        text = "it matches on this map, but its node had ended by then, or other rules of the node were chosen"
    return dataclasses.replace(explanation, findings=(*explanation.findings, Reason("late", text)))


def measure_uses(start: RunStart, rules: Rules, seeds: int, job: JobContext) -> dict[str, Any] | None:
    """How often each rule and each of its results is used over some seeds, in the order of the rules; None if a run
    does not end.
    """
    requests.check_seed_count(seeds)

    def run(seed: int, recorder: Recorder) -> None:
        start.run(rules, recorder, job.is_cancelled, seed)

    try:
        found = count_coverage(run, range(seeds)).coverage()[0]
    except OutOfBudget:
        return None
    rows = [
        {
            "fired": rule.use.applied,
            "runs": rule.use.runs,
            "results": [result.use.applied for result in rule.results],
            "refused": rule.use.refused,
            "guards": list(rule.refused_by),
        }
        for rule in found.rules
    ]
    return {"seeds": seeds, "rules": rows}
