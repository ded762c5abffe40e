"""`undercroft measure` of several files, with parameters that vary, and what its outputs tell about themselves."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pandas as pd
import pypdfium2
import pytest
from PIL import Image

import undercroft as uc
from support.command_lines import Say
from undercroft.analysis.measures.table import MEASURES
from undercroft.recipe.variation import Variation

MANY = ("measure", "cave", "--seeds", "0..19", "--size", "40x20", "--workers", "1")


@pytest.fixture
def maps(say: Say) -> list[str]:
    names = []
    for seed in range(4):
        uc.generate("bsp", seed=seed, size=(40, 24)).save(f"{seed}.json")
        names.append(f"{seed}.json")
    return names


def test_several_files_are_measured_one_by_one(say: Say, maps: list[str]) -> None:
    said = say("measure", *maps, "rooms", "density", "--csv", "a.csv", "--json", "a.json")
    assert said.code == 0
    lines = [line.split() for line in said.out.splitlines()]
    assert lines[0] == ["file", "size", "rooms", "density"]
    rows = list(csv.DictReader(io.StringIO(Path("a.csv").read_text())))
    data = json.loads(Path("a.json").read_text())
    for number, name in enumerate(maps):
        wanted = uc.measure(uc.load(name), "rooms", "density")
        assert lines[number + 1] == [name, "40x24", *(str(value) for value in wanted.values())]
        assert {key: float(rows[number][key]) for key in wanted} == wanted
        assert data["files"][number] == {"file": name, "size": [40, 24], "measures": wanted}
    assert data["undercroft"] == {"version": uc.__version__, "measures": {"rooms": 1, "density": 1}}
    assert (rows[0]["version"], rows[0]["width"]) == (uc.__version__, "40")


def test_all_measures_of_several_files(say: Say, maps: list[str]) -> None:
    said = say("measure", *maps)
    assert said.out.splitlines()[0].split() == ["file", "size", "density", "rooms", "loops", "path_length"]
    assert "--csv FILE.csv" in said.err
    for ask in (("--csv",), ("all", "--csv"), ("--measures", "all", "--csv")):
        head = say("measure", *maps, *ask).out.splitlines()[0]
        assert head == ",".join(["file", *MEASURES, "width", "height", "version", "editions"])
    assert len(json.loads(say("measure", "0.json", "all", "--json").out)) == len(MEASURES) + 1


def test_measures_may_be_named_by_an_option(say: Say, maps: list[str]) -> None:
    assert say("measure", maps[0], "--measures", "rooms,density").out == say("measure", maps[0], "rooms", "density").out
    assert "unknown measure 'lops'" in say("measure", maps[0], "--measures", "lops").err


def test_parameters_that_vary_are_columns(say: Say) -> None:
    ask = (*MANY, "--vary", "nrepeats=3,8", "--vary", "fill_prob=0.4..0.5", "loops")
    said = say(*ask, "--csv", "a.csv", "--json", "a.json")
    assert said.code == 0
    assert said.out.startswith("cave fill_prob=0.4..0.5 nrepeats=3,8 40x20, seeds 0..19: 40 levels\n")
    table = pd.read_csv("a.csv")
    vary = Variation(uc.Recipe.load("cave"), {"nrepeats": [3, 8], "fill_prob": (0.4, 0.5)})
    for place, row in table.iterrows():
        values = vary.values(int(row["seed"]), int(str(place)) % 2)
        assert (row["nrepeats"], row["fill_prob"]) == (values["nrepeats"], values["fill_prob"])
        level = uc.generate("cave", seed=int(row["seed"]), size=(40, 20), params=values)
        assert row["loops"] == uc.measure(level, "loops")["loops"]
    values = json.loads(Path("a.json").read_text())["recipes"][0]["values"]
    assert (values["nrepeats"], len(values["seed"])) == ([3, 8] * 20, 40)
    assert say(*ask, "--csv").out == Path("a.csv").read_text()
    assert say(*ask, "--x", "loops", "--plot", "a.png", "--quiet").code == 0
    assert "unknown parameter of cave 'nope'" in say(*MANY, "--vary", "nope=1,2").err
    assert "nrepeats is set, and varies" in say(*MANY, "--vary", "nrepeats=1,2", "--set", "nrepeats=3").err


def check_record(record: dict[str, Any], *recipes: str) -> None:
    assert record["version"] == uc.__version__
    assert record["measures"]["density"] == MEASURES["density"].edition
    assert [one["recipe"] for one in record["recipes"]] == list(recipes)
    for one in record["recipes"]:
        assert one["editions"] == uc.Recipe.load(one["recipe"]).editions
        assert one["size"] == [40, 20]


def read_record(path: str) -> dict[str, Any]:
    if path.endswith(".png"):
        with Image.open(path) as image:
            text = image.text["undercroft"]  # type: ignore[attr-defined]
    elif path.endswith(".svg"):
        text = ElementTree.parse(path).getroot().findtext("{http://www.w3.org/2000/svg}metadata") or ""
    else:
        document = pypdfium2.PdfDocument(path)
        text = document.get_metadata_value("undercroft")
        document.close()
    record: dict[str, Any] = json.loads(text)
    return record


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
@pytest.mark.parametrize(
    "recipes", [("cave",), ("cave", "walk"), ("cave", "bsp", "walk"), ("cave", "bsp", "walk", "drunkard")]
)
def test_plots_of_any_number_of_recipes_tell_how_they_were_made(
    say: Say, suffix: str, recipes: tuple[str, ...]
) -> None:
    file = f"a.{suffix}"
    ask = ("measure", *recipes, "--seeds", "0..4", "--size", "40x20", "--workers", "1", "--x", "loops", "--plot", file)
    assert say(*ask, "--quiet").code == 0
    check_record(read_record(file), *recipes)
    first = Path(file).read_bytes()
    assert say(*ask, "--quiet").code == 0
    assert Path(file).read_bytes() == first, "the same bytes every time"


def test_csv_is_described_beside_it(say: Say) -> None:
    assert say(*MANY, "loops", "density", "--csv", "a.csv", "--quiet").code == 0
    about = json.loads(Path("a.csv-metadata.json").read_text())
    assert (about["@context"], about["url"]) == ("http://www.w3.org/ns/csvw", "a.csv")
    table = pd.read_csv("a.csv")
    assert [column["titles"] for column in about["tableSchema"]["columns"]] == list(table.columns)
    check_record(about["notes"][0]["undercroft"], "cave")
    assert set(table["editions"]) == {about["notes"][0]["undercroft"]["recipes"][0]["digest"]}
    assert set(table["version"]) == {uc.__version__}
    assert str(table.dtypes["loops"]) == "int64"


def test_other_commands_tell_it_too(say: Say) -> None:
    found = json.loads(
        say("search", "cave", "--seeds", "0..9", "--size", "40x20", "--take", "2", "--json", "--sheet", "a.png").out
    )
    check_record(found["undercroft"], "cave")
    check_record(read_record("a.png"), "cave")
    profile = json.loads(
        say(
            "profile", "cave", "--size", "40x20", "--sizes", "40x20", "--seeds", "0..2", "--json", "--plot", "b.svg"
        ).out
    )
    assert profile["undercroft"]["recipes"][0]["editions"] == uc.Recipe.load("cave").editions
    assert read_record("b.svg")["recipes"] == profile["undercroft"]["recipes"]
    ask = ("batch", "cave", "--count", "4", "--size", "40x20", "--measures", "density", "--out", "out", "--as", "npz")
    made = json.loads(say(*ask, "--workers", "1", "--json").out)
    check_record(made["undercroft"], "cave")
    page = Path("out/report.html").read_text(encoding="utf-8")
    assert f'<meta name="generator" content="Undercroft {uc.__version__}">' in page
    assert "&quot;editions&quot;:{&quot;noise&quot;:" in page


def test_ranges_and_bins_are_set(say: Say) -> None:
    ask = (*MANY, "--x", "density", "--y", "loops", "density", "loops", "--json", "a.json")
    said = say(*ask, "--x-range", "0.3..0.4", "--y-range", "2..9", "--bins", "5x4", "--plot", "a.png")
    assert said.code == 0
    data = json.loads(Path("a.json").read_text())
    assert data["x"]["edges"] == pytest.approx([0.3, 0.32, 0.34, 0.36, 0.38, 0.4])
    assert data["y"]["edges"] == [1.5, 3.5, 5.5, 7.5, 9.5]
    [recipe] = data["recipes"]
    pairs = list(zip(recipe["values"]["density"], recipe["values"]["loops"], strict=True))
    inside = [pair for pair in pairs if 0.3 <= pair[0] <= 0.4 and 2 <= pair[1] <= 9]
    assert (recipe["range"]["levels"], recipe["range"]["outside"]) == (len(inside), len(pairs) - len(inside))
    assert sum(map(sum, recipe["range"]["counts"])) == len(inside) < len(pairs)
    assert f"{len(pairs) - len(inside)} levels outside of the axes" in said.out
    nothing = say(*ask, "--x-range", "0.9..1", "--plot", "b.png")
    assert nothing.code == 1
    assert "within the axes: there is no picture" in nothing.err
    assert not Path("b.png").exists()


MISTAKES = [
    (["--x-range", "5"], "a range is LOW..HIGH, not '5'", "0..1"),
    (["--x-range", "0..1e300"], "the greater end of 0..1e300", "ends that a measure can have"),
    (["--x-range", "nan..1"], "a range is LOW..HIGH", "0..1"),
    (["--y-range", "2..1"], "nothing lies between 2 and 1", "smaller number first"),
    (["--bins", "0"], "bins are a whole number from 1", "--bins 20"),
    (["--bins", "9x"], "bins are a whole number from 1", "--bins 20"),
    (["--bins", "5000"], "the number of bins along a measure is 5,000", "fewer"),
    (["--plot", "a.gif"], "does not end in .png, .svg or .pdf", "range.png"),
    (
        ["--compare", "bsp", "--compare", "walk", "--compare-set", "a=1"],
        "--compare-set sets a parameter",
        "--compare 'cave",
    ),
    (["--compare", "cave"], "both are cave", "'cave fill_prob=0.4'"),
    (["'cave fil_prob=1'"], "unknown measure", ""),
    (["cave fil_prob=1"], "unknown parameter of cave 'fil_prob'", "fill_prob"),
]


@pytest.mark.parametrize(("args", "problem", "fix"), MISTAKES, ids=[" ".join(row[0]) for row in MISTAKES])
def test_mistakes_are_sentences(say: Say, args: list[str], problem: str, fix: str) -> None:
    said = say(*MANY, *args)
    assert (said.code, said.out) == (2, "")
    assert problem in said.err
    assert fix in said.err.partition("fix:")[2]


def test_recipes_and_files_are_not_mixed(say: Say, maps: list[str]) -> None:
    assert "gives many" in say("measure", "cave", *maps, "--seeds", "0..3").err
    assert "add --seeds" in say("measure", "cave", "bsp").err
    assert "is for many levels, and" in say("measure", *maps, "--plot", "a.png").err
    assert "standard output takes one" in say("measure", *maps, "--csv", "--json").err


def test_a_recipe_with_settings_is_one_word(say: Say) -> None:
    one = say("measure", "cave fill_prob=0.4", "--seed", "3", "--size", "30x20", "loops")
    assert one.out == say("measure", "cave", "--set", "fill_prob=0.4", "--seed", "3", "--size", "30x20", "loops").out
    two = say("measure", "cave", "cave fill_prob=0.4", "loops", "--seeds", "0..9", "--size", "30x20", "--workers", "1")
    assert [line.split(" 30x20")[0] for line in two.out.splitlines() if " levels" in line] == [
        "cave",
        "cave fill_prob=0.4",
    ]
