"""A recipe as plain data, on its way to a worker."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from undercroft.errors import BadInput
from undercroft.inputs.files import SHIPPED_FOLDER
from undercroft.recipe.document import Recipe

SHIPPED_MARK = "ours"
"""The folder of the recipes that come with Undercroft. It lies elsewhere on another machine, and is the same there."""


def encode_recipe(recipe: Recipe, values: Mapping[str, Any]) -> dict[str, Any]:
    """A recipe as plain data. What its steps read beside it is named with a digest."""
    text, file, folder = recipe.source
    where = folder and (SHIPPED_MARK if folder == SHIPPED_FOLDER else str(folder.absolute()))
    return {"text": text, "file": file, "folder": where, "read": recipe.reads(values)}


def decode_recipe(data: Mapping[str, Any], values: Mapping[str, Any]) -> Recipe:
    """The recipe that was told; refused if a file beside it is another by now."""
    where = data["folder"] and (SHIPPED_FOLDER if data["folder"] == SHIPPED_MARK else Path(data["folder"]))
    recipe = Recipe.parse(data["text"], data["file"], where)
    if recipe.reads(values) != data["read"]:
        raise BadInput(
            f"a file that {recipe.name} reads was changed while the work was going on",
            fix="begin again, and leave it alone",
        )
    return recipe
