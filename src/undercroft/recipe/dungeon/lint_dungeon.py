"""Find mistakes in a dungeon recipe before anything is made of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from undercroft.core.rng import Rng
from undercroft.errors import UndercroftError
from undercroft.recipe.dungeon.document import DungeonRecipe
from undercroft.recipe.dungeon.make import DungeonMaker
from undercroft.recipe.dungeon.plan import DungeonPlan
from undercroft.recipe.dungeon.request import DungeonRequest
from undercroft.rewrite.lint.finding import Finding
from undercroft.wording import join_words

CHECKS = ("plan", "unreached", "finish")
"""The kinds of findings: floors that cannot be planned, tables for no floor, and floors without a finish."""


def lint_dungeon(recipe: DungeonRecipe, size: tuple[int, int] | None = None) -> tuple[Finding, ...]:
    """What is wrong with a recipe that can be read. Its floors are planned with the usual parameters, and with the
    least and the greatest value of each; none is made.
    """
    findings: list[Finding] = []
    reached: set[int] = set()
    for params in _list_params(recipe):
        try:
            maker = DungeonMaker(DungeonRequest(recipe, seed=0, size=size, params=params))
            maker.check()
        except UndercroftError as error:
            findings.append(_describe_error(error, params))
            plan = _plan_if_possible(recipe, params)
        else:
            plan = maker.plan
        reached |= {floor.table for floor in plan.floors.values()} if plan else set()
    if not any(finding.severity == "error" for finding in findings):
        findings += _find_unreached(recipe, reached)
    findings += _find_bare(recipe)
    return tuple({(str(one.place), one.problem): one for one in findings}.values())


def _list_params(recipe: DungeonRecipe) -> Iterator[dict[str, Any]]:
    """The usual parameters, and each parameter at both ends of its range."""
    yield {}
    for param in recipe.params.values():
        yield from ({param.name: end} for end in (param.low, param.high, *param.choices) if end is not None)


def _describe_error(error: UndercroftError, params: Mapping[str, Any]) -> Finding:
    """An error if the usual parameters have it, else a warning: it may be right to refuse some."""
    with_params = join_words([f"{name} = {value}" for name, value in params.items()])
    problem = f"with {with_params}: {error.problem}" if params else error.problem
    return Finding("plan", "warning" if params else "error", error.place, problem, error.fix)


def _plan_if_possible(recipe: DungeonRecipe, params: Mapping[str, Any]) -> DungeonPlan | None:
    try:
        return recipe.plan(params, Rng.root(0))
    except UndercroftError:
        return None


def _find_unreached(recipe: DungeonRecipe, reached: set[int]) -> Iterator[Finding]:
    for index, table in enumerate(recipe.tables):
        if index not in reached:
            yield Finding(
                "unreached",
                "warning",
                table.source.key("recipe").place(),
                "no floor is made by this [[floor]]: tables above it take all its depths",
                "put it above them, or change its depths",
            )


def _find_bare(recipe: DungeonRecipe) -> Iterator[Finding]:
    """A note for tables whose floors stay bare, where others have a finish."""
    if not any(table.finish for table in recipe.tables):
        return
    for table in recipe.tables:
        if not table.finish:
            yield Finding(
                "finish",
                "note",
                table.source.key("recipe").place(),
                "floors of this table have no finish, and those of others have one",
                'add finish = ["inhabited"], if things and names are wanted',
            )
