"""Rooms in the cells of a plan."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from undercroft.analysis.reach import by_rows
from undercroft.core.draft import Draft
from undercroft.core.rng import Rng, threshold
from undercroft.core.run import Run
from undercroft.kernels import buffer, plan
from undercroft.steps.boxes import CELL, ROOM, Boxes, boxes_of, placed, regions_of
from undercroft.steps.split import Side
from undercroft.steps.step import Share


@dataclass(frozen=True, kw_only=True)
class Chambers:
    """Put a room into each cell that is large enough; the cell becomes that room. Rooms are rectangles of floor, and leave the border of the map alone.

    >>> from undercroft.steps.split import Split
    >>> draft = Draft(28, 9)
    >>> Split(depth=2).apply(draft, Rng.root(0).stream("0"), Run())
    >>> Chambers(fill=0.4).apply(draft, Rng.root(0).stream("1"), Run())
    >>> print(draft)
    ############################
    #....###############.......#
    #....##....#########.......#
    #....##....#########.......#
    #....##....###....##.......#
    #....##....###....##.......#
    #....##....###....##.......#
    #....###############.......#
    ############################
    """

    min_width: Side = 3
    """Cells that hold no room of this width get none."""
    min_height: Side = 3
    """Cells that hold no room of this height get none."""
    margin: Annotated[int, Meta(ge=0, le=1000)] = 0
    """So much rock stays along the inside of a cell."""
    fill: Share = 0.6
    """A room takes at least this share of what the cell has, in width and in height; 1 for all of it."""
    least: Annotated[int, Meta(ge=0, le=1_000_000)] = 1
    """At least so many rooms: if too few cells are large enough, the largest of the others get smaller rooms."""
    small: Literal["drop", "keep"] = "drop"
    """What becomes of cells without a room: they are forgotten, or stay cells."""

    edition: ClassVar[int] = 1
    needs: ClassVar[tuple[str, ...]] = ("tiles", "regions")
    gives: ClassVar[tuple[str, ...]] = ("regions",)
    spoils: ClassVar[tuple[str, ...]] = ("doors", "links", "ends", "path", "tunnel")

    def apply(self, draft: Draft, rng: Rng, run: Run) -> None:
        regions = regions_of(draft)
        table = regions.table
        is_cell = table["kind"] == CELL
        whole = np.flatnonzero(is_cell & (table["area"] == table["width"] * table["height"]))
        run.spend(len(table))
        cells = _inside(boxes_of(table[whole]), draft.width, draft.height)
        rooms = np.zeros_like(cells)
        args = buffer(cells), buffer(rooms), rng.state, self.min_width, self.min_height, self.margin, threshold(self.fill)
        by_rows(run, len(cells), 8, lambda first, last: int(plan.chambers(*args, first, last)))
        self._add_smaller(cells, rooms, run)
        made = rooms[:, 2] > 0
        stays = ~is_cell if self.small == "drop" else np.ones(len(table), bool)
        stays[whole[made]] = False
        draft.regions = placed(draft, np.ascontiguousarray(rooms[made]), ROOM, run, tile=draft.palette.role("floor"), stays=stays, was=whole[made])

    def _add_smaller(self, cells: Boxes, rooms: Boxes, run: Run) -> None:
        """Give the largest cells without a room one, until there are enough."""
        missing = self.least - int(np.count_nonzero(rooms[:, 2]))
        if missing <= 0:
            return
        inner = cells + np.array([self.margin, self.margin, -2 * self.margin, -2 * self.margin], np.int32)
        free = np.flatnonzero((rooms[:, 2] == 0) & (inner[:, 2] > 0) & (inner[:, 3] > 0))
        chosen = free[np.argsort(-inner[free, 2] * inner[free, 3], kind="stable")[:missing]]
        rooms[chosen] = inner[chosen]
        if len(chosen) < missing:
            run.note(f"{np.count_nonzero(rooms[:, 2])} rooms instead of {self.least}: no other cell has a place for one")


def _inside(boxes: Boxes, width: int, height: int) -> NDArray[np.int32]:
    """What of the boxes lies inside the border of the map."""
    ends = np.minimum(boxes[:, :2] + boxes[:, 2:], (width - 1, height - 1))
    starts = np.maximum(boxes[:, :2], 1)
    return np.ascontiguousarray(np.hstack([starts, np.maximum(ends - starts, 0)]), np.int32)
