"""The floors of a model: the region of each ground cell, its tile, and its mesh."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from undercroft.core.palette import Palette
from undercroft.formats.models.meshes import Mesh
from undercroft.formats.models.meshing import build_slabs, triangulate


def find_owners(labels: NDArray[np.int32]) -> NDArray[np.int32]:
    """The region of each cell; where there is none, that of a neighbour."""
    found = np.zeros(labels.shape, np.int32)
    for here, there in (
        (np.s_[1:], np.s_[:-1]),
        (np.s_[:-1], np.s_[1:]),
        (np.s_[:, 1:], np.s_[:, :-1]),
        (np.s_[:, :-1], np.s_[:, 1:]),
    ):
        found[here] = np.maximum(found[here], labels[there])
    return np.where(labels > 0, labels, found)


def build_ground_table(palette: Palette) -> NDArray[np.uint8]:
    """A table from tile code to the tile of the ground: below doors and pillars it is floor."""
    table = np.arange(256, dtype=np.uint8)
    plain_ground = next((palette.roles.index(role) for role in ("floor", "corridor") if role in palette.roles), None)
    if plain_ground is not None:
        table[~palette.role_mask("floor", "corridor")] = plain_ground
    return table


def build_area_meshes(grid: NDArray[np.int32], scale: float) -> dict[int, Mesh]:
    """For each number that is not 0, its cells as a flat mesh at height 0. All are built at once, as there may be
    thousands.
    """
    found = build_slabs(grid)
    slab, corners = triangulate(found)
    numbers = found.numbers[slab]
    order = np.argsort(numbers, kind="stable")
    numbers, corners = numbers[order], corners[order]
    kinds, starts = np.unique(numbers, return_index=True)
    rank = np.searchsorted(kinds, numbers)
    # a corner shared by two areas is a point of each
    own, place = np.unique(rank[:, None] * len(found.points) + corners, return_inverse=True)
    points = found.xy()[own % max(1, len(found.points))] * scale
    positions = np.stack([points[:, 0], np.zeros(len(points)), points[:, 1]], axis=1).astype(np.float32)
    normals = np.tile(np.array([0, 1, 0], np.float32), (len(points), 1))
    first = np.searchsorted(own, np.arange(len(kinds) + 1) * len(found.points)).tolist()
    ends = [*starts.tolist(), len(numbers)]
    corners = place.reshape(-1, 3)
    return {
        kind: Mesh(positions[low:high], normals[low:high], (corners[start:end] - low).astype(np.uint32))
        for kind, low, high, start, end in zip(kinds.tolist(), first, first[1:], ends, ends[1:], strict=False)
    }
