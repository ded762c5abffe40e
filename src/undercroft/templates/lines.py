"""The lines of a text of room types: without their comments, and every part of them with its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from undercroft.errors import BadInput, Place, TooBig
from undercroft.limits import Limit


class LinePart(NamedTuple):
    """A piece of a line, and where in it that stands, from 0."""

    file: str
    number: int
    line: str
    at: int
    text: str

    def place(self, offset: int = 0) -> Place:
        """Where it begins, or a place so many signs further on."""
        return Place(self.file, self.number, self.at + offset + 1, self.line)

    def cut(self, start: int, end: int | None = None) -> LinePart:
        """A piece of the piece, without blanks around it."""
        text = self.text[start:end]
        left = len(text) - len(text.lstrip(" "))
        return self._replace(at=self.at + start + left, text=text.strip(" "))

    def split(self) -> list[LinePart]:
        """What commas separate."""
        return [self.cut(found.start(), found.end()) for found in re.finditer(r"(?:^|(?<=,))[^,]*", self.text)]

    def bad(self, problem: str, fix: str) -> BadInput:
        """The error about it."""
        return BadInput(problem, place=self.place(), fix=fix)

    def parse_number(self, what: str, least: int, most: int) -> int:
        """The whole number that it is."""
        if not re.fullmatch(r"[0-9]{1,9}", self.text) or not least <= int(self.text) <= most:
            raise self.bad(
                f"{what} is a whole number from {least} to {most:,}, not {self.text[:20]!r}",
                f"write one, for example {what} {max(least, 1)}",
            )
        return int(self.text)


def split_lines(text: str, file: str) -> Iterator[LinePart]:
    """The lines without comments, those that hold nothing else left out; blank ones stay because they end drawings.

    >>> [line.text for line in split_lines("room  hall ; large\\n; only this\\n\\n  ###  ", "keep.txt")]
    ['room  hall', '', '  ###']
    """
    for number, whole in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        written = whole.removesuffix("\r")
        body, comment, _ = written.partition(";")
        shown = "".join(sign if sign.isprintable() or sign == "\t" else "\ufffd" for sign in written)
        line = LinePart(file, number, shown, 0, body.rstrip(" "))
        for at, sign in enumerate(line.text if not line.text.isprintable() else ""):
            if sign == "\t":
                raise BadInput(
                    "a tab: how far it reaches is different in every editor",
                    place=line.place(at),
                    fix="indent and align with blanks",
                )
            if not sign.isprintable():
                raise BadInput(
                    f"a sign that cannot be seen (U+{ord(sign):04X})",
                    place=line.place(at),
                    fix="delete it; blanks are plain blanks",
                )
        if line.text or not comment:
            yield line


def check_limit(limit: Limit, asked: int, what: str, place: Place) -> None:
    """Raise `TooBig`, with the place, if a cap is exceeded."""
    try:
        limit.check(asked, what)
    except TooBig as error:
        error.place = place
        raise
