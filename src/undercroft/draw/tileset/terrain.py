"""The lie of the land: where ground, faces and natural cells of a level are. The tileset and its light go by it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis import reach
from undercroft.core.level import Level
from undercroft.core.palette import DOOR_ROLES, Palette, through
from undercroft.core.region import KINDS
from undercroft.core.rng import Rng
from undercroft.draw.autotile.cell_random import Dice
from undercroft.draw.autotile.tiling import bites

Cells = NDArray[np.bool_]
Layer = NDArray[np.int16]
NOTHING = -1
"""No piece."""
CORNERS = 12
"""Water or a pit with so many corners may have been built: a cross has twelve. What has more is natural."""
AROUND = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
"""A step to each neighbour, right and down, clockwise from the north."""


class Lie(NamedTuple):
    """A level, or some rows of it, as grids [y, x]."""

    palette: Palette
    tiles: NDArray[np.uint8]
    ground: Cells
    """What is not rock: water and pits too. A secret door is rock."""
    face: Cells
    """Rock with ground to the south."""
    natural: Cells
    """Cells that nature made."""
    shore: Cells
    """Water and pits that nature made."""
    throws: NDArray[np.uint32]
    """32 bits for each cell that depend on its place alone."""

    @property
    def rock(self) -> Cells:
        return ~self.ground

    def having(self, *roles: str) -> Cells:
        """The cells with one of these roles."""
        return through(self.palette.having(*roles), self.tiles)

    def rows(self, part: slice) -> Lie:
        """Some of the rows."""
        return Lie(
            self.palette,
            self.tiles[part],
            self.ground[part],
            self.face[part],
            self.natural[part],
            self.shore[part],
            self.throws[part],
        )


def lie_of(level: Level, frame: int = 0) -> Lie:
    """What laying goes by. If the level has a frame around it that is so many cells wide, what is within looks as if it
    had none.
    """
    ground = ~having(level, "wall", "void", "secret")
    face = np.zeros_like(ground)
    face[:-1] = ground[1:] & ~ground[:-1]
    throws = np.empty(ground.shape, np.uint32)
    inner = throws[frame : level.height - frame, frame : level.width - frame]
    dice = Dice(Rng.root(0).stream("tileset"), level.width - 2 * frame, level.height - 2 * frame)
    for rows in bites(level.tiles[frame : level.height - frame, frame : level.width - frame]):
        inner[rows] = dice.rows(rows.start, rows.stop)
    if frame:
        throws = np.pad(inner, frame, mode="wrap")
    wild = natural(level)
    return Lie(level.palette, level.tiles, ground, face, wild, _shore(level, wild), throws)


def natural(level: Level) -> Cells:
    """Cells that nature made: caves; and all, if nobody ever built a door or a corridor here."""
    if len(level.regions):
        caves = np.concatenate([[False], level.regions.table["kind"] == KINDS.index("cave")])
        found: Cells = caves[level.regions.labels]
        if caves.any():  # water and pits belong to no region: they are natural if a cave is beside them
            bodies, count = reach.labels(
                (having(level, "water", "pit", "pillar") & (level.regions.labels == 0)).view(np.uint8)
            )
            touched = np.zeros(count + 1, bool)
            touched[bodies[beside(found, 1)]] = True
            touched[0] = False
            found |= touched[bodies]
        return found
    return np.full(level.tiles.shape, not having(level, "corridor", *DOOR_ROLES).any())


def _shore(level: Level, wild: Cells) -> Cells:
    """Water and pits in caves, and those of no plain shape."""
    found = wild & having(level, "water", "pit")
    for role in ("water", "pit"):
        cells = having(level, role)
        if cells.any():
            found |= _irregular(cells)
    return found


def _irregular(cells: Cells) -> Cells:
    """Those of the cells that hang together in a shape of many corners.

    >>> _irregular(np.array([[1, 1, 0, 1], [1, 1, 0, 0]], bool)).any()
    np.False_
    """
    labels, count = reach.labels(cells.view(np.uint8))
    n, ne, e, se, s, sw, w, nw = (moved(np.pad(cells, 1), *step) for step in AROUND)
    corners = np.zeros(cells.shape, np.uint8)
    for one, between, other in ((n, ne, e), (e, se, s), (s, sw, w), (w, nw, n)):
        corners += (one == other) & ~(one & between)
    sums = np.bincount(labels.reshape(-1), corners.reshape(-1), count + 1)
    sums[0] = 0
    return (sums > CORNERS)[labels]


def having(level: Level, *roles: str) -> Cells:
    """The cells with one of these roles."""
    return through(level.palette.having(*roles), level.tiles)


def moved(framed: Cells, right: int, down: int) -> Cells:
    """What is so many cells further right and down of each cell of a grid, which comes in a frame of one cell."""
    height, width = framed.shape
    return framed[1 + down : height - 1 + down, 1 + right : width - 1 + right]


def beside(cells: Cells, far: int) -> Cells:
    """These cells, and all that are at most so far away in both directions.

    >>> beside(np.array([[0, 0, 0, 0, 1]], bool), 2).tolist()
    [[False, False, True, True, True]]
    """
    found = cells.copy()
    for step in range(1, min(far, cells.shape[1] - 1) + 1):
        found[:, step:] |= cells[:, :-step]
        found[:, :-step] |= cells[:, step:]
    across = found.copy()
    for step in range(1, min(far, cells.shape[0] - 1) + 1):
        found[step:] |= across[:-step]
        found[:-step] |= across[step:]
    return found
