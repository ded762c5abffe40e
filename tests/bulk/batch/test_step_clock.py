"""The times of a batch are processor time: a rate "on one core" does not depend on what else runs."""

from __future__ import annotations

import itertools
import time

import pytest

from undercroft.bulk import processor_clock
from undercroft.bulk.batch import step_clock
from undercroft.bulk.batch.batch_work import make_chunk
from undercroft.bulk.batch.chunks import Chunk
from undercroft.bulk.batch.request import BatchRequest
from undercroft.bulk.batch.step_clock import StepClock
from undercroft.bulk.report.times import Times


def test_waiting_does_not_count() -> None:
    if processor_clock.choose_clock() is not time.thread_time:
        pytest.skip("this system has no fine clock of a thread")
    clock = StepClock()
    clock("waits")
    time.sleep(0.2)
    clock.stop()
    assert clock.seconds["waits"] < 0.1


def test_a_coarse_clock_of_the_thread_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    info = time.get_clock_info("thread_time")
    info.resolution = 1 / 64
    monkeypatch.setattr(time, "get_clock_info", lambda _: info)
    assert processor_clock.choose_clock() is time.perf_counter


def test_all_times_of_a_chunk_are_of_that_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a clock that is a second later at each look: steps, requirements, measures and files."""
    ticks = itertools.count()
    monkeypatch.setattr(step_clock, "choose_clock", lambda: lambda: float(next(ticks)))
    seconds = make_chunk(BatchRequest("cave", 4, size=(20, 10), measures=["loops"], as_="npz"), Chunk(0, 4))["seconds"]
    assert list(seconds) == ["noise", "automaton", "join", "survey", "ends", "requirements", "measures", "files"]
    assert all(took == int(took) >= 4 for took in seconds.values())
    assert Times(8, 4.0, seconds).core_rate == 8 / sum(seconds.values())
