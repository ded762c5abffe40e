"""The storage of chunks: the table of forms. Each form is a module that encodes rows as bytes and decodes them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from undercroft.bulk.batch import level_files, npz_files, parquet_files
from undercroft.bulk.batch.chunks import Chunk
from undercroft.bulk.batch.columns import Shard
from undercroft.bulk.batch.request import BatchRequest


class StorageForm(Protocol):
    """The interface of such a module."""

    @property
    def SUFFIX(self) -> str:  # noqa: N802 - the module's own
        """The suffix of the file that proves that a chunk is finished."""

    @property
    def MIN_MEMORY_BYTES(self) -> int:  # noqa: N802 - the module's own
        """The least memory of a worker that writes such files."""

    @property
    def check(self) -> ChunkCheck: ...

    @property
    def encode_chunk(self) -> ChunkEncoder: ...

    @property
    def read_chunk(self) -> ChunkReader: ...

    @property
    def read_metadata(self) -> MetadataReader: ...


class ChunkCheck(Protocol):
    def __call__(self, order: BatchRequest, /) -> None:
        """Raise early for a request that cannot be written."""


class ChunkEncoder(Protocol):
    def __call__(self, order: BatchRequest, chunk: Chunk, shard: Shard, /) -> list[tuple[str, bytes]]:
        """Names and contents of the files of a chunk, in the order in which to write them; the last one proves that the
        chunk is finished.
        """


class ChunkReader(Protocol):
    def __call__(self, path: Path, order: BatchRequest, names: Sequence[str] | None = None, /) -> Shard:
        """The rows in the main file of a chunk, or some of its columns. A damaged file raises whatever its library
        raises.
        """


class MetadataReader(Protocol):
    def __call__(self, path: Path, /) -> Any:
        """What the main file of a chunk tells about itself; see `build_metadata`."""


FORMS: dict[str, StorageForm] = {"parquet": parquet_files, "npz": npz_files}
"""All other forms are level formats."""


def resolve_form(order: BatchRequest) -> StorageForm:
    """The storage module of a request's form."""
    return FORMS.get(order.form, level_files)
