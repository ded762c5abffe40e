"""What a worker does in a search: make the levels of some seeds, and say what each is like. Levels stay where they are
made.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from typing import Any

from undercroft.analysis.measures.table import MEASURES, Facts
from undercroft.analysis.tally import judge_level
from undercroft.bulk.measure.one_level import measure_or_none
from undercroft.bulk.search.parameters import Variation
from undercroft.bulk.workers.jobs import Work
from undercroft.bulk.workers.recipe_data import decode_recipe
from undercroft.core.level import Level
from undercroft.core.run import Run
from undercroft.errors import BadInput, NotMet, OutOfBudget
from undercroft.recipe.document import Recipe

FOUND, OTHER, NOTHING = 0, 1, 2
"""A row begins with one of these: a level as required with attempt and measures, one that is not with its verdict, no
level with the reason.
"""


def generate_or_nearest(
    recipe: Recipe, seed: int, size: tuple[int, int], params: Mapping[str, Any], **options: Any
) -> tuple[Level, int]:
    """The level that `generate` gives for a seed, and the attempt; the nearest one if none is as the recipe
    requires.
    """
    try:
        result = recipe.generate(seed=seed, size=size, params=params, **options)
    except NotMet as error:
        best = error.best
        if not isinstance(best, Level) or "attempt" not in best.provenance:  # a step gave up: there is no whole level
            raise
        return best, best.provenance["attempt"]
    return result.level, result.attempt


def prepare(setup: Any) -> Work:
    """Load the recipe; a task is a list of (seed, combination of values)."""
    recipe = decode_recipe(setup["recipe"], setup["params"])
    wanted = recipe.combine_requirements(setup["until"])
    vary = Variation.from_data(setup["vary"])
    size = tuple(setup["size"])

    def work(task: list[tuple[int, int]], cancelled: Callable[[], bool]) -> list[list[Any]]:
        return [try_seed(seed, combination, cancelled) for seed, combination in task]

    def try_seed(seed: int, combination: int, cancelled: Callable[[], bool]) -> list[Any]:
        values = vary.values(seed, combination)
        try:
            level, attempt = generate_or_nearest(
                recipe, seed, size, {**setup["params"], **values}, cancelled=cancelled, **setup["options"]
            )
        except OutOfBudget:
            return [NOTHING, "took too many steps", None]
        except NotMet:
            return [NOTHING, "could not be made", None]
        except BadInput as error:
            error.problem = (
                f"seed {seed}{''.join(f', {name}={value}' for name, value in values.items())}: {error.problem}"
            )
            raise
        steps = setup["options"]["max_steps"]
        facts = Facts(level, Run(budget=steps, cancelled=cancelled))
        try:
            verdict = judge_level(facts, wanted)
            if verdict.failed:
                return [OTHER, attempt, list(verdict)]
            if setup["sort"]:
                with contextlib.suppress(BadInput):  # then there is no number to sort by
                    MEASURES[setup["sort"]].of(facts)
        except OutOfBudget:
            return [NOTHING, "took too many steps to measure", None]
        # what is only shown decides nothing
        return [FOUND, attempt, [measure_or_none(name, facts, steps or 0) for name in setup["measures"]]]

    return work
