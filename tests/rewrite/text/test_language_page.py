"""The page about the language, and the programs of the cases, at work."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from support.maps import components, each
from support.texts import CASES, PAGE, again, on, same
from undercroft.core import drawing
from undercroft.core.rng import Rng
from undercroft.rewrite.engine.engine import apply
from undercroft.rewrite.model.program import Program
from undercroft.rewrite.text.expectations import find_problems
from undercroft.rewrite.text.lines import FIRST_WORDS
from undercroft.rewrite.text.options import OPTION_EXAMPLES
from undercroft.rewrite.text.parse import load


def ran(program: Program, width: int, height: int, seed: int, fill: int = 0) -> NDArray[np.uint8]:
    tiles = np.full((height, width), fill, np.uint8)
    apply(program, tiles, Rng.root(seed))
    return tiles


@each("seed", 40)
def test_rooms_from_doors_are_a_tree(seed: int) -> None:
    program = load(CASES / "programs" / "rooms-from-doors.rules").program
    tiles = ran(program, 80, 40, seed)
    palette = program.palette
    rooms, doors, chests = (int((tiles == palette[name]).sum()) for name in ("floor", "door", "chest"))
    assert 1 < rooms + chests <= 21, "the first room and up to twenty more: fewer if all doors are blind"
    assert doors == rooms + chests - 1, "each room has one door to the room it grew from, and blind doors are walled up"
    assert components(palette.walkable[tiles] | (tiles == palette["chest"])) == 1
    assert not (tiles[:, 1:][tiles[:, :-1] == palette["door"]] == palette["void"]).any()


def test_a_maze_in_four_lines() -> None:
    program = load(CASES / "programs" / "maze-growth.rules").program
    tiles = np.zeros((25, 25), np.uint8)
    tiles[12, 12] = program.palette["W"]
    engine = apply(program, tiles, Rng.root(1))
    assert (engine.rewrites, int((tiles == 1).sum()), int((tiles == 2).sum())) == (168, 169, 168)
    assert components(tiles > 0) == 1


def test_a_maze_with_a_way_back() -> None:
    program = load(CASES / "programs" / "maze-backtracker.rules").program
    tiles = np.zeros((25, 25), np.uint8)
    tiles[12, 12] = program.palette["R"]
    engine = apply(program, tiles, Rng.root(1))
    assert engine.turns == 337
    assert int((tiles == program.palette["R"]).sum()) == 1


DRAWN = sorted(path.parent for path in CASES.glob("*/before.txt"))


@pytest.mark.parametrize("folder", DRAWN, ids=lambda folder: folder.name)
def test_a_drawn_case(folder: Path) -> None:
    assert (folder / "note.md").read_text(encoding="utf-8").strip()
    program = load(folder / "rules.rules").program
    after, _ = drawing.parse_tiles((folder / "after.txt").read_text(encoding="utf-8"), program.palette)
    for seed in range(5):
        before, _ = drawing.parse_tiles((folder / "before.txt").read_text(encoding="utf-8"), program.palette)
        apply(program, before, Rng.root(seed))
        assert drawing.format_tiles(before, program.palette) == drawing.format_tiles(after, program.palette)


# --- the page ---------------------------------------------------------------------------------------------------------

BLOCKS = (
    re.findall(r"^```rules\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    if PAGE.exists()
    else []
)


@pytest.mark.parametrize("source", BLOCKS, ids=range(len(BLOCKS)))
def test_an_example_of_the_page_is_a_program_that_keeps_its_word(source: str) -> None:
    found = on({"x.rules": source, "walls.rules": "one  trim\n    #.# -> ###\n"}, "x.rules")
    assert [str(problem) for problem in find_problems(found)] == []
    assert same(again(found.program), found.program)
    tiles = np.full((12, 16), 0, np.uint8)
    apply(found.program, tiles, Rng.root(1), turns=200)


def test_the_page_names_every_word_and_option() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert len(BLOCKS) >= 10
    for word in (*FIRST_WORDS, *OPTION_EXAMPLES):
        assert word in page, word
