"""Read and write room grids as text: one digit per cell, row by row; 0 empty, 1 room, 2 start, 3 end."""

from __future__ import annotations

import codecs
import re

import numpy as np
from numpy.typing import NDArray

from undercroft import limits
from undercroft.analysis.room_grids import END, ROOM_GRID_PALETTE, START, encode_room_grid, plan_room_grid
from undercroft.core.level import Level, Point
from undercroft.errors import BadInput, Place

UNKNOWN_BYTE_PATTERN = re.compile(rb"[^0-3\[\], \t\r\n]")
FIX = "draw with 0 empty, 1 room, 2 start and 3 end; brackets, commas and blanks do not count"


def dump(level: Level) -> bytes:
    """The level as digits: 1 for walkable cells, and its start and end.

    >>> print(dump(Level.parse("#<.>")).decode(), end="")
    0213
    """
    grid = encode_room_grid(level)
    page = np.full((level.height, level.width + 1), ord("\n"), np.uint8)
    page[:, :-1] = grid + ord("0")
    return page.tobytes()


def load(data: bytes, file: str) -> Level:
    """The room grid in rows of digits. Brackets, commas and blanks are ignored, so that a matrix printed by a program
    can be read as it is.

    >>> print(load(b"[[0, 2, 0], [1, 1, 1], [0, 3, 0]]", "grid.txt"))
    020
    111
    030
    """
    data = data.removeprefix(codecs.BOM_UTF8)
    strange = UNKNOWN_BYTE_PATTERN.search(data)
    if strange:
        raise BadInput(
            f"unknown code {_decode_sign(data, strange.start())!r}",
            place=_byte_place(data, strange.start(), file),
            fix=FIX,
        )
    signs = np.frombuffer(b"\n" + data.translate(None, b"[, \t\r") + b"\n", np.uint8)
    is_code = (signs != ord("\n")) & (signs != ord("]"))
    edges = np.flatnonzero(np.diff(is_code))
    starts, widths = edges[::2] + 1, np.diff(edges)[::2]
    if not len(widths):
        raise BadInput("a room grid has at least one cell", place=Place(file, 1, 1), fix=FIX)
    limits.SIDE.check(max(len(widths), int(widths[0])), f"{file}: its longer side")
    limits.CELLS.check(int(widths.sum()), f"{file}: its number of cells")
    if (widths != widths[0]).any():
        odd = int((widths != widths[0]).argmax())
        line = int(np.count_nonzero(signs[: starts[odd]] == ord("\n")))
        place = Place(file, line, 1, _decode_line(data.split(b"\n", line)[line - 1]))
        raise BadInput(
            f"this row has {widths[odd]:,} cells, the first has {widths[0]:,}",
            place=place,
            fix="give all rows as many cells",
        )
    tiles = (signs[is_code] - np.uint8(ord("0"))).reshape(len(widths), -1)
    start, end = (
        _find_only_cell(tiles == code, f"a {code} ({name})", file) for code, name in ((START, "start"), (END, "end"))
    )
    found = plan_room_grid(tiles > 0)
    return Level(
        tiles,
        ROOM_GRID_PALETTE,
        regions=found.regions,
        links=found.links,
        start=start,
        end=end,
        layers={"doors": found.doors},
    )


def _find_only_cell(here: NDArray[np.bool_], what: str, file: str) -> Point | None:
    """The only cell of a mask, or None; an error if there are several."""
    if not here.any():
        return None
    y, x = divmod(int(here.argmax()), here.shape[1])
    if np.count_nonzero(here) > 1:
        here[y, x] = False
        second = divmod(int(here.argmax()), here.shape[1])
        raise BadInput(
            f"{file}: {what} stands both at ({x}, {y}) and at ({second[1]}, {second[0]})", fix="keep one of them"
        )
    return x, y


def _byte_place(data: bytes, at: int, file: str) -> Place:
    """The place of a byte in the text."""
    begin = data.rfind(b"\n", 0, at) + 1
    end = data.find(b"\n", at)
    return Place(
        file,
        data.count(b"\n", 0, at) + 1,
        len(_decode_line(data[begin:at])) + 1,
        _decode_line(data[begin : end if end >= 0 else len(data)]),
    )


def _decode_sign(data: bytes, at: int) -> str:
    return data[at : at + 4].decode("utf-8", "replace")[0]


def _decode_line(line: bytes) -> str:
    return line.decode("utf-8", "replace").rstrip("\r")
