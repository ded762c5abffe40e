"""`undercroft measure`: one level or many, what is printed and written, and with which exit code."""

from __future__ import annotations

import csv
import io
import json
import os
import pty
import re
import signal
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import undercroft as uc
from support.command_lines import Say
from support.processes import AT_ONCE
from undercroft import limits
from undercroft.analysis.measures.table import MEASURES
from undercroft.bulk.workers.adaptive import AdaptivePool
from undercroft.bulk.workers.in_process import TaskResult
from undercroft.cli.many_levels.measure_seeds import MeasureRequest

MANY = ("measure", "cave", "--seeds", "0..39", "--size", "40x20", "--workers", "1")


def test_one_level_as_before(say: Say) -> None:
    level = uc.generate("cave", seed=3, size=(30, 20))
    level.save("a.json")
    record = {"version": uc.__version__, "measures": {"loops": 1, "density": 1}, "size": [30, 20]}
    wanted = uc.measure(level, "loops", "density") | {"undercroft": record}
    for args in (("a.json",), ("cave", "--seed", "3", "--size", "30x20")):
        assert json.loads(say("measure", *args, "--json", "loops", "density").out) == wanted
        assert json.loads(say("measure", *args, "loops", "density", "--json").out) == wanted
        assert json.loads(say("measure", *args, "loops", "density", "--json", "-").out) == wanted
        quiet = say("measure", *args, "loops", "density", "--json", "b.json")
        assert (quiet.code, quiet.out, quiet.err) == (0, "", "undercroft: written to b.json\n")
        assert say("measure", *args, "loops", "--json", "b.json", "--quiet").err == ""
        say("measure", *args, "loops", "density", "--json", "b.json")
        assert json.loads(Path("b.json").read_text()) == wanted
    assert uc.load("a.json") == level, "what is read is not written"


def test_the_table_is_of_all_levels(say: Say) -> None:
    said = say(*MANY, "density", "loops")
    assert said.code == 0
    head, names, *rows = said.out.splitlines()
    assert head == "cave 40x20, seeds 0..39: 40 levels"
    assert names.split() == ["measure", "least", "median", "mean", "greatest"]
    numbers = {
        name: [float(uc.measure(uc.generate("cave", seed=seed, size=(40, 20)), name)[name] or 0) for seed in range(40)]
        for name in ("density", "loops")
    }
    for row, (name, known) in zip(rows, numbers.items(), strict=True):
        word, *found = row.split()[:5]
        assert word == name
        assert [float(number) for number in found] == pytest.approx(
            [min(known), np.median(known), np.mean(known), max(known)], rel=1e-3
        )
    ends = [[match.end() for match in re.finditer(r"\S+", line)][4] for line in (names, *rows)]
    assert len(set(ends)) == 1, "columns are aligned"


def test_levels_without_a_number_are_counted_in_the_table(say: Say) -> None:
    rows = [line.split() for line in say(*MANY, "doors", "door_spacing").out.splitlines()[1:]]
    assert rows == [
        ["measure", "least", "median", "mean", "greatest", "none"],
        ["doors", "0", "0", "0", "0"],
        ["door_spacing", "-", "-", "-", "-", "40"],
    ]


def test_csv_and_json_say_the_same_in_files_and_in_a_pipe(say: Say) -> None:
    names = ["density", "loops", "door_spacing"]
    said = say(*MANY, *names, "--csv", "a.csv", "--json", "a.json")
    assert "written to a.json, a.csv, a.csv-metadata.json" in said.err
    rows = list(csv.DictReader(io.StringIO(Path("a.csv").read_text())))
    assert [row["seed"] for row in rows] == [str(seed) for seed in range(40)]
    for row in rows[::7]:
        measured = uc.measure(uc.generate("cave", seed=int(row["seed"]), size=(40, 20)), *names)
        assert {name: float(row[name]) if row[name] else None for name in names} == measured
    streamed = say(*MANY, *names, "--csv")
    assert streamed.out == Path("a.csv").read_text()
    data = json.loads(say(*MANY, *names, "--json").out)
    assert data == json.loads(Path("a.json").read_text())
    [recipe] = data["recipes"]
    assert recipe["recipe"] == "cave"
    assert (recipe["size"], recipe["seeds"], recipe["levels"]) == ([40, 20], ["0", "39"], 40)
    assert recipe["values"]["loops"] == [int(row["loops"]) for row in rows]
    assert recipe["values"]["door_spacing"] == [None] * 40
    assert recipe["measures"]["door_spacing"]["none"] == 40


