"""Terrain masks in pixels: natural walls and shores are smooth across cells, built ones keep their corners."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter

from undercroft.core.palette import DOOR_ROLES
from undercroft.draw.tileset.paint import TILE_PIXELS, pixel_noise
from undercroft.draw.tileset.terrain import Cells, Terrain, dilated_by

Mask = NDArray[np.bool_]
Bytes = NDArray[np.uint8]
FACE_HEIGHT = 16
"""Pixels from the top of a wall's face to its foot."""
CAP_HEIGHT = 4
"""Pixels of the top that are visible on a wall one cell thick."""
NOISE_PERIOD = 256
"""The period of noise, in pixels."""
MAX_DISTANCE = 255
"""A distance larger than any that is used."""
BLUR_BLOCK_PIXELS = 4
"""The side of the blocks of pixels that are blurred as one."""


class PixelTerrain(NamedTuple):
    """Masks [y, x] of pixels."""

    ground: Mask
    """Everything except rock: floor, water and pits."""
    face: Mask
    """Rock that is seen from the side."""
    top: Mask
    """Rock that is seen from above."""
    below: Bytes
    """The distance in pixels down to the next ground."""
    wild: Mask
    """Natural rock."""
    water: Mask
    pit: Mask
    soft: Mask
    """Natural shores."""


def build_terrain(lie: Terrain) -> PixelTerrain:
    """The terrain of a level in pixels."""
    outline = dilated_by(lie.ground & lie.natural, 1) & ~dilated_by(
        (lie.ground & ~lie.natural) | lie.having(*DOOR_ROLES), 1
    )
    wild, ground = cells_to_pixels(outline), cells_to_pixels(lie.ground)
    if outline.any():
        ground = np.where(wild, smooth_cells(lie.ground, 4.5, 0.16, 0.5), ground)
    below, above = _ground_distances(ground)
    face = ~ground & (below <= FACE_HEIGHT) & (above > CAP_HEIGHT)
    hollows, shores = {}, np.zeros_like(lie.ground)
    for role, blur, rough in (("water", 5.0, 0.30), ("pit", 4.5, 0.34)):
        cells = lie.having(role)
        hollows[role] = np.zeros_like(ground)
        if cells.any():
            natural = dilated_by(cells & lie.shore, 1)
            shores |= natural
            built = smooth_cells(cells, 2.4 if role == "water" else 1.2, 0, 0.5)
            hollows[role] = (
                np.where(cells_to_pixels(natural), smooth_cells(cells, blur, rough, 0.46), built)
                if natural.any()
                else built
            ) & ground
    return PixelTerrain(
        ground,
        face,
        ~ground & ~face,
        below,
        wild,
        hollows["water"],
        hollows["pit"] & ~hollows["water"],
        cells_to_pixels(shores) if shores.any() else wild,
    )


def cells_to_pixels(cells: Cells, size: int = TILE_PIXELS) -> Mask:
    """Cells enlarged to pixels."""
    return cells.repeat(size, axis=0).repeat(size, axis=1)


def smooth_cells(cells: Cells, blur: float, rough: float, level: float) -> Mask:
    """Cells as pixels with a smooth outline: blurred, roughened with noise, and cut at a threshold."""
    height, width = (side * TILE_PIXELS for side in cells.shape)
    coarse = Image.fromarray(cells.view(np.uint8) * np.uint8(255)).resize(
        (width // BLUR_BLOCK_PIXELS, height // BLUR_BLOCK_PIXELS), Image.Resampling.NEAREST
    )
    field = np.asarray(
        coarse.filter(ImageFilter.GaussianBlur(blur / BLUR_BLOCK_PIXELS)).resize(
            (width, height), Image.Resampling.BICUBIC
        )
    )
    if not rough:
        return field > round(255 * level)
    bound: Bytes = np.rint(255 * level - rough * (build_noise(11).astype(np.float32) - 128)).astype(np.uint8)
    return field > tile_texture(bound, field.shape)


def _ground_distances(ground: Mask) -> tuple[Bytes, Bytes]:
    """The distances in pixels to the next ground, down and up."""
    rows = np.arange(len(ground), dtype=np.int32)[:, None]
    down = np.minimum.accumulate(np.where(ground, rows, np.int32(1 << 20))[::-1], axis=0)[::-1] - rows
    up = rows - np.maximum.accumulate(np.where(ground, rows, np.int32(-(1 << 20))), axis=0)
    return np.minimum(down, MAX_DISTANCE).astype(np.uint8), np.minimum(up, MAX_DISTANCE).astype(np.uint8)


def measure_depth(mask: Mask) -> Bytes:
    """For pixels of a mask, how many pixels up it begins, from 1; elsewhere 0."""
    rows = np.arange(len(mask), dtype=np.int32)[:, None]
    return np.minimum(rows - np.maximum.accumulate(np.where(mask, np.int32(-1), rows), axis=0), MAX_DISTANCE).astype(
        np.uint8
    )


@cache
def build_noise(cell: int, name: str = "cloud") -> Bytes:
    """Smooth noise that repeats without a seam, with a feature about every `cell` pixels."""
    count = NOISE_PERIOD // cell
    lattice = np.pad(pixel_noise(f"{name} {cell}", width=count, height=count), ((0, 1), (0, 1)), mode="wrap")
    at = np.arange(NOISE_PERIOD, dtype=np.float32) * np.float32(count / NOISE_PERIOD)
    low = at.astype(np.intp)
    share = at - low
    share = share * share * (3 - 2 * share)
    rows = lattice[low] * (1 - share)[:, None] + lattice[low + 1] * share[:, None]
    noise: Bytes = np.rint((rows[:, low] * (1 - share) + rows[:, low + 1] * share) * 255).astype(np.uint8)
    return noise


def tile_texture(texture: Bytes, shape: tuple[int, ...]) -> Bytes:
    """The texture repeated over a whole picture."""
    height, width = texture.shape
    return np.tile(texture, (-(-shape[0] // height), -(-shape[1] // width)))[: shape[0], : shape[1]]


def moved(mask: Mask, right: int, down: int) -> Mask:
    """The values `right` and `down` pixels further on; beyond the edge, those at the edge.

    >>> moved(np.array([[1, 0, 0, 1, 1]], bool), 2, 0).tolist()
    [[False, True, True, True, True]]
    """
    height, width = mask.shape
    right = max(-width, min(width, right))
    if down:
        mask = mask[np.clip(np.arange(down, height + down), 0, height - 1)]
    if right:
        found = np.empty_like(mask)
        if right > 0:
            found[:, : width - right], found[:, width - right :] = mask[:, right:], mask[:, -1:]
        else:
            found[:, -right:], found[:, :-right] = mask[:, :right], mask[:, :1]
        return found
    return mask


def eroded(mask: Mask) -> Mask:
    """The mask without the pixels at its edge."""
    return mask & moved(mask, 0, 1) & moved(mask, 0, -1) & moved(mask, 1, 0) & moved(mask, -1, 0)


def dilated(mask: Mask) -> Mask:
    """The mask with the pixels around it."""
    return mask | moved(mask, 0, 1) | moved(mask, 0, -1) | moved(mask, 1, 0) | moved(mask, -1, 0)
