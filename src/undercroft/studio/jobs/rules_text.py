"""A rule file while it is written: every rule drawn with its variants, what it promises, what the linter says, and a
run on a blank map.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from undercroft import limits
from undercroft.core.level import Level, checked_size
from undercroft.core.timeline import Timeline
from undercroft.errors import OutOfBudget, Place, UndercroftError, unknown
from undercroft.rewrite.coverage import cover
from undercroft.rewrite.explain.reasons import Seat, seats
from undercroft.rewrite.explain.wording import POSITIONS
from undercroft.rewrite.lint.finding import Finding, Subject
from undercroft.rewrite.lint.lint import look
from undercroft.rewrite.model.program import EIGHT, TURNS
from undercroft.rewrite.model.symmetry import variants
from undercroft.rewrite.rules import Rules
from undercroft.rewrite.text import expectations, parse
from undercroft.rewrite.text.alphabet import usable
from undercroft.rewrite.text.expectations import Expect
from undercroft.rewrite.text.options import positions_words
from undercroft.rewrite.text.parse import Parsed
from undercroft.studio.jobs import level_json
from undercroft.studio.jobs.levels import Sources
from undercroft.studio.jobs.rule_drawings import Pen, name_of
from undercroft.studio.jobs.work import Answer, Teller
from undercroft.studio.protocol import requests
from undercroft.studio.protocol.messages import Part, problem
from undercroft.studio.protocol.requests import RulesRun, RulesText

LEVELS = {"error": "error", "warning": "warning", "note": "ok"}
SHORT_NAMES = (
    "as drawn",
    "quarter turn",
    "half turn",
    "three quarters",
    "mirrored",
    "mirrored, quarter turn",
    "mirrored, half turn",
    "mirrored, three quarters",
)
PROGRAM_WIDE = {"ends", "order", "unread"}
"""Checks whose notes are about the program, though they point at its first rule."""
MOST_PLACES = 500
PATIENCE, PATIENCE_PER_CELL = 1_000_000, 1_000
"""Steps that a run may take, and so many more for each cell of its map: half a second's work if it never ends."""


def do_rules(sources: Sources, ask: dict[str, Any], teller: Teller) -> Answer:
    """All about a rule file's text."""
    asked = requests.read(ask, RulesText)
    empty: dict[str, Any] = {"tiles": [], "signs": [], "sets": [], "rules": [], "expectations": [], "notes": []}
    try:
        parsed = parse.parse(asked.text, asked.file, sources.origins.included(asked.file))
    except UndercroftError as error:
        return Answer({**empty, "problems": [problem(error)]})
    palette = parsed.program.palette
    pen = Pen(palette, parsed.sets)
    findings = look(Subject(parsed.program, parsed.expects))
    drawn = [_drawn(seat, parsed, pen, asked, findings) for seat in seats(parsed.program)]
    told = {id(finding) for rule in drawn for finding in rule.pop("found")}
    notes = [_note(finding) for finding in findings if id(finding) not in told and finding.kind != "expectations"]
    head: dict[str, Any] = {
        "problems": [],
        "tiles": level_json.tiles_of(palette),
        "rules": drawn,
        "expectations": _expectations(parsed, pen),
        "notes": notes,
    }
    head["signs"] = ["".join(usable(tile)) for tile in palette.tiles]
    parts: dict[str, Part] = {}
    if asked.run is not None:
        head["run"], parts["tiles"] = _run(parsed, asked, asked.run, teller)
        if asked.seeds and head["run"]["ends"]:
            head["coverage"] = _coverage(parsed, asked.run, asked.seeds, teller)
    return Answer({**head, "sets": pen.sets()}, parts)


def _drawn(seat: Seat, parsed: Parsed, pen: Pen, asked: RulesText, findings: Sequence[Finding]) -> dict[str, Any]:
    """One rule, drawn."""
    rule, leaf = seat.rule, seat.leaf
    first, last = _lines(rule.place, rule.height, asked)
    here = [
        finding
        for finding in findings
        if finding.place and finding.place.file == asked.file and first <= finding.place.line <= last
    ]
    about = [finding for finding in here if finding.severity != "note" or finding.kind not in PROGRAM_WIDE]
    shapes = variants([rule], parsed.program.palette)
    return {
        "name": name_of(seat),
        "node": leaf.name,
        "kind": leaf.kind,
        "line": first,
        "last_line": last,
        "head_line": leaf.place.line if leaf.place and leaf.place.file == asked.file else 0,
        "symmetry": positions_words(rule.positions, ()) or "as drawn",
        "limit": rule.limit or leaf.limit or None,
        "weight": rule.weight,
        "chance": rule.chance,
        "pattern": pen.pattern(rule.pattern, rule.width),
        "results": [{"rows": pen.result(result.cells, rule.width), "weight": result.weight} for result in rule.results],
        "variants": [
            {
                "label": SHORT_NAMES[shape.position],
                "pattern": pen.pattern(shape.pattern, shape.width),
                "result": pen.result(shape.results[0].cells, shape.width) if shape.results else [],
            }
            for shape in shapes
        ],
        "variant_note": _variant_note(
            rule.positions, len(shapes), len(variants([rule._replace(positions=EIGHT)], parsed.program.palette))
        ),
        "notes": [_note(finding) for finding in about],
        "found": about,
    }


