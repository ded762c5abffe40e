"""Measures: all of them against generating a cave, and the two for large maps against SciPy and plain searches in C."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING

import numpy as np

from benchmarks import floors, ours
from benchmarks.checks import Checks, DisagreementError
from benchmarks.contest import Entry, Row, format_size, timed
from benchmarks.figures import Figure
from benchmarks.peers import arrays
from benchmarks.works import OURS, Rock, Size, hall, odd, on, own, seeded, too_slow

if TYPE_CHECKING:
    from undercroft import Level

SMALL, MIDDLE, HUGE = (80, 50), (512, 512), (4096, 4096)
MAKING = "undercroft, making a cave"
FLOOR = "SciPy label, four searches in C"
RECIPES = ("cave", "rooms-and-mazes", "bsp")


@cache
def level(recipe: str, size: Size) -> "Level":
    """A level to measure; rooms and mazes have odd sides."""
    import undercroft

    return undercroft.generate(recipe, seed=1, size=odd([size])[0] if recipe == "rooms-and-mazes" else size)


def measured(of: "Level", *names: str) -> dict[str, int | float | None]:
    """Compute measures without precomputed facts."""
    import undercroft

    return undercroft.measure(of, *names)


def all_measures(sizes: Sequence[Size]) -> Iterator[Entry]:
    """All measures of levels by three recipes; beside them, the cost of generating a cave of that size."""
    for size in own((SMALL, MIDDLE), sizes):
        entry = partial(Entry, work="measures", size=size)
        yield entry(contender=MAKING, run=seeded(ours.cave, size), skip=too_slow(size))
        for recipe in RECIPES:
            yield entry(contender=_all(recipe), run=on(partial(level, recipe), size, measured), skip=too_slow(size))


def each_measure(sizes: Sequence[Size]) -> Iterator[Entry]:
    """Each measure of a dungeon alone, with all the facts it needs."""
    from undercroft.analysis.measures.table import MEASURES

    for size in own((SMALL, MIDDLE), sizes):
        for name in MEASURES:
            run = on(partial(level, "rooms-and-mazes"), size, measured, name)
            yield Entry(work="measure", size=size, contender=f"undercroft, {name}", run=run, skip=too_slow(size))


def long_ways(sizes: Sequence[Size]) -> Iterator[Entry]:
    """The number of parts of a wide cave and its longest shortest path: by our code, and by the plain method."""
    for size in own((SMALL, MIDDLE, HUGE), sizes):
        entry = partial(Entry, work="long ways", size=size)
        yield entry(contender=OURS, run=on(_cave, size, measured, "components", "longest_path"), skip=too_slow(size))
        yield entry(contender=FLOOR, run=_plain(size))


@cache
def _cave(size: Size) -> "Level":
    return ours.level_of_rock(hall(size)[0])


def _plain(size: Size) -> Callable[[int], float]:
    def run(times: int) -> float:
        rock, cell = hall(size)
        return timed(lambda: plain(rock, cell))(times)

    return run


def plain(rock: Rock, cell: int) -> tuple[int, int]:
    """SciPy counts the parts; four searches in C go to the farthest cell, again, from the middle of that path, and
    again.
    """
    _, count = arrays.labels(rock)
    first = floors.distances(rock, cell)
    begin = int(first.argmax())
    second = floors.distances(rock, begin)
    third = floors.distances(rock, _halfway(second))
    fourth = floors.distances(rock, int(third.argmax()))
    return count, max(int(second.max()), int(fourth.max()))


def _halfway(steps: floors.Cells) -> int:
    """The cell in the middle of the path back from the farthest."""
    width = steps.shape[1]
    flat = steps.reshape(-1)
    cell = int(flat.argmax())
    for far in range(int(flat[cell]) - 1, int(flat[cell]) // 2 - 1, -1):
        cell = next(near for near in (cell - width, cell - 1, cell + 1, cell + width) if flat[near] == far)
    return cell


def agree() -> Iterator[str]:
    """Check that both give the same parts and nearly the same longest path: where several cells are farthest, each
    takes another one.
    """
    for size in (SMALL, (300, 200), MIDDLE):
        rock, cell = hall(size)
        count, longest = plain(rock, cell)
        mine = measured(ours.level_of_rock(rock), "components", "longest_path", "diameter")
        exact = int(mine["diameter"] or 0)
        if mine["components"] != count or not all(
            0.9 * exact <= way <= exact for way in (longest, int(mine["longest_path"] or 0))
        ):
            raise DisagreementError(
                f"long ways {format_size(size)}: undercroft says {mine}, the plain way {count} and {longest}"
            )
        if size == SMALL and exact != _brute(rock):
            raise DisagreementError("measures: the diameter is not that of all searches")
    yield "long ways: as many parts, and nine tenths of the longest way or more"
    yield "measures: the diameter of a small cave is that of a search from every cell"


def _brute(rock: Rock) -> int:
    return max(int(floors.distances(rock, int(cell)).max()) for cell in np.flatnonzero(rock.reshape(-1) == 0))


def figures(rows: Iterable[Row]) -> Iterator[Figure]:
    """The target figures."""
    times = {(row.work, row.size, row.contender): row.median for row in rows}

    def ratio(work: str, size: Size, mine: str, theirs: str) -> float | None:
        above, below = times.get((work, size, mine)), times.get((work, size, theirs))
        return above / below if above and below else None

    for recipe in RECIPES:
        yield Figure(
            f"all measures of {recipe} {format_size(SMALL)}: under 20 times the making of a cave",
            ratio("measures", SMALL, _all(recipe), MAKING),
            20,
        )
    promise = f"components and longest_path {format_size(HUGE)}: at most 2 times {FLOOR}"
    yield Figure(promise, ratio("long ways", HUGE, OURS, FLOOR), 2)


def _all(recipe: str) -> str:
    return f"undercroft, all of {recipe}"


WORKS: dict[str, Callable[[Sequence[Size]], Iterator[Entry]]] = {
    "measures": all_measures,
    "measure": each_measure,
    "long ways": long_ways,
}
CHECKS: Checks = ((("measures", "long ways"), agree),)
