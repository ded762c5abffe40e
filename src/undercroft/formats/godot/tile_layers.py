"""Format tilesets for Godot, and encode layers of tiles as bytes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from undercroft.core.palette import Palette
from undercroft.draw.tileset.custom_pieces import custom_pieces
from undercroft.draw.tileset.piece_sheets import LevelDrawing, PieceSheet
from undercroft.formats.godot.scene_text import RawValue, format_cell, format_section

CELL_DTYPE = np.dtype(
    [("x", "<i2"), ("y", "<i2"), ("source", "<u2"), ("atlas_x", "<u2"), ("atlas_y", "<u2"), ("alternative", "<u2")]
)
LAYER_FORMAT = b"\0\0"
"""The first bytes of a layer."""
STRING_TYPE, COLOUR_TYPE = 4, 20
"""Godot's numbers for the types String and Color."""
DATA_LAYERS = (("role", STRING_TYPE), ("piece", STRING_TYPE), ("name", STRING_TYPE), ("colour", COLOUR_TYPE))
"""The custom data of a tile: its role, the name of its picture, and for scenes with tiles of their own the tile's name
and colour.
"""


def picture_id(number: int) -> str:
    """The id of the picture of a sheet.

    >>> picture_id(0), picture_id(1)
    ('picture', 'picture1')
    """
    return f"picture{number or ''}"


def source_id(number: int) -> str:
    return f"pieces{number or ''}"


@lru_cache(maxsize=8)
def format_tileset(sheets: tuple[PieceSheet, ...], palette: Palette) -> str:
    """The tileset with its pictures: solid pieces stop bodies, and each has its `role` and its `piece`, our name for
    it, as custom data. If there are custom tiles, each also has the name of its tile, and custom ones their colour.
    """
    custom = any(facts.tile for sheet in sheets for facts in sheet.pieces.values())
    layers = DATA_LAYERS if custom else DATA_LAYERS[:2]
    size = sheets[0].size
    whole = [
        ("tile_size", format_cell(size, size)),
        ("physics_layer_0/collision_layer", 1),
        *(
            (f"custom_data_layer_{number}/{key}", value)
            for number, (name, kind) in enumerate(layers)
            for key, value in (("name", name), ("type", kind))
        ),
        *((f"sources/{number}", RawValue(f'SubResource("{source_id(number)}")')) for number in range(len(sheets))),
    ]
    return (
        "\n".join(
            format_section(
                "sub_resource",
                list(_list_source_rows(sheet, number, palette if custom else None)),
                type="TileSetAtlasSource",
                id=source_id(number),
            )
            for number, sheet in enumerate(sheets)
        )
        + "\n"
        + format_section("sub_resource", whole, type="TileSet", id="tiles")
    )


def _list_source_rows(sheet: PieceSheet, number: int, palette: Palette | None) -> Iterator[tuple[str, object]]:
    """The values of a source: its picture, and each of its tiles. With a palette, tiles have names."""
    half = sheet.size / 2 if sheet.size % 2 else sheet.size // 2
    square = RawValue(f"PackedVector2Array({-half}, {-half}, {half}, {-half}, {half}, {half}, {-half}, {half})")
    names = {} if palette is None else custom_pieces(palette).standard_names(palette)
    yield "texture", RawValue(f'ExtResource("{picture_id(number)}")')
    if sheet.margin:
        yield "margins", format_cell(sheet.margin, sheet.margin)
    if sheet.spacing:
        yield "separation", format_cell(sheet.spacing, sheet.spacing)
    yield "texture_region_size", format_cell(sheet.size, sheet.size)
    for piece, facts in sheet.pieces.items():
        y, x = divmod(piece, sheet.columns)
        yield f"{x}:{y}/0", 0
        if facts.solid:
            yield f"{x}:{y}/0/physics_layer_0/polygon_0/points", square
        yield f"{x}:{y}/0/custom_data_0", facts.role
        yield f"{x}:{y}/0/custom_data_1", facts.piece
        if palette is not None:
            yield f"{x}:{y}/0/custom_data_2", facts.tile or names.get(facts.role, "")
        if facts.colour:
            yield f"{x}:{y}/0/custom_data_3", _format_colour(facts.colour)


def _format_colour(colour: str) -> RawValue:
    """A colour as a Color.

    >>> _format_colour("#ff8000").text
    'Color(1, 0.501961, 0, 1)'
    """
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return RawValue(f"Color({', '.join(f'{part:.6g}' for part in parts)}, 1)")


def encode_layer(drawn: LevelDrawing, name: str) -> bytes:
    """The cells of a layer in the format of `tile_map_data`: two bytes for the version, and twelve for each cell that
    is not empty.
    """
    pieces = drawn.layers[name]
    ys, xs = np.nonzero(pieces >= 0)
    numbers = pieces[ys, xs]
    sheets = np.searchsorted(np.array(drawn.firsts), numbers, side="right") - 1
    cells = np.zeros(len(xs), CELL_DTYPE)
    cells["x"], cells["y"], cells["source"] = xs, ys, sheets
    for number, sheet in enumerate(drawn.sheets):
        here = sheets == number
        cells["atlas_y"][here], cells["atlas_x"][here] = np.divmod(numbers[here] - drawn.firsts[number], sheet.columns)
    return LAYER_FORMAT + cells.tobytes()
