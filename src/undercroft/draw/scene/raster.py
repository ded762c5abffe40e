"""Render scenes as pixels: shapes painted one over the other, and the effects between them."""

from __future__ import annotations

import io

import numpy as np
from PIL import Image

from undercroft.draw.scene.colour import rgb
from undercroft.draw.scene.painter import Painter
from undercroft.draw.scene.scene import Effect, Pixels, Scene, Shape
from undercroft.draw.scene.svg import svg
from undercroft.kernels import is_compiled, painting

UNITS_PER_CELL = 400
"""Units of a cell for shapes that are painted at once: finer than in files, where size matters."""


def raster(scene: Scene, cell: int) -> Image.Image:
    """The scene at `cell` pixels a cell."""
    width, height = round(scene.width * cell), round(scene.height * cell)
    pixels: Pixels = np.empty((height, width, 3), np.uint8)
    pixels[:] = rgb(scene.ground)
    run: list[Shape] = []
    over = paint_shapes if is_compiled(painting) else paint_with_resvg
    for item in (*scene.items, None):
        if isinstance(item, Shape):
            run.append(item)
            continue
        if run:
            pixels = over(pixels, scene, run, cell)
            run = []
        if isinstance(item, Effect):
            pixels = item.change(pixels, cell)
    return Image.fromarray(pixels)


def paint_shapes(pixels: Pixels, scene: Scene, shapes: list[Shape], cell: int) -> Pixels:
    """Paint shapes over pixels."""
    painter = Painter(scene, np.ascontiguousarray(pixels), cell)
    for shape in shapes:
        painter.paint(shape)
    return painter.pixels


def paint_with_resvg(pixels: Pixels, scene: Scene, shapes: list[Shape], cell: int) -> Pixels:
    """The same with resvg: it is far faster where our kernels are not compiled, and hardly a pixel differs."""
    from resvg_py import svg_to_bytes

    height, width = pixels.shape[:2]
    drawn = svg_to_bytes(
        svg_string=svg(scene, cell, items=shapes, ground=False, units=UNITS_PER_CELL).decode(),
        width=width,
        height=height,
        skip_system_fonts=True,
    )
    layer = Image.open(io.BytesIO(bytes(drawn)))
    under = Image.fromarray(pixels).convert("RGBA")
    under.alpha_composite(layer if layer.size == under.size else layer.crop((0, 0, *under.size)))
    return np.asarray(under.convert("RGB"))
