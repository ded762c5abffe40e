"""Make the dungeons of many seeds, and measure each. The rows are the same for any number of workers."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from undercroft.analysis.measures.table import DUNGEON_MEASURES, Number
from undercroft.bulk import ENTRY_MODULE
from undercroft.bulk.dungeon_rows_work import MADE
from undercroft.bulk.workers.adaptive import AdaptivePool
from undercroft.bulk.workers.pool import count_cores
from undercroft.recipe.dungeon.request import DungeonRequest


class DungeonRow(NamedTuple):
    """The dungeon of a seed, measured; or why there is none."""

    seed: int
    attempt: int
    numbers: dict[str, Number]
    reason: str = ""
    """Empty if there is a dungeon."""
    was_there: bool = False
    """Whether its file was there already."""


def make_rows(
    request: DungeonRequest,
    seeds: Iterable[int],
    measures: Sequence[str],
    *,
    folder: Path | None = None,
    form: str = "json",
    workers: int | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Iterator[DungeonRow]:
    """A row for each seed, in order. With a folder, each dungeon is written into it, as SEED.json or SEED.npz; one that
    is there already is only measured.

    A measure that takes too long has no number.
    """
    width, height = request.size or request.recipe.size
    pool = AdaptivePool(
        "dungeon-rows",
        {
            "request": request.data(),
            "measures": list(measures),
            "folder": "" if folder is None else str(folder.absolute()),
            "form": form,
        },
        count_cores() if workers is None else workers,
        entry=ENTRY_MODULE,
        cells=width * height,
        cancelled=cancelled,
    )
    with contextlib.closing(pool.run(seeds)) as results:
        for done in results:
            if done.poisoned:
                yield from (DungeonRow(seed, 0, {}, f"the worker ended ({done.poisoned})") for seed in done.task)
                continue
            for seed, (kind, about, more) in zip(done.task, done.value, strict=True):
                if kind == MADE:
                    attempt, was_there = about
                    numbers = dict(zip(measures, more, strict=True))
                    yield DungeonRow(seed, attempt, numbers, was_there=was_there)
                else:
                    yield DungeonRow(seed, 0, {}, about)


DEFAULT_MEASURES = ("floors", "links", "floor_loops", "rooms", "solution_length")
"""The measures of a row, if none is named."""


def resolve_measures(names: Sequence[str]) -> tuple[str, ...]:
    """The names, or the usual ones."""
    from undercroft.analysis.measures.table import check_measures

    return check_measures(names, DUNGEON_MEASURES) or DEFAULT_MEASURES
