"""Rasterise shapes with our own kernels: a page of a map takes a tenth of a second, with no conversion to and from
another format.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from undercroft.draw.scene.colour import rgb
from undercroft.draw.scene.scene import Pixels, Points, Scene, Shape
from undercroft.kernels import buffer, painting

Mask = NDArray[np.uint8]
SAMPLES_PER_ROW = 4
"""Sample lines in each row of pixels, as in the kernel."""
MAX_COORDINATE = 1e7
"""Pixels from the page's corner to which coordinates are clamped."""


def fill_mask(mask: Mask, points: Points, ends: NDArray[np.int64], top: int, bottom: int) -> None:
    """Fill the area that closed lines enclose, in some rows of a mask. `ends` is where each line ends."""
    moved = points - (0, top)
    counts = np.zeros((bottom - top) * SAMPLES_PER_ROW, np.int32)
    many = painting.count_crossings(buffer(moved), buffer(ends), buffer(counts))
    places = np.cumsum(counts, dtype=np.int64) - counts
    crossings = np.empty(many)
    painting.find_crossings(buffer(moved), buffer(ends), buffer(places), buffer(crossings))
    painting.fill_spans(buffer(crossings), buffer(places), buffer(np.zeros((2, mask.shape[1] + 2))), buffer(mask), top)


class Painter:
    """Paints shapes of a scene on pixels of its page, `cell` pixels a cell."""

    def __init__(self, scene: Scene, pixels: Pixels, cell: float) -> None:
        self.scene, self.pixels, self.cell = scene, pixels, cell
        self.height, self.width = pixels.shape[:2]
        self._mask: Mask = np.zeros((self.height, self.width), np.uint8)
        self._clips: dict[str, Mask] = {"": np.zeros((0, 1), np.uint8)}

    def paint(self, shape: Shape) -> None:
        """Paint a shape over the page."""
        lines = [line for line in shape.lines if len(line)]
        if not lines:
            return
        # fill and stroke are blended with the page as one layer, so the fill does not show through the stroke
        if shape.fill and shape.stroke and shape.opacity < 1:
            before = self.pixels.copy()
            self.paint(shape._replace(opacity=1.0))
            share = np.float32(shape.opacity)
            self.pixels[:] = np.rint(before * (1 - share) + self.pixels * share).astype(np.uint8)
            return
        points, ends = self._to_pixels(lines)
        if shape.fill:
            self._composite(self._fill(points, ends), shape, shape.fill)
        if shape.stroke and shape.width > 0:
            self._composite(self._stroke(points, ends, shape), shape, shape.stroke)

    def _to_pixels(self, lines: Sequence[Points]) -> tuple[Points, NDArray[np.int64]]:
        """All points in pixels, and the index at which each line ends."""
        points = np.add(np.concatenate(lines), (self.scene.left, self.scene.top)) * self.cell
        return np.ascontiguousarray(np.clip(points, -MAX_COORDINATE, MAX_COORDINATE)), np.cumsum(
            [len(line) for line in lines], dtype=np.int64
        )

    def _bounding_box(self, points: Points, more: float) -> NDArray[np.int64]:
        """The pixels that can be covered: left, top, right, bottom."""
        low, high = np.floor(points.min(axis=0) - more), np.ceil(points.max(axis=0) + more)
        box: NDArray[np.int64] = np.clip([*low, *high], 0, [self.width, self.height] * 2).astype(np.int64)
        return box

    def _fill(self, points: Points, ends: NDArray[np.int64]) -> NDArray[np.int64]:
        box = self._bounding_box(points, 1)
        if box[3] > box[1] and box[2] > box[0]:
            fill_mask(self._mask, points, ends, int(box[1]), int(box[3]))
        return box

    def _stroke(self, points: Points, ends: NDArray[np.int64], shape: Shape) -> NDArray[np.int64]:
        radius = shape.width * self.cell / 2
        dash = np.array(shape.dash, float) * self.cell
        dash = np.tile(dash, 2) if len(dash) % 2 else dash
        if not dash.sum() > 0:
            dash = np.empty(0)
        painting.stroke(
            buffer(points), buffer(ends), buffer(dash), buffer(self._mask), radius, shape.closed, shape.cap == "round"
        )
        return self._bounding_box(points, radius + 2)

    def _composite(self, box: NDArray[np.int64], shape: Shape, colour: str) -> None:
        share = round(255 * min(1.0, max(0.0, shape.opacity)))
        painting.blend_colour(
            buffer(self.pixels),
            buffer(self._mask),
            buffer(self._clip_mask(shape.clip)),
            buffer(box),
            *rgb(colour),
            share,
            shape.crisp,
        )

    def _clip_mask(self, name: str) -> Mask:
        if name not in self._clips:
            whole, self._mask = self._mask, np.zeros_like(self._mask)
            lines = [line for line in self.scene.clips[name] if len(line)]
            if lines:
                self._fill(*self._to_pixels(lines))
            self._clips[name], self._mask = self._mask, whole
        return self._clips[name]
