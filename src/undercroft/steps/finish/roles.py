"""The step that finds corridors and doorways from the shape of the floor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from undercroft.analysis import reach
from undercroft.core.draft import Draft
from undercroft.core.palette import DOOR_ROLES, look_up_tiles
from undercroft.core.rng import Rng, threshold
from undercroft.core.run import Run
from undercroft.kernels import buffer, finish, flat_buffer
from undercroft.steps import frames
from undercroft.steps.neighbourhood import REGION_FACTS, adjacent_cells, clear_border
from undercroft.steps.step import Share


@dataclass(frozen=True, kw_only=True)
class Roles:
    """Turn narrow floor into corridor, and the mouths of passages into doorways. No cell becomes more or less walkable.

    >>> from undercroft.core.level import Level
    >>> draft = Draft.of(Level.parse('''
    ...     #############
    ...     #...##...#..#
    ...     #........#..#
    ...     #...##......#
    ...     #############'''))
    >>> Roles(doors=1.0).apply(draft, Rng.root(1).stream("roles"), Run())
    >>> print(draft)
    #############
    #...##...#..#
    #...+,...#..#
    #...##...+..#
    #############

    Floor is narrow where no square one cell wider than `width` fits. A doorway is a narrow cell between two walls with
    a wide place on at least one side. Mouths of more than one cell get none, since no two doors touch.
    """

    width: Annotated[int, Meta(ge=1, le=64)] = 1
    """Passages up to this many cells wide are corridors."""
    least: Annotated[int, Meta(ge=1, le=1_000_000)] = 1
    """Narrow places of fewer cells stay floor, for example niches of a cave."""
    doorways: Share = 1.0
    """The share of one-cell mouths that become doorways; no two are adjacent."""
    doors: Share = 0.0
    """The share of doorways with a door; the others are openings."""

    edition: ClassVar[int] = 1
    needs: ClassVar[tuple[str, ...]] = ("tiles",)
    gives: ClassVar[tuple[str, ...]] = ()
    spoils: ClassVar[tuple[str, ...]] = REGION_FACTS

    def apply(self, draft: Draft, rng: Rng, run: Run) -> None:
        palette = draft.palette
        walkable = look_up_tiles(palette.walkable, draft.tiles)
        wide = _cells_in_squares(walkable, self.width + 1)
        narrow = look_up_tiles(palette.role_mask("floor"), draft.tiles) & ~wide
        run.spend((4 * self.width + 2) * draft.tiles.size)
        if self.least > 1:
            labels, count = reach.label_components(narrow.view(np.uint8), run=run)
            narrow &= (np.bincount(labels.reshape(-1), minlength=count + 1) >= self.least)[labels]
        mouths = _find_mouths(walkable, narrow, wide) if self.doorways else np.zeros(0, np.int32)
        was = frames.copy_tiles_if_watched(run)
        draft.tiles[narrow] = palette.role("corridor")
        frames.reveal(run, was)
        if self.doorways and (wider := _count_wider_mouths(walkable, narrow, wide, self.width)):
            run.note(f"mouths of corridors that are wider than one cell, and got no doorway: {wider:,}")
        if len(mouths):
            is_door = palette.role_mask(*DOOR_ROLES).view(np.uint8)
            chances = threshold(self.doorways), threshold(self.doors)
            finish.place_doorways(
                flat_buffer(draft.tiles),
                buffer(is_door),
                buffer(mouths),
                rng.state,
                draft.width,
                *chances,
                palette.role("door"),
                palette.role("opening"),
            )
            run.spend(len(mouths))


def _cells_in_squares(mask: NDArray[np.bool_], side: int) -> NDArray[np.bool_]:
    """The cells covered by some square of that side that lies fully in the mask. Finds the squares' corners first, from
    rows and columns of that length, then all cells they cover.
    """
    height, width = mask.shape[0] - side + 1, mask.shape[1] - side + 1
    found = np.zeros_like(mask)
    if min(height, width) < 1:
        return found
    in_row = np.logical_and.reduce([mask[:, k : k + width] for k in range(side)])
    corners = np.logical_and.reduce([in_row[k : k + height] for k in range(side)])
    in_row[:] = False
    for k in range(side):
        in_row[k : k + height] |= corners
    for k in range(side):
        found[:, k : k + width] |= in_row
    return found


def _find_mouths(walkable: NDArray[np.bool_], narrow: NDArray[np.bool_], wide: NDArray[np.bool_]) -> NDArray[np.int32]:
    """Narrow inner cells with walls on two opposite sides, walkable cells on the other two, and a wide place on one of
    these.
    """
    open_up, open_down, open_left, open_right = (np.zeros_like(walkable) for _ in range(4))
    open_up[1:], open_down[:-1], open_left[:, 1:], open_right[:, :-1] = (
        walkable[:-1],
        walkable[1:],
        walkable[:, :-1],
        walkable[:, 1:],
    )
    gap = (open_up & open_down & ~open_left & ~open_right) | (open_left & open_right & ~open_up & ~open_down)
    return np.flatnonzero(clear_border(narrow & gap & adjacent_cells(wide))).astype(np.int32)


def _count_wider_mouths(
    walkable: NDArray[np.bool_], narrow: NDArray[np.bool_], wide: NDArray[np.bool_], most: int
) -> int:
    """The number of rows or columns of 2 to `most` narrow cells between two walls, with walkable cells along one side
    and a wide place along the other.
    """
    count = 0
    for grids in ((walkable, narrow, wide), (walkable.T, narrow.T, wide.T)):
        is_open, is_narrow, is_wide = (np.pad(grid, 1) for grid in grids)
        lines = is_narrow[1:-1], is_open[:-2], is_wide[:-2], is_open[2:], is_wide[2:]
        # whether each property holds for all cells from here to the end of the run: here, above, below
        ahead = [line[:, 1:] for line in lines]
        for length in range(2, most + 1):
            ahead = [cells[:, :-1] & line[:, length:] for cells, line in zip(ahead, lines, strict=True)]
            here, up, wide_up, down, wide_down = (cells[:, :-1] for cells in ahead)
            shut = ~is_open[1:-1, : here.shape[1]] & ~is_open[1:-1, length + 1 :]
            count += int(np.count_nonzero(here & shut & (up & wide_down | wide_up & down)))
    return count
