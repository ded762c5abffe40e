"""The provenance of a level as a JSON text, which files of most formats hold."""

from __future__ import annotations

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
    """The provenance of the level as text; empty if unknown."""
    if not level.provenance:
        return ""
    text = format_json(to_json_value(level.provenance, "provenance"))
    limits.ORIGIN_BYTES.check(len(text), "the size of the level's provenance")
    return text


def parse_origin(note: str | bytes | None, file: str, kind: str) -> ReadOnlyDict:
    """The provenance in the text that a file holds. `kind` names the file in errors: a picture, a drawing, a model."""
    fix = f"name a {kind} that undercroft made"
    data = note.encode("utf-8", "replace") if isinstance(note, str) else note or b""
    if not data.strip():
        raise BadInput(f"{file}: the {kind} does not record how it was made", fix=fix)
    limits.ORIGIN_BYTES.check(len(data), f"{file}: the size of its provenance in bytes")
    return read_provenance(in_file(parse_json(data, file), ORIGIN_KEY, file))


def read_provenance(spot: CheckedValue) -> ReadOnlyDict:
    """The provenance of the level, checked."""
    spot.table()
    found: ReadOnlyDict = freeze(check_finite(spot))
    return found
