"""Find the sign of a TOML text that a sign of one of its strings was read from."""

from __future__ import annotations

import re
from typing import Any

from undercroft.errors import Place
from undercroft.inputs.toml import TomlDocument

_DELIMITER = re.compile(r"\"\"\"|'''|\"|'")
_ESCAPE = re.compile(r"\\(?:u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|[ \t]*\r?\n[ \t\r\n]*|.)", re.DOTALL)


def locate_in_string(document: TomlDocument, text: str, place: Place, *path: str | int) -> Place | None:
    r"""The place in the document of a place in the text at this path. None if the text stands not there, or ends before
    that place.

    >>> from undercroft.inputs.toml import parse_toml
    >>> document = parse_toml('rules = \"\"\"\none  .. -> #\n\"\"\"\n', "cave.toml")
    >>> locate_in_string(document, "one  .. -> #\n", Place("rules", 1, 12), "rules")
    Place(file='cave.toml', line=2, column=12, text='one  .. -> #')
    """
    value: Any = document.data
    for name in path:
        table = dict(enumerate(value)) if isinstance(value, list) else value
        value = table.get(name) if isinstance(table, dict) else None
    if value != text:
        return None
    lines = text.split("\n")
    if not 1 <= place.line <= len(lines) or place.column > len(lines[place.line - 1]) + 1:
        return None
    sign = sum(len(line) + 1 for line in lines[: place.line - 1]) + place.column - 1
    start = document.value_offset(*path)
    return document.lines.locate(_find_source(document.text, start, sign))


def _find_source(source: str, start: int, sign: int) -> int:
    """The index in the source of a sign of the string that starts at `start`; behind its last sign, the index of what
    closes it.
    """
    found = _DELIMITER.match(source, start)
    if found is None:
        return start
    at = found.end()
    if len(found[0]) == 3:  # a line break right after the quotes is not part of the text
        at += 2 if source.startswith("\r\n", at) else source.startswith("\n", at)
    escaped = found[0][0] == '"'
    while True:
        if escaped and (escape := _ESCAPE.match(source, at)):
            if escape[0][1] not in " \t\r\n":  # a backslash at the end of a line stands for nothing
                if not sign:
                    return at
                sign -= 1
            at = escape.end()
            continue
        if not sign:
            return at
        at += 2 if source.startswith("\r\n", at) else 1
        sign -= 1
