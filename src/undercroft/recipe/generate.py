"""`generate`: a level from a recipe and a seed, in one call."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from undercroft.core.level import Level
from undercroft.core.run import Watcher
from undercroft.errors import unknown_name_error
from undercroft.inputs.arguments import require_list, require_table
from undercroft.recipe.catalogue import names
from undercroft.recipe.document import NAMES_TAKEN, Recipe
from undercroft.recipe.request import DEFAULT_TRIES, Pick, Until
from undercroft.recipe.then import chain_recipes


def generate(
    recipe: str | Path | Recipe,
    seed: int | str | None = None,
    size: tuple[int, int] | None = None,
    *,
    params: Mapping[str, Any] | None = None,
    until: Until = (),
    tries: int = DEFAULT_TRIES,
    pick: Pick = "first",
    attempt: int | None = None,
    first_attempt: int = 0,
    ends: Mapping[str, Any] | None = None,
    then: str | Path | Recipe | Sequence[str | Path | Recipe] = (),
    begin: Level | None = None,
    frozen: NDArray[np.bool_] | None = None,
    watcher: Watcher | None = None,
    cancelled: Callable[[], bool] | None = None,
    progress: Callable[[int, int], None] | None = None,
    tick: Callable[[str], None] | None = None,
    on_step: Callable[[str], None] | None = None,
    max_steps: int | None = None,
    max_cells: int | None = None,
    **recipe_params: Any,
) -> Level:
    """A level from a recipe and a seed. The keywords are those of `Recipe.generate`; all others set parameters of the
    recipe, as `params` does. `then` names recipes that follow it, such as "inhabited". With a dungeon recipe, `floor`
    names the floor to make.

    >>> generate("cave", seed=7, size=(20, 8), fill_prob=0.4).size
    (20, 8)
    """
    if not isinstance(recipe, Recipe) and not (isinstance(recipe, str) and recipe in names()):
        from undercroft.recipe.dungeon.document import is_dungeon_recipe  # few recipes are one

        if is_dungeon_recipe(recipe):
            from undercroft.recipe.dungeon.make import generate_floor

            floor = recipe_params.pop("floor", None)
            given = {"params": {**(params or {}), **recipe_params}, "attempt": attempt, "max_steps": max_steps}
            return generate_floor(recipe, seed, size, floor, max_cells=max_cells, cancelled=cancelled, **given)
    recipe = recipe if isinstance(recipe, Recipe) else Recipe.load(recipe)
    fix = 'for example then="inhabited"'
    following = [then] if isinstance(then, (str, Path, Recipe)) else require_list("then", then, fix)
    if following:
        recipe = chain_recipes([recipe, *(one if isinstance(one, Recipe) else Recipe.load(one) for one in following)])
    for name in recipe_params:
        if name not in recipe.params:
            raise unknown_name_error(f"parameter of {recipe.name}", name, [*recipe.params, *NAMES_TAKEN[1:]])
    if params is not None:
        require_table("params", params, 'for example params={"fill_prob": 0.4}')
    return recipe.generate(
        seed=seed,
        size=size,
        params={**(params or {}), **recipe_params},
        until=until,
        tries=tries,
        pick=pick,
        attempt=attempt,
        first_attempt=first_attempt,
        ends=ends,
        begin=begin,
        frozen=frozen,
        watcher=watcher,
        cancelled=cancelled,
        progress=progress,
        tick=tick,
        on_step=on_step,
        max_steps=max_steps,
        max_cells=max_cells,
    ).level
