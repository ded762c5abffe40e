"""Where rules act: in regions, in a mask; what they put there; and how it is told afterwards."""

from __future__ import annotations

import random

import numpy as np
import pytest

from support.maps import each
from support.programs import random_program
from undercroft.core.level import Level
from undercroft.core.region import Regions, Thing
from undercroft.core.rng import Rng
from undercroft.core.run import Run
from undercroft.core.timeline import Timeline
from undercroft.rewrite.engine import columns
from undercroft.rewrite.engine.engine import Engine
from undercroft.rewrite.model import guards_slow
from undercroft.rewrite.model.program import KEEP
from undercroft.rewrite.rules import Rules

ROOMS = """
    ###########
    #...#.....#
    #...#.....#
    #...+.....#
    #...#.....#
    ###########
"""


def tagged() -> Level:
    """Two rooms; the second is a library."""
    level = Level.parse(ROOMS)
    labels = np.zeros(level.tiles.shape, np.int32)
    labels[1:5, 1:4], labels[1:5, 5:10] = 1, 2
    regions = Regions.of(labels)
    regions.tags[2] = ("library",)
    return Level(level.tiles, level.palette, regions=regions)


def pillars(level: Level) -> tuple[int, int]:
    """In the left room, and in the right."""
    stone = level.tiles == level.palette["o"]
    return int(stone[:, :4].sum()), int(stone[:, 5:].sum())


@pytest.mark.parametrize("seed", range(10))
def test_each_room_has_its_own_turns(seed: int) -> None:
    rules = Rules.parse("one  pillars, each room, up to 2 times\n    . -> o", "pillars.rules")
    assert pillars(rules.apply(tagged(), seed)) == (2, 2)
    assert pillars(rules.apply(Level.parse(ROOMS), seed)) == (2, 2), "without regions they are found first"


@pytest.mark.parametrize("kind", ["one", "all", "parallel"])
def test_rules_with_limits_of_their_own_count_for_each_room(kind: str) -> None:
    rules = Rules.parse(f"{kind}  pillars, each room\n    . -> o, up to 3 times", "pillars.rules")
    assert pillars(rules.apply(tagged(), 1)) == (3, 3)


@pytest.mark.parametrize("words", ["in rooms tagged library", "rooms tagged library", "each room tagged library"])
@pytest.mark.parametrize("kind", ["one", "all", "parallel"])
def test_rooms_by_their_tag(kind: str, words: str) -> None:
    rules = Rules.parse(f"{kind}  shelves, {words}\n    . -> o", "shelves.rules")
    assert pillars(rules.apply(tagged(), 3)) == (0, 20)


def test_what_is_written_lies_in_one_room_and_what_is_seen_need_not() -> None:
    corner = Rules.parse("all  corner, in rooms, turned\n    ##      ??\n    #.  ->  ?o", "corner.rules")
    assert pillars(corner.apply(tagged(), 1)) == (4, 4)
    across = Rules.parse("all  .+. -> o?o, in rooms", "across.rules")
    assert pillars(across.apply(tagged(), 1)) == (0, 0), "two rooms are not one"
    door = Rules.parse("all  +. -> o?, in rooms", "door.rules")
    assert (door.apply(tagged(), 1).tiles == tagged().tiles).all(), "a door belongs to no room"


def test_no_such_room() -> None:
    rules = Rules.parse(
        "one  x, each room tagged chapel\n    . -> o\none  y, in rooms tagged chapel\n    . -> o", "x.rules"
    )
    assert pillars(rules.apply(tagged(), 1)) == (0, 0)


def test_each_in_a_markov_begins_with_the_first_again() -> None:
    text = "markov\n    one  a, each room\n        . -> o, once\n    one  b, up to 3 times\n        o -> ~"
    level = Rules.parse(text, "x.rules").apply(tagged(), 1)
    assert int((level.tiles == level.palette["~"]).sum()) == 3


def test_only_cells_of_the_mask_are_written() -> None:
    mask = np.zeros((6, 11), bool)
    mask[2, :] = True
    for text in ("one  . -> o", "all  . -> o", "parallel  . -> o", "one  .. -> oo", "one  o, in rooms\n    . -> o"):
        level = Rules.parse(text, "x.rules").apply(tagged(), 5, mask=mask)
        changed = level.tiles != tagged().tiles
        assert changed.any()
        assert not (changed & ~mask).any()


def test_by_lot_obeys_the_mask() -> None:
    mask = np.zeros((40, 40), bool)
    mask[5:20, 7:30] = True
    rules = Rules.parse("palette letters BW\npositions all\none  BB -> WW", "x.rules")
    level = Level(np.zeros((40, 40), np.uint8), rules.program.palette)
    changed = rules.apply(level, 1, mask=mask).tiles != 0
    assert int(changed.sum()) > 200
    assert not (changed & ~mask).any()


