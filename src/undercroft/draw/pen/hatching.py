"""Rock as in pen drawings: small groups of parallel strokes around the walls, each in another direction than its
neighbours.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from undercroft.draw.pen import noise
from undercroft.draw.pen.distance_field import SignedDistanceField
from undercroft.draw.scene.scene import Points
from undercroft.kernels import buffer, inking

MIN_GROUP_GAP = 0.5
"""The minimum distance between two groups, in cells."""
CANDIDATE_PITCH, CANDIDATES_PER_SQUARE = 0.62, 2
"""The size of the squares that candidates for groups come from, in group sizes; and the candidates in each."""
STROKE_SPACING = 0.25
"""The distance between the strokes of a group, in group sizes."""
FLOOR_OVERLAP = 0.7
"""How far groups extend under the floor, which is painted over them, in group sizes."""
HIDDEN_DEPTH = 0.03
"""Cells under the floor from which a stroke is hidden."""
RAGGEDNESS = 0.35
"""The relative variation of the width of the hatched band."""
DIRECTION_COUNT = 48

Strokes = NDArray[np.float64]
"""Rows of x, y, x, y."""


def build_hatching(field: SignedDistanceField, seed: int, reach: float, size: float = MIN_GROUP_GAP) -> list[Strokes]:
    """Strokes around lines, to a mean distance of `reach` cells: the strong ones, those between, and the faint ones at
    the outer edge.

    Groups are Poisson disc samples (Bridson 2007 names the distribution; here candidates come in the order of a hash).
    Each group hatches its own Voronoi cell, in the one of six directions that differs most from those around it.
    """
    points, keys, fades = _place_groups(field, seed, reach, size)
    if not len(points):
        return [np.empty((0, 4)) for _ in range(3)]
    ways = np.array(
        [[math.cos(turn), math.sin(turn)] for turn in (math.pi * k / DIRECTION_COUNT for k in range(DIRECTION_COUNT))]
    ).round(9)
    corners = [math.pi * (k / 4 + 0.125) for k in range(8)]
    octagon = np.array([[math.cos(turn), math.sin(turn)] for turn in corners]).round(9) * 1.24 * size
    low = points.min(axis=0)
    moved = np.ascontiguousarray(points - low)
    columns, rows = (int(moved[:, side].max() / (2.5 * size)) + 1 for side in (0, 1))
    out = np.empty((12 * len(points), 5))
    many = inking.hatch(
        *(buffer(array) for array in (moved, keys, fades, ways, octagon)),
        *(
            buffer(array)
            for array in (
                np.full((rows, columns), -1, np.int32),
                np.empty(len(points), np.int32),
                np.empty(len(points), np.int32),
            )
        ),
        buffer(np.empty((4, 64))),
        size,
        STROKE_SPACING * size,
        buffer(out),
    )
    out = _order_strokes(out[:many], size)
    strokes, faint = np.add(out[:, :4], (*low, *low)), out[:, 4]
    seen = np.maximum(field.sample(strokes[:, :2]), field.sample(strokes[:, 2:])) > -HIDDEN_DEPTH
    strokes, faint = strokes[seen], faint[seen]
    return [strokes[chosen] for chosen in (faint < 0.14, (faint >= 0.14) & (faint < 0.34), faint >= 0.34)]


def _order_strokes(strokes: NDArray[np.float64], size: float) -> NDArray[np.float64]:
    """The strokes sorted in bands, alternating left and right, so that each begins near the last: files get shorter."""
    x, y = (strokes[:, 0] + strokes[:, 2]) / 2, (strokes[:, 1] + strokes[:, 3]) / 2
    band = np.floor(y / size)
    return strokes[np.lexsort((np.where(band % 2 == 0, x, -x), band))]


def strokes_to_lines(strokes: Strokes) -> list[Points]:
    """The strokes as lines of a scene."""
    return list(strokes.reshape(-1, 2, 2))


def _place_groups(
    field: SignedDistanceField, seed: int, reach: float, size: float
) -> tuple[Points, NDArray[np.int64], NDArray[np.float64]]:
    """The positions of groups, a number for each, and its relative distance: 0 at the line, 1 at the edge of the
    band.
    """
    points, keys = scatter_points(field, seed, size, -FLOOR_OVERLAP * size, reach * (1 + RAGGEDNESS))
    far = field.sample(points)
    limit = reach * (1 + RAGGEDNESS * (2 * noise.point_noise(points, 0.45 * MIN_GROUP_GAP / size, seed + 20) - 1))
    kept = far < limit
    fades: NDArray[np.float64] = np.clip(far[kept] / limit[kept], 0, 1).astype(np.float64)
    return points[kept], keys[kept], fades


def scatter_points(
    field: SignedDistanceField, seed: int, size: float, least: float, most: float
) -> tuple[Points, NDArray[np.int64]]:
    """As many points as fit at least `size` apart, where the distance is between `least` and `most`; and a number for
    each.
    """
    pitch = CANDIDATE_PITCH * size
    height, width = (side / field.per_cell for side in field.distances.shape)
    columns = np.arange(math.ceil(width / pitch))
    rows = np.arange(math.ceil(height / pitch))
    grid = np.stack(np.meshgrid(columns, rows), axis=2).reshape(-1, 2)
    far = field.sample_nearest((grid + 0.5) * pitch - field.margin)
    grid = grid[(far > least - pitch) & (far < most + pitch)]
    grid = np.repeat(grid, CANDIDATES_PER_SQUARE, axis=0)
    throw = np.tile(np.arange(CANDIDATES_PER_SQUARE), len(grid) // CANDIDATES_PER_SQUARE)
    x, y = grid[:, 0], grid[:, 1]
    points = np.stack(
        [
            (x + noise.hash_noise(x, y, seed + 7 * throw + 1)) * pitch,
            (y + noise.hash_noise(x, y, seed + 7 * throw + 2)) * pitch,
        ],
        axis=1,
    )
    far = field.sample(points - field.margin)
    inside = (far > least) & (far < most)
    order = noise.hash_noise(x, y, seed + 7 * throw + 3)[inside]
    points = points[inside][np.argsort(order, kind="stable")]
    keys = np.sort(order, kind="stable")
    if not len(points):
        return points, np.empty(0, np.int64)
    buckets = np.full((int(height / size) + 2, int(width / size) + 2), -1, np.int32)
    kept = np.zeros(len(points), np.uint8)
    inking.thin_points(
        buffer(np.ascontiguousarray(points)),
        size,
        buffer(buckets),
        buffer(np.empty(len(points), np.int32)),
        buffer(kept),
    )
    chosen = kept > 0
    return points[chosen] - field.margin, (keys[chosen] * 4294967296.0).astype(np.int64)
