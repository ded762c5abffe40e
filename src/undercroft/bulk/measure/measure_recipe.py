"""Measure a recipe: the numbers of its levels, seed after seed. They are the same for any number of workers."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from undercroft.analysis.expressive_range import RangeColumn
from undercroft.analysis.measures.table import MEASURES, Number, check_measures
from undercroft.bulk import ENTRY_MODULE
from undercroft.bulk.used_parts import check_worker_parts
from undercroft.bulk.workers.adaptive import AdaptivePool
from undercroft.bulk.workers.pool import count_cores
from undercroft.core.level import Level
from undercroft.errors import BadInput
from undercroft.recipe.document import Recipe
from undercroft.recipe.request import Request, require_seeds_alone
from undercroft.recipe.run import run_request


class MeasureRow(NamedTuple):
    """The numbers of one level, in the order of the measures."""

    seed: int
    numbers: list[Number]


class Measuring(Iterator[MeasureRow]):
    """Measures a recipe: iterating over it yields a row for each seed that has a level, and stores the rows as columns.

    The constructor checks the request. The work starts with the first `next`. The workers end with the iterator.

    >>> for seed, numbers in Measuring("cave", range(3), ("density", "loops"), size=(40, 20), workers=1):
    ...     print(seed, numbers)
    0 [0.37625, 9]
    1 [0.3375, 7]
    2 [0.40625, 8]
    """

    def __init__(
        self,
        recipe: str | Path | Recipe,
        seeds: range,
        measures: Sequence[str] = (),
        *,
        size: tuple[int, int] | None = None,
        params: Mapping[str, Any] | None = None,
        workers: int | None = None,
        memory: int | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> None:
        self.recipe = recipe if isinstance(recipe, Recipe) else Recipe.load(recipe)
        require_seeds_alone(self.recipe, "measure a recipe that begins with rock")
        self.measures = check_measures(measures) or tuple(MEASURES)
        if not isinstance(seeds, range):
            raise BadInput(f"seeds are a range, not {seeds!r}", fix="for example range(1000)")
        self.request = Request(self.recipe, size=size, params=params)
        """The request for each seed."""
        self.range = seeds
        self.seeds = array("Q")
        """The seeds that have a level, in order."""
        self.columns = {name: RangeColumn() for name in self.measures}
        self.tried = 0
        """The number of seeds tried so far."""
        self.nothing: dict[str, int] = {}
        """How many seeds have no level, by reason."""
        self.given_up = 0
        """Those of them that were given up because their worker died each time."""
        self.slow: dict[str, int] = {}
        """For how many levels a measure ran out of its budget."""
        self._work = AdaptivePool(
            "measure",
            {"request": self.request.data(), "measures": self.measures},
            count_cores() if workers is None else workers,
            entry=ENTRY_MODULE,
            cells=self.request.size[0] * self.request.size[1],
            memory=memory,
            cancelled=cancelled,
        )
        if not self._work.is_here:
            check_worker_parts(self.request, self.measures)
        self._rows = self._measure_all()

    @property
    def size(self) -> tuple[int, int]:
        """The size of the levels."""
        return self.request.size

    @property
    def params(self) -> dict[str, Any]:
        """The parameters that were set."""
        return dict(self.request.params)

    @property
    def label(self) -> str:
        """The recipe and the parameters that were set."""
        return self.request.label

    def level(self, seed: int) -> Level:
        """The level of a seed, made again."""
        return run_request(self.request.for_seed(seed)).unwrap().level

    def __next__(self) -> MeasureRow:
        return next(self._rows)

    def close(self) -> None:
        """Stop, and end the workers."""
        self._rows.close()

    def _measure_all(self) -> Generator[MeasureRow]:
        for done in self._work.run(self.range):
            answers = (
                [f"were given up: their worker ended each time ({done.poisoned})"] * len(done.task)
                if done.poisoned
                else done.value
            )
            self.given_up += len(done.task) if done.poisoned else 0
            for seed, answer in zip(done.task, answers, strict=True):
                self.tried += 1
                if isinstance(answer, str):
                    self.nothing[answer] = self.nothing.get(answer, 0) + 1
                    continue
                numbers, slow = answer
                for place in slow:
                    self.slow[self.measures[place]] = self.slow.get(self.measures[place], 0) + 1
                self.seeds.append(seed)
                for column, number in zip(self.columns.values(), numbers, strict=True):
                    column.add(number)
                yield MeasureRow(seed, numbers)
