"""Why rules do what they do: where each matches on the map as it was in some turn, where it nearly does, and how often
it fires.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from typing import Any

import numpy as np

from undercroft.core.level import Level
from undercroft.core.timeline import Timeline
from undercroft.errors import BadInput, NotMet, unknown
from undercroft.rewrite.coverage import MOST_STEPS, Recorder, Tally
from undercroft.rewrite.explain.explanation import Explained, Placement
from undercroft.rewrite.explain.reasons import Seat, seats
from undercroft.rewrite.rules import Rules
from undercroft.rewrite.text.options import positions_words
from undercroft.steps.finish.rewrite import Rewrite
from undercroft.studio.jobs.levels import Made, Sources
from undercroft.studio.jobs.rule_drawings import Pen, name_of
from undercroft.studio.jobs.work import Answer, Teller
from undercroft.studio.protocol import requests
from undercroft.studio.protocol.requests import Coverage, Explain, Source

MOST_FIRSTS = 3
"""Pattern cells that are told among those that fail first."""


def do_explain(sources: Sources, ask: dict[str, Any], teller: Teller) -> Answer:
    """The rules of a step, on the map as it was after a turn."""
    asked = requests.read(ask, Explain)
    made, timeline = sources.watched(requests.read(ask, Source), teller.cancelled)
    rules = rules_of(made, asked, asked.step)
    if not 0 <= asked.turn < timeline.turns:
        raise BadInput(f"there is no turn {asked.turn:,}: the level has {timeline.turns:,}", fix="ask for one of them")
    palette = timeline.palette(asked.turn) or made.level.palette
    level = Level(timeline.at(asked.turn), palette)
    everyone = seats(rules.program)
    shown = [
        seat for seat in everyone if asked.rule in (None, name_of(seat), seat.name, f"{asked.step}: {name_of(seat)}")
    ]
    if not shown:
        raise unknown("rule", str(asked.rule), dict.fromkeys(map(name_of, everyone)))
    if asked.at is not None and not (0 <= asked.at[0] < level.width and 0 <= asked.at[1] < level.height):
        raise BadInput(
            f"({asked.at[0]}, {asked.at[1]}) is outside the level", fix=f"name a cell of {level.width}x{level.height}"
        )
    fired = _fired(timeline, asked.turn)
    step = asked.step or rules.program.name
    found = rules.explain(level, None if asked.rule is None else shown[0].name, asked.at)
    pen = Pen(rules.palette_with(palette)[0])
    by_name = {(seat.name, seat.leaf.name): seat for seat in everyone}
    seen = []
    for explained in found.rules:
        teller.cancelled()
        seat = by_name[explained.name, explained.node]
        seen.append(_seen(explained, seat, pen, fired[f"{step}: {name_of(seat)}"]))
    return Answer({"rules": seen, "sets": pen.sets()})


def rules_of(made: Made, source: Source, step: str) -> Rules:
    """The rules of a step, or those of a rule file."""
    if isinstance(made.origin, Rules):
        return made.origin
    recipe = made.recipe
    if recipe is None:
        raise BadInput("a level from a file has no rules", fix="choose a recipe with a step 'rewrite'")
    _, steps = recipe.prepared(source.params, *(source.size or recipe.size))
    found = {plan.id: one for plan, one in zip(recipe.plans, steps, strict=True) if isinstance(one, Rewrite)}
    if step not in found:
        if not found:
            raise BadInput(f"{recipe.name} has no step with rules", fix="choose a recipe with a step 'rewrite'")
        raise unknown("step with rules", step, found)
    rules = found[step].program
    if rules is None:
        raise BadInput(f"the step {step!r} has no rules", fix="write some")
    return rules


def _fired(timeline: Timeline, turn: int) -> Counter[str]:
    """How often each source made a turn, up to one."""
    log = timeline.whole()
    counts = np.bincount(log.who[: turn + 1], minlength=len(log.names))
    return Counter(dict(zip(log.names, counts.tolist(), strict=True)))


def _seen(explained: Explained, seat: Seat, pen: Pen, fired: int) -> dict[str, Any]:
    rule = seat.rule
    near = explained.at.best if explained.at else explained.nearest
    return {
        "name": name_of(seat),
        "kind": seat.leaf.kind,
        "pattern": pen.pattern(rule.pattern, rule.width),
        "results": [pen.result(result.cells, rule.width) for result in rule.results],
        "matches": explained.matches,
        "places": [list(place) for place in explained.matched],
        "tried": explained.places,
        "off": [[cells, many] for cells, many in list(explained.off.items())[:8]],
        "nearest": [_near(placement) for placement in near],
        "fired": fired,
        "why": [finding.text for finding in explained.findings],
        "size": (rule.width, rule.height),
        "words": _words(seat),
        "findings": [{"kind": finding.kind, "text": finding.text} for finding in explained.findings],
        "firsts": [
            {"variant": first.position, "cell": (first.column, first.row), "places": first.places}
            for first in explained.firsts[:MOST_FIRSTS]
        ],
        "letters": explained.sets,
    }


def _words(seat: Seat) -> list[str]:
    """How it is used, in the words of the language: the kind of its node, or that it waits for others in a markov; how
    often, in which positions.
    """
    limit = seat.rule.limit or seat.leaf.limit
    often = "" if not limit else "once" if limit == 1 else f"{limit:,} times"
    positions = positions_words(seat.rule.positions, ()) if len(set(seat.rule.positions)) > 1 else ""
    return [word for word in ("markov" if seat.earlier else seat.leaf.kind, often, positions) if word]


def _near(placement: Placement) -> dict[str, Any]:
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


def do_coverage(sources: Sources, ask: dict[str, Any], teller: Teller) -> Answer:
    """How often each rule of a recipe fires, over the seeds from 0 on."""
    asked = requests.read(ask, Coverage)
    requests.checked_seeds(asked.seeds)
    recipe = sources.recipe(asked)
    if not any(plan.use == "rewrite" for plan in recipe.plans):
        raise BadInput(f"{recipe.name} has no step with rules", fix="choose a recipe with a step 'rewrite'")
    tally = Tally()
    for seed in range(asked.seeds):
        recorder = Recorder()
        with contextlib.suppress(NotMet):  # the last try is counted, as on the command line
            recipe.generate(
                seed=seed,
                size=asked.size,
                params=asked.params,
                max_steps=MOST_STEPS,
                watcher=recorder,
                cancelled=teller.cancelled,
            )
        tally.add(recorder)
        teller.now_and_then(f"seed {seed}", seed, asked.seeds)
    rows = [
        {
            "name": f"{program.name}: {_called(rule.name, rule.node, rule.kind, number)}",
            "fired": rule.use.applied,
            "runs": rule.use.runs,
        }
        for program in tally.coverage()
        for number, rule in enumerate(program.rules, 1)
    ]
    return Answer({"seeds": asked.seeds, "rules": rows})


def _called(name: str, node: str, kind: str, number: int) -> str:
    """The name that the timeline has for a rule."""
    return name if name != f"rule {number}" else node or f"{kind} {number}"
