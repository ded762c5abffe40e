"""The figures of layouts."""

from collections.abc import Iterable, Iterator

from benchmarks.contest import Row, format_size
from benchmarks.figures import Figure, growth
from benchmarks.layouts.works import GROWING, MANY, ROOMS
from benchmarks.works import OURS


def figures(rows: Iterable[Row]) -> Iterator[Figure]:
    """Check every figure; those whose rows are missing are "not measured"."""
    times = {(row.work, row.size, row.contender): row.median for row in rows}
    many = times.get(("rooms from layouts", MANY, OURS))
    yield Figure(
        f"rooms of about {format_size(MANY)} from the shipped pool: at least 10,000 a second",
        ROOMS / many if many else None,
        10_000,
        "rooms/s",
        at_least=True,
    )
    large = GROWING[-1]
    grown = growth(
        times.get(("one layout", GROWING[1], OURS)), times.get(("one layout", large, OURS)), GROWING[1], large
    )
    yield Figure(f"one layout, time per cell: {format_size(large)} at most twice {format_size(GROWING[1])}", grown, 2)
