"""Our own tileset: 16x16 pixels a piece, drawn by this program, for any level.

tileset()                  the picture with all pieces, their names, and which of them are solid
custom_pieces(palette)     the pieces of custom tiles, after all others
lay_pieces(level)          which piece lies on each cell, layer by layer
thing_piece_number(kind)   the piece for a thing
compose_image(level)       the layers of `lay_pieces`, pasted together
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from undercroft.core.level import Level
from undercroft.draw.tileset.custom_pieces import CustomPieces, custom_pieces
from undercroft.draw.tileset.piece_placement import LAYERS, lay_pieces
from undercroft.draw.tileset.thing_sprites import thing_piece_name
from undercroft.draw.tileset.tile_sheet import Tileset, tileset

if TYPE_CHECKING:
    from PIL import Image

__all__ = [
    "LAYERS",
    "CustomPieces",
    "Tileset",
    "compose_image",
    "custom_pieces",
    "lay_pieces",
    "thing_piece_number",
    "tileset",
]


def thing_piece_number(kind: str, data: Mapping[str, Any] | None = None) -> int:
    """The number of the piece for a thing of that kind. Its data can refine the choice: the colour of a key, or the
    group of a monster.

    >>> tileset().names[thing_piece_number("chest")], tileset().names[thing_piece_number("gizmo")]
    ('thing.chest', 'thing.unknown')
    """
    return tileset().number(thing_piece_name(kind, data or {}))


def compose_image(level: Level) -> Image.Image:
    """The layers of `lay_pieces`, pasted over each other: the picture of a program that draws plain tiles. Things are
    not included.

    >>> compose_image(Level.parse("#..+..#")).size
    (112, 16)
    """
    from PIL import Image

    layers, tiles = lay_pieces(level), custom_pieces(level.palette).tiles
    height, width = level.tiles.shape
    picture = np.zeros((height, width, tiles.size, tiles.size, 3), np.uint8)
    for name in LAYERS:
        ys, xs = np.nonzero(layers[name] >= 0)
        over = tiles.pixels[layers[name][ys, xs]]
        share = over[..., 3:].astype(np.uint16)
        under = picture[ys, xs]
        picture[ys, xs] = (over[..., :3] * share + under * (255 - share) + 127) // 255
    return Image.fromarray(picture.swapaxes(1, 2).reshape(height * tiles.size, width * tiles.size, 3))
