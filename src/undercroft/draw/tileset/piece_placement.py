"""Which piece of the tileset lies on each cell of a level."""

from __future__ import annotations

from functools import cache

import numpy as np

from undercroft.core.level import Level
from undercroft.core.palette import DOOR_ROLES
from undercroft.draw.autotile.pieces import BLOB, tables
from undercroft.draw.autotile.tiling import bites
from undercroft.draw.tileset import ground_tiles as tileset_ground
from undercroft.draw.tileset import rock as tileset_rock
from undercroft.draw.tileset.decor_placement import place, strewn
from undercroft.draw.tileset.door_tiles import STATES
from undercroft.draw.tileset.hollow_tiles import LOOKS as HOLLOW_LOOKS
from undercroft.draw.tileset.hollow_tiles import piece_name
from undercroft.draw.tileset.rock import FACE_EAST, FACE_NORTH, FACE_WEST, LOOKS, MATERIALS, face_name, top_name
from undercroft.draw.tileset.terrain import AROUND, NOTHING, Cells, Layer, Lie, beside, lie_of, moved
from undercroft.draw.tileset.tile_sheet import tileset

LAYERS = ("terrain", "doors", "decor")
"""From the ground up."""
DEEP = 4
"""Cells from the nearest ground beyond which rock is dark."""
LOTS = 64
"""Looks are drawn by lot: so many lots there are."""


def laid(level: Level) -> dict[str, Layer]:
    """The number of the piece on each cell, layer by layer: `terrain` everywhere, `doors` and `decor` where there are
    some, -1 where nothing is.

    A cell is blocked if a solid piece lies on it. Secret doors look like the wall around them, and are not solid.

    >>> from undercroft.draw.tileset.tile_sheet import tileset
    >>> level = Level.drawn('''
    ...     #####
    ...     #..+.
    ...     #####
    ... ''')
    >>> layers = laid(level)
    >>> [tileset().names[piece] for piece in layers["terrain"][0]]
    ['wall.top.e', 'wall.face.2', 'wall.face.0', 'wall.face.3', 'wall.face.0']
    >>> [tileset().names[piece] if piece >= 0 else "" for piece in layers["doors"][1]]
    ['', '', '', 'door.ew.closed', '']

    Cost: some hundred operations on small numbers a cell.
    """
    lie = lie_of(level)
    found = {name: np.empty(level.tiles.shape, np.int16) for name in LAYERS}
    for rows in bites(level.tiles):
        first = max(0, rows.start - DEEP)
        part = lie.rows(slice(first, rows.stop + DEEP))
        here = slice(rows.start - first, rows.stop - first)
        for name, layer in (("terrain", _terrain(part)), ("doors", _doors(part)), ("decor", strewn(part))):
            found[name][rows] = layer[here]
    place(level, lie, found["decor"])
    return found


def _terrain(lie: Lie) -> Layer:
    """The ground, and rock where there is none. Below a secret door there is ground too."""
    terrain = np.where(lie.ground | lie.having("secret"), _floor(lie), _rock(lie))
    for role, kinds in (("water", ("pool", "lake")), ("pit", ("shaft", "chasm"))):
        cells = lie.having(role)
        if cells.any():
            np.copyto(terrain, _hollow(cells, kinds, lie), where=cells)
    return terrain


def _floor(lie: Lie) -> Layer:
    """Flagstones, paving or earth; and stairs."""
    look = lie.throws & np.uint32(LOTS - 1)
    found: Layer = _lots("flags", tileset_ground.FLAGS)[look]
    np.copyto(found, _lots("paving", tileset_ground.PAVING)[look], where=lie.having("corridor", *DOOR_ROLES))
    np.copyto(found, _lots("earth", tileset_ground.EARTH)[look], where=lie.natural)
    for role, name in (("entry", "stairs.up"), ("exit", "stairs.down")):
        found[lie.having(role)] = tileset().number(name)
    return found


def _wild(lie: Lie) -> Cells:
    """Where rock is natural: near ground that is, and not beside any other."""
    return beside(lie.natural & lie.ground, 2) & ~beside(lie.ground & ~lie.natural, 1)


