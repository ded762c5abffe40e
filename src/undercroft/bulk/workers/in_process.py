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

TRIES = 3
"""How many workers a task may take with it."""
STARVED = "not enough memory"


class WorkerTrouble(UndercroftError):
    """Something of ours went wrong in a worker."""

    exit_code: ClassVar[int] = 3


class Done(NamedTuple):
    """A task that was dealt with."""

    task: Any
    value: Any
    """What the work gave back; None if it was given up."""
    seconds: float = 0.0
    """How long the work took."""
    poisoned: str = ""
    """If it was given up: how the last of its workers ended."""


def run_here(
    entry: str, job: str, setup: Any, tasks: Iterable[Any], cancelled: Callable[[], bool], *, apart: bool = False
) -> Iterator[Done]:
    """The same work in this process; lists are taken `apart` as a pool does."""
    work = ready_here(entry, job, setup)
    for task in tasks:
        yield from pieces_here(work, task, cancelled) if apart else [done_here(work, task, cancelled)]


def pieces_here(work: jobs.Work, pieces: list[Any], cancelled: Callable[[], bool]) -> Iterator[Done]:
    """A list of pieces, together; or one by one, if that goes wrong."""
    done = done_here(work, pieces, cancelled)
    if done.poisoned and len(pieces) > 1:
        yield from (done_here(work, [piece], cancelled) for piece in pieces)
    else:
        yield done


def ready_here(entry: str, job: str, setup: Any) -> jobs.Work:
    """The work of a job that the entry module lists, in this process."""
    try:
        return jobs.prepare(jobs.jobs_of(entry), job, messages.unpacked(messages.packed(setup)))
    except UndercroftError:
        raise
    except Exception as error:
        raise error_of("failed", jobs.sentence(error)) from error


def done_here(work: jobs.Work, task: Any, cancelled: Callable[[], bool]) -> Done:
    """One task in this process. What goes in and comes out is packed and unpacked, so that it is the same to the last
    type.
    """
    for _ in range(TRIES):
        if cancelled():
            raise Cancelled("cancelled between two tasks")
        begun = time.perf_counter()
        try:
            value = work(messages.unpacked(messages.packed(task)), cancelled)
            return Done(task, messages.unpacked(messages.packed(value)), time.perf_counter() - begun)
        except UndercroftError:
            raise
        except MemoryError:
            continue
        except Exception as error:
            raise error_of("failed", jobs.sentence(error)) from error
    return Done(task, None, 0.0, STARVED)


def error_of(word: str, more: Any) -> UndercroftError:
    """What to raise for what a worker said."""
    if word == "refused":
        return jobs.rebuilt(more)
    details = f"\n{more[1]}" if os.environ.get("UNDERCROFT_DEBUG") == "1" else ""
    return WorkerTrouble(
        f"something in a worker failed: {more[0]}{details}", fix="please report it, with what UNDERCROFT_DEBUG=1 shows"
    )
