"""Rules in the words of the people who write them: tiles, sets, positions, and what a match must keep."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from undercroft.core.palette import Palette
from undercroft.rewrite.model.program import ANY, Node, Rule
from undercroft.rewrite.text import areas, guards
from undercroft.rewrite.text.alphabet import signs

_TURNS = ("turned 90°", "turned 180°", "turned 270°")
POSITIONS = ("as drawn", *_TURNS, "mirrored", *(f"mirrored and {turn}" for turn in _TURNS))
"""Each position of a rule; turns are clockwise, and a mirror changes left and right before them."""
MOST_IN_SET = 8


def tile(code: int, palette: Palette) -> str:
    """A tile by the sign one draws it with, or by its name if it has none.

    >>> from undercroft.core.palette import STANDARD
    >>> tile(0, STANDARD), tile(1, STANDARD)
    ('X', '#')
    """
    return signs(palette)[code] or palette.tiles[code].name


def tiles(mask: int, palette: Palette) -> str:
    """A set of tiles as a rule of one line would write it.

    >>> from undercroft.core.palette import STANDARD
    >>> tiles(0b10, STANDARD), tiles(0b11, STANDARD), tiles(ANY, STANDARD), tiles(ANY ^ 0b11, STANDARD)
    ('#', '{X or #}', '?', '{not X or #}')
    """
    if mask == ANY:
        return "?"
    return tile(mask.bit_length() - 1, palette) if mask.bit_count() == 1 else f"{{{listed(mask, palette, ' or ')}}}"


def listed(mask: int, palette: Palette, between: str) -> str:
    """The tiles of a set, or those that are not in it if it goes beyond the palette; long lists are cut."""
    negated = bool(mask >> len(palette))
    names = [tile(code, palette) for code in range(len(palette)) if (mask >> code & 1) != negated] or ["?"]
    if len(names) > MOST_IN_SET:
        names[MOST_IN_SET:] = [f"{len(names) - MOST_IN_SET} more"]
    return f"{'not ' * (negated or not mask)}{between.join(names)}"


def any_of(mask: int, palette: Palette) -> str:
    """A tile of a set, the first that can be drawn."""
    codes = [code for code in range(len(palette)) if mask >> code & 1]
    return next((tile(code, palette) for code in codes if signs(palette)[code]), tile(codes[0], palette))


def label(rule: Rule, number: int) -> str:
    """What a rule is called: by its name, or by its number in the program, from 1."""
    return rule.name or f"rule {number}"


def conditions(leaf: Node, rule: Rule, palette: Palette) -> list[str]:
    """What a match needs beside the right tiles, each so that 'it must also' can stand before it."""
    found = [guards.written(kept, lambda mask, between: listed(mask, palette, between)) for kept in rule.guards]
    found += [
        f"lie within one region, {areas.written(where, lead)}"
        for where, lead in ((leaf.each, "each"), (rule.area, "in"))
        if where
    ]
    if 0 < rule.chance < 1:
        found.append(f"have luck: its chance is {rule.chance:g}")
    if rule.limit:
        found.append(f"have been used less than {rule.limit} times" if rule.limit > 1 else "not have been used before")
    return found


def table(rows: Sequence[Sequence[str]], aligned: str = "") -> Iterator[str]:
    """Columns under each other, two blanks between them. `aligned` has a `>` for each column that is flush right, from
    the first on.

    >>> print("\\n".join(table([("rule", "used"), ("door", "7")], "<>")))
    rule  used
    door     7
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    sides = aligned.ljust(len(widths), "<")
    for row in rows:
        yield "  ".join(f"{cell:{side}{width}}" for cell, side, width in zip(row, sides, widths, strict=True)).rstrip()
