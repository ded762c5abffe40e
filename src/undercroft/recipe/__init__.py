"""Load, check and run a recipe: a named list of steps with parameters of its own."""

from undercroft.recipe.catalogue import names
from undercroft.recipe.document import Recipe, generate
from undercroft.recipe.outcome import Result
from undercroft.recipe.params import Param

__all__ = ["Param", "Recipe", "Result", "generate", "names"]
