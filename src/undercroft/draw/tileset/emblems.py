"""Emblems on the floor of special rooms: mosaics in a ring, on nine squares or on one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from undercroft.draw.scene.colour import rgb
from undercroft.draw.tileset.paint import TILE_PIXELS, Pixels, pixel_noise

TAG_MARKS = {
    "boss": "boss",
    "shop": "shop",
    "secret": "secret",
    **dict.fromkeys(("treasure", "treasury", "vault"), "treasure"),
    **dict.fromkeys(("shrine", "holy"), "shrine"),
}
"""The marks of rooms, by their tags."""
MARK_DRAWINGS: dict[str, tuple[str, str]] = {
    "boss": (
        "#a03038",
        """
        ..###
        .####
        #####
        #...#
        #...#
        ###.#
        .####
        ..#.#
        ..#.#
        """,
    ),
    "treasure": (
        "#d9a740",
        """
        ..###
        .#...
        #..##
        ####.
        .#...
        ..#..
        ...#.
        ....#
        """,
    ),
    "shop": (
        "#4f86c6",
        """
        ...##
        ....#
        ..###
        .####
        ####.
        ###..
        ####.
        .####
        ..###
        """,
    ),
    "secret": (
        "#8f63c4",
        """
        ...##
        .##..
        #...#
        #..##
        #..##
        #...#
        .##..
        ...##
        """,
    ),
    "shrine": (
        "#d8cfb0",
        """
        ....#
        ....#
        .#..#
        ..###
        ...##
        #####
        ...##
        ..###
        .#..#
        ....#
        ....#
        """,
    ),
}  # fmt: skip
"""The colour and left half of each mark, in stones of two by two pixels."""
MARK_ALPHA = 165
"""The opacity of marks, of 255."""


def paint_emblem(mark: str) -> Pixels:
    """A mark of 48x48 pixels: its sign with two rings around it."""
    side = 3 * TILE_PIXELS // 2
    ys, xs = np.indices((side, side)) - np.float32((side - 1) / 2)
    far = xs * xs + ys * ys
    stones = ((far < 11.8**2) & (far > 10.6**2)) | ((far < 9.4**2) & (far > 8.8**2) & ((xs + ys).astype(int) % 2 == 0))
    sign = _parse_sign(mark)
    top, left = (side - len(sign)) // 2, (side - sign.shape[1]) // 2
    stones[top : top + len(sign), left : left + sign.shape[1]] |= sign
    return _lay_stones(stones, mark).repeat(2, axis=0).repeat(2, axis=1)


def paint_small_emblem(mark: str) -> Pixels:
    """The sign without rings, on one square."""
    sign = _parse_sign(mark)
    stones = np.zeros((TILE_PIXELS, TILE_PIXELS), bool)
    top, left = (TILE_PIXELS - len(sign)) // 2, (TILE_PIXELS - sign.shape[1]) // 2
    stones[top : top + len(sign), left : left + sign.shape[1]] = sign
    return _lay_stones(stones, mark)


def _parse_sign(mark: str) -> NDArray[np.bool_]:
    rows = [line.strip() for line in MARK_DRAWINGS[mark][1].split()]
    return np.array([[sign == "#" for sign in half + half[::-1]] for half in rows])


def _lay_stones(stones: NDArray[np.bool_], mark: str) -> Pixels:
    """Stones in slightly varied shades of one colour."""
    height, width = stones.shape
    found = np.zeros((height, width, 4), np.uint8)
    tone = (
        np.array(rgb(MARK_DRAWINGS[mark][0]), np.float32)
        * (np.float32(0.82) + np.float32(0.36) * pixel_noise(f"emblem {mark}", width=width, height=height))[..., None]
    )
    found[..., :3] = np.clip(tone, 0, 255)
    found[..., 3] = MARK_ALPHA
    found[~stones] = 0
    return found
