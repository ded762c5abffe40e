"""Levels as files of their own, in any format, named by their seeds; and a table for each chunk.

The table has the rows of the chunk, and the size and SHA-256 of every file. It is written last: if it exists, the
files are complete.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from undercroft import formats, limits
from undercroft.bulk.batch.chunks import Chunk
from undercroft.bulk.batch.columns import BatchColumn, Shard, build_columns, build_metadata
from undercroft.bulk.batch.request import OLD_LAYOUT, BatchRequest
from undercroft.core.level import Level
from undercroft.errors import BadInput, FileTrouble, UndercroftError
from undercroft.inputs import files
from undercroft.inputs.json import format_json
from undercroft.recipe.run import run_request

SUFFIX = ".json"
MIN_MEMORY_BYTES = 0
"""No limit: only the levels need much memory."""


def check(order: BatchRequest) -> None:
    """Raise early for a request that cannot be written. A small level is encoded; if the format takes no such level,
    one of the batch's own.
    """
    try:
        encode_level(order, Level.parse("#####\n#<.>#\n#####"), 0)
    except BadInput:
        level = run_request(order.request_for(order.first, attempt=0)).level
        if level is not None:  # else the rows of the batch record why
            encode_level(order, level, order.first)


def resolve_suffix(form: str) -> str:
    """The suffix of a form's files; a variant without a suffix of its own has that of its format.

    >>> resolve_suffix("tmx"), resolve_suffix("text:box")
    ('.tmx', '.txt')
    """
    return next(iter((*formats.FORMATS[form].suffixes, *formats.FORMATS[form.partition(":")[0]].suffixes)))


def level_file_name(order: BatchRequest, seed: int, combination: int = 0) -> str:
    """The name of a level's file: its seed, and the number of its combination if there are several."""
    which = f"-{combination:0{len(str(order.combinations - 1))}}" if order.combinations > 1 else ""
    return f"{seed:0{order.digits}}{which}{resolve_suffix(order.form)}"


def encode_level(order: BatchRequest, level: Level, seed: int, combination: int = 0) -> dict[str, bytes]:
    """The files of a level, the main one last."""
    return {
        path.name: data
        for path, data in formats.dump_files(
            level, level_file_name(order, seed, combination), formats.FORMATS[order.form], **order.options
        ).items()
    }


def add_level_files(shard: Shard, found: Mapping[str, bytes]) -> None:
    """Add the files of a level to the shard. Files that several levels share, such as a tileset, must be equal."""
    for name, data in found.items():
        if shard.files.setdefault(name, data) != data:
            raise BadInput(
                f"{name} would be written twice, with different contents", fix="write these levels one by one"
            )


def encode_chunk(order: BatchRequest, chunk: Chunk, shard: Shard) -> list[tuple[str, bytes]]:
    """The files of a chunk, and the table with their digests."""
    columns = build_columns(order)
    known = [column.name for column in columns]
    rows = zip(*(_encode_column(column, shard.rows[column.name], order) for column in columns), strict=True)
    parts = {
        "about": format_json(build_metadata(order, chunk, shard.palettes)),
        "columns": format_json(known),
        "rows": _format_lines(map(format_json, rows)),
        "files": _format_lines(
            format_json([name, len(data), hashlib.sha256(data).hexdigest()]) for name, data in shard.files.items()
        ),
    }
    body = ",\n".join(f'"{key}":{value}' for key, value in parts.items())
    # a digest of all that precedes it, so that a changed row is noticed
    table = f'{{{body},\n"sha256":"{hashlib.sha256(body.encode()).hexdigest()}"}}\n'
    return [*shard.files.items(), (chunk.file_stem(order.digits) + SUFFIX, table.encode())]


def _encode_column(column: BatchColumn, values: list[Any], order: BatchRequest) -> list[Any]:
    """The values of a column as JSON has them: a table is a list of objects. Old seeds are texts."""
    if column.kind == "seed" and order.layout == OLD_LAYOUT:
        return list(map(str, values))
    if column.kind != "table":
        return values
    names = [field.name for field in column.fields]
    return [rows and [dict(zip(names, row, strict=True)) for row in rows] for rows in values]


def _decode_column(column: BatchColumn | None, values: list[Any]) -> list[Any]:
    """The values that `_encode_column` was given."""
    if column is not None and column.kind == "seed":
        return [int(value) for value in values]
    if column is None or column.kind != "table":
        return values
    names = [field.name for field in column.fields]
    return [rows and [tuple(row[name] for name in names) for row in rows] for rows in values]


def read_chunk(path: Path, order: BatchRequest, names: Sequence[str] | None = None) -> Shard:
    """The rows of a table, or some of its columns; the level files are read only with all columns."""
    table = json.loads(files.read_bytes(path, limits.JSON_BYTES))
    columns = {column.name: column for column in build_columns(order)}
    rows = {
        name: _decode_column(columns.get(name), [row[place] for row in table["rows"]])
        for place, name in enumerate(table["columns"])
        if names is None or name in names
    }
    contents = (
        {name: files.read_bytes(files.safe_join(path.parent, name), limits.GLB_BYTES) for name, _, _ in table["files"]}
        if names is None
        else {}
    )
    return Shard(rows, table["about"]["palettes"], contents)


def restore_shared_files(path: Path, order: BatchRequest) -> list[str]:
    """Write shared files again, such as a tileset, if they are listed in a table and are missing or differ. Returns
    their names.

    All chunks need these files: without them, every chunk would have to be made again.
    """
    try:
        digests = {name: digest for name, _, digest in json.loads(files.read_bytes(path, limits.JSON_BYTES))["files"]}
    except (UndercroftError, ValueError, KeyError, TypeError, RecursionError):  # the table itself is damaged
        return []
    found = []
    for name, data in _shared_files(order).items():
        place = path.with_name(name)
        check_regular_file(place)
        if digests.get(name) == hashlib.sha256(data).hexdigest() and not (
            place.is_file() and place.read_bytes() == data
        ):
            files.write_file(place, data)
            found.append(name)
    return found


def _shared_files(order: BatchRequest) -> dict[str, bytes]:
    """The files beside the levels that are the same for all of them."""
    small = Level.parse("#####\n#<.>#\n#####")
    try:
        one, other = (encode_level(order, small, seed) for seed in (0, 1))
    except BadInput:  # the format takes no such level
        return {}
    return {name: data for name, data in one.items() if name in other}


def check_regular_file(path: Path) -> None:
    """Raise if a link or a pipe is in the place of a file: a link leads elsewhere, and a pipe would block for ever."""
    if path.is_symlink() or (path.exists() and not path.is_file()):
        raise FileTrouble(
            f"cannot write {path}: something else is in its place", fix="take it away, and run the same command again"
        )


def _format_lines(rows: Iterable[str]) -> str:
    inner = ",\n".join(rows)
    return f"[\n{inner}]" if inner else "[]"


def read_metadata(path: Path) -> Any:
    """The metadata of a table."""
    return json.loads(files.read_bytes(path, limits.JSON_BYTES))["about"]
