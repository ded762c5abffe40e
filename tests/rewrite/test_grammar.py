"""Grammar folders: what each line means, what is said about a bad one, and what the rules do."""

from __future__ import annotations

import os
import random
import time
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from undercroft import limits
from undercroft.core.palette import STANDARD
from undercroft.core.rng import Rng
from undercroft.errors import BadInput, FileTrouble, TooBig, UndercroftError
from undercroft.rewrite import grammar
from undercroft.rewrite.engine import apply
from undercroft.rewrite.grammar import FLAGS, POSITIONS, Note, base, dump, dump_base, dump_folder, folder, program, rule
from undercroft.rewrite.grammar_tiles import GRAMMAR
from undercroft.rewrite.program import ANY, BOTH_MIRRORS, EIGHT, KEEP, LEFT_RIGHT, NONE, TURNS, UP_DOWN, Node, Result, Rule
from undercroft.rewrite.symmetry import in_position, variants

SHIPPED = Path(grammar.__file__).parents[1] / "recipes" / "grammar"
CASES = Path(__file__).parents[1] / "cases" / "grammar"

FOUR_WAY = "3,3\nR\n=\n...\nccc\n...\n=\n.C.\nc5c\n.C.\n"


T = TypeVar("T")
Outcome = tuple[str, ...]
"""What comes out, or the beginning of what is wrong; then the beginning of each note."""


def tiles(*rows: str) -> NDArray[np.uint8]:
    return np.array([[GRAMMAR[sign] for sign in row] for row in rows], np.uint8)


def letters(grid: NDArray[np.uint8]) -> str:
    return "/".join("".join(GRAMMAR.tiles[code].glyph for code in row) for row in grid.tolist())


def sign(code: int) -> str:
    return "?" if code == KEEP else "U" if code == GRAMMAR["unknown"] else GRAMMAR.tiles[code].glyph


def drawn(cells: tuple[int, ...], width: int) -> str:
    return "/".join("".join(map(sign, cells[start : start + width])) for start in range(0, len(cells), width))


def target(pattern: tuple[int, ...], width: int) -> str:
    return drawn(tuple(KEEP if mask == ANY else mask.bit_length() - 1 for mask in pattern), width)


def shown(made: Rule) -> str:
    """A rule in a line: its flags, its weight, its target, its results with their weights. `U` is the tile nobody knows."""
    results = " ".join(f"{drawn(result.cells, made.width)}={result.weight}" for result in made.results)
    return f"{FLAGS[made.positions]}={made.weight} {target(made.pattern, made.width)} -> {results}"


def attempt(reader: Callable[..., tuple[T, list[Note]]], text: str, *, strict: bool) -> tuple[T, list[Note]] | UndercroftError:
    """What is read, or the error; any other exception is a defect."""
    try:
        return reader(text, "x.txt", strict=strict)
    except UndercroftError as error:
        return error


def wrong(error: UndercroftError) -> str:
    """`! line:column sentence`."""
    assert error.place is not None
    assert error.fix
    return f"! {error.place.line}:{error.place.column} {error.problem}"


def noted(notes: list[Note]) -> list[str]:
    return [f"{note.place.line}:{note.place.column} {note.problem}" for note in notes]


def check(outcome: Outcome, found: str, notes: list[str]) -> None:
    first, *rest = outcome
    assert found.startswith(first) if first.startswith("!") else found == first
    assert len(notes) == len(rest), notes
    assert all(one.startswith(other) for one, other in zip(notes, rest, strict=True)), notes


