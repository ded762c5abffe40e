"""`undercroft solve`: what it proves about a level, and with which exit code."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import undercroft as uc
from support.paths import ROOT
from undercroft.cli import run

Say = Callable[..., tuple[int, str, str]]
KEEP = str(ROOT / "examples" / "locked-keep.toml")
RED_LEFT, RED_RIGHT = uc.Thing("lock", 4, 1, {"key": "red"}), uc.Thing("lock", 8, 1, {"key": "red"})


@pytest.fixture
def say(capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Say:
    """Run a command line in a folder of its own: exit code, output, complaints."""
    monkeypatch.chdir(tmp_path)

    def call(*args: str) -> tuple[int, str, str]:
        capfdbinary.readouterr()
        code = run(list(args))
        out, err = capfdbinary.readouterr()
        return code, out.decode(), err.decode()

    return call


def house(*things: uc.Thing) -> uc.Level:
    draft = uc.Draft.of(
        uc.Level.parse("""
            #############
            #...+...+..>#
            #...#.<.#...#
            #############""")
    )
    draft.things = list(things)
    return draft.level()


def test_it_says_what_the_library_says(say: Say) -> None:
    level = house(RED_LEFT, RED_RIGHT, uc.Thing("key", 5, 1, {"opens": "red"}))
    level.save("house.json")
    code, out, err = say("solve", "house.json")
    assert (code, out, err) == (0, f"{uc.solve(level)}\n", "")
    assert out.splitlines()[2] == "  5  open the red door at (8, 1)"
    assert out.splitlines()[-1] == "it cannot be lost"


def test_a_recipe_is_made_and_solved(say: Say) -> None:
    code, out, err = say("solve", KEEP, "--seed", "5", "--size", "60x20", "--set", "locks=3")
    assert (code, err) == (0, "")
    assert out == f"{uc.solve(uc.generate(KEEP, seed=5, size=(60, 20), locks=3))}\n"
    code, out, err = say("solve", "cave", "--size", "20x10")
    assert code == 0
    assert err.startswith("undercroft: seed "), "what was drawn is told"


def test_what_cannot_be_solved_is_not_as_required(say: Say) -> None:
    house(RED_LEFT, RED_RIGHT, uc.Thing("key", 2, 2, {"opens": "red"})).save("house.json")
    code, out, err = say("solve", "house.json")
    assert (code, err) == (1, "")
    assert out == "not solvable: nothing that can be had opens the red door at (4, 1), the red door at (8, 1)\n"


def test_a_level_that_can_be_lost_is_only_wrong_if_that_was_asked(say: Say) -> None:
    house(RED_LEFT, RED_RIGHT, uc.Thing("key", 5, 1, {"opens": "red", "consumed": True})).save("house.json")
    code, out, _ = say("solve", "house.json")
    assert code == 0
    assert out.endswith("it can be lost:\n  take the red key at (5, 1)\n  open the red door at (4, 1)\n")
    assert say("solve", "house.json", "--unlosable") == (1, out, "")
    house().save("open.json")
    assert say("solve", "open.json", "--unlosable")[0] == 0


def test_json_holds_all_of_it(say: Say) -> None:
    level = house(RED_LEFT, RED_RIGHT, uc.Thing("key", 5, 1, {"opens": "red", "consumed": True}))
    level.save("house.json")
    code, out, _ = say("solve", "house.json", "--json")
    told, known = json.loads(out), uc.solve(level)
    assert code == 0
    assert (told["solvable"], told["unlosable"], told["needs_secrets"]) == (True, False, False)
    assert (told["length"], told["backtrack"], told["depth"]) == (known.length, known.backtrack, known.depth)
    assert told["events"][0] == {"kind": "take", "x": 5, "y": 1, "name": "red", "step": 2}
    assert [event["kind"] for event in told["counterexample"]] == ["take", "open"]
    assert told["cells"] == known.cells.tolist()
    assert told["order"] == [[8, 1]]
    house(RED_RIGHT).save("shut.json")
    code, out, _ = say("solve", "shut.json", "--json")
    told = json.loads(out)
    assert (code, told["solvable"], told["length"], told["cells"]) == (1, False, None, [])
    assert "the red door at (8, 1)" in told["reason"]


