"""A program as the arrays the engine runs on, for a map of a given size."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft import limits
from undercroft.core.rng import ONE, threshold
from undercroft.errors import TooBig
from undercroft.rewrite.engine import guarding, looking
from undercroft.rewrite.engine.classes import INSIDE, OTHER, Classes
from undercroft.rewrite.engine.columns import (
    ACTION_COLUMNS,
    BYTES,
    FIRST,
    FIRST_RULE,
    HIGH,
    KIND,
    KINDS,
    LAST,
    LAST_RULE,
    LIMIT,
    NODE_COLUMNS,
    OUTSIDE,
    PAIRS,
    PARENT,
    PICK,
    REGIONS,
    SORTED,
    VARIANT_COLUMNS,
    WIDE,
)
from undercroft.rewrite.program import ANY, KEEP, LEAVES, PICKS, Area, Node, Program
from undercroft.rewrite.symmetry import Variant, variants

MOST_ACTIONS, MOST_VARIANTS = 1 << 20, 1 << 16


class Flat(NamedTuple):
    """A node of the tree with its number's neighbours, and the name of its stream."""

    node: Node
    parent: int
    children: list[int]
    key: str


class Row(NamedTuple):
    """A variant with its node, its tests and its writes as offsets and classes."""

    node: int
    leaf: Node
    rule: int
    variant: Variant
    tests: list[tuple[int, int]]
    writes: list[list[tuple[int, int]]]
    stays: bool
    """It may match after it was applied: a match that was used up can still be true."""
    breaks: list[int]
    """Which guards of its rule each result could break, as bits."""


class Tables(NamedTuple):
    """See the kernel `engine` for the meaning of each."""

    nodes: NDArray[np.int64]
    children: NDArray[np.int32]
    variants: NDArray[np.int64]
    rules: NDArray[np.int64]
    test_at: NDArray[np.int32]
    test_set: NDArray[np.int64]
    actions: NDArray[np.int64]
    write_at: NDArray[np.int32]
    write_tile: NDArray[np.uint8]
    touched: NDArray[np.int32]
    changes: NDArray[np.int32]
    spots: NDArray[np.int32]
    pair_at: NDArray[np.int32]
    pairs: NDArray[np.int64]
    anchors: NDArray[np.int32]
    guards: NDArray[np.int64]
    shape: NDArray[np.int64]
    rim: tuple[int, int]
    """Cells of rim beside and above."""
    classes: Classes
    rows: list[Row]
    """What stands behind each variant."""
    flat: list[Flat]
    leaves: list[int]
    worst: int
    """The most log entries that one action makes."""

    @property
    def log_cells(self) -> bool:
        """Whether some leaf looks by triggers."""
        return bool((self.nodes[self.leaves, PAIRS] < 0).any())

    def areas(self) -> list[Area | None]:
        """The regions that each variant may write in."""
        return [row.leaf.each or row.leaf.rules[row.variant.rule].area for row in self.rows]


def tables(program: Program, width: int, height: int, counts: NDArray[np.int64] | None = None) -> Tables:
    """Lay a program out for a map. `counts` (of tiles, by code) decides which cell of a pattern is tested first: the rarest.

    What does not change while rules run is kept for the next map of that size.
    """
    counted = [] if counts is None else counts[: len(program.palette)].tolist()
    rarity = tuple(count.bit_length() for count in counted)
    made = laid_out(program, width, height, rarity)
    return made._replace(nodes=made.nodes.copy(), rules=made.rules.copy(), guards=made.guards.copy())


