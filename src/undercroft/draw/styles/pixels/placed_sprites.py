"""Things on a scene: sprites of any size, in front of and behind each other, and their light."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from undercroft.core.level import Level
from undercroft.core.region import Thing
from undercroft.draw.styles.pixels.light import Lamp
from undercroft.draw.styles.pixels.pixel_canvas import PixelCanvas
from undercroft.draw.styles.pixels.pixel_terrain import Bytes
from undercroft.draw.tileset.paint import TILE_PIXELS
from undercroft.draw.tileset.picture import thing_piece_number
from undercroft.draw.tileset.terrain import Terrain
from undercroft.draw.tileset.tile_sheet import tileset

REPEATING_KINDS = {"bookshelf", "shelf", "specimen jars", "weapon rack", "tapestry", "rug", "workbench", "wardrobe"}
"""Kinds that repeat their pattern if they are longer than a cell; others have a middle and ends."""
UPRIGHT_KINDS = {"bed", "bunk", "coffin", "sarcophagus"}
"""Kinds that are drawn upright, and turned if they lie across."""
HANGING_KINDS = {
    "tapestry",
    "banner",
    "mirror",
    "trophy",
    "shackles",
    "torch",
    "cave painting",
    "inscription",
    "burial niche",
    "loose stone",
    "scrawl",
}
"""Kinds that hang on the wall behind them, if there is one."""
HANG_PIXELS = 11
"""Pixels that hanging things are raised by."""
STAND_PIXELS = 2
"""Pixels between the foot of a thing and the lower edge of its cell."""
FIRE, PALE, VIOLET, GREEN = (1.9, 1.1, 0.5), (0.35, 1.0, 1.05), (0.8, 0.4, 1.2), (0.4, 1.1, 0.5)
THING_LIGHTS = {
    **dict.fromkeys(("campfire", "hearth", "forge"), (6.5, FIRE)),
    **dict.fromkeys(("brazier", "torch"), (6.0, FIRE)),
    **dict.fromkeys(("candelabrum", "candles", "stove", "altar", "shrine"), (4.0, (1.4, 1.0, 0.55))),
    "mushrooms": (3.5, PALE),
    "giant mushroom": (3.5, VIOLET),
    "summoning circle": (5.0, VIOLET),
    "alembic": (2.5, GREEN),
}
"""The reach of the light of a thing, and its colour."""
GLOWING_COLOURS = np.array(
    [(224, 102, 42), (255, 157, 60), (255, 223, 117), (255, 244, 196), (164, 224, 228)], np.int16
)
"""Colours that glow."""
MAX_SPRITE_CELLS = 8
"""The maximum side of a drawn thing, in cells."""


class PlacedSprite(NamedTuple):
    """A sprite, and the pixel of its upper left corner."""

    pixels: Bytes
    left: int
    top: int
    glows: bool


def list_sprites(level: Level, lie: Terrain) -> list[PlacedSprite]:
    """The sprites of all things of a level, those behind first. The locks of locked doors are left out, because the
    doors show them.
    """
    locked = lie.having("locked", "secret")
    things = [thing for thing in level.things if thing.kind != "lock" or not locked[thing.y, thing.x]]
    flat = [thing for thing in things if thing.kind in ("rug", "summoning circle")]
    rest = sorted(
        (thing for thing in things if thing.kind not in ("rug", "summoning circle")),
        key=lambda thing: (thing.y, thing.x),
    )
    return [_build_sprite(thing, lie) for thing in (*flat, *rest)]


def _build_sprite(thing: Thing, lie: Terrain) -> PlacedSprite:
    wide, high = (_side_cells(thing, side) for side in ("width", "height"))
    pixels = stretch_sprite(thing.kind, tileset().pixels[thing_piece_number(thing.kind, thing.data)], wide, high)
    hangs = (
        thing.kind in HANGING_KINDS
        and thing.y > 0
        and bool(lie.face[thing.y - 1, thing.x])
        and thing.data.get("facing", "S") == "S"
    )
    flat = thing.kind in ("rug", "summoning circle", "lock", "one-way")
    return PlacedSprite(
        pixels,
        thing.x * TILE_PIXELS,
        thing.y * TILE_PIXELS - (HANG_PIXELS if hangs else 0 if flat else STAND_PIXELS),
        thing.kind in THING_LIGHTS,
    )


def _side_cells(thing: Thing, side: str) -> int:
    given = thing.data.get(side, 1)
    return min(MAX_SPRITE_CELLS, max(1, given)) if isinstance(given, int) else 1


def stretch_sprite(kind: str, pixels: Bytes, wide: int, high: int) -> Bytes:
    """A sprite stretched to some cells.

    >>> stretch_sprite("table", np.zeros((16, 16, 4), np.uint8), 3, 1).shape
    (16, 48, 4)
    """
    if kind in UPRIGHT_KINDS and wide > high:
        return np.rot90(stretch_sprite(kind, pixels, high, wide))
    if wide > 1:
        middle = [*range(4, 12)] * (2 * wide - 3)
        ends = [3] * (8 * (wide - 1))
        columns = (
            [*range(12), *middle, *range(4, 16)]
            if kind in REPEATING_KINDS
            else [*range(4), *ends, *range(4, 12), *([12] * len(ends)), *range(12, 16)]
        )
        pixels = pixels[:, columns]
    if high > 1 and kind in REPEATING_KINDS and kind != "rug":
        return np.concatenate([pixels] * high)
    head = int(np.flatnonzero(pixels[..., 3].any(axis=1))[0]) if pixels[..., 3].any() else 0
    row = max(TILE_PIXELS // 2 + 1, head + 2)  # below its outline, above its feet
    return pixels[[*range(row), *([row] * (TILE_PIXELS * (high - 1))), *range(row, TILE_PIXELS)]]


def list_thing_lamps(level: Level) -> list[Lamp]:
    """The lamps of things that give light."""
    found = []
    for thing in level.things:
        if thing.kind in THING_LIGHTS:
            reach, colour = THING_LIGHTS[thing.kind]
            x, y = thing.x + _side_cells(thing, "width") / 2, thing.y + _side_cells(thing, "height") / 2
            found.append(Lamp(x, y, (min(int(x), level.width - 1), min(int(y), level.height - 1)), reach, colour))
    return found


def draw_thing_flames(canvas: PixelCanvas, placed: list[PlacedSprite]) -> None:
    """Draw flames at full brightness, whatever light falls on them."""
    for stamp in placed:
        if stamp.glows:
            hot = (np.abs(stamp.pixels[..., None, :3] - GLOWING_COLOURS).max(axis=-1) < 40).any(axis=-1) & (
                stamp.pixels[..., 3] == 255
            )
            canvas.draw_sprite(np.where(hot[..., None], stamp.pixels, np.uint8(0)), stamp.left, stamp.top)
