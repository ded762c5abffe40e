"""Whole batches: caves with five measures to Parquet, by one worker, two, and two of a local Dask cluster; beside
generating and measuring the levels alone.
"""

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import cache, partial
from pathlib import Path
from typing import Any

from benchmarks.batch import MEASURES, SMALL
from benchmarks.checks import Checks, DisagreementError
from benchmarks.contest import Entry, Row, format_size
from benchmarks.figures import Figure
from benchmarks.peers import MissingError
from benchmarks.works import Size, own

ALONE, ONE, TWO, DASK = (
    "undercroft, measured alone, two workers",
    "undercroft, one worker",
    "undercroft, two workers",
    "undercroft, two workers of Dask",
)
LEVELS, WARM = 20_000, 2_000
MEMORY_FROM, MEMORY_TO = 10_000, 100_000
GROWTH = "RSS grown in %"
"""From the first of these levels to the second."""


class Pace:
    """Levels a second from the first that are done to the last: the start of the workers is not in it."""

    def __init__(self) -> None:
        self._first = self._last = (0.0, 0)

    def record_progress(self, done: int) -> None:
        """Record that so many are done."""
        self._last = (time.perf_counter(), done)
        if not self._first[1]:
            self._first = self._last

    def seconds(self, levels: int) -> float:
        """The seconds for so many levels."""
        return (self._last[0] - self._first[0]) / (self._last[1] - self._first[1]) * levels


def alone(size: Size, times: int) -> float:
    """The same levels and numbers, without a file."""
    from undercroft.bulk.measure.measure_recipe import Measuring

    del times
    pace, measuring = Pace(), Measuring("cave", range(LEVELS), MEASURES, size=size, workers=2)
    for _ in measuring:
        if measuring.tried % 500 == 0:
            pace.record_progress(measuring.tried)
    return pace.seconds(LEVELS)


def batched(size: Size, times: int, *, workers: int = 2, cluster: bool = False) -> float:
    """Run a batch into a temporary folder."""
    del times
    with tempfile.TemporaryDirectory() as folder, scheduler() if cluster else nullcontext() as address:
        if address:  # the cluster runs before the work starts, and its workers have imported what they need
            for _ in started(size, WARM, Path(folder) / "warm", workers, address):
                pass
        pace = Pace()
        for made in (under_way := started(size, LEVELS, Path(folder) / "batch", workers, address)):
            if not made.found:
                pace.record_progress(under_way.done)
        return pace.seconds(LEVELS)


def started(size: Size, levels: int, folder: Path, workers: int, address: str | None = None) -> Any:
    """Start a batch, on the cluster at that address or on none."""
    try:
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise MissingError("pyarrow is not installed") from error
    from undercroft.bulk.batch.batch import Batch
    from undercroft.bulk.batch.request import BatchRequest

    return Batch(
        BatchRequest("cave", levels, size=size, measures=MEASURES),
        folder,
        workers=None if address else workers,
        dask=address,
    )


@contextmanager
def scheduler() -> Iterator[str]:
    """The address of a cluster of two workers with one thread each, started here. It ends afterwards: an idle one takes
    a seventh of a core.
    """
    try:
        from distributed import LocalCluster
    except ImportError as error:
        raise MissingError("distributed is not installed") from error
    cluster: Any = LocalCluster(  # type: ignore[no-untyped-call]
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1"
    )
    with cluster:
        yield str(cluster.scheduler_address)


@cache
def growth() -> dict[str, float]:
    """How much more memory this process and its workers have after many levels than after some."""
    if not Path("/proc/self/statm").exists():
        return {}
    seen: list[int] = []
    with tempfile.TemporaryDirectory() as folder:
        under_way = started(SMALL, MEMORY_TO, Path(folder) / "batch", 2)
        for _ in under_way:
            if (not seen and under_way.done >= MEMORY_FROM) or under_way.done >= MEMORY_TO - under_way.order.chunk * 4:
                seen.append(sum(map(resident, family())))
    return {GROWTH: 100 * (seen[-1] / seen[0] - 1)}


def family() -> list[int]:
    """This process and its children."""
    own = os.getpid()
    children = [
        int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit() and parent(int(entry.name)) == own
    ]
    return [own, *children]


def parent(pid: int) -> int:
    """The parent of a process; 0 if it has ended."""
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


def resident(pid: int) -> int:
    """Resident bytes of a process."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def batches(sizes: Sequence[Size]) -> Iterator[Entry]:
    """All four entries; the row of two workers also reports memory."""
    for size in own((SMALL,), sizes):
        entry = partial(Entry, work="batch", size=size)
        yield entry(contender=ALONE, run=partial(alone, size), facts=_levels)
        yield entry(contender=ONE, run=partial(batched, size, workers=1), facts=_levels)
        yield entry(contender=TWO, run=partial(batched, size, workers=2), facts=lambda: _levels() | growth())
        yield entry(contender=DASK, run=partial(batched, size, cluster=True), facts=_levels)


def _levels() -> dict[str, float]:
    return {"levels": LEVELS}


def agree() -> Iterator[str]:
    """Check that one worker, two, and a cluster write the same bytes."""
    kept = []
    folder = Path(tempfile.mkdtemp())
    try:
        for name, workers, cluster in (("one", 1, False), ("two", 2, False), ("dask", 2, True)):
            with scheduler() if cluster else nullcontext() as address:
                for _ in started(SMALL, 1500, folder / name, workers, address):
                    pass
            kept.append({path.name: path.read_bytes() for path in (folder / name).iterdir()})
    except MissingError as error:
        yield f"batch: {error}"
        return
    finally:
        shutil.rmtree(folder)
    if not kept[0] == kept[1] == kept[2]:
        raise DisagreementError("batch: the files differ")
    yield "batch: one worker, two and a cluster write the same bytes"


def figures(rows: Iterable[Row]) -> Iterator[Figure]:
    """The target figures."""
    found = {row.contender: row for row in rows if row.work == "batch" and row.size == SMALL}
    times = {contender: row.median for contender, row in found.items()}

    def ratio(one: str, other: str) -> float | None:
        mine, theirs = times.get(one), times.get(other)
        return mine / theirs if mine and theirs else None

    what, two = f"batch of caves {format_size(SMALL)} with five measures to Parquet", times.get(TWO)
    yield Figure(
        f"{what}: at least 4,000 a second on two cores", LEVELS / two if two else None, 4000, "a second", at_least=True
    )
    yield Figure(f"{what}: two workers at least 1.7 times as quick as one", ratio(ONE, TWO), 1.7, at_least=True)
    yield Figure(f"{what}: at most 1.25 times as long as making and measuring alone", ratio(TWO, ALONE), 1.25)
    yield Figure(f"{what}: through Dask at least 0.8 of the local rate", ratio(TWO, DASK), 0.8, at_least=True)
    grown = found[TWO].facts.get(GROWTH) if TWO in found else None
    yield Figure(f"{what}: RSS grows by less than 2 % between level {MEMORY_FROM:,} and {MEMORY_TO:,}", grown, 2, "%")


WORKS: dict[str, Callable[[Sequence[Size]], Iterator[Entry]]] = {"batch": batches}
CHECKS: Checks = ((("batch",), agree),)
