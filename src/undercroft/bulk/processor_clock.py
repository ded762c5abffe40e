"""The clock of rates "on one core": processor time, so that other programs and waiting do not count."""

from __future__ import annotations

import time
from collections.abc import Callable

MAX_CLOCK_RESOLUTION = 1e-6
"""A thread clock coarser than this is too coarse to time steps."""


def choose_clock() -> Callable[[], float]:
    """The clock to time steps with: processor time of this thread, or wall time where no thread clock is fine enough.

    >>> clock = choose_clock()
    >>> clock() <= clock()
    True
    """
    fine = time.get_clock_info("thread_time").resolution <= MAX_CLOCK_RESOLUTION
    return time.thread_time if fine else time.perf_counter
