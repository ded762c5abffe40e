"""How far tokens see into rock: sight lines run behind the edge of a room, so that the drawn side of a wall and what
hangs on it are visible.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis.room_grids import is_room_grid
from undercroft.core.level import Level
from undercroft.draw.view.grid_rooms import SQUARES_PER_ROOM

Cells = NDArray[np.bool_]

PARTS = 3
"""The parts of a cell along each side: the strips at its edges, and its middle."""
STEPS_PER_CELL = 1000
"""Places are rounded to this fraction of a cell, so that files are short."""


class WallDepth(NamedTuple):
    """How far a token sees into rock, in cells. Both are less than half a cell: the middle of a rock cell stays behind
    the line, so that no token walks on a wall.
    """

    face: float = 0.0
    """Into rock with ground to the south."""
    side: float = 0.0
    """Into all other rock."""

    @property
    def lying(self) -> tuple[float, float]:
        """Where the middle part of a cell begins and ends, from west to east."""
        return self.side, 1 - self.side

    @property
    def upright(self) -> tuple[float, float]:
        """Where the middle part of a cell begins and ends, from north to south."""
        return self.side, 1 - self.face


NO_DEPTH = WallDepth()
"""Lines on the edges of cells."""
PLAIN_DEPTH = WallDepth(0.3, 0.3)
"""For styles that draw rock from above: the line of the wall and some of the hatching."""
STYLE_DEPTHS = {"pixels": WallDepth(0.48, 0.3)}
"""For styles that draw the face of a wall where there is ground to the south."""


def choose_depth(level: Level, style: str, *, curved: bool = False) -> WallDepth:
    """How far tokens see into the rock of a picture in that style. On a room grid, where a cell is a whole room, it is
    that part of a square of the drawn room. Curved walls run along the edge itself.

    >>> choose_depth(Level.parse("#.+.#"), "pixels")
    WallDepth(face=0.48, side=0.3)
    """
    found = NO_DEPTH if curved else STYLE_DEPTHS.get(style, PLAIN_DEPTH)
    return WallDepth(*(part / SQUARES_PER_ROOM for part in found)) if is_room_grid(level) else found


def widen_ground(ground: Cells) -> Cells:
    """The ground with the strip of rock around it, in PARTS x PARTS parts a cell. Cells that were apart stay apart,
    also those that touch at a corner.

    >>> print(widen_ground(np.array([[True, False, False]])).astype(int))
    [[1 1 1 1 0 0 0 0 0]
     [1 1 1 1 0 0 0 0 0]
     [1 1 1 1 0 0 0 0 0]]
    """
    height, width = ground.shape
    found = np.zeros((height, PARTS, width, PARTS), bool)
    found[:] = ground[:, None, :, None]
    framed = np.pad(ground, 1)
    around = {
        (down, right): framed[1 + down : 1 + down + height, 1 + right : 1 + right + width]
        for down in (-1, 0, 1)
        for right in (-1, 0, 1)
    }
    for (down, right), there in around.items():
        if down and right:
            beside, above = around[0, right], around[down, 0]
            there = (there | beside | above) & ~(beside & above & ~there)  # noqa: PLW2901 - the whole corner
        found[:, 1 + down, :, 1 + right] |= there
    return found.reshape(PARTS * height, PARTS * width)


def place_points(points: NDArray[np.int64], depth: WallDepth) -> NDArray[np.float64]:
    """The places, in cells, of corners of parts: rows x and y.

    >>> place_points(np.array([[4, 5]]), WallDepth(0.48, 0.3)).tolist()
    [[1.3, 1.52]]
    """
    cell, part = np.divmod(points, PARTS)
    within = np.stack(
        [np.array([0, *sides])[part[:, axis]] for axis, sides in enumerate((depth.lying, depth.upright))], axis=1
    )
    found: NDArray[np.float64] = np.rint((cell + within) * STEPS_PER_CELL) / STEPS_PER_CELL
    return found
