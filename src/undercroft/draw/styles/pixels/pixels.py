"""The style `pixels`: a level as a scene of a game in torchlight, 16 pixels a cell.

The terrain is drawn in pixels, so that caves are smooth; then pieces of the tileset are placed on it; then light is
applied. Bands of rows are drawn one at a time, with the rows around them, so that large levels need little memory.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from PIL import Image

from undercroft.analysis.room_grids import is_room_grid
from undercroft.core.level import Level
from undercroft.core.palette import STANDARD, look_up_tiles
from undercroft.core.region import Regions
from undercroft.draw.styles.pixels import lamps as pixels_lamps
from undercroft.draw.styles.pixels import light as pixels_light
from undercroft.draw.styles.pixels import overlays, placed_sprites, shade
from undercroft.draw.styles.pixels.flat_tiles import render_with_tileset, scaled
from undercroft.draw.styles.pixels.light import Lamp
from undercroft.draw.styles.pixels.own_colours import OwnColours
from undercroft.draw.styles.pixels.pixel_canvas import PixelCanvas
from undercroft.draw.styles.pixels.pixel_legend import add_legend, list_pixel_entries
from undercroft.draw.styles.pixels.pixel_terrain import Bytes, build_terrain
from undercroft.draw.styles.pixels.placed_sprites import PlacedSprite
from undercroft.draw.styles.pixels.small_scale import render_small_picture
from undercroft.draw.styles.pixels.terrain_colours import render_terrain
from undercroft.draw.tileset.custom_pieces import custom_pieces
from undercroft.draw.tileset.paint import TILE_PIXELS
from undercroft.draw.tileset.piece_placement import lay_pieces
from undercroft.draw.tileset.terrain import NO_PIECE, Layer, Terrain, classify_terrain
from undercroft.draw.tileset.tile_sheet import Tileset, tileset
from undercroft.draw.view.grid_rooms import SQUARES_PER_ROOM, expand_rooms

ROWS_PER_BAND = 64
"""Rows of cells in a band."""
HALO_ROWS = 16
"""Rows around a band that can cast light or shadow on it. Noise has a period of this many rows: bands join without a
seam.
"""
MAX_SCENE_PIXELS = 16_000_000
"""The largest scene in pixels; larger levels are drawn with small tiles and without light."""
DEFAULT_MARGIN_CELLS = 1.0
"""The default margin, in cells."""
MIN_LEGIBLE_CELL_PIXELS = 12
"""Pixels a cell below which letters are unreadable."""


def render_picture(
    level: Level, cell: int, shown: frozenset[str], margin: float | None, tileset: Any = None
) -> Image.Image:
    """The level at `cell` pixels a cell, with a margin in cells around it; 0 gives exactly the map.

    `shown` lists the parts that are drawn besides the terrain: things, secrets, path, numbers, names, grid, heat,
    regions and the title. A `tileset` of the user's own is drawn as it is, without light.
    """
    edge = DEFAULT_MARGIN_CELLS if margin is None else margin
    if tileset is not None:
        image = render_with_tileset(level, cell, shown, edge, tileset)
    elif is_room_grid(level):
        image = _render_room_grid(level, cell, shown, edge)
    elif level.width * level.height * TILE_PIXELS * TILE_PIXELS > MAX_SCENE_PIXELS:
        image = render_small_picture(level, cell, edge)
    else:
        image = scaled(
            _render_image(level, shown if cell >= MIN_LEGIBLE_CELL_PIXELS else shown - {"numbers", "names"}, edge), cell
        )
    if "legend" in shown and margin != 0:
        squares = SQUARES_PER_ROOM if is_room_grid(level) else 1
        drawn = expand_rooms(level) if squares > 1 else level
        image = add_legend(image, list_pixel_entries(drawn, shown, image, edge * squares, max(1, cell // squares)))
    return overlays.add_title(image, level) if "title" in shown and margin != 0 else image


def _render_image(level: Level, shown: frozenset[str], margin: float) -> Image.Image:
    """The level with a margin in cells, at 16 pixels a cell."""
    frame = max(1, math.ceil(margin))
    scene = _render_scene(level, frame, shown)
    cut = frame * TILE_PIXELS - round(margin * TILE_PIXELS)
    return Image.fromarray(scene[cut : len(scene) - cut, cut : scene.shape[1] - cut])


def _render_room_grid(level: Level, cell: int, shown: frozenset[str], margin: float) -> Image.Image:
    """A room grid, where `cell` pixels are a whole room."""
    rooms = expand_rooms(level)
    size = round((level.width + 2 * margin) * cell), round((level.height + 2 * margin) * cell)
    if rooms.width * rooms.height * TILE_PIXELS * TILE_PIXELS > MAX_SCENE_PIXELS:
        return render_small_picture(level, cell, margin)
    return _render_image(rooms, shown, margin * SQUARES_PER_ROOM - 0.5).resize(
        size, Image.Resampling.NEAREST if cell % (SQUARES_PER_ROOM * TILE_PIXELS) == 0 else Image.Resampling.LANCZOS
    )


def framed(level: Level, frame: int) -> Level:
    """The level in a frame of rock `frame` cells wide, in tiles of the standard palette: only their roles are drawn."""
    codes = np.zeros(256, np.uint8)
    codes[: len(level.palette)] = [STANDARD.role(role) for role in level.palette.roles]
    labels = np.pad(level.regions.labels, frame)
    table = level.regions.table.copy()
    table["x"] += frame
    table["y"] += frame
    start, end = (None if point is None else (point[0] + frame, point[1] + frame) for point in (level.start, level.end))
    return Level(
        np.pad(look_up_tiles(codes, level.tiles), frame, constant_values=STANDARD.role("void")),
        regions=Regions(labels, table, level.regions.tags, level.regions.templates, level.regions.names),
        things=[thing._replace(x=thing.x + frame, y=thing.y + frame) for thing in level.things],
        start=start,
        end=end,
        path=level.path + np.int32(frame),
        title=level.title,
    )


def _render_scene(bare: Level, frame: int, shown: frozenset[str]) -> Bytes:
    """The whole level in its frame, 16 pixels a cell."""
    layers = {name: np.pad(layer, frame, constant_values=NO_PIECE) for name, layer in lay_pieces(bare).items()}
    tiles, own = custom_pieces(bare.palette).tiles, OwnColours.of(bare, frame, secrets="secrets" in shown)
    level = framed(bare, frame)
    lie = classify_terrain(level, frame)
    layers["doors"][lie.having("secret")] = NO_PIECE
    if "secrets" in shown:
        _mark_secrets(bare, layers["doors"][frame : frame + bare.height, frame : frame + bare.width])
    lamps = pixels_lamps.list_lamps(level, layers["decor"])
    placed: list[PlacedSprite] = []
    if "things" in shown:
        lamps += placed_sprites.list_thing_lamps(level)
        placed = placed_sprites.list_sprites(level, lie)
    scene = np.empty((level.height * TILE_PIXELS, level.width * TILE_PIXELS, 3), np.uint8)
    for top, first, last, bottom in _bands(level.height):
        part = lie.rows(slice(top, bottom))
        near = [
            lamp._replace(y=lamp.y - top, cell=(lamp.cell[0], lamp.cell[1] - top))
            for lamp in lamps
            if top <= lamp.cell[1] < bottom
        ]
        here = [
            stamp._replace(top=stamp.top - top * TILE_PIXELS)
            for stamp in placed
            if top * TILE_PIXELS < stamp.top + len(stamp.pixels) and stamp.top < bottom * TILE_PIXELS
        ]
        drawn = _render_rows(
            part, {name: layer[top:bottom] for name, layer in layers.items()}, near, here, own.rows(top, bottom), tiles
        )
        scene[first * TILE_PIXELS : last * TILE_PIXELS] = drawn[
            (first - top) * TILE_PIXELS : (last - top) * TILE_PIXELS
        ]
    if {"heat", "regions", "grid"} & shown:
        overlays.tint_ground(scene, level, shown, lie.ground.repeat(TILE_PIXELS, axis=0).repeat(TILE_PIXELS, axis=1))
    overlays.draw_labels(scene, level, shown)
    return scene


def _mark_secrets(level: Level, doors: Layer) -> None:
    """Mark secret doors on a layer."""
    mark, tables = tileset().number("secret.mark"), custom_pieces(level.palette).tables
    for code, role in enumerate(level.palette.roles):
        if role == "secret":
            doors[level.tiles == code] = tables[code][mark] if code in tables else mark


def _bands(height: int) -> Iterator[tuple[int, int, int, int]]:
    """The bands of rows to draw: the first row drawn, the first and the end of those kept, and the end of those drawn.

    >>> list(_bands(100))
    [(0, 0, 64, 80), (48, 64, 100, 100)]
    """
    for first in range(0, height, ROWS_PER_BAND):
        last = min(height, first + ROWS_PER_BAND)
        yield max(0, first - HALO_ROWS), first, last, min(height, last + HALO_ROWS)


def _render_rows(
    lie: Terrain,
    layers: dict[str, Layer],
    lamps: list[Lamp],
    placed: list[PlacedSprite],
    own: OwnColours,
    tiles: Tileset,
) -> Bytes:
    """Some rows of the level, with their light."""
    ground = build_terrain(lie)
    canvas = render_terrain(ground, lie, layers["terrain"], own, tiles)
    for name in ("doors", "decor"):
        canvas.draw_tiles(layers[name], tiles)
    for stamp in placed:
        canvas.draw_sprite(stamp.pixels, stamp.left, stamp.top)
    light = pixels_light.spread_light(lie.ground & ~lie.having("door", "locked"), lamps)
    kept = canvas.kept.astype(np.uint16) * shade.cast_shadows(ground) // 255
    result = PixelCanvas(
        shade.apply_light(canvas.image, shade.compute_brightness(light, ground, lie.rock), kept.astype(np.uint8))
    )
    pixels_lamps.draw_flames(result.image, layers["decor"])
    placed_sprites.draw_thing_flames(result, placed)
    return shade.bloomed(result.image)
