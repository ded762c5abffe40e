"""What a worker does in a batch: the levels of a chunk become the bytes of its files. The same chunk gives the same
bytes, whoever makes it.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from undercroft.bulk.batch import level_files
from undercroft.bulk.batch.chunks import Chunk
from undercroft.bulk.batch.columns import Shard, columns
from undercroft.bulk.batch.request import Order
from undercroft.bulk.batch.step_clock import StepClock
from undercroft.bulk.batch.storage import form_of
from undercroft.bulk.measure.one_level import number
from undercroft.bulk.workers.jobs import Work
from undercroft.core.level import Level
from undercroft.errors import BadInput, Cancelled, NotMet, OutOfBudget
from undercroft.inputs import files
from undercroft.recipe.document import Result

MEASURED, FILED = "measures", "files"
"""What takes time beside the steps."""


def prepare(setup: Any) -> Work:
    """Load the recipe; a task is the first seed of a chunk and how many there are."""
    try:
        order = Order.rebuilt(setup)
        # what it imports is there before any clock runs
        form_of(order).encoded(order, Chunk(order.first, 0), Shard.empty(order))
    except MemoryError:
        raise BadInput(
            "a worker has too little memory to begin with", fix="give it more: --max-memory MB (memory= in Python)"
        ) from None

    def work(task: list[int], cancelled: Callable[[], bool]) -> dict[str, Any]:
        return made(order, Chunk(*task), cancelled)

    return work


def made(order: Order, chunk: Chunk, cancelled: Callable[[], bool] = lambda: False) -> dict[str, Any]:
    """The files of a chunk, in the order in which they are to be written; what there is in them, in numbers; and how
    long what took.
    """
    clock = StepClock()
    shard = Shard.empty(order)
    table = list(shard.rows.values())
    for seed in chunk.seeds:
        if cancelled():
            raise Cancelled("cancelled between two levels")
        for column, value in zip(table, _row(order, shard, seed, clock, cancelled), strict=True):
            column.append(value)
    begun = time.perf_counter()
    written = [_file(name, data) for name, data in form_of(order).encoded(order, chunk, shard)]
    clock.add(FILED, time.perf_counter() - begun)
    return {"files": written, "count": shard.count(order).data(), "seconds": clock.seconds}


def written(value: dict[str, Any], folder: str | Path) -> dict[str, Any]:
    """Write the files of a chunk; what is known of them, without their bytes."""
    for file in value["files"]:
        path = Path(folder, file["name"])
        level_files.check_place(path)
        files.write(path, file["data"])
    return {**value, "files": [{**file, "data": None} for file in value["files"]]}


def _file(name: str, data: bytes) -> dict[str, Any]:
    return {"name": name, "size": len(data), "sha256": hashlib.sha256(data).hexdigest(), "data": data}


def _row(order: Order, shard: Shard, seed: int, clock: StepClock, cancelled: Callable[[], bool]) -> list[Any]:
    """The row of a seed, in the order of the columns."""
    gave_up = clock.gave_up
    problem, rejected, result = None, dict[str, int](), None
    try:
        result = order.recipe.generate(
            seed=seed,
            size=order.size,
            params=order.changed,
            until=order.asked,
            tries=order.tries,
            pick=order.pick,  # type: ignore[arg-type]
            max_steps=order.max_steps,
            max_cells=order.max_cells,
            cancelled=cancelled,
            on_step=clock,
        )
        rejected = result.rejected
    except NotMet as error:
        rejected = error.rejected
        problem = (
            "no try is as required"
            if isinstance(error.best, Level) and "attempt" in error.best.provenance
            else "a step gave up in every try"
        )
    except OutOfBudget:
        problem = "took too many steps"
    except BadInput as error:
        problem = _first_line(error)
    except (Cancelled, MemoryError):
        raise
    except Exception as error:  # noqa: BLE001 - one seed does not end a batch; what happened is in its row
        problem = f"failed: {type(error).__name__}: {error}".partition("\n")[0].replace("\0", "")
    finally:
        clock.stop()
    lost = [rejected.get(requirement.text, 0) for requirement in order.wanted]
    counts = (lost, clock.gave_up - gave_up, problem)
    return _absent(order, seed, *counts) if result is None else _present(order, shard, seed, result, clock, *counts)


def _present(
    order: Order,
    shard: Shard,
    seed: int,
    result: Result,
    clock: StepClock,
    lost: list[int],
    gave_up: int,
    problem: str | None,
) -> list[Any]:
    level = result.level
    begun = time.perf_counter()
    facts = result.facts
    assert facts is not None
    numbers = [number(name, facts) for name in order.measures]
    met = [
        True if not result.distance else requirement.holds(number(requirement.measure, facts))
        for requirement in order.wanted
    ]
    then = time.perf_counter()
    clock.add(MEASURED, then - begun)
    try:
        of_its_own = {} if order.together else level_files.made(order, level, seed)
    except BadInput as error:  # what one format cannot hold of one level does not end a batch
        clock.add(FILED, time.perf_counter() - then)
        return _absent(order, seed, lost, gave_up, _first_line(error))
    row: list[Any] = [str(seed), result.attempt, level.width, level.height, shard.called(level.palette)]
    if order.together:
        row.append(level.tiles.tobytes())
    level_files.kept(shard, of_its_own)
    clock.add(FILED, time.perf_counter() - then)
    row += [*(level.start or (None, None)), *(level.end or (None, None)), *numbers]
    for pair in zip(met, lost, strict=True):
        row += pair
    return [*row, gave_up, problem]


def _first_line(error: BadInput) -> str:
    return error.problem.partition("\n")[0]


def _absent(order: Order, seed: int, lost: list[int], gave_up: int, problem: str | None) -> list[Any]:
    known: dict[str, Any] = {"seed": str(seed), "gave_up": gave_up, "problem": problem}
    counted = iter(lost)
    return [
        next(counted) if column.counts and column.name != "gave_up" else known.get(column.name)
        for column in columns(order)
    ]
