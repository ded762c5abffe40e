"""The tests and writes of all variants at once, against a slow twin that goes through them cell by cell."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

from support.maps import HEAVY
from support.programs import LETTERS, grid, program, random_program, rule
from undercroft.core.palette import STANDARD
from undercroft.core.rng import Rng
from undercroft.rewrite.engine import cell_tables
from undercroft.rewrite.engine.engine import Engine
from undercroft.rewrite.engine.program_tables import build_tables
from undercroft.rewrite.engine.tile_classes import INSIDE, TileClasses
from undercroft.rewrite.model.program import (
    ALL_POSITIONS,
    ANY,
    AS_DRAWN,
    KEEP,
    QUARTER_TURNS,
    Node,
    Program,
    Replacement,
    Rule,
    tile_set,
)
from undercroft.rewrite.model.symmetry import Variant, list_variants

Pairs = list[tuple[int, int]]


def slow_tests(
    leaf: Node, variant: Variant, classes: TileClasses, stride: int, commonness: cell_tables.TileFrequency
) -> Pairs:
    """Offsets and sets: the rarest set first, and the cells of a set in an order that is everywhere early on."""
    offsets = [y * stride + x for y in range(variant.height) for x in range(variant.width)]
    groups: dict[int, list[int]] = {}
    for tiles in set(variant.pattern):
        if tiles != ANY:
            mask = classes.mask(tiles, leaf.outside)
            groups.setdefault(mask, []).extend(
                at for at, wanted in zip(offsets, variant.pattern, strict=True) if wanted == tiles
            )
    if leaf.outside < 0:
        groups.setdefault(INSIDE, []).extend(
            at for at, k in {offsets[0]: 0, offsets[-1]: -1}.items() if variant.pattern[k] == ANY
        )
    return [(groups[mask][k], mask) for mask in sorted(groups, key=commonness) for k in slow_spread(len(groups[mask]))]


def slow_spread(count: int) -> list[int]:
    """The numbers below `count` by their bits read backwards."""
    bits = max(count - 1, 0).bit_length()
    return sorted(range(count), key=lambda k: int(f"{k:0{max(bits, 1)}b}"[::-1], 2))


def slow_writes(variant: Variant, classes: TileClasses, stride: int) -> list[Pairs]:
    offsets = [y * stride + x for y in range(variant.height) for x in range(variant.width)]
    return [
        [(at, classes.of[code]) for at, code in zip(offsets, result.cells, strict=True) if code != KEEP]
        for result in variant.results
    ]


def some_rule(source: random.Random, tiles: int) -> Rule:
    """Small ones and large ones; sets that are the same to the engine, sets by negation, cells that may hold
    anything.
    """
    width, height = source.choice([(1, 1), (2, 1), (3, 3), (4, 2), (9, 7)])
    sets = [
        ANY,
        ANY ^ tile_set(source.sample(range(tiles), 2)),
        *(tile_set(source.sample(range(tiles), source.choice([1, 1, 2]))) for _ in range(3)),
    ]
    sets.append(sets[-1] | 1 << 99)  # a tile that the palette does not have
    pattern = tuple(source.choice(sets) for _ in range(width * height))
    results = tuple(
        Replacement(tuple(source.choice([KEEP, source.randrange(tiles)]) for _ in pattern), 1)
        for _ in range(source.choice([1, 1, 3]))
    )
    return Rule("", width, height, pattern, results, positions=source.choice([AS_DRAWN, QUARTER_TURNS, ALL_POSITIONS]))


def programs() -> Iterator[Program]:
    for number in range(2000 if HEAVY else 60):
        source = random.Random(number)
        yield random_program(source)
        palette = source.choice([LETTERS, STANDARD])
        leaves = [
            Node(
                "one",
                rules=tuple(some_rule(source, len(palette)) for _ in range(2)),
                outside=source.choice([-1, -1, 0]),
            )
            for _ in range(2)
        ]
        yield program(Node("sequence", children=tuple(leaves)), palette)


def test_tests_and_writes_as_the_slow_twin() -> None:
    merged = ties = 0
    for made in programs():
        classes = TileClasses(made)
        stride = random.Random(len(made.palette)).randrange(20, 99)
        placed = [
            (leaf, variant)
            for leaf in made.root.leaves()
            for variant in list_variants(leaf.rules, made.palette, merge=leaf.merge)
        ]
        commonness = cell_tables.TileFrequency([k % 3 for k in range(64)])
        tests, writes = (
            cell_tables.build_tests(placed, classes, stride, commonness),
            cell_tables.build_writes(placed, classes, stride),
        )
        assert (tests.firsts[0], tests.firsts[-1], len(tests.firsts)) == (0, len(tests.at), len(placed) + 1)
        written: list[Pairs] = []
        for number, (leaf, variant) in enumerate(placed):
            first, last = tests.firsts[number : number + 2]
            want = slow_tests(leaf, variant, classes, stride, commonness)
            assert list(zip(tests.at[first:last].tolist(), tests.sets[first:last].tolist(), strict=True)) == want
            assert [mask for mask, count in tests.groups[number] for _ in range(count)] == [mask for _, mask in want]
            written += slow_writes(variant, classes, stride)
            masks = [classes.mask(tiles, leaf.outside) for tiles in set(variant.pattern) - {ANY}]
            merged += len(set(masks)) < len(masks)
            ties += len({commonness(mask) for mask in set(masks)}) < len(set(masks))
        found = list(zip(writes.at.tolist(), writes.tile.tolist(), strict=True))
        assert [found[first:last] for first, last in zip(writes.firsts, writes.firsts[1:], strict=False)] == written
    assert merged > 10, "sets that are the same to the engine"
    assert ties > 10, "sets that are equally common"


def test_a_program_without_rules_has_empty_tables() -> None:
    made = build_tables(program(Node("sequence")), 4, 4)
    assert [
        len(part)
        for part in (
            made.variants,
            made.test_at,
            made.test_set,
            made.actions,
            made.write_at,
            made.write_tile,
            made.touched,
        )
    ] == [0] * 7
    assert made.worst == 1


@pytest.mark.parametrize("size", [(1, 1), (1, 9), (9, 1), (40, 30)])
def test_rows_say_what_the_arrays_say(size: tuple[int, int]) -> None:
    """The rows are read by those who go cell by cell, the arrays by the kernel."""
    made = program(
        Node(
            "sequence",
            children=(
                Node("one", rules=(rule("WB/*B", "W*/AA", "B*/*A=2"),)),
                Node("all", rules=(rule("B", "W"),), outside=1),
            ),
        )
    )
    found = build_tables(made, *size)
    arrays = list(zip(found.test_at.tolist(), found.test_set.view(np.uint64).tolist(), strict=True))
    assert [test for row in found.rows for test in row.tests] == arrays
    written = list(zip(found.write_at.tolist(), found.write_tile.tolist(), strict=True))
    assert [write for row in found.rows for result in row.writes for write in result] == written
    for row, numbers in zip(found.rows, found.variants.tolist(), strict=True):
        assert arrays[numbers[3] : numbers[4]] == row.tests
        for result, action in zip(row.writes, found.actions[numbers[5] : numbers[6]].tolist(), strict=True):
            assert written[action[0] : action[1]] == result
        touched = found.touched[numbers[15] : numbers[16]].tolist()
        assert sorted(touched) == sorted({at for result in row.writes for at, _ in result})


def test_equal_positions_are_one_variant_and_are_counted() -> None:
    found = list_variants([rule("WBW", "WAW"), rule("B", "W"), rule("WB", "AB")], LETTERS)
    assert [(variant.rule, variant.position, variant.copies) for variant in found] == [
        (0, 0, 4),
        (0, 1, 4),
        (1, 0, 8),
        (2, 0, 2),
        (2, 1, 2),
        (2, 2, 2),
        (2, 3, 2),
    ]
    assert len(list_variants([rule("B", "W")], LETTERS, merge=False)) == 8
    engine = Engine(program(Node("one", rules=(rule("WB", "WW"),))), grid("WBB", "BBB"), Rng.root(1))
    assert len(engine.tables.rows) == 4
