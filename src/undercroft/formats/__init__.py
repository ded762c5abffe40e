"""Read and write levels as bytes: one module per file format, and the table that lists them.

A format's module is imported when the format is used, so that a program which writes text does not wait for a picture
library.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from undercroft.analysis.one_way import ONE_WAY
from undercroft.core.drawing import find_thing_glyphs
from undercroft.core.level import Level
from undercroft.core.palette import STANDARD
from undercroft.errors import BadInput, unknown_name_error
from undercroft.formats.table import FORMATS as FORMATS
from undercroft.formats.table import Format as Format
from undercroft.inputs import files
from undercroft.inputs.arguments import require_name

if TYPE_CHECKING:
    from undercroft.formats.shared.siblings import SiblingFiles


def resolve_format(name: str) -> Format:
    """The format of that name, or an error that suggests the nearest one."""
    require_name("format", name, FORMATS)
    return FORMATS[name]


def resolve_suffix(path: str | Path) -> Format:
    """The format of a file name's suffix.

    >>> resolve_suffix("cave.json").name
    'json'
    """
    path = files.as_path(path)
    own = {suffix: row for row in FORMATS.own.values() for suffix in row.suffixes}
    suffix = path.suffix
    endings = dict.fromkeys(("".join(path.suffixes[-2:]).casefold(), suffix.casefold()))
    for ending in endings:  # crypt.fvtt.json has another format than crypt.json
        if ending in own:
            return own[ending]
        if foreign := _find_foreign_suffix(path, ending):
            return foreign
    suffixes = [suffix for row in FORMATS.values() for suffix in row.suffixes]
    if not suffix:
        raise BadInput(
            f"{path}: no suffix says which format this is",
            fix=f"end the name in one of {', '.join(suffixes)}, or name the format",
        )
    error = unknown_name_error("suffix", suffix, suffixes)
    error.problem = f"{path}: {error.problem}"
    if "one of" not in error.fix:
        error.fix += f" (one of: {', '.join(suffixes)})"
    raise error


def _find_foreign_suffix(path: str | Path, ending: str) -> Format | None:
    """The format of other packages with that suffix; None if there is none."""
    if not ending:
        return None
    rows = [foreign for foreign in FORMATS.foreign().values() if ending in foreign.row.suffixes]
    if len(rows) > 1:
        names = " and ".join(f"{foreign.row.name!r} of {foreign.provider}" for foreign in rows)
        raise BadInput(
            f"{path}: several formats have the suffix {ending}: {names}",
            fix="name the format: --format or --read-as, in Python format= or read_as=",
        )
    return rows[0].row if rows else None


def resolve_writer(row: Format) -> Callable[..., bytes]:
    """The function that writes a format; an error if it can only be read."""
    if row.dump is None:
        raise BadInput(f"the format {row.name!r} can only be read", fix=f"write {_join_names_with('dump')}")
    return row.dump


def dump(level: Level, name: str, **options: Any) -> bytes:
    """The level as the bytes of a file.

    >>> dump(Level.parse("#.#"), "text")
    b'#.#\\n'
    """
    row = resolve_format(name)
    write = resolve_writer(row)
    _check_options(f"option of the format {name!r}", options, row.options)
    return write(level, **options)


def loads(data: bytes, name: str, file: str = "data", beside: SiblingFiles | None = None, **options: Any) -> Level:
    """The level in the bytes of a file; `file` names it in errors. Options are the read options of the format.

    Files that it names are opened `beside` it; without `beside` they are not opened.

    >>> print(loads(b"#.#\\n", "text"))
    #.#
    """
    row = resolve_format(name)
    read = _resolve_reader(row, file, options)
    row.limit.check(len(data), f"{file}: its size in bytes")
    return read(data, file, **options, **_sibling_options(row, beside))


def dump_files(level: Level, path: str | Path, row: Format, **options: Any) -> dict[Path, bytes]:
    """All files that belong to a level written to that path, the named one last: a map for an editor has its tileset
    beside it.
    """
    path = files.as_path(path)
    if "stem" in row.options:
        options = {"stem": path.stem, **options}
    data = dump(level, row.name, **options)
    beside = (
        row.beside(level, path.stem, **{name: options[name] for name in row.beside_options if name in options})
        if row.beside
        else {}
    )
    return {**{path.with_name(name): more for name, more in beside.items()}, path: data}


def list_lost_parts(level: Level, row: Format) -> tuple[str, ...]:
    """The parts of the level that a file of this format does not hold.

    >>> list_lost_parts(Level.parse("#1~"), resolve_format("text:cave"))
    ('regions', 'tiles with other roles than floor')
    """
    stairs = level.palette.role_mask("entry", "exit")[level.tiles]
    there = {
        "palette": level.palette != STANDARD,
        "regions": len(level.regions) > 0,
        "names": bool(level.title) or any(region.name for region in level.regions),
        "doors": len(level.doors) > 0,
        "links": len(level.links) > 0,
        "things": len(level.things) > 0 and not _draws_all_things(level, row),
        "ends": any(point is not None and not stairs[point[1], point[0]] for point in (level.start, level.end)),
        "path": len(level.path) > 0,
        "layers": len(level.layers) > 0,
        "flow": level.flow is not None,
        "origin": len(level.provenance) > 0,
    }
    parts = [part for part, is_there in there.items() if is_there and part not in row.keeps]
    return (*parts, *_find_merged_parts(level, row))


def _draws_all_things(level: Level, row: Format) -> bool:
    """Whether the file is a drawing in which each thing has a glyph of the palette."""
    if row.name != "text" or not level.palette.things:
        return False
    return None not in find_thing_glyphs(level.tiles, level.palette, level.things).values()


def _find_merged_parts(level: Level, row: Format) -> Iterator[str]:
    """The parts that the file keeps but no longer distinguishes."""
    if row.roles and not level.palette.role_mask("void", "wall", "entry", "exit", *row.roles)[level.tiles].all():
        yield (
            f"tiles with other roles than {', '.join(row.roles[:-1])}{' and ' if row.roles[1:] else ''}{row.roles[-1]}"
        )
    if row.plain_doors:
        states = {door.state for door in level.doors} | {
            level.palette.roles[code] for code in np.flatnonzero(np.bincount(level.tiles.reshape(-1))).tolist()
        }
        kinds: list[str] = [word for word in ("locked", "secret") if word in states]
        if any(thing.kind == ONE_WAY for thing in level.things):
            kinds.append(ONE_WAY)
        if kinds:
            yield f"that doors are {' or '.join(kinds)}"


def save(level: Level, path: str | Path, format: str | None = None, **options: Any) -> None:  # noqa: A002
    """Write the level to a file, in the named format or that of the suffix; files that belong to it are written beside
    it.
    """
    row = resolve_suffix(path) if format is None else resolve_format(format)
    files.write_files(dump_files(level, path, row, **options).items())


def read_origin(path: str | Path, read_as: str | None = None) -> Mapping[str, Any]:
    """The provenance of the level in a file; pictures hold it too."""
    row = resolve_suffix(path) if read_as is None else resolve_format(read_as)
    data = files.read_bytes(path, row.limit) if "origin" in row.keeps else b""
    if read_as is None and row.name == "json":
        from undercroft.formats.detect import detect_origin_format

        row = detect_origin_format(data, str(path))
    if "origin" not in row.keeps:
        raise BadInput(
            f"{path}: files of the format {row.name!r} do not record how they were made",
            fix=f"name one of {_join_names_keeping('origin')}",
        )
    if row.origin is not None:
        return row.origin(data, str(path))
    assert row.load is not None
    return row.load(data, str(path), **_sibling_options(row, _find_siblings(path))).provenance


def load(path: str | Path, read_as: str | None = None, **options: Any) -> Level:
    """Read a level from a file, in the named format or that of the suffix. The keys of a .json file tell its format."""
    row = resolve_suffix(path) if read_as is None else resolve_format(read_as)
    read = _resolve_reader(row, str(path), options)
    data = files.read_bytes(path, row.limit)
    if read_as is None and row.name == "json":
        from undercroft.formats.detect import detect_format

        row = detect_format(data, str(path))
        read = _resolve_reader(row, str(path), options)
    return read(data, str(path), **options, **_sibling_options(row, _find_siblings(path)))


def _find_siblings(path: str | Path) -> SiblingFiles:
    """The files beside a file that is read."""
    from undercroft.formats.shared.siblings import SiblingFiles  # only needed to read a file

    return SiblingFiles(path)


def _sibling_options(row: Format, folder: SiblingFiles | None) -> dict[str, SiblingFiles | None]:
    """Where a file lies, for a reader that opens what is beside it."""
    return {"folder": folder} if row.reads_siblings else {}


def _resolve_reader(row: Format, file: str, options: Mapping[str, Any]) -> Callable[..., Level]:
    """The function that reads the format; an error if it cannot be read, or not with these options."""
    if row.load is None:
        raise BadInput(f"{file}: the format {row.name!r} can only be written", fix=f"read {_join_names_with('load')}")
    _check_options(f"option of reading the format {row.name!r}", options, row.read_options)
    return row.load


def _check_options(what: str, options: Mapping[str, Any], known: tuple[str, ...]) -> None:
    for option in options:
        if option not in known:
            raise unknown_name_error(what, option, known)


def _join_names_keeping(part: str) -> str:
    return ", ".join(name for name, row in FORMATS.items() if part in row.keeps)


def _join_names_with(way: str) -> str:
    return f"one of {', '.join(name for name, row in FORMATS.items() if getattr(row, way))}"
