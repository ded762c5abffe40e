"""D-14: dungeons on the command line."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import undercroft as uc
from support.command_lines import Say
from undercroft.core.dungeon import Dungeon


def test_a_folder_has_each_floor_and_a_floor_alone_is_the_same(say: Say) -> None:
    result = say("generate", "barrow", "--seed", "7", "-o", "barrow/", "--format", "json")
    assert result.code == 0
    assert re.search(
        r"barrow, 11 floors, \d+ links, a branch \(crypt\), \d+ shafts, seed 7, written to barrow/", result.err
    )
    for floor, file in (("crypt-1", "crypt-01.json"), ("3", "03.json")):
        assert say("generate", "barrow", "--seed", "7", "--floor", floor, "-o", "alone.json").code == 0
        assert Path("alone.json").read_bytes() == Path("barrow", file).read_bytes()


def test_from_makes_the_dungeon_and_its_floors_again(say: Say) -> None:
    assert say("generate", "delve", "--seed", "Ossory", "--size", "60x30", "--set", "deep=3", "-o", "a.json").code == 0
    assert say("generate", "--from", "a.json", "-o", "b.json").code == 0
    assert Path("a.json").read_bytes() == Path("b.json").read_bytes()
    assert say("generate", "--from", "a.json", "-o", "floors/", "--quiet").code == 0
    assert say("generate", "--from", "floors", "-o", "c.json").code == 0
    assert Path("a.json").read_bytes() == Path("c.json").read_bytes()
    assert say("generate", "--from", "floors/02.json", "-o", "two.json").code == 0
    assert Path("two.json").read_bytes() == Path("floors/02.json").read_bytes()
    assert say("generate", "--from", "a.json", "-o", "side.png", "--format", "png:side").code == 0
    assert say("generate", "--from", "side.png", "-o", "d.json").code == 0
    assert Path("a.json").read_bytes() == Path("d.json").read_bytes()
    assert uc.load("two.json").provenance["dungeon"]["seed_text"] == "Ossory"


def test_another_seed_is_another_dungeon(say: Say) -> None:
    assert say("generate", "delve", "--seed", "7", "--size", "60x30", "-o", "a.json").code == 0
    assert say("generate", "--from", "a.json", "--seed", "8", "-o", "b.json").code == 0
    assert Dungeon.load("b.json").provenance["seed"] == "8"
    assert Dungeon.load("a.json") != Dungeon.load("b.json")


def test_some_floors_lead_to_others(say: Say) -> None:
    assert say("generate", "barrow", "--seed", "7", "--floors", "1..2,crypt-1", "-o", "part.json").code == 0
    part = Dungeon.load("part.json")
    assert part.ids == ("1", "2", "crypt-1")
    assert {one.to for one in part.stairs} > {"1", "2"}
    assert {one.to for one in part.stairs} - {*part.ids}


def test_all_floors_are_printed_under_headings(say: Say) -> None:
    result = say("generate", "delve", "--seed", "7", "--size", "40x20", "--set", "deep=3", "--quiet")
    assert result.code == 0
    assert [line.split(":")[0] for line in result.out.splitlines() if line.startswith("floor")] == [
        "floor 1",
        "floor 2",
        "floor 3",
    ]
    assert len([line for line in result.out.splitlines() if line.startswith("#")]) == 60


def test_workers_make_the_same(say: Say) -> None:
    assert say("generate", "delve", "--seed", "7", "--size", "40x20", "-o", "a.json").code == 0
    assert say("generate", "delve", "--seed", "7", "--size", "40x20", "-o", "b.json", "--workers", "2").code == 0
    assert Path("a.json").read_bytes() == Path("b.json").read_bytes()


def test_a_recipe_of_ones_own(say: Say) -> None:
    Path("wells.toml").write_text('[[floor]]\ndepths = "1..2"\nrecipe = "cave"\nsize = [50, 30]\n')
    assert say("generate", "wells.toml", "--seed", "7", "-o", "a.json").code == 0
    assert say("generate", "wells.toml", "--from", "a.json", "-o", "b.json").code == 0
    assert Path("a.json").read_bytes() == Path("b.json").read_bytes()
    result = say("generate", "--from", "a.json")
    assert (result.code, "made by 'wells', which is none of our recipes" in result.err) == (2, True)


MISTAKES = [
    ("no floor 'cript-1'", "did you mean 'crypt-1'?", ["barrow", "--floor", "cript-1"]),
    ("no floor ''", "one of: 1, 2, 3, 4, 5", ["delve", "--floor", ""]),
    ("no floor '99'", "", ["delve", "--floors", "1..99"]),
    ("there are no floors from 3 to 1", "--floors 1..3", ["delve", "--floors", "3..1"]),
    ("there are no floors from 1 to crypt-1", "", ["barrow", "--floors", "1..crypt-1"]),
    ("--floor and --floors name floors twice", "one of them", ["delve", "--floor", "1", "--floors", "1..2"]),
    ("a .png file holds one floor, this dungeon has 5", "--floor", ["delve", "-o", "a.png"]),
    ("a text file holds one floor, this dungeon has 5", "--floor", ["delve", "-o", "-", "--format", "text"]),
    ("cave makes single levels, which have no floors", "", ["cave", "--floor", "1"]),
    ("--on is about one level, and delve makes a dungeon", "", ["delve", "--on", "a.txt"]),
    ("unknown measure 'loop'", "did you mean 'loops'?", ["delve", "--until", "loop >= 2"]),
    ("--then is about one level", "the finish of a [[floor]]", ["delve", "--then", "inhabited"]),
    ("--animate is about one level", "", ["delve", "--animate", "a.webp"]),
    ("unknown parameter of delve 'depth'", "did you mean 'deep'?", ["delve", "--set", "depth=3"]),
    ("deep is a whole number from 2 to 40, not 1", "", ["delve", "--set", "deep=1"]),
    ("unknown recipe 'delv'", "did you mean 'delve'?", ["delv"]),
    ("--style is not for the format 'json'", "", ["delve", "-o", "a.json", "--style", "ink"]),
    ("the format 'png:side' is one file", "-o NAME.png", ["delve", "-o", "a/", "--format", "png:side"]),
    ("workers is a whole number from 1", "", ["delve", "--workers", "0", "-o", "a.json"]),
    ("unknown style 'oil'", "", ["delve", "-o", "a/", "--format", "png", "--style", "oil"]),
]


@pytest.mark.parametrize(("problem", "fix", "words"), MISTAKES)
def test_a_mistake_is_a_sentence(problem: str, fix: str, words: list[str], say: Say) -> None:
    result = say("generate", *words, "--seed", "7")
    assert result.code == 2
    assert problem in result.err
    assert fix in result.err
    assert "Traceback" not in result.err
    assert not list(Path().iterdir())


def test_a_folder_with_files_is_refused_before_any_work(say: Say) -> None:
    Path("full").mkdir()
    Path("full/old.txt").write_text("")
    result = say("generate", "delve", "-o", "full", "--format", "json")
    assert (result.code, "it holds files already" in result.err) == (2, True)


FORGED = [
    {"recipe": 3},
    {"seed": 7},
    {"attempt": "0"},
    {"params": []},
    {"size": "80x50"},
    {"floor": 3},
    {"recipe": "../x"},
    {"params": {"deep": 10**9}},
    {"floor": "77"},
]


@pytest.mark.parametrize("change", FORGED)
def test_a_forged_file_is_refused(change: dict[str, object], say: Say) -> None:
    assert say("generate", "delve", "--seed", "7", "--size", "40x20", "--floor", "1", "-o", "a.json").code == 0
    data = json.loads(Path("a.json").read_text())
    data["provenance"]["dungeon"].update(change)
    Path("a.json").write_text(json.dumps(data))
    result = say("generate", "--from", "a.json")
    assert result.code == 2
    assert "fix:" in result.err


def test_in_python(tmp_path: Path) -> None:
    dungeon = uc.Dungeon.generate("delve", seed=7, size=(40, 24), deep=3)
    assert uc.generate("delve", seed=7, size=(40, 24), floor=2, deep=3) == dungeon["2"]
    assert uc.generate("delve", seed=7, size=(40, 24), floor="2", params={"deep": 3}) == dungeon["2"]
    with pytest.raises(uc.BadInput, match="delve makes a dungeon, and this call makes one level") as caught:
        uc.generate("delve", seed=7)
    assert 'Dungeon.generate("delve")' in caught.value.fix
    with pytest.raises(uc.BadInput, match="cave is a recipe for single levels, and no dungeon"):
        uc.Dungeon.generate("cave")
    with pytest.raises(uc.BadInput, match="unknown parameter of cave 'floor'"):
        uc.generate("cave", floor=1)
    assert uc.generate("walk", seed=7, floor=0.3).provenance["params"]["floor"] == 0.3
    with pytest.raises(uc.BadInput, match="workers is a whole number"):
        uc.Dungeon.generate("delve", seed=7, workers=0)
