"""What comes of a task, and the work of a pool done in this process: the same answers and the same errors as from
workers.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any, ClassVar, NamedTuple

from undercroft.bulk.workers import jobs, messages
from undercroft.errors import Cancelled, UndercroftError

MAX_TASK_TRIES = 3
"""How many workers a task may take with it."""
OUT_OF_MEMORY = "not enough memory"


class WorkerTrouble(UndercroftError):
    """Something of ours went wrong in a worker."""

    exit_code: ClassVar[int] = 3


class TaskResult(NamedTuple):
    """A task that was dealt with."""

    task: Any
    value: Any
    """What the work gave back; None if it was given up."""
    seconds: float = 0.0
    """How long the work took."""
    poisoned: str = ""
    """If it was given up: how the last of its workers ended."""


def run_in_process(
    entry: str, job: str, setup: Any, tasks: Iterable[Any], cancelled: Callable[[], bool], *, apart: bool = False
) -> Iterator[TaskResult]:
    """The same work in this process; lists are taken `apart` as a pool does."""
    work = prepare_in_process(entry, job, setup)
    for task in tasks:
        yield from (
            run_pieces_in_process(work, task, cancelled) if apart else [run_task_in_process(work, task, cancelled)]
        )


def run_pieces_in_process(work: jobs.Work, pieces: list[Any], cancelled: Callable[[], bool]) -> Iterator[TaskResult]:
    """A list of pieces, together; or one by one, if that goes wrong."""
    done = run_task_in_process(work, pieces, cancelled)
    if done.poisoned and len(pieces) > 1:
        yield from (run_task_in_process(work, [piece], cancelled) for piece in pieces)
    else:
        yield done


def prepare_in_process(entry: str, job: str, setup: Any) -> jobs.Work:
    """The work of a job that the entry module lists, in this process."""
    try:
        return jobs.prepare(jobs.load_jobs(entry), job, messages.unpack_message(messages.pack_message(setup)))
    except UndercroftError:
        raise
    except Exception as error:
        raise build_worker_error("failed", jobs.describe_crash(error)) from error


def run_task_in_process(work: jobs.Work, task: Any, cancelled: Callable[[], bool]) -> TaskResult:
    """One task in this process. What goes in and comes out is packed and unpacked, so that it is the same to the last
    type.
    """
    for _ in range(MAX_TASK_TRIES):
        if cancelled():
            raise Cancelled("cancelled between two tasks")
        begun = time.perf_counter()
        try:
            value = work(messages.unpack_message(messages.pack_message(task)), cancelled)
            return TaskResult(task, messages.unpack_message(messages.pack_message(value)), time.perf_counter() - begun)
        except UndercroftError:
            raise
        except MemoryError:
            continue
        except Exception as error:
            raise build_worker_error("failed", jobs.describe_crash(error)) from error
    return TaskResult(task, None, 0.0, OUT_OF_MEMORY)


def build_worker_error(word: str, more: Any) -> UndercroftError:
    """What to raise for what a worker said."""
    if word == "refused":
        return jobs.decode_error(more)
    details = f"\n{more[1]}" if os.environ.get("UNDERCROFT_DEBUG") == "1" else ""
    return WorkerTrouble(
        f"something in a worker failed: {more[0]}{details}", fix="please report it, with what UNDERCROFT_DEBUG=1 shows"
    )
