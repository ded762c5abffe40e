"""Write the layers of an LDtk level: grids of numbers and of tiles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from undercroft.core.level import Level
from undercroft.core.palette import Palette
from undercroft.draw.tileset.picture import LAYERS, lay_pieces, tileset
from undercroft.formats.ldtk import definitions as defs
from undercroft.formats.ldtk.definitions import CELL_PIXELS, TILESET_UID, Data, UidCounter
from undercroft.formats.ldtk.number_text import format_records
from undercroft.inputs.json import format_json

LAYER_KINDS = {
    "Entities": "Entities",
    "Rooms": "Entities",
    "Decor": "Tiles",
    "Doors": "Tiles",
    "Terrain_tiles": "Tiles",
    "Terrain": "IntGrid",
    "Regions": "IntGrid",
}
"""The layers from the top, and the kind of each."""
PIECE_LAYERS = dict(zip(("Terrain_tiles", "Doors", "Decor"), LAYERS, strict=True))
LAYER_INSTANCE_DEFAULTS = defs.parse_defaults("""
    "__opacity": 1, "__pxTotalOffsetX": 0, "__pxTotalOffsetY": 0, "pxOffsetX": 0, "pxOffsetY": 0, "optionalRules": [],
    "overrideTilesetUid": null, "seed": 0
""")
REGION_COLOURS = (
    "#BE4A2F",
    "#D77643",
    "#EAD4AA",
    "#B86F50",
    "#A22633",
    "#F77622",
    "#FEE761",
    "#63C74D",
    "#265C42",
    "#0099DB",
    "#2CE8F5",
    "#68386C",
    "#B55088",
)
"""The colours of regions, in turn."""


def build_terrain_values(palette: Palette) -> NDArray[np.uint16]:
    """The value of each tile in the grid `Terrain`: one more than its code, and 0, which is empty, for the first
    void.
    """
    table = np.arange(1, len(palette) + 1, dtype=np.uint16)
    if "void" in palette.roles:
        table[palette.role("void")] = 0
    return table


def build_layer_defs(level: Level, uids: dict[str, int], numbers: UidCounter) -> list[Data]:
    """The definitions of the layers. The values of `Terrain` are grouped by role."""
    found = {name: defs.layer_def(uids[name], name, kind) for name, kind in LAYER_KINDS.items()}
    palette = level.palette
    groups = {role: numbers.new_uid() for role in dict.fromkeys(palette.roles)}
    found["Terrain"]["intGridValuesGroups"] = [
        {"uid": uid, "identifier": role, "color": None} for role, uid in groups.items()
    ]
    found["Terrain"]["intGridValues"] = [
        defs.value_def(value, defs.to_identifier(tile.name, f"tile_{value}"), tile.colour, groups[tile.role])
        for tile, value in zip(palette.tiles, build_terrain_values(palette).tolist(), strict=True)
        if value
    ]
    found["Regions"]["intGridValues"] = [
        defs.value_def(
            region.label, f"{region.kind}_{region.label}", REGION_COLOURS[region.label % len(REGION_COLOURS)]
        )
        for region in level.regions
    ]
    return [*found.values()]


def dump_layers(
    level: Level, uids: dict[str, int], level_uid: int, entities: Callable[[str], bytes], new_iid: Callable[[], str]
) -> bytes:
    """All layers with their contents."""
    pieces = lay_pieces(level)
    grids: dict[str, NDArray[Any]] = {
        "Terrain": build_terrain_values(level.palette)[level.tiles],
        "Regions": level.regions.labels,
    }
    made = []
    for name, kind in LAYER_KINDS.items():
        grid = format_records([grids[name].reshape(-1), b","])[:-1] if kind == "IntGrid" else b""
        tiles = _format_tiles(pieces[PIECE_LAYERS[name]]) if kind == "Tiles" else b""
        head = format_json(
            _layer_header(level, name, kind) | {"iid": new_iid(), "levelId": level_uid, "layerDefUid": uids[name]}
        )[:-1].encode()
        held = entities(name) if kind == "Entities" else b""
        made.append(
            head
            + b',"intGridCsv":['
            + grid
            + b'],"autoLayerTiles":[],"gridTiles":['
            + tiles
            + b'],"entityInstances":['
            + held
            + b"]}"
        )
    return b",\n".join(made)


def _layer_header(level: Level, name: str, kind: str) -> Data:
    """The properties of a layer, without its contents."""
    own = {
        "__identifier": name,
        "__type": kind,
        "__cWid": level.width,
        "__cHei": level.height,
        "__gridSize": CELL_PIXELS,
        "visible": name != "Regions",
    }
    tiles = (
        {"__tilesetDefUid": TILESET_UID, "__tilesetRelPath": defs.picture_file(level.palette)}
        if kind == "Tiles"
        else {"__tilesetDefUid": None, "__tilesetRelPath": None}
    )
    return own | tiles | LAYER_INSTANCE_DEFAULTS


def _format_tiles(pieces: NDArray[np.int16]) -> bytes:
    """The tiles of a layer, one line each."""
    ys, xs = np.nonzero(pieces >= 0)
    number: NDArray[Any] = pieces[ys, xs].astype(np.int64)
    y, x = np.divmod(number, tileset().columns)
    place, source = (
        (b'{"px":[', xs * CELL_PIXELS, b",", ys * CELL_PIXELS),
        (b'],"src":[', x * CELL_PIXELS, b",", y * CELL_PIXELS),
    )
    return format_records(
        [*place, *source, b'],"f":0,"t":', number, b',"d":[', ys * pieces.shape[1] + xs, b'],"a":1},\n']
    )[:-2]
