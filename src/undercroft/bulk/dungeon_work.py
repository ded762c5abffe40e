"""The job of a worker that makes floors of a dungeon."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from undercroft.bulk.workers.jobs import Work
from undercroft.formats.native import native
from undercroft.recipe.dungeon.make import DungeonMaker
from undercroft.recipe.dungeon.request import DungeonRequest


def prepare(setup: Any) -> Work:
    """Plan the dungeon. A task is a list of floor ids; the work returns id, level as JSON, and notes of each."""
    request, attempt = DungeonRequest.of(setup["request"]), setup["attempt"]

    def work(ids: list[str], cancelled: Callable[[], bool]) -> list[Any]:
        maker = DungeonMaker(request, attempt, cancelled=cancelled)
        results = map(maker.make_floor, ids)
        return [[result.floor.id, native.dump(result.floor.level), list(result.notes)] for result in results]

    return work
