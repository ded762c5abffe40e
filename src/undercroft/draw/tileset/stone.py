"""Stone textures that pieces are cut from: courses of bricks, crags, and rock seen from above."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from undercroft.draw.tileset.paint import TILE_PIXELS, Paint, flat_paint, pick_colour, pixel_noise

BRICK_COURSES = ((0, 5), (5, 5), (10, 6))
"""Top and height of each row of bricks, with the mortar below."""
_BRICK_STARTS = (
    ((0, 8), (0, 7), (0, 9), (0, 10)),
    ((4, 12), (5, 12), (4, 11), (3, 12)),
    ((0, 9), (0, 8), (0, 6), (0, 7)),
)
"""The starts of bricks, for each course and variant. In the middle course a brick continues in the next piece, so its
ends are the same in all variants.
"""
STRIP_PIXELS = 256
"""The period of a strip of crags, in pixels."""
_BRICK_TONES = ("brick", "brick light", "brick", "brick dark")


def paint_bricks(look: int) -> Paint:
    """A wall of bricks, lit from above, dark at its foot. All variants join."""
    paint = flat_paint("mortar")
    rough = pixel_noise(f"bricks {look}")
    for course, (top, height) in enumerate(BRICK_COURSES):
        starts = _BRICK_STARTS[course][look % 4]
        for left, right in zip(
            (*(() if starts[0] == 0 else (0,)), *starts),
            (*(starts[1:] if starts[0] == 0 else starts), TILE_PIXELS),
            strict=True,
        ):
            shared = course == 1 and (left == 0 or right == TILE_PIXELS)
            tone = pick_colour("brick" if shared else _BRICK_TONES[int(rough[course, left] * 4)])
            _paint_brick(
                paint[top : top + height - 1, left : right if right == TILE_PIXELS and course == 1 else right - 1],
                tone,
                rough[top : top + height - 1, left:right],
            )
    return paint * face_shading()


def _paint_brick(part: Paint, tone: NDArray[np.float32], rough: NDArray[np.float32]) -> None:
    """One brick: a light edge above, a dark one below, and pits in its surface."""
    part[:] = tone
    part[rough[:, : part.shape[1]] > 0.90] *= np.float32(0.88)
    part[rough[:, : part.shape[1]] < 0.06] *= np.float32(1.08)
    part[0] *= np.float32(1.18)
    part[-1] *= np.float32(0.84)


def face_shading() -> Paint:
    """The shading of a face, darker from top to foot."""
    return np.linspace(1.08, 0.60, TILE_PIXELS, dtype=np.float32)[:, None, None]


def paint_crag(look: int, *, width: int = TILE_PIXELS, height: int = TILE_PIXELS) -> Paint:
    """A face of natural rock: slanted facets that continue from piece to piece."""
    ys, xs = np.indices((height, width))
    lean = (xs * 2 + ys + (pixel_noise(f"crag lean {look}", width=1, height=height) * 3).astype(int)) // 2
    tones = pixel_noise("crag facets", width=TILE_PIXELS // 2, height=4)
    facet = tones[(ys // 6 + look) % 4, lean // 3 % (TILE_PIXELS // 2)]
    paint: Paint = (
        flat_paint("crag", width=width, height=height) * (np.float32(0.82) + np.float32(0.42) * facet)[..., None]
    )
    paint[lean % 3 == 0] *= np.float32(1.07)
    paint[(lean % 6 == 5) & (pixel_noise(f"crag cracks {look}", width=width, height=height) > 0.25)] *= np.float32(0.78)
    paint[pixel_noise(f"crag pocks {look}", width=width, height=height) > 0.93] *= np.float32(0.86)
    return paint


def paint_crag_strip() -> Paint:
    """A long face of natural rock with a period of 256 pixels: slanted facets, each with a light and a dark side."""
    ys, xs = np.indices((TILE_PIXELS, STRIP_PIXELS))
    lean = (xs * 2 + ys + _smooth_noise("crag bend", 16)[xs] * 14).astype(np.intp) // 2 % STRIP_PIXELS
    big, small = (
        _smooth_noise(f"crag {cell}", cell)[(lean + rows * 61) % STRIP_PIXELS] - np.float32(0.5)
        for cell, rows in ((7, ys // 7), (3, ys // 5))
    )
    facet = np.rint(big * 5)
    paint: Paint = (
        np.tile(pick_colour("crag"), (TILE_PIXELS, STRIP_PIXELS, 1))
        * (1 + facet * np.float32(0.15) + np.rint(small * 3) * np.float32(0.07))[..., None]
    )
    edge = np.diff(facet, axis=1, prepend=facet[:, -1:]) != 0
    paint[edge] *= np.float32(0.68)
    paint[np.roll(edge, 1, axis=1) & ~edge] *= np.float32(1.12)
    paint[ys < 2 + (_smooth_noise("crag head", 5)[xs] * 2.8).astype(np.intp)] *= np.float32(1.2)
    return paint


def _smooth_noise(name: str, cell: int) -> NDArray[np.float32]:
    """Smooth noise along a line, with the period of a strip."""
    values = pixel_noise(name, width=STRIP_PIXELS // cell, height=1)[0]
    at = np.arange(STRIP_PIXELS, dtype=np.float32) * np.float32(len(values) / STRIP_PIXELS)
    low = at.astype(np.intp)
    share = at - low
    found: NDArray[np.float32] = values[low] * (1 - share) + values[(low + 1) % len(values)] * share
    return found


def paint_rock_top(look: int) -> Paint:
    """Rock seen from above: dark, with a few facets."""
    ys, xs = np.indices((TILE_PIXELS, TILE_PIXELS))
    facets = pixel_noise(f"top facets {look}")[ys // 4, (xs + ys // 4 % 2 * 2) // 4]
    paint = flat_paint("top")
    paint[facets > 0.70] = pick_colour("top light", 0.94)
    paint[facets > 0.93] = pick_colour("top light", 1.08)
    paint[pixel_noise(f"top grain {look}") > 0.965] = pick_colour("top light")
    return paint
