"""Programs with everything in them: guards, regions, masks, outside, limits, chances, picks and nested blocks, on odd
little maps.
"""

from __future__ import annotations

import random
from types import ModuleType

import numpy as np
import pytest
from numpy.typing import NDArray

from support.maps import HEAVY
from support.programs import LETTERS, grid, program, random_rule, rule
from undercroft import kernels
from undercroft.core.level import Level
from undercroft.core.palette import Palette
from undercroft.core.rng import Rng
from undercroft.core.run import Run
from undercroft.core.timeline import Timeline
from undercroft.errors import BadInput, OutOfBudget, TooBig
from undercroft.rewrite.engine import engine
from undercroft.rewrite.model.guards_slow import refuses
from undercroft.rewrite.model.program import AS_DRAWN, KEEP, Area, Guard, Node, Program, Rule, tile_set
from undercroft.rewrite.rules import Rules

Tiles = NDArray[np.uint8]
SEEDS = 4000 if HEAVY else 60
PARTLY_SOLID = Palette([tile._replace(walkable=tile.name not in "AR") for tile in LETTERS.tiles], "letters")


def wild_guard(source: random.Random) -> Guard:
    kind = source.choice(["connected", "count", "count", "distance"])
    tiles = tile_set(source.sample(range(4), source.choice([1, 1, 2])))
    if kind == "count":
        return Guard(kind, tiles, least=source.choice([0, 0, 2, 5]), most=source.choice([-1, 3, 8, 20]))
    return (
        Guard(kind, tiles)
        if kind == "connected"
        else Guard(kind, tiles, tile_set([source.randrange(4)]), least=source.choice([2, 3, 5, 9, 30]))
    )


def wild_leaf(source: random.Random) -> Node:
    kind = source.choice(["one", "one", "one", "all", "parallel"])
    rules = tuple(
        random_rule(source)._replace(
            name=f"rule {number}",
            guards=tuple(wild_guard(source) for _ in range(source.choice([0, 0, 1, 1, 2]))),
            limit=source.choice([0, 0, 0, 2]),
            chance=source.choice([1.0, 1.0, 0.5]),
            area=source.choice([None, None, None, Area("room"), Area("")]),
        )
        for number in range(source.randint(1, 3))
    )
    pick = source.choice(["match", "match", "match", "rule", "token", "first"]) if kind == "one" else "match"
    each = source.choice([None, None, None, Area("room"), Area("")])
    return Node(
        kind,
        rules=rules,
        limit=source.choice([0, 0, 3]),
        outside=source.choice([-1, -1, source.randrange(4)]),
        pick=pick,
        each=each,
    )


def wild_node(source: random.Random, depth: int = 0) -> Node:
    if depth == 2 or (depth and source.random() < 0.45):
        return wild_leaf(source)
    kind = source.choice(["sequence", "markov", "repeat"])
    children = tuple(wild_node(source, depth + 1) for _ in range(source.randint(1, 3)))
    return Node(kind, children=children, limit=source.choice([0, 2]) if kind == "repeat" else 0)


def run(
    made: Program, start: Tiles, seed: int, mask: NDArray[np.bool_] | None
) -> tuple[tuple[object, ...], engine.Engine, Tiles]:
    tiles = start.copy()
    at_work = engine.Engine(made, tiles, Rng.root(seed), remember=True, mask=mask)
    at_work.run(Run(budget=10**7), 50)
    return (
        (tiles.tolist(), at_work._event_rows().tolist(), at_work._arrays["streams"].tolist(), at_work.turns),
        at_work,
        tiles,
    )


@pytest.fixture(scope="module")
def plain() -> ModuleType:
    return kernels.load_plain("engine")


