"""Valid files of every format that can be read: what mutations begin with."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any, NamedTuple

import undercroft as uc
from support.levels import crypt
from support.paths import TESTS
from undercroft.core.level import Level
from undercroft.errors import UndercroftError
from undercroft.formats import FORMATS, dump_files, load, loads
from undercroft.formats.table import Format
from undercroft.recipe.document import Recipe

FOREIGN_FOLDERS = (TESTS / "cases" / "imports", TESTS / "formats" / "foreign")
"""Where files lie that other programs wrote."""

KEEP = """
step = [
    {use = "fill"}, {use = "split"}, {use = "chambers", min_width = 4, min_height = 3, least = 3},
    {use = "siblings", extra = 0.3}, {use = "hallways", doors = 1.0}, {use = "ends"}, {use = "locks", locks = 2},
    {use = "furnish"}, {use = "names"},
]
"""
"""Rooms with locks, keys, things and names."""

WRITER_OPTIONS: dict[str, tuple[dict[str, Any], ...]] = {
    "tmx": ({}, {"encoding": "zlib"}),
    "tmj": ({}, {"encoding": "zlib"}),
    "csv": ({}, {"names": True}),
}
"""Options to write a format with, one file for each; a format that is not here is written without options."""

TILED_SHEET = """<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" name="walls" tilewidth="16" tileheight="16" tilecount="4" columns="2">
 <image source="x.png" width="32" height="32"/>
 <tile id="1" type="wall"/>
 <tile id="2"><properties><property name="water" type="bool" value="true"/></properties></tile>
 <tile id="3" type="chest"/>
</tileset>
"""
TILED_TEMPLATE = """<?xml version="1.0" encoding="UTF-8"?>
<template><tileset firstgid="1" source="walls.tsx"/><object name="box" type="chest" gid="4" width="16" height="16">
<properties><property name="gold" type="int" value="7"/></properties></object></template>
"""
TILED_MAP = """<?xml version="1.0" encoding="UTF-8"?>
<map version="1.10" orientation="orthogonal" width="4" height="3" tilewidth="16" tileheight="16" infinite="1">
 <properties><property name="title" value="Crypt"/></properties>
 <tileset firstgid="1" source="walls.tsx"/>
 <group id="1" name="all" offsetx="16"><layer id="2" name="ground" width="4" height="3"><data encoding="csv">
<chunk x="0" y="0" width="4" height="2">2,2,2,2,2,1,1,2</chunk>
<chunk x="-4" y="2" width="8" height="1">2,2,2,2,3,1,1,2</chunk>
 </data></layer></group>
 <layer id="4" name="doors" width="4" height="3"><data>
<chunk x="0" y="0" width="2" height="1"><tile gid="0"/><tile gid="2147483650"/></chunk></data></layer>
 <objectgroup id="3" name="things" offsety="2">
  <object id="1" template="chest.tx" x="16" y="32"/>
  <object id="2" name="hall" type="room" x="16" y="16" width="32" height="16"/>
  <object id="3" type="lake" x="20" y="20"><polygon points="0,0 20,0 20,10 0,10"/></object>
  <object id="4" type="start" x="24" y="24"><point/></object>
  <object id="5" x="16" y="16" width="16" height="16" rotation="90"><ellipse/></object>
  <object id="6" x="16" y="16" width="9" height="9"><text wrap="1">Beware</text></object>
  <object id="7" gid="4" x="32" y="32" width="16" height="16"/>
  <object id="8" x="16" y="16"><polyline points="0,0 16,0 16,16"/></object>
 </objectgroup>
