"""Search seeds and parameters for levels that meet requirements. The result is the same for any number of workers."""

from __future__ import annotations

import bisect
import contextlib
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence, Sized
from functools import lru_cache
from pathlib import Path
from typing import Any

from undercroft.analysis.measures.table import Facts, Number, check_measures
from undercroft.analysis.tally import RequirementTally, Verdict
from undercroft.bulk import ENTRY_MODULE
from undercroft.bulk.measure.one_level import measure_or_none
from undercroft.bulk.search.search_work import FOUND, NOTHING
from undercroft.bulk.used_parts import check_worker_parts
from undercroft.bulk.workers.adaptive import AdaptivePool
from undercroft.bulk.workers.pool import count_cores
from undercroft.core.level import Level
from undercroft.core.rng import seed_number
from undercroft.errors import BadInput
from undercroft.inputs.arguments import is_list, require_callable, require_table
from undercroft.recipe.document import Recipe
from undercroft.recipe.request import DEFAULT_SEARCH_TRIES, Request, Until, require_seeds_alone
from undercroft.recipe.run import run_request
from undercroft.recipe.variation import Variation
from undercroft.wording import format_value_briefly

CACHED_LEVELS = 8
"""How many levels of hits are cached."""
DEFAULT_MEASURES = ("density", "rooms", "loops", "path_length")
"""The measures of a hit, if the caller names none."""


class SearchHit:
    """A level that was found, or the nearest one: its seed, and everything needed to make it again."""

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
        """The measures of the level."""
        if self._measures is None:
            self._measures = _measure_level(self.level, self._search.measures)
        return self._measures

    @property
    def level(self) -> Level:
        """The level itself, made again on access. Only the last few are cached, so that iterating over many hits does
        not fill the memory.
        """
        return self._search.level_of(self.seed, self._combination)

    def __repr__(self) -> str:
        numbers = ", ".join(f"{name} {value}" for name, value in {**self.params, **self.measures}.items())
        return f"<Found seed {self.seed}: {numbers}>"


