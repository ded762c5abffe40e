"""Read and write levels as NumPy arrays in a zip file, for programs that compute with them.

`numpy.load` gives: `tiles` (uint8), `labels` (int32), `walkable` and `opaque` (bool), all [y, x]; `path` (int32, rows
of x and y); the tables `regions`, `doors` and `links`, whose words are numbers into `KINDS`, `DOOR_STATES` and
`LINK_KINDS` of `undercroft.core.region`; `layer:NAME` for each layer; and `meta`, the bytes of a JSON text with the
palette, things, start, end, tags, templates and provenance, and title, names and flow if there are any.
"""

from __future__ import annotations

import io
import math
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from undercroft import limits
from undercroft.core.level import Level
from undercroft.core.region import DOOR_DTYPE, LINK_DTYPE, REGION_DTYPE, Regions, view_doors, view_links
from undercroft.errors import BadInput
from undercroft.formats.native.flow_data import format_flow, read_flow
from undercroft.formats.native.native import (
    LAYER_TYPES,
    check_layer_bytes,
    check_layers,
    choose_version,
    format_json_lines,
    format_palette,
    thing_data,
)
from undercroft.formats.native.read_level import (
    check_regions,
    check_version,
    read_palette,
    read_tags,
    read_things,
)
from undercroft.formats.shared import checked
from undercroft.formats.shared.characters import encode_utf8
from undercroft.formats.shared.origin import format_origin, read_provenance
from undercroft.inputs.json import format_json, parse_json
from undercroft.inputs.values import CheckedValue, in_file, quote_name
from undercroft.limits import Limit

VERSIONS = ("undercroft-npz/1", "undercroft-npz/2")
"""The second is for levels with a flow, or whose things hold lists or tables in their data."""
REQUIRED_ARRAYS = ("tiles", "labels", "path", "regions", "doors", "links", "meta")
DERIVED_ARRAYS = ("walkable", "opaque")
DUNGEON_INDEX = "dungeon"
"""An array that only files with several floors have."""
HEADER_BYTES = 128
"""The bytes that NumPy puts before the values of a grid."""
MAX_CELL_BYTES = max(np.dtype(name).itemsize for name in LAYER_TYPES)
COMPRESSION_LEVEL = 3
"""Grids of this kind compress nearly as well as at level 9, in a tenth of the time."""


def dump(level: Level) -> bytes:
    """The level as the bytes of an npz file; the same level gives the same bytes."""
    return zip_arrays(level_arrays(level))


def level_arrays(level: Level) -> dict[str, NDArray[Any]]:
    """The arrays of a level, by their names in the file."""
    return {
        "tiles": level.tiles,
        "labels": level.regions.labels,
        "walkable": level.walkable,
        "opaque": level.opaque,
        "path": level.path,
        "regions": level.regions.table,
        "doors": level.doors.table,
        "links": level.links.table,
        **{f"layer:{name}": layer for name, layer in check_layers(level).items()},
        "meta": np.frombuffer(encode_utf8(_dump_meta(level)), np.uint8),
    }


