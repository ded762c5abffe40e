"""The `.rules` language: what it means, what it says about mistakes, and that nothing is lost on the way back to text."""

from __future__ import annotations

import random
import re
import time
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from drawn import HEAVY, components
from rewrite.programs import random_program
from undercroft.core import drawing
from undercroft.core.palette import STANDARD, Palette, Tile
from undercroft.core.rng import Rng
from undercroft.errors import BadInput, FileTrouble, Place, TooBig, UndercroftError
from undercroft.rewrite import grammar
from undercroft.rewrite.alphabet import letters
from undercroft.rewrite.engine import apply
from undercroft.rewrite.expectations import Expect, check, outcomes
from undercroft.rewrite.grammar_tiles import GRAMMAR
from undercroft.rewrite.language import Parsed, load, parse
from undercroft.rewrite.lines import WORDS
from undercroft.rewrite.options import KNOWN
from undercroft.rewrite.program import (
    ANY,
    BOTH_MIRRORS,
    EIGHT,
    KEEP,
    LEFT_RIGHT,
    NONE,
    PICKS,
    TURNS,
    UP_DOWN,
    Node,
    Program,
    Result,
    Rule,
    tile_set,
)
from undercroft.rewrite.writer import text

ROOT = Path(__file__).resolve().parents[2]
CASES = ROOT / "tests" / "cases" / "rules"
PROGRAMS = sorted((CASES / "programs").glob("*.rules"))
PAGE = ROOT / "docs" / "rules-language.md"
TILES = "X void, # wall, . floor, , corridor, + door, ' opening, L locked door, S secret door, ~ water, : pit, o pillar, < stairs up, > stairs down"

# --- mistakes: the text, where, what is said, and how it is mended ----------------------------------------------------------------------

