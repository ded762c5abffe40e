"""Make a dungeon: in this process, or its floors in several worker processes. The result is the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from undercroft import limits
from undercroft.bulk import ENTRY_MODULE
from undercroft.core.dungeon import Dungeon, Floor
from undercroft.formats.native import native
from undercroft.inputs.arguments import require_callable, require_whole_number
from undercroft.recipe.dungeon import make
from undercroft.recipe.dungeon.document import DungeonRecipe, load_dungeon_recipe
from undercroft.recipe.dungeon.make import DungeonMaker, FloorResult
from undercroft.recipe.dungeon.request import DUNGEON_TRIES, DungeonRequest
from undercroft.recipe.run import draw_seed


def make_dungeon(
    request: DungeonRequest,
    workers: int = 1,
    *,
    cancelled: Callable[[], bool] | None = None,
    progress: Callable[[str], None] | None = None,
) -> tuple[Dungeon, tuple[str, ...]]:
    """The dungeon that is asked for, and notes. Each worker makes floors that lie together, since a floor needs the
    bare floors beside it.
    """
    if workers == 1:
        return make.make_dungeon(request, cancelled=cancelled, progress=progress)
    from undercroft.bulk.workers.in_process import WorkerTrouble
    from undercroft.bulk.workers.pool import WorkerPool

    def make_in_workers(attempt: int) -> tuple[Dungeon, tuple[str, ...]]:
        maker = DungeonMaker(request, attempt)
        maker.check()
        ids = [*maker.plan.floors]
        count = min(workers, len(ids))
        tasks = [ids[len(ids) * index // count : len(ids) * (index + 1) // count] for index in range(count)]
        setup = {"request": request.data(), "attempt": attempt}
        pool = WorkerPool("dungeon", setup, count, entry=ENTRY_MODULE, cancelled=cancelled)
        results: list[FloorResult] = []
        for answer in pool.run(tasks):
            if answer.poisoned:
                raise WorkerTrouble(f"a worker that made floors ended ({answer.poisoned})", fix="try one worker")
            results += [_read_floor(maker, row) for row in answer.value]
            if progress is not None:
                progress(results[-1].floor.id)
        return maker.assemble(results)

    return make.try_attempts(request, make_in_workers, cancelled=cancelled)


def generate_dungeon(
    recipe: str | Path | DungeonRecipe,
    seed: int | str | None = None,
    size: tuple[int, int] | None = None,
    *,
    tries: int | None = None,
    workers: int = 1,
    cancelled: Callable[[], bool] | None = None,
    progress: Callable[[str], None] | None = None,
    **others: Any,
) -> Dungeon:
    """The dungeon of a recipe and a seed, as `Dungeon.generate` makes it."""
    require_callable("cancelled", cancelled)
    require_callable("progress", progress)
    workers = require_whole_number("workers", workers, 1, limits.WORKERS.value)
    loaded = recipe if isinstance(recipe, DungeonRecipe) else load_dungeon_recipe(recipe)
    request = DungeonRequest(
        loaded,
        seed=draw_seed() if seed is None else seed,
        size=size,
        tries=DUNGEON_TRIES if tries is None else tries,
        **others,
    )
    return make_dungeon(request, workers, cancelled=cancelled, progress=progress)[0]


def _read_floor(maker: DungeonMaker, row: Any) -> FloorResult:
    id_, data, notes = row
    plan = maker.plan.floors[id_]
    return FloorResult(Floor(id_, plan.branch, plan.depth, native.load(data, id_)), tuple(notes))