def _rock(lie: Lie) -> Layer:
    """Tops and faces; far from all ground the rock is dark."""
    ground, face = np.pad(lie.ground, 1), np.pad(lie.face, 1)
    other = ground | face  # than a top
    sides, corners = (np.zeros(lie.ground.shape, np.uint8) for _ in range(2))
    for bit, (cells, right, down) in enumerate(
        ((other, 0, -1), (other, 0, 1), (face, -1, 0), (ground, -1, 0), (face, 1, 0), (ground, 1, 0))
    ):
        sides |= moved(cells, right, down).view(np.uint8) << np.uint8(bit)
    for bit, (right, down) in enumerate(((-1, -1), (1, -1), (-1, 1), (1, 1))):
        corners |= moved(other, right, down).view(np.uint8) << np.uint8(bit)
    code = sides | corners.astype(np.uint16) << np.uint16(6)
    wild = _wild(lie)
    look = (lie.throws >> np.uint32(8) & np.uint32(LOOKS - 1)).astype(np.uint16)
    faces = (
        moved(ground, 0, -1) * np.uint16(FACE_NORTH)
        + moved(ground, -1, 0) * np.uint16(FACE_WEST)
        + moved(ground, 1, 0) * np.uint16(FACE_EAST)
    )
    tops, fronts, plain = _rock_tables()
    found = np.where(
        lie.face, fronts[(wild * np.uint16(8) + faces) * np.uint16(LOOKS) + look], tops[wild * np.uint16(1024) + code]
    )
    bare = ~lie.face & (code == 0)
    found[bare] = plain[(wild * np.uint16(LOOKS) + look)[bare]]
    for kind, far in (("deep", DEEP - 1), ("deeper", DEEP)):
        deep = ~beside(lie.ground, far)
        found[deep] = _numbers(tuple(f"{kind}.{number}" for number in range(LOOKS)))[look[deep]]
    found[lie.having("void") & ~beside(lie.ground, 2)] = tileset().number("void")
    return found


def _hollow(cells: Cells, kinds: tuple[str, str], lie: Lie) -> Layer:
    """Water or pits, with their shores."""
    around = np.pad(cells, 1)
    mask = np.zeros(cells.shape, np.uint8)
    for bit, (right, down) in enumerate(AROUND):
        mask |= moved(around, right, down).view(np.uint8) << np.uint8(bit)
    found = np.where(lie.shore, _hollow_table(kinds[1])[mask], _hollow_table(kinds[0])[mask])
    look = lie.throws & np.uint32(HOLLOW_LOOKS - 1)
    for kind, where in zip(kinds, (~lie.shore, lie.shore), strict=True):
        names = [piece_name(kind, 255), *(f"{kind}.{number}" for number in range(1, HOLLOW_LOOKS))]
        whole = where & (mask == 255)
        found[whole] = _numbers(tuple(names))[look[whole]]
    return found


def _doors(lie: Lie) -> Layer:
    """Doors, turned as the way through them leads. A door in the open is seen from the front."""
    found = np.full(lie.tiles.shape, NOTHING, np.int16)
    rock = np.pad(~lie.ground, 1, constant_values=True)
    sideways = moved(rock, 0, -1) & moved(rock, 0, 1) & ~(moved(rock, -1, 0) & moved(rock, 1, 0))
    for state, role in STATES.items():
        cells = lie.having(role)
        for way, turned in (("ns", ~sideways), ("ew", sideways)):
            found[cells & turned] = tileset().number(f"door.{way}.{state}")
    secret = lie.having("secret")
    if secret.any():
        below = np.pad(lie.face, 1)
        for material, kind in zip(MATERIALS, (~_wild(lie), _wild(lie)), strict=True):
            for name, where in (
                *(("top", ~lie.face), ("top.s", ~lie.face & moved(below, 0, 1))),
                *(("face", lie.face), ("face.n", lie.face & ~moved(rock, 0, -1))),
            ):
                found[secret & kind & where] = tileset().number(f"secret.{material}.{name}")
    return found


@cache
def _numbers(names: tuple[str, ...]) -> Layer:
    """The numbers of pieces, to be looked up."""
    return np.array([tileset().number(name) for name in names], np.int16)


@cache
def _lots(kind: str, shares: tuple[int, ...]) -> Layer:
    """For each lot the piece of a kind; each look has its share of the lots."""
    lots = np.repeat(np.arange(len(shares)), shares)
    return _numbers(tuple(f"{kind}.{look}" for look in range(len(shares))))[lots[np.arange(LOTS) * len(lots) // LOTS]]


@cache
def _hollow_table(kind: str) -> Layer:
    """The piece of each of 256 masks."""
    return _numbers(tuple(piece_name(kind, mask) for mask in BLOB))[tables("blob").table]


@cache
def _rock_tables() -> tuple[Layer, Layer, Layer]:
    """The pieces of tops by material and code, of faces by material, code and look, and of tops without rims by
    material and look.
    """
    tops = np.full(2 * 1024, NOTHING, np.int16)
    for material, name in enumerate(MATERIALS):
        for code in range(1024):
            known = tileset_rock.reduced(code, name)
            if known in tileset_rock.top_codes(name):
                tops[material * 1024 + code] = tileset().number(top_name(name, known))
    faces = _numbers(
        tuple(face_name(name, code, look) for name in MATERIALS for code in range(8) for look in range(LOOKS))
    )
    plain = _numbers(
        tuple(top_name(name, 0) + (f".{look}" if look else "") for name in MATERIALS for look in range(LOOKS))
    )
    return tops, faces, plain
