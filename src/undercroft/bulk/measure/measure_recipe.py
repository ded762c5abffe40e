"""Measure a recipe: the numbers of its levels, seed after seed. They are the same for any number of workers."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from pathlib import Path
from typing import Any

from undercroft.bulk import ENTRY_MODULE
from undercroft.bulk.measure.measured_levels import MeasuredLevels, MeasureRow
from undercroft.bulk.used_parts import check_worker_parts
from undercroft.bulk.workers.adaptive import AdaptivePool
from undercroft.bulk.workers.pool import count_cores
from undercroft.core.level import Level
from undercroft.errors import BadInput
from undercroft.recipe.document import Recipe
from undercroft.recipe.request import Request, require_seeds_alone
from undercroft.recipe.run import run_request
from undercroft.recipe.variation import Variation


class Measuring(MeasuredLevels):
    """Measures a recipe: iterating over it yields a row for each seed that has a level, and stores the rows as columns.

    The constructor checks the request. The work starts with the first `next`. The workers end with the iterator. With
    parameters that `vary`, there is a row for each seed and combination.

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
        vary: Mapping[str, tuple[Any, Any] | Sequence[Any]] | None = None,
        workers: int | None = None,
        memory: int | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> None:
        loaded = recipe if isinstance(recipe, Recipe) else Recipe.load(recipe)
        require_seeds_alone(loaded, "measure a recipe that begins with rock")
        if not isinstance(seeds, range):
            raise BadInput(f"seeds are a range, not {seeds!r}", fix="for example range(1000)")
        request, variation = Request(loaded, size=size, params=params), Variation(loaded, vary or {})
        variation.check_request(request)
        super().__init__(request, variation, seeds, measures)
        self._work = AdaptivePool(
            "measure",
            {"request": request.data(), "measures": self.measures, "vary": variation.data()},
            count_cores() if workers is None else workers,
            entry=ENTRY_MODULE,
            cells=request.size[0] * request.size[1],
            memory=memory,
            cancelled=cancelled,
        )
        if not self._work.is_here:
            check_worker_parts(self.request, self.measures)

    def make_level(self, seed: int, combination: int) -> Level:
        """A level, made again."""
        return run_request(self.request.for_seed(seed, self.vary.values(seed, combination))).unwrap().level

    def _measure_all(self) -> Generator[MeasureRow]:
        pieces = ([seed, combination] for seed in self.range for combination in range(self.vary.combinations))
        for done in self._work.run(pieces):
            answers = (
                [f"were given up: their worker ended each time ({done.poisoned})"] * len(done.task)
                if done.poisoned
                else done.value
            )
            self.given_up += len(done.task) if done.poisoned else 0
            for (seed, combination), answer in zip(done.task, answers, strict=True):
                self.tried += 1
                if isinstance(answer, str):
                    self.nothing[answer] = self.nothing.get(answer, 0) + 1
                    continue
                numbers, slow, size = answer
                for place in slow:
                    self.slow[self.measures[place]] = self.slow.get(self.measures[place], 0) + 1
                yield self._add(seed, combination, size, numbers)
