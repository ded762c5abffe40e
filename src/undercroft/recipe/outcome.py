"""What comes of a request: `Result` for a level, and `Outcome` for a level or the reason why there is none."""

from __future__ import annotations

from typing import NamedTuple

from undercroft.analysis.measures.table import Facts
from undercroft.core.level import Level
from undercroft.errors import NotMet, OutOfBudget


class Result(NamedTuple):
    """A level, and what it took."""

    level: Level
    """The level."""
    attempt: int
    """Which try it was, from 0; with the seed it makes the level again."""
    rejected: dict[str, int]
    """How often each requirement failed, in all attempts that were made."""
    notes: tuple[str, ...]
    """What the user should know: a loss that was mended, a limit that ended a step early."""
    distance: float = 0.0
    """How far it is from what was required, all requirements together: 0 if it meets them."""
    facts: Facts | None = None
    """What is known about the level so far. `measure` takes it in place of the level and computes only the rest."""


class Outcome(NamedTuple):
    """What came of the request for one seed: a level, the nearest level with what it lacks, or nothing with its reason.

    - A level as asked for: `result` alone.
    - No attempt met the requirements: `result` is the nearest one, and `error` says what it lacks.
    - A step gave up in every attempt, or the budget ran out: no `result`, and `error` says why.
    """

    result: Result | None
    error: NotMet | OutOfBudget | None = None

    @property
    def level(self) -> Level | None:
        """The level, or the nearest one; None if there is no whole level."""
        return None if self.result is None else self.result.level

    @property
    def rejected(self) -> dict[str, int]:
        """How often each requirement failed, and how often a step gave up for which reason."""
        if self.result is not None:
            return self.result.rejected
        return self.error.rejected if isinstance(self.error, NotMet) else {}

    @property
    def is_out_of_budget(self) -> bool:
        """Whether the work was given up because it took too many steps."""
        return isinstance(self.error, OutOfBudget)

    @property
    def reason(self) -> str:
        """Why there is no level as asked for, in a few words; empty if there is one."""
        if self.error is None:
            return ""
        if self.is_out_of_budget:
            return "took too many steps"
        return "no try is as required" if self.result is not None else "a step gave up in every try"

    def unwrap(self) -> Result:
        """The result, if it is as asked for; else the error is raised."""
        if self.error is not None:
            raise self.error
        assert self.result is not None
        return self.result
