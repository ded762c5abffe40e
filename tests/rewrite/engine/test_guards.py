"""Guards: what they refuse, what they let pass, and when a refused rewrite is tried again."""

from __future__ import annotations

import random
from collections import deque

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import ndimage

from support.maps import HEAVY, each
from support.programs import LETTERS, format_rows, grid, naive_matches, program, random_rule, rule
from undercroft.core.palette import Palette
from undercroft.core.rng import Rng
from undercroft.core.run import Run
from undercroft.rewrite.engine.engine import RING_GROUPS, Engine, apply
from undercroft.rewrite.model.program import AS_DRAWN, KEEP, Guard, Node, Program, Rule, tile_set
from undercroft.rewrite.model.symmetry import list_variants

Tiles = NDArray[np.uint8]
B, W, A, R = (LETTERS[sign] for sign in "BWAR")


def connected(*codes: int) -> Guard:
    return Guard("connected", tile_set(codes))


def parts(tiles: Tiles, mask: int) -> tuple[NDArray[np.int32], int]:
    """Labels by SciPy, four neighbours."""
    labels, count = ndimage.label(np.isin(tiles, _codes(mask)))
    return labels.astype(np.int32), count


def stays_whole(before: Tiles, after: Tiles, mask: int) -> bool:
    """The law: what was connected stays connected; no part appears that holds nothing of before, unless as many
    vanished, or it is the first.
    """
    old, old_count = parts(before, mask)
    new, new_count = parts(after, mask)
    born = sum(1 for part in range(1, new_count + 1) if not old[new == part].any())
    died = 0
    for part in range(1, old_count + 1):
        left = set(new[old == part].tolist()) - {0}
        if len(left) > 1:
            return False
        died += not left
    return born <= died or (old_count == 0 and born == 1)


def _codes(mask: int) -> list[int]:
    return [code for code in range(8) if mask >> code & 1]


