"""Marks in a layout: signs that scale with their partition, and become sockets and slots in the room."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.core.palette import DOOR_ROLES, Palette
from undercroft.core.ports import SIDES
from undercroft.templates.outline import SIDE_STEPS
from undercroft.templates.template import OUTSIDE, Slot, Socket


class LayoutMark(NamedTuple):
    """A slot, or a socket with its own kind; a plain door in a layout is a socket too."""

    what: Literal["slot", "socket"]
    kind: str
    tile: int
    """The tile under a slot, or the tile that a used socket becomes."""


def extract_marks(
    tiles: NDArray[np.uint8], palette: Palette, marks: Sequence[LayoutMark]
) -> tuple[tuple[Socket, ...], tuple[Slot, ...]]:
    """Extract the sockets and slots of a room, and replace them in its tiles by walls and floors.

    A socket that does not lead from outside into the room, because of other tiles in front of it or behind it, becomes
    wall.
    """
    special = palette.role_mask(*DOOR_ROLES)[tiles]
    special |= (tiles >= len(palette)) & (tiles != OUTSIDE)
    cells = list(zip(*(axis.tolist() for axis in np.nonzero(special)), tiles[special].tolist(), strict=True))
    slots: list[Slot] = []
    doors: dict[tuple[int, int], tuple[str, int]] = {}
    wall = palette.role("wall")
    for y, x, code in cells:
        mark = marks[code - len(palette)] if code >= len(palette) else LayoutMark("socket", "", code)
        if mark.what == "slot":
            slots.append(Slot(mark.kind, x, y))
            tiles[y, x] = mark.tile
        else:
            doors[x, y] = mark.kind, mark.tile
            tiles[y, x] = wall
    return _find_sockets(tiles, palette, doors) if doors else (), tuple(slots)


def _find_sockets(
    tiles: NDArray[np.uint8], palette: Palette, doors: dict[tuple[int, int], tuple[str, int]]
) -> tuple[Socket, ...]:
    """The sockets of some cells in reading order; adjacent cells form one socket."""
    sides = {cell: side for cell in doors if (side := _find_side(tiles, palette, *cell))}
    found: list[Socket] = []
    for (x, y), side in sides.items():
        across, down = (0, 1) if side in "EW" else (1, 0)
        meant = side, doors[x, y]

        def is_same_socket(cell: tuple[int, int], meant: tuple[str, tuple[str, int]] = meant) -> bool:
            return cell in sides and (sides[cell], doors[cell]) == meant

        if is_same_socket((x - across, y - down)):
            continue
        width = 1
        while is_same_socket((x + width * across, y + width * down)):
            width += 1
        found.append(Socket(x, y, side, width, *doors[x, y]))
    return tuple(found)


def _find_side(tiles: NDArray[np.uint8], palette: Palette, x: int, y: int) -> str:
    """The only side that a socket's cell faces, with outside in front of it and ground behind it; else empty."""
    height, width = tiles.shape

    def tile_at(x: int, y: int) -> int:
        return tiles.item(y, x) if 0 <= x < width and 0 <= y < height else OUTSIDE

    facing = ""
    for side in SIDES:
        dx, dy = SIDE_STEPS[side]
        behind = tile_at(x - dx, y - dy)
        if tile_at(x + dx, y + dy) == OUTSIDE and behind != OUTSIDE and palette.walkable[behind]:
            facing += side
    return facing if len(facing) == 1 else ""
