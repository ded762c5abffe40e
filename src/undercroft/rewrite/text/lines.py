"""The words and signs of the `.rules` language, and its lines."""

from __future__ import annotations

import re
from collections.abc import Iterator

from undercroft.inputs import lines
from undercroft.inputs.lines import LinePart, skip_quotes
from undercroft.limits import RULES_BYTES

HEAD_WORDS = ("program", "palette", "tile", "thing", "set", "outside", "positions", "include")
LEAF_WORDS = ("one", "all", "parallel")
BLOCK_WORDS = ("markov", "sequence", "repeat")
FIRST_WORDS = (*HEAD_WORDS, *LEAF_WORDS, *BLOCK_WORDS, "rule", "expect")
"""The words that a line can begin with; everything else is a row of a drawing or a short rule."""

RESERVED_SIGNS = frozenset('?;|/{}"-,')
"""Signs with a meaning of their own: no set and no letter of `palette letters` is called so."""

ARROW = re.compile(r"(?<!\S)->(?!\S)")
_FIRST_WORD = re.compile(r" *([^\s,]+)")


def split_lines(text: str, file: str) -> list[LinePart]:
    """The lines of a text.

    >>> [line.text for line in split_lines("one  room ; grows\\n  ; only this\\n\\n    AB -> AA", "x.rules")]
    ['one  room', '', '    AB -> AA']
    """
    return list(lines.split_lines(text, file, RULES_BYTES, _find_comment))


def first_word(line: LinePart) -> str:
    """The first word of a line."""
    found = _FIRST_WORD.match(line.text)
    return found[1] if found else ""


def _find_comment(text: str) -> int:
    """Where the comment begins, or -1. On a line that begins with a word of the language, a `;` in quotes begins
    none.
    """
    found = _FIRST_WORD.match(text)
    if not found or found[1] not in FIRST_WORDS or '"' not in text:
        return text.find(";")
    at = 0
    while at < len(text) and text[at] != ";":
        at = skip_quotes(text, at)
    return at if at < len(text) else -1


def split_phrases(part: LinePart) -> list[LinePart]:
    """The pieces between commas that stand neither in quotes nor in parentheses. A parenthesis that is never closed
    holds nothing together.

    >>> line = split_lines("hall, keep connected(floor, door), once", "x.rules")[0]
    >>> [phrase.text for phrase in split_phrases(line)]
    ['hall', 'keep connected(floor, door)', 'once']
    """
    closed = True

    def skip(text: str, at: int) -> int:
        nonlocal closed
        if text[at] == "(" and closed:
            closing = find_closing(text, at)
            closed = closing >= 0
            return max(at, closing) + 1
        return skip_quotes(text, at)

    return part.split(skip=skip)


def find_closing(text: str, opening: int) -> int:
    """Where the parenthesis that opens there is closed: the first `)` that is not in quotes; -1 if there is none."""
    at = opening + 1
    while at < len(text):
        if text[at] == ")":
            return at
        at = skip_quotes(text, at)
    return -1


class Cursor:
    """The lines of a file, walked once."""

    def __init__(self, found: list[LinePart]) -> None:
        self._lines = found
        self._at = 0

    def peek(self) -> LinePart | None:
        """The next line that is not blank; nothing at the end."""
        while self._at < len(self._lines) and not self._lines[self._at].text:
            self._at += 1
        return self._lines[self._at] if self._at < len(self._lines) else None

    def next(self) -> LinePart:
        """The line that `peek` showed; it is then behind us."""
        self._at += 1
        return self._lines[self._at - 1]

    def lines_below(self, indent: int) -> Iterator[LinePart]:
        """The lines that stand further to the right than `indent`, up to the first that does not; blank ones too."""
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if line.text and line.indent <= indent:
                return
            self._at += 1
            yield line
