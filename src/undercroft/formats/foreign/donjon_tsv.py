"""Read maps of donjon's dungeon generator, from the tab-separated table that it offers: `F` ground, empty for rock,
and codes for doors and stairs.
"""

from __future__ import annotations

import codecs
import re

import numpy as np
from numpy.typing import NDArray

from undercroft import limits
from undercroft.analysis.survey import surveyed
from undercroft.core.level import Level
from undercroft.core.palette import STANDARD
from undercroft.core.region import Thing
from undercroft.core.stairs import find_ends
from undercroft.errors import BadInput, Place
from undercroft.inputs.lines import decode_utf8

CODE_ROLES = {
    "": "wall",
    "F": "floor",
    "D": "door",
    "DP": "locked",
    "DS": "secret",
    "SU": "entry",
    "SUU": "entry",
    "SD": "exit",
    "SDD": "exit",
}
"""The role of each code; door codes are followed by the side of the door: L, R, T or B."""
CODE_PATTERN = re.compile(r"(?P<door>D[PS]?)[LRTB]|F|SUU?|SDD?|")
FIX = "the codes are F, DL DR DT DB (doors), DP. (portcullis), DS. (secret), SU SUU SD SDD (stairs)"


def load(data: bytes, file: str) -> Level:
    """The level in a table. Stairs are two cells long: the last one is the tile, the one before it is ground.

    >>> print(load(b"\\t\\t\\t\\t\\n\\tF\\tDR\\tF\\t\\n", "crypt.tsv"))
    #####
    #.+.#
    """
    # before a text is made for each
    limits.FOREIGN_CELLS.check(data.count(b"\t") + data.count(b"\n"), f"{file}: the number of cells of the table")
    rows = [line.split("\t") for line in _decode_lines(data, file)]
    width = max(map(len, rows), default=0)
    limits.FOREIGN_CELLS.check(width * len(rows), f"{file}: the number of cells of {width}x{len(rows)}")
    known: dict[str, str] = {}
    for y, row in enumerate(rows):
        for x, word in enumerate(row):
            if word not in known:
                found = CODE_PATTERN.fullmatch(word.strip())
                if not found:
                    column = sum(len(cell) + 1 for cell in row[:x]) + 1
                    raise BadInput(
                        f"unknown code {word[:20]!r}", place=Place(file, y + 1, column, "\t".join(row)), fix=FIX
                    )
                known[word] = found["door"] or found[0]
    names = np.array([[known[word] for word in row] + [""] * (width - len(row)) for row in rows])
    if not names.size or not (names != "").any():
        raise BadInput("there is no ground in this table", place=Place(file, 1, 1), fix=FIX)
    tiles = np.zeros(names.shape, np.uint8)
    for word, role in CODE_ROLES.items():
        tiles[names == word] = STANDARD.role(role)
    for near, far in (("SU", "SUU"), ("SD", "SDD")):
        tiles[(names == near) & _neighbour_mask(names == far)] = STANDARD.role("corridor")
    things = [Thing("portcullis", x, y) for y, x in np.argwhere(names == "DP").tolist()]
    start, end = find_ends(tiles, STANDARD)
    return surveyed(Level(tiles, things=things, start=start, end=end, provenance={"program": "donjon"}))


def _decode_lines(data: bytes, file: str) -> list[str]:
    data = data.removeprefix(codecs.BOM_UTF8).rstrip(b"\r\n")
    text = decode_utf8(data, file, "name the table that donjon offers as text")
    return [line.rstrip("\r") for line in text.split("\n")]


def _neighbour_mask(cells: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The cells with one of these as a neighbour."""
    near = np.zeros(cells.shape, bool)
    near[1:] |= cells[:-1]
    near[:-1] |= cells[1:]
    near[:, 1:] |= cells[:, :-1]
    near[:, :-1] |= cells[:, 1:]
    return near
