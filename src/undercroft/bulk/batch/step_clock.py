"""Time the steps of a recipe, and count how often one of them gives up."""

from __future__ import annotations

import sys

from undercroft.bulk.processor_clock import choose_clock
from undercroft.errors import NotMet

REQUIREMENTS_KEY = "requirements"
"""The key of the time between two attempts, in which requirements are checked."""


class StepClock:
    """A callback for the start of each step; it adds up the seconds of each, in processor
    time: a core that other programs use makes no level slower.

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
        self.now = choose_clock()
        """The clock itself, for what is timed outside the steps."""
        self._at: str | None = None
        self._since = 0.0

    def __call__(self, step: str) -> None:
        """Start the clock of this step. An empty name means that none runs: the last step has ended, or one gave up."""
        self._switch_to(step or REQUIREMENTS_KEY)
        if not step and isinstance(sys.exception(), NotMet):  # called while the error propagates
            self.gave_up += 1

    def stop(self) -> None:
        """Stop the clock: the level is made, or there will be none."""
        self._switch_to(None)

    def add(self, what: str, seconds: float) -> None:
        self.seconds[what] = self.seconds.get(what, 0.0) + seconds

    def _switch_to(self, what: str | None) -> None:
        now = self.now()
        if self._at is not None:
            self.add(self._at, now - self._since)
        self._at, self._since = what, now
