"""The job of a search worker: make the levels of some seeds, and return what each is like. The levels themselves are
not sent.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

from undercroft.analysis.measures.table import MEASURES, Facts
from undercroft.analysis.tally import judge_level
from undercroft.bulk.measure.one_level import measure_or_none
from undercroft.bulk.workers.jobs import Work
from undercroft.core.run import Run
from undercroft.errors import BadInput, OutOfBudget, PluginTrouble
from undercroft.recipe.request import Request
from undercroft.recipe.run import run_request
from undercroft.recipe.variation import Variation

FOUND, OTHER, NOTHING = 0, 1, 2
"""The kinds of rows: a level that meets the requirements, with attempt and measures; another level, with its verdict;
or no level, with the reason.
"""
NOT_MADE = "could not be made"
"""The reason if a step gave up in every attempt."""


def prepare(setup: Any) -> Work:
    """Load the recipe. A task is a list of (seed, combination of values)."""
    request = Request.of(setup["request"])
    requirements = request.recipe.combine_requirements(setup["until"])
    vary = Variation.from_data(setup["vary"], request.recipe)
    steps = request.max_steps

    def work(task: list[tuple[int, int]], cancelled: Callable[[], bool]) -> list[list[Any]]:
        return [try_seed(seed, combination, cancelled) for seed, combination in task]

    def try_seed(seed: int, combination: int, cancelled: Callable[[], bool]) -> list[Any]:
        values = vary.values(seed, combination)
        try:
            outcome = run_request(request.for_seed(seed, values), cancelled=cancelled)
        except (BadInput, PluginTrouble) as error:
            error.problem = (
                f"seed {seed}{''.join(f', {name}={value}' for name, value in values.items())}: {error.problem}"
            )
            raise
        if outcome.result is None:
            return [NOTHING, "took too many steps" if outcome.is_out_of_budget else NOT_MADE, None]
        attempt = outcome.result.attempt
        facts = Facts(outcome.result.level, Run(budget=steps, cancelled=cancelled))
        try:
            verdict = judge_level(facts, requirements)
            if verdict.failed:
                return [OTHER, attempt, list(verdict)]
            if setup["sort"]:
                with contextlib.suppress(BadInput):  # then there is no number to sort by
                    MEASURES[setup["sort"]].of(facts)
        except OutOfBudget:
            return [NOTHING, "took too many steps to measure", None]
        # measures for display only do not affect the result
        return [FOUND, attempt, [measure_or_none(name, facts, steps or 0) for name in setup["measures"]]]

    return work
