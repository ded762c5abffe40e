"""The text of one element of an XML file of ours. The file is read up to its end and no further; a document type, which
could define entities, is refused.
"""

from __future__ import annotations

from xml.parsers import expat

from undercroft import limits
from undercroft.errors import BadInput, Place


class _Found(Exception):
    """The text has been read."""


class NoteReader:
    """The elements of a file, up to the end of the one whose text is looked for. Which that is, `holds` says."""

    ROOT = ""
    """The outermost element."""
    WHAT = ""
    """What such a file is, for messages."""
    FIX = ""
    """Which file to name instead."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.open: list[str] = []
        """The elements that have begun and not ended, the outermost first."""
        self._inside = 0
        self._words: list[str] = []
        self._parser = parser = expat.ParserCreate(namespace_separator=" ")
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._said
        parser.StartDoctypeDeclHandler = self._doctype

    def holds(self, told: dict[str, str]) -> bool:
        """Whether the element that has just begun, the last of `open`, is the one; `told` are its attributes."""
        raise NotImplementedError

    def note(self, data: bytes) -> str:
        """The text of that element; empty if there is none."""
        try:
            self._parser.Parse(data, True)
        except _Found:
            pass
        except expat.ExpatError as error:
            what = expat.ErrorString(error.code)
            raise BadInput(
                f"this is not XML: {what}", place=Place(self.file, error.lineno, error.offset + 1), fix=self.FIX
            ) from None
        except (LookupError, ValueError):
            raise BadInput(
                f"{self.file}: the text is in an encoding that is not read here", fix="save the file as UTF-8"
            ) from None
        return "".join(self._words)

    def _start(self, name: str, told: dict[str, str]) -> None:
        tag = name.rpartition(" ")[2]
        if not self.open and tag != self.ROOT:
            raise self._wrong(f"this is <{tag[:40]}>, not a {self.WHAT}", f"name a file that ends in .{self.ROOT}")
        if len(self.open) == limits.XML_DEPTH.value:
            raise self._wrong(f"more than {limits.XML_DEPTH.value} elements in each other", limits.XML_DEPTH.raise_by)
        self.open.append(tag)
        if not self._inside and self.holds(told):
            self._inside = len(self.open)

    def _end(self, _: str) -> None:
        if self._inside == len(self.open):
            raise _Found
        self.open.pop()

    def _said(self, words: str) -> None:
        if self._inside:
            self._words.append(words)

    def _doctype(self, *_: object) -> None:
        raise self._wrong(
            f"a document type stands here, and {self.WHAT}s of ours have none", "delete the line <!DOCTYPE ...>"
        )

    def _wrong(self, problem: str, fix: str) -> BadInput:
        return BadInput(
            problem,
            place=Place(self.file, self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber + 1),
            fix=fix,
        )
