"""The files that a map of Tiled names: tilesets and templates of objects. They are opened in the folder of the map or
below it, and nowhere else.

What is not there, or lies elsewhere, is left alone: the map is read without it, and that is noted. What is there is
checked as a map is.
"""

from __future__ import annotations

import posixpath
from pathlib import PurePosixPath
from typing import Any

from undercroft import limits
from undercroft.errors import FileTrouble
from undercroft.formats.shared import guarded_json
from undercroft.formats.shared.checked import Spot
from undercroft.formats.shared.siblings import Folder
from undercroft.formats.tiled import xml
from undercroft.formats.tiled.tiles import NAME

SUFFIXES = {"tileset": (".tsx", ".tsj", ".json", ".xml"), "template": (".tx", ".tj", ".json", ".xml")}
"""How the names of such files end; no others are opened."""
IN_JSON = (".tsj", ".tj", ".json")
KEYS = {"tileset": ("tilewidth", "tiles", "tilecount"), "template": ("object",)}
"""A file in JSON has one of these keys."""
MANY = limits.FOLDER_ENTRIES._replace(
    name="files that a map names", reason="each is opened", raise_by="cut the map into parts"
)
LONG = limits.TEXT_BYTES._replace(
    name="bytes of the files that a map names",
    reason="a tileset is a few pages",
    raise_by="take out what the map does not use",
)
LONGEST = 100
"""Signs of a name that are told."""


class Beside:
    """The files that a map names, each opened once."""

    def __init__(self, folder: Folder | None, file: str) -> None:
        self.folder = folder
        """The folder of the map; None if it did not come from a file."""
        self.file = file
        """What errors call the map."""
        self.closed: dict[str, str] = {}
        """Files that were not opened, and why."""
        self.found: dict[tuple[str, str], Spot | None] = {}
        self.left = LONG.value

    def tileset(self, name: str) -> Spot | None:
        """The tileset in a file. Ours is not looked for: its pieces are known."""
        return None if PurePosixPath(plain(name)).stem == NAME else self._opened(plain(name), "tileset")

    def template(self, name: str) -> Spot | None:
        """The template in a file."""
        return self._opened(plain(name), "template")

    def _opened(self, name: str, what: str) -> Spot | None:
        if (name, what) not in self.found:
            MANY.check(len(self.found) + 1, f"{self.file}: the number of files that it names")
            self.found[name, what] = None
            try:
                self.found[name, what] = self._read(name, what)
            except FileTrouble as error:
                self.closed[name[:LONGEST]] = error.problem
        return self.found[name, what]

    def _read(self, name: str, what: str) -> Spot:
        if self.folder is None:
            raise FileTrouble("the map did not come from a file, so it has no folder")
        if not name.casefold().endswith(SUFFIXES[what]):
            raise FileTrouble(f"its name does not end in one of {', '.join(SUFFIXES[what])}")
        data = self.folder.read(name, LONG._replace(value=self.left))
        self.left -= len(data)
        called = self.folder.called(name)
        return Spot(_parsed(data, called, what), "", called)


def _parsed(data: bytes, file: str, what: str) -> dict[str, Any]:
    if not file.casefold().endswith(IN_JSON):
        return xml.parsed(data, file, what)
    found = guarded_json.parsed(data, file)
    if type(found) is not dict or found.keys().isdisjoint(KEYS[what]) or found.get("type", what) != what:
        raise Spot(found, "", file).wrong(f"this is no {what} of Tiled", f"name a file that Tiled saved as a {what}")
    return found


def plain(name: str) -> str:
    """The name of a file without steps to and fro.

    >>> plain("rooms\\\\..\\\\walls.tsx")
    'walls.tsx'
    """
    return posixpath.normpath(name.replace("\\", "/"))


def among(template: str, name: str) -> str:
    """The name that a map has for a file which one of its templates names.

    >>> among("templates/chest.tx", "../props.tsx")
    'props.tsx'
    """
    return plain(posixpath.join(posixpath.dirname(plain(template)), name.replace("\\", "/")))
