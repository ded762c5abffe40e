"""Detect a JSON file's format from its keys."""

from __future__ import annotations

import re

from undercroft.errors import BadInput
from undercroft.formats.table import FORMATS, Format
from undercroft.inputs.json import parse_json

LEVEL_PATTERN = re.compile(rb'[ \t\r\n]*\{[ \t\r\n]*"format"[ \t\r\n]*:[ \t\r\n]*"undercroft-level/')
WORK_VERSION = "undercroft-work/1"
"""The format of a work: a recipe with all that a level is made from, and no level yet."""
WORK_PATTERN = re.compile(LEVEL_PATTERN.pattern.replace(b"undercroft-level/", b"undercroft-work/"))
ROOMS_PATTERN = re.compile(LEVEL_PATTERN.pattern.replace(b"undercroft-level/", b"undercroft-rooms/"))


def detect_origin_format(data: bytes, file: str) -> Format:
    """The format of a JSON text whose provenance is to be read: ours, the rooms of a room grid, or one that can be
    read.

    >>> detect_origin_format(b'{"format": "undercroft-rooms/1", "rooms": []}', "rooms.json").name
    'json:rooms'
    """
    return FORMATS["json:rooms"] if ROOMS_PATTERN.match(data) else detect_format(data, file)


def is_work(data: bytes, file: str) -> bool:
    """Whether a JSON text is a work. Its first key tells, and in a text that a person wrote any other.

    >>> is_work(b'{"recipe": "cave", "format": "undercroft-work/1"}', "cave.work.json")
    True
    """
    if WORK_PATTERN.match(data):
        return True
    if b'"undercroft-work/' not in data or LEVEL_PATTERN.match(data):  # a level may be large
        return False
    found = parse_json(data, file)
    return type(found) is dict and str(found.get("format")).startswith("undercroft-work/")


def detect_format(data: bytes, file: str) -> Format:
    """The format of a JSON text. A text that names an unknown format counts as ours; its reader then reports what is
    wrong.

    >>> detect_format(b'{"rects": [], "doors": []}', "crypt.json").name
    'watabou'
    """
    ours = FORMATS["json"]
    if LEVEL_PATTERN.match(data):  # before parsing, which takes long for a large level
        return ours
    found = parse_json(data, file)
    if type(found) is not dict:
        return ours
    if str(found.get("format")).startswith("undercroft-work/"):
        raise BadInput(
            f"{file} holds a work, from which a level is made, and not the level itself",
            fix=f"make it first: undercroft generate --from {file} -o LEVEL.json",
        )
    for row in FORMATS.values():  # those of other packages come last, and are looked at only then
        if row.keys and found.keys() >= {*row.keys}:
            row.limit.check(len(data), f"{file}: its size in bytes")
            return row
    if "format" in found:
        return ours
    names = ", ".join([ours.name, *(row.name for row in FORMATS.values() if row.keys)])
    raise BadInput(
        f"{file}: this JSON is none of {names}",
        fix="name a file that holds a level, or its format (--read-as, read_as= in Python)",
    )
