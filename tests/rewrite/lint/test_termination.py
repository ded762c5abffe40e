"""Does it end? Proofs are held against runs, ways to go on for ever are walked, and the search for weights is held
against SciPy.
"""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest
from numpy.typing import NDArray

from support.maps import HEAVY
from support.programs import naive_matches, program, rule
from undercroft import Rules
from undercroft.core.rng import Rng
from undercroft.core.run import Run
from undercroft.rewrite.engine.engine import Engine
from undercroft.rewrite.lint import endless_runs
from undercroft.rewrite.lint.finding import Budget, Finding, RulesSubject
from undercroft.rewrite.lint.loops import RuleLoop, analyse_loops
from undercroft.rewrite.lint.termination_proof import TurnBound, bound_turns, prove_termination
from undercroft.rewrite.lint.tile_weights import Change, build_change, find_lowering_weights, worst_case_sum
from undercroft.rewrite.lint.tiny_interpreter import Move, TinyInterpreter, Unsure
from undercroft.rewrite.model.program import (
    ALL_POSITIONS,
    ANY,
    AS_DRAWN,
    KEEP,
    LEFT_RIGHT,
    QUARTER_TURNS,
    Area,
    Node,
    Program,
    Replacement,
    Rule,
    tile_set,
)

Tiles = NDArray[np.uint8]

ROOM = """
one  room, turned, results 3:1
    ?#+#?      ?#+#?     ?#+#?
    ?XXX?  ->  ?+.+?  |  ?#o#?
    ?XXX?      ?#+#?     ?###?
"""


def ends(text: str, size: tuple[int, int] | None = None) -> list[Finding]:
    return [finding for finding in Rules.parse(text, "x.rules").lint(size) if finding.kind == "ends"]


@pytest.mark.parametrize(
    ("text", "bound", "weights"),
    [
        (
            "palette letters BWA\npositions all\none  WBB -> WAW",
            "1 rewrite for every 2 cells",
            ["every rewrite uses up `B`"],
        ),
        ("palette letters BW\none  B -> W", "1 rewrite a cell", ["every rewrite uses up `B`"]),
        ("palette letters BW\npositions all\none  WB -> WW", "1 rewrite a cell", ["every rewrite uses up `B`"]),
        (ROOM, "1 rewrite for every 6 cells", ["every rewrite of 'room' uses up `X`"]),
        (
            "palette letters BRGW\npositions all\nmarkov\n    one  RBB -> GGR\n    one  RGG -> WWR",
            "1 rewrite a cell",
            ["every rewrite lowers 2 x `B` + `G`"],
        ),
        (
            "palette letters BRGW\none  B -> R, once\none  RB -> GR, turned",
            "1 rewrite a cell, and 1 more",
            ["every rewrite uses up `B`"],
        ),
        ("palette letters BW\nparallel  WB -> WW, turned", "1 turn a cell", ["every turn uses up `B`"]),
        ("palette letters BW\nall  WB -> WW, turned, up to 5 times", "5 turns", []),
        (
            "palette letters BW\nrepeat  3 times\n    one  B -> W\n    one  W -> B, once",
            "3 rewrites a cell, and 3 more",
            ["every rewrite uses up `B`"],
        ),
        (
            "palette letters BW\none\n    B -> W\n    rule, up to 5 times\n        W -> B",
            "1 rewrite a cell, and 10 more",
            ["every rewrite uses up `B`"],
        ),
        (
            "palette letters BWG\nmarkov\n    one  W -> B, up to 5 times\n    one  BB -> GG",
            "1 rewrite for every 2 cells, and 7 more",
            ["every rewrite uses up `B`"],
        ),
        ("one  dig, each room, up to 2 times\n    . -> o", "2 rewrites a cell", []),
        ("one  {not ?} -> .", None, []),
        ("palette letters AB\nall  A{B or A} -> BB, outside B", "1 rewrite a cell", ["every rewrite uses up `A`"]),
    ],
)
def test_a_program_that_ends_is_certified(text: str, bound: str | None, weights: list[str]) -> None:
    [finding] = ends(text)
    assert finding.severity == "note"
    assert finding.problem == (f"it ends: after at most {bound}" if bound else "it ends: nothing can ever match")
    assert [line.strip() for line in finding.picture.split("\n") if line] == weights


