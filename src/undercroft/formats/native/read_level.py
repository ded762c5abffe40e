"""Read `undercroft-level/1` and `/2`. Every value in the file is checked before it is used."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from undercroft import limits
from undercroft.core.level import Level
from undercroft.core.palette import ROLES, STANDARD, Palette, Tile
from undercroft.core.region import DOOR_DTYPE, LINK_DTYPE, REGION_DTYPE, Regions, Thing, view_doors, view_links
from undercroft.core.stairs import find_ends
from undercroft.errors import BadInput, find_similar_word
from undercroft.formats.native import runs
from undercroft.formats.native.flow_data import read_flow
from undercroft.formats.native.native import LAYER_TYPES, VERSIONS, check_layer_bytes
from undercroft.formats.shared import checked
from undercroft.formats.shared.origin import read_provenance
from undercroft.inputs.json import parse_json
from undercroft.inputs.values import CheckedValue, format_path, in_file, quote_name
from undercroft.wording import join_words, plural

LEVEL_KEYS = (
    "format",
    "size",
    "title",
    "palette",
    "tiles",
    "regions",
    "doors",
    "links",
    "things",
    "start",
    "end",
    "path",
    "layers",
    "flow",
    "provenance",
)
COLOUR_PATTERN = re.compile("#[0-9a-fA-F]{6}")


def read_level(data: bytes, file: str) -> Level:
    """The level in the bytes of a JSON file."""
    return read_level_value(in_file(parse_json(data, file), "", file))


def read_level_value(whole: CheckedValue) -> Level:
    """The level in a JSON object."""
    if type(whole.value) is not dict:
        raise whole.error(f"a level is an object, not {quote_name(whole.value)}", "name a file that holds a level")
    check_version(whole, *VERSIONS)
    whole.table(LEVEL_KEYS, ("format", "size", "tiles"))
    width, height = _read_size(whole.key("size"))
    palette = read_palette(whole.key("palette", "standard"))
    tiles = _read_tiles(whole.key("tiles"), palette, width, height)
    regions = _read_regions(whole.key("regions", {}), width, height)
    door_rows = checked.read_rows(whole.key("doors", []), checked.door_columns(width, height, len(regions)), DOOR_DTYPE)
    link_rows = checked.read_rows(
        whole.key("links", []), checked.link_columns(len(regions), len(door_rows)), LINK_DTYPE
    )
    ends = dict(zip(("start", "end"), find_ends(tiles, palette), strict=True))
    for name in ends:
        if name in whole.value:
            ends[name] = checked.read_point(whole.key(name), width, height)
    return Level(
        tiles,
        palette,
        regions=regions,
        doors=view_doors(door_rows),
        links=view_links(link_rows),
        things=read_things(whole.key("things", []), width, height),
        start=ends["start"],
        end=ends["end"],
        path=_read_path(whole.key("path", []), width, height),
        layers=_read_layers(whole.key("layers", {}), width, height),
        provenance=read_provenance(whole.key("provenance", {})),
        title=whole.key("title", "").text(),
        flow=read_flow(whole.key("flow"), width, height) if "flow" in whole.value else None,
    )


def check_version(whole: CheckedValue, *wanted: str) -> None:
    """Raise unless the file has the expected format, in one of these versions."""
    found = whole.value.get("format")
    if found in wanted:
        return
    if wanted == VERSIONS and isinstance(found, str) and found.startswith("undercroft-dungeon/"):
        raise whole.error(
            "this is a dungeon of several floors, and no level",
            "read it with Dungeon.load(file), or name one of its floors: generate --from FILE --floor ID",
        )
    name, numbers = wanted[0].partition("/")[0], [version.partition("/")[2] for version in wanted]
    if isinstance(found, str) and found.startswith(f"{name}/"):
        raise whole.key("format").error(
            f"this is {quote_name(found)}; this program reads version {join_words(numbers)}",
            "read it with the program that wrote it, or a newer one",
        )
    raise whole.error(f"this does not say that it is {wanted[0]}", f'begin it with {{"format": "{wanted[0]}", ...')


def _read_size(spot: CheckedValue) -> tuple[int, int]:
    spot.list(2)
    width, height = spot.item(0).integer(1, limits.SIDE.value), spot.item(1).integer(1, limits.SIDE.value)
    limits.CELLS._replace(raise_by="cut the map into parts").check(
        width * height, f"{spot.file}: at {format_path(spot.path)}: the number of cells of {width}x{height}"
    )
    return width, height


def read_palette(spot: CheckedValue) -> Palette:
    """A palette, given by its name or tile by tile."""
    if spot.value == "standard":
        return STANDARD
    if isinstance(spot.value, str):
        raise spot.error(
            f"unknown palette {quote_name(spot.value)}",
            'write \'standard\', or the palette itself: {"name": ..., "tiles": [...]}',
        )
    spot.table(("name", "tiles"), ("name", "tiles"))
    rows = spot.key("tiles")
    limits.PALETTE_TILES.check(len(rows.list()), f"{spot.file}: at {format_path(rows.path)}: the number of tiles")
    tiles = [_read_tile(rows.item(index)) for index in range(len(rows.value))]
    try:
        return Palette(tiles, spot.key("name").text())
    except BadInput as error:
        raise spot.error(error.problem, error.fix) from None


def _read_tile(row: CheckedValue) -> Tile:
    row.table(Tile._fields, ("name", "role", "glyph"))
    role = row.key("role")
    if role.text() not in ROLES:
        guess = find_similar_word(role.value, ROLES)
        raise role.error(
            f"unknown role {quote_name(role.value)}",
            f"did you mean {guess!r}?" if guess else f"one of: {', '.join(ROLES)}",
        )
    tile = Tile(
        name=row.key("name").text(),
        role=role.value,
        glyph=row.key("glyph").text(),
        face=row.key("face", row.value["glyph"]).text(),
        colour=row.key("colour", "#888888").text(),
        walkable=row.key("walkable", ROLES[role.value].walkable).boolean(),
        opaque=row.key("opaque", ROLES[role.value].opaque).boolean(),
        aliases=row.key("aliases", "").text(),
        turned=row.key("turned", "").text(),
        mirrored=row.key("mirrored", "").text(),
        ports=row.key("ports", "").text(),
    )
    for key, sign in (("glyph", tile.glyph), ("face", tile.face)):
        if len(sign) != 1 or not sign.isprintable():
            raise row.key(key).error(f"{quote_name(sign)} is not one printable character", "give exactly one")
    if not COLOUR_PATTERN.fullmatch(tile.colour):
        raise row.key("colour").error(
            f"{quote_name(tile.colour)} is no colour", "write # and six hex digits, as #a0b1c2"
        )
    return tile


def _read_tiles(spot: CheckedValue, palette: Palette, width: int, height: int) -> NDArray[np.uint8]:
    rows = _read_rows(spot, height)
    for y, row in enumerate(rows):
        if len(row) != width:
            raise spot.item(y).error(f"the row has {len(row):,} glyphs, the level is {width:,} wide")
    page = np.frombuffer("".join(rows).encode("utf-32-le", "surrogatepass"), "<u4")
    codes = np.full(int(page.max()) + 1, 255, np.uint8)
    for code, tile in enumerate(palette.tiles):
        if ord(tile.glyph) < len(codes):
            codes[ord(tile.glyph)] = code
    tiles: NDArray[np.uint8] = codes[page]
    strange = tiles == 255
    if strange.any():
        y, x = divmod(int(strange.argmax()), width)
        glyphs = "  ".join(f"{tile.glyph} {tile.name}" for tile in palette.tiles)
        raise spot.item(y).error(
            f"unknown glyph {quote_name(rows[y][x])} in column {x + 1}", f"the palette {palette.name!r} has {glyphs}"
        )
    return tiles.reshape(height, width)


def _read_rows(spot: CheckedValue, height: int) -> list[str]:
    rows: list[str] = spot.list()
    if len(rows) != height:
        raise spot.error(f"there are {len(rows):,} rows, the level is {height:,} high")
    for y, row in enumerate(rows):
        if type(row) is not str:
            spot.item(y).text()
    return rows


def _read_grid(spot: CheckedValue, width: int, height: int, dtype: np.dtype[Any]) -> NDArray[Any]:
    return runs.parse_runs(_read_rows(spot, height), width, dtype, lambda row, what: spot.item(row).error(what))


def _read_regions(spot: CheckedValue, width: int, height: int) -> Regions:
    spot.table(("labels", "table"))
    table_spot = spot.key("table", [])
    columns = checked.region_columns(width, height)
    table = checked.read_rows(table_spot, columns, REGION_DTYPE, ("label", "tags", "template", "name"))
    tags: dict[int, tuple[str, ...]] = {}
    templates: dict[int, str] = {}
    names: dict[int, str] = {}
    for index, row in enumerate(table_spot.value):
        if row.get("label", index + 1) != index + 1:
            raise (
                table_spot.item(index)
                .key("label")
                .error(
                    f"{quote_name(row['label'])} stands where label {index + 1} belongs",
                    "list the regions by their labels, from 1",
                )
            )
        if "tags" in row:
            tags[index + 1] = read_tags(table_spot.item(index).key("tags"))
        if "template" in row:
            templates[index + 1] = table_spot.item(index).key("template").text()
        if "name" in row:
            names[index + 1] = table_spot.item(index).key("name").text()
    label_spot = spot.key("labels", [])
    labels = (
        np.zeros((height, width), np.int32)
        if label_spot.value == []
        else _read_grid(label_spot, width, height, np.dtype(np.int32))
    )
    check_regions(labels, table, label_spot, table_spot)
    return Regions(labels, table, tags, templates, names)


def count_region_cells(labels: NDArray[np.int32], count: int, spot: CheckedValue) -> NDArray[np.int64]:
    """The number of cells of each region. Raises unless every label has a row in the table."""
    wrong = (labels < 0) | (labels > count)
    if wrong.any():
        y, x = divmod(int(wrong.argmax()), labels.shape[1])
        raise spot.at(y).error(
            f"the cell ({x}, {y}) has the label {labels[y, x]}, and the table has {count:,} regions",
            f"use labels from 0 to {count}",
        )
    areas: NDArray[np.int64] = np.bincount(labels.reshape(-1), minlength=count + 1)[1:]
    return areas


def check_regions(labels: NDArray[np.int32], table: NDArray[Any], spot: CheckedValue, rows: CheckedValue) -> None:
    """Raise unless the labels and the table of regions belong together."""
    height, width = labels.shape
    areas = count_region_cells(labels, len(table), spot)
    outside = (table["x"] + table["width"] > width) | (table["y"] + table["height"] > height)
    if outside.any():
        index = int(outside.argmax())
        raise rows.at(index).error(f"the region {index + 1} lies partly outside the map of {width}x{height}")
    differs = (areas != table["area"]) | ((areas == 0) & (table["width"] > 0))
    if differs.any():
        index = int(differs.argmax())
        raise rows.at(index).error(
            f"the region {index + 1} has {plural(int(areas[index]), 'cell')} with its label, its area is "
            f"{table['area'][index]:,} and its box is {table['width'][index]}x{table['height'][index]}"
        )


def read_tags(spot: CheckedValue) -> tuple[str, ...]:
    """The tags of one region."""
    return tuple(spot.item(index).text() for index in range(len(spot.list())))


def read_things(spot: CheckedValue, width: int, height: int) -> list[Thing]:
    """The things of a level."""
    things = []
    for index in range(len(spot.list())):
        row = spot.item(index)
        row.table(("kind", "x", "y", "data"), ("kind", "x", "y"))
        things.append(
            Thing(
                row.key("kind").text(),
                row.key("x").integer(0, width - 1),
                row.key("y").integer(0, height - 1),
                checked.read_thing_data(row.key("data", {})),
            )
        )
    return things


def _read_path(spot: CheckedValue, width: int, height: int) -> NDArray[np.int32]:
    cells = spot.list()
    good = [
        type(cell) is list
        and len(cell) == 2
        and type(cell[0]) is int
        and type(cell[1]) is int
        and 0 <= cell[0] < width
        and 0 <= cell[1] < height
        for cell in cells
    ]
    if not all(good):
        cell = spot.item(good.index(False))
        if cell.value is None:
            raise cell.error("a cell [x, y] belongs here, not null")
        checked.read_point(cell, width, height)
    return np.array(cells, np.int32).reshape(-1, 2)


def _read_layers(spot: CheckedValue, width: int, height: int) -> dict[str, NDArray[Any]]:
    types = {name: _read_layer_type(spot.key(name)) for name in spot.table()}
    check_layer_bytes(sum(width * height * dtype.itemsize for dtype in types.values()), width, height, spot.file)
    return {name: _read_layer(spot.key(name), width, height, dtype) for name, dtype in types.items()}


def _read_layer_type(spot: CheckedValue) -> np.dtype[Any]:
    name = str(spot.path[-1])
    if not name.isprintable() or not name:
        raise spot.error(f"{quote_name(name)} is no name for a layer", "give it a plain name")
    spot.table(("dtype", "rows"), ("dtype", "rows"))
    dtype = spot.key("dtype").text()
    if dtype not in LAYER_TYPES:
        raise spot.key("dtype").error(f"unknown type {quote_name(dtype)}", f"one of: {', '.join(LAYER_TYPES)}")
    return np.dtype(dtype)


def _read_layer(spot: CheckedValue, width: int, height: int, dtype: np.dtype[Any]) -> NDArray[Any]:
    rows = spot.key("rows")
    if dtype.kind != "f":
        return _read_grid(rows, width, height, dtype)
    with np.errstate(over="ignore"):
        grid = np.array([_read_numbers(rows.item(y), width) for y in range(len(rows.list(height)))], dtype)
    if not np.isfinite(grid).all():
        raise rows.item(int((~np.isfinite(grid)).any(axis=1).argmax())).error(
            f"the row has a number that is too large for {dtype}"
        )
    return grid


def _read_numbers(row: CheckedValue, width: int) -> Sequence[float]:
    for index, number in enumerate(row.list(width)):
        if type(number) not in (int, float) or not -sys.float_info.max <= number <= sys.float_info.max:
            raise row.item(index).error(f"a finite number belongs here, not {quote_name(number)}")
    return row.list()
