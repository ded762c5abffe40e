"""The job of a worker that makes whole dungeons, measures them, and writes them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from undercroft.analysis.measures.dungeon_measures import DungeonFacts
from undercroft.analysis.measures.facts import Number
from undercroft.analysis.measures.table import measure_one
from undercroft.bulk.workers.jobs import Work
from undercroft.core.dungeon import Dungeon
from undercroft.errors import BadInput, NotMet, OutOfBudget, PluginTrouble, UndercroftError
from undercroft.formats.dungeons.files import dump_dungeon, find_dungeon_format, load_dungeon
from undercroft.inputs import files
from undercroft.recipe.dungeon.make import make_dungeon
from undercroft.recipe.dungeon.request import DungeonRequest

MADE, NOT_MADE = 0, 1
"""The kinds of rows: [MADE, [attempt, whether it was there], numbers] and [NOT_MADE, reason, None]."""


def prepare(setup: Any) -> Work:
    """Load the recipe. A task is a list of seeds."""
    request = DungeonRequest.of(setup["request"])
    measures, folder, form = setup["measures"], setup["folder"], setup["form"]
    row = find_dungeon_format("", form)

    def work(seeds: list[int], cancelled: Callable[[], bool]) -> list[list[Any]]:
        return [make_row(seed, cancelled) for seed in seeds]

    def make_row(seed: int, cancelled: Callable[[], bool]) -> list[Any]:
        path = Path(folder, f"{seed}.{form}") if folder else None
        dungeon = None if path is None else _load_if_there(path, seed)
        was_there = dungeon is not None
        if dungeon is None:
            try:
                dungeon, _ = make_dungeon(request.for_seed(seed), cancelled=cancelled)
            except (NotMet, OutOfBudget) as error:
                return [NOT_MADE, error.problem.splitlines()[0], None]
            except (BadInput, PluginTrouble) as error:
                error.problem = f"seed {seed}: {error.problem}"
                raise
            if path is not None and row is not None:
                files.write_file(path, dump_dungeon(dungeon, row))
        facts = DungeonFacts(dungeon, request.max_steps, cancelled)
        attempt = dungeon.provenance.get("attempt", 0)
        return [MADE, [attempt, was_there], [_measure_or_none(name, facts) for name in measures]]

    return work


def _load_if_there(path: Path, seed: int) -> Dungeon | None:
    """The dungeon of a seed in a file; None if there is none, or it is damaged, or that of another seed."""
    if not files.is_file(path):
        return None
    try:
        dungeon = load_dungeon(path)
    except UndercroftError:
        return None
    return dungeon if str(dungeon.provenance.get("seed")) == str(seed) else None


def _measure_or_none(name: str, facts: DungeonFacts) -> Number:
    try:
        return measure_one(name, facts)
    except (BadInput, OutOfBudget):
        return None
