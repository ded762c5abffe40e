"""What is asked of workers, and what comes of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from undercroft import limits
from undercroft.bulk.workers.process import WorkerProcess

QUICK, SOON, LATER = 0, 1, 2
"""How soon a task is wanted."""

OnPart = Callable[[str | bytes], None]
OnEnd = Callable[["TaskEnd"], None]


@dataclass(slots=True)
class TaskEnd:
    """What came of a task: "done" with what to send and data, "cancelled", or "problem" with what to say."""

    kind: str
    send: str | bytes | None = None
    data: Any = None
    seconds: float = 0.0
    problem: dict[str, Any] | None = None


@dataclass(slots=True, eq=False)
class Task:
    """An ask on its way. `rank` says how soon it is wanted, `about` which level it is about, so that a worker that
    knows it can be found.

    A `long` one never takes the last worker, if there are several: what is quick should not wait for it.
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
    """What brings a long message to the worker; it may take a while."""
