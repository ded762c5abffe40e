"""Old names work for one release, give what the new ones give, and warn."""

from __future__ import annotations

import importlib
import re
import warnings
from pathlib import Path

import pytest

import undercroft as uc
from undercroft.bulk.batch.batch import Batch

MOVED = {
    "undercroft.analysis.players": ("undercroft.analysis.player_view", "for_players"),
    "undercroft.bulk.measuring": ("undercroft.bulk.measure.measure_recipe", "Measuring"),
    "undercroft.draw.animation": ("undercroft.draw.film.animation", "animation"),
    "undercroft.draw.autotile": ("undercroft.draw.autotile.autotile", "JOINS"),
    "undercroft.draw.pieces": ("undercroft.draw.autotile.pieces", "NEIGHBOURS"),
    "undercroft.draw.printed": ("undercroft.draw.styles.printed.printed", "pages"),
    "undercroft.draw.storyboard": ("undercroft.draw.sheets.storyboard", "storyboard"),
    "undercroft.draw.styles": ("undercroft.draw.styles.table", "STYLES"),
    "undercroft.draw.svg": ("undercroft.draw.scene.svg", "svg"),
    "undercroft.draw.tileset": ("undercroft.draw.tileset.picture", "tileset"),
    "undercroft.steps.showing": ("undercroft.steps.frames", "reveal"),
    "undercroft.steps.split": ("undercroft.steps.rooms.split", "Split"),
    "undercroft.steps.triangulate": ("undercroft.steps.links.triangulate", "Triangulate"),
    "undercroft.templates.layout_text": ("undercroft.templates.layouts.drawn_text", "parse"),
}
"""Modules whose paths the pages have shown, where each is now, and a name of it."""

RENAMED = {
    "undercroft.draw.animation.kind_of": "undercroft.draw.film.animation.detect_animation_kind",
    "undercroft.draw.autotile.LOOKS": "undercroft.draw.autotile.autotile.MAX_LOOKS",
    "undercroft.draw.autotile.SHARES": "undercroft.draw.autotile.autotile.DEFAULT_SHARES",
    "undercroft.draw.printed.one_page": "undercroft.draw.styles.printed.printed.render_one_page",
    "undercroft.draw.styles.PARTS": "undercroft.draw.styles.table.PICTURE_PARTS",
    "undercroft.draw.styles.WIDEST": "undercroft.draw.styles.table.MAX_MARGIN_CELLS",
    "undercroft.draw.styles.parts_of": "undercroft.draw.styles.table.normalise_parts",
    "undercroft.draw.styles.picture": "undercroft.draw.styles.table.render_picture",
    "undercroft.draw.styles.shown": "undercroft.draw.styles.table.resolve_parts",
    "undercroft.draw.styles.vector": "undercroft.draw.styles.table.render_vector",
    "undercroft.draw.tileset.composed": "undercroft.draw.tileset.picture.compose_image",
    "undercroft.draw.tileset.laid": "undercroft.draw.tileset.picture.lay_pieces",
    "undercroft.draw.tileset.things": "undercroft.draw.tileset.picture.thing_piece_number",
    "undercroft.steps.showing.before": "undercroft.steps.frames.copy_tiles_if_watched",
    "undercroft.steps.showing.stride": "undercroft.steps.frames.parts_per_turn",
    "undercroft.steps.triangulate.neighbours": "undercroft.steps.links.triangulate.delaunay_pairs",
}
"""Functions and constants of such modules that are also called otherwise now."""

MEMBERS = [
    (uc.Layout, "called", "part_name"),
    (uc.Level, "drawn", "parse"),
    (uc.Level, "shown", "pretty_text"),
    (uc.Palette, "having", "role_mask"),
    (uc.Place, "drawn", "excerpt"),
    (uc.Recipe, "prepared", "prepare"),
    (uc.Recipe, "wanted", "combine_requirements"),
    (uc.Rng, "weighted", "weighted_index"),
    (uc.Rules, "drawn", "parse_map"),
    (uc.Timeline, "back", "step_back"),
    (uc.Timeline, "whole", "all_turns"),
    (Batch, "made", "made_count"),
]
"""Methods and properties of public classes: the class, the old name and the new one."""


@pytest.mark.parametrize("old", MOVED)
def test_a_module_that_has_moved_is_found_where_it_was(old: str) -> None:
    new, name = MOVED[old]
    with pytest.warns(DeprecationWarning, match=re.escape(f"{old}.{name} is {new}.{name} now")):
        found = getattr(importlib.import_module(old), name)
    assert found is getattr(importlib.import_module(new), name)
    assert not hasattr(importlib.import_module(old), "nothing_of_that_name")
    assert not hasattr(importlib.import_module(old), "__no_such_name__")


@pytest.mark.parametrize("old", RENAMED)
def test_a_function_of_another_name_is_found_by_the_old_one(old: str) -> None:
    (old_module, _, name), (module, _, now) = old.rpartition("."), RENAMED[old].rpartition(".")
    with pytest.warns(DeprecationWarning, match=re.escape(f"{old} is {RENAMED[old]} now")):
        found = getattr(importlib.import_module(old_module), name)
    assert found is getattr(importlib.import_module(module), now)


@pytest.mark.parametrize(("kind", "old", "new"), MEMBERS)
def test_a_member_of_another_name_is_found_by_the_old_one(kind: type, old: str, new: str) -> None:
    with pytest.warns(DeprecationWarning, match=re.escape(f"{kind.__name__}.{old} is {kind.__name__}.{new} now")):
        found = getattr(kind, old)
    assert found == getattr(kind, new)


def test_a_member_of_another_name_works_on_an_instance() -> None:
    with pytest.warns(DeprecationWarning, match="Level.drawn") as caught:
        level = uc.Level.drawn("#.#")
    assert Path(caught[0].filename) == Path(__file__)
    with pytest.warns(DeprecationWarning, match="Level.shown"):
        assert level.shown() == level.pretty_text()
    with pytest.warns(DeprecationWarning, match="Place.drawn"):
        assert uc.Place("a.txt", 1, 2, "abc").drawn() == "    abc\n     ^"


def test_the_warning_names_the_line_of_whoever_imports() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        exec(compile("from undercroft.draw.animation import animation", "mine.py", "exec"), {})
    assert [Path(warning.filename).name for warning in caught] == ["mine.py"]


def test_the_changelog_tells_of_each() -> None:
    changelog = (Path(__file__).parents[2] / "CHANGELOG.md").read_text(encoding="utf-8")
    assert [old for old in MOVED if f"`{old}`" not in changelog] == []
    assert [row for row in RENAMED.items() if f"| `{row[0]}` | `{row[1]}` |" not in changelog] == []
    rows = [f"| `{kind.__name__}.{old}` | `{kind.__name__}.{new}` |" for kind, old, new in MEMBERS]
    assert [row for row in rows if row not in changelog] == []
