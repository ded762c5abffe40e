"""Profile a recipe: the time and memory of each step, and how the time grows with the size of the level."""

from __future__ import annotations

import math
import time
import tracemalloc
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from itertools import pairwise, product
from pathlib import Path
from typing import Any, NamedTuple

from undercroft.bulk.processor_clock import choose_clock
from undercroft.core.level import check_level_size
from undercroft.errors import BadInput, TooBig, UndercroftError
from undercroft.recipe.document import Recipe
from undercroft.recipe.request import Request, require_seeds_alone
from undercroft.recipe.run import run_request

DEFAULT_SECONDS_PER_SIZE = 1.0
"""How many seconds levels of one size are made for, if the caller gives no seeds."""
MAX_LEVEL_SECONDS = 4.0
"""A size is skipped if one level of it is expected to take more seconds than this."""
MAX_LEVELS_PER_SIZE = 1000
"""The most levels of one size, if the caller gives no seeds."""
MEMORY_SAMPLES = 3
"""Levels whose memory is measured. Few are enough: levels of one size need about the same."""
SIDE_FACTORS = (0.5, 1, 2, 4)
"""Factors for both sides of the level: the sizes at which growth is measured."""
OVERHEAD, ALL = "overhead", "all"
"""Time outside the steps (checks, random streams, building the level, requirements), and the total."""

Size = tuple[int, int]


class SizeTiming:
    """The times of levels of one size."""

    def __init__(self, size: Size, steps: Sequence[str]) -> None:
        self.size = size
        self.levels = 0
        self.attempts = 0
        """The attempts of all levels together."""
        self._steps = dict.fromkeys(steps, 0.0)
        self._whole = 0.0

    @property
    def cells(self) -> int:
        return self.size[0] * self.size[1]

    @property
    def seconds(self) -> tuple[float, ...]:
        """The average seconds of a level: each step, the time outside the steps, and the total."""
        beside = self._whole - sum(self._steps.values())
        return tuple(total / self.levels for total in (*self._steps.values(), beside, self._whole))

    def add(self, marks: Sequence[tuple[str, float]], whole: float) -> None:
        """Add one level: the start time of each of its steps, and its total time."""
        self.levels += 1
        self._whole += whole
        for (step, since), (_, until) in pairwise(marks):
            if step:
                self._steps[step] += until - since
        self.attempts += sum(not step for step, _ in marks)


class ProfileProgress(NamedTuple):
    """The share of the work that is done, and what is measured now."""

    share: float
    about: str


