"""The text of one element of an XML file of ours. The file is read up to its end and no further; a document type, which
could define entities, is refused.
"""

from __future__ import annotations

from xml.parsers import expat

from undercroft import limits
from undercroft.errors import BadInput, Place


class _StopParsing(Exception):
    """The text has been read."""


class NoteReader:
    """The elements of a file, up to the end of the one whose text is looked for. Which that is, `is_note_element`
    says.
    """

    ROOT = ""
    """The outermost element."""
    FILE_KIND = ""
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
        parser.StartElementHandler = self._on_start
        parser.EndElementHandler = self._on_end
        parser.CharacterDataHandler = self._on_text
        parser.StartDoctypeDeclHandler = self._on_doctype

    def is_note_element(self, told: dict[str, str]) -> bool:
        """Whether the element that has just begun, the last of `open`, is the one; `told` are its attributes."""
        raise NotImplementedError

    def read_note(self, data: bytes) -> str:
        """The text of that element; empty if there is none."""
        try:
            self._parser.Parse(data, True)
        except _StopParsing:
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

    def _on_start(self, name: str, told: dict[str, str]) -> None:
        tag = name.rpartition(" ")[2]
        if not self.open and tag != self.ROOT:
            raise self._error(f"this is <{tag[:40]}>, not a {self.FILE_KIND}", f"name a file that ends in .{self.ROOT}")
        if len(self.open) == limits.XML_DEPTH.value:
            raise self._error(f"more than {limits.XML_DEPTH.value} elements in each other", limits.XML_DEPTH.raise_by)
        self.open.append(tag)
        if not self._inside and self.is_note_element(told):
            self._inside = len(self.open)

    def _on_end(self, _: str) -> None:
        if self._inside == len(self.open):
            raise _StopParsing
        self.open.pop()

    def _on_text(self, words: str) -> None:
        if self._inside:
            self._words.append(words)

    def _on_doctype(self, *_: object) -> None:
        raise self._error(
            f"a document type stands here, and {self.FILE_KIND}s of ours have none", "delete the line <!DOCTYPE ...>"
        )

    def _error(self, problem: str, fix: str) -> BadInput:
        return BadInput(
            problem,
            place=Place(self.file, self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber + 1),
            fix=fix,
        )
