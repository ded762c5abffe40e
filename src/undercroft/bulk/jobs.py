"""What workers can do: a table that names the modules, so that no message can name code of its own."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from importlib import import_module
from typing import Any

from undercroft import errors
from undercroft.errors import Place, UndercroftError

Work = Callable[[Any, Callable[[], bool]], Any]
"""Does one task. The second argument says whether to stop: then it raises `Cancelled`."""

JOBS: dict[str, str] = {
    "batch": "undercroft.bulk.batch_work",
    "measure": "undercroft.bulk.measure_work",
    "search": "undercroft.bulk.search_work",
    "studio": "undercroft.studio.work",
}
"""Each is a module with a function `prepare(setup)` that loads what all tasks need, once, and gives back the `Work`."""


def prepared(job: str, setup: Any) -> Work:
    """The work of a job, ready for its tasks."""
    work: Work = import_module(JOBS[job]).prepare(setup)
    return work


def told(error: UndercroftError) -> list[Any]:
    """An error as plain data."""
    return [type(error).__name__, error.problem, error.fix, error.place]


def rebuilt(data: list[Any]) -> UndercroftError:
    """The error that was told."""
    kind, problem, fix, place = data
    known = getattr(errors, kind, None)
    made = known if isinstance(known, type) and issubclass(known, UndercroftError) else UndercroftError
    return made(problem, place=Place(*place) if place else None, fix=fix)


def sentence(error: Exception) -> list[str]:
    """What went wrong that nobody foresaw: in a line, and at length."""
    return [f"{type(error).__name__}: {error}", "".join(traceback.format_exception(error))]
