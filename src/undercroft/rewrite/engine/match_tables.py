"""Tables of where to look for matches after a change: triggers, pair tables and anchors, as the kernel `engine` reads
them.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.rewrite.engine import cell_tables, columns, guard_tables
from undercroft.rewrite.engine.tile_classes import INSIDE
from undercroft.rewrite.model.program import LEAF_KINDS, Rule

if TYPE_CHECKING:
    from undercroft.rewrite.engine.program_tables import FlatNode, VariantRow

MAX_PAIR_CELLS, MAX_PAIR_VARIANTS = 16, 64
"""Only leaves with at most this many variants, of at most this many cells each, get pair tables."""
Ints = list[int]


class ActionEffect(NamedTuple):
    """The changes of a variant's result, cell by cell."""

    row: VariantRow
    before: dict[int, int]
    """The possible classes at each offset before it."""
    written: list[tuple[int, int]]
    by_pairs: bool
    """Whether its leaf uses pair tables."""


def find_paired_leaves(nodes: NDArray[np.int64], flat: list[FlatNode], rows: list[VariantRow]) -> set[int]:
    """The leaves that use pair tables: `one` nodes with small patterns, no tile outside, and no lasting matches."""
    found = set()
    for number, (node, _, _, _) in enumerate(flat):
        mine = rows[int(nodes[number, columns.FIRST]) : int(nodes[number, columns.LAST])]
        small = len(mine) <= MAX_PAIR_VARIANTS and all(
            row.variant.width * row.variant.height <= MAX_PAIR_CELLS for row in mine
        )
        plain = node.each is None and not any(row.stays or any(row.breaks) for row in mine)
        if node.kind == "one" and small and node.outside < 0 and plain:
            found.add(number)
    return found


def build_match_tables(
    nodes: NDArray[np.int64],
    flat: list[FlatNode],
    rows: list[VariantRow],
    known: list[int],
    stride: int,
    by_pairs: set[int],
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32], NDArray[np.int64], NDArray[np.int32]]:
    """Build changes, spots, starts of pairs, pairs and anchors, and fill their columns in the table of nodes."""
    changes: list[NDArray[np.int32]] = []
    spots: list[NDArray[np.int32]] = [np.zeros(1, np.int32)]
    pair_at: Ints = []
    pairs: Ints = [0]
    anchors: list[NDArray[np.int32]] = [np.zeros(1, np.int32)]
    acted = (
        [ActionEffect(row, dict(row.tests), written, row.node in by_pairs) for row in rows for written in row.writes]
        if by_pairs
        else []
    )
    for number, (node, _, _, _) in enumerate(flat):
        if node.kind not in LEAF_KINDS:
            continue
        entry = nodes[number]
        mine = rows[int(entry[columns.FIRST]) : int(entry[columns.LAST])]
        entry[columns.TRIGGERS] = sum(map(len, changes))
        worst = _add_triggers(mine, known, changes, spots, stride)
        guards = [
            guard
            for row in mine
            for k, guard in enumerate(node.rules[row.variant.rule].guards)
            if any(bits >> k & 1 for bits in row.breaks)
        ]
        entry[columns.RADIUS] = guard_tables.guard_radius(guards)
        if entry[columns.RADIUS] > 0:
            reach = 2 * int(entry[columns.RADIUS])
            worst += (int(entry[columns.MAX_WIDTH]) + reach) * (int(entry[columns.MAX_HEIGHT]) + reach) * len(mine)
        entry[columns.PAIRS] = -1
        if number in by_pairs:
            entry[columns.PAIRS] = len(pair_at)
            most, certain = _add_pairs(mine, acted, pair_at, pairs, stride)
            worst = max(worst, most)
            alone = all(other == number or part.node.kind not in LEAF_KINDS for other, part in enumerate(flat))
            entry[columns.IS_ONLY_LEAF] = alone
            entry[columns.IS_PLAIN] = node.pick == "match" and _have_equal_weight(
                [node.rules[row.variant.rule] for row in mine]
            )
            entry[columns.LISTED_BY] = 2 if certain and alone and not _can_return(mine, acted) else 0
        entry[columns.MAX_NEW_MATCHES] = worst
        entry[columns.ANCHORS] = -1
        if node.outside < 0 and node.each is None:
            entry[columns.ANCHORS] = sum(map(len, anchors))
            _add_anchors(mine, anchors, int(entry[columns.ANCHORS]))
            entry[columns.MAY_TRY_BY_LOT] = (
                node.kind == "one" and node.pick == "match" and not guards and not any(row.stays for row in mine)
            )
    return (
        np.concatenate(changes) if changes else np.zeros(0, np.int32),
        np.concatenate(spots),
        np.array(pair_at, np.int32),
        np.array([number - (1 << 64) if number >> 63 > 0 else number for number in pairs], np.int64),
        np.concatenate(anchors),
    )


def _have_equal_weight(rules: list[Rule]) -> bool:
    """Whether all matches of these rules have the same weight at all times and places."""
    return len({rule.weight * rule.chance for rule in rules}) == 1 and not any(
        rule.limit or rule.area for rule in rules
    )


