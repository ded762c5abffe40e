"""The job of a worker that measures the levels of a batch, and writes nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from undercroft.bulk.batch.chunks import Chunk
from undercroft.bulk.batch.extend_work import measure_rows
from undercroft.bulk.batch.reader import OpenedBatch
from undercroft.bulk.batch.stored_levels import LEVEL_COLUMNS
from undercroft.bulk.workers.jobs import Work


def prepare(setup: Any) -> Work:
    """Open the folder. A task is the first seed of a chunk, and its number of seeds."""
    opened = OpenedBatch(setup["folder"])
    columns = [name for name in LEVEL_COLUMNS if name in opened.names]

    def work(task: list[int], cancelled: Callable[[], bool]) -> dict[str, Any]:
        shard = opened.read_shard(Chunk(*task), columns)
        return dict(measure_rows(opened.order, opened.path, shard, setup["measures"], cancelled))

    return work
