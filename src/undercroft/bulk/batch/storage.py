"""How a chunk is kept: the table of forms. Each is a module that turns rows into bytes and back."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from undercroft.bulk.batch import level_files, npz_files, parquet_files
from undercroft.bulk.batch.chunks import Chunk
from undercroft.bulk.batch.columns import Shard
from undercroft.bulk.batch.request import Order


class Form(Protocol):
    """What such a module has."""

    @property
    def SUFFIX(self) -> str:  # noqa: N802 - the module's own
        """The ending of the file that stands for a chunk."""

    @property
    def MEMORY(self) -> int:  # noqa: N802 - the module's own
        """Bytes that a worker must have for what writes the files."""

    @property
    def check(self) -> Check: ...

    @property
    def encoded(self) -> Encode: ...

    @property
    def read(self) -> Read: ...


class Check(Protocol):
    def __call__(self, order: Order, /) -> None:
        """Refuse at once what cannot be written."""


class Encode(Protocol):
    def __call__(self, order: Order, chunk: Chunk, shard: Shard, /) -> list[tuple[str, bytes]]:
        """Names and contents of the files of a chunk, in the order in which they are to be written; the last one stands
        for the chunk.
        """


class Read(Protocol):
    def __call__(self, path: Path, order: Order, names: Sequence[str] | None = None, /) -> Shard:
        """The rows in the file that stands for a chunk, or some columns of them. A damaged file raises whatever its
        library does.
        """


FORMS: dict[str, Form] = {"parquet": parquet_files, "npz": npz_files}
"""All others are formats of levels."""


def form_of(order: Order) -> Form:
    """How the chunks of a batch are kept."""
    return FORMS.get(order.form, level_files)
