"""Random numbers that depend on a position, not on an order of draws: the same spot of the same level always looks the
same, whatever else is drawn.
"""

from __future__ import annotations

import zlib

import numpy as np
from numpy.typing import ArrayLike, NDArray

from undercroft.core.level import Level
from undercroft.draw.scene.scene import Points
from undercroft.kernels import buffer, inking

Numbers = NDArray[np.float64]


def picture_seed(level: Level) -> int:
    """The seed of all random detail in the pictures of a level; it depends on the tiles.

    >>> picture_seed(Level.parse("#.#")) == picture_seed(Level.parse("#.#"))
    True
    >>> picture_seed(Level.parse("#.#")) == picture_seed(Level.parse("##."))
    False
    """
    return zlib.crc32(level.tiles.tobytes(), level.width)


def hash_noise(x: ArrayLike, y: ArrayLike, seed: ArrayLike) -> Numbers:
    """Numbers from 0 to below 1 for integer positions; each position can have its own seed.

    >>> hash_noise([0, 1], [0, 0], 7).round(3).tolist()
    [0.546, 0.478]
    """
    mix: NDArray[np.uint32] = np.full(
        np.broadcast(np.asarray(x), np.asarray(y), np.asarray(seed)).shape, 0x9E3779B9, np.uint32
    )
    for value in (seed, x, y):
        mix = (mix ^ np.asarray(value).astype(np.int64).astype(np.uint32)) * np.uint32(0x85EBCA6B)
        mix = (mix ^ (mix >> np.uint32(13))) * np.uint32(0xC2B2AE35)
        mix = mix ^ (mix >> np.uint32(16))
    return mix / 4294967296.0


def value_noise(x: ArrayLike, y: ArrayLike, frequency: float, seed: int) -> Numbers:
    """Smooth noise from 0 to below 1 at points, with `frequency` extremes a cell along a line."""
    across, down = np.broadcast_arrays(np.asarray(x, float), np.asarray(y, float))
    return point_noise(np.stack([across.reshape(-1), down.reshape(-1)], axis=1), frequency, seed).reshape(across.shape)


def point_noise(points: Points, frequency: float, seed: int) -> Numbers:
    """The same for rows of x and y."""
    found: Numbers = np.empty(len(points))
    if len(points):
        inking.sample_noise(buffer(np.ascontiguousarray(points, float)), frequency, seed & 0xFFFFFFFF, buffer(found))
    return found


def fbm(height: int, width: int, scale: float, octaves: int, seed: int, *, stretch: float = 1.0) -> NDArray[np.float32]:
    """A texture of pixels from 0 to below 1: noise with features of `scale` pixels, plus octaves that are each half as
    large and half as strong.

    `stretch` lengthens the features vertically, like fibres.
    """
    total: NDArray[np.float32] = np.zeros((height, width), np.float32)
    strength, whole = 1.0, 0.0
    for octave in range(octaves):
        rows, down = _lattice(height, 2.0**octave / (scale * stretch))
        columns, across = _lattice(width, 2.0**octave / scale)
        corners = hash_noise(np.arange(columns[-1] + 2), np.arange(rows[-1] + 2)[:, None], seed + 101 * octave).astype(
            np.float32
        )
        wide = corners[:, columns] + (corners[:, columns + 1] - corners[:, columns]) * across
        wide *= np.float32(strength)
        total += wide[rows]
        total += (wide[rows + 1] - wide[rows]) * down[:, None]
        whole += strength
        strength /= 2
    total /= np.float32(whole)
    return total


def _lattice(length: int, frequency: float) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """For each pixel the lattice line before it, and the eased fraction of the distance to the next."""
    places = np.arange(length) * frequency
    lines = np.floor(places)
    rest = (places - lines).astype(np.float32)
    return lines.astype(np.int64), rest * rest * (3 - 2 * rest)
