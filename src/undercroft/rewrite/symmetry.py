"""Rules turned and mirrored, their tiles with them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from undercroft.core.palette import Palette
from undercroft.rewrite.program import ANY, KEEP, Result, Rule

T = TypeVar("T")


class Variant(NamedTuple):
    """A rule in one position. `copies` is how many positions of the rule look like this."""

    rule: int
    position: int
    width: int
    height: int
    pattern: tuple[int, ...]
    results: tuple[Result, ...]
    copies: int = 1


def mirrored(cells: Sequence[T], width: int) -> tuple[T, ...]:
    """Rows with left and right changed.

    >>> "".join(mirrored("abcdef", 3))
    'cbafed'
    """
    return tuple(cell for start in range(0, len(cells), width) for cell in cells[start : start + width][::-1])


def turned(cells: Sequence[T], width: int) -> tuple[T, ...]:
    """Rows after a quarter turn clockwise; the new width is the old height.

    >>> "".join(turned("abcdef", 3)), "".join(turned("abcdef", 2))
    ('daebfc', 'ecafdb')
    """
    height = len(cells) // width
    return tuple(cells[(height - 1 - x) * width + y] for y in range(width) for x in range(height))


def _moved_set(mask: int, table: NDArray[np.uint8]) -> int:
    """A set of tiles, each tile replaced by what it becomes."""
    if mask == ANY:
        return mask
    moved = 0
    code = 0
    while mask >> code:
        if mask >> code & 1:
            moved |= 1 << int(table[code])
        code += 1
    return moved


def in_position(rule: Rule, position: int, palette: Palette) -> tuple[int, int, tuple[int, ...], tuple[Result, ...]]:
    """Width, height, pattern and results of a rule in a position."""
    width, height = rule.width, rule.height
    pattern, results = rule.pattern, rule.results
    if position & 4:
        pattern, results = _step(pattern, results, palette.mirror, lambda cells: mirrored(cells, width))
    for _ in range(position & 3):
        wide = width
        pattern, results = _step(pattern, results, palette.turn, lambda cells, wide=wide: turned(cells, wide))  # type: ignore[misc]
        width, height = height, width
    return width, height, pattern, results


def _step(
    pattern: tuple[int, ...], results: tuple[Result, ...], table: NDArray[np.uint8], move: Callable[[tuple[int, ...]], tuple[int, ...]]
) -> tuple[tuple[int, ...], tuple[Result, ...]]:
    return (
        move(tuple(_moved_set(mask, table) for mask in pattern)),
        tuple(Result(move(tuple(code if code == KEEP else int(table[code]) for code in result.cells)), result.weight) for result in results),
    )


def variants(rules: Sequence[Rule], palette: Palette, *, merge: bool = True) -> list[Variant]:
    """All positions of all rules, in order; equal ones of a rule once (with their number) or each for itself."""
    found: list[Variant] = []
    for index, rule in enumerate(rules):
        seen: dict[tuple[object, ...], int] = {}
        for position in rule.positions:
            shape = in_position(rule, position, palette)
            if merge and shape in seen:
                at = seen[shape]
                found[at] = found[at]._replace(copies=found[at].copies + 1)
                continue
            seen[shape] = len(found)
            found.append(Variant(index, position, *shape))
    return found
