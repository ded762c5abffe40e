"""The layers of an LDtk level: grids of numbers and of tiles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from undercroft.core.level import Level
from undercroft.core.palette import Palette
from undercroft.draw.tileset.picture import LAYERS, laid, tileset
from undercroft.formats.ldtk import definitions as defs
from undercroft.formats.ldtk.definitions import GRID, PICTURE, TILESET, Data, Numbers
from undercroft.formats.ldtk.number_text import records
from undercroft.formats.native.native import text

KINDS = {
    "Entities": "Entities",
    "Rooms": "Entities",
    "Decor": "Tiles",
    "Doors": "Tiles",
    "Terrain_tiles": "Tiles",
    "Terrain": "IntGrid",
    "Regions": "IntGrid",
}
"""The layers from the top, and the kind of each."""
TILES = dict(zip(("Terrain_tiles", "Doors", "Decor"), LAYERS, strict=True))
LAYER = defs.same("""
    "__opacity": 1, "__pxTotalOffsetX": 0, "__pxTotalOffsetY": 0, "pxOffsetX": 0, "pxOffsetY": 0, "optionalRules": [],
    "overrideTilesetUid": null, "seed": 0
""")
HUES = (
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
"""Colours of regions, one after the other."""


def values(palette: Palette) -> NDArray[np.uint16]:
    """The value of each tile in the grid `Terrain`: one more than its code, and 0, which is empty, for the first
    void.
    """
    table = np.arange(1, len(palette) + 1, dtype=np.uint16)
    if "void" in palette.roles:
        table[palette.role("void")] = 0
    return table


def layer_defs(level: Level, uids: dict[str, int], numbers: Numbers) -> list[Data]:
    """What the layers are. The values of `Terrain` are in groups that are called as their roles."""
    found = {name: defs.layer_def(uids[name], name, kind) for name, kind in KINDS.items()}
    palette = level.palette
    groups = {role: numbers.new() for role in dict.fromkeys(palette.roles)}
    found["Terrain"]["intGridValuesGroups"] = [
        {"uid": uid, "identifier": role, "color": None} for role, uid in groups.items()
    ]
    found["Terrain"]["intGridValues"] = [
        defs.value_def(value, defs.identifier(tile.name, f"tile_{value}"), tile.colour, groups[tile.role])
        for tile, value in zip(palette.tiles, values(palette).tolist(), strict=True)
        if value
    ]
    found["Regions"]["intGridValues"] = [
        defs.value_def(region.label, f"{region.kind}_{region.label}", HUES[region.label % len(HUES)])
        for region in level.regions
    ]
    return [*found.values()]


def written(
    level: Level, uids: dict[str, int], level_uid: int, entities: Callable[[str], bytes], new_iid: Callable[[], str]
) -> bytes:
    """All layers with what they hold."""
    pieces = laid(level)
    grids: dict[str, NDArray[Any]] = {"Terrain": values(level.palette)[level.tiles], "Regions": level.regions.labels}
    made = []
    for name, kind in KINDS.items():
        grid = records([grids[name].reshape(-1), b","])[:-1] if kind == "IntGrid" else b""
        tiles = _tiles(pieces[TILES[name]]) if kind == "Tiles" else b""
        head = text(_head(level, name, kind) | {"iid": new_iid(), "levelId": level_uid, "layerDefUid": uids[name]})[
            :-1
        ].encode()
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


def _head(level: Level, name: str, kind: str) -> Data:
    """What is told of a layer before what it holds."""
    own = {
        "__identifier": name,
        "__type": kind,
        "__cWid": level.width,
        "__cHei": level.height,
        "__gridSize": GRID,
        "visible": name != "Regions",
    }
    tiles = (
        {"__tilesetDefUid": TILESET, "__tilesetRelPath": PICTURE}
        if kind == "Tiles"
        else {"__tilesetDefUid": None, "__tilesetRelPath": None}
    )
    return own | tiles | LAYER


def _tiles(pieces: NDArray[np.int16]) -> bytes:
    """The tiles of a layer, a line each."""
    ys, xs = np.nonzero(pieces >= 0)
    number: NDArray[Any] = pieces[ys, xs].astype(np.int64)
    y, x = np.divmod(number, tileset().columns)
    place, source = (b'{"px":[', xs * GRID, b",", ys * GRID), (b'],"src":[', x * GRID, b",", y * GRID)
    return records([*place, *source, b'],"f":0,"t":', number, b',"d":[', ys * pieces.shape[1] + xs, b'],"a":1},\n'])[
        :-2
    ]
