"""Measures of one level among many: none of them costs the others anything."""

from __future__ import annotations

from undercroft import limits
from undercroft.analysis.measures.table import Facts, Number, measure_one
from undercroft.errors import BadInput, OutOfBudget


def measure_with_budget(name: str, facts: Facts, steps: int = 0) -> Number:
    """A measure; None too where it cannot be taken of what the level says.

    Each has the whole usual budget, or `steps` if they are more: it does not depend on what else is measured, nor on
    how long the level may take.
    """
    facts.run.budget = max(steps, limits.STEPS.value)
    try:
        return measure_one(name, facts)
    except BadInput:
        return None


def measure_or_none(name: str, facts: Facts, steps: int = 0) -> Number:
    """The same; None also where it would take too long."""
    try:
        return measure_with_budget(name, facts, steps)
    except OutOfBudget:
        return None
