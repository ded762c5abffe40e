"""What the works of rewriting begin with, and how what they did is told from where they ended."""

import functools
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from benchmarks import ours
from benchmarks.peers import naive_grammar
from benchmarks.works import Rock, Size, smooth

if TYPE_CHECKING:
    from undercroft import Level

ROWS = {
    "growth": ("BW", "W", (("WB", "WW"),)),
    "maze-growth": ("BWA", "W", (("WBB", "WAW"),)),
    "maze-backtracker": ("BRGW", "R", (("RBB", "GGR"), ("RGG", "WWR"))),
}
"""The rule files whose rules are rows of a few cells, again for the floor: tiles, the tile they start from, and the
rules in order.
"""

DOOR = "D"
"""The tile of which each room leaves one, so that rooms can be counted."""


@functools.cache
def start_level(name: str, size: Size) -> "Level":
    """The map that rules of one row begin with."""
    return ours.blank(name, size[0], size[1], ROWS[name][1])


@functools.cache
def empty(start: str, name: str, size: Size) -> "Level":
    """The map that rooms begin with: nothing, or the tile `start` in the middle of it."""
    return ours.blank(name, size[0], size[1], start)


@functools.cache
def full(name: str, size: Size) -> "Level":
    """A map that is full of the tile that can be taken away."""
    level = ours.blank(name, *size)
    return type(level)(np.full_like(level.tiles, level.palette.code("W")), level.palette)


@functools.cache
def scattered(name: str, size: Size) -> "Level":
    """A map of the first tile, with W in three cells of ten."""
    level = ours.blank(name, *size)
    tiles = level.tiles.copy()
    tiles[np.random.default_rng(1).random(tiles.shape) < 0.3] = level.palette.code("W")
    return type(level)(tiles, level.palette)


@functools.cache
def base(folder: str, size: Size) -> "Level":
    """A grammar's base in the middle of a larger map."""
    level, start = ours.blank(folder, *size), ours.rules(folder).start
    assert start is not None
    tiles = np.full_like(level.tiles, start[0, 0])
    top, left = (tiles.shape[0] - start.shape[0]) // 2, (tiles.shape[1] - start.shape[1]) // 2
    tiles[top : top + start.shape[0], left : left + start.shape[1]] = start
    return type(level)(tiles, level.palette)


@functools.cache
def cave(size: Size) -> "Level":
    """The cave of the matching, as a level."""
    return ours.level_of_rock(smooth(size))


def floor_drawing(drawing: Sequence[str]) -> Rock:
    """A drawing for the floor, where 1 is rock and 0 is not."""
    return np.array([[{"#": 1, ".": 0, "?": 255}[sign] for sign in row] for row in drawing], np.uint8)


def floor_rules(name: str) -> list[tuple[list[int], list[int]]]:
    """The rules of one row as codes of tiles, which are the same for ours and the floor."""
    tiles, _, pairs = ROWS[name]
    return [([tiles.index(sign) for sign in before], [tiles.index(sign) for sign in after]) for before, after in pairs]


def rewrites(name: str, level: "Level") -> int:
    """How many rewrites led to a map, told by the tiles that each of them leaves."""
    tile, more = {"growth": ("W", -1), "maze-growth": ("A", 0), "maze-backtracker": ("W", 0)}.get(name, (DOOR, 0))
    return int((level.tiles == level.palette.code(tile)).sum()) + more


@functools.cache
def unread(name: str) -> str:
    """Why rules take no part: the first line of what is wrong with them; empty if they can be read."""
    from undercroft import BadInput

    try:
        ours.rules(name)
    except BadInput as error:
        return str(error.problem)
    return ""


def grammar_folder() -> str:
    """The path of the grammar folder that is shipped."""
    import undercroft

    return str(Path(undercroft.__file__).parent / "shipped" / "grammar")


def grammar_variants(size: Size) -> list[naive_grammar.Variant]:
    """The rules of the shipped folder in all their positions, for the plain twin."""
    from undercroft.rewrite.model.symmetry import list_variants

    program = ours.rules(grammar_folder()).program
    rules = list(program.rules())
    return [
        naive_grammar.Variant(found, rules[found.rule].weight, size[0])
        for found in list_variants(rules, program.palette, merge=False)
    ]
