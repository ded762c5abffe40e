"""Doors, seen from the front in a wall that runs west to east, and edge on in one that runs north to south."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from undercroft.draw.tileset.paint import SIZE, Paint, Piece, Pixels, colour, grain, sheet, through

STATES = {"open": "opening", "closed": "door", "locked": "locked"}
"""The role that each state stands for."""


def pieces() -> Iterator[Piece]:
    """All of them: `ns` is passed from north to south, `ew` from east to west."""
    for state, role in STATES.items():
        yield Piece(f"door.ns.{state}", role, False, _front(state))
    for state, role in STATES.items():
        yield Piece(f"door.ew.{state}", role, False, _edge_on(state))


def _front(state: str) -> Pixels:
    """A frame of stone, and a leaf of planks in it."""
    paint, mask = sheet("void"), np.zeros((SIZE, SIZE), bool)
    if state != "open":
        _leaf(paint[2:, 2:14], locked=state == "locked")
        mask[:] = True
    mask[:3] = mask[:, :2] = mask[:, 14:] = True
    rough = grain("door frame")
    paint[:, :2] = paint[:, 14:] = colour("brick")
    paint[:3] = colour("brick light")
    paint[:, 0], paint[:, 15] = colour("brick light", 1.1), colour("brick dark", 0.9)
    paint[0], paint[2] = colour("brick light", 1.22), colour("brick dark", 0.8)
    for row in (6, 11):
        paint[row, :2] = paint[row, 14:] = colour("mortar")
    paint[:2, 6] = paint[:2, 9] = colour("brick dark", 0.85)  # the keystone
    paint[(rough > 0.9) & mask] *= np.float32(0.9)
    found = through(paint, mask)
    if state == "open":
        for row, dark in ((3, 150), (4, 96), (5, 48)):
            found[row, 2:14] = (0, 0, 0, dark)
        found[3:, 2] = (0, 0, 0, 70)
    return found


def _leaf(part: Paint, *, locked: bool) -> None:
    """Four planks, two bands of iron, and a ring or a lock."""
    height, width = part.shape[:2]
    part[:] = colour("wood")
    part[:, ::3] = colour("wood dark")
    part[:, 1::3] = colour("wood light", 0.92)
    part[(grain("door planks")[:height, :width] > 0.88)] *= np.float32(0.85)
    bands = (1, 2, 6, 7, 11, 12) if locked else (1, 2, 10, 11)
    for row in bands:
        part[row] = colour("iron" if row in bands[::2] else "iron dark")
        part[row, 1::4] = colour("iron light", 1.0 if row in bands[::2] else 0.8)
    part[:, 0] = colour("wood dark", 0.7)
    part[0] = colour("wood dark", 0.55)
    if locked:
        part[5:10, 4:8] = colour("gold", 0.75)
        part[5, 4:8] = part[5:9, 4] = colour("gold", 1.08)
        part[7:9, 5:7] = colour("void")
    else:
        part[6:8, 9] = colour("gold")
        part[8, 9] = colour("gold", 0.6)


def _edge_on(state: str) -> Pixels:
    """Posts of stone above and below; between them the edge of the leaf, and its shadow."""
    found = np.zeros((SIZE, SIZE, 4), np.uint8)
    found[:, 10:13] = (0, 0, 0, 90)
    found[:, 13] = (0, 0, 0, 45)
    paint = sheet("wood")
    paint[:, 6], paint[:, 7], paint[:, 9] = colour("wood light"), colour("wood light", 0.85), colour("wood dark")
    for row in (4, 5, 10, 11):
        paint[row, 6:10] = colour("iron" if row % 5 else "iron light", 0.95)
    if state == "locked":
        paint[:, 6:10] *= np.float32(0.8)
        paint[4:6, 6:10] = paint[10:12, 6:10] = colour("iron")
        paint[6:10, 5:11] = colour("gold", 0.85)
        paint[6, 5:11] = colour("gold", 1.1)
        paint[8, 7:9] = colour("void")
    paint[:3, 5:11] = paint[14:, 5:11] = colour("brick light")
    paint[0, 5:11], paint[2, 5:11], paint[14, 5:11] = (
        colour("brick light", 1.2),
        colour("brick dark", 0.8),
        colour("brick light", 1.2),
    )
    paint[:3, 10] = paint[14:, 10] = colour("brick dark")
    mask = np.zeros((SIZE, SIZE), bool)
    mask[:3, 5:11] = mask[14:, 5:11] = True
    if state == "open":
        found[3:14, 5:] = 0
    else:
        mask[3:14, 6:10] = True
        if state == "locked":
            mask[6:10, 5:11] = True
    solid = through(paint, mask)
    found[mask] = solid[mask]
    return found
