"""`undercroft show`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from undercroft.cli.messages import print_message
from undercroft.cli.stdio import write_stdout

if TYPE_CHECKING:
    from undercroft.recipe.document import Recipe
    from undercroft.recipe.dungeon.document import DungeonRecipe


@click.command("show")
@click.argument("recipe")
@click.option("-o", "output", metavar="FILE", help="Write the text to a file, which ends in .toml.")
def command(recipe: str, output: str | None) -> None:
    """Print the text of RECIPE, a name ('undercroft list recipes') or a file, to copy and change.

    The copy is a recipe like any other: with the same seed it makes the same level. RECIPE may also be one of the files
    that our recipes name, such as undercroft:prefabs/dungeoning.txt.
    """
    from undercroft.cli.options.origin import load_recipe
    from undercroft.errors import BadInput
    from undercroft.inputs import files
    from undercroft.recipe.dungeon.document import DungeonRecipe, is_dungeon_recipe

    if recipe.startswith(files.SHIPPED_PREFIX):
        text = _read_shipped(recipe)
        notes: list[str] = []
    else:
        loaded = DungeonRecipe.load(recipe) if is_dungeon_recipe(recipe) else load_recipe(recipe)
        text, _, folder = loaded.source
        if output not in (None, "-") and not output.casefold().endswith(".toml"):
            raise BadInput(f"{output}: a recipe is a TOML file", fix="end the name in .toml")
        notes = _describe_files(loaded, recipe, folder, output)
    text = text if text.endswith("\n") else f"{text}\n"
    if output is None or output == "-":
        write_stdout(text.encode())
        return
    files.write_file(output, text.encode())
    for note in notes:
        print_message(f"note: {note}")
    print_message(f"{recipe} written to {output}")


def _read_shipped(name: str) -> str:
    """The text of a file of ours."""
    from undercroft import limits
    from undercroft.errors import BadInput
    from undercroft.inputs import files
    from undercroft.inputs.files import is_folder

    path = files.resolve_named(None, name)
    if is_folder(path):
        inside = sorted(each.relative_to(path).as_posix() for each in path.rglob("*") if each.is_file())
        raise BadInput(
            f"{name} is a folder", fix=f"name a file in it, such as {name.rstrip('/')}/{inside[0]}" if inside else ""
        )
    return files.read_text(path, limits.TOML_BYTES)


def _describe_files(recipe: Recipe | DungeonRecipe, name: str, folder: Path | None, output: str | None) -> list[str]:
    """A note if the recipe names files beside it, and the copy lies elsewhere."""
    from undercroft.inputs.files import SHIPPED_FOLDER
    from undercroft.wording import join_words

    if output is None or folder is None or folder == SHIPPED_FOLDER:
        return []
    if Path(output).parent.resolve() == folder.resolve():
        return []
    named = recipe.named_files()
    return [f"{name} names {join_words(named)}: copy that too, to the same place beside {output}"] if named else []
