"""Compile a program into the arrays that the engine runs on, for a map of a given size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain, pairwise, repeat
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft import limits
from undercroft.core.rng import PROBABILITY_ONE, threshold
from undercroft.rewrite.engine import cell_tables, guard_tables, match_tables
from undercroft.rewrite.engine.columns import (
    ACTION_COLUMNS,
    BYTES,
    FIRST,
    FIRST_RULE,
    KIND,
    LAST,
    LAST_RULE,
    LIMIT,
    MAX_HEIGHT,
    MAX_WIDTH,
    NODE_COLUMNS,
    NODE_KINDS,
    OUTSIDE,
    PAIRS,
    PARENT,
    PICK,
    REGIONS,
    SORTED,
    VARIANT_COLUMNS,
)
from undercroft.rewrite.engine.tile_classes import INSIDE, OTHER, TileClasses
from undercroft.rewrite.model.program import KEEP, LEAF_KINDS, PICKS, Area, Node, Program, is_margin_list
from undercroft.rewrite.model.symmetry import Variant, list_variants


class FlatNode(NamedTuple):
    """A node of the tree with the numbers of its parent and children, and the name of its stream."""

    node: Node
    parent: int
    children: list[int]
    key: str


class VariantRow(NamedTuple):
    """A variant with its node, and its tests and writes as offsets and classes."""

    node: int
    leaf: Node
    rule: int
    variant: Variant
    test_at: NDArray[np.int32]
    groups: list[tuple[int, int]]
    """The sets of classes of the tests, in order, with the number of tests for each."""
    written: list[tuple[NDArray[np.int32], NDArray[np.uint8]]]
    """For each result its offsets and the classes to write there."""
    stays: bool
    """Whether it may still match after it was applied: a used-up match can still be true."""
    breaks: list[int]
    """For each result the guards of its rule that it could break, as bits."""

    @property
    def tests(self) -> list[tuple[int, int]]:
        """The tests one by one, as offset and set."""
        return list(
            zip(
                self.test_at.tolist(),
                chain.from_iterable(repeat(mask, count) for mask, count in self.groups),
                strict=True,
            )
        )

    @property
    def writes(self) -> list[list[tuple[int, int]]]:
        """For each result its writes one by one, as offset and class."""
        return [list(zip(at.tolist(), tile.tolist(), strict=True)) for at, tile in self.written]


class ProgramTables(NamedTuple):
    """All arrays of a program; the kernel `engine` documents each."""

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
    """The width of the rim at the sides and above."""
    classes: TileClasses
    rows: list[VariantRow]
    """The source of each variant."""
    flat: list[FlatNode]
    leaves: list[int]
    worst: int
    """The most log entries that one action makes."""

    @property
    def log_cells(self) -> bool:
        """Whether some leaf uses triggers."""
        return bool((self.nodes[self.leaves, PAIRS] < 0).any())

    def areas(self) -> list[Area | None]:
        """The area that each variant may write in."""
        return [row.leaf.each or row.leaf.rules[row.variant.rule].area for row in self.rows]


def build_tables(program: Program, width: int, height: int, counts: NDArray[np.int64] | None = None) -> ProgramTables:
    """The tables of a program for a map. `counts` (of tiles, by code) decides which cell of a pattern is tested first:
    the rarest.

    Tables that do not change while rules run are cached for the next map of that size.
    """
    counted = [] if counts is None else counts[: len(program.palette)].tolist()
    rarity = tuple(count.bit_length() for count in counted)
    made = cached_tables(program, width, height, rarity)
    return made._replace(nodes=made.nodes.copy(), rules=made.rules.copy(), guards=made.guards.copy())


@lru_cache(maxsize=32)
def cached_tables(program: Program, width: int, height: int, rarity: tuple[int, ...]) -> ProgramTables:
    """The tables before a run. `rarity` is the number of bits in the count of each tile on the map."""
    classes = TileClasses(program)
    flat = _flatten(program.root)
    found = [
        (number, node.node, variant)
        for number, node in enumerate(flat)
        if node.node.kind in LEAF_KINDS
        for variant in list_variants(node.node.rules, program.palette, merge=node.node.merge)
        if node.node.rules[variant.rule].is_enabled()
    ]
    _check_sizes(flat, found)
    wide = max((variant.width for _, _, variant in found), default=1)
    high = max((variant.height for _, _, variant in found), default=1)
    stride = width + wide
    common = [0] * 64
    for code, rare in enumerate(rarity):
        common[int(classes.of_code[code])] += 1 << rare if rare else 0
    first_rule = _first_rules(flat)
    placed = [(leaf, variant) for _, leaf, variant in found]
    tests, writes = (
        cell_tables.build_tests(placed, classes, stride, cell_tables.TileFrequency(common)),
        cell_tables.build_writes(placed, classes, stride),
    )
    rows = [_add_breaks(row, program, classes, stride) for row in _build_rows(found, first_rule, tests, writes)]
    nodes = np.zeros((len(flat), NODE_COLUMNS), np.int64)
    children = _fill_nodes(nodes, flat, rows, first_rule)
    guards = [guard for node in flat for rule in node.node.rules for guard in rule.guards]
    paired = match_tables.find_paired_leaves(nodes, flat, rows)
    variant_rows, actions, touched = _build_variant_arrays(rows, flat, paired, tests.firsts, writes.firsts)
    look = match_tables.build_match_tables(nodes, flat, rows, [*range(len(classes.codes)), OTHER], stride, paired)
    rules = [rule for node in flat for rule in node.node.rules]
    return ProgramTables(
        nodes,
        np.array(children, np.int32),
        variant_rows,
        np.array([[0, rule.limit] for rule in rules], np.int64).reshape(len(rules), 2),
        tests.at,
        tests.sets.view(np.int64),
        actions,
        writes.at,
        writes.tile,
        touched,
        *look,
        guard_tables.build_guard_table(guards, program, classes),
        # one row more than patterns reach, for the ring that guards examine
        np.array([width, height, stride, (high + 1) * stride], np.int64),
        (wide, high + 1),
        classes,
        rows,
        flat,
        [number for number, node in enumerate(flat) if node.node.kind in LEAF_KINDS],
        1 + max((last - first for first, last in pairwise(writes.firsts)), default=0),
    )


def _check_sizes(flat: list[FlatNode], found: list[tuple[int, Node, Variant]]) -> None:
    """Refuse programs that overflow the kernel's numbers. Files never do; programs built in Python may."""
    side = max((max(variant.width, variant.height) for _, _, variant in found), default=0)
    limits.PATTERN_SIDE.check(side, "the side of a pattern")
    limits.PROGRAM_RESULTS.check(
        sum(len(variant.results) for _, _, variant in found), "the number of results of a program in all positions"
    )
    of_node: dict[int, list[Variant]] = {}
    for number, _, variant in found:
        of_node.setdefault(number, []).append(variant)
    for number, mine in of_node.items():
        limits.NODE_VARIANTS.check(len(mine), "the number of positions of the rules of a node")
        limits.NODE_WEIGHT.check(
            sum(flat[number].node.rules[variant.rule].weight for variant in mine), "the sum of the weights of a node"
        )


