"""Water and pit pieces with shores and ledges: 47 pieces each, built and natural."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

import numpy as np
from numpy.typing import NDArray

from undercroft.draw.autotile.pieces import BLOB_MASKS
from undercroft.draw.autotile.pieces import pieces as blob_pieces
from undercroft.draw.tileset.ground_tiles import paint_earth
from undercroft.draw.tileset.paint import (
    TILE_PIXELS,
    Paint,
    TilesetPiece,
    flat_paint,
    opaque_pixels,
    pick_colour,
    pixel_noise,
)
from undercroft.draw.tileset.stone import face_shading, paint_bricks, paint_crag

Mask = NDArray[np.bool_]
HOLLOW_KINDS = (("pool", "water"), ("lake", "water"), ("shaft", "pit"), ("chasm", "pit"))
"""Name and role: the built ones first, then the natural ones."""
HOLLOW_LOOKS = 4
"""Variants of water and pits that continue in all directions."""
BUILT_CORNER = np.array([3, 1, 1, 0] + [0] * 12)
NATURAL_CORNER = np.array([6, 4, 3, 2, 2, 1] + [1] * 10)
"""The inset of a shore at the corner of its square, row by row."""
NEIGHBOUR_PIXELS = 3
"""Pixels of the neighbouring squares that a piece takes into account."""
SHORE_PROFILE = np.array([2, 2, 2, 3, 3, 3, 3, 2, 2, 2, 1, 1, 1, 2, 2, 2])
"""The inset of a natural shore from the side of its square. It begins and ends at the same value, so that pieces
join.
"""


def hollow_name(kind: str, mask: int) -> str:
    """The name of the piece for a mask, by the neighbours that continue it.

    >>> hollow_name("lake", 0), hollow_name("pool", 0b00000101)
    ('lake.alone', 'pool.n.e')
    """
    return f"{kind}.{blob_pieces('blob')[BLOB_MASKS.index(mask)].name.replace(' ', '.')}"


def build_pieces() -> Iterator[TilesetPiece]:
    """All water and pit pieces."""
    for kind, role in HOLLOW_KINDS:
        built = kind in ("pool", "shaft")
        for mask, name, look in _list_looks(kind):
            around = _hollow_mask(mask, built=built)
            yield TilesetPiece(
                name,
                role,
                True,
                opaque_pixels(_paint_water(around, built, look) if role == "water" else _paint_pit(around, built)),
            )


def _list_looks(kind: str) -> Iterator[tuple[int, str, int]]:
    """The mask, the name and the variant of each piece of a kind."""
    yield from ((255, f"{kind}.{look}", look) for look in range(1, HOLLOW_LOOKS))
    yield from ((mask, hollow_name(kind, mask), 0) for mask in BLOB_MASKS)


@cache
def find_hollow_pixels() -> Mapping[str, Mask]:
    """For each water and pit piece, by its name, the pixels of the hollow itself, without its bank."""
    return {
        name: _shifted(_hollow_mask(mask, built=kind in ("pool", "shaft")), 0, 0)
        for kind, _ in HOLLOW_KINDS
        for mask, name, _ in _list_looks(kind)
    }


def _hollow_mask(mask: int, *, built: bool) -> Mask:
    """The hollow on a square and on a border of three pixels of its neighbours."""
    ys, xs = np.indices((TILE_PIXELS, TILE_PIXELS))
    found = np.ones((TILE_PIXELS, TILE_PIXELS), bool)
    sides = {side: not mask >> bit & 1 for bit, side in ((0, "n"), (2, "e"), (4, "s"), (6, "w"))}
    away = {"n": ys, "s": TILE_PIXELS - 1 - ys, "w": xs, "e": TILE_PIXELS - 1 - xs}
    along = {"n": xs, "s": TILE_PIXELS - 1 - xs, "w": ys, "e": TILE_PIXELS - 1 - ys}
    for side, ends in sides.items():
        if ends:
            found &= away[side] >= (1 if built else SHORE_PROFILE[along[side]])
    for bit, (one, other) in ((7, "nw"), (1, "ne"), (3, "se"), (5, "sw")):
        if sides[one] and sides[other]:
            found &= away[other] - (1 if built else 2) >= (BUILT_CORNER if built else NATURAL_CORNER)[
                np.maximum(away[one] - 1, 0)
            ] - (0 if built else 1)
        elif not sides[one] and not sides[other] and not mask >> bit & 1:
            found &= away[one] + away[other] >= (1 if built else 4)
    framed = np.pad(found, NEIGHBOUR_PIXELS, mode="edge")
    for side, turns in (("n", 0), ("e", 1), ("s", 2), ("w", 3)):
        if sides[side]:
            np.rot90(framed, turns)[:NEIGHBOUR_PIXELS] = False
    for bit, turns in ((7, 0), (1, 1), (3, 2), (5, 3)):
        np.rot90(framed, turns)[:NEIGHBOUR_PIXELS, :NEIGHBOUR_PIXELS] = bool(mask >> bit & 1)
    return framed


def _shifted(around: Mask, right: int, down: int) -> Mask:
    """The mask moved by some pixels."""
    return around[
        NEIGHBOUR_PIXELS + down : NEIGHBOUR_PIXELS + TILE_PIXELS + down,
        NEIGHBOUR_PIXELS + right : NEIGHBOUR_PIXELS + TILE_PIXELS + right,
    ]


def touching_pixels(around: Mask) -> Mask:
    """Pixels beside one of the mask."""
    return _shifted(around, -1, 0) | _shifted(around, 1, 0) | _shifted(around, 0, -1) | _shifted(around, 0, 1)


def _paint_water(around: Mask, built: bool, look: int) -> Paint:
    """Water with ripples, foam along the shore, and the shadow of the northern bank."""
    inside = _shifted(around, 0, 0)
    paint = _paint_ripples(look)
    shallow = inside & touching_pixels(~around)
    second = (
        inside
        & ~shallow
        & (
            _shifted(~around, -2, 0)
            | _shifted(~around, 2, 0)
            | _shifted(~around, 0, -2)
            | _shifted(~around, 0, 2)
            | _shifted(~around, 0, -3)
        )
    )
    paint[second] = pick_colour("water", 1.12)
    paint[shallow] = pick_colour("water light", 1.08)
    paint[inside & _shifted(~around, 0, -1)] = pick_colour("water deep", 0.72)
    paint[inside & ~_shifted(~around, 0, -1) & _shifted(~around, 0, -2)] = pick_colour("water deep", 0.9)
    paint[shallow & _shifted(~around, 0, 1)] = pick_colour("foam", 0.8)
    return np.where(inside[..., None], paint, _paint_bank(around, built))


def _paint_ripples(look: int) -> Paint:
    """Open water: darker blots, and short light horizontal lines."""
    paint = flat_paint("water")
    rough = pixel_noise(f"water {look}", width=4, height=4)
    for row in range(4):
        for column in range(4):
            x, y = column * 4 + row % 2 * 2, row * 4 + 1
            if rough[row, column] < 0.30:
                paint[y - 1 : y + 2, x : x + 5] = pick_colour("water deep", 1.12)
                paint[y : y + 1, max(0, x - 1) : x + 6] = pick_colour("water deep", 1.12)
            elif rough[row, column] > 0.84 and x < 12:
                paint[y, x : x + 3] = pick_colour("water light")
                if rough[row, column] > 0.95:
                    paint[y, x + 1] = pick_colour("foam", 0.9)
    return paint


def _paint_bank(around: Mask, built: bool) -> Paint:
    """The ground beside: a stone kerb, or earth that is wet at the edge."""
    inside = _shifted(around, 0, 0)
    if built:
        paint = flat_paint("flag light", 1.12)
        paint[_shifted(around, 0, 1)] = pick_colour("flag dark", 0.8)
        paint[_shifted(around, 0, -1)] = pick_colour("flag light", 1.3)
        return paint
    paint = paint_earth(0)
    paint[~inside & (touching_pixels(around) | _shifted(around, 0, 2))] = pick_colour("earth dark", 0.9)
    paint[~inside & _shifted(around, 0, 1)] = pick_colour("earth dark", 0.66)
    paint[~inside & _shifted(around, 0, -1)] = pick_colour("earth light", 1.1)
    return paint


def _paint_pit(around: Mask, built: bool) -> Paint:
    """A pit: its northern wall fades into the dark."""
    inside = _shifted(around, 0, 0)
    paint = flat_paint("pit")
    if not around[0, NEIGHBOUR_PIXELS + TILE_PIXELS // 2]:  # it has a northern wall
        depth = np.cumsum(inside, axis=0)
        wall = paint_bricks(1) / face_shading() if built else paint_crag(2)
        fade = np.square(np.clip(1 - depth / np.float32(13), 0, 1)) * np.float32(0.62)
        paint = np.maximum(wall * fade[..., None], paint)
    ledge = flat_paint("flag light", 1.08) if built else paint_earth(1)
    ledge[~inside & _shifted(around, 0, -1)] = pick_colour("flag light" if built else "earth light", 1.3)
    ledge[~inside & _shifted(around, 0, 1)] = pick_colour("joint" if built else "earth dark", 0.9)
    return np.where(inside[..., None], paint, ledge)
