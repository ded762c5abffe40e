"""Meshes of models: positions, normals and triangles. Units are metres; x is east, y is up, z is south."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.formats.models import meshing
from undercroft.formats.models.meshing import Slabs

Floats = NDArray[np.float32]


class Mesh(NamedTuple):
    positions: Floats
    normals: Floats
    triangles: NDArray[np.uint32]
    """Rows of three corners, counter-clockwise as seen from the front."""

    def moved(self, x: float = 0, y: float = 0, z: float = 0) -> Mesh:
        return self._replace(positions=self.positions + np.array([x, y, z], np.float32))

    def scaled(self, x: float, y: float, z: float) -> Mesh:
        """The mesh stretched along the axes; its sides must be parallel to them."""
        return self._replace(positions=self.positions * np.array([x, y, z], np.float32))


def join_meshes(meshes: Iterable[Mesh]) -> Mesh:
    """Several meshes as one."""
    parts = list(meshes)
    before = np.cumsum([0, *(len(part.positions) for part in parts)])
    return Mesh(
        np.concatenate([np.zeros((0, 3), np.float32), *(part.positions for part in parts)]),
        np.concatenate([np.zeros((0, 3), np.float32), *(part.normals for part in parts)]),
        np.concatenate(
            [
                np.zeros((0, 3), np.uint32),
                *(part.triangles + np.uint32(start) for part, start in zip(parts, before, strict=False)),
            ]
        ),
    )


def build_flat_area(found: Slabs, scale: float, height: float, *, up: bool = True) -> Mesh:
    """A flat area, visible from above or from below."""
    points = found.xy() * scale
    positions = np.stack([points[:, 0], np.full(len(points), height), points[:, 1]], axis=1)
    corners = meshing.triangulate(found)[1]
    return Mesh(
        positions.astype(np.float32),
        _repeat_normal((0, 1 if up else -1, 0), len(points)),
        (corners if up else corners[:, ::-1]).astype(np.uint32),
    )


def build_sides(found: Slabs, scale: float, low: float, high: float, *, inward: bool = False) -> Mesh:
    """Upright walls along an outline, visible from outside or from inside."""
    ends = meshing.trace_outline(found)
    first, second = (found.xy()[points] for points in (ends[::-1] if inward else ends))
    along = np.sign(second - first)
    corners = np.stack([first, second, second, first], axis=1) * scale
    heights = np.broadcast_to(np.array([low, low, high, high]), (len(first), 4))
    positions = np.stack([corners[..., 0], heights, corners[..., 1]], axis=2).reshape(-1, 3)
    normals = np.repeat(np.stack([-along[:, 1], np.zeros(len(along)), along[:, 0]], axis=1), 4, axis=0)
    return Mesh(positions.astype(np.float32), normals.astype(np.float32), _quad_triangles(len(first)))


def build_solid(found: Slabs, scale: float, low: float, high: float) -> Mesh:
    """A closed body over an area."""
    return join_meshes(
        [
            build_flat_area(found, scale, high),
            build_flat_area(found, scale, low, up=False),
            build_sides(found, scale, low, high),
        ]
    )


def build_cavity(found: Slabs, scale: float, low: float) -> Mesh:
    """A hole below an area, open at the top."""
    return join_meshes([build_flat_area(found, scale, low), build_sides(found, scale, low, 0.0, inward=True)])


def build_box(x: tuple[float, float], y: tuple[float, float], z: tuple[float, float]) -> Mesh:
    """A closed block."""
    cell = meshing.build_slabs(np.ones((1, 1), np.int32))
    return build_solid(cell, 1.0, 0.0, 1.0).scaled(x[1] - x[0], y[1] - y[0], z[1] - z[0]).moved(x[0], y[0], z[0])


OCTAGON = (
    (0.5, 0.2071),
    (0.2071, 0.5),
    (-0.2071, 0.5),
    (-0.5, 0.2071),
    (-0.5, -0.2071),
    (-0.2071, -0.5),
    (0.2071, -0.5),
    (0.5, -0.2071),
)
"""The corners of an octagon of width 1, clockwise as seen from above."""
SQRT_HALF = 0.70710678


def build_column(width: float, height: float) -> Mesh:
    """An octagonal pillar around the origin, closed."""
    points = np.array(OCTAGON) * width
    after = np.roll(points, -1, axis=0)
    corners = np.stack([after, points, points, after], axis=1)
    heights = np.broadcast_to(np.array([0.0, 0.0, height, height]), (8, 4))
    positions = np.stack([corners[..., 0], heights, corners[..., 1]], axis=2).reshape(-1, 3)
    facing = np.array(
        [
            [SQRT_HALF, SQRT_HALF],
            [0, 1],
            [-SQRT_HALF, SQRT_HALF],
            [-1, 0],
            [-SQRT_HALF, -SQRT_HALF],
            [0, -1],
            [SQRT_HALF, -SQRT_HALF],
            [1, 0],
        ]
    )
    normals = np.repeat(np.stack([facing[:, 0], np.zeros(8), facing[:, 1]], axis=1), 4, axis=0)
    around = Mesh(positions.astype(np.float32), normals.astype(np.float32), _quad_triangles(8))
    fan = np.array([[0, corner + 1, corner] for corner in range(1, 7)], np.uint32)
    flat = np.stack([points[:, 0], np.zeros(8), points[:, 1]], axis=1).astype(np.float32)
    top = Mesh(flat, _repeat_normal((0, 1, 0), 8), fan).moved(y=height)
    return join_meshes([around, top, Mesh(flat, _repeat_normal((0, -1, 0), 8), fan[:, ::-1])])


def copy_to_places(mesh: Mesh, places: NDArray[np.float64]) -> Mesh:
    """Copies of a mesh at many places, rows of x, y and z, as one mesh."""
    count, corners = len(places), len(mesh.positions)
    positions = (mesh.positions[None] + places.astype(np.float32)[:, None]).reshape(-1, 3)
    triangles = (
        mesh.triangles[None] + (np.arange(count, dtype=np.uint32) * np.uint32(corners))[:, None, None]
    ).reshape(-1, 3)
    return Mesh(positions, np.tile(mesh.normals, (count, 1)), triangles)


def _repeat_normal(way: tuple[float, float, float], count: int) -> Floats:
    return np.tile(np.array(way, np.float32), (count, 1))


def _quad_triangles(count: int) -> NDArray[np.uint32]:
    """Two triangles for every four corners."""
    return (
        np.array([[0, 1, 2], [0, 2, 3]], np.uint32)[None]
        + (np.arange(count, dtype=np.uint32) * np.uint32(4))[:, None, None]
    ).reshape(-1, 3)
