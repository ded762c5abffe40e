"""Run attempt after attempt until a level meets the requirements, and build the error if none does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from undercroft.analysis.measures.dungeon_measures import DungeonFacts
from undercroft.analysis.measures.table import Facts, measure
from undercroft.analysis.requirements import Requirement
from undercroft.analysis.tally import RequirementTally, judge_level
from undercroft.core.level import Level
from undercroft.core.run import Run
from undercroft.errors import NotMet


class Attempt(NamedTuple):
    """A whole level, from one attempt."""

    level: Level
    run: Run
    number: int
    facts: Facts


class InterruptedAttempts(KeyboardInterrupt):
    """Ctrl-C between attempts. `best` is the nearest level so far, None if there is none yet."""

    best: Level | None = None


MakeAttempt = Callable[[int], Attempt]


def run_attempts(
    make: MakeAttempt,
    numbers: range,
    requirements: Sequence[Requirement],
    patience: int,
    progress: Callable[[int, int], None] | None,
) -> RequirementTally[Attempt]:
    """Make one attempt after the other until one meets the requirements; the tally keeps the nearest one.

    An attempt may end because a step gives up. Then the next one is made, unless the attempts that ended so took more
    than `patience` steps together. If there is no level at all, the reasons are raised.
    """
    tally: RequirementTally[Attempt] = RequirementTally(requirements)
    last, used_steps = None, 0
    try:
        for number in numbers:
            try:
                attempt = make(number)
            except NotMet as error:
                last, used_steps = error, used_steps + error.spent
                tally.add_failure(error.rejected)
                if error.hopeless or used_steps > patience:
                    break
            else:
                if tally.add(judge_level(attempt.facts, requirements), attempt):
                    break
            if progress is not None:
                progress(tally.tried, len(numbers))
    except KeyboardInterrupt as error:
        if not tally.tried:
            raise
        raise _build_interrupted(tally, len(numbers)) from error
    if tally.nearest is None and last is not None:
        raise last if tally.tried == 1 else _build_no_level_error(tally, last, len(numbers))
    return tally


def build_not_met(tally: RequirementTally[Attempt]) -> NotMet:
    """The error if no attempt meets the requirements: how often each failed, and how near the nearest level came."""
    assert tally.nearest is not None
    lines = [
        f"no level of {tally.tried:,} tries is as required",
        *(f"    {line}" for line in tally.lines()),
        f"    {_describe_nearest(tally)}",
    ]
    return NotMet(
        "\n".join(lines),
        fix="ask for less, change the parameters, or raise --tries (tries= in Python)",
        best=tally.nearest.level,
        rejected=tally.rejected,
        distance=tally.distance,
    )


def describe_unmet(facts: Facts | DungeonFacts, requirements: Sequence[Requirement]) -> list[str]:
    """The requirements that a level, or a dungeon, fails although it was taken."""
    return [
        f"not as required ({requirement.text}): {requirement.describe_value(requirement.value(facts))}"
        for requirement in requirements
        if not requirement.is_met(facts)
    ]


def _describe_nearest(tally: RequirementTally[Attempt]) -> str:
    assert tally.nearest is not None
    names = dict.fromkeys(requirement.measure for requirement in tally.requirements)
    numbers = (
        ", ".join(
            f"{name} {'none' if value is None else value}"
            for name, value in measure(tally.nearest.facts, *names).items()
        )
        if names
        else ""
    )
    return f"nearest attempt ({tally.nearest.number}), off by {tally.distance:.2g}: {numbers}"


def _build_no_level_error(tally: RequirementTally[Attempt], last: NotMet, tries: int) -> NotMet:
    """The error if a step gave up in every attempt."""
    long = ", and they took long" if tally.tried < tries and not last.hopeless else ""
    lines = [f"no level of {tally.tried:,} tries could be made{long}", *(f"    {line}" for line in tally.lines())]
    return NotMet("\n".join(lines), fix=last.fix, best=last.best, rejected=tally.rejected)


def _build_interrupted(tally: RequirementTally[Attempt], tries: int) -> InterruptedAttempts:
    lines = [f"interrupted after {tally.tried:,} of {tries:,} tries", *(f"    {line}" for line in tally.lines())]
    if tally.nearest is not None:
        lines.append(f"    {_describe_nearest(tally)}")
    error = InterruptedAttempts("\n".join(lines))
    error.best = None if tally.nearest is None else tally.nearest.level
    return error
