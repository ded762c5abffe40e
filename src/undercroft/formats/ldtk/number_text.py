"""Format long lists of numbers as text with array operations: a large level has millions of tiles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

CHUNK_RECORDS = 1 << 16
"""The number of records to format at a time, which bounds the memory."""
BLANK = ord(" ")


def format_records(parts: Sequence[bytes | NDArray[Any]]) -> bytes:
    """Records one after the other: for each index all parts in turn, where an array contributes its number at that
    index, from 0. The fixed parts have no blanks.

    >>> format_records([b"[", np.array([0, 12, 7]), b"];"])
    b'[0];[12];[7];'
    """
    count = _count_records(parts)
    return b"".join(
        _format_chunk([part if isinstance(part, bytes) else part[first : first + CHUNK_RECORDS] for part in parts])
        for first in range(0, count, CHUNK_RECORDS)
    )


def _count_records(parts: Sequence[bytes | NDArray[Any]]) -> int:
    return next(len(part) for part in parts if not isinstance(part, bytes))


def _format_chunk(parts: Sequence[bytes | NDArray[Any]]) -> bytes:
    """Format records with all numbers at the same width, then remove the blanks before shorter ones."""
    columns: list[Any] = []
    for part in parts:
        columns += [*part] if isinstance(part, bytes) else _digit_columns(part)
    page = np.empty((_count_records(parts), len(columns)), np.uint8)
    for at, column in enumerate(columns):
        page[:, at] = column
    return bytes(page[page != BLANK])


def _digit_columns(numbers: NDArray[Any]) -> Iterator[NDArray[np.uint8]]:
    """The digits of whole numbers from 0, the highest first, with blanks instead of leading zeros."""
    for place in range(len(str(int(numbers.max()))) - 1, -1, -1):
        left = numbers // 10**place
        digit = (left % 10 + ord("0")).astype(np.uint8)
        if place:
            digit[left == 0] = BLANK
        yield digit
