"""One worker process as its pool sees it: started, spoken to, listened to, ended."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator
from typing import IO, Any, Protocol

from undercroft.bulk.workers import messages
from undercroft.bulk.workers.messages import CANCEL

WORKER_CODE = "import importlib, sys; sys.path[:] = sys.argv[2:]; importlib.import_module(sys.argv[1]).main()"
"""What a worker runs: `main` of its entry module. It looks for modules where this process does; nothing of the user's
own program is run again.
"""

ONE_THREAD_ENV = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
"""Workers share the cores out among themselves."""

WorkerMessage = tuple["WorkerProcess", str, Any, Any]
"""Who says it, what it is (a word of the worker's, or "ended"), the task's number, and more."""


class MessageSink(Protocol):
    """Where workers put what they say: a queue, or whatever takes it from another thread."""

    def put(self, item: WorkerMessage, /) -> None: ...


class WorkerProcess:
    """A worker. What it says is put into `told` by a thread that does nothing else, so that nobody waits for a slow
    one.
    """

    def __init__(self, entry: str, setup: bytes, told: MessageSink) -> None:
        self.tasks: deque[int] = deque()
        """What it was given and has not answered, in order: the first is being worked on."""
        self.given = 0
        self.ready = False
        self.starved = False
        """Whether it said that it had not enough memory."""
        self.since = 0.0
        """When the first of its tasks was begun, by the clock."""
        self.late: int | None = None
        """The task that took too long, if it was killed for that."""
        self._gave = 0.0
        """When it got the last of its tasks."""
        self._speaking = threading.Lock()
        quiet = None if os.environ.get("UNDERCROFT_DEBUG") == "1" else subprocess.DEVNULL
        with _block_interrupts():
            self.process = subprocess.Popen(
                [sys.executable, "-c", WORKER_CODE, entry, *sys.path],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=quiet,
                bufsize=0,
                env={**ONE_THREAD_ENV, **os.environ},
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
        self._input: IO[bytes] = _require_pipe(self.process.stdin)
        self._output: IO[bytes] = _require_pipe(self.process.stdout)
        self._ear = threading.Thread(target=self._forward_messages, args=(setup, told), daemon=True)
        self._ear.start()

    def _forward_messages(self, setup: bytes, told: MessageSink) -> None:
        self.send(setup)
        while (message := messages.read_message(self._output)) is not None:
            told.put((self, *message))
        self._output.close()
        told.put((self, "ended", None, self.process.wait()))

    def send(self, frame: bytes) -> None:
        """Send a message, after those that other threads are sending. If the worker is gone, that is heard soon enough
        from its other pipe.
        """
        with self._speaking, contextlib.suppress(OSError, ValueError):
            messages.write_frame(self._input, frame)

    def send_task(self, number: int, frame: bytes) -> None:
        """One more task."""
        self._gave = time.monotonic()
        if not self.tasks:
            self.since = self._gave
        self.tasks.append(number)
        self.given += 1
        self.send(frame)

    def cancel_task(self, number: int) -> None:
        """A task is not wanted any more. The worker answers it soon, with "cancelled" or with what came of it, and
        lives on.
        """
        self.send(messages.pack_message((CANCEL, number)))

    def mark_answered(self, at: float) -> None:
        """It was done with the first of its tasks at that time, and began the next one then, or when it got it."""
        self.tasks.popleft()
        self.since = max(at, self._gave)

    def request_stop(self) -> None:
        """Tell it to stop, by closing what it reads."""
        with contextlib.suppress(OSError):
            self._input.close()

    def wait_or_kill(self, by: float) -> None:
        """See to it that it is gone, by that time or by force."""
        try:
            self.process.wait(max(0.0, by - time.monotonic()))
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._ear.join(1.0)


def describe_exit(code: int) -> str:
    """How a process ended, in words.

    >>> describe_exit(1)
    'exit code 1'
    """
    if code >= 0:
        return f"exit code {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    return f"{name}, as when memory runs out" if name == "SIGKILL" else name


@contextlib.contextmanager
def _block_interrupts() -> Iterator[None]:
    """What is started in here never hears Ctrl-C: it goes to all processes of a terminal, and a worker that begins
    would answer with a traceback.
    """
    if not hasattr(signal, "pthread_sigmask"):  # pragma: no cover - there the process has a group of its own
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _require_pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None
    return pipe
