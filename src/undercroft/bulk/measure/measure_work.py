"""The job of a worker that measures a recipe: make the levels of some seeds, and return their numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from undercroft.analysis.measures.table import Facts
from undercroft.bulk.measure.one_level import measure_with_budget
from undercroft.bulk.workers.jobs import Work
from undercroft.core.run import Run
from undercroft.errors import BadInput, OutOfBudget
from undercroft.recipe.request import Request
from undercroft.recipe.run import run_request


def prepare(setup: Any) -> Work:
    """Load the recipe. A task is a list of seeds. For each seed the work returns the numbers and the indexes of
    measures that ran out of their budget, or the reason why there is no level.
    """
    request = Request.of(setup["request"])

    def work(seeds: list[int], cancelled: Callable[[], bool]) -> list[Any]:
        return [measure_seed(seed, cancelled) for seed in seeds]

    def measure_seed(seed: int, cancelled: Callable[[], bool]) -> Any:
        try:
            outcome = run_request(request.for_seed(seed), cancelled=cancelled)
        except BadInput as error:
            error.problem = f"seed {seed}: {error.problem}"
            raise
        if outcome.error is not None or outcome.level is None:
            return "took too many steps" if outcome.is_out_of_budget else "could not be made as required"
        facts = Facts(outcome.level, Run(cancelled=cancelled))
        numbers, slow = [], []
        for place, name in enumerate(setup["measures"]):
            try:
                numbers.append(measure_with_budget(name, facts))
            except OutOfBudget:
                numbers.append(None)
                slow.append(place)
        return [numbers, slow]

    return work
