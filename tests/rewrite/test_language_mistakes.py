"""What the `.rules` language says about mistakes."""

from __future__ import annotations

import re

import pytest

from rewrite.texts import TILES, again, same
from undercroft.errors import TooBig, UndercroftError
from undercroft.rewrite.model.program import Node
from undercroft.rewrite.text.lines import WORDS
from undercroft.rewrite.text.options import KNOWN
from undercroft.rewrite.text.parse import parse
from undercroft.rewrite.text.write_rules import text

MISTAKES = [
    (
        "one  BB -> W",
        "1:12",
        "the left side is 2x1, the right side is 1x1",
        "give both sides the same rows and columns",
    ),
    ("one  b. -> ..", "1:6", "unknown tile 'b'", f"the palette has {TILES}"),
    ("one  x. -> ..", "1:6", "unknown tile 'x'", "did you mean 'X'?"),
    ("one  *. -> ..", "1:6", "unknown tile '*'", "write ? for any tile, and ? in a result to keep what stands there"),
    (
        "one  #.,once -> ...",
        "1:17",
        "the left side is 7x1, the right side is 3x1",
        "give both sides the same rows and columns",
    ),
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
    (
        "one\n    #.#  ###\n    ...  ###",
        "2:5",
        "a rule needs '->'",
        "write -> between the pattern and what replaces it",
    ),
    (
        "one  X->#",
        "1:6",
        "a rule needs '->' with blanks around it, not 'X->#'",
        "write -> between the pattern and what replaces it",
    ),
    (
        "one  X => #",
        "1:8",
        "a rule needs '->' with blanks around it, not '=>'",
        "write -> between the pattern and what replaces it",
    ),
    (
        "one  X - > #, once",
        "1:8",
        "a rule needs '->' with blanks around it, not '- >'",
        "write -> between the pattern and what replaces it",
    ),
    (
        "all  X→#",
        "1:6",
        "a rule needs '->' with blanks around it, not 'X→#'",
        "write -> between the pattern and what replaces it",
    ),
    (
        "one\n    X - > #",
        "2:7",
        "a rule needs '->' with blanks around it, not '- >'",
        "write -> between the pattern and what replaces it",
    ),
    ("one  walls\nX -> #", "2:1", "this rule does not stand further to the right than its 'one'", "indent it"),
    ("markov\n    one\n    X -> #", "3:5", "this rule does not stand further to the right than its 'one'", "indent it"),
    (
        "one\n    X -> #\n. -> ,",
        "3:1",
        "a rule stands outside a node",
        "indent it below the node above, or write one, all or parallel before it, and a blank",
    ),
    ("# walls and doors\none  X -> #", "1:1", "this looks like a comment, and is none", "comments begin with ;"),
    ("// walls\none  X -> #", "1:1", "this looks like a comment, and is none", "comments begin with ;"),
    (
        "one\n    # walls and doors\n    X -> #",
        "2:5",
        "this looks like a comment, and is none",
        "comments begin with ;",
    ),
    ("one\n    // walls\n    X -> #", "2:5", "this looks like a comment, and is none", "comments begin with ;"),
    (
        "one\n    #.->##",
        "2:5",
        "a rule needs '->' with blanks around it, not '#.->##'",
        "write -> between the pattern and what replaces it",
    ),
    (
        "one\n    #. ->##",
        "2:8",
        "a rule needs '->' with blanks around it, not '->##'",
        "write -> between the pattern and what replaces it",
    ),
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
    (
        "one\n    #.#\n    ...  ->  ###\n    #.#      ###",
        "3:14",
        "the left side is 3x3, the right side is 3x2",
        "give both sides the same rows and columns",
    ),
    (
        "one\n    ...  ->  ###\n    #.#",
        "2:14",
        "the left side is 3x2, the right side is 3x1",
        "give both sides the same rows and columns",
    ),
    (
        "one\n    ..     ##\n        ->\n    ..     ##",
        "3:5",
        "a cell is missing here; a blank is no cell",
        "draw a cell in every row, or put the arrow beside one that has cells",
    ),
    (
        "one\n    ...  ->  ###  |  ##\n    #.#      ###     ##",
        "2:22",
        "the left side is 3x2, result 2 is 2x2",
        "give both sides the same rows and columns",
    ),
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
    (
        "one\n         ->  ###\n             ###",
        "2:10",
        "there is no pattern left of the arrow",
        "draw what is looked for before ->",
    ),
    (
        "one\n    ###\n    ###  ->",
        "3:10",
        "there is no result right of the arrow",
        "draw what replaces the pattern after ->",
    ),
    ("one  # ->", "1:8", "there is no result right of the arrow", "write what replaces the pattern after ->"),
    ("one  -> #", "1:6", "there is no pattern left of the arrow", "write what is looked for before ->"),
    (
        "one\n    .. #  ->  ###\n    .. #      ###",
        "2:8",
        "there are two blocks left of the arrow",
        "draw one pattern there; a column of blanks separates blocks",
    ),
    (
        "one\n    ..  ->  ##  ..\n    ..      ##  ..",
        "2:17",
        "two results stand side by side",
        "put a column with | between them, or take the blank column out",
    ),
    (
        "one\n    ..  ->  ##  |\n    ..      ##",
        "2:17",
        "there is no result beside this '|'",
        "draw a result on both sides of it",
    ),
    ("one  . -> | #", "1:11", "there is no result beside this '|'", "write a result on both sides of it"),
    ("one  . -> # |", "1:13", "there is no result beside this '|'", "write a result on both sides of it"),
    (
        "one  . -> # ,",
        "1:13",
        "',' follows a result without '|' or a comma",
        "write | between results, and a comma before options",
    ),
    (
        "one  . -> # ~",
        "1:13",
        "'~' follows a result without '|' or a comma",
        "write | between results, and a comma before options",
    ),
    (
        "one  grow ## -> ..",
        "1:11",
        "there are two patterns left of the arrow",
        "write the cells of a pattern without blanks, and a name on the line above",
    ),
    ("one  ../. -> ##/#", "1:9", "the rows between '/' have 2, 1 cells", "give every row the same number of cells"),
    ("one  ../ -> ##/", "1:6", "the rows between '/' have 2, 0 cells", "give every row the same number of cells"),
    ("one  {#. -> ##", "1:6", "a brace that is not closed", "write {name of a set or tile}"),
    (
        "one\n    {#  ->  ..\n    ..      ..",
        "2:5",
        "braces stand in rules on one line only",
        "give the set a name of one letter",
    ),
    ("one  room, turnd\n    . -> #", "1:12", "unknown word 'turnd'", "did you mean 'turned'?"),
    ("one  room, quietly\n    . -> #", "1:12", "unknown word 'quietly'", f"one of: {', '.join(KNOWN)}"),
    (
        "one  room,\n    . -> #",
        "1:11",
        "there is nothing between two commas, or after the last",
        "take the comma out, or say something after it",
    ),
    (
        "one  room, once, 3 times\n    . -> #",
        "1:18",
        "'once' and '3 times' are about the same thing",
        "keep one of them",
    ),
    (
        "one  room, up to many times\n    . -> #",
        "1:18",
        "how often is a whole number from 1 to 1,000,000,000, not 'many'",
        "write such a number",
    ),
    (
        "one  room, up to 0 times\n    . -> #",
        "1:18",
        "how often is a whole number from 1 to 1,000,000,000, not '0'",
        "write such a number",
    ),
    (
        "one  room, up to 5\n    . -> #",
        "1:12",
        "'up to 5' does not say how often",
        "write up to N times, for example up to 20 times",
    ),
    (
        "one  . -> #, weight -1",
        "1:21",
        "a weight is a whole number from 0 to 1,000,000, not '-1'",
        "write such a number",
    ),
    (
        "one  . -> #, weight 1.5",
        "1:21",
        "a weight is a whole number from 0 to 1,000,000, not '1.5'",
        "write such a number",
    ),
    (
        "one  . -> #, chance 2",
        "1:21",
        "a chance is a number from 0 to 1, or a share like 30%, not '2'",
        "write such a number",
    ),
    (
        "one  . -> #, chance often",
        "1:21",
        "a chance is a number from 0 to 1, or a share like 30%, not 'often'",
        "write such a number",
    ),
    (
        "one  . -> #, results 1:x",
        "1:24",
        "the weight of a result is a whole number from 0 to 1,000,000, not 'x'",
        "write such a number",
    ),
    (
        "one  room, results 3:1\n    . -> #",
        "1:12",
        "the rule on line 2 has 1 result, and there are weights for 2",
        "give each result one weight, split by ':'",
    ),
    (
        "one  . -> # | ,, results 1",
        "1:18",
        "the rule on line 1 has 2 results, and there are weights for 1",
        "give each result one weight, split by ':'",
    ),
    ("one  . -> #, outside Q", "1:22", "unknown tile 'Q'", f"the palette has {TILES}"),
    ("one  . -> #, outside wal", "1:22", "unknown tile 'wal'", "did you mean 'wall'?"),
    (
        "set s = # or X\none  . -> #, outside s",
        "2:22",
        "'s' is a set of tiles, and this is one tile",
        f"write one of {TILES}; sets: s",
    ),
    (
        "one  . -> #, pick by mach",
        "1:19",
        "a match is picked by match, rule, token, first, not 'by mach'",
        "write pick by match",
    ),
    ("one  . -> #, positions 0 8", "1:26", "a position is a whole number from 0 to 7, not '8'", "write such a number"),
    ("one  . -> #, positions 0 0", "1:26", "the position 0 stands there twice", "write each position once"),
    ("one  . -> #, positions turnd", "1:24", "unknown positions 'turnd'", "did you mean 'turned'?"),
    (
        "one  . -> #, keep conected(floor)",
        "1:19",
        "unknown guard 'conected'",
        "did you mean 'keep connected(floor, door)'?",
    ),
    (
        "one  . -> #, keep tidy",
        "1:19",
        "unknown guard 'tidy'",
        (
            "write keep connected(floor, door) or keep count(door) <= 12 or keep distance(door, door) >= 5; a name "
            "stands in quotes"
        ),
    ),
    ("one  . -> #, keep duplicate", "1:19", "unknown guard 'duplicate'", "did you mean 'keep duplicates'?"),
    (
        "one  . -> #, keep reachable(<, >)",
        "1:19",
        "unknown guard 'reachable'",
        (
            "write keep connected(floor, door) or keep count(door) <= 12 or keep distance(door, door) >= 5; a name "
            "stands in quotes"
        ),
    ),
    (
        "one  . -> #, keep",
        "1:14",
        "something is missing after 'keep'",
        (
            "write keep duplicates or keep connected(floor, door) or keep count(door) <= 12 or keep distance(door, "
            "door) >= 5"
        ),
    ),
    (
        "one  keep connected\n    . -> #",
        "1:11",
        "'connected' is followed by its tiles in parentheses",
        "write keep connected(floor, door)",
    ),
    (
        "one  . -> #, keep connected(floor, door",
        "1:28",
        "this parenthesis is not closed",
        "write keep connected(floor, door)",
    ),
    ("one  . -> #, keep connected()", "1:28", "'connected' names no tiles", "write keep connected(floor, door)"),
    (
        "one  . -> #, keep connected(., ,)",
        "1:32",
        "a tile is missing before or after a comma",
        "take the comma out, or write the tile ',' by its name",
    ),
    ("one  . -> #, keep connected(flor, door)", "1:29", "unknown tile or set 'flor'", "did you mean 'floor'?"),
    ("one  . -> #, keep connected(#X)", "1:29", "unknown tile or set '#X'", "write 'or' between tiles: # or X"),
    ("one  . -> #, keep connected(not ?)", "1:29", "there is no tile in this set", "name at least one tile"),
    (
        "one  . -> #, keep connected(floor) >= 3",
        "1:36",
        "'connected' has no bound",
        "write keep connected(floor, door) and nothing else",
    ),
    (
        "one  . -> #, keep 3 <= connected(floor)",
        "1:19",
        "'connected' has no bound",
        "write keep connected(floor, door) and nothing else",
    ),
    (
        "thing rat = r, on .\none  . -> #, keep connected(rat)",
        "2:14",
        "a thing is no way to go: it counts as the tile that it stands on",
        "name that tile",
    ),
    ("one  . -> #, keep count(door)", "1:30", "'count' needs a bound", "write keep count(door) <= 12"),
    ("one  . -> #, count(door) < 5", "1:26", "after 'count' stands <= or >= and a number, not '< 5'", "write <= 4"),
    ("one  . -> #, count(door) > 5", "1:26", "after 'count' stands <= or >= and a number, not '> 5'", "write >= 6"),
    (
        "one  . -> #, count(door) = 5",
        "1:26",
        "after 'count' stands <= or >= and a number, not '= 5'",
        "write 5 <= count(...) <= 5",
    ),
    ("one  . -> #, count(door) => 5", "1:26", "after 'count' stands <= or >= and a number, not '=> 5'", "write >= 5"),
    (
        "one  . -> #, count(door) 5",
        "1:26",
        "after 'count' stands <= or >= and a number, not '5'",
        "write keep count(door) <= 12",
    ),
    (
        "one  . -> #, keep count(door) <= many",
        "1:34",
        "a count is a whole number from 0 to 1,000,000,000, not 'many'",
        "write such a number",
    ),
    (
        "one  . -> #, keep count(door) <= 2000000000",
        "1:34",
        "a count is a whole number from 0 to 1,000,000,000, not '2000000000'",
        "write such a number",
    ),
    (
        "one  . -> #, keep count(door) <=",
        "1:33",
        "a count is a whole number from 0 to 1,000,000,000, not ''",
        "write such a number",
    ),
    (
        "one  . -> #, keep 9 <= count(door) <= 3",
        "1:19",
        "no number is at least 9 and at most 3",
        "write the smaller number first",
    ),
    (
        "one  . -> #, keep 3 >= count(door)",
        "1:19",
        "before 'count' stands a number and '<=', or nothing",
        "write keep count(door) <= 12",
    ),
    (
        "one  . -> #, keep 3 <= count(door) >= 9",
        "1:36",
        "after 'count' stands <= and a number, not '>= 9'",
        "write keep count(door) <= 12",
    ),
    (
        "one  . -> #, keep 3 count(door) <= 9",
        "1:19",
        "before 'count' stands a number and '<=', or nothing",
        "write keep count(door) <= 12",
    ),
    (
        "one  . -> #, keep distance(door, door) <= 5",
        "1:40",
        "a distance has a lower bound, and no upper one",
        "write keep distance(door, door) >= 5",
    ),
    (
        "one  . -> #, keep distance(door, door)",
        "1:39",
        "'distance' needs a bound",
        "write keep distance(door, door) >= 5",
    ),
    (
        "one  . -> #, keep distance(door) >= 5",
        "1:28",
        "'distance' stands between two tiles or sets, not 1",
        "write distance(a, b), and 'or' between the tiles of a set",
    ),
    (
        "one  . -> #, keep distance(door, ., #) >= 5",
        "1:37",
        "'distance' stands between two tiles or sets, not 3",
        "write distance(a, b), and 'or' between the tiles of a set",
    ),
    (
        "one  . -> #, keep distance(door, door) >= 0",
        "1:43",
        "a distance is a whole number from 1 to 10,000, not '0'",
        "write such a number",
    ),
    (
        "one  . -> #, keep distance(door, door) > 4",
        "1:40",
        "after 'distance' stands >= and a number, not '> 4'",
        "write >= 5",
    ),
    (
        "one  . -> #, 3 <= distance(door, door) <= 9",
        "1:40",
        "a distance has a lower bound, and no upper one",
        "write keep distance(door, door) >= 5",
    ),
    (
        "one  a, keep count(.) <= 3\n    . -> #, keep count(.) >= 5",
        "2:13",
        "a count must be at least 5 and at most 3 at once",
        "change one of the two bounds",
    ),
    (
        "one  . -> #, keep count(.) <= 3, keep count(.) <= 3",
        "1:34",
        "'keep count(.) <= 3' is said twice",
        "keep one of them",
    ),
    (
        "one  . -> #" + "".join(f", keep count(.) <= {most}" for most in range(5, 25)),
        "1:345",
        "a rule has more than 16 guards",
        "join some of them, or split the rule",
    ),
    ("one  . -> #, keep count(. <= 3", "1:24", "this parenthesis is not closed", "write keep count(door) <= 12"),
    (
        "one  sad (, keep count(.) <= 3\n    . -> #",
        "1:6",
        "the name of the node has a parenthesis that is not closed, or not opened",
        "put the name in quotes",
    ),
    (
        "markov  m, keep connected(.)\n    one  . -> #",
        "1:12",
        "'keep connected(.)' says nothing about a 'markov' block",
        "write it on the nodes in the block",
    ),
    (
        "repeat  keep connected(.)\n    one  . -> #",
        "1:9",
        "'keep connected(.)' says nothing about a 'repeat' block",
        "write it on the nodes in the block",
    ),
    ("one  . -> #, each rom", "1:19", "unknown kind of region 'rom'", "did you mean 'room'?"),
    ("one  . -> #, each rooms", "1:19", "unknown kind of region 'rooms'", "did you mean 'room'?"),
    ("one  . -> #, in room", "1:17", "unknown kind of region 'room'", "did you mean 'rooms'?"),
    ("one  . -> #, in al positions", "1:14", "unknown word 'in al positions'", "did you mean 'in all positions'?"),
    (
        "one  . -> #, in the dark",
        "1:17",
        "unknown kind of region 'the'",
        "one of: regions, rooms, corridors, caves, cells, vaults; a name stands in quotes",
    ),
    (
        "one  in the dark\n    . -> #",
        "1:9",
        "unknown kind of region 'the'",
        "one of: regions, rooms, corridors, caves, cells, vaults; a name stands in quotes",
    ),
    (
        "one  . -> #, in",
        "1:14",
        "something is missing after 'in'",
        "write in all positions or in rooms or in rooms tagged library",
    ),
    ("one  . -> #, each", "1:14", "something is missing after 'each'", "write each room"),
    ("one  . -> #, in rooms tagged", "1:29", "the tag is missing", "write a word after 'tagged', or leave both out"),
    (
        "one  . -> #, in rooms tagged great hall",
        "1:30",
        "'great hall' is more than one word",
        'put the tag in quotes: "great hall"',
    ),
    ('one  . -> #, in rooms tagged ""', "1:30", "the tag is missing", "write a word after 'tagged', or leave both out"),
    (
        "one  . -> #, in rooms taged library",
        "1:23",
        "'taged library' says nothing about regions",
        "write rooms, or rooms tagged library",
    ),
    (
        "one  . -> #, rooms tagged great hall",
        "1:27",
        "'great hall' is more than one word",
        'put the tag in quotes: "great hall"',
    ),
    ("one  . -> #, halls tagged library", "1:14", "unknown kind of region 'halls'", "did you mean 'cells'?"),
    (
        "one  . -> #, in rooms, in caves",
        "1:24",
        "'in rooms' and 'in caves' are about the same thing",
        "keep one of them",
    ),
    (
        "one  . -> #, each room, in caves",
        "1:25",
        "'each room' and 'in caves' both say where this node acts",
        "keep one of them",
    ),
    (
        "one  . -> #, in caves, each room",
        "1:14",
        "'each room' and 'in caves' both say where this node acts",
        "keep one of them",
    ),
    (
        "one  a, each room\n    . -> #, in caves",
        "2:13",
        "'each room' and 'in caves' both say where this node acts",
        "keep one of them",
    ),
    ("one\n    . -> #, each room", "2:13", "'each room' says nothing about a rule", "write it on the line of the node"),
    (
        "sequence  each room\n    one  . -> #",
        "1:11",
        "'each room' says nothing about a 'sequence' block",
        "write it on the nodes in the block",
    ),
    ("thing rat", "1:7", "a thing line needs '='", "write thing NAME = SIGN, on TILE; for example thing rat = r, on ."),
    (
        "thing rat = r",
        "1:7",
        "it is not said what 'rat' stands on",
        "write thing NAME = SIGN, on TILE; for example thing rat = r, on .",
    ),
    (
        "thing = r, on .",
        "1:7",
        "a thing line has a name, a sign and a tile to stand on",
        "write thing NAME = SIGN, on TILE; for example thing rat = r, on .",
    ),
    (
        "thing rat = , on .",
        "1:7",
        "a thing line has a name, a sign and a tile to stand on",
        "write thing NAME = SIGN, on TILE; for example thing rat = r, on .",
    ),
    (
        "thing rat = rr, on .",
        "1:13",
        "a tile is drawn as one sign, not 'rr'",
        'write a single sign; in quotes if it is a blank, a comma, ; or "',
    ),
    (
        "thing rat = r, on",
        "1:16",
        "something is missing after 'on'",
        "write it; a comma is written in quotes, or by its name",
    ),
    ("thing rat = r, on flor", "1:19", "unknown tile 'flor'", "did you mean 'floor'?"),
    ("thing rat = r, on Q", "1:19", "unknown tile 'Q'", "name a tile of the palette, or of a 'tile' line above"),
    (
        "thing rat = r, on ,",
        "1:16",
        "something is missing after 'on'",
        "write it; a comma is written in quotes, or by its name",
    ),
    ("thing rat = r, on ., on #", "1:22", "'on' is said twice of this thing", "keep one of them"),
    ("thing rat = r, on ., walkable", "1:22", "unknown word 'walkable' about a thing", "one of: on, face, colour"),
    ("thing rat = r, on ., colour red", "1:29", "a colour looks like #a0b1c2, not 'red'", "write # and six hex digits"),
    ("thing rat = ., on .", "1:7", "'.' stands for the tile 'floor' already", "give each tile its own name and sign"),
    (
        "thing rat = r, on .\nthing flea = f, on rat",
        "2:20",
        "'rat' is a thing itself",
        "name the tile that both stand on",
    ),
    (
        "one  . -> #\nthing rat = r, on .",
        "2:7",
        "a thing is named after tiles were used",
        "write 'thing' lines above all sets, nodes and defaults",
    ),
    (
        "thing rat = r, on .\n    . -> #",
        "2:5",
        "nothing belongs below a 'thing' line",
        "move this line to the left, or below a node",
    ),
    (
        "tile pipe = I, corridor, ports NX",
        "1:32",
        "ports are sides of a tile, each once, not 'NX'",
        "write some of N, E, S and W without blanks, or none",
    ),
    (
        "tile pipe = I, corridor, ports NN",
        "1:32",
        "ports are sides of a tile, each once, not 'NN'",
        "write some of N, E, S and W without blanks, or none",
    ),
    (
        "tile pipe = I, corridor, ports",
        "1:26",
        "something is missing after 'ports'",
        "write it; a comma is written in quotes, or by its name",
    ),
    (
        "tile pipe = I, corridor, ports E W",
        "1:32",
        "ports are sides of a tile, each once, not 'E W'",
        "write some of N, E, S and W without blanks, or none",
    ),
    (
        "tile pipe = I, corridor, walkable, not walkable",
        "1:36",
        "'walkable' is said twice of this tile",
        "keep one of them",
    ),
    (
        "tile pipe = I, corridor, ports NS, turned wall\none  . -> I",
        "1:6",
        "palette 'standard': 'pipe' turned is 'wall', which opens to no side, not to EW",
        "leave 'turned' out, or mend the ports of one",
    ),
    ("thing rat = r, on .\none  . -> #, outside rats", "2:22", "unknown tile 'rats'", "did you mean 'rat'?"),
    (
        "one\n    rule  a, outside X\n        . -> #",
        "2:14",
        "'outside X' says nothing about a rule",
        "write it on the line of the node",
    ),
    (
        "markov, turned\n    one  . -> #",
        "1:9",
        "'turned' says nothing about a 'markov' block",
        "write it on the nodes in the block",
    ),
    (
        "sequence  s, once\n    one  . -> #",
        "1:14",
        "'once' says nothing about a 'sequence' block",
        "write it on a 'repeat' line, or on a node in the block",
    ),
    (
        "repeat  x times\n    one  . -> #",
        "1:9",
        "how often is a whole number from 1 to 1,000,000,000, not 'x'",
        "write such a number",
    ),
    (
        "one  weight of gold\n    . -> #",
        "1:13",
        "a weight is a whole number from 0 to 1,000,000, not 'of gold'",
        "write such a number",
    ),
    ("one  room\n", "1:1", "this 'one' has no rule", "draw one below it, indented, or write one  AB -> AC"),
    (
        "markov\none  . -> #",
        "1:1",
        "this 'markov' has nothing in it",
        "indent the nodes that belong to it, below this line",
    ),
    (
        "one\n    rule  a\n    rule  b\n        . -> #",
        "2:5",
        "this rule is not drawn",
        "draw it below this line, indented further",
    ),
    (
        "one\n    rule  a\n        . -> #\n        # -> .",
        "4:9",
        "two rules follow one 'rule' line",
        "begin each with a 'rule' line of its own",
    ),
    (
        "one\n    rule  a\n    . -> #",
        "3:5",
        "this row does not stand below its 'rule' line",
        "indent it further than the word 'rule'",
    ),
    (
        "one\n    rule  a\n        . -> #\n    rule  a\n        # -> .",
        "5:9",
        "there is a rule 'a' already in this node",
        "give each rule its own name",
    ),
    (
        "one  a\n    . -> #\none  a\n    # -> .",
        "3:6",
        "there is a node 'a' already, on line 1",
        "give each node its own name",
    ),
    (
        "one  . -> #\n    # -> .",
        "2:5",
        "the node above has its rule on its own line already",
        "write 'one' alone, and all its rules below it",
    ),
    (
        "markov\n    one  . -> #\n        one  # -> .",
        "3:9",
        "this line stands further to the right than the node it follows",
        "begin it in the column of that node",
    ),
    (
        "markov\n    one  . -> #\n  one  # -> .",
        "3:3",
        "this line does not line up with any line above it",
        "begin it in column 5, as the others of its block",
    ),
    (
        "one  . -> #\n  one  # -> .\n",
        "2:3",
        "this line stands further to the right than the node it follows",
        "begin it in the column of that node",
    ),
    (
        "markov\n    one  . -> #\n    set s = #",
        "3:5",
        "'set' stands inside a block",
        "write it at the left margin, before the block or after it",
    ),
    (
        "one\n    one  # -> .\n",
        "2:5",
        "'one' stands below 'one', which holds rules",
        "move it to the left, or write 'sequence' for 'one'",
    ),
    (
        "one\n    markov\n",
        "2:5",
        "'markov' stands below 'one', which holds rules",
        "move it to the left, or write 'sequence' for 'one'",
    ),
    ("markov  . -> #", "1:9", "a rule stands on a 'markov' line", "write it below, after one, all or parallel"),
    (
        "rule  a\n    . -> #",
        "1:1",
        "a 'rule' line stands outside a node",
        "write one, all or parallel above it, and indent it",
    ),
    (". -> #", "1:1", "a rule stands outside a node", "write one, all or parallel before it, and a blank"),
    ("mrakov\n    one  . -> #", "1:1", "unknown word 'mrakov'", "did you mean 'markov'?"),
    (
        "path  a\n    . -> #",
        "1:1",
        "'path' nodes are not there yet",
        "use one of: one, all, parallel, markov, sequence, repeat",
    ),
    (
        "###\n...",
        "1:1",
        "unknown word '###'",
        f"a line begins with one of: {', '.join(WORDS)}; rows of a drawing are indented below a node",
    ),
    ("", "1:1", "there is no rule in this program", "write at least one, for example one  #. -> ##"),
    (
        "; nothing\n\nset s = #",
        "1:1",
        "there is no rule in this program",
        "write at least one, for example one  #. -> ##",
    ),
    (
        "set solid # or X\none  . -> #",
        "1:5",
        "a set line needs '='",
        "write set NAME = TILE or TILE, for example set s = # or X",
    ),
    ("set s = #, X\none  . -> #", "1:9", "unknown tile or set '#, X'", "write 'or' between tiles: # or X"),
    ("set s = #X\none  . -> #", "1:9", "unknown tile or set '#X'", "write 'or' between tiles: # or X"),
    (
        "set s = # or\none  . -> #",
        "1:13",
        "a tile is missing in this set",
        "write tiles or sets with 'or' between them, for example # or X",
    ),
    (
        "set s =\none  . -> #",
        "1:8",
        "a tile is missing in this set",
        "write tiles or sets with 'or' between them, for example # or X",
    ),
    ("set s = # or wal\none  . -> #", "1:14", "unknown tile or set 'wal'", "did you mean 'wall'?"),
    ("set s = # or solid\none  . -> #", "1:14", "unknown tile or set 'solid'", "did you mean 'void'?"),
    ("set # = .\none  . -> #", "1:5", "'#' is a tile already (wall)", "give the set another name"),
    (
        "set ? = .\none  . -> #",
        "1:5",
        "a set cannot be called '?', which has a meaning of its own",
        "take another letter",
    ),
    ("set s = #\nset s = .", "2:5", "there is a set 's' already", "give each set its own name"),
    ("set 2s = #", "1:5", "'2s' is no name for a set", "take one letter or sign, or a word of letters, digits and -"),
    (
        "set s = # or X\none  . -> s",
        "2:11",
        "'s' is a set of tiles, and a result writes one tile",
        "write one of its tiles, or ? to keep what stands there",
    ),
    ("one  {solid}. -> ##", "1:7", "unknown tile or set 'solid'", "did you mean 'void'?"),
    ("palette stadard", "1:9", "unknown palette 'stadard'", "did you mean 'standard'?"),
    (
        "palette letters",
        "1:16",
        "'palette letters' names no letters",
        "list them, the one that fills the map first, for example BWARG",
    ),
    ("palette letters BWB", "1:19", "the letter 'B' stands there twice", "list each letter once"),
    (
        "palette letters B|",
        "1:18",
        "'|' cannot be a letter of the palette",
        "list letters without blanks, for example BWARG",
    ),
    (
        "one  . -> #\npalette standard",
        "2:9",
        "the palette comes first, and once",
        "write one 'palette' line, at the top of the file",
    ),
    (
        "palette crypt.toml",
        "1:9",
        "'crypt.toml' cannot be read: these rules are no file",
        "write it out here, or save the rules as a file beside it",
    ),
    (
        "include walls.rules",
        "1:9",
        "'walls.rules' cannot be read: these rules are no file",
        "write it out here, or save the rules as a file beside it",
    ),
    ("include", "1:8", "the file is missing", "write include NAME.rules"),
    ("program", "1:8", "the program's name is missing", "write program NAME, or leave the line out"),
    ("outside", "1:8", "the tile that stands outside is missing", "write outside X, or outside none"),
    ("positions", "1:10", "no positions are named", "write all, none, turned, mirrored, or numbers from 0 to 7"),
    (
        "positions often",
        "1:11",
        "unknown positions 'often'",
        "write all, none, turned, mirrored, or numbers from 0 to 7",
    ),
    (
        "set s = #\n    . -> #",
        "2:5",
        "nothing belongs below a 'set' line",
        "move this line to the left, or below a node",
    ),
    ("tile altar", "1:6", "a tile line needs '='", "write tile NAME = SIGN, ROLE; for example tile altar = a, pillar"),
    (
        "tile altar = a",
        "1:6",
        "a tile line has a name, a sign and a role",
        "write tile NAME = SIGN, ROLE; for example tile altar = a, pillar",
    ),
    (
        "tile altar = aa, pillar",
        "1:14",
        "a tile is drawn as one sign, not 'aa'",
        'write a single sign; in quotes if it is a blank, a comma, ; or "',
    ),
    ("tile altar = a, piller", "1:17", "unknown role 'piller'", "did you mean 'pillar'?"),
    ("tile altar = #, pillar", "1:6", "'#' stands for the tile 'wall' already", "give each tile its own name and sign"),
    (
        "tile altar = a, pillar, colour red",
        "1:32",
        "a colour looks like #a0b1c2, not 'red'",
        "write # and six hex digits",
    ),
    ("tile altar = a, pillar, walkabel", "1:25", "unknown word 'walkabel' about a tile", "did you mean 'walkable'?"),
    (
        "tile altar = a, pillar, turned wall\none  . -> a",
        "1:6",
        "palette 'standard': 'altar' turned 4 times is not itself",
        "make the 'turned' names a closed ring",
    ),
    (
        "one  . -> #\ntile altar = a, pillar",
        "2:6",
        "a tile is named after tiles were used",
        "write 'tile' lines above all sets, nodes and defaults",
    ),
    (
        "one  room\n    . -> #\nexpect",
        "3:1",
        "it is not said which rule is expected to do something",
        "write expect NAME, with the name of a node or a rule",
    ),
    (
        "one  room\n    . -> #\nexpect room",
        "3:1",
        "this expectation is not drawn",
        "draw a map, -> and its outcomes below this line",
    ),
    (
        "one  room\n    . -> #\nexpect rom grows\n    . -> #",
        "3:8",
        "this does not begin with the name of a node or a rule",
        "did you mean 'room'?",
    ),
    (
        "one  . -> #\nexpect it\n    . -> #",
        "2:8",
        "this does not begin with the name of a node or a rule",
        "give the node a name",
    ),
    (
        "one  room\n    . -> #\nexpect room\n    ? -> #",
        "4:5",
        "'?' stands in a map, where every cell is one tile",
        "write the tile that stands there",
    ),
    (
        "one  room\n    . -> #\nexpect room\n    . -> # | #",
        "4:14",
        "this outcome is drawn twice",
        "draw each outcome once",
    ),
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
    (
        'one  "room" 2\n    . -> #',
        "1:12",
        "the name of the node ends where its quotes end, but more follows",
        "put a comma after it",
    ),
    (
        'one  "r\\oom"\n    . -> #',
        "1:8",
        "'\\\\o' stands for nothing",
        'in quotes write \\" and \\\\ for these two signs, and \\u{E9} for any by its number',
    ),
    ("one\t. -> #", "1:4", "a tab: how far it reaches is different in every editor", "indent and align with blanks"),
    ("one  .\u200b -> ##", "1:7", "a sign that cannot be seen (U+200B)", "delete it; blanks are plain blanks"),
    ("one  .\u00a0-> ##", "1:7", "a sign that cannot be seen (U+00A0)", "delete it; blanks are plain blanks"),
]


