"""Split DOT, the language of Graphviz, into words, texts and signs."""

from __future__ import annotations

import re
from typing import NamedTuple

from undercroft.errors import BadInput
from undercroft.inputs.lines import LineIndex

_BLANK = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/|^#[^\n]*)+", re.DOTALL | re.MULTILINE)
_WORD = re.compile(r"[A-Za-z_\u0080-\U0010ffff][A-Za-z0-9_\u0080-\U0010ffff]*|-?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)")
_TEXT = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_SIGN = re.compile(r"->|--|[{}\[\];,=:+]")
_ESCAPE = re.compile(r'\\(\n|"|\\)')


class DotToken(NamedTuple):
    """A word, text or sign of a file in DOT."""

    kind: str
    """word, text, html, sign or end."""
    text: str
    at: int
    """Its index in the file."""

    def is_word(self, word: str) -> bool:
        """Whether it is this word of the language, in any case."""
        return self.kind == "word" and self.text.casefold() == word


class DotTokens:
    """The tokens of a text, one after the other."""

    def __init__(self, text: str, file: str) -> None:
        self._text = text
        self.index = LineIndex(text, file)
        self._at = 0
        self.next = self._read()

    def take(self) -> DotToken:
        """The next token, which is then behind us."""
        token = self.next
        if token.kind != "end":
            self.next = self._read()
        return token

    def accept(self, sign: str) -> bool:
        """Whether the next token is this sign; if so, it is taken."""
        if self.next.kind == "sign" and self.next.text == sign:
            self.take()
            return True
        return False

    def error(self, problem: str, fix: str, token: DotToken | None = None) -> BadInput:
        """The error about a token; about the next one, if none is named."""
        return BadInput(problem, place=self.index.locate((token or self.next).at), fix=fix)

    def _read(self) -> DotToken:
        blank = _BLANK.match(self._text, self._at)
        at = blank.end() if blank else self._at
        if at >= len(self._text):
            return DotToken("end", "the end of the file", len(self._text))
        for kind, pattern in (("sign", _SIGN), ("word", _WORD)):
            if found := pattern.match(self._text, at):
                self._at = found.end()
                return DotToken(kind, found[0], at)
        if self._text[at] == '"':
            return self._read_text(at)
        if self._text[at] == "<":
            return self._read_html(at)
        place = self.index.locate(at)
        raise BadInput(f"{self._text[at]!r} belongs to nothing here", place=place, fix='put names into quotes: "..."')

    def _read_text(self, at: int) -> DotToken:
        """A text in quotes; several with + between them are one."""
        pieces = []
        start = at
        while True:
            found = _TEXT.match(self._text, at)
            if found is None:
                raise BadInput(
                    "the quotes that open here are not closed", place=self.index.locate(at), fix='close them with "'
                )
            pieces.append(_ESCAPE.sub(lambda sign: "" if sign[1] == "\n" else sign[1], found[1]))
            self._at = found.end()
            blank = _BLANK.match(self._text, self._at)
            after = blank.end() if blank else self._at
            if not self._text.startswith("+", after):
                return DotToken("text", "".join(pieces), start)
            blank = _BLANK.match(self._text, after + 1)
            at = blank.end() if blank else after + 1

    def _read_html(self, at: int) -> DotToken:
        """A label in HTML: everything up to the bracket that closes it."""
        depth = 0
        for found in re.compile(r"[<>]").finditer(self._text, at):
            depth += 1 if found[0] == "<" else -1
            if depth == 0:
                self._at = found.end()
                return DotToken("html", self._text[at : found.end()], at)
        raise BadInput("the label in <...> is not closed", place=self.index.locate(at), fix="close it with >")
