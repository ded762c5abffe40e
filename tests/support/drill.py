"""A job with every kind of failure. Workers of the tests run `main` of this module."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from undercroft.bulk.workers import jobs, worker
from undercroft.errors import BadInput, Cancelled, Place

JOBS: jobs.Jobs = {"drill": "support.drill"}


def main() -> None:
    """The worker, whose only job is this module."""
    worker.main(JOBS)


def prepare(setup: Any) -> jobs.Work:
    """`setup` holds how the preparation fails, and where to leave marks."""
    if setup == "refuse":
        raise BadInput("no such setup", place=Place("setup", 2, 3, "as it is"), fix="another one")
    if setup == "fail":
        raise KeyError("setup")
    if setup == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    print("a word to nobody")  # noqa: T201 - must not get into the messages
    counts: dict[str, int] = {"done": 0}

    def work(task: Any, cancelled: Callable[[], bool]) -> Any:
        counts["done"] += 1
        name, *more = task if isinstance(task, list) else [task]
        return WORKS[name](cancelled, counts, *more) if isinstance(name, str) else name * name

    if setup == "many":  # a task is a list of them
        return lambda tasks, cancelled: [work(task, cancelled) for task in tasks]
    return work


def slow(cancelled: Callable[[], bool], _counts: dict[str, int], seconds: float, answer: int = 0) -> int:
    """Take a while, and stop when the flag is set."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if cancelled():
            raise Cancelled("stopped")
        time.sleep(0.005)
    return answer


def deaf(_cancelled: Callable[[], bool], _counts: dict[str, int], seconds: float) -> int:
    """Take a while, and ignore the flag."""
    time.sleep(seconds)
    return 0


def die(_cancelled: Callable[[], bool], _counts: dict[str, int], name: str, mark: str, times: int) -> str:
    """Kill this process by a signal, so many times; a file counts them."""
    with Path(mark).open("a") as file:
        file.write("x")
    if len(Path(mark).read_text()) <= times:
        os.kill(os.getpid(), getattr(signal, name))
        time.sleep(5)
    return "alive"


def eat(_cancelled: Callable[[], bool], _counts: dict[str, int], size: int) -> int:
    """Allocate memory."""
    return len(bytearray(size))


def fail(_cancelled: Callable[[], bool], _counts: dict[str, int]) -> int:
    """Raise an unexpected exception."""
    return [0][len(_counts)]


def refuse(_cancelled: Callable[[], bool], _counts: dict[str, int]) -> int:
    """Raise an error with a message for the user."""
    raise BadInput("not this one", place=Place("task", 1, 1, "this"), fix="another")


def leave(_cancelled: Callable[[], bool], _counts: dict[str, int]) -> None:
    """Exit without a message."""
    os._exit(7)


def pid(_cancelled: Callable[[], bool], counts: dict[str, int], mark: str = "") -> list[int]:
    """The id of the process, and how many tasks it did."""
    if mark:
        with Path(mark).open("a") as file:
            file.write(f"{os.getpid()}\n")
    return [os.getpid(), counts["done"]]


def talk(_cancelled: Callable[[], bool], _counts: dict[str, int]) -> str:
    """Print to stdout, which might be the pipe."""
    print("talk")  # noqa: T201
    os.write(1, b"talk")
    sys.stdout.flush()
    return sys.stdin.read() + "silence"


def busy(_cancelled: Callable[[], bool], _counts: dict[str, int], seconds: float) -> int:
    """Work without a pause, and ignore the flag."""
    until = time.monotonic() + seconds
    turns = 0
    while time.monotonic() < until:
        turns += 1
    return turns


def count(cancelled: Any, _counts: dict[str, int], most: int, size: int) -> int:
    """Send one number after the other, each in a message of that size."""
    for number in range(most):
        cancelled.send_part([number, b"x" * size])
    return most


WORKS: dict[str, Callable[..., Any]] = {
    work.__name__: work for work in (slow, deaf, die, eat, fail, refuse, leave, pid, talk, busy, count)
}