def _flatten(root: Node) -> list[FlatNode]:
    """All nodes, the root first. A single leaf gets a sequence around it. A node's key is its name, or its index among
    its unnamed siblings; a block that is the whole program has the same key as beside other nodes.
    """
    if root.kind in LEAF_KINDS:
        root = Node("sequence", children=(root,))
    flat: list[FlatNode] = []
    [own_key] = [""] if is_margin_list(root) else _number_keys([(root.name, root.kind)])
    todo: list[tuple[Node, int, str]] = [(root, -1, f"/{own_key}" if own_key else "")]
    while todo:
        node, parent, key = todo.pop()
        number = len(flat)
        flat.append(FlatNode(node, parent, [], key))
        if parent >= 0:
            flat[parent].children.append(number)
        keys = _number_keys((child.name, child.kind) for child in node.children)
        todo.extend(
            (child, number, f"{key}/{own}") for child, own in reversed(list(zip(node.children, keys, strict=True)))
        )
    return flat


def _number_keys(named: Iterable[tuple[str, str]]) -> list[str]:
    """Names, or kinds for unnamed nodes, with a number from the second equal one on."""
    seen: dict[str, int] = {}
    keys = []
    for name, kind in named:
        word = name or f"({kind})"
        seen[word] = seen.get(word, 0) + 1
        keys.append(word if seen[word] == 1 else f"{word}#{seen[word]}")
    return keys


def list_stream_keys(flat: list[FlatNode]) -> list[str]:
    """The stream names of all rules. The first rule that is named after its node uses the node's name alone, even if
    others follow.
    """
    found = []
    for node in flat:
        first = f"{node.node.name} 1"
        names = (node.node.name if rule.name == first else rule.name for rule in node.node.rules)
        found += [f"{node.key}|{key}" for key in _number_keys((name, "rule") for name in names)]
    return found


def _first_rules(flat: list[FlatNode]) -> list[int]:
    firsts, count = [], 0
    for node in flat:
        firsts.append(count)
        count += len(node.node.rules)
    return firsts


def _build_rows(
    found: list[tuple[int, Node, Variant]],
    first_rule: list[int],
    tests: cell_tables.CellTests,
    writes: cell_tables.CellWrites,
) -> Iterator[VariantRow]:
    """The variants, each with its own tests and writes."""
    action = 0
    for k, (number, leaf, variant) in enumerate(found):
        stays = leaf.outside >= 0 or any(  # nothing is written outside the border, so the match may stay
            all(code == KEEP or tiles >> code & 1 for tiles, code in zip(variant.pattern, result.cells, strict=True))
            for result in variant.results
        )
        ends = writes.firsts[action : action + len(variant.results) + 1]
        written = [(writes.at[first:last], writes.tile[first:last]) for first, last in pairwise(ends)]
        test_at = tests.at[tests.firsts[k] : tests.firsts[k + 1]]
        yield VariantRow(
            number,
            leaf,
            first_rule[number] + variant.rule,
            variant,
            test_at,
            tests.groups[k],
            written,
            stays,
            [0] * len(written),
        )
        action += len(variant.results)


