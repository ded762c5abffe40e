"""Format rules in the words of the language: positions, and conditions of a match."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from undercroft.core.palette import Palette
from undercroft.rewrite.model.program import Node, Rule
from undercroft.rewrite.text import areas, tile_wording

_TURN_NAMES = ("turned 90°", "turned 180°", "turned 270°")
POSITION_NAMES = ("as drawn", *_TURN_NAMES, "mirrored", *(f"mirrored and {turn}" for turn in _TURN_NAMES))
"""The name of each position of a rule; turns are clockwise, and a mirror swaps left and right before them."""


def format_rule_name(rule: Rule, number: int) -> str:
    """The name of a rule, or its number in the program, from 1."""
    return rule.name or f"rule {number}"


def describe_conditions(leaf: Node, rule: Rule, palette: Palette) -> list[str]:
    """The conditions of a match besides its tiles, each phrased to follow 'it must also'."""
    found = [tile_wording.describe_guard(kept, palette) for kept in rule.guards]
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