MISTAKES = [
    ("one  BB -> W", "1:12", "the left side is 2x1, the right side is 1x1", "give both sides the same rows and columns"),
    ("one  b. -> ..", "1:6", "unknown tile 'b'", f"the palette has {TILES}"),
    ("one  x. -> ..", "1:6", "unknown tile 'x'", "did you mean 'X'?"),
    ("one  *. -> ..", "1:6", "unknown tile '*'", "write ? for any tile, and ? in a result to keep what stands there"),
    ("one  #.,once -> ...", "1:17", "the left side is 7x1, the right side is 3x1", "give both sides the same rows and columns"),
    (
        "one  #. -> ##,once",
        "1:12",
        "the left side is 2x1, the right side is 7x1",
        "give both sides the same rows and columns; options follow after a comma and a blank",
    ),
    (
        "palette letters BW\none  BW -> WW,once",
        "2:12",
        "the left side is 2x1, the right side is 7x1",
        "give both sides the same rows and columns; options follow after a comma and a blank",
    ),
    ("palette letters BW\none  BX -> WW", "2:7", "unknown tile 'X'", "the palette has B, W"),
    (
        "one\n    #.#      ###\n    ...  =>  ###\n    #.#      ###",
        "3:10",
        "a rule needs '->' with blanks around it, not '=>'",
        "write -> between the pattern and what replaces it",
    ),
    ("one\n    #.#  ###\n    ...  ###", "2:5", "a rule needs '->'", "write -> between the pattern and what replaces it"),
    ("one\n    #.->##", "2:5", "a rule needs '->' with blanks around it, not '#.->##'", "write -> between the pattern and what replaces it"),
    ("one\n    #. ->##", "2:8", "a rule needs '->' with blanks around it, not '->##'", "write -> between the pattern and what replaces it"),
    (
        "one\n    #.#      ###\n    ..   ->  ###\n    #.#      ###",
        "3:7",
        "a cell is missing here; a blank is no cell",
        "line the rows up; write ? where anything may stand, and a sign for void too",
    ),
    (
        "one\n    #.#      ###\n    ...  ->  ###\n    #.#      ##",
        "4:16",
        "a cell is missing here; a blank is no cell",
        "line the rows up; write ? where anything may stand, and a sign for void too",
    ),
    ("one\n    #.#\n    ...  ->  ###\n    #.#      ###", "3:14", "the left side is 3x3, the right side is 3x2", "give both sides the same rows and columns"),
    ("one\n    ...  ->  ###\n    #.#", "2:14", "the left side is 3x2, the right side is 3x1", "give both sides the same rows and columns"),
    (
        "one\n    ..     ##\n        ->\n    ..     ##",
        "3:5",
        "a cell is missing here; a blank is no cell",
        "draw a cell in every row, or put the arrow beside one that has cells",
    ),
    ("one\n    ...  ->  ###  |  ##\n    #.#      ###     ##", "2:22", "the left side is 3x2, result 2 is 2x2", "give both sides the same rows and columns"),
    (
        "one\n    ...  ->  ###\n    #.#  ->  ###\n    #.#      ###",
        "3:10",
        "this drawing of 3 rows has an arrow in 2 of them",
        "draw one -> in a drawing; rules of one line each have one on every line",
    ),
    (
        "one\n    ...  -> ###\n    #.#     ###\n    #.# .   ###",
        "2:10",
        "in some row a cell stands above, below or beside the arrow",
        "leave its columns and one on each side blank, in every row",
    ),
    ("one\n         ->  ###\n             ###", "2:10", "there is no pattern left of the arrow", "draw what is looked for before ->"),
    ("one\n    ###\n    ###  ->", "3:10", "there is no result right of the arrow", "draw what replaces the pattern after ->"),
    ("one  # ->", "1:8", "there is no result right of the arrow", "write what replaces the pattern after ->"),
    ("one  -> #", "1:6", "there is no pattern left of the arrow", "write what is looked for before ->"),
    (
        "one\n    .. #  ->  ###\n    .. #      ###",
        "2:8",
        "there are two blocks left of the arrow",
        "draw one pattern there; a column of blanks separates blocks",
    ),
    ("one\n    ..  ->  ##  ..\n    ..      ##  ..", "2:17", "two results stand side by side", "put a column with | between them, or take the blank column out"),
    ("one\n    ..  ->  ##  |\n    ..      ##", "2:17", "there is no result beside this '|'", "draw a result on both sides of it"),
    ("one  . -> | #", "1:11", "there is no result beside this '|'", "write a result on both sides of it"),
    ("one  . -> # |", "1:13", "there is no result beside this '|'", "write a result on both sides of it"),
    ("one  . -> # ,", "1:13", "',' follows a result without '|' or a comma", "write | between results, and a comma before options"),
    ("one  . -> # ~", "1:13", "'~' follows a result without '|' or a comma", "write | between results, and a comma before options"),
    ("one  grow ## -> ..", "1:11", "there are two patterns left of the arrow", "write the cells of a pattern without blanks, and a name on the line above"),
    ("one  ../. -> ##/#", "1:9", "the rows between '/' have 2, 1 cells", "give every row the same number of cells"),
    ("one  ../ -> ##/", "1:6", "the rows between '/' have 2, 0 cells", "give every row the same number of cells"),
    ("one  {#. -> ##", "1:6", "a brace that is not closed", "write {name of a set or tile}"),
    ("one\n    {#  ->  ..\n    ..      ..", "2:5", "braces stand in rules on one line only", "give the set a name of one letter"),
    ("one  room, turnd\n    . -> #", "1:12", "unknown word 'turnd'", "did you mean 'turned'?"),
    ("one  room, quietly\n    . -> #", "1:12", "unknown word 'quietly'", f"one of: {', '.join(KNOWN)}"),
    ("one  room,\n    . -> #", "1:11", "there is nothing between two commas, or after the last", "take the comma out, or say something after it"),
    ("one  room, once, 3 times\n    . -> #", "1:18", "'once' and '3 times' are about the same thing", "keep one of them"),
    ("one  room, up to many times\n    . -> #", "1:18", "how often is a whole number from 1 to 1,000,000,000, not 'many'", "write such a number"),
    ("one  room, up to 0 times\n    . -> #", "1:18", "how often is a whole number from 1 to 1,000,000,000, not '0'", "write such a number"),
    ("one  room, up to 5\n    . -> #", "1:12", "'up to 5' does not say how often", "write up to N times, for example up to 20 times"),
    ("one  . -> #, weight -1", "1:21", "a weight is a whole number from 0 to 1,000,000, not '-1'", "write such a number"),
    ("one  . -> #, weight 1.5", "1:21", "a weight is a whole number from 0 to 1,000,000, not '1.5'", "write such a number"),
    ("one  . -> #, chance 2", "1:21", "a chance is a number from 0 to 1, or a share like 30%, not '2'", "write such a number"),
    ("one  . -> #, chance often", "1:21", "a chance is a number from 0 to 1, or a share like 30%, not 'often'", "write such a number"),
    ("one  . -> #, results 1:x", "1:24", "the weight of a result is a whole number from 0 to 1,000,000, not 'x'", "write such a number"),
    ("one  room, results 3:1\n    . -> #", "1:12", "the rule on line 2 has 1 result, and there are weights for 2", "give each result one weight, split by ':'"),
    ("one  . -> # | ,, results 1", "1:18", "the rule on line 1 has 2 results, and there are weights for 1", "give each result one weight, split by ':'"),
    ("one  . -> #, outside Q", "1:22", "unknown tile 'Q'", f"the palette has {TILES}"),
    ("one  . -> #, outside wal", "1:22", "unknown tile 'wal'", "did you mean 'wall'?"),
    ("set s = # or X\none  . -> #, outside s", "2:22", "'s' is a set of tiles, and this is one tile", f"write one of {TILES}; sets: s"),
    ("one  . -> #, pick by mach", "1:19", "a match is picked by match, rule, token, first, not 'by mach'", "write pick by match"),
    ("one  . -> #, positions 0 8", "1:26", "a position is a whole number from 0 to 7, not '8'", "write such a number"),
    ("one  . -> #, positions 0 0", "1:26", "the position 0 stands there twice", "write each position once"),
    ("one  . -> #, positions turnd", "1:24", "unknown positions 'turnd'", "did you mean 'turned'?"),
    ("one  . -> #, keep connected(floor, door)", "1:14", "guards and masks are not there yet: 'keep connected'", "leave it out; the words are kept for them"),
    ("one  . -> #, each room", "1:14", "guards and masks are not there yet: 'each room'", "leave it out; the words are kept for them"),
    ("one\n    rule  a, outside X\n        . -> #", "2:14", "'outside X' says nothing about a rule", "write it on the line of the node"),
    ("markov, turned\n    one  . -> #", "1:9", "'turned' says nothing about a 'markov' block", "write it on the nodes in the block"),
    ("sequence  s, once\n    one  . -> #", "1:14", "'once' says nothing about a 'sequence' block", "write it on a 'repeat' line, or on a node in the block"),
    ("repeat  x times\n    one  . -> #", "1:9", "how often is a whole number from 1 to 1,000,000,000, not 'x'", "write such a number"),
    ("one  weight of gold\n    . -> #", "1:13", "a weight is a whole number from 0 to 1,000,000, not 'of gold'", "write such a number"),
    ("one  room\n", "1:1", "this 'one' has no rule", "draw one below it, indented, or write one  AB -> AC"),
    ("markov\none  . -> #", "1:1", "this 'markov' has nothing in it", "indent the nodes that belong to it, below this line"),
    ("one\n    rule  a\n    rule  b\n        . -> #", "2:5", "this rule is not drawn", "draw it below this line, indented further"),
    ("one\n    rule  a\n        . -> #\n        # -> .", "4:9", "two rules follow one 'rule' line", "begin each with a 'rule' line of its own"),
    ("one\n    rule  a\n    . -> #", "3:5", "this row does not stand below its 'rule' line", "indent it further than the word 'rule'"),
    ("one\n    rule  a\n        . -> #\n    rule  a\n        # -> .", "5:9", "there is a rule 'a' already in this node", "give each rule its own name"),
    ("one  a\n    . -> #\none  a\n    # -> .", "3:6", "there is a node 'a' already, on line 1", "give each node its own name"),
    ("one  . -> #\n    # -> .", "2:5", "the node above has its rule on its own line already", "write 'one' alone, and all its rules below it"),
    (
        "markov\n    one  . -> #\n        one  # -> .",
        "3:9",
        "this line stands further to the right than the node it follows",
        "begin it in the column of that node",
    ),
    ("markov\n    one  . -> #\n  one  # -> .", "3:3", "this line does not line up with any line above it", "begin it in column 5, as the others of its block"),
    ("one  . -> #\n  one  # -> .\n", "2:3", "this line stands further to the right than the node it follows", "begin it in the column of that node"),
    ("markov\n    one  . -> #\n    set s = #", "3:5", "'set' stands inside a block", "write it at the left margin, before the block or after it"),
    ("one\n    one  # -> .\n", "2:5", "'one' stands below 'one', which holds rules", "move it to the left, or write 'sequence' for 'one'"),
    ("one\n    markov\n", "2:5", "'markov' stands below 'one', which holds rules", "move it to the left, or write 'sequence' for 'one'"),
    ("markov  . -> #", "1:9", "a rule stands on a 'markov' line", "write it below, after one, all or parallel"),
    ("rule  a\n    . -> #", "1:1", "a 'rule' line stands outside a node", "write one, all or parallel above it, and indent it"),
    (". -> #", "1:1", "a rule stands outside a node", "write one, all or parallel before it, and a blank"),
    ("mrakov\n    one  . -> #", "1:1", "unknown word 'mrakov'", "did you mean 'markov'?"),
    ("path  a\n    . -> #", "1:1", "'path' nodes are not there yet", "use one of: one, all, parallel, markov, sequence, repeat"),
    ("###\n...", "1:1", "unknown word '###'", f"a line begins with one of: {', '.join(WORDS)}; rows of a drawing are indented below a node"),
    ("", "1:1", "there is no rule in this program", "write at least one, for example one  #. -> ##"),
    ("; nothing\n\nset s = #", "1:1", "there is no rule in this program", "write at least one, for example one  #. -> ##"),
    ("set solid # or X\none  . -> #", "1:5", "a set line needs '='", "write set NAME = TILE or TILE, for example set s = # or X"),
    ("set s = #, X\none  . -> #", "1:9", "unknown tile or set '#, X'", "write 'or' between tiles: # or X"),
    ("set s = #X\none  . -> #", "1:9", "unknown tile or set '#X'", "write 'or' between tiles: # or X"),
    ("set s = # or\none  . -> #", "1:13", "a tile is missing in this set", "write tiles or sets with 'or' between them, for example # or X"),
    ("set s =\none  . -> #", "1:8", "a tile is missing in this set", "write tiles or sets with 'or' between them, for example # or X"),
    ("set s = # or wal\none  . -> #", "1:14", "unknown tile or set 'wal'", "did you mean 'wall'?"),
    ("set s = # or solid\none  . -> #", "1:14", "unknown tile or set 'solid'", "did you mean 'void'?"),
    ("set # = .\none  . -> #", "1:5", "'#' is a tile already (wall)", "give the set another name"),
    ("set ? = .\none  . -> #", "1:5", "a set cannot be called '?', which has a meaning of its own", "take another letter"),
    ("set s = #\nset s = .", "2:5", "there is a set 's' already", "give each set its own name"),
    ("set 2s = #", "1:5", "'2s' is no name for a set", "take one letter or sign, or a word of letters, digits and -"),
    ("set s = # or X\none  . -> s", "2:11", "'s' is a set of tiles, and a result writes one tile", "write one of its tiles, or ? to keep what stands there"),
    ("one  {solid}. -> ##", "1:7", "unknown tile or set 'solid'", "did you mean 'void'?"),
    ("palette stadard", "1:9", "unknown palette 'stadard'", "did you mean 'standard'?"),
    ("palette letters", "1:16", "'palette letters' names no letters", "list them, the one that fills the map first, for example BWARG"),
    ("palette letters BWB", "1:19", "the letter 'B' stands there twice", "list each letter once"),
    ("palette letters B|", "1:18", "'|' cannot be a letter of the palette", "list letters without blanks, for example BWARG"),
    ("one  . -> #\npalette standard", "2:9", "the palette comes first, and once", "write one 'palette' line, at the top of the file"),
    ("palette crypt.toml", "1:9", "'crypt.toml' cannot be read: these rules are no file", "write it out here, or save the rules as a file beside it"),
    ("include walls.rules", "1:9", "'walls.rules' cannot be read: these rules are no file", "write it out here, or save the rules as a file beside it"),
    ("include", "1:8", "the file is missing", "write include NAME.rules"),
    ("program", "1:8", "the program's name is missing", "write program NAME, or leave the line out"),
    ("outside", "1:8", "the tile that stands outside is missing", "write outside X, or outside none"),
    ("positions", "1:10", "no positions are named", "write all, none, turned, mirrored, or numbers from 0 to 7"),
    ("positions often", "1:11", "unknown positions 'often'", "write all, none, turned, mirrored, or numbers from 0 to 7"),
    ("set s = #\n    . -> #", "2:5", "nothing belongs below a 'set' line", "move this line to the left, or below a node"),
    ("tile altar", "1:6", "a tile line needs '='", "write tile NAME = SIGN, ROLE; for example tile altar = a, pillar"),
    ("tile altar = a", "1:6", "a tile line has a name, a sign and a role", "write tile NAME = SIGN, ROLE; for example tile altar = a, pillar"),
    ("tile altar = aa, pillar", "1:14", "a tile is drawn as one sign, not 'aa'", 'write a single sign; in quotes if it is a blank, a comma, ; or "'),
    ("tile altar = a, piller", "1:17", "unknown role 'piller'", "did you mean 'pillar'?"),
    ("tile altar = #, pillar", "1:6", "'#' stands for the tile 'wall' already", "give each tile its own name and sign"),
    ("tile altar = a, pillar, colour red", "1:32", "a colour looks like #a0b1c2, not 'red'", "write # and six hex digits"),
    ("tile altar = a, pillar, walkabel", "1:25", "unknown word 'walkabel' about a tile", "did you mean 'walkable'?"),
    (
        "tile altar = a, pillar, turned wall\none  . -> a",
        "1:6",
        "palette 'standard': 'altar' turned 4 times is not itself",
        "make the 'turned' names a closed ring",
    ),
    ("one  . -> #\ntile altar = a, pillar", "2:6", "a tile is named after tiles were used", "write 'tile' lines above all sets, nodes and defaults"),
    ("one  room\n    . -> #\nexpect", "3:1", "it is not said which rule is expected to do something", "write expect NAME, with the name of a node or a rule"),
    ("one  room\n    . -> #\nexpect room", "3:1", "this expectation is not drawn", "draw a map, -> and its outcomes below this line"),
    ("one  room\n    . -> #\nexpect rom grows\n    . -> #", "3:8", "this does not begin with the name of a node or a rule", "did you mean 'room'?"),
    ("one  . -> #\nexpect it\n    . -> #", "2:8", "this does not begin with the name of a node or a rule", "give the node a name"),
    ("one  room\n    . -> #\nexpect room\n    ? -> #", "4:5", "'?' stands in a map, where every cell is one tile", "write the tile that stands there"),
    ("one  room\n    . -> #\nexpect room\n    . -> # | #", "4:14", "this outcome is drawn twice", "draw each outcome once"),
    (
        "one  room\n    . -> #\nexpect room\n    . -> #\n    # -> .",
        "5:5",
        "an expectation is one drawing",
        "begin each with an 'expect' line of its own, and leave no blank line in it",
    ),
    ("one  room\n    . -> #\nexpect room\n    . -> #, once", "4:13", "an expectation has no options", "take this out"),
    (
        "markov  loop\n    one  . -> #\nexpect loop\n    . -> #",
        "3:8",
        "'loop' is a block, and one application of a block is not one thing",
        "name a node or a rule in it",
    ),
    (
        "one  a\n    rule  x\n        . -> #\none  b\n    rule  x\n        . -> #\nexpect x\n    . -> #",
        "7:8",
        "there are 2 rules called 'x'",
        "name the node, or give the rules names of their own",
    ),
    ('one  "room\n    . -> #', "1:6", "quotes that are not closed", 'end the text with a second "'),
    ('one  "room" 2\n    . -> #', "1:12", "the name of the node ends where its quotes end, but more follows", "put a comma after it"),
    ('one  "r\\oom"\n    . -> #', "1:8", "'\\\\o' stands for nothing", 'in quotes write \\" and \\\\ for these two signs, and \\u{E9} for any by its number'),
    ("one\t. -> #", "1:4", "a tab: how far it reaches is different in every editor", "indent and align with blanks"),
    ("one  .\u200b -> ##", "1:7", "a sign that cannot be seen (U+200B)", "delete it; blanks are plain blanks"),
    ("one  .\u00a0-> ##", "1:7", "a sign that cannot be seen (U+00A0)", "delete it; blanks are plain blanks"),
]


