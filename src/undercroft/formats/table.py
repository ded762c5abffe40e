"""The table of formats: what each is for, what it keeps of a level, and where its code is."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from undercroft import limits
from undercroft.core.level import Level
from undercroft.limits import Limit

PARTS = ("tiles", "palette", "regions", "names", "doors", "links", "things", "ends", "path", "layers", "origin")
"""What there is to a level. Names are those of rooms and of the level; ends are start and end; origin is how it was made."""
ALL = PARTS


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
    keeps: tuple[str, ...] = ("tiles",)
    """Which of PARTS a file of this format holds."""
    beside: Callable[[Level, str], dict[str, bytes]] | None = None
    """Level and the file's name without suffix to further files, by their names, that belong beside it."""
    origin: Callable[[bytes, str], Mapping[str, Any]] | None = None
    """Bytes and the file's name to how the level was made, for formats that keep the origin and cannot be read."""


def _late(module: str, function: str) -> Callable[..., Any]:
    """A function of a format's module, imported at its first call."""

    def call(*args: Any, **options: Any) -> Any:
        return getattr(importlib.import_module(f"undercroft.formats.{module}"), function)(*args, **options)

    return call


def _row(
    module: str,
    about: str,
    suffixes: tuple[str, ...] = (),
    *,
    name: str = "",
    write: str = "dump",
    read: str = "load",
    beside: str = "",
    origin: str = "",
    keeps: str | tuple[str, ...] = "tiles",
    **rest: Any,
) -> Format:
    """A row of the table below; an empty function name stands for what the format does not have."""
    late = [_late(module, function) if function else None for function in (write, read, beside, origin)]
    parts = tuple(keeps.split()) if isinstance(keeps, str) else keeps
    return Format(name or module, suffixes, about, late[0], late[1], keeps=parts, beside=late[2], origin=late[3], **rest)


FORMATS: dict[str, Format] = {
    row.name: row
    for row in (
        _row("text", "one glyph a cell, as the palette says", (".txt",), keeps="tiles ends"),
        _row("text", "caves as '#' and '.'", name="text:cave", write="dump_cave", read="load_cave"),
        _row("text", "rock '#', room '+', door 'x', corridor ' ', its cells on the path '.'", name="text:rooms", write="dump_rooms", read="load_rooms"),
        _row("grid", "room grids, a digit a cell: 0 empty, 1 room, 2 start, 3 end", name="text:grid", keeps="tiles ends"),
        _row("tinykeep", "room 'x', cell '+', corridor '#', nothing ' '", name="text:tinykeep"),
        _row("box", "walls as Unicode lines, for people", name="text:box", read=""),
        _row("native", "everything there is to a level, undercroft-level/1", (".json",), name="json", keeps=ALL, limit=limits.JSON_BYTES),
        _row("npz", "NumPy arrays", (".npz",), keeps=ALL, limit=limits.NPZ_BYTES),
        _row("png", "a picture", (".png",), read="", origin="origin", keeps="origin", options=("cell", "style")),
        _row(
            "png",
            "a picture of the graph over the map",
            name="png:graph",
            write="dump_graph",
            read="",
            origin="origin",
            keeps="origin",
            options=("cell", "style"),
        ),
        _row("graphml", "the graph of regions and links, for networkx, Gephi, yEd and others", (".graphml",), read="", keeps="regions names doors links"),
        _row("dot", "the graph of regions and links, for Graphviz", (".dot", ".gv"), read="", keeps="regions names doors links"),
    )
}
"""Every format by its name."""
