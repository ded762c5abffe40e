"""Door pieces: seen from the front in a wall that runs west to east, and edge on in one that runs north to south."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from undercroft.draw.tileset.paint import (
    TILE_PIXELS,
    Paint,
    Pixels,
    TilesetPiece,
    flat_paint,
    masked_pixels,
    pick_colour,
    pixel_noise,
)

STATE_ROLES = {"open": "opening", "closed": "door", "locked": "locked"}
"""The role of each state."""


def build_pieces() -> Iterator[TilesetPiece]:
    """All door pieces: `ns` is passed from north to south, `ew` from east to west."""
    for state, role in STATE_ROLES.items():
        yield TilesetPiece(f"door.ns.{state}", role, False, _paint_front(state))
    for state, role in STATE_ROLES.items():
        yield TilesetPiece(f"door.ew.{state}", role, False, _paint_edge_on(state))


def _paint_front(state: str) -> Pixels:
    """A stone frame with a leaf of planks."""
    paint, mask = flat_paint("void"), np.zeros((TILE_PIXELS, TILE_PIXELS), bool)
    if state != "open":
        _paint_leaf(paint[2:, 2:14], locked=state == "locked")
        mask[:] = True
    mask[:3] = mask[:, :2] = mask[:, 14:] = True
    rough = pixel_noise("door frame")
    paint[:, :2] = paint[:, 14:] = pick_colour("brick")
    paint[:3] = pick_colour("brick light")
    paint[:, 0], paint[:, 15] = pick_colour("brick light", 1.1), pick_colour("brick dark", 0.9)
    paint[0], paint[2] = pick_colour("brick light", 1.22), pick_colour("brick dark", 0.8)
    for row in (6, 11):
        paint[row, :2] = paint[row, 14:] = pick_colour("mortar")
    paint[:2, 6] = paint[:2, 9] = pick_colour("brick dark", 0.85)  # the keystone
    paint[(rough > 0.9) & mask] *= np.float32(0.9)
    found = masked_pixels(paint, mask)
    if state == "open":
        for row, dark in ((3, 150), (4, 96), (5, 48)):
            found[row, 2:14] = (0, 0, 0, dark)
        found[3:, 2] = (0, 0, 0, 70)
    return found


def _paint_leaf(part: Paint, *, locked: bool) -> None:
    """Four planks, two iron bands, and a ring or a lock."""
    height, width = part.shape[:2]
    part[:] = pick_colour("wood")
    part[:, ::3] = pick_colour("wood dark")
    part[:, 1::3] = pick_colour("wood light", 0.92)
    part[(pixel_noise("door planks")[:height, :width] > 0.88)] *= np.float32(0.85)
    bands = (1, 2, 6, 7, 11, 12) if locked else (1, 2, 10, 11)
    for row in bands:
        part[row] = pick_colour("iron" if row in bands[::2] else "iron dark")
        part[row, 1::4] = pick_colour("iron light", 1.0 if row in bands[::2] else 0.8)
    part[:, 0] = pick_colour("wood dark", 0.7)
    part[0] = pick_colour("wood dark", 0.55)
    if locked:
        part[5:10, 4:8] = pick_colour("gold", 0.75)
        part[5, 4:8] = part[5:9, 4] = pick_colour("gold", 1.08)
        part[7:9, 5:7] = pick_colour("void")
    else:
        part[6:8, 9] = pick_colour("gold")
        part[8, 9] = pick_colour("gold", 0.6)


def _paint_edge_on(state: str) -> Pixels:
    """Stone posts above and below, with the edge of the leaf and its shadow between them."""
    found = np.zeros((TILE_PIXELS, TILE_PIXELS, 4), np.uint8)
    found[:, 10:13] = (0, 0, 0, 90)
    found[:, 13] = (0, 0, 0, 45)
    paint = flat_paint("wood")
    paint[:, 6], paint[:, 7], paint[:, 9] = (
        pick_colour("wood light"),
        pick_colour("wood light", 0.85),
        pick_colour("wood dark"),
    )
    for row in (4, 5, 10, 11):
        paint[row, 6:10] = pick_colour("iron" if row % 5 else "iron light", 0.95)
    if state == "locked":
        paint[:, 6:10] *= np.float32(0.8)
        paint[4:6, 6:10] = paint[10:12, 6:10] = pick_colour("iron")
        paint[6:10, 5:11] = pick_colour("gold", 0.85)
        paint[6, 5:11] = pick_colour("gold", 1.1)
        paint[8, 7:9] = pick_colour("void")
    paint[:3, 5:11] = paint[14:, 5:11] = pick_colour("brick light")
    paint[0, 5:11], paint[2, 5:11], paint[14, 5:11] = (
        pick_colour("brick light", 1.2),
        pick_colour("brick dark", 0.8),
        pick_colour("brick light", 1.2),
    )
    paint[:3, 10] = paint[14:, 10] = pick_colour("brick dark")
    mask = np.zeros((TILE_PIXELS, TILE_PIXELS), bool)
    mask[:3, 5:11] = mask[14:, 5:11] = True
    if state == "open":
        found[3:14, 5:] = 0
    else:
        mask[3:14, 6:10] = True
        if state == "locked":
            mask[6:10, 5:11] = True
    solid = masked_pixels(paint, mask)
    found[mask] = solid[mask]
    return found
