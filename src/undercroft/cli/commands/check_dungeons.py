"""Lint dungeon recipes, for `undercroft lint`."""

from __future__ import annotations

from undercroft.cli.commands.lint import LintReport


def can_lint(what: str) -> bool:
    """Whether this is a dungeon recipe: a name, or a .toml file with [[floor]]."""
    from undercroft.recipe.dungeon.document import is_dungeon_recipe

    return is_dungeon_recipe(what)


def lint_file(what: str) -> LintReport:
    """The findings about a dungeon recipe, each with its place."""
    from undercroft.recipe.dungeon.document import DungeonRecipe
    from undercroft.recipe.dungeon.lint_dungeon import CHECKS, lint_dungeon
    from undercroft.wording import plural

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
