"""Searching seeds with one worker and with two: whole searches, including the start of the workers."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from benchmarks.checks import Checks, DisagreementError
from benchmarks.contest import Entry, Row, format_size, timed
from benchmarks.figures import Figure
from benchmarks.works import Size, own

ONE, TWO = "undercroft, one worker", "undercroft, two workers"
LEVELS: dict[Size, int] = {(80, 50): 20_000, (256, 256): 4_000}
"""The number of levels to test: enough that the start of the workers is a small part of it."""
UNTIL = ("loops >= 100000", "path_length >= 1")
"""No level meets it, so that all are tested."""


def search(recipe: str, size: Size, levels: int, workers: int) -> tuple[int, object, float, int]:
    """Search so many levels; returns everything that the search reports about them."""
    import undercroft

    looking = undercroft.search(recipe, range(levels), until=UNTIL, size=size, workers=workers)
    found = sum(1 for _ in looking)
    nearest = looking.nearest
    return found, looking.rejected, looking.distance, nearest.seed if nearest else -1


def caves(sizes: Sequence[Size]) -> Iterator[Entry]:
    """The recipe `cave`, with two measures of each level."""
    for size in own(tuple(LEVELS), sizes):
        for contender, workers in ((ONE, 1), (TWO, 2)):
            run = timed(partial(search, "cave", size, LEVELS[size], workers))
            yield Entry(work="search", size=size, contender=contender, run=run, facts=partial(_levels, size))


def _levels(size: Size) -> dict[str, float]:
    return {"levels": LEVELS[size]}


def agree() -> Iterator[str]:
    """Check that both report the same."""
    answers = [search("cave", (80, 50), 1500, workers) for workers in (1, 2)]
    if answers[0] != answers[1]:
        raise DisagreementError(f"search: one worker says {answers[0]}, two say {answers[1]}")
    yield "search: one worker and two count the same failures and find the same nearest level"


def figures(rows: Iterable[Row]) -> Iterator[Figure]:
    """The target figure: two workers are nearly twice as fast."""
    times = {(row.size, row.contender): row.median for row in rows}
    for size, levels in LEVELS.items():
        one, two = times.get((size, ONE)), times.get((size, TWO))
        promise = f"search {format_size(size)}, {levels:,} levels: two workers at least 1.7 times as quick as one"
        yield Figure(promise, one / two if one and two else None, 1.7, at_least=True)


WORKS: dict[str, Callable[[Sequence[Size]], Iterator[Entry]]] = {"search": caves}
CHECKS: Checks = ((("search",), agree),)