@pytest.mark.parametrize(
    ("source", "where", "problem", "fix"), MISTAKES, ids=[re.sub(r"[^ -~]", " ", row[0])[:40] for row in MISTAKES]
)
def test_a_mistake_is_told_with_its_place_and_how_to_mend_it(source: str, where: str, problem: str, fix: str) -> None:
    with pytest.raises(UndercroftError) as caught:
        parse(source, "x.rules")
    error = caught.value
    assert error.place is not None
    assert (f"{error.place.line}:{error.place.column}", error.problem, error.fix) == (where, problem, fix)
    assert error.place.file == "x.rules"
    assert str(error).startswith(f"x.rules:{where}: {problem}")


def test_there_are_many_mistakes_and_each_is_another() -> None:
    assert len(MISTAKES) >= 200
    assert len({row[0] for row in MISTAKES}) == len(MISTAKES)


TOO_MUCH = [
    ("; " + "x" * 70_000, "its size in bytes is 70,002; the limit is 65,536", "1:1"),
    ("one\n" + "    . -> #\n" * 1001, "the number of rules is 1,001; the limit is 1,000", "1002:5"),
    (f"one  {'.' * 65} -> {'#' * 65}", "the side of the pattern is 65; the limit is 64", "1:6"),
    (f"one  {'./' * 64}. -> {'#/' * 64}#", "the side of the pattern is 65; the limit is 64", "1:6"),
    (
        "one\n" + f"    {'.' * 65}      {'#' * 65}\n" + f"    {'.' * 65}  ->  {'#' * 65}\n",
        "the width of the drawing is 65; the limit is 64",
        "2:5",
    ),
    ("one\n" + "    ..      ##\n" * 64 + "    ..  ->  ##\n", "the height of the drawing is 65; the limit is 64", "2:5"),
    (
        "".join("  " * depth + "markov\n" for depth in range(33)) + "  " * 33 + "one  . -> #",
        "the depth of blocks is 33; the limit is 32",
        "33:65",
    ),
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
    big = parse(
        "one\n" + f"    {'.' * 64}      {'#' * 64}\n" * 63 + f"    {'.' * 64}  ->  {'#' * 64}\n", "x.rules"
    ).program.root.rules[0]
    assert (big.width, big.height) == (64, 64)
