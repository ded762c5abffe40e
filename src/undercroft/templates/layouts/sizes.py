"""Describe the sizes that a layout has, and find the nearest to a size that it lacks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, pairwise, product

from undercroft.limits import ROOM_SIDE
from undercroft.templates.layouts.arguments import Size
from undercroft.templates.layouts.layout import Layout

MAX_SIDES_LISTED = 5
"""The most widths and heights to list in order to find their pattern."""
SEARCH_RADIUS = 12
"""How far around a size to search for others."""


def find_larger(layout: Layout, least: Size) -> Size | None:
    """The smallest size that is at least as wide and high, smallest along X first; None if there is none."""
    near = (ROOM_SIDE.value - max(least)) // 2
    if near < 0:
        return None
    found = layout.fits((least[0] + near, least[1] + near), leniency=near, overgrow=True)
    return None if isinstance(found, str) else found


def list_sides(layout: Layout, axis: int) -> list[int]:
    """The first widths (axis 0) or heights (1) that the layout has."""
    found = [layout.smallest[axis]]
    while len(found) < MAX_SIDES_LISTED:
        least = list(layout.smallest)
        least[axis] = found[-1] + 1
        room = find_larger(layout, (least[0], least[1]))
        if room is None:
            break
        found.append(room[axis])
    return found


def has_tied_sides(layout: Layout) -> bool:
    """Whether some width cannot be combined with some height."""
    return any(isinstance(layout.fits(size), str) for size in product(list_sides(layout, 0), list_sides(layout, 1)))


def describe_sizes(layout: Layout) -> str:
    """A description of the available sizes.

    >>> from undercroft.templates.layouts.drawn_text import parse
    >>> describe_sizes(parse('''
    ... scale  f = floor, left and right by 2, down doubling
    ...
    ...     .  |  f
    ... ''', "it.layout"))
    'width 1, 3, 5 and so on, height 1, 2, 4, 8, 16 and so on'
    """
    widths, heights = list_sides(layout, 0), list_sides(layout, 1)
    if len(widths) == len(heights) == 1:
        return f"{widths[0]}x{heights[0]} and no other size"
    if has_tied_sides(layout):
        there = sorted(
            (size for size in product(widths, heights) if not isinstance(layout.fits(size), str)),
            key=lambda size: (size[0] * size[1], size),
        )
        return (
            "width and height grow together: "
            f"{', '.join(map(format_size, there[:MAX_SIDES_LISTED]))}{'' if len(there) == 1 else ' and so on'}"
        )
    return f"width {_describe_sequence(widths)}, height {_describe_sequence(heights)}"


def _describe_sequence(found: list[int]) -> str:
    """A description of how a sequence of numbers continues."""
    steps = {after - before for before, after in pairwise(found)}
    if not steps:
        return f"always {found[0]}"
    if steps == {1}:
        return f"any from {found[0]} on"
    return f"{', '.join(map(str, found[:3] if len(steps) == 1 else found))} and so on"


def format_size(size: Size) -> str:
    """A size as text, `12x9`."""
    return f"{size[0]}x{size[1]}"


def find_nearest_sizes(layouts: Sequence[Layout], size: Size, most: int = 3) -> list[Size]:
    """The available sizes nearest to one that none of these layouts has."""
    found = {layout.smallest for layout in layouts} | {
        room for layout in layouts if (room := find_larger(layout, size))
    }
    sides = [range(max(1, side - SEARCH_RADIUS), min(ROOM_SIDE.value, side + SEARCH_RADIUS) + 1) for side in size]
    around = sorted(product(*sides), key=lambda other: (_distance(other, size), other))
    there = (
        other for other in around if any(not isinstance(layout.fits((other[0], other[1])), str) for layout in layouts)
    )
    found |= {(width, height) for width, height in islice(there, most)}
    best = min((_distance(other, size) for other in found), default=0)
    return sorted(other for other in found if _distance(other, size) == best)[:most]


def _distance(one: Sequence[int], other: Size) -> int:
    return abs(one[0] - other[0]) + abs(one[1] - other[1])
