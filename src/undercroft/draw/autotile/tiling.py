"""The pieces of a tileset for each cell of a map, with their variants and turns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from undercroft.core.palette import look_up_tiles
from undercroft.core.rng import MASK32, Rng, threshold
from undercroft.draw.autotile.cell_random import CellRandom
from undercroft.draw.autotile.pieces import AutotilePiece, TilingTables, build_tables
from undercroft.errors import unknown_name_error

Bytes = NDArray[np.uint8]

CELLS_PER_CHUNK = 1 << 16
"""Cells that are processed at a time: their data stays in the processor's cache."""
FLIPS_BY_TURN = np.array([0, 5, 3, 6, 1, 7, 2, 4], np.uint8)
"""Quarter turns, plus 4 if mirrored before, as flips: 1 left to right, 2 top to bottom, 4 along the diagonal, which
comes first.
"""


@dataclass(frozen=True, eq=False, repr=False)
class Autotiling:
    """The pieces of each cell of a map. All grids are [y, x] and read-only.

    Its text shows the pieces of one group.
    """

    kind: str
    of: str
    """The group that its text shows; walls and corners have only this one."""
    groups: tuple[str, ...]
    group: Bytes
    """The number of each cell's group."""
    mask: Bytes
    """Which neighbours join, one bit each, clockwise from the north: 1 n, 2 ne, 4 e, 8 se, 16 s, 32 sw, 64 w, 128
    nw.
    """
    seed: int
    shares: tuple[float, ...]

    @property
    def pieces(self) -> tuple[AutotilePiece, ...]:
        """The pieces that `index` numbers."""
        return self._tables.pieces

    @property
    def _tables(self) -> TilingTables:
        return build_tables(self.kind)

    def cells(self, group: str) -> NDArray[np.bool_]:
        """Which cells belong to a group."""
        if group not in self.groups:
            raise unknown_name_error("group", group, self.groups)
        member: NDArray[np.bool_] = self.group == self.groups.index(group)
        return member

    @cached_property
    def index(self) -> Bytes:
        """The number of each cell's piece."""
        found = look_up_tiles(self._tables.table, self.mask)
        return as_read_only(found * self.cells(self.of)) if self.kind == "walls" else found

    @cached_property
    def variant(self) -> Bytes:
        """The variant of each cell: 0 the usual one, then one for each share. It depends only on the seed and the
        position.
        """
        return as_read_only(self._random_bits >> 3)

    @cached_property
    def sprite(self) -> Bytes:
        """The number of the picture to draw, if pictures may be mirrored and turned: there are far fewer pictures than
        pieces.
        """
        return look_up_tiles(padded(self._tables.sprites), self.index)

    @cached_property
    def rotation(self) -> Bytes:
        """Quarter turns of the sprite, clockwise. If several turns look right, each is equally likely."""
        return as_read_only(self._turns & 3)

    @cached_property
    def mirror(self) -> NDArray[np.bool_]:
        """Whether the sprite is mirrored left to right before it is turned."""
        return as_read_only(self._turns >= 4)

    @cached_property
    def flips(self) -> Bytes:
        """Turn and mirror as flips, as in file formats: 4 flips the sprite along its diagonal from top left, and comes
        first; 1 left to right; 2 top to bottom.
        """
        return look_up_tiles(padded(FLIPS_BY_TURN), self._turns)

    @cached_property
    def _turns(self) -> Bytes:
        """The position of each cell's sprite: quarter turns, and 4 if it is mirrored."""
        out: Bytes = np.empty(self.mask.shape, np.uint8)
        for rows in split_rows(out):
            out[rows] = self._tables.turns[self.index[rows] * np.uint16(8) + (self._random_bits[rows] & 7)]
        return as_read_only(out)

    @cached_property
    def _random_bits(self) -> Bytes:
        """All random choices: the variant of each cell, and in the last three bits a number for its turn."""
        out: Bytes = np.empty(self.mask.shape, np.uint8)
        height, width = out.shape
        dice = CellRandom(Rng.root(self.seed).stream("autotile"), width, height)
        bounds = [bound for bound in accumulate(map(threshold, self.shares)) if bound <= MASK32]
        looks = np.array([*range(1, len(self.shares) + 1), 0], np.uint8) << 3
        for rows in split_rows(out):
            throws = dice.rows(rows.start, rows.stop)
            passed = np.zeros(throws.shape, np.uint8)
            for bound in bounds:
                passed += throws >= np.uint32(bound)
            out[rows] = looks[passed] | (throws & 7).astype(np.uint8)
        return as_read_only(out)

    def __repr__(self) -> str:
        height, width = self.mask.shape
        return f"<Tiling {self.kind} {width}x{height}>"

    def __str__(self) -> str:
        signs = np.array([piece.sign for piece in self.pieces])[self.index]
        if self.kind != "corners":
            signs[~self.cells(self.of)] = "·"
        return "\n".join("".join(row) for row in signs.tolist())


def split_rows(grid: Bytes) -> Iterator[slice]:
    """Slices of some rows of a map at a time."""
    height, width = grid.shape
    step = max(1, CELLS_PER_CHUNK // width)
    return (slice(top, min(top + step, height)) for top in range(0, height, step))


def padded(table: Bytes) -> Bytes:
    """A table extended to all 256 bytes."""
    return np.pad(table, (0, 256 - len(table)))


def as_read_only(array: NDArray[Any]) -> NDArray[Any]:
    array.setflags(write=False)
    return array