# --- things

MONSTERS = """
thing goblin = g, on .
thing rat = r, on corridor
one  camp, up to 3 times
    ... -> .g.
one  ,,, -> ,r,, once
"""


def test_a_rule_places_things() -> None:
    level = Rules.parse(MONSTERS, "camp.rules").apply(Level.parse("#..........#,,,,#"), 4)
    assert str(level) == "#..........#,,,,#", "the ground is there again"
    assert sorted(thing.kind for thing in level.things) == ["goblin", "goblin", "goblin", "rat"]
    assert all(
        level.tiles[thing.y, thing.x] == level.palette["." if thing.kind == "goblin" else ","] for thing in level.things
    )


def test_things_of_the_level_are_tiles_while_rules_run() -> None:
    before = Level.parse("#......#")
    goblin, chest = Thing("goblin", 2, 0, {"name": "Grim"}), Thing("chest", 5, 0)
    before = Level(before.tiles, before.palette, things=[goblin, chest])
    stays = Rules.parse("thing goblin = g, on .\none  #.g -> #og, once", "x.rules").apply(before, 1)
    assert list(stays.things) == [goblin, chest]
    assert str(stays) == "#o.....#"
    moves = Rules.parse("thing goblin = g, on .\none  g. -> .g, once", "x.rules").apply(before, 1)
    assert list(moves.things) == [chest, Thing("goblin", 3, 0)]
    gone = Rules.parse("thing goblin = g, on .\none  g -> ., once", "x.rules").apply(before, 1)
    assert list(gone.things) == [chest]


def test_a_thing_does_not_part_a_way() -> None:
    rules = Rules.parse("thing rat = r, on .\none  . -> r, once, keep connected(.)", "x.rules")
    assert len(rules.apply(Level.parse("#...#"), 1).things) == 1
    rules = Rules.parse("one  . -> o, keep connected(.)", "x.rules")
    assert str(rules.apply(Level.parse("#...#"), 1)).count("o") == 3, "from an end, never from the middle"


# --- streams

BASE = (
    "palette letters BWARG\npositions all\none  grow, up to 40 times\n    WBB -> WAW | WRW\none  dye, up to 20 times\n"
    "    A -> G | R\n"
)


def test_what_is_added_elsewhere_does_not_move_the_draws_of_others() -> None:
    start = np.zeros((21, 21), np.uint8)
    start[10, 10] = 1

    def apply_rules(text: str) -> str:
        rules = Rules.parse(text, "x.rules")
        return str(rules.apply(Level(start, rules.program.palette), 9))

    plain = apply_rules(BASE)
    assert apply_rules(BASE + "one  never\n    GGGGG/GGGGG -> WWWWW/WWWWW\n") == plain, "a node at the end"
    assert apply_rules(BASE.replace("one  grow", "one  never\n    RR/RR -> WW/WW\none  grow")) == plain, (
        "a node at the beginning"
    )
    assert apply_rules(BASE.replace("one  grow", "all  never\n    RR/RR -> WW/WW\none  grow")) == plain, (
        "of another kind"
    )
    assert (
        apply_rules(BASE.replace("    WBB", "    rule  new\n        RR/RR -> WW/WW\n    rule  grow\n        WBB"))
        == plain
    ), "a rule that never matches, before"
    assert (
        apply_rules(
            BASE.replace("    A -> G | R", "    A -> G | R\n    GGGG/GGGG -> RRRR/RRRR").replace("WRW\n", "WRW\n\n")
        )
        == plain
    ), "and after"


# --- the log


@each("seed", 60)
def test_the_timeline_has_every_rewrite(seed: int) -> None:
    source = random.Random(seed)
    made = random_program(source)
    start = np.array([[source.randrange(4) for _ in range(source.randint(1, 9))]] * source.randint(1, 8), np.uint8)
    plain, watched = start.copy(), start.copy()
    Engine(made, plain, Rng.root(seed)).run(Run(), 50)
    timeline = Timeline()
    run = Run(watcher=timeline)
    run.source, run.tiles = "begin", watched
    run.show()
    run.source = "rules"
    engine = Engine(made, watched, Rng.root(seed), remember=True)
    engine.run(run, 50)
    assert (plain == watched).all(), "watching changes nothing"
    assert timeline.turns == 1 + engine.rewrites
    writes = [(row, result) for row in engine.tables.rows for result in row.variant.results]
    tiles = start.copy()
    height, width = tiles.shape
    for turn, (_, action, x, y) in enumerate(engine.list_rewrites().tolist(), 1):
        row, result = writes[action]
        for k, code in enumerate(result.cells):
            spot = y + k // row.variant.width, x + k % row.variant.width
            if code != KEEP and 0 <= spot[0] < height and 0 <= spot[1] < width:
                tiles[spot] = code
        assert (timeline.at(turn) == tiles).all()
    assert (tiles == watched).all()


