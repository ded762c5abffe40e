"""Steps that scatter cells in a disc, and that push cells apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from undercroft.analysis.reach import run_by_rows
from undercroft.core.draft import Draft
from undercroft.core.rng import Rng, threshold
from undercroft.core.run import Run
from undercroft.errors import BadInput
from undercroft.kernels import buffer, plan
from undercroft.steps import frames
from undercroft.steps.rectangles import CELL, CELLS, Boxes, list_boxes, place_boxes, regions_of
from undercroft.steps.step import Share

Mean = Annotated[float, Meta(ge=1, le=1000)]
Law = Literal["uniform", "normal"]
FIXED_POINT_ONE = 65536
"""Means and deviations are fixed-point numbers with this denominator."""
MAX_COVERINGS = 16
"""Scattered cells cover the map at most this many times. Once pushed apart, less than one covering fits on it."""


@dataclass(frozen=True, kw_only=True)
class Scatter:
    """Scatter cells of random size in a disc in the middle of the map. They may overlap; no tile changes.

    Cells that would reach over the border are moved inside, and cut if they are larger than the map. Cells cover the
    map at most sixteen times. A normal deviate is the sum of twelve uniform draws, less their mean: whole numbers only,
    and nothing beyond six deviations.
    """

    cells: Annotated[int, Meta(ge=0, le=1_000_000)] = 0
    """How many cells; 0: as many of the mean size as fill four sevenths of the map, each with the rock on two of its
    sides. Most of them then still fit once they are pushed apart.
    """
    radius: Share = 0.25
    """The radius of the disc, as a share of the map's shorter side."""
    position: Law = "uniform"
    """How the middles of cells lie in the disc. uniform: evenly; normal: denser near its middle, with a deviation of
    half the radius.
    """
    size: Law = "normal"
    """How side lengths are drawn. normal: from the normal distribution; uniform: any length from mean - deviation to
    mean + deviation equally often. Never below 1.
    """
    mean_width: Mean = 4.0
    """The mean width of a cell."""
    mean_height: Mean = 4.0
    """The mean height of a cell."""
    deviation: Annotated[float, Meta(ge=0, le=1000)] = 2.0
    """The deviation of side lengths from their mean."""

    edition: ClassVar[int] = 1
    needs: ClassVar[tuple[str, ...]] = ("tiles",)
    gives: ClassVar[tuple[str, ...]] = ("regions",)
    spoils: ClassVar[tuple[str, ...]] = ("doors", "links", "split", "sockets")

    def check(self, width: int, height: int) -> None:
        """Refuse a map without room for a cell of one tile."""
        if min(width, height) < 3:
            raise BadInput(
                f"cells with rock around them need a map of at least 3x3, not {width}x{height}",
                fix=f"ask for {max(width, 3)}x{max(height, 3)} or more",
            )

    def apply(self, draft: Draft, rng: Rng, run: Run) -> None:
        height, width = draft.tiles.shape
        across, down, deviation = (
            int(number * FIXED_POINT_ONE) for number in (self.mean_width, self.mean_height, self.deviation)
        )
        count = self.cells or max(
            1,
            4
            * FIXED_POINT_ONE
            * FIXED_POINT_ONE
            * (width - 1)
            * (height - 1)
            // (7 * (across + FIXED_POINT_ONE) * (down + FIXED_POINT_ONE)),
        )
        if min(width, height) < 3:
            count = 0
        boxes = np.empty((count, 4), np.int32)
        radius = min(width, height) * threshold(self.radius) >> 32
        args = (
            buffer(boxes),
            rng.state,
            width,
            height,
            radius,
            across,
            down,
            deviation,
            self.position == "normal",
            self.size == "normal",
        )
        run_by_rows(run, count, 16, lambda first, last: int(plan.scatter_boxes(*args, first, last)))
        thrown = boxes[: plan.count_within(buffer(boxes), MAX_COVERINGS * width * height)]
        if len(thrown) < count:
            run.note(f"only {len(thrown)} of {count} cells were thrown: they cover the map {MAX_COVERINGS} times over")
        draft.regions = place_boxes(draft, thrown, CELL, run)
        frames.sketch_boxes(draft, thrown, run, one_by_one=True)


