"""Write grammar rules, maps and whole folders as the text of their files. Refuses what the format cannot hold."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from undercroft import limits
from undercroft.errors import BadInput
from undercroft.rewrite.grammar.rule_file import TILES_FIX, UNKNOWN_TILE
from undercroft.rewrite.model.grammar_tiles import GRAMMAR_PALETTE
from undercroft.rewrite.model.program import ANY, KEEP, Program, Rule
from undercroft.rewrite.model.symmetry_flags import FLAGS_BY_POSITIONS

_FORBIDDEN_CHARACTERS = re.compile(r'[/\\:*?"<>|\x00-\x1f\x7f]')


def dump_rule(made: Rule) -> str:
    """The rule as a file's text. Its name becomes the file's name; positions are written as flags, so they read back in
    the order of the format.

    >>> from undercroft.rewrite.grammar.folder import parse_rule
    >>> print(dump_rule(parse_rule("1, 2,V\\n= 3\\nc?\\n=1\\nr?", "x")[0]))
    1,2
    V
    =3
    c?
    =
    r?
    <BLANKLINE>
    """
    cells = made.width * made.height
    side, heaviest = limits.PATTERN_SIDE.value, limits.GRAMMAR_WEIGHT.value
    if not (0 < made.width <= side and 0 < made.height <= side):
        raise _cannot_hold_error(
            made, f"a size of {made.width}x{made.height}", f"a rule has 1 to {side} rows and columns"
        )
    if made.chance != 1 or made.limit or made.guards or made.area:
        raise _cannot_hold_error(made, "a chance, a limit, a guard or a region", "keep the rule in a .rules file")
    if not made.results:
        raise _cannot_hold_error(made, "a rule without a result", "add one; if it writes nothing, a grid of ?")
    if any(len(grid) != cells for grid in (made.pattern, *(result.cells for result in made.results))):
        raise _cannot_hold_error(made, "grids of different sizes", "draw them alike")
    if any(not 0 <= weight <= heaviest for weight in (made.weight, *(result.weight for result in made.results))):
        raise _cannot_hold_error(made, "this weight", f"weights are whole numbers from 0 to {heaviest:,}")
    flags = FLAGS_BY_POSITIONS.get(
        made.positions,
        next((word for same, word in FLAGS_BY_POSITIONS.items() if sorted(same) == sorted(made.positions)), None),
    )
    if flags is None:
        raise _cannot_hold_error(made, f"the positions {made.positions}", "choose turns, mirror images, or both")
    lines = [f"{made.height},{made.width}", *([flags] if flags else []), _format_weight(made.weight)]
    lines += _split_rows([_format_target_cell(made, mask) for mask in made.pattern], made.width)
    for result in made.results:
        lines.append(_format_weight(result.weight))
        lines += _split_rows([_format_result_cell(made, code) for code in result.cells], made.width)
    return "\n".join(lines) + "\n"


def dump_base(tiles: NDArray[np.uint8]) -> str:
    """A map as the text of `base.txt`."""
    height, width = tiles.shape
    if tiles.max(initial=0) >= len(GRAMMAR_PALETTE):
        raise BadInput("the map holds tiles that a grammar does not know", fix=TILES_FIX)
    rows = ["".join(GRAMMAR_PALETTE.tiles[code].glyph for code in row) for row in tiles.tolist()]
    return "\n".join([f"{height},{width}", "=", *rows]) + "\n"


def dump_folder(grammar: Program, tiles: NDArray[np.uint8] | None = None, *, numbered: bool = False) -> dict[str, str]:
    """The program as a mapping from file name to text, with the map as `base.txt`. The files do not hold the number of
    steps.

    A folder is read in the order of its names; `numbered` puts numbers before them, which keeps any order.
    """
    root = grammar.root
    if grammar.palette != GRAMMAR_PALETTE:
        raise BadInput(
            f"a grammar folder is drawn with the palette 'grammar', not {grammar.palette.name!r}",
            fix="translate the rules to its tiles",
        )
    if (root.kind, root.children, root.pick, root.outside, root.merge, root.each, grammar.things) != (
        "one",
        (),
        "rule",
        -1,
        False,
        None,
        (),
    ):
        raise BadInput(
            "a grammar folder is one node that picks by rule and keeps duplicates; these rules are more",
            fix="keep them in a .rules file",
        )
    made: dict[str, str] = {}
    names = [_rule_file_name(entry, index, len(root.rules), numbered) for index, entry in enumerate(root.rules)]
    for before, after in pairwise(names):
        if before >= after:
            raise BadInput(
                f"a folder is read in the order of its names, and {before!r} does not come before {after!r}",
                fix="rename the rules, or number them",
            )
    if len({name.casefold() for name in names}) < len(names):
        raise BadInput(
            "two rules differ only in capital letters, and many systems take their files for one",
            fix="rename one, or number them",
        )
    for name, entry in zip(names, root.rules, strict=True):
        made[f"{name}.txt"] = dump_rule(entry)
    if tiles is not None:
        made["base.txt"] = dump_base(tiles)
    return made


def _rule_file_name(made: Rule, index: int, count: int, numbered: bool) -> str:
    name = f"{index + 1:0{len(str(count))}}-{made.name}" if numbered else made.name
    if (
        not name.strip(". ")
        or name != name.strip()
        or name[0] == "."
        or len(name) > limits.GRAMMAR_NAME_LENGTH.value
        or _FORBIDDEN_CHARACTERS.search(name)
        or name.casefold() == "base"
    ):
        raise BadInput(
            f"{made.name!r} cannot be the name of a rule's file",
            fix='use letters and digits, none of / \\ : * ? " < > |, and not "base"',
        )
    return name


def _cannot_hold_error(made: Rule, what: str, fix: str) -> BadInput:
    return BadInput(f"a grammar file cannot hold {what} (rule {made.name!r})", place=made.place, fix=fix)


def _format_weight(weight: int) -> str:
    return "=" if weight == 1 else f"={weight}"


def _split_rows(signs: Sequence[str], width: int) -> list[str]:
    return ["".join(signs[start : start + width]) for start in range(0, len(signs), width)]


def _format_target_cell(made: Rule, mask: int) -> str:
    if mask == ANY:
        return "?"
    if mask.bit_count() != 1:
        raise _cannot_hold_error(
            made, "a set of tiles in a target", "write one rule for each tile, or the .rules language"
        )
    return _format_result_cell(made, mask.bit_length() - 1)


def _format_result_cell(made: Rule, code: int) -> str:
    if code == KEEP:
        return "?"
    if not 0 <= code < len(GRAMMAR_PALETTE):
        raise _cannot_hold_error(made, f"the tile number {code}", TILES_FIX)
    return "\\?" if code == UNKNOWN_TILE else GRAMMAR_PALETTE.tiles[code].glyph
