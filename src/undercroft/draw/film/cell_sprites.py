"""The looks of cells in an animation, as small squares of pixels: each look is drawn once, with a table of their
colours.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.core.palette import STANDING_ROLES, Palette, Tile
from undercroft.draw.pen.box_drawing import EAST, NORTH, SOUTH, WEST, dilated
from undercroft.draw.scene.colour import blend, rgb
from undercroft.draw.styles.plain.plain import ROLE_MARKS
from undercroft.draw.styles.plain.squares import DOOR, PILLAR, colour_of, mark_coverage

GROUND = "#0d0f16"
GLOW_COLOUR = "#ff9326"
"""The colour of the glow of new cells."""
GLOW_SHARE = 0.8
"""The share of that colour in a cell that has just changed."""
BURIED_SHARE = 0.7
"""How far the rock behind walls fades into the background."""
EDGE_DARKENING = 0.2
"""How much darker the lines between cells and the shadows below walls are."""
MIN_DETAIL_PIXELS = 6
"""Pixels a cell below which there are no such lines, and signs are squares."""
SMOOTHING_STEPS = 2
"""Steps of coverage for pixels that a sign covers partly: few, because each step needs colours."""
MAX_COLOURS = 255
"""A frame has one byte a pixel, and one value is reserved for 'unchanged'."""

PLAIN, SHADED, SUNK = 0, 1, 2
"""Plain ground or rock; ground in the shadow of a wall, or a door whose passage runs from north to south; deep rock."""
_ARMS = {"UP": NORTH, "DOWN": SOUTH, "LEFT": WEST, "RIGHT": EAST, "HORIZONTAL": EAST | WEST, "VERTICAL": NORTH | SOUTH}


class CellLook(NamedTuple):
    """A tile, the colour of the floor at its place, and its mark: a door, a pillar, a thing, the path (numbers of
    `plain_squares`).
    """

    tile: Tile
    floor: str
    mark: int = 0


def resolve_look(palette: Palette, code: int, mark: int = 0) -> CellLook:
    """The look of a tile. A tile that stands on a floor is its own mark, unless another mark is given."""
    tile = palette.tiles[code]
    floors = [other.colour for other in palette.tiles if other.role in ("floor", "corridor")]
    stands = tile.role in STANDING_ROLES and bool(floors)
    return CellLook(
        tile,
        floors[0] if stands else tile.colour,
        mark or (ROLE_MARKS[tile.role] if stands and not _face_arms(tile.face) else 0),
    )


class CellSprites:
    """The squares of some looks, `cell` pixels wide. Changed cells glow for `glow` frames; for fewer, or not at all, if
    the glow needs too many colours.

    `number_cells` numbers the cells of a map by their look, `render_pixels` turns these numbers into pixels: indexes
    into the `table` of colours, which includes those in `also`.
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
        for self.glow, lines, sunk in thrift:  # take the first that needs few enough colours
            squares = _pack_colours(_render_squares(looks, cell, self.glow, lines=lines, sunk=sunk))
            table, places = np.unique(np.concatenate([squares, others]), return_inverse=True)
            if len(table) <= MAX_COLOURS:
                break
        else:  # other parts of the picture use the nearest colours of the map
            table, places = np.unique(np.append(squares, others[-1:]), return_inverse=True)
        self.table: NDArray[np.uint8] = np.stack([table >> 16, table >> 8 & 255, table & 255], axis=1).astype(np.uint8)
        indexes: NDArray[np.uint8] = places.reshape(-1).astype(np.uint8)
        self._squares: NDArray[np.uint8] = indexes[: len(squares)].reshape(-1, cell, cell)
        self.ground = self.colour_index(rgb(GROUND))
        """The index of the colour around the map."""

    def colour_index(self, colour: tuple[int, int, int]) -> int:
        """The index of a colour in the table, or of the most similar one."""
        return int(np.abs(self.table.astype(int) - colour).sum(axis=1).argmin())

    def number_cells(self, numbers: NDArray[np.uint16], age: NDArray[np.uint8]) -> NDArray[np.int32]:
        """The number of each cell's look. `numbers` are the looks, `age` is how many frames ago each cell changed."""
        rock = self._rock[numbers]
        kind = np.where(dilated(~rock), PLAIN, SUNK).astype(np.int32)
        kind[1:][~rock[1:] & rock[:-1]] = SHADED
        doors = self._door[numbers]
        if doors.any():
            walls = np.pad(rock, 1, constant_values=True)
            kind[doors] = np.where(walls[1:-1, :-2] & walls[1:-1, 2:], SHADED, PLAIN)[doors]
        return (numbers * np.int32(3) + kind) * np.int32(self.glow + 1) + np.minimum(age, self.glow)

    def render_pixels(self, numbered: NDArray[np.int32]) -> NDArray[np.uint8]:
        """The pixels of numbered cells."""
        height, width = numbered.shape
        return self._squares[numbered].transpose(0, 2, 1, 3).reshape(height * self.cell, width * self.cell)


def _pack_colours(colours: NDArray[np.uint8]) -> NDArray[np.uint32]:
    return colours.reshape(-1, 3).astype(np.uint32) @ np.array([1 << 16, 1 << 8, 1], np.uint32)


def _is_rock(tile: Tile) -> bool:
    return tile.role in {"wall", "void"}


def _render_squares(looks: Sequence[CellLook], cell: int, glow: int, *, lines: bool, sunk: bool) -> NDArray[np.uint8]:
    """The pixels of each look (plain, in the shadow of a wall, deep rock), for each frame after a change."""
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
        if rock:  # deep rock does not glow
            own = np.array(rgb(look.tile.colour), np.uint8)
            out[number, SUNK] = blend(own, rgb(GROUND), BURIED_SHARE) if sunk and look.tile.role == "wall" else own
    return out


def _draw_mark(squares: NDArray[np.uint8], look: CellLook, glow: float) -> None:
    """Draw a mark on all squares of a look. On the second square a door's mark is turned, and there is no shadow."""
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
    """The colour of a mark: the tile's own if the tile is the mark."""
    own = look.tile.role in STANDING_ROLES and ROLE_MARKS[look.tile.role] == look.mark
    return look.tile.colour if own else "#{:02x}{:02x}{:02x}".format(*colour_of(look.mark))


def _glowing_colour(colour: str, share: float) -> NDArray[np.uint8]:
    return blend(np.array(rgb(colour), np.uint8), rgb(GLOW_COLOUR), share)


def _draw_passage(square: NDArray[np.uint8], arms: int, colour: NDArray[np.uint8]) -> None:
    """Draw a passage from the centre to some sides."""
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
    """The sides that a box-drawing character reaches.

    >>> _face_arms("╔") == EAST | SOUTH, _face_arms("─") == EAST | WEST, _face_arms("+")
    (True, True, 0)
    """
    words = unicodedata.name(face, "").split()
    return sum(_ARMS.get(word, 0) for word in words) if words[:2] == ["BOX", "DRAWINGS"] else 0
