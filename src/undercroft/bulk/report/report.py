"""The closing report of a batch. It reads the files twice, column by column and one file at a time, so the batch may be
of any length.
"""

from __future__ import annotations

import heapq
import json
import math
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from undercroft import limits
from undercroft.analysis.expressive_range import SCORE_DECIMALS, Numbers
from undercroft.analysis.measures.table import Number
from undercroft.bulk.batch.columns import BatchCounts, Shard, build_columns, rejection_column_name
from undercroft.bulk.batch.directory import LOCK_FILE, MANIFEST_FILE
from undercroft.bulk.batch.folder_request import ORDER_FILE
from undercroft.bulk.measure.measured_files import simplify_number
from undercroft.bulk.report.distribution import Distribution, Extreme
from undercroft.bulk.report.times import REPORT_FILE, Times, read_times
from undercroft.bulk.study_record import RECORD_KEY, build_study_record, describe_request
from undercroft.errors import UndercroftError
from undercroft.inputs import files

if TYPE_CHECKING:
    from undercroft.bulk.batch.batch import Batch
    from undercroft.bulk.batch.reader import OpenedBatch
    from undercroft.bulk.batch.request import BatchRequest

TYPICAL_LEVELS = 3
"""How many typical levels the report names."""
MAX_BINS = 30
"""The most bins of a histogram."""
MISSING_DISTANCE = 2.0
"""The distance from the median, in interquartile ranges, of a level without a number."""
QUARTILE_KEYS = ("least", "lower_quartile", "median", "upper_quartile", "greatest")


class ReportLevel(NamedTuple):
    """A level that the report names."""

    seed: int
    attempt: int
    numbers: Mapping[str, Number]
    reasons: tuple[tuple[str, str], ...] = ()
    """The measures in which it is an extreme: ("least", "loops")."""
    combination: int = 0
    """Which combination of parameters that vary, from 0."""


@dataclass(slots=True)
class Report:
    """The numbers of a batch."""

    opened: OpenedBatch
    times: Times
    seeds: int = 0
    """Seeds with a row."""
    count: BatchCounts = field(default_factory=BatchCounts)
    not_met: dict[str, int] = field(default_factory=dict)
    """How many levels fail each requirement: there are some only if the best of the tries was taken."""
    tries: Distribution = field(default_factory=lambda: Distribution(whole=True))
    """Attempts that the levels took."""
    measures: dict[str, Distribution] = field(default_factory=dict)
    typical: list[ReportLevel] = field(default_factory=list)
    """Levels near the median of all measures; the first ones if nothing was measured, or if all levels are alike."""
    extreme: list[ReportLevel] = field(default_factory=list)
    """Levels with the least and the greatest number of each measure."""
    poisoned: list[tuple[int, int, str]] = field(default_factory=list)
    """The first and the last seed of chunks that were given up, and why."""
    damaged: list[str] = field(default_factory=list)
    """Files that were damaged, and were made again in this run."""
    first_file: str = ""
    file_count: int = 0
    bytes: int = 0
    """The bytes of the levels' files."""
    saved: Path | None = None
    """The path of the saved page."""

    @property
    def order(self) -> BatchRequest:
        """The request of the batch."""
        return self.opened.order

    @property
    def given_up(self) -> int:
        """Seeds in chunks that were given up."""
        return sum(last - first + 1 for first, last, _ in self.poisoned)

    def name_level(self, one: ReportLevel | Extreme) -> str:
        """How a level of the batch is named: by its seed, and by its combination if there are several."""
        return self.order.name_row(one.seed, one.combination)

    @property
    def is_complete(self) -> bool:
        """Whether all seeds are finished or given up."""
        return self.seeds + self.given_up * self.order.combinations >= self.order.row_count

    @property
    def is_by_median(self) -> bool:
        """Whether the typical levels were chosen by their measures."""
        return bool(self.extreme)

    def data(self) -> dict[str, Any]:
        """The report as plain data. Seeds are strings: many JSON readers have no integers that large."""
        return {
            RECORD_KEY: self.record(),
            "seeds_done": self.seeds,
            "levels": self.count.levels,
            "without_a_level": self.count.problems,
            "rejected": self.count.rejected,
            "not_met": self.not_met,
            "gave_up": self.count.gave_up,
            "tries": summarise_distribution(self.tries, 12),
            "files": self.file_count,
            "bytes": self.bytes,
            "timed": {
                "seeds": self.times.seeds,
                "seconds": round(self.times.elapsed, 3),
                "seconds_by_step": {step: round(seconds, 3) for step, seconds in self.times.steps.items()},
            },
            "measures": {name: summarise_distribution(one, order=self.order) for name, one in self.measures.items()},
            "typical": [self.name_level(one) for one in self.typical],
        }

    def record(self) -> dict[str, Any]:
        """The version and the editions that made the levels, their size, and the editions of the measures."""
        made_by = self.opened.data
        recipe = describe_request(self.order.request) | {"editions": made_by["editions"]}
        measures = made_by.get("measure_editions", dict.fromkeys(self.order.measures, 1))
        record = build_study_record() | {"version": made_by["version"], "recipes": [recipe], "measures": measures}
        return record | {"vary": self.order.vary.format_texts()}

    def text(self) -> str:
        """The report as text, for a terminal or a log."""
        from undercroft.bulk.report.plain_text import format_report

        return format_report(self)

    def page(self) -> str:
        """The report as one HTML file, with pictures."""
        from undercroft.bulk.report.html_page import render_page

        return render_page(self)

    def save(self, path: str | Path | None = None) -> Path:
        """Write the page to a path, or to report.html in the folder of the batch, beside a folder of Parquet files."""
        target = self.opened.about / REPORT_FILE if path is None else Path(path)
        files.write_file(target, self.page().encode())
        self.saved = target
        return target

    def __str__(self) -> str:
        return self.text()


