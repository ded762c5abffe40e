"""Steps that scatter cells in a disc, and that push cells apart."""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt
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
from undercroft.steps.rectangles import CELL, Boxes, boxes_of, place_boxes, regions_of
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
        thrown = boxes
        if sum_up_boxes(boxes).area > MAX_COVERINGS * width * height:
            thrown = boxes[: np.searchsorted(np.cumsum(_areas(boxes)), MAX_COVERINGS * width * height) + 1]
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
        regions = regions_of(draft)
        run.spend(len(regions))
        is_cell = regions.table["kind"] == CELL
        at = is_cell.nonzero()[0]
        boxes = boxes_of(regions.table)[at]
        if not len(boxes):
            return
        numbers, moved = np.arange(len(boxes)), boxes
        if self.reloc_attempts and not _boxes_to_keep(boxes, run).all():
            moved = boxes.copy()
            numbers = _spread_out(moved, draft, rng, run).nonzero()[0]
            moved = moved[numbers]
            self._push_apart(moved, draft, rng, run)
        inside = _is_inside(moved, draft)
        numbers, moved = numbers[inside], moved[inside]
        stays = _boxes_to_keep(moved, run)
        if not stays.any():  # the map is hardly larger than its cells
            numbers = np.flatnonzero(_is_inside(boxes, draft))[:1]
            moved, stays = boxes[numbers], np.ones(len(numbers), bool)
        if gone := len(boxes) - len(numbers):
            run.note(f"{gone} of {len(boxes)} cells left the map and were removed")
        if gone := int(np.count_nonzero(~stays)):
            run.note(f"{gone} cells were still too near to others after {self.reloc_attempts} rounds and were removed")
        draft.regions = place_boxes(draft, moved[stays], CELL, run, stays=~is_cell, was=at[numbers[stays]])
        frames.sketch_boxes(draft, moved[stays], run)

    def _push_apart(self, boxes: Boxes, draft: Draft, rng: Rng, run: Run) -> None:
        """Let boxes push each other away until none are too near, or for `reloc_attempts` rounds. A watcher gets a
        frame after every round.
        """
        count = len(boxes)
        if not count:
            return
        sums = sum_up_boxes(boxes)
        middle, _ = sums.find_middle(count)
        crowd, marked = np.empty((2, count), np.int32), np.ones(count, np.uint8)
        places, squares = np.empty((count, 2), np.int64), np.empty(count, np.int64)
        plan.locate_middles(buffer(boxes), buffer(places), *middle, -1, 0, 0)
        plan.square_distances(buffer(places), buffer(squares))
        crowd[0] = np.negative(squares, out=squares).argsort(kind="stable")
        state = np.array([0, 0, count, 0, 0], np.int64)
        args = (
            buffer(state),
            buffer(boxes),
            buffer(crowd),
            buffer(marked),
            *build_box_index(boxes, sums),
            rng.state,
            buffer(np.array(middle, np.int32)),
            self.step,
        )
        if run.watcher is None:
            run.drive(lambda fuel: int(plan.separate_boxes(*args, self.reloc_attempts, fuel)))
            return
        while state[0] < self.reloc_attempts and state[2]:
            run.spend(int(plan.separate_boxes(*args, int(state[0]) + 1, 1 << 40)))
            frames.sketch_boxes(draft, boxes, run)


class BoxSums(NamedTuple):
    """What boxes together are like; middles are in half cells."""

    left: int
    top: int
    right: int
    bottom: int
    longest_side: int
    least_x: int
    least_y: int
    greatest_x: int
    greatest_y: int
    """The span of the middles."""
    middle_x: int
    middle_y: int
    """The sums of the middles."""
    width: int
    height: int
    area: int
    """The sums of widths, of heights, and of areas with the rock to the right and below."""

    def find_middle(self, count: int) -> tuple[tuple[int, int], tuple[int, int]]:
        """The middle of so many boxes, rounded down, and what the rounding cut off, in parts of the count."""
        (x, more_x), (y, more_y) = divmod(self.middle_x, count), divmod(self.middle_y, count)
        return (x, y), (more_x, more_y)


