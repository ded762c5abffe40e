"""The lines of a `.rules` text: without their comments, and every part of them with its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from undercroft.errors import BadInput, Place, TooBig
from undercroft.limits import RULES_BYTES, Limit

HEAD_WORDS = ("program", "palette", "tile", "thing", "set", "outside", "positions", "include")
LEAF_WORDS = ("one", "all", "parallel")
BLOCK_WORDS = ("markov", "sequence", "repeat")
FIRST_WORDS = (*HEAD_WORDS, *LEAF_WORDS, *BLOCK_WORDS, "rule", "expect")
"""The words that a line can begin with; everything else is a row of a drawing or a short rule."""

RESERVED_SIGNS = frozenset('?;|/{}"-,')
"""Signs with a meaning of their own: no set and no letter of `palette letters` is called so."""

ARROW = re.compile(r"(?<!\S)->(?!\S)")
QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
_FIRST_WORD = re.compile(r" *([^\s,]+)")


class Line(NamedTuple):
    """One line. `body` is what is left of it without its comment and the blanks before that."""

    file: str
    number: int
    text: str
    body: str

    @property
    def indent(self) -> int:
        """How many blanks it begins with."""
        return len(self.body) - len(self.body.lstrip(" "))

    def place(self, at: int) -> Place:
        """The place of the sign at that index."""
        return Place(self.file, self.number, at + 1, self.text)

    def part(self) -> SourcePart:
        """All of it, from its first sign."""
        return SourcePart(self, self.indent, self.body[self.indent :])

    def first_word(self) -> str:
        """Its first word."""
        found = _FIRST_WORD.match(self.body)
        return found[1] if found else ""


class SourcePart(NamedTuple):
    """A piece of a line, and where in it that stands."""

    line: Line
    at: int
    text: str

    def place(self, offset: int = 0) -> Place:
        """Where it begins, or a place so many signs further on."""
        return self.line.place(self.at + offset)

    def cut(self, start: int, end: int | None = None) -> SourcePart:
        """A piece of the piece, without blanks around it."""
        text = self.text[start:end]
        left = len(text) - len(text.lstrip(" "))
        return SourcePart(self.line, self.at + start + left, text.strip(" "))

    def split_words(self) -> list[SourcePart]:
        """What blanks separate."""
        return [SourcePart(self.line, self.at + found.start(), found[0]) for found in re.finditer(r"[^ ]+", self.text)]


def error_at(part: SourcePart, problem: str, fix: str, *, offset: int = 0) -> BadInput:
    """The error about a part of a line."""
    return BadInput(problem, place=part.place(offset), fix=fix)


def check_limit(limit: Limit, asked: int, what: str, place: Place) -> None:
    """Raise `TooBig`, with the place, if a cap is exceeded."""
    try:
        limit.check(asked, what)
    except TooBig as error:
        error.place = place
        raise


def split_lines(text: str, file: str) -> list[Line]:
    """The lines of a text; those that hold only a comment are left out, blank ones stay because they separate drawings.

    >>> [line.body for line in split_lines("one  room ; grows\\n  ; only this\\n\\n    AB -> AA", "x.rules")]
    ['one  room', '', '    AB -> AA']
    """
    check_limit(RULES_BYTES, len(text.encode("utf-8", "replace")), f"{file}: its size in bytes", Place(file, 1, 1))
    found = []
    for number, whole in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        written = whole.removesuffix("\r")
        end = _find_comment(written)
        body = written[:end].rstrip(" ")
        line = Line(file, number, _replace_unprintable(written), body)
        if not body.isprintable():
            _raise_unprintable(line)
        if body or end == len(written):
            found.append(line)
    return found


def _find_comment(text: str) -> int:
    """Where the comment begins. On a line that begins with a word of the language, a `;` in quotes begins none."""
    found = _FIRST_WORD.match(text)
    if not found or found[1] not in FIRST_WORDS or '"' not in text:
        at = text.find(";")
        return len(text) if at < 0 else at
    at = 0
    while at < len(text) and text[at] != ";":
        at = next_index(text, at)
    return at


def next_index(text: str, at: int) -> int:
    """The index after the sign at `at`, or after the quotes that open there: at the beginning of a word only."""
    if text[at] == '"' and (at == 0 or text[at - 1] in " ,({"):
        found = QUOTED.match(text, at)
        return found.end() if found else at + 1
    return at + 1


def _replace_unprintable(text: str) -> str:
    return "".join(sign if sign.isprintable() or sign == "\t" else "\ufffd" for sign in text)


def _raise_unprintable(line: Line) -> None:
    at = next(index for index, sign in enumerate(line.body) if not sign.isprintable())
    sign = line.body[at]
    if sign == "\t":
        raise BadInput(
            "a tab: how far it reaches is different in every editor",
            place=line.place(at),
            fix="indent and align with blanks",
        )
    raise BadInput(
        f"a sign that cannot be seen (U+{ord(sign):04X})",
        place=line.place(at),
        fix="delete it; blanks are plain blanks",
    )


def split_outside_quotes(part: SourcePart, sign: str = ",") -> list[SourcePart]:
    """The pieces between commas that are not in quotes."""
    pieces = []
    start = at = 0
    while at < len(part.text):
        if part.text[at] == sign:
            pieces.append(part.cut(start, at))
            start = at + 1
        at = next_index(part.text, at)
    pieces.append(part.cut(start))
    return pieces


def split_phrases(part: SourcePart) -> list[SourcePart]:
    """The pieces between commas that stand neither in quotes nor in parentheses. A parenthesis that is never closed
    holds nothing together.

    >>> line = split_lines("hall, keep connected(floor, door), once", "x.rules")[0]
    >>> [phrase.text for phrase in split_phrases(line.part())]
    ['hall', 'keep connected(floor, door)', 'once']
    """
    pieces = []
    start = at = 0
    text, closes = part.text, True
    while at < len(text):
        if text[at] == "(" and closes:
            closing = find_closing(text, at)
            closes = closing >= 0
            at = max(at, closing)
        elif text[at] == ",":
            pieces.append(part.cut(start, at))
            start = at + 1
        at = next_index(text, at)
    pieces.append(part.cut(start))
    return pieces


def find_closing(text: str, opening: int) -> int:
    """Where the parenthesis that opens there is closed: the first `)` that is not in quotes; -1 if there is none."""
    at = opening + 1
    while at < len(text):
        if text[at] == ")":
            return at
        at = next_index(text, at)
    return -1


def parse_number(part: SourcePart, least: int, most: int, what: str) -> int:
    """A whole number within bounds."""
    if not re.fullmatch(r"[0-9]{1,12}", part.text) or not least <= int(part.text) <= most:
        raise error_at(
            part, f"{what} is a whole number from {least} to {most:,}, not {part.text[:20]!r}", "write such a number"
        )
    return int(part.text)


class Cursor:
    """The lines of a file, walked once."""

    def __init__(self, found: list[Line]) -> None:
        self._lines = found
        self._at = 0

    def peek(self) -> Line | None:
        """The next line that is not blank; nothing at the end."""
        while self._at < len(self._lines) and not self._lines[self._at].body:
            self._at += 1
        return self._lines[self._at] if self._at < len(self._lines) else None

    def next(self) -> Line:
        """The line that `peek` showed; it is then behind us."""
        self._at += 1
        return self._lines[self._at - 1]

    def lines_below(self, indent: int) -> Iterator[Line]:
        """The lines that stand further to the right than `indent`, up to the first that does not; blank ones too."""
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if line.body and line.indent <= indent:
                return
            self._at += 1
            yield line
