"""Measure a recipe: the numbers of its levels, seed after seed. They are the same for any number of workers."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from undercroft.analysis.expressive_range import RangeColumn
from undercroft.analysis.measures.table import MEASURES, Number
from undercroft.bulk import ENTRY_MODULE
from undercroft.bulk.workers.adaptive import AdaptivePool
from undercroft.bulk.workers.pool import count_cores
from undercroft.bulk.workers.recipe_data import encode_recipe
from undercroft.core.level import Level, check_level_size
from undercroft.errors import BadInput, unknown_name_error
from undercroft.recipe.document import Recipe


class MeasureRow(NamedTuple):
    """The numbers of one level, in the order of the measures."""

    seed: int
    numbers: list[Number]


class Measuring(Iterator[MeasureRow]):
    """A recipe being measured: it gives a row for each seed that has a level, and keeps them as columns.

    What was asked for is checked here; the work begins with the first `next`. When it ends or is closed, so do its
    workers.

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
        if self.recipe.begins:
            raise BadInput(
                f"{self.recipe.name} needs a map to begin with, and a seed gives none",
                fix="measure a recipe that begins with rock",
            )
        if isinstance(measures, str):
            raise BadInput(
                f"measures are a list of names, not {measures!r}", fix=f"for example measures=[{measures!r}]"
            )
        for name in measures:
            if str(name) not in MEASURES:
                raise unknown_name_error("measure", str(name), MEASURES)
        if not isinstance(seeds, range):
            raise BadInput(f"seeds are a range, not {seeds!r}", fix="for example range(1000)")
        self.measures = tuple(dict.fromkeys(measures)) or tuple(MEASURES)
        self.params = {
            name: value for name, value in self.recipe.values(params or {}).items() if name in (params or {})
        }
        self.size = check_level_size(size or self.recipe.size)
        self.recipe.prepare(self.params, *self.size)  # a size that suits no level is refused at once
        self.range = seeds
        self.seeds = array("Q")
        """The seeds that have a level, in order."""
        self.columns = {name: RangeColumn() for name in self.measures}
        self.tried = 0
        """Seeds looked at so far."""
        self.nothing: dict[str, int] = {}
        """For how many seeds there is no level, by reason."""
        self.given_up = 0
        """Seeds among them that took their worker with them, time and again."""
        self.slow: dict[str, int] = {}
        """For how many levels a measure took too long."""
        setup = {
            "recipe": encode_recipe(self.recipe, self.params),
            "params": self.params,
            "size": self.size,
            "measures": self.measures,
        }
        self._work = AdaptivePool(
            "measure",
            setup,
            count_cores() if workers is None else workers,
            entry=ENTRY_MODULE,
            cells=self.size[0] * self.size[1],
            memory=memory,
            cancelled=cancelled,
        )
        self._rows = self._measure_all()

    @property
    def label(self) -> str:
        """The recipe and what was set."""
        return " ".join([self.recipe.name, *(f"{name}={value}" for name, value in self.params.items())])

    def level(self, seed: int) -> Level:
        """The level of a seed, made again."""
        return self.recipe.generate(seed=seed, size=self.size, params=self.params).level

    def __next__(self) -> MeasureRow:
        return next(self._rows)

    def close(self) -> None:
        """Stop; the workers end."""
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
