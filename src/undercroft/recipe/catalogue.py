"""The recipes that have names."""

from __future__ import annotations

import functools
from pathlib import Path

from undercroft.errors import BadInput, unknown_name_error
from undercroft.inputs.files import SHIPPED_FOLDER, is_file, refuse_to_read_address

RECIPES = SHIPPED_FOLDER / "recipes"
FINISHES = SHIPPED_FOLDER / "finishes"
DUNGEONS = SHIPPED_FOLDER / "dungeons"


@functools.cache
def names() -> tuple[str, ...]:
    """The named recipes that begin with rock."""
    return tuple(sorted(path.stem for path in RECIPES.glob("*.toml")))


@functools.cache
def finish_names() -> tuple[str, ...]:
    """The named recipes that begin with a map, and follow any other."""
    return tuple(sorted(path.stem for path in FINISHES.glob("*.toml")))


def recipe_path(name: str) -> Path | None:
    """The file of a named recipe for levels; None if there is none of that name."""
    return next(
        (
            folder / f"{name}.toml"
            for folder, known in ((RECIPES, names()), (FINISHES, finish_names()))
            if name in known
        ),
        None,
    )


@functools.cache
def dungeon_names() -> tuple[str, ...]:
    """The named dungeon recipes."""
    return tuple(sorted(path.stem for path in DUNGEONS.glob("*.toml")))


def recipe_folder(path: Path) -> Path:
    """The folder of the files that a recipe names: its own, or for a shipped recipe the one above."""
    ours = (RECIPES.resolve(), FINISHES.resolve(), DUNGEONS.resolve())
    return SHIPPED_FOLDER if path.parent.resolve() in ours else path.parent


def unknown_recipe(name: str) -> BadInput:
    """The error for a name that no recipe has. It suggests a file of that name here or in `examples`."""
    refuse_to_read_address(name)
    if name in dungeon_names():
        return BadInput(
            f"{name} is a dungeon recipe, and one for single levels is needed",
            fix=f"name one of its floors: undercroft generate {name} --floor 1, or in Python floor='1'",
        )
    error = unknown_name_error("recipe", name, (*names(), *finish_names(), *dungeon_names()))
    if name and Path(name).name == name:
        for path in (Path(f"{name}.toml"), Path("examples", f"{name}.toml")):
            if is_file(path):
                error.fix, error.instead = f"did you mean ./{path.as_posix()}?", None
                break
    return error
