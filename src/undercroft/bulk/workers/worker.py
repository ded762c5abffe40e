"""A worker process: it loads a job once, runs one task after the other, and ends when its input closes.

Its input closes when the work is to stop, and also when the parent ends, however it ends: no worker outlives it. One
task can be cancelled by its number; the process stays alive and runs the next one.
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
"""Seconds between the request to stop and the forced end."""
INTERRUPT_AFTER_SECONDS = 0.04
"""Seconds that a cancelled task has to stop by itself before it is interrupted."""


class TaskControl:
    """The link between the work of a task and the parent process. Calling it returns whether to stop; `send_part` sends
    an intermediate result.
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
        """Whether the parent cancelled this task."""
        return self.number in self._dropped

    def send_part(self, value: Any) -> None:
        """Send an intermediate result."""
        self.open = False  # an interrupt here would leave half a message in the pipe
        self._say("part", self.number, value)
        self.open = True
        if self.is_cancelled:
            raise Cancelled("cancelled while it spoke")

    def forget_cancelled(self) -> None:
        """Forget cancelled tasks up to this one: numbers only grow."""
        self._dropped.difference_update([number for number in list(self._dropped) if number <= self.number])


def main(table: jobs.Jobs) -> None:
    """Serve the process that started this one, with a job of this table."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent to handle
    incoming, outgoing = _claim_pipes()
    code = 1
    try:
        _serve(table, incoming, outgoing)
        code = 0
    finally:
        os._exit(code)  # at once, without cleanup: nothing needs it, and a thread may still be reading


def _serve(table: jobs.Jobs, incoming: Pipe, outgoing: Pipe) -> None:
    def send(word: str, number: int | None, more: Any) -> bool:
        """Send a message. Return whether there was enough memory for it."""
        try:
            frame = messages.pack_message((word, number, more))
        except MemoryError:
            word, frame = "memory", messages.pack_message(("memory", number, None))
        except Exception as error:  # noqa: BLE001 - a value that cannot be packed is a bug in the work
            frame = messages.pack_message(("failed", number, jobs.describe_crash(error)))
        messages.write_frame(outgoing, frame)
        return word != "memory"

    first = messages.read_message(incoming)
    if first is None:
        return
    job, setup, memory, registered = jobs.read_first_message(first)
    limit_memory(memory)
    try:
        jobs.register_parts(registered)
        work = jobs.prepare(table, job, setup)
    except UndercroftError as error:
        send("refused", None, jobs.encode_error(error))
        return
    except Exception as error:  # noqa: BLE001 - the parent reports it, whatever it is
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
        reply = _run_task(now[0], work, task)
        if reply is None or not send(*reply):  # the pool stops, or memory ran out: a new process has more
            return
        now[0].forget_cancelled()


def _run_task(control: TaskControl, work: jobs.Work, task: Any) -> tuple[str, int, Any] | None:
    """Run a task. Return the message that reports it, or None if all work is to stop."""
    start = time.perf_counter()
    try:
        try:
            if control():
                raise Cancelled("cancelled before it began")
            control.open = True
            value = work(task, control)
        finally:
            control.open = False
        return "done", control.number, [value, time.perf_counter() - start]
    except Exception as error:  # noqa: BLE001 - the parent reports it, whatever it is
        control.open = False
        if control.is_cancelled:
            return "cancelled", control.number, None
        if isinstance(error, Cancelled):
            return None
        if isinstance(error, MemoryError):
            return "memory", control.number, None
        return (
            ("refused", control.number, jobs.encode_error(error))
            if isinstance(error, UndercroftError)
            else ("failed", control.number, jobs.describe_crash(error))
        )


def _interrupt(now: list[TaskControl]) -> None:
    """Interrupt the task if it is cancelled, wherever it is. A real Ctrl-C is for the parent to handle."""
    if now and now[0].open and now[0].is_cancelled:
        raise Cancelled("cancelled, and interrupted")


def _receive_tasks(incoming: Pipe, tasks: queue.SimpleQueue[Any], stopped: threading.Event, dropped: set[int]) -> None:
    """Receive tasks until the input closes; then give the work a moment to stop by itself."""
    while (message := messages.read_message(incoming)) is not None:
        if message[0] == CANCEL:
            dropped.add(message[1])
            timer = threading.Timer(INTERRUPT_AFTER_SECONDS, _thread.interrupt_main)
            timer.daemon = True
            timer.start()
        else:
            tasks.put(message)
    stopped.set()
    tasks.put(None)
    time.sleep(STOP_SECONDS)
    os._exit(1)


def _claim_pipes() -> tuple[Pipe, Pipe]:
    """The input and output pipes, moved away from standard input and output, so that code that prints or reads cannot
    disturb them.
    """
    ends = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    return os.fdopen(ends[0], "rb", buffering=0), os.fdopen(ends[1], "wb", buffering=0)


def limit_memory(most: int | None) -> None:
    """Limit the memory of this process to so many bytes, where the system supports that."""
    if most is None:
        return
    try:
        import resource
    except ImportError:  # pragma: no cover - not on this system
        return
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))