@pytest.mark.parametrize(("source", "where", "problem", "fix"), MISTAKES, ids=[re.sub(r"[^ -~]", " ", row[0])[:40] for row in MISTAKES])
def test_a_mistake_is_told_with_its_place_and_how_to_mend_it(source: str, where: str, problem: str, fix: str) -> None:
    with pytest.raises(UndercroftError) as caught:
        parse(source, "x.rules")
    error = caught.value
    assert error.place is not None
    assert (f"{error.place.line}:{error.place.column}", error.problem, error.fix) == (where, problem, fix)
    assert error.place.file == "x.rules"
    assert str(error).startswith(f"x.rules:{where}: {problem}")


def test_there_are_many_mistakes_and_each_is_another() -> None:
    assert len(MISTAKES) >= 60
    assert len({row[0] for row in MISTAKES}) == len(MISTAKES)


TOO_MUCH = [
    ("; " + "x" * 70_000, "its size in bytes is 70,002; the limit is 65,536", "1:1"),
    ("one\n" + "    . -> #\n" * 1001, "the number of rules is 1,001; the limit is 1,000", "1002:5"),
    (f"one  {'.' * 65} -> {'#' * 65}", "the side of the pattern is 65; the limit is 64", "1:6"),
    (f"one  {'./' * 64}. -> {'#/' * 64}#", "the side of the pattern is 65; the limit is 64", "1:6"),
    ("one\n" + f"    {'.' * 65}      {'#' * 65}\n" + f"    {'.' * 65}  ->  {'#' * 65}\n", "the width of the drawing is 65; the limit is 64", "2:5"),
    ("one\n" + "    ..      ##\n" * 64 + "    ..  ->  ##\n", "the height of the drawing is 65; the limit is 64", "2:5"),
    ("".join("  " * depth + "markov\n" for depth in range(33)) + "  " * 33 + "one  . -> #", "the depth of blocks is 33; the limit is 32", "33:65"),
]


