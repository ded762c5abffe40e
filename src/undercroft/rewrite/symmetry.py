"""Rules turned and mirrored, their tiles with them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, TypeVar

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


@lru_cache(maxsize=1024)
def _order(width: int, height: int, position: int) -> tuple[int, ...]:
    """Where each cell of a drawing in a position comes from."""
    cells: tuple[int, ...] = tuple(range(width * height))
    if position & 4:
        cells = mirrored(cells, width)
    for _ in range(position & 3):
        cells, width, height = turned(cells, width), height, width
    return cells


@lru_cache(maxsize=256)
def _tiles(palette: Palette, position: int) -> tuple[int, ...]:
    """What each tile becomes in a position."""
    codes = list(range(256))
    if position & 4:
        codes = palette.mirror[codes].tolist()
    for _ in range(position & 3):
        codes = palette.turn[codes].tolist()
    return tuple(codes)


def _moved_set(mask: int, becomes: Sequence[int]) -> int:
    """A set of tiles, each tile replaced by what it becomes."""
    if mask == ANY:
        return mask
    moved = 0
    code = 0
    while mask >> code:
        if mask >> code & 1:
            moved |= 1 << becomes[code]
        code += 1
    return moved


def in_position(rule: Rule, position: int, palette: Palette) -> tuple[int, int, tuple[int, ...], tuple[Result, ...]]:
    """Width, height, pattern and results of a rule in a position."""
    order = _order(rule.width, rule.height, position)
    becomes = _tiles(palette, position)
    sets = {mask: _moved_set(mask, becomes) for mask in set(rule.pattern)}
    codes = {code: code if code == KEEP else becomes[code] for result in rule.results for code in set(result.cells)}
    pattern = tuple([sets[rule.pattern[cell]] for cell in order])
    results = tuple([Result(tuple([codes[result.cells[cell]] for cell in order]), result.weight) for result in rule.results])
    width, height = (rule.height, rule.width) if position & 1 else (rule.width, rule.height)
    return width, height, pattern, results


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
