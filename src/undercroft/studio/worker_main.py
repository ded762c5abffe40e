"""The entry module of the studio's worker processes."""

from __future__ import annotations

from undercroft.bulk import worker_main
from undercroft.bulk.workers import worker
from undercroft.bulk.workers.jobs import Jobs

JOBS: Jobs = {**worker_main.JOBS, "studio": "undercroft.studio.jobs.work"}


def main() -> None:
    """Serve the process that started this one."""
    worker.main(JOBS)
