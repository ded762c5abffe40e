"""Guarded JSON reading, with the place of every value. For small files that people write; levels are read by
`formats`.
"""

from __future__ import annotations

import re
from json.decoder import JSONDecodeError, scanstring  # type: ignore[attr-defined]
from typing import Any, NamedTuple

from undercroft import limits
from undercroft.errors import BadInput, Place, unknown
from undercroft.limits import Limit

_BLANK = re.compile(r"[ \t\r\n]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?P<fraction>\.[0-9]+)?(?P<power>[eE][-+]?[0-9]+)?")
_WORDS = {"true": True, "false": False, "null": None}

NAMES = {
    dict: "an object",
    list: "a list",
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    type(None): "null",
}


class Value(NamedTuple):
    """A value and where it stands; lists and objects hold further ones."""

    value: Any
    at: int
    source: Source

    def place(self) -> Place:
        """Where it begins."""
        return self.source.place(self.at)

    def bad(self, problem: str, fix: str) -> BadInput:
        """The error about it."""
        return BadInput(problem, place=self.place(), fix=fix)

    def a(self, *kinds: type, what: str) -> Any:
        """The bare value, if it is of one of these kinds."""
        if type(self.value) not in kinds:
            raise self.bad(
                f"{what} is {' or '.join(NAMES[kind] for kind in kinds)}, not {self.shown()}",
                f"write {NAMES[kinds[0]]} there",
            )
        return self.value

    def object(self, what: str, known: tuple[str, ...] = ()) -> dict[str, Value]:
        """Its keys and values, none but the known ones if some are."""
        table: dict[str, Value] = self.a(dict, what=what)
        for name, held in table.items():
            if known and name not in known:
                raise unknown("key", name[:40], known, place=held.place())
        return table

    def list(self, what: str) -> list[Value]:
        held: list[Value] = self.a(list, what=what)
        return held

    def shown(self) -> str:
        """The value for an error: short, and without control characters."""
        if type(self.value) in (dict, list):
            return NAMES[type(self.value)]
        text = next((word for word, meant in _WORDS.items() if meant is self.value), None) or ascii(self.value)
        return text if len(text) <= 40 else f"{text[:36]}..."


class Source:
    """A text that is read."""

    def __init__(self, text: str, file: str) -> None:
        self.text = text.removeprefix("\ufeff")
        self.file = file

    def place(self, at: int) -> Place:
        """Line and column of a sign, and the line."""
        start = self.text.rfind("\n", 0, at) + 1
        end = self.text.find("\n", at)
        line = self.text[start : end if end >= 0 else None].rstrip("\r")
        shown = "".join(sign if sign.isprintable() or sign == "\t" else "\ufffd" for sign in line)
        return Place(self.file, self.text.count("\n", 0, at) + 1, at - start + 1, shown)

    def bad(self, problem: str, at: int, fix: str = "mend the text there") -> BadInput:
        return BadInput(problem, place=self.place(min(at, len(self.text))), fix=fix)

    def blank(self, at: int) -> int:
        """The first sign from there on that is not blank."""
        found = _BLANK.match(self.text, at)
        assert found
        return found.end()

    def value(self, at: int, depth: int) -> tuple[Value, int]:
        """The value that begins there, and where it ends."""
        sign = self.text[at : at + 1]
        if sign == '"':
            text, end = self._string(at)
            return Value(text, at, self), end
        if sign in ("{", "[") and sign:
            if depth >= limits.JSON_DEPTH.value:
                raise self.bad(f"more than {limits.JSON_DEPTH.value} brackets in each other", at, "nest less")
            return self._table(at, depth) if sign == "{" else self._row(at, depth)
        for word, meant in _WORDS.items():
            if self.text.startswith(word, at):
                return Value(meant, at, self), at + len(word)
        found = _NUMBER.match(self.text, at)
        if not found:
            raise self.bad("a value belongs here" if sign else "the text ends before the value does", at)
        if len(found[0]) > 40:
            raise self.bad("a number of more than 40 signs", at, "write a shorter one")
        number = float(found[0]) if found["fraction"] or found["power"] else int(found[0])
        return Value(number, at, self), found.end()

    def _string(self, at: int) -> tuple[str, int]:
        try:
            text, end = scanstring(self.text, at + 1, True)
            text.encode()
        except JSONDecodeError as error:
            raise self.bad(
                "a text that does not end, or holds a sign that must be escaped", error.pos, 'texts stand in "..."'
            ) from None
        except UnicodeEncodeError:
            raise self.bad("a text that holds half a character", at, "write it as UTF-8") from None
        return text, end

    def _row(self, at: int, depth: int) -> tuple[Value, int]:
        held: list[Value] = []
        end = self.blank(at + 1)
        while self.text[end : end + 1] != "]":
            if held:
                end = self._sign(",", end)
            one, end = self.value(end, depth + 1)
            held.append(one)
            end = self.blank(end)
        return Value(held, at, self), end + 1

    def _table(self, at: int, depth: int) -> tuple[Value, int]:
        held: dict[str, Value] = {}
        end = self.blank(at + 1)
        while self.text[end : end + 1] != "}":
            if held:
                end = self._sign(",", end)
            if self.text[end : end + 1] != '"':
                raise self.bad("a key in quotes belongs here", end, 'write "key": value')
            name, after = self._string(end)
            if name in held:
                raise self.bad(f"the key {name[:40]!r} stands here twice", end, "keep one of them")
            held[name], end = self.value(self._sign(":", self.blank(after)), depth + 1)
            end = self.blank(end)
        return Value(held, at, self), end + 1

    def _sign(self, sign: str, at: int) -> int:
        """Behind a sign that must stand there, and the blanks after it."""
        if self.text[at : at + 1] != sign:
            raise self.bad(
                f"{sign!r} belongs here" if at < len(self.text) else "the text ends before the value does", at
            )
        return self.blank(at + 1)


def read(text: str, file: str, limit: Limit) -> Value:
    """What a text says, each value with its place.

    >>> read('{"size": [3, 1]}', "a.json", limits.LAYOUT_BYTES).object("it")["size"].place()
    Place(file='a.json', line=1, column=10, text='{"size": [3, 1]}')
    """
    limit.check(len(text.encode("utf-8", "replace")), f"{file}: its size in bytes")
    source = Source(text, file)
    found, end = source.value(source.blank(0), 0)
    end = source.blank(end)
    if end < len(source.text):
        raise source.bad("something stands after the end of the value", end, "delete it")
    return found
