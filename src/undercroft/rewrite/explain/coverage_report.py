"""The coverage of rules over many runs, as data and as a printed table."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from undercroft.rewrite.explain.wording import POSITION_NAMES, format_table
from undercroft.wording import join_words, plural


@dataclass(frozen=True)
class UseCounts:
    """The number of applications, of changed cells, and of runs with an application; the last turn with one (-1:
    never); and how often a guard refused one.
    """

    applied: int = 0
    changed: int = 0
    runs: int = 0
    last_turn: int = -1
    refused: int = 0


@dataclass(frozen=True)
class PositionUse:
    """The counts of a rule in one position."""

    position: int
    use: UseCounts


@dataclass(frozen=True)
class ResultUse:
    """The counts of a result of a rule, with its number from 1."""

    number: int
    weight: int
    use: UseCounts


@dataclass(frozen=True)
class RuleUse:
    """The counts of a rule: in total, by position and by result."""

    name: str
    node: str
    kind: str
    written: str
    """The place of the rule, as file:line:column; empty if a program built it."""
    off: str
    """The reason it is switched off; empty if it is not."""
    use: UseCounts
    positions: tuple[PositionUse, ...]
    """The positions that count: equal ones once, or each separately if duplicates are kept."""
    results: tuple[ResultUse, ...]
    equal: tuple[tuple[int, ...], ...]
    """Positions in which the rule looks the same."""
    merged: bool
    """Whether equal positions count once."""
    weight: int
    """Its effective weight: its weight times the number of positions that count."""
    of_weight: int
    """The sum of the effective weights of all rules of its node."""
    guards: tuple[str, ...] = ()
    """Its guards."""
    refused_by: tuple[str, ...] = ()
    """Those of its guards that refused something."""

    @property
    def usable_results(self) -> list[ResultUse]:
        """The results that are not switched off."""
        return [] if self.off else [result for result in self.results if result.weight]

    def table_row(self, runs: int, *, guarded: bool = False) -> tuple[str, ...]:
        """A row of the table, with a column of refusals if some rule is `guarded`."""
        used = sum(position.use.applied > 0 for position in self.positions)
        drawn = sum(result.use.applied > 0 for result in self.usable_results)
        return (
            self.name,
            f"{format_percent(self.use.runs, runs)}",
            f"{self.use.applied:,}",
            f"{self.use.changed:,}",
            *([f"{self.use.refused:,}" if self.guards else "-"] if guarded else []),
            f"{self.use.last_turn}" if self.use.applied else "-",
            f"{used} of {len(self.positions)}",
            f"{drawn} of {len(self.usable_results)}",
            f"{self.weight} of {self.of_weight}",
        )

    def findings(self, runs: int) -> Iterator[str]:
        """Findings for the author, one sentence each."""
        if self.off:
            yield f"{self.name} is switched off: {self.off}"
            return
        if not self.use.applied and self.use.refused:
            yield f"{self.name} was never applied in {plural(runs, 'run')}: {self._describe_refusals(self.use)}"
        elif not self.use.applied:
            yield f"{self.name} is dead: it was not applied once in {plural(runs, 'run')}"
        else:
            yield from self._find_unused()
        if self.equal:
            same = "; ".join(" and ".join(POSITION_NAMES[position] for position in group) for group in self.equal)
            different = len(self.positions) - sum(len(group) - 1 for group in self.equal)
            alone = self.weight // len(self.positions) * different
            yield f"{self.name} looks the same {same}: " + (
                "these count once" if self.merged else f"each counts, so it weighs {self.weight} instead of {alone}"
            )

    def _find_unused(self) -> Iterator[str]:
        """Positions and results that were never used; those that a guard refused on their own."""
        never = [position for position in self.positions if not position.use.applied]
        dead = [POSITION_NAMES[position.position] for position in never if not position.use.refused]
        if dead:
            yield f"{self.name} was never applied {join_words(dead, 'or')}"
        for position in never:
            if position.use.refused:
                where = POSITION_NAMES[position.position]
                yield f"{self.name} was never applied {where}: {self._describe_refusals(position.use)}"
        undrawn = [result for result in self.usable_results if not result.use.applied]
        unused = [str(result.number) for result in undrawn if not result.use.refused]
        if unused:
            yield (
                f"{self.name} never drew {'result' if len(unused) == 1 else 'the results'} "
                f"{join_words(unused, 'or')} of {len(self.results)}"
            )
        for result in undrawn:
            if result.use.refused:
                which = f"result {result.number} of {len(self.results)}"
                yield f"{self.name} never wrote {which}: {self._describe_refusals(result.use)}"

    def _describe_refusals(self, use: UseCounts) -> str:
        """Which guards refused, and how often."""
        often = "once" if use.refused == 1 else f"{use.refused:,} times"
        return f"{join_words([f'`{guard}`' for guard in self.refused_by]) or 'a guard'} refused it {often}"


@dataclass(frozen=True)
class Coverage:
    """The coverage of a program over several runs on maps of one size. The command line shows its `str()`."""

    name: str
    runs: int
    width: int
    height: int
    rules: tuple[RuleUse, ...]

    @property
    def result_count(self) -> int:
        """The number of results that could be used."""
        return sum(len(rule.usable_results) for rule in self.rules)

    @property
    def used_count(self) -> int:
        """The number of results that were used at least once."""
        return sum(result.use.applied > 0 for rule in self.rules for result in rule.usable_results)

    @property
    def dead_rules(self) -> list[str]:
        """The names of the rules that are not switched off, and were neither applied nor refused by a guard."""
        return [rule.name for rule in self.rules if not (rule.off or rule.use.applied or rule.use.refused)]

    @property
    def refused_rules(self) -> list[str]:
        """The names of the rules that guards refused every time, so that they were never applied."""
        return [rule.name for rule in self.rules if rule.use.refused and not rule.use.applied]

    def findings(self) -> Iterator[str]:
        """Sentences about dead and refused rules, positions and results, and about positions that look the same."""
        for rule in self.rules:
            yield from rule.findings(self.runs)

    def lines(self) -> Iterator[str]:
        """The text, line by line."""
        yield f"{self.name}: {plural(self.runs, 'run')} on {self.width}x{self.height}"
        guarded = any(rule.guards for rule in self.rules)
        head = ["rule", "runs", "applied", "changed", *(["refused"] if guarded else [])]
        head += ["last turn", "positions", "results", "weight"]
        rows = [head, *(rule.table_row(self.runs, guarded=guarded) for rule in self.rules)]
        yield from (f"  {line}" for line in format_table(rows, "<" + ">" * (len(head) - 1)))
        yield from (f"  {finding}" for finding in self.findings())

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def data(self) -> dict[str, Any]:
        """The report as plain lists and dictionaries."""
        return {
            **dataclasses.asdict(self),
            "results": self.result_count,
            "used": self.used_count,
            "dead": self.dead_rules,
            "refused": self.refused_rules,
            "findings": list(self.findings()),
        }


def used_share(programs: Iterable[Coverage]) -> float:
    """The share of the results of all programs that were used at least once; 1 if there are none."""
    programs = list(programs)
    results = sum(program.result_count for program in programs)
    return sum(program.used_count for program in programs) / results if results else 1.0


def format_percent(part: int, whole: int) -> str:
    """A share as a percentage, rounded down: only a full share is 100 %.

    >>> format_percent(1, 3), format_percent(999, 1000), format_percent(5, 5), format_percent(0, 0)
    ('33.3%', '99.9%', '100%', '0%')
    """
    tenths = part * 1000 // whole if whole else 0
    return f"{tenths // 10}%" if tenths % 10 == 0 else f"{tenths / 10}%"
