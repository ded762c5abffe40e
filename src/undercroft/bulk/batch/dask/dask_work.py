"""What a worker of a Dask cluster does: the chunks of a batch, as a worker of this machine does them. The cluster knows
it by its name alone.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

from undercroft.bulk.batch import batch_work
from undercroft.bulk.batch.directory import read_request_data
from undercroft.bulk.batch.request import compute_digest, find_writer_library
from undercroft.bulk.workers import jobs, messages
from undercroft.errors import BadInput, Cancelled, FileTrouble, UndercroftError
from undercroft.version import VERSION

SAME_VERSIONS_FIX = "install the same versions here, at the scheduler and at all workers"


def pack_setup(setup: dict[str, Any], folder: str | None) -> bytes:
    """What every worker needs to know: the order, where to write if it is to write, and what its library must be."""
    return messages.pack_message([setup, folder, _find_writer_library(setup)])


def _find_writer_library(setup: dict[str, Any]) -> tuple[str, str]:
    return find_writer_library(setup["order"]["as"], setup["order"]["options"])


def installed_version() -> str:
    """What the scheduler is asked for: it takes part in no work, but has to know this module by its name."""
    return VERSION


def find_worker_problem(packed_setup: bytes, dask_worker: Any) -> list[Any] | None:
    """What speaks against working here, as plain data. Dask gives the worker."""
    try:
        _, folder, digest = _prepare_work(packed_setup, threading.get_ident())
        if folder is not None:
            _check_folder(folder, digest)
    except UndercroftError as error:
        error.problem = f"the worker at {dask_worker.address} is of no use: {error.problem}"
        return jobs.encode_error(error)
    return None


def make_chunk(packed_setup: bytes, task: list[int]) -> list[Any]:
    """Make a chunk: a word, and more of it. What another worker may be luckier with is raised, so that it is tried
    again.
    """
    from distributed import Reschedule, get_worker

    begun, worker = time.perf_counter(), get_worker()
    if (refused := find_worker_problem(packed_setup, worker)) is not None:
        return ["refused", refused]
    try:
        work, folder, _ = _prepare_work(packed_setup, threading.get_ident())
        unwanted = _build_cancel_check(worker)
        value = work(task, unwanted)
        if unwanted():
            raise Cancelled("cancelled before it was written")
        if folder is not None:
            value = batch_work.write_chunk(value, folder)
        return ["done", [value, time.perf_counter() - begun]]
    except Cancelled:
        raise Reschedule from None  # nobody waits for it, or this worker is about to go: then another one does it
    except (FileTrouble, MemoryError):
        raise
    except UndercroftError as error:
        return ["refused", jobs.encode_error(error)]
    except Exception as error:  # noqa: BLE001 - whatever it is, whoever asked says it
        return ["failed", jobs.describe_crash(error)]


@lru_cache(maxsize=64)
def _prepare_work(packed_setup: bytes, _thread: int) -> tuple[jobs.Work, str | None, str]:
    """The work, ready, where its files go, and the digest of the order; threads share nothing."""
    setup, folder, [library, same] = messages.unpack_message(packed_setup)
    if (wanted := setup["order"]["version"]) != VERSION:
        raise BadInput(f"it has Undercroft {VERSION}, and {wanted} is here", fix=SAME_VERSIONS_FIX)
    if (here := _find_writer_library(setup)[1]) != same:
        raise BadInput(
            f"it has {f'{library} {here}' if here else f'no {library}'}, and {same} is here: the files would differ",
            fix=SAME_VERSIONS_FIX,
        )
    return batch_work.prepare(setup), folder, setup["digest"]


def _check_folder(folder: str, digest: str) -> None:
    """Refuse to write into a folder that is not the batch's: another machine may have another one there, or somebody
    has put another in its place.
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
    """Says whether nobody waits for this task any more. Asked very often, it looks only at what this process knows
    already.
    """
    from distributed import Status

    tasks, key = worker.state.tasks, worker.get_current_task()

    def is_unwanted() -> bool:
        task = tasks.get(key)
        return task is None or task.state == "cancelled" or worker.status in (Status.closing, Status.closed)

    return is_unwanted
