"""Meshes of doors and stairs, and their poses in their cells."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from undercroft.formats.models.meshes import Mesh, build_box, build_sides, join_meshes
from undercroft.formats.models.meshing import build_slabs

SQRT_HALF = 0.70710678
QUARTER_TURNS = ([0, 0, 0, 1], [0, -SQRT_HALF, 0, SQRT_HALF], [0, 1, 0, 0], [0, SQRT_HALF, 0, SQRT_HALF])
"""Quarter turns clockwise, seen from above, as quaternions."""
STAIR_STEPS = 4
DOOR_HEIGHT, DOOR_DEPTH = 0.9, 0.12
"""As a share of the walls' height, and of a cell's width."""
STAIR_RISE = 0.8
"""The height of stairs, as a share of a cell's width."""


def door_mesh(role: str, scale: float, height: float) -> Mesh:
    """A door leaf with its hinge at the origin, extending to the right; a secret door fills its cell like a wall."""
    if role == "secret":
        return build_box((0, scale), (0, height), (-scale / 2, scale / 2))
    return build_box((0, scale), (0, height * DOOR_HEIGHT), (-DOOR_DEPTH * scale / 2, DOOR_DEPTH * scale / 2))


def door_pose(rock: NDArray[np.bool_], doors: NDArray[np.bool_], x: int, y: int, scale: float) -> dict[str, Any]:
    """The pose of a door's hinge: at the left of its cell, or at the top if the passage goes from left to right. Doors
    side by side stand in one wall.
    """
    height, width = rock.shape
    walled = [
        not (0 <= x + dx < width and 0 <= y + dy < height) or rock[y + dy, x + dx]
        for dx, dy in ((-1, 0), (1, 0), (0, -1), (0, 1))
    ]
    across = all(closed or doors[y, x + dx] for closed, dx in zip(walled[:2], (-1, 1), strict=True))
    if across and not (walled[2] and walled[3] and not (walled[0] and walled[1])):
        return {"translation": [x * scale, 0.0, (y + 0.5) * scale]}
    return {"translation": [(x + 0.5) * scale, 0.0, y * scale], "rotation": QUARTER_TURNS[1]}


def stairs_mesh(role: str, scale: float, height: float) -> Mesh:
    """Steps around the origin, entered from the top of the map: up to the south, or down into a shaft there."""
    rise = min(STAIR_RISE * scale, height)
    depth = scale / STAIR_STEPS
    if role == "entry":
        return join_meshes(
            build_box(
                (-scale / 2, scale / 2),
                (0, rise * (step + 1) / STAIR_STEPS),
                (-scale / 2 + step * depth, -scale / 2 + (step + 1) * depth),
            )
            for step in range(STAIR_STEPS)
        )
    treads = [
        build_box(
            (-scale / 2, scale / 2),
            (-rise - depth, -rise * (step + 1) / STAIR_STEPS),
            (-scale / 2 + step * depth, -scale / 2 + (step + 1) * depth),
        )
        for step in range(STAIR_STEPS)
    ]
    shaft = build_sides(build_slabs(np.ones((1, 1), np.int32)), scale, -rise - depth, 0.0, inward=True).moved(
        -scale / 2, 0, -scale / 2
    )
    return join_meshes([*treads, shaft])


def stairs_pose(rock: NDArray[np.bool_], x: int, y: int, scale: float) -> dict[str, Any]:
    """The pose of stairs: the entry side is open, and the opposite side is closed if possible."""
    height, width = rock.shape
    is_open = [
        0 <= x + dx < width and 0 <= y + dy < height and not rock[y + dy, x + dx]
        for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0))
    ]
    turn = max(range(4), key=lambda side: (is_open[side], not is_open[side ^ 2], -side))
    return {
        "translation": [(x + 0.5) * scale, 0.0, (y + 0.5) * scale],
        **({"rotation": QUARTER_TURNS[turn]} if turn else {}),
    }
