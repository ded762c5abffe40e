"""The files that parameters name: a user's own wherever they lie, others in a folder only."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.layouts import outside_names
from support.paths import ROOT
from undercroft.errors import BadInput, FileTrouble
from undercroft.recipe.catalogue import names
from undercroft.recipe.document import Recipe
from undercroft.steps import STEPS
from undercroft.steps.step import describe_step


def test_every_parameter_that_names_files_is_known() -> None:
    """The shipped recipes whose parameters reach files: each of them is confined by the tests below."""
    found = {
        (name, parameter)
        for name in names()
        for plan in Recipe.load(name).plans
        for key in describe_step(STEPS[plan.use]).reads
        if (parameter := plan.parameter(key))
    }
    assert found == {(name, "layouts") for name, _ in found}
    assert len(found) >= 6


@pytest.mark.parametrize("name", ["bsp", "cozy", "rooms-and-mazes", "isaac"])
def test_a_confined_recipe_reads_in_its_folder_only(name: str, layout_folder: Path) -> None:
    recipe = Recipe.load(name)
    confined = recipe.confine_params(layout_folder)
    inside = {"layouts": ["rooms/own.layout", "any"]}
    assert confined.generate(seed=3, params=inside).level == recipe.generate(seed=3, params=inside).level
    assert confined.generate(seed=3).level == recipe.generate(seed=3).level
    for path in outside_names(layout_folder):
        with pytest.raises(FileTrouble, match="lies outside the folder"):
            confined.generate(seed=3, params={"layouts": [path]})
        with pytest.raises(BadInput, match="hunter2"):
            recipe.generate(seed=3, params={"layouts": [path]})
    recipe.generate(seed=3, params={"layouts": [str(layout_folder / "rooms" / "own.layout")]})


def test_the_folder_counts_and_not_the_place_of_the_program(
    layout_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    confined = Recipe.load("bsp").confine_params(layout_folder)
    wanted = confined.generate(seed=3, params={"layouts": ["rooms/own.layout"]}).level
    monkeypatch.chdir(ROOT)
    found = confined.generate(seed=3, params={"layouts": ["rooms/own.layout"]}).level
    assert found == wanted
    assert found.provenance["params"]["layouts"] == ("rooms/own.layout",)
