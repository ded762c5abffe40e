"""Build the definitions of an LDtk project: its kinds of layers, entities, fields and values."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from undercroft.core.custom_tiles import list_custom_codes
from undercroft.core.palette import Palette
from undercroft.draw.tileset.picture import custom_pieces, tileset
from undercroft.draw.tileset.piece_sheets import custom_sheet_name

PICTURE_FILE = "undercroft.png"
"""The file with our own tileset."""
CELL_PIXELS = 16
"""Pixels per cell."""
TILESET_UID = 1
"""The uid of the tileset."""
FIELD_TYPES = {
    "Int": ("F_Int", "V_Int"),
    "Float": ("F_Float", "V_Float"),
    "Bool": ("F_Bool", "V_Bool"),
    "String": ("F_Text", "V_String"),
    "Point": ("F_Point", "V_String"),
}
"""For each type as readers see it: the editor's type, and the case that holds its values."""
JSON_MODE = "LangJson"
"""The language of a text field that holds JSON: the editor colours it, and we read a list or a table from it."""
ENUM_COLOURS = (0x8B9BB4, 0xC77B30, 0xD2433A, 0x8B6BD6, 0x63C74D)

Data = dict[str, Any]


class LdtkField(NamedTuple):
    """A field of entities or levels."""

    identifier: str
    type: str
    """A key of FIELD_TYPES, or the name of an enum."""
    array: bool = False
    null: bool = False
    doc: str | None = None
    show: str = "Hidden"
    """How the editor shows its value."""
    language: str | None = None
    """The language of a text, which the editor colours."""


class UidCounter:
    """Issues the uids of a project, which differ for all its definitions."""

    def __init__(self) -> None:
        self.next = TILESET_UID + 1

    def new_uid(self) -> int:
        self.next += 1
        return self.next - 1


def to_identifier(text: str, otherwise: str) -> str:
    """A text as a valid LDtk name: Latin letters, digits and underscores.

    >>> to_identifier("secret door (old)", "tile"), to_identifier("祠", "tile")
    ('secret_door_old', 'tile')
    """
    return re.sub(r"[^A-Za-z0-9]+", "_", text).strip("_") or otherwise


def build_tile_rect(number: int) -> Data:
    """The rectangle of a piece in the tileset."""
    y, x = divmod(number, tileset().columns)
    return {"tilesetUid": TILESET_UID, "x": x * CELL_PIXELS, "y": y * CELL_PIXELS, "w": CELL_PIXELS, "h": CELL_PIXELS}


def parse_defaults(text: str) -> Data:
    """Parse the values that all rows of a kind share, given as JSON."""
    table: Data = json.loads(f"{{{text}}}")
    return table


TILESET_DEFAULTS = parse_defaults("""
    "embedAtlas": null, "spacing": 0, "padding": 0, "tags": [], "tagsSourceEnumUid": null, "enumTags": [],
    "savedSelections": [], "cachedPixelData": null
""")
LAYER_DEFAULTS = parse_defaults("""
    "doc": null, "uiColor": null, "guideGridWid": 0, "guideGridHei": 0, "displayOpacity": 1, "inactiveOpacity": 1,
    "hideInList": false, "hideFieldsWhenInactive": true, "canSelectWhenInactive": true, "renderInWorldView": true,
    "pxOffsetX": 0, "pxOffsetY": 0, "parallaxFactorX": 0, "parallaxFactorY": 0, "parallaxScaling": true,
    "requiredTags": [], "excludedTags": [], "autoTilesKilledByOtherLayerUid": null, "uiFilterTags": [],
    "useAsyncRender": false, "intGridValues": [], "intGridValuesGroups": [], "autoRuleGroups": [],
    "autoSourceLayerDefUid": null, "tilePivotX": 0, "tilePivotY": 0, "biomeFieldUid": null
""")
ENUM_DEFAULTS = parse_defaults(
    """ "iconTilesetUid": null, "externalRelPath": null, "externalFileChecksum": null, "tags": [] """
)
FIELD_DEFAULTS = parse_defaults("""
    "arrayMinLength": null, "arrayMaxLength": null, "editorDisplayScale": 1, "editorDisplayPos": "Above",
    "editorLinkStyle": "StraightArrow", "editorDisplayColor": null, "editorAlwaysShow": false,
    "editorShowInWorld": false, "editorCutLongValues": true, "editorTextSuffix": null, "editorTextPrefix": null,
    "useForSmartColor": false, "exportToToc": false, "searchable": false, "min": null, "max": null, "regex": null,
    "acceptFileTypes": null, "defaultOverride": null, "textLanguageMode": null, "symmetricalRef": false,
    "autoChainRef": true, "allowOutOfLevelRef": true, "allowedRefs": "OnlySame", "allowedRefsEntityUid": null,
    "allowedRefTags": [], "tilesetUid": null
""")
ENTITY_DEFAULTS = parse_defaults("""
    "exportToToc": false, "allowOutOfBounds": false, "minWidth": null, "maxWidth": null, "minHeight": null,
    "maxHeight": null, "keepAspectRatio": false, "tileOpacity": 1, "showName": false, "tileRenderMode": "FitInside",
    "uiTileRect": null, "nineSliceBorders": [], "limitScope": "PerLevel", "limitBehavior": "MoveLastOne", "pivotX": 0,
    "pivotY": 0, "fieldDefs": []
""")


