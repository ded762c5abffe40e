"""The figures of the classic methods."""

from collections.abc import Iterable, Iterator

from benchmarks.classic.methods import MANY, RECIPES
from benchmarks.classic.works import (
    ALONE,
    HUGE,
    LARGE,
    MARKED,
    MAZES,
    MIDDLE,
    PYTHON,
    SCATTER_TO_HALLWAYS,
    SCIPY,
    SMALL,
    STOPPED,
    TCOD,
    TO_HALLWAYS,
    WALK_ALONE,
)
from benchmarks.contest import Row, format_size
from benchmarks.figures import Figure, growth, no_slower
from benchmarks.works import NOWHERE, OURS, PLAIN, TILES_ONLY, UNIFORM, Size, odd

GROWING = ALONE["growing"]

FASTER = (
    ("bsp", TO_HALLWAYS, TCOD),
    ("bsp", OURS, TCOD),
    ("dungeoning", OURS, STOPPED),
    *(("mazes", mine, theirs) for theirs in MAZES for mine in (GROWING, OURS)),
)
"""At 512x512: the work, ours, and the peer that has it."""

PLAINLY = (("walk", MIDDLE, WALK_ALONE), ("mazes", (511, 511), GROWING), ("hilbert", MIDDLE, OURS))
"""What is also written in plain Python."""


def figures(rows: Iterable[Row]) -> Iterator[Figure]:
    """Check every figure; those whose rows are missing are "not measured"."""
    times = {(row.work, row.size, row.contender): row.median for row in rows}

    def ratio(work: str, size: Size, mine: str, theirs: str) -> float | None:
        return _over(times.get((work, size, mine)), times.get((work, size, theirs)))

    for recipe in RECIPES:
        work, (small, middle, large) = _rows_of(recipe)
        limit = 10 if recipe == "tinykeep" else 2
        yield Figure(
            f"{recipe} {format_size(small)}: under {limit} ms, whole",
            _over(times.get((work, small, OURS)), 0.001),
            limit,
            "ms",
        )
        grown = growth(times.get((work, middle, OURS)), times.get((work, large, OURS)), middle, large)
        yield Figure(
            f"{recipe}: time per cell at {format_size(large)} at most 2 times that at {format_size(middle)}", grown, 2
        )
    for recipe, peer, contenders in (
        ("bsp", TCOD, (OURS, TILES_ONLY)),
        ("tinykeep", UNIFORM, (OURS, SCATTER_TO_HALLWAYS, TILES_ONLY)),
    ):
        found = times.get((recipe, SMALL, peer))
        for name in contenders:
            own_time = times.get((recipe, SMALL, name))
            yield from no_slower(f"{recipe} {format_size(SMALL)}", name, own_time, {peer: found} if found else {})
    for work, mine, theirs in FASTER:
        size = odd([MIDDLE])[0] if work == "mazes" else MIDDLE
        what = "the recipe" if mine == OURS else mine.removeprefix("undercroft, ")
        yield Figure(f"{work} {format_size(size)}: {what} faster than {theirs}", ratio(work, size, mine, theirs), 1)
    for work, size, mine in PLAINLY:
        yield Figure(
            f"{work} {format_size(size)}: at least 100 times as fast as {PYTHON}",
            ratio(work, size, PYTHON, mine),
            100,
            at_least=True,
        )
    for size in (LARGE, HUGE):
        for floor in (PLAIN, MARKED):
            yield Figure(
                f"walk alone {format_size(size)}: at most 1.5 times {floor}",
                ratio("walk", size, WALK_ALONE, floor),
                1.5,
            )
    for size in odd([LARGE, HUGE]):
        yield Figure(
            f"growing tree alone {format_size(size)}: at most 1.5 times {PLAIN}",
            ratio("mazes", size, GROWING, PLAIN),
            1.5,
        )
    yield Figure(f"separation of {MANY:,} cells: under 2 s", times.get(("separation", NOWHERE, OURS)), 2, "s")
    yield Figure(
        f"triangulation of {MANY:,} points: faster than {SCIPY}", ratio("triangulation", NOWHERE, OURS, SCIPY), 1
    )
    yield Figure(
        f"dungeoning {format_size(HUGE)} with {MANY:,} rooms and corridors: under 2 s, whole",
        times.get(("dungeoning-10000", HUGE, OURS)),
        2,
        "s",
    )
    yield Figure("hilbert of order 12: under 0.5 s", times.get(("hilbert", HUGE, OURS)), 0.5, "s")


def _rows_of(recipe: str) -> tuple[str, tuple[Size, Size, Size]]:
    """The work in which a recipe is measured whole, and its sizes; mazes have odd ones."""
    if recipe == "maze":
        small, middle, large = odd([SMALL, MIDDLE, LARGE])
        return "mazes", (small, middle, large)
    return recipe, (SMALL, MIDDLE, LARGE)


def _over(above: float | None, below: float | None) -> float | None:
    return above / below if above and below else None
