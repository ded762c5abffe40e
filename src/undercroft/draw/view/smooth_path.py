"""Smooth a path for drawing: it does not follow the centres of squares, and keeps off the walls."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis.one_way import ONE_WAY
from undercroft.core.level import Level
from undercroft.core.palette import DOOR_ROLES
from undercroft.draw.pen.distance_field import border_distances
from undercroft.draw.scene.scene import Points
from undercroft.kernels import buffer, flat_buffer, inking

MAX_CELLS = 250_000
"""The largest level, in cells, in which a better path is searched; in larger ones the path stays as it is."""
SEARCH_MARGIN = 12
"""Cells beside the path that the search includes."""
SMOOTHING_PASSES = 24
"""Passes of smoothing."""
FINAL_PASSES = 4
"""Final passes without a check of clearance: they move a sharp bend around a corner by less than the clearance."""
MIN_CLEARANCE = 0.3
"""The minimum distance, in cells, between the path and cells that are not walkable."""


def find_smooth_path(level: Level) -> Points:
    """The path from start to end as a smooth line: a cheapest path on which cells near a wall cost more, through the
    same doors as the level's path.
    """
    cells = level.path
    if len(cells) < 3 or level.tiles.size > MAX_CELLS:
        return cells.astype(np.float64) + 0.5
    low = np.maximum(cells.min(axis=0) - SEARCH_MARGIN, 0)
    high = np.minimum(cells.max(axis=0) + SEARCH_MARGIN + 1, level.size)
    ground = _allowed_cells(level)[low[1] : high[1], low[0] : high[0]]
    better = _find_cheapest_path(ground, cells[0] - low, cells[-1] - low)
    middles = (cells.astype(np.float64) if better is None else better + low) + 0.5
    return smoothed(middles, ground, low)


def _allowed_cells(level: Level) -> NDArray[np.bool_]:
    """The cells that the path may use: only its own doors and regions."""
    path = level.path
    ground = level.walkable.copy()
    ground &= ~level.palette.role_mask(*DOOR_ROLES)[level.tiles]
    for thing in level.things:
        if thing.kind == ONE_WAY or thing.data.get("blocks") is True:
            ground[thing.y, thing.x] = False
    labels = level.regions.labels
    if len(level.regions):
        visited = np.zeros(len(level.regions) + 1, bool)
        visited[labels[path[:, 1], path[:, 0]]] = True
        visited[0] = True
        ground &= visited[labels]
    ground[path[:, 1], path[:, 0]] = True
    return ground


def _find_cheapest_path(ground: NDArray[np.bool_], start: NDArray[np.int32], end: NDArray[np.int32]) -> Points | None:
    """The cells of the cheapest path; None if there is none."""
    framed = np.pad(ground, 1).astype(np.uint8)
    width = framed.shape[1]
    near = border_distances(framed) + np.float32(0.5)
    costs = np.where(framed > 0, np.rint(100 * (1 + 1.6 / np.maximum(near, 1) ** 2)), 0).astype(np.int32)
    best = np.full(costs.shape, np.iinfo(np.int32).max, np.int32)
    back = np.zeros(costs.shape, np.int32)
    heap = np.empty(8 * costs.size + 8, np.int64)
    first, last = (int((y + 1) * width + x + 1) for x, y in (start.tolist(), end.tolist()))
    if (
        inking.find_cheapest_path(
            flat_buffer(costs), flat_buffer(best), flat_buffer(back), buffer(heap), width, first, last
        )
        < 0
    ):
        return None
    way = [last]
    steps = back.reshape(-1)
    while way[-1] != first:
        way.append(int(steps[way[-1]]))
    cells = np.array(way[::-1])
    return np.stack([cells % width - 1, cells // width - 1], axis=1).astype(np.float64)


def smoothed(middles: Points, ground: NDArray[np.bool_], corner: NDArray[np.int64]) -> Points:
    """The line with smoothed corners, kept on the ground (whose first cell is at `corner`)."""
    line = np.empty((2 * len(middles) - 1, 2))
    line[::2] = middles
    line[1::2] = (middles[1:] + middles[:-1]) / 2
    for _ in range(SMOOTHING_PASSES):
        pull = np.zeros_like(line)
        pull[1:-1] = (line[:-2] - 2 * line[1:-1] + line[2:]) / 4
        for share in (1.0, 0.4):  # a short move may be possible where a long one is not
            free = _on_ground(line + pull * share - corner, ground)
            line[free] += pull[free] * share
            pull[free] = 0
    for _ in range(FINAL_PASSES):
        line[1:-1] = (line[:-2] + 2 * line[1:-1] + line[2:]) / 4
    return line


def _on_ground(points: Points, ground: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which points have only ground around them."""
    height, width = ground.shape
    framed = np.pad(ground, 1)
    stays = np.ones(len(points), bool)
    for across in (-MIN_CLEARANCE, MIN_CLEARANCE):
        for down in (-MIN_CLEARANCE, MIN_CLEARANCE):
            columns = np.clip(np.floor(points[:, 0] + across).astype(np.int64) + 1, 0, width + 1)
            rows = np.clip(np.floor(points[:, 1] + down).astype(np.int64) + 1, 0, height + 1)
            stays &= framed[rows, columns]
    return stays
