"""Write the native format, `undercroft-level`: all parts of a level, as JSON that reads well in a diff.

The file is an object with these keys, in this order. Only `format`, `size` and `tiles` are required; others default to
empty.

- `format`: "undercroft-level/1", or "undercroft-level/2" if the data of a thing holds a list or a table, or there is a
  flow
- `size`: [width, height]; `title` if it has one
- `palette`: "standard", or {"name", "tiles": [{"name", "role", "glyph", "face", "colour", "walkable", "opaque",
  "aliases", "turned", "mirrored"; "ports" if it has some}]}
- `tiles`: a text of `width` glyphs for each row
- `regions`: {"labels": a row of runs for each row, as "0*5 3 1*2", or [] if no cell has one,
  "table": [{"label", "kind", "x", "y", "width", "height", "area"; "tags", "template" and "name" if it has them}]},
  label 1 first
- `doors`: [{"x", "y", "a", "b", "state"}], a and b labels of regions or 0
- `links`: [{"a", "b", "kind", "door", "carved"}], door a number from 0 in `doors`, or -1
- `things`: [{"kind", "x", "y", "data"}]; data is an object of texts, numbers and truth values, of lists of these and of
  flat objects, and of flat objects
- `start`, `end`: [x, y] or null; where the key is missing, the only `<` or `>`
- `path`: [[x, y], ...]
- `layers`: {name: {"dtype", "rows"}}; rows of runs as in labels, or lists of numbers if the type is a float
- `flow`, if there is one: {"name", "rooms", "links", "things", "apart", "made", "places", "ways"}, as far
  as they are not empty
- `provenance`: how it was made; seeds are texts, because many JSON readers lose digits of large numbers

The bytes are canonical: equal levels with equal provenance give equal bytes.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from itertools import starmap
from typing import Any

import numpy as np

from undercroft import limits
from undercroft.core import drawing
from undercroft.core.level import Level
from undercroft.core.palette import STANDARD, Palette, Tile
from undercroft.core.region import Thing
from undercroft.core.thing_data import has_lists
from undercroft.errors import BadInput
from undercroft.formats.native import runs
from undercroft.formats.native.flow_data import format_flow
from undercroft.formats.shared.characters import encode_utf8
from undercroft.formats.shared.checked import to_plain_data
from undercroft.formats.shared.origin import format_origin
from undercroft.inputs.json import format_json

VERSIONS = ("undercroft-level/1", "undercroft-level/2")
"""The second is for levels with a flow, or whose things hold lists or tables in their data. Older programs refuse it in
a sentence.
"""
LAYER_TYPES = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64")


def dump(level: Level) -> bytes:
    """The level as canonical JSON.

    >>> print(dump(Level.parse("#1>")).decode(), end="")
    {"format":"undercroft-level/1",
    "size":[3,1],
    "palette":"standard",
    "tiles":[
    "#.>"],
    "regions":{"labels":[
    "0 1 0"],
    "table":[
    {"label":1,"kind":"room","x":1,"y":0,"width":1,"height":1,"area":1}]},
    "doors":[],
    "links":[],
    "things":[],
    "start":null,
    "end":[2,0],
    "path":[],
    "layers":{},
    "provenance":{}}
    """
    return _encode_object(
        [
            *_format_parts(level, format_palette(level.palette)),
            f'"provenance":{format_origin(level)}',
        ]
    )


def load(data: bytes, file: str) -> Level:
    """The level in the file, or an error that names the place and the expected value."""
    from undercroft.formats.native.read_level import read_level

    return read_level(data, file)


def digest(level: Level) -> str:
    """A digest of 32 hex digits, equal for equal levels. It covers the canonical JSON without provenance, and only the
    tiles' names of the palette.

    >>> digest(Level.parse("#.#"))
    'd4ee1b67c1038526094e3933a8b4d5b0'
    """
    return blake2b(
        _encode_object(_format_parts(level, format_json([tile.name for tile in level.palette.tiles]))), digest_size=16
    ).hexdigest()


def _encode_object(parts: Iterable[str]) -> bytes:
    return encode_utf8("{" + ",\n".join(parts) + "}\n")


def _format_parts(level: Level, palette: str) -> list[str]:
    """All keys but `provenance`, each as text."""
    return [
        f'"format":"{choose_version(level, VERSIONS)}"',
        f'"size":[{level.width},{level.height}]',
        *([f'"title":{format_json(level.title)}'] if level.title else []),
        f'"palette":{palette}',
        f'"tiles":{format_json_lines(_tile_rows(level))}',
        f'"regions":{{"labels":{format_json_lines(_label_rows(level))},\n"table":{format_json_lines(_region_rows(level))}}}',
        f'"doors":{format_json_lines(_door_rows(level))}',
        f'"links":{format_json_lines(_link_rows(level))}',
        f'"things":{format_json_lines(format_json(thing_data(thing)) for thing in level.things)}',
        f'"start":{format_json(level.start)}',
        f'"end":{format_json(level.end)}',
        f'"path":{str(level.path.tolist()).replace(" ", "")}',
        f'"layers":{{{",".join(starmap(_format_layer, check_layers(level).items()))}}}',
        *([] if level.flow is None else [f'"flow":{format_flow(level.flow)}']),
    ]


def choose_version(level: Level, versions: tuple[str, str]) -> str:
    """The first version if it can hold the level, else the second."""
    return versions[level.flow is not None or has_lists(thing.data for thing in level.things)]


def format_json_lines(rows: Iterable[str]) -> str:
    """A JSON list with one line per value."""
    inner = ",\n".join(rows)
    return f"[\n{inner}]" if inner else "[]"


def format_palette(palette: Palette) -> str:
    """A palette as JSON: only the name for the standard palette."""
    if palette == STANDARD and palette.name == STANDARD.name:
        return '"standard"'
    tiles = format_json_lines(format_json(_tile_data(tile)) for tile in palette.tiles)
    return f'{{"name":{format_json(palette.name)},"tiles":{tiles}}}'


def palette_data(palette: Palette) -> dict[str, Any]:
    """A palette as a JSON object."""
    return {"name": palette.name, "tiles": [_tile_data(tile) for tile in palette.tiles]}


def _tile_data(tile: Tile) -> dict[str, Any]:
    """A tile as a JSON object. Empty ports are left out, as in older files."""
    data = tile._asdict()
    if not tile.ports:
        del data["ports"]
    return data


def thing_data(thing: Thing) -> dict[str, Any]:
    """A thing as a JSON object."""
    data = {"data": to_plain_data(thing.data)} if thing.data else {}
    return {"kind": thing.kind, "x": int(thing.x), "y": int(thing.y), **data}


def _tile_rows(level: Level) -> Iterable[str]:
    rows = drawing.format_tiles(level.tiles, level.palette).split("\n")
    if '"' in level.palette or "\\" in level.palette:
        return map(format_json, rows)
    return (f'"{row}"' for row in rows)


def _label_rows(level: Level) -> Iterable[str]:
    labels = level.regions.labels
    return (f'"{row}"' for row in runs.format_runs(labels)) if labels.any() else ()


def _region_rows(level: Level) -> Iterable[str]:
    for label, kind, x, y, width, height, area, tags, template, name in level.regions:
        more = f',"tags":{format_json(tags)}' if tags else ""
        more += f',"template":{format_json(template)}' if template else ""
        more += f',"name":{format_json(name)}' if name else ""
        yield (
            f'{{"label":{label},"kind":"{kind}","x":{x},"y":{y},"width":{width},"height":{height},"area":{area}{more}}}'
        )


def _door_rows(level: Level) -> Iterable[str]:
    return (f'{{"x":{x},"y":{y},"a":{a},"b":{b},"state":"{state}"}}' for x, y, a, b, state in level.doors)


def _link_rows(level: Level) -> Iterable[str]:
    return (
        f'{{"a":{a},"b":{b},"kind":"{kind}","door":{door},"carved":{"true" if carved else "false"}}}'
        for a, b, kind, door, carved in level.links
    )


def _format_layer(name: str, layer: np.ndarray[Any, Any]) -> str:
    if layer.dtype.kind != "f":
        rows: Iterable[str] = (f'"{row}"' for row in runs.format_runs(layer))
    elif np.isfinite(layer).all():
        rows = (format_json(row) for row in layer.tolist())
    else:
        raise BadInput(
            f"the layer {name!r} holds a number that is not finite, and JSON has none",
            fix="save it as npz, or fill such cells",
        )
    return f'\n{format_json(name)}:{{"dtype":"{layer.dtype.name}","rows":{format_json_lines(rows)}}}'


def check_layers(level: Level) -> dict[str, np.ndarray[Any, Any]]:
    """The layers of the level, by name; an error if a file cannot hold them."""
    found = {name: _check_layer(level, name) for name in sorted(level.layers)}
    check_layer_bytes(sum(layer.nbytes for layer in found.values()), level.width, level.height, "the level")
    return found


def check_layer_bytes(size: int, width: int, height: int, file: str) -> None:
    """Raise if all layers of a level together take more bytes than they may. Call it before they are unpacked."""
    most = max(limits.LAYER_BYTES.value, limits.LAYER_BYTES_PER_CELL.value * width * height)
    limits.LAYER_BYTES._replace(value=most, reason=f"a map of {width}x{height} needs no more").check(
        size, f"{file}: the size of all its layers in bytes, unpacked,"
    )


def _check_layer(level: Level, name: str) -> np.ndarray[Any, Any]:
    """A layer of the level; an error if a file cannot hold it."""
    layer = level.layers[name]
    if layer.dtype.name not in LAYER_TYPES or layer.shape != level.tiles.shape:
        raise BadInput(
            f"the layer {name!r} is {layer.dtype.name} of the shape {layer.shape}, which no file can hold",
            fix=f"make it a grid of the level's size, of {', '.join(LAYER_TYPES)}",
        )
    if not name.isprintable() or not name:
        raise BadInput(f"the layer {name!r} needs a name that can be shown", fix="give it a plain name")
    return layer