def test_a_size_makes_the_bound_a_number() -> None:
    [finding] = ends("palette letters BWA\npositions all\none  B -> W, once\none  WBB -> WAW", (25, 25))
    assert finding.problem == "it ends: after at most 313 rewrites on a map of 25x25"


def test_what_changes_nothing_is_used_up() -> None:
    [finding] = ends("one  dig, turned\n    #. -> #. | ..")
    assert finding.problem == "it ends: every change lowers a sum, and turns that change nothing do not go on for ever"
    assert finding.picture == "  every change of 'dig' uses up `#`"


CYCLES = [
    ("palette letters AB\none  there\n    A -> B\none  back\n    B -> A", []),
    (
        "palette letters AB\nrepeat\n    one  there\n        A -> B\n    one  back\n        B -> A",
        ["'there' and 'back' undo each other", "A  ->  B  ->  A"],
    ),
    (
        "palette letters AB\none  x\n    A -> B\n    B -> A",
        ["'x 1' and 'x 2' undo each other", "A  ->  B  ->  A"],
    ),
    (
        "palette letters BW\npositions all\none  war\n    WB -> WW\n    BW -> BB",
        ["'war 1' and 'war 2' undo each other", "BBW  ->  BWW  ->  BBW"],
    ),
    (
        "palette letters BRG\npositions all\nmarkov\n    one  ahead\n        RB -> GR\n    one  back\n        RG -> BR",
        ["'ahead' and 'back' undo each other", "RG  ->  BR  ->  RG"],
    ),
    (
        "palette letters BRG\nmarkov\n    one  ahead, turned\n        RB -> BR",
        ["2 turns of 'ahead' lead back to the same map", "BR  ->  RB  ->  BR"],
    ),
    (
        "palette letters ABC\nsequence\n    sequence\n"
        "        one  a\n            A -> B\n        all  b\n            B -> C\n"
        "        parallel  c\n            C -> A",
        ["3 turns of 'a', 'b' and 'c' lead back to the same map", "A  ->  B  ->  C  ->  A"],
    ),
    (
        "palette letters AB\nall  same\n    {A or B} -> B, chance 50%",
        ["'same' can match and change nothing", "B  ->  B"],
    ),
    ("palette letters AB\nall  same\n    AB -> AB", ["'same' can match and change nothing", "AB  ->  AB"]),
    (
        "palette letters AB\none  same, pick by rule\n    AB -> AB",
        ["'same' can match and change nothing", "AB  ->  AB"],
    ),
    ("palette letters ABC\nall  over, outside A\n    BA -> ?C", ["'over' can match and change nothing", "B  ->  B"]),
    (
        "palette letters AB\nparallel  life\n    A/A -> B/B\n    B/B -> A/A",
        ["'life 1' and 'life 2' undo each other", "A      B      A\nA  ->  B  ->  A"],
    ),
]


@pytest.mark.parametrize(("text", "told"), CYCLES, ids=[str(number) for number in range(len(CYCLES))])
def test_a_way_to_go_on_for_ever_is_shown(text: str, told: list[str]) -> None:
    found = ends(text)
    if not told:
        assert [finding.severity for finding in found] == ["note"], "one after the other is no loop"
        return
    [finding] = found
    assert finding.severity == "warning"
    assert finding.problem == f"it may run forever: {told[0]}"
    assert "\n".join(line.strip() for line in finding.picture.split("\n")) == told[1]


@pytest.mark.parametrize(
    "text",
    [
        "palette letters AB\nall  A -> A | B",  # one day it comes
        "palette letters AB\none  walk\n    AB -> BA",  # it ends, but not because of a sum
        "palette letters AB\none  walk, keep connected(A)\n    A -> B\n    B -> A",
        # a match comes back when a cell changes that it asks for
        "palette letters AB\none  used up\n    ??? -> ?B?\n    B -> A",
    ],
)
def test_neither_is_said_to_be_neither(text: str) -> None:
    [finding] = ends(text)
    assert finding.severity == "note"
    assert finding.problem == "it may run forever: there is no proof that it ends, and no endless run was found"


