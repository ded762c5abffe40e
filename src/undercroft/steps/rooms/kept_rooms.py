"""Plan around rooms that stay: frozen ground that new rooms must not cover, and that hallways must reach."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis import reach
from undercroft.core.draft import Draft
from undercroft.core.palette import DOOR_ROLES, look_up_tiles
from undercroft.core.region import REGION_BOX_DTYPE, Regions
from undercroft.core.run import Run
from undercroft.steps.rectangles import ROOM, Boxes, build_region_table

LEAST_DISTANCE = 3
"""The fewest cells between a kept room and a new one: the walls of both, and a lane on which a hallway passes."""


class KeptRooms(NamedTuple):
    """The frozen ground of a draft, without its doors and corridor cells: these lead out of its rooms."""

    labels: NDArray[np.int32]
    """For each cell the room, from 1, or 0 for none."""
    table: NDArray[np.int32]
    """A row for each room: x, y, width, height, area."""

    def clear(self, boxes: Boxes, least_width: int, least_height: int) -> Boxes:
        """The boxes as far as they keep their distance from the kept rooms: each whole, or its largest part beside
        them, or nothing if no part is large enough.

        >>> rooms = KeptRooms(np.zeros((20, 20), np.int32), np.array([[8, 8, 4, 4, 16]], np.int32))
        >>> rooms.clear(np.array([[1, 1, 9, 18], [1, 1, 3, 3], [7, 7, 5, 5]], np.int32), 3, 3).tolist()
        [[1, 1, 4, 18], [1, 1, 3, 3], [0, 0, 0, 0]]
        """
        near = self.table[:, :2] - LEAST_DISTANCE
        far = self.table[:, :2] + self.table[:, 2:4] + LEAST_DISTANCE
        return np.array(
            [
                _largest_part_beside(box, near.tolist(), far.tolist(), least_width, least_height)
                for box in boxes.tolist()
            ],
            np.int32,
        ).reshape(-1, 4)

    def touched_by(self, boxes: Boxes) -> NDArray[np.bool_]:
        """Which of the boxes come too near to a kept room."""
        low, high = boxes[:, None, :2], boxes[:, None, :2] + boxes[:, None, 2:]
        near = self.table[:, :2] - LEAST_DISTANCE
        far = self.table[:, :2] + self.table[:, 2:4] + LEAST_DISTANCE
        overlaps = np.logical_and(low < far, high > near)
        found: NDArray[np.bool_] = np.logical_or.reduce(np.logical_and.reduce(overlaps, axis=2), axis=1)
        return found


def find_kept_rooms(draft: Draft, run: Run) -> KeptRooms | None:
    """The rooms that a draft must keep; None if it keeps none."""
    if draft.frozen is None or not draft.frozen.any():
        return None
    ground = look_up_tiles(draft.palette.walkable, draft.tiles) & draft.frozen
    ground &= ~look_up_tiles(draft.palette.role_mask(*DOOR_ROLES, "corridor"), draft.tiles)
    labels, count = reach.label_components(ground.view(np.uint8), run=run)
    boxes = reach.find_label_boxes(labels, ground.view(np.uint8), count, run)
    if not len(boxes):
        return None
    boxes[:, 2:4] += 1 - boxes[:, :2]
    return KeptRooms(labels, boxes[:, :5])


def add_kept_rooms(draft: Draft, kept: KeptRooms) -> None:
    """Make the kept rooms regions of the draft, so that links join them."""
    assert draft.regions is not None
    old = draft.regions
    more = build_region_table(np.ascontiguousarray(kept.table[:, :4]), ROOM)
    more.view(REGION_BOX_DTYPE)["area"] = kept.table[:, 4]
    labels = np.where(kept.labels > 0, kept.labels + len(old), old.labels).astype(np.int32)
    draft.regions = Regions(labels, np.concatenate((old.table, more)), old.tags, old.templates, old.names)


def _largest_part_beside(
    box: list[int], near: list[list[int]], far: list[list[int]], least_width: int, least_height: int
) -> tuple[int, int, int, int]:
    """The largest part of a box that lies left, right, above or below of each of these rectangles. It cuts at one
    rectangle after the other, each time where the most is left.
    """
    x, y, right, bottom = box[0], box[1], box[0] + box[2], box[1] + box[3]
    for (left, top), (end, low) in zip(near, far, strict=True):
        if x < end and left < right and y < low and top < bottom:
            parts = [(x, y, left, bottom), (end, y, right, bottom), (x, y, right, top), (x, low, right, bottom)]
            x, y, right, bottom = max(parts, key=lambda part: max(0, part[2] - part[0]) * max(0, part[3] - part[1]))
            if right - x < least_width or bottom - y < least_height:
                return 0, 0, 0, 0
    return x, y, right - x, bottom - y