@pytest.mark.parametrize(("source", "problem", "where"), TOO_MUCH, ids=[row[1][:30] for row in TOO_MUCH])
def test_too_much_is_refused_in_a_sentence(source: str, problem: str, where: str) -> None:
    with pytest.raises(TooBig) as caught:
        parse(source, "x.rules")
    assert problem in caught.value.problem
    assert caught.value.place
    assert f"{caught.value.place.line}:{caught.value.place.column}" == where
    assert caught.value.fix


def test_as_much_as_allowed_is_read() -> None:
    blocks = "".join("  " * depth + "markov\n" for depth in range(32)) + "  " * 32 + "one  . -> #"
    deep = parse(blocks, "x.rules").program
    assert len(list(deep.root.leaves())) == 1
    assert same(again(deep), deep)
    with pytest.raises(TooBig, match="the depth of blocks is 33"):
        text(deep._replace(root=Node("markov", children=(deep.root,))))
    assert len(list(parse("one\n" + "    . -> #\n" * 1000, "x.rules").program.rules())) == 1000
    big = parse("one\n" + f"    {'.' * 64}      {'#' * 64}\n" * 63 + f"    {'.' * 64}  ->  {'#' * 64}\n", "x.rules").program.root.rules[0]
    assert (big.width, big.height) == (64, 64)


# --- what the words mean ----------------------------------------------------------------------------------------------------------------


def only(source: str) -> Rule:
    """The only rule of a text."""
    [rule] = parse(source, "x.rules").program.rules()
    return rule


def shape(rule: Rule) -> tuple[str, ...]:
    """Pattern and results as rows split by /, a set as S and a kept or free cell as ?."""
    glyphs = ["X", *(tile.glyph for tile in STANDARD.tiles[1:])]
    masks = {1 << code: glyph for code, glyph in enumerate(glyphs)} | {ANY: "?"}
    sides = ["".join(masks.get(mask, "S") for mask in rule.pattern)]
    sides += ("".join("?" if code == KEEP else glyphs[code] for code in result.cells) for result in rule.results)
    return tuple("/".join(side[start : start + rule.width] for start in range(0, len(side), rule.width)) for side in sides)


@pytest.mark.parametrize(
    "source",
    [
        "one  #.?/.#. -> ?.#/??? | ###/###",
        "one\n    #.?/.#. -> ?.#/??? | ###/###",
        "one\n\n    #.?      ?.#     ###\n    .#.  ->  ???  |  ###",
        "one\n    #.?  ->  ?.#  |  ###\n    .#.      ???  |  ###   ; a bar in every row",
        "one\n  rule\n    #.? -> ?.# | ###\n    .#.    ???   ###",
        "\n\n  one\n     #.?      ?.#     ###\n; in between\n     .#.  ->  ???  |  ###\n",
        "one\r\n    #.?      ?.#     ###\r\n    .#.  ->  ???  |  ###\r\n",
        "\ufeffone  #.?/.#. -> ?.#/??? | ###/###",
        "one  {wall}{.}?/{floor}#. -> ?.{wall}/??? | ###/##{#}",
    ],
)
def test_drawn_and_short_forms_are_the_same(source: str) -> None:
    assert shape(only(source)) == ("#.?/.#.", "?.#/???", "###/###")


POSITION_WORDS = [
    ("", NONE),
    (", as drawn", NONE),
    (", turned", TURNS),
    (", mirrored", LEFT_RIGHT),
    (", mirrored left-right", LEFT_RIGHT),
    (", mirrored up-down", UP_DOWN),
    (", mirrored both ways", BOTH_MIRRORS),
    (", turned and mirrored", EIGHT),
    (", mirrored and turned", EIGHT),
    (", in all positions", EIGHT),
    (", positions all", EIGHT),
    (", positions none", NONE),
    (", positions 6 1", (6, 1)),
]


@pytest.mark.parametrize(("words", "positions"), POSITION_WORDS)
def test_positions_in_words(words: str, positions: tuple[int, ...]) -> None:
    assert only(f"one  #. -> ##{words}").positions == positions
    assert only(f"one  a{words}\n    #.  ->  ##\n    #.      ##").positions == positions
    if words:
        assert only(f"positions {words.removeprefix(', ').removeprefix('positions ')}\none  #. -> ##").positions == positions
        assert only(f"positions all\none  #. -> ##{words}").positions == positions
        assert only(f"one  mirrored\n    #. -> ##{words}").positions == positions


def test_words_on_a_node_are_about_its_turns_and_on_a_rule_about_the_rule() -> None:
    source = """
    one  a, up to 5 times, weight 3, chance 30%, outside X, pick by token, keep duplicates
        . -> #
        . -> ~, once, weight 0, chance 0.125
        rule  slow, up to 2 times, results 2:0
            . -> : | ,
    """
    node = parse(source, "x.rules").program.root
    assert (node.name, node.limit, node.outside, node.pick, node.merge) == ("a", 5, 0, "token", False)
    assert [(rule.name, rule.limit, rule.weight, rule.chance) for rule in node.rules] == [("a 1", 0, 3, 0.3), ("a 2", 1, 0, 0.125), ("slow", 2, 3, 0.3)]
    assert [result.weight for result in node.rules[2].results] == [2, 0]


def test_on_one_line_the_words_are_about_the_node() -> None:
    node = parse("one  . -> #, once, weight 2", "x.rules").program.root
    assert (node.limit, node.rules[0].limit, node.rules[0].weight) == (1, 0, 2)


@pytest.mark.parametrize(
    ("line", "cells", "limit"),
    [
        ("one  .. -> .,", ".,", 0),
        ("one  .. -> .,, once", ".,", 1),
        ("one  .. -> ., , once", ".,", 1),
        ("one  .. -> ., | ,., once", ".,", 1),
        ("one  ., -> .., once", "..", 1),
        ("one  .. -> ,, , once", ",,", 1),
    ],
)
def test_a_comma_is_a_corridor_too(line: str, cells: str, limit: int) -> None:
    node = parse(line, "x.rules").program.root
    assert (shape(node.rules[0])[1], node.limit) == (cells, limit)


