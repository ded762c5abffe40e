"""The recipe of a work, and the work that a level's provenance describes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from undercroft.analysis.edits import EDITS_KEY, PLACED_KEY, REMOVED_KEY, HandEdits
from undercroft.core.frozen import thaw
from undercroft.errors import BadInput
from undercroft.formats.detect import WORK_VERSION
from undercroft.inputs.files import SHIPPED_FOLDER, safe_join
from undercroft.recipe.catalogue import names
from undercroft.recipe.document import Recipe
from undercroft.works.level_work import LevelWork, format_work, read_work

MADE_KEYS = ("size", "params", "attempt", "editions")
"""Keys that a work and a level's provenance have in common."""


def load_work_recipe(work: LevelWork, folder: Path) -> Recipe:
    """The recipe of a work. Files are read in a folder only, whatever the work says: anybody may have written it."""
    if work.text is None:
        found = Recipe.load(safe_join(folder, work.recipe) if work.is_file else work.recipe)
    elif work.is_file:
        found = Recipe.parse(work.text, work.recipe, safe_join(folder, work.recipe).parent)
    else:  # a text of ours that was changed reads our files
        found = Recipe.parse(work.text, f"{work.recipe}.toml", SHIPPED_FOLDER if work.recipe in names() else folder)
    return found.confine_params(folder)


def describe_as_work(provenance: Mapping[str, Any], recipe: str) -> dict[str, Any]:
    """The data of the work from which a level was made, as its provenance records it; `recipe` is the name or the path
    of its recipe. Raises `BadInput` if the provenance does not say enough.
    """
    seed = provenance.get("seed_text", provenance.get("seed"))
    if "recipe" not in provenance or not isinstance(seed, str):
        raise BadInput("the level does not record how it was made", fix="make a level from a recipe")
    if "begin" in provenance:
        raise BadInput(
            "the level was made around kept cells, or on another map, and records only a digest of that",
            fix="save the work too: it holds the kept cells",
        )
    data: dict[str, Any] = {"format": WORK_VERSION, "recipe": recipe, "seed": seed}
    data |= {key: thaw(provenance[key]) for key in MADE_KEYS if key in provenance}
    if edits := provenance.get(EDITS_KEY):
        data["edits"] = join_edits(thaw(edits))
    return data | {key: thaw(provenance[key]) for key in (PLACED_KEY, REMOVED_KEY) if key in provenance}


def read_recorded_edits(provenance: Mapping[str, Any], file: str) -> HandEdits:
    """What was done by hand, as a level's provenance records it."""
    if not any(provenance.get(key) for key in (EDITS_KEY, PLACED_KEY, REMOVED_KEY)):
        return HandEdits()
    recorded = {key: value for key, value in provenance.items() if key in (EDITS_KEY, PLACED_KEY, REMOVED_KEY)}
    data = describe_as_work({"recipe": "", "seed": "0", **recorded}, "cave")
    return read_work(format_work(data), f"the provenance of {file}").by_hand


def join_edits(edits: Any) -> list[Any]:
    """Painted tiles [cell, name] as a work writes them: in runs of cells.

    >>> join_edits([[4, "wall"], [5, "wall"], [7, "wall"], [8, "door"]])
    [[4, 2, 'wall'], [7, 1, 'wall'], [8, 1, 'door']]
    """
    runs: list[Any] = []
    for edit in edits if isinstance(edits, list) else [edits]:
        if not (isinstance(edit, list) and len(edit) == 2 and type(edit[0]) is int):
            raise BadInput("the level records a painted cell that is none", fix="paint it again, and save it")
        cell, name = edit
        if runs and cell == runs[-1][0] + runs[-1][1] and name == runs[-1][2]:
            runs[-1][1] += 1
        else:
            runs.append([cell, 1, name])
    return runs
