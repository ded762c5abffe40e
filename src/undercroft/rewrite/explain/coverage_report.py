"""What was used over many runs: as data for programs, and as a table for people."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from undercroft.rewrite.explain.wording import POSITIONS, table


@dataclass(frozen=True)
class Use:
    """How often something was applied, how many cells that changed, in how many runs it happened, and the last turn in
    which it did (-1 for never).
    """

    applied: int = 0
    changed: int = 0
    runs: int = 0
    last_turn: int = -1


@dataclass(frozen=True)
class PositionUse:
    """A rule in one position."""

    position: int
    use: Use


@dataclass(frozen=True)
class ResultUse:
    """A result of a rule, by its number from 1."""

    number: int
    weight: int
    use: Use


@dataclass(frozen=True)
class RuleUse:
    """A rule, in all and by its positions and results."""

    name: str
    node: str
    kind: str
    written: str
    """Where the rule is written, as file:line:column; empty if it was made by a program."""
    off: str
    """Why it is switched off; empty if it is not."""
    use: Use
    positions: tuple[PositionUse, ...]
    """Those that count: equal ones once, or each for itself if duplicates are kept."""
    results: tuple[ResultUse, ...]
    equal: tuple[tuple[int, ...], ...]
    """Positions in which the rule looks the same."""
    merged: bool
    """Whether equal positions count once."""
    weight: int
    """What it really weighs: its weight in each position that counts."""
    of_weight: int
    """What all rules of its node weigh so."""

    @property
    def countable(self) -> list[ResultUse]:
        """The results that could be used: those that are not switched off."""
        return [] if self.off else [result for result in self.results if result.weight]

    def row(self, runs: int) -> tuple[str, ...]:
        """A line of the table."""
        used = sum(position.use.applied > 0 for position in self.positions)
        drawn = sum(result.use.applied > 0 for result in self.countable)
        return (
            self.name,
            f"{percent(self.use.runs, runs)}",
            f"{self.use.applied:,}",
            f"{self.use.changed:,}",
            f"{self.use.last_turn}" if self.use.applied else "-",
            f"{used} of {len(self.positions)}",
            f"{drawn} of {len(self.countable)}",
            f"{self.weight} of {self.of_weight}",
        )

    def findings(self, runs: int) -> Iterator[str]:
        """What the author may want to know, one sentence each."""
        if self.off:
            yield f"{self.name} is switched off: {self.off}"
            return
        if not self.use.applied:
            yield f"{self.name} is dead: it was not applied once in {counted(runs, 'run')}"
        else:
            dead = [POSITIONS[position.position] for position in self.positions if not position.use.applied]
            if dead:
                yield f"{self.name} was never applied {_or(dead)}"
            unused = [str(result.number) for result in self.countable if not result.use.applied]
            if unused:
                yield (
                    f"{self.name} never drew {'result' if len(unused) == 1 else 'the results'} {_or(unused)} of "
                    f"{len(self.results)}"
                )
        if self.equal:
            same = "; ".join(" and ".join(POSITIONS[position] for position in group) for group in self.equal)
            different = len(self.positions) - sum(len(group) - 1 for group in self.equal)
            alone = self.weight // len(self.positions) * different
            yield f"{self.name} looks the same {same}: " + (
                "these count once" if self.merged else f"each counts, so it weighs {self.weight} instead of {alone}"
            )


@dataclass(frozen=True)
class Coverage:
    """A program over so many runs on maps of a size. `str()` of it is what the command line shows."""

    name: str
    runs: int
    width: int
    height: int
    rules: tuple[RuleUse, ...]

    @property
    def results(self) -> int:
        """How many results of rules could be used."""
        return sum(len(rule.countable) for rule in self.rules)

    @property
    def used(self) -> int:
        """How many of them were used at least once."""
        return sum(result.use.applied > 0 for rule in self.rules for result in rule.countable)

    @property
    def dead(self) -> list[str]:
        """The rules that are not switched off, and were never applied."""
        return [rule.name for rule in self.rules if not rule.off and not rule.use.applied]

    def findings(self) -> Iterator[str]:
        """Dead rules, positions and results, and positions that look the same, in sentences."""
        for rule in self.rules:
            yield from rule.findings(self.runs)

    def lines(self) -> Iterator[str]:
        """The text, line by line."""
        yield f"{self.name}: {counted(self.runs, 'run')} on {self.width}x{self.height}"
        head = ("rule", "runs", "applied", "changed", "last turn", "positions", "results", "weight")
        yield from (f"  {line}" for line in table([head, *(rule.row(self.runs) for rule in self.rules)], "<>>>>>>>"))
        yield from (f"  {finding}" for finding in self.findings())

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def data(self) -> dict[str, Any]:
        """All of it as plain lists and dictionaries."""
        return {
            **dataclasses.asdict(self),
            "results": self.results,
            "used": self.used,
            "dead": self.dead,
            "findings": list(self.findings()),
        }


def share(programs: Iterable[Coverage]) -> float:
    """The share of the results of all programs that were used at least once; 1 if there are none."""
    programs = list(programs)
    results = sum(program.results for program in programs)
    return sum(program.used for program in programs) / results if results else 1.0


def percent(part: int, whole: int) -> str:
    """A share in per cent, rounded down: 100 % is all.

    >>> percent(1, 3), percent(999, 1000), percent(5, 5), percent(0, 0)
    ('33.3%', '99.9%', '100%', '0%')
    """
    tenths = part * 1000 // whole if whole else 0
    return f"{tenths // 10}%" if tenths % 10 == 0 else f"{tenths / 10}%"


def counted(count: int, what: str) -> str:
    """So many of something.

    >>> counted(1, "run"), counted(2000, "run")
    ('1 run', '2,000 runs')
    """
    return f"{count:,} {what}{'s' * (count != 1)}"


def _or(words: list[str]) -> str:
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))
