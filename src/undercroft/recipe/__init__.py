"""Load, check and run a recipe: a named list of steps with parameters of its own."""

from undercroft.recipe.document import Param, Recipe, Result, generate, names

__all__ = ["Param", "Recipe", "Result", "generate", "names"]