def test_the_plot_is_drawn_and_its_range_is_told(say: Say) -> None:
    said = say(*MANY, "--x", "path_length", "--plot", "range.png", "--json", "a.json", "path_length", "density")
    assert said.code == 0
    with Image.open("range.png") as image:
        assert image.format == "PNG"
        assert len(image.convert("RGB").getcolors(1 << 20) or []) > 50
    data = json.loads(Path("a.json").read_text())
    counts = np.array(data["recipes"][0]["range"]["counts"])
    values = data["recipes"][0]["values"]
    wanted, _, _ = np.histogram2d(values["path_length"], values["density"], [data["x"]["edges"], data["y"]["edges"]])
    assert np.array_equal(counts, wanted.T)
    empty = data["recipes"][0]["range"]["empty"]
    assert empty == pytest.approx((counts == 0).mean(), abs=1e-6)
    assert (
        f"{empty:.0%} of the {counts.shape[1]}x{counts.shape[0]} bins of path_length and density are empty" in said.out
    )
    seeds = [corner["seed"] for corner in data["recipes"][0]["range"]["corners"]]
    line = said.out.partition("at the corners ")[2]
    assert re.findall(r"seed (\d+)", line) == seeds
    middle = [float(np.median(values[name])) for name in ("path_length", "density")]
    for corner in data["recipes"][0]["range"]["corners"]:
        words = re.search(rf"seed {corner['seed']} +(low|high) path_length, (low|high) density\n", line)
        assert words
        for word, number, median in zip(words.groups(), (corner["x"], corner["y"]), middle, strict=True):
            assert number <= median if word == "low" else number >= median
    for corner in data["recipes"][0]["range"]["corners"]:
        level = uc.generate("cave", seed=int(corner["seed"]), size=(40, 20))
        assert uc.measure(level, "path_length", "density") == {"path_length": corner["x"], "density": corner["y"]}


def test_quiet_says_only_what_was_asked_for(say: Say) -> None:
    written = say(*MANY, "loops", "--csv", "a.csv", "--quiet")
    assert (written.code, written.out, written.err) == (0, "", "")
    assert say(*MANY, "loops", "--quiet").out == say(*MANY, "loops").out != ""


def test_workers_make_no_difference(say: Say) -> None:
    ask = (
        "measure",
        "cave",
        "--seeds",
        "0..149",
        "--size",
        "60x40",
        "--x",
        "loops",
        "--plot",
        "a.png",
        "--csv",
        "a.csv",
    )
    answers = []
    for workers in ("1", "2"):
        said = say(*ask, "--workers", workers)
        assert said.code == 0
        answers.append((said.out, Path("a.png").read_bytes(), Path("a.csv").read_bytes()))
    assert answers[0] == answers[1]


def test_two_recipes_are_compared(say: Say) -> None:
    said = say(
        *MANY,
        "--compare",
        "cave",
        "--compare-set",
        "fill_prob=0.36",
        "--x",
        "loops",
        "--plot",
        "two.png",
        "--csv",
        "a.csv",
        "loops",
    )
    assert said.code == 0
    assert [line for line in said.out.splitlines() if "levels" in line] == [
        "cave 40x20, seeds 0..39: 40 levels",
        "cave fill_prob=0.36 40x20, seeds 0..39: 40 levels",
    ]
    assert re.search(r"^the two overlap by \d+%$", said.out, re.MULTILINE)
    rows = list(csv.DictReader(io.StringIO(Path("a.csv").read_text())))
    assert [row["recipe"] for row in rows] == ["cave"] * 40 + ["cave fill_prob=0.36"] * 40
    other = uc.measure(uc.generate("cave", seed=3, size=(40, 20), fill_prob=0.36), "loops")["loops"]
    assert int(rows[43]["loops"]) == other
    with Image.open("two.png") as image:
        assert image.width > 1900


def test_a_measure_that_never_changes_is_drawn(say: Say) -> None:
    said = say(*MANY, "--x", "components", "--plot", "a.png")
    assert said.code == 0
    assert "of the 1x" in said.out
    assert (
        "note: components is the same for all levels; --x takes another measure, for example path_length\n" in said.err
    )
    assert Path("a.png").stat().st_size > 10_000
    assert "the same for all" not in say(*MANY, "--x", "loops", "--plot", "a.png").err


