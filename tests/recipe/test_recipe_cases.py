"""Recipes that others drew: the folders in `tests/cases/recipes`."""

from __future__ import annotations

from pathlib import Path

import pytest

import undercroft as uc
from support.paths import TESTS

CASES = TESTS / "cases" / "recipes"
DRAWN = sorted(path.parent for path in CASES.glob("*/after.txt"))


def test_there_is_a_case() -> None:
    assert DRAWN


@pytest.mark.parametrize("folder", DRAWN, ids=lambda folder: folder.name)
def test_a_drawn_case(folder: Path) -> None:
    """The recipe, run with seed 0 on the map to begin with if there is one, gives the drawn map."""
    assert (folder / "note.md").read_text(encoding="utf-8").strip()
    after = uc.load(folder / "after.txt")
    before = folder / "before.txt"
    begin = uc.load(before) if before.exists() else None
    level = uc.Recipe.load(folder / "recipe.toml").generate(seed=0, size=after.size, begin=begin).level
    assert str(level) == str(after)
