"""Standard input and output, and what stands at their ends."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

from undercroft import formats, limits
from undercroft.core.level import Level
from undercroft.errors import BadInput, FileTrouble
from undercroft.formats import Format
from undercroft.inputs import files

FILLED = ("text", "text:cave", "text:rooms")
"""Formats of drawings, in which a row may be shorter than others."""
NAMED = 5
"""Rows of a drawing that are named; the others are counted."""


def on_terminal(stream: Any) -> bool:
    """Whether a person sees this stream."""
    return stream is not None and bool(stream.isatty())


def colourful() -> bool:
    """Whether standard output shows colours and its owner wants them."""
    return on_terminal(sys.stdout) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def put(data: bytes) -> None:
    """Bytes to standard output."""
    if sys.stdout is None:
        raise FileTrouble("standard output is closed", fix="name a file with -o")
    if b"\0" in data[:4096] and on_terminal(sys.stdout):
        raise BadInput("this format is not for a terminal", fix="name a file with -o, or send it into a pipe")
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def level_from(source: str, read_as: str | None, note: Callable[[str], None] = lambda _: None, **options: Any) -> Level:
    """A level from a file, or from standard input if the name is -; the options are what its format may be told. `note`
    hears what was made up.
    """
    if source != "-":
        row = formats.by_suffix(source) if read_as is None else formats.named(read_as)
        if row.name not in FILLED:
            return formats.load(source, read_as, **options)
        return _drawn(files.read(source, row.limit), row, source, note, options)
    if read_as is None:
        raise BadInput(
            "standard input has no suffix that names a format", fix="add --read-as, for example --read-as json"
        )
    if sys.stdin is None:
        raise FileTrouble("standard input is closed", fix="name a file")
    data = sys.stdin.buffer.read(limits.JSON_BYTES.value + 1)
    return _drawn(data, formats.named(read_as), "standard input", note, options)


def _drawn(data: bytes, row: Format, file: str, note: Callable[[str], None], options: dict[str, Any]) -> Level:
    """The level in some bytes; with a note if rows of a drawing had to be filled up."""
    level = formats.loads(data, row.name, file, **options)
    if row.name not in FILLED:
        return level
    from undercroft.formats.text import short_rows

    if short := short_rows(data, file):
        filling = level.palette.tiles[level.tiles[short[0], -1]].name
        places = [str(y + 1) for y in short]
        places[NAMED:] = [f"{len(places) - NAMED} more"] if len(places) > NAMED else []
        which = f"row {places[0]} is" if len(places) == 1 else f"rows {', '.join(places[:-1])} and {places[-1]} are"
        note(f"{file}: {which} shorter than the longest, and filled up with {filling}")
    return level


def format_of(path: str, name: str | None, *, alone: bool = True) -> Format:
    """The format of an output: what its suffix says; the one named if there is no such suffix or if it is a kind of
    that format (text:rooms in a .txt).
    """
    if path == "-":
        if not name:
            raise BadInput(
                "standard output has no suffix that names a format", fix="add --format, for example --format text"
            )
        return formats.named(name)
    if not name:
        return formats.by_suffix(path)
    named = formats.named(name)
    try:
        said = formats.by_suffix(path)
    except BadInput:
        return named
    if said.name.partition(":")[0] == name.partition(":")[0]:
        return named
    if alone:
        raise BadInput(
            f"{path} ends like {said.name}, but --format says {name}",
            fix="leave --format out, or give the file another suffix",
        )
    return said