def test_what_is_measured_follows_from_what_is_asked() -> None:
    wish = MeasureRequest(("cave",), seeds="0..9")
    assert wish.needed_measures == tuple(MEASURES)
    assert wish._replace(measures=("loops",)).needed_measures == ("loops",)
    assert wish._replace(plot="a.png").needed_measures == ("linearity", "density")
    assert wish._replace(plot="a.png", x="loops", measures=("rooms",)).needed_measures == ("rooms", "loops", "density")
    assert wish._replace(plot="a.png", csv="-").needed_measures == tuple(MEASURES)


def test_the_picture_names_the_command_that_makes_it(say: Say) -> None:
    settings = ("fill_prob=0.4",)
    wish = MeasureRequest(
        ("cave",), (), "0..9", "30x20", settings, "loops", None, "a b.png", None, None, ("cave",), (), 1, True
    )
    words = re.findall(r"'[^']*'|\S+", wish.command)
    assert words[0] == "undercroft"
    said = say(*(word.strip("'") for word in words[1:]))
    assert said.code == 0, said.err
    assert Path("a b.png").exists()


MISTAKES = [
    ("unknown recipe 'cavve'", "did you mean 'cave'?", ["cavve", "--seeds", "0..9"]),
    ("unknown recipe 'cavve'", "did you mean 'cave'?", ["cave", "--seeds", "0..9", "--compare", "cavve"]),
    ("unknown measure 'lops'", "did you mean 'loops'?", ["cave", "lops", "--seeds", "0..9"]),
    ("unknown measure 'linarity'", "did you mean 'linearity'?", ["cave", "--seeds", "0..9", "--x", "linarity"]),
    (
        "unknown measure 'a.txt'",
        "a file after --csv ends in .csv; for any other name write --csv=a.txt",
        ["cave", "--seeds", "0..9", "--csv", "a.txt"],
    ),
    ("unknown measure 'a.json'", "write --csv=a.json", ["cave", "--seeds", "0..9", "--csv", "a.json"]),
    ("unknown measure 'a.txt'", "write --json=a.txt", ["cave", "--seeds", "0..9", "--json", "a.txt"]),
    ("unknown measure 'b.json'", "files that are there", ["cave", "b.json"]),
    (
        "two of --plot, --json and --csv name the same file: a.x, ./a.x",
        "a file of its own",
        ["cave", "--seeds", "0..9", "--csv=./a.x", "--json=a.x"],
    ),
    ("a.toml is a recipe, and no level to be read", "leave --read-as out", ["a.toml", "--read-as", "toml"]),
    ("FILE|FOLDER|RECIPE is missing", "write undercroft measure", []),
    ("seeds are FIRST..LAST", "1..100", ["cave", "--seeds", "some"]),
    ("the number of seeds is 100,000,000,000", "fewer seeds", ["cave", "--seeds", "1..100000000000"]),
    ("--seed is one level, and --seeds are many", "leave one", ["cave", "--seed", "1", "--seeds", "0..9"]),
    ("--plot is for many levels", "--seeds 0..999", ["cave", "--plot", "a.png"]),
    ("--csv is for many levels", "--seeds 0..999", ["cave", "--csv"]),
    ("--compare-set is for many levels", "--seeds 0..999", ["cave", "--compare-set", "a=1"]),
    ("a.txt is a file", "leave these options out", ["a.txt", "--seeds", "0..9"]),
    ("a plot is a picture", "range.png", ["cave", "--seeds", "0..9", "--plot", "a.gif"]),
    ("a range has two measures", "another --x", ["cave", "--seeds", "0..9", "--x", "density", "--plot", "a.png"]),
    ("standard output takes one of them", "name a file", ["cave", "--seeds", "0..9", "--json", "--csv"]),
    (
        "cannot write no/a.png: no such folder",
        "make the folder no first",
        ["cave", "--seeds", "0..9", "--plot", "no/a.png"],
    ),
    (
        "cannot write no/a.csv: no such folder",
        "make the folder no first",
        ["cave", "--seeds", "0..9", "--csv", "no/a.csv"],
    ),
    ("both are cave", "--compare-set", ["cave", "--seeds", "0..9", "--compare", "cave"]),
    (
        "--compare-set sets a parameter",
        "--compare RECIPE",
        ["cave", "--seeds", "0..9", "--compare-set", "fill_prob=0.4"],
    ),
    (
        "unknown parameter of cave 'fil_prob'",
        "did you mean 'fill_prob'?",
        ["cave", "--seeds", "0..9", "--set", "fil_prob=0.4"],
    ),
    ("workers is a whole number from 1, not 0", "", ["cave", "--seeds", "0..9", "--workers", "0"]),
]


