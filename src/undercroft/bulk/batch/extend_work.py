"""The job of a worker that adds measures to a batch: read the levels of a chunk, measure them, and encode the chunk
anew. The bytes are the same as if the batch had been made with these measures.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from undercroft.analysis.measures.table import Facts, Number
from undercroft.bulk.batch.batch_work import FILES_KEY, MEASURES_KEY, build_file_entry
from undercroft.bulk.batch.chunks import Chunk
from undercroft.bulk.batch.columns import Shard, build_columns, check_rows, read_palettes
from undercroft.bulk.batch.directory import BatchDirectory
from undercroft.bulk.batch.request import BatchRequest
from undercroft.bulk.batch.storage import resolve_form
from undercroft.bulk.batch.stored_levels import read_measurable_level
from undercroft.bulk.measure.one_level import measure_or_none
from undercroft.bulk.workers.jobs import Work
from undercroft.core.run import Run
from undercroft.errors import Cancelled


def prepare(setup: Any) -> Work:
    """Load the recipe. A task is the first seed of a chunk, and its number of seeds."""
    order, folder = BatchRequest.from_setup(setup["request"]), Path(setup["folder"])
    # import what it needs before any clock runs
    resolve_form(order).encode_chunk(order, Chunk(order.first, 0), Shard.empty(order))

    def work(task: list[int], cancelled: Callable[[], bool]) -> dict[str, Any]:
        return extend_chunk(order, folder, Chunk(*task), cancelled)

    return work


def extend_chunk(order: BatchRequest, folder: Path, chunk: Chunk, cancelled: Callable[[], bool]) -> dict[str, Any]:
    """The files of a chunk with all measures of the request, as `make_chunk` returns them."""
    form, path = resolve_form(order), BatchDirectory(folder, order).chunk_path(chunk)
    start = time.perf_counter()
    old = order.with_measures(form.read_metadata(path)["measures"])
    shard = form.read_chunk(path, old)
    check_rows(shard.rows, old, chunk)
    read = time.perf_counter()
    numbers = measure_rows(old, folder, shard, [name for name in order.measures if name not in old.measures], cancelled)
    measured = time.perf_counter()
    shard.rows = {
        column.name: numbers[column.name] if column.name in numbers else shard.rows[column.name]
        for column in build_columns(order)
    }
    written = [build_file_entry(name, data) for name, data in form.encode_chunk(order, chunk, shard)]
    seconds = {MEASURES_KEY: measured - read, FILES_KEY: time.perf_counter() - measured + read - start}
    return {"files": written, "count": shard.count(order).data(), "seconds": seconds}


def measure_rows(
    order: BatchRequest, folder: Path, shard: Shard, measures: list[str], cancelled: Callable[[], bool]
) -> dict[str, list[Number]]:
    """The numbers of some measures for each row of a chunk; None where there is no level, or no number."""
    palettes = read_palettes(shard.palettes, str(folder))
    found: dict[str, list[Number]] = {name: [] for name in measures}
    for place, problem in enumerate(shard.rows["problem"]):
        if cancelled():
            raise Cancelled("cancelled between two levels")
        facts = None
        if problem is None:
            row = {name: values[place] for name, values in shard.rows.items()}
            level = read_measurable_level(order, folder, row, place % order.combinations, palettes)
            facts = Facts(level, Run(cancelled=cancelled))
        for name in measures:
            found[name].append(None if facts is None else measure_or_none(name, facts))
    return found
