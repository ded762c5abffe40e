"""Chunks as Parquet files, for pandas, polars, DuckDB, Hugging Face and others. Their metadata holds the request and
the palettes.
"""

from __future__ import annotations

import io
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from undercroft import limits
from undercroft.bulk.batch.chunks import Chunk
from undercroft.bulk.batch.columns import (
    BatchColumn,
    ColumnField,
    Shard,
    build_columns,
    build_metadata,
    check_table_sizes,
    max_table_rows,
)
from undercroft.bulk.batch.level_rows import LABEL_BYTES
from undercroft.bulk.batch.request import OLD_LAYOUT, BatchRequest
from undercroft.errors import BadInput
from undercroft.inputs.json import format_json

SUFFIX = ".parquet"
MIN_MEMORY_BYTES = 512 << 20
"""The least memory of a worker. With less, pyarrow cannot always be imported, and may try for ever."""
METADATA_KEY = b"undercroft"
COMPRESSION_LEVEL = 1
"""The level of zstd: higher ones make files a little smaller, and take a good deal longer."""
REPETITIVE_COLUMNS = ("attempt", "width", "height", "palette", "gave_up", "problem")
"""Columns with few different values: they are dictionary encoded."""


def check(_order: BatchRequest) -> None:
    """Raise early if pyarrow is missing."""
    _import_pyarrow()


def encode_chunk(order: BatchRequest, chunk: Chunk, shard: Shard) -> list[tuple[str, bytes]]:
    """The file of a chunk. The same rows give the same bytes."""
    arrow, parquet = _import_pyarrow()
    check_table_sizes(shard.rows, order)
    known = build_columns(order)
    types = [_arrow_type(arrow, column, order) for column in known]
    schema = arrow.schema(
        [
            arrow.field(column.name, type_, nullable=not column.is_never_empty)
            for column, type_ in zip(known, types, strict=True)
        ],
        metadata={METADATA_KEY: format_json(build_metadata(order, chunk, shard.palettes)).encode()},
    )
    table = arrow.table(
        [
            _build_array(arrow, column, type_, shard.rows[column.name])
            for column, type_ in zip(known, types, strict=True)
        ],
        schema=schema,
    )
    file = io.BytesIO()
    parquet.write_table(
        table,
        file,
        compression="zstd",
        compression_level=COMPRESSION_LEVEL,
        row_group_size=max(1, chunk.length),
        use_dictionary=[
            path
            for column in known
            if column.name in REPETITIVE_COLUMNS or column.counts or column.kind == "table"
            for path in ([column.name] if column.kind != "table" else _field_paths(column))
        ],
        write_statistics=[column.name for column in known if column.kind not in ("bytes", "labels", "table")],
        write_page_checksum=True,
    )
    return [(chunk.file_stem(order.digits) + SUFFIX, file.getvalue())]


def read_chunk(path: Path, order: BatchRequest, names: Sequence[str] | None = None) -> Shard:
    """The rows of a file, or some columns of them."""
    _, parquet = _import_pyarrow()
    with path.open("rb") as opened, parquet.ParquetFile(opened, page_checksum_verification=True) as file:
        groups = [file.metadata.row_group(number) for number in range(file.metadata.num_row_groups)]
        unpacked = sum(group.total_byte_size for group in groups)
        most_cells = max(
            limits.CHUNK_CELLS.value, (1 + LABEL_BYTES) * order.rows_per_chunk * math.prod(order.request.size)
        )
        if file.metadata.num_rows > order.rows_per_chunk or unpacked > most_cells + limits.JSON_BYTES.value:
            raise ValueError(f"the file has {file.metadata.num_rows:,} rows of {unpacked:,} bytes")
        values = max((group.column(at).num_values for group in groups for at in range(group.num_columns)), default=0)
        if values > max_table_rows(order) + order.rows_per_chunk:  # an empty table counts as one
            raise ValueError(f"a table has {values:,} rows")
        table = file.read(columns=None if names is None else list(names), use_threads=False)
        metadata = json.loads(file.schema_arrow.metadata[METADATA_KEY])
    columns = {column.name: column for column in build_columns(order)}
    return Shard(
        {name: _read_values(table.column(name), columns.get(name)) for name in table.column_names}, metadata["palettes"]
    )


def read_metadata(path: Path) -> Any:
    """The metadata of a file."""
    _, parquet = _import_pyarrow()
    with path.open("rb") as opened, parquet.ParquetFile(opened) as file:
        return json.loads(file.schema_arrow.metadata[METADATA_KEY])


def _arrow_type(arrow: Any, column: BatchColumn | ColumnField, order: BatchRequest) -> Any:
    """The type of a column, or of a field of a table."""
    if isinstance(column, BatchColumn) and column.kind == "table":
        return arrow.list_(
            arrow.struct([arrow.field(field.name, _arrow_type(arrow, field, order)) for field in column.fields])
        )
    if column.kind == "whole":
        return arrow.int64() if isinstance(column, BatchColumn) else arrow.int32()
    if column.kind == "seed":
        return arrow.string() if order.layout == OLD_LAYOUT else arrow.uint64()
    types = {
        "text": arrow.string(),
        "number": arrow.float64(),
        "truth": arrow.bool_(),
        "bytes": arrow.binary(),
        "labels": arrow.binary(),
        "texts": arrow.list_(arrow.string()),
    }
    return types[column.kind]


def _build_array(arrow: Any, column: BatchColumn, type_: Any, values: list[Any]) -> Any:
    if column.kind == "seed" and type_ == arrow.string():
        return arrow.array(map(str, values), type_)
    if column.kind != "table":
        return arrow.array(values, type_)
    offsets: list[int | None] = []
    at = 0
    for rows in values:
        offsets.append(None if rows is None else at)
        at += len(rows or ())
    rows = [row for rows in values for row in rows or ()]
    fields = [
        arrow.array([row[place] for row in rows], type_.value_type.field(place).type)
        for place in range(len(column.fields))
    ]
    struct = arrow.StructArray.from_arrays(fields, fields=list(type_.value_type))
    return arrow.ListArray.from_arrays(arrow.array([*offsets, at], arrow.int32()), struct, type=type_)


def _field_paths(column: BatchColumn) -> list[str]:
    """The fields of a table with few different values, as Parquet calls them."""
    return [f"{column.name}.list.element.{field.name}" for field in column.fields if field.kind in ("text", "truth")]


def _read_values(values: Any, column: BatchColumn | None) -> list[Any]:
    """The values that `_build_array` was given."""
    if column is None or column.kind not in ("seed", "table"):
        return list(values.to_pylist())
    if column.kind == "seed":
        return [int(value) for value in values.to_pylist()]
    names = [field.name for field in column.fields]
    return [
        None if rows is None else [tuple(row[name] for name in names) for row in rows] for rows in values.to_pylist()
    ]


def _import_pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        if not isinstance(error, ModuleNotFoundError):  # it is installed, but cannot be loaded
            raise BadInput(
                f"pyarrow cannot be loaded: {error}",
                fix="a worker may need more memory: --max-memory MB (memory= in Python)",
            ) from error
        raise BadInput(
            "Parquet files are written by pyarrow, and it is not installed",
            fix="pip install 'undercroft[batch]', or ask for npz files",
        ) from error
    return pyarrow, pyarrow.parquet
