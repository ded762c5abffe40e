"""What a worker does when a recipe is measured: make the levels of some seeds, and send back their numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from undercroft.analysis.measures.table import Facts
from undercroft.bulk.measure.one_level import measure_with_budget
from undercroft.bulk.workers.jobs import Work
from undercroft.bulk.workers.recipe_data import decode_recipe
from undercroft.core.run import Run
from undercroft.errors import BadInput, NotMet, OutOfBudget


def prepare(setup: Any) -> Work:
    """Load the recipe; a task is a list of seeds, and gives for each the numbers and which of them took too long, or
    why there is no level.
    """
    recipe = decode_recipe(setup["recipe"], setup["params"])
    size = tuple(setup["size"])

    def work(seeds: list[int], cancelled: Callable[[], bool]) -> list[Any]:
        return [measure_seed(seed, cancelled) for seed in seeds]

    def measure_seed(seed: int, cancelled: Callable[[], bool]) -> Any:
        try:
            level = recipe.generate(seed=seed, size=size, params=setup["params"], cancelled=cancelled).level
        except OutOfBudget:
            return "took too many steps"
        except NotMet:
            return "could not be made as required"
        except BadInput as error:
            error.problem = f"seed {seed}: {error.problem}"
            raise
        facts = Facts(level, Run(cancelled=cancelled))
        numbers, slow = [], []
        for place, name in enumerate(setup["measures"]):
            try:
                numbers.append(measure_with_budget(name, facts))
            except OutOfBudget:
                numbers.append(None)
                slow.append(place)
        return [numbers, slow]

    return work
