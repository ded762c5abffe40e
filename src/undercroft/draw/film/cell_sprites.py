"""What can stand on a cell of an animation, as small squares of pixels: each look drawn once, and the table of their
colours.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.core.palette import Palette, Tile
from undercroft.draw.pen.box_drawing import EAST, NORTH, SOUTH, WEST, dilated
from undercroft.draw.scene.colour import blend, rgb
from undercroft.draw.styles.plain.plain import ROLE_MARKS
from undercroft.draw.styles.plain.squares import DOOR, PILLAR, colour_of, mark_coverage
from undercroft.draw.view.ground_colours import STANDING_ROLES

GROUND = "#0d0f16"
GLOW_COLOUR = "#ff9326"
"""The colour in which new cells glow."""
GLOW_SHARE = 0.8
"""How much of it is in a cell that has just changed."""
BURIED_SHARE = 0.7
"""How far the rock behind walls is sunk into the ground."""
EDGE_DARKENING = 0.2
"""How much darker the lines between cells and the shadows below walls are."""
MIN_DETAIL_PIXELS = 6
"""Pixels a cell below which there are no such lines, and signs are squares."""
SMOOTHING_STEPS = 2
"""Steps from nothing to all of a pixel that a sign covers: few, since each needs colours."""
MAX_COLOURS = 255
"""A frame is a byte a pixel, and one value is left for 'as it was'."""

PLAIN, SHADED, SUNK = 0, 1, 2
"""Ground or rock; ground in the shadow of a wall, or a door that is passed from north to south; deep in the rock."""
_ARMS = {"UP": NORTH, "DOWN": SOUTH, "LEFT": WEST, "RIGHT": EAST, "HORIZONTAL": EAST | WEST, "VERTICAL": NORTH | SOUTH}


class CellLook(NamedTuple):
    """A tile, the colour of the floor where it stands, and what is marked on it: a door, a pillar, a thing, the way
    (numbers of `plain_squares`).
    """

    tile: Tile
    floor: str
    mark: int = 0


def resolve_look(palette: Palette, code: int, mark: int = 0) -> CellLook:
    """How a tile looks; what stands on a floor is marked on it, unless something else is."""
    tile = palette.tiles[code]
    floors = [other.colour for other in palette.tiles if other.role in ("floor", "corridor")]
    stands = tile.role in STANDING_ROLES and bool(floors)
    return CellLook(
        tile,
        floors[0] if stands else tile.colour,
        mark or (ROLE_MARKS[tile.role] if stands and not _face_arms(tile.face) else 0),
    )


class CellSprites:
    """Some looks, `cell` pixels wide. What changed glows for `glow` frames; for fewer, or not at all, if they need too
    many colours.

    `number_cells` numbers the cells of a map by how they look, `render_pixels` turns these numbers into pixels: places
    in the `table` of colours, which has those that are asked for `also`.
    """

    def __init__(
        self, looks: Sequence[CellLook], cell: int, glow: int, also: Sequence[tuple[int, int, int]] = ()
    ) -> None:
        self.cell = cell
        self._rock = np.array([_is_rock(look.tile) for look in looks])
        self._door = np.array([DOOR <= look.mark < PILLAR for look in looks])
        others = _pack_colours(np.array([*also, rgb(GROUND)], np.uint8))
        thrift = [(fewer, cell >= MIN_DETAIL_PIXELS, True) for fewer in range(glow, -1, -1)] + [
            (0, False, True),
            (0, False, False),
        ]
        for self.glow, lines, sunk in thrift:  # the first that needs few enough colours is taken
            squares = _pack_colours(_render_squares(looks, cell, self.glow, lines=lines, sunk=sunk))
            table, places = np.unique(np.concatenate([squares, others]), return_inverse=True)
            if len(table) <= MAX_COLOURS:
                break
        else:  # what is not part of the map must do with the colours there are
            table, places = np.unique(np.append(squares, others[-1:]), return_inverse=True)
        self.table: NDArray[np.uint8] = np.stack([table >> 16, table >> 8 & 255, table & 255], axis=1).astype(np.uint8)
        indexes: NDArray[np.uint8] = places.reshape(-1).astype(np.uint8)
        self._squares: NDArray[np.uint8] = indexes[: len(squares)].reshape(-1, cell, cell)
        self.ground = self.colour_index(rgb(GROUND))
        """The place of the colour around the map."""

    def colour_index(self, colour: tuple[int, int, int]) -> int:
        """The place of a colour in the table, or of the one most like it."""
        return int(np.abs(self.table.astype(int) - colour).sum(axis=1).argmin())

    def number_cells(self, numbers: NDArray[np.uint16], age: NDArray[np.uint8]) -> NDArray[np.int32]:
        """How each cell looks. `numbers` says which of the looks it has, `age` how many frames ago it changed."""
        rock = self._rock[numbers]
        kind = np.where(dilated(~rock), PLAIN, SUNK).astype(np.int32)
        kind[1:][~rock[1:] & rock[:-1]] = SHADED
        doors = self._door[numbers]
        if doors.any():
            walls = np.pad(rock, 1, constant_values=True)
            kind[doors] = np.where(walls[1:-1, :-2] & walls[1:-1, 2:], SHADED, PLAIN)[doors]
        return (numbers * np.int32(3) + kind) * np.int32(self.glow + 1) + np.minimum(age, self.glow)

    def render_pixels(self, numbered: NDArray[np.int32]) -> NDArray[np.uint8]:
        """The pixels."""
        height, width = numbered.shape
        return self._squares[numbered].transpose(0, 2, 1, 3).reshape(height * self.cell, width * self.cell)


def _pack_colours(colours: NDArray[np.uint8]) -> NDArray[np.uint32]:
    return colours.reshape(-1, 3).astype(np.uint32) @ np.array([1 << 16, 1 << 8, 1], np.uint32)


def _is_rock(tile: Tile) -> bool:
    return tile.role in {"wall", "void"}


def _render_squares(looks: Sequence[CellLook], cell: int, glow: int, *, lines: bool, sunk: bool) -> NDArray[np.uint8]:
    """The pixels of each look (plain, in the shadow of a wall, deep in the rock), for each frame after a change."""
    out = np.empty((len(looks), 3, glow + 1, cell, cell, 3), np.uint8)
    for number, look in enumerate(looks):
        rock, arms = _is_rock(look.tile), _face_arms(look.tile.face) if lines and not _is_rock(look.tile) else 0
        for age in range(glow + 1):
            share = GLOW_SHARE * ((glow - age) / glow) ** 1.5 if age < glow else 0.0
            own = _glowing_colour(
                look.tile.colour if not look.mark else look.floor if lines else _mark_colour(look), share
            )
            for square in out[number, :, age]:
                square[:] = rgb(GROUND) if arms else own
                if arms:
                    _draw_passage(square, arms, own)
            if lines and not arms and not rock:
                edge = blend(own, rgb(GROUND), EDGE_DARKENING)
                out[number, :, age, -1] = out[number, :, age, :, -1] = out[number, SHADED, age, : cell // 4] = edge
                if look.mark:
                    _draw_mark(out[number, :, age], look, share)
        if rock:  # what happens deep in the rock is nobody's business
            own = np.array(rgb(look.tile.colour), np.uint8)
            out[number, SUNK] = blend(own, rgb(GROUND), BURIED_SHARE) if sunk and look.tile.role == "wall" else own
    return out


def _draw_mark(squares: NDArray[np.uint8], look: CellLook, glow: float) -> None:
    """Put a mark on all squares of a look; a door's is turned on the second, which has no shadow then."""
    door = DOOR <= look.mark < PILLAR
    if door:
        squares[SHADED] = squares[PLAIN]
    ink = _glowing_colour(_mark_colour(look), glow)
    for kind, square in enumerate(squares):
        share = (
            np.rint(mark_coverage(look.mark + (door and kind == SHADED), len(square)) * SMOOTHING_STEPS)[:, :, None]
            / SMOOTHING_STEPS
        )
        square[:] = np.rint(square * (1 - share) + ink * share).astype(np.uint8)


