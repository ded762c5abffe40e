"""The results of a request: `Result` is a level, `Outcome` a level or the reason why there is none."""

from __future__ import annotations

from typing import NamedTuple

from undercroft.analysis.measures.table import Facts
from undercroft.core.level import Level
from undercroft.errors import NotMet, OutOfBudget


class Result(NamedTuple):
    """A level, and how it was made."""

    level: Level
    """The level."""
    attempt: int
    """The number of its attempt, from 0; seed and attempt together make the level again."""
    rejected: dict[str, int]
    """How often each requirement failed, in all attempts that were made."""
    notes: tuple[str, ...]
    """What the user should know: a loss that was mended, a limit that ended a step early."""
    distance: float = 0.0
    """The distance from the requirements, all together: 0 if the level meets them."""
    facts: Facts | None = None
    """The facts computed about the level so far. Give them to `measure` in place of the level: it computes only the
    rest.
    """


class Outcome(NamedTuple):
    """The outcome of a request for one seed: a level, the nearest level with what it lacks, or the reason for none.

    - A level that meets the request: `result` alone.
    - No attempt met the requirements: `result` is the nearest one, and `error` describes what it lacks.
    - A step gave up in every attempt, or the budget ran out: no `result`, and `error` is the reason.
    """

    result: Result | None
    error: NotMet | OutOfBudget | None = None

    @property
    def level(self) -> Level | None:
        """The level, or the nearest one; None if there is no whole level."""
        return None if self.result is None else self.result.level

    @property
    def rejected(self) -> dict[str, int]:
        """How often each requirement failed, and how often a step gave up, by reason."""
        if self.result is not None:
            return self.result.rejected
        return self.error.rejected if isinstance(self.error, NotMet) else {}

    @property
    def is_out_of_budget(self) -> bool:
        """Whether the work stopped because it took too many steps."""
        return isinstance(self.error, OutOfBudget)

    @property
    def reason(self) -> str:
        """Why there is no level that meets the request, in a few words; empty if there is one."""
        if self.error is None:
            return ""
        if self.is_out_of_budget:
            return "took too many steps"
        return "no try is as required" if self.result is not None else "a step gave up in every try"

    def unwrap(self) -> Result:
        """The result, if it meets the request; else raises the error."""
        if self.error is not None:
            raise self.error
        assert self.result is not None
        return self.result
