"""Chunks as Parquet files, for pandas, polars, DuckDB, Hugging Face and others. What was asked for, and what the tiles
mean, is in their metadata.
"""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from undercroft.bulk.batch.chunks import Chunk
from undercroft.bulk.batch.columns import Kind, Shard, about, columns, text_of
from undercroft.bulk.batch.request import Order
from undercroft.errors import BadInput

SUFFIX = ".parquet"
MEMORY = 512 << 20
"""Bytes that a worker must have. With less, pyarrow cannot always be loaded, and may try to for ever."""
KEY = b"undercroft"
LEVEL = 1
"""How hard zstd tries: harder makes files a little smaller, and the work a good deal longer."""
SAME = ("attempt", "width", "height", "palette", "gave_up", "problem")
"""Columns in which few different values stand."""


def check(_order: Order) -> None:
    """Refuse at once what cannot be written."""
    _library()


def encoded(order: Order, chunk: Chunk, shard: Shard) -> list[tuple[str, bytes]]:
    """The file of a chunk. The same rows give the same bytes."""
    arrow, parquet = _library()
    kinds: dict[Kind, Any] = {
        "text": arrow.string(),
        "whole": arrow.int64(),
        "number": arrow.float64(),
        "truth": arrow.bool_(),
        "bytes": arrow.binary(),
    }
    known = columns(order)
    schema = arrow.schema(
        [
            arrow.field(column.name, kinds[column.kind], nullable=not column.counts and column.name != "seed")
            for column in known
        ],
        metadata={KEY: text_of(about(order, chunk, shard.palettes)).encode()},
    )
    table = arrow.table([arrow.array(shard.rows[column.name], kinds[column.kind]) for column in known], schema=schema)
    file = io.BytesIO()
    parquet.write_table(
        table,
        file,
        compression="zstd",
        compression_level=LEVEL,
        row_group_size=max(1, chunk.length),
        use_dictionary=[column.name for column in known if column.name in SAME or column.counts],
        write_statistics=[column.name for column in known if column.kind != "bytes"],
        write_page_checksum=True,
    )
    return [(chunk.stem(order.digits) + SUFFIX, file.getvalue())]


def read(path: Path, _order: Order, names: Sequence[str] | None = None) -> Shard:
    """The rows of a file, or some columns of them."""
    _, parquet = _library()
    with path.open("rb") as opened, parquet.ParquetFile(opened, page_checksum_verification=True) as file:
        table = file.read(columns=None if names is None else list(names), use_threads=False)
        told = json.loads(file.schema_arrow.metadata[KEY])
    return Shard({name: table.column(name).to_pylist() for name in table.column_names}, told["palettes"])


def _library() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        if not isinstance(error, ModuleNotFoundError):  # it is there, and could not be loaded
            raise BadInput(
                f"pyarrow cannot be loaded: {error}",
                fix="a worker may need more memory: --max-memory MB (memory= in Python)",
            ) from error
        raise BadInput(
            "Parquet files are written by pyarrow, and it is not installed",
            fix="pip install 'undercroft[batch]', or ask for npz files",
        ) from error
    return pyarrow, pyarrow.parquet
