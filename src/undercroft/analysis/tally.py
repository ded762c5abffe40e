"""Check levels against requirements: the failures of each level, their counts over many levels, and the nearest
level.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Generic, NamedTuple, TypeVar

from undercroft.analysis.measures.dungeon_measures import DungeonFacts
from undercroft.analysis.measures.facts import Facts
from undercroft.analysis.requirements import Requirement

T = TypeVar("T")


class Verdict(NamedTuple):
    """The failures of one level: which requirements fail, which of them because the measure has no value, and the total
    distance.
    """

    failed: Sequence[int]
    missing: Sequence[int]
    distance: float


def judge_level(facts: Facts | DungeonFacts, requirements: Sequence[Requirement]) -> Verdict:
    """Check a level, or a dungeon, against requirements. Every measure is computed once."""
    values = [requirement.value(facts) for requirement in requirements]
    failed = [number for number, requirement in enumerate(requirements) if not requirement.holds(values[number])]
    if not failed:
        return Verdict([], [], 0.0)
    return Verdict(
        failed,
        [number for number in failed if values[number] is None],
        sum((requirements[number].value_distance(values[number]) for number in failed), 0.0),
    )


class RequirementTally(Generic[T]):
    """Counts failures over many levels, and keeps the nearest level; on a tie, the first."""

    def __init__(self, requirements: Sequence[Requirement]) -> None:
        self.requirements = requirements
        self.tried = 0
        self.distance = math.inf
        self.nearest: T | None = None
        self._failed = [0] * len(requirements)
        self._missing = [0] * len(requirements)
        self._gave_up: dict[str, int] = {}

    def add_failure(self, reasons: Iterable[str]) -> None:
        """Count an attempt that gave no level, for these reasons."""
        self.tried += 1
        for reason in reasons:
            self._gave_up[reason] = self._gave_up.get(reason, 0) + 1

    def add(self, verdict: Verdict, level: T) -> bool:
        """Count a level; return whether it meets the requirements."""
        self.tried += 1
        for number in verdict.failed:
            self._failed[number] += 1
        for number in verdict.missing:
            self._missing[number] += 1
        if verdict.distance < self.distance:
            self.distance, self.nearest = verdict.distance, level
        return not verdict.failed

    @property
    def rejected(self) -> dict[str, int]:
        """How often each failed requirement failed, and how often each reason left no level at all."""
        return {
            requirement.text: count for requirement, count in zip(self.requirements, self._failed, strict=True) if count
        } | self._gave_up

    def lines(self) -> list[str]:
        """The same as lines of text."""
        lines = []
        for requirement, failed, missing in zip(self.requirements, self._failed, self._missing, strict=True):
            none = f", {missing} without a {requirement.measure}" if missing else ""
            if failed:
                lines.append(f"{requirement.text}: failed {failed:,} of {self.tried:,}{none}")
        return lines + [f"{reason}: gave up {count:,} of {self.tried:,}" for reason, count in self._gave_up.items()]
