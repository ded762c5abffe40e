"""Labels of locks: each name is written beside its door and beside the keys and switches that open it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.core.region import Thing
from undercroft.draw.pen.free_space import CellRect
from undercroft.draw.scene.lettering import shorten_to_fit, text_outlines, text_width
from undercroft.draw.scene.scene import Points
from undercroft.wording import one_line

LETTER_SIZE = 0.66
"""The size of letters, in cells, when a place is searched."""
MAX_NAME_CELLS = 4.0
"""The maximum length of a name, in cells."""
LABEL_GAP = 0.12
"""Cells between a name and its object."""


class LockLabel(NamedTuple):
    """A name and its position: its left end (anchor 0), its middle (0.5) or its right end (1), at half the height of
    its letters.
    """

    word: str
    x: float
    y: float
    anchor: float

    def lines(self, size: float = LETTER_SIZE, face: str = "italic") -> list[Points]:
        """The outlines of the name, to be filled."""
        return text_outlines(
            shorten_to_fit(self.word, MAX_NAME_CELLS, size, face),
            self.x,
            self.y + 0.3 * size,
            size,
            face,
            anchor=self.anchor,
        )

    def box(self, size: float = LETTER_SIZE, face: str = "italic") -> CellRect:
        """The space that the name takes."""
        wide = text_width(shorten_to_fit(self.word, MAX_NAME_CELLS, size, face), size, face)
        left = self.x - self.anchor * wide
        return CellRect(left, self.y - 0.45 * size, left + wide, self.y + 0.45 * size)


def lock_name(thing: Thing) -> str:
    """The name of the lock, if the thing is one; else empty."""
    return _format_name(thing.data.get("key")) if thing.kind == "lock" else ""


def opened_lock_name(thing: Thing) -> str:
    """The name of the lock that a thing opens; empty if it opens none."""
    return _format_name(thing.data.get("opens"))


def _format_name(given: object) -> str:
    """A name in one line, from a value of any type."""
    if isinstance(given, tuple):
        return ", ".join(map(_format_name, given))
    return one_line(str(given)) if given is not None else ""


def place_lock_labels(things: Iterable[Thing], ground: NDArray[np.bool_], busy: NDArray[np.bool_]) -> list[LockLabel]:
    """The names of these locks and of their keys and switches, each where there is space: on the ground beside it, off
    busy cells and off each other.
    """
    free = ~busy
    found: list[LockLabel] = []
    for thing in things:
        name = lock_name(thing)
        ties = [
            LockLabel(name or opened_lock_name(thing), *place)
            for place in (_places_beside_door(thing, ground) if name else _places_beside_thing(thing))
        ]
        best = min(ties, key=lambda tie: _cost(tie.box(), ground, free))
        rows, columns = touched_cells(best.box())
        free[rows, columns] = False
        found.append(best)
    return found


def touched_cells(box: CellRect) -> tuple[slice, slice]:
    """The rows and columns of cells that a box touches."""
    first, last = (
        (max(0, int(np.floor(side + 0.05))) for side in (box.top, box.left)),
        (max(0, int(np.ceil(side - 0.05))) for side in (box.bottom, box.right)),
    )
    (top, left), (bottom, right) = first, last
    return slice(top, bottom), slice(left, right)


def _places_beside_thing(thing: Thing) -> list[tuple[float, float, float]]:
    """Places beside a thing: to the right, below, above, to the left."""
    wide, high = (
        min(8, size) if type(size := thing.data.get(side, 1)) is int and size > 0 else 1 for side in ("width", "height")
    )
    x, y = thing.x + wide / 2, thing.y + high / 2
    return [
        (thing.x + wide + LABEL_GAP, y, 0.0),
        (x, thing.y + high + 0.3, 0.5),
        (x, thing.y - 0.3, 0.5),
        (thing.x - LABEL_GAP, y, 1.0),
    ]


def _places_beside_door(thing: Thing, ground: NDArray[np.bool_]) -> list[tuple[float, float, float]]:
    """Places beside a door: on the ground on both sides, beside the passage; then in the wall beside it."""
    x, y = thing.x, thing.y
    beside = [0 <= column < ground.shape[1] and bool(ground[y, column]) for column in (x - 1, x + 1)]
    if any(beside):
        return [
            *(
                (end, row, anchor)
                for end, anchor in ((x + 1 + 2 * LABEL_GAP, 0.0), (x - 2 * LABEL_GAP, 1.0))
                for row in (y - 0.4, y + 1.4)
            ),
            *((x + 0.5, row, 0.5) for row in (y - 0.4, y + 1.4)),
        ]
    return [
        *(
            (end, row, anchor)
            for row in (y + 1.45, y - 0.45)
            for end, anchor in ((x + 1 + LABEL_GAP, 0.0), (x - LABEL_GAP, 1.0))
        ),
        *((end, y + 0.5, anchor) for end, anchor in ((x + 1 + LABEL_GAP, 0.0), (x - LABEL_GAP, 1.0))),
    ]


def _cost(box: CellRect, ground: NDArray[np.bool_], free: NDArray[np.bool_]) -> float:
    """The cost of a place: it counts covered cells, cells off the map, and rock."""
    height, width_ = ground.shape
    if min(box.left, box.top) < 0 or box.right > width_ or box.bottom > height:
        return 9.0
    rows, columns = touched_cells(box)
    return 4.0 * float((~free[rows, columns]).mean()) + float((~ground[rows, columns]).mean())