@pytest.mark.parametrize(("problem", "fix", "args"), MISTAKES, ids=[" ".join(row[2]) for row in MISTAKES])
def test_mistakes_are_sentences(say: Say, problem: str, fix: str, args: list[str]) -> None:
    said = say("measure", *args)
    assert (said.code, said.out) == (2, "")
    assert problem in said.err
    assert fix in said.err.partition("fix:")[2]
    assert not list(Path().iterdir()), "nothing is written"


NEVER = '[[step]]\nuse = "noise"\nwall = 1.0\n[require]\nrooms = "> 900"\n'


def test_a_recipe_without_a_level_exits_with_1(say: Say) -> None:
    Path("never.toml").write_text(NEVER)
    said = say(
        "measure",
        "never.toml",
        "loops",
        "density",
        "--seeds",
        "0..2",
        "--size",
        "9x9",
        "--x",
        "loops",
        "--plot",
        "a.png",
        "--workers",
        "1",
    )
    assert said.code == 1
    assert "3 of 3 levels could not be made as required" in said.err
    assert "there is no picture" in said.err
    assert not Path("a.png").exists()
    assert "0 levels" in said.out


def test_levels_without_both_measures_have_no_picture(say: Say) -> None:
    said = say(*MANY, "--x", "door_spacing", "--plot", "a.png", "--csv", "a.csv")
    assert said.code == 1
    assert (
        "undercroft: cave has no level with both door_spacing and density: there is no picture\n"
        "  fix: choose measures with --x and --y"
    ) in said.err
    assert not Path("a.png").exists()
    assert len(Path("a.csv").read_text().splitlines()) == 41, "the numbers are not lost"


@pytest.mark.long
@pytest.mark.processes
@pytest.mark.skipif(sys.platform == "win32", reason="signals differ there")
@pytest.mark.parametrize("workers", ["1", "2"])
def test_interrupted_it_writes_what_it_has(tmp_path: Path, workers: str) -> None:
    ask = ["measure", "cave", "loops", "--seeds", "0..999999", "--x", "path_length", "--workers", workers]
    ask += ["--plot", "a.png", "--csv", "-", "--json", "a.json"]
    with (
        (tmp_path / "said.txt").open("w") as said,
        subprocess.Popen(
            [sys.executable, "-m", "undercroft", *ask], cwd=tmp_path, stdout=subprocess.PIPE, stderr=said, text=True
        ) as process,
    ):
        assert process.stdout is not None
        begin = [process.stdout.readline() for _ in range(200)]  # levels come while others are made
        process.send_signal(signal.SIGINT)
        rest = process.stdout.read()  # and not communicate(), which forgets what readline() has in store
        code = process.wait(60)
    err = (tmp_path / "said.txt").read_text()
    assert code == 130, err
    match = re.search(r"interrupted after ([\d,]+) of 1,000,000 seeds", err)
    assert match, err
    count = int(match[1].replace(",", ""))
    lines = ("".join(begin) + rest).splitlines()
    assert len(lines) - 1 <= count <= len(lines), "the last line may have been on its way"
    data = json.loads((tmp_path / "a.json").read_text())
    assert data["interrupted"] is True
    assert data["recipes"][0]["tried"] == count
    assert data["recipes"][0]["values"]["seed"] == [str(seed) for seed in range(count)]
    with Image.open(tmp_path / "a.png") as image:
        assert image.format == "PNG"


def test_interrupted_before_the_second_recipe_is_begun(say: Say, monkeypatch: pytest.MonkeyPatch) -> None:
    def run_until_interrupted(paced: AdaptivePool, pieces: Any) -> Generator[TaskResult]:
        for number, done in enumerate(run_all(paced, pieces)):
            if number == 3:
                raise KeyboardInterrupt
            yield done

    run_all = AdaptivePool.run
    monkeypatch.setattr(AdaptivePool, "run", run_until_interrupted)
    files = ("--csv", "a.csv", "--json", "a.json", "--plot", "a.png")
    said = say(
        "measure",
        "cave",
        "loops",
        "density",
        "--seeds",
        "0..999",
        "--size",
        "20x10",
        "--x",
        "loops",
        "--compare",
        "walk",
        "--workers",
        "1",
        *files,
    )
    assert said.code == 130
    assert "undercroft: note: walk was not begun\n" in said.err
    data = json.loads(Path("a.json").read_text())
    assert [recipe["recipe"] for recipe in data["recipes"]] == ["cave"]
    assert {line.split(",")[0] for line in Path("a.csv").read_text().splitlines()[1:]} == {"cave"}
    assert "cave 20x10" in said.out
    assert "walk" not in said.out
    assert Path("a.png").exists()


ODD = [{}, {"to": "up"}]