@lru_cache(maxsize=32)
def laid_out(program: Program, width: int, height: int, rarity: tuple[int, ...]) -> Tables:
    """The tables as they are before a run. `rarity` is how often each tile stands on the map, as a number of bits."""
    classes = Classes(program)
    flat = _flat(program.root)
    found = [
        (number, node.node, variant)
        for number, node in enumerate(flat)
        if node.node.kind in LEAVES
        for variant in variants(node.node.rules, program.palette, merge=node.node.merge)
        if node.node.rules[variant.rule].works()
    ]
    _check(flat, found)
    wide = max((variant.width for _, _, variant in found), default=1)
    high = max((variant.height for _, _, variant in found), default=1)
    stride = width + wide
    common = [0] * 64
    for code, rare in enumerate(rarity):
        common[int(classes.of_code[code])] += 1 << rare if rare else 0
    first_rule = _first_rules(flat)
    commonness = _Commonness(common)
    rows = [_row(number, leaf, first_rule[number] + variant.rule, variant, classes, stride, commonness, program) for number, leaf, variant in found]
    nodes = np.zeros((len(flat), NODE_COLUMNS), np.int64)
    children = _fill_nodes(nodes, flat, rows, first_rule)
    guards = [guard for node in flat for rule in node.node.rules for guard in rule.guards]
    paired = looking.paired(nodes, flat, rows)
    variant_rows, tests, actions, writes, touched = _variant_arrays(rows, flat, paired)
    look = looking.tables(nodes, flat, rows, [*range(len(classes.codes)), OTHER], stride, paired)
    rules = [rule for node in flat for rule in node.node.rules]
    return Tables(
        nodes,
        np.array(children, np.int32),
        np.array(variant_rows, np.int64).reshape(len(rows), VARIANT_COLUMNS),
        np.array([[0, rule.limit] for rule in rules], np.int64).reshape(len(rules), 2),
        np.fromiter(map(itemgetter(0), tests), np.int32, len(tests)),
        np.fromiter(map(itemgetter(1), tests), np.uint64, len(tests)).view(np.int64),
        np.array(actions, np.int64).reshape(len(actions), ACTION_COLUMNS),
        np.fromiter(map(itemgetter(0), writes), np.int32, len(writes)),
        np.fromiter(map(itemgetter(1), writes), np.uint8, len(writes)),
        np.array(touched, np.int32),
        *look,
        guarding.table(guards, program, classes),
        np.array([width, height, stride, (high + 1) * stride], np.int64),  # a row more than patterns reach, for the ring that guards look at
        (wide, high + 1),
        classes,
        rows,
        flat,
        [number for number, node in enumerate(flat) if node.node.kind in LEAVES],
        1 + max((len(result) for row in rows for result in row.writes), default=0),
    )


def _check(flat: list[Flat], found: list[tuple[int, Node, Variant]]) -> None:
    """Refuse what the kernel's numbers have no room for. Files never get so far; programs made in Python may."""
    side = max((max(variant.width, variant.height) for _, _, variant in found), default=0)
    limits.PATTERN_SIDE.check(side, "the side of a pattern")
    if sum(len(variant.results) for _, _, variant in found) >= MOST_ACTIONS:
        raise TooBig("a program has less than a million results in all positions", fix="split it into several")
    for number, node in enumerate(flat):
        mine = [variant for leaf, _, variant in found if leaf == number]
        if len(mine) >= MOST_VARIANTS:
            raise TooBig(f"a node has at most {MOST_VARIANTS:,} positions of rules, not {len(mine):,}", fix="split it into several")
        if sum(node.node.rules[variant.rule].weight for variant in mine) >= ONE:
            raise TooBig("the weights of a node are too large together", fix="give its rules smaller weights")


def _flat(root: Node) -> list[Flat]:
    """All nodes, the root first. A lone leaf gets a sequence around it. A node's key is its name, or its place among its unnamed brothers."""
    if root.kind in LEAVES:
        root = Node("sequence", children=(root,))
    flat: list[Flat] = []
    todo: list[tuple[Node, int, str]] = [(root, -1, "")]
    while todo:
        node, parent, key = todo.pop()
        number = len(flat)
        flat.append(Flat(node, parent, [], key))
        if parent >= 0:
            flat[parent].children.append(number)
        keys = _keys((child.name, child.kind) for child in node.children)
        todo.extend((child, number, f"{key}/{own}") for child, own in reversed(list(zip(node.children, keys, strict=True))))
    return flat


