"""Chunks as NumPy arrays in a zip file, one array for each column.

`tiles` and `labels` are [level, y, x], with zeros where there is no level (at the requested size, if the chunk has no
level at all); if the levels differ in size, they are all their cells in sequence. Seeds are uint64. Measures and
parameters are float64, and NaN where there is no number. Other numbers are int64, and -1 where there is none. Truth
values are 1, 0, or -1 for none. An empty text means none.

A table has an array with the number of its rows in each level, -1 where there is no level, and an array for each field
with the rows of all levels in sequence. Texts in tables are the bytes of a JSON list. `undercroft` holds the bytes of a
JSON text: the request, and the palettes.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from undercroft import limits
from undercroft.bulk.batch.chunks import Chunk
from undercroft.bulk.batch.columns import (
    BatchColumn,
    Shard,
    build_columns,
    build_metadata,
    check_table_sizes,
    max_table_rows,
)
from undercroft.bulk.batch.level_rows import LABEL_BYTES
from undercroft.bulk.batch.request import OLD_LAYOUT, BatchRequest
from undercroft.formats.npz import zip_arrays
from undercroft.inputs.json import format_json

SUFFIX = ".npz"
MIN_MEMORY_BYTES = 0
"""No limit: only the levels need much memory."""
METADATA_KEY = "undercroft"
MAX_TEXT_LENGTH = 1 << 14
"""The most characters of a text in a row: a seed, the name of a palette, a problem."""


def check(_order: BatchRequest) -> None:
    """Nothing to check."""


def encode_chunk(order: BatchRequest, chunk: Chunk, shard: Shard) -> list[tuple[str, bytes]]:
    """The file of a chunk. The same rows give the same bytes."""
    check_table_sizes(shard.rows, order)
    members: dict[str, NDArray[Any]] = {}
    for column in build_columns(order):
        if column.kind == "table":
            members |= _build_table_arrays(column, shard.rows[column.name])
        else:
            members[column.name] = _build_array(column, shard.rows, order)
    members[METADATA_KEY] = np.frombuffer(format_json(build_metadata(order, chunk, shard.palettes)).encode(), np.uint8)
    return [(chunk.file_stem(order.digits) + SUFFIX, zip_arrays(members))]


def read_chunk(path: Path, order: BatchRequest, names: Sequence[str] | None = None) -> Shard:
    """The rows of a file, or some columns of them."""
    with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
        _check_sizes(file, order)
        metadata = json.loads(file[METADATA_KEY].tobytes())
        columns = [column for column in build_columns(order) if names is None or column.name in names]
        sizes = (
            [file[side].tolist() for side in ("width", "height")]
            if any(column.kind in ("bytes", "labels") for column in columns)
            else []
        )
        rows = {
            column.name: _read_table(column, file, max_table_rows(order))
            if column.kind == "table"
            else _read_values(column, file[column.name], sizes)
            for column in columns
        }
        return Shard(rows, metadata["palettes"])


def read_metadata(path: Path) -> Any:
    """The metadata of a file."""
    with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
        if file.zip.getinfo(f"{METADATA_KEY}.npy").file_size > limits.JSON_BYTES.value:
            raise ValueError("the metadata are too long")
        return json.loads(file[METADATA_KEY].tobytes())


def _check_sizes(file: Any, order: BatchRequest) -> None:
    """Raise `ValueError` if an array is larger, unpacked, than a chunk of the batch can be."""
    rows = order.rows_per_chunk
    most_cells = max(limits.CHUNK_CELLS.value if rows > 1 else limits.CELLS.value, rows * math.prod(order.request.size))
    columns = build_columns(order)
    texts = {column.name for column in columns if column.kind in ("text", "seed")}
    fields = {f"{column.name}.{field.name}" for column in columns for field in column.fields}
    left = limits.JSON_BYTES.value  # for all fields of tables together
    # tiles come last: their bound is read from other arrays
    for entry in sorted(file.zip.infolist(), key=lambda entry: entry.filename in ("tiles.npy", "labels.npy")):
        name = entry.filename.removesuffix(".npy")
        most = rows * (4 * MAX_TEXT_LENGTH if name in texts else 8)
        if name in ("tiles", "labels"):
            most = min(most_cells, rows * _most_level_cells(file)) * (1 if name == "tiles" else LABEL_BYTES)
        elif name == METADATA_KEY:
            most = limits.JSON_BYTES.value
        elif name in fields:
            most = left
            left -= entry.file_size
        if entry.file_size > most + limits.NPZ_HEADER_BYTES.value:
            raise ValueError(f"the array {name} has {entry.file_size:,} bytes, unpacked, where {most:,} are the most")


def _most_level_cells(file: Any) -> int:
    """The cells of the largest level, by the columns with their sizes."""
    sizes = file["width"].astype(np.int64) * file["height"]
    return int(sizes.max(initial=0))


def _build_array(column: BatchColumn, rows: dict[str, list[Any]], order: BatchRequest) -> NDArray[Any]:
    values = rows[column.name]
    if column.kind in ("bytes", "labels"):
        shapes = list(zip(rows["height"], rows["width"], strict=True))
        return _stack_cells(values, shapes, order.request.size[::-1], _CELL_TYPES[column.kind])
    if column.kind == "seed" and order.layout != OLD_LAYOUT:
        return np.array(values, np.uint64)
    if column.kind in ("text", "seed"):
        return np.array(["" if value is None else str(value) for value in values], np.str_)
    if column.is_measure or column.kind == "number":
        return np.array([math.nan if value is None else value for value in values], np.float64)
    return np.array(
        [-1 if value is None else value for value in values], np.int8 if column.kind == "truth" else np.int64
    )


def _stack_cells(
    values: list[bytes | None], sizes: list[tuple[int, int]], usual: tuple[int, int], kind: np.dtype[Any]
) -> NDArray[Any]:
    """The cells of all levels as one array."""
    shapes = {size for size, value in zip(sizes, values, strict=True) if value is not None} or {usual}
    if len(shapes) != 1:
        return np.frombuffer(b"".join(value for value in values if value is not None), kind)
    height, width = shapes.pop()
    nothing = bytes(height * width * kind.itemsize)
    return np.frombuffer(b"".join(nothing if value is None else value for value in values), kind).reshape(
        len(values), height, width
    )


_CELL_TYPES: dict[str, np.dtype[Any]] = {"bytes": np.dtype(np.uint8), "labels": np.dtype("<i4")}
_FIELD_TYPES: dict[str, Any] = {"whole": np.int32, "truth": np.int8}


def _build_table_arrays(column: BatchColumn, values: list[Any]) -> dict[str, NDArray[Any]]:
    """The arrays of a column of tables."""
    found = {column.name: np.array([-1 if rows is None else len(rows) for rows in values], np.int64)}
    rows = [row for rows in values for row in rows or ()]
    for place, field in enumerate(column.fields):
        of_field = [row[place] for row in rows]
        found[f"{column.name}.{field.name}"] = (
            np.array(of_field, _FIELD_TYPES[field.kind])
            if field.kind in _FIELD_TYPES
            else np.frombuffer(format_json(of_field).encode(), np.uint8)
        )
    return found


def _read_table(column: BatchColumn, file: Any, most: int) -> list[Any]:
    """The values that `_build_table_arrays` was given."""
    if (total := int(np.maximum(file[column.name], 0).sum())) > most:
        raise ValueError(f"the table {column.name} has {total:,} rows")
    fields = []
    for field in column.fields:
        array = file[f"{column.name}.{field.name}"]
        values = array.tolist() if field.kind in _FIELD_TYPES else json.loads(array.tobytes())
        fields.append([bool(value) for value in values] if field.kind == "truth" else values)
        if len(fields[-1]) != total:
            raise ValueError(f"the table {column.name} has {len(fields[-1]):,} rows where {total:,} belong")
    rows, found, at = list(zip(*fields, strict=True)), list[Any](), 0
    for count in file[column.name].tolist():
        found.append(None if count < 0 else rows[at : at + count])
        at += max(0, count)
    return found


def _read_values(column: BatchColumn, array: NDArray[Any], sizes: list[list[int]]) -> list[Any]:
    """The values that `_build_array` was given."""
    if column.kind in ("bytes", "labels"):
        size = _CELL_TYPES[column.kind].itemsize
        is_stack, data, at, found = array.ndim == 3, array.tobytes(), 0, list[Any]()
        for width, height in zip(*sizes, strict=True):
            length = width * height * size if width >= 0 else 0
            found.append(data[at : at + length] if length else None)
            at += array.shape[1] * array.shape[2] * size if is_stack else length
        return found
    values = array.tolist()
    if column.kind == "seed":
        return [int(value) for value in values]
    if column.parameter:
        return [bool(value) for value in values] if column.kind == "truth" else values
    if column.kind == "text":
        return [value or None for value in values]
    if column.is_measure:
        return [None if math.isnan(value) else int(value) if column.kind == "whole" else value for value in values]
    if column.kind == "truth":
        return [None if value < 0 else bool(value) for value in values]
    return values if column.counts else [None if value < 0 else value for value in values]
