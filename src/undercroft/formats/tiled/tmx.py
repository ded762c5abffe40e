"""Read and write TMX, the XML maps of Tiled: https://doc.mapeditor.org/en/stable/reference/tmx-map-format/

`tiled/layers.py` describes the layers. The tileset is in the sibling files `undercroft.tsx` and `undercroft.png`, and
that of custom tiles in two more. The attribute for an object's kind is `type`; only one version of Tiled wrote `class`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from undercroft.core.level import Level
from undercroft.errors import unknown_name_error
from undercroft.formats.shared.siblings import SiblingFiles
from undercroft.formats.tiled import cells as tiled_cells
from undercroft.formats.tiled import tiles
from undercroft.formats.tiled.layers import NOTES_NAME, build_parts
from undercroft.formats.tiled.object_table import JSON_KIND, ObjectTable, Points, Property, PropertyColumn
from undercroft.formats.tiled.xml_text import escape_content, quote_attribute

TILED_VERSION = "1.10.2"
"""The version of Tiled that defines this format; some programs check it."""
ENCODINGS = ("csv", "zlib")
BOOLEAN_WORDS = ("false", "true")


def dump(level: Level, encoding: str = "csv", tileset: Any = None) -> bytes:
    """The level as TMX; `encoding` is `csv`, which reads well in a diff, or `zlib`, which is short. `tileset` is one of
    the user's own.
    """
    if encoding not in ENCODINGS:
        raise unknown_name_error("encoding", encoding, ENCODINGS)
    return b"".join(_format_map(level, encoding, tileset))


def load(data: bytes, file: str, folder: SiblingFiles | None = None) -> Level:
    """The level in a TMX map, ours or not; tilesets and templates that it names are opened in the folder."""
    from undercroft.formats.tiled.read_map import read_map
    from undercroft.formats.tiled.xml import parse_xml

    return read_map(parse_xml(data, file), file, folder)


dump_siblings = tiles.dump_siblings


def _format_map(level: Level, encoding: str, tileset: Any) -> Iterator[bytes]:
    found = build_parts(level, tileset)
    size = found.sheets[0].size
    shape = f'width="{level.width}" height="{level.height}"'
    count = len(found.tiles) + len(found.objects) + 2
    yield b'<?xml version="1.0" encoding="UTF-8"?>\n'
    yield (
        f'<map version="1.10" tiledversion="{TILED_VERSION}" orientation="orthogonal" renderorder="right-down" {shape}'
    ).encode()
    yield (
        f' tilewidth="{size}" tileheight="{size}" infinite="0" nextlayerid="{count}" nextobjectid="{found.next_id}">\n'
    ).encode()
    yield _format_properties(found.properties)
    for first, sheet in zip(found.first_gids, found.sheets, strict=True):
        yield f' <tileset firstgid="{first}" source="{quote_attribute(sheet.name)}.tsx"/>\n'.encode()
    for number, (name, cells) in enumerate(found.tiles.items(), 1):
        hidden = ' visible="0" opacity="0.5"' if name == "collision" else ""
        yield f' <layer id="{number}" name="{name}" {shape}{hidden}>\n'.encode()
        yield from _format_cells(cells, encoding)
        yield b" </layer>\n"
    for number, layer in enumerate(found.objects, len(found.tiles) + 1):
        hidden = "" if layer.shown else ' visible="0"'
        yield f' <objectgroup id="{number}" name="{layer.name}" color="{layer.colour}"{hidden}>\n'.encode()
        for objects in layer.objects:
            yield "".join(_format_objects(objects)).encode()
        yield b" </objectgroup>\n"
    yield f' <objectgroup id="{count - 1}" name="{NOTES_NAME}" visible="0" locked="1">\n'.encode()
    yield _format_properties(found.notes)
    yield b" </objectgroup>\n</map>\n"


def _format_cells(cells: NDArray[np.int32], encoding: str) -> Iterator[bytes]:
    if encoding == "csv":
        yield from (b'  <data encoding="csv">\n', tiled_cells.format_csv(cells), b"\n</data>\n")
    else:
        yield from (b'  <data encoding="base64" compression="zlib">', tiled_cells.pack_base64(cells), b"</data>\n")


def _format_properties(texts: dict[str, str]) -> bytes:
    """Text properties. Those of several lines are element content, which preserves line breaks."""
    rows = [
        f'  <property name="{name}">{escape_content(value)}</property>\n'
        if "\n" in value
        else f'  <property name="{name}" value="{quote_attribute(value)}"/>\n'
        for name, value in texts.items()
    ]
    return "".join([" <properties>\n", *rows, " </properties>\n"]).encode()


def _format_objects(objects: ObjectTable) -> Iterable[str]:
    """One line per object."""
    count = len(objects.ids)
    line, columns = ['  <object id="%d"'], [objects.ids]

    def add(pattern: str, values: Sequence[Any]) -> None:
        line.append(pattern)
        columns.append(values)

    if objects.names:
        add("%s", [f' name="{quote_attribute(name)}"' if name else "" for name in objects.names])
    add(' type="%s"', list(map(TextCache(quote_attribute).__getitem__, objects.types)))
    if objects.gids:
        add(' gid="%d"', objects.gids)
    add(' x="%d"', objects.x)
    add(' y="%d"', objects.y)
    if objects.sizes:
        add(' width="%d"', objects.sizes[0])
        add(' height="%d"', objects.sizes[1])
    line.append(">")
    if objects.properties or any(objects.further):
        line.append("<properties>")
        for column in objects.properties:
            add(f'<property name="{column.name}"{_format_kind(column.kind)} value="%s"/>', _format_values(column))
        written = TextCache(_format_property)
        add("%s", ["".join(map(written.__getitem__, more)) for more in objects.further] or [""] * count)
        line.append("</properties>")
    if objects.points:
        add(f'<{objects.shape} points="%s"/>', format_points(objects.points, "%d,%d", " "))
    elif objects.shape:
        line.append(f"<{objects.shape}/>")
    line.append("</object>\n")
    return map("".join(line).__mod__, zip(*columns, strict=True))


def format_points(points: Points, pattern: str, between: str) -> list[str]:
    """The points of each line as text."""
    forms = {count: between.join([pattern] * count) for count in set(points.counts.tolist())}
    whole = "\n".join([forms[count] for count in points.counts.tolist()])
    return (whole % tuple(points.rows.reshape(-1).tolist())).split("\n") if whole else []


def _format_values(column: PropertyColumn) -> Sequence[Any]:
    if column.kind == "bool":
        return [BOOLEAN_WORDS[value] for value in column.values]
    return (
        list(map(TextCache(quote_attribute).__getitem__, column.values)) if column.kind == "string" else column.values
    )


class TextCache(dict[Any, str]):
    """A cache of formatted texts, since most values occur more than once."""

    def __init__(self, write: Callable[[Any], str]) -> None:
        super().__init__()
        self.write = write

    def __missing__(self, key: Any) -> str:
        self[key] = self.write(key)
        return self[key]


def _format_property(told: Property) -> str:
    name, kind, value = told
    said = quote_attribute(value) if isinstance(value, str) else BOOLEAN_WORDS[value] if kind == "bool" else str(value)
    return f'<property name="{quote_attribute(name)}"{_format_kind(kind)} value="{said}"/>'


def _format_kind(kind: str) -> str:
    if kind == JSON_KIND:
        return f' propertytype="{kind}"'
    return "" if kind == "string" else f' type="{kind}"'
