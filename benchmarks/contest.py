"""One interleaved run: each round calls every entry once, in rotated order, so that a busy moment of the machine
affects all equally.
"""

import statistics
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from benchmarks.peers import MissingError

SHORTEST = 0.05
"""The least seconds of one measurement; shorter works are repeated within it."""

REWRITES, LEVELS = "rewrites", "levels"
BYTES = "bytes a cell at the peak"
"""Names of facts."""


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One contender at one work and size. `run(times)` does the work so many times and gives the seconds of one."""

    work: str
    size: tuple[int, int]
    contender: str
    run: Callable[[int], float]
    skip: str = ""
    """Why it does not take part, as words for the table; empty if it does."""
    facts: Callable[[], Mapping[str, float]] | None = None
    """Further facts of one run, measured outside of the timing: `REWRITES`, `BYTES`."""


@dataclass(kw_only=True)
class Row:
    """The row of an entry in the table."""

    work: str
    size: tuple[int, int]
    contender: str
    seconds: list[float] = field(default_factory=list)
    skip: str = ""
    facts: dict[str, float] = field(default_factory=dict)

    @property
    def median(self) -> float | None:
        """The median over the rounds in seconds, or None if it took no part."""
        return statistics.median(self.seconds) if self.seconds else None

    @property
    def cells_per_second(self) -> float | None:
        """Cells of the map, or of all its levels, per second; None where cells mean nothing."""
        return (
            self.facts.get(LEVELS, 1) * self.size[0] * self.size[1] / self.median
            if self.median and self.size[0]
            else None
        )

    @property
    def rewrites_per_second(self) -> float | None:
        """Rewrites per second; None where nothing is rewritten."""
        return self.facts[REWRITES] / self.median if self.median and REWRITES in self.facts else None


def timed(work: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> Callable[[int], float]:
    """Turn a function into the `run` of an entry, timed in this process."""

    def run(times: int) -> float:
        start = clock()
        for _ in range(times):
            work()
        return (clock() - start) / times

    return run


def contest(entries: Iterable[Entry], rounds: int, patience: float, told: Callable[[str], None]) -> list[Row]:
    """Measure entries against each other.

    A first call warms each up and measures how long it takes. An entry joins as many rounds as fit in `patience`
    seconds; if not even two fit, that first call is its only measurement.
    """
    rows, joined, asked = [], [], []
    for entry in entries:
        row = Row(work=entry.work, size=entry.size, contender=entry.contender, skip=entry.skip)
        rows.append(row)
        if entry.skip:
            continue
        told(f"{entry.work} {format_size(entry.size)} {entry.contender}: warming up")
        try:
            first = entry.run(1)
            if first < SHORTEST:
                first = entry.run(1)
        except (MissingError, NotImplementedError, ImportError) as error:
            row.skip = str(error)
            continue
        if entry.facts:
            asked.append((entry.facts, row))
        if patience < 2 * first:
            row.seconds.append(first)
        else:
            times = max(1, round(SHORTEST / first)) if first else 1
            joined.append((entry, row, times, min(rounds, int(patience / (first * times)))))
    for turn in range(rounds):
        shift = turn % len(joined) if joined else 0
        for entry, row, times, part in joined[shift:] + joined[:shift]:
            if turn < part:
                told(f"{entry.work} round {turn + 1} of {rounds}: {format_size(entry.size)} {entry.contender}")
                row.seconds.append(entry.run(times))
    for facts, row in asked:
        told(f"{row.work} {format_size(row.size)} {row.contender}: counting")
        row.facts.update(facts())
    return rows


def format_size(size: tuple[int, int]) -> str:
    """A size as text, such as 80x50; empty for a work without one."""
    return f"{size[0]}x{size[1]}" if size[0] else ""
