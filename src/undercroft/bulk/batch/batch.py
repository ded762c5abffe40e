"""Make a batch: chunk after chunk into a folder, resuming where an earlier run stopped. The files are the same for any
number of workers, and however often a run is killed.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from undercroft import limits
from undercroft.bulk import ENTRY_MODULE
from undercroft.bulk.batch.chunks import Chunk
from undercroft.bulk.batch.columns import BatchCounts
from undercroft.bulk.batch.directory import BatchDirectory, DamagedFile, manifest_row
from undercroft.bulk.batch.folder_request import adopt_layout
from undercroft.bulk.batch.request import BatchRequest
from undercroft.bulk.batch.storage import resolve_form
from undercroft.bulk.used_parts import check_worker_parts
from undercroft.bulk.workers.in_process import TaskResult
from undercroft.bulk.workers.pool import WorkerPool, check_memory, count_cores
from undercroft.deprecation import RenamedMember
from undercroft.errors import BadInput, unknown_name_error
from undercroft.inputs import files
from undercroft.inputs.arguments import require_callable, require_table, require_text, require_type
from undercroft.recipe.document import Recipe
from undercroft.wording import format_value_briefly

BATCH_OPTIONS = (
    "first",
    "size",
    "params",
    "until",
    "tries",
    "pick",
    "measures",
    "as_",
    "options",
    "chunk",
    "max_steps",
    "max_cells",
    "vary",
)
"""The keyword arguments of `BatchRequest`."""


class BatchEngine(Protocol):
    """Makes chunks: worker processes of this machine, or a cluster."""

    def run(self, tasks: Iterable[Any]) -> Iterator[TaskResult]:
        """Run each task once, in any order. The workers end with the iterator."""


class FinishedChunk(NamedTuple):
    """A chunk that is finished or was given up."""

    chunk: Chunk
    counts: BatchCounts
    seconds: float = 0.0
    found: bool = False
    """Whether an earlier run had made it."""
    poisoned: str = ""
    """Why it was given up; empty if it was not."""


class PoisonedSeeds(NamedTuple):
    """Seeds that were given up: their worker died each time."""

    first: int
    last: int
    cause: str


class Batch(Iterator[FinishedChunk]):
    """A running batch: iterating over it yields each chunk as it finishes, and updates the counts.

    The constructor checks the request. The first `next` opens the folder and starts the work. The workers end with the
    iterator. `memory` limits the bytes of a worker, `seconds` the time of a chunk. With `dask`, the address of a
    scheduler, a cluster does the work; if the folder is `shared` with it, its workers write there themselves.
    """

    def __init__(
        self,
        order: BatchRequest,
        out: str | Path,
        *,
        workers: int | None = None,
        memory: int | None = limits.WORKER_MEMORY.value,
        seconds: float | None = None,
        dask: str | None = None,
        shared: bool = False,
        cancelled: Callable[[], bool] | None = None,
    ) -> None:
        out = files.as_path(out, "out")
        require_callable("cancelled", cancelled)
        if dask is not None:
            require_text("dask", dask, "give the address of a scheduler, such as tcp://node1:8786")
        check_memory(memory, "leave it out for that")
        if seconds is not None and (type(seconds) not in (int, float) or not 0 < seconds < math.inf):
            raise BadInput(
                f"the time of a chunk is a number of seconds above 0, not {format_value_briefly(seconds)}",
                fix="leave it out for no limit",
            )
        require_type("shared", shared, bool, "True or False", "leave it out if the folder is not shared")
        if shared and dask is None:
            raise BadInput(
                "a folder is shared with a cluster, and none is named",
                fix="name its scheduler with dask=, or leave shared out",
            )
        if dask is not None and (workers is not None or seconds is not None):
            raise BadInput(
                "the workers of a cluster are its own business", fix="leave workers and seconds out, or leave out dask"
            )
        if dask is not None and memory not in (None, limits.WORKER_MEMORY.value):
            raise BadInput(
                "the memory of a cluster's workers is its own business", fix="leave memory out, or leave out dask"
            )
        order = adopt_layout(order, out)
        form = resolve_form(order)
        form.check(order)
        if memory is not None and dask is None and memory < form.MIN_MEMORY_BYTES:
            raise BadInput(
                f"{order.form} files take workers with at least {form.MIN_MEMORY_BYTES >> 20} MB of memory, "
                f"not {memory >> 20}",
                fix="allow more (--max-memory MB, memory= in Python), or ask for npz files",
            )
        self.order = order
        self.folder = BatchDirectory(out, order)
        self.done = self.found = 0
        """Levels that are finished or given up; those of them that an earlier run had made. A seed without a level
        counts as one.
        """
        self.extended = 0
        """Levels that an earlier run had made, and that were given further measures."""
        self.count = BatchCounts()
        self.seconds: dict[str, float] = {}
        """Seconds of processor time of each step in this run, over all workers, and of measures and files."""
        self.poisoned: list[PoisonedSeeds] = []
        self.damaged = self.folder.damaged
        """Files that were damaged, and are made again."""
        self._begun: float | None = None
        self._ended: float | None = None
        self._rows: dict[Chunk, bytes] = {}
        """The manifest's row for each chunk."""
        workers = count_cores() if workers is None else workers
        self._engine = self._choose_engine(workers, memory, seconds, dask, shared, cancelled)
        self._extender = None if dask is not None else self._build_extender(workers, memory, seconds, cancelled)
        """What adds measures to chunks; a cluster makes them again."""
        self._all = self._run()

    def _choose_engine(
        self,
        workers: int,
        memory: int | None,
        seconds: float | None,
        dask: str | None,
        shared: bool,
        cancelled: Callable[[], bool] | None,
    ) -> BatchEngine:
        order = self.order
        if dask is None:
            pool = WorkerPool(
                "batch",
                order.setup(),
                workers,
                entry=ENTRY_MODULE,
                memory=memory,
                seconds=seconds,
                in_order=False,
                cancelled=cancelled,
            )
            if not pool.is_here:
                check_worker_parts(order.request, order.measures, order.form, order.options)
            return pool
        check_worker_parts(order.request, order.measures, order.form, order.options, elsewhere=True)
        from undercroft.bulk.batch.dask.engine import DaskEngine  # type: ignore[import-not-found, unused-ignore]

        engine: BatchEngine = DaskEngine(dask, self.order.setup(), self.folder.path, shared=shared, cancelled=cancelled)
        return engine

    def _build_extender(
        self, workers: int, memory: int | None, seconds: float | None, cancelled: Callable[[], bool] | None
    ) -> BatchEngine:
        return WorkerPool(
            "extend",
            {"request": self.order.setup(), "folder": str(self.folder.path.absolute())},
            workers,
            entry=ENTRY_MODULE,
            memory=memory,
            seconds=seconds,
            in_order=False,
            cancelled=cancelled,
        )

    @property
    def total(self) -> int:
        """The number of levels: one for each seed, and for each combination of parameters that vary."""
        return self.order.row_count

    @property
    def made_count(self) -> int:
        """The number of levels made in this run."""
        given_up = sum(one.last - one.first + 1 for one in self.poisoned)
        return self.done - self.found - self.extended - given_up * self.order.combinations

    @property
    def elapsed(self) -> float:
        """Seconds since the work began, or from then to its end."""
        return 0.0 if self._begun is None else (time.monotonic() if self._ended is None else self._ended) - self._begun

    @property
    def rate(self) -> float:
        """Seeds a second, of those made in this run."""
        return self.made_count / max(self.elapsed, 1e-9)

    @property
    def levels(self) -> int:
        return self.count.levels

    @property
    def problems(self) -> dict[str, int]:
        """How many seeds have no level, by reason."""
        return self.count.problems

    @property
    def rejected(self) -> dict[str, int]:
        """How many attempts failed each requirement."""
        return self.count.rejected

    @property
    def gave_up(self) -> int:
        """How many attempts ended without a level because a step gave up."""
        return self.count.gave_up

    @property
    def made_again(self) -> list[str]:
        """The damaged files that are whole again: not those of chunks that were given up."""
        lost = {self.folder.chunk_path(Chunk(one.first, one.last - one.first + 1)).name for one in self.poisoned}
        return [name for name in self.damaged if name not in lost]

    def __next__(self) -> FinishedChunk:
        return next(self._all)

    def __repr__(self) -> str:
        return (
            f"<Batch {self.order.request.recipe.name} in {self.folder.path}: {self.levels:,} levels of {self.total:,}>"
        )

    def close(self) -> None:
        """Stop, and end the workers."""
        self._all.close()

    def _run(self) -> Generator[FinishedChunk]:
        with self.folder.lock():
            missing: list[list[int]] = []
            extendable: list[list[int]] = []
            for chunk in self.order.chunks():
                if self.folder.is_extendable(chunk):
                    self.folder.drop_manifest()
                    (missing if self._extender is None else extendable).append([chunk.first, chunk.length])
                    continue
                finished = self._find_finished(chunk)
                if finished is None:
                    if not missing:
                        self.folder.drop_manifest()
                    missing.append([chunk.first, chunk.length])
                else:
                    yield finished
            if extendable and self._extender is not None:
                yield from self._run_tasks(self._extender, extendable, extends=True)
            if missing:
                yield from self._run_tasks(self._engine, missing)
            given_up = {Chunk(one.first, one.last - one.first + 1): one.cause for one in self.poisoned}
            self.folder.write_manifest(self._rows, self.levels, given_up)

    def _find_finished(self, chunk: Chunk) -> FinishedChunk | None:
        """The chunk, if an earlier run has made it."""
        try:
            entry = self.folder.find_chunk(chunk)
        except DamagedFile as error:
            self.damaged.append(str(error))
            self.folder.drop_manifest()
            self.folder.discard(chunk)
            return None
        if entry is None:
            return None
        self.found += chunk.length * self.order.combinations
        return self._count_chunk(chunk, *entry, found=True)

    def _run_tasks(
        self, engine: BatchEngine, tasks: list[list[int]], *, extends: bool = False
    ) -> Generator[FinishedChunk]:
        """Make chunks, or add measures to those that an earlier run has made."""
        self._begun = self._begun or time.monotonic()
        self._ended = None
        done = engine.run(tasks)
        try:
            for task, value, seconds, poisoned in done:
                chunk = Chunk(*task)
                if poisoned:
                    self.done += chunk.length * self.order.combinations
                    self.poisoned.append(PoisonedSeeds(chunk.first, chunk.last, poisoned))
                    yield FinishedChunk(chunk, BatchCounts(), seconds, poisoned=poisoned)
                    continue
                for step, took in value["seconds"].items():
                    self.seconds[step] = self.seconds.get(step, 0.0) + took
                if extends:
                    self.extended += chunk.length * self.order.combinations
                yield self._count_chunk(
                    chunk, self.folder.write(value["files"]), BatchCounts(**value["count"]), seconds=seconds
                )
        finally:
            self._ended = time.monotonic()
            if isinstance(done, Generator):  # end the workers, whatever happened
                done.close()

    def _count_chunk(
        self,
        chunk: Chunk,
        written: list[dict[str, Any]],
        count: BatchCounts,
        *,
        seconds: float = 0.0,
        found: bool = False,
    ) -> FinishedChunk:
        self.done += chunk.length * self.order.combinations
        self.count.add(count)
        self._rows[chunk] = manifest_row(chunk, count.levels, written)
        return FinishedChunk(chunk, count, seconds, found)

    made = RenamedMember("made", "made_count")