def sum_up_boxes(boxes: Boxes) -> BoxSums:
    """What boxes together are like.

    >>> sum_up_boxes(np.array([[1, 1, 3, 4], [7, 2, 2, 2]], np.int32)).find_middle(2)
    ((10, 6), (1, 0))
    """
    sums = np.empty(len(BoxSums._fields), np.int64)
    plan.sum_up_boxes(buffer(boxes), buffer(sums))
    return BoxSums(*sums.tolist())


def build_box_index(boxes: Boxes, sums: BoxSums) -> tuple[Any, ...]:
    """An index of boxes for the kernels, which fill it: a grid of buckets, about one box in each."""
    count = len(boxes)
    across, down = sums.right - sums.left, sums.bottom - sums.top
    bits = isqrt(across * down // count).bit_length()
    columns, rows = (across >> bits) + 1, (down >> bits) + 1
    grid = np.array([columns, rows, bits, sums.left, sums.top, (sums.longest_side + 1) // 2 + 2], np.int32)
    found, heads, after, before = (np.empty(size, np.int32) for size in (count + 1, columns * rows, count, count))
    return tuple(buffer(part) for part in (found, heads, after, before, grid))


def _boxes_to_keep(boxes: Boxes, run: Run) -> NDArray[np.bool_]:
    """A mask of the boxes to keep: of two that are too near to each other, only the larger."""
    stays = np.ones(len(boxes), np.uint8)
    order = (-boxes[:, 2].astype(np.int64) * boxes[:, 3]).argsort(kind="stable").astype(np.int32)
    if len(boxes):
        index = build_box_index(boxes, sum_up_boxes(boxes))
        run.spend(int(plan.drop_crowded(buffer(boxes), buffer(order), *index, buffer(stays))))
    return stays.view(bool)


def _spread_out(boxes: Boxes, draft: Draft, rng: Rng, run: Run) -> NDArray[np.bool_]:
    """Move boxes outwards, each as far as those nearer to the middle need room. Returns a mask of those that still lie
    on the map; boxes on its border are moved inside.
    """
    count, sums = len(boxes), sum_up_boxes(boxes)
    (x, y), cut_off = sums.find_middle(count)
    farthest = max(sums.greatest_x - x, x - sums.least_x, sums.greatest_y - y, y - sums.least_y)
    parts = (1 << 28) // (farthest + 3)
    places, squares = np.empty((count, 2), np.int64), np.empty(count, np.int64)
    plan.locate_middles(buffer(boxes), buffer(places), x, y, parts, *(more * parts // count for more in cut_off))
    run.spend(
        int(plan.jitter_places(buffer(places), rng.state, 2 * parts))
    )  # by at most one cell: many may share few places
    plan.square_distances(buffer(places), buffer(squares))
    order = squares.argsort(kind="stable").astype(np.int32)
    if sums.area >= 4 * draft.tiles.size:  # the rest do not fit on the map
        order = order[: np.searchsorted(np.cumsum(_areas(boxes)[order]), 4 * draft.tiles.size)]
    stretch = _stretch(draft, sums.width // count, sums.height // count, 2 * sums.area)
    run.spend(int(plan.push_outwards(buffer(boxes), buffer(order), buffer(places), parts, x, y, stretch)))
    here = np.zeros(count, np.uint8)
    plan.move_boxes_inside(buffer(boxes), buffer(order), buffer(here), draft.width, draft.height)
    return here.view(bool)


def _stretch(draft: Draft, width: int, height: int, square: int) -> int:
    """The factor, in 65536ths, by which the area for boxes of that usual size is wider than a circle; 65536 if a circle
    whose squared radius is `square` fits on the map.
    """
    across, down = max(1, draft.width - 2 - width), max(1, draft.height - 2 - height)
    short, long = sorted((across, down))
    stretch = isqrt((min(max(square, short * short), short * long) << 32) // (short * short))
    return stretch if across >= down else (1 << 32) // stretch


def _areas(boxes: Boxes) -> NDArray[np.int64]:
    """The areas of boxes, each with the rock to its right and below it."""
    return (boxes[:, 2] + 1).astype(np.int64) * (boxes[:, 3] + 1)


def _is_inside(boxes: Boxes, draft: Draft) -> NDArray[np.bool_]:
    """A mask of the boxes that do not touch the border."""
    inside = np.empty(len(boxes), np.uint8)
    plan.find_inner_boxes(buffer(boxes), buffer(inside), draft.width, draft.height)
    return inside.view(bool)
