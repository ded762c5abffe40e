"""Tiles as small squares of pixels: every look that a cell of an animation can have, drawn once, and the table of their colours."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from undercroft.core.palette import Tile
from undercroft.draw.boxes import EAST, NORTH, SOUTH, WEST, near
from undercroft.draw.colour import blend, rgb

GROUND = "#0d0f16"
WARM = "#ff9326"
"""The colour in which new cells glow."""
GLOW = 0.8
"""How much of it is in a cell that has just changed."""
BURIED = 0.7
"""How far the rock behind walls is sunk into the ground."""
EDGE = 0.2
"""How much darker the lines between cells and the shadows below walls are."""
FINE = 6
"""Pixels a cell below which there are no such lines."""
COLOURS = 255
"""A frame is a byte a pixel, and one value is left for 'as it was'."""

PLAIN, SHADED, SUNK = 0, 1, 2
_ARMS = {"UP": NORTH, "DOWN": SOUTH, "LEFT": WEST, "RIGHT": EAST, "HORIZONTAL": EAST | WEST, "VERTICAL": NORTH | SOUTH}


class Sprites:
    """The looks of some tiles, `cell` pixels wide. What changed glows for `glow` frames; for fewer, or not at all, if the tiles need too many colours.

    `looks` numbers the cells of a map by how they look, `drawn` turns these numbers into pixels: places in the `table` of colours.
    """

    def __init__(self, tiles: Sequence[Tile], cell: int, glow: int) -> None:
        self.cell = cell
        self._rock = np.array([_rock(tile) for tile in tiles])
        thrift = [(fewer, cell >= FINE, True) for fewer in range(glow, -1, -1)] + [(0, False, True), (0, False, False)]
        for self.glow, lines, sunk in thrift:  # the first that needs few enough colours is taken
            squares = _squares(tiles, cell, self.glow, lines=lines, sunk=sunk).reshape(-1, 3).astype(np.uint32)
            packed = np.append(squares @ np.array([1 << 16, 1 << 8, 1], np.uint32), np.uint32(int(GROUND[1:], 16)))
            table, places = np.unique(packed, return_inverse=True)
            if len(table) <= COLOURS:
                break
        self.table: NDArray[np.uint8] = np.stack([table >> 16, table >> 8 & 255, table & 255], axis=1).astype(np.uint8)
        indexes: NDArray[np.uint8] = places.reshape(-1).astype(np.uint8)
        self.ground = int(indexes[-1])
        """The place of the colour around the map."""
        self._squares: NDArray[np.uint8] = indexes[:-1].reshape(-1, cell, cell)

    def looks(self, numbers: NDArray[np.uint16], age: NDArray[np.uint8]) -> NDArray[np.int32]:
        """How each cell looks. `numbers` says which tile it is, `age` how many frames ago it changed."""
        open_cells = ~self._rock[numbers]
        kind = np.where(near(open_cells), PLAIN, SUNK).astype(np.int32)
        kind[1:][open_cells[1:] & ~open_cells[:-1]] = SHADED
        return (numbers * np.int32(3) + kind) * np.int32(self.glow + 1) + np.minimum(age, self.glow)

    def drawn(self, looks: NDArray[np.int32]) -> NDArray[np.uint8]:
        """The pixels."""
        height, width = looks.shape
        return self._squares[looks].transpose(0, 2, 1, 3).reshape(height * self.cell, width * self.cell)


def _rock(tile: Tile) -> bool:
    return tile.role in {"wall", "void"}


def _squares(tiles: Sequence[Tile], cell: int, glow: int, *, lines: bool, sunk: bool) -> NDArray[np.uint8]:
    """The pixels of each tile (plain, in the shadow of a wall, deep in the rock), for each frame after a change."""
    out = np.empty((len(tiles), 3, glow + 1, cell, cell, 3), np.uint8)
    ground = np.array(rgb(GROUND), np.uint8)
    for number, tile in enumerate(tiles):
        colour = np.array(rgb(tile.colour), np.uint8)
        arms = _arms(tile.face) if lines and not _rock(tile) else 0
        for age in range(glow + 1):
            warm = blend(colour, rgb(WARM), GLOW * ((glow - age) / glow) ** 1.5) if age < glow else colour
            for square in out[number, :, age]:
                square[:] = ground if arms else warm
                if arms:
                    _pipe(square, arms, warm)
            if lines and not arms and not _rock(tile):
                edge = blend(warm, rgb(GROUND), EDGE)
                out[number, :, age, -1] = out[number, :, age, :, -1] = edge
                out[number, SHADED, age, : cell // 4] = edge
        if _rock(tile):  # what happens deep in the rock is nobody's business
            out[number, SUNK] = blend(colour, rgb(GROUND), BURIED) if sunk and tile.role == "wall" else colour
    return out


def _pipe(square: NDArray[np.uint8], arms: int, colour: NDArray[np.uint8]) -> None:
    """A passage from the middle to some sides."""
    low, high = len(square) // 4, len(square) - len(square) // 4
    square[low:high, low:high] = colour
    for arm, part in ((NORTH, np.s_[:low, low:high]), (SOUTH, np.s_[high:, low:high]), (WEST, np.s_[low:high, :low]), (EAST, np.s_[low:high, high:])):
        if arms & arm:
            square[part] = colour


def _arms(face: str) -> int:
    """The sides that a box-drawing sign reaches.

    >>> _arms("╔") == EAST | SOUTH, _arms("─") == EAST | WEST, _arms("+")
    (True, True, 0)
    """
    words = unicodedata.name(face, "").split()
    return sum(_ARMS.get(word, 0) for word in words) if words[:2] == ["BOX", "DRAWINGS"] else 0
