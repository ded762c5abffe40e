"""Jobs of worker processes. The entry module of a process lists them, so that no message names code."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from undercroft import errors
from undercroft.errors import Place, UndercroftError

Work = Callable[[Any, Callable[[], bool]], Any]
"""Does one task. The second argument returns whether to stop; the work then raises `Cancelled`."""

Jobs = Mapping[str, str]
"""The module of each job. Its function `prepare(setup)` loads once what all tasks need, and returns the `Work`."""


def load_jobs(entry: str) -> Jobs:
    """The jobs that an entry module lists."""
    jobs: Jobs = import_module(entry).JOBS
    return jobs


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
