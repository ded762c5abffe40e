"""Why a flow cannot be drawn without crossings: a least figure in it, and what would be enough to leave out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from undercroft.core.run import Run
from undercroft.flows.planarity import Pair, is_planar
from undercroft.wording import join_words

MAX_LEFT_OUT = 12
"""The most links or rooms that are looked for to be left out; more are only counted."""


class CrossedFigure(NamedTuple):
    """Five rooms each linked to each other, or three rooms each linked to three others, with rooms on the way."""

    links: tuple[int, ...]
    """The numbers of its links. Without any one of them the rest of them can be drawn."""
    one_side: tuple[int, ...]
    """The five rooms; or three rooms,"""
    other_side: tuple[int, ...]
    """and the three others."""
    ways: dict[Pair, tuple[int, ...]]
    """The rooms on the way from one to another, for each two that are linked."""


def find_figure(count: int, pairs: Sequence[Pair], run: Run | None = None) -> CrossedFigure | None:
    """A least figure that cannot be drawn without crossings; None if all can.

    >>> found = find_figure(6, [(0, 5), (5, 1), *((a, b) for a in range(5) for b in range(a) if (b, a) != (0, 1))])
    >>> found.one_side, found.ways[0, 1]
    ((0, 1, 2, 3, 4), (5,))

    The last link of the shortest beginning of the list that cannot be drawn belongs to every figure in it. With that
    link put first, the next one is found, until those put first cannot be drawn themselves: each of them is needed.

    Cost: links of the figure times the logarithm of all links, planarity tests.
    """
    if is_planar(count, pairs, run):
        return None
    needed: list[int] = []
    rest = list(range(len(pairs)))
    while is_planar(count, [pairs[number] for number in needed], run):
        low, high = 1, len(rest)  # how many of the rest are too many
        while low < high:
            middle = (low + high) // 2
            if is_planar(count, [pairs[number] for number in (*needed, *rest[:middle])], run):
                low = middle + 1
            else:
                high = middle
        needed.append(rest[low - 1])
        rest = rest[: low - 1]
    return _read_figure(pairs, sorted(needed))


def _read_figure(pairs: Sequence[Pair], links: list[int]) -> CrossedFigure:
    """The rooms of a figure from its links."""
    near: dict[int, list[int]] = {}
    for number in links:
        a, b = pairs[number]
        near.setdefault(a, []).append(b)
        near.setdefault(b, []).append(a)
    corners = sorted(room for room, others in near.items() if len(others) > 2)
    ways: dict[Pair, tuple[int, ...]] = {}
    for corner in corners:
        for first in near[corner]:
            passed = [corner, first]
            while passed[-1] not in corners:
                passed.append(next(room for room in near[passed[-1]] if room != passed[-2]))
            if corner < passed[-1]:
                ways[corner, passed[-1]] = tuple(passed[1:-1])
    if len(corners) == 5:
        return CrossedFigure(tuple(links), tuple(corners), (), ways)
    first = corners[0]
    others = tuple(room for room in corners if (first, room) in ways)
    one_side = tuple(room for room in corners if room not in others)
    sides = {(a, b): ways.get((a, b)) or ways.get((b, a), ())[::-1] for a in one_side for b in others}
    return CrossedFigure(tuple(links), one_side, others, sides)


def list_links_too_many(count: int, pairs: Sequence[Pair], run: Run | None = None) -> tuple[int, ...] | None:
    """The numbers of some links without which all others can be drawn: later ones before earlier ones. They are enough,
    not always the fewest. None if they are more than a message can name.

    >>> list_links_too_many(5, [(a, b) for a in range(5) for b in range(a)])
    (9,)
    """
    kept = list(range(len(pairs)))
    left_out: list[int] = []
    while not is_planar(count, [pairs[number] for number in kept], run):
        if len(left_out) == MAX_LEFT_OUT:
            return None
        low, high = 1, len(kept)
        while low < high:
            middle = (low + high) // 2
            if is_planar(count, [pairs[number] for number in kept[:middle]], run):
                low = middle + 1
            else:
                high = middle
        left_out.append(kept.pop(low - 1))
    return tuple(sorted(left_out))


def list_rooms_too_many(count: int, pairs: Sequence[Pair], run: Run | None = None) -> tuple[int, ...] | None:
    """The numbers of some rooms without which all others can be drawn, and could go to another floor: one, if one is
    enough; None if no few are found.

    >>> list_rooms_too_many(6, [(a, b) for a in range(3) for b in range(3, 6)])
    (0,)
    """
    gone: list[int] = []
    while (figure := find_figure(count, _without(pairs, gone), run)) is not None:
        if len(gone) == MAX_LEFT_OUT:
            return None
        corners = (*figure.one_side, *figure.other_side)
        alone = next((room for room in corners if is_planar(count, _without(pairs, [*gone, room]), run)), None)
        gone.append(corners[0] if alone is None else alone)
    return tuple(sorted(gone))


def _without(pairs: Sequence[Pair], rooms: Sequence[int]) -> list[Pair]:
    return [pair for pair in pairs if pair[0] not in rooms and pair[1] not in rooms]


def describe_figure(figure: CrossedFigure, names: Sequence[str]) -> str:
    """The figure in a sentence."""
    if not figure.other_side:
        return f"{join_words([names[room] for room in figure.one_side])} are five rooms, each linked to each"
    one, other = ([names[room] for room in side] for side in (figure.one_side, figure.other_side))
    return f"{join_words(one)} are three rooms, each linked to each of {join_words(other)}"


def draw_figure(figure: CrossedFigure, names: Sequence[str]) -> str:
    """The figure as a table: for each two rooms the rooms on the way, or a dash for a link without any.

    >>> found = find_figure(6, [(a, b) for a in range(3) for b in range(3, 6)])
    >>> print(draw_figure(found, "abcdef"))
           d  e  f
        a  -  -  -
        b  -  -  -
        c  -  -  -
    """
    columns = figure.other_side or figure.one_side[1:]
    rows = figure.one_side if figure.other_side else figure.one_side[:-1]
    table = [["", *(names[room] for room in columns)]]
    for row in rows:
        cells = []
        for column in columns:
            way = figure.ways.get((row, column))
            cells.append("" if way is None else " ".join(names[room] for room in way) or "-")
        table.append([names[row], *cells])
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in table]
    return "\n".join(f"    {line}".rstrip() for line in lines)
