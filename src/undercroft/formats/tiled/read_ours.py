"""Maps of Tiled that we wrote: everything in them is read back, and what was painted over since is believed."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from undercroft.core import drawing
from undercroft.core.level import Level
from undercroft.core.palette import Palette
from undercroft.core.region import DOOR_ROW, LINK_ROW, REGION_ROW, Regions, doors, links
from undercroft.draw.tileset.picture import LAYERS, laid
from undercroft.formats.native import runs
from undercroft.formats.native.read_level import labels_fit, read_palette, read_provenance
from undercroft.formats.shared import checked, guarded_json
from undercroft.formats.shared.checked import Spot, shown
from undercroft.formats.tiled import tags as tiled_tags
from undercroft.formats.tiled.checked_map import Map, Tileset, blocks
from undercroft.formats.tiled.layers import FIRST, NOTES, VERSION
from undercroft.formats.tiled.objects import Object, objects, thing, which_end
from undercroft.formats.tiled.roles import (
    Known,
    Reading,
    Roles,
    composed,
    known_tiles,
    layer_readings,
    tile_types,
    tiles_of,
)
from undercroft.formats.tiled.tiles import SHEET, fingerprint

Rows = list[dict[str, Any]]
OURS = {
    "terrain": Reading("ground", "", ""),
    "doors": Reading("ground", "", ""),
    "decor": Reading("decoration", "", ""),
}
"""How our own layers are taken."""


def notes(found: Map) -> dict[str, str]:
    """Our notes about the map, if it has some that fit its size: in Tiled a map can be made larger."""
    layer = found.layer(NOTES, "objectgroup")
    if layer is None or "format" not in layer.properties or found.size is None:
        return {}
    made = layer.properties["format"]
    if made != VERSION:
        raise layer.spot.wrong(
            f"this is {shown(made)}; this program reads {VERSION}",
            "read it with the program that wrote it, or a newer one",
        )
    told = {name: value for name, value in layer.properties.items() if isinstance(value, str)}
    rows = told.get("tiles", "").split("\n")
    return told if len(rows) == found.size[1] and all(len(row) == found.size[0] for row in rows) else {}


def level(found: Map, told: dict[str, str], known: Known) -> Level:
    """The level that we wrote."""
    file = found.spot.file
    palette = palette_of(found)
    tiles, _ = drawing.parse(told["tiles"], palette, file=f"{file}: the note 'tiles'")
    made = _drawn(found, told, tiles, palette)
    changed, now = _repainted(found, known, made) or (np.zeros(tiles.shape, bool), np.zeros(tiles.shape, np.uint8))
    if not changed.any():
        return made
    tiles[changed] = tiles_of(now[changed], palette, found.spot)
    return _with(made, tiles)


def closed(found: Map) -> dict[str, Any]:
    """A note of the files that the map names and that were not opened, if there are some."""
    return {"files that were not opened": dict(found.beside.closed)} if found.beside.closed else {}


def same_pieces(found: Map) -> bool:
    """Whether our tileset has the pieces that it has today; a map without notes of ours may use it too."""
    layer = found.layer(NOTES, "objectgroup")
    return layer is None or layer.properties.get("pieces") == fingerprint()


def palette_of(found: Map) -> Palette:
    """The palette that the map names or holds."""
    said = str(found.properties.get("palette", "standard"))
    spot = Spot(
        guarded_json.parsed(said.encode(), f"{found.spot.file}: the property 'palette'")
        if said.startswith("{")
        else said,
        "palette",
        found.spot.file,
    )
    return read_palette(spot)


def provenance_of(found: Map) -> dict[str, Any]:
    """How the level was made."""
    if NOTES not in found.properties:
        return {}
    file = f"{found.spot.file}: the property '{NOTES}'"
    return read_provenance(Spot(guarded_json.parsed(str(found.properties[NOTES]).encode(), file), "", file))


def listed(found: Map, name: str) -> list[Object]:
    """The objects of the layer of that name."""
    layer = found.layer(name, "objectgroup")
    return [] if layer is None else list(objects(found, layer))


def _drawn(found: Map, told: dict[str, str], tiles: NDArray[np.uint8], palette: Palette) -> Level:
    height, width = tiles.shape
    regions, renumbered = _regions(found, told, tiles)
    door_objects = listed(found, "doorways")
    numbers = {one.id: number for number, one in enumerate(door_objects)}
    if len(numbers) < len(door_objects):
        raise found.spot.wrong("two doors of the layer 'doorways' have the same id", "save the map anew in Tiled")
    door_rows: Rows = [
        {"x": one.cell[0], "y": one.cell[1], **_ends(one, renumbered), "state": one.properties.get("state", "closed")}
        for one in door_objects
    ]
    link_rows: Rows = [
        {
            "kind": one.type,
            **_ends(one, renumbered),
            "door": numbers.get(_door(one), -1),
            "carved": one.properties.get("carved", True),
        }
        for one in listed(found, "links")
    ]
    door_table = checked.rows(
        Spot(door_rows, "doorways", found.spot.file), checked.door_columns(width, height, len(regions)), DOOR_ROW
    )
    link_table = checked.rows(
        Spot(link_rows, "links", found.spot.file), checked.link_columns(len(regions), len(door_table)), LINK_ROW
    )
    kinds = tile_types(found.tilesets)
    things = [thing(_inside(one, width, height), tile=kinds.get(one.gid, "")) for one in listed(found, "things")]
    ends = {which_end(one): one for one in reversed(listed(found, "spawns"))}
    return Level(
        tiles,
        palette,
        regions=regions,
        doors=doors(door_table),
        links=links(link_table),
        things=things,
        start=_inside(ends["start"], width, height).cell if "start" in ends else None,
        end=_inside(ends["end"], width, height).cell if "end" in ends else None,
        path=_path(found, width, height),
        provenance=provenance_of(found) | ({"tiled": closed(found)} if found.beside.closed else {}),
        title=str(found.properties.get("title", "")),
    )


def _inside(one: Object, width: int, height: int) -> Object:
    x, y = one.cell
    if not (0 <= x < width and 0 <= y < height):
        raise one.spot.wrong(
            f"it stands at ({x}, {y}), outside of the map of {width}x{height}", "move it onto the map, or delete it"
        )
    return one


def _regions(found: Map, told: dict[str, str], tiles: NDArray[np.uint8]) -> tuple[Regions, dict[int, int]]:
    """The regions, and the label of each by the label it has in the file: if rooms were deleted, those that follow move
    up.
    """
    height, width = tiles.shape
    spot = Spot(None, "the note 'labels'", found.spot.file)
    labels = np.zeros((height, width), np.int32)
    if "labels" in told:
        rows = told["labels"].split("\n")
        if len(rows) != height:
            raise spot.wrong(f"there are {len(rows):,} rows, the level is {height:,} high")
        labels = runs.parsed(rows, width, np.dtype(np.int32), lambda row, what: spot.wrong(f"row {row}: {what}"))
    rooms = sorted(listed(found, "rooms"), key=_label)
    numbers = [_label(one) for one in rooms]
    for one, label, after in zip(rooms, numbers, numbers[1:], strict=False):
        if label == after:
            raise one.spot.wrong(f"two rooms have the label {label}", "give the copy a label that no room has")
    renumbered = {label: number for number, label in enumerate(numbers, 1)}
    if numbers != list(range(1, len(numbers) + 1)):
        at = np.searchsorted(numbers, labels)
        labels = (
            np.where(np.append(numbers, -1)[at] == labels, at + 1, 0).astype(np.int32)
            if numbers
            else np.zeros_like(labels)
        )
    labels_fit(labels, len(rooms), spot)
    areas = np.bincount(labels.reshape(-1), minlength=len(rooms) + 1)[1:].tolist()
    boxes = [dict(zip(("x", "y", "width", "height"), one.box, strict=True)) for one in rooms]
    rows_of: Rows = [
        {"kind": one.type or "room", **box, "area": one.properties.get("area", area)}
        for one, box, area in zip(rooms, boxes, areas, strict=True)
    ]
    table = checked.rows(Spot(rows_of, "rooms", found.spot.file), checked.region_columns(width, height), REGION_ROW)
    tags = {
        label: tiled_tags.read(str(one.properties["tags"]))
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


def _label(one: Object) -> int:
    label = one.properties.get("label")
    if type(label) is not int or label < 1:
        raise one.spot.wrong(
            f"a room has a label, a whole number from 1, not {shown(label)}", "add the property label, of the type int"
        )
    return label


def _ends(one: Object, renumbered: dict[int, int]) -> dict[str, Any]:
    """The labels a door or link lies between; of rooms that are gone, 0."""
    ends = {side: one.properties.get(side, 0) for side in ("a", "b")}
    return {side: renumbered.get(label, 0) if type(label) is int else label for side, label in ends.items()}


def _door(one: Object) -> int:
    door = one.properties.get("door", 0)
    return door if type(door) is int else int(door) if isinstance(door, str) and door.isdecimal() else 0


def _path(found: Map, width: int, height: int) -> NDArray[np.int32]:
    lines = [one for one in listed(found, "path") if len(one.points)]
    if not lines:
        return np.zeros((0, 2), np.int32)
    cells = np.floor(lines[0].points)
    outside = ((cells < 0) | (cells >= (width, height))).any(axis=1)
    if outside.any():
        x, y = cells[outside][0].tolist()
        raise lines[0].spot.wrong(f"the path leaves the map at ({x:.0f}, {y:.0f})", "move its points back onto the map")
    return cells.astype(np.int32)


def _repainted(found: Map, known: Known, made: Level) -> tuple[NDArray[np.bool_], Roles] | None:
    """The cells that look otherwise than we draw them, and the role that each cell looks like; None if the drawing is
    gone, or of another version.
    """
    readings = [(layer, reading) for layer, reading in layer_readings(found, LAYERS) if reading.kind != "collision"]
    if not same_pieces(found) or LAYERS[0] not in {layer.name for layer, _ in readings}:
        return None
    box = (0, 0, made.width, made.height)
    now = composed([(reading, blocks(found, layer), layer.spot) for layer, reading in readings], known, box)
    ours = laid(made)
    own = known_tiles((Tileset(FIRST, None, SHEET, ()),))
    before = composed(
        [(OURS[name], [(0, 0, (ours[name] + FIRST).astype(np.uint32))], found.spot) for name in LAYERS], own, box
    )
    return now != before, now


def _with(made: Level, tiles: NDArray[np.uint8]) -> Level:
    parts = ("regions", "doors", "links", "things", "start", "end", "path", "provenance", "title")
    return Level(tiles, made.palette, **{part: getattr(made, part) for part in parts})
