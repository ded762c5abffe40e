"""The lengths of walls on a blueprint: lines with ticks, in free space."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.core.region import Region
from undercroft.draw.pen.free_space import CellRect, FreeSpace
from undercroft.draw.scene.lettering import text_width
from undercroft.draw.styles.blueprint.ground import WALL_THICKNESS
from undercroft.draw.styles.blueprint.inks import LETTER_FACE, format_feet, measure_text_box, outline_words
from undercroft.draw.styles.blueprint.labels import LENGTH_SIZE, LabelLayer
from undercroft.draw.view.level_view import LevelView

MIN_WALL_CELLS = 4
"""The length, in cells, of the shortest wall that is dimensioned."""
INSETS = (0.62, 1.15, 1.7)
"""The possible distances of a length line from its wall."""
OUTSIDE_OFFSET = WALL_THICKNESS + 0.55
"""The same on the outside of the wall."""
MAX_END_PAIRS = 8
"""The number of pairs of left and right ends, the most common first, that the search for the largest block of a room
tries.
"""


def add_lengths(
    writing: LabelLayer, region: Region, cells: NDArray[np.bool_], places: FreeSpace, rock: FreeSpace
) -> None:
    """Add the length and width of a room with straight walls: along a wall in free space, or outside of it, in the
    rock.
    """
    rows, columns = find_largest_block(cells)
    left, right, top, bottom = (
        region.x + columns.start,
        region.x + columns.stop,
        region.y + rows.start,
        region.y + rows.stop,
    )
    wide, high = right - left, bottom - top
    if region.kind == "cave" or min(wide, high) < MIN_WALL_CELLS or wide * high < 0.6 * region.area:
        return
    upward = LengthLine(left, right, top, bottom, format_feet(wide), turned=False)
    across = LengthLine(top, bottom, left, right, format_feet(high), turned=True)
    found = [(line, line.find_place(places, rock)) for line in (upward, across)]
    for line, at in found:
        if at is not None:
            line.add_to(writing, at)
            (places if line.low < at < line.high else rock).take(line.box(line.start, line.end, at, 0.2))


def find_largest_block(cells: NDArray[np.bool_]) -> tuple[slice, slice]:
    """The rows and columns of the largest block between the left and right ends of some row: a room without its niches.

    >>> find_largest_block(np.array([[0, 1, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1], [1, 1, 1, 0]], bool))
    (slice(1, 4, None), slice(0, 3, None))
    """
    width = cells.shape[1]
    first, last = cells.argmax(axis=1), width - cells[:, ::-1].argmax(axis=1)
    whole = cells.any(axis=1) & (cells.sum(axis=1) == last - first)
    pairs, counts = np.unique(np.stack([first, last], axis=1)[whole], axis=0, return_counts=True)
    best, largest = (slice(0, 0), slice(0, 0)), 0
    for left, right in pairs[np.argsort(-counts, kind="stable")[:MAX_END_PAIRS]].tolist():
        inside = np.diff(cells[:, left:right].all(axis=1).astype(np.int8), prepend=0, append=0)
        starts, stops = np.flatnonzero(inside == 1), np.flatnonzero(inside == -1)
        tallest = int(np.argmax(stops - starts))
        area = int(stops[tallest] - starts[tallest]) * (right - left)
        if area > largest:
            best, largest = (slice(int(starts[tallest]), int(stops[tallest])), slice(left, right)), area
    return best


class LengthLine(NamedTuple):
    """The length of a room from `start` to `end`, between the walls `low` and `high` that it can be beside. If it is
    turned, x and y are swapped.
    """

    start: int
    end: int
    low: int
    high: int
    text: str
    turned: bool

    def find_place(self, places: FreeSpace, rock: FreeSpace) -> float | None:
        """The position of the line, down (or to the right); None if there is no space."""
        inner = [
            at
            for inset in INSETS
            for at in (self.low + inset, self.high - inset)
            if 2 * inset < self.high - self.low - 1
        ]
        outer = [self.low - OUTSIDE_OFFSET, self.high + OUTSIDE_OFFSET]
        half, middle = text_width(self.text, LENGTH_SIZE, LETTER_FACE) / 2 + 0.1, (self.start + self.end) / 2
        for at in inner:
            walls = (self.box(self.start - 0.3, self.start, at, 0.1), self.box(self.end, self.end + 0.3, at, 0.1))
            free = places.is_free(self.box(self.start, self.end, at, 0.17)) and places.is_free(
                self.box(middle - half, middle + half, at, 0.3)
            )
            if free and not any(map(places.is_free, walls)):
                return at
        return next((at for at in outer if rock.is_free(self.box(self.start - 0.3, self.end + 0.3, at, 0.3))), None)

    def add_to(self, writing: LabelLayer, at: float) -> None:
        """Write the line there."""
        ends = [(self.start, at), (self.end, at)]
        if not self.low < at < self.high:
            wall = self.low if at < self.low else self.high
            toward = 1.0 if at > wall else -1.0
            lines = [
                [(along, wall + toward * (WALL_THICKNESS + 0.08)), (along, at + toward * 0.18)] for along, _ in ends
            ]
            writing.lines += [np.array(line)[:, ::-1] if self.turned else np.array(line) for line in lines]
        first, last = (end[::-1] if self.turned else end for end in ends)
        writing.add_length(first, last, self.text)

    def box(self, start: float, end: float, at: float, half: float) -> CellRect:
        return CellRect(at - half, start, at + half, end) if self.turned else CellRect(start, at - half, end, at + half)


def add_radii(writing: LabelLayer, plan: LevelView, places: FreeSpace) -> None:
    """Add axes and a radius to round rooms."""
    counts: dict[tuple[float, float, float], int] = {}
    for arc in plan.arcs:
        counts[arc.x, arc.y, arc.radius] = counts.get((arc.x, arc.y, arc.radius), 0) + 1
    for (x, y, radius), many in counts.items():
        if many < 4:
            continue
        writing.axes += [np.array([[x - radius, y], [x + radius, y]]), np.array([[x, y - radius], [x, y + radius]])]
        text = f"R {format_feet(radius)}"
        for turn in (-0.9, -2.2, 0.9, 2.2, -0.5, 0.5):
            way = np.array([np.cos(turn), np.sin(turn)])
            middle = way * (radius * 0.66) + (x, y)
            box = measure_text_box(text, float(middle[0]), float(middle[1]), LENGTH_SIZE, 0.06)
            if places.is_free(box):
                places.take(box)
                writing.boxes.append(box)
                writing.letters += outline_words(text, float(middle[0]), float(middle[1]), LENGTH_SIZE)
                reach = (box.right - box.left) / 2 if abs(way[0]) > abs(way[1]) else (box.bottom - box.top) / 2 + 0.1
                writing.lines.append(
                    np.array([middle + way * reach / max(abs(way[0]), abs(way[1])), way * radius + (x, y)])
                )
                break
