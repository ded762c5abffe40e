"""Show instantaneous work to a watcher as intermediate frames. Without a watcher this costs nothing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis import reach
from undercroft.core.draft import Draft
from undercroft.core.region import Thing
from undercroft.core.run import Run

Tiles = NDArray[np.uint8]
MAX_SHOWN_TURNS = 64
"""The most frames for such work; if it has more parts, a frame shows several."""


def parts_per_turn(count: int) -> int:
    """How many of `count` parts one frame shows.

    >>> parts_per_turn(3), parts_per_turn(100)
    (1, 2)
    """
    return max(1, -(-count // MAX_SHOWN_TURNS))


def copy_tiles_if_watched(run: Run) -> Tiles | None:
    """A copy of the current tiles if there is a watcher, else None."""
    return None if run.watcher is None or run.tiles is None else run.tiles.copy()


def reveal(run: Run, was: Tiles | None, order: NDArray[np.int32] | None = None) -> None:
    """Show the changes since `was` part by part: cells with the same number in `order` together, in the order of the
    numbers; without `order`, connected cells together.

    >>> from undercroft.core.timeline import Timeline
    >>> timeline = Timeline()
    >>> run = Run(watcher=timeline)
    >>> run.tiles = np.array([[0, 0, 0, 0, 0]], np.uint8)
    >>> run.show(); was = copy_tiles_if_watched(run)
    >>> run.tiles[0, [0, 1, 4]] = 7
    >>> reveal(run, was)
    >>> [timeline.at(turn).tolist() for turn in range(timeline.turns)]
    [[[0, 0, 0, 0, 0]], [[7, 7, 0, 0, 0]], [[7, 7, 0, 0, 7]]]
    """
    if was is None or run.watcher is None or run.tiles is None or was.shape != run.tiles.shape:
        return
    changed = was != run.tiles
    if order is None:
        order, _ = reach.label_components(changed.view(np.uint8))
    numbers = np.unique(order[changed])
    now = run.tiles
    try:
        run.tiles = was
        for last in numbers[parts_per_turn(len(numbers)) - 1 : -1 : parts_per_turn(len(numbers))].tolist():
            part = changed & (order <= last)
            was[part] = now[part]
            run.show()
    finally:
        run.tiles = now
    run.show()


def reveal_things(run: Run, before: Sequence[Thing], draft: Draft) -> None:
    """Show the things that were placed since `before`, room by room; what else changed comes with the first room.

    >>> from undercroft.core.level import Level
    >>> from undercroft.core.region import Thing
    >>> from undercroft.core.timeline import Timeline
    >>> timeline, draft = Timeline(), Draft.of(Level.parse("11#22"))
    >>> run = Run(watcher=timeline)
    >>> run.tiles = draft.tiles
    >>> run.show()
    >>> draft.things = [Thing("chest", 3, 0), Thing("rat", 0, 0), Thing("rat", 1, 0)]
    >>> reveal_things(run, [], draft)
    >>> [(turn, len(things)) for turn, things in timeline.things]
    [(1, 2), (2, 3)]
    """
    old = {(thing.kind, thing.x, thing.y) for thing in before}
    new = [number for number, thing in enumerate(draft.things) if (thing.kind, thing.x, thing.y) not in old]
    labels = None if draft.regions is None else draft.regions.labels
    room = [0 if labels is None else int(labels[draft.things[one].y, draft.things[one].x]) for one in new]
    rooms = sorted(set(room)) or [0]
    together = parts_per_turn(len(rooms))
    for last in [*rooms[together - 1 : -1 : together], rooms[-1]]:
        hidden = {number for number, label in zip(new, room, strict=True) if label > last}
        run.show_things([thing for number, thing in enumerate(draft.things) if number not in hidden])


def sketch_boxes(draft: Draft, boxes: NDArray[np.int32], run: Run, *, one_by_one: bool = False) -> None:
    """Show boxes (rows of x, y, width, height) as if they were ground, all at once or one by one. Changes no tile."""
    if run.watcher is None:
        return
    tiles, ground = draft.tiles.copy(), draft.palette.role("corridor")
    together = parts_per_turn(len(boxes)) if one_by_one else max(1, len(boxes))
    for number, (x, y, width, height) in enumerate(boxes.tolist(), 1):
        tiles[max(0, y) : max(0, y + height), max(0, x) : max(0, x + width)] = ground
        if number % together == 0 or number == len(boxes):
            run.sketch(tiles)


def sketch_lines(
    draft: Draft, points: NDArray[np.int64], pairs: NDArray[np.int32], run: Run, *, one_by_one: bool = False
) -> None:
    """Show straight lines between pairs of points (rows of x and y) through the rock, all at once or one by one.
    Changes no tile.
    """
    if run.watcher is None or not len(pairs):
        return
    tiles, ground = draft.tiles.copy(), draft.palette.role("corridor")
    rock = draft.palette.rock[tiles]
    together = parts_per_turn(len(pairs)) if one_by_one else len(pairs)
    for number, (a, b) in enumerate(pairs.tolist(), 1):
        steps = np.linspace(points[a], points[b], int(np.abs(points[a] - points[b]).max()) + 1)
        xs, ys = np.rint(steps).astype(np.intp).T
        tiles[ys, xs] = np.where(rock[ys, xs], ground, tiles[ys, xs])
        if number % together == 0 or number == len(pairs):
            run.sketch(tiles)


def sketch_cuts(draft: Draft, cuts: NDArray[np.uint8], run: Run) -> None:
    """Show how the map is cut up: first all of it as ground, then without the first cut, then without the cuts of the
    second level, and so on. Changes no tile.
    """
    if run.watcher is None:
        return
    ground, inner = draft.palette.role("corridor"), (slice(1, -1), slice(1, -1))
    for depth in range(int(cuts.max(initial=0)) + 1):
        tiles = draft.tiles.copy()
        tiles[inner] = np.where((cuts[inner] > 0) & (cuts[inner] <= depth), tiles[inner], ground)
        run.sketch(tiles)
