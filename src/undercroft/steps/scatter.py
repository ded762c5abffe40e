"""Cells thrown into a disc, and cells that push each other apart."""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt
from typing import Annotated, ClassVar, Literal

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from undercroft.analysis.reach import by_rows
from undercroft.core.draft import Draft
from undercroft.core.rng import Rng, threshold
from undercroft.core.run import Run
from undercroft.errors import BadInput
from undercroft.kernels import buffer, plan
from undercroft.steps.boxes import CELL, Boxes, boxes_of, placed, regions_of
from undercroft.steps.step import Share

Mean = Annotated[float, Meta(ge=1, le=1000)]
Law = Literal["uniform", "normal"]
PART = 65536
"""Means and deviations are counted in such parts."""


@dataclass(frozen=True, kw_only=True)
class Scatter:
    """Throw cells of random size into a disc in the middle of the map. They may overlap; no tile changes.

    Cells that would reach over the border are moved inside, and cut if they are larger than the map.
    A number of the normal law is the sum of twelve even draws, less their mean: whole numbers only, and nothing beyond six deviations.
    """

    cells: Annotated[int, Meta(ge=0, le=1_000_000)] = 0
    """How many; 0: one for every 27 cells of the map."""
    radius: Share = 0.25
    """Of the disc, as a share of the map's shorter side."""
    position: Law = "uniform"
    """How the middles of cells lie in the disc: evenly, or more of them near its middle (with a deviation of half the radius)."""
    size: Law = "normal"
    """How long sides are: by the normal law, or any length from mean - deviation to mean + deviation equally often. Never below 1."""
    mean_width: Mean = 4.0
    """The usual width of a cell."""
    mean_height: Mean = 4.0
    """The usual height of a cell."""
    deviation: Annotated[float, Meta(ge=0, le=1000)] = 2.0
    """How much sides differ from that."""

    edition: ClassVar[int] = 1
    needs: ClassVar[tuple[str, ...]] = ("tiles",)
    gives: ClassVar[tuple[str, ...]] = ("regions",)
    spoils: ClassVar[tuple[str, ...]] = ("doors", "links")

    def check(self, width: int, height: int) -> None:
        """One cell of one tile must fit."""
        if min(width, height) < 3:
            raise BadInput(
                f"cells with rock around them need a map of at least 3x3, not {width}x{height}", fix=f"ask for {max(width, 3)}x{max(height, 3)} or more"
            )

    def apply(self, draft: Draft, rng: Rng, run: Run) -> None:
        height, width = draft.tiles.shape
        count = self.cells or max(1, width * height // 27)
        if min(width, height) < 3:
            count = 0
        boxes = np.empty((count, 4), np.int32)
        radius = min(width, height) * threshold(self.radius) >> 32
        lengths = (int(number * PART) for number in (self.mean_width, self.mean_height, self.deviation))
        args = buffer(boxes), rng.state, width, height, radius, *lengths, self.position == "normal", self.size == "normal"
        by_rows(run, count, 16, lambda first, last: int(plan.scatter(*args, first, last)))
        draft.regions = placed(draft, boxes, CELL, run)


@dataclass(frozen=True, kw_only=True)
class Separate:
    """Steer cells apart until none overlaps or touches another, so that there is rock between any two. No tile changes.

    If some are too near to each other, all first move outwards, each as far as those nearer to the middle need room. Then, round by round, every cell that is
    too near to others is pushed away from them, the outermost first. Cells that leave the map are removed, and so are, smallest first, those that are
    still too near to another in the end. Regions of other kinds are let be.

    >>> draft = Draft(18, 18)
    >>> Scatter(cells=6, mean_height=3.0, radius=0.1).apply(draft, Rng.root(1).stream("scatter"), Run())
    >>> Separate().apply(draft, Rng.root(1).stream("separate"), Run())
    >>> for row in draft.regions.labels[1:-1].tolist():
    ...     print("".join("#123456"[label] for label in row))
    #########11111####
    #########11111####
    #########11111####
    #########11111####
    ##################
    ########555####4##
    ########555####4##
    ########555####4##
    ###############4##
    #######2222222####
    ##################
    ###########333####
    ###########333####
    ##################
    ##################
    ##################
    """

    step: Annotated[int, Meta(ge=1, le=1000)] = 4
    """How far a push carries at most."""
    reloc_attempts: Annotated[int, Meta(ge=0, le=1_000_000)] = 1000
    """How many rounds at most; 0 moves nothing, and only removes."""

    edition: ClassVar[int] = 1
    needs: ClassVar[tuple[str, ...]] = ("regions",)
    gives: ClassVar[tuple[str, ...]] = ("regions",)
    spoils: ClassVar[tuple[str, ...]] = ("doors", "links")

    def apply(self, draft: Draft, rng: Rng, run: Run) -> None:
        regions = regions_of(draft)
        run.spend(len(regions))
        is_cell = regions.table["kind"] == CELL
        boxes = boxes_of(regions.table[is_cell])
        if not len(boxes):
            return
        before = boxes.copy()
        flock = Flock(boxes)
        if self.reloc_attempts and not flock.sifted(np.ones(len(boxes), bool), run).all():
            flock.steer(draft, self.step, self.reloc_attempts, rng, run)
        inside = _inside(boxes, draft)
        stays = flock.sifted(inside, run)
        if not stays.any():  # a map hardly larger than its cells
            first = np.flatnonzero(_inside(before, draft))[:1]
            boxes[first], inside[first], stays[first] = before[first], True, True
        if gone := len(boxes) - np.count_nonzero(inside):
            run.note(f"{gone} of {len(boxes)} cells left the map and were removed")
        if gone := np.count_nonzero(inside) - np.count_nonzero(stays):
            run.note(f"{gone} cells were still too near to others after {self.reloc_attempts} rounds and were removed")
        draft.regions = placed(draft, np.ascontiguousarray(boxes[stays]), CELL, run, stays=~is_cell, was=np.flatnonzero(is_cell)[stays])


class Flock:
    """Boxes in an index of buckets, about one box in each."""

    def __init__(self, boxes: Boxes) -> None:
        self.boxes = boxes
        count = len(boxes)
        middles = 2 * boxes[:, :2].astype(np.int64) + boxes[:, 2:]
        away = middles - middles.sum(axis=0) // count
        self.order = np.argsort(-(away**2).sum(axis=1), kind="stable").astype(np.int32)
        widest = int(boxes[:, 2:].max())
        room = int(np.abs(away).max()) // 2 + isqrt(int(((boxes[:, 2] + 1).astype(np.int64) * (boxes[:, 3] + 1)).sum())) + widest
        bits = isqrt(4 * room * room // count).bit_length()
        lines = (2 * room >> bits) + 1
        corner = middles.sum(axis=0) // (2 * count) - room
        self.grid = np.array([lines, lines, bits, *corner, (widest + 1) // 2 + 2], np.int32)
        self.heads = np.empty(lines * lines, np.int32)
        self.after, self.before = np.empty(count, np.int32), np.empty(count, np.int32)
        self.middle = middles.sum(axis=0) // count

    def steer(self, draft: Draft, step: int, rounds: int, rng: Rng, run: Run) -> None:
        """Push until all is well, or so many rounds. Whoever watches sees the cells as floor, after every round."""
        inwards = np.ascontiguousarray(self.order[::-1])
        run.spend(int(plan.make_room(buffer(self.boxes), buffer(inwards), rng.state, *map(int, self.middle))))
        state = np.zeros(5, np.int64)
        index = buffer(self.heads), buffer(self.after), buffer(self.before), buffer(self.grid)
        args = buffer(state), buffer(self.boxes), buffer(self.order), *index, rng.state, step
        if run.watcher is None:
            run.drive(lambda fuel: int(plan.separate(*args, rounds, fuel)))
            return
        before = draft.tiles.copy()
        while state[0] < rounds and not state[4]:
            run.spend(int(plan.separate(*args, int(state[0]) + 1, 1 << 40)))
            for x, y, width, height in self.boxes.tolist():
                draft.tiles[max(0, y) : max(0, y + height), max(0, x) : max(0, x + width)] = draft.palette.role("floor")
            run.show()
            draft.tiles[:] = before

    def sifted(self, inside: NDArray[np.bool_], run: Run) -> NDArray[np.bool_]:
        """Which boxes may stay: those inside, but of two that are too near to each other only the larger."""
        stays = inside.astype(np.uint8)
        order = np.argsort(-self.boxes[:, 2].astype(np.int64) * self.boxes[:, 3], kind="stable").astype(np.int32)
        index = buffer(self.heads), buffer(self.after), buffer(self.before), buffer(self.grid)
        run.spend(int(plan.sift(buffer(self.boxes), buffer(order), *index, buffer(stays))))
        return stays.view(bool)


def _inside(boxes: Boxes, draft: Draft) -> NDArray[np.bool_]:
    """Which boxes keep off the border."""
    ends = boxes[:, :2] + boxes[:, 2:]
    off: NDArray[np.bool_] = (boxes[:, :2] >= 1) & (ends <= (draft.width - 1, draft.height - 1))
    return off[:, 0] & off[:, 1]
