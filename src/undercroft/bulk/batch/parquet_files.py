"""Chunks as Parquet files, for pandas, polars, DuckDB, Hugging Face and others. Their metadata holds the request and
the palettes.
"""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from undercroft import limits
from undercroft.bulk.batch.chunks import Chunk
from undercroft.bulk.batch.columns import ColumnKind, Shard, build_columns, build_metadata
from undercroft.bulk.batch.request import BatchRequest
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
    kinds: dict[ColumnKind, Any] = {
        "text": arrow.string(),
        "whole": arrow.int64(),
        "number": arrow.float64(),
        "truth": arrow.bool_(),
        "bytes": arrow.binary(),
    }
    known = build_columns(order)
    schema = arrow.schema(
        [
            arrow.field(column.name, kinds[column.kind], nullable=not column.counts and column.name != "seed")
            for column in known
        ],
        metadata={METADATA_KEY: format_json(build_metadata(order, chunk, shard.palettes)).encode()},
    )
    table = arrow.table([arrow.array(shard.rows[column.name], kinds[column.kind]) for column in known], schema=schema)
    file = io.BytesIO()
    parquet.write_table(
        table,
        file,
        compression="zstd",
        compression_level=COMPRESSION_LEVEL,
        row_group_size=max(1, chunk.length),
        use_dictionary=[column.name for column in known if column.name in REPETITIVE_COLUMNS or column.counts],
        write_statistics=[column.name for column in known if column.kind != "bytes"],
        write_page_checksum=True,
    )
    return [(chunk.file_stem(order.digits) + SUFFIX, file.getvalue())]


def read_chunk(path: Path, order: BatchRequest, names: Sequence[str] | None = None) -> Shard:
    """The rows of a file, or some columns of them."""
    _, parquet = _import_pyarrow()
    with path.open("rb") as opened, parquet.ParquetFile(opened, page_checksum_verification=True) as file:
        groups = [file.metadata.row_group(number) for number in range(file.metadata.num_row_groups)]
        unpacked = sum(group.total_byte_size for group in groups)
        if file.metadata.num_rows > order.chunk or unpacked > limits.CHUNK_CELLS.value + limits.JSON_BYTES.value:
            raise ValueError(f"the file has {file.metadata.num_rows:,} rows of {unpacked:,} bytes")
        table = file.read(columns=None if names is None else list(names), use_threads=False)
        metadata = json.loads(file.schema_arrow.metadata[METADATA_KEY])
    return Shard({name: table.column(name).to_pylist() for name in table.column_names}, metadata["palettes"])


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
