"""Load, check and run a recipe: a named list of steps with parameters of its own."""

from undercroft.recipe.catalogue import names
from undercroft.recipe.document import Recipe
from undercroft.recipe.generate import generate
from undercroft.recipe.outcome import Result
from undercroft.recipe.params import Param

__all__ = ["Param", "Recipe", "Result", "generate", "names"]