</map>
"""
TILED_MAP_JSON: dict[str, Any] = {
    "type": "map",
    "orientation": "orthogonal",
    "width": 4,
    "height": 2,
    "tilewidth": 16,
    "tileheight": 16,
    "tilesets": [
        {"firstgid": 1, "source": "walls.tsx"},
        {"firstgid": 9, "name": "own", "tilecount": 2, "tiles": [{"id": 1, "type": "door"}]},
    ],
    "layers": [
        {"type": "group", "name": "all", "layers": [{"type": "tilelayer", "name": "a", "data": [2, 1, 10, 2] * 2}]},
        {
            "type": "objectgroup",
            "name": "things",
            "objects": [
                {"id": 1, "x": 16, "y": 16, "template": "chest.tx"},
                {"id": 2, "x": 16, "y": 0, "width": 32, "height": 16, "type": "room", "name": "hall"},
                {"id": 3, "x": 16, "y": 0, "polygon": [{"x": 0, "y": 0}, {"x": 16, "y": 0}, {"x": 16, "y": 16}]},
                {"id": 4, "x": 20, "y": 4, "point": True, "type": "start"},
                {"id": 5, "x": 20, "y": 4, "gid": 4, "properties": [{"name": "gold", "type": "int", "value": 7}]},
            ],
        },
    ],
}


class StartingFile(NamedTuple):
    """A file with those beside it: contents by name."""

    name: str
    """The file to read."""
    files: dict[str, bytes]


@functools.cache
def list_levels() -> tuple[Level, ...]:
    """Small levels: rooms with all that a level can have, the drawn one, a cave, and a room grid."""
    return (
        Recipe.parse(KEEP, "keep.toml").generate(seed=4, size=(28, 18)).level,
        crypt(),
        uc.generate("cozy", seed=5, size=(28, 20)),
        uc.generate("cave", seed=1, size=(20, 14)),
        uc.generate("neighbours", seed=1, expand=False),
    )


def list_readable() -> list[Format]:
    """The formats that can be read, and those that only give the provenance."""
    return [row for row in FORMATS.values() if row.load or row.origin]


@functools.cache
def list_starting_files(name: str) -> tuple[StartingFile, ...]:
    """Valid files of a format: ours from several levels, and those of other programs. Raises if there is none."""
    row = FORMATS[name]
    levels = list_levels() if row.load else (list_levels()[0], list_levels()[-1])
    found = [*_write_files(row, levels), *_find_foreign_files(row), *_build_foreign_files(row)]
    assert found, (
        f"the format {name!r} can be read, and there is no file to begin with: put one into {FOREIGN_FOLDERS[0]}, or "
        f"add a level that its writer takes to list_levels in {Path(__file__).name}"
    )
    return tuple(found)


def resolve_file_suffix(row: Format) -> str:
    """The suffix of a format's files; a variant such as `png:tiles` has that of the format it belongs to."""
    family = FORMATS.get(row.name.partition(":")[0], row)
    return (*row.suffixes, *family.suffixes, ".bin")[0]


def _write_files(row: Format, levels: tuple[Level, ...]) -> list[StartingFile]:
    """What our writer makes of each level. Left out is what it refuses, and what is read only with another palette."""
    if row.dump is None:
        return []
    found = []
    small = {"cell": 8} if "cell" in row.options and not row.load else {}
    for options in WRITER_OPTIONS.get(row.name, ({},)):
        for level in levels:
            path = Path(f"level{resolve_file_suffix(row)}")
            try:
                files = dump_files(level, path, row, **small, **options)
                if row.load:
                    loads(files[path], row.name)
            except UndercroftError:
                continue
            found.append(StartingFile(path.name, {file.name: data for file, data in files.items()}))
    return found


def _find_foreign_files(row: Format) -> list[StartingFile]:
    """The files of other programs that this reader takes."""
    if row.load is None or row.dump is not None:
        return []
    found = []
    for path in sorted(path for folder in FOREIGN_FOLDERS for path in folder.iterdir()):
        if path.is_file() and path.suffix != ".py":
            try:
                load(path, row.name)
            except UndercroftError:
                continue
            found.append(StartingFile(path.name, {path.name: path.read_bytes()}))
    return found


def _build_foreign_files(row: Format) -> list[StartingFile]:
    """Maps as other programs write them, for readers that tell ours from theirs."""
    beside = {"walls.tsx": TILED_SHEET.encode(), "chest.tx": TILED_TEMPLATE.encode()}
    if row.name == "tmx":
        return [StartingFile("map.tmx", {**beside, "map.tmx": TILED_MAP.encode()})]
    if row.name == "tmj":
        return [StartingFile("map.tmj", {**beside, "map.tmj": json.dumps(TILED_MAP_JSON).encode()})]
    if row.name == "ldtk":
        [first, *_] = _write_files(row, list_levels()[:1])
        project = json.loads(first.files[first.name])
        for level in project["levels"]:
            level["fieldInstances"] = []
        return [StartingFile("theirs.ldtk", {"theirs.ldtk": json.dumps(project).encode()})]
    return []
