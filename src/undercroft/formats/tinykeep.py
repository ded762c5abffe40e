"""Read and write maps in the alphabet of TinyKeep's pictures: 'x' room, '+' cell, '#' corridor, blank for empty."""

from __future__ import annotations

import codecs

import numpy as np

from undercroft.analysis import reach
from undercroft.core import drawing
from undercroft.core.level import Level
from undercroft.core.palette import DOOR_ROLES, STANDARD, Palette, Tile
from undercroft.core.region import REGION_DTYPE, REGION_KINDS, Regions
from undercroft.core.stairs import clear_stairs
from undercroft.errors import BadInput, Place

LEGEND = (("empty", "wall", " "), ("room", "floor", "x"), ("cell", "floor", "+"), ("corridor", "corridor", "#"))
"""Name, role and sign of each tile."""
PALETTE = Palette(
    (Tile(name, role, sign, sign, "#888888", role != "wall", role == "wall") for name, role, sign in LEGEND), "tinykeep"
)
EMPTY, ROOM, CELL, CORRIDOR = range(4)
LEGEND_TEXT = "  ".join(f"{sign!r} {name}" for name, _, sign in LEGEND)


def dump(level: Level) -> bytes:
    """The level as rooms, cells and corridors. Doors count as corridor, and stairs as the ground around them.

    >>> print(dump(Level.parse("#1+,.#")).decode(), end="")
     x##x
    """
    codes = np.zeros(256, np.uint8)
    codes[level.palette.walkable] = ROOM
    codes[level.palette.role_mask("corridor", *DOOR_ROLES)] = CORRIDOR
    page = codes[clear_stairs(level.tiles, level.palette, level.regions)]
    is_cell = np.append(False, level.regions.table["kind"] == REGION_KINDS.index("cell"))
    page[is_cell[level.regions.labels] & (page == ROOM)] = CELL
    return f"{drawing.format_tiles(page, PALETTE)}\n".encode()


def load(data: bytes, file: str) -> Level:
    """The level in a drawing, with its rooms, cells and corridors as regions. Short lines end in blanks.

    >>> level = load(b" x#++", "keep.txt")
    >>> print(level)
    #.,..
    >>> [region.kind for region in level.regions]
    ['room', 'corridor', 'cell']
    """
    # bytes that are not text are not in the legend either
    text = data.removeprefix(codecs.BOM_UTF8).decode(errors="replace")
    page, digits = drawing.parse_tiles(text, PALETTE, file=file)
    if digits.any():  # digits mark regions in other drawings
        y, x = divmod(int((digits > 0).argmax()), digits.shape[1])
        raise BadInput(
            f"unknown glyph '{digits[y, x]}'",
            place=Place(file, y + 1, x + 1, text.split("\n")[y]),
            fix=f"draw with {LEGEND_TEXT}",
        )
    found, count = reach.label_components(page)
    boxes = reach.find_label_boxes(found, page, count)
    table = np.zeros(count, REGION_DTYPE)
    table["kind"] = np.array([0, *(REGION_KINDS.index(kind) for kind in ("room", "cell", "corridor"))])[boxes[:, 5]]
    table["x"], table["y"], table["area"] = boxes[:, 0], boxes[:, 1], boxes[:, 4]
    table["width"], table["height"] = (boxes[:, 2:4] - boxes[:, :2] + 1).T
    tiles = np.array([STANDARD.role(role) for _, role, _ in LEGEND], np.uint8)[page]
    return Level(tiles, regions=Regions(found, table))
