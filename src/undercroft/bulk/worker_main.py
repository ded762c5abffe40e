"""The entry module of worker processes that make batches, measure recipes and search seeds."""

from __future__ import annotations

from undercroft.bulk.workers import worker
from undercroft.bulk.workers.jobs import Jobs

JOBS: Jobs = {
    "batch": "undercroft.bulk.batch.batch_work",
    "dungeon": "undercroft.bulk.dungeon_work",
    "dungeon-rows": "undercroft.bulk.dungeon_rows_work",
    "extend": "undercroft.bulk.batch.extend_work",
    "measure": "undercroft.bulk.measure.measure_work",
    "measure-batch": "undercroft.bulk.batch.measure_batch_work",
    "search": "undercroft.bulk.search.search_work",
}


def main() -> None:
    """Serve the process that started this one."""
    worker.main(JOBS)
