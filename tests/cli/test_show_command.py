"""`undercroft show`: the text of a recipe, to copy."""

from __future__ import annotations

from pathlib import Path

import pytest

import undercroft as uc
from support.command_lines import Say
from undercroft.recipe.catalogue import RECIPES, names


@pytest.mark.parametrize("name", names())
def test_a_copy_makes_the_same_level(say: Say, name: str) -> None:
    shown = say("show", name)
    assert (shown.code, shown.err) == (0, "")
    assert shown.out == (RECIPES / f"{name}.toml").read_text()
    said = say("show", name, "-o", "copy.toml")
    assert (said.code, said.out, said.err) == (0, "", f"undercroft: {name} written to copy.toml\n")
    assert Path("copy.toml").read_text() == shown.out
    copy, ours = uc.generate("copy.toml", seed=5), uc.generate(name, seed=5)
    assert copy.provenance["recipe"] == "copy"
    assert (copy.tiles == ours.tiles).all()
    assert copy.things == ours.things
    assert copy.provenance.get("files") == ours.provenance.get("files")


def test_a_file_is_shown_as_it_is(say: Say) -> None:
    text = '# mine\n[[step]]\nuse = "noise"'
    Path("mine.toml").write_text(text)
    assert say("show", "mine.toml").out == f"{text}\n"


def test_files_beside_it_are_named(say: Say) -> None:
    Path("own").mkdir()
    Path("own/a.rules").write_text("one  X -> .\n")
    Path("own/mine.toml").write_text(
        '[[step]]\nuse = "fill"\n[[step]]\nuse = "rewrite"\nfile = "a.rules"\n'
        '[[step]]\nuse = "attach"\nfile = "undercroft:prefabs/diablo2.txt"\n'
    )
    said = say("show", "own/mine.toml", "-o", "other.toml")
    assert "note: own/mine.toml names a.rules: copy that too" in said.err
    assert "diablo2" not in said.err
    assert "note" not in say("show", "own/mine.toml", "-o", "own/other.toml").err


def test_files_of_ours(say: Say) -> None:
    assert "positions turned" in say("show", "undercroft:prefabs/dungeoning.txt").out
    assert say("show", "undercroft:things/dungeon.toml", "-o", "mine.toml").code == 0
    assert "[item." in Path("mine.toml").read_text()


MISTAKES = [
    ("unknown recipe 'bps'", "did you mean 'bsp'?", ["bps"]),
    ("RECIPE is missing", "write undercroft show [OPTIONS] RECIPE", []),
    ("cannot read nowhere.toml: no such file", "check the name", ["nowhere.toml"]),
    ("a.json is a level, and levels are made from recipes", "undercroft generate --from a.json", ["a.json"]),
    ("out.txt: a recipe is a TOML file", "end the name in .toml", ["bsp", "-o", "out.txt"]),
    ("undercroft:grammar is a folder", "undercroft:grammar/base.txt", ["undercroft:grammar"]),
    ("'../x' lies outside the folder", "", ["undercroft:../x"]),
    ("no such file", "", ["undercroft:prefabs/nothing.txt"]),
]


@pytest.mark.parametrize(("problem", "fix", "args"), MISTAKES, ids=[row[0] for row in MISTAKES])
def test_mistakes_are_sentences(say: Say, problem: str, fix: str, args: list[str]) -> None:
    uc.generate("cave", seed=1, size=(20, 10)).save("a.json")
    said = say("show", *args)
    assert (said.code, said.out) == (2, "")
    assert problem in said.err
    assert fix in said.err.partition("  fix: ")[2]
