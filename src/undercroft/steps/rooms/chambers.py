"""The step that puts rooms into the cells of a plan."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np
from msgspec import Meta

from undercroft.analysis.reach import run_by_rows
from undercroft.core.draft import Draft
from undercroft.core.region import Regions
from undercroft.core.rng import Rng, threshold
from undercroft.core.run import Run
from undercroft.kernels import buffer, plan
from undercroft.steps.rectangles import CELL, CELLS, ROOM, Boxes, boxes_of, list_boxes, place_boxes, regions_of
from undercroft.steps.rooms import layout_rooms
from undercroft.steps.rooms.kept_rooms import add_kept_rooms, find_kept_rooms
from undercroft.steps.rooms.layout_rooms import PoolWithDigest
from undercroft.steps.rooms.split import Side
from undercroft.steps.step import Share


@dataclass(frozen=True, kw_only=True)
class Chambers:
    """Put a room into each cell that is large enough; the cell becomes that room. Rooms are rectangles of floor, and
    never touch the border of the map.

    >>> from undercroft.steps.rooms.split import Split
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
    """The width of the rock along the inside of a cell."""
    fill: Share = 0.6
    """A room takes at least this share of the cell's width and height; 1: all of it."""
    share: Share = 1.0
    """The share of these cells that get a room, drawn at random."""
    least: Annotated[int, Meta(ge=0, le=1_000_000)] = 1
    """The fewest rooms: if too few cells are large enough, the largest of the others get smaller rooms."""
    small: Literal["drop", "keep"] = "drop"
    """What happens to cells without a room: they are removed, or stay cells."""

    layouts: tuple[str, ...] = ()
    """Layouts to make rooms from: names of shipped layouts ("any" for all), or files; a layout named twice is drawn
    twice as often. Empty: rectangles.
    """

    edition: ClassVar[int] = 1
    reads: ClassVar[tuple[str, ...]] = ("layouts",)
    needs: ClassVar[tuple[str, ...]] = ("tiles", "regions")
    gives: ClassVar[tuple[str, ...]] = ("regions", "sockets")
    spoils: ClassVar[tuple[str, ...]] = ("doors", "links", "ends", "path", "locks", "choke", "tunnel")

    def __post_init__(self) -> None:
        if self.layouts:
            self._layout_pool  # noqa: B018 - report a mistake in them now

    @functools.cached_property
    def _layout_pool(self) -> PoolWithDigest:
        return layout_rooms.load_layouts(self.layouts)

    @property
    def digest(self) -> str:
        """The digest of the layouts that were read; empty if there are none."""
        return self._layout_pool.digest if self.layouts else ""

    def apply(self, draft: Draft, rng: Rng, run: Run) -> None:
        table = regions_of(draft).table
        run.spend(len(table))
        whole, cells = list_boxes(table, CELLS, filled=True)
        plan.clip_boxes(buffer(cells), draft.width, draft.height)
        rooms = np.zeros(cells.shape, np.int32)
        args = (
            buffer(cells),
            buffer(rooms),
            rng.state,
            self.min_width,
            self.min_height,
            self.margin,
            threshold(self.fill),
        )
        run_by_rows(run, len(cells), 8, lambda first, last: int(plan.place_chambers(*args, first, last)))
        if self.share < 1:
            self._leave_out(rooms, rng.stream("share"))
        self._add_smaller(cells, rooms, run)
        kept = find_kept_rooms(draft, run)
        if kept is not None:
            rooms = kept.clear(rooms, self.min_width, self.min_height)
        made = (rooms[:, 2] > 0).nonzero()[0]
        boxes, whole = rooms.take(made, axis=0), whole[made]  # a mask of rows takes twenty times as long
        stays = table["kind"] != CELL if self.small == "drop" else np.ones(len(table), bool)
        if kept is not None:
            stays &= (table["kind"] != CELL) | ~kept.touched_by(boxes_of(table))
        stays[whole] = False
        tile = -1 if self.layouts else draft.palette.role("floor")
        draft.regions = place_boxes(draft, boxes, ROOM, run, tile=tile, stays=stays, was=whole)
        if self.layouts:
            self._shape_rooms(draft, draft.regions, boxes, rng.stream("layouts"), run)
        if kept is not None:
            add_kept_rooms(draft, kept)

    def _shape_rooms(self, draft: Draft, regions: Regions, boxes: Boxes, rng: Rng, run: Run) -> None:
        """Turn the last regions, which fill the boxes, into rooms from layouts."""
        run.spend(2 * int((boxes[:, 2] * boxes[:, 3]).sum()))
        rooms = [self._layout_pool.pick_room(rng, width, height) for width, height in boxes[:, 2:].tolist()]
        layout_rooms.place_rooms(
            draft, regions, range(len(regions) - len(boxes) + 1, len(regions) + 1), boxes, rooms, run
        )
        if len(boxes) and not any(rooms):
            run.note(f"no layout fits any of {len(boxes)} rooms; they are rectangles")

    def _leave_out(self, rooms: Boxes, rng: Rng) -> None:
        """Remove rooms until the share is left, but keep at least the least number."""
        order = np.flatnonzero(rooms[:, 2]).tolist()
        rng.shuffle(order)
        rooms[order[max(self.least, round(len(order) * self.share)) :]] = 0

    def _add_smaller(self, cells: Boxes, rooms: Boxes, run: Run) -> None:
        """Put rooms into the largest cells without one, until there are enough."""
        missing = self.least - int(np.count_nonzero(rooms[:, 2]))
        if missing <= 0:
            return
        inner = cells + np.array([self.margin, self.margin, -2 * self.margin, -2 * self.margin], np.int32)
        free = np.flatnonzero((rooms[:, 2] == 0) & (inner[:, 2] > 0) & (inner[:, 3] > 0))
        chosen = free[np.argsort(-inner[free, 2] * inner[free, 3], kind="stable")[:missing]]
        rooms[chosen] = inner[chosen]
        if len(chosen) < missing:
            run.note(
                f"{np.count_nonzero(rooms[:, 2])} rooms instead of {self.least}: no other cell has a place for one"
            )
