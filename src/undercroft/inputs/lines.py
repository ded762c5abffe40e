"""Split a text that a person writes into lines without comments; every part of a line keeps its place."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from typing import NamedTuple

from undercroft.errors import BadInput, Place
from undercroft.limits import Limit

QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')


class LinePart(NamedTuple):
    """A piece of a line, or all of it, and where in the line it stands, from 0."""

    file: str
    number: int
    line: str
    at: int
    text: str

    @property
    def indent(self) -> int:
        """How many blanks it begins with."""
        return len(self.text) - len(self.text.lstrip(" "))

    def place(self, offset: int = 0) -> Place:
        """Where it begins, or a place so many signs further on."""
        return Place(self.file, self.number, self.at + offset + 1, self.line)

    def error(self, problem: str, fix: str, *, offset: int = 0) -> BadInput:
        """The error about it, or about what stands so many signs further on."""
        return BadInput(problem, place=self.place(offset), fix=fix)

    def slice(self, start: int, end: int | None = None) -> LinePart:
        """A piece of the piece, with the blanks around it."""
        return LinePart(self.file, self.number, self.line, self.at + start, self.text[start:end])

    def cut(self, start: int = 0, end: int | None = None) -> LinePart:
        """A piece of the piece, without blanks around it."""
        text = self.text[start:end]
        left = len(text) - len(text.lstrip(" "))
        return LinePart(self.file, self.number, self.line, self.at + start + left, text.strip(" "))

    def split(self, sign: str = ",", skip: Callable[[str, int], int] = lambda _, at: at + 1) -> list[LinePart]:
        """The pieces between commas. `skip` returns the index at which to continue after the sign at an index, for
        example to step over quotes.
        """
        pieces = []
        start = at = 0
        while at < len(self.text):
            if self.text[at] == sign:
                pieces.append(self.cut(start, at))
                start = at + 1
            at = skip(self.text, at)
        pieces.append(self.cut(start))
        return pieces

    def split_words(self) -> list[LinePart]:
        """The pieces between blanks."""
        return [self.slice(*found.span()) for found in re.finditer(r"[^ ]+", self.text)]

    def parse_number(self, what: str, least: int, most: int, fix: str = "write such a number") -> int:
        """The value of this piece as a whole number."""
        if not re.fullmatch(r"[0-9]{1,12}", self.text) or not least <= int(self.text) <= most:
            raise self.error(f"{what} is a whole number from {least} to {most:,}, not {self.text[:20]!r}", fix)
        return int(self.text)


def split_lines(
    text: str, file: str, limit: Limit, find_comment: Callable[[str], int] = lambda line: line.find(";")
) -> Iterator[LinePart]:
    """The lines without comments and the blanks before those. Lines that hold only a comment are left out; blank ones
    stay because they end drawings. `find_comment` gives the index at which the comment of a line begins, or -1.

    >>> from undercroft.limits import PREFAB_BYTES
    >>> [line.text for line in split_lines("room  hall ; large\\n; only this\\n\\n  ###  ", "keep.txt", PREFAB_BYTES)]
    ['room  hall', '', '  ###']
    """
    limit.check(len(text.encode("utf-8", "replace")), f"{file}: its size in bytes", Place(file, 1, 1))
    for number, written in enumerate(list_lines(text), 1):
        end = find_comment(written)
        body = written if end < 0 else written[:end]
        line = LinePart(file, number, replace_unprintable(written), 0, body.rstrip(" "))
        if not line.text.isprintable():
            raise _unprintable_error(line)
        if line.text or end < 0:
            yield line


def list_lines(text: str) -> list[str]:
    """The lines as they are written, without what ends them."""
    return [line.removesuffix("\r") for line in text.removeprefix("\ufeff").split("\n")]


def _unprintable_error(line: LinePart) -> BadInput:
    at, sign = next((at, sign) for at, sign in enumerate(line.text) if not sign.isprintable())
    if sign == "\t":
        return line.error(
            "a tab: how far it reaches is different in every editor", "indent and align with blanks", offset=at
        )
    return line.error(
        f"a sign that cannot be seen (U+{ord(sign):04X})", "delete it; blanks are plain blanks", offset=at
    )


def skip_quotes(text: str, at: int) -> int:
    """The index after the sign at `at`, or after the quotes that open there: at the beginning of a word only."""
    if text[at] == '"' and (at == 0 or text[at - 1] in " ,({"):
        found = QUOTED.match(text, at)
        return found.end() if found else at + 1
    return at + 1


def replace_unprintable(text: str) -> str:
    """The text with a replacement character for each sign that cannot be seen; tabs stay."""
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() or sign == "\t" else "\N{REPLACEMENT CHARACTER}" for sign in text)


def decode_utf8(data: bytes, file: str, fix: str) -> str:
    """The bytes as text. Raises if they are no UTF-8, and names the place."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise not_utf8_error(data, file, error.start, fix) from None


def not_utf8_error(data: bytes, file: str, at: int, fix: str) -> BadInput:
    """The error that the byte at an index is no UTF-8."""
    place = Place(file, data.count(b"\n", 0, at) + 1, at - data.rfind(b"\n", 0, at))
    return BadInput("this byte is not UTF-8 text", place=place, fix=fix)


def locate(text: str, file: str, at: int) -> Place:
    """Line and column of the sign at an index, and the line."""
    return LineIndex(text, file).locate(at)


class LineIndex:
    """Finds the places of many signs of a text: the text is searched once, and each line is cleaned once.

    >>> index = LineIndex("one\\ntwo\\n", "a.txt")
    >>> index.locate(5)
    Place(file='a.txt', line=2, column=2, text='two')
    """

    __slots__ = ("_file", "_lines", "_starts", "_text")

    def __init__(self, text: str, file: str) -> None:
        self._text, self._file = text, file
        self._starts: list[int] = []
        self._lines: dict[int, str] = {}

    def locate(self, at: int) -> Place:
        """Line and column of the sign at an index, and the line."""
        starts = self._find_starts()
        number = bisect_right(starts, at)
        start = starts[number - 1]
        if number not in self._lines:
            end = starts[number] - 1 if number < len(starts) else len(self._text)
            self._lines[number] = replace_unprintable(self._text[start:end].removesuffix("\r"))
        return Place(self._file, number, at - start + 1, self._lines[number])

    def offset(self, place: Place) -> int:
        """The index of the sign at a place: the reverse of `locate`.

        >>> index = LineIndex("one\\ntwo\\n", "a.txt")
        >>> index.offset(index.locate(5))
        5
        """
        return self._find_starts()[place.line - 1] + place.column - 1

    def _find_starts(self) -> list[int]:
        """Where each line begins."""
        if not self._starts:
            self._starts = [0, *(found.end() for found in re.finditer("\n", self._text))]
        return self._starts
