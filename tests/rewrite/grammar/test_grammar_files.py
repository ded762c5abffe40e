"""Files of a grammar: what each line means, strictly and leniently, and what is said about a bad one."""

from __future__ import annotations

import random
import time
from collections import Counter

import pytest

from support.grammars import FOUR_WAY, SHIPPED, Outcome, attempt, check, format_rule, letters, noted, tiles, wrong
from undercroft.core.rng import Rng
from undercroft.errors import BadInput, UndercroftError
from undercroft.rewrite.engine.engine import apply
from undercroft.rewrite.grammar.folder import build_program, parse_base, parse_rule
from undercroft.rewrite.grammar.write_folder import dump_rule

OLD = "1:1 this is the older format"
ROWS: list[tuple[str, str, Outcome, Outcome]] = [
    # row of the table, file, strictly, leniently (empty: the same)
    ("P1 rows come first", "1,2\n=\ncc\n=\nrr\n", ("=1 cc -> rr=1",), ()),
    ("P1 then columns", "2,1\n=\nC\nC\n=\nr\nr\n", ("=1 C/C -> r/r=1",), ()),
    (
        "P1 the wrong way round",
        "3, 1\nR\n=\nccc\n=2\nrrr\n\n=\nRRR\n",
        ("! 1:1 all grids have 1 row and 3 columns, and this size says the reverse",),
        ("! 5:1 the target has 1 rows, and the first line says 3",),
    ),
    (
        "P1 the wrong way round, without blank lines",
        "2,3\n=\ncc\nc\\?\ncc\n=\nrr\nrr\nrr\n",
        ("! 1:1 all grids have 3 rows and 2 columns, and this size says the reverse",),
        (),
    ),
    (
        "P1 some grid fits neither",
        "2,3\n=\ncc\ncc\ncc\n=\nrr\nrr\n",
        ("! 3:3 this row has 2 of 3 columns",),
        ("! 5:1 this row is too much: the target has its 2",),
    ),
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
    (
        "P5 others as long as a row",
        "3,1\nxRz\n=\nc\nc\nc\n=\nr\nr\nr\n",
        ("R=1 c/c/c -> r/r/r=1", "2:1 unknown flag 'x' and 1 more"),
        (),
    ),
    (
        "P5 a small letter",
        "1,1\nV,r\n=\nc\n=\nr\n",
        ("V=1 c -> r=1", "2:3 unknown flag 'r' left out of account, the flags are R, H and V; did you mean R?"),
        (),
    ),
    ("P6 an empty line of flags", "1,1\n\n=\nc\n=\nr\n", ("=1 c -> r=1",), ()),
    ("P6 then '=' must follow", "1,1\n\nR\n=\nc\n=\nr\n", ("! 3:1 a line with '=' must stand above the target",), ()),
    (
        "P7 flags in the first line",
        "1,2,R\n=\ncc\n=\nrr\n",
        ("R=1 cc -> rr=1", "1:5 flags stand in a line of their own"),
        (),
    ),
    (
        "P7 flags in both lines",
        "1,2,R\nH\n=\ncc\n=\nrr\n",
        ("R,H=1 cc -> rr=1", "1:5 flags stand in a line of their own"),
        (),
    ),
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
    (
        "P12 in a result",
        "2,2\n=\ncc\ncc\n=\nrr\n \n",
        ("! 7:1 this row is empty",),
        ("=1 cc/cc -> rr/??=1", "7:1 this row is empty"),
    ),
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
    (
        "P15 too many rows in the target",
        "1,2\n=\ncc\nCC\n=\nrr\n",
        ("! 4:1 this row is too much: the target has its 1",),
        (),
    ),
    (
        "P15 too many rows in a result",
        "1,2\n=\ncc\n=\nrr\nRR\n",
        ("! 6:1 this row is too much: result 1 has its 1",),
        (),
    ),
    ("P15 blanks before '='", "1,2\n=\ncc\n =\nrr\n", ("! 4:1 a line with '=' begins with it",), ()),
    (
        "P16 too few rows, then '='",
        "2,2\n=\ncc\n=\nrr\nrr\n",
        ("! 4:1 the target has 1 rows, and the first line says 2",),
        (),
    ),
    ("P17 too few rows at the end", "2,2\n=\ncc\ncc\n=\nrr\n", ("! 6:1 the file ends in row 2 of 2 of result 1",), ()),
    ("P17 no rows at the end", "1,2\n=\ncc\n=\n", ("! 4:1 the file ends in row 1 of 1 of result 1",), ()),
    ("P17 no result", "1,2\n=\ncc\n", ("! 3:1 the rule has no result",), ()),
    ("P17 no target", "1,2\nR\n", ("! 2:1 the file ends before the target",), ()),
    (
        "P18 the second result cut short",
        "2,1\n=\nc\nc\n=\nr\nr\n=\nr\n",
        ("! 9:1 the file ends in row 2 of 2 of result 2",),
        (),
    ),
    ("P19 '=' as a cell", "1,3\n=\nc=c\n=\nrrr\n", ("! 3:2 '=' is no tile",), ()),
    ("P19 a backslash that protects a tile", "1,3\n=\n\\c\\?c\n=\n?\\?\\~\n", ("=1 cUc -> ?U~=1",), ()),
    (
        "P19 a protected '='",
        "1,1\n=\n\\=\n=\nr\n",
        ("! 3:2 unknown tile '='",),
        ("=1 ? -> r=1", "3:2 unknown tile '='; it is taken for ?"),
    ),
    (
        "P19 a backslash that protects nothing",
        "1,2\n=\nc\\\n=\nrr\n",
        ("! 3:2 a backslash stands before the sign it protects",),
        (),
    ),
    (
        "P20 a strange tile",
        "1,3\n=\nc#c\n=\nrrr\n",
        ("! 3:2 unknown tile '#'",),
        ("=1 c?c -> rrr=1", "3:2 unknown tile '#'; it is taken for ?"),
    ),
    (
        "P20 several",
        "1,3\n=\nccc\n=\nx 0\n",
        ("! 5:1 unknown tile 'x'",),
        ("=1 ccc -> ???=1", "5:1 unknown tile 'x' (and 2 more in this row)"),
    ),
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
    (
        "W3 a letter",
        "1,1\n=4\nc\n= x\nr\n",
        ("! 4:3 a weight is a whole number, not 'x'",),
        ("=4 c -> r=1", "4:3 a weight is a whole number, not 'x'"),
    ),
    (
        "W3 '=' twice",
        "1,1\n==5\nc\n=\nr\n",
        ("! 2:2 a weight is a whole number, not '=5'",),
        ("=1 c -> r=1", "2:2 a weight is a whole number, not '=5'"),
    ),
    (
        "W3 not in ASCII",
        "1,1\n=٣\nc\n=\nr\n",
        ("! 2:2 a weight is a whole number",),
        ("=1 c -> r=1", "2:2 a weight is a whole number"),
    ),
    ("W3 above the cap", "1,1\n=\nc\n=100001\nr\n", ("! 4:2 this weight is 100,001; the limit is 100,000",), ()),
    ("W3 far above it", f"1,1\n={'9' * 5000}\nc\n=\nr\n", ("! 2:2 this weight is 1,000,000,000",), ()),
    ("W4 never", "1,1\n=0\nc\n=0\nr\n=\nR\n", ("=0 c -> r=0 R=1",), ()),
    ("W5 equal unless said", "1,1\n=\nc\n=\nr\n=\nR\n", ("=1 c -> r=1 R=1",), ()),
]


