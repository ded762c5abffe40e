"""`undercroft profile`: what is printed, written and drawn, and with which exit code."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PIL import Image

from undercroft.bulk.profile import Profile, ProfileProgress
from undercroft.cli import run
from undercroft.draw.plots.profile_plot import HEIGHT, WIDTH
from undercroft.errors import NotMet
from undercroft.recipe.document import Recipe

Say = Callable[..., tuple[int, str, str]]
FEW = ("profile", "cave", "--size", "30x20", "--seeds", "0..4")
STEPS = [plan.id for plan in Recipe.load("cave").plans]


@pytest.fixture
def say(capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Say:
    """Run a command line in a folder of its own: the exit code, and what went to standard output and error."""
    monkeypatch.chdir(tmp_path)

    def call(*args: str) -> tuple[int, str, str]:
        capfdbinary.readouterr()
        code = run(list(args))
        out, err = capfdbinary.readouterr()
        return code, out.decode(), err.decode()

    return call


def test_a_table_for_people(say: Say) -> None:
    code, out, err = say(*FEW)
    assert (code, err) == (0, "")
    first, *lines = out.splitlines()
    assert first == "cave 30x20, seeds 0..4: 5 levels"
    steps, growth, bars = "\n".join(lines).split("\n\n")
    rows = steps.splitlines()
    assert rows[0].split() == ["step", "µs", "share", "memory", "bytes", "a", "cell"]
    assert [row.split()[0] for row in rows[1:-1]] == [*STEPS, "overhead", "all"]
    shares = [float(row.split()[2].removesuffix("%")) for row in rows[1:-1]]
    assert sum(shares[:-1]) == pytest.approx(100, abs=0.5)
    assert shares[-1] == 100
    assert re.fullmatch(r"[\d,]+ levels a second on one core, one attempt a level", rows[-1])
    assert growth.splitlines()[0].split() == ["ns", "a", "cell", "15x10", "30x20", "60x40", "120x80", "grows", "like"]
    assert [row.split()[0] for row in growth.splitlines()[1:]] == [*STEPS, "overhead", "all"]
    assert all(re.search(r"cells\^-?\d\.\d\d$", row) for row in growth.splitlines()[1:])
    assert [row.split()[0] for row in bars.splitlines()[1:]] == ["15x10", "30x20", "60x40", "120x80"]
    assert max(row.count("█") for row in bars.splitlines()) == 48


def test_columns_stand_below_each_other(say: Say) -> None:
    lines = say(*FEW)[1].splitlines()
    table = lines[1 : len(STEPS) + 4]
    ends = {re.match(r"\S+ +\S+ +\S+", line).end() for line in table}  # type: ignore[union-attr]
    assert len(ends) == 1
    assert {len(line) for line in table if "overhead" not in line} == {len(table[0])}


def test_json_for_programs(say: Say) -> None:
    code, out, _ = say(*FEW, "--json", "--set", "nrepeats=3", "--sizes", "30x20,15x15")
    told = json.loads(out)
    assert code == 0
    assert (told["recipe"], told["params"], told["size"], told["seeds"]) == (
        "cave",
        {"nrepeats": 3},
        [30, 20],
        ["0", "4"],
    )
    assert (told["levels"], told["attempts"], told["without_a_level"], told["interrupted"]) == (5, 5, {}, False)
    assert [step["id"] for step in told["steps"]] == STEPS
    assert sum(step["seconds"] for step in told["steps"]) + told["overhead_seconds"] == pytest.approx(told["seconds"])
    assert told["levels_per_second"] == pytest.approx(1 / told["seconds"])
    assert all(0 < step["peak_bytes"] < told["peak_bytes"] for step in told["steps"])
    assert [each["size"] for each in told["growth"]] == [[15, 15], [30, 20]]
    assert list(told["growth"][0]["steps"]) == STEPS
    assert told["growth"][1]["seconds"] == told["seconds"]


def test_a_picture(say: Say, tmp_path: Path) -> None:
    code, out, err = say(*FEW, "--plot", "p.png")
    assert (code, err) == (0, "undercroft: written to p.png\n")
    assert out.startswith("cave 30x20")
    with Image.open(tmp_path / "p.png") as image:
        assert image.size == (WIDTH, HEIGHT)
    assert say(*FEW, "--plot", "p.png", "--quiet") == (0, "", "")


def test_one_size_has_no_growth(say: Say) -> None:
    out = say(*FEW, "--sizes", "30x20")[1]
    assert "ns a cell" not in out
    assert out.splitlines()[-1].endswith("one attempt a level")


def test_seeds_without_a_level_are_told(say: Say, tmp_path: Path) -> None:
    (tmp_path / "few.toml").write_text('[[step]]\nuse = "noise"\n[require]\ncomponents = ">= 11"\n')
    recipe = Recipe.load(tmp_path / "few.toml")
    without = 0
    for seed in range(20):
        try:
            recipe.generate(seed=seed, size=(12, 6))
        except NotMet:
            without += 1
    assert 1 < without < 19, "else this shows nothing"
    code, out, err = say("profile", "few.toml", "--size", "12x6", "--seeds", "0..19", "--sizes", "12x6")
    assert code == 0
    assert out.startswith(f"few 12x6, seeds 0..19: {20 - without} level")
    assert err == f"undercroft: note: {without} levels could not be made as required\n"


def test_no_level_at_all(say: Say, tmp_path: Path) -> None:
    (tmp_path / "never.toml").write_text('[[step]]\nuse = "noise"\n[require]\ncomponents = ">= 9000"\n')
    code, out, err = say("profile", "never.toml", "--size", "12x6", "--seeds", "0..2")
    assert (code, out) == (1, "")
    assert err == (
        "undercroft: never 12x6: 3 levels could not be made as required\n"
        "  fix: ask for another size, other seeds or other parameters\n"
    )


def test_sizes_left_out_are_told(say: Say) -> None:
    asked = ("profile", "rooms-and-mazes", "--size", "5x5", "--seeds", "0")
    assert "undercroft: note: 2x2 is left out: rooms need" in say(*asked)[2]
    assert say(*asked, "--quiet")[2] == ""


def test_more_than_one_attempt(say: Say, tmp_path: Path) -> None:
    (tmp_path / "picky.toml").write_text('[[step]]\nuse = "noise"\n[require]\ncomponents = ">= 12"\n')
    out = say("profile", "picky.toml", "--size", "16x12", "--seeds", "0..9", "--sizes", "16x12")[1]
    tries = sum(
        Recipe.load(tmp_path / "picky.toml").generate(seed=seed, size=(16, 12)).attempt + 1 for seed in range(10)
    )
    assert tries > 10
    assert out.endswith(f" levels a second on one core, {tries / 10:.2f} attempts a level\n")


@pytest.mark.parametrize("after", [0, 3, 8])
def test_interrupted(say: Say, monkeypatch: pytest.MonkeyPatch, after: int) -> None:
    work = Profile.run

    def cut_short(self: Profile) -> Iterator[ProfileProgress]:
        for number, said in enumerate(work(self)):
            if number == after:
                raise KeyboardInterrupt
            yield said

    monkeypatch.setattr(Profile, "run", cut_short)
    code, out, err = say(*FEW)
    assert code == 130
    assert err == "undercroft: interrupted: what follows is of fewer levels\n"
    assert out.splitlines()[0] == (
        f"cave 30x20, seed{'s 0..' * (after > 0) or ' '}{min(after, 4)}: {min(after + 1, 5)} level{'s' * (after > 0)}"
    )
    assert ("memory" in out) == (after > 4)


def test_interrupted_before_there_is_anything(say: Say, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(self: Profile) -> Iterator[ProfileProgress]:
        raise KeyboardInterrupt

    monkeypatch.setattr(Profile, "run", none)
    assert say(*FEW) == (130, "", "undercroft: interrupted before there was a level\n")


MISTAKES = [
    ("unknown recipe 'cav'", "did you mean 'cave'?", ["cav"]),
    ("one size is looked at", "--sizes 9x9,8x8", ["cave", "--size", "9x9", "--size", "8x8"]),
    ("a size is WIDTHxHEIGHT, not '9'", "80x50", ["cave", "--sizes", "9"]),
    (
        "growth is shown over 12 sizes at the most, not 13",
        "leave some out",
        ["cave", "--sizes", ",".join(["9x9"] * 13)],
    ),
    ("--sizes is empty", "--sizes 40x25,80x50", ["cave", "--sizes", ","]),
    ("at least 3x3 cells, not 2x2", "ask for 3x3", ["cave", "--size", "2x2"]),
    ("the limit is", "ask for a smaller size\n", ["cave", "--size", "9000x9000"]),
    ("does not end in .png", "profile.png", ["cave", "--plot", "a.jpg"]),
    ("no/where", "", ["cave", "--plot", "no/where/a.png"]),
    ("there are no seeds from 5 to 2", "2..5", ["cave", "--seeds", "5..2"]),
    ("unknown parameter of cave 'fil'", "fill_prob", ["cave", "--set", "fil=1"]),
]


@pytest.mark.parametrize(("problem", "fix", "asked"), MISTAKES)
def test_mistakes(say: Say, problem: str, fix: str, asked: list[str]) -> None:
    code, out, err = say("profile", *asked)
    assert (code, out) == (2, "")
    assert problem in err
    assert f"  fix: {fix}" in err or fix in err.partition("  fix: ")[2]
