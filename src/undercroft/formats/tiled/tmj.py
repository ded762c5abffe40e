"""Read and write TMJ, the JSON maps of Tiled: https://doc.mapeditor.org/en/stable/reference/json-map-format/

The layers are the same as in TMX. The tilesets are in the map, since Phaser reads no others; their pictures are sibling
files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from undercroft.core.level import Level
from undercroft.errors import BadInput, unknown_name_error
from undercroft.formats.shared.siblings import SiblingFiles
from undercroft.formats.tiled import cells as tiled_cells
from undercroft.formats.tiled import tiles
from undercroft.formats.tiled.layers import NOTES_NAME, build_parts
from undercroft.formats.tiled.object_table import JSON_KIND, ObjectLayer, ObjectTable, Property, PropertyColumn
from undercroft.formats.tiled.tmx import BOOLEAN_WORDS, ENCODINGS, TILED_VERSION, TextCache, format_points
from undercroft.inputs.json import format_json, parse_json


def dump(level: Level, encoding: str = "csv", tileset: Any = None) -> bytes:
    """The level as TMJ; `encoding` is `csv`, a list of numbers that every program reads, or `zlib`, which is short, but
    which Phaser cannot read. `tileset` is one of the user's own.
    """
    if encoding not in ENCODINGS:
        raise unknown_name_error("encoding", encoding, ENCODINGS)
    try:
        return b"".join(_format_map(level, encoding, tileset))
    except UnicodeEncodeError as error:
        raise BadInput(
            f"the level holds the text {error.object[error.start : error.end]!a}, which is half a character",
            fix="correct that text",
        ) from None


def load(data: bytes, file: str, folder: SiblingFiles | None = None) -> Level:
    """The level in a TMJ map, ours or not; tilesets and templates that it names are opened in the folder."""
    from undercroft.formats.tiled.read_map import read_map

    return read_map(parse_json(data, file), file, folder)


dump_siblings = tiles.dump_picture_siblings


def _format_map(level: Level, encoding: str, tileset: Any) -> Iterator[bytes]:
    found = build_parts(level, tileset)
    size = found.sheets[0].size
    count = len(found.tiles) + len(found.objects) + 2
    about = {
        "type": "map",
        "version": "1.10",
        "tiledversion": TILED_VERSION,
        "orientation": "orthogonal",
        "renderorder": "right-down",
        "infinite": False,
        "width": level.width,
        "height": level.height,
        "tilewidth": size,
        "tileheight": size,
        "compressionlevel": -1,
        "nextlayerid": count,
        "nextobjectid": found.next_id,
        "properties": _format_properties(found.properties),
    }
    yield b"{"
    yield ",\n".join(f"{format_json(key)}:{format_json(value)}" for key, value in about.items()).encode()
    sheets = zip(found.first_gids, found.sheets, strict=True)
    sets = [f'{{"firstgid":{first},{tiles.format_tileset_json(sheet)}' for first, sheet in sheets]
    yield f',\n"tilesets":[{",".join(sets)}]'.encode()
    yield b',\n"layers":[\n'
    for number, (name, cells) in enumerate(found.tiles.items(), 1):
        hidden = name == "collision"
        rest = {
            "x": 0,
            "y": 0,
            "width": level.width,
            "height": level.height,
            "opacity": 0.5 if hidden else 1,
            "visible": not hidden,
        }
        yield format_json({"id": number, "name": name, "type": "tilelayer", **rest})[:-1].encode()
        yield from _format_cells(cells, encoding)
        yield b"},\n"
    for number, layer in enumerate(found.objects, len(found.tiles) + 1):
        yield _format_layer_head(number, layer).encode()
        yield ",\n".join([row for objects in layer.objects for row in _format_objects(objects)]).encode()
        yield b"]},\n"
    notes = ObjectLayer(NOTES_NAME, "", False, ())
    yield _format_layer_head(count - 1, notes, {"locked": True, "properties": _format_properties(found.notes)}).encode()
    yield b"]}]}\n"


def _format_cells(cells: NDArray[np.int32], encoding: str) -> Iterator[bytes]:
    if encoding == "csv":
        yield from (b',"data":[\n', tiled_cells.format_csv(cells), b"]")
    else:
        yield from (b',"encoding":"base64","compression":"zlib","data":"', tiled_cells.pack_base64(cells), b'"')


def _format_properties(texts: dict[str, str]) -> list[dict[str, str]]:
    return [{"name": name, "type": "string", "value": value} for name, value in texts.items()]


def _format_layer_head(number: int, layer: ObjectLayer, more: dict[str, Any] | None = None) -> str:
    """The beginning of a layer of objects, up to the first object."""
    rest = {
        "x": 0,
        "y": 0,
        "opacity": 1,
        "visible": layer.shown,
        **({"color": layer.colour} if layer.colour else {}),
        **(more or {}),
    }
    return (
        format_json({"id": number, "name": layer.name, "type": "objectgroup", "draworder": "topdown", **rest})[:-1]
        + ',"objects":[\n'
    )


def _format_objects(objects: ObjectTable) -> Iterable[str]:
    """One line per object."""
    count = len(objects.ids)
    line, columns = ['{"id":%d'], [objects.ids]

    def add(pattern: str, values: Sequence[Any]) -> None:
        line.append(pattern)
        columns.append(values)

    add(',"name":%s', _quote_words(objects.names) or ['""'] * count)
    add(',"type":%s', _quote_words(objects.types))
    if objects.gids:
        add(',"gid":%d', objects.gids)
    add(',"x":%d', objects.x)
    add(',"y":%d', objects.y)
    width, height = objects.sizes or ([0] * count, [0] * count)
    add(',"width":%d', width)
    add(',"height":%d', height)
    line.append(',"rotation":0,"visible":true')
    if objects.properties or any(objects.further):
        add(',"properties":[%s]', _format_object_properties(objects))
    if objects.points:
        add(f',"{objects.shape}":[%s]', format_points(objects.points, '{"x":%d,"y":%d}', ","))
    elif objects.shape:
        line.append(f',"{objects.shape}":true')
    line.append("}")
    return map("".join(line).__mod__, zip(*columns, strict=True))


def _format_object_properties(objects: ObjectTable) -> list[str]:
    """The properties of each object."""
    forms = [
        f'{{"name":{format_json(column.name)},"type":"{column.kind}","value":%s}}' for column in objects.properties
    ]
    rows = (
        list(map(",".join(forms).__mod__, zip(*map(_format_values, objects.properties), strict=True))) if forms else []
    )
    if not any(objects.further):
        return rows
    written = TextCache(_format_property)
    more = [",".join(map(written.__getitem__, told)) for told in objects.further]
    return [",".join(filter(None, pair)) for pair in zip(rows or [""] * len(more), more, strict=True)]


def _format_values(column: PropertyColumn) -> Sequence[Any]:
    if column.kind == "bool":
        return [BOOLEAN_WORDS[value] for value in column.values]
    return _quote_words(column.values) if column.kind == "string" else column.values


def _format_property(told: Property) -> str:
    name, kind, value = told
    if kind == JSON_KIND:
        return f'{{"name":{format_json(name)},"propertytype":"{kind}","type":"string","value":{format_json(value)}}}'
    return f'{{"name":{format_json(name)},"type":"{kind}","value":{value if kind == "float" else format_json(value)}}}'


def _quote_words(words: Sequence[str]) -> list[str]:
    """Words as JSON texts."""
    return list(map(TextCache(format_json).__getitem__, words))
