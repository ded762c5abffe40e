"""Levels as SVG files: drawings that stay sharp at any size, with no fonts, pictures or scripts in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from xml.parsers import expat

from undercroft import limits
from undercroft.core.level import Level
from undercroft.errors import BadInput, Place
from undercroft.formats.checked import plain
from undercroft.formats.guard import parsed
from undercroft.formats.native import text

CELL = 24
"""Pixels a cell that viewers show at first."""


def dump(level: Level, *, style: str = "ink", cell: int = CELL, show: Iterable[str] = (), hide: Iterable[str] = (), margin: float | None = None) -> bytes:
    """The level as a drawing in one of the styles that have a vector form; the options are those of `draw.styles.picture`.

    Its title is the file's title, and where it came from is kept as metadata.
    """
    from undercroft.draw.styles import vector
    from undercroft.draw.svg import svg

    if type(cell) is not int or not 1 <= cell <= limits.PICTURE_SIDE.value:
        raise BadInput(f"a cell is a whole number of pixels from 1 to {limits.PICTURE_SIDE.value}, not {cell!r}", fix="for example cell=24")
    scene = vector(level, style, show=show, hide=hide, margin=margin)
    if level.title:
        scene.notes["title"] = level.title
    if level.provenance:
        scene.notes["undercroft"] = text(plain(level.provenance, "provenance"))
    return svg(scene, cell)


def origin(data: bytes, file: str) -> Mapping[str, Any]:
    """How the level of a drawing of ours was made. The file is read up to there; a document type, which could define entities, is refused."""
    note = _Reading(file).note(data)
    made = parsed(note.encode(), file) if note.strip() else None
    if not isinstance(made, dict):
        raise BadInput(f"{file}: the drawing does not tell how it was made", fix="name a drawing that undercroft made")
    return made


class _Found(Exception):
    """The metadata have been read."""


class _Reading:
    """The elements of a drawing, up to the end of its metadata."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.depth = 0
        self.inside = 0
        self.words: list[str] = []
        self.parser = parser = expat.ParserCreate(namespace_separator=" ")
        parser.buffer_text = True
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self.end
        parser.CharacterDataHandler = self.said
        parser.StartDoctypeDeclHandler = self.doctype

    def note(self, data: bytes) -> str:
        """The text of the first metadata."""
        try:
            self.parser.Parse(data, True)
        except _Found:
            pass
        except expat.ExpatError as error:
            what = expat.ErrorString(error.code)
            place = Place(self.file, error.lineno, error.offset + 1)
            raise BadInput(f"this is not XML: {what}", place=place, fix="name a drawing that undercroft made") from None
        except (LookupError, ValueError):
            raise BadInput(f"{self.file}: the text is in an encoding that is not read here", fix="save the file as UTF-8") from None
        return "".join(self.words)

    def start(self, name: str, _: object) -> None:
        self.depth += 1
        tag = name.rpartition(" ")[2]
        if self.depth == 1 and tag != "svg":
            raise self.wrong(f"this is <{tag[:40]}>, not a drawing", "name a file that ends in .svg")
        if self.depth > limits.XML_DEPTH.value:
            raise self.wrong(f"more than {limits.XML_DEPTH.value} elements in each other", limits.XML_DEPTH.raise_by)
        if tag == "metadata" and not self.inside:
            self.inside = self.depth

    def end(self, _: str) -> None:
        if self.depth == self.inside:
            raise _Found
        self.depth -= 1

    def said(self, words: str) -> None:
        if self.inside:
            self.words.append(words)

    def doctype(self, *_: object) -> None:
        raise self.wrong("a document type stands here, and drawings of ours have none", "delete the line <!DOCTYPE ...>")

    def wrong(self, problem: str, fix: str) -> BadInput:
        return BadInput(problem, place=Place(self.file, self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1), fix=fix)
