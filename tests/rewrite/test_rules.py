"""Rules as a user holds them, in Python and on the command line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import undercroft as uc
from undercroft.cli import run
from undercroft.core.level import Level
from undercroft.errors import BadInput, OutOfBudget
from undercroft.recipe import FOLDER

GRAMMAR_FOLDER = FOLDER / "grammar"

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
        uc.Rules.load(GRAMMAR_FOLDER).apply(Level.drawn("#.#"), seed=1)


def test_a_map_brings_further_tiles_along() -> None:
    palette = uc.Palette.parse(
        'name = "more"\n[[tile]]\nname = "moss"\nrole = "floor"\nglyph = "m"\n[[tile]]\nname = "floor"\nrole = "floor"\nglyph = "."\n', "more.toml"
    )
    grown = uc.Rules.parse("one  . -> #", "walls.rules").apply(Level.drawn("m.m.", palette), seed=1)
    assert str(grown) == "m#m#"


def test_steps_limit_a_leaf() -> None:
    rules = uc.Rules.parse("one  . -> ,", "dots.rules")
    assert str(rules.apply(Level.drawn("......"), seed=1, steps=2)).count(",") == 2
    assert str(rules.apply(Level.drawn("......"), seed=1)).count(",") == 6


def test_rules_without_end_stop_at_the_budget() -> None:
    rules = uc.Rules.parse("markov\n    one  ., -> ,., turned", "walk.rules")
    with pytest.raises(OutOfBudget, match="still at work"):
        rules.apply(Level.drawn(".,.,"), seed=1, max_steps=1000)


def test_the_shipped_grammar_grows_one_connected_map() -> None:
    rules = uc.Rules.load(GRAMMAR_FOLDER)
    start = rules.level()
    assert start is not None
    for seed in range(20):
        grown = rules.apply(start, seed=seed)
        assert (grown.tiles != start.tiles).sum() > 100
        assert uc.measure(grown, "components") == {"components": 1}


def test_the_command(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> None:
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
        (["maze.rules"], "there is no map to rewrite"),
        (["maze.rules", "--size", "3x3", "--on", "map.txt"], "a map has its own size"),
        (["nowhere.rules", "--size", "3x3"], "cannot read nowhere.rules"),
        (["maze.rules", "--size", "0x3"], "has no cells"),
    ):
        assert run(["rewrite", *args]) == 2
        assert problem in capfdbinary.readouterr().err.decode()


def test_a_grammar_folder_on_the_command_line(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    ask = ["rewrite", str(GRAMMAR_FOLDER / "rules"), "--on", str(GRAMMAR_FOLDER / "base.txt"), "--steps", "150", "--seed", "5"]
    assert run(ask) == 0
    first = capfdbinary.readouterr().out
    assert run(ask) == 0
    assert capfdbinary.readouterr().out == first
    assert set(first.decode()) <= set("cC123456789rR~.\n")
