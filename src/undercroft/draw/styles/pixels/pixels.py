"""The style `pixels`: a level as a scene of a game, 16 pixels a cell, by torchlight.

The land is drawn pixel by pixel, so that caves flow; then pieces of the tileset are laid on it; then light falls on it.
Rows of cells are drawn some at a time, with what is around them, so that large levels need little memory.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from PIL import Image

from undercroft.analysis.room_grids import is_grid
from undercroft.core.level import Level
from undercroft.core.palette import STANDARD, through
from undercroft.core.region import Regions
from undercroft.draw.styles.pixels import lamps as pixels_lamps
from undercroft.draw.styles.pixels import light as pixels_light
from undercroft.draw.styles.pixels import overlays, shade, things
from undercroft.draw.styles.pixels.light import Lamp
from undercroft.draw.styles.pixels.pixel_canvas import Canvas
from undercroft.draw.styles.pixels.pixel_terrain import Bytes, land
from undercroft.draw.styles.pixels.small_scale import small_picture
from undercroft.draw.styles.pixels.terrain_colours import painted
from undercroft.draw.styles.pixels.things import Stamp
from undercroft.draw.tileset.paint import SIZE
from undercroft.draw.tileset.piece_placement import laid
from undercroft.draw.tileset.terrain import NOTHING, Layer, Lie, lie_of
from undercroft.draw.tileset.tile_sheet import tileset
from undercroft.draw.view.grid_rooms import PITCH, as_rooms

BAND = 64
"""Rows of cells that are drawn at a time."""
HALO = 16
"""Rows around them that may throw light or shadow on them. Noise begins again after so many rows: bands join without a
seam.
"""
FULL = 16_000_000
"""Pixels of a scene beyond which a level is drawn with small tiles, and without light."""
MARGIN = 1.0
"""Cells around a level unless somebody says otherwise."""
LEGIBLE = 12
"""Pixels a cell below which nobody can read letters."""


def picture(level: Level, cell: int, shown: frozenset[str], margin: float | None) -> Image.Image:
    """The level with so many pixels a cell, and a margin of so many cells around it; 0 gives exactly the map.

    `shown` says what is drawn beside the land itself: things, secrets, path, numbers, names, grid, heat, regions and
    the title.
    """
    edge = MARGIN if margin is None else margin
    if is_grid(level):
        image = _rooms(level, cell, shown, edge)
    elif level.width * level.height * SIZE * SIZE > FULL:
        image = small_picture(level, cell, edge)
    else:
        image = scaled(_image(level, shown if cell >= LEGIBLE else shown - {"numbers", "names"}, edge), cell)
    return overlays.titled(image, level) if "title" in shown and margin != 0 else image


def _image(level: Level, shown: frozenset[str], margin: float) -> Image.Image:
    """The level with a margin of so many cells, 16 pixels each."""
    frame = max(1, math.ceil(margin))
    scene = _scene(level, frame, shown)
    cut = frame * SIZE - round(margin * SIZE)
    return Image.fromarray(scene[cut : len(scene) - cut, cut : scene.shape[1] - cut])


def _rooms(level: Level, cell: int, shown: frozenset[str], margin: float) -> Image.Image:
    """A room grid: so many pixels are a whole room."""
    rooms = as_rooms(level)
    size = round((level.width + 2 * margin) * cell), round((level.height + 2 * margin) * cell)
    if rooms.width * rooms.height * SIZE * SIZE > FULL:
        return small_picture(level, cell, margin)
    return _image(rooms, shown, margin * PITCH - 0.5).resize(
        size, Image.Resampling.NEAREST if cell % (PITCH * SIZE) == 0 else Image.Resampling.LANCZOS
    )


def scaled(image: Image.Image, cell: int) -> Image.Image:
    """The scene with so many pixels a cell: whole multiples stay sharp, others are reduced from the next larger one."""
    times = -(-cell // SIZE)
    if times > 1:
        image = image.resize((image.width * times, image.height * times), Image.Resampling.NEAREST)
    if times * SIZE == cell:
        return image
    size = tuple(max(1, round(side * cell / (SIZE * times))) for side in image.size)
    return image.resize((size[0], size[1]), Image.Resampling.BOX if times > 1 else Image.Resampling.LANCZOS)


def framed(level: Level, frame: int) -> Level:
    """The level in a frame of rock so many cells wide, in tiles of the standard palette: only their roles are drawn."""
    codes = np.zeros(256, np.uint8)
    codes[: len(level.palette)] = [STANDARD.role(role) for role in level.palette.roles]
    labels = np.pad(level.regions.labels, frame)
    table = level.regions.table.copy()
    table["x"] += frame
    table["y"] += frame
    start, end = (None if point is None else (point[0] + frame, point[1] + frame) for point in (level.start, level.end))
    return Level(
        np.pad(through(codes, level.tiles), frame, constant_values=STANDARD.role("void")),
        regions=Regions(labels, table, level.regions.tags, level.regions.templates, level.regions.names),
        things=[thing._replace(x=thing.x + frame, y=thing.y + frame) for thing in level.things],
        start=start,
        end=end,
        path=level.path + np.int32(frame),
        title=level.title,
    )


def _scene(bare: Level, frame: int, shown: frozenset[str]) -> Bytes:
    """The whole level in its frame, 16 pixels a cell."""
    layers = {name: np.pad(layer, frame, constant_values=NOTHING) for name, layer in laid(bare).items()}
    level = framed(bare, frame)
    lie = lie_of(level, frame)
    layers["doors"][lie.having("secret")] = tileset().number("secret.mark") if "secrets" in shown else NOTHING
    lamps = pixels_lamps.lamps(level, layers["decor"])
    placed: list[Stamp] = []
    if "things" in shown:
        lamps += things.lamps(level)
        placed = things.stamps(level, lie)
    scene = np.empty((level.height * SIZE, level.width * SIZE, 3), np.uint8)
    for top, first, last, bottom in _bands(level.height):
        part = lie.rows(slice(top, bottom))
        near = [
            lamp._replace(y=lamp.y - top, cell=(lamp.cell[0], lamp.cell[1] - top))
            for lamp in lamps
            if top <= lamp.cell[1] < bottom
        ]
        here = [
            stamp._replace(top=stamp.top - top * SIZE)
            for stamp in placed
            if top * SIZE < stamp.top + len(stamp.pixels) and stamp.top < bottom * SIZE
        ]
        drawn = _drawn(part, {name: layer[top:bottom] for name, layer in layers.items()}, near, here)
        scene[first * SIZE : last * SIZE] = drawn[(first - top) * SIZE : (last - top) * SIZE]
    if {"heat", "regions", "grid"} & shown:
        overlays.veil(scene, level, shown, lie.ground.repeat(SIZE, axis=0).repeat(SIZE, axis=1))
    overlays.write(scene, level, shown)
    return scene


def _bands(height: int) -> Iterator[tuple[int, int, int, int]]:
    """Rows to draw: from where, the first and the end of those that are wanted, and to where.

    >>> list(_bands(100))
    [(0, 0, 64, 80), (48, 64, 100, 100)]
    """
    for first in range(0, height, BAND):
        last = min(height, first + BAND)
        yield max(0, first - HALO), first, last, min(height, last + HALO)


def _drawn(lie: Lie, layers: dict[str, Layer], lamps: list[Lamp], placed: list[Stamp]) -> Bytes:
    """Some rows of the level, with their light."""
    ground = land(lie)
    canvas = painted(ground, lie, layers["terrain"])
    for name in ("doors", "decor"):
        canvas.lay(layers[name])
    for stamp in placed:
        canvas.stamp(stamp.pixels, stamp.left, stamp.top)
    light = pixels_light.spread_light(lie.ground & ~lie.having("door", "locked"), lamps)
    kept = canvas.kept.astype(np.uint16) * shade.shadows(ground) // 255
    result = Canvas(shade.lit(canvas.image, shade.brightness(light, ground, lie.rock), kept.astype(np.uint8)))
    pixels_lamps.kindle(result.image, layers["decor"])
    things.rekindle(result, placed)
    return shade.bloomed(result.image)
