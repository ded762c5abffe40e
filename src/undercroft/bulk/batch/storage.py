"""How a chunk is kept: the table of forms. Each is a module that turns rows into bytes and back."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from undercroft.bulk.batch import level_files, npz_files, parquet_files
from undercroft.bulk.batch.chunks import Chunk
from undercroft.bulk.batch.columns import Shard
from undercroft.bulk.batch.request import BatchRequest


class StorageForm(Protocol):
    """What such a module has."""

    @property
    def SUFFIX(self) -> str:  # noqa: N802 - the module's own
        """The ending of the file that stands for a chunk."""

    @property
    def MIN_MEMORY_BYTES(self) -> int:  # noqa: N802 - the module's own
        """Bytes that a worker must have for what writes the files."""

    @property
    def check(self) -> ChunkCheck: ...

    @property
    def encode_chunk(self) -> ChunkEncoder: ...

    @property
    def read_chunk(self) -> ChunkReader: ...


class ChunkCheck(Protocol):
    def __call__(self, order: BatchRequest, /) -> None:
        """Refuse at once what cannot be written."""


class ChunkEncoder(Protocol):
    def __call__(self, order: BatchRequest, chunk: Chunk, shard: Shard, /) -> list[tuple[str, bytes]]:
        """Names and contents of the files of a chunk, in the order in which they are to be written; the last one stands
        for the chunk.
        """


class ChunkReader(Protocol):
    def __call__(self, path: Path, order: BatchRequest, names: Sequence[str] | None = None, /) -> Shard:
        """The rows in the file that stands for a chunk, or some columns of them. A damaged file raises whatever its
        library does.
        """


FORMS: dict[str, StorageForm] = {"parquet": parquet_files, "npz": npz_files}
"""All others are formats of levels."""


def resolve_form(order: BatchRequest) -> StorageForm:
    """How the chunks of a batch are kept."""
    return FORMS.get(order.form, level_files)
