"""Shafts: holes that drop one floor, onto a cell straight below."""

from __future__ import annotations

import numpy as np

from undercroft.recipe.dungeon.dress import Shaft
from undercroft.recipe.dungeon.ground import Mask, near_cells
from undercroft.recipe.dungeon.meeting import APART_CELLS, MeetingPoints
from undercroft.wording import plural


def find_shafts(points: MeetingPoints, pair: tuple[str, str], count: int) -> tuple[list[Shaft], str]:
    """The shafts from the upper to the lower floor of a pair, and a note if there is no room for all of them.

    They lie on the sides of the pair's links on both floors, away from its own stairs, so that no other link has to
    know of them. Every free cell is as likely.
    """
    links = [link for link in points.plan.links if link.pair == pair]
    masks = [_free_cells(points, floor, [link.name for link in links]) for floor in pair]
    width, height = points.common_size(links[0])
    both = masks[0][:height, :width] & masks[1][:height, :width]
    for link in links:
        meeting = points.first_round(link)
        if meeting is not None:
            both &= ~near_cells(_mark(both.shape, meeting.upper.cell), APART_CELLS)
    found: list[Shaft] = []
    rng = points.rng.stream(f"shafts/{pair[0]}-{pair[1]}")
    for number in range(count):
        cells = np.flatnonzero(both)
        if not len(cells):
            return found, f"room for {plural(number, 'shaft')} of {count} between {pair[0]} and {pair[1]}"
        y, x = divmod(int(cells[rng.below(len(cells))]), width)
        found.append(Shaft(*pair, number, (x, y)))
        both &= ~near_cells(_mark(both.shape, (x, y)), APART_CELLS)
    return found, ""


def _free_cells(points: MeetingPoints, floor: str, names: list[str]) -> Mask:
    """The cells of a floor on the sides of some links, that stairs could stand on."""
    sides = points.sides(floor)
    own = [index for index, link in enumerate(sides.links) if link.name in names]
    others = sides.ground.part & ~np.isin(sides.labels, own)
    return sides.ground.floor_cells & np.isin(sides.labels, own) & ~near_cells(others, APART_CELLS)


def _mark(shape: tuple[int, ...], cell: tuple[int, int]) -> Mask:
    mask = np.zeros(shape, bool)
    mask[cell[1], cell[0]] = True
    return mask
