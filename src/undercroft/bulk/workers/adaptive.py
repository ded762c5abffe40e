"""Run many small pieces of work with adaptive batching: a message holds as many pieces as take long enough to be worth
sending. The current process starts on them, and hands over to the workers when they are ready.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Iterator
from itertools import islice
from typing import Any

from undercroft.bulk.workers.in_process import TaskResult, prepare_in_process, run_pieces_in_process
from undercroft.bulk.workers.pool import WorkerPool, check_memory

MESSAGE_SECONDS = 0.15
"""Seconds of work in one message to a worker: enough that the cost of sending it does not matter."""
LOCAL_MESSAGE_SECONDS = 0.04
"""The same while the current process works itself: it has to check on the workers soon."""
START_WORKERS_AFTER_SECONDS = 0.1
"""Seconds after which workers are started: work that is done by then does not wait for them."""
MAX_PIECES_PER_MESSAGE = 2000
"""The most pieces in one message: two messages fit into a pipe."""
AMPLE_MEMORY_BYTES, BYTES_PER_CELL = 1 << 30, 1 << 10
"""A worker with this much memory in total, and this much for each cell of a level, does not come near its limit. Then
the current process, which has no limit, may work too.
"""


class AdaptivePool:
    """Run the pieces of a job in order. The number of pieces in a message follows from how long the latest ones took;
    the results do not depend on it.

    Each piece concerns a level of `cells` cells. If the `memory` limit is so low that a worker may reach it, only
    workers do the work, even if there is a single one.
    """

    def __init__(
        self,
        job: str,
        setup: Any,
        workers: int,
        *,
        entry: str,
        cells: int = 0,
        memory: int | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> None:
        check_memory(memory, "leave it out for no limit")
        self._entry, self._job, self._setup, self._cancelled = entry, job, setup, cancelled or (lambda: False)
        self._works = memory is None or memory >= max(AMPLE_MEMORY_BYTES, cells * BYTES_PER_CELL)
        self._pool = WorkerPool(
            job,
            setup,
            workers,
            entry=entry,
            memory=None if self._works and type(workers) is int and workers == 1 else memory,
            apart=True,
            cancelled=cancelled,
        )
        self._pace, self._seconds = 0.0, LOCAL_MESSAGE_SECONDS

    @property
    def is_here(self) -> bool:
        """Whether all of the work is done in the current process."""
        return self._works and self._pool.is_here

    def run(self, pieces: Iterable[Any]) -> Generator[TaskResult]:
        """Yield the result of each message; its task is the list of its pieces. The workers end with the generator,
        however it ends.
        """
        messages = self._messages(iter(pieces))
        try:
            if self._works and not self._pool.is_here and not (yield from self._run_in_process(messages)):
                return
            self._seconds = MESSAGE_SECONDS
            for done in self._pool.run(messages):
                yield self._record_pace(done)
        finally:
            self._pool.stop()

    def _run_in_process(self, messages: Iterator[list[Any]]) -> Generator[TaskResult, None, bool]:
        """Work in the current process while the workers start. Return whether pieces are left for the workers."""
        work = prepare_in_process(self._entry, self._job, self._setup)
        start, has_started = time.monotonic(), False
        for message in messages:
            for done in run_pieces_in_process(work, message, self._cancelled):
                yield self._record_pace(done)
            if not has_started and time.monotonic() - start > START_WORKERS_AFTER_SECONDS:
                self._pool.start()
                has_started = True
            if has_started and self._pool.has_ready_worker():
                return True
        return False

    def _record_pace(self, done: TaskResult) -> TaskResult:
        if not done.poisoned:
            self._pace = len(done.task) / max(done.seconds, 1e-6)
        return done

    def _messages(self, pieces: Iterator[Any]) -> Iterator[list[Any]]:
        """Cut the pieces into messages, lazily: there may be very many."""
        size = 1
        while message := list(islice(pieces, size)):
            yield message
            size = max(1, min(MAX_PIECES_PER_MESSAGE, 4 * size, int(self._pace * self._seconds)))
