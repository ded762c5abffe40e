"""The job of a batch worker: make the levels of a chunk, and encode them as the bytes of its files. The same chunk
gives the same bytes on every worker.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

from undercroft.bulk.batch import level_files
from undercroft.bulk.batch.chunks import Chunk
from undercroft.bulk.batch.columns import Shard, build_columns, encode_parameter
from undercroft.bulk.batch.level_rows import encode_labels, encode_tables
from undercroft.bulk.batch.request import OLD_LAYOUT, BatchRequest
from undercroft.bulk.batch.step_clock import StepClock
from undercroft.bulk.batch.storage import resolve_form
from undercroft.bulk.measure.one_level import measure_or_none
from undercroft.bulk.workers.jobs import Work
from undercroft.errors import BadInput, Cancelled, PluginTrouble, UndercroftError
from undercroft.inputs import files
from undercroft.recipe.outcome import Result
from undercroft.recipe.run import run_request

MEASURES_KEY, FILES_KEY = "measures", "files"
"""The keys of times outside the steps."""


def prepare(setup: Any) -> Work:
    """Load the recipe. A task is the first seed of a chunk, and its number of seeds."""
    try:
        order = BatchRequest.from_setup(setup)
        # import what it needs before any clock runs
        resolve_form(order).encode_chunk(order, Chunk(order.first, 0), Shard.empty(order))
    except MemoryError:
        raise BadInput(
            "a worker has too little memory to begin with", fix="give it more: --max-memory MB (memory= in Python)"
        ) from None

    def work(task: list[int], cancelled: Callable[[], bool]) -> dict[str, Any]:
        return make_chunk(order, Chunk(*task), cancelled)

    return work


def make_chunk(order: BatchRequest, chunk: Chunk, cancelled: Callable[[], bool] = lambda: False) -> dict[str, Any]:
    """The files of a chunk in the order in which to write them, its counts, and the seconds of each step."""
    clock = StepClock()
    shard = Shard.empty(order)
    table = list(shard.rows.values())
    for seed, combination in product(chunk.seeds, range(order.combinations)):
        if cancelled():
            raise Cancelled("cancelled between two levels")
        for column, value in zip(table, _make_row(order, shard, (seed, combination), clock, cancelled), strict=True):
            column.append(value)
    start = clock.now()
    written = [build_file_entry(name, data) for name, data in resolve_form(order).encode_chunk(order, chunk, shard)]
    clock.add(FILES_KEY, clock.now() - start)
    return {"files": written, "count": shard.count(order).data(), "seconds": clock.seconds}


def write_chunk(value: dict[str, Any], folder: str | Path) -> dict[str, Any]:
    """Write the files of a chunk; returns the value without their bytes."""
    for file in value["files"]:
        path = Path(folder, file["name"])
        level_files.check_regular_file(path)
        files.write_file(path, file["data"])
    return {**value, "files": [{**file, "data": None} for file in value["files"]]}


def build_file_entry(name: str, data: bytes) -> dict[str, Any]:
    """A file of a chunk, as workers return it."""
    return {"name": name, "size": len(data), "sha256": hashlib.sha256(data).hexdigest(), "data": data}


def _make_row(
    order: BatchRequest, shard: Shard, which: tuple[int, int], clock: StepClock, cancelled: Callable[[], bool]
) -> list[Any]:
    """The row of a seed and a combination, in the order of the columns."""
    gave_up = clock.gave_up
    outcome, problem = None, None
    try:
        outcome = run_request(order.request_for(*which), cancelled=cancelled, on_step=clock)
        problem = outcome.reason or None
    except (BadInput, PluginTrouble) as error:
        problem = _first_line(error)
    except (Cancelled, MemoryError):
        raise
    except Exception as error:  # noqa: BLE001 - one seed does not end a batch; its row records what happened
        problem = f"failed: {type(error).__name__}: {error}".partition("\n")[0].replace("\0", "")
    finally:
        clock.stop()
    rejected = {} if outcome is None else outcome.rejected
    rejections = [rejected.get(requirement.text, 0) for requirement in order.request.requirements]
    counts = (rejections, clock.gave_up - gave_up, problem)
    if outcome is None or outcome.result is None or outcome.error is not None:
        return _build_empty_row(order, which, *counts)
    try:
        return _build_row(order, shard, which, outcome.result, clock, *counts)
    except PluginTrouble as error:  # a measure failed
        return _build_empty_row(order, which, rejections, clock.gave_up - gave_up, _first_line(error))


def _build_row(
    order: BatchRequest,
    shard: Shard,
    which: tuple[int, int],
    result: Result,
    clock: StepClock,
    rejections: list[int],
    gave_up: int,
    problem: str | None,
) -> list[Any]:
    level = result.level
    start = clock.now()
    facts = result.facts
    assert facts is not None
    numbers = [measure_or_none(name, facts) for name in order.measures]
    met = [
        True if not result.distance else requirement.holds(measure_or_none(requirement.measure, facts))
        for requirement in order.request.requirements
    ]
    then = clock.now()
    clock.add(MEASURES_KEY, then - start)
    try:
        level_data = {} if order.has_chunk_files else level_files.encode_level(order, level, *which)
    except (BadInput, PluginTrouble) as error:  # a level that the format cannot hold does not end a batch
        clock.add(FILES_KEY, clock.now() - then)
        return _build_empty_row(order, which, rejections, gave_up, _first_line(error))
    row: list[Any] = [*_identify_row(order, which), result.attempt, level.width, level.height]
    row.append(shard.add_palette(level.palette))
    is_old = order.layout == OLD_LAYOUT
    if order.has_chunk_files:
        row += [level.tiles.tobytes()] if is_old else [level.tiles.tobytes(), encode_labels(level)]
    level_files.add_level_files(shard, level_data)
    clock.add(FILES_KEY, clock.now() - then)
    row += [*(level.start or (None, None)), *(level.end or (None, None))]
    row += [*([] if is_old else encode_tables(level)), *numbers]
    for pair in zip(met, rejections, strict=True):
        row += pair
    return [*row, gave_up, problem]


def _first_line(error: UndercroftError) -> str:
    return error.problem.partition("\n")[0]


def _identify_row(order: BatchRequest, which: tuple[int, int]) -> list[Any]:
    """The seed, and the parameters that vary."""
    return [which[0], *map(encode_parameter, map(order.vary.values(*which).__getitem__, order.vary.names))]


def _build_empty_row(
    order: BatchRequest, which: tuple[int, int], rejections: list[int], gave_up: int, problem: str | None
) -> list[Any]:
    known: dict[str, Any] = {"gave_up": gave_up, "problem": problem}
    first = _identify_row(order, which)
    remaining = iter(rejections)
    return first + [
        next(remaining) if column.counts and column.name != "gave_up" else known.get(column.name)
        for column in build_columns(order)[len(first) :]
    ]
