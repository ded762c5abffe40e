"""The stairs of a map: `<` and `>`, or other tiles with the roles entry and exit."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from undercroft.core.palette import Palette, look_up_tiles

Point = tuple[int, int]
STAIRS_ROLES = {"start": "entry", "end": "exit"}
"""The role of the stairs at each end of the way through."""


def find_stairs(tiles: NDArray[np.uint8], palette: Palette, role: str) -> NDArray[np.intp]:
    """The cells with stairs of a role, as indices (y * width + x) in order.

    >>> from undercroft.core.palette import STANDARD
    >>> find_stairs(np.array([[1, 11], [11, 2]], np.uint8), STANDARD, "entry").tolist()
    [1, 2]
    """
    if role not in palette.roles:
        return np.zeros(0, np.intp)
    return np.flatnonzero(look_up_tiles(palette.role_mask(role), tiles))


def find_only_stairs(tiles: NDArray[np.uint8], palette: Palette, role: str) -> Point | None:
    """The one cell with stairs of a role; None if there are several, or none."""
    cells = find_stairs(tiles, palette, role)
    return point_of(int(cells[0]), tiles.shape[1]) if len(cells) == 1 else None


def find_ends(tiles: NDArray[np.uint8], palette: Palette) -> tuple[Point | None, Point | None]:
    """Start and end of a map whose file does not tell them: the only stairs by which one comes, and by which one
    leaves.
    """
    return find_only_stairs(tiles, palette, "entry"), find_only_stairs(tiles, palette, "exit")


def describe_missing_end(tiles: NDArray[np.uint8], palette: Palette, name: str) -> str:
    """Why a map has no start, or no end: there are no stairs, or several.

    >>> from undercroft.core.palette import STANDARD
    >>> describe_missing_end(np.array([[11, 2, 11]], np.uint8), STANDARD, "start")
    'there are 2 stairs <, and none of them is named as the start'
    """
    role = STAIRS_ROLES[name]
    count = len(find_stairs(tiles, palette, role))
    if count < 2:
        return f"there is no {name}"
    glyph = palette.tiles[palette.role(role)].glyph
    return f"there are {count:,} stairs {glyph}, and none of them is named as the {name}"


def point_of(cell: int, width: int) -> Point:
    """The x and y of a cell, given its index."""
    y, x = divmod(cell, width)
    return x, y
