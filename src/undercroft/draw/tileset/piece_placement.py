"""Choose the piece of the tileset on each cell of a level."""

from __future__ import annotations

from functools import cache

import numpy as np

from undercroft.core.custom_tiles import has_own_colour, list_custom_codes, rock_behind_secrets
from undercroft.core.level import Level
from undercroft.core.palette import DOOR_ROLES, Palette, look_up_tiles
from undercroft.draw.autotile.pieces import BLOB_MASKS, build_tables
from undercroft.draw.autotile.tiling import split_rows
from undercroft.draw.tileset import ground_tiles, rock_tiles
from undercroft.draw.tileset.custom_pieces import custom_pieces
from undercroft.draw.tileset.decor_placement import place_decor, scatter_litter
from undercroft.draw.tileset.door_tiles import STATE_ROLES
from undercroft.draw.tileset.rock_tiles import (
    FACE_EAST,
    FACE_NORTH,
    FACE_WEST,
    MATERIALS,
    ROCK_LOOKS,
    face_name,
    top_name,
)
from undercroft.draw.tileset.terrain import (
    NEIGHBOUR_STEPS,
    NO_PIECE,
    Cells,
    Layer,
    Terrain,
    classify_terrain,
    dilated_by,
    shifted,
)
from undercroft.draw.tileset.tile_sheet import tileset
from undercroft.draw.tileset.water_and_pit_tiles import HOLLOW_LOOKS, hollow_name

LAYERS = ("terrain", "doors", "decor")
"""The layers from the ground up."""
DARK_ROCK_DISTANCE = 4
"""Cells from the nearest ground beyond which rock is dark."""
LOT_COUNT = 64
"""The number of lots from which variants are drawn."""


def lay_pieces(level: Level) -> dict[str, Layer]:
    """The number of the piece on each cell, for each layer: `terrain` everywhere, `doors` and `decor` where they exist,
    -1 for none. Numbers are those of `tileset()`, and after them of `custom_pieces(level.palette)`.

    A cell is blocked if a solid piece lies on it. Secret doors look like the wall around them, and are not solid.

    >>> from undercroft.draw.tileset.tile_sheet import tileset
    >>> level = Level.parse('''
    ...     #####
    ...     #..+.
    ...     #####
    ... ''')
    >>> layers = lay_pieces(level)
    >>> [tileset().names[piece] for piece in layers["terrain"][0]]
    ['wall.top.e', 'wall.face.2', 'wall.face.0', 'wall.face.3', 'wall.face.0']
    >>> [tileset().names[piece] if piece >= 0 else "" for piece in layers["doors"][1]]
    ['', '', '', 'door.ew.closed', '']

    Cost: some hundred operations on small numbers a cell.
    """
    lie = classify_terrain(level)
    found = {name: np.empty(level.tiles.shape, np.int16) for name in LAYERS}
    for rows in split_rows(level.tiles):
        first = max(0, rows.start - DARK_ROCK_DISTANCE)
        part = lie.rows(slice(first, rows.stop + DARK_ROCK_DISTANCE))
        here = slice(rows.start - first, rows.stop - first)
        for name, layer in (
            ("terrain", _lay_terrain(part)),
            ("doors", _lay_doors(part)),
            ("decor", scatter_litter(part)),
        ):
            found[name][rows] = layer[here]
    place_decor(level, lie, found["decor"])
    if list_custom_codes(level.palette):
        _replace_custom_tiles(level, found)
    return found


def _replace_custom_tiles(level: Level, layers: dict[str, Layer]) -> None:
    """Replace the pieces on custom tiles by those of these tiles. Secret doors look like the wall around them."""
    tables, head = custom_pieces(level.palette).tables, tileset().number("pillar.head")
    walls = rock_behind_secrets(level.tiles, level.palette)
    secret = look_up_tiles(level.palette.role_mask("secret"), level.tiles)
    there = np.flatnonzero(np.bincount(level.tiles.reshape(-1), minlength=len(level.palette))).tolist()
    heads = layers["decor"] == head
    for code in there:
        if code not in tables:
            continue
        cells = level.tiles == code
        for layer in layers.values():
            drawn = cells & (layer >= 0)
            layer[drawn] = tables[code][layer[drawn]]
    for code in np.unique(walls[secret]).tolist() if secret.any() else []:
        if code in tables and has_own_colour(level.palette.tiles[code]):
            hidden = secret & (walls == code) & (layers["doors"] >= 0) & level.walkable
            layers["doors"][hidden] = tables[code][_standard_numbers(level.palette)[layers["doors"][hidden]]]
    for code in there:  # the head of a pillar lies on the cell above it
        if code in tables and level.palette.roles[code] == "pillar":
            below = np.zeros_like(heads)
            below[:-1] = level.tiles[1:] == code
            layers["decor"][below & heads] = tables[code][head]