def test_only_tiles_that_can_stand_there_count() -> None:
    text = "palette letters ABC\none  x\n    A -> B\none  y\n    rule  back, turned\n        BC -> CB"
    assert [finding.severity for finding in ends(text)] == ["warning"]
    assert [finding.severity for finding in ends(text, (4, 4))] == ["note"], "no C is ever there"


def test_long_cycles_are_cut() -> None:
    letters = "ABCDEFGHIJ"
    rules = "".join(f"    {old} -> {new}\n" for old, new in pairwise(letters + "A"))
    [finding] = ends(f"palette letters {letters}\none  ring\n{rules}")
    assert finding.problem.startswith("it may run forever: 10 turns of 'ring 1', ")
    assert finding.picture == "    A  ->  B  ->  C  ->  D  ->  ...  ->  A"


# --- proofs against runs


def random_rule(source: random.Random, number: int) -> Rule:
    wide, high = source.choice([(1, 1), (2, 1), (2, 1), (3, 1), (2, 2), (1, 2)])
    tiles = source.choice([2, 3, 4])
    pattern = tuple(
        ANY if source.random() < 0.1 else tile_set(source.sample(range(tiles), source.choice([1, 1, 1, 2])))
        for _ in range(wide * high)
    )
    cells = [tuple(source.choice([KEEP, *range(tiles)]) for _ in pattern) for _ in range(source.choice([1, 1, 2]))]
    results = tuple(Replacement(each, 1 if not at else source.choice([0, 1, 2])) for at, each in enumerate(cells))
    positions = source.choice([AS_DRAWN, AS_DRAWN, QUARTER_TURNS, LEFT_RIGHT, ALL_POSITIONS])
    return Rule(
        f"r{number}",
        wide,
        high,
        pattern,
        results,
        positions=positions,
        limit=source.choice([0, 0, 0, 0, 3]),
        chance=source.choice([1, 1, 1, 0.5]),
    )


def random_program(number: int) -> Program:
    """All kinds of nodes and nests, with rules of a few cells."""
    source = random.Random(number)
    leaves = [
        Node(
            source.choice(["one", "one", "one", "all", "parallel"]),
            rules=tuple(random_rule(source, 10 * at + k) for k in range(source.choice([1, 1, 2, 3]))),
            limit=source.choice([0, 0, 0, 4]),
            outside=source.choice([-1, -1, -1, 0]),
            pick=source.choice(["match", "match", "rule", "first", "token"]),
        )
        for at in range(source.choice([1, 1, 2, 2, 3]))
    ]
    if len(leaves) == 1:
        return program(
            leaves[0] if source.random() < 0.7 else Node(source.choice(["repeat", "markov"]), children=tuple(leaves))
        )
    kind = source.choice(["sequence", "markov", "markov", "repeat"])
    if source.random() < 0.4:
        inner = source.choice(["sequence", "markov", "repeat"])
        leaves = [
            leaves[0],
            Node(inner, children=tuple(leaves[1:]), limit=source.choice([0, 2]) if inner == "repeat" else 0),
        ]
    return program(Node(kind, children=tuple(leaves), limit=source.choice([0, 3]) if kind == "repeat" else 0))


def test_no_run_takes_longer_than_its_proof_says() -> None:
    certified = bounded = 0
    for number in range(2000 if HEAVY else 300):
        made = random_program(number)
        subject = RulesSubject(made)
        taken = analyse_loops(made.root)
        proofs = [prove_termination(subject, loop, ANY) for loop in taken.loops]
        if None in proofs:
            continue
        certified += 1
        bound: TurnBound | None = TurnBound()
        for proof in proofs:
            bound = bound.plus(proof.bound) if bound and proof and proof.bound else None
        for leaf, limit in taken.limited:
            bound = bound.plus(bound_turns(leaf, limit)) if bound else None
        in_turns = any(proof and proof.in_turns for proof in proofs) or any(
            leaf.kind != "one" for leaf, _ in taken.limited
        )
        bounded += bound is not None
        source = random.Random(number)
        for wide, high in ((4, 3), (6, 6), (2, 7), (1, 1)):
            start = np.array([[source.randrange(4) for _ in range(wide)] for _ in range(high)], np.uint8)
            for seed in range(20 if HEAVY else 5):
                engine = Engine(made, start.copy(), Rng.root(seed), remember=True)
                engine.run(Run(budget=2_000_000))  # OutOfBudget if the proof is wrong
                count = len(set(engine.list_rewrites()[:, 0].tolist())) if in_turns else engine.rewrites
                if bound:
                    assert count <= bound.total_for(wide * high), (number, wide, high, seed)
    assert certified > 60
    assert bounded > 50


