"""Search seeds, and parameters, for levels that are as required. The answer is the same for any number of workers."""

from __future__ import annotations

import bisect
import contextlib
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence, Sized
from functools import lru_cache
from pathlib import Path
from typing import Any

from undercroft.analysis.measures.table import MEASURES, Facts, Number
from undercroft.analysis.requirements import Requirement
from undercroft.analysis.tally import RequirementTally, Verdict
from undercroft.bulk import ENTRY_MODULE
from undercroft.bulk.measure.one_level import measure_or_none
from undercroft.bulk.search.parameters import Variation
from undercroft.bulk.search.search_work import FOUND, NOTHING, generate_or_nearest
from undercroft.bulk.workers.adaptive import AdaptivePool
from undercroft.bulk.workers.pool import count_cores
from undercroft.bulk.workers.recipe_data import encode_recipe
from undercroft.core.level import Level, check_level_size
from undercroft.core.rng import seed_number
from undercroft.errors import BadInput, unknown_name_error
from undercroft.recipe.document import Recipe

CACHED_LEVELS = 8
"""Levels that are kept after somebody looked at them."""
DEFAULT_MEASURES = ("density", "rooms", "loops", "path_length")
"""Measures that are told if nobody asks for any."""


class SearchHit:
    """A level that was found, or the nearest one: its seed, and everything that makes it again."""

    def __init__(
        self, search: Search, seed: int, combination: int, attempt: int, measures: dict[str, Number] | None = None
    ) -> None:
        self.seed = seed
        self.attempt = attempt
        self.params: dict[str, Any] = search.vary.values(seed, combination)
        """The parameters that varied."""
        self._search = search
        self._combination = combination
        self._measures = measures

    @property
    def measures(self) -> dict[str, Number]:
        """The measures that were asked for."""
        if self._measures is None:
            self._measures = _measure_level(self.level, self._search.measures)
        return self._measures

    @property
    def level(self) -> Level:
        """The level itself, made again when it is asked for. The last few are kept: whoever walks over many does not
        fill the memory.
        """
        return self._search.level_of(self.seed, self._combination)

    def __repr__(self) -> str:
        numbers = ", ".join(f"{name} {value}" for name, value in {**self.params, **self.measures}.items())
        return f"<Found seed {self.seed}: {numbers}>"


