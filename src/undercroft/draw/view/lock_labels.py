"""Labels of locks: each name is written beside its door and beside the keys and switches that open it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.core.region import Thing
from undercroft.draw.pen.free_space import CellRect, FreeSpace
from undercroft.draw.scene.lettering import shorten_to_fit, text_outlines, text_width
from undercroft.draw.scene.scene import Points
from undercroft.draw.view.label_space import LabelSpace
from undercroft.wording import one_line

LETTER_SIZE = 0.66
"""The size of letters, in cells, when a place is searched."""
MAX_NAME_CELLS = 4.0
"""The maximum length of a name, in cells."""
LABEL_GAP = 0.12
"""Cells between a name and its object."""
MARGIN = 0.06
"""Cells around a name that stay free."""
SIZES = (LETTER_SIZE, 0.54, 0.44)
"""The sizes of letters that are tried."""
REACHES = (1.2, 2.5)
"""Cells around a thing in which a place is searched if none beside it is free."""


class LockLabel(NamedTuple):
    """A name and its position: its left end (anchor 0), its middle (0.5) or its right end (1), at half the height of
    its letters; and the largest letters that fit there.
    """

    word: str
    x: float
    y: float
    anchor: float
    size: float = LETTER_SIZE

    def lines(self, size: float = LETTER_SIZE, face: str = "italic") -> list[Points]:
        """The outlines of the name, to be filled, in letters of at most that size."""
        size = min(size, self.size)
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
        size = min(size, self.size)
        wide = text_width(shorten_to_fit(self.word, MAX_NAME_CELLS, size, face), size, face)
        left = self.x - self.anchor * wide
        return CellRect(left, self.y - 0.45 * size, left + wide, self.y + 0.45 * size)

    def widest_box(self) -> CellRect:
        """The space that the name takes in the widest of our typefaces, and a little more."""
        left, top, right, bottom = zip(*(self.box(self.size, face) for face in ("italic", "strong")), strict=True)
        return CellRect(min(left) - MARGIN, min(top) - MARGIN, max(right) + MARGIN, max(bottom) + MARGIN)


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


def place_lock_labels(
    things: Iterable[Thing], ground: NDArray[np.bool_], busy: NDArray[np.bool_], space: LabelSpace
) -> list[LockLabel]:
    """The names of these locks and of their keys and switches, each where there is space: on the ground beside it, or
    in the rock near it, off walls, busy cells and each other.
    """
    free, rock = space.find_ground(busy), space.find_rock()
    found: list[LockLabel] = []
    for thing in things:
        name = lock_name(thing)
        places = _places_beside_door(thing, ground) if name else _places_beside_thing(thing)
        best = _find_place(name or opened_lock_name(thing), thing, places, free, rock)
        for part in (free, rock):
            part.take(best.widest_box())
        found.append(best)
    return found


def _find_place(
    word: str, thing: Thing, places: Sequence[tuple[float, float, float]], ground: FreeSpace, rock: FreeSpace
) -> LockLabel:
    """The name at the first of these places that is free, else near the thing; in smaller letters if need be."""
    near = (thing.x + 0.5, thing.y + 0.5)
    for size in SIZES:
        labels = [LockLabel(word, *place, size) for place in places]
        for label in labels:
            if ground.is_free(label.widest_box()):
                return label
        left, top, right, bottom = LockLabel(word, 0, 0, 0.5, size).widest_box()
        for reach in REACHES:
            within = CellRect.centred_on(*near, right - left + 2 * reach, bottom - top + 2 * reach)
            for part in (ground, rock):
                if at := part.find_place(right - left, bottom - top, near, within):
                    return LockLabel(word, at[0] - (left + right) / 2, at[1], 0.5, size)
    return LockLabel(word, *places[0], SIZES[-1])


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
