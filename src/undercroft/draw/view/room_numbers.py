"""Place the number of each room: in open space, near the centre, off the path and beside things."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.core.level import Level
from undercroft.core.palette import DOOR_ROLES
from undercroft.core.region import REGION_KINDS
from undercroft.draw.pen.distance_field import border_distances
from undercroft.draw.scene.scene import Points

PLACES_ACROSS, PLACES_DOWN = 3, 4
"""Candidate places a cell, horizontally and vertically: fewer across, because numbers are wider than high."""
MAX_USEFUL_CLEARANCE = 1.15
"""Cells from the nearest wall beyond which more space adds nothing."""
CENTRE_WEIGHT = 0.10
"""The cost of a cell of distance from the room's centre, in cells of free space."""
PATH_OFFSETS = ((0, 0), (-0.25, 0), (0.25, 0), (0, -0.25), (0, 0.25))
"""The offsets, in cells, around the path that numbers avoid."""
MAX_CELLS = 1_500_000
"""The largest level in which numbers are placed, in cells; in larger ones they are unreadable."""


class NumberSpot(NamedTuple):
    """A number, the point, in cells, that it is centred on, and the distance from there to the nearest wall or
    thing.
    """

    number: int
    x: float
    y: float
    clear: float = 0.0


def place_numbers(level: Level, busy: NDArray[np.bool_] | None = None) -> list[NumberSpot]:
    """A spot for the number of each region except corridors, if there is space; none if the level is a single region.
    Numbers avoid busy cells.

    >>> for spot in place_numbers(Level.parse('''
    ...     #########
    ...     #111#222#
    ...     #111#222#
    ...     #########
    ... ''')):
    ...     print(spot)
    NumberSpot(number=1, x=2.5, y=2.0, clear=0.875)
    NumberSpot(number=2, x=6.5, y=2.0, clear=0.875)
    """
    table = level.regions.table
    wanted = np.concatenate([[False], table["kind"] != REGION_KINDS.index("corridor")])
    if np.count_nonzero(wanted) < 2 or level.tiles.size > MAX_CELLS:
        return []
    labels = np.where(wanted[level.regions.labels], level.regions.labels, 0)
    labels[(occupied_cells(level) if busy is None else busy) | ~level.walkable] = 0
    fine = np.repeat(np.repeat(labels, PLACES_DOWN, axis=0), PLACES_ACROSS, axis=1)
    space = _clearance(fine)
    ys, xs = np.nonzero(fine)
    owner = fine[ys, xs]
    x, y = (xs + 0.5) / PLACES_ACROSS, (ys + 0.5) / PLACES_DOWN
    many = np.maximum(np.bincount(owner, minlength=len(wanted)), 1)
    middle_x = np.concatenate([[0], table["x"] + table["width"] / 2])[owner]
    middle_y = np.concatenate([[0], table["y"] + table["height"] / 2])[owner]
    weight_x = (np.bincount(owner, x, len(wanted)) / many)[owner]
    weight_y = (np.bincount(owner, y, len(wanted)) / many)[owner]
    # Halfway between the centre of the box, which looks like the room's centre, and that of its free cells.
    off = np.hypot(x - (middle_x + weight_x) / 2, y - (middle_y + weight_y) / 2)
    clear = space[ys, xs]
    score = np.rint((np.minimum(clear, MAX_USEFUL_CLEARANCE) - CENTRE_WEIGHT * off) * 4096)
    return _best_spots(level, owner, score, x, y, clear)


def _best_spots(
    level: Level,
    owner: NDArray[np.int32],
    score: NDArray[np.float64],
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    clear: NDArray[np.float32],
) -> list[NumberSpot]:
    """The place with the highest score in each region. Neighbouring ties are averaged, so that rooms of even size are
    not off by half a cell.
    """
    order = np.lexsort((x, y, -score, owner))
    owner, score, x, y, clear = owner[order], score[order], x[order], y[order], clear[order]
    firsts = np.flatnonzero(np.diff(owner, prepend=0))
    # corridors do not count in the numbering
    numbers = np.cumsum(level.regions.table["kind"] != REGION_KINDS.index("corridor"))
    found = []
    for first in firsts.tolist():
        ties = first + np.flatnonzero(
            (owner[first : first + 9] == owner[first]) & (score[first : first + 9] == score[first])
        )
        near = ties[
            (np.abs(x[ties] - x[first]) < 1.5 / PLACES_ACROSS) & (np.abs(y[ties] - y[first]) < 1.5 / PLACES_DOWN)
        ]
        found.append(
            NumberSpot(
                int(numbers[owner[first] - 1]), float(x[near].mean()), float(y[near].mean()), float(clear[first])
            )
        )
    return found


def _clearance(labels: NDArray[np.int32]) -> NDArray[np.float32]:
    """The vertical distance, in cells, from each place to the nearest place outside its region."""
    inner = np.pad(labels > 0, 1).astype(np.uint8)
    for here, there in ((np.s_[1:], np.s_[:-1]), (np.s_[:-1], np.s_[1:])):
        border = (labels[here] != labels[there]) & (labels[here] > 0) & (labels[there] > 0)
        inner[1:-1, 1:-1][here][border] = 0
        border = (labels[:, here] != labels[:, there]) & (labels[:, here] > 0) & (labels[:, there] > 0)
        inner[1:-1, 1:-1][:, here][border] = 0
    return border_distances(inner)[1:-1, 1:-1] / np.float32(PLACES_DOWN)


def occupied_cells(level: Level, way: Points | None = None, *, things: bool = True) -> NDArray[np.bool_]:
    """Cells where a number would cover something: doors, stairs, the path (or the line that is drawn instead of it),
    and things.
    """
    busy = level.palette.role_mask(*DOOR_ROLES, "entry", "exit")[level.tiles]
    cells = (
        level.path if way is None else np.concatenate([np.floor(way + off) for off in PATH_OFFSETS]).astype(np.int64)
    )
    inside = ((cells >= 0) & (cells < level.size)).all(axis=1)
    busy[cells[inside, 1], cells[inside, 0]] = True
    for point in (level.start, level.end):
        if point is not None:
            x, y = point
            busy[max(0, y - 1) : y + 2, max(0, x - 1) : x + 2] = True
    for thing in level.things if things else ():
        wide, high = (
            size if type(size) is int and size > 0 else 1
            for size in (thing.data.get("width"), thing.data.get("height"))
        )
        busy[thing.y : thing.y + high, thing.x : thing.x + wide] = True
    return busy
