"""The numbers of many levels, as columns. Levels come from a recipe or from a batch."""

from __future__ import annotations

from array import array
from collections.abc import Generator, Iterator, Sequence
from typing import Any, NamedTuple

from undercroft.analysis.expressive_range import RangeColumn
from undercroft.analysis.measures.table import MEASURES, Number, check_measures, measure_editions
from undercroft.bulk.study_record import digest_editions
from undercroft.core.level import Level
from undercroft.recipe.request import Request
from undercroft.recipe.variation import Variation
from undercroft.version import VERSION


class MeasureRow(NamedTuple):
    """The numbers of one level, in the order of the measures."""

    seed: int
    numbers: list[Number]


class MeasuredLevels(Iterator[MeasureRow]):
    """Levels that are measured: iterating yields a row for each seed that has a level, and stores the rows as columns.

    A subclass implements `_measure_all` and `make_level`.
    """

    def __init__(self, request: Request, vary: Variation, seeds: range, measures: Sequence[str]) -> None:
        self.request = request
        """The request for each seed."""
        self.recipe = request.recipe
        self.vary = vary
        """The parameters that vary."""
        self.measures = check_measures(measures) or tuple(MEASURES)
        self.range = seeds
        self.seeds = array("Q")
        """The seeds that have a level, in order; a seed stands there once for each combination of parameters."""
        self.combinations = array("L")
        """The combination of parameters of each level."""
        self.widths, self.heights = array("L"), array("L")
        """The size of each level."""
        self.columns = {name: RangeColumn() for name in self.measures}
        self.tried = 0
        """The number of levels tried so far."""
        self.nothing: dict[str, int] = {}
        """How many seeds have no level, by reason."""
        self.given_up = 0
        """Those of them that were given up because their worker died each time."""
        self.slow: dict[str, int] = {}
        """For how many levels a measure ran out of its budget."""
        self._rows = self._measure_all()

    def _measure_all(self) -> Generator[MeasureRow]:
        raise NotImplementedError

    def make_level(self, seed: int, combination: int) -> Level:
        """A level, made again or read."""
        raise NotImplementedError

    @property
    def total(self) -> int:
        """The number of levels to try."""
        return len(self.range) * self.vary.combinations

    @property
    def last_seed(self) -> int:
        """The last seed that was tried; the first if none was."""
        return self.range[max(0, self.tried - 1) // self.vary.combinations]

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
        """What is measured: the recipe and the parameters that were set, or the folder of a batch."""
        return " ".join([self.request.label, *self.vary.format_texts()])

    @property
    def name(self) -> str:
        """The same without the parameters that vary, which are columns."""
        return self.request.label

    @property
    def version(self) -> str:
        """The version that made the levels."""
        return VERSION

    @property
    def step_editions(self) -> dict[str, int]:
        """The editions of the steps that made the levels."""
        return dict(self.recipe.editions)

    @property
    def editions_digest(self) -> str:
        """The digest of all editions."""
        return digest_editions(self.step_editions, measure_editions(self.measures))

    def level(self, seed: int) -> Level:
        """The level of a seed, made again."""
        return self.make_level(seed, 0)

    def level_at(self, row: int) -> Level:
        """The level of a row."""
        return self.make_level(self.seeds[row], self.combinations[row])

    def name_at(self, row: int) -> str:
        """The name of a row: its seed, and the number of its combination if there are several."""
        return f"{self.seeds[row]}-{self.combinations[row]}" if self.vary.combinations > 1 else str(self.seeds[row])

    def values_at(self, row: int) -> dict[str, Any]:
        """The values of the parameters that vary, in a row."""
        return self.vary.values(self.seeds[row], self.combinations[row])

    def __next__(self) -> MeasureRow:
        return next(self._rows)

    def close(self) -> None:
        """Stop, and end the workers."""
        self._rows.close()

    def _add(self, seed: int, combination: int, size: tuple[int, int], numbers: list[Number]) -> MeasureRow:
        """Store a row."""
        self.seeds.append(seed)
        self.combinations.append(combination)
        self.widths.append(size[0])
        self.heights.append(size[1])
        for column, number in zip(self.columns.values(), numbers, strict=True):
            column.add(number)
        return MeasureRow(seed, numbers)
