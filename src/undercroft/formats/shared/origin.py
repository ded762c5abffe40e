"""The provenance of a level as a JSON text, which files of most formats hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from undercroft import limits
from undercroft.core.frozen import ReadOnlyDict, freeze
from undercroft.core.level import Level
from undercroft.errors import BadInput
from undercroft.formats.shared.checked import check_finite, to_json_value
from undercroft.inputs.json import format_json, parse_json
from undercroft.inputs.values import CheckedValue, in_file

ORIGIN_KEY = "undercroft"
"""The name of the provenance in such files."""


def format_origin(level: Level) -> str:
    """The provenance of the level as JSON."""
    return format_provenance(level.provenance, "the level")


def format_provenance(provenance: Mapping[str, Any], owner: str) -> str:
    """A provenance as JSON. `owner` names what it belongs to in errors."""
    text = format_json(to_json_value(provenance, "provenance"))
    check_origin_bytes(len(text.encode("utf-8", "replace")), owner)
    return text


def check_origin_bytes(count: int, owner: str) -> None:
    """Raise if a provenance of that many bytes is too long. `owner` names the level or the file in the error."""
    limits.ORIGIN_BYTES.check(count, f"{owner}: the size of its provenance in bytes")


def check_note(note: bytes, file: str) -> bytes:
    """The note with the provenance as it stands in a file. Raises if it is too long to be decoded."""
    limits.ORIGIN_NOTE_BYTES.check(len(note), f"{file}: the size of its provenance in bytes, with all escapes,")
    return note


def strip_backslashes(text: str) -> str:
    r"""The text without the backslash before each escaped sign; an escaped line end is left out. It is done by whole
    replacements, since there may be millions.

    >>> print(strip_backslashes(r'a\\b\"c'))
    a\b"c
    """
    text = text.replace("\\\\", "\0").replace("\\\r\n", "").replace("\\\n", "")
    return text.replace("\\", "").replace("\0", "\\")


def parse_origin(note: str | bytes | None, file: str, kind: str) -> ReadOnlyDict:
    """The provenance in the text that a file holds. `kind` names the file in errors: a picture, a drawing, a model."""
    fix = f"name a {kind} that undercroft made"
    data = note.encode("utf-8", "replace") if isinstance(note, str) else note or b""
    if not data.strip():
        raise BadInput(f"{file}: the {kind} does not record how it was made", fix=fix)
    check_origin_bytes(len(data), file)
    return read_provenance(in_file(parse_json(data, file), ORIGIN_KEY, file))


def read_provenance(spot: CheckedValue) -> ReadOnlyDict:
    """The provenance of the level, checked."""
    spot.table()
    found: ReadOnlyDict = freeze(check_finite(spot))
    check_origin_bytes(len(format_json(found).encode("utf-8", "replace")), spot.file)
    return found
