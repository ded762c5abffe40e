"""Levels as bytes: one file per file format, and the table that lists them.

A format's module is imported when the format is used, so that a program which writes text does not wait for a picture library.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from undercroft import files, limits
from undercroft.core.level import Level
from undercroft.errors import BadInput, unknown
from undercroft.limits import Limit


class Format(NamedTuple):
    """A way to keep a level in a file."""

    name: str
    suffixes: tuple[str, ...]
    """The endings of file names that mean this format."""
    about: str
    dump: Callable[..., bytes] | None
    """Level and options to bytes; None if the format is only read."""
    load: Callable[[bytes, str], Level] | None
    """Bytes and the file's name, for errors, to a level; None if the format is only written."""
    options: tuple[str, ...] = ()
    """What `dump` may be told."""
    limit: Limit = limits.TEXT_BYTES
    """How long a file of this format may be."""


def _late(module: str, function: str) -> Callable[..., Any]:
    """A function of a format's module, imported at its first call."""

    def call(*args: Any, **options: Any) -> Any:
        return getattr(importlib.import_module(f"undercroft.formats.{module}"), function)(*args, **options)

    return call


def _written(module: str, about: str, suffixes: tuple[str, ...] = (), *, name: str = "", write: str = "dump", read: str = "load", **rest: Any) -> Format:
    """A row of the table below; an empty function name stands for a direction the format does not have."""
    return Format(name or module, suffixes, about, _late(module, write) if write else None, _late(module, read) if read else None, **rest)


FORMATS: dict[str, Format] = {
    row.name: row
    for row in (
        _written("text", "one glyph a cell, as the palette says", (".txt",)),
        _written("text", "caves as '#' and '.'", name="text:cave", write="dump_cave", read="load_cave"),
        _written("text", "rock '#', room '+', door 'x', corridor ' ', its cells on the path '.'", name="text:rooms", write="dump_rooms", read="load_rooms"),
        _written("grid", "room grids, a digit a cell: 0 empty, 1 room, 2 start, 3 end", name="text:grid"),
        _written("tinykeep", "room 'x', cell '+', corridor '#', nothing ' '", name="text:tinykeep"),
        _written("box", "walls as Unicode lines, for people", name="text:box", read=""),
        _written("native", "everything there is to a level, undercroft-level/1", (".json",), name="json", limit=limits.JSON_BYTES),
        _written("npz", "NumPy arrays", (".npz",), limit=limits.NPZ_BYTES),
        _written("png", "a picture", (".png",), read="", options=("cell", "style")),
        _written("png", "a picture of the graph over the map", name="png:graph", write="dump_graph", read="", options=("cell", "style")),
        _written("graphml", "the graph of regions and links, for networkx, Gephi, yEd and others", (".graphml",), read=""),
        _written("dot", "the graph of regions and links, for Graphviz", (".dot", ".gv"), read=""),
    )
}
"""Every format by its name."""


def named(name: str) -> Format:
    """The format of that name, or an error with the nearest one."""
    if name not in FORMATS:
        raise unknown("format", name, FORMATS)
    return FORMATS[name]


def by_suffix(path: str | Path) -> Format:
    """The format that the ending of a file's name stands for.

    >>> by_suffix("cave.json").name
    'json'
    """
    suffixes = {suffix: row for row in FORMATS.values() for suffix in row.suffixes}
    suffix = Path(path).suffix
    if suffix.casefold() in suffixes:
        return suffixes[suffix.casefold()]
    if not suffix:
        raise BadInput(f"{path}: no suffix says which format this is", fix=f"end the name in one of {', '.join(suffixes)}, or name the format")
    error = unknown("suffix", suffix, suffixes)
    error.problem = f"{path}: {error.problem}"
    if "one of" not in error.fix:
        error.fix += f" (one of: {', '.join(suffixes)})"
    raise error


def dump(level: Level, name: str, **options: Any) -> bytes:
    """The level as the bytes of a file.

    >>> dump(Level.drawn("#.#"), "text")
    b'#.#\\n'
    """
    row = named(name)
    if row.dump is None:
        raise BadInput(f"the format {name!r} can only be read", fix=f"write {_able('dump')}")
    for option in options:
        if option not in row.options:
            raise unknown(f"option of the format {name!r}", option, row.options)
    return row.dump(level, **options)


def loads(data: bytes, name: str, file: str = "data") -> Level:
    """The level in the bytes of a file; `file` is what errors call it.

    >>> print(loads(b"#.#\\n", "text"))
    #.#
    """
    row = named(name)
    if row.load is None:
        raise BadInput(f"{file}: the format {name!r} can only be written", fix=f"read {_able('load')}")
    row.limit.check(len(data), f"{file}: its size in bytes")
    return row.load(data, file)


def save(level: Level, path: str | Path, format: str | None = None, **options: Any) -> None:  # noqa: A002
    """Write the level to a file, in the format of that name or the one its suffix says."""
    row = by_suffix(path) if format is None else named(format)
    files.write(path, dump(level, row.name, **options))


def load(path: str | Path, read_as: str | None = None) -> Level:
    """Read a level from a file, as the format of that name or the one its suffix says."""
    row = by_suffix(path) if read_as is None else named(read_as)
    if row.load is None:
        raise BadInput(f"{path}: the format {row.name!r} can only be written", fix=f"read {_able('load')}")
    return row.load(files.read(path, row.limit), str(path))


def _able(way: str) -> str:
    return f"one of {', '.join(name for name, row in FORMATS.items() if getattr(row, way))}"
