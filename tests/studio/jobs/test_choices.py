"""What the page offers to choose from, and the words it completes and explains."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from support.studio_pages import Page, Server
from undercroft.core.palette import STANDARD
from undercroft.inputs.files import SHIPPED_FOLDER
from undercroft.recipe.catalogue import names
from undercroft.recipe.document import Recipe
from undercroft.recipe.params import _PARAM_KEYS
from undercroft.recipe.plans import KEYS_ABOVE_TABLES
from undercroft.rewrite.text.lines import FIRST_WORDS
from undercroft.rewrite.text.options import OPTION_EXAMPLES
from undercroft.steps import STEPS
from undercroft.steps.step import describe_step
from undercroft.studio.jobs import catalogue, choices, vocabulary
from undercroft.studio.jobs.levels import LevelSources
from undercroft.studio.protocol.project import Project
from undercroft.studio.protocol.requests import ChoicesRequest
from undercroft.templates.layouts import layout_files
from undercroft.templates.prefabs import prefab
from undercroft.things import shipped

Ask = Callable[..., list[dict[str, Any]]]


@pytest.fixture
def ask(tmp_path: Path) -> Ask:
    """The choices for a recipe in a project: a layout below it, and files of rooms, things, words and rules."""
    (tmp_path / "crypts" / "halls").mkdir(parents=True)
    copies = {
        "crypts/halls/nave.layout": "layouts/nave.layout",
        "elsewhere.layout": "layouts/apse.layout",
        "crypts/rooms.txt": "prefabs/dungeoning.txt",
        "crypts/stuff.toml": "things/dungeon.toml",
        "crypts/speech.toml": "names/english.toml",
    }
    for path, origin in copies.items():
        (tmp_path / path).write_bytes((SHIPPED_FOLDER / origin).read_bytes())
    (tmp_path / "crypts" / "moss.rules").write_text("; grows moss\none  moss\n    . -> ,\n")
    (tmp_path / "crypts" / "notes.txt").write_text("Nothing of ours.\n")
    (tmp_path / "crypts" / "bad.layout").write_text("layout  bad\nscale  ?\n")
    sources = LevelSources(Project(tmp_path))

    def list_choices(of: str, file: str = "crypts/deep.toml", text: str = "") -> list[dict[str, Any]]:
        return choices.LISTS[of](sources, ChoicesRequest(of=of, file=file, text=text))

    return list_choices


def values(rows: list[dict[str, Any]], *, mine: bool) -> list[str]:
    return [row["value"] for row in rows if row["mine"] is mine]


def test_layouts_are_ours_and_those_beside_the_recipe(ask: Ask) -> None:
    rows = ask("layouts")
    assert values(rows, mine=False) == ["any", *layout_files.list_layouts()]
    assert values(rows, mine=True) == ["bad.layout", "halls/nave.layout"]
    assert values(ask("layouts", "top.toml"), mine=True) == [
        "crypts/bad.layout",
        "crypts/halls/nave.layout",
        "elsewhere.layout",
    ]
    by_value = {row["value"]: row for row in rows}
    assert by_value["any"]["alone"]
    assert by_value["halls/nave.layout"]["rows"] == by_value["nave"]["rows"]
    assert "rows" not in by_value["bad.layout"], "one that cannot be read has no picture,"
    assert by_value["bad.layout"]["about"], "and says why"


def test_what_is_offered_can_be_used(ask: Ask, tmp_path: Path) -> None:
    text = '[[step]]\nuse = "fill"\n\n[[step]]\nuse = "rooms"\nlayouts = ["{}"]\n'
    for row in ask("layouts"):
        if row["value"] != "bad.layout":
            Recipe.parse(text.format(row["value"]), "deep.toml", tmp_path / "crypts")


def test_pictures_are_rows_of_one_length_of_standard_glyphs(ask: Ask) -> None:
    glyphs = {tile.glyph for tile in STANDARD.tiles}
    drawn = [*ask("layouts"), *ask("room files"), *ask("rooms", "dungeoning.toml", Recipe.load("dungeoning").source[0])]
    for row in drawn:
        if "rows" in row:
            assert len({len(line) for line in row["rows"]}) == 1
            assert set("".join(row["rows"])) <= glyphs | {" "}
            assert "." in "".join(row["rows"]) or "," in "".join(row["rows"])


def test_room_files_and_room_types(ask: Ask) -> None:
    assert [row["value"] for row in ask("room files")] == ["rooms.txt"], "no other text file"
    ours = ask("room files", "dungeoning.toml")
    assert "prefabs/dungeoning.txt" in values(ours, mine=False), "a recipe of ours names files of ours"
    text = '[[step]]\nuse = "fill"\n\n[[step]]\nuse = "attach"\nfile = "rooms.txt"\n'
    types = prefab.parse((SHIPPED_FOLDER / "prefabs" / "dungeoning.txt").read_text(), "rooms.txt")
    assert [row["value"] for row in ask("rooms", text=text)] == list(
        dict.fromkeys(kind.template.name for kind in types.types)
    )
    assert ask("rooms", text="[[step]]\nuse = ") == [], "a text with a mistake has none"


def test_sets_and_their_files(ask: Ask) -> None:
    assert [row["value"] for row in ask("things")] == list(shipped.list_names("things"))
    assert [row["value"] for row in ask("words")] == list(shipped.list_names("names"))
    assert [row["value"] for row in ask("thing files")] == ["stuff.toml"]
    assert [row["value"] for row in ask("word files")] == ["speech.toml"]
    assert [row["value"] for row in ask("rules")] == ["moss.rules"]
    for of in ("things", "words", "thing files", "word files", "rules"):
        assert all(row["sample"] and row["about"] for row in ask(of)), of
    kinds = ask("kinds", text=Recipe.load("cozy").source[0], file="cozy.toml")
    assert [row["value"] for row in kinds] == list(shipped.load_things("dungeon").kinds)


def test_fields_that_name_something_are_chosen() -> None:
    for name, step in STEPS.items():
        rows = {row["name"]: row for row in catalogue.list_step_params(step, name)}
        for field in describe_step(step).reads:
            assert rows[field].get("picks") in choices.LISTS, f"{name}.{field} names files"
    assert all(of in choices.LISTS for of in catalogue.PICKS.values())
    assert {(name, field) for name, field in catalogue.PICKS if field not in describe_step(STEPS[name]).fields} == set()


def test_parameters_are_chosen_as_the_fields_that_take_them() -> None:
    picks = {
        (name, param): found["picks"]
        for name in names()
        for param in Recipe.load(name).params
        if "picks" in (found := catalogue.find_picks(Recipe.load(name), param))
    }
    assert picks[("cozy", "layouts")] == "layouts"
    assert picks[("dungeoning", "root")] == "rooms"
    assert all(param in ("layouts", "root") for _, param in picks)
    assert catalogue.find_picks(Recipe.load("isaac"), "valid")["choices"][:2] == ("count", "connected")


def test_the_vocabulary_is_that_of_the_languages() -> None:
    found = vocabulary.build_vocabulary()
    keys = {(row["table"], row["name"]) for row in found["keys"]}
    assert {name for table, name in keys if table == ""} == set(KEYS_ABOVE_TABLES)
    assert {name for table, name in keys if table == "param"} == set(_PARAM_KEYS)
    assert {row["name"] for row in found["lines"]} == set(FIRST_WORDS)
    assert {row["name"] for row in found["options"]} == set(OPTION_EXAMPLES)
    assert [tile["name"] for tile in found["tiles"]] == [tile.name for tile in STANDARD.tiles]
    assert all(row["about"] for group in ("keys", "tables", "lines", "options") for row in found[group])
    for name, step in STEPS.items():
        fields = [field.name for field in dataclasses.fields(step)]  # type: ignore[arg-type]
        assert list(found["fields"][name]) == fields, f"every field of {name} has its help"


def test_a_class_without_source_has_no_help() -> None:
    assert vocabulary.describe_fields(type("Made", (), {})) == {}


@pytest.mark.processes
def test_the_page_gets_both(server: Server, page: Page) -> None:
    head, _ = page.answer("vocabulary")
    assert head["fields"]["rooms"]["layouts"]
    head, _ = page.answer("choices", of="layouts", file="cozy.toml", text="")
    assert head["choices"][0]["value"] == "any"
    head, _ = page.answers("choices", of="secrets", file="cozy.toml", text="")[-1]
    assert head["kind"] == "problem"