@pytest.mark.parametrize("part", range(10))
def test_nothing_moves_the_outcome_and_guards_say_what_their_twin_says(
    part: int, plain: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = 0
    for seed in range(part, SEEDS, 10):
        source = random.Random(seed)
        made = program(wild_node(source), PARTLY_SOLID)
        width, height = source.randint(1, 8), source.randint(1, 8)
        start = np.array([[source.randrange(4) for _ in range(width)] for _ in range(height)], np.uint8)
        mask = (
            np.array([[source.random() < 0.7 for _ in range(width)] for _ in range(height)])
            if source.random() < 0.3
            else None
        )
        with monkeypatch.context() as patch:
            patch.setattr(engine, "MAX_BYTES_PER_CELL", source.choice([0, 8]))
            try:
                told, at_work, tiles = run(made, start, seed, mask)
            except OutOfBudget:
                continue
            assert mask is None or (tiles == start)[~mask].all()
            _replayed(made, start, at_work, tiles)
            for fuel in (1, 3, 17):
                patch.setattr("undercroft.core.run.FUEL_PER_CALL", fuel)
                assert run(made, start, seed, mask)[0] == told, (seed, fuel)
            patch.setattr("undercroft.core.run.FUEL_PER_CALL", 1 << 18)
            if seed % 5 == 0:
                patch.setattr(engine, "kernel", plain)
                patch.setattr(engine, "buffer", memoryview)
                assert run(made, start, seed, mask)[0] == told, seed
            done += 1
    assert done > SEEDS // 20


def _replayed(made: Program, start: Tiles, at_work: engine.Engine, end: Tiles) -> None:
    """Every event again, with the slow twin's verdict: what happened was allowed, what was refused was not."""
    writes = [(row, result) for row in at_work.tables.rows for result in row.variant.results]
    tiles = start.copy()
    height, width = tiles.shape
    for _, action, x, y, refused in at_work._event_rows().tolist():
        row, result = writes[action]
        after = tiles.copy()
        for k, code in enumerate(result.cells):
            spot = y + k // row.variant.width, x + k % row.variant.width
            if code != KEEP and 0 <= spot[0] < height and 0 <= spot[1] < width:
                after[spot] = code
        guards = row.leaf.rules[row.variant.rule].guards
        assert any(refuses(guard, tiles, after, made.palette) for guard in guards) == bool(refused)
        tiles = tiles if refused else after
    assert (tiles == end).all()


MARKOVS = ("WB -> AW/AB -> RW/AA -> GR", "WBB -> AAW/WAA -> GGW", "WB -> WA/AB -> AW/WW -> RR")


@pytest.mark.parametrize("text", MARKOVS)
def test_who_watches_and_how_long_a_bite_is_do_not_matter(text: str) -> None:
    lines = "".join(f"    one  {line}\n" for line in text.split("/"))
    rules = Rules.parse(f"palette letters BWARG\npositions all\nmarkov\n{lines}", "x.rules")
    start = np.zeros((16, 16), np.uint8)
    start[8, 8] = 1
    level = Level(start, rules.program.palette)
    for seed in range(20):
        shown: list[Tiles] = []
        alone = rules.apply(level, seed, steps=300)
        assert alone == rules.apply(level, seed, steps=300, watcher=lambda _, tiles, shown=shown: shown.append(tiles))
        assert alone == rules.apply(level, seed, steps=300, watcher=Timeline())
        assert shown


def test_counts_are_kept_through_bursts() -> None:
    text = "palette letters BW\none  lay, up to 40 times\n    B -> W\none  more, keep count(W) <= 30\n    B -> W"
    rules = Rules.parse(text, "x.rules")
    level = rules.apply(Level(np.zeros((10, 10), np.uint8), rules.program.palette), 1)
    assert int((level.tiles == 1).sum()) == 40


def test_a_leaf_whose_list_grows_too_long_in_a_later_pass_goes_on_by_lot() -> None:
    text = "palette letters BWR\npositions all\nrepeat  2 times\n    one  mark, once\n        BB -> RB\n    all  W -> B"
    start = np.ones((40, 40), np.uint8)
    start[0, 0] = start[0, 1] = 0
    rules = Rules.parse(text, "x.rules")
    level = rules.apply(Level(start, rules.program.palette), 1)
    assert int((level.tiles == 2).sum()) == 2


def test_another_result_is_taken_where_a_guard_refuses_the_first() -> None:
    held = Guard("count", tile_set((LETTERS["W"],)), most=0)
    for kind in ("one", "all", "parallel"):
        for seed in range(30):
            tiles = grid("BBBB")
            engine.apply(
                program(Node(kind, rules=(rule("B", "W=3", "R=1", "A=1", positions=AS_DRAWN, guards=(held,)),))),
                tiles,
                Rng.root(seed),
            )
            assert sorted({*tiles[0].tolist()} - {LETTERS["R"], LETTERS["A"]}) == []


def test_asked_for_steps_do_not_raise_a_limit() -> None:
    level = Level.parse("......")
    assert str(Rules.parse("one  . -> ,, once", "x.rules").apply(level, 1, steps=5)).count(",") == 1
    assert str(Rules.parse("one  . -> ,, up to 4 times", "x.rules").apply(level, 1, steps=2)).count(",") == 2


def test_several_things_on_a_cell_and_a_ground_of_their_own() -> None:
    from undercroft.core.region import Thing

    drawn = Level.parse("#.,+#")
    things = [
        Thing("goblin", 2, 0, {"hp": 3}),
        Thing("key", 2, 0),
        Thing("goblin", 1, 0),
        Thing("goblin", 1, 0, {"hp": 9}),
    ]
    level = Level(drawn.tiles, drawn.palette, things=things)
    after = Rules.parse("thing goblin = g, on .\nthing key = k, on .\none  + -> ., once", "x.rules").apply(level, 1)
    assert list(after.things) == things
    assert str(after) == "#.,.#"


def test_distances_with_more_tiles_than_can_be_told_apart() -> None:
    tiles = [LETTERS.tiles[0]._replace(name=f"t{k}", glyph=chr(0x4E00 + k), face=chr(0x4E00 + k)) for k in range(70)]
    near = Guard("distance", 1 << 1, 1 << 1, least=6)
    set_down = Rule("set", 1, 1, (1 << 2,), rule("B", "W").results, guards=(near,))
    found = np.array([[1, 5, 5, 2]], np.uint8)
    engine.apply(Program("x", Palette(tiles, "big"), Node("one", rules=(set_down,))), found, Rng.root(1))
    assert found.tolist() == [[1, 5, 5, 2]]
    tiles[9] = tiles[9]._replace(walkable=False)
    with pytest.raises(TooBig, match="distances cannot be walked"):
        engine.apply(Program("x", Palette(tiles, "big"), Node("one", rules=(set_down,))), found, Rng.root(1))


def test_what_the_kernel_has_no_room_for_is_refused() -> None:
    wide = Rule("wide", 65, 1, (1,) * 65, rule("B" * 65, "W" * 65).results)
    with pytest.raises((TooBig, BadInput), match="side of a pattern"):
        engine.apply(program(Node("one", rules=(wide,))), grid("B"), Rng.root(1))
    heavy = tuple(rule("B", "W", weight=1 << 31) for _ in range(2))
    with pytest.raises(TooBig, match="weights"):
        engine.apply(program(Node("one", rules=heavy, pick="rule")), grid("B"), Rng.root(1))
