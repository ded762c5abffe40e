"""Split a batch into chunks of consecutive seeds: one file, or one set of files, for each chunk. The split depends
neither on times nor on the number of workers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

CHUNK_CELLS = 4_000_000
"""Cells in the levels of a chunk: some tenths of a second of work, and a file of a handy size."""
MAX_LEVELS_PER_CHUNK = 10_000
"""The most levels of a chunk, however small they are."""
OWN_FILE_DIVISOR = 20
"""Where each level has a file of its own, a chunk is this many times smaller: a lost chunk has to be written again."""


MIN_CHUNKS, SMALL_BATCH_DIVISOR = 20, 4
"""A small batch has at least this many chunks, so that all workers are busy; but a chunk is no smaller than that of a
large batch divided by this.
"""


class Chunk(NamedTuple):
    """Consecutive seeds."""

    first: int
    length: int

    @property
    def last(self) -> int:
        return self.first + self.length - 1

    @property
    def seeds(self) -> range:
        return range(self.first, self.first + self.length)

    def file_stem(self, digits: int) -> str:
        """The name of its file, without the suffix.

        >>> Chunk(1000, 500).file_stem(6)
        'seeds-001000-001499'
        """
        return f"seeds-{self.first:0{digits}}-{self.last:0{digits}}"


def levels_in_chunk(count: int, cells: int, *, alone: bool = False) -> int:
    """The number of levels in a chunk of a batch whose levels have `cells` cells. There are fewer if each level stands
    `alone`, in a file of its own, or if the batch is small.

    >>> levels_in_chunk(10**6, 80 * 50), levels_in_chunk(10**6, 80 * 50, alone=True)
    (1000, 50)
    >>> levels_in_chunk(10**6, 4096 * 4096), levels_in_chunk(10**6, 9)
    (1, 10000)
    >>> levels_in_chunk(10_000, 80 * 50), levels_in_chunk(100, 80 * 50)
    (500, 200)
    """
    most = min(MAX_LEVELS_PER_CHUNK, CHUNK_CELLS // cells) // (OWN_FILE_DIVISOR if alone else 1)
    return _round_down(max(1, most // SMALL_BATCH_DIVISOR, min(most, count // MIN_CHUNKS)))


def _round_down(number: int) -> int:
    """The largest round number that is not greater.

    >>> [_round_down(number) for number in (1, 9, 10, 2222, 4999)]
    [1, 5, 10, 2000, 2000]
    """
    unit: int = 10 ** (len(str(number)) - 1)
    return max(digit * unit for digit in (1, 2, 5) if digit * unit <= number)


def split_into_chunks(first: int, count: int, size: int) -> Iterator[Chunk]:
    """The chunks of `count` seeds from the first one on; the last chunk may be smaller.

    >>> [*split_into_chunks(7, 5, 2)]
    [Chunk(first=7, length=2), Chunk(first=9, length=2), Chunk(first=11, length=1)]
    """
    for start in range(first, first + count, size):
        yield Chunk(start, min(size, first + count - start))
