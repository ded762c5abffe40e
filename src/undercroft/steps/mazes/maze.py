"""Steps that fill the remaining rock with passages, and that fill their dead ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from undercroft.analysis.reach import run_by_rows
from undercroft.core.draft import Draft
from undercroft.core.palette import DOOR_ROLES, look_up_tiles
from undercroft.core.rng import Rng, threshold
from undercroft.core.run import Run
from undercroft.kernels import buffer, carve, flat_buffer
from undercroft.steps.odd_lattice import check_lattice_size, count_lattice_cells
from undercroft.steps.step import ALL_BUT_TILES, Share


@dataclass(frozen=True, kw_only=True)
class Maze:
    """Fill the rock with mazes: grow a tree of passages from every odd cell that no passage has reached, newest cell
    first.

    A passage touches nothing that was there before, not even at corners. On a map of even width or height no passage
    is dug beside the last column or row of rock.
    """

    winding: Share = 1.0
    """The chance that a passage turns where it could go straight on."""

    edition: ClassVar[int] = 1
    needs: ClassVar[tuple[str, ...]] = ("tiles",)
    gives: ClassVar[tuple[str, ...]] = ()
    spoils: ClassVar[tuple[str, ...]] = ALL_BUT_TILES

    def check(self, width: int, height: int) -> None:
        """Refuse a map without room for one cell of a passage."""
        check_lattice_size(width, height, least=3, what="mazes")

    def apply(self, draft: Draft, rng: Rng, run: Run) -> None:
        width, height = draft.width, draft.height
        columns, rows = count_lattice_cells(width), count_lattice_cells(height)
        rock = draft.palette.rock.view(np.uint8)
        free = np.zeros((rows + 2, columns + 2), np.uint8)
        tiles = flat_buffer(draft.tiles)
        run_by_rows(
            run,
            rows,
            columns * 4,
            lambda first, last: int(
                carve.find_free_plots(tiles, buffer(rock), flat_buffer(free), width, columns, first, last)
            ),
        )
        stack = np.empty(columns * rows + 1, np.uint32)
        state = np.zeros(3, np.int64)
        args = (
            buffer(state),
            tiles,
            flat_buffer(free),
            buffer(stack),
            rng.state,
            width,
            columns,
            rows,
            threshold(self.winding),
            draft.palette.role("corridor"),
        )
        run.drive(lambda fuel: int(carve.dig_mazes(*args, fuel)))


@dataclass(frozen=True, kw_only=True)
class Prune:
    """Fill dead ends: turn corridor and door cells with at most one exit into wall until none is left."""

    dead_ends: Share = 0.0
    """The share of dead ends that stay, with the passages that lead to them."""

    edition: ClassVar[int] = 1
    needs: ClassVar[tuple[str, ...]] = ("tiles",)
    gives: ClassVar[tuple[str, ...]] = ()
    spoils: ClassVar[tuple[str, ...]] = ALL_BUT_TILES

    def apply(self, draft: Draft, rng: Rng, run: Run) -> None:
        palette, (height, width) = draft.palette, draft.tiles.shape
        prunable = palette.role_mask("corridor", *DOOR_ROLES)
        flags = look_up_tiles(palette.walkable + 2 * prunable.view(np.uint8), draft.tiles)
        degree = np.empty((height, width), np.uint8)
        tips = np.empty(draft.tiles.size + 1, np.int32)
        found = carve.find_dead_ends(
            flat_buffer(flags),
            flat_buffer(degree),
            buffer(tips),
            rng.state,
            threshold(self.dead_ends),
            width,
            height,
        )
        run.spend(draft.tiles.size)
        state = np.array([found, 0], np.int64)
        args = (
            buffer(state),
            flat_buffer(draft.tiles),
            flat_buffer(degree),
            buffer(tips),
            width,
            height,
            palette.role("wall"),
        )
        run.drive(lambda fuel: int(carve.fill_dead_ends(*args, fuel)))