@pytest.mark.parametrize(("text", "strictly", "leniently"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_every_row_of_the_table(text: str, strictly: Outcome, leniently: Outcome) -> None:
    for strict, outcome in ((True, strictly), (False, leniently or strictly)):
        got = attempt(parse_rule, text, strict=strict)
        if isinstance(got, UndercroftError):
            check(outcome, wrong(got), [])
        else:
            check(outcome, format_rule(got[0]), noted(got[1]))


def test_the_table_has_every_row_that_a_file_can_show() -> None:
    wanted = {f"P{number}" for number in range(1, 23)} | {f"W{number}" for number in range(1, 6)}
    assert {row[0].split()[0] for row in ROWS} == wanted, "P23 and P24 are about folders"


MISTAKES = [
    # problem, place, fix, files
    (
        "the first line gives the size",
        "1:1",
        "write two whole numbers, for example 3,3",
        ["3\n", "3;3\n", "three,3\n", "3,3R\n", "3.5,2\n"],
    ),
    ("a grid has at least one row and one column", "1:1", "write numbers from 1", ["0,3\n=\n", "00,0\n"]),
    ("the number of rows or columns of a rule is 65", "1:1", "draw a smaller pattern", ["65,1\n=\n", "1,65\n=\n"]),
    ("the number of rows or columns of a rule is 1,000,000,000", "1:1", "draw a smaller", [f"1,{'9' * 6000}\n=\n"]),
    (
        "a line with '=' must stand above the target",
        "3:1",
        "put '=' on a line of its own",
        ["3,3\nR\n...\nccc\n...\n=\n", "1,1\n\nc\n"],
    ),
    ("a line with '=' must stand above the target", "2:1", "remove what stands before '='", ["1,1\n =\nc\n=\nr\n"]),
    ("flags stand above the '=' line", "3:1", "move this line up by one", ["3,3\n=\nR\n...\n", "1,1\n=5\nR,V\nc\n"]),
    (
        "this row is too much: the target has its 1",
        "4:1",
        "put flags above the '=' line, or remove a row",
        ["1,1\n=\nR\nc\n=\nr\n"],
    ),
    ("this row is too much: the target has its 1", "4:1", "remove a row, or write '=' above", ["1,1\n=\nc\nc\n=\nr\n"]),
    ("unknown tile '═'", "3:2", "write c for ═", ["1,2\n=\nc═\n=\ncc\n"]),
    ("unknown tile '█'", "3:1", "write r for █", ["1,2\n=\n█c\n=\ncc\n"]),
    ("unknown tile '0'", "3:1", "the tiles are . 1 2 3 4 5 6 7 8 9 C R c r ~, and ? for any", ["1,2\n=\n0c\n=\ncc\n"]),
    ("'=' is no tile", "5:2", "the tiles are", ["1,2\n=\ncc\n=\nc=\n"]),
    (
        "a weight is a whole number, not '2.5'",
        "2:3",
        "write =5, = alone for 1, =0 for never",
        ["1,1\n= 2.5\nc\n=\nr\n"],
    ),
    ("this weight is 999,999", "2:2", "divide all weights by the same number", ["1,1\n=999999\nc\n=\nr\n"]),
    ("the rule has no result", "3:1", "put '=' and a grid below the target", ["1,1\n=\nc\n", "1,1\n=\nc"]),
]


@pytest.mark.parametrize(("problem", "place", "fix", "texts"), MISTAKES, ids=[row[0] for row in MISTAKES])
def test_a_mistake_is_a_sentence_with_its_place_and_a_way_to_mend_it(
    problem: str, place: str, fix: str, texts: list[str]
) -> None:
    for text in texts:
        with pytest.raises(BadInput) as caught:
            parse_rule(text, "folder/x.txt")
        error = caught.value
        assert error.problem.startswith(problem)
        assert error.fix.startswith(fix)
        line, column = map(int, place.split(":"))
        assert error.place == ("folder/x.txt", line, column, text.split("\n")[line - 1])


def test_a_mistake_is_drawn() -> None:
    with pytest.raises(BadInput) as caught:
        parse_rule("1,4\nR\n=\ncc#c\n=\ncrrc\n", "room.txt")
    assert str(caught.value) == (
        "room.txt:4:3: unknown tile '#'\n    cc#c\n      ^\n"
        "  fix: the tiles are . 1 2 3 4 5 6 7 8 9 C R c r ~, and ? for any"
    )


def test_a_note_has_its_place() -> None:
    _, (note,) = parse_rule("1,2,R\n=\ncc\n=\nrr\n", "x.txt")
    assert str(note) == "x.txt:1:5: flags stand in a line of their own below the size; they are taken all the same"


def test_the_size_the_other_way_round() -> None:
    text = "2,1\n=\ncc\n=\nrr\n"
    assert format_rule(parse_rule(text, "x.txt", dims_order="cr")[0]) == "=1 cc -> rr=1"
    with pytest.raises(BadInput, match="did you mean 1,2"):
        parse_rule(text, "x.txt")
    with pytest.raises(BadInput, match="dims_order"):
        parse_rule(text, "x.txt", dims_order="yx")


def test_a_rule_is_named_after_its_file() -> None:
    assert parse_rule(FOUR_WAY, "some/four way.txt")[0].name == "four way"
    assert parse_rule(FOUR_WAY, "four-way")[0].name == "four-way"
    assert parse_rule(FOUR_WAY, "x.txt", name="sub/x")[0].name == "sub/x"


def test_a_size_the_wrong_way_round_asks_for_its_reverse() -> None:
    with pytest.raises(BadInput) as caught:
        parse_rule("3 ,5\n=\n...\n...\n...\n...\n...\n=\nccc\nccc\nccc\nccc\nccc\n", "a.txt")
    assert caught.value.fix == "did you mean 5,3?"
    assert caught.value.instead == ("3 ,5", "5,3")
    with pytest.raises(BadInput, match="did you mean 2,4"):
        parse_base("4,2\n=\ncccc\ncccc\n", "base.txt")


# -- the base

BASES: list[tuple[str, str, Outcome, Outcome]] = [
    ("a map", "2,3\n=\n.C.\nc5c\n", (".C./c5c",), ()),
    ("with cells nobody knows", "1,3\n=\n.?c\n", (".?c",), ()),
    ("blank lines around", "1,2\n\n=\ncc\n\n \n", ("cc",), ()),
    ("a weight means nothing", "1,2\n=3\ncc\n", ("cc", "2:2 a map has no weight"), ()),
    ("no flags in a line", "1,2\nR\n=\ncc\n", ("! 2:1 a line with '=' must follow the size of a map",), ()),
    (
        "no flags behind the size",
        "1,2,R\n=\ncc\n",
        ("! 1:5 a map takes no flags",),
        ("cc", "1:5 a map takes no flags; they are left out of account"),
    ),
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
        got = attempt(parse_base, text, strict=strict)
        if isinstance(got, UndercroftError):
            check(outcome, wrong(got), [])
        else:
            check(outcome, letters(got[0]), noted(got[1]))


# -- hostile files


def test_thousands_of_broken_files_end_in_sentences() -> None:
    source = random.Random(1)
    seeds = (
        [row[1] for row in ROWS if len(row[1]) < 200]
        + [FOUR_WAY]
        + [path.read_text(encoding="utf-8") for path in sorted((SHIPPED / "rules").iterdir())]
    )
    alphabet = "cC123456789rR~.?=\n\n\n,RHV0 \t\\\r#x\x00\ufeff═٣-"
    began = time.process_time()
    ended: Counter[str] = Counter()
    for number in range(3000):
        text = mutated(source.choice(seeds), source, alphabet)
        for strict in (True, False):
            got = attempt(parse_rule, text, strict=strict)
            if isinstance(got, UndercroftError):
                assert wrong(got)
                ended["refused"] += 1
                continue
            made, notes = got
            ended["read"] += 1
            ended["noted"] += bool(notes)
            assert all(len(result.cells) == len(made.pattern) == made.width * made.height for result in made.results)
            assert parse_rule(dump_rule(made), "x.txt")[0] == made
            if number % 10 == 0:
                apply(build_program([made], steps=5), tiles(".c.r", "cc..", "C?5~"), Rng.root(number))
        flat = attempt(parse_base, text, strict=False)
        assert wrong(flat) if isinstance(flat, UndercroftError) else flat[0].size
    assert time.process_time() - began < 60
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
    began = time.process_time()
    for strict in (True, False):
        for got in (attempt(parse_rule, text, strict=strict), attempt(parse_base, text, strict=strict)):
            assert not isinstance(got, UndercroftError) or len(str(got)) < 1000
    assert time.process_time() - began < 5