def _add_triggers(
    mine: list[VariantRow], known: Ints, changes: list[NDArray[np.int32]], spots: list[NDArray[np.int32]], stride: int
) -> int:
    """Add, for each change of a cell, the variants it may complete. Changes that concern the same sets share rows.

    A match that was used up while still true becomes available again by any change in its box, even of cells that may
    hold any tile.
    """
    by_mask: dict[tuple[int, bool], list[tuple[int, NDArray[np.int32]]]] = {}
    for local, row in enumerate(mine):
        first = 0
        for mask, count in row.groups:
            by_mask.setdefault((mask, row.stays), []).append((local, row.test_at[first : first + count]))
            first += count
        if row.stays:
            tested = set(row.test_at.tolist())
            rest = [
                at
                for at in cell_tables.box_offsets(row.variant.width, row.variant.height, stride).tolist()
                if at not in tested
            ]
            if rest:
                by_mask.setdefault((INSIDE, True), []).append((local, np.array(rest, np.int32)))
    lists = {key: _flatten_spots(parts) for key, parts in by_mask.items()}
    made: dict[tuple[tuple[int, bool], ...], int] = {(): 0}
    at = sum(map(len, spots))
    worst = 1
    table = np.zeros(4096, np.int32)
    for old in known:
        for new in known:
            hit = (
                tuple(key for key in lists if key[0] >> new & 1 and (key[1] or not key[0] >> old & 1))
                if old != new
                else ()
            )
            if hit not in made:
                entries = np.concatenate([lists[key] for key in hit])
                made[hit] = at
                spots += (np.array([len(entries) // 2], np.int32), entries)
                at += 1 + len(entries)
                worst = max(worst, len(entries) // 2)
            table[old * 64 + new] = made[hit]
    changes.append(table)
    return worst


def _flatten_spots(parts: list[tuple[int, NDArray[np.int32]]]) -> NDArray[np.int32]:
    """Variants and spots as one flat array of pairs."""
    listed = np.empty((sum(len(spots) for _, spots in parts), 2), np.int32)
    listed[:, 0] = np.repeat([local for local, _ in parts], [len(spots) for _, spots in parts])
    listed[:, 1] = np.concatenate([spots for _, spots in parts])
    return listed.reshape(-1)


def _add_anchors(mine: list[VariantRow], anchors: list[NDArray[np.int32]], start: int) -> None:
    """Add, for each class, the variants whose first test admits it: a table of 64 entries, followed by the rows."""
    by_class: list[Ints] = [[] for _ in range(64)]
    members: dict[int, Ints] = {}
    for local, row in enumerate(mine):
        at, mask = int(row.test_at[0]), row.groups[0][0]
        if mask not in members:
            members[mask] = [tile for tile in range(63) if mask >> tile & 1]
        for tile in members[mask]:
            by_class[tile] += (local, at)
    table = np.zeros(64, np.int32)
    made: dict[tuple[int, ...], int] = {(): 0}
    rows: list[Ints] = []
    end = start + 64
    for tile, entries in enumerate(by_class):
        key = tuple(entries)
        if key not in made:
            made[key] = end
            rows.append([len(entries) // 2, *entries])
            end += len(rows[-1])
        table[tile] = made[key]
    anchors += (table, np.array(list(chain.from_iterable(rows)), np.int32))


def _can_return(mine: list[VariantRow], acted: list[ActionEffect]) -> bool:
    """Whether a cell can leave a set that some pattern needs and return to it."""
    after = [1 << tile for tile in range(64)]
    for _, before, written, _ in acted:
        for at, tile in written:
            for old in range(63):
                if before.get(at, INSIDE) >> old & 1:
                    after[old] |= 1 << tile
    for _ in range(64):  # until nothing more is reachable; each round at least doubles the steps
        wider = [_union(after, reached) for reached in after]
        if wider == after:
            break
        after = wider
    masks = {mask & INSIDE for row in mine for mask, _ in row.groups}
    return any(
        _union(after, reached & ~mask) & mask for mask in masks for old, reached in enumerate(after) if mask >> old & 1
    )


def _union(sets: Ints, members: int) -> int:
    """The union of the members' sets."""
    found = 0
    for member in range(64):
        if members >> member & 1:
            found |= sets[member]
    return found


def _add_pairs(
    mine: list[VariantRow], acted: list[ActionEffect], pair_at: Ints, pairs: Ints, stride: int
) -> tuple[int, bool]:
    """Add, for each action, the nearby variants that it may have made true, and their remaining tests.

    Returns the most rows of an action, and whether every row is a certain change: the variant cannot have been true
    before. Actions of leaves without pair tables are logged cell by cell and have no rows.
    """
    sure = True
    worst = 1
    tests = [row.tests for row in mine]
    for row, before, written, known in acted:
        if not known:
            pair_at.append(0)
            sure = False
            continue
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
                    left = _find_open_tests(tests[local], delta, before, after, changed)
                    if left is None:
                        continue
                    sure = sure and any(
                        at + delta in changed and not before.get(at + delta, INSIDE) & mask for at, mask in tests[local]
                    )
                    pairs[head] += 1
                    pairs += (local, delta, len(left))
                    for at, mask in left:
                        pairs += (at, mask)
        worst = max(worst, pairs[head])
    return worst, sure


def _find_open_tests(
    tests: list[tuple[int, int]], delta: int, before: dict[int, int], after: dict[int, int], changed: set[int]
) -> list[tuple[int, int]] | None:
    """The tests of a variant at `delta` from an action that the action does not decide; None if the action cannot have
    made it true.
    """
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
        if spot in changed and before.get(spot, INSIDE) & ~mask:
            new = True
    return left if new else None
