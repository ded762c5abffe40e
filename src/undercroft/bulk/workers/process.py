"""One worker process as its pool sees it: start it, send to it, read from it, end it."""

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
"""The code that a worker runs: `main` of its entry module. It searches the same module paths as this process, and never
runs the user's program again.
"""

ONE_THREAD_ENV = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
"""One thread for each worker: the workers share the cores."""

WorkerMessage = tuple["WorkerProcess", str, Any, Any]
"""The sender, the kind of message (sent by the worker, or "ended"), the number of the task, and the content."""


class MessageSink(Protocol):
    """Where messages from workers go: a queue, or anything that accepts calls from another thread."""

    def put(self, item: WorkerMessage, /) -> None: ...


class WorkerProcess:
    """A worker process. A thread of its own puts its messages into `sink`, so that a slow worker blocks nothing."""

    def __init__(self, entry: str, setup: bytes, sink: MessageSink) -> None:
        self.tasks: deque[int] = deque()
        """The numbers of its unanswered tasks, in order: it works on the first."""
        self.given = 0
        self.ready = False
        self.starved = False
        """Whether it reported that memory ran out."""
        self.since = 0.0
        """When it began the first of its tasks (`time.monotonic`)."""
        self.late: int | None = None
        """The task that took too long, if the worker was killed for that."""
        self._gave = 0.0
        """When it was sent the last of its tasks."""
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
        self._reader = threading.Thread(target=self._forward_messages, args=(setup, sink), daemon=True)
        self._reader.start()

    def _forward_messages(self, setup: bytes, sink: MessageSink) -> None:
        self.send(setup)
        while (message := messages.read_message(self._output)) is not None:
            sink.put((self, *message))
        self._output.close()
        sink.put((self, "ended", None, self.process.wait()))

    def send(self, frame: bytes) -> None:
        """Send a message, after those that other threads are sending. If the worker has ended, the send is ignored: the
        reader thread reports the end.
        """
        with self._speaking, contextlib.suppress(OSError, ValueError):
            messages.write_frame(self._input, frame)

    def send_task(self, number: int, frame: bytes) -> None:
        """Send one more task."""
        self._gave = time.monotonic()
        if not self.tasks:
            self.since = self._gave
        self.tasks.append(number)
        self.given += 1
        self.send(frame)

    def cancel_task(self, number: int) -> None:
        """Cancel a task. The worker answers it soon, with "cancelled" or with its result, and stays alive."""
        self.send(messages.pack_message((CANCEL, number)))

    def mark_answered(self, at: float) -> None:
        """Note that it answered the first of its tasks at that time. It began the next one then, or when it got it."""
        self.tasks.popleft()
        self.since = max(at, self._gave)

    def request_stop(self) -> None:
        """Ask it to stop, by closing its input."""
        with contextlib.suppress(OSError):
            self._input.close()

    def wait_or_kill(self, by: float) -> None:
        """Wait for its end until that time, then kill it."""
        try:
            self.process.wait(max(0.0, by - time.monotonic()))
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._reader.join(1.0)


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
    """Processes that start inside never get Ctrl-C: a terminal sends it to all its processes, and a worker that is just
    starting would print a traceback.
    """
    if not hasattr(signal, "pthread_sigmask"):  # pragma: no cover - Windows, where the process has a group of its own
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
