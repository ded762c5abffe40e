"""What a bare floor offers to stairs: its largest connected part, alcoves, and cells that stairs may stand on."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis import reach
from undercroft.analysis.chokes import choke_points
from undercroft.core.level import Level
from undercroft.core.palette import DOOR_ROLES, look_up_tiles
from undercroft.core.passable import mark_cells_of_things, open_cells
from undercroft.core.run import Run
from undercroft.kernels import buffer, flat_buffer, stairs
from undercroft.steps.neighbourhood import adjacent_cells, clear_border

T = TypeVar("T", bound=np.generic)
Mask = NDArray[np.bool_]
Steps = NDArray[np.int32]
Point = tuple[int, int]
DIRECTIONS = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""From a cell to its neighbours: above, to the right, below, to the left."""
GROUND_ROLES = ("floor", "corridor")
"""The roles of tiles that stairs may replace."""
UNREACHED = 1 << 29
"""The distance of a cell that cannot be reached: above every real one."""


class Alcoves(NamedTuple):
    """Cells of solid rock that one neighbour opens: stairs there are in nobody's way."""

    cells: Mask
    mouths: NDArray[np.int32]
    """The index (y * width + x) of the open neighbour of each of them; that of the cell itself elsewhere."""


class Ground:
    """A bare floor, as stairs see it. Masks and distances are [y, x]; they are computed when they are first needed.

    >>> ground = Ground(Level.parse('''
    ...     #######
    ...     #.....#
    ...     #######
    ...     #######
    ... '''), Run())
    >>> int(ground.part.sum()), int(ground.alcoves.cells.sum()), ground.floor_cells.astype(int)[1].tolist()
    (5, 5, [0, 1, 0, 0, 0, 1, 0])
    """

    def __init__(self, level: Level, run: Run) -> None:
        self.level, self.run = level, run
        self.height, self.width = level.tiles.shape

    @functools.cached_property
    def part(self) -> Mask:
        """The cells of the largest connected part of what can be walked on; the first one of equals."""
        cells = open_cells(self.level)
        labels, count = reach.label_components(cells.view(np.uint8), run=self.run)
        if count < 2:
            return cells
        sizes = np.bincount(labels.reshape(-1), minlength=count + 1)
        sizes[0] = 0
        largest: Mask = labels == int(sizes.argmax())
        return largest

    @functools.cached_property
    def lost_cells(self) -> int:
        """The number of walkable cells outside of that part."""
        return int(np.count_nonzero(open_cells(self.level))) - int(np.count_nonzero(self.part))

    @functools.cached_property
    def doors(self) -> Mask:
        """Doors and openings of all kinds."""
        return look_up_tiles(self.level.palette.role_mask(*DOOR_ROLES), self.level.tiles)

    @functools.cached_property
    def things(self) -> Mask:
        """The cells of things, with their width and height."""
        mask = np.zeros((self.height, self.width), bool)
        mark_cells_of_things(mask, self.level.things, True)
        return mask

    @functools.cached_property
    def rock(self) -> Mask:
        """Solid cells; those of things are none."""
        rock = look_up_tiles(self.level.palette.rock, self.level.tiles)
        return rock & ~self.things if self.level.things else rock

    @functools.cached_property
    def alcoves(self) -> Alcoves:
        """The cells that can become an alcove: solid as they are, one of the four neighbours open and no door, and the
        five cells behind and beside it solid.
        """
        return find_alcoves(self.rock, self.part & ~self.doors)

    @functools.cached_property
    def floor_cells(self) -> Mask:
        """The cells that stairs may stand on: ground without a thing, no door or beside one, and no cell whose loss
        parts the floor.
        """
        palette = self.level.palette
        roles = [role for role in GROUND_ROLES if role in palette.roles]
        cells = self.part & ~self.things & ~self.doors & ~adjacent_cells(self.doors)
        cells &= look_up_tiles(palette.role_mask(*roles), self.level.tiles)
        cells &= choke_points(self.part, self.run) == 0
        return cells

    def nearest_cell(self, anchor: Point) -> Point | None:
        """The cell of the part that is nearest to a point as the crow flies, the first one in reading order; None if
        nothing can be walked on.
        """
        at = stairs.find_nearest_cell(flat_buffer(self.part.view(np.uint8)), self.width, *anchor)
        return None if at < 0 else (at % self.width, at // self.width)

    def steps_from(self, cells: Sequence[Point]) -> Steps:
        """Steps from the nearest of some cells; `UNREACHED` where none can be reached."""
        if not cells:
            return np.full((self.height, self.width), UNREACHED, np.int32)
        steps = reach.DistanceField(self.part, cells, self.run).steps
        np.copyto(steps, UNREACHED, where=steps < 0)
        return steps

    @functools.cached_property
    def path_steps(self) -> int:
        """The steps of the floor's own path; if it has none, those across the part, by two searches."""
        if len(self.level.path) > 1:
            return len(self.level.path) - 1
        first = self.nearest_cell((0, 0))
        if first is None:
            return 0
        far = reach.DistanceField(self.part, [first], self.run).farthest
        assert far is not None
        field = reach.DistanceField(self.part, [far], self.run)
        assert field.farthest is not None
        return field.steps_to(*field.farthest)

    def at_mouth(self, grid: NDArray[T]) -> NDArray[T]:
        """The values of a grid where stairs would be: an alcove has that of its mouth."""
        return grid.reshape(-1)[self.alcoves.mouths]

    def mouth_of(self, cell: Point) -> Point:
        """The open neighbour of an alcove."""
        y, x = divmod(int(self.alcoves.mouths[cell[1], cell[0]]), self.width)
        return x, y


def find_alcoves(rock: Mask, ground: Mask) -> Alcoves:
    """The alcoves of a map, given its solid cells and the cells that they may open to."""
    cells, mouths = np.empty(rock.shape, bool), np.empty(rock.shape, np.int32)
    stairs.find_alcoves(
        flat_buffer(rock.view(np.uint8)),
        flat_buffer(ground.view(np.uint8)),
        rock.shape[1],
        flat_buffer(cells.view(np.uint8)),
        flat_buffer(mouths),
    )
    return Alcoves(cells, mouths)


def count_neighbours(mask: Mask) -> NDArray[np.uint8]:
    """For each cell, how many of its four neighbours are in the mask."""
    cells, count = mask.view(np.uint8), np.zeros(mask.shape, np.uint8)
    count[1:] += cells[:-1]
    count[:-1] += cells[1:]
    count[:, 1:] += cells[:, :-1]
    count[:, :-1] += cells[:, 1:]
    return count


def near_cells(mask: Mask, distance: int) -> Mask:
    """The cells at most so many rows and columns from one of the mask."""
    near, rows = np.empty(mask.shape, bool), np.empty(mask.size, np.uint8)
    cells = flat_buffer(mask.view(np.uint8))
    stairs.mark_near_cells(cells, mask.shape[1], distance, buffer(rows), flat_buffer(near.view(np.uint8)))
    return near


def inner_cells(height: int, width: int) -> Mask:
    """All cells but those of the border."""
    return clear_border(np.ones((height, width), bool))
