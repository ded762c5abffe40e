"""A worker process: it loads a job once, does one task after the other, and ends when its input does.

Its input is closed when the work is to stop, and also when the parent is gone, however it went: no worker outlives it.
One task can be cancelled by its number; the process lives on, and does the next one.
"""

from __future__ import annotations

import _thread
import os
import queue
import signal
import threading
import time
from collections.abc import Callable
from typing import Any

from undercroft.bulk.workers import jobs, messages
from undercroft.bulk.workers.messages import CANCEL, Pipe
from undercroft.errors import Cancelled, UndercroftError

STOP_SECONDS = 2.0
"""Seconds from being told to stop to being ended."""
INTERRUPT_AFTER_SECONDS = 0.04
"""Seconds that a task which is cancelled has to notice it by itself; then it is interrupted."""


class TaskControl:
    """What the work of a task hears and says. Called, it tells whether to stop; `send_part` sends something before the
    work is done.
    """

    def __init__(self, number: int, stopped: threading.Event, dropped: set[int], say: Callable[..., object]) -> None:
        self.number = number
        self._stopped, self._dropped, self._say = stopped, dropped, say
        self.open = False
        """Whether the work may be interrupted now."""

    def __call__(self) -> bool:
        return self.is_cancelled or self._stopped.is_set()

    @property
    def is_cancelled(self) -> bool:
        """Whether somebody cancelled this task."""
        return self.number in self._dropped

    def send_part(self, value: Any) -> None:
        """Something that is known already."""
        self.open = False  # half a message would be worse than a late answer
        self._say("part", self.number, value)
        self.open = True
        if self.is_cancelled:
            raise Cancelled("cancelled while it spoke")

    def forget_cancelled(self) -> None:
        """Forget what was cancelled up to here: numbers only grow."""
        self._dropped.difference_update([number for number in list(self._dropped) if number <= self.number])


def main(table: jobs.Jobs) -> None:
    """Serve the process that started this one; it asks for one of the jobs in this table."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent to hear
    incoming, outgoing = _claim_pipes()
    code = 1
    try:
        _serve(table, incoming, outgoing)
        code = 0
    finally:
        os._exit(code)  # at once and without a word: there is nothing to put away, and a thread may still be reading


def _serve(table: jobs.Jobs, incoming: Pipe, outgoing: Pipe) -> None:
    def send(word: str, number: int | None, more: Any) -> bool:
        """Say something; whether there was memory enough for it."""
        try:
            frame = messages.pack_message((word, number, more))
        except MemoryError:
            word, frame = "memory", messages.pack_message(("memory", number, None))
        except Exception as error:  # noqa: BLE001 - what cannot be packed is a mistake in the work
            frame = messages.pack_message(("failed", number, jobs.describe_crash(error)))
        messages.write_frame(outgoing, frame)
        return word != "memory"

    first = messages.read_message(incoming)
    if first is None:
        return
    job, setup, memory = first
    limit_memory(memory)
    try:
        work = jobs.prepare(table, job, setup)
    except UndercroftError as error:
        send("refused", None, jobs.encode_error(error))
        return
    except Exception as error:  # noqa: BLE001 - whatever it is, the parent says it
        send("failed", None, jobs.describe_crash(error))
        return
    tasks: queue.SimpleQueue[Any] = queue.SimpleQueue()
    stopped, dropped, now = threading.Event(), set[int](), list[TaskControl]()
    signal.signal(signal.SIGINT, lambda *_: _interrupt(now))
    threading.Thread(target=_receive_tasks, args=(incoming, tasks, stopped, dropped), daemon=True).start()
    send("ready", None, None)
    while (message := tasks.get()) is not None and not stopped.is_set():
        number, task = message
        now[:] = [TaskControl(number, stopped, dropped, send)]
        told = _run_task(now[0], work, task)
        if told is None or not send(*told):  # all is to stop, or memory is short: a fresh process has more of it
            return
        now[0].forget_cancelled()


def _run_task(here: TaskControl, work: jobs.Work, task: Any) -> tuple[str, int, Any] | None:
    """Do a task: what to say of it, or nothing if all work is to stop."""
    begun = time.perf_counter()
    try:
        try:
            if here():
                raise Cancelled("cancelled before it began")
            here.open = True
            value = work(task, here)
        finally:
            here.open = False
        return "done", here.number, [value, time.perf_counter() - begun]
    except Exception as error:  # noqa: BLE001 - whatever it is, the parent says it
        here.open = False
        if here.is_cancelled:
            return "cancelled", here.number, None
        if isinstance(error, Cancelled):
            return None
        if isinstance(error, MemoryError):
            return "memory", here.number, None
        return (
            ("refused", here.number, jobs.encode_error(error))
            if isinstance(error, UndercroftError)
            else ("failed", here.number, jobs.describe_crash(error))
        )


def _interrupt(now: list[TaskControl]) -> None:
    """Break off the task that is cancelled, wherever it is. Ctrl-C itself is for the parent to hear."""
    if now and now[0].open and now[0].is_cancelled:
        raise Cancelled("cancelled, and interrupted")


def _receive_tasks(incoming: Pipe, tasks: queue.SimpleQueue[Any], stopped: threading.Event, dropped: set[int]) -> None:
    """Take in tasks until there will be no more; then the work has a moment to stop by itself."""
    while (message := messages.read_message(incoming)) is not None:
        if message[0] == CANCEL:
            dropped.add(message[1])
            impatience = threading.Timer(INTERRUPT_AFTER_SECONDS, _thread.interrupt_main)
            impatience.daemon = True
            impatience.start()
        else:
            tasks.put(message)
    stopped.set()
    tasks.put(None)
    time.sleep(STOP_SECONDS)
    os._exit(1)


def _claim_pipes() -> tuple[Pipe, Pipe]:
    """The way in and the way out, kept from whatever prints or reads here."""
    ends = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    return os.fdopen(ends[0], "rb", buffering=0), os.fdopen(ends[1], "wb", buffering=0)


def limit_memory(most: int | None) -> None:
    """Let this process have so many bytes of memory and no more, where the system can hold it to that."""
    if most is None:
        return
    try:
        import resource
    except ImportError:  # pragma: no cover - not on this system
        return
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))
