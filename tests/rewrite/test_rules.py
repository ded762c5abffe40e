"""Rules as a user holds them, in Python and on the command line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import undercroft as uc
from undercroft.cli import run
from undercroft.core.level import Level
from undercroft.errors import BadInput, OutOfBudget
from undercroft.inputs.files import SHIPPED_FOLDER

GRAMMAR_FOLDER = SHIPPED_FOLDER / "grammar"

PILLARS = """
one  pillars
    ?????      ?????
    ?...?      ?????
    ?...?  ->  ??o??
    ?...?      ?????
    ?????      ?????
"""


def test_rules_give_a_new_level_and_leave_the_old_one() -> None:
    level = uc.generate("rooms-and-mazes", seed=3, size=(41, 31), extra_size=1)
    before = level.tiles.copy()
    themed = uc.Rules.parse(PILLARS, "pillars.rules").apply(level, seed=3)
    assert np.array_equal(level.tiles, before)
    pillars = themed.tiles == themed.palette["pillar"]
    assert pillars.any()
    assert np.array_equal(themed.tiles[~pillars], before[~pillars])
    assert len(themed.rooms) == len(level.rooms), "regions are found anew"
    assert themed.provenance["recipe"] == "rooms-and-mazes"
    assert themed.provenance["rules"] == "pillars"
    assert themed == uc.Rules.parse(PILLARS, "pillars.rules").apply(level, seed=3)
    assert themed != uc.Rules.parse(PILLARS, "pillars.rules").apply(level, seed=4)


def test_palettes_that_do_not_go_together() -> None:
    with pytest.raises(BadInput, match="do not go together"):
        uc.Rules.load(GRAMMAR_FOLDER).apply(Level.parse("#.#"), seed=1)


def test_a_map_brings_further_tiles_along() -> None:
    palette = uc.Palette.parse(
        'name = "more"\n[[tile]]\nname = "moss"\nrole = "floor"\nglyph = "m"\n[[tile]]\nname = "floor"\n'
        'role = "floor"\nglyph = "."\n',
        "more.toml",
    )
    grown = uc.Rules.parse("one  . -> #", "walls.rules").apply(Level.parse("m.m.", palette), seed=1)
    assert str(grown) == "m#m#"


def test_steps_limit_a_leaf() -> None:
    rules = uc.Rules.parse("one  . -> ,", "dots.rules")
    assert str(rules.apply(Level.parse("......"), seed=1, steps=2)).count(",") == 2
    assert str(rules.apply(Level.parse("......"), seed=1)).count(",") == 6


def test_rules_without_end_stop_at_the_budget() -> None:
    rules = uc.Rules.parse("markov\n    one  ., -> ,., turned", "walk.rules")
    with pytest.raises(OutOfBudget, match="still at work") as caught:
        rules.apply(Level.parse(".,.,"), seed=1, max_steps=1000)
    assert caught.value.fix == (
        "limit the node (up to N times), or see what 'undercroft lint' says; or pass --max-steps N (max_steps= in "
        "Python)"
    )


def test_the_shipped_grammar_grows_one_connected_map() -> None:
    rules = uc.Rules.load(GRAMMAR_FOLDER)
    start = rules.level()
    assert start is not None
    for seed in range(20):
        grown = rules.apply(start, seed=seed)
        assert (grown.tiles != start.tiles).sum() > 100
        assert uc.measure(grown, "components") == {"components": 1}


def test_the_command(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("maze.rules").write_text("palette letters BWA\none  WBB -> WAW, in all positions\n")
    Path("map.txt").write_text("BBBBBBB\n" * 3 + "BBBWBBB\n" + "BBBBBBB\n" * 3)
    assert run(["rewrite", "maze.rules", "--on", "map.txt", "--seed", "1", "-o", "out.txt"]) == 0
    made = Path("out.txt").read_text()
    assert (made.count("W"), made.count("A")) == (9, 8)
    assert run(["rewrite", "maze.rules", "--on", "map.txt", "--seed", "1"]) == 0
    out, err = capfdbinary.readouterr()
    assert out.decode() == made
    assert err == b""
    assert run(["rewrite", "maze.rules", "--on", "map.txt", "--steps", "3", "--format", "text"]) == 0
    out, err = capfdbinary.readouterr()
    assert out.decode().count("A") == 3
    assert b"seed " in err
    for args, problem in (
        (["maze.rules"], "there is no map to apply the rules to"),
        (["maze.rules", "--size", "3x3", "--on", "map.txt"], "a map has its own size"),
        (["nowhere.rules", "--size", "3x3"], "cannot read nowhere.rules"),
        (["maze.rules", "--size", "0x3"], "has no cells"),
        (["maze.rules", "--size", "5000x5000"], "fix: ask for a smaller size, or pass --max-cells N"),
        (["maze.rules", "--size", "3x3", "--max-cells", "8"], "the number of cells of 3x3 is 9; the limit is 8"),
        (["maze.rules", "--size", "3x3", "--max-cells", "0"], "--max-cells is a whole number"),
        (["maze.rules", "--size", "3x3", "--max-steps", "-3"], "--max-steps is a whole number"),
        (["maze.rules", "--size", "3x3", "--steps", "99999999999999999999999"], "--steps is a whole number"),
        (["maze.rules", "--size", "3x3", "--steps", "-1"], "--steps is a whole number"),
        (["maze.rules", "--size", "3x3", "-o", "a.txt", "-o", "b.nothing"], "unknown suffix '.nothing'"),
    ):
        assert run(["rewrite", *args]) == 2
        assert problem in capfdbinary.readouterr().err.decode()


@pytest.mark.parametrize("args", [["rewrite"], ["explain"], ["coverage", "--seeds", "1..2"]])
def test_files_that_hold_no_rules_get_a_sentence_about_what_is_read(
    args: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("Growth.XML").write_text('<one values="BW" in="WB" out="WW"/>')
    Path("level.json").write_text("{}")
    for name, problem in (("Growth.XML", "models of MarkovJunior"), ("level.json", "a level or a layout")):
        assert run([*args, name, "--size", "5x5"]) == 2
        err = capfd.readouterr().err
        assert "rules are read from a .rules file, a folder of grammar rules, or a template in a .txt file" in err
        assert problem in err
    for command in (["lint", "Growth.XML"], ["convert", "Growth.XML", "growth.rules"]):
        assert run(command) == 2
        assert "models of MarkovJunior and other XML are not read" in capfd.readouterr().err
    Path("growth.toml").write_text('[[step]]\nuse = "fill"\n[[step]]\nuse = "rewrite"\nfile = "Growth.XML"\n')
    assert run(["generate", "growth.toml", "--size", "9x9"]) == 2
    assert "models of MarkovJunior and other XML are not read" in capfd.readouterr().err


GARDEN = """
[[tile]]
name = "wall"
role = "wall"
glyph = "#"
[[tile]]
name = "floor"
role = "floor"
glyph = "."
[[tile]]
name = "grass"
role = "floor"
glyph = "g"
"""


def test_a_palette_for_the_map_and_for_the_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("garden.toml").write_text(GARDEN)
    Path("map.txt").write_text("#g.g#\n")
    Path("graze.rules").write_text("all  g -> ., once\n")
    Path("dig.rules").write_text("palette standard\nall  {any floor} -> ~, once\n")
    Path("pair.txt").write_text("g.\n\n#.\n")
    garden = ["--palette", str(tmp_path / "garden.toml")]

    def ask(*args: str) -> str:
        assert run(list(args)) == 0
        return capfd.readouterr().out

    assert run(["rewrite", "graze.rules", "--on", "map.txt", "--seed", "1"]) == 2, "'g' is no tile of the rules"
    capfd.readouterr()
    on = ["--on", "map.txt", "--seed", "1", *garden]
    assert ask("rewrite", "graze.rules", *on) == "#...#\n"
    assert ask("rewrite", "dig.rules", *on) == "#~~~#\n", "rules with a palette of their own keep it"
    assert ask("rewrite", "pair.txt", *on) == "##.##\n"
    assert ask("rewrite", "graze.rules", "--size", "3x1", "--seed", "1", "--palette", "letters gX.") == "...\n"
    assert "matches at 2 places" in ask("explain", "graze.rules", "--on", "map.txt", *garden)
    assert "100%" in ask("coverage", "graze.rules", "--on", "map.txt", "--seeds", "1..2", *garden)
    assert "nothing to fix" in ask("lint", "graze.rules", "--on", "map.txt", *garden)
    palette = uc.Palette.load("garden.toml")
    rules = uc.Rules.load("graze.rules", palette=palette)
    assert str(rules.apply(uc.load("map.txt", palette=palette))) == "#...#"
    for args, problem in (
        (["rewrite", str(GRAMMAR_FOLDER), *garden], "these rules bring a map with a palette of its own"),
        (["lint", "cave", *garden], "cave is a recipe"),
        (["coverage", "grammar", "--seeds", "1..2", *garden], "a recipe has its own palette"),
        (["rewrite", "graze.rules", "--on", "map.txt", "--palette", "leters g"], "unknown palette 'leters g'"),
        (["rewrite", "graze.rules", "--on", "map.txt", "--palette", "nowhere.toml"], "cannot read nowhere.toml"),
    ):
        assert run(args) == 2
        assert problem in capfd.readouterr().err


def test_a_grammar_folder_on_the_command_line(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    ask = [
        "rewrite",
        str(GRAMMAR_FOLDER / "rules"),
        "--on",
        str(GRAMMAR_FOLDER / "base.txt"),
        "--steps",
        "150",
        "--seed",
        "5",
    ]
    assert run(ask) == 0
    first = capfdbinary.readouterr().out
    assert run(ask) == 0
    assert capfdbinary.readouterr().out == first
    assert set(first.decode()) <= set("cC123456789rR~.\n")


def test_the_stairs_of_a_drawn_map_are_its_start_and_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("map.txt").write_text("#####\n#<.>#\n#...#\n#####\n")
    Path("more.rules").write_text("all  . -> >")
    assert run(["rewrite", "more.rules", "--on", "map.txt", "-o", "a.json", "--seed", "1"]) == 0
    level = uc.load("a.json")
    assert (level.start, level.end) == ((1, 1), (3, 1)), "one of several stairs was the end before, and stays it"
    assert str(level) == "#####\n#<>>#\n#>>>#\n#####"


def test_several_files_are_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("dots.rules").write_text("one  . -> ,\n")
    Path("map.txt").write_text("....\n")
    assert run(["rewrite", "dots.rules", "--on", "map.txt", "--seed", "1", "-o", "a.txt", "-o", "b.json"]) == 0
    assert Path("a.txt").read_text() == ",,,,\n"
    assert str(uc.load("b.json")) == ",,,,"
    Path("a.txt").unlink()
    assert run(["rewrite", "dots.rules", "--on", "map.txt", "-o", "a.txt", "-o", "b.nothing"]) == 2
    assert not Path("a.txt").exists(), "nothing is written if something cannot be"


def test_the_command_tells_of_things_and_of_rules_that_match_nowhere(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("rats.rules").write_text(
        "thing rat = r, on .\nthing key = k, on .\none  . -> r, up to 3 times\none  . -> k, once\n"
    )
    Path("map.txt").write_text("......\n")
    Path("rock.txt").write_text("###\n")
    counts, lost = (
        "undercroft: note: things on the map: 3 rat, 1 key",
        "undercroft: note: text holds no things; write a .json file (-o FILE.json) to keep them",
    )
    for more, notes in (
        (["--on", "map.txt"], {counts, lost}),
        (["--on", "map.txt", "-o", "a.txt"], {counts, lost}),
        (["--on", "map.txt", "-o", "a.txt", "-o", "a.json"], {counts}),
        (["--on", "map.txt", "--format", "json"], {counts}),
        (["--on", "rock.txt"], {"undercroft: note: no rule was applied; 'undercroft explain' says why"}),
    ):
        assert run(["rewrite", "rats.rules", "--seed", "1", *more]) == 0
        said = capfdbinary.readouterr().err.decode().splitlines()
        assert sorted(line.replace("1 key, 3 rat", "3 rat, 1 key") for line in said) == sorted(notes)


def test_what_is_no_level_and_no_number_of_steps() -> None:
    rules = uc.Rules.parse("one  . -> ,", "dots.rules")
    for what in ("...", None, np.zeros((3, 3), np.uint8)):
        for use in (rules.apply, rules.explain):
            with pytest.raises(BadInput, match=r"^level is a Level, not .*\n  fix: read one with"):
                use(what)  # type: ignore[arg-type]
    level = Level.parse("...")
    for steps in (-1, 1_000_000_001, 10**30, 1.5, "3", True, None):
        with pytest.raises(BadInput, match="steps is a whole number from 0 to 1,000,000,000, not "):
            rules.apply(level, steps=steps)  # type: ignore[arg-type]
    assert str(rules.apply(level, steps=np.int64(1))).count(",") == 1  # type: ignore[arg-type]


def test_rules_are_counted_in_words() -> None:
    assert repr(uc.Rules.parse("one  . -> ,", "a.rules")) == "<Rules a: 1 rule>"
    assert repr(uc.Rules.parse("one  . -> ,\none  , -> .", "a.rules")) == "<Rules a: 2 rules>"


def test_all_names_are_listed() -> None:
    assert {"Rules", "theme", "match", "blit", "slices"} <= set(dir(uc))
    assert all(hasattr(uc, name) for name in dir(uc))
