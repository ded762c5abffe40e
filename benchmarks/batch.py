"""Many levels, one after the other: the overhead of one besides its steps, and levels per second with the measures of a
batch. Times are processor time, since the rates are those of one core.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from itertools import count, pairwise
from typing import TYPE_CHECKING

from benchmarks.checks import Checks, DisagreementError
from benchmarks.contest import Entry, Row, format_size
from benchmarks.figures import Figure
from benchmarks.works import Size, own, seeded, too_slow

if TYPE_CHECKING:
    from undercroft import Recipe

SMALL = (80, 50)
WHOLE, BESIDE, MEASURED = "undercroft, a level", "undercroft, beside its steps", "undercroft, a level and five measures"
MEASURES = ("density", "path_length", "loops", "dead_ends", "components")


@cache
def cave() -> "Recipe":
    """The recipe."""
    import undercroft

    return undercroft.Recipe.load("cave")


def make_level(width: int, height: int, seed: int) -> object:
    """A level, as a batch asks for it."""
    return cave().generate(seed=seed, size=(width, height))


def measured(width: int, height: int, seed: int) -> dict[str, int | float | None]:
    """The same, and its measures."""
    import undercroft

    facts = cave().generate(seed=seed, size=(width, height)).facts
    assert facts is not None
    return undercroft.measure(facts, *MEASURES)


def beside(size: Size) -> Callable[[int], float]:
    """Time the work before the first step of a level and after the last, over the seeds 1, 2, 3 and so on."""
    seeds = count(1)

    def one() -> float:
        marks: list[tuple[str, float]] = []
        start = time.thread_time()
        cave().generate(seed=next(seeds), size=size, on_step=lambda step: marks.append((step, time.thread_time())))
        whole = time.thread_time() - start
        return whole - sum(until - since for (step, since), (_, until) in pairwise(marks) if step)

    return lambda times: sum(one() for _ in range(times)) / times


def overhead(sizes: Sequence[Size]) -> Iterator[Entry]:
    """A cave; the part of its time outside the steps; and a cave with the measures that a batch writes."""
    for size in own((SMALL,), sizes):
        entry = partial(Entry, work="overhead", size=size, skip=too_slow(size))
        yield entry(contender=WHOLE, run=seeded(make_level, size, time.thread_time))
        yield entry(contender=BESIDE, run=beside(size))
        yield entry(contender=MEASURED, run=seeded(measured, size, time.thread_time))


def agree() -> Iterator[str]:
    """Check that a watcher of the steps gets the same levels, and that precomputed facts give the same numbers."""
    import undercroft

    for seed in range(50):
        level = cave().generate(seed=seed, size=SMALL).level
        if cave().generate(seed=seed, size=SMALL, on_step=lambda _: None).level != level or measured(
            *SMALL, seed
        ) != undercroft.measure(level, *MEASURES):
            raise DisagreementError(f"overhead: the cave of seed {seed} is another")
    yield "overhead: the same caves and numbers, told of or not"


def figures(rows: Iterable[Row]) -> Iterator[Figure]:
    """The target figures."""
    times = {(row.work, row.size, row.contender): row.median for row in rows}
    spent, whole = times.get(("overhead", SMALL, BESIDE)), times.get(("overhead", SMALL, MEASURED))
    yield Figure(
        f"cave {format_size(SMALL)}: under 150 microseconds beside the steps", spent * 1e6 if spent else None, 150, "µs"
    )
    yield Figure(
        f"cave {format_size(SMALL)} with five measures: at least 2,300 a second on one core",
        1 / whole if whole else None,
        2300,
        "a second",
        at_least=True,
    )


WORKS: dict[str, Callable[[Sequence[Size]], Iterator[Entry]]] = {"overhead": overhead}
CHECKS: Checks = ((("overhead",), agree),)