def test_who_wrote_a_cell() -> None:
    timeline = Timeline()
    rules = Rules.parse("one  first, once\n    . -> o\none  second, once\n    o -> ~", "x.rules")
    level = rules.apply(Level.parse("#...#"), 1, watcher=timeline)
    x = int(np.flatnonzero(level.tiles[0] == level.palette["~"])[0])
    assert [change.source for change in (timeline.change(1), timeline.change(2))] == ["x: first", "x: second"]
    wrote = timeline.writer(x, 0)
    assert wrote is not None
    assert (wrote.source, wrote.turn) == ("x: second", 2)
    assert timeline.writer(0, 0) is None


def test_a_long_log_is_told_bit_by_bit() -> None:
    timeline = Timeline()
    rules = Rules.parse("palette letters BW\npositions all\none  WB -> WW", "x.rules")
    start = np.zeros((200, 200), np.uint8)
    start[100, 100] = 1
    rules.apply(Level(start, rules.program.palette), 1, watcher=timeline)
    assert timeline.turns == 200 * 200
    assert int((timeline.at(1000) == 1).sum()) == 1001
    parallel = Rules.parse("palette letters BW\nparallel  B -> W", "x.rules")
    timeline = Timeline()
    parallel.apply(Level(np.zeros((200, 200), np.uint8), parallel.program.palette), 1, watcher=timeline)
    assert timeline.turns == 1 + 200 * 200


# --- the engine's own numbers


def test_the_kernel_and_the_tables_agree_on_their_columns() -> None:
    import re
    from pathlib import Path

    import undercroft

    source = (Path(undercroft.__file__).parent / "kernels" / "engine.py").read_text()
    kernel = {
        name: int(number)
        for name, number in re.findall(r"^(\w+) = cython\.declare\(cython\.int, (\d+)\)", source, re.MULTILINE)
    }
    ours = {name: value for name, value in vars(columns).items() if isinstance(value, int) and name in kernel}
    assert len(ours) > 35
    assert ours == {name: kernel[name] for name in ours}
    assert (1 << kernel["NODE_SHIFT"], 1 << kernel["VARIANT_SHIFT"], 1 << kernel["ACTION_SHIFT"]) == (
        columns.NODE_COLUMNS,
        columns.VARIANT_COLUMNS,
        columns.ACTION_COLUMNS,
    )


@each("seed", 60)
def test_the_plain_twin_of_guards_agrees(seed: int) -> None:
    source = random.Random(seed)
    words = source.choice(
        [
            "connected(., ,)",
            "count(.) <= 9",
            "count(.) >= 9",
            "distance(., o) >= 3",
            "distance(o, o) >= 4",
            "distance(+, . or o) >= 2",
        ]
    )
    words = words.replace("., ,", '., ","')
    rules = "\n".join(f"    {_row(source)} -> {_row(source)}, turned" for _ in range(2))
    program = Rules.parse(f"one  x, up to 12 times, keep {words}\n{rules}", "x.rules").program
    start = np.array([[program.palette[source.choice(".,o+#.")] for _ in range(6)] for _ in range(5)], np.uint8)
    tiles = start.copy()
    engine = Engine(program, tiles, Rng.root(seed), remember=True)
    engine.run(Run())
    writes = [(row, result) for row in engine.tables.rows for result in row.variant.results]
    guard = program.root.rules[0].guards[0]
    events = sorted(
        [(*row, 1) for row in engine.list_refused().tolist()] + [(*row, 2) for row in engine.list_rewrites().tolist()],
        key=lambda row: (row[0], row[4]),
    )
    now = start.copy()
    for _, action, x, y, kind in events:
        row, result = writes[action]
        after = now.copy()
        for k, code in enumerate(result.cells):
            if code != KEEP:
                after[y + k // row.variant.width, x + k % row.variant.width] = code
        assert guards_slow.refuses(guard, now, after, program.palette) == (kind == 1)
        if kind == 2:
            now = after


def _row(source: random.Random) -> str:
    return (
        "".join(source.choice(".,o+#?") if k else source.choice(".,o+#") for k in range(3))
        .replace(",,", ",.")
        .rstrip(",")
        .ljust(3, ".")
    )
