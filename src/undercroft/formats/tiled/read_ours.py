"""Read our own maps of Tiled: all parts are read back, and cells repainted since are respected."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from undercroft import limits
from undercroft.core import drawing
from undercroft.core.level import Level
from undercroft.core.palette import Palette
from undercroft.core.region import DOOR_DTYPE, LINK_DTYPE, REGION_DTYPE, Regions, view_doors, view_links
from undercroft.draw.tileset.picture import LAYERS
from undercroft.draw.tileset.piece_sheets import draw_level
from undercroft.formats.native import runs
from undercroft.formats.native.read_level import check_regions, count_region_cells, read_palette
from undercroft.formats.shared import checked
from undercroft.formats.shared.origin import parse_origin
from undercroft.formats.tiled import tags as tiled_tags
from undercroft.formats.tiled.cells import TURN_BITS, Gids
from undercroft.formats.tiled.checked_map import TiledMap, TiledTileset, read_blocks
from undercroft.formats.tiled.layers import DRAWN_NOTE, FIRST_GID, NOTES_NAME, VERSIONS
from undercroft.formats.tiled.objects import TiledObject, build_thing, detect_end, read_objects
from undercroft.formats.tiled.roles import (
    LayerReading,
    Roles,
    TileFacts,
    collect_tile_facts,
    compose_roles,
    interpret_layers,
    read_tile_types,
    roles_to_tiles,
)
from undercroft.formats.tiled.tiles import fingerprint
from undercroft.inputs.json import parse_json
from undercroft.inputs.values import in_file, quote_name
from undercroft.wording import join_words

Rows = list[dict[str, Any]]
OWN_READINGS = {
    "terrain": LayerReading("ground", "", ""),
    "doors": LayerReading("ground", "", ""),
    "decor": LayerReading("decoration", "", ""),
}
"""How our own layers are interpreted."""
EMPTY_BOX = {"width": 0, "height": 0}
"""The sides of a room without cells: a copy with a label that no cell has."""


def read_notes(found: TiledMap) -> dict[str, str]:
    """Our notes about the map, if it has some that fit its size; Tiled can resize a map."""
    layer = found.find_layer(NOTES_NAME, "objectgroup")
    if layer is None or "format" not in layer.properties or found.size is None:
        return {}
    made = layer.properties["format"]
    if made not in VERSIONS:
        raise layer.spot.error(
            f"this is {quote_name(made)}; this program reads {join_words(VERSIONS)}",
            "read it with the program that wrote it, or a newer one",
        )
    told = {name: value for name, value in layer.properties.items() if isinstance(value, str)}
    rows = told.get("tiles", "").split("\n")
    return told if len(rows) == found.size[1] and all(len(row) == found.size[0] for row in rows) else {}


def read_own_level(found: TiledMap, told: dict[str, str], known: TileFacts) -> Level:
    """The level that we wrote."""
    file = found.spot.file
    palette = known.palette
    tiles, _ = drawing.parse_tiles(told["tiles"], palette, file=f"{file}: the note 'tiles'")
    made = _build_level(found, told, tiles, palette)
    changed, now = _find_repainted(found, told, known, made) or (
        np.zeros(tiles.shape, bool),
        np.zeros(tiles.shape, np.uint16),
    )
    if not changed.any():
        return made
    tiles[changed] = roles_to_tiles(now[changed], palette, found.spot)
    return made.replace(tiles=tiles)


def build_unopened_note(found: TiledMap) -> dict[str, Any]:
    """A note about the files that the map names and that were not opened, if there are any."""
    return {"files that were not opened": dict(found.beside.closed)} if found.beside.closed else {}


def has_same_pieces(found: TiledMap, palette: Palette) -> bool:
    """Whether the map was written with the current pieces of our tileset; also True for a map without our notes."""
    layer = found.find_layer(NOTES_NAME, "objectgroup")
    return layer is None or layer.properties.get("pieces") == fingerprint(palette)


def read_map_palette(found: TiledMap) -> Palette:
    """The palette that the map names or holds."""
    said = str(found.properties.get("palette", "standard"))
    spot = in_file(
        parse_json(said.encode(), f"{found.spot.file}: the property 'palette'") if said.startswith("{") else said,
        "palette",
        found.spot.file,
    )
    return read_palette(spot)


def read_map_provenance(found: TiledMap) -> dict[str, Any]:
    """The provenance of the level; empty if the map has none."""
    if NOTES_NAME not in found.properties:
        return {}
    file = f"{found.spot.file}: the property '{NOTES_NAME}'"
    return parse_origin(str(found.properties[NOTES_NAME]), file, "map")


def list_objects(found: TiledMap, name: str) -> list[TiledObject]:
    """The objects of the layer of that name."""
    layer = found.find_layer(name, "objectgroup")
    return [] if layer is None else list(read_objects(found, layer))


def _build_level(found: TiledMap, told: dict[str, str], tiles: NDArray[np.uint8], palette: Palette) -> Level:
    height, width = tiles.shape
    regions, renumbered = _read_regions(found, told, tiles)
    door_objects = list_objects(found, "doorways")
    numbers = {one.id: number for number, one in enumerate(door_objects)}
    if len(numbers) < len(door_objects):
        raise found.spot.error("two doors of the layer 'doorways' have the same id", "save the map again in Tiled")
    door_rows: Rows = [
        {
            "x": one.cell[0],
            "y": one.cell[1],
            **_read_ends(one, renumbered),
            "state": one.properties.get("state", "closed"),
        }
        for one in door_objects
    ]
    link_rows: Rows = [
        {
            "kind": one.type,
            **_read_ends(one, renumbered),
            "door": numbers.get(_read_door(one), -1),
            "carved": one.properties.get("carved", True),
        }
        for one in list_objects(found, "links")
    ]
    door_table = checked.read_rows(
        in_file(door_rows, "doorways", found.spot.file), checked.door_columns(width, height, len(regions)), DOOR_DTYPE
    )
    link_table = checked.read_rows(
        in_file(link_rows, "links", found.spot.file), checked.link_columns(len(regions), len(door_table)), LINK_DTYPE
    )
    kinds = read_tile_types(found.tilesets)
    things = [
        build_thing(_check_inside(one, width, height), tile=kinds.get(one.gid, ""), lists=told["format"] == VERSIONS[1])
        for one in list_objects(found, "things")
    ]
    ends = {detect_end(one): one for one in reversed(list_objects(found, "spawns"))}
    return Level(
        tiles,
        palette,
        regions=regions,
        doors=view_doors(door_table),
        links=view_links(link_table),
        things=things,
        start=_check_inside(ends["start"], width, height).cell if "start" in ends else None,
        end=_check_inside(ends["end"], width, height).cell if "end" in ends else None,
        path=_read_path(found, width, height),
        provenance=read_map_provenance(found) | ({"tiled": build_unopened_note(found)} if found.beside.closed else {}),
        title=str(found.properties.get("title", "")),
    )


def _check_inside(one: TiledObject, width: int, height: int) -> TiledObject:
    x, y = one.cell
    if not (0 <= x < width and 0 <= y < height):
        raise one.spot.error(
            f"it stands at ({x}, {y}), outside of the map of {width}x{height}", "move it onto the map, or delete it"
        )
    return one


def _read_regions(found: TiledMap, told: dict[str, str], tiles: NDArray[np.uint8]) -> tuple[Regions, dict[int, int]]:
    """The regions, and their new labels by the labels in the file: if rooms were deleted, later ones move up."""
    height, width = tiles.shape
    spot = in_file(None, "the note 'labels'", found.spot.file)
    labels = np.zeros((height, width), np.int32)
    if "labels" in told:
        rows = told["labels"].split("\n")
        if len(rows) != height:
            raise spot.error(f"there are {len(rows):,} rows, the level is {height:,} high")
        labels = runs.parse_runs(rows, width, np.dtype(np.int32), lambda row, what: spot.error(f"row {row}: {what}"))
    rooms = sorted(list_objects(found, "rooms"), key=_read_label)
    numbers = [_read_label(one) for one in rooms]
    for one, label, after in zip(rooms, numbers, numbers[1:], strict=False):
        if label == after:
            raise one.spot.error(f"two rooms have the label {label}", "give the copy a label that no room has")
    renumbered = {label: number for number, label in enumerate(numbers, 1)}
    if numbers != list(range(1, len(numbers) + 1)):
        at = np.searchsorted(numbers, labels)
        labels = (
            np.where(np.append(numbers, -1)[at] == labels, at + 1, 0).astype(np.int32)
            if numbers
            else np.zeros_like(labels)
        )
    areas = count_region_cells(labels, len(rooms), spot).tolist()
    boxes = [dict(zip(("x", "y", "width", "height"), one.box, strict=True)) for one in rooms]
    rows_of: Rows = [
        {"kind": one.type or "room", **box, **({} if area else EMPTY_BOX), "area": area}
        for one, box, area in zip(rooms, boxes, areas, strict=True)
    ]
    row_spot = in_file(rows_of, "rooms", found.spot.file)
    table = checked.read_rows(row_spot, checked.region_columns(width, height), REGION_DTYPE)
    check_regions(labels, table, spot, row_spot)
    tags = {
        label: tiled_tags.parse_tags(str(one.properties["tags"]))
        for label, one in enumerate(rooms, 1)
        if one.properties.get("tags")
    }
    templates = {
        label: str(one.properties["template_name"])
        for label, one in enumerate(rooms, 1)
        if one.properties.get("template_name")
    }
    return Regions(
        labels, table, tags, templates, {label: one.name for label, one in enumerate(rooms, 1) if one.name}
    ), renumbered


def _read_label(one: TiledObject) -> int:
    label = one.properties.get("label")
    if type(label) is not int or label < 1:
        raise one.spot.error(
            f"a room has a label, a whole number from 1, not {quote_name(label)}",
            "add the property label, of the type int",
        )
    return label


def _read_ends(one: TiledObject, renumbered: dict[int, int]) -> dict[str, Any]:
    """The labels on both sides of a door or link; 0 for deleted rooms."""
    ends = {side: one.properties.get(side, 0) for side in ("a", "b")}
    return {side: renumbered.get(label, 0) if type(label) is int else label for side, label in ends.items()}


def _read_door(one: TiledObject) -> int:
    door = one.properties.get("door", 0)
    if isinstance(door, str) and door.isdecimal() and len(door) <= limits.NUMBER_LENGTH.value:
        return int(door)
    return door if type(door) is int else 0


def _read_path(found: TiledMap, width: int, height: int) -> NDArray[np.int32]:
    lines = [one for one in list_objects(found, "path") if len(one.points)]
    if not lines:
        return np.zeros((0, 2), np.int32)
    cells = np.floor(lines[0].points)
    outside = ((cells < 0) | (cells >= (width, height))).any(axis=1)
    if outside.any():
        x, y = cells[outside][0].tolist()
        raise lines[0].spot.error(f"the path leaves the map at ({x:.0f}, {y:.0f})", "move its points back onto the map")
    return cells.astype(np.int32)


def _find_repainted(
    found: TiledMap, told: dict[str, str], known: TileFacts, made: Level
) -> tuple[NDArray[np.bool_], Roles] | None:
    """A mask of the cells that differ from our drawing, and the role that each cell looks like; None if the drawing is
    gone, or of another version.
    """
    readings = [(layer, reading) for layer, reading in interpret_layers(found, LAYERS) if reading.kind != "collision"]
    if not has_same_pieces(found, made.palette) or LAYERS[0] not in {layer.name for layer, _ in readings}:
        return None
    box = (0, 0, made.width, made.height)
    now = compose_roles([(reading, read_blocks(found, layer), layer.spot) for layer, reading in readings], known, box)
    if f"{DRAWN_NOTE}{LAYERS[0]}" in told:  # it is drawn with a tileset that is not ours
        before = compose_roles(
            [
                (reading, [(0, 0, _read_drawn(found, told, layer.name, made))], layer.spot)
                for layer, reading in readings
                if layer.name in LAYERS
            ],
            known,
            box,
        )
        return now != before, now
    ours = draw_level(made)
    own = collect_tile_facts(
        tuple(
            TiledTileset(FIRST_GID + first, None, f"{sheet.name}.tsx", ())
            for first, sheet in zip(ours.firsts, ours.sheets, strict=False)
        ),
        palette=made.palette,
    )
    before = compose_roles(
        [
            (OWN_READINGS[name], [(0, 0, (ours.layers[name] + FIRST_GID).astype(np.uint32))], found.spot)
            for name in LAYERS
        ],
        own,
        box,
    )
    return now != before, now


def _read_drawn(found: TiledMap, told: dict[str, str], name: str, made: Level) -> Gids:
    """The tile numbers of a layer when the map was written."""
    spot = in_file(None, f"the note '{DRAWN_NOTE}{name}'", found.spot.file)
    rows = told.get(f"{DRAWN_NOTE}{name}", "").split("\n")
    if len(rows) != made.height:
        raise spot.error(f"there are {len(rows):,} rows, the level is {made.height:,} high")
    grid = runs.parse_runs(rows, made.width, np.dtype(np.uint32), lambda row, what: spot.error(f"row {row}: {what}"))
    return grid & ~np.uint32(TURN_BITS)
