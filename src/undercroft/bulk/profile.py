"""Where a recipe spends its time: seconds and memory of each step, and how the seconds grow with the size of the
level.
"""

from __future__ import annotations

import math
import time
import tracemalloc
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from itertools import pairwise, product
from pathlib import Path
from typing import Any, NamedTuple

from undercroft.core.level import check_level_size
from undercroft.errors import BadInput, TooBig, UndercroftError
from undercroft.recipe.document import Recipe
from undercroft.recipe.request import Request, require_seeds_alone
from undercroft.recipe.run import run_request

DEFAULT_SECONDS_PER_SIZE = 1.0
"""How long levels of one size are made, if nobody says how many."""
MAX_LEVEL_SECONDS = 4.0
"""A size is left out if a single level of it is likely to take more seconds than that."""
MAX_LEVELS_PER_SIZE = 1000
"""Levels of one size, if nobody says how many."""
MEMORY_SAMPLES = 3
"""Levels whose memory is looked at: all of a size take about as much."""
SIDE_FACTORS = (0.5, 1, 2, 4)
"""By how many times each side is longer, for the sizes over which growth is shown."""
OVERHEAD, ALL = "overhead", "all"
"""What is spent beside the steps (checks, streams of numbers, the level itself, its requirements), and all of it."""
MAX_CLOCK_RESOLUTION = 1e-6
"""A clock of the processor's time that is coarser than this is of no use for steps."""

Size = tuple[int, int]


def choose_clock() -> Callable[[], float]:
    """The seconds that this thread has worked, so that other programs do not count; where there is no such clock that
    is fine enough, those on the wall.
    """
    fine = time.get_clock_info("thread_time").resolution <= MAX_CLOCK_RESOLUTION
    return time.thread_time if fine else time.perf_counter


class SizeTiming:
    """What levels of one size took."""

    def __init__(self, size: Size, steps: Sequence[str]) -> None:
        self.size = size
        self.levels = 0
        self.attempts = 0
        """Of all levels together."""
        self._steps = dict.fromkeys(steps, 0.0)
        self._whole = 0.0

    @property
    def cells(self) -> int:
        return self.size[0] * self.size[1]

    @property
    def seconds(self) -> tuple[float, ...]:
        """What a level took on the average: each of its steps, what is spent beside them, and all of it."""
        beside = self._whole - sum(self._steps.values())
        return tuple(spent / self.levels for spent in (*self._steps.values(), beside, self._whole))

    def add(self, marks: Sequence[tuple[str, float]], whole: float) -> None:
        """One level more: when which of its steps began, and how long all took."""
        self.levels += 1
        self._whole += whole
        for (step, since), (_, until) in pairwise(marks):
            if step:
                self._steps[step] += until - since
        self.attempts += sum(not step for step, _ in marks)


class ProfileProgress(NamedTuple):
    """How far it has come, and what it is about now."""

    share: float
    about: str


class Profile:
    """A recipe being looked at. What was asked for is checked here; `run` does the work, and tells how far it has come.

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
        """What is asked of each seed, at the size that is looked at."""
        self.params, self.size = dict(params or {}), self.request.size
        self.seeds = range(MAX_LEVELS_PER_SIZE) if seeds is None else seeds
        self._seconds = DEFAULT_SECONDS_PER_SIZE if seeds is None else math.inf
        self.names = (*(plan.id for plan in self.recipe.plans), OVERHEAD, ALL)
        """What took the seconds of a `SizeTiming`."""
        self.growth: list[SizeTiming] = []
        """What levels of each size took, the smallest first."""
        self.left_out: dict[Size, str] = {}
        """Sizes that are not among them, and why."""
        self.without: dict[str, int] = {}
        """For how many seeds there is no level of the size that is looked at, by reason."""
        self.peaks: dict[str, int] = {}
        """The bytes that each step held at most, over what there was before it."""
        self.peak = 0
        """The same for the whole level."""
        found = self._nearby_sizes() if sizes is None else [self._fit_size(check_level_size(size)) for size in sizes]
        self._others = sorted({*found} - {self.size}, key=lambda size: (size[0] * size[1], size))

    @property
    def label(self) -> str:
        """The recipe and what was set."""
        return " ".join([self.recipe.name, *(f"{name}={value}" for name, value in self.params.items())])

    @property
    def timing(self) -> SizeTiming | None:
        """What levels of the size that is looked at took; None if there is none so far."""
        return next((timed for timed in self.growth if timed.size == self.size), None)

    def growth_exponent(self, place: int) -> float | None:
        """How the seconds at that place grow with the cells: 1 if twice as many take twice as long, 2 if four times.
        None if there are not two sizes.

        It is told by the two largest sizes: in small levels, what each step costs once hides how it grows.
        """
        known = [timed for timed in self.growth if timed.seconds[place] > 0]
        if len(known) < 2 or known[-2].cells == known[-1].cells:
            return None
        return math.log(known[-1].seconds[place] / known[-2].seconds[place]) / math.log(
            known[-1].cells / known[-2].cells
        )

    def run(self) -> Generator[ProfileProgress]:
        """Make levels of the size that is looked at, look at the memory of some, and make levels of the other sizes,
        the smallest first.
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
        """Sizes around the one that is looked at; those that suit no level are left out."""
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
        """The size, or one that is a cell wider or higher if the recipe takes only that: mazes have odd sides."""
        refused: list[UndercroftError] = []
        for right, down in product((0, 1), repeat=2):
            try:
                wide, high = check_level_size((size[0] + right, size[1] + down))
                self.recipe.prepare(self.params, wide, high)
            except UndercroftError as error:
                refused.append(error)
            else:
                return wide, high
        raise refused[0]

    def _takes_long(self, size: Size) -> bool:
        """Whether a level of that size is likely to take too long, to go by the largest so far. Then it is left out;
        but not if its seeds were asked for.
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
        """Make levels of a size one after the other, and give the share of them that is done."""
        timed, now = SizeTiming(size, self.names[:-2]), choose_clock()
        without: dict[str, int] = {}
        request = self.request if size == self.size else Request(self.recipe, size=size, params=self.params)
        if size == self.size:  # the first run also loads code: it is not timed
            self._try_level(request.for_seed(self.seeds[0]), lambda _: None)
        begun = time.monotonic()
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
                if timed.levels == 1:  # whoever interrupts has at least that
                    self.growth = sorted([*self.growth, timed], key=lambda timed: timed.cells)
            share = max(number / len(self.seeds), (time.monotonic() - begun) / self._seconds)
            yield min(share, 1.0)
            if share >= 1:
                break
        if size == self.size:
            self.without = without
        elif not timed.levels:
            self.left_out[size] = f"of {sum(without.values()):,} seeds none gave a level ({', '.join(without)})"

    def _try_level(self, request: Request, on_step: Callable[[str], None]) -> str:
        """Make a level, and return why there is none; empty if there is one."""
        try:
            outcome = run_request(request, on_step=on_step)
        except BadInput as error:  # some steps see only at work that a size does not suit them
            if request.size == self.size:
                raise
            return error.problem.partition("\n")[0]
        if outcome.error is None:
            return ""
        return "took too many steps" if outcome.is_out_of_budget else "could not be made as required"

    def _measure_memory(self) -> Iterator[float]:
        """Make a few levels more, and see what memory they take: that slows them down, so that they are not timed."""
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
        """The memory of one level: the peak of each step over what there was when it began."""
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
    """A size as people write it."""
    return f"{size[0]}x{size[1]}"