def picture_file(palette: Palette) -> str:
    """The file with the tileset, beside the project. A palette with custom tiles has one of its own."""
    return f"{custom_sheet_name(palette)}-whole.png" if list_custom_codes(palette) else PICTURE_FILE


def tileset_def(palette: Palette) -> Data:
    """Our own tileset. The custom data of each piece holds its name and role, and the name and colour of a custom
    tile.
    """
    found = custom_pieces(palette)
    tiles = found.tiles
    width, height = tiles.image.size
    told = [
        {"tileId": number, "data": f"{name}\nrole: {role}"}
        for number, (name, role) in enumerate(zip(tiles.names, tiles.roles, strict=True))
    ]
    for number, code in enumerate(found.codes, found.first):
        tile = palette.tiles[code]
        told[number]["data"] = f"{told[number]['data']}\nname: {tile.name}\ncolour: {tile.colour}"
    size = {
        "__cWid": tiles.columns,
        "__cHei": height // CELL_PIXELS,
        "pxWid": width,
        "pxHei": height,
        "tileGridSize": CELL_PIXELS,
    }
    return (
        {"identifier": "Undercroft", "uid": TILESET_UID, "relPath": picture_file(palette)}
        | size
        | TILESET_DEFAULTS
        | {"customData": told}
    )


def layer_def(uid: int, name: str, kind: str) -> Data:
    """A layer of the kind IntGrid, Tiles or Entities."""
    own = {
        "__type": kind,
        "identifier": name,
        "type": kind,
        "uid": uid,
        "gridSize": CELL_PIXELS,
        "tilesetDefUid": TILESET_UID if kind == "Tiles" else None,
    }
    return own | LAYER_DEFAULTS


def value_def(value: int, name: str, colour: str, group: int = 0) -> Data:
    """A value of an IntGrid layer."""
    return {"value": value, "identifier": name, "color": colour.upper(), "tile": None, "groupUid": group}


def enum_def(uid: int, name: str, values: Sequence[str]) -> Data:
    """An enum."""
    rows = [
        {"id": value, "tileRect": None, "color": ENUM_COLOURS[index % len(ENUM_COLOURS)]}
        for index, value in enumerate(values)
    ]
    return {"identifier": name, "uid": uid, "values": rows} | ENUM_DEFAULTS


def type_name(field: LdtkField) -> str:
    """The type of a field as readers see it."""
    name = field.type if field.type in FIELD_TYPES else f"LocalEnum.{field.type}"
    return f"Array<{name}>" if field.array else name


def field_def(uid: int, field: LdtkField, enums: dict[str, int]) -> Data:
    """The definition of a field."""
    kind = FIELD_TYPES[field.type][0] if field.type in FIELD_TYPES else f"F_Enum({enums[field.type]})"
    own = {
        "identifier": field.identifier,
        "doc": field.doc,
        "__type": type_name(field),
        "uid": uid,
        "type": kind,
        "isArray": field.array,
    }
    shown = {"canBeNull": field.null, "editorDisplayMode": field.show}
    return own | shown | FIELD_DEFAULTS | {"textLanguageMode": field.language}


def field_value(field: LdtkField, uid: int, value: Any) -> Data:
    """The value of a field of one entity or level; None if it has none."""
    held = value if field.array else [] if value is None else [value]
    case = FIELD_TYPES[field.type][1] if field.type in FIELD_TYPES else "V_String"
    raw = [{"id": case, "params": [f"{one['cx']},{one['cy']}" if field.type == "Point" else one]} for one in held]
    return {
        "__identifier": field.identifier,
        "__type": type_name(field),
        "__value": value,
        "__tile": None,
        "defUid": uid,
        "realEditorValues": raw,
    }


def entity_def(
    uid: int,
    name: str,
    colour: str,
    *,
    tile: int | None = None,
    tag: str = "",
    doc: str | None = None,
    box: bool = False,
    most: int = 0,
) -> Data:
    """A kind of entities: a picture on one cell, or a box of any size. Its fields are added later."""
    own = {"identifier": name, "uid": uid, "tags": [tag] if tag else [], "doc": doc, "color": colour, "maxCount": most}
    size = {"width": CELL_PIXELS, "height": CELL_PIXELS, "resizableX": box, "resizableY": box, "hollow": box}
    look: Data = {
        "renderMode": "Rectangle" if box else "Cross",
        "tilesetId": None,
        "tileRect": None,
        "fillOpacity": 0.06 if box else 0.3,
        "lineOpacity": 0.5 if box else 0,
    }
    if tile is not None:
        look |= {"renderMode": "Tile", "tilesetId": TILESET_UID, "tileRect": build_tile_rect(tile)}
    return own | size | look | ENTITY_DEFAULTS
