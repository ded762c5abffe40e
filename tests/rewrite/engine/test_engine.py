"""The engine: what it matches, what it does, and in which order."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from support.maps import HEAVY
from support.programs import LETTERS, format_rows, grid, naive_matches, program, random_program, rule
from undercroft.core.rng import Rng
from undercroft.core.run import Run
from undercroft.errors import OutOfBudget
from undercroft.rewrite.engine import columns, engine
from undercroft.rewrite.engine.columns import FIRST
from undercroft.rewrite.engine.engine import Engine, apply
from undercroft.rewrite.model.program import (
    ALL_POSITIONS,
    AS_DRAWN,
    KEEP,
    LEAF_KINDS,
    LEFT_RIGHT,
    QUARTER_TURNS,
    UP_DOWN,
    Node,
    Replacement,
    Rule,
)
from undercroft.rewrite.model.symmetry import list_variants

SEEDS = 200 if HEAVY else 60
DRAWS = 4000 if HEAVY else 1200
"""So many draws tell one share from another."""


@pytest.mark.parametrize("known_by", ["bits", pytest.param("hashes", marks=pytest.mark.long)])
def test_live_matches_are_those_of_a_full_search_after_every_turn(
    known_by: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared = 0
    if known_by == "hashes":
        monkeypatch.setattr("undercroft.rewrite.engine.engine.MAX_BYTES_PER_CELL", 0)
    for seed in range(SEEDS):
        source = random.Random(seed)
        made = random_program(source)
        tiles = np.array(
            [[source.randrange(4) for _ in range(source.randint(1, 9))] for _ in range(1)], np.uint8
        ).repeat(source.randint(1, 8), 0)
        tiles = np.array([[source.randrange(4) for _ in row] for row in tiles.tolist()], np.uint8)
        engine = Engine(made, tiles, Rng.root(seed))
        flat = _flat(made.root)
        for turn in range(1, 60):
            engine.run(Run(), turn)
            for number in engine.tables.leaves:
                leaf = flat[number]
                first = int(engine.tables.nodes[number, FIRST])
                live = [(variant - first, x, y) for variant, x, y in engine.list_matches(number)]
                assert len(live) == len(set(live)), "no match is listed twice"
                real = set(naive_matches(tiles, leaf))
                stays = {
                    k
                    for k, row in enumerate(engine.tables.rows[first : int(engine.tables.nodes[number, FIRST + 1])])
                    if row.stays
                }
                assert {match for match in live if match[0] not in stays} == {
                    match for match in real if match[0] not in stays
                }
                assert set(live) <= real
                compared += 1
            if engine.has_ended:
                break
    assert compared > 15 * SEEDS


def _flat(root: Node) -> list[Node]:
    found = [root]
    for child in root.children:
        found += _flat(child)
    return found


WORKED = [
    ("one until nothing fits", Node("one", rules=(rule("B", "W"),)), 10, "W" * 9),
    (
        "three, then one by one",
        Node(
            "sequence", children=(Node("one", rules=(rule("B", "R"),), limit=3), Node("one", rules=(rule("R", "W"),)))
        ),
        7,
        "BBBBBBWWW",
    ),
    (
        "a nested sequence loops until a pass does nothing",
        Node(
            "sequence",
            children=(
                Node("sequence", children=(Node("one", rules=(rule("B", "R"),), limit=3),)),
                Node("one", rules=(rule("R", "W"),)),
            ),
        ),
        22,
        "W" * 9,
    ),
    (
        "so does a nested markov",
        Node(
            "sequence",
            children=(
                Node("markov", children=(Node("one", rules=(rule("B", "R"),), limit=3),)),
                Node("one", rules=(rule("R", "W"),)),
            ),
        ),
        22,
        "W" * 9,
    ),
    ("an identity is used up once a place", Node("one", rules=(rule("B", "B"),)), 10, "B" * 9),
]


@pytest.mark.parametrize(("name", "root", "turns", "census"), WORKED, ids=[row[0] for row in WORKED])
def test_turns_are_counted_as_described(name: str, root: Node, turns: int, census: str) -> None:
    for seed in range(5):
        tiles = np.zeros((3, 3), np.uint8)
        engine = apply(program(root), tiles, Rng.root(seed))
        assert engine.turns == turns, name
        assert sorted("".join(format_rows(tiles))) == sorted(census)


@pytest.mark.parametrize(
    ("kind", "result", "cells"),
    [
        ("one", "WW", [2, 3, 4]),
        ("all", "WW", [2]),
        ("all", "*W", [5, 13, 25]),
        ("parallel", "WW", [5, 13, 25]),
        ("parallel", "*W", [5, 13, 25]),
    ],
)
def test_one_all_and_parallel_differ(kind: str, result: str, cells: list[int]) -> None:
    for seed in range(4):
        tiles = np.zeros((9, 9), np.uint8)
        tiles[4, 4] = 1
        engine = Engine(program(Node(kind, rules=(rule("WB", result),))), tiles, Rng.root(seed))
        for turn, count in enumerate(cells, 1):
            engine.run(Run(), turn)
            assert int((tiles == 1).sum()) == count


@pytest.mark.parametrize(("side", "turns", "white", "grey"), [(25, 169, 169, 168), (23, 121, 121, 120)])
def test_maze_growth(side: int, turns: int, white: int, grey: int) -> None:
    tiles = np.zeros((side, side), np.uint8)
    tiles[side // 2, side // 2] = LETTERS["W"]
    engine = apply(program(Node("one", rules=(rule("WBB", "WAW"),))), tiles, Rng.root(1))
    assert (engine.turns, int((tiles == LETTERS["W"]).sum()), int((tiles == LETTERS["A"]).sum())) == (
        turns,
        white,
        grey,
    )


@pytest.mark.parametrize(("side", "turns"), [(25, 337), (23, 241)])
def test_maze_backtracker(side: int, turns: int) -> None:
    tiles = np.zeros((side, side), np.uint8)
    tiles[side // 2, side // 2] = LETTERS["R"]
    root = Node("markov", children=(Node("one", rules=(rule("RBB", "GGR"),)), Node("one", rules=(rule("RGG", "WWR"),))))
    engine = apply(program(root), tiles, Rng.root(1))
    assert engine.turns == turns
    assert Counter("".join(format_rows(tiles)))["R"] == 1


COUNTS = [
    ("B", ALL_POSITIONS, 1),
    ("WB", ALL_POSITIONS, 4),
    ("RBB", ALL_POSITIONS, 4),
    ("BBB/BWB", ALL_POSITIONS, 4),
    ("UR/*B", ALL_POSITIONS, 8),
    ("R**/**B", ALL_POSITIONS, 8),
    ("WB/BW", ALL_POSITIONS, 2),
    ("***/*B*/***", ALL_POSITIONS, 1),
    ("WB", LEFT_RIGHT, 2),
    ("BBB/BWB", LEFT_RIGHT, 1),
    ("UR/*B", LEFT_RIGHT, 2),
    ("WB", UP_DOWN, 1),
    ("BBB/BWB", UP_DOWN, 2),
    ("WB", QUARTER_TURNS, 4),
    ("WB", AS_DRAWN, 1),
]


@pytest.mark.parametrize(("pattern", "positions", "count"), COUNTS)
def test_positions_that_differ(pattern: str, positions: tuple[int, ...], count: int) -> None:
    made = rule(pattern, "*" * len(pattern.replace("/", "")), positions=positions)
    assert len(list_variants([made], LETTERS)) == count
    assert len(list_variants([made], LETTERS, merge=False)) == len(positions)


def _shares(root: Node, start: list[str], turns: int, runs: int = 6000) -> dict[str, float]:
    outcomes: Counter[str] = Counter()
    for seed in range(runs):
        tiles = grid(*start)
        apply(program(root), tiles, Rng.root(seed), turns=turns)
        outcomes["/".join(format_rows(tiles))] += 1
    return {outcome: count / runs for outcome, count in outcomes.items()}


@pytest.mark.parametrize(("pick", "share"), [("match", 1 / 4), ("rule", 1 / 2), ("token", 1 / 2)])
def test_three_meanings_of_picking_one(pick: str, share: float) -> None:
    root = Node("one", rules=(rule("R", "A", positions=AS_DRAWN), rule("G", "W", positions=AS_DRAWN)), pick=pick)
    found = _shares(root, ["RRRG"], 1, DRAWS)
    assert found["RRRW"] == pytest.approx(share, abs=0.035)


@pytest.mark.parametrize(("pick", "share"), [("match", 1 / 3), ("rule", 1 / 3), ("token", 1 / 2), ("first", 0)])
def test_a_place_of_its_own_token(pick: str, share: float) -> None:
    found = _shares(Node("one", rules=(rule("R*", "W*", positions=AS_DRAWN),), pick=pick), ["RRRG"], 1, DRAWS)
    assert found.get("RRWG", 0) == pytest.approx(share, abs=0.035)


def test_weights_of_results_and_rules() -> None:
    found = _shares(Node("one", rules=(rule("B", "W=1", "R=3", positions=AS_DRAWN),)), ["B"], 1, DRAWS)
    assert found["R"] == pytest.approx(3 / 4, abs=0.03)
    one_to_five = (rule("B", "W", positions=AS_DRAWN), rule("B", "R", positions=AS_DRAWN, weight=5))
    for pick in ("match", "rule"):
        found = _shares(Node("one", rules=one_to_five, pick=pick), ["B"], 1, DRAWS)
        assert found["R"] == pytest.approx(5 / 6, abs=0.03)
    turned = (rule("B", "W", positions=QUARTER_TURNS), rule("B", "R", positions=AS_DRAWN, weight=5))
    found = _shares(Node("one", rules=turned, pick="rule", merge=False), ["B"], 1, DRAWS)
    assert found["R"] == pytest.approx(5 / 9, abs=0.03)
    found = _shares(Node("one", rules=turned, pick="rule"), ["B"], 1, DRAWS)
    assert found["R"] == pytest.approx(5 / 6, abs=0.03)


@pytest.mark.parametrize(("kind", "pick"), [("one", "match"), ("one", "rule"), ("one", "token"), ("all", "match")])
def test_three_copies_of_a_rule_weigh_three(kind: str, pick: str) -> None:
    copies = tuple(rule("B", "W", positions=AS_DRAWN, name=f"copy {number}") for number in range(3))
    other = rule("B", "R", positions=AS_DRAWN)
    found = _shares(Node(kind, rules=(*copies[:2], other, copies[2]), pick=pick, limit=1), ["B"], 1, DRAWS)
    assert found["W"] == pytest.approx(3 / 4, abs=0.03)
    weighted = Node("one", rules=(copies[0]._replace(weight=3), other), pick=pick, limit=1)
    assert _shares(weighted, ["B"], 1, DRAWS)["W"] == pytest.approx(1 / 2 if pick == "token" else 3 / 4, abs=0.03)


@pytest.mark.parametrize("hashed", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_a_parallel_turn_is_sorted_by_rule_and_place(seed: int, hashed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if hashed:
        monkeypatch.setattr(engine, "MAX_BYTES_PER_CELL", 0)
    source = random.Random(seed)
    width, height = source.choice([(90, 60), (3, 400), (2100, 5), (17, 16)])
    rules = (
        rule("BB", "*W", chance=0.3),
        rule("WB/**", "*A/**", chance=0.5),
        rule("A", "B", positions=AS_DRAWN, chance=0.4),
        rule("W", "R=1", "B=2", positions=AS_DRAWN, limit=source.choice([0, 500])),
        rule("RB", "B*", positions=QUARTER_TURNS),
    )
    made = program(Node("parallel", rules=rules[: source.randint(3, 5)], limit=12))
    tiles = np.array([[source.choice([0, 0, 0, 1, 2]) for _ in range(width)] for _ in range(height)], np.uint8)
    before = tiles.copy()
    work = Engine(made, tiles, Rng.root(seed), remember=True)
    work.run(Run())
    variants = [number for number, row in enumerate(work.tables.rows) for _ in row.variant.results]
    rows = work.list_rewrites().tolist()
    keys = [(turn, variants[action], y, x) for turn, action, x, y in rows]
    assert keys == sorted(keys)
    assert len(rows) > 300
    state = before.copy()
    for turn in range(work.turns):  # every rewrite of a turn matched before the turn
        old = state.copy()
        for _, action, x, y in (row for row in rows if row[0] == turn):
            variant = work.tables.rows[variants[action]].variant
            box = old[y : y + variant.height, x : x + variant.width].reshape(-1).tolist()
            assert all(mask >> code & 1 for mask, code in zip(variant.pattern, box, strict=True))
            result = variant.results[action - variants.index(variants[action])]
            for index, code in enumerate(result.cells):
                if code != KEEP:
                    state[y + index // variant.width, x + index % variant.width] = code
    assert np.array_equal(state, tiles)


def test_a_weight_of_nothing_is_never_drawn() -> None:
    rules = (rule("B", "W", positions=AS_DRAWN, weight=0), rule("B", "R", positions=AS_DRAWN))
    for pick in ("match", "rule"):
        assert _shares(Node("one", rules=rules, pick=pick), ["B"], 1, 200) == {"R": 1}
        assert _shares(Node("one", rules=rules[:1], pick=pick), ["B"], 9, 20) == {"B": 1}
    assert _shares(Node("one", rules=(rule("B", "W=0", "R=1", positions=AS_DRAWN),)), ["B"], 1, 200) == {"R": 1}


def test_weight_times_matches() -> None:
    rules = (rule("R", "A", positions=AS_DRAWN, weight=3), rule("G", "W", positions=AS_DRAWN))
    found = _shares(Node("one", rules=rules), ["RRGGGG"], 1, DRAWS)
    assert sum(share for outcome, share in found.items() if "A" in outcome) == pytest.approx(6 / 10, abs=0.03)


def test_mazes_on_four_cells_have_the_exact_law() -> None:
    found = _shares(Node("one", rules=(rule("WBB", "WAW"),)), ["WBBB", "BBBB", "BBBB", "BBBB"], 0, 8000)
    assert len(found) == 4
    assert sorted(found.values()) == pytest.approx([1 / 8, 1 / 8, 3 / 8, 3 / 8], abs=0.025)


def test_limits_of_rules_and_leaves() -> None:
    tiles = np.zeros((4, 4), np.uint8)
    apply(program(Node("one", rules=(rule("B", "W", limit=3), rule("B", "R", limit=2)))), tiles, Rng.root(1))
    assert Counter("".join(format_rows(tiles))) == {"B": 11, "W": 3, "R": 2}
    tiles = np.zeros((4, 4), np.uint8)
    apply(program(Node("all", rules=(rule("B", "W", limit=3),))), tiles, Rng.root(1))
    assert Counter("".join(format_rows(tiles))) == {"B": 13, "W": 3}


def test_a_repeat_makes_so_many_passes() -> None:
    body = (Node("one", rules=(rule("B", "R"),), limit=2), Node("one", rules=(rule("R", "W"),), limit=1))
    tiles = np.zeros((4, 4), np.uint8)
    apply(
        program(
            Node(
                "sequence",
                children=(Node("repeat", children=body, limit=3), Node("one", rules=(rule("B", "G"),), limit=1)),
            )
        ),
        tiles,
        Rng.root(1),
    )
    assert Counter("".join(format_rows(tiles))) == {"B": 9, "R": 3, "W": 3, "G": 1}


def test_outside_is_a_tile() -> None:
    beside = Rule(
        "beside",
        1,
        2,
        (1 << LETTERS["U"], 1 << LETTERS["R"]),
        (Replacement((KEEP, LETTERS["W"])),),
        positions=QUARTER_TURNS,
    )
    tiles = grid("RBB", "BRB", "BBR")
    apply(program(Node("all", rules=(beside,), outside=LETTERS["U"])), tiles, Rng.root(1))
    assert format_rows(tiles) == ["WBB", "BRB", "BBW"]


def test_patterns_larger_than_the_map_never_match() -> None:
    tiles = grid("BB")
    engine = apply(program(Node("one", rules=(rule("BBB", "WWW"),))), tiles, Rng.root(1))
    assert (engine.rewrites, format_rows(tiles)) == (0, ["BB"])


def test_a_program_without_end_stops_at_its_budget() -> None:
    tiles = grid("BWBWBWBW")
    with pytest.raises(OutOfBudget, match="rewrites"):
        apply(program(Node("one", rules=(rule("BW", "WB"),))), tiles, Rng.root(1), Run(budget=10_000))


def test_many_matches_need_a_longer_list() -> None:
    tiles = np.zeros((64, 64), np.uint8)
    engine = apply(
        program(Node("one", rules=(rule("BB", "WW", positions=ALL_POSITIONS), rule("B", "R")))), tiles, Rng.root(1)
    )
    assert engine.rewrites > 2048
    assert int((tiles == 0).sum()) == 0


@pytest.mark.parametrize("kind", LEAF_KINDS)
def test_any_fuel_gives_the_same_map(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    outcomes = set()
    for fuel in (1, 3, 17, 1 << 18):
        monkeypatch.setattr("undercroft.core.run.FUEL_PER_CALL", fuel)
        tiles = np.zeros((12, 12), np.uint8)
        tiles[6, 6] = 1
        apply(program(Node(kind, rules=(rule("WB", "*W", chance=0.5),), limit=7)), tiles, Rng.root(5))
        outcomes.add("/".join(format_rows(tiles)))
    assert len(outcomes) == 1


def test_places_by_lot_follow_the_same_law() -> None:
    """Where there are too many matches for a list, places are tried by lot: each match is as likely as before, and none
    is left at the end.
    """
    leaf = Node(
        "one", rules=(rule("BB", "WW", positions=QUARTER_TURNS, weight=3), rule("BB", "RR", positions=QUARTER_TURNS))
    )
    engine = Engine(program(leaf), np.zeros((2, 3), np.uint8), Rng.root(1))
    engine.run(Run(), 1)
    assert engine.tables.nodes[1, columns.BY_LOT], "this one has no list"
    found = _shares(leaf, ["BBB", "BBB"], 1, 8000)
    matches = {"WWB/BBB": 2, "BWW/BBB": 2, "BBB/WWB": 2, "BBB/BWW": 2, "WBB/WBB": 2, "BWB/BWB": 2, "BBW/BBW": 2}
    total = 4 * sum(matches.values())
    assert len(found) == 2 * len(matches)
    for outcome, count in matches.items():
        assert found[outcome] == pytest.approx(3 * count / total, abs=0.02)
        assert found[outcome.replace("W", "R")] == pytest.approx(count / total, abs=0.015)
    tiles = np.zeros((40, 60), np.uint8)
    apply(program(leaf), tiles, Rng.root(7))
    assert not list(naive_matches(tiles, leaf))


def test_a_list_that_grows_too_long_is_given_up_for_places_by_lot() -> None:
    """Rules that bring a common tile back all the time: the list is never longer than a few entries a cell."""
    away = tuple(rule("BBB/BBB", f"{sign * 3}/{sign * 3}") for sign in "WARG")
    back = tuple(rule(f"{sign * 3}/{sign * 3}", "BBB/BBB") for sign in "WARG")
    tiles = np.zeros((48, 48), np.uint8)
    engine = Engine(program(Node("one", rules=away + back)), tiles, Rng.root(1))
    engine.run(Run(), 20_000)
    assert engine.rewrites == 20_000
    assert engine.lists.nbytes <= 40 * tiles.size


def test_memory_follows_the_cells_not_cells_times_variants() -> None:
    rules = tuple(
        rule("".join(source.choices("BWRG", k=4)) + "/BBBB", "WWWW/RRRR") for source in map(random.Random, range(80))
    )
    tiles = np.zeros((256, 256), np.uint8)
    engine = Engine(program(Node("one", rules=rules)), tiles, Rng.root(1))
    engine.run(Run())
    assert len(engine.tables.rows) > 500
    held = (
        engine.lists.nbytes
        + engine.hashes.nbytes
        + sum(engine._arrays[name].nbytes for name in ("grid", "bits", "log", "used", "marks", "queue"))
    )
    assert held <= 40 * tiles.size


def test_who_is_at_work_when_the_budget_ends() -> None:
    leaf = Node("one", "swap", rules=(rule("BW", "WB"),))
    with pytest.raises(OutOfBudget, match=r"still at work \(swap, [0-9,]+ rewrites\)"):
        apply(
            program(Node("sequence", children=(Node("one", "calm", rules=(rule("R", "G"),)), leaf))),
            grid("BWBWR"),
            Rng.root(1),
            Run(budget=10_000),
        )


def test_limits_of_rules_begin_anew_with_their_block() -> None:
    body = (Node("one", rules=(rule("B", "W", positions=AS_DRAWN, limit=2),)),)
    tiles = np.zeros((4, 4), np.uint8)
    apply(program(Node("repeat", children=body, limit=3)), tiles, Rng.root(1))
    assert Counter("".join(format_rows(tiles))) == {"B": 10, "W": 6}
    tiles = np.zeros((4, 4), np.uint8)
    apply(program(Node("sequence", children=body)), tiles, Rng.root(1))
    assert Counter("".join(format_rows(tiles))) == {"B": 14, "W": 2}


def test_what_was_used_up_is_armed_again_by_any_change_in_its_box() -> None:
    root = Node(
        "markov",
        children=(
            Node("one", rules=(rule("***", "*W*", positions=AS_DRAWN),)),
            Node("one", rules=(rule("W", "B", positions=AS_DRAWN),), limit=1),
        ),
    )
    tiles = grid("BBB")
    apply(program(root), tiles, Rng.root(1))
    assert format_rows(tiles) == ["BWB"], "the middle went back once, and was written again"


@pytest.mark.parametrize("kind", ["all", "parallel"])
def test_what_would_write_over_the_border_only_does_nothing(kind: str) -> None:
    beyond = Rule("beyond", 2, 1, (1 << LETTERS["B"], 1 << LETTERS["A"]), (Replacement((KEEP, LETTERS["R"])),))
    tiles = grid("B")
    engine = apply(program(Node(kind, rules=(beyond,), outside=LETTERS["A"])), tiles, Rng.root(1), Run(budget=10_000))
    assert (engine.rewrites, format_rows(tiles)) == (0, ["B"])
