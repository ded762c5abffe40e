"""Steps that split the map recursively, and that link the parts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from msgspec import Meta

from undercroft.core.draft import Draft
from undercroft.core.region import Regions
from undercroft.core.rng import Rng, threshold
from undercroft.core.run import Run
from undercroft.errors import BadInput
from undercroft.kernels import buffer, flat_buffer, plan
from undercroft.steps import frames
from undercroft.steps.rectangles import CELL, build_region_table, plan_links, room_labels_and_boxes
from undercroft.steps.step import Share

Side = Annotated[int, Meta(ge=1, le=1_000_000)]
FIXED_POINT_ONE = 65536
"""Ratios are fixed-point numbers with this denominator."""


@dataclass(frozen=True, kw_only=True)
class Split:
    """Cut the map in two, each part in two, and so on (binary space partition): the final parts are cells. No tile
    changes.

    >>> draft = Draft(24, 9)
    >>> Split(depth=2).apply(draft, Rng.root(3).stream("split"), Run())
    >>> [(cell.x, cell.y, cell.width, cell.height) for cell in draft.regions]
    [(1, 1, 5, 7), (7, 1, 6, 7), (14, 1, 9, 3), (14, 5, 9, 3)]
    >>> for row in draft.layers["split"].tolist():
    ...     print("".join("#12"[cuts] for cuts in row))
    ########################
    ######2######1##########
    ######2######1##########
    ######2######1##########
    ######2######1222222222#
    ######2######1##########
    ######2######1##########
    ######2######1##########
    ########################

    A part is cut across its width with a chance of width / (width + height). A cut takes a line of map cells, which
    stays rock; the border belongs to no part. The layer "split" holds the tree: the line of each cut holds its depth, 1
    for the first cut, 2 for the cuts of its two halves.
    """

    depth: Annotated[int, Meta(ge=0, le=255)] = 0
    """The most cuts from the whole map down to a cell; 0: 5 for 80x40, and one more for every doubling of the area."""
    min_width: Side = 3
    """The least width of a cell."""
    min_height: Side = 3
    """The least height of a cell."""
    margin: Annotated[float, Meta(ge=0, le=0.5)] = 0.382
    """A cut leaves at least this share of the side on both sides: 0 cuts anywhere, 0.5 in the middle; the default cuts
    between the two golden sections.
    """
    max_ratio: Annotated[float, Meta(ge=2, le=1000)] = 3.0
    """No side of a cell is longer than this many times the other, unless the map itself, the depth or the least sizes
    leave no choice.
    """

    edition: ClassVar[int] = 1
    needs: ClassVar[tuple[str, ...]] = ("tiles",)
    gives: ClassVar[tuple[str, ...]] = ("regions", "split")
    spoils: ClassVar[tuple[str, ...]] = ("doors", "links", "sockets")

    def check(self, width: int, height: int) -> None:
        """Refuse a map without room for one cell and the border."""
        least = self.min_width + 2, self.min_height + 2
        if width < least[0] or height < least[1]:
            raise BadInput(
                f"a cell of {self.min_width}x{self.min_height} with rock around it needs a map of at least "
                f"{least[0]}x{least[1]}, not {width}x{height}",
                fix=f"ask for {max(width, least[0])}x{max(height, least[1])}, or for smaller cells",
            )

    def apply(self, draft: Draft, rng: Rng, run: Run) -> None:
        height, width = draft.tiles.shape
        depth = self.depth or max(1, (width * height // 100).bit_length() - 1)
        labels, lines = np.zeros(draft.tiles.shape, np.int32), np.zeros(draft.tiles.shape, np.uint8)
        stack = np.zeros((depth + 2, 5), np.int32)
        stack[0, :4] = 1, 1, width - 2, height - 2
        across, down = min(self.min_width, max(1, width - 2)) + 1, min(self.min_height, max(1, height - 2)) + 1
        # each cell also takes one column and one row of rock
        room = (width - 1) * (height - 1) // (across * down)
        leaves = np.empty((max(1, min(room, 1 << min(depth, 40))), 4), np.int32)
        state = np.array([min(width, height) > 2, 0], np.int64)
        sizes = depth, self.min_width, self.min_height, int(self.max_ratio * FIXED_POINT_ONE), threshold(self.margin)
        args = (
            buffer(state),
            buffer(stack),
            buffer(leaves),
            flat_buffer(lines),
            flat_buffer(labels),
            rng.state,
            width,
            *sizes,
        )
        run.drive(lambda fuel: int(plan.split_boxes(*args, fuel)))
        draft.regions = Regions(labels, build_region_table(leaves[: int(state[1])], CELL))
        draft.layers["split"] = lines
        frames.sketch_cuts(draft, lines, run)


@dataclass(frozen=True, kw_only=True)
class Siblings:
    """Plan links between the two parts of every cut of a `split`: with k rooms, k - 1 links that join them all. No tile
    changes.

    >>> from undercroft.core.level import Level
    >>> draft = Draft.of(Level.parse('''
    ...     ###########
    ...     #11####333#
    ...     ###########
    ...     #222###444#
    ...     ###########
    ... '''))
    >>> draft.layers["split"] = np.zeros(draft.tiles.shape, np.uint8)
    >>> draft.layers["split"][1:4, 5] = 1
    >>> draft.layers["split"][2, [1, 2, 3, 4, 6, 7, 8, 9]] = 2
    >>> Siblings().apply(draft, Rng.root(3), Run())
    >>> [(link.a, link.b) for link in draft.links]
    [(1, 3), (1, 2), (3, 4)]

    A link leads from the room nearest to a drawn cell of the line to the room nearest to that one on the other side; a
    corner counts as ten steps. Rooms that no cut separates (or all, on a map that was never split) are linked one
    after another.
    """

    extra: Share = 0.0
    """The chance of a second link across a cut, which makes a loop."""

    edition: ClassVar[int] = 1
    needs: ClassVar[tuple[str, ...]] = ("regions",)
    gives: ClassVar[tuple[str, ...]] = ("links",)
    spoils: ClassVar[tuple[str, ...]] = ()

    def apply(self, draft: Draft, rng: Rng, run: Run) -> None:
        height, width = draft.tiles.shape
        labels, boxes = room_labels_and_boxes(draft)
        run.spend(len(labels))
        lines = draft.layers.get("split")
        if lines is None or lines.shape != draft.tiles.shape or lines.dtype != np.uint8:
            lines = np.zeros(draft.tiles.shape, np.uint8)
        pairs = np.zeros((2 * len(labels), 2), np.int32)
        stack = np.zeros((int(np.maximum.reduce(lines, axis=None)) + 3, 7), np.int32)
        stack[0] = 1, 1, width - 2, height - 2, 0, 0, len(labels)
        state = np.array([1, 0], np.int64)
        order = np.arange(len(labels), dtype=np.int32)
        args = (
            buffer(state),
            buffer(stack),
            flat_buffer(np.ascontiguousarray(lines)),
            buffer(boxes),
            buffer(order),
            buffer(pairs),
            rng.state,
            width,
        )
        run.drive(lambda fuel: int(plan.link_siblings(*args, threshold(self.extra), fuel)))
        pairs = pairs[: int(state[1])]
        draft.links = plan_links(labels, pairs)
        if run.watcher is not None:
            frames.sketch_lines(draft, boxes[:, :2].astype(np.int64) + boxes[:, 2:] // 2, pairs, run, one_by_one=True)