def _keys(named: Iterable[tuple[str, str]]) -> list[str]:
    """Names, or kinds, with a number from the second of the same on."""
    seen: dict[str, int] = {}
    keys = []
    for name, kind in named:
        word = name or f"({kind})"
        seen[word] = seen.get(word, 0) + 1
        keys.append(word if seen[word] == 1 else f"{word}#{seen[word]}")
    return keys


def rule_keys(flat: list[Flat]) -> list[str]:
    """The names of the streams of all rules. The first of a node that is called after it has its name alone, also when others follow."""
    found = []
    for node in flat:
        first = f"{node.node.name} 1"
        names = (node.node.name if rule.name == first else rule.name for rule in node.node.rules)
        found += [f"{node.key}|{key}" for key in _keys((name, "rule") for name in names)]
    return found


def _first_rules(flat: list[Flat]) -> list[int]:
    firsts, count = [], 0
    for node in flat:
        firsts.append(count)
        count += len(node.node.rules)
    return firsts


@lru_cache(maxsize=256)
def _offsets(width: int, height: int, stride: int) -> list[int]:
    """The cells of a box on the padded grid, row by row."""
    return [y * stride + x for y in range(height) for x in range(width)]


@lru_cache(maxsize=4096)
def _spread(count: int) -> list[int]:
    """The numbers below `count` in an order that is everywhere early on: a place that is wrong on one side is found out soon.

    >>> _spread(6)
    [0, 4, 2, 1, 5, 3]
    """
    bits = max(count - 1, 0).bit_length()
    return [k for k in (int(f"{k:0{bits}b}"[::-1], 2) for k in range(1 << bits)) if k < count]


class _Commonness:
    """How often the tiles of a set stand on the map, about; worked out once for each set."""

    def __init__(self, common: list[int]) -> None:
        self.common = common
        self.known: dict[int, int] = {INSIDE: 1 << 62}

    def __call__(self, mask: int) -> int:
        if mask not in self.known:
            self.known[mask] = sum(self.common[bit] for bit in range(63) if mask >> bit & 1)
        return self.known[mask]


def _row(number: int, leaf: Node, rule: int, variant: Variant, classes: Classes, stride: int, commonness: _Commonness, program: Program) -> Row:
    width, height = variant.width, variant.height
    offsets = _offsets(width, height, stride)
    masks = {tiles: classes.mask(tiles, leaf.outside) for tiles in set(variant.pattern)}
    groups: dict[int, list[int]] = {}
    for tiles, mask in masks.items():  # few sets, many cells
        if tiles != ANY:
            groups.setdefault(mask, []).extend([at for at, wanted in zip(offsets, variant.pattern, strict=True) if wanted == tiles])
    if leaf.outside < 0:  # a placement lies wholly inside: if no test says so already, the corners do
        groups.setdefault(INSIDE, []).extend(at for at, k in {offsets[0]: 0, offsets[-1]: -1}.items() if variant.pattern[k] == ANY)
    tests = [(groups[mask][k], mask) for mask in sorted(groups, key=commonness) for k in _spread(len(groups[mask]))]
    writes = [[(at, classes.of[code]) for at, code in zip(offsets, result.cells, strict=True) if code != KEEP] for result in variant.results]
    stays = leaf.outside >= 0 or any(  # over the border nothing is written, so the match may stay
        all(code == KEEP or tiles >> code & 1 for tiles, code in zip(variant.pattern, result.cells, strict=True)) for result in variant.results
    )
    breaks = [0] * len(writes)
    guards = leaf.rules[variant.rule].guards
    if guards and leaf.kind == "one":
        before = {**dict.fromkeys(offsets, INSIDE if leaf.outside < 0 else -1), **dict(tests)}
        breaks = [sum(guarding.could_break(guard, program, classes, before, written, stride) << k for k, guard in enumerate(guards)) for written in writes]
    elif guards:  # what others wrote in the same turn may stand in the box: nothing can be proved
        breaks = [(1 << len(guards)) - 1] * len(writes)
    return Row(number, leaf, rule, variant, tests, writes, stays, breaks)


