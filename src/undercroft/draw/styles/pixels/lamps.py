"""The light sources of a level: torches, glowing mushrooms, stairs, fires, and special rooms."""

from __future__ import annotations

import numpy as np

from undercroft.core.level import Level
from undercroft.draw.styles.pixels.light import Lamp
from undercroft.draw.styles.pixels.pixel_terrain import Bytes
from undercroft.draw.tileset.decor_placement import find_special_rooms
from undercroft.draw.tileset.paint import TILE_PIXELS
from undercroft.draw.tileset.terrain import Layer
from undercroft.draw.tileset.tile_sheet import tileset

Colour = tuple[float, float, float]
WARM: Colour = (2.2, 1.22, 0.48)
DIM: Colour = (1.5, 0.82, 0.32)
PALE: Colour = (0.35, 1.0, 1.05)
START: Colour = (0.5, 1.15, 0.8)
END: Colour = (1.5, 0.42, 0.4)
TAG_COLOURS: dict[str, Colour] = {
    "boss": (1.5, 0.35, 0.3),
    "treasure": (1.4, 1.05, 0.35),
    "shop": (0.5, 0.8, 1.4),
    "secret": (0.95, 0.5, 1.5),
    "shrine": (0.7, 0.65, 0.5),
}


def list_lamps(level: Level, decor: Layer) -> list[Lamp]:
    """All light sources."""
    number = tileset().number
    found = []
    for name, down, reach, colour in (("torch", 1, 8.0, WARM), ("candles", 0, 5.5, DIM), ("glowcaps", 0, 4.5, PALE)):
        ys, xs = np.nonzero(decor == number(name))
        found += [
            Lamp(x + 0.5, y + (0.6 if down else 0.5), (x, y + down), reach, colour)
            for x, y in zip(xs.tolist(), ys.tolist(), strict=True)
        ]
    for point, colour in ((level.start, START), (level.end, END)):
        if point is not None:
            found.append(Lamp(point[0] + 0.5, point[1] + 0.5, point, 5.5, colour))
    found += [
        Lamp(x + 0.5, y + 0.5, (x, y), 6.0, TAG_COLOURS[tag]) for (x, y), tag in find_special_rooms(level).items()
    ]
    return found


def draw_flames(image: Bytes, decor: Layer) -> None:
    """Draw flames at full brightness, whatever light falls on them."""
    tiles = tileset()
    for name, channel in (("torch", 0), ("candles", 0), ("glowcaps", 2)):  # flames are red, glowing caps blue
        ys, xs = np.nonzero(decor == tiles.number(name))
        piece = tiles.pixels[tiles.number(name)]
        mask = (piece[..., 3] == 255) & (piece[..., channel] > 200)
        squares = image.reshape(decor.shape[0], TILE_PIXELS, decor.shape[1], TILE_PIXELS, 3).swapaxes(1, 2)
        part = squares[ys, xs]
        part[:, mask] = piece[mask][:, :3]
        squares[ys, xs] = part
