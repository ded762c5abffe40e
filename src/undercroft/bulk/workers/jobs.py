"""Jobs of worker processes. The entry module of a process lists them, so that no message names code; only parts that
the program itself has registered are named, when a process starts.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

from undercroft import errors
from undercroft.bulk.workers import messages
from undercroft.errors import Place, UndercroftError

Work = Callable[[Any, Callable[[], bool]], Any]
"""Does one task. The second argument returns whether to stop; the work then raises `Cancelled`."""

Jobs = Mapping[str, str]
"""The module of each job. Its function `prepare(setup)` loads once what all tasks need, and returns the `Work`."""


def load_jobs(entry: str) -> Jobs:
    """The jobs that an entry module lists."""
    jobs: Jobs = import_module(entry).JOBS
    return jobs


def pack_first_message(job: str, setup: Any, memory: int | None) -> bytes:
    """The first message to a worker: its job, the setup of the job, its memory in bytes, and the parts that the program
    has registered.
    """
    register = sys.modules.get("undercroft.registration")  # if it was never imported, nothing is registered
    return messages.pack_message((job, setup, memory, [] if register is None else register.list_references()))


def read_first_message(message: Sequence[Any]) -> tuple[str, Any, int | None, list[list[str]]]:
    """The parts of the first message."""
    job, setup, memory, *more = message
    return job, setup, memory, more[0] if more else []


def register_parts(references: list[list[str]]) -> None:
    """Register what the program has registered, before a job is loaded."""
    if references:
        from undercroft.registration import register_references

        register_references(references)


def prepare(jobs: Jobs, job: str, setup: Any) -> Work:
    """Load a job; returns its work, ready for tasks."""
    work: Work = import_module(jobs[job]).prepare(setup)
    return work


def encode_error(error: UndercroftError) -> list[Any]:
    """An error as plain data, for a message."""
    return [type(error).__name__, error.problem, error.fix, error.place]


def decode_error(data: list[Any]) -> UndercroftError:
    """The error in a message, as `encode_error` packed it."""
    kind, problem, fix, place = data
    known = getattr(errors, kind, None)
    error_type = known if isinstance(known, type) and issubclass(known, UndercroftError) else UndercroftError
    return error_type(problem, place=Place(*place) if place else None, fix=fix)


def describe_crash(error: Exception) -> list[str]:
    """An unexpected exception as plain data: one line, and the traceback."""
    return [f"{type(error).__name__}: {error}", "".join(traceback.format_exception(error))]
