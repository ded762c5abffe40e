"""The pieces of tilesets: the neighbours that each needs, and which pieces are the same sprite, turned or mirrored.

A mask holds which of the eight neighbours of a cell join with it. Its bits go clockwise from the north:

    128   1   2
     64   #   4
     32  16   8
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from undercroft.errors import unknown_name_error

NEIGHBOURS = ("n", "ne", "e", "se", "s", "sw", "w", "nw")
"""The neighbours, in the order of their bits in a mask."""
SIDE_BITS = 0b01010101
ALL_BITS = 255
GROUND, SOLID, EDGE, CORNER, INNER, STRAIGHT, BEND, END, TEE, CROSS, PILLAR = 0, 1, 2, 6, 10, 14, 16, 20, 24, 28, 29
"""The first piece of each family of walls."""


@dataclass(frozen=True, slots=True)
class AutotilePiece:
    """One picture of a tileset: its number in its kind, and the masks of its cells."""

    index: int
    name: str
    sign: str
    """The character that shows it in text."""
    masks: tuple[int, ...]
    """All masks that lead to it, the simplest first: the one in which only the required neighbours join."""
    sprite: int
    """The picture to draw it with, if pictures may be turned and mirrored: first mirror it left to right if `mirror` is
    set, then turn it clockwise.
    """
    rotation: int
    """Quarter turns."""
    mirror: bool

    @property
    def mask(self) -> int:
        """The simplest of its masks."""
        return self.masks[0] if self.masks else 0

    @property
    def wants(self) -> tuple[bool | None, ...]:
        """For each neighbour, clockwise from the north, whether it joins: True, False, or None if it does not
        matter.
        """
        every, some = (ALL_BITS, 0) if self.masks else (0, ALL_BITS)
        for mask in self.masks:
            every &= mask
            some |= mask
        return tuple(True if every >> bit & 1 else None if some >> bit & 1 else False for bit in range(8))


@dataclass(frozen=True, slots=True, eq=False)
class TilingTables:
    """The lookup tables of a kind of tiling."""

    pieces: tuple[AutotilePiece, ...]
    table: NDArray[np.uint8]
    """The piece of each of 256 masks."""
    sprites: NDArray[np.uint8]
    """The sprite of each piece."""
    turns: NDArray[np.uint8]
    """[piece * 8 + a random number from 0 to 7]: the position of the sprite as quarter turns, and 4 if it is mirrored.
    All positions that give the piece are equally frequent.
    """


def pieces(kind: str) -> tuple[AutotilePiece, ...]:
    """All pieces of a kind, by number.

    >>> [piece.mask for piece in pieces("blob")][:12], len(pieces("blob"))
    ([0, 1, 4, 5, 7, 16, 17, 20, 21, 23, 28, 29], 47)
    >>> pieces("walls")[2].name, pieces("walls")[2].wants
    ('edge n', (True, True, True, None, False, None, True, True))
    """
    return build_tables(kind).pieces


@cache
def build_tables(kind: str) -> TilingTables:
    """The tables of a kind."""
    if kind not in TILING_KINDS:
        raise unknown_name_error("kind of tiling", kind, TILING_KINDS)
    number, names, signs = TILING_KINDS[kind]
    table = np.array([number(mask) for mask in range(256)], np.uint8)
    masks = [tuple(sorted(np.flatnonzero(table == index).tolist(), key=_plainness)) for index in range(len(names))]
    # for each piece all sprites and positions that look right
    ways: list[list[tuple[int, int]]] = [[] for _ in names]
    sprite = 0
    for index, its_masks in enumerate(masks):
        if not ways[index]:  # no earlier piece looks like this one in any position
            for way in range(8):
                ways[number(turned(its_masks[0], way)) if its_masks else index].append((sprite, way))
            sprite += 1
    return TilingTables(
        tuple(
            AutotilePiece(index, names[index], signs[index], masks[index], *_decode_way(*ways[index][0]))
            for index in range(len(names))
        ),
        table,
        np.array([its_ways[0][0] for its_ways in ways], np.uint8),
        np.array([its_ways[throw % len(its_ways)][1] for its_ways in ways for throw in range(8)], np.uint8),
    )


def reduced(mask: int) -> int:
    """The mask without corners that do not matter: those not between two sides that join.

    >>> reduced(0b11111011) == 0b11110001
    True
    """
    for corner in (1, 3, 5, 7):
        if not mask >> corner - 1 & 1 or not mask >> (corner + 1) % 8 & 1:
            mask &= ~(1 << corner)
    return mask


def turned(mask: int, way: int) -> int:
    """The mask of a map that is mirrored left to right (if `way` includes 4) and then turned clockwise by quarters."""
    if way & 4:
        mask = sum((mask >> bit & 1) << -bit % 8 for bit in range(8))
    by = 2 * (way & 3)
    return (mask << by | mask >> 8 - by) & ALL_BITS


def _decode_way(sprite: int, way: int) -> tuple[int, int, bool]:
    return sprite, way & 3, way >= 4


def _plainness(mask: int) -> tuple[int, int]:
    return mask.bit_count(), mask


def _edge_piece(mask: int) -> int:
    """The sides that join, as four bits."""
    return sum((mask >> 2 * side & 1) << side for side in range(4))


def _corner_piece(mask: int) -> int:
    """The corners that join, as four bits."""
    return _edge_piece(mask >> 1)


def _blob_piece(mask: int) -> int:
    """The index among the distinct masks."""
    return BLOB_MASKS.index(reduced(mask))


def _wall_piece(mask: int) -> int:
    """The family and direction of a wall.

    Its arms lead to the neighbouring walls along the ground: those with ground on one side of the step, or on both.
    """
    joined = [bool(mask >> bit & 1) for bit in range(8)]
    arms = [joined[side] and not all(joined[(side + beside) % 8] for beside in (-2, -1, 1, 2)) for side in (0, 2, 4, 6)]
    first = arms.index(True) if any(arms) else 0
    match sum(arms):
        case 0:
            return SOLID if mask == ALL_BITS else PILLAR
        case 1:
            return END + (first + 2) % 4
        case 2 if arms[(first + 2) % 4]:  # a line: the wall is opposite to the ground
            grounds = [side for side in range(4) if not joined[2 * side]]
            return STRAIGHT + first if len(grounds) == 2 else EDGE + (grounds[0] + 2) % 4
        case 2:  # named by its position in a frame: arms to the east and the south make the corner nw
            start = 3 if arms[0] and arms[3] else first
            within = not joined[2 * start + 1]
            family = CORNER if joined[(2 * start - 2) % 8] else BEND if within else INNER
            return family + (start + 2) % 4
        case 3:
            return TEE + (arms.index(False) + 2) % 4
    return CROSS


def _mask_names(masks: list[int]) -> list[str]:
    """The names of masks."""
    return [" ".join(name for bit, name in enumerate(NEIGHBOURS) if mask >> bit & 1) or "alone" for mask in masks]


BLOB_MASKS = sorted({reduced(mask) for mask in range(256)})
"""The 47 distinct masks, in order. A piece's number is its index here."""
_CLOCKWISE = [["n", "e", "s", "w"], ["ne", "se", "sw", "nw"]]
_WALL_NAMES = [
    *("ground", "solid"),
    *(f"edge {side}" for side in _CLOCKWISE[0]),
    *(f"{family} {corner}" for family in ("corner", "inner corner") for corner in _CLOCKWISE[1]),
    *("straight ns", "straight ew"),
    *(f"bend {corner}" for corner in _CLOCKWISE[1]),
    *(f"{family} {side}" for family in ("end", "tee") for side in _CLOCKWISE[0]),
    *("cross", "pillar"),
]
TILING_KINDS: dict[str, tuple[Callable[[int], int], list[str], str]] = {
    "edges": (
        _edge_piece,
        _mask_names([sum((index >> side & 1) << 2 * side for side in range(4)) for index in range(16)]),
        "▪╵╶└╷│┌├╴┘─┴┐┤┬┼",
    ),
    "corners": (
        _corner_piece,
        _mask_names([sum((index >> corner & 1) << 2 * corner + 1 for corner in range(4)) for index in range(16)]),
        "·▝▗▐▖▞▄▟▘▀▚▜▌▛▙█",
    ),
    "blob": (_blob_piece, _mask_names(BLOB_MASKS), "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijk"),
    "walls": (_wall_piece, _WALL_NAMES, "·░─│─│┐┘└┌╮╯╰╭║═╗╝╚╔╷╴╵╶┴├┬┤┼▪"),
}
"""For each kind the piece of a mask, the names of the pieces, and their characters."""
