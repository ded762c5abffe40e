"""Thumbnails of levels: rock, floor and the path in few flat colours, to stand beside a plot."""

from __future__ import annotations

import numpy as np
from PIL import Image, ImageDraw

from undercroft.core.level import Level
from undercroft.core.palette import DOOR_ROLES
from undercroft.draw.scene.colour import rgb
from undercroft.draw.view.canvas_marks import smoothed
from undercroft.draw.view.coloured_tiles import find_coloured_tiles

ROCK, FLOOR, WAY, START = "#2b2637", "#f3eee2", "#c8452b", "#1f8f63"
ROLE_COLOURS = ((DOOR_ROLES, "#d3b98f"), (("water",), "#8fb4bd"), (("pit",), "#4d4558"), (("pillar",), "#6f6880"))
"""The colours of tiles that are neither rock nor floor."""
WAY_WIDTH_CELLS, DOT_RADIUS_CELLS = 0.5, 0.85
"""In cells: the width of the path, and the radius of its ends."""
MIN_WAY_SHARE, MIN_DOT_SHARE = 1 / 90, 1 / 48
"""The same as minimum shares of the longer side, so that the path is visible on a large level."""


def fit_size(width: int, height: int, wide: int, high: int) -> tuple[int, int]:
    """The size in pixels of a level's thumbnail within `wide` by `high`: as large as possible, and at least one pixel
    each way.

    >>> fit_size(60, 30, 240, 190), fit_size(10, 100, 240, 190), fit_size(4096, 1, 240, 190)
    ((240, 120), (19, 190), (240, 1))
    """
    scale = min(wide / width, high / height)
    return max(1, round(width * scale)), max(1, round(height * scale))


def render_thumbnail(level: Level, pixels: tuple[int, int]) -> Image.Image:
    """The level at that size."""
    colours = np.empty((*level.tiles.shape, 3), np.uint8)
    colours[:] = rgb(FLOOR)
    colours[level.palette.role_mask("wall", "void")[level.tiles]] = rgb(ROCK)
    for roles, colour in ROLE_COLOURS:
        colours[level.palette.role_mask(*roles)[level.tiles]] = rgb(colour)
    for tile, cells in find_coloured_tiles(level, secrets=True):
        colours[cells] = rgb(tile.colour)
    enlarged = pixels[0] >= level.width and pixels[1] >= level.height
    image = Image.fromarray(colours).resize(pixels, Image.Resampling.NEAREST if enlarged else Image.Resampling.BOX)
    draw = ImageDraw.Draw(image)
    across, along = pixels[0] / level.width, pixels[1] / level.height
    if len(level.path) > 1:
        way = smoothed(level.path + 0.5) * (across, along)
        draw.line(
            [(x, y) for x, y in way.tolist()],
            fill=rgb(WAY),
            width=max(1, round(max(WAY_WIDTH_CELLS * across, MIN_WAY_SHARE * max(pixels)))),
            joint="curve",
        )
    reach = max(DOT_RADIUS_CELLS * across, MIN_DOT_SHARE * max(pixels))
    for point, colour in ((level.end, WAY), (level.start, START)):
        if point is not None:
            x, y = (point[0] + 0.5) * across, (point[1] + 0.5) * along
            draw.ellipse((x - reach, y - reach, x + reach, y + reach), fill=rgb(colour))
    return image