class Profile:
    """The profile of a recipe. The constructor checks its arguments; `run` does the work and yields its progress.

    >>> profile = Profile("cave", size=(20, 10), seeds=range(2), sizes=[(40, 20), (20, 10)])
    >>> for share, about in profile.run():
    ...     assert 0 <= share <= 1
    >>> profile.names
    ('noise', 'automaton', 'join', 'survey', 'ends', 'overhead', 'all')
    >>> [(timed.size, timed.levels, len(timed.seconds)) for timed in profile.growth]
    [((20, 10), 2, 7), ((40, 20), 2, 7)]
    """

    def __init__(
        self,
        recipe: str | Path | Recipe,
        *,
        size: Size | None = None,
        seeds: range | None = None,
        sizes: Sequence[Size] | None = None,
        params: Mapping[str, Any] | None = None,
    ) -> None:
        self.recipe = recipe if isinstance(recipe, Recipe) else Recipe.load(recipe)
        require_seeds_alone(self.recipe, "profile a recipe that begins with rock")
        if seeds is not None and not len(seeds):
            raise BadInput("there are no seeds to make levels of", fix="for example range(100)")
        self.request = Request(self.recipe, size=size, params=params)
        """The request for each seed, at the size of the profile."""
        self.params, self.size = dict(self.request.params), self.request.size
        self.seeds = range(MAX_LEVELS_PER_SIZE) if seeds is None else seeds
        self._seconds = DEFAULT_SECONDS_PER_SIZE if seeds is None else math.inf
        self.names = (*(plan.id for plan in self.recipe.plans), OVERHEAD, ALL)
        """The names of the entries of `SizeTiming.seconds`."""
        self.growth: list[SizeTiming] = []
        """The times of each size, the smallest first."""
        self.left_out: dict[Size, str] = {}
        """Sizes that were skipped, and why."""
        self.without: dict[str, int] = {}
        """How many seeds gave no level at the size of the profile, by reason."""
        self.peaks: dict[str, int] = {}
        """The peak bytes of each step, above the memory in use when it began."""
        self.peak = 0
        """The same for the whole level."""
        found = self._nearby_sizes() if sizes is None else [self._fit_size(check_level_size(size)) for size in sizes]
        self._others = sorted({*found} - {self.size}, key=lambda size: (size[0] * size[1], size))

    @property
    def label(self) -> str:
        """The recipe and the parameters that were set."""
        return self.request.label

    @property
    def timing(self) -> SizeTiming | None:
        """The times at the size of the profile; None if there is no level yet."""
        return next((timed for timed in self.growth if timed.size == self.size), None)

    def growth_exponent(self, place: int) -> float | None:
        """How the seconds of entry `place` grow with the cells: 1 if twice the cells take twice as long, 2 if four
        times. None if there are not two sizes.

        The two largest sizes decide: in small levels the fixed cost of each step hides how it grows.
        """
        known = [timed for timed in self.growth if timed.seconds[place] > 0]
        if len(known) < 2 or known[-2].cells == known[-1].cells:
            return None
        return math.log(known[-1].seconds[place] / known[-2].seconds[place]) / math.log(
            known[-1].cells / known[-2].cells
        )

    def run(self) -> Generator[ProfileProgress]:
        """Time levels at the size of the profile, measure the memory of some, then time the other sizes, the smallest
        first.
        """
        parts = len(self._others) + 2
        yield from (ProfileProgress(share / parts, format_size(self.size)) for share in self._time_levels(self.size))
        yield from (ProfileProgress((1 + share) / parts, "memory") for share in self._measure_memory())
        for part, size in enumerate(self._others, 2):
            if not self._takes_long(size):
                yield from (
                    ProfileProgress((part + share) / parts, format_size(size)) for share in self._time_levels(size)
                )

    def _nearby_sizes(self) -> list[Size]:
        """Sizes around that of the profile, without those that the recipe cannot have."""
        found = []
        for times in SIDE_FACTORS:
            size = max(1, round(self.size[0] * times)), max(1, round(self.size[1] * times))
            try:
                found.append(self._fit_size(size))
            except TooBig:
                self.left_out[size] = "more cells than a level may have"
            except BadInput as error:
                self.left_out[size] = error.problem
        return found

    def _fit_size(self, size: Size) -> Size:
        """The size, or one that is a cell wider or higher if the recipe needs it, as with odd sides of a plugin."""
        errors: list[UndercroftError] = []
        for right, down in product((0, 1), repeat=2):
            try:
                wide, high = check_level_size((size[0] + right, size[1] + down))
                self.recipe.prepare(self.params, wide, high)
            except UndercroftError as error:
                errors.append(error)
            else:
                return wide, high
        raise errors[0]

    def _takes_long(self, size: Size) -> bool:
        """Whether a level of that size is expected to take too long, judged by the largest size so far. Such a size is
        skipped, unless the caller gave seeds.
        """
        if not self.growth or self._seconds == math.inf:
            return False
        known = self.growth[-1]
        likely: float = known.seconds[-1] * (size[0] * size[1] / known.cells) ** max(
            1.0, self.growth_exponent(-1) or 1.0
        )
        if likely > MAX_LEVEL_SECONDS:
            self.left_out[size] = f"a level would take about {likely:,.0f} seconds"
        return likely > MAX_LEVEL_SECONDS

    def _time_levels(self, size: Size) -> Iterator[float]:
        """Make levels of a size one after the other, and yield the share that is done."""
        timed, now = SizeTiming(size, self.names[:-2]), choose_clock()
        without: dict[str, int] = {}
        request = self.request if size == self.size else Request(self.recipe, size=size, params=self.params)
        if size == self.size:  # the first run also loads code: it is not timed
            self._try_level(request.for_seed(self.seeds[0]), lambda _: None)
        start_time = time.monotonic()
        for number, seed in enumerate(self.seeds, 1):
            marks: list[tuple[str, float]] = []
            start = now()
            if reason := self._try_level(
                request.for_seed(seed),
                lambda step, marks=marks: marks.append((step, now())),  # type: ignore[misc]
            ):
                without[reason] = without.get(reason, 0) + 1
            else:
                timed.add(marks, now() - start)
                if timed.levels == 1:  # an interrupted profile has at least this one
                    self.growth = sorted([*self.growth, timed], key=lambda timed: timed.cells)
            share = max(number / len(self.seeds), (time.monotonic() - start_time) / self._seconds)
            yield min(share, 1.0)
            if share >= 1:
                break
        if size == self.size:
            self.without = without
        elif not timed.levels:
            self.left_out[size] = f"of {sum(without.values()):,} seeds none gave a level ({', '.join(without)})"

    def _try_level(self, request: Request, on_step: Callable[[str], None]) -> str:
        """Make a level. Return why there is none, or an empty string if there is one."""
        try:
            outcome = run_request(request, on_step=on_step)
        except BadInput as error:  # some steps detect only while they run that a size does not suit them
            if request.size == self.size:
                raise
            return error.problem.partition("\n")[0]
        if outcome.error is None:
            return ""
        return "took too many steps" if outcome.is_out_of_budget else "could not be made as required"

    def _measure_memory(self) -> Iterator[float]:
        """Make a few more levels and measure their memory. Tracing slows them down, so they are not timed."""
        seeds = self.seeds[:MEMORY_SAMPLES]
        had = tracemalloc.is_tracing()
        if not had:
            tracemalloc.start()
        try:
            for number, seed in enumerate(seeds, 1):
                self._measure_level_memory(seed)
                yield number / len(seeds)
        finally:
            if not had:
                tracemalloc.stop()

    def _measure_level_memory(self, seed: int) -> None:
        """Measure one level: the peak of each step above the memory in use when it began."""
        tracemalloc.reset_peak()
        first = before = tracemalloc.get_traced_memory()[0]
        at, highest = "", 0

        def record_peak(step: str) -> None:
            nonlocal at, before, highest
            now, peak = tracemalloc.get_traced_memory()
            highest = max(highest, peak)
            if at:
                self.peaks[at] = max(self.peaks.get(at, 0), peak - before)
            at, before = step, now
            tracemalloc.reset_peak()

        if not self._try_level(self.request.for_seed(seed), record_peak):
            record_peak("")
            self.peak = max(self.peak, highest - first)


def format_size(size: Size) -> str:
    """A size as text, such as 80x50."""
    return f"{size[0]}x{size[1]}"