NAMES = [
    ("one  room\n    . -> #", "room", ["room"]),
    ("one  dark   room, once\n    . -> #", "dark room", ["dark room"]),
    ("one\n    . -> #", "", [""]),
    ("one  once\n    . -> #", "", [""]),
    ('one  "once"\n    . -> #', "once", ["once"]),
    (r'one  "a, \"b\"; \\ \u{e9}", once ; "no"' + "\n    . -> #", 'a, "b"; \\ é', ['a, "b"; \\ é']),
    ("one, once\n    . -> #", "", [""]),
    ("one  room\n    . -> #\n    # -> .", "room", ["room 1", "room 2"]),
    ('one  room\n    . -> #\n    rule\n        # -> .\n    rule  dug\n        # -> ,\n    rule  ""\n        # -> :', "room", ["room 1", "room 2", "dug", ""]),
    ("one  turned rooms\n    . -> #", "turned rooms", ["turned rooms"]),
    ("one  keep\n    . -> #", "keep", ["keep"]),
]


@pytest.mark.parametrize(("source", "node", "rules"), NAMES)
def test_names(source: str, node: str, rules: list[str]) -> None:
    root = parse(source, "x.rules").program.root
    assert (root.name, [rule.name for rule in root.rules]) == (node, rules)


def test_blocks() -> None:
    source = """
    sequence  all of it
      markov
          one  . -> #
          repeat  twice, 2 times
              one  # -> .
      repeat
          all  . -> ,
      repeat  up to 4 times
          parallel  , -> .
    """
    root = parse(source, "x.rules").program.root
    kinds = [
        (root.kind, root.name),
        *((child.kind, child.limit) for child in root.children),
        *((child.kind, child.limit) for child in root.children[0].children),
    ]
    assert kinds == [("sequence", "all of it"), ("markov", 0), ("repeat", 0), ("repeat", 4), ("one", 0), ("repeat", 2)]
    assert [leaf.kind for leaf in root.leaves()] == ["one", "one", "all", "parallel"]


def test_several_nodes_are_a_sequence_and_one_is_the_whole_program() -> None:
    assert parse("one  . -> #\nmarkov\n    one  # -> .", "x.rules").program.root.kind == "sequence"
    assert parse("markov\n    one  # -> .", "x.rules").program.root.kind == "markov"


def test_defaults_hold_for_the_nodes_that_follow() -> None:
    found = parse("one  . -> #\noutside X\npositions turned\none  . -> #\none  . -> #, outside none, as drawn\noutside none\none  . -> #", "x.rules").program
    assert [leaf.outside for leaf in found.root.leaves()] == [-1, 0, -1, -1]
    assert [rule.positions for rule in found.rules()] == [NONE, TURNS, NONE, TURNS]


SETS = [
    ("# or X", "#X"),
    ("wall or void", "#X"),
    ("stairs up or stairs down", "<>"),
    ('"stairs up" or #', "<#"),
    ("solid", "#X"),
    ("solid or o", "#Xo"),
    ("not solid", ".,+'LS~:o<>"),
    ("not wall or X or o", ".,+'LS~:<>"),
    ("?", "X#.,+'LS~:o<>"),
    ("not ?", ""),
]


@pytest.mark.parametrize(("words", "glyphs"), SETS)
def test_sets(words: str, glyphs: str) -> None:
    found = parse(f"set solid = # or X\nset s = {words}\none  s -> .\none  {{s}} -> .\none  {{{words}}} -> .", "x.rules")
    masks = [rule.pattern[0] for rule in found.program.rules()]
    assert masks == [found.sets["s"]] * 3
    assert {code for code in range(len(STANDARD)) if masks[0] >> code & 1} == {STANDARD[glyph] for glyph in glyphs}
    assert bool(masks[0] >> 255) == words.startswith(("not solid", "not wall", "?")), "what nobody named is in it too"


def test_a_set_of_one_tile_can_be_written() -> None:
    assert shape(only("set v = void\none  .v -> v.")) == (".X", "X.")
    assert only("set v = void\none  . -> #, outside v").name == ""


def test_palettes() -> None:
    found = parse("palette letters BWQ\none  B -> W", "x.rules").program
    assert [(tile.name, tile.glyph, tile.role, tile.colour) for tile in found.palette.tiles] == [
        ("B", "B", "floor", "#000000"),
        ("W", "W", "floor", "#fff1e8"),
        ("Q", "Q", "floor", "#888888"),
    ]
    assert parse("palette grammar\none  c -> C", "x.rules").program.palette == GRAMMAR
    assert parse("palette standard\none  . -> #", "x.rules").program.palette is STANDARD
    assert parse("one  . -> #", "x.rules").program.palette is STANDARD


def test_tiles_of_a_file() -> None:
    found = load(CASES / "programs" / "everything.rules").program.palette
    assert found.tiles[: len(STANDARD)] == STANDARD.tiles
    assert found.tiles[len(STANDARD) :] == (
        Tile("altar", "pillar", "a", "¶", "#c0ffee", walkable=False, opaque=False, aliases="AÄ"),
        Tile("pipe, lying", "corridor", "=", "=", "#888888", walkable=True, opaque=False, turned="pipe", mirrored="pipe, lying"),
        Tile("pipe", "corridor", "I", "I", "#888888", walkable=True, opaque=False, turned="pipe, lying"),
        Tile("quote", "floor", '"', '"', "#888888", walkable=True, opaque=False),
    )


def test_the_name_of_a_program() -> None:
    assert parse("one  . -> #", "deep/maze.rules").program.name == "maze"
    assert parse("program  The long, dark maze ; or so\none  . -> #", "maze.rules").program.name == "The long, dark maze"


def test_nodes_and_rules_know_their_places() -> None:
    node = parse("\none  a\n    rule  b\n      #.      ##\n      #.  ->  ##", "x.rules").program.root
    assert str(node.place) == "x.rules:2:1"
    assert str(node.rules[0].place) == "x.rules:4:7"


# --- other files ------------------------------------------------------------------------------------------------------------------------


def shelf(**texts: str) -> dict[str, str]:
    return {f"{name}.rules": source for name, source in texts.items()}


def on(files: dict[str, str], name: str) -> Parsed:
    """A program out of files that are not there."""

    def fetch(asked: str, file: str) -> tuple[str, str]:
        if asked not in files:
            raise FileTrouble(f"cannot read {asked}: no such file", fix="check the name")
        return asked, files[asked]

    return parse(files[name], name, fetch)


def test_an_included_file_stands_where_it_is_named() -> None:
    files = shelf(
        a="outside X\nmarkov\n    include b.rules\n    one  s -> .\none  . -> #", b="set s = #\noutside #\none  first\n    s -> X\nexpect first\n    # -> X"
    )
    found = on(files, "a.rules")
    assert [leaf.name for leaf in found.program.root.leaves()] == ["first", "", ""]
    assert [leaf.outside for leaf in found.program.root.leaves()] == [1, 0, 0]
    assert str(found.program.root.children[0].children[0].place) == "b.rules:3:1"
    assert not check(found)