def build_report(opened: OpenedBatch, run: Batch | None = None) -> Report:
    """The report on the batch in a folder, over all its files, and on the run that has just ended, if there is one."""
    times = read_times(opened.about, opened.order.digest)
    found = Report(opened, times + Times.of(run) if run else times)
    found.poisoned = [(one.first, one.last, one.cause) for one in run.poisoned] if run else _read_poisoned(opened.about)
    found.damaged = run.made_again if run else []
    found.file_count, found.bytes = _count_files(opened.path)
    _count_levels(found)
    _choose_levels(found)
    return found


def summarise_distribution(
    one: Distribution, bins: int = MAX_BINS, order: BatchRequest | None = None
) -> dict[str, Any]:
    """The distribution of a measure as plain data."""
    numbers = [
        None if (number := one.quantile(share / 4)) is None else simplify_number(float(f"{number:.12g}"))
        for share in range(5)
    ]
    limits_, counts = one.bins(bins)
    mean = None if one.mean is None else simplify_number(float(f"{one.mean:.12g}"))
    ends = {"least_seed": one.least, "greatest_seed": one.greatest}
    return {
        **dict(zip(QUARTILE_KEYS, numbers, strict=True)),
        "mean": mean,
        "none": one.missing,
        **{word: end and (order.name_row(*end[1:]) if order else str(end.seed)) for word, end in ends.items()},
        "edges": limits_.round(12).tolist(),
        "counts": counts.tolist(),
    }


class _ShardLevels(NamedTuple):
    """Some columns of one file, for the rows that have a level."""

    shard: Shard
    there: list[int]
    """The indexes of these rows."""
    seeds: list[int]
    """Their seeds."""
    combinations: list[int]
    """Their combinations of parameters that vary; empty if there is one."""

    def identify(self, place: int) -> tuple[int, int]:
        """The seed and the combination of a row."""
        return self.seeds[place], self.combinations[place] if self.combinations else 0

    def numbers(self, name: str) -> Numbers:
        """A column of these rows, NaN where there is no number."""
        values = self.shard.rows[name]
        return np.array([math.nan if values[place] is None else values[place] for place in self.there], np.float64)


def _read_shards(found: Report, *names: str) -> Iterator[_ShardLevels]:
    for path, shard in found.opened.shards(["seed", "attempt", "problem", *names]):
        found.first_file = found.first_file or path.name
        rows = [place for place, problem in enumerate(shard.rows["problem"]) if problem is None]
        count = found.order.combinations
        yield _ShardLevels(
            shard,
            rows,
            [shard.rows["seed"][place] for place in rows],
            [place % count for place in rows] if count > 1 else [],
        )


