"""Run-length encoding of grids of whole numbers as rows of text: `0*5 3 1*2` is five 0s, a 3 and two 1s.

All work is done with array operations: a level of the largest size has millions of runs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

CHUNK_SIZE = 1 << 20
"""The number of cells, or characters, to process at a time, which bounds the memory."""
ROW_PATTERN = re.compile(rb"-?\d{1,20}(?:\*\d{1,8})?(?: -?\d{1,20}(?:\*\d{1,8})?)*+")

Complain = Callable[[int, str], Exception]
"""Builds the error for a row, from its number and the problem."""


def format_runs(grid: NDArray[Any]) -> list[str]:
    """Each row of a grid of whole numbers or booleans as text.

    >>> format_runs(np.array([[0, 0, 0, 7], [-1, -1, 2, 2]]))
    ['0*3 7', '-1*2 2*2']
    """
    height, width = grid.shape
    step = max(1, CHUNK_SIZE // width)
    rows: list[str] = []
    for top in range(0, height, step):
        rows += _format_chunk(grid[top : top + step])
    return rows


def _format_chunk(grid: NDArray[Any]) -> list[str]:
    height, width = grid.shape
    begins = np.empty((height, width), bool)
    begins[:, 0] = True
    np.not_equal(grid[:, 1:], grid[:, :-1], out=begins[:, 1:])
    starts = np.flatnonzero(begins)
    counts = np.diff(starts, append=grid.size)
    values = grid.reshape(-1)[starts]
    negative = values < 0
    sizes = np.abs(values.astype(np.int64)).view(np.uint64) if values.dtype.kind == "i" else values.astype(np.uint64)
    value_digits, count_digits = _count_digits(sizes), _count_digits(counts)
    many = counts > 1
    # A token is: sign, digits of the value, and for a run '*' and the digits of its length; then a blank or a line
    # break.
    ends = np.cumsum(negative + value_digits + np.where(many, count_digits + 1, 0) + 1)
    page = np.full(int(ends[-1]), ord(" "), np.uint8)
    page[ends[np.flatnonzero(starts % width == 0)[1:] - 1] - 1] = ord("\n")
    value_ends = ends - 1 - np.where(many, count_digits + 1, 0)
    page[value_ends[many]] = ord("*")
    page[(value_ends - value_digits - 1)[negative]] = ord("-")
    _write_digits(page, sizes, value_digits, value_ends)
    _write_digits(page, counts[many].astype(np.uint64), count_digits[many], ends[many] - 1)
    return page[:-1].tobytes().decode("ascii").split("\n")


def _count_digits(numbers: NDArray[Any]) -> NDArray[np.int64]:
    """The number of decimal digits of each number."""
    digits = np.ones(len(numbers), np.int64)
    top = int(numbers.max(initial=0))
    bound = 10
    while bound <= top:
        digits += numbers >= bound
        bound *= 10
    return digits


def _write_digits(
    page: NDArray[np.uint8], numbers: NDArray[np.uint64], digits: NDArray[np.int64], ends: NDArray[np.int64]
) -> None:
    """Write numbers so that each ends just before its index in `ends`."""
    left = numbers
    for place in range(int(digits.max(initial=0))):
        here = np.flatnonzero(digits > place) if place else slice(None)
        page[(ends - 1 - place)[here]] = (left % np.uint64(10)).astype(np.uint8)[here] + ord("0")
        left = left // np.uint64(10)


def parse_runs(rows: Sequence[str], width: int, dtype: np.dtype[Any], complain: Complain) -> NDArray[Any]:
    """The grid that such rows describe; each row must fill the width, each number must fit the type.

    >>> parse_runs(["0*3 7", "-1*2 2*2"], 4, np.dtype("i4"), lambda row, what: ValueError(row, what)).tolist()
    [[0, 0, 0, 7], [-1, -1, 2, 2]]
    """
    grid = np.empty((len(rows), width), dtype)
    top = 0
    while top < len(rows):
        chunk: list[bytes] = []
        size = 0
        while top + len(chunk) < len(rows) and (not chunk or size < CHUNK_SIZE):
            row = rows[top + len(chunk)]
            code = row.encode("ascii", "replace")
            if not ROW_PATTERN.fullmatch(code):
                raise complain(top + len(chunk), "a row is numbers with a blank between, such as '0*5 3 1*2'")
            chunk.append(code)
            size += max(len(code), width)
        _parse_chunk(chunk, grid[top : top + len(chunk)], lambda row, what, top=top: complain(top + row, what))  # type: ignore[misc]
        top += len(chunk)
    return grid


def _parse_chunk(rows: list[bytes], grid: NDArray[Any], complain: Complain) -> None:
    page = np.frombuffer(b"\n" + b"\n".join(rows) + b"\n", np.uint8)
    is_digit = (page >= ord("0")) & (page <= ord("9"))
    starts = np.flatnonzero(is_digit[1:] & ~is_digit[:-1]) + 1
    lengths = np.flatnonzero(is_digit[:-1] & ~is_digit[1:]) + 1 - starts
    row_of = np.searchsorted(np.flatnonzero(page == ord("\n")), starts) - 1
    before = page[starts - 1]
    numbers = np.zeros(len(starts), np.uint64)
    for place in range(int(lengths.max())):
        here = np.flatnonzero(lengths > place)
        digit = (page[starts[here] + place] - ord("0")).astype(np.uint64)
        if place == 19:  # the twentieth digit may exceed 2^64
            over = (numbers[here] > 1844674407370955161) | ((numbers[here] == 1844674407370955161) & (digit > 5))
            if over.any():
                raise complain(int(row_of[here[over][0]]), "a number is too large")
        numbers[here] = numbers[here] * np.uint64(10) + digit
    is_count = before == ord("*")
    is_value = ~is_count
    counts = np.ones(len(starts), np.int64)
    counts[np.flatnonzero(is_count) - 1] = numbers[is_count]
    counts = counts[is_value]
    rows_of_values = row_of[is_value]
    sums = np.bincount(rows_of_values, counts, len(rows))
    if (sums != grid.shape[1]).any():
        row = int((sums != grid.shape[1]).argmax())
        raise complain(row, f"the row has {int(sums[row]):,} cells, the level is {grid.shape[1]:,} wide")
    if not counts.all():
        raise complain(int(rows_of_values[(counts == 0).argmax()]), "a run has at least one cell")
    values = _convert_numbers(numbers[is_value], before[is_value] == ord("-"), grid.dtype, rows_of_values, complain)
    grid[:] = np.repeat(values, counts).reshape(grid.shape)


def _convert_numbers(
    sizes: NDArray[np.uint64], negative: NDArray[np.bool_], dtype: np.dtype[Any], rows: NDArray[Any], complain: Complain
) -> NDArray[Any]:
    """Sizes and signs as numbers of a type; an error if one does not fit."""
    low, high = (0, 1) if dtype.kind == "b" else (int(np.iinfo(dtype).min), int(np.iinfo(dtype).max))
    wrong = np.where(negative, sizes > np.uint64(-low), sizes > np.uint64(high))
    if wrong.any():
        at = int(wrong.argmax())
        raise complain(int(rows[at]), f"{'-' if negative[at] else ''}{sizes[at]} is not from {low:,} to {high:,}")
    numbers = sizes.astype(np.int64) if dtype.kind == "i" else sizes
    return np.where(negative, -numbers, numbers).astype(dtype) if dtype.kind == "i" else numbers.astype(dtype)
