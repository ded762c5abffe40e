"""`generate --on MAP`: recipes that begin with a map."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

import undercroft as uc
from support.command_lines import Say

POPULATE = 'begins = ["tiles", "regions"]\n[[step]]\nuse = "furnish"\nshare = 1.0\n'
LAKES = 'begins = ["tiles"]\n[[step]]\nuse = "lakes"\nshare = 0.3\n'
SECRETS = 'begins = ["tiles", "ends"]\n[[step]]\nuse = "secrets"\n'
TWO_STARTS = "#######\n#<.<.>#\n#######\n"


@pytest.fixture
def keep(say: Say) -> uc.Level:
    """A level, in files of several formats beside some recipes."""
    level = uc.generate("bsp", seed=3, size=(40, 14))
    for name in ("keep.json", "keep.txt"):
        level.save(name)
    for name, text in (("populate", POPULATE), ("lakes", LAKES), ("secrets", SECRETS)):
        Path(f"{name}.toml").write_text(text)
    return level


def test_the_map_is_the_one_that_python_takes(say: Say, keep: uc.Level) -> None:
    assert say("generate", "populate.toml", "--on", "keep.json", "--seed", "1", "-o", "out.json").code == 0
    level = uc.generate("populate.toml", seed=1, begin=keep)
    assert uc.load("out.json") == level
    assert level.things
    assert level.provenance["begin"]["recipe"] == "bsp"
    assert level.provenance["begin"]["seed"] == "3"
    assert "begin" not in keep.provenance


def test_rooms_of_a_drawn_map_are_found(say: Say, keep: uc.Level) -> None:
    said = say("generate", "populate.toml", "--on", "keep.txt", "--seed", "1", "-o", "out.json")
    assert said.code == 0
    assert "keep.txt holds no rooms; they were found" in said.err
    assert len(uc.load("out.json").rooms) >= len(keep.rooms)
    assert uc.load("out.json").things


def test_standard_input(say: Say, keep: uc.Level, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(Path("keep.json").read_bytes())))
    said = say("generate", "lakes.toml", "--on", "-", "--read-as", "json", "--seed", "1", "-o", "out.json", "--quiet")
    assert said.code == 0
    assert uc.load("out.json") == uc.generate("lakes.toml", seed=1, begin=keep)


def test_the_level_is_made_again_with_its_map(say: Say, keep: uc.Level) -> None:
    say("generate", "lakes.toml", "--on", "keep.json", "--seed", "1", "-o", "out.json")
    assert say("generate", "lakes.toml", "--from", "out.json", "--on", "keep.json", "-o", "again.json").code == 0
    assert Path("again.json").read_bytes() == Path("out.json").read_bytes()
    other = say("generate", "lakes.toml", "--from", "out.json", "--on", "keep.txt", "-o", "other.json")
    assert "out.json was made on another map, a level of 'bsp' with seed 3, so this will be another level" in other.err


def test_a_level_of_a_batch(say: Say, keep: uc.Level) -> None:
    assert say("batch", "cave", "--count", "2", "--size", "30x16", "--out", "caves", "--as", "npz").code == 0
    assert say("generate", "lakes.toml", "--on", "caves#1", "--seed", "2", "-o", "out.json").code == 0
    begin = uc.generate("cave", seed=1, size=(30, 16))
    assert uc.load("out.json") == uc.generate("lakes.toml", seed=2, begin=begin)


def test_a_changed_base_is_noticed(say: Say) -> None:
    Path("base.toml").write_text('[[step]]\nuse = "noise"\n')
    Path("own.toml").write_text('extends = "base.toml"\n')
    say("generate", "own.toml", "--seed", "1", "--size", "20x10", "-o", "a.json")
    assert "note" not in say("generate", "own.toml", "--from", "a.json", "-o", "b.json").err
    assert Path("a.json").read_bytes() == Path("b.json").read_bytes()
    Path("base.toml").write_text('[[step]]\nuse = "noise"\nwall = 0.3\n')
    said = say("generate", "own.toml", "--from", "a.json", "-o", "b.json")
    assert "note: a recipe that own builds on has changed since a.json was made" in said.err


MISTAKES = [
    ("populate needs a map to begin with", "name one with --on MAP", ["populate.toml"]),
    (
        "bsp begins with no map: its first step, 'fill', writes",
        "leave --on out",
        ["bsp", "--on", "keep.json"],
    ),
    ("a map has its own size", "leave --size out", ["lakes.toml", "--on", "keep.json", "--size", "9x9"]),
    ("--read-as is about the map that --on names", "leave --read-as out", ["bsp", "--read-as", "text"]),
    (
        "--reach is about the steps 'ends' and 'interest'",
        "leave it out",
        ["lakes.toml", "--on", "keep.json", "--reach", "dig"],
    ),
    ("out.json was made on a map, a level of 'bsp' with seed 3", "--on MAP", ["lakes.toml", "--from", "out.json"]),
    ("cannot read nowhere.json: no such file", "check the name", ["lakes.toml", "--on", "nowhere.json"]),
    ("there are 2 stairs <", "--start X,Y", ["secrets.toml", "--on", "two.txt"]),
    ("secrets begins with ends, and the map to begin with has none", "--start", ["secrets.toml", "--on", "none.txt"]),
]


@pytest.mark.parametrize(("problem", "fix", "args"), MISTAKES, ids=[row[0] for row in MISTAKES])
def test_mistakes_are_sentences(say: Say, keep: uc.Level, problem: str, fix: str, args: list[str]) -> None:
    uc.generate("lakes.toml", seed=1, begin=keep).save("out.json")
    Path("two.txt").write_text(TWO_STARTS)
    Path("none.txt").write_text("#####\n#...#\n#####\n")
    said = say("generate", *args, "--seed", "1")
    assert (said.code, said.out) == (2, "")
    assert problem in said.err
    assert fix in said.err.partition("  fix: ")[2]


def test_start_and_end_can_be_named(say: Say, keep: uc.Level) -> None:
    Path("two.txt").write_text(TWO_STARTS)
    assert say("generate", "secrets.toml", "--on", "two.txt", "--start", "1,1", "--seed", "1", "-o", "a.json").code == 0
    assert uc.load("a.json").start == (1, 1)


def test_begin_is_a_level_in_python(keep: uc.Level) -> None:
    with pytest.raises(uc.BadInput, match="begin is a Level, not 'keep") as caught:
        uc.generate("lakes.toml", begin="keep.json")  # type: ignore[arg-type]
    assert "undercroft.load" in caught.value.fix
    with pytest.raises(uc.BadInput, match="populate begins with regions, and the map to begin with has none"):
        uc.generate("populate.toml", begin=uc.Level.parse("###\n#.#\n###"))


def test_a_file_that_has_changed_is_told(say: Say) -> None:
    Path("a.rules").write_text("one  # -> ., up to 9 times\n")
    Path("r.toml").write_text('[[step]]\nuse = "fill"\n[[step]]\nuse = "rewrite"\nfile = "a.rules"\n')
    Path("base.toml").write_text('extends = "bsp"\n[change.split]\ndepth = 1\n')
    Path("top.toml").write_text('extends = "base.toml"\nsize = [40, 14]\n')
    for recipe in ("r", "top"):
        assert say("generate", f"{recipe}.toml", "--seed", "1", "-o", f"{recipe}.json").code == 0
        batch = ("batch", f"{recipe}.toml", "--count", "2", "--out", f"{recipe}s", "--no-report", "--quiet")
        assert say(*batch, "--as", "npz", "--workers", "1").code == 0
        for origin in (f"{recipe}.json", f"{recipe}s#1"):
            assert "changed" not in say("generate", f"{recipe}.toml", "--from", origin, "-o", "b.json").err
    Path("a.rules").write_text("one  # -> ., up to 8 times\n")
    Path("base.toml").write_text('extends = "bsp"\n[change.split]\ndepth = 3\n')
    for recipe, what in (("r", "a file that r reads has changed"), ("top", "a recipe that top builds on has changed")):
        for origin in (f"{recipe}.json", f"{recipe}s#1"):
            said = say("generate", f"{recipe}.toml", "--from", origin, "-o", "b.json")
            assert f"note: {what} since {origin} was made" in said.err
