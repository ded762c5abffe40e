"""Lint dungeon recipes, for `undercroft lint`."""

from __future__ import annotations

from undercroft.cli.commands.lint import LintReport


def can_lint(what: str) -> bool:
    """Whether this is a dungeon recipe, a name or a .toml file with [[floor]]; or a dungeon, to say that it is none."""
    from undercroft.cli.dungeons.input_dungeon import names_dungeon

    return names_dungeon(what)


def lint_file(what: str) -> LintReport:
    """The findings about a dungeon recipe, each with its place."""
    from undercroft.errors import BadInput
    from undercroft.recipe.dungeon.document import DungeonRecipe, is_dungeon_recipe
    from undercroft.recipe.dungeon.lint_dungeon import CHECKS, lint_dungeon
    from undercroft.wording import plural

    if not is_dungeon_recipe(what):
        raise BadInput(
            f"{what} holds a dungeon, and mistakes are found in its recipe",
            fix="name the recipe, or look at the floors: undercroft measure, undercroft solve",
        )
    recipe = DungeonRecipe.load(what)
    tables = plural(len(recipe.tables), "table")
    return LintReport(
        what,
        0,
        lint_dungeon(recipe),
        True,
        f"{tables} of floors, {len(CHECKS)} checks",
        {"tables": [table.recipe.name for table in recipe.tables]},
    )
