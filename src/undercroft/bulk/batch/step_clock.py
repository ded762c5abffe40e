"""How long the steps of a recipe take, and how often one of them gives up."""

from __future__ import annotations

import sys
import time

from undercroft.errors import NotMet

REQUIREMENTS_KEY = "requirements"
"""What is done between two attempts: looking whether the level is as required."""


class StepClock:
    """Told of each step as it begins; adds up the seconds of each.

    >>> clock = StepClock()
    >>> for step in ("noise", "join", ""):
    ...     clock(step)
    >>> clock.stop()
    >>> list(clock.seconds)
    ['noise', 'join', 'requirements']
    """

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.gave_up = 0
        """Attempts in which a step gave up."""
        self._at: str | None = None
        self._since = 0.0

    def __call__(self, step: str) -> None:
        """This step begins; none does if it is empty: the last has ended, or one gave up."""
        self._switch_to(step or REQUIREMENTS_KEY)
        if not step and isinstance(sys.exception(), NotMet):  # it is told of that while the error is on its way
            self.gave_up += 1

    def stop(self) -> None:
        """There is a level, or there will be none."""
        self._switch_to(None)

    def add(self, what: str, seconds: float) -> None:
        self.seconds[what] = self.seconds.get(what, 0.0) + seconds

    def _switch_to(self, what: str | None) -> None:
        now = time.perf_counter()
        if self._at is not None:
            self.add(self._at, now - self._since)
        self._at, self._since = what, now
