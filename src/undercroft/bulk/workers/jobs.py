"""Jobs of worker processes. The entry module of a process lists them, so that no message names code."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from undercroft import errors
from undercroft.errors import Place, UndercroftError

Work = Callable[[Any, Callable[[], bool]], Any]
"""Does one task. The second argument says whether to stop: then it raises `Cancelled`."""

Jobs = Mapping[str, str]
"""The module of each job. It has a function `prepare(setup)` that loads what all tasks need, once, and returns the
`Work`.
"""


def load_jobs(entry: str) -> Jobs:
    """The jobs that an entry module lists."""
    jobs: Jobs = import_module(entry).JOBS
    return jobs


def prepare(jobs: Jobs, job: str, setup: Any) -> Work:
    """The work of a job, ready for its tasks."""
    work: Work = import_module(jobs[job]).prepare(setup)
    return work


def encode_error(error: UndercroftError) -> list[Any]:
    """An error as plain data."""
    return [type(error).__name__, error.problem, error.fix, error.place]


def decode_error(data: list[Any]) -> UndercroftError:
    """The error that was told."""
    kind, problem, fix, place = data
    known = getattr(errors, kind, None)
    made = known if isinstance(known, type) and issubclass(known, UndercroftError) else UndercroftError
    return made(problem, place=Place(*place) if place else None, fix=fix)


def describe_crash(error: Exception) -> list[str]:
    """What went wrong that nobody foresaw: in a line, and at length."""
    return [f"{type(error).__name__}: {error}", "".join(traceback.format_exception(error))]
