"""Find faults in the rooms of a layout, at every size from the smallest on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis import reach
from undercroft.core.palette import DOOR_ROLES
from undercroft.templates.layouts.arguments import Size
from undercroft.templates.layouts.layout import Layout
from undercroft.templates.template import OUTSIDE, Template

FAULTS = {
    "open": ("the room is open", "draw wall all round the floor, and let it scale along", "!"),
    "parts": ("the floor is in several parts", "let the floor between them scale along", "!"),
    "empty": ("there is no cell to stand on", "paint the floor after the walls", "!"),
    "stray": ("a wall bounds no floor", "put it into a partition that moves or is painted over, or leave it out", "?"),
    "socket": ("a socket leads nowhere at this size", "keep its partition in the outline, with floor behind it", "?"),
}
"""The kinds of faults, worst first: meaning, fix, and sign in the table of sizes."""


class RoomFault(NamedTuple):
    """A fault of the room of one size; `picture` shows its cells as X."""

    kind: str
    size: Size
    cells: int
    picture: str


class SizeTable(NamedTuple):
    """The rooms of a layout at every size from the smallest on, and their faults."""

    smallest: Size
    reached: NDArray[np.bool_]
    """Whether there is a room, as [height - smallest height, width - smallest width]."""
    faults: tuple[RoomFault, ...]

    def first_fault(self, kind: str) -> RoomFault | None:
        """The smallest room with that fault."""
        return min(
            (fault for fault in self.faults if fault.kind == kind),
            key=lambda fault: (fault.size[0] * fault.size[1], fault.size),
            default=None,
        )

    def __str__(self) -> str:
        """A table: a dot for a good room, a dash for none, ! and ? for faults."""
        signs = {
            fault.size: FAULTS[fault.kind][2]
            for fault in sorted(self.faults, key=lambda fault: -list(FAULTS).index(fault.kind))
        }
        widths = [self.smallest[0] + more for more in range(self.reached.shape[1])]
        rows = ["       width" + "".join(f"{width:4}" for width in widths)]
        for more, row in enumerate(self.reached.tolist()):
            height = self.smallest[1] + more
            cells = [
                signs.get((width, height), ".") if there else "-" for width, there in zip(widths, row, strict=True)
            ]
            rows.append(f"height {height:5}" + "".join(f"{sign:>4}" for sign in cells))
        return "\n".join(rows)


def survey_sizes(layout: Layout, more: int = 8) -> SizeTable:
    """Try every size from the smallest to `more` larger, both ways.

    >>> from undercroft.templates.layouts.drawn_text import parse
    >>> print(survey_sizes(parse('''
    ... scale  f = floor, right by 2, down by 1
    ... scale  w = walls, right by 2
    ...
    ...     ###  |  www
    ...     #.#  |  wfw
    ...     ###  |  www
    ... ''', "odd.layout"), more=2))
           width   3   4   5
    height     3   .   -   .
    height     4   !   -   !
    height     5   !   -   !
    """
    wide, high = layout.smallest
    reached = np.zeros((more + 1, more + 1), bool)
    faults: list[RoomFault] = []
    for height in range(high, high + more + 1):
        for width in range(wide, wide + more + 1):
            if isinstance(layout.fits((width, height)), str):
                continue
            reached[height - high, width - wide] = True
            room = layout.room((width, height))
            faults += [
                RoomFault(kind, (width, height), int(cells.sum()), _mark_cells(room, cells))
                for kind, cells in find_faults(room, layout)
            ]
    return SizeTable((wide, high), reached, tuple(faults))


def find_faults(room: Template, layout: Layout) -> Iterator[tuple[str, NDArray[np.bool_]]]:
    """The faults of a room, and their cells."""
    tiles, palette = room.tiles, room.palette
    part = tiles != OUTSIDE
    body = part & ~palette.rock[tiles]
    loose = body & _dilate(~part, beyond=True)
    if loose.any():
        yield "open", loose
    labels, count = reach.label_components(np.ascontiguousarray(palette.walkable[tiles] & part).view(np.uint8))
    if count > 1:
        sizes = np.bincount(labels.reshape(-1))
        sizes[0] = 0
        yield "parts", (labels > 0) & (labels != int(np.argmax(sizes)))
    if count == 0:
        yield "empty", part
    idle = part & ~body & ~_dilate(body)
    # the face of a thick wall has one side outside, and is no fault
    stray = idle & (_count_outer_sides(~part) > 1) & ~_thick_corners(part & ~body, idle)
    if stray.any():
        yield "stray", stray
    missing = _lost_sockets(room, layout)
    if missing.any():
        yield "socket", missing


def _lost_sockets(room: Template, layout: Layout) -> NDArray[np.bool_]:
    """A mask of the whole room if its layout has sockets and the room none; else empty."""
    lost = np.zeros(room.tiles.shape, bool)
    if has_sockets(layout) and not room.sockets:
        lost[:] = room.tiles != OUTSIDE
    return lost


def has_sockets(layout: Layout) -> bool:
    """Whether a layout has doors or sockets."""
    codes = {
        code
        for number in (-1, -2, *range(len(layout.partitions)))
        for code in np.unique(layout.part(number).tiles).tolist()
    } - {OUTSIDE}
    first = len(layout.palette)
    return any(
        layout.marks[code - first].what == "socket" if code >= first else layout.palette.roles[code] in DOOR_ROLES
        for code in codes
    )


def _dilate(cells: NDArray[np.bool_], *, beyond: bool = False) -> NDArray[np.bool_]:
    """The cells with one of these beside them or at a corner; `beyond` is the value outside the grid."""
    around = np.pad(cells, 1, constant_values=beyond)
    height, width = cells.shape
    near = np.zeros_like(cells)
    for dy in range(3):
        for dx in range(3):
            near |= around[dy : dy + height, dx : dx + width]
    return near


def _thick_corners(rock: NDArray[np.bool_], idle: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Corners of thick walls: cells in a square of four, all of them rock and two or more of them idle."""
    found = np.zeros_like(rock)
    square = rock[1:, 1:] & rock[1:, :-1] & rock[:-1, 1:] & rock[:-1, :-1]
    square &= idle[1:, 1:].astype(int) + idle[1:, :-1] + idle[:-1, 1:] + idle[:-1, :-1] > 1
    found[1:, 1:] |= square
    found[1:, :-1] |= square
    found[:-1, 1:] |= square
    found[:-1, :-1] |= square
    return found


def _count_outer_sides(outside: NDArray[np.bool_]) -> NDArray[np.int_]:
    """For each cell the number of its four neighbours that are outside or beyond the grid."""
    around = np.pad(outside, 1, constant_values=True).astype(int)
    count: NDArray[np.int_] = around[:-2, 1:-1] + around[2:, 1:-1] + around[1:-1, :-2] + around[1:-1, 2:]
    return count


def _mark_cells(room: Template, cells: NDArray[np.bool_]) -> str:
    """The room as text, with those cells as X."""
    rows = []
    for row, marks in zip(str(room).split("\n"), cells.tolist(), strict=True):
        rows.append(
            "".join("X" if mark else sign for sign, mark in zip(row.ljust(room.width), marks, strict=True)).rstrip()
        )
    return "\n".join(rows)
