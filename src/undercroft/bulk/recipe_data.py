"""A recipe as plain data, on its way to a worker."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from undercroft.errors import BadInput
from undercroft.recipe import Recipe


def data_of(recipe: Recipe, values: Mapping[str, Any]) -> dict[str, Any]:
    """A recipe as plain data. What its steps read beside it is named with a digest."""
    text, file, folder = recipe.source
    return {"text": text, "file": file, "folder": folder and str(folder.absolute()), "read": recipe.reads(values)}


def recipe_of(data: Mapping[str, Any], values: Mapping[str, Any]) -> Recipe:
    """The recipe that was told; refused if a file beside it is another by now."""
    recipe = Recipe.parse(data["text"], data["file"], data["folder"] and Path(data["folder"]))
    if recipe.reads(values) != data["read"]:
        raise BadInput(f"a file that {recipe.name} reads was changed while the work was going on", fix="begin again, and leave it alone")
    return recipe
