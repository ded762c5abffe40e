"""The tests and writes of all variants of a program as arrays, one variant after the other."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.rewrite.engine.tile_classes import INSIDE, TileClasses
from undercroft.rewrite.model.program import ANY, KEEP, Node
from undercroft.rewrite.model.symmetry import Variant

LeafVariant = tuple[Node, Variant]
"""A variant, and the leaf it belongs to."""


class CellTests(NamedTuple):
    """Tests of all variants: the cell at offset `at` from the corner must be one of the classes in `sets`. The tests
    that fail most often come first.
    """

    at: NDArray[np.int32]
    sets: NDArray[np.uint64]
    firsts: list[int]
    """The index where the tests of each variant begin, and the end of the last ones."""
    groups: list[list[tuple[int, int]]]
    """For each variant the sets of its tests, in order, with the number of tests for each."""


class CellWrites(NamedTuple):
    """Writes of all variants: the cell at offset `at` from the corner becomes `tile`, which is a class."""

    at: NDArray[np.int32]
    tile: NDArray[np.uint8]
    firsts: list[int]
    """The index where the writes of each result of each variant begin, and the end of the last ones."""


class TileFrequency:
    """The approximate number of cells on the map with a tile of a set, computed once for each set."""

    def __init__(self, common: list[int]) -> None:
        self.common = common
        self.known: dict[int, int] = {INSIDE: 1 << 62}

    def __call__(self, mask: int) -> int:
        if mask not in self.known:
            self.known[mask] = sum(self.common[bit] for bit in range(63) if mask >> bit & 1)
        return self.known[mask]


@lru_cache(maxsize=256)
def box_offsets(width: int, height: int, stride: int) -> NDArray[np.int32]:
    """The offsets of the cells of a box on the padded grid, row by row."""
    box: NDArray[np.int32] = np.add.outer(
        np.arange(height, dtype=np.int32) * np.int32(stride), np.arange(width, dtype=np.int32)
    )
    return box.reshape(-1)


@lru_cache(maxsize=4096)
def _spread_order(count: int) -> NDArray[np.intp]:
    """The numbers below `count` in an order that spreads over the whole range early, so that a mismatch on any side is
    found soon.

    >>> _spread_order(6).tolist()
    [0, 4, 2, 1, 5, 3]
    """
    bits = max(count - 1, 0).bit_length()
    return np.array([k for k in (int(f"{k:0{bits}b}"[::-1], 2) for k in range(1 << bits)) if k < count], np.intp)


def build_tests(
    found: Sequence[LeafVariant], classes: TileClasses, stride: int, commonness: TileFrequency
) -> CellTests:
    """The tests of all variants.

    Each set of tiles of each variant has a slot, numbered in the order of the tests, and each cell gets the slot of its
    set. Sets that are the same to the engine form one group. Sorting by slot puts all cells in order at once.
    """
    slots: list[NDArray[np.int64]] = []
    masks: list[int] = []
    group_of: list[int] = []
    first_groups = [0]
    for leaf, variant in found:
        tiles_of: dict[int, list[int]] = {}
        for tiles in set(variant.pattern):  # few sets, many cells
            if tiles != ANY:
                tiles_of.setdefault(classes.mask(tiles, leaf.outside), []).append(tiles)
        if leaf.outside < 0:  # a placement lies fully inside: if no test ensures that, tests of the corners do
            tiles_of.setdefault(INSIDE, []).append(ANY)
        slot_of = {ANY: -1}
        corner = -1
        for mask in sorted(tiles_of, key=commonness):
            for tiles in tiles_of[mask]:
                if tiles == ANY:
                    corner = len(group_of)
                else:
                    slot_of[tiles] = len(group_of)
                group_of.append(len(masks))
            masks.append(mask)
        first_groups.append(len(masks))
        own = np.fromiter(map(slot_of.__getitem__, variant.pattern), np.int64, len(variant.pattern))
        for k in (0, -1):
            if variant.pattern[k] == ANY:
                own[k] = corner
        slots.append(own)
    return _sort_tests(found, stride, np.concatenate(slots or [np.zeros(0, np.int64)]), masks, group_of, first_groups)


def _sort_tests(
    found: Sequence[LeafVariant],
    stride: int,
    slots: NDArray[np.int64],
    masks: list[int],
    group_of: list[int],
    first_groups: list[int],
) -> CellTests:
    """The tests sorted by slot, with those of a group spread over the variant."""
    asked = np.flatnonzero(slots >= 0)
    wanted = slots[asked].astype(np.min_scalar_type(len(group_of)))  # short numbers sort much faster
    sizes = np.bincount(np.array(group_of, np.intp)[wanted], minlength=len(masks))
    starts = np.concatenate([[0], np.cumsum(sizes)])
    counts, begins = sizes.tolist(), starts.tolist()
    spread = np.empty(len(wanted), np.intp)
    for count in set(counts):  # many groups are equally large
        begin = starts[:-1][sizes == count, None]
        spread[begin + np.arange(count)] = begin + _spread_order(count)
    order = asked[np.argsort(wanted, kind="stable")[spread]]
    return CellTests(
        _all_offsets([variant for _, variant in found], stride)[order],
        np.repeat(np.array(masks, np.uint64), sizes),
        [begins[group] for group in first_groups],
        [
            [(mask, count) for mask, count in zip(masks[first:last], counts[first:last], strict=True) if count]
            for first, last in pairwise(first_groups)
        ],
    )


def build_writes(found: Sequence[LeafVariant], classes: TileClasses, stride: int) -> CellWrites:
    """The writes of all results of all variants."""
    results = [result.cells for _, variant in found for result in variant.results]
    firsts = np.concatenate([[0], np.cumsum([len(cells) for cells in results], dtype=np.intp)])
    codes = np.fromiter(chain.from_iterable(results), np.int16, int(firsts[-1]))
    written = np.flatnonzero(codes != KEEP)
    at = _all_offsets([variant for _, variant in found for _ in variant.results], stride)[written]
    return CellWrites(at, classes.of_code[codes[written]], np.searchsorted(written, firsts).tolist())


def _all_offsets(variants: Sequence[Variant], stride: int) -> NDArray[np.int32]:
    return np.concatenate(
        [np.zeros(0, np.int32), *(box_offsets(variant.width, variant.height, stride) for variant in variants)]
    )
