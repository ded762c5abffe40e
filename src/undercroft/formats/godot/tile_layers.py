"""Format our tileset for Godot, and encode layers of tiles as bytes."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from undercroft.draw.tileset.picture import tileset
from undercroft.formats.godot.scene_text import RawValue, format_cell, format_section

CELL_PIXELS = 16
"""Pixels per cell."""
CELL_DTYPE = np.dtype(
    [("x", "<i2"), ("y", "<i2"), ("source", "<u2"), ("atlas_x", "<u2"), ("atlas_y", "<u2"), ("alternative", "<u2")]
)
LAYER_FORMAT = b"\0\0"
"""The first bytes of a layer."""
STRING_TYPE = 4
"""Godot's number for the type String."""


@cache
def format_tileset() -> str:
    """The tileset with its picture: solid pieces stop bodies, and each has its `role` and its `piece`, our name for it,
    as custom data.
    """
    tiles, half = tileset(), CELL_PIXELS // 2
    square = RawValue(f"PackedVector2Array({-half}, {-half}, {half}, {-half}, {half}, {half}, {-half}, {half})")
    rows: list[tuple[str, object]] = [
        ("texture", RawValue('ExtResource("picture")')),
        ("texture_region_size", format_cell(CELL_PIXELS, CELL_PIXELS)),
    ]
    for number, (name, solid, role) in enumerate(zip(tiles.names, tiles.solid, tiles.roles, strict=True)):
        y, x = divmod(number, tiles.columns)
        rows.append((f"{x}:{y}/0", 0))
        if solid:
            rows.append((f"{x}:{y}/0/physics_layer_0/polygon_0/points", square))
        rows += [(f"{x}:{y}/0/custom_data_0", role), (f"{x}:{y}/0/custom_data_1", name)]
    layers = [
        (f"custom_data_layer_{number}/{key}", value)
        for number, name in enumerate(("role", "piece"))
        for key, value in (("name", name), ("type", STRING_TYPE))
    ]
    whole = [
        ("tile_size", format_cell(CELL_PIXELS, CELL_PIXELS)),
        ("physics_layer_0/collision_layer", 1),
        *layers,
        ("sources/0", RawValue('SubResource("pieces")')),
    ]
    return (
        format_section("sub_resource", rows, type="TileSetAtlasSource", id="pieces")
        + "\n"
        + format_section("sub_resource", whole, type="TileSet", id="tiles")
    )


def encode_layer(pieces: NDArray[np.int16]) -> bytes:
    """The cells of a layer in the format of `tile_map_data`: two bytes for the version, and twelve for each cell that
    is not empty.
    """
    ys, xs = np.nonzero(pieces >= 0)
    cells = np.zeros(len(xs), CELL_DTYPE)
    cells["x"], cells["y"] = xs, ys
    cells["atlas_y"], cells["atlas_x"] = np.divmod(pieces[ys, xs], tileset().columns)
    return LAYER_FORMAT + cells.tobytes()