def _lay_terrain(lie: Terrain) -> Layer:
    """The ground, and rock elsewhere. There is ground under a secret door too."""
    terrain = np.where(lie.ground | lie.having("secret"), _lay_floor(lie), _lay_rock(lie))
    for role, kinds in (("water", ("pool", "lake")), ("pit", ("shaft", "chasm"))):
        cells = lie.having(role)
        if cells.any():
            np.copyto(terrain, _lay_hollow(cells, kinds, lie), where=cells)
    return terrain


def _lay_floor(lie: Terrain) -> Layer:
    """Flagstones, paving or earth; and stairs."""
    look = lie.throws & np.uint32(LOT_COUNT - 1)
    found: Layer = _lot_pieces("flags", ground_tiles.FLAGSTONE_WEIGHTS)[look]
    np.copyto(
        found, _lot_pieces("paving", ground_tiles.PAVING_WEIGHTS)[look], where=lie.having("corridor", *DOOR_ROLES)
    )
    np.copyto(found, _lot_pieces("earth", ground_tiles.EARTH_WEIGHTS)[look], where=lie.natural)
    for role, name in (("entry", "stairs.up"), ("exit", "stairs.down")):
        found[lie.having(role)] = tileset().number(name)
    return found


def _natural_rock(lie: Terrain) -> Cells:
    """The natural rock: rock near natural ground, and not beside any other ground."""
    return dilated_by(lie.natural & lie.ground, 2) & ~dilated_by(lie.ground & ~lie.natural, 1)


def _lay_rock(lie: Terrain) -> Layer:
    """Tops and faces; rock far from all ground is dark."""
    ground, face = np.pad(lie.ground, 1), np.pad(lie.face, 1)
    other = ground | face  # cells that are not a top
    sides, corners = (np.zeros(lie.ground.shape, np.uint8) for _ in range(2))
    for bit, (cells, right, down) in enumerate(
        ((other, 0, -1), (other, 0, 1), (face, -1, 0), (ground, -1, 0), (face, 1, 0), (ground, 1, 0))
    ):
        sides |= shifted(cells, right, down).view(np.uint8) << np.uint8(bit)
    for bit, (right, down) in enumerate(((-1, -1), (1, -1), (-1, 1), (1, 1))):
        corners |= shifted(other, right, down).view(np.uint8) << np.uint8(bit)
    code = sides | corners.astype(np.uint16) << np.uint16(6)
    wild = _natural_rock(lie)
    look = (lie.throws >> np.uint32(8) & np.uint32(ROCK_LOOKS - 1)).astype(np.uint16)
    faces = (
        shifted(ground, 0, -1) * np.uint16(FACE_NORTH)
        + shifted(ground, -1, 0) * np.uint16(FACE_WEST)
        + shifted(ground, 1, 0) * np.uint16(FACE_EAST)
    )
    tops, fronts, plain = _rock_tables()
    found = np.where(
        lie.face,
        fronts[(wild * np.uint16(8) + faces) * np.uint16(ROCK_LOOKS) + look],
        tops[wild * np.uint16(1024) + code],
    )
    bare = ~lie.face & (code == 0)
    found[bare] = plain[(wild * np.uint16(ROCK_LOOKS) + look)[bare]]
    for kind, far in (("deep", DARK_ROCK_DISTANCE - 1), ("deeper", DARK_ROCK_DISTANCE)):
        deep = ~dilated_by(lie.ground, far)
        found[deep] = _piece_numbers(tuple(f"{kind}.{number}" for number in range(ROCK_LOOKS)))[look[deep]]
    found[lie.having("void") & ~dilated_by(lie.ground, 2)] = tileset().number("void")
    return found