@pytest.mark.parametrize("data", ODD)
def test_a_one_way_door_that_leads_nowhere_stops_only_what_needs_it(say: Say, data: dict[str, str]) -> None:
    level = uc.Level.parse("<.+.>")
    uc.Level(level.tiles, things=[uc.Thing("one-way", 2, 0, data)], start=level.start, end=level.end).save("odd.json")
    said = say("measure", "odd.json")
    rows = {line.split()[0]: line.split()[1] for line in said.out.splitlines() if line.startswith(" ")}
    assert rows["rooms"] == "2"
    assert {name for name, number in rows.items() if number == "unknown"} == {
        "solution_length",
        "backtrack",
        "unlosable",
        "secret_need",
    }
    assert said.code == 0
    assert said.err.count("note: ") == 1
    assert "note: odd.json: the one-way door at (2, 0) " in said.err
    assert 'fix: its data says where: {"to": "N"}' in said.err
    alone = say("measure", "odd.json", "solution_length")
    assert alone.code == 2
    assert "odd.json: the one-way door at (2, 0) " in alone.err
    assert say("measure", "odd.json", "path_length").code == 0


def test_a_map_without_a_suffix(say: Say) -> None:
    Path("map").write_text("#.#\n")
    said = say("measure", "map")
    assert said.code == 2
    assert "map has no suffix that names a format\n  fix: add --read-as, for example --read-as text" in said.err
    assert say("measure", "map", "density", "--read-as", "text").code == 0
    assert "unknown recipe 'mapp'" in say("measure", "mapp").err


@pytest.mark.processes
def test_a_bar_on_a_terminal_and_nothing_of_it_in_a_pipe(tmp_path: Path) -> None:
    ask = [*AT_ONCE, "measure", "cave", "loops", "--seeds", "0..99", "--size", "300x200", "--workers", "1"]
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        ask,
        stdin=follower,
        stdout=subprocess.PIPE,
        stderr=follower,
        cwd=tmp_path,
        env={**os.environ, "TERM": "xterm-256color", "COLUMNS": "100"},
    )
    os.close(follower)
    shown = b""
    while True:
        try:
            part = os.read(leader, 65536)
        except OSError:
            break
        if not part:
            break
        shown += part
    os.close(leader)
    assert process.stdout is not None
    with process.stdout:
        out = process.stdout.read().decode()
    assert process.wait() == 0
    assert "of 100" in shown.decode()
    assert "\x1b" not in out
    piped = subprocess.run(ask, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert piped.stdout == out
    assert piped.stderr == ""


def test_json_says_what_was_given_up(say: Say, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "DIAMETER_VISITS", limits.DIAMETER_VISITS._replace(value=100))
    told = say("measure", "cave", "--seed", "1", "--size", "40x30", "--json")
    assert "diameter" not in json.loads(told.out)
    assert told.err.endswith("undercroft: note: diameter would take too many steps, and is left out\n")


def test_a_map_is_read_with_a_palette_and_by_large_pixels_as_convert_does(say: Say) -> None:
    Path("garden.toml").write_text(
        'name = "garden"\n[[tile]]\nname = "hedge"\nrole = "wall"\nglyph = "T"\n[[tile]]\nname = "grass"\n'
        'role = "floor"\nglyph = "_"\n',
        encoding="utf-8",
    )
    Path("garden.txt").write_text("TTTT\nT__T\nTTTT\n", encoding="utf-8")
    said = say("measure", "garden.txt", "--palette", "garden.toml", "--json", "density")
    assert (said.code, said.err) == (0, "")
    assert json.loads(said.out)["density"] == pytest.approx(2 / 12, abs=1e-6)
    assert say("measure", "garden.txt", "--palette", "letters T_", "density").code == 0
    Path("a.txt").write_text("####\n#.+.\n####\n", encoding="utf-8")
    say("convert", "a.txt", "a.png", "--format", "png:tiles", "--cell", "16")
    assert (
        json.loads(say("measure", "a.png", "--read-as", "png:tiles", "--read-cell", "16", "--json", "doors").out)[
            "doors"
        ]
        == 1
    )


@pytest.mark.parametrize("option", [("--read-as", "text"), ("--palette", "a.toml"), ("--read-cell", "2")])
def test_a_recipe_is_not_read_as_a_level(say: Say, option: tuple[str, str]) -> None:
    said = say("measure", "mine.toml", *option)
    assert said.code == 2
    assert said.err == f"undercroft: mine.toml is a recipe, and no level to be read\n  fix: leave {option[0]} out\n"
