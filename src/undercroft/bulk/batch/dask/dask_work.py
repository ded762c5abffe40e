"""The job of a Dask worker: the chunks of a batch, made as by a local worker. The cluster imports this module by its
name.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

from undercroft.bulk.batch import batch_work
from undercroft.bulk.batch.folder_request import read_request_data
from undercroft.bulk.batch.request import compute_digest, find_writer_library
from undercroft.bulk.workers import jobs, messages
from undercroft.errors import BadInput, Cancelled, FileTrouble, UndercroftError
from undercroft.version import VERSION

SAME_VERSIONS_FIX = "install the same versions here, at the scheduler and at all workers"


def pack_setup(setup: dict[str, Any], folder: str | None) -> bytes:
    """The message for every worker: the request, the folder if the worker writes there, and the version of the library
    that it must have.
    """
    return messages.pack_message([setup, folder, _find_writer_library(setup)])


def _find_writer_library(setup: dict[str, Any]) -> tuple[str, str]:
    return find_writer_library(setup["order"]["as"], setup["order"]["options"])


def installed_version() -> str:
    """The version of this package. The scheduler runs this: it does no work, but must be able to import this module."""
    return VERSION


def find_worker_problem(packed_setup: bytes, dask_worker: Any) -> list[Any] | None:
    """Why this worker cannot do the work, as plain data; None if it can. Dask passes the worker."""
    try:
        _, folder, digest = _prepare_work(packed_setup, threading.get_ident())
        if folder is not None:
            _check_folder(folder, digest)
    except UndercroftError as error:
        error.problem = f"the worker at {dask_worker.address} cannot be used: {error.problem}"
        return jobs.encode_error(error)
    return None


def make_chunk(packed_setup: bytes, task: list[int]) -> list[Any]:
    """Make a chunk. Returns the kind of result and its content. An error that another worker may not have is raised, so
    that Dask tries again.
    """
    from distributed import Reschedule, get_worker

    start, worker = time.perf_counter(), get_worker()
    if (problem := find_worker_problem(packed_setup, worker)) is not None:
        return ["refused", problem]
    try:
        work, folder, _ = _prepare_work(packed_setup, threading.get_ident())
        is_cancelled = _build_cancel_check(worker)
        value = work(task, is_cancelled)
        if is_cancelled():
            raise Cancelled("cancelled before it was written")
        if folder is not None:
            value = batch_work.write_chunk(value, folder)
        return ["done", [value, time.perf_counter() - start]]
    except Cancelled:
        raise Reschedule from None  # nothing waits for it, or this worker is closing: then another one makes it
    except (FileTrouble, MemoryError):
        raise
    except UndercroftError as error:
        return ["refused", jobs.encode_error(error)]
    except Exception as error:  # noqa: BLE001 - the client reports it, whatever it is
        return ["failed", jobs.describe_crash(error)]


@lru_cache(maxsize=64)
def _prepare_work(packed_setup: bytes, _thread: int) -> tuple[jobs.Work, str | None, str]:
    """The prepared work, the folder for its files, and the digest of the request; cached for each thread, so that
    threads share nothing.
    """
    setup, folder, [library, needed] = messages.unpack_message(packed_setup)
    if (required_version := setup["order"]["version"]) != VERSION:
        raise BadInput(f"it has Undercroft {VERSION}, and {required_version} is here", fix=SAME_VERSIONS_FIX)
    if (local_version := _find_writer_library(setup)[1]) != needed:
        raise BadInput(
            f"it has {f'{library} {local_version}' if local_version else f'no {library}'}, and {needed} is here: "
            "the files would differ",
            fix=SAME_VERSIONS_FIX,
        )
    return batch_work.prepare(setup), folder, setup["digest"]


def _check_folder(folder: str, digest: str) -> None:
    """Raise if the folder does not hold this batch: on another machine the path may lead elsewhere, or the folder was
    replaced.
    """
    try:
        same = compute_digest(read_request_data(Path(folder))) == digest
    except UndercroftError:
        same = False
    if not same:
        raise BadInput(
            f"it does not see the batch in {folder}",
            fix="have the folder at the same place on all machines, or let results be sent",
        )


def _build_cancel_check(worker: Any) -> Callable[[], bool]:
    """A check whether this task is cancelled. It is called very often, so it reads only local state."""
    from distributed import Status

    tasks, key = worker.state.tasks, worker.get_current_task()

    def is_unwanted() -> bool:
        task = tasks.get(key)
        return task is None or task.state == "cancelled" or worker.status in (Status.closing, Status.closed)

    return is_unwanted
