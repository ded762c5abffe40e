"""Turn and mirror rules, together with their tiles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple, TypeVar

from undercroft.core.palette import Palette
from undercroft.rewrite.model.program import ANY, KEEP, Replacement, Rule

T = TypeVar("T")


class Variant(NamedTuple):
    """A rule in one position. `copies` is the number of positions of the rule that look like this."""

    rule: int
    position: int
    width: int
    height: int
    pattern: tuple[int, ...]
    results: tuple[Replacement, ...]
    copies: int = 1


def mirrored(cells: Sequence[T], width: int) -> tuple[T, ...]:
    """Rows with left and right swapped.

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
def _cell_order(width: int, height: int, position: int) -> Callable[[tuple[int, ...]], tuple[int, ...]]:
    """A function that puts the cells of a drawing in the order they have in a position."""
    cells: tuple[int, ...] = tuple(range(width * height))
    if position & 4:
        cells = mirrored(cells, width)
    for _ in range(position & 3):
        cells, width, height = turned(cells, width), height, width
    return itemgetter(*cells) if len(cells) > 1 else tuple


@lru_cache(maxsize=256)
def _tile_table(palette: Palette, position: int) -> tuple[int, ...]:
    """The code that each tile becomes in a position; empty if all stay the same."""
    codes = list(range(256))
    if position & 4:
        codes = palette.mirror[codes].tolist()
    for _ in range(position & 3):
        codes = palette.turn[codes].tolist()
    return tuple(codes) if codes != list(range(256)) else ()


def _moved_set(mask: int, becomes: Sequence[int]) -> int:
    """A set of tiles with each tile replaced by the one it becomes."""
    if mask == ANY:
        return mask
    moved = 0
    code = 0
    while mask >> code:
        if mask >> code & 1:
            moved |= 1 << becomes[code]
        code += 1
    return moved


def transform_rule(
    rule: Rule, position: int, palette: Palette
) -> tuple[int, int, tuple[int, ...], tuple[Replacement, ...]]:
    """Width, height, pattern and results of a rule in a position."""
    order = _cell_order(rule.width, rule.height, position)
    becomes = _tile_table(palette, position)
    pattern, results = rule.pattern, rule.results
    if becomes:
        sets = {mask: _moved_set(mask, becomes) for mask in set(rule.pattern)}
        codes = {code: code if code == KEEP else becomes[code] for result in rule.results for code in set(result.cells)}
        pattern = tuple([sets[tiles] for tiles in pattern])
        results = tuple(
            [Replacement(tuple([codes[code] for code in result.cells]), result.weight) for result in results]
        )
    pattern, results = order(pattern), tuple([Replacement(order(result.cells), result.weight) for result in results])
    width, height = (rule.height, rule.width) if position & 1 else (rule.width, rule.height)
    return width, height, pattern, results


def list_variants(rules: Sequence[Rule], palette: Palette, *, merge: bool = True) -> list[Variant]:
    """All positions of all rules, in order; equal positions of a rule once (with their number) or each separately."""
    found: list[Variant] = []
    for index, rule in enumerate(rules):
        first = len(found)
        for position in rule.positions:
            shape = transform_rule(rule, position, palette)
            same = next((at for at in range(first, len(found)) if merge and found[at][2:6] == shape), -1)
            if same >= 0:
                found[same] = found[same]._replace(copies=found[same].copies + 1)
                continue
            found.append(Variant(index, position, *shape))
    return found