OTHER_FILES = [
    (shelf(a="include b.rules"), "a.rules:1:9", "cannot read b.rules: no such file"),
    (shelf(a="include a.rules"), "a.rules:1:9", "a.rules is included while it is being read"),
    (shelf(a="include b.rules", b="\n include a.rules"), "b.rules:2:10", "a.rules is included while it is being read"),
    (shelf(a="include b.rules", b="one  . -> Q"), "b.rules:1:11", "unknown tile 'Q'"),
    (shelf(a="palette standard\ninclude b.rules", b="palette letters BW\none  B -> W"), "b.rules:1:9", "the palette comes first, and once"),
    (
        shelf(a="include b.rules\n" * 65, b=""),
        "a.rules:65:9",
        "the number of included files is 65; the limit is 64 (a file that includes others many times grows without end)",
    ),
    (shelf(a='palette "b.rules"', b="[[tile]]\nname = 1"), "b.rules:2:1", "'name' is a text, not 1"),
    (shelf(a="one  x\n    . -> #\ninclude b.rules", b="one  x\n    . -> #"), "b.rules:1:6", "there is a node 'x' already, on line 1"),
]


@pytest.mark.parametrize(("files", "where", "problem"), OTHER_FILES)
def test_mistakes_in_other_files(files: dict[str, str], where: str, problem: str) -> None:
    with pytest.raises(UndercroftError) as caught:
        on(files, "a.rules")
    assert (str(caught.value.place), caught.value.problem) == (where, problem)


def test_files_are_found_beside_the_file_that_names_them(tmp_path: Path) -> None:
    (tmp_path / "rooms" / "parts").mkdir(parents=True)
    (tmp_path / "rooms" / "crypt.toml").write_text(
        '[[tile]]\nname = "bone"\nrole = "floor"\nglyph = "b"\n\n[[tile]]\nname = "rock"\nrole = "wall"\nglyph = "k"\n'
    )
    (tmp_path / "rooms" / "a.rules").write_text("palette crypt.toml\ninclude parts/b.rules\none  b -> k\n")
    (tmp_path / "rooms" / "parts" / "b.rules").write_text("palette ../crypt.toml\none  k -> b\n")
    (tmp_path / "secret.rules").write_text("one  . -> #\n")
    assert len(load(tmp_path / "rooms" / "a.rules").program.root.children) == 2
    for name in ("../secret.rules", "parts/../../secret.rules", str(tmp_path / "secret.rules"), "/else/where.rules"):
        (tmp_path / "rooms" / "out.rules").write_text(f"include {name}\n")
        with pytest.raises(FileTrouble, match="outside the folder"):
            load(tmp_path / "rooms" / "out.rules")
    for name in ("parts", "gone.rules", r'"\u{0}"', "x" * 5000):
        (tmp_path / "rooms" / "out.rules").write_text(f"include {name}\n")
        with pytest.raises(UndercroftError) as caught:
            load(tmp_path / "rooms" / "out.rules")
        assert caught.value.place


# --- expectations -----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_the_example_programs_hold_what_they_expect(path: Path) -> None:
    found = load(path)
    assert [str(problem) for problem in check(found)] == []
    assert found.program.name == ("all words, once" if path.stem == "everything" else path.stem)


def test_an_expectation_that_does_not_hold_draws_what_is_wrong() -> None:
    source = """\
one  dig, turned
    #. -> ..
expect  dig makes a way
    #.#X  ->  ..#X  |  .##X
"""
    [problem] = check(parse(source, "x.rules"))
    assert str(problem) == (
        "x.rules:3:1: expected of 'dig' (makes a way): 1 outcome(s) never happen and 1 outcome(s) are not drawn\n"
        "  never happens:\n    .##X\n  is not drawn:\n    #..X"
    )


EXPECTED = [
    ("one  a\n    . -> # | ~", "a", ".. -> #. | ~. | .# | .~"),
    ("one  a, results 1:0\n    . -> # | ~", "a", ".. -> #. | .#"),
    ("one  a, weight 0\n    . -> #", "a", ".. ->"),
    ("one  a, chance 0\n    . -> #", "a", ".. ->"),
    ("one  a, pick by first\n    . -> #", "a", "#.. -> ##."),
    ("one  a\n    # -> ?", "a", "#.# -> #.#"),
    ("one  a\n    X. -> ?#", "a", ".. ->"),
    ("one  a, outside X\n    X. -> ?#", "a", ".. -> #."),
    ("one  a, outside X, mirrored\n    X. -> ?#", "a", ".. -> #. | .#"),
    ("one  a, outside X\n    ?.? -> #?#", "a", "... -> #.# | .#."),
    ("one  a\n    rule  b\n        . -> #\n    rule  c\n        . -> ~", "a", ". -> # | ~"),
    ("one  a\n    rule  b\n        . -> #\n    rule  c\n        . -> ~", "c", ". -> ~"),
    ("one  a\n    rule  b\n        . -> #\n    rule  c\n        . -> ~", '"c"', ". -> ~"),
    ("all  a\n    . -> #", "a, everywhere", ".. -> #. | .#"),
    ("one  a\n    . -> #", "a", "X -> "),
    ("one  a b\n    . -> #\none  a\n    # -> .", "a b c", ". -> #"),
]


@pytest.mark.parametrize(("source", "name", "drawn"), EXPECTED)
def test_every_outcome_of_one_application(source: str, name: str, drawn: str) -> None:
    assert [str(problem) for problem in check(parse(f"{source}\nexpect {name}\n    {drawn}", "x.rules"))] == []


def test_too_many_outcomes_are_not_compared() -> None:
    row = "." * 64
    rows = "\n".join(f"    {row}" + ("  ->" if index == 0 else "") for index in range(64))
    [problem] = check(parse(f"one  a\n    . -> #\nexpect a\n{rows}", "x.rules"))
    assert "more than 1,000 outcomes" in problem.problem


def test_the_engine_does_what_is_expected_and_nothing_else() -> None:
    """The slow enumerator against the engine: what it draws over many seeds is the whole set."""
    for seed in range(20):
        source = random.Random(seed)
        rows = random_program(source).root
        [leaf, *_] = [leaf._replace(kind="one", limit=1, pick="match") for leaf in rows.leaves()]
        width, height = source.randint(1, 4), source.randint(1, 3)
        before = tuple(source.randrange(4) for _ in range(width * height))
        palette = letters("BWARGU")
        wanted = set(outcomes(Expect("", "", width, height, before, (), Place("x.rules", 1, 1), leaf, leaf.rules), palette))
        seen = set()
        for run in range(20 * max(1, len(wanted))):
            tiles = np.array(before, np.uint8).reshape(height, width)
            if apply(Program("", palette, leaf), tiles, Rng.root(run)).rewrites:
                seen.add(tuple(tiles.reshape(-1).tolist()))
        assert seen == wanted, seed


# --- running --------------------------------------------------------------------------------------------------------------------------


def ran(program: Program, width: int, height: int, seed: int, fill: int = 0) -> NDArray[np.uint8]:
    tiles = np.full((height, width), fill, np.uint8)
    apply(program, tiles, Rng.root(seed))
    return tiles


