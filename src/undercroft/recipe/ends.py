"""Where a level is to start or end: the values of a request that replace those of the steps 'ends' and 'interest'."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, get_args

from undercroft.core.frozen import ReadOnlyDict
from undercroft.errors import BadInput
from undercroft.inputs.arguments import require_name, require_type
from undercroft.inputs.points import as_point
from undercroft.steps.step import Step

if TYPE_CHECKING:
    from undercroft.recipe.document import Recipe

STEPS_WITH_ENDS = ("ends", "interest")
ENDS_KEYS = ("start", "end", "reach")


def places_ends(recipe: Recipe) -> bool:
    """Whether a step of the recipe places start and end, and can be given them."""
    return any(plan.use in STEPS_WITH_ENDS for plan in recipe.plans)


def check_ends(recipe: Recipe, ends: Mapping[str, Any]) -> Mapping[str, Any]:
    """The values that are asked for, checked. Raises if they are none, or if no step of the recipe takes them.

    >>> from undercroft.recipe.document import Recipe
    >>> dict(check_ends(Recipe.load("cave"), {"start": [4, 2]}))
    {'start': (4, 2)}
    """
    from undercroft.steps.facts.given_ends import Reach  # only needed if ends are given

    require_type("ends", ends, Mapping, "a table", 'for example {"start": (4, 2)}')
    values: dict[str, Any] = {}
    for name, value in ends.items():
        require_name("key of ends", name, ENDS_KEYS)
        if name != "reach":
            values[name] = as_point(value, f"the {name}")
        else:
            require_name("reach", value, get_args(Reach))
            values[name] = value
    if "start" not in values and "end" not in values:
        raise BadInput(
            "reach says how to get to a start or an end, and none is given",
            fix="give one: --start X,Y, or ends={'start': (x, y)} in Python",
        )
    if not places_ends(recipe):
        raise BadInput(
            f"no step of {recipe.name} takes a start or an end: it places them itself, or not at all",
            fix="put the step 'ends' at the end of a recipe of your own",
        )
    return ReadOnlyDict(values)


def replace_ends(recipe: Recipe, steps: Sequence[Step], ends: Mapping[str, Any]) -> tuple[Step, ...]:
    """The steps of the recipe, with these values in all that place start and end. What a step itself gives for the
    other end does not count then.
    """
    values = {"start": (), "end": (), "reach": "exact"} | dict(ends)
    return tuple(
        dataclasses.replace(step, **values) if plan.use in STEPS_WITH_ENDS else step  # type: ignore[type-var]
        for plan, step in zip(recipe.plans, steps, strict=True)
    )