def test_a_sum_is_no_proof_where_only_some_cells_are_written() -> None:
    """Every match lowers the sum, and still it goes on: of two that overlap, one is not written whole."""
    rules = (
        Rule("a", 2, 1, (0b1000, 0b1), (Replacement((2, 3)),), positions=QUARTER_TURNS),
        Rule("b", 2, 1, (0b1010, 0b1), (Replacement((0, KEEP)),), positions=QUARTER_TURNS),
    )
    for kind, proved in (("one", True), ("all", True), ("parallel", False)):
        made = program(Node(kind, rules=rules))
        [loop] = analyse_loops(made.root).loops
        assert (prove_termination(RulesSubject(made), loop, ANY) is not None) == proved
        ended = []
        for seed in range(20):
            engine = Engine(made, np.random.default_rng(seed).integers(0, 4, (4, 5), np.uint8), Rng.root(seed))
            engine.run(Run(), 3000)
            ended.append(engine.has_ended)
        assert all(ended) == proved


def test_a_bound_can_be_reached() -> None:
    for text, size in (
        ("palette letters BW\none  B -> W", (5, 5)),
        ("palette letters BRGW\none  B -> R\nall  R -> G", (4, 3)),
    ):
        rules = Rules.parse(text, "x.rules")
        engine = Engine(rules.program, np.zeros((size[1], size[0]), np.uint8), Rng.root(1))
        engine.run(Run())
        [finding] = ends(text, size)
        assert f"at most {engine.rewrites} rewrites" in finding.problem


# --- ways to go on for ever, walked


def wrapped(made: Program, loop: RuleLoop) -> Node:
    """A loop as a program of its own; one that stands in another branch begins anew."""
    return (
        Node("sequence", children=(loop.node,))
        if loop.node is not made.root and loop.node.kind in {"sequence", "markov"}
        else loop.node
    )


def walked(leaf_moves: tuple[Move, ...], tiles: Tiles) -> Tiles:
    """The map after some rewrites of one turn, each of which must be a match before it."""
    after = tiles.copy()
    high, wide = tiles.shape
    written: Counter[tuple[int, int]] = Counter()
    for move in leaf_moves:
        alone = Node(
            move.leaf.kind, rules=(move.rule._replace(positions=(move.variant.position,)),), outside=move.leaf.outside
        )
        assert (0, move.x, move.y) in set(naive_matches(tiles, alone))
        for k, code in enumerate(move.variant.results[move.result].cells):
            x, y = move.x + k % move.variant.width, move.y + k // move.variant.width
            if code != KEEP and 0 <= x < wide and 0 <= y < high:
                after[y, x] = code
                written[x, y] += 1
    kind = leaf_moves[0].leaf.kind
    assert kind != "one" or len(leaf_moves) == 1
    assert kind != "all" or max(written.values(), default=1) == 1
    return after


def test_a_cycle_leads_back_to_its_map() -> None:
    found = come_back = 0
    for number in range(1500 if HEAVY else 250):
        made = random_program(number)
        subject = RulesSubject(made)
        for loop in analyse_loops(made.root).loops:
            if prove_termination(subject, loop, ANY) is not None:
                continue
            cycle = endless_runs.find_cycle(subject, loop, ANY, Budget(60_000))
            if cycle is None:
                continue
            found += 1
            maps = [np.frombuffer(each, np.uint8).reshape(cycle.height, cycle.width) for each in cycle.maps]
            assert np.array_equal(maps[0], maps[-1])
            for before, moves, after in zip(maps, cycle.moves, maps[1:], strict=False):
                assert np.array_equal(walked(moves, before), after), number
            come_back += len(cycle.moves) > 2 or not cycle.fresh or _comes_back(program(wrapped(made, loop)), maps[0])
    assert found > 80
    assert come_back >= found - 1, "the engine does come back, but chance may be against it"


