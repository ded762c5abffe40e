"""Themes: a template applied to a map in one place, in all places that do not overlap, or in all places."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from undercroft import limits
from undercroft.analysis.update_facts import KnownFacts, update_facts
from undercroft.core import drawing
from undercroft.core.draft import Draft
from undercroft.core.level import Level
from undercroft.core.palette import Palette, Tile
from undercroft.core.rng import Rng, seed_number
from undercroft.core.run import Run
from undercroft.errors import OutOfBudget
from undercroft.inputs.arguments import require_name, require_table, require_whole_number
from undercroft.rewrite.engine.engine import apply
from undercroft.rewrite.model.program import KEEP, QUARTER_TURNS, Node, Program, Rule
from undercroft.rewrite.templates import NO_SETS, WILD, Map, Rows, Sets, build_template, parse_rows

THEME_MODES = {"one": "one", "all": "all", "careless": "parallel"}
"""The modes of a theme, and the kind of node for each."""


def theme(
    where: Map,
    reference: Rows,
    *results: Rows,
    how: str = "one",
    times: int = 1,
    seed: int | str = 0,
    positions: tuple[int, ...] = QUARTER_TURNS,
    weights: Sequence[int] = (),
    sets: Sets = NO_SETS,
) -> Map:
    """A copy of the map with one of the results where the reference matches.

    >>> theme(["#...#", "#...#"], ["#."], ["#o"], how="all")
    ['#o.o#', '#o.o#']

    `how` is "one": in one random place, drawn among the distinct matching pieces first, then among the places of that
    piece; "all": in all places, as long as none overwrites what another wrote; "careless": in all places that match at
    first, even if an earlier write changed them. `times` is the number of rounds; 0: until nothing matches, or nothing
    would change. A level keeps its rooms, things and ends as far as they still hold.
    """
    require_name("way to apply a theme", how, THEME_MODES)
    times = require_whole_number("times", times, 0, limits.RULE_TIMES.value, "0 goes on until nothing fits")
    require_table("sets", sets, "for example {'a': '#.'}")
    level = _to_level(where, reference, *results, *sets.values())
    rule = build_template(reference, *results, palette=level.palette, positions=positions, weights=weights, sets=sets)
    draft = Draft.of(level)
    before = KnownFacts.of(draft)
    if not rule.changes_nothing():
        _apply_rule(draft, rule, how, times, Rng.root(seed_number(seed)))
    if isinstance(where, Level):
        update_facts(draft, before, Run())
        return draft.level(where.provenance)
    return drawing.format_tiles(draft.tiles, draft.palette).split("\n")


def _apply_rule(draft: Draft, rule: Rule, how: str, times: int, rng: Rng) -> None:
    """Apply a rule `times` times, or until it changes nothing; otherwise a place where it changes nothing would match
    forever.
    """
    endless = not times and any(
        all(code == KEEP or tiles >> code & 1 for tiles, code in zip(rule.pattern, result.cells, strict=True))
        for result in rule.results
        if result.weight
    )
    by_turns = endless and how != "one"
    node = Node(
        THEME_MODES[how],
        rules=(rule,),
        limit=1 if by_turns else times,
        pick="token" if how == "one" and not endless else "match",
    )
    program = Program("theme", draft.palette, node)
    try:
        apply(program, draft.tiles, rng.stream("theme"))
        for turn in range(1, limits.THEME_TURNS.value if by_turns else 1):
            before = draft.tiles.copy()
            apply(program, draft.tiles, rng.stream(f"theme {turn}"))
            if np.array_equal(before, draft.tiles):
                return
        if by_turns:
            raise OutOfBudget(f"the theme still changes something after {limits.THEME_TURNS.value:,} turns")
    except OutOfBudget as error:
        error.fix = limits.THEME_TURNS.raise_by
        raise


def _to_level(where: Level | Rows, *others: Rows) -> Level:
    """A map of plain text as a level: each sign on it, or that may be written to it, becomes a tile."""
    if isinstance(where, Level):
        return where
    rows = parse_rows(where)
    signs = dict.fromkeys("".join(sign for rows in (where, *others) for row in parse_rows(rows) for sign in row))
    tiles = [Tile(sign, "floor", sign, sign, "#888888", walkable=True, opaque=False) for sign in signs if sign != WILD]
    palette = Palette(tiles, "signs")
    return Level(drawing.parse_tiles("\n".join(rows), palette)[0], palette)
