"""Steps that scatter cells in a disc, and that push cells apart."""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt
from typing import Annotated, Any, ClassVar, Literal

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
        boxes = boxes_of(regions.table[is_cell])
        if not len(boxes):
            return
        numbers, moved = np.arange(len(boxes)), boxes
        if self.reloc_attempts and not _boxes_to_keep(boxes, run).all():
            moved = boxes.copy()
            numbers = np.flatnonzero(_spread_out(moved, draft, rng, run))
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
        draft.regions = place_boxes(
            draft, moved[stays], CELL, run, stays=~is_cell, was=np.flatnonzero(is_cell)[numbers[stays]]
        )
        frames.sketch_boxes(draft, moved[stays], run)

    def _push_apart(self, boxes: Boxes, draft: Draft, rng: Rng, run: Run) -> None:
        """Let boxes push each other away until none are too near, or for `reloc_attempts` rounds. A watcher gets a
        frame after every round.
        """
        count = len(boxes)
        if not count:
            return
        middles = _middles(boxes)
        middle = middles.sum(axis=0) // count
        crowd, marked = np.empty((2, count), np.int32), np.ones(count, np.uint8)
        crowd[0] = np.argsort(-((middles - middle) ** 2).sum(axis=1), kind="stable")
        state = np.array([0, 0, count, 0, 0], np.int64)
        args = (
            buffer(state),
            buffer(boxes),
            buffer(crowd),
            buffer(marked),
            *build_box_index(boxes),
            rng.state,
            buffer(middle.astype(np.int32)),
            self.step,
        )
        if run.watcher is None:
            run.drive(lambda fuel: int(plan.separate_boxes(*args, self.reloc_attempts, fuel)))
            return
        while state[0] < self.reloc_attempts and state[2]:
            run.spend(int(plan.separate_boxes(*args, int(state[0]) + 1, 1 << 40)))
            frames.sketch_boxes(draft, boxes, run)


def build_box_index(boxes: Boxes) -> tuple[Any, ...]:
    """An index of boxes for the kernels, which fill it: a grid of buckets, about one box in each."""
    corner = boxes[:, :2].min(axis=0)
    sides = [int(side) for side in (boxes[:, :2] + boxes[:, 2:]).max(axis=0) - corner]
    bits = isqrt(sides[0] * sides[1] // len(boxes)).bit_length()
    columns, rows = ((side >> bits) + 1 for side in sides)
    grid = np.array([columns, rows, bits, *corner, (int(boxes[:, 2:].max()) + 1) // 2 + 2], np.int32)
    found, heads, after, before = (
        np.empty(size, np.int32) for size in (len(boxes) + 1, columns * rows, len(boxes), len(boxes))
    )
    return tuple(buffer(part) for part in (found, heads, after, before, grid))


def _boxes_to_keep(boxes: Boxes, run: Run) -> NDArray[np.bool_]:
    """A mask of the boxes to keep: of two that are too near to each other, only the larger."""
    stays = np.ones(len(boxes), np.uint8)
    order = np.argsort(-boxes[:, 2].astype(np.int64) * boxes[:, 3], kind="stable").astype(np.int32)
    if len(boxes):
        run.spend(int(plan.drop_crowded(buffer(boxes), buffer(order), *build_box_index(boxes), buffer(stays))))
    return stays.view(bool)


def _spread_out(boxes: Boxes, draft: Draft, rng: Rng, run: Run) -> NDArray[np.bool_]:
    """Move boxes outwards, each as far as those nearer to the middle need room. Returns a mask of those that still lie
    on the map; boxes on its border are moved inside.
    """
    count = len(boxes)
    middles = _middles(boxes)
    total = middles.sum(axis=0)
    middle = total // count
    places = middles - middle
    parts = (1 << 28) // (int(np.abs(places).max()) + 3)
    places = places * parts - (total - middle * count) * parts // count
    run.spend(
        int(plan.jitter_places(buffer(places), rng.state, 2 * parts))
    )  # by at most one cell: many may share few places
    order = np.argsort((places**2).sum(axis=1), kind="stable").astype(np.int32)
    needed = np.cumsum(_areas(boxes)[order])
    order = order[: np.searchsorted(needed, 4 * draft.tiles.size)]  # the rest do not fit on the map
    stretch = _stretch(draft, boxes, 2 * int(needed[-1]))
    run.spend(int(plan.push_outwards(buffer(boxes), buffer(order), buffer(places), parts, *map(int, middle), stretch)))
    here = np.zeros(count, bool)
    here[order] = True
    here &= ((boxes[:, :2] < (draft.width, draft.height)) & (boxes[:, :2] + boxes[:, 2:] > 0)).all(axis=1)
    boxes[here, :2] = np.clip(boxes[here, :2], 1, (draft.width - 1, draft.height - 1) - boxes[here, 2:])
    return here


def _stretch(draft: Draft, boxes: Boxes, square: int) -> int:
    """The factor, in 65536ths, by which the area for boxes is wider than a circle; 65536 if a circle whose squared
    radius is `square` fits on the map.
    """
    usual = boxes[:, 2:].sum(axis=0) // len(boxes)
    across, down = max(1, draft.width - 2 - int(usual[0])), max(1, draft.height - 2 - int(usual[1]))
    short, long = sorted((across, down))
    stretch = isqrt((min(max(square, short * short), short * long) << 32) // (short * short))
    return stretch if across >= down else (1 << 32) // stretch


def _middles(boxes: Boxes) -> NDArray[np.int64]:
    """The middles of boxes, in half cells."""
    return 2 * boxes[:, :2].astype(np.int64) + boxes[:, 2:]


def _areas(boxes: Boxes) -> NDArray[np.int64]:
    """The areas of boxes, each with the rock to its right and below it."""
    return (boxes[:, 2] + 1).astype(np.int64) * (boxes[:, 3] + 1)


def _is_inside(boxes: Boxes, draft: Draft) -> NDArray[np.bool_]:
    """A mask of the boxes that do not touch the border."""
    ends = boxes[:, :2] + boxes[:, 2:]
    off = (boxes[:, :2] >= 1) & (ends <= (draft.width - 1, draft.height - 1))
    return np.asarray(off.all(axis=1))
