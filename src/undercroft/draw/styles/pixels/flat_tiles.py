"""Draw a level with a tileset of a user's own: its tiles as they are, side by side, without light."""

from __future__ import annotations

from typing import Any

import numpy as np
from PIL import Image

from undercroft.analysis.room_grids import is_room_grid
from undercroft.core.level import Level
from undercroft.draw.styles.pixels import overlays
from undercroft.draw.styles.pixels.pixel_canvas import blended
from undercroft.draw.styles.pixels.pixel_terrain import Bytes, cells_to_pixels
from undercroft.draw.tileset.custom_pieces import custom_pieces
from undercroft.draw.tileset.paint import TILE_PIXELS
from undercroft.draw.tileset.picture import LAYERS
from undercroft.draw.tileset.piece_sheets import LevelDrawing
from undercroft.draw.tileset.terrain import cells_having
from undercroft.draw.tileset.user_drawing import draw_level_with
from undercroft.draw.tileset.user_tileset import UserTileset, resolve_tileset
from undercroft.draw.view.grid_rooms import SQUARES_PER_ROOM, expand_rooms

MAX_FLAT_PIXELS = 16_000_000
"""The largest picture in pixels of the tileset; larger ones are drawn with tiles that are scaled first."""
MAX_THING_CELLS = 8
"""The maximum side of a drawn thing, in cells."""
MIN_LEGIBLE_CELL_PIXELS = 12
"""Pixels a cell below which letters are unreadable."""


def render_with_tileset(level: Level, cell: int, shown: frozenset[str], margin: float, tileset: Any) -> Image.Image:
    """The level at `cell` pixels a cell, with a margin in cells around it."""
    user = resolve_tileset(tileset)
    squares = 1
    if is_room_grid(level):
        level, squares = expand_rooms(level), SQUARES_PER_ROOM
    fine = max(1, cell // squares)
    small = level.tiles.size * user.size * user.size > MAX_FLAT_PIXELS
    size = fine if small else user.size
    if fine < MIN_LEGIBLE_CELL_PIXELS:
        shown -= {"numbers", "names"}
    scene = _render_scene(level, user, shown, size)
    edge = round(margin * squares * size)
    whole = np.zeros((len(scene) + 2 * edge, scene.shape[1] + 2 * edge, 3), np.uint8)
    whole[edge : edge + len(scene), edge : edge + scene.shape[1]] = scene
    return scaled(Image.fromarray(whole), fine, size)


def scaled(image: Image.Image, cell: int, size: int = TILE_PIXELS) -> Image.Image:
    """A scene of `size` pixels a cell at `cell` pixels a cell: integer multiples stay sharp, others are reduced from
    the next larger multiple.
    """
    times = -(-cell // size)
    if times > 1:
        image = image.resize((image.width * times, image.height * times), Image.Resampling.NEAREST)
    if times * size == cell:
        return image
    wide, high = (max(1, round(side * cell / (size * times))) for side in image.size)
    return image.resize((wide, high), Image.Resampling.BOX if times > 1 else Image.Resampling.LANCZOS)


def _render_scene(level: Level, user: UserTileset, shown: frozenset[str], size: int) -> Bytes:
    drawn = draw_level_with(level, user, secrets="secrets" in shown)
    pieces = _gather_pixels(level, user, drawn, size)
    height, width = level.tiles.shape
    squares = np.zeros((height, width, size, size, 3), np.uint8)
    for name in LAYERS:
        ys, xs = np.nonzero(drawn.layers[name] >= 0)
        squares[ys, xs] = blended(pieces[drawn.layers[name][ys, xs]], squares[ys, xs])
    scene = np.ascontiguousarray(squares.swapaxes(1, 2)).reshape(height * size, width * size, 3)
    if {"heat", "regions", "grid"} & shown:
        ground = cells_to_pixels(~cells_having(level, "wall", "void", "secret"), size)
        overlays.tint_ground(scene, level, shown, ground, size)
    if "things" in shown:
        _draw_things(level, drawn, pieces, scene)
    overlays.draw_labels(scene, level, shown, size)
    return scene


def _draw_things(level: Level, drawn: LevelDrawing, pieces: Bytes, scene: Bytes) -> None:
    """Draw the things, those behind first; large ones are enlarged."""
    size = pieces.shape[1]
    barred = cells_having(level, "locked", "secret")
    for thing in sorted(level.things, key=lambda thing: (thing.y, thing.x)):
        if thing.kind == "lock" and barred[thing.y, thing.x]:
            continue  # the door shows it
        sides = (thing.data.get(side, 1) for side in ("width", "height"))
        wide, high = (min(MAX_THING_CELLS, max(1, side)) if type(side) is int else 1 for side in sides)
        sprite = pieces[drawn.thing_number(thing.kind, thing.data)].repeat(high, axis=0).repeat(wide, axis=1)
        top, left = thing.y * size, thing.x * size
        part = scene[top : top + high * size, left : left + wide * size]
        part[:] = blended(sprite[: part.shape[0], : part.shape[1]], part)


def _gather_pixels(level: Level, user: UserTileset, drawn: LevelDrawing, size: int) -> Bytes:
    """The pixels of all pieces of a drawing, at `size` pixels a side."""
    found = np.zeros((drawn.firsts[-1], size, size, 4), np.uint8)
    ours = custom_pieces(level.palette)
    sources = [user.pixels, ours.tiles.pixels[: ours.first], ours.tiles.pixels[ours.first :]]
    for first, source in zip(drawn.firsts, sources[: len(drawn.sheets)], strict=False):
        found[first : first + len(source)] = _scale_pieces(source, size)
    return found


def _scale_pieces(pixels: Bytes, size: int) -> Bytes:
    side = pixels.shape[1]
    if side == size:
        return pixels
    at = np.arange(size) * side // size
    return pixels[:, at][:, :, at]
