"""Check that a drawn room can be placed on a map: closed all round, in one piece, with sockets that lead in."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis import reach
from undercroft.core.palette import Palette
from undercroft.core.ports import SIDES
from undercroft.errors import BadInput, Place
from undercroft.templates.template import OUTSIDE, Socket

SIDE_STEPS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}

Where = Callable[[int, int], Place]
"""Returns the place in a text where the cell (x, y) is drawn."""


class SocketSign(NamedTuple):
    """A sign for a socket: the name of its kind, and the tile it becomes."""

    kind: str
    tile: int


def check_outline(tiles: NDArray[np.uint8], palette: Palette, where: Where) -> None:
    """Refuse a drawing that is open, in several parts, or without ground."""
    part = tiles != OUTSIDE
    body = part & ~palette.rock[tiles]
    around = np.pad(~part, 1, constant_values=True)
    height, width = tiles.shape
    open_cells = np.zeros_like(part)
    for dy in range(3):
        for dx in range(3):
            open_cells |= body & around[dy : dy + height, dx : dx + width]
    if open_cells.any():
        raise BadInput(
            "the room is open here",
            place=where(*_first_cell(open_cells)),
            fix="draw wall (#) all round it, at its corners too",
        )
    walkable = palette.walkable[tiles]
    labels, count = reach.label_components(walkable.view(np.uint8))
    if count == 0:
        raise BadInput("a room without a cell to stand on", place=where(*_first_cell(part)), fix="draw some floor (.)")
    if count > 1:
        raise BadInput(
            "this part cannot be reached from the rest of the room",
            place=where(*_first_cell(labels == 2)),
            fix="leave a way to it, or draw two rooms",
        )


def find_sockets(
    tiles: NDArray[np.uint8], marks: dict[tuple[int, int], SocketSign], palette: Palette, where: Where
) -> tuple[Socket, ...]:
    """The sockets of a drawing, in reading order of their first cells. Its marked cells hold wall."""
    around = np.pad(tiles, 1, constant_values=OUTSIDE)
    rock = palette.rock.copy()
    rock[OUTSIDE] = False
    found: list[Socket] = []
    done: set[tuple[int, int]] = set()
    for x, y in sorted(marks, key=lambda cell: cell[::-1]):
        if (x, y) in done:
            continue
        mark = marks[x, y]
        side = _find_side(around, palette, x, y, where)
        across, down = (0, 1) if side in "EW" else (1, 0)
        width = 0
        while marks.get((x + width * across, y + width * down)) == mark:
            cell = x + width * across, y + width * down
            if _find_side(around, palette, *cell, where) != side:
                break
            done.add(cell)
            width += 1
        for cell in ((x - across, y - down), (x + width * across, y + width * down)):
            if cell in marks or not rock[around[cell[1] + 1, cell[0] + 1]]:
                at = (x, y) if cell[0] < x or cell[1] < y else (x + (width - 1) * across, y + (width - 1) * down)
                raise BadInput(
                    "a socket needs wall at both its ends",
                    place=where(*at),
                    fix="put wall (#) there, or move the socket",
                )
        found.append(Socket(x, y, side, width, *mark))
    return tuple(found)


def _find_side(around: NDArray[np.uint8], palette: Palette, x: int, y: int, where: Where) -> str:
    """The side that a socket's cell faces: outside is in front of it, and ground behind it."""
    outer = [side for side in SIDES if around[y + 1 + SIDE_STEPS[side][1], x + 1 + SIDE_STEPS[side][0]] == OUTSIDE]
    facing = [
        side for side in outer if palette.walkable[around[y + 1 - SIDE_STEPS[side][1], x + 1 - SIDE_STEPS[side][0]]]
    ]
    if len(facing) == 1:
        return facing[0]
    if not outer:
        raise BadInput(
            "a door inside a room",
            place=where(x, y),
            fix="sockets stand in the outline; inside leave floor, or draw two rooms",
        )
    if not facing:
        raise BadInput("this socket leads into no floor", place=where(x, y), fix="put floor (.) right behind it")
    raise BadInput(
        "it is not clear which side this socket faces", place=where(x, y), fix="put wall (#) at both its ends"
    )


def _first_cell(cells: NDArray[np.bool_]) -> tuple[int, int]:
    """The first such cell (x, y) in reading order."""
    y, x = divmod(int(np.argmax(cells)), cells.shape[1])
    return x, y
