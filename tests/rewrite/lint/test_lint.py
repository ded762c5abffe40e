"""What a look at rules finds: each sentence once, and proofs that what it claims is so."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from support.maps import HEAVY
from support.paths import ROOT
from support.programs import naive_matches, program, random_program
from undercroft import Rules
from undercroft.cli import run
from undercroft.core.level import Level
from undercroft.core.rng import Rng
from undercroft.core.run import Run
from undercroft.errors import Place
from undercroft.recipe.catalogue import RECIPES
from undercroft.rewrite.engine.engine import Engine
from undercroft.rewrite.lint import lint
from undercroft.rewrite.lint.finding import MAX_CELLS, SEVERITIES, Finding, RulesSubject
from undercroft.rewrite.model.program import (
    ALL_POSITIONS,
    ANY,
    AS_DRAWN,
    KEEP,
    LEFT_RIGHT,
    QUARTER_TURNS,
    Guard,
    Node,
    Program,
    Replacement,
    Rule,
    tile_set,
)

SEEDS = 600 if HEAVY else 150
"""Of random programs."""
DOCS = ROOT / "docs"
EMPTY = (9, 5)
Tiles = NDArray[np.uint8]

CASES: list[tuple[str, str, tuple[int, int] | None, str, str, str]] = [
    # check, rules, size of the empty map it begins with, where and how bad, the sentence, the fix
    (
        "expectations",
        "one  dig\n    #. -> ..\n\nexpect  dig, from the right\n    .#  ->  ..",
        None,
        "4:1 error",
        "expected of 'dig' (from the right): 1 outcome(s) never happen",
        "correct the rule, or draw what it really does",
    ),
    (
        "expectations",
        "one  dig, keep connected(floor)\n    . -> #\n\nexpect  dig\n    ...  ->  #..  |  .#.  |  ..#",
        None,
        "4:1 error",
        "expected of 'dig': 1 outcome(s) never happen (because `keep connected(.)` refuses it)",
        "take `keep connected(.)` out or loosen it, or draw what really happens",
    ),
    (
        "expectations",
        "one  dig, keep count(door) <= 0, keep distance(pillar, pillar) >= 2\n    . -> + | o\n\n"
        "expect  dig\n    o.  ->  o+  |  oo  |  ++",
        None,
        "4:1 error",
        (
            "expected of 'dig': 3 outcome(s) never happen (2 of them because `keep count(+) <= 0` and "
            "`keep distance(o, o) >= 2` refuse it)"
        ),
        "take `keep count(+) <= 0` and `keep distance(o, o) >= 2` out or loosen it, or draw what really happens",
    ),
    (
        "expectations",
        "one  dig, in rooms\n    .# -> ,,\n\nexpect  dig\n    .#.  ->  ,,.",
        None,
        "4:1 error",
        "expected of 'dig': 1 outcome(s) never happen (because `in rooms` refuses it)",
        "take `in rooms` out or loosen it, or draw what really happens",
    ),
    (
        "contradictions",
        "one  #{not ?} -> ..",
        None,
        "1:6 error",
        "rule 1 can never match: no tile is in the set of its cell (1, 0)",
        "name at least one tile there, or ? for any",
    ),
    (
        "reach",
        "one  start\n    X -> #, once\n    #. -> ##",
        EMPTY,
        "3:5 warning",
        "'start 2' can never match: `.` is not on the map, and no rule writes it",
        "check the tile, or begin with a map that holds it",
    ),
    (
        "reach",
        "one  flood, turned\n    ~X -> ~~\none  ~# -> ~,\nall  X~ -> ..",
        EMPTY,
        "2:5 warning",
        "'flood', rule 2 and rule 3 can never match: `~` is not on the map, and no rule that can act before it "
        "writes it",
        "check the tile, or begin with a map that holds it",
    ),
    (
        "reach",
        "one  LX -> ,X\none  , -> +\none  X+ -> X~",
        EMPTY,
        "2:6 note",
        "rule 2 can never match either: only rule 1 would write `,`",
        "",
    ),
    (
        "reach",
        "one  X -> #\none  #{+ or L} -> ##\none  X -> +",
        EMPTY,
        "2:6 warning",
        "rule 2 can never match: `{+ or L}` is not on the map, and no rule that can act before it writes it",
        "check the tile, or begin with a map that holds it",
    ),
    (
        "areas",
        "one  shelves, in rooms tagged library\n    X -> #\none  X -> .",
        EMPTY,
        "2:5 warning",
        "'shelves' can never act: `in rooms tagged library`, but no region of the map has that tag",
        "begin with a map whose regions have tags, or take 'tagged' out",
    ),
    (
        "areas",
        "one  dig, each room\n    X -> .",
        EMPTY,
        "2:5 warning",
        (
            "'dig' can never act: `each room`, but there is no room on the map, and regions are found before the "
            "first turn"
        ),
        "begin with a map that has one; a recipe can make it in a step before",
    ),
    (
        "chance",
        "all  drip\n    X -> #, chance 20%",
        None,
        "2:5 warning",
        "the chance of 'drip' only delays: without a limit its node goes on until nothing matches",
        "add once, or up to 3 times",
    ),
    (
        "names",
        "one  foo once\n    X -> #",
        None,
        "1:1 warning",
        "'foo once' is read as a name: 'once' in it is no option",
        "did you mean 'one foo, once'? else put the name in quotes",
    ),
    (
        "names",
        "one  dig rotated\n    X -> #",
        None,
        "1:1 warning",
        "'dig rotated' is read as a name: 'rotated' in it is no option",
        "did you mean 'one dig, turned'? else put the name in quotes",
    ),
    (
        "names",
        "one  dig chance 30%\n    X -> #",
        None,
        "1:1 warning",
        "'dig chance 30%' is read as a name: 'chance 30%' in it is no option",
        "did you mean 'one dig, chance 30%'? else put the name in quotes",
    ),
    (
        "names",
        "markov\n    all  foo bar up to 3 times\n        X -> #",
        None,
        "2:5 warning",
        "'foo bar up to 3 times' is read as a name: 'up to 3 times' in it is no option",
        "did you mean 'all foo bar, up to 3 times'? else put the name in quotes",
    ),
    (
        "size",
        "one  huge\n    XXXXXXXXXX -> XXX.XXXXXX",
        EMPTY,
        "2:5 warning",
        "'huge' can never match: its pattern is 10x1, the map 9x5",
        "draw a smaller pattern, or make the map larger",
    ),
    (
        "size",
        "one  wide, turned\n    XXXXXX -> XXX.XX",
        EMPTY,
        "2:5 note",
        "'wide' fits in 2 of its 4 positions: its pattern is 6x1, the map 9x5",
        "",
    ),
    (
        "shadowed",
        "markov\n    one  room\n        #. -> ..\n    all  later\n        ##. -> ++.\n        .# -> ,#",
        None,
        "5:9 warning",
        "'later 1' never acts: wherever it fits, 'room' fits too, and comes first",
        "put it before 'room', limit that one, or take it out",
    ),
    (
        "shadowed",
        "one  room, turned\n    #. -> ..\nall  later\n    .## -> .++\n    ##. -> ++.",
        None,
        "3:1 warning",
        "'later' never acts: wherever it fits, 'room' fits too, and that one was applied until it fits nowhere",
        "put it before 'room', or take it out",
    ),
    (
        "twice",
        "one  dig, turned\n    #. -> ..\n    .# -> .., weight 3",
        None,
        "3:5 note",
        "'dig 2' says the same as 'dig 1': together they weigh 4",
        "",
    ),
    (
        "twice",
        "all  dig\n    #. -> ..\n    #. -> ..",
        None,
        "3:5 note",
        "'dig 2' says the same as 'dig 1': once is enough",
        "",
    ),
    (
        "twice",
        "one  dig\n    #. -> ..\n    #. -> .., weight 3\n    #. -> ##\n    #. -> ..\n    #. -> ..",
        None,
        "3:5 note",
        "'dig 2', 'dig 4' and 'dig 5' say the same as 'dig 1': together they weigh 6",
        "",
    ),
    (
        "twice",
        "one  dig, pick by first\n    #. -> ..\n    #. -> ..",
        None,
        "3:5 note",
        "'dig 2' says the same as 'dig 1': once is enough",
        "",
    ),
    (
        "twice",
        "all  dig\n    #. -> ..\n    #. -> ..\n    #. -> ##\n    #. -> ..",
        None,
        "3:5 note",
        "'dig 2' and 'dig 4' say the same as 'dig 1': where rules compete for cells, they count 3 times",
        "",
    ),
    (
        "twice",
        "parallel  dig, chance 50%\n    #. -> ..\n    #. -> ..",
        None,
        "3:5 note",
        "'dig 2' says the same as 'dig 1': each has a chance of its own",
        "",
    ),
    (
        "twice",
        "one  dig\n    #. -> .., once\n    #. -> ..",
        None,
        "3:5 note",
        "'dig 2' says the same as 'dig 1': each has a limit of its own",
        "",
    ),
    (
        "identity",
        "all  dig, once\n    #. -> ..\n    +. -> +.",
        None,
        "3:5 note",
        "'dig 2' changes nothing, and holds the cells that it writes against the other rules of its turn",
        "",
    ),
    (
        "identity",
        "all  dig, once\n    #. -> ..\n    +. -> ??",
        None,
        "3:5 warning",
        "'dig 2' changes nothing",
        "write another tile into its result, or take the rule out",
    ),
    (
        "identity",
        "parallel  dig, once\n    +. -> +.\n    #. -> ..",
        None,
        "2:5 warning",
        "'dig 1' changes nothing",
        "write another tile into its result, or take the rule out",
    ),
    (
        "identity",
        "one  dig\n    #. -> ?.",
        None,
        "2:5 warning",
        "'dig' changes nothing",
        "write another tile into its result, or take the rule out",
    ),
    ("identity", "one  dig\n    #. -> .. | ??", None, "2:5 note", "result 2 of 'dig' changes nothing", ""),
    ("off", "one  dig\n    #. -> ##, weight 0", None, "2:5 note", "'dig' is switched off: its weight is 0", ""),
    ("off", "one  dig\n    #. -> ##, chance 0", None, "2:5 note", "'dig' is switched off: its chance is 0", ""),
    (
        "off",
        "one  dig\n    #. -> ##, results 0",
        None,
        "2:5 note",
        "'dig' is switched off: all its results weigh 0",
        "",
    ),
    (
        "off",
        "one  dig\n    #. -> ## | .., results 0:1",
        None,
        "2:5 note",
        "result 1 of 'dig' is switched off: it weighs 0",
        "",
    ),
    (
        "guards",
        "one  holes, keep count(pit, water) <= 1\n    #. -> ~: | ::",
        None,
        "1:13 warning",
        "'holes' can never act: every result breaks its own guard, `keep count(~, :) <= 1`",
        "raise the bound, or write fewer of these tiles",
    ),
    (
        "overwritten",
        "one  walls\n    ?. -> #.",
        None,
        "2:5 warning",
        (
            "'walls' may overwrite locked door, stairs up and stairs down: a cell it writes admits them without "
            "naming them"
        ),
        "name the tiles it may replace, or keep the cell with ? in the result",
    ),
    (
        "overwritten",
        "one  walls\n    {not # or < or L}. -> #.",
        None,
        "2:5 warning",
        "'walls' may overwrite stairs down: a cell it writes admits them without naming them",
        "name the tiles it may replace, or keep the cell with ? in the result",
    ),
    (
        "ports",
        "palette grammar\none  grow\n    C. -> C9",
        None,
        "3:5 warning",
        "'grow' leaves a corridor open: west of `9` at (1, 0)",
        "write a tile that opens back, or a room",
    ),
    (
        "ports",
        "palette grammar\none  cut\n    ccc -> c~?",
        None,
        "3:5 warning",
        "'cut' leaves a corridor open: west of `c` at (2, 0) and east of `c` at (0, 0)",
        "write a tile that opens back, or a room",
    ),
    (
        "ports",
        "palette grammar\none  grow\n    c. -> cc",
        None,
        "3:5 note",
        "'grow' can leave a corridor end open: east of `c` at (1, 0)",
        "",
    ),
    ("unread", "one  dig\n    X -> # | .", None, "1:1 note", "written, and asked for by no rule: `#` and `.`", ""),
    (
        "shares",
        "one  dig, pick by rule\n    #. -> .., turned\n    ~~~ -> ..., turned, weight 3\n    : -> .",
        None,
        "1:1 note",
        "in 'dig' every position is drawn like a rule of its own: 'dig 2' has 6/11 of the draws",
        "",
    ),
    (
        "shares",
        "one  ### -> ...\none  dig\n    #. -> .., turned\n    ~~~ -> ..., turned",
        None,
        "2:1 note",
        "in 'dig' every place counts in every position, and rules have different numbers of them",
        "",
    ),
    (
        "ends",
        "palette letters BWA\none  WBB -> WAW, in all positions",
        None,
        "2:1 note",
        "it ends: after at most 1 rewrite for every 2 cells",
        "",
    ),
    (
        "ends",
        "palette letters BW\none  there\n    B -> W\n    W -> B",
        None,
        "2:1 warning",
        "it may run forever: 'there 1' and 'there 2' undo each other",
        "limit it, for example: up to 100 times, or let every rule use up a tile that no other writes",
    ),
    (
        "ends",
        "palette letters BW\none  walk, keep connected(W)\n    BW -> WB",
        None,
        "2:1 note",
        "it may run forever: there is no proof that it ends, and no endless run was found",
        "if it does, limit it, for example: up to 100 times",
    ),
    (
        "order",
        "all  doors\n    + -> .",
        None,
        "1:1 note",
        "the order does not matter: every seed makes the same of a map",
        "",
    ),
]


@pytest.mark.parametrize(
    ("check", "text", "size", "where", "problem", "fix"),
    CASES,
    ids=[f"{row[0]}-{number}" for number, row in enumerate(CASES)],
)
def test_a_finding_is_told_in_its_sentence(
    check: str, text: str, size: tuple[int, int] | None, where: str, problem: str, fix: str
) -> None:
    found = {
        (f"{finding.place.line}:{finding.place.column} {finding.severity}", finding.problem, finding.fix)
        for finding in Rules.parse(text, "x.rules").lint(size)
        if finding.kind == check and finding.place and finding.place.file == "x.rules"
    }
    assert (where, problem, fix) in found


def test_every_check_has_a_case_and_finds_nothing_in_good_rules() -> None:
    assert {row[0] for row in CASES} == set(lint.CHECKS)
    good = Rules.parse(
        "one  seed, once\n    X -> #\none  dig, turned\n    X# -> ##\n\nexpect  dig\n    X#X  ->  ##X  |  X##",
        "good.rules",
    )
    assert {finding.kind for finding in good.lint((9, 5))} == {"ends"}
    assert {finding.severity for finding in good.lint()} == {"note"}


def test_names_in_quotes_and_regions_that_are_there_are_good() -> None:
    assert not [each for each in Rules.parse('one  "foo once"\n    X -> #', "x.rules").lint() if each.kind == "names"]
    rules = Rules.parse("one  dig, in rooms\n    . -> o", "x.rules")
    tiles = np.full((3, 5), rules.program.palette["floor"], np.uint8)
    assert not list(lint.CHECKS["areas"].look(RulesSubject(rules.program, start=tiles)))


def test_the_page_lists_every_check() -> None:
    page = (DOCS / "linting.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (.+?) \|", page, re.MULTILINE)
    assert rows == [(name, check.about) for name, check in lint.CHECKS.items()]


def test_a_false_expectation_is_drawn() -> None:
    [finding] = [finding for finding in Rules.parse(CASES[0][1], "dig.rules").lint() if finding.kind == "expectations"]
    assert str(finding) == (
        "dig.rules:4:1: error: expected of 'dig' (from the right): 1 outcome(s) never happen\n"
        "    expect  dig, from the right\n"
        "    ^\n"
        "  never happens:\n"
        "    ..\n"
        "  fix: correct the rule, or draw what it really does"
    )


def test_one_missing_tile_is_one_warning() -> None:
    rules = Rules.parse("one  LX -> ,X\none  , -> +\nmarkov\n    one  X+ -> XX\n    one  +L -> ~~\none  ~X -> XX", "x")
    found = [finding for finding in rules.lint(size=EMPTY) if finding.kind == "reach"]
    assert [(finding.severity, finding.problem) for finding in found] == [
        ("warning", "rule 1 can never match: `L` is not on the map, and no rule writes it"),
        ("note", "rule 2 can never match either: only rule 1 would write `,`"),
        ("note", "rule 3 and rule 4 can never match either: only rule 2 would write `+`"),
        ("note", "rule 5 can never match either: only rule 4 would write `~`"),
    ]
    many = Rules.parse("one  many\n" + "".join(f"    L{'X' * n} -> ?{'#' * n}\n" for n in range(1, 9)), "x.rules")
    [finding] = [finding for finding in many.lint(size=(20, 20)) if finding.kind == "reach"]
    assert finding.problem == (
        "'many 1', 'many 2', 'many 3', 'many 4', 'many 5', 'many 6' and 2 more can never match: `L` is not on the map, "
        "and no rule writes it"
    )


def test_sets_that_wait_for_each_other_have_one_cause() -> None:
    rules = Rules.parse("markov\n    one  +X -> LX\n    one  LX -> +X\n    one  ~X -> ~~", "x.rules")
    found = [finding for finding in rules.lint(size=EMPTY) if finding.kind == "reach"]
    assert [(finding.severity, finding.problem.split(":")[0]) for finding in found] == [
        ("warning", "rule 3 can never match"),
        ("warning", "rule 1 can never match"),
        ("note", "rule 2 can never match either"),
    ]


@pytest.mark.parametrize("kind", ["all", "parallel"])
def test_a_rule_that_changes_nothing_holds_its_cells(kind: str) -> None:
    start = Level.parse("o.#.#.o")
    alone = Rules.parse(f"{kind}  dig, once\n    . -> ,", "x.rules")
    held = Rules.parse(f"{kind}  dig, once\n    . -> ,\n    o. -> o.\n    .o -> .o", "x.rules")
    assert str(alone.apply(start, 1)) == "o,#,#,o"
    ends = {str(held.apply(start, seed)) for seed in range(40)}
    expected = {f"o{a}#,#{b}o" for a, b in product(".,", repeat=2)} if kind == "all" else {"o.#,#.o"}
    assert ends == expected


def test_the_worst_comes_first_and_long_lists_are_cut() -> None:
    rules = Rules.parse(
        "one  many\n" + "".join(f"    {'.' * n}{{not ?}} -> {'.' * n}?\n" for n in range(1, 30)), "x.rules"
    )
    found = rules.lint()
    order = [SEVERITIES.index(finding.severity) for finding in found]
    assert order == sorted(order)
    errors = [finding for finding in found if finding.severity == "error"]
    assert len(errors) == 21
    assert errors[-1] == Finding("contradictions", "error", Place("x.rules", 1, 1), "and 9 more like these")


def test_a_rule_without_a_place_can_be_spoken_of() -> None:
    found = lint.lint_rules(RulesSubject(program(Node("one", rules=(Rule("", 1, 1, (1,), (Replacement((0,)),)),)))))
    assert (
        str(found[0])
        == "warning: rule 1 changes nothing\n  fix: write another tile into its result, or take the rule out"
    )


# --- what is not found, and should not be


@pytest.mark.parametrize(
    ("check", "text"),
    [
        ("shadowed", "markov\n    one  #. -> .., up to 9 times\n    one  ##. -> ++."),
        ("shadowed", "markov\n    one\n        rule, once\n            #. -> ..\n    one  ##. -> ++."),
        ("shadowed", "markov\n    all  #. -> .., chance 50%\n    one  ##. -> ++."),
        ("shadowed", "markov\n    one  #. -> .., keep connected(.)\n    one  ##. -> ++."),
        ("shadowed", "markov\n    one  #. -> .., in rooms\n    one  ##. -> ++."),
        ("shadowed", "markov\n    one  #. -> .., each room\n    one  ##. -> ++."),
        # what changes nothing is used up, and then the other has its turn
        ("shadowed", "markov\n    one  #. -> ?. | ..\n    one  ##. -> ++."),
        ("shadowed", "markov\n    one  {# or .}. -> ..\n    one  ##. -> ++."),
        ("shadowed", "markov\n    one  #. -> .., weight 0\n    one  ##. -> ++."),
        ("shadowed", "markov\n    one  #. -> ..\n    one  #. -> ++, outside ."),  # at the border only the second fits
        ("shadowed", "markov\n    one  #. -> ..\n    one  {# or X}. -> ++"),
        ("shadowed", "markov\n    one  #. -> ..\n    one  #. -> ++, turned"),
        ("shadowed", "markov\n    one  #. -> ..\n    sequence\n        one  ##. -> ++."),
        ("shadowed", "one  #. -> ..\none\n    ##. -> ++.\n    +~ -> #."),
        ("shadowed", "one  #. -> .., once\none  ##. -> ++."),
        ("twice", "one\n    #. -> ..\n    #. -> .., turned"),
        ("twice", "one\n    #. -> .., keep count(.) <= 3\n    #. -> .."),
        ("guards", "one  #. -> :., keep count(:) <= 1"),
        ("guards", "one  :. -> :~, keep count(:) <= 0"),
        ("guards", "one  #. -> :. | .., keep count(:) <= 0"),
        ("guards", "one  #. -> :., keep count(:) <= 0, outside #"),
        ("overwritten", "one  ?. -> ?#"),
        ("overwritten", "one  {< or >}. -> #."),
        ("overwritten", "palette letters BW\none  ?B -> WB"),
        ("ports", "palette grammar\none  c.c -> ccc"),
        ("ports", "palette grammar\none  r.r -> rcr"),
        ("ports", "palette grammar\none  ?.?/ccc -> ?r?/c2c"),
        ("ports", "one  #. -> .."),
        ("ports", "tile shelf = B, pillar, ports N\none  .. -> .B"),
        ("shares", "one\n    #. -> .., turned\n    ~. -> .., turned"),
        ("order", "one\n    #. -> ..\n    ,# -> ,,"),  # ,#. becomes ,.. or ,,.
        ("order", "one  # -> . | ,"),
        ("order", "one  # -> ., once"),
        ("order", "all  # -> ., chance 50%"),
        ("order", "one  # -> ., keep connected(.)"),
        ("unread", "palette grammar\none  grow, turned\n    c. -> cc"),  # C is asked for by the turned one
    ],
)
def test_what_is_right_is_not_found(check: str, text: str) -> None:
    assert [
        finding
        for finding in Rules.parse(text, "x.rules").lint()
        if finding.kind == check and finding.severity != "error"
    ] == []


def test_a_map_that_is_not_known_may_hold_anything() -> None:
    rules = Rules.parse("one  #. -> ##", "x.rules")
    assert not [finding for finding in rules.lint() if finding.kind in {"reach", "size"}]
    assert [finding.kind for finding in rules.lint((4, 4)) if finding.severity == "warning"] == ["reach"]
    brought = Rules(rules.program, start=np.array([[1, 2]], np.uint8))
    assert not [finding for finding in brought.lint() if finding.severity == "warning"]


def test_patterns_that_reach_over_the_border_fit_on_any_map() -> None:
    assert not [
        finding
        for finding in Rules.parse("one  XXXX -> .XXX, outside X", "x.rules").lint((2, 2))
        if finding.kind == "size"
    ]


def test_things_may_stand_on_a_known_map() -> None:
    rules = Rules.parse("thing goblin = g, on .\none  g -> .", "x.rules")
    assert not [finding for finding in rules.lint((3, 3)) if finding.kind == "reach"]
    written = Rules.parse("thing goblin = g, on .\none  . -> g, once", "x.rules")
    assert not [finding for finding in written.lint() if finding.kind == "unread"]


# --- what is claimed is so


def _run_check(check: str, made: Program, start: Tiles | None = None) -> Iterator[Finding]:
    return lint.CHECKS[check].look(RulesSubject(made, start=start))


def _small_maps(tiles: int) -> list[Tiles]:
    sizes = [(1, 1), (2, 1), (1, 2), (3, 1), (1, 3), (2, 2), (3, 2), (2, 3)]
    return [
        np.array(cells, np.uint8).reshape(high, wide)
        for wide, high in sizes
        for cells in product(range(tiles), repeat=wide * high)
    ]


def test_a_shadowed_rule_matches_only_where_another_does() -> None:
    """On all small maps, by looking everywhere."""
    maps = _small_maps(3)
    told = 0
    for seed in range(SEEDS):
        source = random.Random(seed)
        leaves = [Node("one", rules=(_tiny_rule(source, f"{number}"),)) for number in range(2)]
        found = list(_run_check("shadowed", program(Node("markov", children=tuple(leaves)))))
        if not found:
            continue
        told += 1
        assert found[0].problem.startswith("'1' never acts")
        for tiles in maps:
            if next(naive_matches(tiles, leaves[1]), None):
                assert next(naive_matches(tiles, leaves[0]), None), (seed, tiles)
    assert told > SEEDS / 25


def test_a_shadowed_rule_never_acts() -> None:
    told = 0
    for seed in range(SEEDS):
        source = random.Random(seed)
        leaves = tuple(
            Node(
                source.choice(["one", "all"]), rules=tuple(_tiny_rule(source, f"{at} {number}") for number in range(2))
            )
            for at in range(2)
        )
        made = program(Node(source.choice(["markov", "sequence"]), children=leaves))
        found = [finding.problem for finding in _run_check("shadowed", made)]
        hidden = {
            rule.name
            for leaf in leaves
            for rule in leaf.rules
            if any(problem.startswith(f"'{rule.name}' never") for problem in found)
        }
        if any(problem.startswith("this node never") for problem in found):
            hidden |= {rule.name for rule in leaves[1].rules}
        if hidden:
            told += 1
            assert not hidden & _acted(made, source, runs=6)
    assert told > SEEDS / 10


def _acted(made: Program, source: random.Random, runs: int, start: Tiles | None = None) -> set[str]:
    """The names of the rules that were applied in some runs."""
    acted = set()
    for run_number in range(runs):
        tiles = (
            start.copy()
            if start is not None
            else np.array([[source.randrange(3) for _ in range(6)] for _ in range(5)], np.uint8)
        )
        engine = Engine(made, tiles, Rng.root(run_number), remember=True)
        engine.run(Run(), 200)
        rows = [row for row in engine.tables.rows for _ in row.variant.results]
        acted |= {
            rows[action].leaf.rules[rows[action].variant.rule].name for action in engine.list_rewrites()[:, 1].tolist()
        }
    return acted


def _tiny_rule(source: random.Random, name: str) -> Rule:
    wide, high = source.choice([(1, 1), (2, 1), (1, 2), (2, 2)])
    pattern = tuple(
        ANY if source.random() < 0.2 else tile_set(source.sample(range(3), source.choice([1, 1, 2])))
        for _ in range(wide * high)
    )
    result = tuple(source.choice([KEEP, 0, 1, 2]) for _ in pattern)
    return Rule(
        name,
        wide,
        high,
        pattern,
        (Replacement(result),),
        positions=source.choice([AS_DRAWN, QUARTER_TURNS, ALL_POSITIONS]),
    )


def test_a_rule_that_can_never_match_never_acts() -> None:
    told = 0
    for seed in range(SEEDS):
        source = random.Random(seed)
        made = _name_rules(random_program(source))
        start = np.full((6, 6), source.randrange(4), np.uint8)
        found = [finding.problem for check in ("reach", "size") for finding in _run_check(check, made, start)]
        never = {
            name
            for problem in found
            for names in re.findall(r"^(.+) can never match", problem)
            for name in re.findall(r"'(r\d+)'", names)
        }
        told += bool(never)
        assert not never & _acted(made, source, runs=3, start=start), seed
    assert told > SEEDS / 4


def _name_rules(made: Program) -> Program:
    """The same program with a name for every rule."""
    count = iter(range(1000))

    def renamed(node: Node) -> Node:
        return node._replace(
            rules=tuple(rule._replace(name=f"r{next(count)}") for rule in node.rules),
            children=tuple(map(renamed, node.children)),
        )

    return made._replace(root=renamed(made.root))


def test_if_the_order_does_not_matter_all_seeds_agree() -> None:
    told = 0
    for seed in range(1500):
        source = random.Random(seed)
        leaves = tuple(
            Node(
                source.choice(["one", "all", "parallel"]),
                rules=tuple(_tiny_rule(source, f"{number}") for number in range(source.choice([1, 2]))),
            )
            for _ in range(source.choice([1, 2]))
        )
        made = program(leaves[0] if len(leaves) == 1 else Node(source.choice(["markov", "sequence"]), children=leaves))
        if not any(_run_check("order", made)):
            continue
        told += 1
        for size in ((5, 4), (1, 6)):
            start = np.array([[source.randrange(3) for _ in range(size[0])] for _ in range(size[1])], np.uint8)
            ends = set()
            for number in range(8):
                tiles = start.copy()
                Engine(made, tiles, Rng.root(number)).run(Run())
                ends.add(tiles.tobytes())
            assert len(ends) == 1, seed
    assert told > 40


@pytest.mark.parametrize("most", [0, 1, 2])
def test_a_guard_that_is_always_broken_refuses_all(most: int) -> None:
    rule = Rule(
        "grow", 2, 1, (1, ANY), (Replacement((1, 2)),), positions=LEFT_RIGHT, guards=(Guard("count", 0b110, most=most),)
    )
    made = program(Node("one", rules=(rule,), limit=4))
    told = any(_run_check("guards", made))
    assert told == (most < 2), "two cells hold these tiles afterwards, one of them did not before"
    rewrites = []
    for tiles in _small_maps(3):
        engine = Engine(made, tiles.copy(), Rng.root(1))
        engine.run(Run())
        rewrites.append(engine.rewrites)
    assert any(rewrites) != told


# --- speed


@pytest.mark.parametrize("kind", ["one", "markov"])
def test_a_thousand_rules_take_a_bounded_time(kind: str) -> None:
    """Counted, not timed: every search has a budget, and says so when it is used up."""
    source = random.Random(1)
    rules = []
    for number in range(1000):
        pattern = tuple(tile_set([source.randrange(6)]) if source.random() < 0.8 else ANY for _ in range(9))
        rules.append(
            Rule(
                f"{number}",
                3,
                3,
                pattern,
                (Replacement(tuple(source.choice([KEEP, *range(6)]) for _ in range(9))),),
                positions=ALL_POSITIONS,
            )
        )
    root = (
        Node("one", rules=tuple(rules))
        if kind == "one"
        else Node("markov", children=tuple(Node("one", rules=(rule,)) for rule in rules))
    )
    found = lint.lint_rules(RulesSubject(program(root)))
    assert any(finding.kind == "ends" for finding in found)
    assert any("some pairs were not looked at" in finding.problem for finding in found) == (kind == "markov")


def test_rules_with_too_many_cells_are_only_looked_at_plainly() -> None:
    rule = Rule("big", 64, 64, (1,) * 4096, (Replacement((1,) * 4096),), positions=ALL_POSITIONS)
    made = program(
        Node("one", rules=tuple(rule._replace(name=f"{number}") for number in range(MAX_CELLS // 4096 // 16 + 1)))
    )
    found = lint.lint_rules(RulesSubject(made))
    assert [finding.problem for finding in found] == [
        "written, and asked for by no rule: `W`",
        "its rules have more than 500,000 cells in all positions: only the plain checks were made",
    ]


# --- the command


MAZE = "palette letters BWA\none  WBB -> WAW, in all positions\n"
LOOP = "palette letters BW\none  there\n    B -> W\n    W -> B\n"
WRONG = "one  dig\n    #. -> ..\n\nexpect  dig\n    #.#  ->  #.#\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in (("maze", MAZE), ("loop", LOOP), ("wrong", WRONG), ("broken", "one  #. -> #")):
        Path(f"{name}.rules").write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("args", "code"),
    [
        (["maze.rules"], 0),
        (["maze.rules", "--strict"], 0),
        (["loop.rules"], 0),
        (["loop.rules", "--strict"], 1),
        (["wrong.rules"], 1),
        (["maze.rules", "wrong.rules"], 1),
        (["broken.rules", "wrong.rules"], 2),
        (["nowhere.rules"], 2),
        (["nonsense"], 2),
        (["cave", "--on", "maze.rules"], 2),
        (["maze.rules", "--size", "huge"], 2),
        (["templates", "grammar", "cave", "rooms-and-mazes", "--strict"], 0),
        ([], 2),
    ],
)
def test_exit_codes(args: list[str], code: int, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["lint", *args]) == code
    out, err = capfd.readouterr()
    assert "Traceback" not in out + err


@pytest.mark.usefixtures("folder")
def test_a_good_file_gets_one_line_and_all_files_are_looked_at(capfd: pytest.CaptureFixture[str]) -> None:
    run(["lint", "maze.rules", "broken.rules", "loop.rules", "--quiet"])
    out, err = capfd.readouterr()
    assert out.split("\n") == [
        "maze.rules: 1 rule, 15 checks (--size or --on adds reach, size and areas): nothing to fix, 2 notes",
        "loop.rules:2:1: warning: it may run forever: 'there 1' and 'there 2' undo each other",
        "    one  there",
        "    ^",
        "    B  ->  W  ->  B",
        "  fix: limit it, for example: up to 100 times, or let every rule use up a tile that no other writes",
        "loop.rules: 2 rules, 15 checks (--size or --on adds reach, size and areas): 1 warning",
        "",
    ]
    assert err.startswith("undercroft: broken.rules:1:12: the left side is 2x1, the right side is 1x1")


@pytest.mark.usefixtures("folder")
def test_a_size_or_a_map_tells_more(capfd: pytest.CaptureFixture[str]) -> None:
    run(["lint", "maze.rules", "--size", "25x25"])
    out = capfd.readouterr().out
    assert "rule 1 can never match: `W` is not on the map, and no rule that can act before it writes it" in out
    assert "maze.rules: 1 rule, 18 checks: 1 warning, " in out
    Path("map.txt").write_text("BBBBB\n" * 2 + "BBWBB\n" + "BBBBB\n" * 2)
    run(["lint", "maze.rules", "--on", "map.txt"])
    out = capfd.readouterr().out
    assert "it ends: after at most 12 rewrites on a map of 5x5" in out, "24 cells are B, and each rewrite uses up two"
    assert "maze.rules: 1 rule, 18 checks: nothing to fix, " in out


@pytest.mark.usefixtures("folder")
def test_json(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["lint", "loop.rules", "broken.rules", "--json"]) == 2
    first, second = json.loads(capfd.readouterr().out)["files"]
    assert first["file"] == "loop.rules"
    assert first["rules"] == 2
    [warning] = [finding for finding in first["findings"] if finding["severity"] == "warning"]
    assert warning == {
        "kind": "ends",
        "severity": "warning",
        "file": "loop.rules",
        "line": 2,
        "column": 1,
        "problem": "it may run forever: 'there 1' and 'there 2' undo each other",
        "fix": "limit it, for example: up to 100 times, or let every rule use up a tile that no other writes",
        "picture": "    B  ->  W  ->  B",
    }
    assert second["error"].startswith("broken.rules:1:12: ")


@pytest.mark.usefixtures("folder")
def test_a_grammar_folder_is_judged_by_its_base(capfd: pytest.CaptureFixture[str]) -> None:
    Path("crypt/rules").mkdir(parents=True)
    Path("crypt/base.txt").write_text("1,5\n=\n..c..\n")
    Path("crypt/rules/longer.txt").write_text("1,2\nR\n=3\nc.\n=\ncc\n")
    Path("crypt/rules/water.txt").write_text("1,6\n=\n......\n=\n.~~~~.\n")
    Path("crypt/rules/room.txt").write_text("1,1\nR,H\n=\nr\n=\nR\n")
    assert run(["lint", "crypt"]) == 0
    out = capfd.readouterr().out
    assert "water.txt:1:1: warning: 'water' can never match: its pattern is 6x1, the map 5x1" in out
    assert "room.txt:1:1: warning: 'room' can never match: `r` is not on the map, and no rule writes it" in out
    assert "'longer' has 12/21 of the draws" in out
    assert re.search(r"^    longer +3 +4 +4 +12/21$", out, re.MULTILINE)
    assert re.search(r"^    room +1 +8 +1 +8/21$", out, re.MULTILINE)
    assert "it ends: after at most 150 rewrites on a map of 5x1" in out


@pytest.mark.usefixtures("folder")
def test_rules_in_a_recipe_are_placed_in_it(capfd: pytest.CaptureFixture[str]) -> None:
    Path("crypt.toml").write_text(
        'size = [9, 5]\n[[step]]\nuse = "fill"\nrole = "void"\n\n'
        '[[step]]\nuse = "rewrite"\nrules = """\none  dig\n    XX -> XX\n    .X -> ..\n"""\n\n'
        '[[step]]\nuse = "rewrite"\nid = "more"\nrules = "one  X -> X"\n\n'
        '[[step]]\nuse = "noise"\n\n[[step]]\nuse = "rewrite"\nid = "file"\nfile = "wrong.rules"\n'
    )
    assert run(["lint", "crypt.toml", "--quiet"]) == 1
    out = capfd.readouterr().out
    assert out.split("\n") == [
        (
            "crypt.toml:11:5: warning: 'dig 2' can never match: `.` is not on the map, and no rule that can act "
            "before it writes it"
        ),
        "        .X -> ..",
        "        ^",
        "  fix: check the tile, or begin with a map that holds it",
        "crypt.toml:10:5: warning: 'dig 1' changes nothing",
        "        XX -> XX",
        "        ^",
        "  fix: write another tile into its result, or take the rule out",
        "crypt.toml:17:15: warning: rule 1 changes nothing",
        '    rules = "one  X -> X"',
        "                  ^",
        "  fix: write another tile into its result, or take the rule out",
        "wrong.rules:4:1: error: expected of 'dig': 1 outcome(s) never happen and 1 outcome(s) are not drawn",
        "    expect  dig",
        "    ^",
        "  never happens:",
        "    #.#",
        "  is not drawn:",
        "    ..#",
        "  fix: correct the rule, or draw what it really does",
        "crypt.toml: 4 rules, 18 checks: 1 error, 3 warnings, 4 notes",
        "",
    ]


def test_the_shipped_rules_have_nothing_to_mend() -> None:
    with_rules = [
        path for path in sorted(RECIPES.glob("*.toml")) if 'use = "rewrite"' in path.read_text(encoding="utf-8")
    ]
    assert len(with_rules) >= 2
    for path in with_rules:
        assert run(["lint", str(path), "--strict", "--quiet"]) == 0


def test_the_share_of_a_shipped_folder_of_old() -> None:
    """Twelve files, 45 positions, a weight of 53 in all: one that weighs 3 in four positions has 12 of them."""
    weights = [3, *[1] * 11]
    positions = [QUARTER_TURNS] * 11 + [AS_DRAWN]
    rules = tuple(
        Rule(f"r{number}", 2, 1, (1, 1 << (number % 5 + 1)), (Replacement((0, 0)),), weight=weight, positions=turns)
        for number, (weight, turns) in enumerate(zip(weights, positions, strict=True))
    )
    made = program(Node("one", "old", rules=rules, pick="rule", merge=False))
    assert sum(len(rule.positions) * rule.weight for rule in rules) == 53
    [finding] = list(_run_check("shares", made))
    assert "'r0' has 12/53 of the draws" in finding.problem
    assert re.search(r"^    r11 +1 +1 +1 +1/53$", finding.picture, re.MULTILINE)