@dataclass(frozen=True, kw_only=True)
class Separate:
    """Move cells apart until none overlaps or touches another, so that there is rock between any two. No tile changes.

    >>> draft = Draft(18, 18)
    >>> Scatter(cells=6, mean_height=3.0, radius=0.1).apply(draft, Rng.root(1).stream("scatter"), Run())
    >>> Separate().apply(draft, Rng.root(1).stream("separate"), Run())
    >>> for row in draft.regions.labels[1:-1].tolist():
    ...     print("".join("#123456"[label] for label in row))
    ########11111#####
    ########11111#####
    ########11111#####
    ########11111#####
    ##################
    #444444#666#######
    #444444#666#######
    #444444#666###5###
    #444444#######5###
    ##########333#5###
    ##########333#5###
    ##################
    #####2222222######
    ##################
    ##################
    ##################

    If some are too near to each other, all first move outwards, each as far as those nearer to the middle need room.
    Together they make a disc, or an ellipse if that fits the map better. Then, in each round, any two that are too
    near to each other push each other away. Cells that leave the map are removed. At the end, cells that are still too
    near to another are removed too, smallest first. Regions of other kinds stay as they are.
    """

    step: Annotated[int, Meta(ge=1, le=1000)] = 4
    """The farthest that one push moves a cell."""
    reloc_attempts: Annotated[int, Meta(ge=0, le=1_000_000)] = 1000
    """The most rounds; 0: move nothing, only remove."""

    edition: ClassVar[int] = 1
    needs: ClassVar[tuple[str, ...]] = ("regions",)
    gives: ClassVar[tuple[str, ...]] = ("regions",)
    spoils: ClassVar[tuple[str, ...]] = ("doors", "links", "split", "sockets")

    def apply(self, draft: Draft, rng: Rng, run: Run) -> None:
        table = regions_of(draft).table
        run.spend(len(table))
        at, boxes = list_boxes(table, CELLS)
        if not len(boxes):
            return
        numbers, moved, room = np.arange(len(boxes)), boxes, _WorkingRoom.of(boxes, draft)
        run.spend(int(plan.find_crowded(buffer(boxes), *room.box_index)))
        is_crowded = bool(room.box_index.found[0])
        if is_crowded and self.reloc_attempts:
            moved = boxes.copy()
            numbers = _spread_out(moved, room, draft, rng, run)
            moved = moved.take(numbers, axis=0)
            is_crowded = self._push_apart(moved, room, draft, rng, run)
        inside = _find_inside(moved, draft)
        if len(inside) < len(moved):
            numbers, moved = numbers[inside], moved.take(inside, axis=0)
        if not len(moved):  # the map is hardly larger than its cells
            numbers = _find_inside(boxes, draft)[:1]
            moved = boxes[numbers]
        if gone := len(boxes) - len(numbers):
            run.note(f"{gone} of {len(boxes)} cells left the map and were removed")
        if is_crowded:
            stays = _boxes_to_keep(moved, room, run)
            if gone := len(moved) - len(stays):
                run.note(
                    f"{gone} cells were still too near to others after {self.reloc_attempts} rounds and were removed"
                )
            numbers, moved = numbers[stays], moved.take(stays, axis=0)
        draft.regions = place_boxes(draft, moved, CELL, run, stays=table["kind"] != CELL, was=at[numbers])
        frames.sketch_boxes(draft, moved, run)

    def _push_apart(self, boxes: Boxes, room: _WorkingRoom, draft: Draft, rng: Rng, run: Run) -> bool:
        """Let boxes push each other away until none are too near, or for `reloc_attempts` rounds. A watcher gets a
        frame after every round. Returns whether some are still too near.
        """
        count = len(boxes)
        if not count:
            return False
        crowd, marked, middle = np.empty((2, count), np.int32), np.ones(count, np.uint8), np.empty(2, np.int32)
        places = np.empty((count, 2), np.int64)
        inwards = buffer(boxes), buffer(places), room.box_index.sums, *room.sorting, buffer(crowd), buffer(middle)
        plan.order_inwards(*inwards)
        state = np.array([0, 0, count, 0, 0], np.int64)
        args = (
            buffer(state),
            buffer(boxes),
            buffer(crowd),
            buffer(marked),
            *room.box_index,
            rng.state,
            buffer(middle),
            self.step,
        )
        if run.watcher is None:
            run.drive(lambda fuel: int(plan.separate_boxes(*args, self.reloc_attempts, fuel)))
        while state[0] < self.reloc_attempts and state[2]:
            run.spend(int(plan.separate_boxes(*args, int(state[0]) + 1, 1 << 40)))
            frames.sketch_boxes(draft, boxes, run)
        return bool(state[2])


