"""Tasks of workers, and how they end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from undercroft import limits
from undercroft.bulk.workers.process import WorkerProcess

QUICK, SOON, LATER = 0, 1, 2
"""The priorities of tasks."""

OnPart = Callable[[str | bytes], None]
OnEnd = Callable[["TaskEnd"], None]


@dataclass(slots=True)
class TaskEnd:
    """The end of a task: "done" with a message and data, "cancelled", or "problem" with the problem."""

    kind: str
    send: str | bytes | None = None
    data: Any = None
    seconds: float = 0.0
    problem: dict[str, Any] | None = None


@dataclass(slots=True, eq=False)
class Task:
    """A submitted request. `rank` is its priority; `about` is the digest of its level, to find a worker that has it
    cached.

    A `long` task never takes the last free worker, if there are several, so that quick ones need not wait for it.
    """

    ask: dict[str, Any]
    on_end: OnEnd
    on_part: OnPart = lambda _: None
    rank: int = QUICK
    long: bool = False
    seconds: float = limits.STUDIO_SECONDS.value
    about: str = ""
    number: int = 0
    frame: bytes = field(default=b"", repr=False)
    member: WorkerProcess | None = None
    cancelled: bool = False
    late: asyncio.TimerHandle | None = field(default=None, repr=False)
    sending: asyncio.Future[None] | None = field(default=None, repr=False)
    """The pending send of a long message to the worker; it may take a while."""
