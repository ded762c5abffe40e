"""One task of a worker is cancelled, and the process lives on."""

from __future__ import annotations

import queue
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

from undercroft.bulk.workers import messages
from undercroft.bulk.workers.process import WorkerMessage, WorkerProcess

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="signals differ there"),
    pytest.mark.long,
    pytest.mark.processes,
]


class Line:
    """A worker, and what it says."""

    def __init__(self) -> None:
        self.told: queue.SimpleQueue[WorkerMessage] = queue.SimpleQueue()
        self.member = WorkerProcess("support.drill", messages.pack_message(("drill", None, None)), self.told)
        assert self.hear()[0] == "ready"

    def hear(self, within: float = 20.0) -> tuple[str, Any, Any]:
        _, *rest = self.told.get(timeout=within)
        return rest[0], rest[1], rest[2]

    def give(self, number: int, task: Any) -> None:
        self.member.send_task(number, messages.pack_message((number, task)))


@pytest.fixture
def line() -> Iterator[Line]:
    line = Line()
    yield line
    line.member.request_stop()
    line.member.wait_or_kill(time.monotonic() + 5)


@pytest.mark.parametrize("work", ["slow", "busy"])
def test_a_task_that_is_cancelled_stops_and_the_next_is_done(line: Line, work: str) -> None:
    """Whether it heeds the flag or not."""
    pid = line.member.process.pid
    for number in range(1, 6, 2):
        line.give(number, [work, 60.0])
        time.sleep(0.05)
        begun = time.monotonic()
        line.member.cancel_task(number)
        assert line.hear() == ("cancelled", number, None)
        assert time.monotonic() - begun < 40, "it would take a minute"
        line.give(number + 1, ["pid"])
        word, answered, (value, _) = line.hear()
        assert (word, answered, value[0]) == ("done", number + 1, pid)


def test_a_task_that_waits_is_cancelled_before_it_begins(line: Line) -> None:
    line.give(1, ["slow", 1.0, 5])
    line.give(2, ["fail"])
    line.give(3, ["slow", 0.0, 7])
    line.member.cancel_task(2)
    assert [(word, number) for word, number, _ in (line.hear() for _ in range(3))] == [
        ("done", 1),
        ("cancelled", 2),
        ("done", 3),
    ]


def test_cancelling_what_is_done_hurts_nobody(line: Line) -> None:
    line.give(1, ["slow", 0.0, 1])
    assert line.hear()[0] == "done"
    line.member.cancel_task(1)
    line.member.cancel_task(99)
    line.give(2, ["busy", 0.3])
    line.member.cancel_task(1)
    assert line.hear()[:2] == ("done", 2)
    line.member.cancel_task(5)
    line.give(5, ["busy", 5.0])
    assert line.hear() == ("cancelled", 5, None)


def test_what_fails_after_it_was_cancelled_was_cancelled(line: Line) -> None:
    line.give(1, ["slow", 1.0])
    line.give(2, ["refuse"])
    line.member.cancel_task(2)
    assert [line.hear()[:2] for _ in range(2)] == [("done", 1), ("cancelled", 2)]


def test_work_can_say_something_before_it_is_done(line: Line) -> None:
    line.give(1, ["count", 20, 10])
    heard = [line.hear() for _ in range(21)]
    assert [(word, number, more[0]) for word, number, more in heard] == [
        *(("part", 1, number) for number in range(20)),
        ("done", 1, 20),
    ]


def test_messages_stay_whole_when_their_task_is_cancelled(line: Line) -> None:
    """It may be cancelled in the middle of one, at any byte."""
    for number in range(1, 12):
        line.give(number, ["count", 10_000, 300_000])
        time.sleep(0.004 * number)
        line.member.cancel_task(number)
        expected = 0
        while (heard := line.hear())[0] == "part":
            assert heard[1:] == (number, [expected, b"x" * 300_000])
            expected += 1
        assert heard == ("cancelled", number, None)
