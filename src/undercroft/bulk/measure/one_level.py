"""Measures of one level among many, each with a budget of its own."""

from __future__ import annotations

from undercroft import limits
from undercroft.analysis.measures.table import Facts, Number, measure_one
from undercroft.errors import BadInput, OutOfBudget


def measure_with_budget(name: str, facts: Facts, steps: int = 0) -> Number:
    """A measure; None also where the level's data does not allow it.

    Each measure has the whole default budget, or `steps` if that is more. So it depends neither on the other measures
    nor on the budget of the level.
    """
    facts.run.budget = max(steps, limits.STEPS.value)
    try:
        return measure_one(name, facts)
    except BadInput:
        return None


def measure_or_none(name: str, facts: Facts, steps: int = 0) -> Number:
    """The same; None also where it runs out of its budget."""
    try:
        return measure_with_budget(name, facts, steps)
    except OutOfBudget:
        return None
