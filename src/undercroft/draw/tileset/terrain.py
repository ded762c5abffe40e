"""Masks of a level's terrain: ground, faces and natural cells. The tileset and its light use them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis import reach
from undercroft.core.level import Level
from undercroft.core.palette import DOOR_ROLES, Palette, look_up_tiles
from undercroft.core.region import REGION_KINDS
from undercroft.core.rng import Rng
from undercroft.draw.autotile.cell_random import CellRandom
from undercroft.draw.autotile.tiling import split_rows

Cells = NDArray[np.bool_]
Layer = NDArray[np.int16]
NO_PIECE = -1
"""The number for no piece."""
MAX_BUILT_CORNERS = 12
"""Water or a pit with at most this many corners counts as built: a cross has twelve. One with more is natural."""
NEIGHBOUR_STEPS = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
"""The step to each neighbour, right and down, clockwise from the north."""


class Terrain(NamedTuple):
    """A level, or some rows of it, as grids [y, x]."""

    palette: Palette
    tiles: NDArray[np.uint8]
    ground: Cells
    """All cells except rock; water and pits are ground, a secret door is rock."""
    face: Cells
    """Rock with ground to the south."""
    natural: Cells
    """Natural cells."""
    shore: Cells
    """Natural water and pits."""
    throws: NDArray[np.uint32]
    """32 random bits for each cell that depend only on its position."""

    @property
    def rock(self) -> Cells:
        return ~self.ground

    def having(self, *roles: str) -> Cells:
        """The cells with one of these roles."""
        return look_up_tiles(self.palette.role_mask(*roles), self.tiles)

    def rows(self, part: slice) -> Terrain:
        """Some of the rows."""
        return Terrain(
            self.palette,
            self.tiles[part],
            self.ground[part],
            self.face[part],
            self.natural[part],
            self.shore[part],
            self.throws[part],
        )


def classify_terrain(level: Level, frame: int = 0) -> Terrain:
    """The terrain of a level. If it has a frame `frame` cells wide, the cells inside look as they would without it."""
    ground = ~cells_having(level, "wall", "void", "secret")
    face = np.zeros_like(ground)
    face[:-1] = ground[1:] & ~ground[:-1]
    throws = np.empty(ground.shape, np.uint32)
    inner = throws[frame : level.height - frame, frame : level.width - frame]
    dice = CellRandom(Rng.root(0).stream("tileset"), level.width - 2 * frame, level.height - 2 * frame)
    for rows in split_rows(level.tiles[frame : level.height - frame, frame : level.width - frame]):
        inner[rows] = dice.rows(rows.start, rows.stop)
    if frame:
        throws = np.pad(inner, frame, mode="wrap")
    wild = find_natural_cells(level)
    return Terrain(level.palette, level.tiles, ground, face, wild, _natural_hollows(level, wild), throws)


def find_natural_cells(level: Level) -> Cells:
    """Natural cells: those of caves, or all cells if the level has no door and no corridor."""
    if len(level.regions):
        caves = np.concatenate([[False], level.regions.table["kind"] == REGION_KINDS.index("cave")])
        found: Cells = caves[level.regions.labels]
        if caves.any():  # water and pits have no region: they are natural beside a cave
            bodies, count = reach.label_components(
                (cells_having(level, "water", "pit", "pillar") & (level.regions.labels == 0)).view(np.uint8)
            )
            touched = np.zeros(count + 1, bool)
            touched[bodies[dilated_by(found, 1)]] = True
            touched[0] = False
            found |= touched[bodies]
        return found
    return np.full(level.tiles.shape, not cells_having(level, "corridor", *DOOR_ROLES).any())


def _natural_hollows(level: Level, wild: Cells) -> Cells:
    """Water and pits in caves, and those of irregular shape."""
    found = wild & cells_having(level, "water", "pit")
    for role in ("water", "pit"):
        cells = cells_having(level, role)
        if cells.any():
            found |= _irregular_cells(cells)
    return found


def _irregular_cells(cells: Cells) -> Cells:
    """The connected sets of cells with many corners.

    >>> _irregular_cells(np.array([[1, 1, 0, 1], [1, 1, 0, 0]], bool)).any()
    np.False_
    """
    labels, count = reach.label_components(cells.view(np.uint8))
    n, ne, e, se, s, sw, w, nw = (shifted(np.pad(cells, 1), *step) for step in NEIGHBOUR_STEPS)
    corners = np.zeros(cells.shape, np.uint8)
    for one, between, other in ((n, ne, e), (e, se, s), (s, sw, w), (w, nw, n)):
        corners += (one == other) & ~(one & between)
    sums = np.bincount(labels.reshape(-1), corners.reshape(-1), count + 1)
    sums[0] = 0
    return (sums > MAX_BUILT_CORNERS)[labels]


def cells_having(level: Level, *roles: str) -> Cells:
    """The cells with one of these roles."""
    return look_up_tiles(level.palette.role_mask(*roles), level.tiles)


def shifted(framed: Cells, right: int, down: int) -> Cells:
    """The values `right` and `down` cells further on, for each cell of a grid that has a frame of one cell."""
    height, width = framed.shape
    return framed[1 + down : height - 1 + down, 1 + right : width - 1 + right]


def dilated_by(cells: Cells, far: int) -> Cells:
    """The cells, and all within `far` cells in both directions.

    >>> dilated_by(np.array([[0, 0, 0, 0, 1]], bool), 2).tolist()
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