@pytest.mark.parametrize("seed", range(40))
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
    after, _ = drawing.parse((folder / "after.txt").read_text(encoding="utf-8"), program.palette)
    for seed in range(5):
        before, _ = drawing.parse((folder / "before.txt").read_text(encoding="utf-8"), program.palette)
        apply(program, before, Rng.root(seed))
        assert drawing.paint(before, program.palette) == drawing.paint(after, program.palette)


# --- back to text -----------------------------------------------------------------------------------------------------------------------


def placeless(node: Node) -> Node:
    return node._replace(place=None, rules=tuple(rule._replace(place=None) for rule in node.rules), children=tuple(placeless(child) for child in node.children))


def same(one: Program, other: Program) -> bool:
    return one._replace(root=placeless(one.root)) == other._replace(root=placeless(other.root))


def again(program: Program) -> Program:
    return parse(text(program), "again.rules").program


@pytest.mark.parametrize("path", [*PROGRAMS, *sorted(CASES.glob("*/rules.rules"))], ids=lambda path: path.relative_to(CASES).as_posix())
def test_an_example_comes_back_from_text(path: Path) -> None:
    program = load(path).program
    assert same(again(program), program)
    assert text(again(program)) == text(program)


@pytest.mark.parametrize("folder", sorted(path.parent for path in (ROOT / "src" / "undercroft" / "recipes").glob("*/base.txt")), ids=lambda folder: folder.name)
def test_a_grammar_folder_becomes_a_rules_file(folder: Path) -> None:
    program = grammar.folder(folder).program
    assert same(again(program), program)


ODD = ("?", "|", ";", ",", "-", ">", '"', " ", "/", "{", "}", "=", "r", "u", "l", "e", "o", "n", "s", "t", "a", "\\", "é", "#", "0", "9")
ODD_NAMES = (
    "room",
    "",
    "a, b",
    'say "no"',
    "once",
    "turned",
    "up to 3 times",
    "-> x",
    " lead",
    "two  blanks",
    "x; y",
    "\\",
    "tab\t",
    "weight 2",
    "é",
    "rule",
    "not",
    "or",
)


def odd_palette(source: random.Random) -> Palette:
    """Any palette: signs with a meaning of their own, names that want quotes, tiles that turn."""
    kind = source.randrange(5)
    if kind == 0:
        return STANDARD
    if kind == 1:
        return GRAMMAR
    if kind == 2:
        return letters("".join(source.sample("BWARGUrule", source.randint(1, 10))))
    signs = source.sample(ODD, source.randint(2, len(ODD)))
    names = [source.choice(["tile %d", "a or %d", "not %d", "x, %d", "none%d", "= %d", 'q"%d']) % index for index in range(len(signs))]
    tiles = [Tile(name, "floor", sign, sign, "#123456", walkable=True, opaque=source.random() < 0.5) for name, sign in zip(names, signs, strict=True)]
    tiles[0], tiles[1] = tiles[0]._replace(turned=names[1], role="wall"), tiles[1]._replace(turned=names[0], mirrored=names[1], face="ß", aliases="ÄÖ")
    return Palette([*STANDARD.tiles[: source.choice([0, 0, len(STANDARD)])], *tiles] if not set(signs) & {"#", " ", ",", ">", "o"} else tiles)


def odd_program(number: int) -> Program:
    """A random program with everything in it that a program can hold."""
    source = random.Random(number)
    palette = odd_palette(source)
    names = {""}
    root = odd_node(source, palette, names, 0)
    return Program(source.choice(ODD_NAMES) or "x", palette, root)


def odd_name(source: random.Random, taken: set[str]) -> str:
    name = source.choice(ODD_NAMES)
    if name and name in taken:
        name = f"{name}{len(taken)}"
    taken.add(name)
    return name


def odd_node(source: random.Random, palette: Palette, names: set[str], depth: int) -> Node:
    if depth < 4 and source.random() < 0.6 - 0.15 * depth:
        children = tuple(odd_node(source, palette, names, depth + 1) for _ in range(source.randint(1, 3)))
        kind = source.choice(["sequence", "sequence", "markov", "repeat"])
        return Node(kind, odd_name(source, names), children=children, limit=source.choice([0, 1, 7]) if kind == "repeat" else 0)
    mine: set[str] = set()
    rules = tuple(odd_rule(source, palette, mine) for _ in range(source.choice([1, 1, 2, 4])))
    if len(rules) == 1 and source.random() < 0.5:
        rules = (rules[0]._replace(name=""),)
    outside = source.choice([-1, -1, source.randrange(len(palette))])
    kind = source.choice(["one", "all", "parallel"])
    return Node(kind, odd_name(source, names), rules, (), source.choice([0, 0, 1, 20]), source.choice(PICKS), outside, source.random() < 0.7)


def odd_rule(source: random.Random, palette: Palette, taken: set[str]) -> Rule:
    width, height = source.choice([(1, 1), (3, 1), (1, 3), (2, 2), (5, 4), (4, 1)])
    cells = width * height
    pattern = tuple(odd_set(source, palette) for _ in range(cells))
    results = tuple(
        Result(tuple(source.choice([KEEP, source.randrange(len(palette))]) for _ in range(cells)), source.choice([1, 1, 0, 9]))
        for _ in range(source.randint(1, 3))
    )
    positions = source.choice([NONE, TURNS, LEFT_RIGHT, UP_DOWN, BOTH_MIRRORS, EIGHT, (3,), (5, 1)])
    weight, chance, limit = source.choice([1, 1, 0, 5]), source.choice([1.0, 1.0, 0.0, 0.3, 1e-7, source.random()]), source.choice([0, 0, 1, 12])
    return Rule(odd_name(source, taken), width, height, pattern, results, weight, chance, limit, positions)


def odd_set(source: random.Random, palette: Palette) -> int:
    codes = source.sample(range(len(palette)), source.randint(0, min(3, len(palette))))
    return source.choice([ANY, 1 << source.randrange(len(palette)), 1 << source.randrange(len(palette)), tile_set(codes), ANY ^ tile_set(codes)])


def test_any_program_comes_back_from_text() -> None:
    for number in range(4000 if HEAVY else 600):
        program = odd_program(number)
        written = text(program)
        assert same(parse(written, "x.rules").program, program), written


def test_the_random_programs_of_the_engine_come_back_from_text() -> None:
    for number in range(200):
        program = random_program(random.Random(number))
        root = numbered(program.root)
        program = program._replace(root=root)
        assert same(again(program), program), text(program)


def numbered(node: Node) -> Node:
    rules = tuple(rule._replace(name=f"{rule.name} {index}") for index, rule in enumerate(node.rules))
    return node._replace(rules=rules, children=tuple(numbered(child) for child in node.children))


def test_a_row_that_looks_like_a_word_of_the_language() -> None:
    palette = letters("oneruls")
    for word in ("one", "rule", "rules"):
        cells = tuple(palette[sign] for sign in word) * 2
        drawn = Rule("", len(word), 2, tuple(1 << code for code in cells), (Result(cells[::-1]),))
        program = Program("p", palette, Node("one", rules=(drawn, drawn._replace(height=1, width=2 * len(word)))))
        assert same(again(program), program), text(program)


def test_names_that_stand_twice_get_a_number() -> None:
    rule = Rule("r", 1, 1, (4,), (Result((1,)),))
    leaf = Node("one", "n", (rule, rule))
    found = again(Program("p", STANDARD, Node("markov", children=(leaf, leaf))))
    assert [(leaf.name, [rule.name for rule in leaf.rules]) for leaf in found.root.leaves()] == [("n", ["r", "r 2"]), ("n 2", ["r", "r 2"])]


