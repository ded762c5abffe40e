"""The stairs of a map: `<` and `>`, or other tiles with the roles entry and exit."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from undercroft.core.palette import DOOR_ROLES, Palette, look_up_tiles
from undercroft.core.region import REGION_KINDS, Regions

Point = tuple[int, int]
STAIRS = "stairs"
"""The kind of things that tell where stairs lead."""
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
    data = tiles.tobytes()
    codes = [code for code, its_role in enumerate(palette.roles) if its_role == role]
    if sum(data.count(code) for code in codes) != 1:
        return None
    return point_of(max(data.find(code) for code in codes), tiles.shape[1])


def find_ends(tiles: NDArray[np.uint8], palette: Palette) -> tuple[Point | None, Point | None]:
    """Start and end of a map whose file does not tell them: the only stairs by which one comes, and by which one
    leaves.
    """
    return find_only_stairs(tiles, palette, "entry"), find_only_stairs(tiles, palette, "exit")


def clear_stairs(tiles: NDArray[np.uint8], palette: Palette, regions: Regions | None = None) -> NDArray[np.uint8]:
    """The tiles with the ground around them in place of all stairs; the array itself if there are none.

    >>> from undercroft.core.palette import STANDARD
    >>> clear_stairs(np.array([[1, 11, 3], [1, 1, 12]], np.uint8), STANDARD).tolist()
    [[1, 3, 3], [1, 1, 3]]
    """
    roles = [role for role in STAIRS_ROLES.values() if role in palette.roles]
    cells = np.flatnonzero(look_up_tiles(palette.role_mask(*roles), tiles)).tolist() if roles else []
    if not cells:
        return tiles
    cleared = tiles.copy()
    for cell in cells:
        x, y = point_of(cell, tiles.shape[1])
        cleared[y, x] = find_ground_code(tiles, palette, (x, y), regions)
    return cleared


def find_ground_code(tiles: NDArray[np.uint8], palette: Palette, cell: Point, regions: Regions | None = None) -> int:
    """The code of the ground that stairs on a cell stand on: corridor in a corridor, else the ground that most of the
    four neighbours have, else floor.
    """
    x, y = cell
    height, width = tiles.shape
    near = [
        int(tiles[y + dy, x + dx])
        for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0))
        if 0 <= x + dx < width and 0 <= y + dy < height
    ]
    near = [code for code in near if is_ground(palette, code)]
    label = 0 if regions is None else int(regions.labels[y, x])
    if regions is not None and 0 < label <= len(regions):
        in_corridor = REGION_KINDS[int(regions.table["kind"][label - 1])] == "corridor"
    else:
        in_corridor = bool(near) and all(palette.roles[code] == "corridor" for code in near)
    near = [code for code in near if (palette.roles[code] == "corridor") == in_corridor]
    if near:
        return max(near, key=near.count)  # the first of equals
    usual = ("corridor", "floor") if in_corridor else ("floor", "corridor")
    return palette.role(next((role for role in usual if role in palette.roles), palette.roles[tiles[y, x]]))


def is_ground(palette: Palette, code: int) -> bool:
    """Whether a tile can be walked on, and is neither a door nor stairs."""
    return bool(palette.walkable[code]) and palette.roles[code] not in (*DOOR_ROLES, *STAIRS_ROLES.values())


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