def _lay_hollow(cells: Cells, kinds: tuple[str, str], lie: Terrain) -> Layer:
    """Water or pits, with their shores."""
    around = np.pad(cells, 1)
    mask = np.zeros(cells.shape, np.uint8)
    for bit, (right, down) in enumerate(NEIGHBOUR_STEPS):
        mask |= shifted(around, right, down).view(np.uint8) << np.uint8(bit)
    found = np.where(lie.shore, _hollow_table(kinds[1])[mask], _hollow_table(kinds[0])[mask])
    look = lie.throws & np.uint32(HOLLOW_LOOKS - 1)
    for kind, where in zip(kinds, (~lie.shore, lie.shore), strict=True):
        names = [hollow_name(kind, 255), *(f"{kind}.{number}" for number in range(1, HOLLOW_LOOKS))]
        whole = where & (mask == 255)
        found[whole] = _piece_numbers(tuple(names))[look[whole]]
    return found


def _lay_doors(lie: Terrain) -> Layer:
    """Doors, turned in the direction of the passage. A door in open ground is seen from the front."""
    found = np.full(lie.tiles.shape, NO_PIECE, np.int16)
    rock = np.pad(~lie.ground, 1, constant_values=True)
    sideways = shifted(rock, 0, -1) & shifted(rock, 0, 1) & ~(shifted(rock, -1, 0) & shifted(rock, 1, 0))
    for state, role in STATE_ROLES.items():
        cells = lie.having(role)
        for way, turned in (("ns", ~sideways), ("ew", sideways)):
            found[cells & turned] = tileset().number(f"door.{way}.{state}")
    secret = lie.having("secret")
    if secret.any():
        below = np.pad(lie.face, 1)
        for material, kind in zip(MATERIALS, (~_natural_rock(lie), _natural_rock(lie)), strict=True):
            for name, where in (
                *(("top", ~lie.face), ("top.s", ~lie.face & shifted(below, 0, 1))),
                *(("face", lie.face), ("face.n", lie.face & ~shifted(rock, 0, -1))),
            ):
                found[secret & kind & where] = tileset().number(f"secret.{material}.{name}")
    return found


def _standard_numbers(palette: Palette) -> Layer:
    """The standard piece that each piece of a palette was made from."""
    pieces = custom_pieces(palette)
    found = np.arange(len(pieces.tiles), dtype=np.int16)
    for table in pieces.tables.values():
        found[table] = np.arange(len(table))
    found[: pieces.first] = np.arange(pieces.first)
    return found


@cache
def _piece_numbers(names: tuple[str, ...]) -> Layer:
    """The numbers of pieces, as a lookup table."""
    return np.array([tileset().number(name) for name in names], np.int16)


@cache
def _lot_pieces(kind: str, shares: tuple[int, ...]) -> Layer:
    """The piece of a kind for each lot; each variant has its share of the lots."""
    lots = np.repeat(np.arange(len(shares)), shares)
    return _piece_numbers(tuple(f"{kind}.{look}" for look in range(len(shares))))[
        lots[np.arange(LOT_COUNT) * len(lots) // LOT_COUNT]
    ]


@cache
def _hollow_table(kind: str) -> Layer:
    """The piece for each of 256 masks."""
    return _piece_numbers(tuple(hollow_name(kind, mask) for mask in BLOB_MASKS))[build_tables("blob").table]


@cache
def _rock_tables() -> tuple[Layer, Layer, Layer]:
    """The pieces of tops by material and code, of faces by material, code and variant, and of tops without rims by
    material and variant.
    """
    tops = np.full(2 * 1024, NO_PIECE, np.int16)
    for material, name in enumerate(MATERIALS):
        for code in range(1024):
            known = rock_tiles.reduced(code, name)
            if known in rock_tiles.top_codes(name):
                tops[material * 1024 + code] = tileset().number(top_name(name, known))
    faces = _piece_numbers(
        tuple(face_name(name, code, look) for name in MATERIALS for code in range(8) for look in range(ROCK_LOOKS))
    )
    plain = _piece_numbers(
        tuple(top_name(name, 0) + (f".{look}" if look else "") for name in MATERIALS for look in range(ROCK_LOOKS))
    )
    return tops, faces, plain
