"""Open the files that a map of Tiled names: tilesets and templates of objects. They must lie in the folder of the map
or below it.

A file that is missing or lies elsewhere is skipped: the map is read without it, and a note says so. Opened files are
checked like a map.
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from undercroft import limits
from undercroft.core.thing_data import ThingData
from undercroft.errors import FileTrouble
from undercroft.formats.shared.siblings import SiblingFiles
from undercroft.formats.tiled import xml
from undercroft.formats.tiled.tiles import CUSTOM_SHEET_PATTERN, TILESET_NAME
from undercroft.inputs.json import parse_json
from undercroft.inputs.values import CheckedValue, in_file

SUFFIXES = {"tileset": (".tsx", ".tsj", ".json", ".xml"), "template": (".tx", ".tj", ".json", ".xml")}
"""The suffixes of such files; no others are opened."""
JSON_SUFFIXES = (".tsj", ".tj", ".json")
IDENTIFYING_KEYS = {"tileset": ("tilewidth", "tiles", "tilecount"), "template": ("object",)}
"""A JSON file must have one of these keys."""
MAX_NAME_LENGTH = 100
"""The most characters of a name in a note."""


class ObjectTemplate(NamedTuple):
    """What an object inherits from its template. All its objects share it."""

    values: Mapping[str, Any]
    properties: ThingData
    letters: int
    """The length of all of it as JSON."""


class ExternalFiles:
    """The files that a map names, each opened once."""

    def __init__(self, folder: SiblingFiles | None, file: str) -> None:
        self.folder = folder
        """The folder of the map; None if it did not come from a file."""
        self.file = file
        """The map's name in errors."""
        self.closed: dict[str, str] = {}
        """Files that were not opened, with the reason."""
        self.found: dict[tuple[str, str], CheckedValue | None] = {}
        self.left = limits.TILED_FILES_BYTES.value
        self.templates: dict[str, ObjectTemplate | None] = {}
        """The templates of objects by their normalised names; None for those that were not opened."""
        self.inherited_letters = 0

    def open_tileset(self, name: str) -> CheckedValue | None:
        """The tileset in a file. Our own is not opened: its pieces are known. That of a palette's custom tiles is known
        too, so a map does without its file.
        """
        stem = PurePosixPath(normalise_path(name)).stem
        if stem == TILESET_NAME:
            return None
        return self._open(normalise_path(name), "tileset", known=bool(CUSTOM_SHEET_PATTERN.fullmatch(stem)))

    def open_template(self, name: str) -> CheckedValue | None:
        """The template in a file."""
        return self._open(normalise_path(name), "template")

    def count_inherited(self, template: ObjectTemplate) -> None:
        """Count what one more object inherits. Raises if all objects together inherit too much."""
        self.inherited_letters += template.letters
        limits.TILED_INHERITED_LETTERS.check(
            self.inherited_letters, f"{self.file}: the number of letters that its objects take from templates"
        )

    def _open(self, name: str, what: str, *, known: bool = False) -> CheckedValue | None:
        if (name, what) not in self.found:
            limits.TILED_FILES.check(len(self.found) + 1, f"{self.file}: the number of files that it names")
            self.found[name, what] = None
            try:
                self.found[name, what] = self._read(name, what)
            except FileTrouble as error:
                if not known:
                    self.closed[name[:MAX_NAME_LENGTH]] = error.problem
        return self.found[name, what]

    def _read(self, name: str, what: str) -> CheckedValue:
        if self.folder is None:
            raise FileTrouble("the map did not come from a file, so it has no folder")
        if not name.casefold().endswith(SUFFIXES[what]):
            raise FileTrouble(f"its name does not end in one of {', '.join(SUFFIXES[what])}")
        data = self.folder.read(name, limits.TILED_FILES_BYTES._replace(value=self.left))
        self.left -= len(data)
        called = self.folder.display_name(name)
        return in_file(_parse_file(data, called, what), "", called)


def _parse_file(data: bytes, file: str, what: str) -> dict[str, Any]:
    if not file.casefold().endswith(JSON_SUFFIXES):
        return xml.parse_xml(data, file, what)
    found = parse_json(data, file)
    if type(found) is not dict or found.keys().isdisjoint(IDENTIFYING_KEYS[what]) or found.get("type", what) != what:
        raise in_file(found, "", file).error(f"this is no {what} of Tiled", f"name a file that Tiled saved as a {what}")
    return found


def normalise_path(name: str) -> str:
    """The normalised name of a file, without redundant `..` parts.

    >>> normalise_path("rooms\\\\..\\\\walls.tsx")
    'walls.tsx'
    """
    return posixpath.normpath(name.replace("\\", "/"))


def resolve_from_template(template: str, name: str) -> str:
    """The path, relative to the map, of a file that one of its templates names.

    >>> resolve_from_template("templates/chest.tx", "../props.tsx")
    'props.tsx'
    """
    return normalise_path(posixpath.join(posixpath.dirname(normalise_path(template)), name.replace("\\", "/")))
