"""Read and write JSON with checks. Reading is either fast or keeps the place of every value."""

from __future__ import annotations

import codecs
import json
import re
import sys
from collections.abc import Callable
from json.decoder import JSONDecodeError, scanstring  # type: ignore[attr-defined]
from typing import Any, ClassVar

from undercroft import limits
from undercroft.errors import BadInput, Place
from undercroft.inputs.lines import decode_utf8, locate
from undercroft.inputs.values import Document, KeyMark
from undercroft.limits import Limit

_BLANK = re.compile(r"[ \t\r\n]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?P<fraction>\.[0-9]+)?(?P<power>[eE][-+]?[0-9]+)?")
_LITERALS = {"true": True, "false": False, "null": None}
_CHUNK_BYTES = 1 << 20


def format_json(value: Any) -> str:
    """Compact JSON of plain data; the same data gives the same text.

    >>> format_json({"name": "Küche", "size": [3, 1]})
    '{"name":"Küche","size":[3,1]}'
    """
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def format_json_indented(value: Any) -> str:
    """Indented JSON of plain data: one line for each value, and a newline at the end."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, indent=2) + "\n"


def parse_json(data: bytes, file: str, kept: Callable[[dict[str, Any]], Any] | None = None) -> Any:
    """Parse an untrusted JSON file: bounded, not too deep, no key twice, no NaN or infinity. `kept` may replace each
    dict by something smaller.

    >>> parse_json(b'{"size": [3, 1]}', "a.json")
    {'size': [3, 1]}
    """
    limits.JSON_BYTES.check(len(data), f"{file}: its size in bytes")
    data = data.removeprefix(codecs.BOM_UTF8)
    if not data.strip():
        raise BadInput("the file is empty", place=Place(file, 1, 1), fix="name a file that holds a level")
    limits.JSON_DEPTH.check(measure_depth(data), f"{file}: its nesting")
    text = decode_utf8(data, file, "save the file as UTF-8; is it JSON at all?")
    hook = _build_unique_dict if kept is None else lambda pairs: kept(_build_unique_dict(pairs))
    try:
        return json.loads(text, object_pairs_hook=hook, parse_constant=_reject_constant)
    except JSONDecodeError as error:
        raise BadInput(
            f"this is not JSON: {error.msg[0].lower()}{error.msg[1:]}",
            place=locate(text, file, error.pos),
            fix="correct the text there, or save the level again",
        ) from None
    except RecursionError:  # the check above makes this impossible, as long as Python's own limit is not lowered
        raise BadInput(f"{file}: the nesting is too deep", fix="nest less") from None
    except ValueError as error:
        problem = str(error)
        if "set_int_max_str_digits" in problem:  # Python's advice is for programmers
            problem = f"a number in it has more than {sys.get_int_max_str_digits():,} digits"
        raise BadInput(f"{file}: {problem}", fix="correct the text, or save the level again") from None


def measure_depth(data: bytes) -> int:
    """How deep brackets nest outside of strings. Stops at the first megabyte that is too deep.

    >>> measure_depth(b'[{"a": "[[["}]')
    2
    """
    import numpy as np  # not needed to write JSON

    changes = np.zeros(256, np.int8)
    changes[[ord("["), ord("{")]] = 1
    changes[[ord("]"), ord("}")]] = -1
    if b"\\" in data:
        data = data.replace(b"\\\\", b"__").replace(b'\\"', b"__")
    level = deepest = quotes = 0
    for start in range(0, len(data), _CHUNK_BYTES):
        part = np.frombuffer(data, np.uint8, min(_CHUNK_BYTES, len(data) - start), start)
        quoted = (np.cumsum(part == ord('"'), dtype=np.uint32) + quotes) & 1
        steps = changes[part]
        steps[quoted == 1] = 0
        levels = np.cumsum(steps, dtype=np.int32)
        deepest = max(deepest, level + int(levels.max()))
        if deepest > limits.JSON_DEPTH.value:
            break
        level += int(levels[-1])
        quotes = int(quoted[-1])
    return deepest


def _build_unique_dict(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise ValueError(f"the key {twice!r} stands twice in one object")
    return table


def _reject_constant(word: str) -> Any:
    raise ValueError(f"{word} is not a number that JSON knows")


class JsonDocument(Document):
    """A JSON text that a person writes."""

    __slots__ = ()
    table_word: ClassVar[str] = "an object"


def parse_json_document(text: str, file: str, limit: Limit, kind: type[JsonDocument] = JsonDocument) -> JsonDocument:
    """Parse a text that a person writes, and keep the place of each value. `kind` may have words of its own for errors.

    >>> found = parse_json_document('{"size": [3, 1]}', "a.json", limits.LAYOUT_BYTES)
    >>> found.data, str(found.place("size")), str(found.value_place("size", 1))
    ({'size': [3, 1]}, 'a.json:1:2', 'a.json:1:14')
    """
    limit.check(len(text.encode("utf-8", "replace")), f"{file}: its size in bytes")
    source = _JsonScanner(text, file)
    end = source.skip_blanks(0)
    mark = KeyMark(end, "value")
    found, end = source.read_value(end, 0, mark)
    end = source.skip_blanks(end)
    if end < len(source.text):
        raise source.error("something stands after the end of the value", end, "delete it")
    return kind(found, file, source.text, mark)


class _JsonScanner:
    """Reads one text. The mark of each value holds where it begins, and where its key does."""

    def __init__(self, text: str, file: str) -> None:
        self.text = text.removeprefix("\ufeff")
        self.file = file

    def error(self, problem: str, at: int, fix: str = "correct the text there") -> BadInput:
        return BadInput(problem, place=locate(self.text, self.file, min(at, len(self.text))), fix=fix)

    def skip_blanks(self, at: int) -> int:
        """The index of the first sign from there on that is not blank."""
        found = _BLANK.match(self.text, at)
        assert found
        return found.end()

    def read_value(self, at: int, depth: int, mark: KeyMark) -> tuple[Any, int]:
        """The value that begins there, and where it ends."""
        mark.value = at
        sign = self.text[at : at + 1]
        if sign == '"':
            return self._read_string(at)
        if sign in ("{", "[") and sign:
            if depth >= limits.JSON_DEPTH.value:
                raise self.error(f"more than {limits.JSON_DEPTH.value} brackets in each other", at, "nest less")
            return self._read_object(at, depth, mark) if sign == "{" else self._read_list(at, depth, mark)
        for word, meant in _LITERALS.items():
            if self.text.startswith(word, at):
                return meant, at + len(word)
        found = _NUMBER.match(self.text, at)
        if not found:
            raise self.error("a value belongs here" if sign else "the text ends before the value does", at)
        longest = limits.NUMBER_LENGTH
        if len(found[0]) > longest.value:
            raise self.error(f"a number of more than {longest.value} signs", at, longest.raise_by)
        return float(found[0]) if found["fraction"] or found["power"] else int(found[0]), found.end()

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

    def _read_list(self, at: int, depth: int, mark: KeyMark) -> tuple[list[Any], int]:
        held: list[Any] = []
        end = self.skip_blanks(at + 1)
        while self.text[end : end + 1] != "]":
            if held:
                end = self._expect_sign(",", end)
            one, end = self.read_value(end, depth + 1, mark.add(end, "value"))
            held.append(one)
            end = self.skip_blanks(end)
        return held, end + 1

    def _read_object(self, at: int, depth: int, mark: KeyMark) -> tuple[dict[str, Any], int]:
        held: dict[str, Any] = {}
        end = self.skip_blanks(at + 1)
        while self.text[end : end + 1] != "}":
            if held:
                end = self._expect_sign(",", end)
            if self.text[end : end + 1] != '"':
                raise self.error("a key in quotes belongs here", end, 'write "key": value')
            name, after = self._read_string(end)
            if name in held:
                raise self.error(f"the key {name[:40]!r} stands here twice", end, "keep one of them")
            inner = mark.inside[name] = KeyMark(end, "value")
            held[name], end = self.read_value(self._expect_sign(":", self.skip_blanks(after)), depth + 1, inner)
            end = self.skip_blanks(end)
        return held, end + 1

    def _expect_sign(self, sign: str, at: int) -> int:
        """The index after a sign that must stand there and the blanks after it."""
        if self.text[at : at + 1] != sign:
            raise self.error(
                f"{sign!r} belongs here" if at < len(self.text) else "the text ends before the value does", at
            )
        return self.skip_blanks(at + 1)
