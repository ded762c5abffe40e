"""Tables and cells of level files, read with every value checked, and values as JSON can hold them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft import limits
from undercroft.core.region import DOOR_STATES, LINK_KINDS, REGION_KINDS
from undercroft.core.thing_data import ThingData, build_data
from undercroft.errors import BadInput
from undercroft.inputs.values import CheckedValue
from undercroft.wording import format_number, shorten


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
    spot: CheckedValue, columns: Sequence[CheckedColumn], dtype: np.dtype[Any], extra: Sequence[str] = ()
) -> NDArray[Any]:
    """A list of objects as a structured array, every value checked."""
    values = spot.list()
    names = [*(column.name for column in columns), *extra]
    known = set(names)
    for index, row in enumerate(values):
        if type(row) is not dict or not row.keys() <= known:
            spot.item(index).table(names)
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
            _check_cell(spot.item(good.index(False)), column)
        table[column.name] = [codes[cell] for cell in cells] if column.words else cells
    return table


def _check_cell(row: CheckedValue, column: CheckedColumn) -> None:
    if column.name not in row.value:
        raise row.error(f"the key {column.name!r} is missing", "add it")
    cell = row.key(column.name)
    if column.words:
        cell.choice(column.words)
    elif column.truth:
        cell.boolean()
    else:
        cell.integer(column.low, column.high)


def check_ranges(table: NDArray[Any], columns: Sequence[CheckedColumn], spot: CheckedValue) -> None:
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
            spot.at(index, column.name).replaced(int(cells[index])).integer(low, high)


def read_point(spot: CheckedValue, width: int, height: int) -> tuple[int, int] | None:
    """A cell [x, y] of a map of that size, or null."""
    if spot.value is None:
        return None
    spot.list(2)
    return spot.item(0).integer(0, width - 1), spot.item(1).integer(0, height - 1)


def read_thing_data(spot: CheckedValue) -> ThingData:
    """The data of a thing in a file."""
    return build_data(spot.value, lambda path, problem, fix: spot.at(*path).error(problem, fix))


def to_plain_data(data: Mapping[str, Any]) -> dict[str, Any]:
    """The data of a thing as JSON holds it: lists, and dicts sorted by name, so that equal data gives equal text.

    >>> to_plain_data(build_data({"b": ({"y": 1, "x": 2},), "a": 3}, lambda *_: BadInput("")))
    {'a': 3, 'b': [{'x': 2, 'y': 1}]}
    """
    return {name: _to_plain_value(value) for name, value in sorted(data.items())}


def _to_plain_value(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(sorted(value.items()))
    return [_to_plain_value(held) for held in value] if isinstance(value, tuple) else value


def to_json_value(value: Any, path: str, depth: int = limits.JSON_DEPTH.value - 1) -> Any:
    """The value as JSON can hold it, or an error that names what it cannot hold, or what our readers would refuse: more
    lists and tables in each other than `depth`, which leaves one for the file around them.
    """
    if value is None or isinstance(value, (str, bool)):
        return value
    if isinstance(value, int):
        try:
            str(value)
        except ValueError:  # Python neither writes nor reads whole numbers of more than some thousand digits
            raise BadInput(f"{path} is {format_number(int(value))}", fix="write it as text") from None
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise BadInput(f"{path} is {value}, which JSON cannot hold", fix="leave it out, or write it as text")
        return value
    if isinstance(value, (Mapping, list, tuple)) and not depth:
        limit = limits.JSON_DEPTH
        raise BadInput(f"{shorten(path, 40)} is nested too deep: {limit.reason}", fix=limit.raise_by)
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise BadInput(f"{path} has the key {key!r}, and keys in JSON are texts", fix="write it as text")
        return {key: to_json_value(inner, f"{path}.{key}", depth - 1) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_json_value(inner, f"{path}[{index}]", depth - 1) for index, inner in enumerate(value)]
    if isinstance(value, np.generic):
        return to_json_value(value.item(), path, depth)
    raise BadInput(
        f"{path} is a {type(value).__name__}, which JSON cannot hold",
        fix="keep texts, numbers, truth values, lists and dicts there",
    )


def check_finite(spot: CheckedValue) -> Any:
    """The value, if no number in it overflowed while it was read and no text is broken."""
    value = spot.value
    if isinstance(value, float) and not math.isfinite(value):
        raise spot.error("the number is too large", "write a number below 1.8e308")
    if isinstance(value, str):
        spot.text()
    elif isinstance(value, dict):
        for key in value:
            spot.replaced(key).text()
            check_finite(spot.key(key))
    elif isinstance(value, list):
        for index in range(len(value)):
            check_finite(spot.item(index))
    return value
