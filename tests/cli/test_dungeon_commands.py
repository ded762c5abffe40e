"""D-14: measure, solve, convert, batch, search, lint, list and show take dungeons."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

import undercroft as uc
from support.command_lines import Say
from undercroft.formats.dungeons import dungeon_json

SMALL = ["--size", "40x24", "--set", "deep=3"]


@pytest.fixture
def folder(say: Say) -> str:
    assert say("generate", "delve", "--seed", "7", *SMALL, "-o", "floors/", "--quiet").code == 0
    return "floors"


# --- measure and solve


def test_measure_of_a_dungeon(say: Say, folder: str) -> None:
    result = say("measure", folder, "floors", "rooms", "rooms[2]")
    numbers = [line.split()[:2] for line in result.out.splitlines()]
    dungeon = uc.Dungeon.load(folder)
    rooms = [uc.measure(level, "rooms")["rooms"] for level in dungeon.levels]
    assert numbers == [["floors", "3"], ["rooms", str(sum(filter(None, rooms)))], ["rooms[2]", str(rooms[1])]]
    assert result.out == say("measure", "delve", "--seed", "7", *SMALL, "floors", "rooms", "rooms[2]").out
    every = say("measure", folder).out
    assert every.startswith("the whole\n  floors")
    assert "rooms and their graph" in every


def test_measures_of_dungeons_as_json_and_csv(say: Say, folder: str) -> None:
    data = json.loads(say("measure", folder, "rooms[1]", "--json").out)
    assert data["rooms[1]"] == uc.measure(uc.Dungeon.load(folder)["1"], "rooms")["rooms"]
    assert data["undercroft"]["measures"] == {"rooms": 1}
    say("convert", folder, "all.npz")
    lines = list(csv.reader(say("measure", folder, "all.npz", "floors", "--csv").out.splitlines()))
    assert [line[:2] for line in lines] == [["file", "floors"], ["floors", "3"], ["all.npz", "3"]]


def test_measure_of_many_seeds(say: Say) -> None:
    one = say("measure", "delve", *SMALL, "--seeds", "0..3", "rooms", "--csv", "-", "--workers", "1", "--quiet")
    two = say("measure", "delve", *SMALL, "--seeds", "0..3", "rooms", "--csv", "-", "--workers", "2", "--quiet")
    assert one.out == two.out
    assert [line.split(",")[0] for line in one.out.splitlines()] == ["seed", "0", "1", "2", "3"]
    table = say("measure", "delve", *SMALL, "--seeds", "0..1", "rooms", "--workers", "1", "--quiet").out
    assert table.splitlines()[0].split() == ["2", "dungeons", "least", "median", "mean", "greatest"]


def test_solve_of_a_dungeon(say: Say, folder: str) -> None:
    result = say("solve", folder, "--unlosable")
    assert result.code == 0
    assert [line for line in result.out.splitlines() if line.startswith("floor")] == ["floor 1", "floor 2", "floor 3"]
    assert result.out.splitlines()[-1] == "all 3 floors solved, and none can be lost"
    data = json.loads(say("solve", "delve", "--seed", "7", *SMALL, "--json").out)
    assert (data["solvable"], [row["floor"] for row in data["floors"]]) == (True, ["1", "2", "3"])


def test_a_floor_that_cannot_be_solved(say: Say) -> None:
    rooms = uc.Level.parse("#####\n#.#.#\n#####")
    closed = rooms.replace(start=(1, 1), end=(3, 1))
    uc.Dungeon.of([closed, uc.Level.parse("<.>")]).save("two.json")
    result = say("solve", "two.json")
    assert (result.code, result.out.splitlines()[-1]) == (1, "not solved: 1")


# --- convert


def test_convert_of_a_dungeon(say: Say, folder: str) -> None:
    assert say("convert", folder, "all.json").code == 0
    assert Path("all.json").read_bytes() == dungeon_json.dump(uc.Dungeon.load(folder))
    assert say("convert", "all.json", "again/", "--format", "json").code == 0
    for path in Path(folder).iterdir():
        assert Path("again", path.name).read_bytes() == path.read_bytes()
    assert say("convert", "all.json", "side.svg", "--format", "svg:side").code == 0
    assert say("convert", "all.json", "2.json", "--floor", "2").code == 0
    assert Path("2.json").read_bytes() == Path(folder, "02.json").read_bytes()


# --- batch and search


def test_a_batch_of_dungeons(say: Say) -> None:
    make = ["batch", "delve", "--count", "3", *SMALL, "--measures", "rooms,rooms[2]"]
    assert say(*make, "--out", "a", "--workers", "1").code == 0
    assert say(*make, "--out", "b", "--workers", "2").code == 0
    names = sorted(path.name for path in Path("a").iterdir())
    assert names == ["0.json", "1.json", "2.json", "dungeons.json", "measures.csv"]
    for name in names:
        assert Path("a", name).read_bytes() == Path("b", name).read_bytes()
    assert say("generate", "delve", "--seed", "1", *SMALL, "-o", "one.json").code == 0
    assert Path("one.json").read_bytes() == Path("a/1.json").read_bytes()
    rows = list(csv.DictReader(Path("a/measures.csv").read_text().splitlines()))
    wanted = uc.measure(uc.Dungeon.load("a/2.json"), "rooms", "rooms[2]")
    assert {name: int(rows[2][name]) for name in wanted} == wanted
    assert [line.split()[0] for line in say("measure", "a", "rooms").out.splitlines()] == [
        "file",
        *(f"a/{seed}.json" for seed in range(3)),
    ]


def test_a_batch_of_dungeons_goes_on(say: Say) -> None:
    make = ["batch", "delve", "--count", "3", *SMALL, "--workers", "1", "--as", "npz"]
    assert say(*make, "--out", "a").code == 0
    whole = {path.name: path.read_bytes() for path in Path("a").iterdir()}
    Path("a/1.npz").write_bytes(whole["1.npz"][:100])
    Path("a/2.npz").unlink()
    Path("a/measures.csv").unlink()
    result = say(*make, "--out", "a")
    assert result.out == "3 dungeons in a, 1 of them were there already\n"
    assert {path.name: path.read_bytes() for path in Path("a").iterdir()} == whole
    Path("a/0.npz").write_bytes(whole["2.npz"])  # of another seed
    assert say(*make, "--out", "a").out == "3 dungeons in a, 2 of them were there already\n"
    assert Path("a/0.npz").read_bytes() == whole["0.npz"]
    other = say("batch", "delve", "--count", "4", *SMALL, "--out", "a", "--as", "npz")
    assert (other.code, "a holds a batch of another request" in other.err) == (2, True)


def test_a_batch_is_no_dungeon(say: Say) -> None:
    assert say("batch", "delve", "--count", "1", *SMALL, "--out", "many").code == 0
    Path("many/\N{ARABIC-INDIC DIGIT ONE}.json").write_text("{}")
    assert say("measure", "many", "floors").code == 0
    for words in (["solve", "many"], ["convert", "many", "x/"], ["convert", "many", "x.json", "--floor", "1"]):
        result = say(*words)
        assert (result.code, "many is a batch of dungeons, and one is needed" in result.err) == (2, True), result.err
        assert "name one: many/0.json" in result.err


def test_search_of_dungeons(say: Say) -> None:
    find = ["search", "delve", *SMALL, "--seeds", "0..7", "--quiet"]
    made = {seed: uc.Dungeon.generate("delve", seed, (40, 24), deep=3) for seed in range(8)}
    rooms = {seed: uc.measure(dungeon, "rooms")["rooms"] for seed, dungeon in made.items()}
    most = max(filter(None, rooms.values()))
    results = [say(*find, "--until", f"rooms >= {most}", "--take", "1", "--workers", count) for count in ("1", "2")]
    assert results[0].out == results[1].out
    first = min(seed for seed in rooms if rooms[seed] == most)
    assert results[0].out.split() == ["seed", "rooms", str(first), str(most)]
    ranked = say(*find, "--sort", "-rooms", "--take", "8", "--workers", "1").out.split()[2:]
    assert [int(word) for word in ranked[::2]] == sorted(rooms, key=lambda seed: rooms[seed] or 0)
    nothing = say(*find, "--until", "rooms[1] >= 99", "--workers", "1")
    assert nothing.code == 1
    assert "rooms[1] >= 99: failed 8 of 8" in nothing.err
    told = say("search", "delve", *SMALL, "--seeds", "0..1", "--workers", "1", "--take", "1").err
    assert "to see the first: undercroft generate delve --seed 0 --size 40x24 --set deep=3" in told


# --- until


def test_until_is_asked_of_the_whole(say: Say) -> None:
    asked = say("generate", "delve", "--seed", "7", *SMALL, "--until", "rooms >= 2", "-o", "a.json")
    assert asked.code == 0
    failed = say("generate", "delve", "--seed", "7", *SMALL, "--until", "floor_loops >= 1", "--tries", "2")
    assert failed.code == 1
    assert "floor_loops >= 1: failed 2 of 2" in failed.err


# --- lint, list, show


def test_list_show_and_lint_know_dungeon_recipes(say: Say) -> None:
    listed = say("list", "recipes").out
    for name in ("delve", "barrow", "tower", "abyss", "inhabited", "drowned"):
        assert f"\n{name} " in listed
        assert say("lint", name, "--strict").code == 0, name
    shown = say("show", "barrow")
    assert "[[branch]]" in shown.out
    assert say("show", "barrow", "-o", "mine.toml").code == 0
    assert say("generate", "mine.toml", "--seed", "7", "--floor", "2", "-o", "a.txt").code == 0
    assert say("generate", "barrow", "--seed", "7", "--floor", "2", "-o", "b.txt").code == 0
    assert Path("a.txt").read_bytes() == Path("b.txt").read_bytes()


LINTED = [
    (
        "error: no [[floor]] is for depth 2",
        '[[floor]]\ndepths = 1\nrecipe = "cave"\n[[floor]]\ndepths = 3\nrecipe = "bsp"\n',
    ),
    (
        "7:10: warning: no floor is made by this [[floor]]",
        'about = "x"\n[[floor]]\ndepths = "1..3"\nrecipe = "cave"\n[[floor]]\ndepths = "2..3"\nrecipe = "bsp"\n',
    ),
    (
        "7:21: warning: with deep = 40: fill_prob is a number from 0 to 1, not 1.0333333333333334 at depth 31",
        '[param.deep]\ndefault = 4\nrange = [2, 40]\n[[floor]]\ndepths = "1..$deep"\n'
        'recipe = "cave"\nset = { fill_prob = "= depth/30" }\n',
    ),
    (
        "error: the formula divides by zero (depth = 2)",
        '[[floor]]\ndepths = "1..2"\nrecipe = "cave"\nset = { fill_prob = "= 1/(2 - depth)/4" }\n',
    ),
    (
        "note: floors of this table have no finish",
        '[[floor]]\ndepths = 1\nrecipe = "cave"\n[[floor]]\ndepths = 2\nrecipe = "bsp"\nfinish = ["inhabited"]\n',
    ),
    ("unknown recipe 'caev'", '[[floor]]\ndepths = 1\nrecipe = "caev"\n'),
    ("nothing uses the parameter 'deep'", '[param.deep]\ndefault = 4\n[[floor]]\ndepths = 1\nrecipe = "cave"\n'),
]


@pytest.mark.parametrize(("problem", "text"), LINTED)
def test_lint_of_a_dungeon_recipe(problem: str, text: str, say: Say) -> None:
    Path("a.toml").write_text(text)
    result = say("lint", "a.toml")
    said = result.out + result.err
    words = problem.split(": ", 1) if problem[0].isdigit() else ["", problem]
    assert words[1] in said
    assert f"a.toml:{words[0]}" in said
    assert result.code == (1 if "error: " in problem else 0 if "warning" in problem or "note" in problem else 2)


# --- mistakes

MISTAKES = [
    ("unknown measure 'romos'", "did you mean 'rooms'?", ["measure", "floors", "romos"]),
    ("no floor '9'", "one of: 1, 2, 3", ["measure", "floors", "rooms[9]"]),
    ("--plot is about single levels, and floors is a dungeon", "", ["measure", "floors", "--plot", "a.png"]),
    ("--seeds are those of one dungeon recipe", "", ["measure", "floors", "--seeds", "0..3"]),
    ("floors is there already", "", ["measure", "floors", "--seed", "3"]),
    ("--palette is about single levels", "", ["solve", "floors", "--palette", "letters #.+X"]),
    ("--start is about single levels", "", ["solve", "delve", "--start", "1,1"]),
    ("no floor '9'", "", ["convert", "floors", "a.png", "--floor", "9"]),
    ("a .png file holds one floor, this dungeon has 3", "--floor", ["convert", "floors", "a.png"]),
    ("floors/01.json is no dungeon, and --floor names", "", ["convert", "floors/01.json", "a.png", "--floor", "1"]),
    ("cannot write to floors/: it holds files already", "", ["convert", "floors", "floors/", "--format", "json"]),
    ("--dask is about single levels", "", ["batch", "delve", "--count", "1", "--out", "b", "--dask", "tcp://x:1"]),
    ("written as json or npz, not 'tmx'", "", ["batch", "delve", "--count", "1", "--out", "b", "--as", "tmx"]),
    ("cannot write to floors", "", ["batch", "delve", "--count", "1", "--out", "floors"]),
    ("count is a whole number from 1", "", ["batch", "delve", "--count", "0", "--out", "b"]),
    ("no floor '9'", "", ["batch", "delve", "--count", "1", "--out", "b", "--measures", "rooms[9]"]),
    ("--vary is about single levels", "", ["search", "delve", "--vary", "deep=2..4"]),
    ("--take is a whole number from 1", "", ["search", "delve", "--take", "0"]),
    ("no floor '9'", "", ["search", "delve", "--until", "rooms[9] >= 1"]),
    ("unknown measure 'romos'", "", ["search", "delve", "--sort", "romos"]),
    ("floors holds a dungeon, and mistakes are found in its recipe", "undercroft solve", ["lint", "floors"]),
    ("unknown rules or recipe 'barow'", "did you mean 'barrow'?", ["lint", "barow"]),
    ("--until is asked of the whole dungeon", "", ["generate", "delve", "--until", "rooms >= 2", "--floor", "1"]),
]


@pytest.mark.parametrize(("problem", "fix", "words"), MISTAKES)
def test_a_mistake_is_a_sentence(problem: str, fix: str, words: list[str], say: Say, folder: str) -> None:
    result = say(*words)
    assert (result.code, problem in result.err, fix in result.err) == (2, True, True), result.err
    assert "Traceback" not in result.err
    assert [path.name for path in Path().iterdir()] == [folder]
