"""Chunks as NumPy arrays in a zip file, one array for each column.

`tiles` is [level, y, x], with zeros where there is no level (at the requested size, if the chunk has no level at all);
if the levels differ in size, it is all their cells in sequence. Measures are float64, and NaN where there is no number.
Other numbers are int64, and -1 where there is none. Truth values are 1, 0, or -1 for none. An empty text means none.
`undercroft` holds the bytes of a JSON text: the request, and the palettes.
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
from undercroft.bulk.batch.columns import BatchColumn, Shard, build_columns, build_metadata
from undercroft.bulk.batch.request import BatchRequest
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
    members = {column.name: _build_array(column, shard.rows, order) for column in build_columns(order)}
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
            if any(column.kind == "bytes" for column in columns)
            else []
        )
        return Shard(
            {column.name: _read_values(column, file[column.name], sizes) for column in columns}, metadata["palettes"]
        )


def _check_sizes(file: Any, order: BatchRequest) -> None:
    """Raise `ValueError` if an array is larger, unpacked, than a chunk of the batch can be."""
    most_cells = max(limits.CHUNK_CELLS.value if order.chunk > 1 else limits.CELLS.value, math.prod(order.request.size))
    texts = {column.name for column in build_columns(order) if column.kind == "text"}
    # tiles come last: their bound is read from other arrays
    for entry in sorted(file.zip.infolist(), key=lambda entry: entry.filename == "tiles.npy"):
        name = entry.filename.removesuffix(".npy")
        most = order.chunk * (4 * MAX_TEXT_LENGTH if name in texts else 8)
        if name == "tiles":
            most = min(most_cells, order.chunk * _most_level_cells(file))
        elif name == METADATA_KEY:
            most = limits.JSON_BYTES.value
        if entry.file_size > most + limits.NPZ_HEADER_BYTES.value:
            raise ValueError(f"the array {name} has {entry.file_size:,} bytes, unpacked, where {most:,} are the most")


def _most_level_cells(file: Any) -> int:
    """The cells of the largest level, by the columns with their sizes."""
    sizes = file["width"].astype(np.int64) * file["height"]
    return int(sizes.max(initial=0))


def _build_array(column: BatchColumn, rows: dict[str, list[Any]], order: BatchRequest) -> NDArray[Any]:
    values = rows[column.name]
    if column.kind == "bytes":
        return _stack_tiles(values, list(zip(rows["height"], rows["width"], strict=True)), order.request.size[::-1])
    if column.kind == "text":
        return np.array([value or "" for value in values], np.str_)
    if column.is_measure:
        return np.array([math.nan if value is None else value for value in values], np.float64)
    return np.array(
        [-1 if value is None else value for value in values], np.int8 if column.kind == "truth" else np.int64
    )


def _stack_tiles(values: list[bytes | None], sizes: list[tuple[int, int]], usual: tuple[int, int]) -> NDArray[np.uint8]:
    """All tiles as one array."""
    shapes = {size for size, value in zip(sizes, values, strict=True) if value is not None} or {usual}
    if len(shapes) != 1:
        return np.frombuffer(b"".join(value for value in values if value is not None), np.uint8)
    height, width = shapes.pop()
    nothing = bytes(height * width)
    return np.frombuffer(b"".join(nothing if value is None else value for value in values), np.uint8).reshape(
        len(values), height, width
    )


def _read_values(column: BatchColumn, array: NDArray[Any], sizes: list[list[int]]) -> list[Any]:
    """The values that `_build_array` was given."""
    if column.kind == "bytes":
        is_stack, data, at, found = array.ndim == 3, array.tobytes(), 0, list[Any]()
        for width, height in zip(*sizes, strict=True):
            length = width * height if width >= 0 else 0
            found.append(data[at : at + length] if length else None)
            at += array.shape[1] * array.shape[2] if is_stack else length
        return found
    values = array.tolist()
    if column.kind == "text":
        return [value or None for value in values]
    if column.is_measure:
        return [None if math.isnan(value) else int(value) if column.kind == "whole" else value for value in values]
    if column.kind == "truth":
        return [None if value < 0 else bool(value) for value in values]
    return values if column.counts else [None if value < 0 else value for value in values]
