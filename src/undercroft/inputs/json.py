"""Guarded JSON reading, with the place of every value. For small files that people write; levels are read by
`formats`.
"""

from __future__ import annotations

import re
from json.decoder import JSONDecodeError, scanstring  # type: ignore[attr-defined]
from typing import Any, NamedTuple

from undercroft import limits
from undercroft.errors import BadInput, Place, unknown_name_error
from undercroft.limits import Limit

_BLANK = re.compile(r"[ \t\r\n]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?P<fraction>\.[0-9]+)?(?P<power>[eE][-+]?[0-9]+)?")
_LITERALS = {"true": True, "false": False, "null": None}

TYPE_NAMES = {
    dict: "an object",
    list: "a list",
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    type(None): "null",
}


class JsonValue(NamedTuple):
    """A value and where it stands; lists and objects hold further ones."""

    value: Any
    at: int
    source: JsonScanner

    def place(self) -> Place:
        """Where it begins."""
        return self.source.place(self.at)

    def error(self, problem: str, fix: str) -> BadInput:
        """The error about it."""
        return BadInput(problem, place=self.place(), fix=fix)

    def expect(self, *kinds: type, what: str) -> Any:
        """The bare value, if it is of one of these kinds."""
        if type(self.value) not in kinds:
            raise self.error(
                f"{what} is {' or '.join(TYPE_NAMES[kind] for kind in kinds)}, not {self.describe()}",
                f"write {TYPE_NAMES[kinds[0]]} there",
            )
        return self.value

    def expect_object(self, what: str, known: tuple[str, ...] = ()) -> dict[str, JsonValue]:
        """Its keys and values, none but the known ones if some are."""
        table: dict[str, JsonValue] = self.expect(dict, what=what)
        for name, held in table.items():
            if known and name not in known:
                raise unknown_name_error("key", name[:40], known, place=held.place())
        return table

    def expect_list(self, what: str) -> list[JsonValue]:
        held: list[JsonValue] = self.expect(list, what=what)
        return held

    def describe(self) -> str:
        """The value for an error: short, and without control characters."""
        if type(self.value) in (dict, list):
            return TYPE_NAMES[type(self.value)]
        text = next((word for word, meant in _LITERALS.items() if meant is self.value), None) or ascii(self.value)
        return text if len(text) <= 40 else f"{text[:36]}..."


class JsonScanner:
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

    def error(self, problem: str, at: int, fix: str = "mend the text there") -> BadInput:
        return BadInput(problem, place=self.place(min(at, len(self.text))), fix=fix)

    def skip_blanks(self, at: int) -> int:
        """The first sign from there on that is not blank."""
        found = _BLANK.match(self.text, at)
        assert found
        return found.end()

    def read_value(self, at: int, depth: int) -> tuple[JsonValue, int]:
        """The value that begins there, and where it ends."""
        sign = self.text[at : at + 1]
        if sign == '"':
            text, end = self._read_string(at)
            return JsonValue(text, at, self), end
        if sign in ("{", "[") and sign:
            if depth >= limits.JSON_DEPTH.value:
                raise self.error(f"more than {limits.JSON_DEPTH.value} brackets in each other", at, "nest less")
            return self._read_object(at, depth) if sign == "{" else self._read_list(at, depth)
        for word, meant in _LITERALS.items():
            if self.text.startswith(word, at):
                return JsonValue(meant, at, self), at + len(word)
        found = _NUMBER.match(self.text, at)
        if not found:
            raise self.error("a value belongs here" if sign else "the text ends before the value does", at)
        if len(found[0]) > 40:
            raise self.error("a number of more than 40 signs", at, "write a shorter one")
        number = float(found[0]) if found["fraction"] or found["power"] else int(found[0])
        return JsonValue(number, at, self), found.end()

    def _read_string(self, at: int) -> tuple[str, int]:
        try:
            text, end = scanstring(self.text, at + 1, True)
            text.encode()
        except JSONDecodeError as error:
            raise self.error(
                "a text that does not end, or holds a sign that must be escaped", error.pos, 'texts stand in "..."'
            ) from None
        except UnicodeEncodeError:
            raise self.error("a text that holds half a character", at, "write it as UTF-8") from None
        return text, end

    def _read_list(self, at: int, depth: int) -> tuple[JsonValue, int]:
        held: list[JsonValue] = []
        end = self.skip_blanks(at + 1)
        while self.text[end : end + 1] != "]":
            if held:
                end = self._expect_sign(",", end)
            one, end = self.read_value(end, depth + 1)
            held.append(one)
            end = self.skip_blanks(end)
        return JsonValue(held, at, self), end + 1

    def _read_object(self, at: int, depth: int) -> tuple[JsonValue, int]:
        held: dict[str, JsonValue] = {}
        end = self.skip_blanks(at + 1)
        while self.text[end : end + 1] != "}":
            if held:
                end = self._expect_sign(",", end)
            if self.text[end : end + 1] != '"':
                raise self.error("a key in quotes belongs here", end, 'write "key": value')
            name, after = self._read_string(end)
            if name in held:
                raise self.error(f"the key {name[:40]!r} stands here twice", end, "keep one of them")
            held[name], end = self.read_value(self._expect_sign(":", self.skip_blanks(after)), depth + 1)
            end = self.skip_blanks(end)
        return JsonValue(held, at, self), end + 1

    def _expect_sign(self, sign: str, at: int) -> int:
        """Behind a sign that must stand there, and the blanks after it."""
        if self.text[at : at + 1] != sign:
            raise self.error(
                f"{sign!r} belongs here" if at < len(self.text) else "the text ends before the value does", at
            )
        return self.skip_blanks(at + 1)


def parse_json(text: str, file: str, limit: Limit) -> JsonValue:
    """What a text says, each value with its place.

    >>> parse_json('{"size": [3, 1]}', "a.json", limits.LAYOUT_BYTES).expect_object("it")["size"].place()
    Place(file='a.json', line=1, column=10, text='{"size": [3, 1]}')
    """
    limit.check(len(text.encode("utf-8", "replace")), f"{file}: its size in bytes")
    source = JsonScanner(text, file)
    found, end = source.read_value(source.skip_blanks(0), 0)
    end = source.skip_blanks(end)
    if end < len(source.text):
        raise source.error("something stands after the end of the value", end, "delete it")
    return found