def test_secret_doors_that_are_needed_are_told(say: Say) -> None:
    Path("a.txt").write_text("<.S.>\n", encoding="utf-8")
    code, out, _ = say("solve", "a.txt")
    assert code == 0
    assert "(secret doors needed)" in out


@pytest.mark.parametrize(("text", "missing"), [("..>", "start"), ("<..", "end"), ("...", "start and no end")])
def test_without_start_or_end_it_says_what_to_do(say: Say, text: str, missing: str) -> None:
    Path("a.txt").write_text(f"{text}\n", encoding="utf-8")
    code, out, err = say("solve", "a.txt")
    assert code == 1
    assert out == f"not solvable: there is no {missing.split(maxsplit=1)[0]}\n"
    assert err.startswith(f"undercroft: a.txt has no {missing}\n  fix: mark the start with < and the end with > ")


def test_giving_up_is_an_answer_of_its_own(say: Say) -> None:
    house(RED_LEFT, RED_RIGHT, uc.Thing("key", 5, 1, {"opens": "red"})).save("house.json")
    code, out, err = say("solve", "house.json", "--max-steps", "3")
    assert (code, out) == (3, "")
    assert err.startswith("undercroft: house.json: gave up after ")
    assert "--max-steps" in err


def test_a_level_is_read_as_told(say: Say) -> None:
    Path("tiles.toml").write_text(
        'name = "garden"\n[[tile]]\nname = "hedge"\nrole = "wall"\nglyph = "T"\n'
        '[[tile]]\nname = "grass"\nrole = "floor"\nglyph = "_"\n'
        '[[tile]]\nname = "in"\nrole = "entry"\nglyph = "i"\n[[tile]]\nname = "out"\nrole = "exit"\nglyph = "o"\n',
        encoding="utf-8",
    )
    Path("a.txt").write_text("TTTTT\nTi_oT\nTTTTT\n", encoding="utf-8")
    code, out, err = say("solve", "a.txt", "--palette", "tiles.toml")
    assert (code, err) == (0, ""), err
    assert out.startswith("solved in 2 steps")


MISTAKES = [
    ("FILE|RECIPE is missing", "write undercroft solve [OPTIONS] FILE|RECIPE", ["solve"]),
    ("unknown recipe 'cav'", "did you mean 'cave'?", ["solve", "cav"]),
    ("cannot read no.json", "check the name", ["solve", "no.json"]),
    ("a.txt is a file: its seed", "leave these options out", ["solve", "a.txt", "--seed", "3"]),
    ("a.txt is a file: its seed", "leave these options out", ["solve", "a.txt", "--size", "9x9"]),
    ("cave is a recipe, and no level to be read", "leave --palette out", ["solve", "cave", "--palette", "a.toml"]),
    ("standard input has no suffix", "add --read-as", ["solve", "-"]),
    ("odd.json: the one-way door at (2, 0) ", "its data says where", ["solve", "odd.json"]),
]


@pytest.mark.parametrize(("problem", "fix", "args"), MISTAKES, ids=[" ".join(row[2]) for row in MISTAKES])
def test_mistakes_are_sentences(say: Say, problem: str, fix: str, args: list[str]) -> None:
    Path("a.txt").write_text("<..>\n", encoding="utf-8")
    level = uc.Level.parse("<.+.>")
    uc.Level(level.tiles, things=[uc.Thing("one-way", 2, 0, {"to": "up"})], start=level.start, end=level.end).save(
        "odd.json"
    )
    code, out, err = say(*args)
    assert (code, out) == (2, "")
    assert err.startswith(f"undercroft: {problem}")
    assert fix in err
