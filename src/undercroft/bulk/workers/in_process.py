"""Run a job in the current process, with the same results and errors as `WorkerPool`."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any, ClassVar, NamedTuple

from undercroft.bulk.workers import jobs, messages
from undercroft.errors import Cancelled, UndercroftError

MAX_TASK_TRIES = 3
"""How many workers may die at a task before it is given up."""
OUT_OF_MEMORY = "not enough memory"


class WorkerTrouble(UndercroftError):
    """An internal error in a worker process."""

    exit_code: ClassVar[int] = 3


class TaskResult(NamedTuple):
    """The result of a task."""

    task: Any
    value: Any
    """What the work returned; None if the task was given up."""
    seconds: float = 0.0
    """How long the work took."""
    poisoned: str = ""
    """If the task was given up: how the last of its workers ended."""


def run_in_process(
    entry: str, job: str, setup: Any, tasks: Iterable[Any], cancelled: Callable[[], bool], *, apart: bool = False
) -> Iterator[TaskResult]:
    """Run the tasks in the current process; `apart` means the same as for `WorkerPool`."""
    work = prepare_in_process(entry, job, setup)
    for task in tasks:
        yield from (
            run_pieces_in_process(work, task, cancelled) if apart else [run_task_in_process(work, task, cancelled)]
        )


def run_pieces_in_process(work: jobs.Work, pieces: list[Any], cancelled: Callable[[], bool]) -> Iterator[TaskResult]:
    """Run a list of pieces together, or one by one if that fails."""
    done = run_task_in_process(work, pieces, cancelled)
    if done.poisoned and len(pieces) > 1:
        yield from (run_task_in_process(work, [piece], cancelled) for piece in pieces)
    else:
        yield done


def prepare_in_process(entry: str, job: str, setup: Any) -> jobs.Work:
    """Load a job that the entry module lists, for the current process."""
    try:
        return jobs.prepare(jobs.load_jobs(entry), job, messages.unpack_message(messages.pack_message(setup)))
    except UndercroftError:
        raise
    except Exception as error:
        raise build_worker_error("failed", jobs.describe_crash(error)) from error


def run_task_in_process(work: jobs.Work, task: Any, cancelled: Callable[[], bool]) -> TaskResult:
    """Run one task in the current process. Task and result are packed and unpacked, so that their types are the same as
    from a worker.
    """
    for _ in range(MAX_TASK_TRIES):
        if cancelled():
            raise Cancelled("cancelled between two tasks")
        start = time.perf_counter()
        try:
            value = work(messages.unpack_message(messages.pack_message(task)), cancelled)
            return TaskResult(task, messages.unpack_message(messages.pack_message(value)), time.perf_counter() - start)
        except UndercroftError:
            raise
        except MemoryError:
            continue
        except Exception as error:
            raise build_worker_error("failed", jobs.describe_crash(error)) from error
    return TaskResult(task, None, 0.0, OUT_OF_MEMORY)


def build_worker_error(word: str, more: Any) -> UndercroftError:
    """The exception for an error message from a worker."""
    if word == "refused":
        return jobs.decode_error(more)
    details = f"\n{more[1]}" if os.environ.get("UNDERCROFT_DEBUG") == "1" else ""
    return WorkerTrouble(
        f"something in a worker failed: {more[0]}{details}", fix="please report it, with what UNDERCROFT_DEBUG=1 shows"
    )
