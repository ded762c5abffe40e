"""Make the chunks of a batch on a Dask cluster.

Each chunk is a task of its own, and no more are submitted than keep the workers busy. If a worker dies, Dask gives its
chunks to another one. If that happens too often, Dask blames all chunks of the worker, even those that were only
queued there. So the blamed chunks are run again at the end, each alone on the whole cluster. Only a chunk that still
kills workers is given up.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from pathlib import Path
from typing import Any

from undercroft.bulk.batch.dask import dask_work
from undercroft.bulk.batch.dask.connection import POLL_SECONDS, RERUN_FIX, DaskConnection, parse_address
from undercroft.bulk.workers import jobs
from undercroft.bulk.workers.in_process import (
    MAX_TASK_TRIES,
    OUT_OF_MEMORY,
    TaskResult,
    WorkerTrouble,
    build_worker_error,
)
from undercroft.errors import BadInput, UndercroftError

CHUNKS_PER_THREAD = 2
"""Chunks for each thread of a worker: one to work on and one in reserve, so that the worker is never idle."""
MAX_FILE_WAIT_SECONDS = 30.0
"""Seconds to wait for a file that a worker has written: shared folders may be slow to show it."""


class DaskEngine:
    """The cluster of the scheduler at an address. `setup` is that of the request; with a `shared` folder the workers
    write there themselves.

    The constructor raises if no scheduler answers, or if a worker would make other files.
    """

    def __init__(
        self,
        address: str,
        setup: dict[str, Any],
        folder: str | Path,
        *,
        shared: bool = False,
        cancelled: Callable[[], bool] | None = None,
    ) -> None:
        self._address = parse_address(address)
        try:
            import distributed  # noqa: F401
        except ImportError as error:
            raise BadInput("a cluster needs the library distributed", fix="pip install 'undercroft[batch]'") from error
        self._setup = setup
        self._folder = Path(folder).absolute() if shared else None
        self._cancelled = cancelled or (lambda: False)
        with self._connect() as link:
            _check_cluster(link, dask_work.pack_setup(setup, None))

    def _connect(self) -> DaskConnection:
        return DaskConnection(self._address, self._cancelled)

    def run(self, tasks: Iterable[list[int]]) -> Iterator[TaskResult]:
        """Run each task once, in any order. However the iterator ends, the cluster is left without tasks."""
        setup = dask_work.pack_setup(self._setup, None if self._folder is None else str(self._folder))
        with self._connect() as link:
            _check_cluster(link, setup)
            source, more = iter(tasks), True
            pending: dict[Future[list[Any]], list[int]] = {}
            suspects: deque[list[int]] = deque()
            alone = False
            while True:
                link.check()
                while more and len(pending) < CHUNKS_PER_THREAD * max(1, link.threads):
                    task = next(source, None)
                    if task is None:
                        more = False
                    else:
                        pending[_submit_chunk(link, setup, task)] = task
                if not pending:
                    if not suspects:
                        return
                    alone, task = True, suspects.popleft()
                    pending[_submit_chunk(link, setup, task)] = task
                for future in wait(pending, POLL_SECONDS, FIRST_COMPLETED).done:
                    task = pending.pop(future)
                    done = self._read_result(task, future, link, alone=alone)
                    if done is None:
                        suspects.append(task)
                    else:
                        yield done

    def _read_result(
        self, task: list[int], future: Future[list[Any]], link: DaskConnection, *, alone: bool
    ) -> TaskResult | None:
        """The result of a task; None if a worker died and the task may not be the cause."""
        from distributed import KilledWorker

        try:
            word, more = future.result()
        except MemoryError:
            return TaskResult(task, None, 0.0, OUT_OF_MEMORY)
        except KilledWorker as error:
            return (
                TaskResult(task, None, 0.0, f"{error.allowed_failures + 1} workers of the cluster died at it")
                if alone
                else None
            )
        except UndercroftError:
            raise
        except Exception as error:
            link.check()
            raise _build_cluster_error(error, link) from error
        if word != "done":
            raise build_worker_error(word, more)
        value, seconds = more
        if self._folder is not None:
            self._wait_for_files(value["files"], link)
        return TaskResult(task, value, seconds)

    def _wait_for_files(self, files: list[dict[str, Any]], link: DaskConnection) -> None:
        """Wait until the files that a worker has written are visible. If they never are, the caller reports them."""
        assert self._folder is not None
        by = time.monotonic() + MAX_FILE_WAIT_SECONDS
        while (
            not all(_file_size(self._folder / file["name"]) == file["size"] for file in files) and time.monotonic() < by
        ):
            link.check()
            time.sleep(POLL_SECONDS)


def _submit_chunk(link: DaskConnection, setup: bytes, task: list[int]) -> Future[list[Any]]:
    """Submit a chunk to the cluster. `pure=False` gives the task a key of its own: no other client asks for it."""
    return link.submit(
        lambda: link.client.submit(dask_work.make_chunk, setup, task, pure=False, retries=MAX_TASK_TRIES - 1)
    )


def _check_cluster(link: DaskConnection, setup: bytes) -> None:
    """Raise if the cluster cannot do the work, or would make other files. Workers that join later check themselves."""
    try:
        link.run(lambda: link.client.run_on_scheduler(dask_work.installed_version))
    except UndercroftError:
        raise
    except Exception as error:
        raise _build_cluster_error(error, link, f"the scheduler at {link.address}") from error
    for worker, found in link.run(
        lambda: link.client.run(dask_work.find_worker_problem, setup, on_error="return")
    ).items():
        if isinstance(found, Exception):
            raise _build_cluster_error(found, link, f"the worker at {worker}") from found
        if found is not None:
            raise jobs.decode_error(found)


def _build_cluster_error(
    error: Exception, link: DaskConnection, who: str = "a worker of the cluster"
) -> UndercroftError:
    """The error for a failure of the cluster."""
    text = str(error).partition("\n")[0]
    if "No module named 'undercroft" in text:
        return BadInput(f"{who} has no Undercroft, or another version of it", fix=dask_work.SAME_VERSIONS_FIX)
    if type(error).__name__ in ("CancelledError", "FutureCancelledError"):
        return WorkerTrouble(
            f"the scheduler at {link.address} has dropped the work, as when it is restarted", fix=RERUN_FIX
        )
    return WorkerTrouble(f"something in the cluster failed: {type(error).__name__}: {text}", fix=RERUN_FIX)


def _file_size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return -1
