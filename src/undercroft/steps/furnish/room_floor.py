"""The facts about each cell of a map that the furnishing kernel needs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis import reach
from undercroft.core.draft import Draft
from undercroft.core.palette import DOOR_ROLES, look_up_tiles
from undercroft.core.region import REGION_KINDS, Regions, Thing
from undercroft.core.run import Run

OPEN, WALL, FREE, KEEP_CLEAR, GROUND = 1, 2, 4, 8, 16
"""Flags of a cell, as in `kernels/furnish.py`."""
UNREACHABLE = (1 << 31) - 1
"""The distance of cells that cannot be reached."""
SHIFTED_VIEWS = (
    (slice(None, -2), slice(1, -1)),
    (slice(2, None), slice(1, -1)),
    (slice(1, -1), slice(None, -2)),
    (slice(1, -1), slice(2, None)),
)
"""Slices of a grid with a rim, shifted one cell down, up, right and left."""
Mask = NDArray[np.bool_]


class RoomFloor(NamedTuple):
    """Grids with a rim of one cell, and the free cells of all regions, sorted by label."""

    flags: NDArray[np.uint8]
    steps: NDArray[np.int32]
    spots: NDArray[np.int32]
    """Cell numbers in the grid with its rim."""
    bounds: NDArray[np.int32]
    """The index in `spots` where the cells of each label begin, from label 0; one more entry than there are labels."""

    @property
    def stride(self) -> int:
        return int(self.flags.shape[1])

    def cell_number(self, x: int, y: int) -> int:
        """The number of a map cell in the grid with its rim."""
        return (y + 1) * self.stride + x + 1


def build_room_floor(draft: Draft, regions: Regions, standing: list[Thing], run: Run) -> RoomFloor:
    """Build the facts for the kernel. Cells are not free in and beside doorways and other mouths of rooms, on start and
    end, on frozen cells, and where something stands already.
    """
    palette, tiles = draft.palette, draft.tiles
    walkable = look_up_tiles(palette.walkable, tiles)
    doors = look_up_tiles(palette.role_mask(*DOOR_ROLES), tiles)
    run.spend(4 * tiles.size)
    free = look_up_tiles(palette.role_mask("floor"), tiles) & ~_find_mouths(walkable, doors, regions.labels)
    free &= np.append(False, regions.table["kind"] != REGION_KINDS.index("corridor"))[regions.labels]
    if draft.frozen is not None:
        free &= ~draft.frozen
    is_open = walkable & ~doors
    kept = np.zeros(tiles.shape, bool)
    if draft.path is not None:
        kept[draft.path[:, 1], draft.path[:, 0]] = True
    for point in (draft.start, draft.end):
        if point is not None:
            free[point[1], point[0]] = False
    for thing in standing:
        _mark_thing(thing, free, is_open, kept)
    flags = np.full((draft.height + 2, draft.width + 2), WALL, np.uint8)
    flags[1:-1, 1:-1] = (
        OPEN * is_open + WALL * look_up_tiles(palette.rock, tiles) + FREE * free + KEEP_CLEAR * kept + GROUND * walkable
    )
    return RoomFloor(flags, _steps_from_start(draft, walkable, run), *_free_cells_by_label(flags, regions))


def _find_mouths(walkable: Mask, doors: Mask, labels: NDArray[np.int32]) -> Mask:
    """Cells beside a door, or beside a walkable cell of another region."""
    leads, other = np.pad(walkable, 1), np.pad(np.where(doors, -1, labels), 1)
    found = np.zeros(walkable.shape, bool)
    for side in SHIFTED_VIEWS:
        found |= leads[side] & (other[side] != labels)
    return found


def _mark_thing(thing: Thing, free: Mask, is_open: Mask, kept: Mask) -> None:
    """Mark the cells of a thing that was there before."""
    wide, high = (
        size if isinstance(size := thing.data.get(side, 1), int) and size > 1 else 1 for side in ("width", "height")
    )
    here = np.s_[thing.y : thing.y + high, thing.x : thing.x + wide]
    free[here] = False
    kept[here] = True
    if thing.data.get("blocks"):
        is_open[here] = False
        left, top = max(0, thing.x - 1), max(0, thing.y - 1)
        kept[top : thing.y + high + 1, thing.x : thing.x + wide] = True
        kept[thing.y : thing.y + high, left : thing.x + wide + 1] = True


def _steps_from_start(draft: Draft, walkable: Mask, run: Run) -> NDArray[np.int32]:
    """Steps from the start; `UNREACHABLE` where no way leads, and everywhere if there is no start."""
    steps = np.full((draft.height + 2, draft.width + 2), UNREACHABLE, np.int32)
    if draft.start is not None:
        found = reach.distances(walkable, [draft.start], run)
        np.copyto(steps[1:-1, 1:-1], found, where=found >= 0)
    return steps


def _free_cells_by_label(flags: NDArray[np.uint8], regions: Regions) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The free cells sorted by label, and the index where those of each label begin."""
    cells = np.flatnonzero(flags & FREE)
    labels = regions.labels[cells // flags.shape[1] - 1, cells % flags.shape[1] - 1]
    short = labels.astype(np.uint16) if len(regions) < 1 << 16 else labels  # sorts much faster
    counts = np.bincount(labels, minlength=len(regions) + 1)
    return cells[np.argsort(short, kind="stable")].astype(np.int32), np.append(0, np.cumsum(counts)).astype(np.int32)
