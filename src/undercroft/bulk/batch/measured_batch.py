"""Measure the levels of a batch: numbers that its files hold are read, and others are measured by workers."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence

from undercroft.analysis.measures.table import MEASURES, Number
from undercroft.bulk import ENTRY_MODULE
from undercroft.bulk.batch.chunks import Chunk
from undercroft.bulk.batch.reader import OpenedBatch
from undercroft.bulk.measure.measured_levels import MeasuredLevels, MeasureRow
from undercroft.bulk.workers.pool import WorkerPool, count_cores
from undercroft.core.level import Level
from undercroft.errors import BadInput


class MeasuredBatch(MeasuredLevels):
    """The levels of a batch as they are measured; see `MeasuredLevels`. Levels that are not made yet are left out."""

    def __init__(
        self,
        opened: OpenedBatch,
        measures: Sequence[str] = (),
        *,
        label: str = "",
        workers: int | None = None,
        memory: int | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> None:
        self.opened = opened
        self._label = label or str(opened.path)
        order = opened.order
        super().__init__(order.request, order.vary, range(order.first, order.last + 1), measures)
        stored = opened.data.get("measure_editions", dict.fromkeys(order.measures, 1))
        self._stored = {name for name in order.measures if stored.get(name) == MEASURES[name].edition}
        """Measures whose numbers the files hold, by the same edition."""
        self._missing = [name for name in self.measures if name not in self._stored]
        self._pool = WorkerPool(
            "measure-batch",
            {"folder": str(opened.path.absolute()), "measures": self._missing},
            count_cores() if workers is None else workers,
            entry=ENTRY_MODULE,
            memory=memory,
            cancelled=cancelled,
        )

    @property
    def label(self) -> str:
        """The folder of the batch."""
        return self._label

    @property
    def name(self) -> str:
        """The folder of the batch."""
        return self._label

    @property
    def version(self) -> str:
        """The version that made the levels."""
        return str(self.opened.data["version"])

    @property
    def step_editions(self) -> dict[str, int]:
        """The editions of the steps that made the levels."""
        return dict(self.opened.data["editions"])

    def make_level(self, seed: int, combination: int) -> Level:
        """A level: made again, or as the files hold it if that is not possible."""
        try:
            return self.opened.level(seed, combination)
        except BadInput:
            return self.opened.stored_level(seed, combination)

    def _measure_all(self) -> Generator[MeasureRow]:
        tasks = [[chunk.first, chunk.length] for chunk in self.opened.order.chunks() if self.opened.has_chunk(chunk)]
        missing = self.total - sum(length for _, length in tasks) * self.vary.combinations
        if missing:
            self.nothing["are not made yet"] = missing
            self.tried += missing
        if not self._missing:
            for first, length in tasks:
                yield from self._read_chunk(Chunk(first, length), {})
            return
        for done in self._pool.run(tasks):
            chunk = Chunk(*done.task)
            if done.poisoned:
                count = chunk.length * self.vary.combinations
                self.given_up += count
                self.tried += count
                self.nothing[f"were given up: their worker ended each time ({done.poisoned})"] = count
                continue
            yield from self._read_chunk(chunk, done.value)

    def _read_chunk(self, chunk: Chunk, measured: dict[str, list[Number]]) -> Generator[MeasureRow]:
        """The rows of a chunk, with the numbers that workers have measured."""
        known = [name for name in self.measures if name in self._stored]
        rows = self.opened.read_shard(chunk, ["seed", "width", "height", "problem", *known]).rows
        for place, problem in enumerate(rows["problem"]):
            self.tried += 1
            if problem is not None:
                reason = f"are missing: {problem}"
                self.nothing[reason] = self.nothing.get(reason, 0) + 1
                continue
            numbers = [(rows[name] if name in self._stored else measured[name])[place] for name in self.measures]
            combination = place % self.vary.combinations
            yield self._add(rows["seed"][place], combination, (rows["width"][place], rows["height"][place]), numbers)
