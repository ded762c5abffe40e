"""Which rules, positions and results are used: hand counts, a slow twin of the log, and the command."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import undercroft as uc
from support.programs import random_program
from undercroft import limits
from undercroft.cli import run
from undercroft.cli.options import values
from undercroft.core.level import Level
from undercroft.core.rng import Rng
from undercroft.core.run import Run
from undercroft.errors import BadInput
from undercroft.inputs.files import SHIPPED_FOLDER
from undercroft.recipe.document import Recipe
from undercroft.rewrite import coverage as counting
from undercroft.rewrite.coverage import CoverageTally, Recorder, count_changed_cells, measure_coverage
from undercroft.rewrite.engine.engine import Engine
from undercroft.rewrite.explain.coverage_report import Coverage, PositionUse, UseCounts, used_share
from undercroft.rewrite.model.program import KEEP
from undercroft.rewrite.rules import Rules

SEEDS = range(1, 41)


def covered(text: str, level: str, seeds: range = SEEDS, **more: Any) -> Coverage:
    rules = Rules.parse(text, "a.rules")
    return measure_coverage(rules, rules.parse_map(level, "map.txt"), seeds, **more)


# --- hand counts


def test_results_positions_and_runs_equal_what_the_maps_show() -> None:
    """Each run writes one sign beside the wall, on one of its two sides: the map tells which result and which position
    it was.
    """
    text = "one  sign, once, mirrored, results 3:1\n    .# -> +# | o#"
    rules = Rules.parse(text, "a.rules")
    level = Level.parse(".#.")
    maps = [str(rules.apply(level, seed)) for seed in SEEDS]
    found = measure_coverage(rules, level, SEEDS)
    [sign] = found.rules
    assert sign.use == UseCounts(applied=40, changed=40, runs=40, last_turn=0)
    left, right = sum(one[0] != "." for one in maps), sum(one[2] != "." for one in maps)
    assert [(position.position, position.use.applied, position.use.runs) for position in sign.positions] == [
        (0, left, left),
        (4, right, right),
    ]
    doors = sum("+" in one for one in maps)
    assert [(result.number, result.weight, result.use.applied) for result in sign.results] == [
        (1, 3, doors),
        (2, 1, 40 - doors),
    ]
    assert doors > 20
    assert (found.result_count, found.used_count, used_share([found])) == (2, 2, 1.0)


def test_the_share_of_runs_and_the_last_turn() -> None:
    """Three turns: one cell after the other becomes B, then C may follow, in about half of the runs."""
    text = "palette letters ABC\none  a\n    A -> B\nall  b, once, chance 0.5\n    BBB -> CCC"
    rules = Rules.parse(text, "a.rules")
    level = rules.parse_map("AAA", "map.txt")
    second = [str(rules.apply(level, seed)) == "CCC" for seed in SEEDS]
    a, b = measure_coverage(rules, level, SEEDS).rules
    assert a.use == UseCounts(applied=120, changed=120, runs=40, last_turn=2)
    assert 5 < sum(second) < 35
    assert (b.use.applied, b.use.changed, b.use.runs) == (sum(second), 3 * sum(second), sum(second))
    assert b.use.last_turn == 3


def test_cells_that_keep_their_tile_are_not_counted_as_changed() -> None:
    [first] = covered("all  a, once\n    .# -> ##", ".#.#").rules
    assert (first.use.applied, first.use.changed) == (80, 80), (
        "two places a run, of two cells each; one of them was a wall before"
    )
    [over] = covered("all  a, once, outside X\n    X. -> #+", "..").rules
    assert (over.use.applied, over.use.changed) == (40, 40), "what lies outside is not written"


def test_what_is_never_used_is_named() -> None:
    text = (
        "one  dead, once\n    L -> #\none  alive, once, turned, results 1:0:1\n    .. -> ++ | ## | oo\n"
        "one  off, weight 0\n    . -> #"
    )
    found = covered(text, "...", range(1, 3))
    _, alive, off = found.rules
    assert found.dead_rules == ["dead"]
    assert [result.number for result in alive.usable_results] == [1, 3], "a result that weighs nothing is not counted"
    assert off.off == "its weight is 0"
    assert off.usable_results == []
    assert found.result_count == 3
    findings = list(found.findings())
    assert "dead is dead: it was not applied once in 2 runs" in findings
    assert "alive was never applied turned 90°" in findings
    assert "alive looks the same as drawn and turned 180°; turned 90° and turned 270°: these count once" in findings
    assert "off is switched off: its weight is 0" in findings
    lone = covered("one  a, once\n    . -> + | #", ".", range(1, 2))
    assert any(finding.startswith("a never drew result ") for finding in lone.findings())
    assert used_share([lone]) == 0.5
    assert used_share([]) == 1.0


def test_refusals_are_counted_and_the_rule_is_not_called_dead() -> None:
    text = (
        "one  never, keep connected(floor), keep count(floor) >= 3\n    . -> #\n"
        "one  free, once\n    . -> ,\n"
        "one  choice, keep count(pillar) <= 0, results 999:1, up to 5 times\n    , -> o | .\n"
        "one  lost\n    L -> #"
    )
    found = covered(text, "...", range(1, 5))
    never, free, choice, _ = found.rules
    assert (never.use.applied, never.use.refused) == (0, 12), "three places in each of four runs"
    assert never.refused_by == ("keep connected(.)", "keep count(.) >= 3"), "the middle is refused by the first"
    assert free.use.refused == 0
    assert choice.use.applied == 4
    assert choice.results[0].use.refused == choice.use.refused > 0
    assert found.dead_rules == ["lost"]
    assert found.refused_rules == ["never"]
    assert found.data()["refused"] == ["never"]
    findings = list(found.findings())
    assert (
        "never was never applied in 4 runs: `keep connected(.)` and `keep count(.) >= 3` refused it 12 times"
        in findings
    )
    assert f"choice never wrote result 1 of 2: `keep count(o) <= 0` refused it {choice.use.refused} times" in findings
    assert not any("never is dead" in finding for finding in findings)
    lines = str(found).splitlines()
    assert lines[1] == "  rule    runs  applied  changed  refused  last turn  positions  results  weight"
    assert lines[2] == "  never     0%        0        0       12          -     0 of 1   0 of 1  1 of 1"
    assert lines[5] == "  lost      0%        0        0        -          -     0 of 1   0 of 1  1 of 1"


def test_refusals_in_one_position_are_told() -> None:
    [rule] = covered("one  way, turned, once, keep count(wall) <= 9\n    ., -> #?", ".,", range(1, 3)).rules
    refused = UseCounts(refused=3)
    rule = replace(
        rule,
        positions=(rule.positions[0], PositionUse(1, refused), PositionUse(2, UseCounts())),
        refused_by=("keep x",),
    )
    assert list(rule.findings(2)) == [
        "way was never applied turned 180°",
        "way was never applied turned 90°: `keep x` refused it 3 times",
    ]


def test_rows_of_the_table() -> None:
    text = str(covered("one  a, once\n    . -> #\none  b, weight 3\n    L -> #", "..", range(1, 5)))
    assert text.splitlines()[:4] == [
        "a: 4 runs on 2x1",
        "  rule  runs  applied  changed  last turn  positions  results  weight",
        "  a     100%        4        4          0     1 of 1   1 of 1  1 of 1",
        "  b       0%        0        0          -     1 of 1   0 of 1  3 of 3".replace(
            "1 of 1   0 of 1", "0 of 1   0 of 1"
        ),
    ]


# --- symmetric rules


FOUR_WAY = "3,3\nR\n=\n...\nccc\n...\n=\n.C.\nc5c\n.C.\n"
CORNER = "2,2\nR\n=5 \n..\ncc\n=\n7c\n3.\n"


@pytest.fixture
def grammar(tmp_path: Path) -> Path:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "fourway.txt").write_text(FOUR_WAY)
    (tmp_path / "rules" / "corner.txt").write_text(CORNER)
    (tmp_path / "base.txt").write_text("3,7\n=\n.......\nccccccc\n.......\n")
    return tmp_path


def test_positions_that_look_the_same_and_what_rules_really_weigh(grammar: Path) -> None:
    rules = Rules.load(grammar)
    start = rules.level()
    assert start
    found = measure_coverage(rules, start, SEEDS, steps=3)
    corner, fourway = found.rules
    assert (corner.equal, fourway.equal) == ((), ((0, 2), (1, 3)))
    assert [len(rule.positions) for rule in found.rules] == [4, 4], "a grammar counts each position for itself"
    assert [(rule.weight, rule.of_weight) for rule in found.rules] == [(20, 24), (4, 24)]
    said = (
        "fourway looks the same as drawn and turned 180°; turned 90° and turned 270°: each counts, so it weighs 4 "
        "instead of 2"
    )
    assert said in list(found.findings())
    twins = {position.position: position.use.applied for position in fourway.positions}
    assert twins[0] > 0 < twins[2], "both copies are drawn"
    merged = Rules(rules.program._replace(root=rules.program.root._replace(merge=True)), start=start.tiles)
    corner, fourway = measure_coverage(merged, start, SEEDS, steps=3).rules
    assert [position.position for position in fourway.positions] == [0, 1]
    assert (fourway.weight, fourway.of_weight) == (2, 22)
    assert any(finding.endswith("turned 90° and turned 270°: these count once") for finding in fourway.findings(40))


def test_the_first_draw_of_a_grammar_follows_the_real_weights(grammar: Path) -> None:
    """On a map with room for both rules the first one drawn is the four-way with 2 of 12: only the positions that match
    count, with their weights.
    """
    rules = Rules.load(grammar)
    start = rules.level()
    assert start
    corner, fourway = measure_coverage(rules, start, range(300), steps=1).rules
    assert corner.use.applied + fourway.use.applied == 300
    assert {position.position for position in (*corner.positions, *fourway.positions) if position.use.applied} == {0, 2}
    assert 30 < fourway.use.applied < 70, "300 / 6, give or take three deviations"


# --- the log


def slow_changes(engine: Engine, before: NDArray[np.uint8]) -> tuple[list[int], NDArray[np.uint8]]:
    """How many cells each action changed, and the map after all of them, cell by cell."""
    actions = [(row.variant, result) for row in engine.tables.rows for result in row.variant.results]
    tiles = before.copy()
    changed = [0] * len(actions)
    for _, action, x, y in engine.list_rewrites().tolist():
        variant, result = actions[action]
        for index, code in enumerate(result.cells):
            row, column = y + index // variant.width, x + index % variant.width
            if code != KEEP and 0 <= row < tiles.shape[0] and 0 <= column < tiles.shape[1]:
                changed[action] += tiles[row, column] != code
                tiles[row, column] = code
    return changed, tiles


@pytest.mark.parametrize("writes", [1 << 20, 7])
def test_changed_cells_equal_those_of_a_slow_twin(writes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "MAX_WRITES_PER_CHUNK", writes)
    source = random.Random(9)
    events = 0
    for number in range(60):
        program = random_program(source)
        before = np.array([[source.randrange(4) for _ in range(11)] for _ in range(9)], np.uint8)
        engine = Engine(program, before.copy(), Rng.root(number), remember=True)
        engine.run(Run(), 30)
        wanted, after = slow_changes(engine, before)
        assert np.array_equal(after, engine.tiles), "the log tells all that happened, in order"
        assert count_changed_cells(engine, before, engine.list_rewrites()).tolist() == wanted
        events += len(engine.list_rewrites())
    assert events > 1000


def test_counting_changes_no_level() -> None:
    rules = Rules.parse("palette letters BWA\none  WBB -> WAW, in all positions", "maze.rules")
    level = rules.parse_map("BBBBBBB\nBBBWBBB\nBBBBBBB\n", "map.txt")
    assert rules.apply(level, 5, watcher=Recorder()) == rules.apply(level, 5)
    assert uc.generate("templates", seed=3, watcher=Recorder()) == uc.generate("templates", seed=3)


def test_all_sums_agree() -> None:
    """The applications of a rule are those of its positions together, and those of its results together, on the shipped
    grammar.
    """
    rules = Rules.load(SHIPPED_FOLDER / "grammar")
    start = rules.level()
    assert start
    found = measure_coverage(rules, start, range(10))
    rewrites = 0
    for seed in range(10):
        recorder = Recorder()
        rules.apply(start, seed, watcher=recorder)
        [(_, engine, before)] = recorder.works
        rewrites += engine.rewrites
        assert np.array_equal(before, start.tiles)
    assert sum(rule.use.applied for rule in found.rules) == rewrites
    for rule in found.rules:
        for parts in ([position.use for position in rule.positions], [result.use for result in rule.results]):
            assert sum(use.applied for use in parts) == rule.use.applied
            assert sum(use.changed for use in parts) == rule.use.changed
            assert max(use.last_turn for use in parts) == rule.use.last_turn
            assert max(use.runs for use in parts) <= rule.use.runs <= 10


# --- recipes


HALF = """
size = [9, 5]
[[step]]
use = "fill"
role = "floor"
[[step]]
use = "rewrite"
id = "walls"
rules = '''
one  both, once
    ...      ???     ???
    ...  ->  ?#?  |  ?o?
    ...      ???     ???
'''
[[step]]
use = "rewrite"
rules = '''
all  dots, once
    # -> .
all  lost
    L -> #
'''
"""


def test_every_step_of_a_recipe_is_counted_for_itself() -> None:
    recipe = Recipe.parse(HALF, "half.toml")
    tally = CoverageTally()
    walls = 0
    for seed in SEEDS:
        recorder = Recorder()
        level = recipe.generate(seed=seed, watcher=recorder).level
        walls += "o" not in str(level)
        tally.add(recorder)
    first, second = tally.coverage()
    assert (first.name, second.name) == ("walls", "rewrite#2")
    assert (first.runs, second.runs, first.width, first.height) == (40, 40, 9, 5)
    assert [result.use.applied for result in first.rules[0].results] == [walls, 40 - walls]
    assert (second.rules[0].use.applied, second.rules[0].use.runs) == (walls, walls)
    assert second.dead_rules == ["lost"]
    assert used_share((first, second)) == 3 / 4


def test_attempts_that_failed_are_not_counted() -> None:
    recipe = Recipe.parse(HALF + '[require]\ndensity = "== 1"\n', "half.toml")
    tally = CoverageTally()
    attempts = 0
    for seed in SEEDS:
        recorder = Recorder()
        attempts += recipe.generate(seed=seed, watcher=recorder).attempt
        tally.add(recorder)
    assert attempts > 10, "some were tried again"
    both = tally.coverage()[0].rules[0]
    assert both.use.applied == 40
    assert [result.use.applied for result in both.results] == [40, 0], (
        "a pillar is not walked on, so only walls that become floor again are accepted"
    )


# --- the command

Ask = Callable[..., tuple[int, str, str]]


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ask:
    monkeypatch.chdir(tmp_path)

    def call(*args: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = run(["coverage", *args])
        out, err = capsys.readouterr()
        return code, out, err

    return call


def test_a_dead_rule_fails_the_build(ask: Ask) -> None:
    Path("a.rules").write_text("one  dots\n    . -> ,\none  lost\n    L -> #\n")
    Path("map.txt").write_text("...\n")
    code, out, err = ask("a.rules", "--seeds", "1..5", "--on", "map.txt", "--fail-under", "1")
    assert code == 1
    assert "lost is dead: it was not applied once in 5 runs" in out
    assert out.endswith("1 of 2 results used at least once: 50%\n")
    assert err.startswith("undercroft: 1 of 2 results were used, 50%; --fail-under asks for 100%\n  fix: ")
    assert ask("a.rules", "--seeds", "1..5", "--on", "map.txt", "--fail-under", "50%")[0] == 0
    assert ask("a.rules", "--seeds", "1..5", "--on", "map.txt")[0] == 0
    assert ask("a.rules", "--seeds", "3", "--size", "4x4")[1].startswith("a: 1 run on 4x4\n")


def test_counts_as_json(ask: Ask) -> None:
    Path("a.rules").write_text("one  dots, up to 2 times\n    . -> ,\none  lost\n    L -> #\n")
    Path("map.txt").write_text("...\n")
    code, out, err = ask("a.rules", "--seeds", "1..5", "--on", "map.txt", "--json", "-", "--fail-under", "0.9")
    assert (code, err != "") == (1, True)
    data = json.loads(out)
    assert (data["seeds"], data["share"], data["used"], data["results"]) == ([1, 5], 0.5, 1, 2)
    [program] = data["programs"]
    assert program["dead"] == ["lost"]
    assert program["rules"][0]["use"] == {"applied": 10, "changed": 10, "runs": 5, "last_turn": 1, "refused": 0}
    assert program["rules"][0]["written"] == "a.rules:2:5"
    code, out, err = ask("a.rules", "--seeds", "1..5", "--on", "map.txt", "--json", "out.json")
    assert json.loads(Path("out.json").read_text()) == data
    assert out.startswith("a: 5 runs on 3x1\n")


def test_a_recipe_by_name_and_by_file(ask: Ask) -> None:
    code, out, _ = ask("templates", "--seeds", "1..2", "--set", "attempts=3")
    assert code == 0
    assert [line.partition(":")[0] for line in out.splitlines() if "runs on 80x80" in line] == [
        "start",
        "rooms",
        "corners",
        "middles",
        "clean up",
    ]
    assert "room behind a door  100%        6" in out
    Path("half.toml").write_text(HALF + '[require]\ndensity = "== 0"\n')
    code, out, err = ask("half.toml", "--seeds", "1..3", "--size", "7x3")
    assert "walls: 3 runs on 7x3" in out
    assert err == "undercroft: note: with 3 of 3 seeds no level was as required; the last try of each is counted\n"


def test_a_grammar_folder(ask: Ask, grammar: Path) -> None:
    code, out, _ = ask(str(grammar), "--seeds", "1..20", "--steps", "2")
    assert code == 0
    assert "20 runs on 7x3" in out
    assert "fourway looks the same as drawn and turned 180°; turned 90° and turned 270°: each counts" in out


def test_a_program_without_end_is_given_up(ask: Ask) -> None:
    Path("walk.rules").write_text("markov\n    one  ., -> ,., turned\n")
    Path("map.txt").write_text(".,.,\n")
    code, out, err = ask("walk.rules", "--seeds", "1..5", "--on", "map.txt", "--max-steps", "1000")
    assert (code, out) == (3, "")
    assert err.startswith("undercroft: seed 1: gave up after ")
    assert "fix: limit the run with --steps N" in err
    assert ask("walk.rules", "--seeds", "1..5", "--on", "map.txt", "--steps", "20")[0] == 0


MISTAKES = [
    ("--seeds is missing", "", ["a.rules", "--size", "3x3"]),
    ("seeds are FIRST..LAST, not '1-5'", "1..100", ["a.rules", "--seeds", "1-5", "--size", "3x3"]),
    ("there are no seeds from 5 to 1", "smaller number first", ["a.rules", "--seeds", "5..1", "--size", "3x3"]),
    ("the number of seeds is 2,000,000", "fewer seeds", ["a.rules", "--seeds", "1..2000000", "--size", "3x3"]),
    (
        "a share is a number from 0 to 1",
        "0.9 or 90%",
        ["a.rules", "--seeds", "1", "--size", "3x3", "--fail-under", "1.5"],
    ),
    ("there is no map to apply the rules to", "--on MAP", ["a.rules", "--seeds", "1"]),
    ("a.rules is no recipe", "--set", ["a.rules", "--seeds", "1", "--size", "3x3", "--set", "a=1"]),
    ("a recipe sets the number of turns", "--steps", ["templates", "--seeds", "1", "--steps", "4"]),
    ("cave has no step 'rewrite'", ".rules", ["cave", "--seeds", "1"]),
    ("unknown rules or recipe 'templats'", "did you mean 'templates'?", ["templats", "--seeds", "1"]),
    ("cannot read b.rules", "check the name", ["b.rules", "--seeds", "1", "--size", "3x3"]),
    (
        "cannot write no/such/a.json",
        "make the folder",
        ["a.rules", "--seeds", "1", "--size", "3x3", "--json", "no/such/a.json"],
    ),
]


@pytest.mark.parametrize(("problem", "fix", "args"), MISTAKES, ids=[" ".join(row[2]) for row in MISTAKES])
def test_mistakes_are_sentences(ask: Ask, problem: str, fix: str, args: list[str]) -> None:
    Path("a.rules").write_text("one  . -> #\n")
    code, out, err = ask(*args)
    assert (code, out) == (2, "")
    assert problem in err
    assert fix in err


def test_seeds_as_people_write_them() -> None:
    assert values.parse_seeds(" 1 .. 3 ") == range(1, 4)
    assert values.parse_seeds("0") == range(1)
    assert list(values.parse_seeds(f"{2**64 - 1}")) == [2**64 - 1]
    with pytest.raises(BadInput):
        values.parse_seeds(f"{2**64}")
    for text in ("-1", " -1 ..5", "3..-1"):
        with pytest.raises(BadInput, match="a seed is a whole number from 0 to 2\\^64-1 or any text, not -1"):
            values.parse_seeds(text)


def test_what_is_remembered_of_a_program_without_end_has_a_bound(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "REMEMBERED_REWRITES", limits.REMEMBERED_REWRITES._replace(value=10_000))
    Path("walk.rules").write_text("markov\n    one  ., -> ,., turned\n")
    Path("map.txt").write_text(".,.,\n")
    code, out, err = ask("walk.rules", "--seeds", "1..5", "--on", "map.txt")
    assert (code, out) == (3, "")
    assert err.startswith(
        "undercroft: seed 1: gave up after 10,000 rewrites that had to be remembered; the rules were still at work"
    )
    assert "fix: limit the run with --steps N; or limit the node (up to N times), or take a smaller map" in err
    assert ask("walk.rules", "--seeds", "1..5", "--on", "map.txt", "--steps", "100")[0] == 0
    for steps in ("99999999999999999999999", "1000000001", "-1"):
        code, out, err = ask("walk.rules", "--seeds", "1", "--on", "map.txt", "--steps", steps)
        assert (code, out) == (2, "")
        assert "--steps is a whole number" in err


def test_a_size_without_an_option_that_allows_more(ask: Ask) -> None:
    Path("walk.rules").write_text("one  . -> #\n")
    code, _, err = ask("walk.rules", "--seeds", "1", "--size", "5000x5000")
    assert (code, err.splitlines()[-1]) == (2, "  fix: ask for a smaller size")