def replayed(made: Program, start: Tiles, engine: Engine) -> list[tuple[Tiles, Tiles]]:
    """The map before and after every rewrite, written by hand."""
    writes = [(row, result) for row in engine.tables.rows for result in row.variant.results]
    tiles, states = start.copy(), []
    for _, action, x, y in engine.list_rewrites().tolist():
        row, result = writes[action]
        before = tiles.copy()
        for k, code in enumerate(result.cells):
            if code != KEEP:
                tiles[y + k // row.variant.width, x + k % row.variant.width] = code
        states.append((before, tiles.copy()))
    return states


def test_the_ring_of_a_cell() -> None:
    for around in range(256):
        spots = [(0, 1), (0, 2), (1, 2), (2, 2), (2, 1), (2, 0), (1, 0), (0, 0)]
        box = np.zeros((3, 3), bool)
        for k, spot in enumerate(spots):
            box[spot] = around >> k & 1
        labels, _ = ndimage.label(box)
        assert RING_GROUPS[around] == len({int(labels[spot]) for spot in ((0, 1), (1, 2), (2, 1), (1, 0))} - {0})


@each("seed", 120)
def test_no_rewrite_breaks_a_connection(seed: int) -> None:
    source = random.Random(seed)
    mask = tile_set(source.sample(range(4), source.randint(1, 2)))
    rules = tuple(
        random_rule(source)._replace(guards=(Guard("connected", mask),), name=f"r{k}")
        for k in range(source.randint(1, 3))
    )
    kind = source.choice(["one", "one", "all", "parallel"])
    made = program(Node(kind, rules=rules, limit=40, pick=source.choice(["match", "rule", "first"])))
    start = np.array([[source.randrange(4) for _ in range(source.randint(3, 10))]] * source.randint(3, 9), np.uint8)
    start = np.array([[source.choice([0, 0, 1, 2, 3]) for _ in row] for row in start.tolist()], np.uint8)
    tiles = start.copy()
    engine = Engine(made, tiles, Rng.root(seed), remember=True)
    engine.run(Run(), 60)
    states = replayed(made, start, engine)
    for before, after in states:
        assert stays_whole(before, after, mask)
    assert not states or (states[-1][1] == tiles).all()


@each("seed", 60)
def test_refused_is_only_what_would_break(seed: int) -> None:
    source = random.Random(seed)
    mask = tile_set(source.sample(range(4), source.randint(1, 2)))
    made = program(Node("one", rules=(random_rule(source)._replace(guards=(Guard("connected", mask),)),), limit=30))
    start = np.array([[source.choice([0, 1, 2, 3]) for _ in range(7)] for _ in range(6)], np.uint8)
    tiles = start.copy()
    engine = Engine(made, tiles, Rng.root(seed), remember=True)
    engine.run(Run(), 40)
    writes = [(row, result) for row in engine.tables.rows for result in row.variant.results]
    happened, refused = engine.list_rewrites().tolist(), engine.list_refused().tolist()
    states = [start, *(after for _, after in replayed(made, start, engine))]
    by_turn = {turn: k for k, (turn, *_) in enumerate(happened)}
    for turn, action, x, y in refused:
        k = by_turn.get(turn, len(happened))  # refused in a turn: on the map before that turn's rewrite
        row, result = writes[action]
        after = states[k].copy()
        for cell, code in enumerate(result.cells):
            if code != KEEP:
                after[y + cell // row.variant.width, x + cell % row.variant.width] = code
        assert not stays_whole(states[k], after, mask)


@pytest.mark.parametrize("side", [1, 2, 5, 16, 23])
def test_erosion_ends_with_a_tree_of_one_cell(side: int) -> None:
    tiles = np.full((side, side), W, np.uint8)
    engine = apply(program(Node("one", rules=(rule("W", "B", guards=(connected(W),)),))), tiles, Rng.root(side))
    assert int((tiles == W).sum()) == 0, "the last cell is a part that vanishes"
    assert engine.rewrites == side * side
    tiles = np.full((side, side), W, np.uint8)
    tiles[0, 0] = tiles[-1, -1] = R
    apply(program(Node("one", rules=(rule("W", "B", guards=(connected(W, R),)),))), tiles, Rng.root(side))
    assert parts(tiles, tile_set((W, R)))[1] == 1
    for y, x in np.argwhere(tiles == W).tolist():
        without = tiles.copy()
        without[y, x] = B
        assert parts(without, tile_set((W, R)))[1] == 2, "each cell that is left is needed"


def test_a_first_part_may_appear_and_no_second() -> None:
    tiles = np.zeros((9, 9), np.uint8)
    engine = apply(
        program(Node("one", rules=(rule("B", "W", positions=AS_DRAWN, guards=(connected(W),)),))), tiles, Rng.root(3)
    )
    assert engine.rewrites == 81
    tiles = grid("WBBBW")
    apply(program(Node("one", rules=(rule("BBB", "BWB", guards=(connected(W),)),))), tiles, Rng.root(3))
    assert format_rows(tiles) == ["WBBBW"]


def test_what_cannot_part_is_not_tested() -> None:
    guarded = (
        rule("WB", "WW", guards=(connected(W),)),
        rule("WBB", "WAW", guards=(connected(W, A),)),
        rule("RB", "BR", guards=(connected(W),)),
    )
    tiles = np.zeros((4, 4), np.uint8)
    engine = Engine(program(Node("one", rules=guarded)), tiles, Rng.root(1))
    assert not engine.tables.actions[:, 4].any()
    risky = (
        rule("WB", "BW", guards=(connected(W),)),
        rule("WBB", "WBW", guards=(connected(W),)),
        rule("*", "W", guards=(connected(W),)),
    )
    engine = Engine(program(Node("one", rules=risky)), tiles, Rng.root(1))
    assert engine.tables.actions[:, 4].all()


def test_a_proved_guard_gives_the_same_map() -> None:
    plain, guarded = np.zeros((30, 30), np.uint8), np.zeros((30, 30), np.uint8)
    plain[9, 9] = guarded[9, 9] = W
    apply(program(Node("one", rules=(rule("WBB", "WAW"),))), plain, Rng.root(5))
    apply(program(Node("one", rules=(rule("WBB", "WAW", guards=(connected(W, A),)),))), guarded, Rng.root(5))
    assert (plain == guarded).all()


@pytest.mark.parametrize("kind", ["one", "all", "parallel"])
def test_counts_stay_within_bounds(kind: str) -> None:
    tiles = np.zeros((6, 6), np.uint8)
    most = Guard("count", tile_set((W,)), most=7)
    apply(program(Node(kind, rules=(rule("B", "W", guards=(most,)),))), tiles, Rng.root(1))
    assert int((tiles == W).sum()) == 7
    least = Guard("count", tile_set((W, R)), least=5)
    apply(program(Node(kind, rules=(rule("W", "B", guards=(least,)),))), tiles, Rng.root(1))
    assert int((tiles == W).sum()) == 5
    apply(program(Node(kind, rules=(rule("W", "R", guards=(least,)),))), tiles, Rng.root(1))
    assert int((tiles == R).sum()) == 5, "what does not move the number is never refused"


def test_a_count_that_falls_again_lets_rules_go_on() -> None:
    most = Guard("count", tile_set((W,)), most=2)
    root = Node(
        "markov",
        children=(
            Node("one", rules=(rule("B", "W", positions=AS_DRAWN, guards=(most,)),)),
            Node("one", rules=(rule("W", "R", positions=AS_DRAWN),), limit=5),
        ),
    )
    tiles = np.zeros((5, 5), np.uint8)
    apply(program(root), tiles, Rng.root(1))
    assert (int((tiles == W).sum()), int((tiles == R).sum())) == (2, 5)


@each("seed", 40 if HEAVY else 15)
def test_distances_are_walked(seed: int) -> None:
    source = random.Random(seed)
    guard = Guard(
        "distance", tile_set((R,)), tile_set((R, A)) if seed % 2 else tile_set((R,)), least=source.randint(2, 12)
    )
    rules = (
        rule("B", "R", positions=AS_DRAWN, guards=(guard,)),
        rule("U", "B", positions=AS_DRAWN, guards=(guard,)),
    )
    start = np.array([[source.choice([B, B, LETTERS["U"]]) for _ in range(9)] for _ in range(7)], np.uint8)
    solid = LETTERS.tiles[LETTERS["U"]]._replace(walkable=False)
    palette = Palette([*LETTERS.tiles[:-1], solid], "letters")
    made = Program("test", palette, Node("one", rules=rules))
    tiles = start.copy()
    engine = Engine(made, tiles, Rng.root(seed), remember=True)
    engine.run(Run())
    table = LETTERS.walkable.copy()
    table[LETTERS["U"]] = False
    for _, after in replayed(made, start, engine):
        assert _nearest_on(after, guard, table) >= guard.least
    rows = list_variants(made.root.rules, palette)
    for number, x, y in naive_matches(tiles, made.root, palette):
        after = tiles.copy()
        after[y, x] = rows[number].results[0].cells[0]
        assert _nearest_on(after, guard, table) < guard.least, "what is left would come too near"
    assert engine.has_ended


def _nearest_on(tiles: Tiles, guard: Guard, walkable: NDArray[np.bool_]) -> int:
    height, width = tiles.shape
    best = 1 << 30
    ends = guard.tiles | guard.others
    for y, x in np.argwhere(np.isin(tiles, _codes(guard.tiles))).tolist():
        found, todo = {(x, y): 0}, deque([(x, y)])
        while todo:
            here = todo.popleft()
            if not walkable[tiles[here[1], here[0]]] and here != (x, y):
                continue
            for near in (
                (here[0] + 1, here[1]),
                (here[0] - 1, here[1]),
                (here[0], here[1] + 1),
                (here[0], here[1] - 1),
            ):
                if 0 <= near[0] < width and 0 <= near[1] < height and near not in found:
                    code = int(tiles[near[1], near[0]])
                    if walkable[code] or ends >> code & 1:
                        found[near] = found[here] + 1
                        todo.append(near)
        best = min(
            [
                best,
                *(
                    steps
                    for cell, steps in found.items()
                    if cell != (x, y) and guard.others >> int(tiles[cell[1], cell[0]]) & 1
                ),
            ]
        )
    return best


def test_refusals_are_counted() -> None:
    guarded: Rule = rule("B", "W", positions=AS_DRAWN, guards=(Guard("count", tile_set((W,)), most=1),))
    tiles = np.zeros((3, 3), np.uint8)
    engine = apply(program(Node("one", rules=(guarded,))), tiles, Rng.root(1))
    assert engine.count_refusals() == {guarded: 8}