def _comes_back(made: Program, start: Tiles) -> bool:
    """Whether some run of the engine comes back to the map, or never leaves it and never ends."""
    for seed in range(200):
        tiles = start.copy()
        engine = Engine(made, tiles, Rng.root(seed))
        left = False
        for turn in range(1, 16):
            engine.run(Run(), turn)
            left = left or not np.array_equal(tiles, start)
            if left and np.array_equal(tiles, start):
                return True
        if not left and not engine.has_ended:
            engine.run(Run(), 2000)
            if not engine.has_ended:
                return True
    return False


def test_the_slow_twin_knows_every_turn_of_the_engine() -> None:
    """Whatever the engine does on a tiny map is one of the turns that the twin foretold."""
    compared = 0
    for number in range(1000):
        source = random.Random(number)
        made = random_program(number)
        if any(
            leaf.kind == "all" or rule.limit or rule.chance < 1 for leaf in made.root.leaves() for rule in leaf.rules
        ):
            continue
        tiles = np.array([[source.randrange(4) for _ in range(3)] for _ in range(2)], np.uint8)
        machine = TinyInterpreter(RulesSubject(made), made.root, Budget(10**9))
        machine.width, machine.height = 3, 2
        engine = Engine(made, tiles, Rng.root(number))
        states = {machine.initial_state()}
        for turn in range(1, 30):
            before = tiles.tobytes()
            if not all(_sure(machine, state, before) for state in states):
                break
            engine.run(Run(), turn)
            following = {
                after
                for state in states
                for _, after, changed in machine.next_turns(state, before)
                if changed == tiles.tobytes()
            }
            assert following, (number, turn)
            states = following
            compared += 1
            if engine.has_ended:
                assert any(state.now < 0 for state in states), number
                break
            assert not all(state.now < 0 for state in states)
    assert compared > 200


def _sure(machine: TinyInterpreter, state: object, tiles: bytes) -> bool:
    """Whether the twin tells all: nothing is used up, nothing left out because there are too many ways or because it
    changes nothing.
    """
    for leaf in machine.nodes:
        if not leaf.rules:
            continue
        matches = machine.find_matches(leaf, tiles)
        moves = [
            Move(leaf, rule, shape, at, x, y)
            for rule, shape, x, y in matches
            for at, result in enumerate(shape.results)
            if result.weight
        ]
        if any(all(tiles[cell] == code for cell, code in machine.writes(move).items()) for move in moves):
            return False
        ways = 1
        for _, shape, *_ in matches:
            ways *= sum(result.weight > 0 for result in shape.results)
        if (len(moves) if leaf.kind == "one" else ways) >= 12:
            return False
        try:
            list(machine.leaf_turns(leaf, tiles))
        except Unsure:
            return False
    return True


# --- weights


def test_weights_are_found_whenever_there_are_any() -> None:
    """SciPy solves the same problem with all cases of all changes written out."""
    from scipy.optimize import linprog

    found = missed = 0
    for number in range(300):
        source = random.Random(number)
        tiles = source.randint(2, 5)
        changes = [made for _ in range(source.randint(1, 5)) if (made := _random_change(source, tiles))]
        rows = [row for each in changes for row in _cases(each, tiles)]
        if not rows:
            continue
        solved = linprog([1] * tiles, A_ub=rows, b_ub=[-1] * len(rows), bounds=(0, None)).status == 0
        weights = find_lowering_weights(changes, tiles)
        assert (weights is not None) == solved, number
        if weights:
            found += 1
            assert all(sum(row[tile] * weights.of[tile] for tile in range(tiles)) <= -weights.falls for row in rows)
            assert max(worst_case_sum(each, weights.of) for each in changes) == -weights.falls < 0
        else:
            missed += 1
    assert found > 80
    assert missed > 80


def _random_change(source: random.Random, tiles: int) -> Change:
    return build_change(
        (tile_set(source.sample(range(tiles), source.choice([1, 1, 2]))), source.randrange(tiles))
        for _ in range(source.randint(1, 4))
    )


def _cases(each: Change, tiles: int) -> list[list[int]]:
    """Every way the cells can have looked before, except that nothing changes: what it adds of each tile."""
    cells = [(olds, new) for (olds, new), times in each for _ in range(times)]
    rows = []
    for before in product(*([tile for tile in range(tiles) if olds >> tile & 1] for olds, _ in cells)):
        if any(old != new for old, (_, new) in zip(before, cells, strict=True)):
            row = [0] * tiles
            for old, (_, new) in zip(before, cells, strict=True):
                row[old] -= 1
                row[new] += 1
            rows.append(row)
    return rows


