"""Water and pits, with shores and ledges where they end: 47 pieces each, in a built place and in a natural one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from undercroft.draw.autotile.pieces import BLOB
from undercroft.draw.autotile.pieces import pieces as blob_pieces
from undercroft.draw.tileset.ground_tiles import earth
from undercroft.draw.tileset.paint import SIZE, Paint, Piece, colour, grain, opaque, sheet
from undercroft.draw.tileset.stone import bricks, crag, shade

Mask = NDArray[np.bool_]
KINDS = (("pool", "water"), ("lake", "water"), ("shaft", "pit"), ("chasm", "pit"))
"""Name and role: first the built ones, then the natural ones."""
LOOKS = 4
"""Looks of water and pits that go on in all directions."""
BUILT = np.array([3, 1, 1, 0] + [0] * 12)
NATURAL = np.array([6, 4, 3, 2, 2, 1] + [1] * 10)
"""How far a shore stays behind the corner of its square, row by row."""
EDGE = 3
"""Pixels of its neighbours that a piece looks at."""
WAVE = np.array([2, 2, 2, 3, 3, 3, 3, 2, 2, 2, 1, 1, 1, 2, 2, 2])
"""How far a natural shore stays behind the side of its square. It begins and ends alike, so that pieces join."""


def piece_name(kind: str, mask: int) -> str:
    """What the piece of a mask is called, by the neighbours that go on.

    >>> piece_name("lake", 0), piece_name("pool", 0b00000101)
    ('lake.alone', 'pool.n.e')
    """
    return f"{kind}.{blob_pieces('blob')[BLOB.index(mask)].name.replace(' ', '.')}"


def pieces() -> Iterator[Piece]:
    """All of them."""
    for kind, role in KINDS:
        built = kind in ("pool", "shaft")
        for mask, name, look in (
            *((255, f"{kind}.{look}", look) for look in range(1, LOOKS)),
            *((mask, piece_name(kind, mask), 0) for mask in BLOB),
        ):
            around = _around(mask, built=built)
            yield Piece(
                name, role, True, opaque(_water(around, built, look) if role == "water" else _pit(around, built))
            )


def _around(mask: int, *, built: bool) -> Mask:
    """Where the hollow is on a square, and on what is seen of its neighbours: three pixels more on each side."""
    ys, xs = np.indices((SIZE, SIZE))
    found = np.ones((SIZE, SIZE), bool)
    sides = {side: not mask >> bit & 1 for bit, side in ((0, "n"), (2, "e"), (4, "s"), (6, "w"))}
    away = {"n": ys, "s": SIZE - 1 - ys, "w": xs, "e": SIZE - 1 - xs}
    along = {"n": xs, "s": SIZE - 1 - xs, "w": ys, "e": SIZE - 1 - ys}
    for side, ends in sides.items():
        if ends:
            found &= away[side] >= (1 if built else WAVE[along[side]])
    for bit, (one, other) in ((7, "nw"), (1, "ne"), (3, "se"), (5, "sw")):
        if sides[one] and sides[other]:
            found &= away[other] - (1 if built else 2) >= (BUILT if built else NATURAL)[
                np.maximum(away[one] - 1, 0)
            ] - (0 if built else 1)
        elif not sides[one] and not sides[other] and not mask >> bit & 1:
            found &= away[one] + away[other] >= (1 if built else 4)
    framed = np.pad(found, EDGE, mode="edge")
    for side, turns in (("n", 0), ("e", 1), ("s", 2), ("w", 3)):
        if sides[side]:
            np.rot90(framed, turns)[:EDGE] = False
    for bit, turns in ((7, 0), (1, 1), (3, 2), (5, 3)):
        np.rot90(framed, turns)[:EDGE, :EDGE] = bool(mask >> bit & 1)
    return framed


def _moved(around: Mask, right: int, down: int) -> Mask:
    """What is so many pixels further."""
    return around[EDGE + down : EDGE + SIZE + down, EDGE + right : EDGE + SIZE + right]


def near(around: Mask) -> Mask:
    """Pixels with one of these beside them."""
    return _moved(around, -1, 0) | _moved(around, 1, 0) | _moved(around, 0, -1) | _moved(around, 0, 1)


def _water(around: Mask, built: bool, look: int) -> Paint:
    """Water with ripples, foam along the shore, and the shadow of the northern bank."""
    inside = _moved(around, 0, 0)
    paint = _ripples(look)
    shallow = inside & near(~around)
    second = (
        inside
        & ~shallow
        & (
            _moved(~around, -2, 0)
            | _moved(~around, 2, 0)
            | _moved(~around, 0, -2)
            | _moved(~around, 0, 2)
            | _moved(~around, 0, -3)
        )
    )
    paint[second] = colour("water", 1.12)
    paint[shallow] = colour("water light", 1.08)
    paint[inside & _moved(~around, 0, -1)] = colour("water deep", 0.72)
    paint[inside & ~_moved(~around, 0, -1) & _moved(~around, 0, -2)] = colour("water deep", 0.9)
    paint[shallow & _moved(~around, 0, 1)] = colour("foam", 0.8)
    return np.where(inside[..., None], paint, _bank(around, built))


def _ripples(look: int) -> Paint:
    """Open water: darker blots, and short light lines that lie level."""
    paint = sheet("water")
    rough = grain(f"water {look}", width=4, height=4)
    for row in range(4):
        for column in range(4):
            x, y = column * 4 + row % 2 * 2, row * 4 + 1
            if rough[row, column] < 0.30:
                paint[y - 1 : y + 2, x : x + 5] = colour("water deep", 1.12)
                paint[y : y + 1, max(0, x - 1) : x + 6] = colour("water deep", 1.12)
            elif rough[row, column] > 0.84 and x < 12:
                paint[y, x : x + 3] = colour("water light")
                if rough[row, column] > 0.95:
                    paint[y, x + 1] = colour("foam", 0.9)
    return paint


def _bank(around: Mask, built: bool) -> Paint:
    """The ground beside: a kerb of stone, or earth that is wet at the edge."""
    inside = _moved(around, 0, 0)
    if built:
        paint = sheet("flag light", 1.12)
        paint[_moved(around, 0, 1)] = colour("flag dark", 0.8)
        paint[_moved(around, 0, -1)] = colour("flag light", 1.3)
        return paint
    paint = earth(0)
    paint[~inside & (near(around) | _moved(around, 0, 2))] = colour("earth dark", 0.9)
    paint[~inside & _moved(around, 0, 1)] = colour("earth dark", 0.66)
    paint[~inside & _moved(around, 0, -1)] = colour("earth light", 1.1)
    return paint


def _pit(around: Mask, built: bool) -> Paint:
    """A hole: its northern wall goes down into the dark."""
    inside = _moved(around, 0, 0)
    paint = sheet("pit")
    if not around[0, EDGE + SIZE // 2]:  # there is a northern wall
        depth = np.cumsum(inside, axis=0)
        wall = bricks(1) / shade() if built else crag(2)
        fade = np.square(np.clip(1 - depth / np.float32(13), 0, 1)) * np.float32(0.62)
        paint = np.maximum(wall * fade[..., None], paint)
    ledge = sheet("flag light", 1.08) if built else earth(1)
    ledge[~inside & _moved(around, 0, -1)] = colour("flag light" if built else "earth light", 1.3)
    ledge[~inside & _moved(around, 0, 1)] = colour("joint" if built else "earth dark", 0.9)
    return np.where(inside[..., None], paint, ledge)
