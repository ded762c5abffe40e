"""The solver of locks and keys, against drawings, and against playing every level in every way."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import undercroft as uc
from support.maps import HEAVY, Bites, after, interpreted
from support.plays import Play
from undercroft import limits
from undercroft.analysis.solver import puzzle, states
from undercroft.analysis.solver import solve as solver
from undercroft.analysis.solver.distances import SpotDistances
from undercroft.analysis.solver.proof import prove_puzzle
from undercroft.analysis.solver.puzzle import Puzzle
from undercroft.analysis.solver.solve import Event, find_reachable_cells, prove, solve
from undercroft.analysis.solver.spare_doors import drop_spare_doors
from undercroft.core.draft import Draft
from undercroft.core.level import Level
from undercroft.core.region import Thing
from undercroft.core.run import Run
from undercroft.errors import BadInput, OutOfBudget
from undercroft.steps.locks.locks import Locks

MAPS = 6000 if HEAVY else 400


def level(picture: str, *things: Thing) -> Level:
    """A drawing: r, b and g are the red, blue and green key, R, B and G their locks; 1 to 4 are one-way doors to the
    north, east, south and west.
    """
    names = {"r": "red", "b": "blue", "g": "green"}
    rows = picture.strip("\n").split("\n")
    indent = min(len(row) - len(row.lstrip()) for row in rows if row.strip())
    found = list(things)
    for y, row in enumerate(rows := [row[indent:].rstrip() for row in rows if row.strip()]):
        for x, sign in enumerate(row):
            if sign in names:
                found.append(Thing("key", x, y, {"opens": names[sign]}))
            elif sign.lower() in names:
                found.append(Thing("lock", x, y, {"key": names[sign.lower()]}))
            elif sign in "1234":
                found.append(Thing("one-way", x, y, {"to": "NESW"[int(sign) - 1]}))
    table = str.maketrans("rbgRBG1234", "...LLL....")
    draft = Draft.of(Level.parse("\n".join(rows).translate(table)))
    draft.things = found
    return draft.level()


# --- by hand ----------------------------------------------------------------------------------------------------------


def test_the_key_is_fetched_first() -> None:
    solution = solve(
        level("""
        #########
        #r..<.R>#
        #########
    """)
    )
    assert (solution.solvable, solution.unlosable, solution.length, solution.backtrack) == (True, True, 9, 3)
    assert solution.cells[:, 0].tolist() == [4, 3, 2, 1, 2, 3, 4, 5, 6, 7]
    assert solution.events == (Event("take", 1, 1, "red", 3), Event("open", 6, 1, "red", 8))
    assert solution.order == ((6, 1),)
    assert (solution.depth, solution.depths) == (1, {(6, 1): 1})
    assert solution.counterexample is None
    assert not solution.needs_secrets


def test_the_key_behind_its_own_lock() -> None:
    solution = solve(
        level("""
        #######
        #<.R.r#
        #...#.#
        #####>#
    """)
    )
    assert (solution.solvable, solution.unlosable, solution.length, solution.backtrack) == (False, False, None, None)
    assert solution.counterexample == ()
    assert str(solution) == "not solvable: nothing that can be had opens the red door at (3, 1)"


def test_each_key_behind_the_other_lock() -> None:
    solution = solve(
        level("""
        ###########
        #b.R.<.B.r#
        ##.#####.##
        ##...>...##
        ###########
    """)
    )
    assert (
        str(solution) == "not solvable: nothing that can be had opens the red door at (3, 1), the blue door at (7, 1)"
    )


def test_a_lock_that_nothing_opens() -> None:
    assert str(solve(Level.parse("<.L.L>"))) == "not solvable: nothing that can be had opens the door at (2, 0)"
    assert str(solve(Level.parse("<.#.>"))) == "not solvable: no way leads to the end"
    many = solve(Level.parse("\n".join(["LLLLL", "L.<.L", "LLLLL", "....>"])))
    assert (
        many.reason
        == "nothing that can be had opens the door at (1, 0), the door at (2, 0), the door at (3, 0) and 5 more"
    )


ONE_KEY_TWO_DOORS = """
    #########
    #.R.<.R>#
    ###.r.###
    #########
