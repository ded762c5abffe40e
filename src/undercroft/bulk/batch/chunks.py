"""A batch is cut into chunks of consecutive seeds: one file, or one set of files, each. How they are cut depends on no
clock and on no number of workers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

CHUNK_CELLS = 4_000_000
"""Cells of the levels of a chunk: some tenths of a second of work, and a file of a handy size."""
MAX_LEVELS_PER_CHUNK = 10_000
"""Levels of a chunk at the most, however small they are."""
OWN_FILE_DIVISOR = 20
"""Where each level has a file of its own, a chunk is so many times smaller: what is lost with a chunk has to be written
again.
"""


MIN_CHUNKS, SMALL_BATCH_DIVISOR = 20, 4
"""A small batch has so many chunks, that all workers have something to do; but they are no smaller than a large
batch's, divided by so many.
"""


class Chunk(NamedTuple):
    """Seeds in a row."""

    first: int
    length: int

    @property
    def last(self) -> int:
        return self.first + self.length - 1

    @property
    def seeds(self) -> range:
        return range(self.first, self.first + self.length)

    def file_stem(self, digits: int) -> str:
        """What its file is called.

        >>> Chunk(1000, 500).file_stem(6)
        'seeds-001000-001499'
        """
        return f"seeds-{self.first:0{digits}}-{self.last:0{digits}}"


def levels_in_chunk(count: int, cells: int, *, alone: bool = False) -> int:
    """How many levels of so many cells make a chunk of a batch; fewer if each stands `alone`, in a file of its own, or
    if there are few in all.

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
    """A round number, and no larger one.

    >>> [_round_down(number) for number in (1, 9, 10, 2222, 4999)]
    [1, 5, 10, 2000, 2000]
    """
    unit: int = 10 ** (len(str(number)) - 1)
    return max(digit * unit for digit in (1, 2, 5) if digit * unit <= number)


def split_into_chunks(first: int, count: int, size: int) -> Iterator[Chunk]:
    """So many seeds from the first one on, in chunks; the last one may be smaller.

    >>> [*split_into_chunks(7, 5, 2)]
    [Chunk(first=7, length=2), Chunk(first=9, length=2), Chunk(first=11, length=1)]
    """
    for start in range(first, first + count, size):
        yield Chunk(start, min(size, first + count - start))