def _mark_colour(look: CellLook) -> str:
    """The colour of a mark: the tile's own, if it is the tile that is marked."""
    own = look.tile.role in STANDING_ROLES and ROLE_MARKS[look.tile.role] == look.mark
    return look.tile.colour if own else "#{:02x}{:02x}{:02x}".format(*colour_of(look.mark))


def _glowing_colour(colour: str, share: float) -> NDArray[np.uint8]:
    return blend(np.array(rgb(colour), np.uint8), rgb(GLOW_COLOUR), share)


def _draw_passage(square: NDArray[np.uint8], arms: int, colour: NDArray[np.uint8]) -> None:
    """A passage from the middle to some sides."""
    low, high = len(square) // 4, len(square) - len(square) // 4
    square[low:high, low:high] = colour
    for arm, part in (
        (NORTH, np.s_[:low, low:high]),
        (SOUTH, np.s_[high:, low:high]),
        (WEST, np.s_[low:high, :low]),
        (EAST, np.s_[low:high, high:]),
    ):
        if arms & arm:
            square[part] = colour


def _face_arms(face: str) -> int:
    """The sides that a box-drawing sign reaches.

    >>> _face_arms("╔") == EAST | SOUTH, _face_arms("─") == EAST | WEST, _face_arms("+")
    (True, True, 0)
    """
    words = unicodedata.name(face, "").split()
    return sum(_ARMS.get(word, 0) for word in words) if words[:2] == ["BOX", "DRAWINGS"] else 0
