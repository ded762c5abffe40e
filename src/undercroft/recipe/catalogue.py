"""The recipes that have names."""

from __future__ import annotations

import functools
from pathlib import Path

from undercroft.errors import BadInput, unknown_name_error
from undercroft.inputs.files import SHIPPED_FOLDER, is_file

RECIPES = SHIPPED_FOLDER / "recipes"


@functools.cache
def names() -> tuple[str, ...]:
    """The named recipes."""
    return tuple(sorted(path.stem for path in RECIPES.glob("*.toml")))


def recipe_folder(path: Path) -> Path:
    """The folder of the files that a recipe names: its own, or for a shipped recipe the one above."""
    return SHIPPED_FOLDER if path.parent.resolve() == RECIPES.resolve() else path.parent


def unknown_recipe(name: str) -> BadInput:
    """The error for a name that no recipe has. It suggests a file of that name here or in `examples`."""
    error = unknown_name_error("recipe", name, names())
    if name and Path(name).name == name:
        for path in (Path(f"{name}.toml"), Path("examples", f"{name}.toml")):
            if is_file(path):
                error.fix, error.instead = f"did you mean ./{path.as_posix()}?", None
                break
    return error
