"""The target figures, each checked against the rows of a run: reached, missed, or not measured, with the number."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from benchmarks.contest import Row, format_size
from benchmarks.works import (
    BITS,
    BSP_ROOMS,
    CONNECT_5,
    CONNECT_10,
    DIGGER,
    IMPORT_NUMPY,
    NOWHERE,
    OURS,
    PLAIN,
    SLICES,
    TILES_ONLY,
    UNIFORM,
    Size,
    lattice_sizes,
)


@dataclass(frozen=True)
class Figure:
    """One target of speed: `value` should be at most (or at least) `limit`."""

    promise: str
    value: float | None
    limit: float
    unit: str = "times"
    at_least: bool = False

    @property
    def verdict(self) -> str:
        """One word or two."""
        if self.value is None:
            return "not measured"
        return "reached" if (self.value >= self.limit if self.at_least else self.value <= self.limit) else "missed"

    def __str__(self) -> str:
        seen = "" if self.value is None else f" {self.value:.3g} {self.unit}"
        return f"{self.verdict:>12}{seen:>16}  {self.promise}"


def figures(rows: Iterable[Row]) -> Iterator[Figure]:
    """Check every figure; those whose rows are missing are "not measured"."""
    times = {(row.work, row.size, row.contender): row.median for row in rows}

    def ratio(
        work: str, size: Size, other: str, *, other_work: str = "", other_size: Size | None = None
    ) -> float | None:
        """Our time over the other's."""
        mine, theirs = times.get((work, size, OURS)), times.get((other_work or work, other_size or size, other))
        return mine / theirs if mine and theirs else None

    for size in ((2048, 2048), (4096, 4096)):
        odd = (size[0] - 1, size[1] - 1)
        for work, where in (("maze", odd), ("labels", size), ("distances", size)):
            yield Figure(f"{work} {format_size(where)}: at most 1.5 times plain C", ratio(work, where, PLAIN), 1.5)
        yield Figure(f"automaton {format_size(size)}: at most plain C", ratio("automaton", size, PLAIN), 1)
        yield Figure(
            f"automaton {format_size(size)}: at least 8 times as fast as NumPy slices",
            _turned(ratio("automaton", size, SLICES)),
            8,
            at_least=True,
        )

    for work, small, medium, large, peers in (
        ("cave", (80, 50), (512, 512), (4096, 4096), (CONNECT_5, CONNECT_10)),
        ("rooms-and-mazes", lattice_sizes([(80, 50)])[0], (511, 511), (4095, 4095), (DIGGER,)),
    ):
        peer = max((found for name in peers if (found := ratio(work, small, name))), default=None)
        yield Figure(f"{work} {format_size(small)}: no slower than {' or '.join(peers)}", peer, 1)
        mine = times.get((work, small, OURS))
        yield Figure(f"{work} {format_size(small)}: under 1 ms", mine * 1000 if mine else None, 1, "ms")
        slow = max(
            (
                found
                for name in (CONNECT_5, CONNECT_10)
                if (found := ratio(work, medium, name, other_work="cave", other_size=(512, 512)))
            ),
            default=None,
        )
        yield Figure(
            f"{work} {format_size(medium)}: at least 50 times as fast as rot.js Cellular + connect",
            _turned(slow),
            50,
            at_least=True,
        )
        growths = [
            growth(times.get((work, medium, name)), times.get((work, large, name)), medium, large)
            for name in (OURS, PLAIN)
        ]
        told = "" if None in growths else f" (ours {growths[0]:.2f}, C {growths[1]:.2f})"
        relative = growths[0] / growths[1] if growths[0] and growths[1] else None
        yield Figure(
            f"{work}: time per cell grows from {format_size(medium)} to {format_size(large)} at most 1.2 times as much "
            f"as plain C's{told}",
            relative,
            1.2,
        )

    yield Figure("automaton 4096x4096: at most 1.1 times C on bits", ratio("automaton", (4096, 4096), BITS), 1.1)
    small = lattice_sizes([(80, 50)])[0]
    others = {
        name: found for name in (DIGGER, UNIFORM, BSP_ROOMS) if (found := times.get(("rooms-and-mazes", small, name)))
    }
    for name in (OURS, TILES_ONLY):
        mine = times.get(("rooms-and-mazes", small, name))
        yield from no_slower(f"rooms-and-mazes {format_size(small)}", name, mine, others)
    for width in (511, 2047, 4095):
        yield Figure(
            f"rooms-and-mazes {width}x{width}: at most 3 times its parts in C",
            ratio("rooms-and-mazes", (width, width), PLAIN),
            3,
        )
    yield Figure(
        f"start to exit of a small cave: at most 1.5 times {IMPORT_NUMPY}",
        ratio("start to exit", NOWHERE, IMPORT_NUMPY),
        1.5,
    )


def no_slower(work: str, contender: str, mine: float | None, peers: Mapping[str, float]) -> Iterator[Figure]:
    """The figure that one of ours is no slower than the quickest peer of this run."""
    quickest = min(peers, key=lambda name: peers[name], default="")
    what = contender.removeprefix(f"{OURS}, ") if contender != OURS else "whole"
    yield Figure(
        f"{work}, {what}: no slower than the quickest peer{quickest and f', {quickest}'}",
        mine / peers[quickest] if mine and quickest else None,
        1,
    )


def _turned(ratio: float | None) -> float | None:
    return 1 / ratio if ratio else None


def growth(small: float | None, large: float | None, small_size: Size, large_size: Size) -> float | None:
    """How the time per cell changes with size."""
    if not small or not large:
        return None
    return (large / (large_size[0] * large_size[1])) / (small / (small_size[0] * small_size[1]))
