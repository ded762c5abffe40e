"""A program as the arrays the engine runs on, for a map of a given size."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.core.rng import ONE, threshold
from undercroft.errors import TooBig
from undercroft.rewrite.program import ANY, KEEP, LEAVES, Node, Program
from undercroft.rewrite.symmetry import Variant, variants

RIM = 63
OTHER = 62
KINDS = ("one", "all", "parallel", "sequence", "markov", "repeat")
PICKS = ("match", "rule", "token", "first")
SMALL_BOX, FEW_VARIANTS = 16, 64
"""Pair tables are made for nodes with at most so many variants of at most so many cells."""
NODE_COLUMNS, STATE_PLACES = 23, 12
(
    KIND,
    PARENT,
    FIRST,
    LAST,
    _AT,
    _DONE,
    LIMIT,
    LIST,
    _COUNT,
    ROOM,
    _SEEN,
    _SCANNED,
    BITS,
    BYTES,
    PAIRS,
    TRIGGERS,
    PICK,
    SORTED,
    _OVER,
    WORST,
    _ACTED,
    OUTSIDE,
    ONCE,
) = range(NODE_COLUMNS)


class Classes:
    """Tile codes as the 63 classes the engine knows: the tiles that the program names, and "other" for all else."""

    def __init__(self, program: Program) -> None:
        self.renamed = len(program.palette) > OTHER
        """Whether classes differ from codes; few palettes are so large."""
        codes = sorted(_named(program)) if self.renamed else list(range(len(program.palette)))
        if len(codes) > OTHER:
            raise TooBig(f"a program can tell {OTHER} tiles apart, this one names {len(codes)}", fix="name fewer tiles, or split the program")
        self.codes = np.array(codes, np.uint8)
        self.of_code = np.full(256, OTHER, np.uint8)
        self.of_code[self.codes] = np.arange(len(codes))

    def mask(self, tiles: int, outside: int) -> int:
        """A set of tiles as a set of classes, as a signed 64-bit number; the rim counts as the outside tile."""
        if tiles == ANY:
            found = (1 << RIM) - 1
        else:
            found = 0
            for index, code in enumerate(self.codes.tolist()):
                if tiles >> code & 1:
                    found |= 1 << index
            if tiles >> 255 & 1:  # a set made by negation holds tiles nobody named
                found |= 1 << OTHER
        if outside >= 0 and tiles >> outside & 1:
            found |= 1 << RIM
        return found - (1 << 64) if found >> RIM else found


def _named(program: Program) -> set[int]:
    """The codes of all tiles that some rule names."""
    named: set[int] = set()
    for leaf in program.root.leaves():
        if leaf.outside >= 0:
            named.add(leaf.outside)
        for variant in variants(leaf.rules, program.palette):
            named.update(code for result in variant.results for code in result.cells if code != KEEP)
            for mask in variant.pattern:
                if mask != ANY:
                    named.update(code for code in range(len(program.palette)) if mask >> code & 1)
    return named


class Tables(NamedTuple):
    """See the kernel `engine` for the meaning of each."""

    nodes: NDArray[np.int64]
    children: NDArray[np.int32]
    variants: NDArray[np.int64]
    rules: NDArray[np.int64]
    test_at: NDArray[np.int32]
    test_set: NDArray[np.int64]
    actions: NDArray[np.int32]
    write_at: NDArray[np.int32]
    write_tile: NDArray[np.uint8]
    changes: NDArray[np.int32]
    spots: NDArray[np.int32]
    pair_at: NDArray[np.int32]
    pairs: NDArray[np.int64]
    shape: NDArray[np.int64]
    rim: tuple[int, int]
    """Cells of rim beside and above."""
    classes: Classes
    rows: list[Row]
    """What stands behind each variant."""
    leaves: list[int]
    worst: int
    """The most log entries that one action makes."""

    @property
    def log_cells(self) -> bool:
        """Whether some leaf looks by triggers."""
        return bool((self.nodes[self.leaves, PAIRS] < 0).any())

    @property
    def log_actions(self) -> bool:
        """Whether some leaf looks by pair tables."""
        return bool((self.nodes[self.leaves, PAIRS] >= 0).any())


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


def tables(program: Program, width: int, height: int, counts: NDArray[np.int64] | None = None) -> Tables:
    """Lay a program out for a map. `counts` (of tiles, by code) decides which cell of a pattern is tested first: the rarest."""
    classes = Classes(program)
    nodes = _flat(program.root)
    found = [
        (number, leaf, variant)
        for number, (leaf, _, _) in enumerate(nodes)
        if leaf.kind in LEAVES
        for variant in variants(leaf.rules, program.palette, merge=leaf.merge)
        if leaf.rules[variant.rule].works()
    ]
    wide = max((variant.width for _, _, variant in found), default=1)
    high = max((variant.height for _, _, variant in found), default=1)
    stride = width + wide
    rarity = np.zeros(64, np.int64)
    if counts is not None:
        np.add.at(rarity, classes.of_code[: len(counts)], counts)
    first_rule = _first_rules(nodes)
    rows = [_row(number, leaf, first_rule[number] + variant.rule, variant, classes, stride, rarity) for number, leaf, variant in found]
    table = np.zeros((len(nodes), NODE_COLUMNS), np.int64)
    children = _fill_nodes(table, nodes, rows)
    variant_rows, tests, actions, writes = _variant_arrays(rows)
    changes, spots, pair_at, pairs = _look_tables(table, nodes, rows, [*range(len(classes.codes)), OTHER], stride)
    rules = [rule for leaf, _, _ in nodes for rule in leaf.rules]
    return Tables(
        table,
        np.array(children, np.int32),
        np.array(variant_rows, np.int64).reshape(len(rows), 12),
        np.array([[0, rule.limit] for rule in rules], np.int64).reshape(len(rules), 2),
        np.array([at for at, _ in tests], np.int32),
        np.array([mask for _, mask in tests], np.int64),
        np.array(actions, np.int32).reshape(len(actions), 3),
        np.array([at for at, _ in writes], np.int32),
        np.array([tile for _, tile in writes], np.uint8),
        np.array(changes, np.int32),
        np.array(spots, np.int32),
        np.array(pair_at, np.int32),
        np.array(pairs, np.int64),
        np.array([width, height, stride, high * stride], np.int64),
        (wide, high),
        classes,
        rows,
        [number for number, (leaf, _, _) in enumerate(nodes) if leaf.kind in LEAVES],
        1 + max((len(result) for row in rows for result in row.writes), default=0),
    )


def _flat(root: Node) -> list[tuple[Node, int, list[int]]]:
    """All nodes, the root first, as (node, parent, children). A lone leaf gets a sequence around it."""
    if root.kind in LEAVES:
        root = Node("sequence", children=(root,))
    flat: list[tuple[Node, int, list[int]]] = []
    todo: list[tuple[Node, int]] = [(root, -1)]
    while todo:
        node, parent = todo.pop()
        number = len(flat)
        flat.append((node, parent, []))
        if parent >= 0:
            flat[parent][2].append(number)
        todo.extend((child, number) for child in reversed(node.children))
    return flat


def _first_rules(nodes: list[tuple[Node, int, list[int]]]) -> list[int]:
    firsts, count = [], 0
    for node, _, _ in nodes:
        firsts.append(count)
        count += len(node.rules)
    return firsts


def _row(number: int, leaf: Node, rule: int, variant: Variant, classes: Classes, stride: int, rarity: NDArray[np.int64]) -> Row:
    width, height = variant.width, variant.height
    offsets = [y * stride + x for y in range(height) for x in range(width)]
    masks = [classes.mask(tiles, leaf.outside) for tiles in variant.pattern]
    everything = (1 << RIM) - 1
    tests = [(at, mask) for at, mask, tiles in zip(offsets, masks, variant.pattern, strict=True) if tiles != ANY or (leaf.outside < 0 and mask != everything)]
    if leaf.outside < 0:  # a placement lies wholly inside: if no test says so already, the corners do
        tested = {at for at, _ in tests}
        for corner in (offsets[0], offsets[-1]):
            if corner not in tested:
                tests.append((corner, everything))
                tested.add(corner)

    def commonness(test: tuple[int, int]) -> tuple[int, int]:
        at, mask = test
        return int(sum(int(rarity[bit]) for bit in range(63) if mask >> bit & 1)) if mask != everything else 1 << 62, at

    tests.sort(key=commonness)
    writes = [[(at, int(classes.of_code[code])) for at, code in zip(offsets, result.cells, strict=True) if code != KEEP] for result in variant.results]
    stays = leaf.outside >= 0 or any(  # over the border nothing is written, so the match may stay
        all(code == KEEP or tiles >> code & 1 for tiles, code in zip(variant.pattern, result.cells, strict=True)) for result in variant.results
    )
    return Row(number, leaf, rule, variant, tests, writes, stays)


def _fill_nodes(table: NDArray[np.int64], nodes: list[tuple[Node, int, list[int]]], rows: list[Row]) -> list[int]:
    children: list[int] = []
    for number, (node, parent, below) in enumerate(nodes):
        entry = table[number]
        entry[KIND], entry[PARENT], entry[LIMIT] = KINDS.index(node.kind), parent, node.limit
        if node.kind in LEAVES:
            mine = [index for index, row in enumerate(rows) if row.node == number]
            entry[FIRST], entry[LAST] = (mine[0], mine[-1] + 1) if mine else (0, 0)
            entry[BYTES] = max(1, (len(mine) + 7) // 8)
            entry[PICK] = PICKS.index(node.pick)
            entry[OUTSIDE] = node.outside >= 0
            entry[SORTED] = node.kind == "parallel" and len({tile for index in mine for result in rows[index].writes for _, tile in result}) > 1
        else:
            entry[FIRST] = len(children)
            children += below
            entry[LAST] = len(children)
    return children


def _variant_arrays(rows: list[Row]) -> tuple[list[list[int]], list[tuple[int, int]], list[list[int]], list[tuple[int, int]]]:
    variant_rows: list[list[int]] = []
    tests: list[tuple[int, int]] = []
    actions: list[list[int]] = []
    writes: list[tuple[int, int]] = []
    heaviest: dict[int, float] = {}
    for row in rows:
        rule = row.leaf.rules[row.variant.rule]
        heaviest[row.node] = max(heaviest.get(row.node, 0), rule.weight * rule.chance)
    for row in rows:
        rule = row.leaf.rules[row.variant.rule]
        first_test, first_action = len(tests), len(actions)
        tests += row.tests
        for result, written in zip(row.variant.results, row.writes, strict=True):
            begin = len(writes)
            writes += written
            actions.append([begin, len(writes), result.weight])
        weight = rule.weight  # equal positions are merged: a rule does not weigh more for being symmetric
        total = sum(result.weight for result in row.variant.results)
        off = not weight or not total
        heavy = heaviest[row.node]
        accept = 0 if off or not heavy else ONE if rule.weight * rule.chance >= heavy else int(ONE * (rule.weight * rule.chance) / heavy)
        variant_rows.append(
            [
                row.rule,
                row.variant.width,
                row.variant.height,
                first_test,
                len(tests),
                first_action,
                len(actions),
                total,
                weight,
                accept,
                threshold(rule.chance),
                row.stays,
            ]
        )
    return variant_rows, tests, actions, writes


def _look_tables(
    table: NDArray[np.int64], nodes: list[tuple[Node, int, list[int]]], rows: list[Row], known: list[int], stride: int
) -> tuple[list[int], list[int], list[int], list[int]]:
    changes: list[int] = []
    spots: list[int] = [0]
    pair_at: list[int] = []
    pairs: list[int] = [0]
    acted = [(index, row, written) for index, row in enumerate(rows) for written in row.writes]
    only_one = all(node.kind == "one" or node.kind not in LEAVES for node, _, _ in nodes)
    for number, (node, _, _) in enumerate(nodes):
        if node.kind not in LEAVES:
            continue
        first = int(table[number, FIRST])
        mine = rows[first : int(table[number, LAST])]
        table[number, TRIGGERS] = len(changes)
        worst = _triggers(mine, known, changes, spots)
        table[number, PAIRS] = -1
        small = len(mine) <= FEW_VARIANTS and len(rows) <= FEW_VARIANTS and all(row.variant.width * row.variant.height <= SMALL_BOX for row in rows)
        if only_one and small and node.outside < 0 and not any(row.stays for row in mine):
            table[number, PAIRS] = len(pair_at)
            most, certain = _pairs(mine, acted, pair_at, pairs, stride)
            worst = max(worst, most)
            table[number, ONCE] = certain and _looks_at_once(nodes, number) and not _returns(mine, acted)
        table[number, WORST] = worst
    return changes, spots, pair_at, pairs


def _triggers(mine: list[Row], known: list[int], changes: list[int], spots: list[int]) -> int:
    """For each change of a cell the variants it may complete. Rows are shared between changes that concern the same sets."""
    by_mask: dict[tuple[int, bool], list[tuple[int, int]]] = {}
    for local, row in enumerate(mine):
        for at, mask in row.tests:
            by_mask.setdefault((mask, row.stays), []).append((local, at))
    made: dict[tuple[tuple[int, bool], ...], int] = {(): 0}
    worst = 1
    table = [0] * 4096
    for old in known:
        for new in known:
            hit = tuple(key for key in by_mask if key[0] >> new & 1 and (key[1] or not key[0] >> old & 1)) if old != new else ()
            if hit not in made:
                made[hit] = len(spots)
                entries = [entry for key in hit for entry in by_mask[key]]
                spots.append(len(entries))
                for local, at in entries:
                    spots += (local, at)
                worst = max(worst, len(entries))
            table[old * 64 + new] = made[hit]
    changes += table
    return worst


def _looks_at_once(nodes: list[tuple[Node, int, list[int]]], number: int) -> bool:
    """Whether a leaf looks after every rewrite: it is the only leaf."""
    return all(other == number or node.kind not in LEAVES for other, (node, _, _) in enumerate(nodes))


def _returns(mine: list[Row], acted: list[tuple[int, Row, list[tuple[int, int]]]]) -> bool:
    """Whether a cell can leave a set that some pattern asks for and come back to it."""
    after = [1 << tile for tile in range(64)]
    for _, row, written in acted:
        before = dict(row.tests)
        for at, tile in written:
            for old in range(63):
                if before.get(at, -1) >> old & 1:
                    after[old] |= 1 << tile
    for _ in range(64):  # until nothing more can be reached; each round at least doubles the steps
        wider = [_union(after, reached) for reached in after]
        if wider == after:
            break
        after = wider
    masks = {mask & ((1 << 63) - 1) for row in mine for _, mask in row.tests}
    return any(_union(after, reached & ~mask) & mask for mask in masks for old, reached in enumerate(after) if mask >> old & 1)


def _union(sets: list[int], members: int) -> int:
    """All that is in the sets of the members."""
    found = 0
    for member in range(64):
        if members >> member & 1:
            found |= sets[member]
    return found


def _pairs(mine: list[Row], acted: list[tuple[int, Row, list[tuple[int, int]]]], pair_at: list[int], pairs: list[int], stride: int) -> tuple[int, bool]:
    """For each action the variants nearby that may have become true by it, and the tests that are left.

    Returns the most rows of an action, and whether every row is a certain change: the variant cannot have been true before.
    """
    sure = True
    worst = 1
    for _, row, written in acted:
        before = dict(row.tests)
        after = dict(before)
        after.update({at: 1 << tile for at, tile in written})
        changed = {at for at, tile in written}
        pair_at.append(len(pairs))
        pairs.append(0)
        head = len(pairs) - 1
        width, height = row.variant.width, row.variant.height
        for local, other in enumerate(mine):
            for dy in range(1 - other.variant.height, height):
                for dx in range(1 - other.variant.width, width):
                    delta = dy * stride + dx
                    left = _left(other.tests, delta, before, after, changed)
                    if left is None:
                        continue
                    sure = sure and any(at + delta in changed and not before.get(at + delta, -1) & mask for at, mask in other.tests)
                    pairs[head] += 1
                    pairs += (local, delta, len(left))
                    for at, mask in left:
                        pairs += (at, mask)
        worst = max(worst, pairs[head])
    return worst, sure


def _left(tests: list[tuple[int, int]], delta: int, before: dict[int, int], after: dict[int, int], changed: set[int]) -> list[tuple[int, int]] | None:
    """The tests of a variant at `delta` from an action that the action does not settle; None if it cannot have become true by it."""
    left: list[tuple[int, int]] = []
    new = False
    for at, mask in tests:
        spot = at + delta
        known = after.get(spot)
        if known is None:
            left.append((spot, mask))
            continue
        if not known & mask:
            return None
        if known & ~mask:
            left.append((spot, mask))
        if spot in changed and before.get(spot, -1) & ~mask:
            new = True
    return left if new else None
