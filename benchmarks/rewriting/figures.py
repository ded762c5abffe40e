"""The figures of rewriting."""

from collections.abc import Iterable, Iterator

from benchmarks.contest import BYTES, REWRITES, Row, format_size
from benchmarks.figures import Figure
from benchmarks.rewriting.inputs import ROWS
from benchmarks.rewriting.works import (
    INTERPRETED,
    LARGE,
    LARGER_ALONE,
    MATCHING_SIZES,
    ONE_CELL_ALONE,
    PARALLEL_SIZE,
    ROOM_SIZES,
    SMALL,
    TABLES_BEFORE,
    TEMPLATES_SIZE,
    UNGUARDED,
    UNWATCHED,
)
from benchmarks.works import OURS, PLAIN, Size


def figures(rows: Iterable[Row]) -> Iterator[Figure]:
    """Check every figure; those whose rows are missing are "not measured"."""
    seen = {(row.work, row.size, row.contender): row for row in rows}

    def time(work: str, size: Size, contender: str = OURS) -> float | None:
        row = seen.get((work, size, contender))
        return row.median if row else None

    def fact(work: str, size: Size, name: str) -> float | None:
        row = seen.get((work, size, OURS))
        return row.facts.get(name) if row else None

    def ratio(work: str, size: Size, other: str) -> float | None:
        return _over(time(work, size), time(work, size, other))

    for work in ROWS:
        for size in (SMALL, LARGE):
            yield Figure(
                f"{work} {format_size(size)}: at least as many rewrites a second as plain C",
                _over(1, ratio(work, size, PLAIN)),
                1,
                at_least=True,
            )

    for size, limit in zip(ROOM_SIZES, (20, 60), strict=False):
        yield Figure(
            f"rooms-18 {format_size(size)}: under {limit} ms, tables included",
            _over(time("rooms-18", size), 0.001),
            limit,
            "ms",
        )
    first, last = ROOM_SIZES[0], ROOM_SIZES[-1]
    costs = [_over(time("rooms-18", size, TABLES_BEFORE), fact("rooms-18", size, REWRITES)) for size in (first, last)]
    told = "" if None in costs else f" ({', '.join(f'{1e6 * cost:.1f}' for cost in costs if cost)} microseconds)"
    yield Figure(
        f"rooms-18: a rewrite takes at most 2 times as long on {format_size(last)} as on {format_size(first)}, tables "
        f"left out{told}",
        _over(costs[1], costs[0]),
        2,
    )
    for size in ROOM_SIZES[1:]:
        yield Figure(
            f"rooms-18 {format_size(size)}: at most 40 bytes a cell", fact("rooms-18", size, BYTES), 40, "bytes"
        )

    made = time("templates", TEMPLATES_SIZE)
    yield Figure(f"templates {format_size(TEMPLATES_SIZE)}: under 15 ms, whole", _over(made, 0.001), 15, "ms")
    yield Figure(
        f"templates {format_size(TEMPLATES_SIZE)}: at least 300 times as fast as {INTERPRETED}",
        _over(time("templates", TEMPLATES_SIZE, INTERPRETED), made),
        300,
        at_least=True,
    )
    for size in MATCHING_SIZES:
        yield Figure(
            f"matching of 7x7 {format_size(size)}: at most 1.5 times plain C", ratio("matching", size, PLAIN), 1.5
        )
    for size in (SMALL, LARGE):
        yield Figure(
            f"growth {format_size(size)}: watching costs at most 15 %", ratio("watching", size, UNWATCHED), 1.15
        )
    for size in (SMALL, LARGE):
        yield Figure(
            f"growth {format_size(size)}: a guard at most doubles the time", ratio("guarded-growth", size, UNGUARDED), 2
        )
    alone = [time("parallel", PARALLEL_SIZE, contender) for contender in (LARGER_ALONE, ONE_CELL_ALONE)]
    yield Figure(
        f"parallel {format_size(PARALLEL_SIZE)}: a rule of one cell and a larger one take at most twice as long as "
        "each alone, added",
        _over(time("parallel", PARALLEL_SIZE), None if None in alone else sum(filter(None, alone))),
        2,
    )


def _over(above: float | None, below: float | None) -> float | None:
    return above / below if above and below else None
