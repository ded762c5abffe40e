"""Batches as input of commands: a folder, or one level of it as FOLDER#SEED."""

from __future__ import annotations

import csv
import io
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import undercroft as uc
from support.command_lines import Say
from support.paths import ROOT
from undercroft.analysis.measures.table import MEASURES
from undercroft.bulk.batch.batch import Batch
from undercroft.bulk.batch.request import OLD_LAYOUT, BatchRequest

HERE: dict[str, Any] = {"workers": 1, "memory": None}
OLD = ROOT / "tests" / "golden" / "batches" / "old-parquet"


@pytest.fixture
def keeps(say: Say) -> Path:  # the command's folder is the current one
    """A batch of keeps in the folder of the command."""
    uc.batch("rooms-and-mazes", 12, "keeps", size=(31, 21), measures=["rooms"], chunk=5, **HERE)
    return Path("keeps")


@pytest.fixture
def grid(say: Say) -> Path:
    """A batch in which a parameter varies."""
    uc.batch("cave", 3, "grid", size=(30, 20), vary={"nrepeats": [3, 8]}, as_="npz", **HERE)
    return Path("grid")


@pytest.mark.usefixtures("keeps")
def test_one_level_is_measured_converted_solved_and_made_again(say: Say) -> None:
    level = uc.generate("rooms-and-mazes", seed=7, size=(31, 21))
    found = json.loads(say("measure", "keeps#7", "rooms", "loops", "--json").out)
    assert uc.measure(level, "rooms", "loops").items() <= found.items()
    assert say("convert", "keeps#7", "a.json").code == 0
    assert uc.load("a.json") == level
    assert say("generate", "--from", "keeps#7", "-o", "b.json").code == 0
    assert Path("b.json").read_bytes() == Path("a.json").read_bytes()
    assert say("generate", "--from", "keeps", "--seed", "7", "-o", "c.json").code == 0
    assert uc.load("c.json") == level
    assert say("generate", "--from", "keeps#7", "--seed", "8", "-o", "d.json").code == 0
    assert uc.load("d.json") == uc.generate("rooms-and-mazes", seed=8, size=(31, 21))
    assert say("solve", "keeps#7").out.startswith("solved in ")
    assert say("measure", "./keeps/#7", "rooms").code == 0


@pytest.mark.usefixtures("grid")
def test_one_of_several_levels_of_a_seed(say: Say) -> None:
    level = uc.generate("cave", seed=2, size=(30, 20), nrepeats=8)
    assert say("convert", "grid#2-1", "a.json").code == 0
    assert uc.load("a.json") == level
    assert say("generate", "--from", "grid#2-1", "-o", "b.json").code == 0
    assert uc.load("b.json") == level
    assert say("convert", "grid", "maps", "--format", "text", "--quiet").code == 2
    assert say("convert", "grid", "maps", "--format", "text").code == 0
    assert sorted(path.name for path in Path("maps").iterdir()) == [
        f"{seed}-{combination}.txt" for seed in range(3) for combination in range(2)
    ]
    assert Path("maps/2-1.txt").read_text() == f"{level}\n"


@pytest.mark.usefixtures("keeps")
def test_a_whole_batch_is_measured(say: Say) -> None:
    said = say("measure", "keeps", "rooms", "graph_loops", "--csv", "a.csv", "--json", "a.json", "--workers", "1")
    assert said.code == 0
    assert said.out.startswith("keeps 31x21, seeds 0..11: 12 levels\n")
    rows = list(csv.DictReader(io.StringIO(Path("a.csv").read_text())))
    for seed, row in enumerate(rows):
        level = uc.generate("rooms-and-mazes", seed=seed, size=(31, 21))
        wanted = uc.measure(level, "rooms", "graph_loops")
        assert (row["recipe"], int(row["seed"]), row["width"]) == ("keeps", seed, "31")
        assert {name: int(row[name]) for name in wanted} == wanted
    data = json.loads(Path("a.json").read_text())
    assert data["recipes"][0]["editions"] == uc.Recipe.load("rooms-and-mazes").editions
    assert say("measure", "keeps", "--csv", "--workers", "1").out.splitlines()[0].count(",") == len(MEASURES) + 5


@pytest.mark.usefixtures("keeps", "grid")
def test_batches_and_recipes_are_compared(say: Say) -> None:
    ask = ("measure", "keeps", "cave", "grid", "loops", "density", "--seeds", "0..9", "--workers", "1")
    said = say(*ask, "--x", "loops", "--plot", "a.svg", "--csv", "a.csv")
    assert said.code == 0
    assert next(line for line in said.out.splitlines() if "overlap" in line).startswith("cave and keeps overlap by ")
    rows = list(csv.DictReader(io.StringIO(Path("a.csv").read_text())))
    assert [row["nrepeats"] for row in rows] == [""] * 22 + ["3", "8"] * 3
    assert "<metadata>" in Path("a.svg").read_text()


@pytest.mark.usefixtures("keeps")
def test_measures_are_added(say: Say) -> None:
    said = say("measure", "keeps", "loops", "branching", "--add", "--workers", "1")
    assert (said.code, said.out) == (0, "")
    assert said.err == "undercroft: loops, branching added to 12 levels in keeps\n"
    assert uc.open_batch("keeps").order.measures == ("rooms", "loops", "branching")
    assert say("measure", "keeps", "loops", "--add", "--workers", "1").err == ("undercroft: keeps has them already\n")
    assert say("measure", "keeps", "--measures", "all", "--add", "--workers", "1", "--quiet").err == ""
    assert set(uc.open_batch("keeps").order.measures) == set(MEASURES)


