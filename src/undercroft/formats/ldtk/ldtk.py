"""Write LDtk projects, version 1.5.3: one level with all its layers, entities and definitions, and a sibling tileset.

The layers, from the top: `Entities` (start, end, doors, things), `Rooms` (rooms, links, the path), the tiles `Decor`,
`Doors` and `Terrain_tiles`, and the grids of numbers `Terrain` (a value for each tile of the palette, 0 for void) and
`Regions` (the labels of regions).
"""

from __future__ import annotations

from hashlib import blake2b
from itertools import count

from undercroft import limits
from undercroft.core.level import Level
from undercroft.draw.scene.png_file import encode_png_file
from undercroft.draw.tileset.picture import custom_pieces
from undercroft.formats.ldtk import definitions as defs
from undercroft.formats.ldtk import project_layers as layers
from undercroft.formats.ldtk.definitions import CELL_PIXELS, LdtkField, UidCounter
from undercroft.formats.ldtk.entities import Entities
from undercroft.formats.native.native import format_palette
from undercroft.formats.shared.characters import encode_utf8
from undercroft.formats.shared.origin import format_origin
from undercroft.inputs.json import format_json

LDTK_VERSION = "1.5.3"
LDTK_BUILD = 473703
"""The build number of that version."""
BACKGROUND_COLOUR = "#0D0F16"
LEVEL_FIELDS = (
    LdtkField("title", "String", doc="what the place is called"),
    LdtkField("palette", "String", doc="the tiles that the values of Terrain stand for"),
    LdtkField("undercroft", "String", doc="how the level was made"),
)
"""The fields of a level besides its layers."""
PROJECT_DEFAULTS = defs.parse_defaults(f"""
    "__header__": {{
        "fileType": "LDtk Project JSON", "app": "Undercroft", "doc": "https://ldtk.io/json",
        "appVersion": "{LDTK_VERSION}", "url": "https://ldtk.io"
    }},
    "jsonVersion": "{LDTK_VERSION}", "appBuildId": {LDTK_BUILD}, "identifierStyle": "Free", "toc": [],
    "worldLayout": "Free", "worldGridWidth": 256, "worldGridHeight": 256, "defaultLevelWidth": 256,
    "defaultLevelHeight": 256, "defaultPivotX": 0, "defaultPivotY": 0, "defaultGridSize": {CELL_PIXELS},
    "defaultEntityWidth": {CELL_PIXELS}, "defaultEntityHeight": {CELL_PIXELS},
    "bgColor": "#40465B", "defaultLevelBgColor": "{BACKGROUND_COLOUR}",
    "minifyJson": false, "externalLevels": false, "exportTiled": false, "simplifiedExport": false,
    "imageExportMode": "None", "exportLevelBg": true, "pngFilePattern": null, "backupOnSave": false,
    "backupLimit": 10, "backupRelPath": null, "levelNamePattern": "Level_%idx", "tutorialDesc": null,
    "customCommands": [], "flags": [], "worlds": []
""")
LEVEL_DEFAULTS = defs.parse_defaults(f"""
    "worldX": 0, "worldY": 0, "worldDepth": 0, "__bgColor": "{BACKGROUND_COLOUR}", "bgColor": null,
    "useAutoIdentifier": false, "bgRelPath": null, "bgPos": null, "bgPivotX": 0.5, "bgPivotY": 0.5,
    "__smartColor": "#86878B", "__bgPos": null, "externalRelPath": null, "__neighbours": []
""")


class IidGenerator:
    """The iids of a project: all different, and the same whenever the same level is written."""

    def __init__(self, level: Level) -> None:
        parts = (
            level.tiles,
            level.regions.labels,
            level.regions.table,
            level.doors.table,
            level.links.table,
            level.path,
        )
        self._key = blake2b(b"".join(part.tobytes() for part in parts), digest_size=32).digest()
        self._turn = count()

    def new_iid(self) -> str:
        """The next iid: a UUID of version 8, which is for custom schemes."""
        made = blake2b(next(self._turn).to_bytes(8, "little"), key=self._key, digest_size=16).hexdigest()
        return f"{made[:8]}-{made[8:12]}-8{made[13:16]}-{'89ab'[int(made[16], 16) & 3]}{made[17:20]}-{made[20:]}"


def dump(level: Level) -> bytes:
    """The level as an LDtk project."""
    limits.LDTK_CELLS.check(level.tiles.size, "the number of cells")
    iids, numbers = IidGenerator(level), UidCounter()
    project, world, place = iids.new_iid(), iids.new_iid(), iids.new_iid()
    uids = {name: numbers.new_uid() for name in layers.LAYER_KINDS}
    level_uid = numbers.new_uid()
    entities = Entities(level, iids.new_iid, numbers)
    fields = [defs.field_def(numbers.new_uid(), field, {}) for field in LEVEL_FIELDS]
    head = PROJECT_DEFAULTS | {"iid": project, "dummyWorldIid": world}
    definitions = {
        "layers": layers.build_layer_defs(level, uids, numbers),
        "entities": entities.defs,
        "tilesets": [defs.tileset_def(level.palette)],
    }
    head |= {
        "defs": definitions | {"enums": entities.enums, "externalEnums": [], "levelFields": fields},
        "nextUid": numbers.next,
    }
    told = (level.title, format_palette(level.palette), format_origin(level))
    rows = [
        defs.field_value(field, row["uid"], value) for field, row, value in zip(LEVEL_FIELDS, fields, told, strict=True)
    ]
    body = {
        "identifier": defs.to_identifier(level.title, "Level_0"),
        "iid": place,
        "uid": level_uid,
        "pxWid": level.width * CELL_PIXELS,
        "pxHei": level.height * CELL_PIXELS,
    }
    held = layers.dump_layers(level, uids, level_uid, entities.dump_layer, iids.new_iid)
    return b"".join(
        (
            encode_utf8(format_json(head)[:-1]),
            b',\n"levels":[',
            encode_utf8(format_json(body | LEVEL_DEFAULTS | {"fieldInstances": rows})[:-1]),
            b',\n"layerInstances":[\n',
            held,
            b"]}]}\n",
        )
    )


def dump_siblings(level: Level, stem: str) -> dict[str, bytes]:  # noqa: ARG001 - the same for all of a palette
    """The picture with the tiles, by file name."""
    return {defs.picture_file(level.palette): encode_png_file(custom_pieces(level.palette).tiles.image)}


def load(data: bytes, file: str) -> Level:
    """The first level of a project, ours or not."""
    from undercroft.formats.ldtk.read_project import read_project

    return read_project(data, file)
