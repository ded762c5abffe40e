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
from undercroft.recipe.variation import Variation


def prepare(setup: Any) -> Work:
    """Load the recipe. A task is a list of seeds with their combinations of parameters. For each the work returns the
    numbers, the indexes of measures that ran out of their budget, and the size, or the reason why there is no level.
    """
    request = Request.of(setup["request"])
    vary = Variation.from_data(setup["vary"], request.recipe)

    def work(pieces: list[list[int]], cancelled: Callable[[], bool]) -> list[Any]:
        return [measure_seed(seed, combination, cancelled) for seed, combination in pieces]

    def measure_seed(seed: int, combination: int, cancelled: Callable[[], bool]) -> Any:
        try:
            outcome = run_request(request.for_seed(seed, vary.values(seed, combination)), cancelled=cancelled)
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
        return [numbers, slow, outcome.level.size]

    return work