def _count_levels(found: Report) -> None:
    """The first pass: count everything, and collect the distributions."""
    order = found.order
    kinds = {column.name: column.kind for column in build_columns(order)}
    found.measures = {name: Distribution(whole=kinds[name] == "whole") for name in order.measures}
    texts = [requirement.text for requirement in order.request.requirements]
    found.not_met = dict.fromkeys(texts, 0)
    for part in _read_shards(found, "gave_up", *order.measures, *texts, *map(rejection_column_name, texts)):
        rows = part.shard.rows
        found.seeds += len(rows["seed"])
        found.count.add(part.shard.count(order))
        found.tries.add(part.seeds, part.numbers("attempt") + 1, part.combinations)
        for name, one in found.measures.items():
            one.add(part.seeds, part.numbers(name), part.combinations)
        for text in texts:
            found.not_met[text] += rows[text].count(False)


def _choose_levels(found: Report) -> None:
    """The second pass: choose the levels that the report names."""
    reasons: dict[tuple[int, int], list[tuple[str, str]]] = {}
    for name, one in found.measures.items():
        if one.varies and one.least and one.greatest:
            reasons.setdefault(one.least[1:], []).append(("least", name))
            reasons.setdefault(one.greatest[1:], []).append(("greatest", name))
    scales = list(_find_scales(found.measures))
    extreme: dict[tuple[int, int], ReportLevel] = {}
    near: list[tuple[float, ReportLevel]] = []
    for part in _read_shards(found, *found.measures):
        far = np.zeros(len(part.seeds))
        for name, median, spread in scales:
            far += np.nan_to_num(np.abs(part.numbers(name) - median) / spread, nan=MISSING_DISTANCE)
        far = far.round(SCORE_DECIMALS)  # sums of floats differ slightly between processors
        nearest = np.argsort(far, kind="stable")[:TYPICAL_LEVELS].tolist()
        levels = {
            place: _build_report_level(part, place, found.measures, reasons)
            for place in range(len(part.seeds))
            if part.identify(place) in reasons or place in nearest
        }
        extreme |= {(one.seed, one.combination): one for one in levels.values() if one.reasons}
        near = heapq.nsmallest(
            TYPICAL_LEVELS,
            [*near, *((float(far[place]), levels[place]) for place in nearest)],
            key=lambda pair: (pair[0], pair[1].seed, pair[1].combination),
        )
        if not scales and len(near) == TYPICAL_LEVELS:
            break
    found.typical = [one for _, one in near]
    found.extreme = [extreme[which] for which in reasons]


def _build_report_level(
    part: _ShardLevels, place: int, measures: Iterable[str], reasons: Mapping[tuple[int, int], list[tuple[str, str]]]
) -> ReportLevel:
    row, (seed, combination) = part.there[place], part.identify(place)
    return ReportLevel(
        seed,
        part.shard.rows["attempt"][row],
        {name: part.shard.rows[name][row] for name in measures},
        tuple(reasons.get((seed, combination), ())),
        combination,
    )


def _find_scales(measures: Mapping[str, Distribution]) -> Iterator[tuple[str, float, float]]:
    """The median of each measure in which levels differ, and the unit for the distance to it: the interquartile range,
    or else the whole range.
    """
    for name, one in measures.items():
        lower, median, upper = (one.quantile(share) for share in (0.25, 0.5, 0.75))
        if lower is None or median is None or upper is None or not one.least or not one.greatest:
            continue
        spread = upper - lower or one.greatest.number - one.least.number
        if spread > 0:
            yield name, median, spread


def _read_poisoned(path: Path) -> list[tuple[int, int, str]]:
    """The chunks that the manifest lists as given up."""
    try:
        entries = json.loads(files.read_bytes(path / MANIFEST_FILE, limits.JSON_BYTES))["poisoned"]
        return [(int(one["seeds"][0]), int(one["seeds"][1]), str(one["cause"])) for one in entries]
    except (UndercroftError, OverflowError, RecursionError, ValueError, KeyError, TypeError, IndexError):
        # the manifest is missing or damaged
        return []


def _count_files(path: Path) -> tuple[int, int]:
    """The number of files, and their bytes."""
    sizes = [0, 0]
    with os.scandir(path) as entries:
        for entry in entries:
            if (
                entry.name not in (ORDER_FILE, MANIFEST_FILE, LOCK_FILE, REPORT_FILE)
                and not entry.name.startswith(".")
                and entry.is_file()
            ):
                sizes[0] += 1
                sizes[1] += entry.stat().st_size
    return sizes[0], sizes[1]
