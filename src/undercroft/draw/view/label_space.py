"""The space for labels of a map: free ground inside rooms, and the rock beside them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from undercroft.draw.pen.free_space import PARTS_PER_CELL, FreeSpace
from undercroft.draw.scene.painter import fill_mask
from undercroft.draw.scene.scene import Points

Cells = NDArray[np.bool_]
MAX_CELLS = 160_000
"""The largest level whose labels are placed on this fine grid, in cells."""
WALL_CLEARANCE, ROUGH_CLEARANCE = 1, 2
"""Parts of a cell between a wall and the free ground: walls are drawn by hand, and those of caves are rougher."""
ROCK_CLEARANCE = 3
"""Parts of a cell between a wall and the free rock."""


@dataclass(frozen=True)
class LabelSpace:
    """Which parts of a map are drawn ground, which are free ground, and which are free rock."""

    inside: Cells
    """The ground within the drawn walls, PARTS_PER_CELL times finer than the map."""
    rough: Cells
    """Natural cells of the map."""

    @classmethod
    def of(cls, outlines: list[Points], rough: Cells, open_cells: Cells) -> LabelSpace:
        """The space within closed lines, on a map of that size."""
        height, width = rough.shape
        if not outlines or width * height > MAX_CELLS:
            return cls(_enlarge(open_cells), rough)
        mask = np.zeros((height * PARTS_PER_CELL, width * PARTS_PER_CELL), np.uint8)
        points = np.ascontiguousarray(np.concatenate(outlines) * PARTS_PER_CELL)
        fill_mask(mask, points, np.cumsum([len(line) for line in outlines], dtype=np.int64), 0, len(mask))
        return cls(mask > 127, rough)

    @cached_property
    def core(self) -> Cells:
        """The ground that is so far from walls that nothing drawn there touches them."""
        soft = _grow(~self.inside, ROUGH_CLEARANCE) & _enlarge(self.rough)
        found: Cells = ~(_grow(~self.inside, WALL_CLEARANCE) | soft)
        return found

    def find_ground(self, busy: Cells) -> FreeSpace:
        """The ground as free space, but for busy cells."""
        space = FreeSpace(self.rough.shape[1], self.rough.shape[0])
        space.taken |= ~self.core
        space.take_cells(busy)
        return space

    def find_rock(self) -> FreeSpace:
        """The rock as free space."""
        space = FreeSpace(self.rough.shape[1], self.rough.shape[0])
        space.taken |= self.inside | self._rim
        return space

    def near_walls(self, points: Points) -> NDArray[np.bool_]:
        """Which points are in the rock so near to a wall that no label stands there."""
        places = np.clip(np.floor(points * PARTS_PER_CELL).astype(np.int64), 0, np.array(self.inside.shape[::-1]) - 1)
        return self._rim[places[:, 1], places[:, 0]]

    @cached_property
    def _rim(self) -> Cells:
        found: Cells = _grow(self.inside, ROCK_CLEARANCE) & ~self.inside
        return found

    def covers(self, points: Points) -> bool:
        """Whether all points are on the ground; they may touch the walls."""
        inner = points - np.sign(points % 1 - 0.5) * 0.04
        places = np.floor(inner * PARTS_PER_CELL).astype(np.int64)
        if (places < 0).any() or (places >= self.inside.shape[::-1]).any():
            return False
        return bool(self.inside[places[:, 1], places[:, 0]].all())


def _enlarge(cells: Cells) -> Cells:
    found: Cells = np.repeat(np.repeat(cells, PARTS_PER_CELL, axis=0), PARTS_PER_CELL, axis=1)
    return found


def _grow(cells: Cells, steps: int) -> Cells:
    """The cells and those within some steps in eight directions."""
    found = cells
    for _ in range(steps):
        wide = found.copy()
        wide[1:] |= found[:-1]
        wide[:-1] |= found[1:]
        found = wide.copy()
        found[:, 1:] |= wide[:, :-1]
        found[:, :-1] |= wide[:, 1:]
    return found