class Search(Iterator[SearchHit]):
    """A running search: iterating over it yields the hits in the order of the seeds, and counts the other levels.

    The constructor checks the request before anything is made. The work starts with the first `next`. The workers end
    with the iterator.
    """

    def __init__(
        self,
        recipe: str | Path | Recipe,
        seeds: Iterable[int | str],
        *,
        until: Until = (),
        take: int | None = None,
        sort: str = "",
        measures: Sequence[str] = (),
        vary: Mapping[str, tuple[Any, Any] | Sequence[Any]] | None = None,
        size: tuple[int, int] | None = None,
        params: Mapping[str, Any] | None = None,
        tries: int = DEFAULT_SEARCH_TRIES,
        workers: int | None = None,
        memory: int | None = None,
        max_steps: int | None = None,
        max_cells: int | None = None,
        cancelled: Callable[[], bool] | None = None,
        progress: Callable[[Search], None] | None = None,
    ) -> None:
        if take is not None and (type(take) is not int or take < 1):
            raise BadInput(
                f"take is a whole number from 1, not {format_value_briefly(take)}", fix="leave it out for all there are"
            )
        order: Any = sort
        by = order.removeprefix("-") if isinstance(order, str) else ""
        if not isinstance(order, str) or order == "-":
            raise BadInput(
                f"sort is a measure, with a minus before it for the smallest first, not {format_value_briefly(sort)}",
                fix="for example 'loops' or '-loops'",
            )
        sorted_by, named = check_measures([by] if by else []), check_measures(measures)
        if not is_list(seeds):
            raise BadInput(
                f"seeds are a range or a list, not {format_value_briefly(seeds)}",
                fix="for example range(100_000), or [7]",
            )
        if isinstance(seeds, range) and seeds:
            seed_number(seeds[0]), seed_number(seeds[-1])
        self.recipe = recipe if isinstance(recipe, Recipe) else Recipe.load(recipe)
        self.wanted = self.recipe.combine_requirements(until)
        self.vary = Variation(self.recipe, {} if vary is None else vary)
        require_seeds_alone(self.recipe, "search with a recipe that begins with rock")
        if params is not None:
            require_table("params", params, 'for example params={"fill_prob": 0.4}')
        require_callable("cancelled", cancelled)
        require_callable("progress", progress)
        for name in params or {}:
            if name in self.vary.names:
                raise BadInput(f"{name} is set, and varies", fix="leave one of them out")
        self.request = Request(
            self.recipe, size=size, params=params, tries=tries, max_steps=max_steps, max_cells=max_cells
        )
        """The request for each seed. Requirements beside the recipe's own are checked afterwards."""
        for combination in {0, self.vary.combinations - 1}:  # raise for parameters that suit no level
            self.request.for_seed(0, self.vary.values(0, combination))
        self.take = take
        extra_requirements = [requirement for requirement in self.wanted if requirement not in self.recipe.require]
        self.measures: tuple[str, ...] = (
            tuple(dict.fromkeys((*sorted_by, *(requirement.measure for requirement in extra_requirements), *named)))
            or DEFAULT_MEASURES
        )
        """The measures of a hit, in this order."""
        self.seeds = seeds
        self.tally: RequirementTally[tuple[int, int, int]] = RequirementTally(self.wanted)
        self.nothing: dict[str, int] = {}
        """How many seeds have no level at all, by reason."""
        self.unsorted = 0
        """Levels that meet the requirements, but have no number to sort by."""
        self.poisoned: list[tuple[list[tuple[int, int]], str]] = []
        """What was given up because its worker died each time: seeds with their combinations, and how the worker ended.
        """
        self.kept: list[SearchHit] = []
        """The hits so far: the first ones, or the best ones if they are sorted."""
        setup = {
            "request": self.request.data(),
            "until": [requirement.text for requirement in extra_requirements],
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
            cells=self.request.size[0] * self.request.size[1],
            memory=memory,
            cancelled=cancelled,
        )
        if not self._paced.is_here:
            check_worker_parts(self.request, [*self.measures, *(requirement.measure for requirement in self.wanted)])
        self._found = (
            self._iterate_sorted(by, smallest_first=sort.startswith("-")) if sort else self._iterate_in_order()
        )

    @property
    def size(self) -> tuple[int, int]:
        """The size of the levels."""
        return self.request.size

    @property
    def params(self) -> dict[str, Any]:
        """The parameters that were set."""
        return dict(self.request.params)

    @property
    def tried(self) -> int:
        """Levels tried so far. Levels that workers made ahead of their turn do not count, so that the number is the
        same for any number of workers.
        """
        return self.tally.tried + sum(self.nothing.values())

    @property
    def finished_seeds(self) -> int:
        """How many seeds are finished, from the first, with all their combinations. A search that was stopped goes on
        with the others: with `seeds[finished_seeds:]` of a range or a list.
        """
        given_up = sum(len(task) for task, _ in self.poisoned)
        return (self.tried + given_up) // self.vary.combinations

    @property
    def rejected(self) -> dict[str, int]:
        """How often each requirement failed so far."""
        return self.tally.rejected

    @property
    def distance(self) -> float:
        """The distance of the nearest level from the requirements."""
        return self.tally.distance

    @property
    def nearest(self) -> SearchHit | None:
        """The level that comes nearest to the requirements, of those tried so far."""
        return None if self.tally.nearest is None else SearchHit(self, *self.tally.nearest)

    @property
    def total(self) -> int | None:
        """How many levels there are to try, if that is known."""
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
        outcome = run_request(self.request.for_seed(seed, self.vary.values(seed, combination)))
        return outcome.unwrap().level if outcome.level is None else outcome.level

    def close(self) -> None:
        """Stop, and end the workers."""
        self._found.close()

    def _iterate_in_order(self) -> Generator[SearchHit]:
        """The hits in order, until there are enough. The workers end before the last one is yielded."""
        rows = self._iterate_all()
        for found in rows:
            self.kept.append(found)
            if len(self.kept) == self.take:
                rows.close()
            yield found

    def _iterate_sorted(self, name: str, *, smallest_first: bool) -> Generator[SearchHit]:
        """The hits sorted, after all were tried; equal ones in order, without those that have no number to sort by."""

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
        """All hits, in order; other levels are counted."""
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
        """Every seed with every combination of values, lazily: there may be very many."""
        return (
            (seed_number(seed), combination) for seed in self.seeds for combination in range(self.vary.combinations)
        )


def _measure_level(level: Level, names: Sequence[str]) -> dict[str, Number]:
    """Measures of a level; None where there is no number, or it would take too long."""
    facts = Facts(level)
    return {name: measure_or_none(name, facts) for name in names}


def search(recipe: str | Path | Recipe, seeds: Iterable[int | str] = range(100_000), **options: Any) -> Search:
    """Search for seeds whose levels meet requirements; `until`, `take`, `workers` and the other options are those of
    `Search`.

    >>> for found in search("cave", range(1000), until="loops >= 9", take=2, size=(40, 20), workers=1):
    ...     print(found)
    <Found seed 0: loops 9>
    <Found seed 3: loops 11>
    """
    return Search(recipe, seeds, **options)