def _variant_note(positions: Sequence[int], different: int, of_all: int) -> str:
    """How many positions there are, how many of them look alike, and whether all eight would be more.

    >>> print(_variant_note(TURNS, 4, 8), _variant_note(TURNS, 4, 4), _variant_note(EIGHT, 4, 4), sep="\\n")
    4 turns
    4 turns; mirroring adds none, it is its own mirror image
    8 positions, 4 of them different: in the others it looks the same
    """
    if len(positions) == 1:
        return POSITIONS[positions[0]]
    turns = tuple(positions) == TURNS
    said = f"{len(positions)} turns" if turns else f"{len(positions)} positions"
    if different < len(positions):
        return f"{said}, {different} of them different: in the others it looks the same"
    return f"{said}; mirroring adds none, it is its own mirror image" if turns and of_all == different else said


def _note(finding: Finding) -> dict[str, Any]:
    text = f"{finding.problem}; {finding.fix}" if finding.fix and finding.severity != "note" else finding.problem
    line = finding.place.line if finding.place else 0
    return {
        "level": LEVELS[finding.severity],
        "text": text,
        "line": line,
        "kind": finding.kind,
        "picture": finding.picture,
    }


def _lines(place: Place | None, height: int, asked: RulesText) -> tuple[int, int]:
    """The lines on which a rule is drawn; 0 if it stands in another file."""
    if place is None or place.file != asked.file:
        return 0, 0
    rows = asked.text.split("\n")
    pattern, arrow, _ = rows[place.line - 1][place.column - 1 :].partition("->")
    on_one = height == 1 or (bool(arrow) and "/" in pattern)
    return place.line, place.line if on_one else min(place.line + height - 1, len(rows))


def _expectations(parsed: Parsed, pen: Pen) -> list[dict[str, Any]]:
    """Each promise, and whether it is kept."""
    found = []
    for expect in parsed.expects:
        failed = expectations.check(parsed._replace(expects=(expect,)))
        outcomes = [pen.result(outcome, expect.width) for outcome in expect.outcomes]
        found.append(
            {
                "name": expect.about or expect.name,
                "rule": expect.name,
                "line": expect.place.line,
                "passed": not failed,
                "expected": _outcomes(len(expect.outcomes)),
                "found": failed[0].problem.partition(": ")[2] if failed else "as drawn",
                "before": pen.result(expect.before, expect.width),
                "after": outcomes[0] if outcomes else None,
                "outcomes": outcomes,
                "really": _really(expect, parsed, pen),
            }
        )
    return found


def _really(expect: Expect, parsed: Parsed, pen: Pen) -> list[list[str]]:
    """What really comes of it, the first few."""
    try:
        real = expectations.outcomes(expect, parsed.program.palette, parsed.program.things)
    except UndercroftError:
        return []
    return [pen.result(outcome, expect.width) for outcome in list(real)[:8]]


def _outcomes(count: int) -> str:
    return "nothing changes" if not count else "1 outcome" if count == 1 else f"{count} outcomes"


def _run(parsed: Parsed, asked: RulesText, run: RulesRun, teller: Teller) -> tuple[dict[str, Any], Part]:
    """The program on a map of its first tile, to its end or to the last time that a rule was used: how often that was,
    and where it still matches.
    """
    width, height = checked_size(run.size, limits.STUDIO_CELLS.value)
    rules = Rules(parsed.program, expects=parsed.expects)
    everyone = seats(parsed.program)
    seat = next(
        (
            one
            for one in everyone
            if run.line and one.rule.place and (one.rule.place.file, one.rule.place.line) == (asked.file, run.line)
        ),
        None,
    )
    seat = seat or next((one for one in everyone if run.rule in (name_of(one), one.name)), None)
    if seat is None:
        raise unknown("rule", run.rule, dict.fromkeys(map(name_of, everyone)))
    timeline, ends = Timeline(), True
    begin = Level(np.zeros((height, width), np.uint8), parsed.program.palette)
    try:
        rules.apply(
            begin,
            run.seed,
            max_steps=PATIENCE + PATIENCE_PER_CELL * width * height,
            watcher=timeline,
            cancelled=teller.cancelled,
        )
    except OutOfBudget:
        ends = False
    log = timeline.whole()
    name = f"{parsed.program.name}: {name_of(seat)}"
    used = np.flatnonzero(log.who == log.names.index(name)) if name in log.names else np.zeros(0, np.intp)
    turn = int(used[-1]) if run.until == "rule" and used.size else timeline.turns - 1
    after = Level(timeline.at(turn), parsed.program.palette)
    namesakes = [one.number for one in everyone if one.name == seat.name]
    explained = rules.explain(after, seat.name).rules[namesakes.index(seat.number)]
    shapes = {shape.position: shape for shape in variants([seat.rule], parsed.program.palette)}
    places = [
        (x, y, shapes[position].width, shapes[position].height) for x, y, position in explained.matched[:MOST_PLACES]
    ]
    told = {
        "fired": len(used),
        "left": explained.matches,
        "size": after.size,
        "places": places,
        "limit": seat.rule.limit or seat.leaf.limit or None,
    }
    return {**told, "turn": turn, "turns": timeline.turns - 1, "ends": ends}, after.tiles


def _coverage(parsed: Parsed, run: RulesRun, seeds: int, teller: Teller) -> dict[str, Any] | None:
    """How often each rule and each of its results is used over some seeds, in the order of the rules; nothing if a run
    does not end.
    """
    requests.checked_seeds(seeds)
    width, height = checked_size(run.size, limits.STUDIO_CELLS.value)
    begin = Level(np.zeros((height, width), np.uint8), parsed.program.palette)
    try:
        found = cover(
            Rules(parsed.program),
            begin,
            range(seeds),
            max_steps=PATIENCE + PATIENCE_PER_CELL * width * height,
            cancelled=teller.cancelled,
        )
    except OutOfBudget:
        return None
    rows = [
        {"fired": rule.use.applied, "runs": rule.use.runs, "results": [result.use.applied for result in rule.results]}
        for rule in found.rules
    ]
    return {"seeds": seeds, "rules": rows}
