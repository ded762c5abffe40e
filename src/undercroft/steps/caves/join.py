"""The step that makes a map connected, by tunnels or by filling."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from undercroft.analysis import reach
from undercroft.core.draft import Draft
from undercroft.core.palette import look_up_tiles
from undercroft.core.rng import Rng
from undercroft.core.run import Run
from undercroft.kernels import buffer, carve, flat_buffer
from undercroft.steps import frames
from undercroft.steps.step import all_facts_but

WATCHED_FINENESS = 16
"""Tunnels are few and quickly dug, so a watcher gets them one by one."""


@dataclass(frozen=True, kw_only=True)
class Join:
    """Join all pockets: afterwards every walkable cell can be reached from every other.

    A tunnel is dug from a cell of one region towards a cell of the other, always by a step that comes closer. The layer
    "tunnel" marks the dug cells.
    """

    connect: Literal["largest", "nearest", "discard"] = "largest"
    """largest: tunnel from each region to the largest; nearest: dig the shortest tree of tunnels between nearest cells;
    discard: fill all regions but the largest.
    """
    min_size: Annotated[int, Meta(ge=0)] = 0
    """Regions with fewer cells are filled first; the largest stays."""

    edition: ClassVar[int] = 1
    needs: ClassVar[tuple[str, ...]] = ("tiles",)
    gives: ClassVar[tuple[str, ...]] = ("tunnel",)
    spoils: ClassVar[tuple[str, ...]] = all_facts_but("tiles", "things", "tunnel", "flow")

    def apply(self, draft: Draft, rng: Rng, run: Run) -> None:
        walkable = look_up_tiles(draft.palette.walkable, draft.tiles).view(np.uint8)
        labels, count = reach.label_components(walkable, run=run)
        if count < 2:
            return
        table = reach.find_label_boxes(labels, walkable, count, run)
        largest = int(table[:, 4].argmax()) + 1
        gone = np.zeros(count, bool) if self.connect != "discard" else np.ones(count, bool)
        if self.min_size:
            gone |= table[:, 4] < self.min_size
        gone[largest - 1] = False
        filled = np.count_nonzero(gone)
        if filled:
            was = frames.copy_tiles_if_watched(run)
            draft.tiles[np.append(False, gone)[labels]] = draft.palette.role("wall")
            frames.reveal(run, was, labels)
            table[gone, 4] = 0
            run.spend(draft.tiles.size)
        if filled == count - 1:
            return
        dug = np.zeros(draft.tiles.shape, np.uint8)
        open_codes = draft.palette.walkable.view(np.uint8)
        floor = draft.palette.role("floor")
        state = np.zeros(2, np.int64)
        shared = buffer(state), flat_buffer(draft.tiles), buffer(open_codes), flat_buffer(labels)
        if self.connect == "largest":
            args = *shared, buffer(table), flat_buffer(dug), rng.state, draft.width, largest, floor
            run.drive(lambda fuel: int(carve.tunnel_to_region(*args, fuel)), fine=WATCHED_FINENESS)
        else:
            pairs = _nearest_pairs(np.where(np.append(True, gone)[labels], 0, labels).astype(np.int32), run)
            parent = np.arange(count + 1, dtype=np.int32)
            more = *shared, buffer(pairs), buffer(parent), flat_buffer(dug), rng.state, draft.width, floor
            run.drive(lambda fuel: int(carve.tunnel_pairs(*more, fuel)), fine=WATCHED_FINENESS)
        before = draft.layers.get("tunnel")
        draft.layers["tunnel"] = dug.view(bool) if before is None else dug.view(bool) | before


def _nearest_pairs(labels: NDArray[np.int32], run: Run) -> NDArray[np.int32]:
    """Pairs of cells of different regions, nearest first, taken where the cells nearest to one region meet those
    nearest to another.

    The shortest tree that joins all regions uses such pairs only.
    """
    height, width = labels.shape
    stride = width + 1
    field = np.full((height + 2, stride), -2, np.int32)
    field[1:-1, 1:] = np.where(labels, 0, -1)
    source = np.full((height + 2, stride), -1, np.int32)
    inside = np.arange(labels.size, dtype=np.int32).reshape(height, width)
    source[1:-1, 1:] = np.where(labels, inside, -1)
    queue = np.empty(labels.size, np.int32)
    begin = np.flatnonzero(field == 0)
    queue[: len(begin)] = begin
    state = np.array([0, len(begin)], np.int64)
    args = buffer(state), flat_buffer(field), flat_buffer(source), buffer(queue), stride
    run.drive(lambda fuel: int(carve.find_nearest_sources(*args, fuel)))
    del queue

    def find_borders(room: NDArray[np.int32]) -> int:
        return int(
            carve.find_borders(
                flat_buffer(source), flat_buffer(field), flat_buffer(labels), buffer(room), width, height
            )
        )

    found = np.empty((find_borders(np.empty((0, 3), np.int32)), 3), np.int32)
    find_borders(found)
    run.spend(4 * labels.size)
    return np.ascontiguousarray(found[np.argsort(found[:, 0], kind="stable"), 1:])