OLD = "1:1 this is the older format"
ROWS: list[tuple[str, str, Outcome, Outcome]] = [
    # row of the table, file, strictly, leniently (empty: the same)
    ("P1 rows come first", "1,2\n=\ncc\n=\nrr\n", ("=1 cc -> rr=1",), ()),
    ("P1 then columns", "2,1\n=\nC\nC\n=\nr\nr\n", ("=1 C/C -> r/r=1",), ()),
    ("P2 a blank inside", "1, 2\n=\ncc\n=\nrr\n", ("=1 cc -> rr=1",), ()),
    ("P2 blanks around", " 1 ,2 \t\n=\ncc\n=\nrr\n", ("=1 cc -> rr=1",), ()),
    ("P3 one number", "3\n=\nc\n=\nr\n", ("! 1:1 the first line gives the size",), ()),
    ("P3 nothing", "", ("! 1:1 the file is empty",), ()),
    ("P3 a blank line", "\n1,1\n=\nc\n=\nr\n", ("! 1:1 the first line gives the size",), ()),
    ("P3 no numbers", "a,b\n=\nc\n=\nr\n", ("! 1:1 the first line gives the size",), ()),
    ("P3 not above zero", "2,0\n=\n", ("! 1:3 a grid has at least one row",), ()),
    ("P3 below zero", "-1,2\n=\n", ("! 1:1 the first line gives the size",), ()),
    ("P4 no flags, a weight", "1,1\n=7\nc\n=\nr\n", ("=7 c -> r=1",), ()),
    ("P5 flags with commas", "1,1\nR,V\n=\nc\n=\nr\n", ("R,V=1 c -> r=1",), ()),
    ("P5 flags without", "1,1\nRV\n=\nc\n=\nr\n", ("R,V=1 c -> r=1",), ()),
    ("P5 in any order, twice", "1,1\nV H,R,V\n=\nc\n=\nr\n", ("R,H,V=1 c -> r=1",), ()),
    ("P5 among others", "1,1\nxRz\n=\nc\n=\nr\n", ("R=1 c -> r=1", "2:1 unknown flag 'x' and 1 more"), ()),
    ("P5 others as long as a row", "3,1\nxRz\n=\nc\nc\nc\n=\nr\nr\nr\n", ("R=1 c/c/c -> r/r/r=1", "2:1 unknown flag 'x' and 1 more"), ()),
    (
        "P5 a small letter",
        "1,1\nV,r\n=\nc\n=\nr\n",
        ("V=1 c -> r=1", "2:3 unknown flag 'r' left out of account, the flags are R, H and V; did you mean R?"),
        (),
    ),
    ("P6 an empty line of flags", "1,1\n\n=\nc\n=\nr\n", ("=1 c -> r=1",), ()),
    ("P6 then '=' must follow", "1,1\n\nR\n=\nc\n=\nr\n", ("! 3:1 a line with '=' must stand above the target",), ()),
    ("P7 flags in the first line", "1,2,R\n=\ncc\n=\nrr\n", ("R=1 cc -> rr=1", "1:5 flags stand in a line of their own"), ()),
    ("P7 flags in both lines", "1,2,R\nH\n=\ncc\n=\nrr\n", ("R,H=1 cc -> rr=1", "1:5 flags stand in a line of their own"), ()),
    ("P7 something else there", "1,2,old\n=\ncc\n=\nrr\n", ("=1 cc -> rr=1", "1:5 unknown flag 'o' and 2 more"), ()),
    ("P8 the older format", "3,2,R\n...\nccc\n=\n.C.\nc2c\n", ("R=1 .../ccc -> .C./c2c=1", OLD), ()),
    ("P8 with rooms like flags", "2,2\nRR\nRR\n=\nrr\nrr\n", ("=1 RR/RR -> rr/rr=1", OLD), ()),
    ("P8 of one row", "3,1\nccc\n=\nrrr\n=\nRRR\n", ("=1 ccc -> rrr=1 RRR=1", OLD), ()),
    ("P8 in doubt new", "1,1\nR\n=\nc\n=\nr\n", ("R=1 c -> r=1",), ()),
    ("P8 in doubt old", "1,1\nc\n=\nr\n=\nR\n", ("=1 c -> r=1 R=1", OLD), ()),
    ("P9 flags below '='", "2,3\n=\nR\nccc\nccc\n=\nrrr\nrrr\n", ("! 3:1 flags stand above the '=' line",), ()),
    ("P9 with a comma", "1,3\n=\nR,H\nccc\n=\nrrr\n", ("! 3:1 flags stand above the '=' line",), ()),
    ("P9 like a room", "1,1\n=\nR\nc\n=\nr\n", ("! 4:1 this row is too much: the target has its 1",), ()),
    ("P10 blank lines between grids", "1,1\n=\nc\n\n\n=\nr\n\n\n", ("=1 c -> r=1",), ()),
    ("P10 blank lines above the first '='", "1,1\nR\n\n=\nc\n=\nr\n", ("R=1 c -> r=1",), ()),
    ("P11 lines of blanks there", "1,1\n=\nc\n  \t\n=\nr\n \n", ("=1 c -> r=1",), ()),
    (
        "P12 a blank line in a target",
        "2,2\n=\n\ncc\n=\nrr\nrr\n",
        ("! 3:1 this row is empty",),
        ("=1 ??/cc -> rr/rr=1", "3:1 this row is empty; its cells are taken for ?"),
    ),
    ("P12 in a result", "2,2\n=\ncc\ncc\n=\nrr\n \n", ("! 7:1 this row is empty",), ("=1 cc/cc -> rr/??=1", "7:1 this row is empty")),
    (
        "P13 a short row",
        "1,3\n=\nc\n=\nrr\n",
        ("! 3:2 this row has 1 of 3 columns",),
        ("=1 c?? -> rr?=1", "3:2 this row has 1 of 3 columns; the rest is taken for ?", "5:3 this row has 2 of 3"),
    ),
    ("P14 blanks at the end", "1,2\n=\ncc  \n=\nrr\t\n", ("=1 cc -> rr=1",), ()),
    (
        "P14 a long row",
        "1,2\n=\ncc\n=\nrrR#\n",
        ("! 5:3 this row is longer than 2 columns",),
        ("=1 cc -> rr=1", "5:3 this row is longer than 2 columns; the rest is left out"),
    ),
    ("P15 too many rows in the target", "1,2\n=\ncc\nCC\n=\nrr\n", ("! 4:1 this row is too much: the target has its 1",), ()),
    ("P15 too many rows in a result", "1,2\n=\ncc\n=\nrr\nRR\n", ("! 6:1 this row is too much: result 1 has its 1",), ()),
    ("P15 blanks before '='", "1,2\n=\ncc\n =\nrr\n", ("! 4:1 a line with '=' begins with it",), ()),
    ("P16 too few rows, then '='", "2,2\n=\ncc\n=\nrr\nrr\n", ("! 4:1 the target has 1 rows, and the first line says 2",), ()),
    ("P17 too few rows at the end", "2,2\n=\ncc\ncc\n=\nrr\n", ("! 6:1 the file ends in row 2 of 2 of result 1",), ()),
    ("P17 no rows at the end", "1,2\n=\ncc\n=\n", ("! 4:1 the file ends in row 1 of 1 of result 1",), ()),
    ("P17 no result", "1,2\n=\ncc\n", ("! 3:1 the rule has no result",), ()),
    ("P17 no target", "1,2\nR\n", ("! 2:1 the file ends before the target",), ()),
    ("P18 the second result cut short", "2,1\n=\nc\nc\n=\nr\nr\n=\nr\n", ("! 9:1 the file ends in row 2 of 2 of result 2",), ()),
    ("P19 '=' as a cell", "1,3\n=\nc=c\n=\nrrr\n", ("! 3:2 '=' is no tile",), ()),
    ("P19 a backslash that protects a tile", "1,3\n=\n\\c\\?c\n=\n?\\?\\~\n", ("=1 cUc -> ?U~=1",), ()),
    ("P19 a protected '='", "1,1\n=\n\\=\n=\nr\n", ("! 3:2 unknown tile '='",), ("=1 ? -> r=1", "3:2 unknown tile '='; it is taken for ?")),
    ("P19 a backslash that protects nothing", "1,2\n=\nc\\\n=\nrr\n", ("! 3:2 a backslash stands before the sign it protects",), ()),
    ("P20 a strange tile", "1,3\n=\nc#c\n=\nrrr\n", ("! 3:2 unknown tile '#'",), ("=1 c?c -> rrr=1", "3:2 unknown tile '#'; it is taken for ?")),
    ("P20 several", "1,3\n=\nccc\n=\nx 0\n", ("! 5:1 unknown tile 'x'",), ("=1 ccc -> ???=1", "5:1 unknown tile 'x' (and 2 more in this row)")),
    ("P21 no line break at the end", "1,1\n=\nc\n=\nr", ("=1 c -> r=1",), ()),
    ("P22 line breaks of Windows", "1,1\r\nR\r\n=5\r\nc\r\n\r\n=\r\nr\r\n", ("R=5 c -> r=1",), ()),
    ("P22 its mark at the beginning", "\ufeff1,1\n=\nc\n=\nr\n", ("=1 c -> r=1",), ()),
    ("W1 weights of rule and results", "1,1\n=2\nc\n=3\nr\n=\nR\n=4\n~\n", ("=2 c -> r=3 R=1 ~=4",), ()),
    ("W2 a blank after the weight", "1,1\n=5 \nc\n=6\t\nr\n", ("=5 c -> r=6",), ()),
    ("W3 a blank before it", "1,1\n= 5\nc\n=\t6\nr\n", ("=5 c -> r=6",), ()),
    (
        "W3 below zero",
        "1,1\n=-3\nc\n=\nr\n",
        ("! 2:2 a weight is a whole number, not '-3'",),
        ("=1 c -> r=1", "2:2 a weight is a whole number, not '-3'; it is taken for 1"),
    ),
    ("W3 a letter", "1,1\n=4\nc\n= x\nr\n", ("! 4:3 a weight is a whole number, not 'x'",), ("=4 c -> r=1", "4:3 a weight is a whole number, not 'x'")),
    ("W3 '=' twice", "1,1\n==5\nc\n=\nr\n", ("! 2:2 a weight is a whole number, not '=5'",), ("=1 c -> r=1", "2:2 a weight is a whole number, not '=5'")),
    ("W3 not in ASCII", "1,1\n=٣\nc\n=\nr\n", ("! 2:2 a weight is a whole number",), ("=1 c -> r=1", "2:2 a weight is a whole number")),
    ("W3 above the cap", "1,1\n=\nc\n=100001\nr\n", ("! 4:2 this weight is 100,001; the limit is 100,000",), ()),
    ("W3 far above it", f"1,1\n={'9' * 5000}\nc\n=\nr\n", ("! 2:2 this weight is 1,000,000,000",), ()),
    ("W4 never", "1,1\n=0\nc\n=0\nr\n=\nR\n", ("=0 c -> r=0 R=1",), ()),
    ("W5 equal unless said", "1,1\n=\nc\n=\nr\n=\nR\n", ("=1 c -> r=1 R=1",), ()),
]


