"""Find the places where a pattern matches, on a map of any size."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from undercroft.kernels import buffer, matching
from undercroft.rewrite.engine.tile_classes import count_tiles
from undercroft.rewrite.model.program import ANY

BAND_CELLS = 1 << 18
"""The number of cells whose bits are computed at a time, so that they fit the cache."""


class BitPlanes:
    """A map as bits, for any number of patterns: one plane for each set of tiles that a pattern needs.

    >>> planes = BitPlanes(np.array([[1, 0, 1], [0, 0, 1]], np.uint8))
    >>> planes.find_places((2, 1), 2).tolist()
    [[0, 0]]
    """

    def __init__(self, tiles: NDArray[np.uint8]) -> None:
        self.tiles = tiles
        self.words = (tiles.shape[1] + 63) // 64 + 2
        self._planes: dict[int, NDArray[np.uint64]] = {}
        self._counts: list[int] | None = None

    def plane(self, mask: int) -> NDArray[np.uint64]:
        """The bits of the cells whose tile is in a set."""
        if mask not in self._planes:
            self._planes[mask] = self._build_plane(mask)
        return self._planes[mask]

    def _build_plane(self, mask: int) -> NDArray[np.uint64]:
        height, width = self.tiles.shape
        plane = np.zeros((height, self.words), np.uint64)
        rows = plane.view(np.uint8)[:, : (width + 7) // 8]
        single = mask.bit_length() - 1 if mask & (mask - 1) == 0 else -1
        table = np.unpackbits(np.frombuffer((mask & ANY).to_bytes(32, "little"), np.uint8), bitorder="little").astype(
            bool
        )
        step = max(1, BAND_CELLS // max(width, 1))
        for top in range(0, height, step):
            band = self.tiles[top : top + step]
            rows[top : top + step] = np.packbits(
                band == single if single >= 0 else table[band], axis=1, bitorder="little"
            )
        return plane.reshape(-1)

    def find_places(self, pattern: Sequence[int], width: int) -> NDArray[np.int64]:
        """The top left cells, row by row, where a pattern (a bit mask of tile codes for each cell) matches, as rows of
        (x, y).
        """
        height = len(pattern) // width
        rows, columns = self.tiles.shape
        if height > rows or width > columns:
            return np.zeros((0, 2), np.int64)
        cells = [(mask, k % width, k // width) for k, mask in enumerate(pattern) if mask != ANY]
        if any(mask == 0 for mask, _, _ in cells):
            return np.zeros((0, 2), np.int64)
        sets = sorted({mask for mask, _, _ in cells}, key=self._estimate_count)
        planes = (
            self.plane(sets[0]) if len(sets) == 1 else np.concatenate([np.zeros(0, np.uint64), *map(self.plane, sets)])
        )
        order = {mask: number for number, mask in enumerate(sets)}
        cells.sort(key=lambda cell: order[cell[0]])
        tests = np.array([(order[mask] * rows * self.words, x, y) for mask, x, y in cells], np.int32).reshape(-1)
        found = np.zeros(rows * self.words, np.uint64)
        matching.find_placements(buffer(planes), self.words, buffer(tests), columns, rows, width, height, buffer(found))
        hit = np.flatnonzero(found)
        word, bit = np.nonzero(np.unpackbits(found[hit].view(np.uint8).reshape(-1, 8), axis=1, bitorder="little"))
        y, x = np.divmod(hit[word], self.words)
        return np.column_stack((64 * x + bit, y))

    def _estimate_count(self, mask: int) -> int:
        """The approximate number of cells with a tile of a set. The rarest sets are tested first."""
        if self._counts is None:
            self._counts = count_tiles(self.tiles)[0].tolist()
        return sum(count for code, count in enumerate(self._counts) if mask >> code & 1)
