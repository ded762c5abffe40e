"""Give every room's number a place: in open space, in smaller figures where there is little, or beside the room, with a
line that leads to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.core.level import Level
from undercroft.core.region import Region
from undercroft.draw.pen.free_space import PARTS_PER_CELL, CellRect, FreeSpace
from undercroft.draw.scene.lettering import text_width
from undercroft.draw.scene.scene import Points
from undercroft.draw.view.label_space import LabelSpace
from undercroft.draw.view.room_numbers import NumberSpot, place_numbers

Cells = NDArray[np.bool_]
FULL_SIZE = 1.12
"""The size of figures where there is enough space, in cells of a map of the usual size."""
USUAL_CELLS = 110
"""The cells of the longer side of the largest map with figures of that size; they grow with larger maps."""
MAX_SCALE = 2.5
SIZES, SMALL_SIZES = (1.0, 0.85, 0.72, 0.62), (0.52, 0.45, 0.38)
"""Sizes of figures as shares of the full size: those tried before a place beside the room, and those tried after."""
BESIDE_SIZES = ((0.72, 5), (0.52, 7), (0.45, 14))
"""Sizes of figures beside their room, and the cells around it that are searched."""
TEXT_MARGIN = 0.1
"""Cells around a number that stay free."""
DIGIT_HEIGHT = 0.72
"""The height of figures, in their size."""
MAX_TRIED = 80
"""The maximum number of places beside a room whose line is checked."""
CROSSING_COST = 6.0
"""The cost of a line across other rooms, in cells of its length."""
TIP_INSET = 0.3
"""How far a line reaches into its room, in cells."""


class NumberPlace(NamedTuple):
    """The label of a region, its number, the point that the number is centred on, the size of its figures, and the
    distance to the nearest wall or thing. `lead` is the line to the room if the number is outside of it.
    """

    label: int
    number: int
    x: float
    y: float
    size: float
    clear: float = 0.0
    lead: tuple[tuple[float, float], tuple[float, float]] | None = None

    @property
    def box(self) -> CellRect:
        """The space that it takes."""
        return CellRect.centred_on(self.x, self.y, *number_extent(self.number, self.size))


def label_scale(size: Sequence[int]) -> float:
    """How much larger labels are than on a map of the usual size, so that they can be read on large ones.

    >>> label_scale((61, 41)), round(label_scale((200, 150)), 2)
    (1.0, 1.82)
    """
    return float(np.clip(max(size) / USUAL_CELLS, 1.0, MAX_SCALE))


def number_extent(number: int, size: float) -> tuple[float, float]:
    """The width and height of a number in the widest of our figures, with some space around it."""
    wide = max(text_width(str(number), size, face) for face in ("figures", "strong"))
    return wide + 2 * TEXT_MARGIN, DIGIT_HEIGHT * size + 2 * TEXT_MARGIN


def place_room_numbers(
    level: Level,
    busy: Cells,
    space: LabelSpace,
    ground: FreeSpace,
    rock: FreeSpace,
    scale: float = 1.0,
    least: float = 0.0,
) -> list[NumberPlace]:
    """A place for the number of every room, in the order of rooms; none if there is only one. Their boxes are taken
    from the free space. Figures are `scale` times larger than usual, and at least `least` cells high.
    """
    rooms = level.rooms
    if len(rooms) < 2:
        return []
    spots = {spot.number: spot for spot in place_numbers(level, busy)}
    full = FULL_SIZE * scale
    inner = [
        _place_inside(number, region, level, ground, [max(least, full * share) for share in SIZES], spots.get(number))
        for number, region in enumerate(rooms, 1)
    ]
    found: list[NumberPlace] = []
    for number, (region, place) in enumerate(zip(rooms, inner, strict=True), 1):
        best = place or _place_tightly(number, region, level, space, ground, rock, scale, least)
        spot = spots.get(number)
        best = best or NumberPlace(
            region.label,
            number,
            spot.x if spot else region.x + region.width / 2,
            spot.y if spot else region.y + region.height / 2,
            SMALL_SIZES[0],
        )
        rock.take(best.box)
        found.append(best)
    return found


def _place_inside(
    number: int, region: Region, level: Level, ground: FreeSpace, sizes: Sequence[float], spot: NumberSpot | None
) -> NumberPlace | None:
    """A place within the room in the largest of these sizes: at its best point if it fits there."""
    wide, high = number_extent(number, sizes[0])
    if spot is not None and ground.is_free(CellRect.centred_on(spot.x, spot.y, wide, high)):
        place = NumberPlace(region.label, number, spot.x, spot.y, sizes[0], spot.clear)
        ground.take(place.box)
        return place
    rows, columns = slice(region.y, region.y + region.height), slice(region.x, region.x + region.width)
    cells = level.regions.labels[rows, columns] == region.label
    within = CellRect(columns.start, rows.start, columns.stop, rows.stop)
    near = (spot.x, spot.y) if spot else (region.x + region.width / 2, region.y + region.height / 2)
    for size in sizes:
        at = ground.find_place(*number_extent(number, size), near, within, cells)
        if at is not None:
            place = NumberPlace(region.label, number, *at, size, size * DIGIT_HEIGHT / 2)
            ground.take(place.box)
            return place
    return None


def _place_tightly(
    number: int,
    region: Region,
    level: Level,
    space: LabelSpace,
    ground: FreeSpace,
    rock: FreeSpace,
    scale: float,
    least: float,
) -> NumberPlace | None:
    """A place beside the room, or in small figures in it."""
    for (share, reach), small in zip(BESIDE_SIZES, SMALL_SIZES, strict=True):
        size = max(least, FULL_SIZE * share * scale)
        if place := _place_beside(number, region, level, space, rock, size, round(reach * scale)):
            return place
        if place := _place_inside(number, region, level, ground, [max(least, FULL_SIZE * small)], None):
            return place
    return None


def _place_beside(
    number: int, region: Region, level: Level, space: LabelSpace, rock: FreeSpace, size: float, reach: int
) -> NumberPlace | None:
    """A place in the rock near the room, from which a straight line leads to it across no other room."""
    wide, high = number_extent(number, size)
    left, top = max(0, region.x - reach), max(0, region.y - reach)
    right, bottom = (
        min(level.width, region.x + region.width + reach),
        min(level.height, region.y + region.height + reach),
    )
    middles = _free_middles(rock, CellRect(left, top, right, bottom), wide, high)
    rows, columns = slice(region.y, region.y + region.height), slice(region.x, region.x + region.width)
    own = level.regions.labels == region.label
    ys, xs = np.nonzero(own[rows, columns])
    if not len(middles) or not len(xs):
        return None
    cells = np.stack([xs + region.x + 0.5, ys + region.y + 0.5], axis=1)
    offs = np.hypot(middles[:, None, 0] - cells[None, :, 0], middles[:, None, 1] - cells[None, :, 1])
    nearest = offs.argmin(axis=1)
    far = offs[np.arange(len(middles)), nearest]
    best, least = None, np.inf
    for place in np.argsort(far, kind="stable")[:MAX_TRIED].tolist():
        if far[place] >= least:
            break
        middle, tip = middles[place], cells[nearest[place]]
        cost = float(far[place]) + CROSSING_COST * _crosses(middle, tip, own, space, rock, wide, high)
        if cost < least:
            best, least = (middle, tip), cost
    if best is None or least >= CROSSING_COST + reach:
        return None
    middle, tip = best
    lead = _trim_line(middle, tip, wide, high)
    rock.take_lines([np.array(lead)], 0.1)
    return NumberPlace(region.label, number, float(middle[0]), float(middle[1]), size, 0.0, lead)


def _free_middles(rock: FreeSpace, within: CellRect, wide: float, high: float) -> Points:
    """The centres of all free boxes of that size, a quarter of a cell apart."""
    across, down = (int(np.ceil(side * PARTS_PER_CELL)) for side in (wide, high))
    rows = slice(int(within.top) * PARTS_PER_CELL, int(within.bottom) * PARTS_PER_CELL)
    columns = slice(int(within.left) * PARTS_PER_CELL, int(within.right) * PARTS_PER_CELL)
    taken = rock.taken[rows, columns]
    if taken.shape[0] < down or taken.shape[1] < across:
        return np.empty((0, 2))
    sums = np.pad(taken.cumsum(axis=0, dtype=np.int32).cumsum(axis=1, dtype=np.int32), ((1, 0), (1, 0)))
    free = sums[down:, across:] - sums[:-down, across:] - sums[down:, :-across] + sums[:-down, :-across] == 0
    ys, xs = np.nonzero(free[::2, ::2])
    return np.stack(
        [
            (2 * xs + columns.start + across / 2) / PARTS_PER_CELL,
            (2 * ys + rows.start + down / 2) / PARTS_PER_CELL,
        ],
        axis=1,
    )


def _crosses(
    middle: Points, tip: Points, own: Cells, space: LabelSpace, rock: FreeSpace, wide: float, high: float
) -> bool:
    """Whether a line from a number to its room crosses other ground, or another label."""
    start, end = (np.array(point) for point in _trim_line(middle, tip, wide, high))
    steps = max(2, int(np.hypot(*(end - start)) * PARTS_PER_CELL))
    points = start + (end - start) * np.linspace(0, 1, steps)[:, None]
    fine = np.clip((points * PARTS_PER_CELL).astype(np.int64), 0, np.array(space.inside.shape[::-1]) - 1)
    ground = space.inside[fine[:, 1], fine[:, 0]]
    cells = np.clip(points.astype(np.int64), 0, np.array(own.shape[::-1]) - 1)
    other = ~own[cells[:, 1], cells[:, 0]]
    return bool((ground & other).any()) or bool((rock.taken_at(points) & ~ground & ~space.near_walls(points)).any())


def _trim_line(
    middle: Points, tip: Points, wide: float, high: float
) -> tuple[tuple[float, float], tuple[float, float]]:
    """The line from the edge of a number's box to a point a little inside the cell that it leads to."""
    way = tip - middle
    length = max(float(np.hypot(*way)), 1e-9)
    out = min(
        (side / 2 / abs(float(part)) for side, part in zip((wide, high), way, strict=True) if abs(part) > 1e-9),
        default=0.0,
    )
    start = middle + way * min(out, 0.9)
    end = tip - way / length * min(TIP_INSET, length / 2)
    return (float(start[0]), float(start[1])), (float(end[0]), float(end[1]))
