"""Count which rules, positions and results are used, over many runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft import limits
from undercroft.core.level import Level
from undercroft.errors import NotMet
from undercroft.rewrite.engine.engine import Engine
from undercroft.rewrite.explain.coverage_report import Coverage, PositionUse, ResultUse, RuleUse, UseCounts
from undercroft.rewrite.explain.reasons import RuleContext, find_disabled_reason, list_rule_contexts
from undercroft.rewrite.model.program import KEEP, Program
from undercroft.rewrite.model.symmetry import transform_rule
from undercroft.rewrite.rules import Rules
from undercroft.rewrite.text.tile_wording import describe_guard

MAX_WRITES_PER_CHUNK = 1 << 20
"""The most written cells to process at once when changes are counted."""


class Recorder:
    """A watcher that keeps every engine of a run, with its initial tiles. Failed attempts are dropped."""

    def __init__(self) -> None:
        self.works: list[tuple[str, Engine, NDArray[np.uint8]]] = []

    def __call__(self, source: str, tiles: NDArray[np.uint8]) -> None:  # noqa: ARG002
        if source == "begin":
            self.works.clear()

    def rewriting(self, source: str, engine: Engine) -> None:
        """Record an engine that starts."""
        self.works.append((source, engine, engine.tiles.copy()))


class CoverageTally:
    """Counts over runs of programs: of one program if rules are applied, of several if a recipe has several.

    >>> rules = Rules.parse("one  both, once\\n    . -> + | #", "both.rules")
    >>> tally = CoverageTally()
    >>> for seed in range(20):
    ...     recorder = Recorder()
    ...     _ = rules.apply(Level.parse("..."), seed, watcher=recorder)
    ...     tally.add(recorder)
    >>> both = tally.coverage()[0].rules[0]
    >>> both.use.runs, sum(result.use.applied for result in both.results)
    (20, 20)
    """

    def __init__(self) -> None:
        self.runs = 0
        self.unmet = 0
        """Runs in which no attempt met the requirements: of each, the last attempt is counted."""
        self._counts: dict[str, _ProgramCounts] = {}

    def add(self, recorder: Recorder) -> None:
        """Count one run."""
        self.runs += 1
        for source, engine, before in recorder.works:
            if source not in self._counts:
                self._counts[source] = _ProgramCounts(engine)
            self._counts[source].add(engine, before, self.runs)

    def coverage(self) -> tuple[Coverage, ...]:
        """The counts so far, one for each program."""
        return tuple(counts.coverage(source, self.runs) for source, counts in self._counts.items())


def count_coverage(
    run: Callable[[int, Recorder], object], seeds: Iterable[int], on_seed: Callable[[int], None] | None = None
) -> CoverageTally:
    """Call `run` with each seed and a recorder to watch it, and count what is used. `on_seed` gets each seed first."""
    tally = CoverageTally()
    for seed in seeds:
        if on_seed is not None:
            on_seed(seed)
        recorder = Recorder()
        try:
            run(seed, recorder)
        except NotMet:
            tally.unmet += 1
        tally.add(recorder)
    return tally


def measure_coverage(
    rules: Rules,
    level: Level,
    seeds: Iterable[int],
    *,
    steps: int = 0,
    max_steps: int = limits.COVERAGE_STEPS.value,
    cancelled: Callable[[], bool] | None = None,
) -> Coverage:
    """Apply rules once for each seed, and count what is used."""

    def run(seed: int, recorder: Recorder) -> None:
        rules.apply(level, seed, steps=steps, max_steps=max_steps, watcher=recorder, cancelled=cancelled)

    return count_coverage(run, seeds).coverage()[0]


class _Action(NamedTuple):
    """A result of a rule in a position; rules count from 0."""

    rule: int
    position: int
    result: int


class _ActionCounts(NamedTuple):
    """What one run did with each action: applications, changed cells, refusals, and the last turn with an application
    (-1: none).
    """

    applied: NDArray[np.int64]
    changed: NDArray[np.int64]
    refused: NDArray[np.int64]
    last: NDArray[np.int64]


class _GroupedCounts:
    """Counts of actions grouped by rule, by position or by result."""

    def __init__(self, keys: list[tuple[int, ...]]) -> None:
        self.places = {key: index for index, key in enumerate(dict.fromkeys(keys))}
        self.belongs = np.array([self.places[key] for key in keys], np.intp)
        self.applied, self.changed, self.refused, self.runs, self.last, self.seen = (
            np.zeros(len(self.places), np.int64) for _ in range(6)
        )
        self.last -= 1

    def add(self, counts: _ActionCounts, run: int) -> None:
        """Add the counts of each action in a run."""
        np.add.at(self.applied, self.belongs, counts.applied)
        np.add.at(self.changed, self.belongs, counts.changed)
        np.add.at(self.refused, self.belongs, counts.refused)
        np.maximum.at(self.last, self.belongs, counts.last)
        used = np.unique(self.belongs[counts.applied > 0])
        self.runs[used] += self.seen[used] != run  # a program may run several times in a run
        self.seen[used] = run

    def use(self, *key: int) -> UseCounts:
        """The counts of one group; zeros for what the engine left out."""
        at = self.places.get(key)
        return (
            UseCounts()
            if at is None
            else UseCounts(
                *(int(counts[at]) for counts in (self.applied, self.changed, self.runs, self.last, self.refused))
            )
        )


class _ProgramCounts:
    """The counts of one program."""

    def __init__(self, engine: Engine) -> None:
        self.program = engine.program
        self.actions = [
            _Action(row.rule, row.variant.position, result)
            for row in engine.tables.rows
            for result in range(len(row.variant.results))
        ]
        self.size = engine.tiles.shape
        self.rules = _GroupedCounts([(action.rule,) for action in self.actions])
        self.positions = _GroupedCounts([(action.rule, action.position) for action in self.actions])
        self.results = _GroupedCounts([(action.rule, action.result) for action in self.actions])
        self.guards = np.zeros(sum(len(rule.guards) for rule in self.program.rules()), np.int64)
        """How often each guard of each rule refused."""

    def add(self, engine: Engine, before: NDArray[np.uint8], run: int) -> None:
        happened = engine.list_rewrites()
        actions = len(self.actions)
        last = np.full(actions, -1, np.int64)
        np.maximum.at(last, happened[:, 1], happened[:, 0])
        counts = _ActionCounts(
            np.bincount(happened[:, 1], minlength=actions),
            count_changed_cells(engine, before, happened),
            np.bincount(engine.list_refused()[:, 1], minlength=actions),
            last,
        )
        self.guards += engine.count_guard_refusals()
        for sums in (self.rules, self.positions, self.results):
            sums.add(counts, run)

    def coverage(self, name: str, runs: int) -> Coverage:
        everyone = list_rule_contexts(self.program)
        return Coverage(
            name, runs, self.size[1], self.size[0], tuple(self._rule_use(seat, everyone) for seat in everyone)
        )

    def _rule_use(self, seat: RuleContext, everyone: list[RuleContext]) -> RuleUse:
        rule, at = seat.rule, seat.number - 1
        first_guard = sum(len(other.rule.guards) for other in everyone[:at])
        guards = [describe_guard(guard, self.program.palette) for guard in rule.guards]
        equal = _equal_positions(seat, self.program)
        counted = [group[0] for group in equal] if seat.leaf.merge else list(rule.positions)
        return RuleUse(
            name=seat.name,
            node=seat.leaf.name,
            kind=seat.leaf.kind,
            written=str(rule.place or seat.leaf.place or ""),
            off=find_disabled_reason(rule),
            use=self.rules.use(at),
            positions=tuple(PositionUse(position, self.positions.use(at, position)) for position in counted),
            results=tuple(
                ResultUse(index + 1, result.weight, self.results.use(at, index))
                for index, result in enumerate(rule.results)
            ),
            equal=tuple(group for group in equal if len(group) > 1),
            merged=seat.leaf.merge,
            weight=rule.weight * len(counted) if rule.is_enabled() else 0,
            of_weight=sum(_effective_weight(other, self.program) for other in everyone if other.leaf is seat.leaf),
            guards=tuple(guards),
            refused_by=tuple(guard for guard, count in zip(guards, self.guards[first_guard:], strict=False) if count),
        )


def _equal_positions(seat: RuleContext, program: Program) -> list[tuple[int, ...]]:
    """The positions of a rule, grouped by those in which it looks the same."""
    groups: dict[object, list[int]] = {}
    for position in seat.rule.positions:
        groups.setdefault(transform_rule(seat.rule, position, program.palette), []).append(position)
    return [tuple(group) for group in groups.values()]


def _effective_weight(seat: RuleContext, program: Program) -> int:
    """The weight of a rule summed over the positions that count."""
    if not seat.rule.is_enabled():
        return 0
    return seat.rule.weight * (len(_equal_positions(seat, program)) if seat.leaf.merge else len(seat.rule.positions))


def count_changed_cells(engine: Engine, before: NDArray[np.uint8], happened: NDArray[np.int64]) -> NDArray[np.int64]:
    """The number of cells that each action really changed. Replays the log and skips cells that got the tile they
    already had.
    """
    height, width = before.shape
    tiles = before.reshape(-1).copy()
    writes, first, count = _collect_writes(engine)
    changed = np.zeros(len(count), np.int64)
    for part in _split_log(happened, count):
        many = count[part[:, 1]]
        starts = np.cumsum(many) - many
        index = np.repeat(first[part[:, 1]] - starts, many) + np.arange(int(many.sum()))
        xs, ys = np.repeat(part[:, 2], many) + writes[index, 0], np.repeat(part[:, 3], many) + writes[index, 1]
        inside = (xs >= 0) & (xs < width) & (ys >= 0) & (ys < height)
        cells, new = (ys * width + xs)[inside], writes[index, 2][inside]
        order = np.argsort(cells, kind="stable")  # groups the writes of each cell, oldest first
        cells, new = cells[order], new[order]
        again = np.zeros(len(cells), bool)
        again[1:] = cells[1:] == cells[:-1]
        old = np.where(again, np.roll(new, 1), tiles[cells])
        changed += np.bincount(np.repeat(part[:, 1], many)[inside][order][old != new], minlength=len(count))
        tiles[cells] = new  # the last of several writes to a cell wins
    return changed


def _collect_writes(engine: Engine) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """All writes of all actions as rows of (right, down, tile), with the first row and the number of rows of each
    action.
    """
    rows: list[tuple[int, int, int]] = []
    count = []
    for row in engine.tables.rows:
        for result in row.variant.results:
            before = len(rows)
            rows += (
                (index % row.variant.width, index // row.variant.width, code)
                for index, code in enumerate(result.cells)
                if code != KEEP
            )
            count.append(len(rows) - before)
    counts = np.array(count, np.int64)
    return np.array(rows, np.int64).reshape(-1, 3), np.cumsum(counts) - counts, counts


def _split_log(happened: NDArray[np.int64], count: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """The log in parts, each with a limited number of written cells."""
    sums = np.cumsum(count[happened[:, 1]]) if len(happened) else np.zeros(0, np.int64)
    start = 0
    while start < len(happened):
        done = int(sums[start - 1]) if start else 0
        end = max(start + 1, int(np.searchsorted(sums, done + MAX_WRITES_PER_CHUNK, "right")))
        yield happened[start:end]
        start = end
