"""Format rules in the words of the language: tiles, sets, positions, and conditions of a match."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from undercroft.core.palette import Palette
from undercroft.rewrite.model.program import ANY, Node, Rule
from undercroft.rewrite.text import areas, guards
from undercroft.rewrite.text.alphabet import choose_signs

_TURN_NAMES = ("turned 90°", "turned 180°", "turned 270°")
POSITION_NAMES = ("as drawn", *_TURN_NAMES, "mirrored", *(f"mirrored and {turn}" for turn in _TURN_NAMES))
"""The name of each position of a rule; turns are clockwise, and a mirror swaps left and right before them."""
MAX_LISTED_TILES = 8


def format_tile(code: int, palette: Palette) -> str:
    """A tile by its sign in drawings, or by its name if it has none.

    >>> from undercroft.core.palette import STANDARD
    >>> format_tile(0, STANDARD), format_tile(1, STANDARD)
    ('X', '#')
    """
    return choose_signs(palette)[code] or palette.tiles[code].name


def format_tile_set(mask: int, palette: Palette) -> str:
    """A set of tiles as in a one-line rule.

    >>> from undercroft.core.palette import STANDARD
    >>> [format_tile_set(mask, STANDARD) for mask in (0b10, 0b11, ANY, ANY ^ 0b11)]
    ['#', '{X or #}', '?', '{not X or #}']
    """
    if mask == ANY:
        return "?"
    return (
        format_tile(mask.bit_length() - 1, palette)
        if mask.bit_count() == 1
        else f"{{{join_tiles(mask, palette, ' or ')}}}"
    )


def join_tiles(mask: int, palette: Palette, between: str) -> str:
    """The tiles of a set, or a negated list if it goes beyond the palette; long lists are cut."""
    negated = bool(mask >> len(palette))
    names = [format_tile(code, palette) for code in range(len(palette)) if (mask >> code & 1) != negated] or ["?"]
    if len(names) > MAX_LISTED_TILES:
        names[MAX_LISTED_TILES:] = [f"{len(names) - MAX_LISTED_TILES} more"]
    return f"{'not ' * (negated or not mask)}{between.join(names)}"


def format_any_tile(mask: int, palette: Palette) -> str:
    """The first tile of a set that can be drawn."""
    codes = [code for code in range(len(palette)) if mask >> code & 1]
    return next(
        (format_tile(code, palette) for code in codes if choose_signs(palette)[code]), format_tile(codes[0], palette)
    )


def format_rule_name(rule: Rule, number: int) -> str:
    """The name of a rule, or its number in the program, from 1."""
    return rule.name or f"rule {number}"


def describe_conditions(leaf: Node, rule: Rule, palette: Palette) -> list[str]:
    """The conditions of a match besides its tiles, each phrased to follow 'it must also'."""
    found = [
        guards.format_guard(kept, lambda mask, between: join_tiles(mask, palette, between)) for kept in rule.guards
    ]
    found += [
        f"lie within one region, {areas.format_area(where, lead)}"
        for where, lead in ((leaf.each, "each"), (rule.area, "in"))
        if where
    ]
    if 0 < rule.chance < 1:
        found.append(f"have luck: its chance is {rule.chance:g}")
    if rule.limit:
        found.append(f"have been used less than {rule.limit} times" if rule.limit > 1 else "not have been used before")
    return found


def format_table(rows: Sequence[Sequence[str]], aligned: str = "") -> Iterator[str]:
    """The lines of a table with aligned columns and two blanks between them. `aligned` has a `>` for each right-aligned
    column, from the first on.

    >>> print("\\n".join(format_table([("rule", "used"), ("door", "7")], "<>")))
    rule  used
    door     7
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    sides = aligned.ljust(len(widths), "<")
    for row in rows:
        yield "  ".join(f"{cell:{side}{width}}" for cell, side, width in zip(row, sides, widths, strict=True)).rstrip()
