"""Values out of a file, each with the place it stands at, so that whatever is wrong with one can be said."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.core.region import DOOR_STATES, KINDS, LINK_KINDS
from undercroft.errors import BadInput, nearest

KINDS_OF = {
    dict: "an object",
    list: "a list",
    str: "a text",
    int: "a whole number",
    float: "a number with a fraction",
    bool: "true or false",
    type(None): "null",
}


class Spot(NamedTuple):
    """A value and where in which file it stands, as `doors[3].x`."""

    value: Any
    path: str
    file: str

    def wrong(self, problem: str, fix: str = "mend the file there, or save the level anew") -> BadInput:
        """The error about this value."""
        return BadInput(f"{self.file}: at {self.path}: {problem}" if self.path else f"{self.file}: {problem}", fix=fix)

    def key(self, name: str, default: Any = None) -> Spot:
        return Spot(self.value.get(name, default), f"{self.path}.{name}" if self.path else name, self.file)

    def item(self, index: int) -> Spot:
        return Spot(self.value[index], f"{self.path}[{index}]", self.file)

    def object(self, known: Sequence[str] = (), needed: Sequence[str] = ()) -> dict[str, Any]:
        """The value as a dict with no key but the known ones, and with the needed ones."""
        table: dict[str, Any] = self._a(dict)
        for name in table:
            if known and name not in known:
                guess = nearest(name, known)
                raise self.wrong(
                    f"unknown key {shown(name)}",
                    f"did you mean {guess!r}?" if guess else f"the keys are {', '.join(known)}",
                )
        for name in needed:
            if name not in table:
                raise self.wrong(f"the key {name!r} is missing", f"add it; the keys are {', '.join(known)}")
        return table

    def list(self, length: int | None = None) -> list[Any]:
        values: list[Any] = self._a(list)
        if length is not None and len(values) != length:
            raise self.wrong(f"the list has {len(values):,} values where {length:,} belong")
        return values

    def text(self) -> str:
        text: str = self._a(str)
        try:
            text.encode()
        except UnicodeEncodeError:
            raise self.wrong(f"the text {shown(text)} holds half a character", "write it as UTF-8") from None
        return text

    def truth(self) -> bool:
        truth: bool = self._a(bool)
        return truth

    def whole(self, low: int, high: int) -> int:
        number: int = self._a(int)
        if not low <= number <= high:
            raise self.wrong(f"{shown(number)} is out of range", _range(low, high))
        return number

    def point(self, width: int, height: int) -> tuple[int, int] | None:
        """A cell [x, y] of a map of that size, or null."""
        if self.value is None:
            return None
        self.list(2)
        return self.item(0).whole(0, width - 1), self.item(1).whole(0, height - 1)

    def _a(self, kind: type) -> Any:
        if type(self.value) is not kind:
            raise self.wrong(f"{KINDS_OF[kind]} belongs here, not {shown(self.value)}")
        return self.value


def shown(value: Any) -> str:
    """A value for an error: short, and without control characters."""
    if type(value) in (dict, list):
        return KINDS_OF[type(value)]
    text = (
        {None: "null", True: "true", False: "false"}[value]
        if value is None or value is True or value is False
        else ascii(value)
    )
    return text if len(text) <= 40 else f"{text[:36]}..."


def _range(low: int, high: int) -> str:
    return (
        f"use a whole number from {low:,} to {high:,}"
        if low <= high
        else "there is nothing to point at: leave the row out"
    )


class Column(NamedTuple):
    """A column of a table: a whole number from low to high, one of some words, or (without either) a truth value."""

    name: str
    low: int = 0
    high: int = -1
    words: tuple[str, ...] = ()
    default: Any = None
    truth: bool = False


def region_columns(width: int, height: int) -> tuple[Column, ...]:
    cells = width * height
    return (
        Column("kind", words=KINDS),
        Column("x", 0, width - 1),
        Column("y", 0, height - 1),
        Column("width", 0, width),
        Column("height", 0, height),
        Column("area", 0, cells),
    )


def door_columns(width: int, height: int, regions: int) -> tuple[Column, ...]:
    return (
        Column("x", 0, width - 1),
        Column("y", 0, height - 1),
        Column("a", 0, regions),
        Column("b", 0, regions),
        Column("state", words=DOOR_STATES),
    )


def link_columns(regions: int, doors: int) -> tuple[Column, ...]:
    return (
        Column("a", 0, regions),
        Column("b", 0, regions),
        Column("kind", words=LINK_KINDS),
        Column("door", -1, doors - 1, default=-1),
        Column("carved", truth=True, default=True),
    )


def rows(spot: Spot, columns: Sequence[Column], dtype: np.dtype[Any], extra: Sequence[str] = ()) -> NDArray[Any]:
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
            raise _wrong_cell(spot.item(good.index(False)), column)
        table[column.name] = [codes[cell] for cell in cells] if column.words else cells
    return table


def _wrong_cell(row: Spot, column: Column) -> BadInput:
    if column.name not in row.value:
        return row.wrong(f"the key {column.name!r} is missing", "add it")
    cell = row.key(column.name)
    if column.words:
        guess = nearest(cell.value, column.words) if isinstance(cell.value, str) else ""
        return cell.wrong(
            f"unknown {column.name} {shown(cell.value)}",
            f"did you mean {guess!r}?" if guess else f"one of: {', '.join(column.words)}",
        )
    if column.truth:
        return cell.wrong(f"true or false belongs here, not {shown(cell.value)}")
    if type(cell.value) is not int:
        return cell.wrong(f"a whole number belongs here, not {shown(cell.value)}")
    return cell.wrong(f"{shown(cell.value)} is out of range", _range(column.low, column.high))


def in_range(table: NDArray[Any], columns: Sequence[Column], spot: Spot) -> None:
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
            raise Spot(None, f"{spot.path}[{index}].{column.name}", spot.file).wrong(
                f"{cells[index]} is out of range", _range(low, high)
            )


def plain(value: Any, path: str) -> Any:
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
        return {key: plain(inner, f"{path}.{key}") for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(inner, f"{path}[{index}]") for index, inner in enumerate(value)]
    if isinstance(value, np.generic):
        return plain(value.item(), path)
    raise BadInput(
        f"{path} is a {type(value).__name__}, and JSON has no such thing",
        fix="keep texts, numbers, truth values, lists and dicts there",
    )


def finite(spot: Spot) -> Any:
    """The value, if no number in it overflowed while it was read and no text is broken."""
    value = spot.value
    if isinstance(value, float) and not math.isfinite(value):
        raise spot.wrong("the number is too large", "write a number below 1.8e308")
    if isinstance(value, str):
        spot.text()
    elif isinstance(value, dict):
        for key in value:
            Spot(key, spot.path, spot.file).text()
            finite(spot.key(key))
    elif isinstance(value, list):
        for index in range(len(value)):
            finite(spot.item(index))
    return value