def zip_arrays(members: Mapping[str, NDArray[Any]]) -> bytes:
    """Arrays by their names as the bytes of an npz file; the same arrays give the same bytes."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, array in members.items():
            entry = zipfile.ZipInfo(f"{name}.npy", (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # gives the same bytes on every system
            member = io.BytesIO()
            np.lib.format.write_array(member, np.ascontiguousarray(array), version=(1, 0), allow_pickle=False)
            archive.writestr(entry, member.getbuffer(), compresslevel=COMPRESSION_LEVEL)
    return file.getvalue()


def _dump_meta(level: Level) -> str:
    regions, count = level.regions, len(level.regions)
    parts = {
        "format": format_json(choose_version(level, VERSIONS)),
        "palette": format_palette(level.palette),
        "things": format_json_lines(format_json(thing_data(thing)) for thing in level.things),
        "start": format_json(level.start),
        "end": format_json(level.end),
        "tags": _format_by_label(regions.tags, count),
        "templates": _format_by_label(regions.templates, count),
        "provenance": format_origin(level),
        **({"title": format_json(level.title)} if level.title else {}),
        **({"names": _format_by_label(regions.names, count)} if regions.names else {}),
        **({} if level.flow is None else {"flow": format_flow(level.flow)}),
    }
    return "{" + ",\n".join(f'"{key}":{value}' for key, value in parts.items()) + "}\n"


def _format_by_label(words: Mapping[int, Any], count: int) -> str:
    """What is said of regions, by their labels; what is said of labels that the level does not have is left out, as in
    the native format.
    """
    return format_json({str(label): said for label, said in sorted(words.items()) if 1 <= label <= count})


def load(data: bytes, file: str) -> Level:
    """The level in the bytes of an npz file, or an error that says what is wrong with them."""
    with reading_zip(file), zipfile.ZipFile(io.BytesIO(data)) as archive:
        return read_level(NpzMembers(archive, file, [entry.filename for entry in archive.infolist()]))


@contextmanager
def reading_zip(file: str) -> Iterator[None]:
    """Report what a zip file raises as an error about this file."""
    try:
        yield
    except (
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        OSError,
        NotImplementedError,
        RuntimeError,
        UnicodeDecodeError,
        ValueError,
    ) as error:
        if isinstance(error, BadInput):
            raise
        raise BadInput(
            f"{file}: this is not a whole npz file: {str(error)[:200]}", fix="save the level again"
        ) from error


class NpzMembers:
    """The arrays of a level in a file, each unpacked on request after its header is checked. `names` are those of the
    members to look at; all begin with `prefix`.
    """

    def __init__(
        self,
        archive: zipfile.ZipFile,
        file: str,
        names: Sequence[str],
        required: Sequence[str] = REQUIRED_ARRAYS,
        *,
        prefix: str = "",
    ) -> None:
        whole = archive.infolist()
        limits.NPZ_BYTES.check(sum(entry.file_size for entry in whole), f"{file}: its size in bytes, unpacked,")
        limits.NPZ_ARRAYS.check(len(names), f"{file}: the number of its arrays")
        wanted = set(names)
        entries = [entry for entry in whole if entry.filename in wanted]
        self.archive, self.file = archive, file
        self.entries: dict[str, zipfile.ZipInfo] = {}
        for entry in entries:
            name = entry.filename.removeprefix(prefix).removesuffix(".npy")
            if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise BadInput(
                    f"{file}: the array {quote_name(name)} is packed in a way that NumPy does not use",
                    fix="save the level again",
                )
            if name in self.entries:
                raise BadInput(f"{file}: the array {quote_name(name)} is there twice", fix="save the level again")
            if name == DUNGEON_INDEX and name not in required:
                raise BadInput(
                    f"{file}: this is a dungeon of several floors, and no level",
                    fix="read it with Dungeon.load(file), or name one of its floors: generate --from FILE --floor ID",
                )
            if name not in (*required, *DERIVED_ARRAYS) and not name.startswith("layer:"):
                raise BadInput(
                    f"{file}: {quote_name(entry.filename)} is no array of a level",
                    fix=f"a level has {', '.join(REQUIRED_ARRAYS + DERIVED_ARRAYS)} and layer:NAME",
                )
            self.entries[name] = entry
        for name in required:
            if name not in self.entries:
                raise BadInput(f"{file}: the array {name!r} is missing", fix="save the level again")

    def list_layers(self, width: int, height: int) -> list[str]:
        """The names of the arrays that hold layers. Raises if they are too large for a map of that size."""
        names = [name for name in self.entries if name.startswith("layer:")]
        most = MAX_CELL_BYTES * width * height  # an array that claims more is refused for its shape
        sizes = [min(max(self.entries[name].file_size - HEADER_BYTES, 0), most) for name in names]
        check_layer_bytes(sum(sizes), width, height, self.file)
        return names

    def read_array(
        self, name: str, dtype: np.dtype[Any] | None, shape: tuple[int | None, ...], most: Limit | None = None
    ) -> NDArray[Any]:
        """A member as an array of that type (None: any that a layer may have) and shape (None: any length), with at
        most `most` values.

        All this is checked before anything is unpacked.
        """
        archive, entry = self.archive, self.entries[name]
        with archive.open(entry) as member:  # returns no more bytes than the size checked above
            head = member.read(limits.NPZ_HEADER_BYTES.value)
            stream = io.BytesIO(head)
            try:
                made = np.lib.format.read_magic(stream)
                reader = np.lib.format.read_array_header_1_0 if made == (1, 0) else np.lib.format.read_array_header_2_0
                found, by_columns, kind = reader(stream)
            except MemoryError:
                raise
            except Exception as error:  # NumPy does not document which errors a broken header raises
                raise self._error(name, "the array's header is broken") from error
            wanted = kind.newbyteorder("=")
            if (dtype is None and wanted.name not in LAYER_TYPES) or (dtype is not None and wanted != dtype):
                raise self._error(
                    name,
                    f"the array's type is {quote_name(str(kind))}, not {dtype or 'one that a layer may have'}",
                )
            if len(found) != len(shape) or any(
                side is not None and side != got for side, got in zip(shape, found, strict=True)
            ):
                raise self._error(
                    name,
                    f"the array's shape is {found}, not "
                    f"({', '.join('any' if side is None else str(side) for side in shape)})",
                )
            body = stream.tell()
            size = math.prod(found) * kind.itemsize
            if entry.file_size - body != size:
                raise self._error(name, f"the array has {entry.file_size - body:,} bytes where {size:,} belong")
            if most:
                most.check(
                    math.prod(found), f"{self.file}: at {name}: the number of values of {'x'.join(map(str, found))}"
                )
            values = head[body:] + member.read()
        if len(values) != size:
            raise self._error(name, f"the array has {len(values):,} bytes where {size:,} belong")
        flat = np.frombuffer(values, kind).astype(wanted, copy=False)
        if wanted.kind == "b":
            flat = flat.view(np.uint8) != 0
        grid = flat.reshape(found[::-1]).T if by_columns else flat.reshape(found)
        return np.ascontiguousarray(grid)

    def _error(self, name: str, problem: str) -> BadInput:
        return BadInput(f"{self.file}: at {name}: {problem}", fix="save the level again")


def read_level(members: NpzMembers) -> Level:
    """The level of the arrays in a file."""
    file = members.file
    meta = in_file(
        parse_json(
            members.read_array("meta", np.dtype(np.uint8), (None,), limits.JSON_BYTES).tobytes(), f"{file}: meta"
        ),
        "",
        f"{file}: meta",
    )
    if type(meta.value) is not dict:
        raise meta.error("an object belongs here", "save the level again")
    check_version(meta, *VERSIONS)
    keys = ("format", "palette", "things", "start", "end", "tags", "templates", "provenance")
    meta.table((*keys, "title", "names", "flow"), keys)
    palette = read_palette(meta.key("palette"))
    tiles = members.read_array(
        "tiles", np.dtype(np.uint8), (None, None), limits.CELLS._replace(raise_by="cut the map into parts")
    )
    height, width = shape = tiles.shape
    limits.SIDE.check(max(shape), f"{file}: its longer side")
    if not tiles.size:
        raise BadInput(f"{file}: a level has at least one cell", fix="save the level again")
    rows = limits.NPZ_ROWS._replace(
        value=max(limits.NPZ_ROWS.value, limits.NPZ_ROWS_PER_CELL.value * tiles.size),
        reason=f"a map of {width}x{height} needs no more",
    )
    if int(tiles.max()) >= len(palette):
        y, x = divmod(int((tiles >= len(palette)).argmax()), width)
        raise BadInput(
            f"{file}: at tiles: the cell ({x}, {y}) holds the code {tiles[y, x]}, but the palette has {len(palette)} "
            "tiles",
            fix="save the level again",
        )
    whole = in_file({}, "", file)
    table = members.read_array("regions", REGION_DTYPE, (None,), rows)
    checked.check_ranges(table, checked.region_columns(width, height), whole.key("regions"))
    labels = members.read_array("labels", np.dtype(np.int32), shape)
    check_regions(labels, table, whole.key("labels"), whole.key("regions"))
    door_table = members.read_array("doors", DOOR_DTYPE, (None,), rows)
    checked.check_ranges(door_table, checked.door_columns(width, height, len(table)), whole.key("doors"))
    link_table = members.read_array("links", LINK_DTYPE, (None,), rows)
    checked.check_ranges(link_table, checked.link_columns(len(table), len(door_table)), whole.key("links"))
    path = members.read_array("path", np.dtype(np.int32), (None, 2), rows)
    outside = ((path < 0) | (path >= (width, height))).any(axis=1)
    if outside.any():
        raise BadInput(
            f"{file}: at path[{int(outside.argmax())}]: the cell is outside the map of {width}x{height}",
            fix="save the level again",
        )
    return Level(
        tiles,
        palette,
        regions=Regions(
            labels,
            table,
            {label: read_tags(spot) for label, spot in _items_by_label(meta.key("tags"), len(table))},
            {label: spot.text() for label, spot in _items_by_label(meta.key("templates"), len(table))},
            {label: spot.text() for label, spot in _items_by_label(meta.key("names", {}), len(table))},
        ),
        doors=view_doors(door_table),
        links=view_links(link_table),
        things=read_things(meta.key("things"), width, height),
        start=checked.read_point(meta.key("start"), width, height),
        end=checked.read_point(meta.key("end"), width, height),
        path=path,
        layers={
            name.removeprefix("layer:"): members.read_array(name, None, shape)
            for name in members.list_layers(width, height)
        },
        provenance=read_provenance(meta.key("provenance")),
        title=meta.key("title", "").text(),
        flow=read_flow(meta.key("flow"), width, height) if "flow" in meta.value else None,
    )


def _items_by_label(spot: CheckedValue, count: int) -> list[tuple[int, CheckedValue]]:
    known = {str(label): label for label in range(1, count + 1)}
    for word in spot.table():
        if word not in known:
            raise spot.error(f"there is no region {quote_name(word)}", f"use labels from 1 to {count}")
    return [(known[word], spot.key(word)) for word in spot.value]
