"""A worker process: it loads a job once, does one task after the other, and ends when its input does.

Its input is closed when the work is to stop, and also when the parent is gone, however it went: no worker outlives it.
"""

from __future__ import annotations

import os
import queue
import signal
import threading
import time
from typing import Any

from undercroft.bulk import frames, jobs
from undercroft.bulk.frames import Pipe
from undercroft.errors import Cancelled, UndercroftError

GRACE = 2.0
"""Seconds from being told to stop to being ended."""


def main() -> None:
    """Serve the process that started this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent to hear
    incoming, outgoing = _pipes()
    code = 1
    try:
        _serve(incoming, outgoing)
        code = 0
    finally:
        os._exit(code)  # at once and without a word: there is nothing to put away, and a thread may still be reading


def _serve(incoming: Pipe, outgoing: Pipe) -> None:
    def say(*message: Any) -> None:
        frames.put(outgoing, frames.packed(message))

    first = frames.get(incoming)
    if first is None:
        return None
    job, setup, memory = first
    limit_memory(memory)
    try:
        work = jobs.prepared(job, setup)
    except UndercroftError as error:
        return say("refused", None, jobs.told(error))
    except Exception as error:  # noqa: BLE001 - whatever it is, the parent says it
        return say("failed", None, jobs.sentence(error))
    tasks: queue.SimpleQueue[Any] = queue.SimpleQueue()
    stopped = threading.Event()
    threading.Thread(target=_listen, args=(incoming, tasks, stopped), daemon=True).start()
    say("ready", None, None)
    while (message := tasks.get()) is not None and not stopped.is_set():
        number, task = message
        begun = time.perf_counter()
        try:
            value = work(task, stopped.is_set)
            frame = frames.packed(("done", number, [value, time.perf_counter() - begun]))
        except Cancelled:
            return None
        except UndercroftError as error:
            say("refused", number, jobs.told(error))
        except MemoryError:
            return say("memory", number, None)  # a fresh process has more of it
        except Exception as error:  # noqa: BLE001 - whatever it is, the parent says it
            say("failed", number, jobs.sentence(error))
        else:
            frames.put(outgoing, frame)
    return None


def _listen(incoming: Pipe, tasks: queue.SimpleQueue[Any], stopped: threading.Event) -> None:
    """Take in tasks until there will be no more; then the work has a moment to stop by itself."""
    while (message := frames.get(incoming)) is not None:
        tasks.put(message)
    stopped.set()
    tasks.put(None)
    time.sleep(GRACE)
    os._exit(1)


def _pipes() -> tuple[Pipe, Pipe]:
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
