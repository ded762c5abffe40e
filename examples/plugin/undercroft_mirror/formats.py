"""A format: plain bitmaps, 1 where one cannot walk."""

from __future__ import annotations

import numpy as np

from undercroft import STANDARD, BadInput, Level, Place, limits
from undercroft.formats.table import Format

FIX = "write P1, width and height, and then 0 or 1 for each cell"


def dump(level: Level) -> bytes:
    """The level as a bitmap.

    >>> dump(Level.parse("#.#"))
    b'P1\\n3 1\\n1 0 1\\n'
    """
    rows = "".join(f"{' '.join(map(str, row))}\n" for row in (1 - level.walkable).tolist())
    return f"P1\n{level.width} {level.height}\n{rows}".encode()


def load(data: bytes, file: str) -> Level:
    """The level of a bitmap. Files of others are checked before anything is made from them.

    >>> print(load(b"P1\\n3 1\\n1 0 1\\n", "a.pbm"))
    #.#
    """
    words = data.split()
    if len(words) < 3 or words[0] != b"P1" or not all(word.isdigit() and len(word) < 10 for word in words[1:]):
        raise BadInput("this is no plain bitmap", place=Place(file, 1, 1), fix=FIX)
    width, height = int(words[1]), int(words[2])
    limits.CELLS.check(width * height, f"{file}: its number of cells")
    if not width * height or len(words) != 3 + width * height or {*words[3:]} - {b"0", b"1"}:
        raise BadInput(f"{width}x{height} cells are named, and others given", place=Place(file, 3, 1), fix=FIX)
    codes = np.where(np.array(words[3:]) == b"1", STANDARD.role("wall"), STANDARD.role("floor"))
    return Level(codes.astype(np.uint8).reshape(height, width))


PBM = Format("pbm", (".pbm",), "a plain bitmap: 1 where one cannot walk", dump, load, roles=("floor",))
