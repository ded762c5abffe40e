"""Standard input and output: read levels, write bytes, resolve formats."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

from undercroft import formats, limits
from undercroft.cli.messages import clean_text, require_stdout
from undercroft.core.level import Level
from undercroft.errors import BadInput, FileTrouble
from undercroft.formats import Format
from undercroft.inputs import files
from undercroft.wording import join_words

DRAWN_FORMATS = ("text", "text:cave", "text:rooms")
"""Drawn formats, whose rows may differ in length."""
MAX_NAMED_ROWS = 5
"""The most short rows that are named; the others are counted."""


def is_terminal(stream: Any) -> bool:
    """Whether a stream is a terminal."""
    return stream is not None and bool(stream.isatty())


def wants_colour() -> bool:
    """Whether standard output shows colours, and the user allows them."""
    return is_terminal(sys.stdout) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def check_stdout(data: bytes) -> None:
    """Refuse bytes that cannot be written to standard output."""
    require_stdout()
    if b"\0" in data[:4096] and is_terminal(sys.stdout):
        raise BadInput("this format is not for a terminal", fix="name a file with -o, or send it into a pipe")


def write_stdout(data: bytes) -> None:
    """Write bytes to standard output. A terminal gets text without signs that control it."""
    check_stdout(data)
    if is_terminal(sys.stdout):
        data = clean_text(data.decode("utf-8", "replace")).encode()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def read_level(source: str, read_as: str | None, note: Callable[[str], None] = lambda _: None, **options: Any) -> Level:
    """A level from a file, or from standard input if the name is -; the options are those of its format. `note` gets a
    message if short rows were filled up.
    """
    if source != "-":
        row = formats.resolve_suffix(source) if read_as is None else formats.resolve_format(read_as)
        if row.name not in DRAWN_FORMATS:
            return formats.load(source, read_as, **options)
        return _read_drawing(files.read_bytes(source, row.limit), row, source, note, options)
    if read_as is None:
        raise BadInput(
            "standard input has no suffix that names a format", fix="add --read-as, for example --read-as json"
        )
    if sys.stdin is None:
        raise FileTrouble("standard input is closed", fix="name a file")
    data = sys.stdin.buffer.read(limits.JSON_BYTES.value + 1)
    return _read_drawing(data, formats.resolve_format(read_as), "standard input", note, options)


def _read_drawing(data: bytes, row: Format, file: str, note: Callable[[str], None], options: dict[str, Any]) -> Level:
    """The level in some bytes, with a note if short rows of a drawing were filled up."""
    level = formats.loads(data, row.name, file, **options)
    if row.name not in DRAWN_FORMATS:
        return level
    from undercroft.formats.text import find_short_rows

    if short := find_short_rows(data, file):
        filling = level.palette.tiles[level.tiles[short[0], -1]].name
        places = [str(y + 1) for y in short]
        places[MAX_NAMED_ROWS:] = [f"{len(places) - MAX_NAMED_ROWS} more"] if len(places) > MAX_NAMED_ROWS else []
        which = f"row {places[0]} is" if len(places) == 1 else f"rows {join_words(places)} are"
        note(f"{file}: {which} shorter than the longest, and filled up with {filling}")
    return level


def resolve_format(path: str, name: str | None, *, alone: bool = True) -> Format:
    """The format of an output: that of its suffix, or the named one if the suffix is unknown or the named one is a
    variant of that format (text:rooms in a .txt).
    """
    if path == "-":
        if not name:
            raise BadInput(
                "standard output has no suffix that names a format", fix="add --format, for example --format text"
            )
        return formats.resolve_format(name)
    if not name:
        return formats.resolve_suffix(path)
    named = formats.resolve_format(name)
    try:
        by_suffix = formats.resolve_suffix(path)
    except BadInput:
        return named
    if by_suffix.name.partition(":")[0] == name.partition(":")[0]:
        return named
    if alone:
        raise BadInput(
            f"{path} ends like {by_suffix.name}, but --format says {name}",
            fix="leave --format out, or give the file another suffix",
        )
    return by_suffix
