"""Template pairs as files: a block to find, a blank line, and a block to write; further blocks are further results.

    ??#??
    ?...?
    #...?
    ?...?
    ?????

    ??#??
    ?...?
    #.#.?
    ?...?
    ?????

`?` is any tile in the first block, and keeps the tile in the others. The reference is matched in its four turns. First
one of the distinct pieces of map that match is drawn, then one of the places where that piece stands.
"""

from __future__ import annotations

import re
from pathlib import Path, PurePath

from undercroft import limits
from undercroft.core.palette import STANDARD, Palette
from undercroft.errors import BadInput, Place
from undercroft.inputs import files
from undercroft.rewrite.grammar import folder as grammar
from undercroft.rewrite.model.program import Node, Program
from undercroft.rewrite.templates import WILD, build_template

Block = tuple[int, list[str]]
"""The line number of its first row, and its rows."""


def parse_template_pair(text: str, file: str, palette: Palette = STANDARD) -> Program:
    """Parse the pair in a file's text into a program named after the file.

    >>> doors = parse_template_pair("#.#\\n\\n#+#\\n", "doors.txt")
    >>> doors.root.pick, doors.root.rules[0].positions
    ('token', (0, 1, 2, 3))
    """
    limits.RULES_BYTES.check(len(text), f"{file}: its size in bytes")
    blocks = _split_blocks(text)
    if len(blocks) < 2:
        raise BadInput(
            "a template has two blocks of rows: what is looked for, and what is written",
            place=Place(file, 1, 1),
            fix="part them by a blank line",
        )
    first = blocks[0]
    for block in blocks:
        _check_block(block, first, file, palette)
    name = PurePath(file).stem or "template"
    rule = build_template(first[1], *(rows for _, rows in blocks[1:]), palette=palette, name=name)
    return Program(
        name, palette, Node("one", name, rules=(rule._replace(place=Place(file, first[0], 1)),), pick="token")
    )


def load(path: str | Path, palette: Palette = STANDARD) -> tuple[Program, tuple[str, ...]]:
    """The pair in a text file, or the single rule of a grammar if the text starts like one; and notes about it."""
    text = files.read_text(path, limits.RULES_BYTES)
    if grammar.is_rule_text(text):
        made, notes = grammar.parse_rule(text, str(path))
        return grammar.build_program([made]), tuple(map(str, notes))
    return parse_template_pair(text, str(path), palette), ()


def _split_blocks(text: str) -> list[Block]:
    """The rows between blank lines. A blank in a row is a cell like any other; blanks at its end are not."""
    found: list[Block] = []
    begun = False
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        row = re.sub(r"[ \t\r]+$", "", line)
        if row and not begun:
            found.append((number, []))
        if row:
            found[-1][1].append(row)
        begun = bool(row)
    return found


def _check_block(block: Block, first: Block, file: str, palette: Palette) -> None:
    start, rows = block
    wide, high = len(first[1][0]), len(first[1])
    limits.PATTERN_SIDE.check(max(len(rows[0]), len(rows)), "the side of the template", Place(file, start, 1, rows[0]))
    for number, row in enumerate(rows):
        if len(row) != wide:
            place = Place(file, start + number, min(len(row), wide) + 1, row)
            raise BadInput(
                f"this row has {len(row)} columns, and the first has {wide}",
                place=place,
                fix="make all rows of all blocks equally long",
            )
        for column, sign in enumerate(row):
            if sign != WILD and sign not in palette:
                raise _unknown_tile_error(sign, Place(file, start + number, column + 1, row), palette)
    if len(rows) != high:
        place = Place(file, start, 1, rows[0])
        raise BadInput(
            f"this block has {len(rows)} rows, and the first block has {high}",
            place=place,
            fix="give all blocks the same rows and columns",
        )


def _unknown_tile_error(sign: str, place: Place, palette: Palette) -> BadInput:
    other = sign.swapcase()
    signs = " ".join(tile.glyph for tile in palette.tiles if tile.glyph != " ")
    fix = (
        f"did you mean {other!r}?"
        if other in palette
        else f"the palette {palette.name!r} has {signs}; give another palette if need be"
    )
    return BadInput(f"unknown tile {sign!r}", place=place, fix=fix)
