"""Floors one after the other, each beginning below the end of the one before: for games that make a floor when it is
reached.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from undercroft.core.dungeon import Floor
from undercroft.core.dungeon_stairs import put_stairs, stairs_data
from undercroft.core.level import Level, Point
from undercroft.core.region import Thing
from undercroft.core.rng import seed_number
from undercroft.core.stairs import STAIRS
from undercroft.errors import BadInput
from undercroft.inputs.arguments import require_name, require_table
from undercroft.recipe.document import Recipe
from undercroft.recipe.ends import places_ends
from undercroft.recipe.run import draw_seed

REACHES = ("dig", "near", "exact")


def descend(
    recipe: str | Path | Recipe,
    seed: int | str | None = None,
    size: tuple[int, int] | None = None,
    *,
    reach: str = "dig",
    params: Mapping[str, Any] | None = None,
    **recipe_params: Any,
) -> Iterator[Floor]:
    """Floors without end: each starts at the cell straight below the end of the one before, or with `reach="near"` at
    the nearest one. So floor 9 needs the eight above it. A `Dungeon` has no such chain.

    >>> floors = descend("cave", seed=7, size=(40, 24))
    >>> first, second = next(floors), next(floors)
    >>> first.level.end == second.level.start
    True
    """
    require_name("reach", reach, REACHES)
    if params is not None:
        require_table("params", params, 'for example params={"fill_prob": 0.4}')
    loaded = recipe if isinstance(recipe, Recipe) else Recipe.load(recipe)
    if not places_ends(loaded):
        raise BadInput(
            f"no step of {loaded.name} takes a start, so its floors cannot follow each other",
            fix="put the step 'ends' at the end of a recipe of your own, or make a Dungeon",
        )
    number = draw_seed() if seed is None else seed_number(seed)
    levels = _make_levels(loaded, number, size, reach, {**(params or {}), **recipe_params})
    return _join_levels(levels, exact=reach != "near")


def _make_levels(
    recipe: Recipe, seed: int, size: tuple[int, int] | None, reach: str, params: Mapping[str, Any]
) -> Iterator[Level]:
    ends: Mapping[str, Any] | None = None
    for depth in itertools.count(1):
        level = recipe.generate(seed=f"{seed}/{depth}", size=size, params=params, ends=ends).level
        if level.start is None or level.end is None:
            raise BadInput(f"floor {depth} has no end to go on from", fix="take a recipe whose levels have one")
        yield level
        ends = {"start": level.end, "reach": reach}


def _join_levels(levels: Iterator[Level], *, exact: bool) -> Iterator[Floor]:
    """The levels with stairs: up to the end of the floor above, and down to the start of the one that follows. That
    one is made first, unless it is known to start straight below.
    """
    above: Level | None = None
    level = next(levels)
    for depth in itertools.count(1):
        below = None if exact else next(levels)
        things = []
        if above is not None:
            things.append(_stairs("up", depth, depth - 1, level.start, above.end))
        things.append(_stairs("down", depth, depth + 1, level.end, level.end if below is None else below.start))
        yield Floor(str(depth), "", depth, put_stairs(level, things))
        above, level = level, next(levels) if below is None else below


def _stairs(way: str, depth: int, to: int, cell: Point | None, to_cell: Point | None) -> Thing:
    assert cell is not None
    assert to_cell is not None
    return Thing(STAIRS, *cell, stairs_data(way, "stairs", str(to), to_cell, f"{min(depth, to)}-{max(depth, to)}"))
