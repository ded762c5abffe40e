"""Old names work for one release, give what the new ones give, and warn."""

from __future__ import annotations

import importlib
import re
import warnings
from pathlib import Path

import pytest

MOVED = {
    "undercroft.analysis.players": ("undercroft.analysis.player_view", "for_players"),
    "undercroft.bulk.measuring": ("undercroft.bulk.measure.measure_recipe", "Measuring"),
    "undercroft.draw.animation": ("undercroft.draw.film.animation", "animation"),
    "undercroft.draw.autotile": ("undercroft.draw.autotile.autotile", "JOINS"),
    "undercroft.draw.pieces": ("undercroft.draw.autotile.pieces", "NEIGHBOURS"),
    "undercroft.draw.printed": ("undercroft.draw.styles.printed.printed", "pages"),
    "undercroft.draw.storyboard": ("undercroft.draw.sheets.storyboard", "storyboard"),
    "undercroft.draw.styles": ("undercroft.draw.styles.table", "shown"),
    "undercroft.draw.svg": ("undercroft.draw.scene.svg", "svg"),
    "undercroft.draw.tileset": ("undercroft.draw.tileset.picture", "tileset"),
    "undercroft.steps.showing": ("undercroft.steps.frames", "reveal"),
    "undercroft.steps.split": ("undercroft.steps.rooms.split", "Split"),
    "undercroft.steps.triangulate": ("undercroft.steps.links.triangulate", "Triangulate"),
    "undercroft.templates.layout_text": ("undercroft.templates.layouts.drawn_text", "parse"),
}
"""Modules whose paths the pages have shown, where each is now, and a name of it."""


@pytest.mark.parametrize("old", MOVED)
def test_a_module_that_has_moved_is_found_where_it_was(old: str) -> None:
    new, name = MOVED[old]
    with pytest.warns(DeprecationWarning, match=re.escape(f"{old}.{name} is {new}.{name} now")):
        found = getattr(importlib.import_module(old), name)
    assert found is getattr(importlib.import_module(new), name)
    assert not hasattr(importlib.import_module(old), "nothing_of_that_name")
    assert not hasattr(importlib.import_module(old), "__no_such_name__")


def test_the_warning_names_the_line_of_whoever_imports() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        exec(compile("from undercroft.draw.animation import animation", "mine.py", "exec"), {})
    assert [Path(warning.filename).name for warning in caught] == ["mine.py"]


def test_the_changelog_tells_of_each() -> None:
    changelog = (Path(__file__).parents[2] / "CHANGELOG.md").read_text(encoding="utf-8")
    assert [old for old in MOVED if f"`{old}`" not in changelog] == []