def _fill_nodes(nodes: NDArray[np.int64], flat: list[Flat], rows: list[Row], first_rule: list[int]) -> list[int]:
    children: list[int] = []
    for number, (node, parent, below, _) in enumerate(flat):
        entry = nodes[number]
        entry[KIND], entry[PARENT], entry[LIMIT], entry[REGIONS] = KINDS.index(node.kind), parent, node.limit, -1  # of branches only a repeat has a limit
        if node.kind not in LEAVES:
            entry[FIRST] = len(children)
            children += below
            entry[LAST] = len(children)
            continue
        mine = [index for index, row in enumerate(rows) if row.node == number]
        entry[FIRST], entry[LAST] = (mine[0], mine[-1] + 1) if mine else (0, 0)
        entry[BYTES] = max(1, (len(mine) + 7) // 8)
        entry[PICK] = PICKS.index(node.pick)
        entry[OUTSIDE] = node.outside >= 0
        entry[SORTED] = node.kind == "parallel" and len({tile for index in mine for result in rows[index].writes for _, tile in result}) > 1
        entry[FIRST_RULE], entry[LAST_RULE] = first_rule[number], first_rule[number] + len(node.rules)
        entry[WIDE] = max((rows[index].variant.width for index in mine), default=1)
        entry[HIGH] = max((rows[index].variant.height for index in mine), default=1)
    return children


def _variant_arrays(
    rows: list[Row], flat: list[Flat], paired: set[int]
) -> tuple[list[list[int]], list[tuple[int, int]], list[list[int]], list[tuple[int, int]], list[int]]:
    variant_rows: list[list[int]] = []
    tests: list[tuple[int, int]] = []
    actions: list[list[int]] = []
    writes: list[tuple[int, int]] = []
    touched: list[int] = []
    first_guard = _first_guards(flat)
    heaviest: dict[int, float] = {}
    for row in rows:
        rule = row.leaf.rules[row.variant.rule]
        heaviest[row.node] = max(heaviest.get(row.node, 0), rule.weight * rule.chance)
    for row in rows:
        rule = row.leaf.rules[row.variant.rule]
        first_test, first_action, first_touched = len(tests), len(actions), len(touched)
        tests += row.tests
        for result, written, breaks in zip(row.variant.results, row.writes, row.breaks, strict=True):
            begin = len(writes)
            writes += written
            actions.append([begin, len(writes), result.weight, row.node in paired, breaks, row.rule, 0, 0])
        touched += [at for at, _ in row.writes[0]] if len(row.writes) == 1 else sorted({at for written in row.writes for at, _ in written})
        heavy = heaviest[row.node]
        share = rule.weight * rule.chance  # equal positions are merged: a rule does not weigh more for being symmetric
        numbers = [row.rule, row.variant.width, row.variant.height, first_test, len(tests), first_action, len(actions)]
        numbers += [sum(result.weight for result in row.variant.results), rule.weight, ONE if share >= heavy else max(1, int(ONE * share / heavy))]
        numbers += [threshold(rule.chance), row.stays, first_guard[row.rule], first_guard[row.rule + 1], -1, first_touched, len(touched)]
        variant_rows.append(numbers + [0] * (VARIANT_COLUMNS - len(numbers)))
    return variant_rows, tests, actions, writes, touched


def _first_guards(flat: list[Flat]) -> list[int]:
    """Where the guards of each rule begin, and where the last ends."""
    firsts = [0]
    for node in flat:
        for rule in node.node.rules:
            firsts.append(firsts[-1] + len(rule.guards))
    return firsts