"""


def test_a_key_that_breaks_can_be_wasted() -> None:
    wasted = solve(level(ONE_KEY_TWO_DOORS), keys="consumed")
    assert (wasted.solvable, wasted.unlosable, wasted.length) == (True, False, 5)
    assert wasted.counterexample is not None
    assert [str(event) for event in wasted.counterexample] == [
        "take the red key at (4, 2)",
        "open the red door at (2, 1)",
    ]
    assert solve(level(ONE_KEY_TWO_DOORS)).unlosable, "a key that is kept cannot be"


def test_the_key_itself_says_whether_it_breaks() -> None:
    told = level(ONE_KEY_TWO_DOORS.replace("r", "."), Thing("key", 4, 2, {"opens": "red", "consumed": True}))
    assert not solve(told).unlosable
    assert solve(told, keys="kept").unlosable


def test_two_keys_that_break_are_enough_for_two_doors_of_their_colour() -> None:
    assert solve(level(ONE_KEY_TWO_DOORS.replace("###.r.###", "###rr.###")), keys="consumed").unlosable


def test_a_key_behind_a_door_of_its_own_colour() -> None:
    """Solved by the right door first; the wrong one takes the only key."""
    solution = solve(
        level("""
        ###########
        #.R..<..R.#
        #####r###r#
        #....R....#
        #>#########
    """),
        keys="consumed",
    )
    assert solution.solvable
    assert not solution.unlosable
    assert solution.counterexample is not None
    assert solution.counterexample[-1] == Event("open", 2, 1, "red")


def test_a_one_way_door_that_leaves_a_key_behind() -> None:
    trap = level("""
        #########
        #r.<2.R>#
        #########
    """)
    solution = solve(trap)
    assert (solution.solvable, solution.unlosable, solution.length) == (True, False, 8)
    assert [str(event) for event in solution.counterexample or ()] == ["pass the one-way door at (4, 1)"]
    assert [str(event) for event in solution.events] == [
        "take the red key at (1, 1)",
        "pass the one-way door at (4, 1)",
        "open the red door at (6, 1)",
    ]
    assert not solve(level("#r<4.>#")).solvable, "and nobody walks through it the wrong way"


def test_a_one_way_door_is_entered_and_left_in_its_direction_only() -> None:
    assert solve(level("<2.>")).length == 3
    assert solve(level("<1.>")).length is None
    assert solve(level("..\n<1\n.>")).length == 2
    assert solve(level("..\n.1\n<>")).length == 1
    corner = level("""
        .>
        .2
        <.
    """)
    assert solve(corner).length == 3, "not through the door from below"


def test_a_way_around_that_leads_over_a_key_is_none() -> None:
    """Who goes through the door has no key, and behind the next one it is too late."""
    trap = level("""
        #########
        #<.2.2R>#
        ##.r.####
    """)
    assert (solve(trap).solvable, solve(trap).unlosable) == (True, False)
    assert drop_spare_doors(puzzle_of(trap), Run()).dropped == ()
    wide = level("""
        #########
        #<.2.2R>#
        ##...####
        ##.r.####
    """)
    assert [spot[:2] for spot in drop_spare_doors(puzzle_of(wide), Run()).dropped] == [(3, 1)]
    assert not solve(wide).unlosable


def puzzle_of(given: Level, keys: Any = None) -> Puzzle:
    found = puzzle.read_puzzle(given, keys=keys)
    assert found is not None
    return found


def hall(number: int) -> Level:
    """A wide place with many one-way doors and few locks: most of the doors can be walked around."""
    chance = np.random.default_rng(number)
    height, width = int(chance.integers(3, 6)), int(chance.integers(6, 10))
    signs = chance.choice(
        list("#.2413rRbB"), (height, width), p=[0.16, 0.58, 0.06, 0.04, 0.02, 0.02, 0.04, 0.04, 0.02, 0.02]
    )
    signs[0, 0], signs[-1, -1] = "<", ">"
    return level("\n".join("".join(row) for row in signs.tolist()))


def test_doors_that_one_can_walk_around_make_no_difference() -> None:
    """All plays say the same, and so does the proof with all doors."""
    dropped = lost = 0
    for number in range(MAPS // 2):
        given = hall(number)
        for keys in ("kept", "consumed"):
            what = agrees(given, keys, True)
            small = drop_spare_doors(puzzle_of(given, keys), Run())
            whole = prove_puzzle(SpotDistances(puzzle_of(given, keys), Run()), Run())
            proof = prove(given, keys=keys)
            assert (proof.solvable, proof.unlosable) == (whole.solvable, whole.unlosable)
            dropped += len(small.dropped)
            lost += bool(small.dropped) and what.startswith("losable")
    assert dropped > MAPS // 4
    assert lost > MAPS // 40


def test_many_spare_doors_take_no_time() -> None:
    """Sixteen locks in any order and forty doors had millions of states."""
    begin = uc.generate("rooms-and-mazes", seed=2, size=(121, 81))
    given = after(Locks(locks=16, depth=1, one_way=1.0), Draft.of(begin), seed=2).level()
    assert sum(thing.kind == "one-way" for thing in given.things) > 30
    run = Run()
    assert solve(given, run=run).unlosable
    assert run.used < 10_000_000


@pytest.mark.parametrize("ask", [solve, prove, find_reachable_cells])
def test_what_becomes_of_keys_is_one_of_two(ask: Any) -> None:
    for keys in ("foo", "Kept", ""):
        with pytest.raises(BadInput, match=f"unknown way of keys '{keys}'"):
            ask(level("<.>"), keys=keys)
        with pytest.raises(BadInput, match="unknown way of keys"):
            ask(level("..."), keys=keys)


def test_passing_a_key_is_taking_it() -> None:
    """Nobody can be behind the one-way door without it."""
    assert solve(level("<r2.R>")).unlosable


def test_a_switch_opens_all_its_doors_for_good() -> None:
    gate = level(
        """
        #####
        #<.L#
        #.#.#
        #..L#
        ###>#
    """,
        Thing("switch", 1, 3, {"opens": "gate-1"}),
        Thing("lock", 3, 1, {"key": "gate-1"}),
        Thing("lock", 3, 3, {"key": "gate-1"}),
    )
    solution = solve(gate, keys="consumed")
    assert (solution.length, solution.unlosable) == (5, True)
    assert [str(event) for event in solution.events] == [
        "pull the gate-1 switch at (1, 3)",
        "open the gate-1 door at (3, 3)",
    ]


def test_secret_doors() -> None:
    round_about = Level.parse("""
        #######
        #<.S.>#
        #.###.#
        #.....#
        #######
    """)
    assert (solve(round_about).length, solve(round_about).needs_secrets) == (4, False)
    assert solve(round_about, secrets=False).length == 8
    needed = Level.parse("<.S.>")
    assert solve(needed).needs_secrets
    assert "secret doors needed" in str(solve(needed))
    assert solve(needed, secrets=False).reason == "no way leads to the end"
    key = level("""
        #######
        #r.S<R#
        #####>#
    """)
    assert solve(key).needs_secrets, "the key is behind one"


def test_depth_is_how_many_locks_come_one_after_the_other() -> None:
    chain = solve(
        level("""
        ##########
        #r.<.R.b##
        ###B####G#
        #g....##>#
        ##########
    """)
    )
    assert chain.depths == {(5, 1): 1, (3, 2): 2}
    assert not chain.solvable
    assert chain.depth == 2
    side_by_side = level("""
        #########
        #R.rb<.B#
        #.#####>#
    """)
    assert solve(side_by_side).depth == 1
    twice = level("<r.R..R>")
    assert solve(twice).depth == 1, "what opened the first door opens the second"
    assert solve(twice, keys="consumed").solvable is False
    assert solve(level("<r.Rr.R>"), keys="consumed").depth == 2


def test_blocking_things_are_no_way() -> None:
    crate = {"blocks": True, "width": 2}
    assert not solve(level("<...>", Thing("crate", 2, 0, crate))).solvable
    assert solve(level("<...>", Thing("rug", 2, 0, {"blocks": False}))).solvable


def test_two_locks_on_one_cell_want_two_keys() -> None:
    both = [Thing("lock", 4, 0, {"key": "red"}), Thing("lock", 4, 0, {"key": "blue"})]
    assert not solve(level("<.r.L>", *both)).solvable
    assert solve(level("<br.L>", *both)).solvable
    assert not solve(level("<.r.L>", both[0], Thing("lock", 5, 0, {"key": "red"})), keys="consumed").solvable
    assert solve(level("<.r.L>", both[0], both[0]), keys="consumed").solvable, "the same lock twice is one lock"


def test_doors_and_keys_without_names_belong_together() -> None:
    assert not solve(level("<..L>", Thing("key", 1, 0, {"opens": "red"}))).solvable
    assert solve(level("<..L>", Thing("key", 1, 0))).solvable
    assert str(solve(level("<..L>", Thing("key", 1, 0))).events[0]) == "take the key at (1, 0)"
    assert solve(level("<...>", Thing("lock", 2, 0), Thing("key", 1, 0))).solvable
    assert solve(level("<..L>", Thing("lock", 3, 0, {"key": 7}), Thing("key", 1, 0, {"opens": 7}))).solvable, (
        "a number is as good a name"
    )


def test_a_lock_needs_no_door() -> None:
    assert not solve(level("<...>", Thing("lock", 2, 0, {"key": "red"}))).solvable


def test_start_and_end_on_special_cells() -> None:
    assert solve(level("...>", Thing("lock", 0, 0, {"key": "red"}))).reason == "there is no start"
    draft = Draft.of(Level.parse("...."))
    draft.start, draft.end = (0, 0), (3, 0)
    draft.things = [Thing("lock", 0, 0, {"key": "red"})]
    assert solve(draft).length == 3, "who begins in a doorway is through"
    draft.things = [Thing("lock", 3, 0, {"key": "red"})]
    assert not solve(draft).solvable
    draft.things = [Thing("lock", 3, 0, {"key": "red"}), Thing("key", 0, 0, {"opens": "red"})]
    solution = solve(draft)
    assert solution.events == (Event("take", 0, 0, "red", 0), Event("open", 3, 0, "red", 3))
    draft.end = (0, 0)
    assert (solve(draft).length, solve(draft).unlosable, solve(draft).backtrack) == (0, True, 0)
    draft.things = [Thing("one-way", 0, 0, {"to": "E"})]
    assert (solve(draft).length, solve(draft).unlosable) == (0, False), "once left, it cannot be reached again"


def test_levels_without_start_end_or_locks() -> None:
    plain = Level.parse("#<..>#")
    assert (
        str(solve(plain))
        == "solved in 3 steps, 0 of them over cells walked before\n  3  reach the end at (4, 0)\nit cannot be lost"
    )
    for text, reason in (("#...>#", "there is no start"), ("#<...#", "there is no end"), ("####", "there is no start")):
        solution = solve(Level.parse(text))
        assert (solution.solvable, solution.unlosable, solution.reason) == (False, False, reason)
        assert (solution.length, solution.backtrack, solution.depth, solution.order) == (None, None, 0, ())
        assert not prove(Level.parse(text)).solvable
    assert find_reachable_cells(Level.parse("#<..L#")).astype(int).tolist() == [[0, 1, 1, 1, 0, 0]]
    assert not find_reachable_cells(Level.parse("....")).any()
    draft = Draft.of(Level.parse("#..#"))
    draft.start, draft.end = (0, 0), (2, 0)
    assert solve(draft).reason == "no way leads to the end", "it begins in a wall"


@pytest.mark.parametrize("data", [{}, {"to": "up"}, {"to": ""}, {"to": "NE"}, {"to": 1}])
def test_a_one_way_door_must_say_where_it_leads(data: Any) -> None:
    with pytest.raises(
        BadInput,
        match=r"the one-way door at \(1, 0\) (does not say where it leads|leads to '?(up|NE|1|)'?, which is no side)",
    ):
        solve(level("<..>", Thing("one-way", 1, 0, data)))


@pytest.mark.parametrize("name", ["keep.json", "keep.npz"])
def test_files_keep_locks_and_keys(name: str, tmp_path: Path) -> None:
    before = level(
        """
        ###########
        #.R.<.2.R>#
        ###.r...###
        ###########
    """
    )
    before.save(tmp_path / name)
    assert str(solve(uc.load(tmp_path / name))) == str(solve(before))


# --- bounds -----------------------------------------------------------------------------------------------------------


def comb(locks: int, *, breaks: bool) -> Level:
    """A hall with a key in each niche above it, and a locked closet for each below it; the end is in the last. All can
    be opened in any order.
    """
    width = 2 * locks + 1
    rows = ["#" + ".#" * locks, "#" + "." * (width - 2) + "#", "#" + "L#" * locks, "#" + ".#" * locks]
    draft = Draft.of(Level.parse("\n".join(rows)))
    draft.start, draft.end = (1, 1), (width - 2, 3)
    draft.things = [Thing("lock", 2 * number + 1, 2, {"key": "any" if breaks else number}) for number in range(locks)]
    draft.things += [Thing("key", 2 * number + 1, 0, {"opens": "any" if breaks else number}) for number in range(locks)]
    return draft.level()


def test_sixteen_locks() -> None:
    """65,536 sets of keys; and with keys that break, 65,536 sets of open doors."""
    solution = solve(comb(16, breaks=False))
    assert (solution.solvable, solution.unlosable, solution.length, len(solution.order)) == (True, True, 34, 1)
    assert prove(comb(16, breaks=True), keys="consumed").unlosable
    short = Draft.of(comb(16, breaks=True))
    short.things.pop()
    proof = prove(short, keys="consumed")
    assert proof.solvable
    assert not proof.unlosable
    assert len([event for event in proof.counterexample or () if event.kind == "open"]) == 15


def test_too_much_is_an_answer_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(OutOfBudget, match="gave up after"):
        solve(comb(9, breaks=False), run=Run(budget=600))
    monkeypatch.setattr(limits, "SOLVER_STATES", limits.SOLVER_STATES._replace(value=1 << 12))
    assert solve(comb(4, breaks=False)).solvable
    one_way = Draft.of(comb(9, breaks=False))
    one_way.things.append(Thing("one-way", 2, 1, {"to": "E"}))
    with pytest.raises(OutOfBudget, match="states of keys held and doors opened"):
        prove(one_way)
    with pytest.raises(OutOfBudget, match="states of keys held and doors opened"):
        prove(comb(13, breaks=True), keys="consumed")


def test_a_map_of_nothing_but_locks() -> None:
    doors = Draft.of(Level.parse("\n".join(["L" * 40] * 40)))
    doors.start, doors.end = (0, 0), (39, 39)
    assert not solve(doors).solvable
    doors.things = [Thing("key", 0, 0)]
    with pytest.raises(OutOfBudget, match="1,599 locked doors"):
        solve(doors)
    doors.things = [Thing("lock", x, y, {"key": "red"}) for x in range(40) for y in range(40)] + [
        Thing("key", 0, 0, {"opens": "red"})
    ]
    with pytest.raises(OutOfBudget, match="cells with locks, keys and one-way doors"):
        solve(doors)
    assert len(doors.things) > limits.SOLVER_SPOTS.value


# --- in all ways ------------------------------------------------------------------------------------------------------


def random_level(number: int) -> Level:
    """A small map with locks, keys of both kinds, switches, and on every other map one-way doors; some without start or
    end.

    Most are flat, with the end to the right and keys to the left, so that locks are in the way.
    """
    chance = np.random.default_rng(number)
    height, width = int(chance.choice([1, 1, 2, 2, 3, 5])), int(chance.integers(3, 11))
    signs = chance.choice(list("#.LS"), (height, width), p=[0.12, 0.82, 0.03, 0.03])
    draft = Draft.of(Level.parse("\n".join("".join(row) for row in signs.tolist())))
    names = ["red", "blue", ""][: chance.choice([1, 1, 2, 3])]

    def cell(first: int = 0, last: int = width) -> tuple[int, int]:
        return int(chance.integers(first, last)), int(chance.integers(height))

    def place_things(kind: str, most: int, last: int, **data: Any) -> list[Thing]:
        return [
            Thing(kind, *cell(0, last), {key: str(chance.choice(values)) for key, values in data.items()})
            for _ in range(chance.integers(0, most))
        ]

    draft.things = [
        *place_things("lock", 5, width, key=names),
        *place_things("key", 6, 1 + width * 2 // 3, opens=names),
        *place_things("switch", 2, width, opens=names),
    ]
    draft.things = [
        thing._replace(data={**thing.data, "consumed": bool(chance.integers(2))}) if thing.kind == "key" else thing
        for thing in draft.things
    ]
    draft.things += place_things("one-way", 4, width, to=list("NESWE")) if number % 2 else []
    draft.things += [Thing("crate", *cell(), {"blocks": True, "width": 2})] if chance.random() < 0.1 else []
    draft.start = cell(0, 1 + width // 2) if chance.random() < 0.98 else None
    draft.end = draft.start if chance.random() < 0.04 else cell(width // 2) if chance.random() < 0.98 else None
    return draft.level()


def agrees(given: Level, keys: Any, secrets: bool) -> str:
    """Compare the solver with all plays of a level; and say what it was like."""
    play = Play(given, keys, secrets)
    solution = solve(given, keys=keys, secrets=secrets)
    if given.start is None or given.end is None:
        assert not solution.solvable
        return "no start or end"
    every = play.all()
    lost = every.lost
    assert solution.length == every.length
    assert solution.solvable == (every.length is not None)
    visited = np.zeros(given.tiles.shape, bool)
    for state in every.states:
        visited[state.cell[1], state.cell[0]] = True
    assert (find_reachable_cells(given, keys=keys, secrets=secrets) == visited).all()
    proof = prove(given, keys=keys, secrets=secrets)
    assert (proof.solvable, proof.unlosable) == (solution.solvable, solution.unlosable)
    if not solution.solvable:
        return "not solvable"
    walked(play, solution)
    assert solution.unlosable == (not lost)
    if lost:
        assert solution.counterexample is not None
        assert play.follow((event.kind, event.x, event.y) for event in solution.counterexample) & lost
    else:
        assert solution.counterexample is None
    assert solution.needs_secrets == (secrets and Play(given, keys, secrets=False).all().length is None)
    return (
        f"{'losable' if lost else 'unlosable'}, {'directed' if play.sides else 'undirected'}, "
        f"{min(2, len(solution.order))} locks"
    )


def walked(play: Play, solution: uc.Solution) -> None:
    """Walk the way of a solution, and see its events happen."""
    state = play.begin()
    cells = [(int(x), int(y)) for x, y in solution.cells]
    assert cells[0] == play.start
    assert cells[-1] == play.end
    assert solution.length == len(cells) - 1
    assert solution.backtrack == len(cells) - len(set(cells))
    for (x, y), (a, b) in pairwise(cells):
        assert state is not None
        state = play.step(state, (a - x, b - y))
    assert state is not None
    for event in solution.events:
        assert event.step is not None
        assert cells[event.step] == (event.x, event.y)
    assert set(solution.order) == {cell for cell in cells if cell in play.locks}


@pytest.mark.long
def test_the_solver_agrees_with_all_plays() -> None:
    found = Counter(
        agrees(random_level(number), keys, secrets)
        for number in range(MAPS)
        for keys in (None, "kept", "consumed")
        for secrets in (True, False)
    )
    assert found["no start or end"] > MAPS // 20
    assert found["not solvable"] > MAPS
    for kind, least in (
        ("unlosable, undirected", 10),
        ("unlosable, directed", 40),
        ("losable, undirected", 200),
        ("losable, directed", 40),
    ):
        assert found[f"{kind}, 1 locks"] >= MAPS // least, found
    assert found["unlosable, undirected, 2 locks"] >= MAPS // 40, found


def describe_solution(given: Level, run: Run | None = None) -> tuple[object, ...]:
    solution = solve(given, run=run)
    return (
        str(solution),
        solution.cells.tolist(),
        solution.events,
        solution.counterexample,
        dict(solution.depths),
        find_reachable_cells(given).tobytes(),
    )


def test_interpreted_as_compiled() -> None:
    levels = [random_level(number) for number in range(MAPS // 4)] + [comb(5, breaks=False), comb(5, breaks=True)]
    quick = [describe_solution(given) for given in levels]
    with interpreted():
        assert [describe_solution(given) for given in levels] == quick


@pytest.mark.parametrize("fuel", [1, 7, 1 << 40])
def test_bites_of_any_size(fuel: int) -> None:
    for given in [*(random_level(number) for number in range(60)), comb(7, breaks=False), comb(7, breaks=True)]:
        assert describe_solution(given, Bites(fuel)) == describe_solution(given)


def test_tables_that_grow_forget_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    one_way = Draft.of(comb(8, breaks=False))
    one_way.things.append(Thing("one-way", 2, 1, {"to": "E"}))
    levels = [comb(8, breaks=False), comb(8, breaks=True), one_way.level()]
    before = [describe_solution(given) for given in levels]
    monkeypatch.setattr(states, "INITIAL_STATES", 1)
    assert [describe_solution(given) for given in levels] == before


def test_names_of_the_package() -> None:
    assert uc.solve is solver.solve
    assert uc.prove is solver.prove
    assert uc.Solution is solver.Solution
