"""The shape of all rooms of an expanded grid: a plain box, or one parsed from a drawing."""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis import reach
from undercroft.core import drawing
from undercroft.core.level import Point
from undercroft.core.palette import STANDARD
from undercroft.errors import BadInput, Place

DRAWABLE_ROLES = ("wall", "floor", "corridor", "water", "pit", "pillar")
"""The roles that a drawn room may use."""


class RoomShape(NamedTuple):
    """A room with walls all round, and a mask of its walkable cells.

    >>> shape = build_box_shape(6, 4)
    >>> print(drawing.format_tiles(shape.tiles, STANDARD))
    #######
    #.....#
    #.....#
    #.....#
    #######
    >>> shape.pitch, shape.middle
    ((6, 4), (3, 2))
    """

    tiles: NDArray[np.uint8]
    ground: NDArray[np.bool_]

    @property
    def pitch(self) -> Point:
        """Columns and rows from one room to the next; neighbours share the wall between them."""
        height, width = self.tiles.shape
        return width - 1, height - 1

    @property
    def middle(self) -> Point:
        """The column of the doors above and below, and the row of those at the sides."""
        return self.pitch[0] // 2, self.pitch[1] // 2

    @property
    def middle_ground(self) -> Point:
        """The ground nearest to the middle."""
        if self.ground[self.middle[1], self.middle[0]]:
            return self.middle
        ys, xs = np.nonzero(self.ground)
        nearest = int(np.argmin((xs - self.middle[0]) ** 2 + (ys - self.middle[1]) ** 2))
        return int(xs[nearest]), int(ys[nearest])


def build_box_shape(width: int, height: int) -> RoomShape:
    """A plain room that is `width` columns and `height` rows from the next; both at least 2."""
    tiles = np.full((height + 1, width + 1), STANDARD.role("wall"), np.uint8)
    tiles[1:-1, 1:-1] = STANDARD.role("floor")
    return _build_shape(tiles)


@functools.lru_cache(maxsize=16)
def parse_room_shape(picture: str) -> RoomShape:
    """Parse a drawing of a room, or raise an error that says what a room needs."""
    picture = drawing.dedented(picture)
    tiles = drawing.parse_tiles(picture, STANDARD, file="template")[0]
    height, width = tiles.shape
    if width < 3 or height < 3:
        raise BadInput(
            f"a room with its walls is at least 3x3, not {width}x{height}",
            place=_picture_place(picture, 0, 0),
            fix="draw the walls and the floor",
        )
    strange = ~STANDARD.role_mask(*DRAWABLE_ROLES)[tiles]
    strange[[0, -1]] = strange[:, [0, -1]] = False
    if strange.any():
        y, x = divmod(int(strange.argmax()), width)
        glyphs = "  ".join(f"{tile.glyph} {tile.name}" for tile in STANDARD.tiles if tile.role in DRAWABLE_ROLES)
        raise BadInput(
            f"{STANDARD.tiles[tiles[y, x]].name!r} has no place in a room",
            place=_picture_place(picture, x, y),
            fix=f"draw it with {glyphs}",
        )
    gaps = ~STANDARD.role_mask("wall")[tiles]
    gaps[1:-1, 1:-1] = False
    if gaps.any():
        y, x = divmod(int(gaps.argmax()), width)
        raise BadInput(
            "a room has walls all round; its doors come later",
            place=_picture_place(picture, x, y),
            fix="draw a wall there",
        )
    shape = _build_shape(tiles)
    middle = shape.middle
    for x, y in ((middle[0], 1), (1, middle[1]), (width - 2, middle[1]), (middle[0], height - 2)):
        if not shape.ground[y, x]:
            raise BadInput(
                "a door in the middle of the wall beside this would lead nowhere",
                place=_picture_place(picture, x, y),
                fix="draw floor there",
            )
    labels, count = reach.label_components(shape.ground.view(np.uint8))
    if count > 1:
        y, x = divmod(int((labels > 1).argmax()), width)
        raise BadInput(
            "this floor cannot be reached from the rest of the room",
            place=_picture_place(picture, x, y),
            fix="join it, or fill it",
        )
    return shape


def _build_shape(tiles: NDArray[np.uint8]) -> RoomShape:
    tiles.setflags(write=False)
    ground = STANDARD.walkable[tiles]
    ground.setflags(write=False)
    return RoomShape(tiles, ground)


def _picture_place(picture: str, x: int, y: int) -> Place:
    return Place("template", y + 1, x + 1, picture.split("\n")[y])
