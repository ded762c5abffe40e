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


def point_of(cell: int, width: int) -> Point:
    """The x and y of a cell, given its index."""
    y, x = divmod(cell, width)
    return x, y