@pytest.mark.parametrize(("text", "strictly", "leniently"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_every_row_of_the_table(text: str, strictly: Outcome, leniently: Outcome) -> None:
    for strict, outcome in ((True, strictly), (False, leniently or strictly)):
        got = attempt(rule, text, strict=strict)
        if isinstance(got, UndercroftError):
            check(outcome, wrong(got), [])
        else:
            check(outcome, shown(got[0]), noted(got[1]))


def test_the_table_has_every_row_that_a_file_can_show() -> None:
    wanted = {f"P{number}" for number in range(1, 23)} | {f"W{number}" for number in range(1, 6)}
    assert {row[0].split()[0] for row in ROWS} == wanted, "P23 and P24 are about folders"


MISTAKES = [
    # problem, place, fix, files
    ("the first line gives the size", "1:1", "write two whole numbers, for example 3,3", ["3\n", "3;3\n", "three,3\n", "3,3R\n", "3.5,2\n"]),
    ("a grid has at least one row and one column", "1:1", "write numbers from 1", ["0,3\n=\n", "00,0\n"]),
    ("the number of rows or columns of a rule is 65", "1:1", "draw a smaller pattern", ["65,1\n=\n", "1,65\n=\n"]),
    ("the number of rows or columns of a rule is 1,000,000,000", "1:1", "draw a smaller", [f"1,{'9' * 6000}\n=\n"]),
    ("a line with '=' must stand above the target", "3:1", "put '=' on a line of its own", ["3,3\nR\n...\nccc\n...\n=\n", "1,1\n\nc\n"]),
    ("a line with '=' must stand above the target", "2:1", "remove what stands before '='", ["1,1\n =\nc\n=\nr\n"]),
    ("flags stand above the '=' line", "3:1", "move this line up by one", ["3,3\n=\nR\n...\n", "1,1\n=5\nR,V\nc\n"]),
    ("this row is too much: the target has its 1", "4:1", "put flags above the '=' line, or remove a row", ["1,1\n=\nR\nc\n=\nr\n"]),
    ("this row is too much: the target has its 1", "4:1", "remove a row, or write '=' above", ["1,1\n=\nc\nc\n=\nr\n"]),
    ("unknown tile '═'", "3:2", "write c for ═", ["1,2\n=\nc═\n=\ncc\n"]),
    ("unknown tile '█'", "3:1", "write r for █", ["1,2\n=\n█c\n=\ncc\n"]),
    ("unknown tile '0'", "3:1", "the tiles are . 1 2 3 4 5 6 7 8 9 C R c r ~, and ? for any", ["1,2\n=\n0c\n=\ncc\n"]),
    ("'=' is no tile", "5:2", "the tiles are", ["1,2\n=\ncc\n=\nc=\n"]),
    ("a weight is a whole number, not '2.5'", "2:3", "write =5, = alone for 1, =0 for never", ["1,1\n= 2.5\nc\n=\nr\n"]),
    ("this weight is 999,999", "2:2", "divide all weights by the same number", ["1,1\n=999999\nc\n=\nr\n"]),
    ("the rule has no result", "3:1", "put '=' and a grid below the target", ["1,1\n=\nc\n", "1,1\n=\nc"]),
]


@pytest.mark.parametrize(("problem", "place", "fix", "texts"), MISTAKES, ids=[row[0] for row in MISTAKES])
def test_a_mistake_is_a_sentence_with_its_place_and_a_way_to_mend_it(problem: str, place: str, fix: str, texts: list[str]) -> None:
    for text in texts:
        with pytest.raises(BadInput) as caught:
            rule(text, "folder/x.txt")
        error = caught.value
        assert error.problem.startswith(problem)
        assert error.fix.startswith(fix)
        line, column = map(int, place.split(":"))
        assert error.place == ("folder/x.txt", line, column, text.split("\n")[line - 1])


def test_a_mistake_is_drawn() -> None:
    with pytest.raises(BadInput) as caught:
        rule("1,4\nR\n=\ncc#c\n=\ncrrc\n", "room.txt")
    assert str(caught.value) == ("room.txt:4:3: unknown tile '#'\n    cc#c\n      ^\n  fix: the tiles are . 1 2 3 4 5 6 7 8 9 C R c r ~, and ? for any")


def test_a_note_has_its_place() -> None:
    _, (note,) = rule("1,2,R\n=\ncc\n=\nrr\n", "x.txt")
    assert str(note) == "x.txt:1:5: flags stand in a line of their own below the size; they are taken all the same"


def test_the_size_the_other_way_round() -> None:
    text = "2,1\n=\ncc\n=\nrr\n"
    assert shown(rule(text, "x.txt", dims_order="cr")[0]) == "=1 cc -> rr=1"
    with pytest.raises(BadInput, match="this row is longer than 1"):
        rule(text, "x.txt")
    with pytest.raises(BadInput, match="dims_order"):
        rule(text, "x.txt", dims_order="yx")


def test_a_rule_is_named_after_its_file() -> None:
    assert rule(FOUR_WAY, "some/four way.txt")[0].name == "four way"
    assert rule(FOUR_WAY, "four-way")[0].name == "four-way"
    assert rule(FOUR_WAY, "x.txt", name="sub/x")[0].name == "sub/x"


# -- tiles

TURNING = [
    # letter, printed, after a quarter turn clockwise, after V (top and bottom), after H (left and right)
    ("c", "═", "C", "c", "c"),
    ("C", "║", "c", "C", "C"),
    ("7", "╔", "9", "1", "9"),
    ("9", "╗", "3", "3", "7"),
    ("3", "╝", "1", "9", "1"),
    ("1", "╚", "7", "7", "3"),
    ("8", "╦", "6", "2", "8"),
    ("6", "╣", "2", "6", "4"),
    ("2", "╩", "4", "8", "2"),
    ("4", "╠", "8", "4", "6"),
    ("5", "╬", "5", "5", "5"),
    ("r", "█", "r", "r", "r"),
    ("R", "█", "R", "R", "R"),
    ("~", "~", "~", "~", "~"),
    (".", ".", ".", ".", "."),
    ("?", "?", "?", "?", "?"),
]


@pytest.mark.parametrize(("letter", "face", "turned", "up_down", "left_right"), TURNING)
def test_a_tile_turns_with_its_rule(letter: str, face: str, turned: str, up_down: str, left_right: str) -> None:
    code = GRAMMAR[letter]
    assert GRAMMAR.faces[code] == face
    assert GRAMMAR.turn[code] == GRAMMAR[turned]
    assert GRAMMAR.mirror[code] == GRAMMAR[left_right]
    assert GRAMMAR.turn[GRAMMAR.turn[GRAMMAR.mirror[code]]] == GRAMMAR[up_down]
    made = Rule("x", 1, 1, (1 << code,), (Result((code,)),))
    for position, other in ((1, turned), (6, up_down), (4, left_right)):
        _, _, pattern, (result,) = in_position(made, position, GRAMMAR)
        assert (pattern, result.cells) == ((1 << GRAMMAR[other],), (GRAMMAR[other],))


def test_all_tiles_are_in_the_table() -> None:
    assert sorted(row[0] for row in TURNING) == sorted(tile.glyph for tile in GRAMMAR.tiles)


OPEN = {"c": "EW", "C": "NS", "7": "SE", "9": "SW", "3": "NW", "1": "NE", "8": "ESW", "6": "NSW", "2": "NEW", "4": "NES", "5": "NESW"}


def test_the_ends_of_a_corridor_turn_with_it() -> None:
    clockwise, left_right = dict(zip("NESW", "ESWN", strict=True)), dict(zip("NESW", "NWSE", strict=True))
    for letter, ends in OPEN.items():
        turned = GRAMMAR.tiles[GRAMMAR.turn[GRAMMAR[letter]]].glyph
        mirrored = GRAMMAR.tiles[GRAMMAR.mirror[GRAMMAR[letter]]].glyph
        assert set(OPEN[turned]) == {clockwise[end] for end in ends}
        assert set(OPEN[mirrored]) == {left_right[end] for end in ends}


def test_what_the_tiles_are_for() -> None:
    walkable = {tile.glyph for tile in GRAMMAR.tiles if tile.walkable}
    assert walkable == set("cC123456789rR")
    assert [GRAMMAR.tiles[GRAMMAR.role(role)].glyph for role in ("wall", "corridor", "floor", "water", "void")] == [".", "c", "r", "~", "?"]
    assert GRAMMAR["╬"] == GRAMMAR["5"], "a printed map can be read, but for the two rooms"


@pytest.mark.parametrize("position", EIGHT)
def test_the_number_pad_looks_the_same_from_all_sides(position: int) -> None:
    made, _ = rule("3,3\n=\n789\n456\n123\n=\n789\n456\n123\n", "pad.txt")
    assert in_position(made, position, GRAMMAR) == (3, 3, made.pattern, made.results)


# -- positions

SIZES = [("", 1, 1), ("R", 4, 4), ("H", 2, 2), ("V", 2, 2), ("H,V", 4, 4), ("R,H", 8, 8), ("R,V", 8, 8), ("R,H,V", 16, 8)]


@pytest.mark.parametrize(("flags", "count", "different"), SIZES)
def test_how_many_positions(flags: str, count: int, different: int) -> None:
    made, _ = rule(f"2,3\n{flags}\n=\nc?.\n??r\n=\nC??\n???\n", "x.txt")
    assert len(made.positions) == count
    assert len(variants([made], GRAMMAR, merge=False)) == count
    assert len(variants([made], GRAMMAR)) == different
    assert {(variant.width, variant.height) for variant in variants([made], GRAMMAR)} == ({(3, 2), (2, 3)} if "R" in flags else {(3, 2)})


def test_flags_add_up_in_their_order() -> None:
    """Each list is what the flags do one after another to the rule's drawing, with the tiles of the table."""
    drawing = ["7c.", "~4r", "?9C", "..2"]
    swap = {flag: {row[0]: row[column] for row in TURNING} for flag, column in (("R", 2), ("V", 3), ("H", 4))}

    def turned(rows: list[str]) -> list[str]:
        return ["".join(swap["R"][rows[y][x]] for y in range(len(rows) - 1, -1, -1)) for x in range(len(rows[0]))]

    def mirrored(rows: list[str]) -> list[str]:
        return ["".join(swap["H"][letter] for letter in reversed(row)) for row in rows]

    def flipped(rows: list[str]) -> list[str]:
        return ["".join(swap["V"][letter] for letter in row) for row in reversed(rows)]

    for flags in POSITIONS:
        wanted = [drawing]
        if "R" in flags:
            wanted += [turned(drawing), turned(turned(drawing)), turned(turned(turned(drawing)))]
        if "H" in flags:
            wanted += [mirrored(rows) for rows in wanted]
        if "V" in flags:
            wanted += [flipped(rows) for rows in wanted]
        body = "\n".join(drawing)
        made, _ = rule(f"4,3\n{flags}\n=\n{body}\n=\n{body}\n", "x.txt")
        found = variants([made], GRAMMAR, merge=False)
        assert [target(variant.pattern, variant.width) for variant in found] == ["/".join(rows) for rows in wanted]
        assert [drawn(variant.results[0].cells, variant.width) for variant in found] == ["/".join(rows) for rows in wanted]


def test_positions_have_the_names_of_the_program() -> None:
    assert (POSITIONS[""], POSITIONS["R"], POSITIONS["H"], POSITIONS["V"], POSITIONS["H,V"]) == (NONE, TURNS, LEFT_RIGHT, UP_DOWN, BOTH_MIRRORS)
    assert sorted(POSITIONS["R,H"]) == sorted(POSITIONS["R,V"]) == list(EIGHT)
    assert sorted(POSITIONS["R,H,V"]) == sorted(EIGHT * 2)


def test_a_corner_in_four_positions() -> None:
    made, _ = rule("3,3\nR\n=\n???\ncC?\n?C?\n=\n???\nc9?\n?C?\n", "cornermerge.txt")
    assert [(target(variant.pattern, 3), drawn(variant.results[0].cells, 3)) for variant in variants([made], GRAMMAR, merge=False)] == [
        ("???/cC?/?C?", "???/c9?/?C?"),
        ("?C?/cc?/???", "?C?/c3?/???"),
        ("?C?/?Cc/???", "?C?/?1c/???"),
        ("???/?cc/?C?", "???/?7c/?C?"),
    ]


# -- at work


def outcomes(texts: list[str], start: list[str], runs: int, turns: int = 1) -> dict[str, float]:
    """How often each map comes out."""
    made = program(rule(text, f"{number}.txt")[0] for number, text in enumerate(texts))
    found: Counter[str] = Counter()
    for seed in range(runs):
        grid = tiles(*start)
        apply(made, grid, Rng.root(seed), turns=turns)
        found[letters(grid)] += 1
    return {outcome: count / runs for outcome, count in found.items()}


@pytest.mark.parametrize("start", [["...", "ccc", "..."], [".C.", ".C.", ".C."]])
def test_the_four_way_rule(start: list[str]) -> None:
    assert outcomes([FOUR_WAY], start, 50) == {".C./c5c/.C.": 1}
    made, _ = rule(FOUR_WAY, "x.txt")
    assert (len(variants([made], GRAMMAR, merge=False)), len(variants([made], GRAMMAR))) == (4, 2)


def test_the_four_way_rule_is_printed_with_box_signs() -> None:
    grid = tiles("...", "ccc", "...")
    apply(program([rule(FOUR_WAY, "x.txt")[0]]), grid, Rng.root(1))
    assert ["".join(GRAMMAR.faces[code] for code in row) for row in grid.tolist()] == [".║.", "═╬═", ".║."]


LAWS = [
    ("results 1 and 3", ["1,1\n=\n.\n=1\nr\n=3\nR\n"], {"r": 1 / 4, "R": 3 / 4}),
    ("rules 1 and 5", ["1,1\n=\n.\n=\nr\n", "1,1\n=5\n.\n=\nR\n"], {"r": 1 / 6, "R": 5 / 6}),
    ("rules 1 and 5 with a blank after it", ["1,1\n=\n.\n=\nr\n", "1,1\n=5 \n.\n=\nR\n"], {"r": 1 / 6, "R": 5 / 6}),
    ("four equal positions count four times", ["1,1\nR\n=\n.\n=\nr\n", "1,1\n=5\n.\n=\nR\n"], {"r": 4 / 9, "R": 5 / 9}),
    ("sixteen count sixteen times", ["1,1\nR,H,V\n=\n.\n=\nr\n", "1,1\n=4\n.\n=\nR\n"], {"r": 16 / 20, "R": 4 / 20}),
    ("a weight of 0 is never drawn", ["1,1\n=0\n.\n=\nr\n", "1,1\n=\n.\n=\nR\n=0\n~\n"], {"R": 1}),
    ("a rule that fits nowhere leaves its share to the others", ["1,1\n=50\nc\n=\nr\n", "1,1\n=\n.\n=\nr\n", "1,1\n=3\n.\n=\nR\n"], {"r": 1 / 4, "R": 3 / 4}),
]


@pytest.mark.parametrize(("texts", "law"), [row[1:] for row in LAWS], ids=[row[0] for row in LAWS])
def test_weights(texts: list[str], law: dict[str, float]) -> None:
    found = outcomes(texts, ["."], 2000)
    assert found == pytest.approx(law, abs=0.035)


def test_many_places_do_not_make_a_rule_likelier() -> None:
    found = outcomes(["1,1\n=\nc\n=\nr\n", "1,1\n=\nC\n=\nR\n"], ["cccC"], 2000)
    assert found == pytest.approx({"rccC": 1 / 6, "crcC": 1 / 6, "ccrC": 1 / 6, "cccR": 1 / 2}, abs=0.03)


def test_a_rule_larger_than_the_map_in_some_positions() -> None:
    assert outcomes(["1,3\nR\n=\nccc\n=\nrrr\n"], ["ccc"], 20) == {"rrr": 1}
    assert outcomes(["1,4\nR\n=\ncccc\n=\nrrrr\n"], ["ccc"], 20) == {"ccc": 1}


def test_a_cell_nobody_knows_fits_only_a_wildcard() -> None:
    start, _ = base("1,3\n=\nc\n", "base.txt", strict=False)
    assert letters(start) == "c??"
    for text, outcome in (("1,1\n=\n.\n=\nr\n", "c??"), ("1,3\n=\nc??\n=\nr?R\n", "r?R"), ("1,2\n=\n\\?\\?\n=\nr\\?\n", "cr?")):
        grid = start.copy()
        apply(program([rule(text, "x.txt")[0]]), grid, Rng.root(1), turns=1)
        assert letters(grid) == outcome


def test_steps_end_the_work() -> None:
    swap = [rule("1,2\nR\n=\nc.\n=\n.c\n", "x.txt")[0], rule("1,2\nR\n=\nC.\n=\n.C\n", "y.txt")[0]]
    for steps in (7, grammar.STEPS):
        grid = tiles("c...", "....")
        assert apply(program(swap, steps=steps), grid, Rng.root(1)).rewrites == steps
    assert program(swap).root.limit == 150


def test_equal_positions_may_count_once() -> None:
    rules = [rule("1,1\nR\n=\n.\n=\nr\n", "x.txt")[0], rule("1,1\n=\n.\n=\nR\n", "y.txt")[0]]
    shares = []
    for merge in (False, True):
        found = 0
        for seed in range(1500):
            grid = tiles(".")
            apply(program(rules, merge=merge), grid, Rng.root(seed), turns=1)
            found += letters(grid) == "r"
        shares.append(found / 1500)
    assert shares == pytest.approx([4 / 5, 1 / 2], abs=0.03)


def test_the_first_place_in_reading_order() -> None:
    grid = tiles(".cc", "ccc")
    apply(program([rule("1,2\n=\ncc\n=\nrr\n", "x.txt")[0]], pick="first"), grid, Rng.root(1), turns=1)
    assert letters(grid) == ".rr/ccc"


# -- the base

BASES: list[tuple[str, str, Outcome, Outcome]] = [
    ("a map", "2,3\n=\n.C.\nc5c\n", (".C./c5c",), ()),
    ("with cells nobody knows", "1,3\n=\n.?c\n", (".?c",), ()),
    ("blank lines around", "1,2\n\n=\ncc\n\n \n", ("cc",), ()),
    ("a weight means nothing", "1,2\n=3\ncc\n", ("cc", "2:2 a map has no weight"), ()),
    ("no flags in a line", "1,2\nR\n=\ncc\n", ("! 2:1 a line with '=' must follow the size of a map",), ()),
    ("no flags behind the size", "1,2,R\n=\ncc\n", ("! 1:5 a map takes no flags",), ("cc", "1:5 a map takes no flags; they are left out of account")),
    ("the older format", "3,2\n...\nccc\n", (".../ccc", OLD), ()),
    ("a second grid", "1,2\n=\ncc\n=\nrr\n", ("! 4:1 this row is too much: the map has its 1",), ()),
    ("too few rows", "2,2\n=\ncc\n", ("! 3:1 the file ends in row 2 of 2 of the map",), ()),
    ("nothing", "", ("! 1:1 the file is empty",), ()),
    ("only a size", "2,2\n", ("! 1:1 the file ends before the map",), ()),
    ("a short row", "1,3\n=\nc\n", ("! 3:2 this row has 1 of 3",), ("c??", "3:2 this row has 1 of 3")),
    ("too many cells", "1000000,1000000\n=\n", ("! 1:1 the number of cells of the map is 1,000,000,000,000",), ()),
]


@pytest.mark.parametrize(("text", "strictly", "leniently"), [row[1:] for row in BASES], ids=[row[0] for row in BASES])
def test_every_kind_of_base(text: str, strictly: Outcome, leniently: Outcome) -> None:
    for strict, outcome in ((True, strictly), (False, leniently or strictly)):
        got = attempt(base, text, strict=strict)
        if isinstance(got, UndercroftError):
            check(outcome, wrong(got), [])
        else:
            check(outcome, letters(got[0]), noted(got[1]))


# -- folders


def fill(path: Path, **texts: str) -> Path:
    path.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (path / f"{name}.txt").write_text(text, encoding="utf-8")
    return path


GOOD, BAD = "1,1\n=\nc\n=\nr\n", "1,1\n=\nc\nc\n=\nr\n"


def test_a_folder_is_read_in_the_order_of_its_names(tmp_path: Path) -> None:
    fill(tmp_path, zoo=GOOD, a=GOOD, **{"a-b": GOOD, "Zed": GOOD})
    (tmp_path / "readme.md").write_text("no rule", encoding="utf-8")
    (tmp_path / "rule.TXT.bak").write_text("no rule", encoding="utf-8")
    fill(tmp_path / "deeper.txt", nested=GOOD)
    fill(tmp_path / "sub", nested=GOOD, base=GOOD)
    found = folder(tmp_path, steps=9)
    assert [made.name for made in found.program.rules()] == ["Zed", "a", "a-b", "zoo"]
    assert (found.base, found.notes) == (None, ())
    root = found.program.root
    assert (root.kind, root.limit, root.pick, root.merge, found.program.palette) == ("one", 9, "rule", False, GRAMMAR)
    assert [made.place and Path(made.place.file).name for made in root.rules] == ["Zed.txt", "a.txt", "a-b.txt", "zoo.txt"]
    assert [made.name for made in folder(tmp_path, recurse=True).program.rules()] == ["Zed", "a", "a-b", "deeper.txt/nested", "sub/base", "sub/nested", "zoo"]


def test_the_base_is_no_rule(tmp_path: Path) -> None:
    found = folder(fill(tmp_path, base="1,2\n=\ncc\n", x=GOOD))
    assert [made.name for made in found.program.rules()] == ["x"]
    assert found.base is not None
    assert letters(found.base) == "cc"


def test_rules_may_stand_in_a_folder_beside_the_base(tmp_path: Path) -> None:
    fill(tmp_path, base="1,2\n=\ncc\n")
    fill(tmp_path / "rules", x=GOOD)
    found = folder(tmp_path)
    assert [made.name for made in found.program.rules()] == ["x"]
    assert found.base is not None


def test_a_bad_file_stops_a_strict_reader_and_is_left_out_by_a_lenient_one(tmp_path: Path) -> None:
    fill(tmp_path, a=BAD, b=GOOD, c="1,1\nx\n=\nc\n=\nr\n")
    (tmp_path / "d.txt").write_bytes(b"1,1\n=\n\xff\n=\nr\n")
    with pytest.raises(BadInput, match=r"a\.txt:4:1: this row is too much"):
        folder(tmp_path)
    found = folder(tmp_path, strict=False)
    assert [made.name for made in found.program.rules()] == ["b", "c"]
    assert [(Path(note.place.file).name, note.place.line, note.problem.partition(" ")[0]) for note in found.notes] == [
        ("a.txt", 4, "this"),
        ("c.txt", 2, "unknown"),
        ("d.txt", 1, f"{tmp_path / 'd.txt'}:"),
    ]
    assert found.notes[0].problem.endswith("; the rule is left out")
    assert "not UTF-8" in found.notes[2].problem


@pytest.mark.parametrize("strict", [True, False])
def test_a_folder_without_a_rule_is_an_error(tmp_path: Path, strict: bool) -> None:
    with pytest.raises(BadInput, match="the folder holds no rule"):
        folder(fill(tmp_path / "a", base="1,2\n=\ncc\n"), strict=strict)
    with pytest.raises(BadInput, match="this row is too much" if strict else "holds no rule; 1 cannot be read: .*x.txt:4:1: this row"):
        folder(fill(tmp_path / "b", x=BAD), strict=strict)
    with pytest.raises(BadInput, match=r"base\.txt:3:1: the file ends in row 2"):
        folder(fill(tmp_path / "c", x=GOOD, base="2,2\n=\ncc\n"), strict=strict)
    with pytest.raises(FileTrouble, match="cannot read"):
        folder(tmp_path / "nowhere", strict=strict)
    with pytest.raises(FileTrouble, match="cannot read"):
        folder(tmp_path / "b" / "x.txt", strict=strict)


@pytest.mark.skipif(os.name == "nt", reason="no pipes or links there")
def test_a_pipe_and_a_link_to_nowhere_do_not_stall(tmp_path: Path) -> None:
    fill(tmp_path, x=GOOD)
    os.mkfifo(tmp_path / "pipe.txt")
    (tmp_path / "link.txt").symlink_to(tmp_path / "nowhere")
    (tmp_path / "ring").symlink_to(tmp_path)
    with pytest.raises(FileTrouble, match="not a regular file"):
        folder(tmp_path)
    found = folder(tmp_path, strict=False, recurse=True)
    assert [made.name for made in found.program.rules()] == ["x"]
    assert len(found.notes) == 2


def test_sizes_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TooBig, match="its size in bytes"):
        rule("1,1\n=\nc\n=\nr\n" + "\n" * limits.TOML_BYTES.value, "x.txt")
    with pytest.raises(TooBig, match="its size in bytes"):
        folder(fill(tmp_path / "big", x=GOOD + "\n" * limits.TOML_BYTES.value))
    blank = "64,64\n=\n" + ("\n" * 64 + "=\n") * 20
    with pytest.raises(TooBig, match="the number of cells in all grids is 69,632; the limit is 65,536"):
        rule(blank, "x.txt", strict=False)
    many = tuple(rule(GOOD, "x.txt")[0] for _ in range(1001))
    with pytest.raises(TooBig, match="number of rules is 1,001"):
        program(many)
    assert len(program(many[1:]).root.rules) == 1000
    wide, _ = rule("64,64\nR,H,V\n=\n" + ("." * 64 + "\n") * 64 + ("=\n" + ("r" * 64 + "\n") * 64) * 8, "x.txt")
    with pytest.raises(TooBig, match="cells in all positions"):
        program([wide] * 8)
    fill(tmp_path / "many", x=GOOD, y=GOOD, z=GOOD)
    monkeypatch.setattr(grammar, "RULES", 2)
    with pytest.raises(TooBig, match="number of rules is 3; the limit is 2"):
        folder(tmp_path / "many")
    monkeypatch.setattr(grammar, "ENTRIES", 2)
    with pytest.raises(TooBig, match="number of entries is above 2"):
        folder(tmp_path / "many")


# -- writing


@st.composite
def a_rule(draw: st.DrawFn) -> Rule:
    width, height = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    codes = st.integers(0, len(GRAMMAR) - 1)
    cells = width * height
    pattern = draw(st.lists(st.one_of(st.just(ANY), codes.map(lambda code: 1 << code)), min_size=cells, max_size=cells))
    grid = st.lists(st.one_of(st.just(KEEP), codes), min_size=cells, max_size=cells)
    weights = st.one_of(st.integers(0, 3), st.integers(0, grammar.WEIGHT))
    results = draw(st.lists(st.builds(Result, grid.map(tuple), weights), min_size=1, max_size=3))
    return Rule("x", width, height, tuple(pattern), tuple(results), weight=draw(weights), positions=draw(st.sampled_from(sorted(FLAGS))))


@given(a_rule(), st.booleans())
def test_nothing_is_lost_on_the_way_out_and_in(made: Rule, strict: bool) -> None:
    text = dump(made)
    again, notes = rule(text, "x.txt", strict=strict)
    assert notes == []
    assert again._replace(place=None) == made
    assert dump(again) == text
    assert rule(dump(again), "x.txt")[0] == again, "its place, too"


def test_equal_positions_in_another_order_are_written_as_flags() -> None:
    made, _ = rule(FOUR_WAY, "x.txt")
    assert rule(dump(made._replace(positions=EIGHT)), "x.txt")[0] == made._replace(positions=POSITIONS["R,H"])


PLAIN = Rule("plain", 1, 1, (1,), (Result((1,)),))
REFUSED = [
    (PLAIN._replace(chance=0.5), "a chance or a limit"),
    (PLAIN._replace(limit=3), "a chance or a limit"),
    (PLAIN._replace(pattern=(3,)), "a set of tiles"),
    (PLAIN._replace(pattern=(0,)), "a set of tiles"),
    (PLAIN._replace(pattern=(1 << 20,)), "the tile number 20"),
    (PLAIN._replace(results=(Result((16,)),)), "the tile number 16"),
    (PLAIN._replace(results=()), "a rule without a result"),
    (PLAIN._replace(results=(Result((1, 1)),)), "grids of different sizes"),
    (PLAIN._replace(positions=(0, 2)), "the positions"),
    (PLAIN._replace(positions=(0, 0)), "the positions"),
    (PLAIN._replace(weight=-1), "this weight"),
    (PLAIN._replace(results=(Result((1,), 100_001),)), "this weight"),
    (Rule("wide", 65, 1, (1,) * 65, (Result((1,) * 65),)), "a size of 65x1"),
]


@pytest.mark.parametrize(("made", "problem"), REFUSED, ids=[f"{number} {row[1]}" for number, row in enumerate(REFUSED)])
def test_what_the_format_cannot_hold_is_said(made: Rule, problem: str) -> None:
    with pytest.raises(BadInput, match="a grammar file cannot hold") as caught:
        dump(made)
    assert problem in caught.value.problem
    assert caught.value.fix


def test_a_folder_comes_back_as_it_was(tmp_path: Path) -> None:
    first = folder(SHIPPED)
    assert first.base is not None
    texts = dump_folder(first.program, first.base)
    assert list(texts)[-1] == "base.txt"
    fill(tmp_path, **{name.removesuffix(".txt"): text for name, text in texts.items()})
    again = folder(tmp_path)
    assert [made._replace(place=None) for made in again.program.rules()] == [made._replace(place=None) for made in first.program.rules()]
    assert again.base is not None
    assert np.array_equal(again.base, first.base)
    assert dump_folder(again.program, again.base) == texts
    assert dump_base(again.base) == (SHIPPED / "base.txt").read_text(encoding="utf-8")


def test_the_names_of_a_folder() -> None:
    def named(*names: str) -> list[Rule]:
        return [PLAIN._replace(name=name) for name in names]

    assert list(dump_folder(program(named("a", "b c")))) == ["a.txt", "b c.txt"]
    assert list(dump_folder(program(named("b", "b", "a") * 4), numbered=True))[::6] == ["01-b.txt", "07-b.txt"]
    for names, problem in [
        (("b", "a"), "'b' does not come before 'a'"),
        (("a", "a"), "'a' does not come before 'a'"),
        (("A", "B", "a"), "capital letters"),
        (("a/b",), "cannot be the name"),
        (("..",), "cannot be the name"),
        (("",), "cannot be the name"),
        ((".hidden",), "cannot be the name"),
        (("Base",), "cannot be the name"),
        (("x" * 101,), "cannot be the name"),
        (("a\n",), "cannot be the name"),
    ]:
        with pytest.raises(BadInput, match=problem):
            dump_folder(program(named(*names)))


def test_a_program_that_is_no_folder() -> None:
    good = program([PLAIN])
    for root in (good.root._replace(kind="all"), good.root._replace(pick="match"), good.root._replace(merge=True), Node("markov", children=(good.root,))):
        with pytest.raises(BadInput, match="a grammar folder is one node"):
            dump_folder(good._replace(root=root))
    with pytest.raises(BadInput, match="palette"):
        dump_folder(good._replace(palette=STANDARD))
    with pytest.raises(BadInput, match="tiles that a grammar does not know"):
        dump_base(np.full((2, 2), 16, np.uint8))


# -- hostile files


def test_thousands_of_broken_files_end_in_sentences() -> None:
    source = random.Random(1)
    seeds = [row[1] for row in ROWS if len(row[1]) < 200] + [FOUR_WAY] + [path.read_text(encoding="utf-8") for path in sorted((SHIPPED / "rules").iterdir())]
    alphabet = "cC123456789rR~.?=\n\n\n,RHV0 \t\\\r#x\x00\ufeff═٣-"
    began = time.perf_counter()
    ended: Counter[str] = Counter()
    for number in range(3000):
        text = mutated(source.choice(seeds), source, alphabet)
        for strict in (True, False):
            got = attempt(rule, text, strict=strict)
            if isinstance(got, UndercroftError):
                assert wrong(got)
                ended["refused"] += 1
                continue
            made, notes = got
            ended["read"] += 1
            ended["noted"] += bool(notes)
            assert all(len(result.cells) == len(made.pattern) == made.width * made.height for result in made.results)
            assert rule(dump(made), "x.txt")[0] == made
            if number % 10 == 0:
                apply(program([made], steps=5), tiles(".c.r", "cc..", "C?5~"), Rng.root(number))
        flat = attempt(base, text, strict=False)
        assert wrong(flat) if isinstance(flat, UndercroftError) else flat[0].size
    assert time.perf_counter() - began < 60
    assert min(ended["refused"], ended["read"], ended["noted"]) > 500, ended


def mutated(text: str, source: random.Random, alphabet: str) -> str:
    for _ in range(source.choice([1, 1, 1, 2, 5])):
        at = source.randrange(len(text) + 1)
        end = min(len(text), at + source.randrange(12))
        kind = source.choice(["put", "put", "swap", "swap", "swap", "cut", "double", "shuffle"])
        if kind == "put":
            text = text[:at] + source.choice(alphabet) + text[at:]
        elif kind == "swap":
            text = text[:at] + source.choice(alphabet) + text[at + 1 :]
        elif kind == "cut":
            text = text[:at] + text[end:]
        elif kind == "double":
            text = text[:at] + text[at:end] * 2 + text[end:]
        else:
            lines = text.split("\n")
            source.shuffle(lines)
            text = "\n".join(lines)
    return text


@pytest.mark.parametrize(
    "text",
    [
        "64,64\n=\n" + "\n" * 65_000,
        "1,64\n=\n" + "\\" * 65_000,
        "1,1\n=\n" + "=\n" * 32_000,
        "1,1\n=\nc\n" + "=\nr\n" * 16_000,
        "1,1," + "x" * 65_000 + "\n=\nc\n=\nr\n",
        "9" * 65_000,
        "1,1\n" + "\n" * 65_000,
        "1,64\n=\n" + "#" * 65_000 + "\n",
    ],
)
def test_long_files_are_read_quickly(text: str) -> None:
    began = time.perf_counter()
    for strict in (True, False):
        for got in (attempt(rule, text, strict=strict), attempt(base, text, strict=strict)):
            assert not isinstance(got, UndercroftError) or len(str(got)) < 1000
    assert time.perf_counter() - began < 5


# -- cases, and the rules that come with the package


@pytest.mark.parametrize("case", sorted(path.name for path in CASES.iterdir()))
def test_case(case: str) -> None:
    """A folder: rules and base, and every map that may come out, with a blank line between."""
    found = folder(CASES / case)
    assert found.base is not None
    maps = {block.strip().replace("\n", "/") for block in (CASES / case / "after.txt").read_text(encoding="utf-8").split("\n\n")}
    seen = set()
    for seed in range(300):
        grid = found.base.copy()
        apply(found.program, grid, Rng.root(seed))
        seen.add(letters(grid))
    assert seen == maps


def loose_ends(grid: NDArray[np.uint8]) -> list[tuple[int, int]]:
    """Corridors that lead to nothing: an end must meet an end, or a room."""
    height, width = grid.shape
    found = []
    steps = {"N": (0, -1, "S"), "E": (1, 0, "W"), "S": (0, 1, "N"), "W": (-1, 0, "E")}
    for y in range(height):
        for x in range(width):
            for end in OPEN.get(GRAMMAR.tiles[grid[y, x]].glyph, ""):
                dx, dy, back = steps[end]
                beside = GRAMMAR.tiles[grid[y + dy, x + dx]].glyph if 0 <= x + dx < width and 0 <= y + dy < height else "."
                if beside not in "rR" and back not in OPEN.get(beside, ""):
                    found.append((x, y))
    return found


def test_loose_ends_are_seen() -> None:
    assert loose_ends(tiles(".C.", "rcr", ".1.")) == [(1, 0), (1, 0), (1, 2), (1, 2)]
    assert loose_ends(tiles("rcc")) == [(2, 0)]
    assert loose_ends(tiles("7c9", "C.C", "1c3")) == []


def pieces(grid: NDArray[np.uint8]) -> int:
    """How many parts one cannot walk between: from corridor to corridor by their ends, in rooms by neighbours."""
    height, width = grid.shape
    parent = {(x, y): (x, y) for y in range(height) for x in range(width) if GRAMMAR.walkable[grid[y, x]]}

    def top(cell: tuple[int, int]) -> tuple[int, int]:
        while parent[cell] != cell:
            cell = parent[cell]
        return cell

    def opens(cell: tuple[int, int], end: str) -> bool:
        return end in OPEN.get(GRAMMAR.tiles[grid[cell[1], cell[0]]].glyph, "NESW")

    for x, y in parent:
        for other, end, back in (((x + 1, y), "E", "W"), ((x, y + 1), "S", "N")):
            if other in parent and opens((x, y), end) and opens(other, back):
                parent[top((x, y))] = top(other)
    return len({top(cell) for cell in parent})


def test_pieces_are_counted() -> None:
    assert pieces(tiles("rcr", "...", "rrr")) == 2
    assert pieces(tiles("rCr")) == 3
    assert pieces(tiles("r.r", "1c3")) == 1


def test_the_rules_of_the_package_make_a_dungeon() -> None:
    found = folder(SHIPPED)
    assert found.notes == ()
    assert found.base is not None
    assert loose_ends(found.base) == []
    used: Counter[str] = Counter()
    maps = set()
    for seed in range(200):
        grid = found.base.copy()
        engine = apply(found.program, grid, Rng.root(seed))
        assert loose_ends(grid) == []
        assert pieces(grid) == 1
        assert 12 <= engine.rewrites < grammar.STEPS, "it ends because nothing fits"
        assert np.isin(grid, [GRAMMAR["r"], GRAMMAR["R"]]).sum() > 100
        maps.add(letters(grid))
        used.update(set(letters(grid)))
    assert len(maps) == 200
    assert set(used) == set("cC123456789rR~./"), "every tile is made use of"


def test_every_rule_of_the_package_is_used() -> None:
    found = folder(SHIPPED)
    assert found.base is not None
    rules = found.program.root.rules
    for without in rules:
        rest = program(made for made in rules if made != without)
        differs = 0
        for seed in range(12):
            one, other = found.base.copy(), found.base.copy()
            apply(found.program, one, Rng.root(seed))
            apply(rest, other, Rng.root(seed))
            differs += not np.array_equal(one, other)
        assert differs >= 6, without.name  # a rule that never fits changes no draw


def test_names_are_in_order() -> None:
    names = [made.name for made in folder(SHIPPED).program.rules()]
    assert all(one < other for one, other in pairwise(names))
    assert 5 <= len(names) <= 9
