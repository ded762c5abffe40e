"""Pen details of a map: dashes of the grid, broken lines, pebbles, cracks, and joints of flagstones."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from undercroft.draw.pen import noise
from undercroft.draw.pen.distance_field import SignedDistanceField
from undercroft.draw.pen.hatching import scatter_points
from undercroft.draw.pen.wobble import drift
from undercroft.draw.scene.scene import Points

Cells = NDArray[np.bool_]


def grid_dashes(cells: Cells, seed: int) -> list[Points]:
    """A dash along each side between two of the cells. Dashes leave crossings open, and wobble as walls do."""
    found = []
    for axis in (0, 1):
        ys, xs = np.nonzero(cells[1:] & cells[:-1] if axis == 0 else cells[:, 1:] & cells[:, :-1])
        start = 0.10 + 0.10 * noise.hash_noise(xs, ys, seed + 10 * axis + 1)
        end = 0.90 - 0.10 * noise.hash_noise(xs, ys, seed + 10 * axis + 2)
        slant = 0.03 * (noise.hash_noise(xs, ys, seed + 10 * axis + 3) - 0.5)
        along, across = (xs, ys + 1.0) if axis == 0 else (ys, xs + 1.0)
        ends = [np.stack([along + at, across + off], axis=1) for at, off in ((start, slant), (end, -slant))]
        found.append(np.stack(ends if axis == 0 else [side[:, ::-1] for side in ends], axis=1))
    dashes = np.concatenate(found)
    moved = dashes + drift(np.ascontiguousarray(dashes.reshape(-1, 2)), seed).reshape(dashes.shape)
    return list(moved)


def thinned(line: Points, step: float) -> Points:
    """A line with fewer points: about one every `step` cells, and the last."""
    if len(line) < 3:
        return line
    length = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
    kept = np.flatnonzero(np.diff(np.floor(length / step), prepend=-1) > 0)
    fewer: Points = line[np.union1d(kept, [len(line) - 1])]
    return fewer


def break_line(line: Points, seed: int, on: tuple[float, float], off: tuple[float, float]) -> list[Points]:
    """A line broken into strokes. `on` and `off` are the least and the greatest length, in cells, of strokes and
    gaps.
    """
    steps = np.hypot(*np.diff(line, axis=0).T)
    length = np.concatenate([[0], np.cumsum(steps)])
    total = float(length[-1])
    count = int(total / (on[0] + off[0])) + 1
    turns = np.arange(count)
    key = int(line[0, 0] * 100) * 8191 + int(line[0, 1] * 100)
    drawn = on[0] + (on[1] - on[0]) * noise.hash_noise(turns, key, seed)
    lifted = off[0] + (off[1] - off[0]) * noise.hash_noise(turns, key, seed + 1)
    ends = np.cumsum(drawn + lifted) - lifted
    starts = ends - drawn
    first, last = np.searchsorted(length, starts), np.searchsorted(length, np.minimum(ends, total), side="right")
    return [line[a:b] for a, b in zip(first.tolist(), last.tolist(), strict=True) if b - a > 1]


def break_lines(
    lines: Sequence[Points], seed: int, on: tuple[float, float], off: tuple[float, float], step: float = 0.18
) -> list[Points]:
    """Thin and break many lines."""
    return [stroke for line in lines if len(line) > 2 for stroke in break_line(thinned(line, step), seed, on, off)]


def pebbles(field: SignedDistanceField, seed: int, cells: Cells, soft: Cells) -> list[Points]:
    """Small stones along the walls, in heaps; natural ground has more."""
    points, keys = scatter_points(field, seed, 0.33, -0.62, -0.17)
    if not len(points):
        return []
    height, width = cells.shape
    columns, rows = np.floor(points).astype(np.int64).T
    inside = (columns >= 0) & (columns < width) & (rows >= 0) & (rows < height)
    columns, rows = np.clip(columns, 0, width - 1), np.clip(rows, 0, height - 1)
    heap = 2 * noise.point_noise(points, 0.35, seed + 1) - 1
    chosen = inside & cells[rows, columns] & (heap > np.where(soft[rows, columns], 0.30, 0.52))
    points, keys = points[chosen], keys[chosen]
    radius = 0.035 + 0.11 * noise.hash_noise(keys, 1, seed) ** 2
    turn = np.arange(7) * (2 * np.pi / 7)
    uneven = 1 + 0.5 * (noise.hash_noise(keys[:, None], np.arange(7), seed + 2) - 0.5)
    around = np.stack([np.cos(turn) * uneven, np.sin(turn) * uneven], axis=2)
    return list(points[:, None] + around * radius[:, None, None])


def cracks(cells: Cells, seed: int, share: float = 0.035) -> list[Points]:
    """Crooked lines in some flagstones."""
    ys, xs = np.nonzero(cells)
    chosen = noise.hash_noise(xs, ys, seed) < share
    xs, ys = xs[chosen], ys[chosen]
    turn = 2 * np.pi * noise.hash_noise(xs, ys, seed + 1)
    at = np.stack(
        [xs + 0.2 + 0.6 * noise.hash_noise(xs, ys, seed + 2), ys + 0.2 + 0.6 * noise.hash_noise(xs, ys, seed + 3)],
        axis=1,
    )
    line = [at]
    for step in range(4):
        turn = turn + 1.7 * (noise.hash_noise(xs, ys, seed + 4 + step) - 0.5)
        at = at + 0.17 * np.stack([np.cos(turn), np.sin(turn)], axis=1)
        line.append(at)
    return list(np.stack(line, axis=1))


def flagstone_joints(cells: Cells, seed: int, share: float = 0.30) -> list[Points]:
    """Joints that divide squares into stones of two or three sizes, in patches that cover about that share of the
    ground.
    """
    ys, xs = np.nonzero(cells)
    patch = noise.value_noise(xs + 0.5, ys + 0.5, 0.22, seed) + 0.25 * noise.hash_noise(xs, ys, seed + 1)
    chosen = patch < np.quantile(patch, share) if len(patch) else patch > 0
    xs, ys = xs[chosen], ys[chosen]
    first = 0.35 + 0.3 * noise.hash_noise(xs, ys, seed + 2)
    second = 0.35 + 0.3 * noise.hash_noise(xs, ys, seed + 3)
    kind = (4 * noise.hash_noise(xs, ys, seed + 4)).astype(np.int64)
    edge = 0.06
    near, far = np.full_like(first, edge), np.full_like(first, 1 - edge)
    upright = kind % 2 == 0
    long = np.stack([np.stack([first, near], 1), np.stack([first, far], 1)], axis=1)
    low, high = np.where(kind < 2, near, first + edge / 2), np.where(kind < 2, first - edge / 2, far)
    short = np.stack([np.stack([low, second], 1), np.stack([high, second], 1)], axis=1)
    joints = np.concatenate(
        [
            np.where(upright[:, None, None], part, part[:, :, ::-1]) + np.stack([xs, ys], 1)[:, None]
            for part in (long, short)
        ]
    )
    moved = joints + drift(np.ascontiguousarray(joints.reshape(-1, 2)), seed).reshape(joints.shape)
    return list(moved)
