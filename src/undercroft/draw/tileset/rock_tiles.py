"""Rock pieces from above and from the side: which sides are visible, and how each piece looks.

Rock with ground to the south shows its *face*; all other rock shows its *top*. A top has a rim on each side whose
neighbour is not a top. The neighbour is ground to the north, a face to the south, and either at the sides. The
difference matters for natural rock only: it has 77 pieces, masonry has 47.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np
from numpy.typing import NDArray

from undercroft.draw.tileset.paint import (
    TILE_PIXELS,
    Paint,
    TilesetPiece,
    flat_paint,
    opaque_pixels,
    pick_colour,
    pixel_noise,
)
from undercroft.draw.tileset.sprites import load_drawings, render_sprite
from undercroft.draw.tileset.stone import face_shading, paint_bricks, paint_crag, paint_rock_top

NORTH, SOUTH, WEST_FACE, WEST, EAST_FACE, EAST, NW, NE, SW, SE = (1 << bit for bit in range(10))
"""Bits of the code of a top: which neighbours are not tops. To the west and the east, faces and ground have different
bits.
"""
_CORNER_SIDES = (
    (NW, NORTH | WEST | WEST_FACE),
    (NE, NORTH | EAST | EAST_FACE),
    (SW, SOUTH | WEST | WEST_FACE),
    (SE, SOUTH | EAST | EAST_FACE),
)
_SIDE_NAMES = ("n", "s", "wf", "w", "ef", "e", "nw", "ne", "sw", "se")
FACE_NORTH, FACE_WEST, FACE_EAST = 1, 2, 4
"""Bits of the code of a face: the sides with ground. Ground to the north makes it a thin wall."""
MATERIALS = ("wall", "rock")
"""Masonry and natural rock."""
ROCK_LOOKS = 4
"""Variants of a piece without a rim, or of one in a row."""


def reduced(code: int, material: str = "rock") -> int:
    """The code of a top without invisible details: corners beside a side with a rim; and in masonry the difference
    between a face and ground at a side.

    >>> reduced(NORTH | NW | SE) == NORTH | SE, reduced(EAST_FACE, "wall") == EAST
    (True, True)
    """
    for corner, sides in _CORNER_SIDES:
        if code & sides:
            code &= ~corner
    if material == "wall":
        for face, ground in ((WEST_FACE, WEST), (EAST_FACE, EAST)):
            code = code & ~face | ground if code & face else code
    return code


@cache
def top_codes(material: str) -> tuple[int, ...]:
    """The distinct codes, in order.

    >>> len(top_codes("rock")), len(top_codes("wall"))
    (77, 47)
    """
    possible = (
        code
        for code in range(1 << 10)
        if not (code & WEST and code & WEST_FACE) and not (code & EAST and code & EAST_FACE)
    )
    return tuple(sorted({reduced(code, material) for code in possible}))


def top_name(material: str, code: int) -> str:
    """The name of the piece for a code.

    >>> top_name("rock", NORTH | EAST_FACE), top_name("wall", 0)
    ('rock.top.n.ef', 'wall.top')
    """
    return ".".join([material, "top", *(word for bit, word in enumerate(_SIDE_NAMES) if code >> bit & 1)])


def face_name(material: str, code: int, look: int) -> str:
    """The name of a face: the sides on which it ends, and its variant.

    >>> face_name("wall", FACE_NORTH | FACE_WEST, 2), face_name("rock", 0, 1)
    ('wall.face.n.w.2', 'rock.face.1')
    """
    return ".".join([material, "face", *(word for bit, word in enumerate("nwe") if code >> bit & 1), str(look)])


def build_pieces() -> Iterator[TilesetPiece]:
    """All rock pieces."""
    yield TilesetPiece("void", "void", True, opaque_pixels(flat_paint("void")))
    for look in range(ROCK_LOOKS):
        yield TilesetPiece(f"deep.{look}", "wall", True, opaque_pixels(_paint_deep(look, 0.55)))
        yield TilesetPiece(f"deeper.{look}", "wall", True, opaque_pixels(_paint_deep(look, 0.28)))
    for material in MATERIALS:
        for look in range(1, ROCK_LOOKS):
            yield TilesetPiece(f"{material}.top.{look}", "wall", True, opaque_pixels(_paint_top(material, 0, look)))
        for code in top_codes(material):
            yield TilesetPiece(top_name(material, code), "wall", True, opaque_pixels(_paint_top(material, code, 0)))
        for code in range(8):
            for look in range(ROCK_LOOKS):
                yield TilesetPiece(
                    face_name(material, code, look), "wall", True, opaque_pixels(_paint_face(material, code, look))
                )
    for material in MATERIALS:
        for code, name in ((0, "face"), (FACE_NORTH, "face.n")):
            yield TilesetPiece(
                f"secret.{material}.{name}", "secret", False, opaque_pixels(_paint_face(material, code, 0))
            )
        for code, name in ((WEST | EAST, "top"), (WEST | EAST | SOUTH, "top.s")):
            yield TilesetPiece(
                f"secret.{material}.{name}", "secret", False, opaque_pixels(_paint_top(material, code, 0))
            )
    yield TilesetPiece(
        "secret.mark",
        "secret",
        False,
        render_sprite(load_drawings("litter")["secret.mark"], outline=False, shadow=False, lit=False),
    )


def _paint_deep(look: int, light: float) -> Paint:
    """Dark rock far from all ground."""
    return paint_rock_top(look) * np.float32(light) + pick_colour("void") * np.float32(1 - light)


def _paint_top(material: str, code: int, look: int) -> Paint:
    """A top with its rims. Natural rock leaves a strip of its square for the ground."""
    inside = _rock_mask(code) if material == "rock" else np.ones((TILE_PIXELS, TILE_PIXELS), bool)
    paint = paint_rock_top(look if material == "wall" else look + ROCK_LOOKS)
    north, south, west, east, corner = _rim_masks(inside, code)
    inner = np.pad(north | south | west | east | corner, 1)
    paint[inside & (inner[:-2, 1:-1] | inner[2:, 1:-1] | inner[1:-1, :-2] | inner[1:-1, 2:])] = pick_colour(
        "top bright"
    )
    for edge, tone, light in (
        (corner, "rim", 0.85),
        (north, "rim", 0.85),
        (west, "rim", 1.0),
        (east, "rim", 0.8),
        (south, "rim", 1.0),
    ):
        paint[edge] = pick_colour(tone, light)
    if code & SOUTH:
        paint[-1][south[-1]] = pick_colour("rim bright")
        paint[-1][south[-1] & (pixel_noise(f"chips {code}")[-1] > 0.86)] = pick_colour("rim")
    return np.where(inside[..., None], paint, _paint_foot())


def _rim_masks(inside: NDArray[np.bool_], code: int) -> tuple[NDArray[np.bool_], ...]:
    """The pixels along the northern, southern, western and eastern rim of a top, and those that touch only a corner of
    another cell.
    """
    around = np.ones((TILE_PIXELS + 2, TILE_PIXELS + 2), bool)
    around[1:-1, 1:-1] = inside
    around[0, 1:-1], around[-1, 1:-1] = not code & NORTH, not code & SOUTH
    around[1:-1, 0], around[1:-1, -1] = not code & (WEST | WEST_FACE), not code & (EAST | EAST_FACE)
    for corner, where in zip((NW, NE, SW, SE), ((0, 0), (0, -1), (-1, 0), (-1, -1)), strict=True):
        around[where] = not code & corner
    sides = [
        inside & ~around[1 + down : TILE_PIXELS + 1 + down, 1 + right : TILE_PIXELS + 1 + right]
        for right, down in ((0, -1), (0, 1), (-1, 0), (1, 0))
    ]
    touches = np.logical_or.reduce(
        [
            ~around[1 + down : TILE_PIXELS + 1 + down, 1 + right : TILE_PIXELS + 1 + right]
            for right in (-1, 1)
            for down in (-1, 1)
        ]
    )
    return (*sides, inside & touches & ~np.logical_or.reduce(sides))


EDGE_PROFILE = np.array([1, 1, 2, 2, 3, 3, 2, 2, 1, 1, 0, 0, 1, 2, 2, 1])
"""The inset of natural rock from the edge of its square. It begins and ends at the same value, so that pieces join."""
CORNER_PROFILE = np.array([5, 3, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
"""The additional inset at a corner."""


def _rock_mask(code: int) -> NDArray[np.bool_]:
    """The rock pixels of a piece of natural rock: pixels beside ground can be ground."""
    ys, xs = np.indices((TILE_PIXELS, TILE_PIXELS))
    inside = np.ones((TILE_PIXELS, TILE_PIXELS), bool)
    if code & NORTH:
        inside &= ys >= EDGE_PROFILE[xs]
    for bit, across, along in ((WEST, xs, ys), (EAST, TILE_PIXELS - 1 - xs, TILE_PIXELS - 1 - ys)):
        if code & bit:
            inside &= across >= EDGE_PROFILE[along]
            if code & NORTH:
                inside &= across >= CORNER_PROFILE[ys]
    return inside


def _paint_foot() -> Paint:
    """Earth at the foot of rock, in its shadow."""
    return flat_paint("earth", 0.8) * (np.float32(0.94) + np.float32(0.12) * pixel_noise("foot"))[..., None]


def _paint_face(material: str, code: int, look: int) -> Paint:
    """A face; a thin wall has its top above it."""
    return _paint_brick_face(code, look) if material == "wall" else _paint_crag_face(code, look)


def _paint_brick_face(code: int, look: int) -> Paint:
    paint = paint_bricks(look)
    if code & FACE_WEST:
        paint[:, 0] = pick_colour("brick light") * face_shading()[:, 0]
        paint[:, 1] *= np.float32(0.9)
    if code & FACE_EAST:
        paint[:, -1] = pick_colour("mortar") * face_shading()[:, 0]
    if code & FACE_NORTH:
        paint[:4] = paint_rock_top(look)[:4]
        paint[0], paint[3] = pick_colour("rim", 0.85), pick_colour("rim bright")
        paint[4] *= np.float32(0.6)
        if code & FACE_WEST:
            paint[:4, 0] = pick_colour("rim")
        if code & FACE_EAST:
            paint[:4, -1] = pick_colour("rim", 0.8)
    return paint


def _paint_crag_face(code: int, look: int) -> Paint:
    ys, xs = np.indices((TILE_PIXELS, TILE_PIXELS))
    paint = paint_crag(look) * face_shading()
    head = 2 + (pixel_noise(f"head {look}", height=1)[0] * 2.5).astype(int)
    paint = np.where((ys < head[xs])[..., None], paint * np.float32(1.22), paint)
    sides = NORTH * bool(code & FACE_NORTH) | WEST * bool(code & FACE_WEST) | EAST * bool(code & FACE_EAST)
    inside = _rock_mask(sides) & (ys < TILE_PIXELS - (pixel_noise(f"foot {look}", height=1)[0] * 2.6).astype(int)[xs])
    for bit, across in ((FACE_WEST, xs), (FACE_EAST, TILE_PIXELS - 1 - xs)):
        if code & bit:
            inside &= across >= CORNER_PROFILE[TILE_PIXELS - 1 - ys]
    if code & FACE_NORTH:
        cap = inside & ~np.pad(inside, ((5, 0), (0, 0)))[:TILE_PIXELS]
        edge = cap & ~np.pad(inside, ((1, 0), (0, 0)))[:TILE_PIXELS]
        paint[cap], paint[edge] = pick_colour("top light"), pick_colour("rim", 0.85)
        paint[cap & np.pad(~cap, ((0, 1), (0, 0)), constant_values=True)[1:]] = pick_colour("rim bright")
    for bit, step in ((FACE_WEST, 1), (FACE_EAST, -1)):
        if code & bit:
            edge = inside & ~np.roll(np.where(xs == (TILE_PIXELS - 1 if step > 0 else 0), False, inside), step, axis=1)
            paint[edge] *= np.float32(1.15 if step > 0 else 0.7)
    return np.where(inside[..., None], paint, _paint_foot())