def _add_breaks(row: VariantRow, program: Program, classes: TileClasses, stride: int) -> VariantRow:
    """The row, with the guards that its results could break."""
    guards = row.leaf.rules[row.variant.rule].guards
    if not guards:
        return row
    if row.leaf.kind != "one":  # the box may hold what others wrote in the same turn: nothing can be proved
        return row._replace(breaks=[(1 << len(guards)) - 1] * len(row.written))
    box = cell_tables.box_offsets(row.variant.width, row.variant.height, stride).tolist()
    before = {**dict.fromkeys(box, INSIDE if row.leaf.outside < 0 else -1), **dict(row.tests)}
    breaks = [
        sum(
            guard_tables.could_break(guard, program, classes, before, written, stride) << k
            for k, guard in enumerate(guards)
        )
        for written in row.writes
    ]
    return row._replace(breaks=breaks)


def _fill_nodes(
    nodes: NDArray[np.int64], flat: list[FlatNode], rows: list[VariantRow], first_rule: list[int]
) -> list[int]:
    children: list[int] = []
    of_node: dict[int, list[int]] = {}
    for index, row in enumerate(rows):
        of_node.setdefault(row.node, []).append(index)
    for number, (node, parent, below, _) in enumerate(flat):
        entry = nodes[number]
        # the only branch with a limit is repeat
        entry[KIND], entry[PARENT], entry[LIMIT], entry[REGIONS] = (NODE_KINDS.index(node.kind), parent, node.limit, -1)
        if node.kind not in LEAF_KINDS:
            entry[FIRST] = len(children)
            children += below
            entry[LAST] = len(children)
            continue
        mine = of_node.get(number, [])
        entry[FIRST], entry[LAST] = (mine[0], mine[-1] + 1) if mine else (0, 0)
        entry[BYTES] = max(1, (len(mine) + 7) // 8)
        entry[PICK] = PICKS.index(node.pick)
        entry[OUTSIDE] = node.outside >= 0
        entry[SORTED] = (
            node.kind == "parallel"
            and len({tile for index in mine for _, tiles in rows[index].written for tile in tiles.tolist()}) > 1
        )
        entry[FIRST_RULE], entry[LAST_RULE] = first_rule[number], first_rule[number] + len(node.rules)
        entry[MAX_WIDTH] = max((rows[index].variant.width for index in mine), default=1)
        entry[MAX_HEIGHT] = max((rows[index].variant.height for index in mine), default=1)
    return children


def _build_variant_arrays(
    rows: list[VariantRow], flat: list[FlatNode], paired: set[int], first_tests: list[int], first_writes: list[int]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int32]]:
    """The tables of variants and of actions, and the cells that a variant writes on with any of its results."""
    variant_rows: list[list[int]] = []
    actions: list[list[int]] = []
    touched: list[NDArray[np.int32]] = [np.zeros(0, np.int32)]
    touches = 0
    first_guard = _first_guards(flat)
    heaviest: dict[int, float] = {}
    for row in rows:
        rule = row.leaf.rules[row.variant.rule]
        heaviest[row.node] = max(heaviest.get(row.node, 0), rule.weight * rule.chance)
    for row, first_test, last_test in zip(rows, first_tests, first_tests[1:], strict=False):
        rule = row.leaf.rules[row.variant.rule]
        first_action, first_touched = len(actions), touches
        for result, breaks in zip(row.variant.results, row.breaks, strict=True):
            begin, end = first_writes[len(actions) : len(actions) + 2]
            actions.append([begin, end, result.weight, row.node in paired, breaks, row.rule, 0, 0])
        touched.append(
            row.written[0][0] if len(row.written) == 1 else np.unique(np.concatenate([at for at, _ in row.written]))
        )
        touches += len(touched[-1])
        heavy = heaviest[row.node]
        share = rule.weight * rule.chance  # equal positions are merged: a symmetric rule has no more weight
        numbers = [row.rule, row.variant.width, row.variant.height, first_test, last_test, first_action, len(actions)]
        numbers += [
            sum(result.weight for result in row.variant.results),
            rule.weight,
            PROBABILITY_ONE if share >= heavy else max(1, int(PROBABILITY_ONE * share / heavy)),
        ]
        numbers += [
            threshold(rule.chance),
            row.stays,
            first_guard[row.rule],
            first_guard[row.rule + 1],
            -1,
            first_touched,
            touches,
        ]
        variant_rows.append(numbers)
    made = np.zeros((len(rows), VARIANT_COLUMNS), np.int64)
    if rows:
        made[:, : len(variant_rows[0])] = variant_rows
    return made, np.array(actions, np.int64).reshape(len(actions), ACTION_COLUMNS), np.concatenate(touched)


def _first_guards(flat: list[FlatNode]) -> list[int]:
    """The index where the guards of each rule begin, and the end of the last."""
    firsts = [0]
    for node in flat:
        for rule in node.node.rules:
            firsts.append(firsts[-1] + len(rule.guards))
    return firsts