class Search(Iterator[SearchHit]):
    """A search under way. It gives what it finds in the order of the seeds, and counts what it does not take.

    What was asked for is checked here, before anything is made; the work begins with the first `next`. When it ends or
    is closed, so do its workers.
    """

    def __init__(
        self,
        recipe: str | Path | Recipe,
        seeds: Iterable[int | str],
        *,
        until: str | Requirement | Sequence[str | Requirement] = (),
        take: int | None = None,
        sort: str = "",
        measures: Sequence[str] = (),
        vary: Mapping[str, tuple[Any, Any] | Sequence[Any]] | None = None,
        size: tuple[int, int] | None = None,
        params: Mapping[str, Any] | None = None,
        workers: int | None = None,
        memory: int | None = None,
        max_steps: int | None = None,
        max_cells: int | None = None,
        cancelled: Callable[[], bool] | None = None,
        progress: Callable[[Search], None] | None = None,
    ) -> None:
        if take is not None and (type(take) is not int or take < 1):
            raise BadInput(f"take is a whole number from 1, not {take!r}", fix="leave it out for all there are")
        by = str(sort).removeprefix("-")
        if sort in (None, "-"):
            raise BadInput(
                f"sort is a measure, with a minus before it for the smallest first, not {sort!r}",
                fix="for example 'loops' or '-loops'",
            )
        if isinstance(measures, str):
            raise BadInput(
                f"measures are a list of names, not {measures!r}", fix=f"for example measures=[{measures!r}]"
            )
        if isinstance(seeds, (int, str)):
            raise BadInput(f"seeds are a range or a list, not {seeds!r}", fix="for example range(100_000), or [7]")
        if isinstance(seeds, range) and seeds:
            seed_number(seeds[0]), seed_number(seeds[-1])
        self.recipe = recipe if isinstance(recipe, Recipe) else Recipe.load(recipe)
        self.wanted = self.recipe.combine_requirements(until)
        self.vary = Variation(self.recipe, vary or {})
        self.params = self._check_params(params or {})
        self.size = check_level_size(size or self.recipe.size, max_cells)
        self.options = {"max_steps": max_steps, "max_cells": max_cells}
        self._check_steps()
        self.take = take
        for name in (*measures, *filter(None, [by])):
            if str(name) not in MEASURES:
                raise unknown_name_error("measure", str(name), MEASURES)
        asked = [requirement for requirement in self.wanted if requirement not in self.recipe.require]
        self.measures: tuple[str, ...] = (
            tuple(dict.fromkeys((*filter(None, [by]), *(requirement.measure for requirement in asked), *measures)))
            or DEFAULT_MEASURES
        )
        """The measures that are told, in this order."""
        self.seeds = seeds
        self.tally: RequirementTally[tuple[int, int, int]] = RequirementTally(self.wanted)
        self.nothing: dict[str, int] = {}
        """For how many seeds there was no level at all, by reason."""
        self.unsorted = 0
        """Levels as required that have no such number as they should be sorted by."""
        self.poisoned: list[tuple[list[tuple[int, int]], str]] = []
        """What was given up since it killed its worker time and again: seeds with their combinations, and how it ended.
        """
        self.kept: list[SearchHit] = []
        """What was found so far: the first ones, or the best ones if they are sorted."""
        setup = {
            "recipe": encode_recipe(self.recipe, self.params),
            "params": self.params,
            "size": self.size,
            "options": self.options,
        }
        setup |= {
            "until": [requirement.text for requirement in asked],
            "measures": self.measures,
            "sort": by,
            "vary": self.vary.data(),
        }
        self.level_of = lru_cache(CACHED_LEVELS)(self._generate_level)
        """The level of a seed and a combination of parameters."""
        self._progress = progress
        self._paced = AdaptivePool(
            "search",
            setup,
            count_cores() if workers is None else workers,
            entry=ENTRY_MODULE,
            cells=self.size[0] * self.size[1],
            memory=memory,
            cancelled=cancelled,
        )
        self._found = (
            self._iterate_sorted(by, smallest_first=sort.startswith("-")) if sort else self._iterate_in_order()
        )

    def _check_params(self, params: Mapping[str, Any]) -> dict[str, Any]:
        for name in params:
            if name in self.vary.names:
                raise BadInput(f"{name} is set, and varies", fix="leave one of them out")
        return {name: value for name, value in self.recipe.values(params).items() if name in params}

    def _check_steps(self) -> None:
        """Refuse what suits no level, with some values of what varies."""
        if self.recipe.begins:
            raise BadInput(
                f"{self.recipe.name} needs a map to begin with, and a search has none",
                fix="search with a recipe that begins with rock",
            )
        for combination in {0, self.vary.combinations - 1}:
            self.recipe.prepare({**self.params, **self.vary.values(0, combination)}, *self.size)

    @property
    def tried(self) -> int:
        """Levels looked at so far. Those that workers did ahead of their turn are not counted, so that it is the same
        for any number of workers.
        """
        return self.tally.tried + sum(self.nothing.values())

    @property
    def rejected(self) -> dict[str, int]:
        """How often each requirement failed so far."""
        return self.tally.rejected

    @property
    def distance(self) -> float:
        """How far off the nearest level is."""
        return self.tally.distance

    @property
    def nearest(self) -> SearchHit | None:
        """The level that comes nearest to what is required, of those looked at so far."""
        return None if self.tally.nearest is None else SearchHit(self, *self.tally.nearest)

    @property
    def total(self) -> int | None:
        """How many levels there are to look at, if that is known."""
        if isinstance(self.seeds, range):  # its length may be too large for len()
            step = self.seeds.step
            count = max(0, (self.seeds.stop - self.seeds.start + step - (1 if step > 0 else -1)) // step)
        elif isinstance(self.seeds, Sized):
            count = len(self.seeds)
        else:
            return None
        return count * self.vary.combinations

    def __next__(self) -> SearchHit:
        return next(self._found)

    def _generate_level(self, seed: int, combination: int) -> Level:
        return generate_or_nearest(
            self.recipe, seed, self.size, {**self.params, **self.vary.values(seed, combination)}, **self.options
        )[0]

    def close(self) -> None:
        """Stop; the workers end."""
        self._found.close()

    def _iterate_in_order(self) -> Generator[SearchHit]:
        """Them in order, until there are enough. Then the workers end before the last one is given away."""
        rows = self._iterate_all()
        for found in rows:
            self.kept.append(found)
            if len(self.kept) == self.take:
                rows.close()
            yield found

    def _iterate_sorted(self, name: str, *, smallest_first: bool) -> Generator[SearchHit]:
        """The largest first, after all were looked at; equal ones in order, and none that has no such number."""

        def rank(found: SearchHit) -> float:
            value = found.measures[name]
            assert value is not None
            return value if smallest_first else -value

        for found in self._iterate_all():
            if found.measures[name] is None:
                self.unsorted += 1
                continue
            bisect.insort_right(self.kept, found, key=rank)
            del self.kept[self.take or len(self.kept) :]
        yield from self.kept

    def _iterate_all(self) -> Generator[SearchHit]:
        """What is found, in order; what is not is counted."""
        with contextlib.closing(self._paced.run(self._seed_combinations())) as outcomes:
            for done in outcomes:
                if self._progress is not None:
                    self._progress(self)
                if done.poisoned:
                    self.poisoned.append((done.task, done.poisoned))
                    continue
                for (seed, combination), (kind, about, more) in zip(done.task, done.value, strict=True):
                    if kind == NOTHING:
                        self.nothing[about] = self.nothing.get(about, 0) + 1
                    elif kind == FOUND:
                        self.tally.add(Verdict((), (), 0.0), (seed, combination, about))
                        yield SearchHit(self, seed, combination, about, dict(zip(self.measures, more, strict=True)))
                    else:
                        self.tally.add(Verdict(*more), (seed, combination, about))

    def _seed_combinations(self) -> Iterator[tuple[int, int]]:
        """Every seed with every combination of values, made as they are asked for: there may be very many."""
        return (
            (seed_number(seed), combination) for seed in self.seeds for combination in range(self.vary.combinations)
        )


def _measure_level(level: Level, names: Sequence[str]) -> dict[str, Number]:
    """Measures of a level; None where there is none, or it would take too long."""
    facts = Facts(level)
    return {name: measure_or_none(name, facts) for name in names}


def search(recipe: str | Path | Recipe, seeds: Iterable[int | str] = range(100_000), **options: Any) -> Search:
    """Look for seeds whose levels are as required; `until`, `take`, `workers` and the other options are those of
    `Search`.

    >>> for found in search("cave", range(1000), until="loops >= 9", take=2, size=(40, 20), workers=1):
    ...     print(found)
    <Found seed 0: loops 9>
    <Found seed 3: loops 11>
    """
    return Search(recipe, seeds, **options)