def test_hard_problems_are_solved_exactly() -> None:
    chain = find_lowering_weights([build_change([(1 << tile, tile + 1)]) for tile in range(61)], 62)
    assert chain is not None
    assert chain.of == tuple(range(61, -1, -1))
    doubling = find_lowering_weights(
        [
            *(build_change([(1 << tile, tile + 1), (1 << 20, tile + 1)]) for tile in range(20)),
            build_change([(1 << 19, 20)]),
        ],
        21,
    )
    assert doubling is not None
    assert doubling.of[0] == 2**20 - 1


def test_what_cannot_be_solved_in_time_is_not_claimed() -> None:
    source = random.Random(1)
    changes = [build_change([(1 << source.randrange(62), source.randrange(62)) for _ in range(9)]) for _ in range(2000)]
    assert find_lowering_weights([each for each in changes if each], 62) is None


# --- taking programs apart


@pytest.mark.parametrize(
    ("root", "loops", "limited"),
    [
        (Node("one", rules=(rule("B", "W"),)), ["one 1"], []),
        (Node("one", rules=(rule("B", "W"),), limit=7), [], [7]),
        (Node("sequence", children=(Node("one"), Node("all", limit=2))), ["one 1"], [2]),
        (Node("markov", children=(Node("one"), Node("all", limit=2))), ["markov 1+1"], []),
        (
            Node("sequence", children=(Node("sequence", children=(Node("one", limit=3), Node("one"))),)),
            ["sequence 2 again"],
            [],
        ),
        (
            Node("markov", children=(Node("one", limit=3), Node("repeat", limit=2, children=(Node("one"),)))),
            ["markov 1+1 again"],
            [],
        ),
        (
            Node(
                "repeat",
                limit=3,
                children=(Node("one"), Node("all", limit=2), Node("repeat", limit=2, children=(Node("one"),))),
            ),
            ["one 1 x3", "one 1 x6"],
            [6],
        ),
        (Node("repeat", children=(Node("one"), Node("all", limit=2))), ["repeat 2 again"], []),
    ],
)
def test_what_loops_and_what_is_limited(root: Node, loops: list[str], limited: list[int]) -> None:
    taken = analyse_loops(root)
    told = [
        f"{loop.node.kind} {len(loop.leaves)}"
        + f"+{len(loop.capped)}" * bool(loop.capped)
        + f" x{loop.passes}" * (loop.passes > 1)
        + " again" * loop.again
        for loop in taken.loops
    ]
    assert told == loops
    assert [turns for _, turns in taken.limited] == limited


def test_limits_of_rules_count_anew_where_a_block_begins_anew() -> None:
    """So they prove nothing there; and where a node goes room by room they count for each room."""
    capped = Rule("back", 1, 1, (2,), (Replacement((0,)),), limit=3)
    free = Rule("there", 1, 1, (1,), (Replacement((1,)),))
    leaf = Node("one", rules=(free, capped))
    for root, proved in (
        (leaf, True),
        (Node("repeat", children=(leaf,)), False),
        (Node("repeat", children=(leaf,), limit=4), True),
    ):
        made = program(root)
        [loop] = analyse_loops(root).loops
        proof = prove_termination(RulesSubject(made), loop, ANY)
        assert (proof is not None) == proved
        tiles = np.zeros((4, 4), np.uint8)
        engine = Engine(made, tiles, Rng.root(1))
        engine.run(Run(), 5000)
        assert engine.has_ended == proved
        if proof and proof.bound:
            assert engine.rewrites <= proof.bound.total_for(16)
    each = leaf._replace(each=Area("room"))
    [loop] = analyse_loops(Node("markov", children=(each,))).loops
    assert prove_termination(RulesSubject(program(loop.node)), loop, ANY) is None, (
        "it goes through all rooms each time it is asked"
    )
    [loop] = analyse_loops(each).loops
    proof = prove_termination(RulesSubject(program(each)), loop, ANY)
    assert proof is not None
    assert proof.bound == TurnBound(each_cell=Fraction(1 + 3 + 3)), (
        "each cell falls once, and once more for each of three times in each room"
    )
