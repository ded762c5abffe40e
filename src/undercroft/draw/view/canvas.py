"""A picture in progress: masks are drawn several times too large and reduced, so that edges are smooth, and colours are
painted through them.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageChops, ImageDraw, ImageFilter

from undercroft.draw.pen.contour import ContourLoop
from undercroft.draw.scene.colour import rgb
from undercroft.errors import BadInput
from undercroft.limits import PICTURE_PIXELS, PICTURE_SIDE, Limit

DEFAULT_SIDE_PIXELS = 1600
"""The default length of the longer side of a picture, in pixels."""
MIN_SIDE_PIXELS = 900
"""The minimum length of the longer side for a small map, in pixels, unless cells would exceed the largest size."""
MIN_CELL_PIXELS, USUAL_CELL_PIXELS, MAX_CELL_PIXELS = 4, 24, 96
"""The automatic size of a cell, in pixels: the minimum, the maximum for larger maps, and the maximum for small ones."""


def fit_cell_pixels(
    width: int,
    height: int,
    asked: int | None,
    most: Limit = PICTURE_PIXELS,
    *,
    largest: int = MAX_CELL_PIXELS,
    squares: int = 1,
) -> int:
    """Pixels a cell: the requested number if the picture is not too large, else one that suits the size of the map. A
    cell is drawn as `squares` squares, each way.

    >>> fit_cell_pixels(81, 31, None), fit_cell_pixels(4096, 4096, None)
    (19, 1)
    >>> fit_cell_pixels(20, 9, None), fit_cell_pixels(3, 3, None)
    (45, 96)
    >>> fit_cell_pixels(9, 8, None, squares=8)
    168
    """
    if asked is not None:
        check_cell_pixels(asked)
        _check_picture_size(width, height, asked, most)
        return asked
    longer = max(width, height) * squares
    square = max(
        min(USUAL_CELL_PIXELS, DEFAULT_SIDE_PIXELS // (longer + 3)),
        min(largest, -(-MIN_SIDE_PIXELS // longer)) if longer * USUAL_CELL_PIXELS < MIN_SIDE_PIXELS else 0,
    )
    cell = max(MIN_CELL_PIXELS, square * squares)
    while cell > 1 and (
        width * height * cell * cell > most.value or (max(width, height) + 3) * cell > PICTURE_SIDE.value
    ):
        cell -= 1
    _check_picture_size(width, height, cell, most)
    return cell


def check_cell_pixels(asked: int) -> None:
    """Raise `BadInput` unless it is a valid number of pixels."""
    if type(asked) is not int or asked < 1:
        raise BadInput(f"a cell is a whole number of pixels from 1, not {asked!r}", fix="for example cell=16")


def _check_picture_size(width: int, height: int, cell: int, most: Limit) -> None:
    edge = 2 * _margin_pixels(cell)
    PICTURE_SIDE.check(
        max(width, height) * cell + edge, f"the longer side of a picture of {width}x{height} cells, {cell} pixels each,"
    )
    most.check(
        (width * cell + edge) * (height * cell + edge),
        f"the number of pixels of a picture of {width}x{height} cells, {cell} pixels each,",
    )


def _margin_pixels(cell: int) -> int:
    return cell * 3 // 2


class Canvas:
    """The picture, its size, and methods that make masks. All lengths and points that are passed in are in cells."""

    def __init__(self, width: int, height: int, cell: int, ground: str) -> None:
        self.width, self.height, self.cell = width, height, cell
        self.margin = _margin_pixels(cell)
        self.size = width * cell + 2 * self.margin, height * cell + 2 * self.margin
        self.finer = 2 if cell >= 14 else 3
        """The oversampling factor of masks."""
        self.image = Image.new("RGB", self.size, rgb(ground))

    def paint(self, colour: str, mask: Image.Image, share: float = 1.0) -> None:
        """Paint a colour through a mask."""
        if share < 1:
            mask = mask.point([round(value * share) for value in range(256)])
        self.image.paste(rgb(colour), (0, 0, *self.size), mask)

    def pixel_points(self, points: NDArray[np.float64], scale: float = 1.0) -> list[tuple[float, float]]:
        """Points as pixels of the picture, or of an enlarged one."""
        moved = (np.asarray(points, float) * self.cell + self.margin) * scale
        return [(x, y) for x, y in moved.tolist()]

    def area_mask(self, loops: Iterable[ContourLoop]) -> Image.Image:
        """The mask of the area that loops enclose."""
        mask, draw = self._blank_mask()
        for loop in loops:
            if len(loop.points) > 2:
                draw.polygon(self.pixel_points(loop.points, self.finer), fill=0 if loop.hole else 255)
        return mask.reduce(self.finer)

    def line_mask(
        self, lines: Iterable[NDArray[np.float64]], width: float, *, closed: bool = False, least: float = 0.0
    ) -> Image.Image:
        """The mask of lines that are `width` cells wide, and at least `least` pixels."""
        mask, draw = self._blank_mask()
        pixels = max(1, round(max(width * self.cell, least) * self.finer))
        for line in lines:
            points = self.pixel_points(line, self.finer)
            if closed:
                points += points[:2]
            draw.line(points, fill=255, width=pixels, joint="curve")
        return mask.reduce(self.finer)

    def box_mask(self, boxes: Iterable[tuple[float, float, float, float]]) -> Image.Image:
        """The mask of rectangles left, top, right, bottom."""
        mask, draw = self._blank_mask()
        for left, top, right, bottom in boxes:
            (x0, y0), (x1, y1) = self.pixel_points(np.array([[left, top], [right, bottom]]), self.finer)
            draw.rectangle(
                (round(x0), round(y0), max(round(x0), round(x1) - 1), max(round(y0), round(y1) - 1)), fill=255
            )
        return mask.reduce(self.finer)

    def disc_mask(self, centres: Iterable[tuple[float, float]], radius: float) -> Image.Image:
        """The mask of discs."""
        mask, draw = self._blank_mask()
        reach = radius * self.cell * self.finer
        for x, y in self.pixel_points(np.array(list(centres), float).reshape(-1, 2), self.finer):
            draw.ellipse((x - reach, y - reach, x + reach, y + reach), fill=255)
        return mask.reduce(self.finer)

    def blurred(self, mask: Image.Image, reach: float) -> Image.Image:
        """The mask with its edges blurred over `reach` cells. It is scaled down first, which is not visible."""
        pixels = reach * self.cell
        shrink = max(1, int(pixels // 3))
        if shrink == 1:
            return mask.filter(ImageFilter.GaussianBlur(pixels))
        return (
            mask.reduce(shrink)
            .filter(ImageFilter.GaussianBlur(pixels / shrink))
            .resize(self.size, Image.Resampling.BILINEAR)
        )

    @staticmethod
    def intersect(one: Image.Image, other: Image.Image) -> Image.Image:
        """The intersection of two masks."""
        return ImageChops.multiply(one, other)

    def grid_mask(self) -> Image.Image:
        """The mask of the grid lines between cells."""
        mask = np.zeros(self.size[::-1], np.uint8)
        if self.cell >= 8:
            mask[self.margin :: self.cell] = 255
            mask[:, self.margin :: self.cell] = 255
        return Image.fromarray(mask)

    def _blank_mask(self) -> tuple[Image.Image, ImageDraw.ImageDraw]:
        mask = Image.new("L", (self.size[0] * self.finer, self.size[1] * self.finer))
        return mask, ImageDraw.Draw(mask)
