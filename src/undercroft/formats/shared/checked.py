"""Values out of a file, each with the place it stands at, so that whatever is wrong with one can be said."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.core.region import DOOR_STATES, LINK_KINDS, REGION_KINDS
from undercroft.errors import BadInput, find_similar_word

TYPE_PHRASES = {
    dict: "an object",
    list: "a list",
    str: "a text",
    int: "a whole number",
    float: "a number with a fraction",
    bool: "true or false",
    type(None): "null",
}


class FileValue(NamedTuple):
    """A value and where in which file it stands, as `doors[3].x`."""

    value: Any
    path: str
    file: str

    def error(self, problem: str, fix: str = "mend the file there, or save the level anew") -> BadInput:
        """The error about this value."""
        return BadInput(f"{self.file}: at {self.path}: {problem}" if self.path else f"{self.file}: {problem}", fix=fix)

    def key(self, name: str, default: Any = None) -> FileValue:
        return FileValue(self.value.get(name, default), f"{self.path}.{name}" if self.path else name, self.file)

    def item(self, index: int) -> FileValue:
        return FileValue(self.value[index], f"{self.path}[{index}]", self.file)

    def object(self, known: Sequence[str] = (), needed: Sequence[str] = ()) -> dict[str, Any]:
        """The value as a dict with no key but the known ones, and with the needed ones."""
        table: dict[str, Any] = self._of_type(dict)
        for name in table:
            if known and name not in known:
                guess = find_similar_word(name, known)
                raise self.error(
                    f"unknown key {format_value(name)}",
                    f"did you mean {guess!r}?" if guess else f"the keys are {', '.join(known)}",
                )
        for name in needed:
            if name not in table:
                raise self.error(f"the key {name!r} is missing", f"add it; the keys are {', '.join(known)}")
        return table

    def list(self, length: int | None = None) -> list[Any]:
        values: list[Any] = self._of_type(list)
        if length is not None and len(values) != length:
            raise self.error(f"the list has {len(values):,} values where {length:,} belong")
        return values

    def text(self) -> str:
        text: str = self._of_type(str)
        try:
            text.encode()
        except UnicodeEncodeError:
            raise self.error(f"the text {format_value(text)} holds half a character", "write it as UTF-8") from None
        return text

    def boolean(self) -> bool:
        truth: bool = self._of_type(bool)
        return truth

    def integer(self, low: int, high: int) -> int:
        number: int = self._of_type(int)
        if not low <= number <= high:
            raise self.error(f"{format_value(number)} is out of range", _describe_range(low, high))
        return number

    def point(self, width: int, height: int) -> tuple[int, int] | None:
        """A cell [x, y] of a map of that size, or null."""
        if self.value is None:
            return None
        self.list(2)
        return self.item(0).integer(0, width - 1), self.item(1).integer(0, height - 1)

    def _of_type(self, kind: type) -> Any:
        if type(self.value) is not kind:
            raise self.error(f"{TYPE_PHRASES[kind]} belongs here, not {format_value(self.value)}")
        return self.value


def format_value(value: Any) -> str:
    """A value for an error: short, and without control characters."""
    if type(value) in (dict, list):
        return TYPE_PHRASES[type(value)]
    text = (
        {None: "null", True: "true", False: "false"}[value]
        if value is None or value is True or value is False
        else ascii(value)
    )
    return text if len(text) <= 40 else f"{text[:36]}..."


def _describe_range(low: int, high: int) -> str:
    return (
        f"use a whole number from {low:,} to {high:,}"
        if low <= high
        else "there is nothing to point at: leave the row out"
    )


class CheckedColumn(NamedTuple):
    """A column of a table: a whole number from low to high, one of some words, or (without either) a truth value."""

    name: str
    low: int = 0
    high: int = -1
    words: tuple[str, ...] = ()
    default: Any = None
    truth: bool = False


def region_columns(width: int, height: int) -> tuple[CheckedColumn, ...]:
    cells = width * height
    return (
        CheckedColumn("kind", words=REGION_KINDS),
        CheckedColumn("x", 0, width - 1),
        CheckedColumn("y", 0, height - 1),
        CheckedColumn("width", 0, width),
        CheckedColumn("height", 0, height),
        CheckedColumn("area", 0, cells),
    )


def door_columns(width: int, height: int, regions: int) -> tuple[CheckedColumn, ...]:
    return (
        CheckedColumn("x", 0, width - 1),
        CheckedColumn("y", 0, height - 1),
        CheckedColumn("a", 0, regions),
        CheckedColumn("b", 0, regions),
        CheckedColumn("state", words=DOOR_STATES),
    )


def link_columns(regions: int, doors: int) -> tuple[CheckedColumn, ...]:
    return (
        CheckedColumn("a", 0, regions),
        CheckedColumn("b", 0, regions),
        CheckedColumn("kind", words=LINK_KINDS),
        CheckedColumn("door", -1, doors - 1, default=-1),
        CheckedColumn("carved", truth=True, default=True),
    )


def read_rows(
    spot: FileValue, columns: Sequence[CheckedColumn], dtype: np.dtype[Any], extra: Sequence[str] = ()
) -> NDArray[Any]:
    """A list of objects as a structured array, every value checked."""
    values = spot.list()
    names = [*(column.name for column in columns), *extra]
    known = set(names)
    for index, row in enumerate(values):
        if type(row) is not dict or not row.keys() <= known:
            spot.item(index).object(names)
    table = np.zeros(len(values), dtype)
    for column in columns:
        cells = [row.get(column.name, column.default) for row in values]
        codes = {word: code for code, word in enumerate(column.words)}
        if column.words:
            good = [type(cell) is str and cell in codes for cell in cells]
        elif column.truth:
            good = [type(cell) is bool for cell in cells]
        else:
            good = [type(cell) is int and column.low <= cell <= column.high for cell in cells]
        if not all(good):
            raise _cell_error(spot.item(good.index(False)), column)
        table[column.name] = [codes[cell] for cell in cells] if column.words else cells
    return table


def _cell_error(row: FileValue, column: CheckedColumn) -> BadInput:
    if column.name not in row.value:
        return row.error(f"the key {column.name!r} is missing", "add it")
    cell = row.key(column.name)
    if column.words:
        guess = find_similar_word(cell.value, column.words) if isinstance(cell.value, str) else ""
        return cell.error(
            f"unknown {column.name} {format_value(cell.value)}",
            f"did you mean {guess!r}?" if guess else f"one of: {', '.join(column.words)}",
        )
    if column.truth:
        return cell.error(f"true or false belongs here, not {format_value(cell.value)}")
    if type(cell.value) is not int:
        return cell.error(f"a whole number belongs here, not {format_value(cell.value)}")
    return cell.error(f"{format_value(cell.value)} is out of range", _describe_range(column.low, column.high))


def check_ranges(table: NDArray[Any], columns: Sequence[CheckedColumn], spot: FileValue) -> None:
    """Raise unless every number of a structured array is one that its column allows."""
    for column in columns:
        low, high = (
            (0, len(column.words) - 1) if column.words else (0, 1) if column.truth else (column.low, column.high)
        )
        cells = (
            table[column.name].view(np.uint8)
            if column.truth and table[column.name].flags.c_contiguous
            else table[column.name].astype(np.int64)
        )
        wrong = (cells < low) | (cells > high)
        if wrong.any():
            index = int(wrong.argmax())
            raise FileValue(None, f"{spot.path}[{index}].{column.name}", spot.file).error(
                f"{cells[index]} is out of range", _describe_range(low, high)
            )


def to_json_value(value: Any, path: str) -> Any:
    """The value as JSON can hold it, or an error that names what it cannot hold."""
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise BadInput(f"{path} is {value}, and JSON has no such number", fix="leave it out, or write it as text")
        return value
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise BadInput(f"{path} has the key {key!r}, and keys in JSON are texts", fix="write it as text")
        return {key: to_json_value(inner, f"{path}.{key}") for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_json_value(inner, f"{path}[{index}]") for index, inner in enumerate(value)]
    if isinstance(value, np.generic):
        return to_json_value(value.item(), path)
    raise BadInput(
        f"{path} is a {type(value).__name__}, and JSON has no such thing",
        fix="keep texts, numbers, truth values, lists and dicts there",
    )


def check_finite(spot: FileValue) -> Any:
    """The value, if no number in it overflowed while it was read and no text is broken."""
    value = spot.value
    if isinstance(value, float) and not math.isfinite(value):
        raise spot.error("the number is too large", "write a number below 1.8e308")
    if isinstance(value, str):
        spot.text()
    elif isinstance(value, dict):
        for key in value:
            FileValue(key, spot.path, spot.file).text()
            check_finite(spot.key(key))
    elif isinstance(value, list):
        for index in range(len(value)):
            check_finite(spot.item(index))
    return value