def test_an_old_folder_of_levels_that_are_generated_differently_now(say: Say) -> None:
    """Only their tiles are stored, so they can be converted, and not measured by their rooms."""
    shutil.copytree(OLD, "old")
    said = say("measure", "old", "rooms", "--workers", "1")
    assert (said.code, "is generated differently now" in said.err) == (2, True)
    said = say("convert", f"old#{2**64 - 5}", "a.txt")
    assert "this is the level as it is stored" in said.err
    drawn = Path("a.txt").read_text()
    assert drawn == f"{next(iter(uc.open_batch('old')))}\n"
    assert "<" not in drawn, "these levels have no stairs yet"


def test_an_old_folder(say: Say) -> None:
    """Its levels are made again, since only their tiles are stored; another edition of a measure is measured anew."""
    first = 2**64 - 5
    asked: dict[str, Any] = {"first": first, "size": (21, 15), "measures": ["rooms", "graph_loops"], "chunk": 3}
    list(Batch(BatchRequest("rooms-and-mazes", 5, layout=OLD_LAYOUT, **asked), Path("old"), **HERE))
    for name in ("order.json", "manifest.json"):
        path = Path("old", name)
        path.write_text(path.read_text().replace('"survey": 2', '"survey": 1'))
    said = say("measure", "old", "density", "graph_loops", "rooms", "--csv", "--workers", "1")
    assert said.code == 0
    rows = list(csv.DictReader(io.StringIO(said.out)))
    for row, seed in zip(rows, range(first, first + 5), strict=True):
        level = uc.generate("rooms-and-mazes", seed=seed, size=(21, 15))
        wanted = uc.measure(level, "density", "graph_loops", "rooms")
        assert int(row["seed"]) == seed
        assert {name: float(row[name]) for name in wanted} == wanted
    said = say("convert", f"old#{first}", "a.txt")
    assert "this is the level as it is stored" in said.err, "survey has another edition now"
    assert Path("a.txt").read_text() == f"{uc.generate('rooms-and-mazes', seed=first, size=(21, 15))}\n"
    assert "another edition of survey" in say("generate", "--from", f"old#{first}", "-o", "b.json").err


MISTAKES = [
    (["measure", "keeps#99"], "the seed 99 is not in keeps", "its seeds are 0 to 11"),
    (["measure", "keeps#"], "no seed is named", "keeps#0"),
    (["measure", "keeps#crypt"], "named by its seed, not by 'crypt'", "keeps#0"),
    (["measure", "keeps#7-1"], "no combination 1", "nothing varies"),
    (["measure", "grid#1"], "the seed 1 has 2 levels in grid", "grid#1-0 to grid#1-1"),
    (["measure", "grid#1-2"], "no combination 2", "0 to 1"),
    (["measure", "none#1"], "there is no folder 'none', and none#1 names a level of a batch", "that is there"),
    (["generate", "--from", "none#1-2"], "there is no folder 'none'", "that is there"),
    (["measure", "empty#1"], "empty holds no batch", "undercroft batch"),
    (["measure", "keeps", "--seeds", "0..3"], "--seeds is about recipes, and keeps is a batch", "leave it out"),
    (["measure", "keeps", "--set", "a=1"], "--set is about recipes", "leave it out"),
    (["measure", "keeps#7", "--seeds", "0..3"], "is a file", "name a recipe"),
    (["measure", "keeps#7", "--palette", "x.toml"], "is a batch, which knows its own format", "leave --palette out"),
    (["measure", "keeps", "keeps", "rooms"], "are keeps", "name it once"),
    (["measure", "keeps", "keeps#7"], "keeps#7 is one level, and keeps gives many", "by themselves"),
    (["measure", "cave", "rooms", "--add"], "--add writes into the files of one batch", "its folder alone"),
    (["measure", "keeps", "--add"], "--add needs some measures", "or say all"),
    (["measure", "keeps", "rooms", "--add", "--csv"], "--csv does not go with --add", "leave one"),
    (["convert", "keeps", "maps"], "a batch of 12 levels, and no format is named", "--format tmx"),
    (["convert", "keeps", "keeps", "--format", "text"], "cannot be written to keeps", "another folder"),
    (["convert", "keeps", "a", "b", "--format", "text"], "one OUT at a time", ""),
    (["convert", "keeps", "maps", "--format", "txet"], "unknown format 'txet'", "did you mean 'text'"),
    (["solve", "keeps"], "keeps is a batch of 12 levels, and one is needed", "keeps#0"),
    (["generate", "--from", "grid"], "nrepeats varies in grid", "grid#0-0"),
    (["generate", "cave", "--from", "keeps#1"], "with another recipe than cave", "leave the recipe out"),
]


@pytest.mark.usefixtures("keeps", "grid")
@pytest.mark.parametrize(("args", "problem", "fix"), MISTAKES, ids=[" ".join(row[0]) for row in MISTAKES])
def test_mistakes_are_sentences(say: Say, args: list[str], problem: str, fix: str) -> None:
    Path("empty").mkdir()
    before = sorted(path for path in Path().rglob("*"))
    said = say(*args)
    assert (said.code, said.out) == (2, "")
    assert problem in said.err
    assert fix in said.err.partition("fix:")[2]
    assert sorted(path for path in Path().rglob("*")) == before, "nothing is written"


def test_a_file_may_have_a_sign_in_its_name(say: Say) -> None:
    Path("a#1.txt").write_text("#.#\n")
    assert say("measure", "a#1.txt", "density").code == 0