def batch(
    recipe: str | Path | Recipe,
    count: int,
    out: str | Path,
    *,
    workers: int | None = None,
    memory: int | None = limits.WORKER_MEMORY.value,
    seconds: float | None = None,
    dask: str | None = None,
    shared: bool = False,
    cancelled: Callable[[], bool] | None = None,
    progress: Callable[[Batch], None] | None = None,
    **options: Any,
) -> Batch:
    """Make `count` levels of a recipe, one a seed, into the folder `out`; the other options are those of `BatchRequest`
    and `Batch`, or parameters of the recipe.

    Files that exist are kept; if they lack some of the measures, these are added. `progress` is called after each
    chunk. The result holds the number of levels, and why others are missing.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     made = batch(
    ...         "cave", 30, f"{folder}/caves", size=(40, 20), measures=["loops"], as_="npz", chunk=10, workers=1
    ...     )
    ...     print(made.levels, sorted(path.name for path in made.folder.path.iterdir()))
    30 ['manifest.json', 'order.json', 'seeds-00-09.npz', 'seeds-10-19.npz', 'seeds-20-29.npz']
    """
    recipe = recipe if isinstance(recipe, Recipe) else Recipe.load(recipe)
    given = options.pop("params", None)
    if given is not None:
        require_table("params", given, 'for example params={"fill_prob": 0.4}')
    require_callable("progress", progress)
    params = {
        **(given or {}),
        **{name: options.pop(name) for name in list(options) if name in recipe.params},
    }
    for name in options:
        if name not in BATCH_OPTIONS:
            raise unknown_name_error(f"parameter of {recipe.name}", name, [*recipe.params, *BATCH_OPTIONS])
    run = Batch(
        BatchRequest(recipe, count, params=params, **options),
        out,
        workers=workers,
        memory=memory,
        seconds=seconds,
        dask=dask,
        shared=shared,
        cancelled=cancelled,
    )
    for _ in run:
        if progress is not None:
            progress(run)
    return run