UNWRITABLE = [
    (Node("one"), "has no rules"),
    (Node("markov"), "has nothing in it"),
    (Node("markov", children=(Node("one", rules=(Rule("", 1, 1, (1,), (Result((1,)),)),)),), limit=3), "only leaves"),
    (Node("one", rules=(Rule("", 1, 1, (1,), ()),)), "has no result"),
    (Node("one", rules=(Rule("", 2, 1, (1, 1), (Result((1,)),)),)), "sides of different size"),
    (Node("one", rules=(Rule("", 1, 1, (1 << 200,), (Result((1,)),)),)), "beyond its palette"),
    (Node("one", rules=(Rule("", 1, 1, (1,), (Result((1,), -2),)),)), "a weight is"),
    (Node("one", rules=(Rule("", 1, 1, (1,), (Result((1,)),), chance=2.0),)), "a chance is"),
    (Node("one", rules=(Rule("", 1, 1, (1,), (Result((1,)),), positions=()),)), "positions are"),
    (Node("one", rules=(Rule("", 1, 1, (1,), (Result((1,)),)),), limit=-1), "a limit is"),
    (Node("one", rules=(Rule("", 1, 1, (1,), (Result((1,)),)),), outside=99), "beyond the palette"),
    (Node("one", rules=(Rule("", 65, 1, (1,) * 65, (Result((1,) * 65),)),)), "the limit is 64"),
]


@pytest.mark.parametrize(("root", "problem"), UNWRITABLE)
def test_what_the_language_cannot_say_is_refused(root: Node, problem: str) -> None:
    with pytest.raises(BadInput, match=problem):
        text(Program("p", STANDARD, root))


# --- hostile files --------------------------------------------------------------------------------------------------------------------

PIECES = [
    "->",
    " | ",
    ";",
    "?",
    "\n",
    "\n    ",
    "        ",
    "{",
    "}",
    '"',
    ",",
    "/",
    "=",
    "not ",
    " or ",
    "once",
    "rule x\n",
    "one ",
    "expect room\n",
    "\t",
    "\u2028",
    "X",
    "0",
    "%",
    ":",
]


def mutated(source: str, chance: random.Random) -> str:
    """A text with a few things wrong."""
    for _ in range(chance.choice([1, 1, 2, 5, 20])):
        lines = source.split("\n")
        at = chance.randrange(len(source) + 1)
        here, there = chance.randrange(len(lines)), chance.randrange(len(lines))
        kind = chance.randrange(8)
        if kind == 0:
            source = source[:at] + source[at + chance.choice([1, 1, 3, 40]) :]
        elif kind == 1:
            source = source[:at] + chance.choice(PIECES) + source[at:]
        elif kind == 2:
            source = source[:at] + chance.choice(source or " ") + source[at + 1 :]
        elif kind == 3:
            lines[here], lines[there] = lines[there], lines[here]
            source = "\n".join(lines)
        elif kind == 4:
            source = "\n".join(lines[:here] + lines[there:])
        elif kind == 5:
            lines[here] = " " * chance.randrange(9) + lines[here].lstrip()
            source = "\n".join(lines)
        elif kind == 6:
            lines.insert(here, lines[there])
            source = "\n".join(lines)
        else:
            source = source[:at] + chr(chance.choice([0, 9, 13, 34, 92, 160, 0x301, 0xFEFF, 0xD7FF, 0x1F5DD])) + source[at:]
    return source


def outcome(files: dict[str, str]) -> Parsed | UndercroftError:
    """What comes of a text: a program, or the sentence that says why there is none; anything else goes through."""
    try:
        return on(files, "x.rules")
    except UndercroftError as error:
        return error


def test_three_thousand_mutated_files_end_in_a_program_or_a_sentence() -> None:
    sources = [path.read_text(encoding="utf-8") for path in [*PROGRAMS, *sorted(CASES.glob("*/rules.rules"))]]
    sources += [row[0] for row in MISTAKES]
    parts = {"parts/trim.rules": (CASES / "programs" / "parts" / "trim.rules").read_text(encoding="utf-8")}
    read = refused = 0
    for number in range(20_000 if HEAVY else 3000):
        chance = random.Random(number)
        source = mutated(sources[number % len(PROGRAMS)] if number % 3 else chance.choice(sources), chance)
        began = time.perf_counter()
        found = outcome(parts | {"x.rules": source})
        if isinstance(found, Parsed):
            check(found)
            assert same(again(found.program), found.program), source
            read += 1
        else:
            assert found.place, source
            assert found.fix, source
            assert len(str(found)) < 3000
            refused += 1
        assert time.perf_counter() - began < 5, source
    assert read > 300
    assert refused > 1000


HEAVY_TEXTS = [
    "one\n" + "    " + ". " * 32_000,
    "one\n    " + ". | " * 16_000 + "\n    -> ",
    "one  " + "{" * 65_000,
    "one  . -> " + "# | " * 16_000 + "#",
    "one\n" + "  x\n" * 16_000,
    "set s = " + "# or " * 13_000 + "#",
    "set s = " + "#" * 65_000,
    "one  " + "a" * 65_000,
    "one  " + "a b " * 16_000 + "\n  . -> #\nexpect " + "a b ",
    "expect " + "a " * 32_000 + "\n  . -> #\none  a\n  . -> #",
    "one  a" + ", once" * 10_000,
    'one  "' + "\\" * 65_000,
    '"' * 65_000,
    "one  . -> #" + ", " * 30_000,
    "palette letters " + "".join(chr(0x4E00 + index) for index in range(20_000)),
    "tile a = " + "x" * 65_000,
    "\n".join(f"tile t{index} = {chr(0x4E00 + index)}, floor" for index in range(2500)),
    "\n".join(f"set s{index} = # or X" for index in range(3000)),
]


@pytest.mark.parametrize("source", HEAVY_TEXTS, ids=range(len(HEAVY_TEXTS)))
def test_a_full_page_of_nonsense_is_dealt_with_quickly(source: str) -> None:
    began = time.perf_counter()
    found = outcome({"x.rules": source[:65_536] if source.isascii() else source[:21_000]})
    assert len(str(found)) < 3000 or isinstance(found, Parsed)
    assert time.perf_counter() - began < 5


# --- the page ---------------------------------------------------------------------------------------------------------------------------

BLOCKS = re.findall(r"^```rules\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL) if PAGE.exists() else []


@pytest.mark.parametrize("source", BLOCKS, ids=range(len(BLOCKS)))
def test_an_example_of_the_page_is_a_program_that_keeps_its_word(source: str) -> None:
    found = on({"x.rules": source, "walls.rules": "one  trim\n    #.# -> ###\n"}, "x.rules")
    assert [str(problem) for problem in check(found)] == []
    assert same(again(found.program), found.program)
    tiles = np.full((12, 16), 0, np.uint8)
    apply(found.program, tiles, Rng.root(1), turns=200)


def test_the_page_names_every_word_and_option() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert len(BLOCKS) >= 10
    for word in (*WORDS, *KNOWN):
        assert word in page, word