class BoxIndex(NamedTuple):
    """Room for an index of boxes, which the kernels fill: a grid of buckets, about one box in each."""

    found: Any
    heads: Any
    after: Any
    before: Any
    grid: Any
    sums: Any

    @classmethod
    def of(cls, count: int, width: int, height: int) -> BoxIndex:
        """Room for so many boxes on a map of that size."""
        sizes = count + 1, count + width + height + 2, count, count, 7
        found, heads, after, before, grid = (buffer(np.empty(size, np.int32)) for size in sizes)
        return cls(found, heads, after, before, grid, buffer(np.empty(15, np.int64)))


class _WorkingRoom(NamedTuple):
    """Room for the work of the kernels on so many boxes, or fewer."""

    sorting: tuple[Any, Any, Any]
    """Keys to sort by, the order, and a spare one."""
    box_index: BoxIndex

    @classmethod
    def of(cls, boxes: Boxes, draft: Draft) -> _WorkingRoom:
        """Room for these boxes."""
        count = len(boxes)
        keys, order, spare = np.empty(count, np.int64), np.empty(count, np.int32), np.empty(count, np.int32)
        return cls((buffer(keys), buffer(order), buffer(spare)), BoxIndex.of(count, draft.width, draft.height))


def _boxes_to_keep(boxes: Boxes, room: _WorkingRoom, run: Run) -> NDArray[np.intp]:
    """The indices of the boxes to keep: of two that are too near to each other, only the larger."""
    stays = np.empty(len(boxes), np.uint8)
    run.spend(int(plan.drop_smaller(buffer(boxes), *room.sorting, *room.box_index, buffer(stays))))
    return stays.view(bool).nonzero()[0]


def _spread_out(boxes: Boxes, room: _WorkingRoom, draft: Draft, rng: Rng, run: Run) -> NDArray[np.intp]:
    """Move boxes outwards, each as far as those nearer to the middle need room. Returns the indices of those that still
    lie on the map; boxes on its border are moved inside.
    """
    stays, places = np.empty(len(boxes), np.uint8), np.empty((len(boxes), 2), np.int64)
    scratch = buffer(places), room.box_index.sums, *room.sorting
    run.spend(int(plan.spread_boxes(buffer(boxes), buffer(stays), *scratch, rng.state, draft.width, draft.height)))
    return stays.view(bool).nonzero()[0]


def _find_inside(boxes: Boxes, draft: Draft) -> NDArray[np.intp]:
    """The indices of the boxes that do not touch the border."""
    inside = np.empty(len(boxes), np.uint8)
    plan.find_inner_boxes(buffer(boxes), buffer(inside), draft.width, draft.height)
    return inside.view(bool).nonzero()[0]
