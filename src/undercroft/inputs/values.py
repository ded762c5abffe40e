"""Values out of TOML and JSON, each checked where it is read, so that an error names the value's place.

The source of a `CheckedValue` builds the error. A `Document` is a text that a person writes: its errors show the line
with a caret. A `FileSource` is a large file whose parser keeps no positions: its errors name the path to the value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

from undercroft.errors import BadInput, Place, unknown_name_error
from undercroft.inputs.lines import LineIndex
from undercroft.wording import format_number

Path = tuple[str | int, ...]
MAX_SHOWN_LENGTH = 60
"""The most signs of a value that an error shows."""
MAX_SHOWN_NAME = 40

TYPE_WORDS: dict[type, str] = {
    dict: "a table",
    list: "a list",
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    type(None): "null",
}
"""The names of the types in documents and errors; JSON calls a table an object."""


class KeyMark:
    """Where a key or an element is written, where its value starts (-1: it has none), how it is written, and the marks
    within it.
    """

    __slots__ = ("inside", "key", "kind", "value")

    def __init__(self, key: int, kind: str) -> None:
        self.key = key
        self.kind = kind
        """"value": key = value. "header": [key]. "list": [[key]]. "parent": the first part of a header such as
        [parent.key]. "dotted": the first part of a key such as dotted.key = value.
        """
        self.value = -1
        self.inside: dict[str | int, KeyMark] = {}

    def add(self, at: int, kind: str = "header") -> KeyMark:
        """The mark of one more element of a list."""
        element = self.inside[len(self.inside)] = KeyMark(at, kind)
        return element


@dataclass(frozen=True, slots=True)
class Document:
    """What a text says, and where it says it."""

    table_word: ClassVar[str] = TYPE_WORDS[dict]
    quote: ClassVar[str] = '"'
    """Texts are shown as they are written."""
    fix: ClassVar[str] = ""

    data: Any
    file: str
    text: str = field(repr=False)
    tree: KeyMark = field(repr=False, compare=False)
    lines: LineIndex = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "lines", LineIndex(self.text, self.file))

    def root(self) -> CheckedValue:
        """All of it."""
        return CheckedValue(self.data, (), self)

    def place(self, *path: str | int) -> Place:
        """The place of the key at this path, or of its nearest ancestor that is written down."""
        return self.lines.locate(self._find_nearest(path)[0].key)

    def value_place(self, *path: str | int) -> Place:
        """The place where the value at this path starts; a table made by a header has only its key."""
        return self.lines.locate(self.value_offset(*path))

    def value_offset(self, *path: str | int) -> int:
        """The index in the text where the value at this path starts."""
        mark, whole = self._find_nearest(path)
        return mark.value if whole and mark.value >= 0 else mark.key

    def _find_nearest(self, path: Path) -> tuple[KeyMark, bool]:
        mark = self.tree
        for name in path:
            if name not in mark.inside:
                return mark, False
            mark = mark.inside[name]
        return mark, True

    def error(self, problem: str, path: Path, fix: str) -> BadInput:
        """The error about the value at a path."""
        return BadInput(problem, place=self.value_place(*path), fix=fix)

    def subject(self, path: Path) -> str:
        """What a sentence calls the value at a path."""
        return repr(path[-1]) if path and isinstance(path[-1], str) else "this"

    def type_fix(self, kind: type, path: Path) -> str:  # noqa: ARG002 - TOML writes a table by its path
        """How a value of this type is written."""
        return f"write {self.table_word if kind is dict else TYPE_WORDS[kind]} there"


@dataclass(frozen=True, slots=True)
class FileSource:
    """A file whose parser keeps no positions."""

    table_word: ClassVar[str] = "an object"
    quote: ClassVar[str] = "'"
    """Most texts in such files are names."""
    fix: ClassVar[str] = "correct the file there, or save the level again"

    file: str

    def place(self, *_: str | int) -> Place:
        """The beginning of the file: the only known place."""
        return Place(self.file, 1, 1)

    value_place = place

    def error(self, problem: str, path: Path, fix: str) -> BadInput:
        """The error about the value at a path."""
        where = format_path(path)
        return BadInput(f"{self.file}: at {where}: {problem}" if where else f"{self.file}: {problem}", fix=fix)

    def subject(self, _: Path) -> str:
        """Empty: the error names the path."""
        return ""

    def type_fix(self, *_: object) -> str:
        return self.fix


class PathNote(str):
    """A part of a path that is shown as it is."""

    __slots__ = ()


class CheckedValue(NamedTuple):
    """A value, and the path to it in its source."""

    value: Any
    path: Path
    source: Document | FileSource

    @property
    def file(self) -> str:
        return self.source.file

    def place(self) -> Place:
        """Where it begins."""
        return self.source.value_place(*self.path)

    def key_place(self) -> Place:
        """Where its key is written."""
        return self.source.place(*self.path)

    def error(self, problem: str, fix: str = "") -> BadInput:
        """The error about it."""
        return self.source.error(problem, self.path, fix or self.source.fix)

    def mismatch(self, wanted: str, what: str = "", fix: str = "") -> BadInput:
        """The error that something else belongs here; `what` names this value in the sentence."""
        subject = what or self.source.subject(self.path)
        said = f"{subject} is {wanted}" if subject else f"{wanted} belongs here"
        return self.error(f"{said}, not {self.describe()}", fix)

    def unknown_name(self, what: str, known: Sequence[str], *, key: str | None = None) -> BadInput:
        """The error that this text, or a key of this table, is none of the known names."""
        named = unknown_name_error(what, (self.value if key is None else key)[:MAX_SHOWN_NAME], known)
        error = self.error(named.problem, named.fix)
        error.instead = named.instead
        if key is not None and error.place:
            error.place = self.at(key).key_place()
        return error

    def describe(self) -> str:
        """The value for an error."""
        return format_value(self.value, quote=self.source.quote, table_word=self.source.table_word)

    def key(self, name: str, default: Any = None) -> CheckedValue:
        """The value of a key of this table."""
        return CheckedValue(self.value.get(name, default), self.path + (name,), self.source)  # noqa: RUF005 - thrice as fast

    def item(self, index: int) -> CheckedValue:
        """A value of this list."""
        return CheckedValue(self.value[index], self.path + (index,), self.source)  # noqa: RUF005

    def at(self, *path: str | int) -> CheckedValue:
        """A place within this value, without its contents."""
        return CheckedValue(None, (*self.path, *path), self.source)

    def replaced(self, value: Any, note: str = "") -> CheckedValue:
        """This value replaced by another; a note may be added to the path."""
        return CheckedValue(value, self.path + (PathNote(note),) if note else self.path, self.source)  # noqa: RUF005

    def items(self, what: str = "") -> Iterator[CheckedValue]:
        """The values of this list, one after the other."""
        return map(self.item, range(len(self.list(what=what))))

    def table(self, known: Sequence[str] = (), needed: Sequence[str] = (), what: str = "") -> dict[str, Any]:
        """The value as a dict that has all needed keys, and only known ones if any are given."""
        table: dict[str, Any] = self.of_type(dict, what)
        for name in table:
            if known and name not in known:
                raise self.unknown_name("key", known, key=name)
        for name in needed:
            if name not in table:
                raise self.error(f"the key {name!r} is missing", f"add it; the keys are {', '.join(known)}")
        return table

    def subtable(self, name: str, what: str = "") -> CheckedValue:
        """The table of a key of this table; empty if the key is missing."""
        inner = self.key(name, {})
        inner.table(what=what)
        return inner

    def list(self, length: int | None = None, what: str = "") -> list[Any]:
        values: list[Any] = self.of_type(list, what)
        if length is not None and len(values) != length:
            raise self.error(
                f"the list has {len(values):,} values where {length:,} belong", self.source.fix or f"write {length:,}"
            )
        return values

    def text(self, what: str = "") -> str:
        text: str = self.of_type(str, what)
        try:
            text.encode()
        except UnicodeEncodeError:
            raise self.error(f"the text {self.describe()} holds half a character", "write it as UTF-8") from None
        return text

    def boolean(self, what: str = "") -> bool:
        truth: bool = self.of_type(bool, what)
        return truth

    def integer(self, low: int, high: int, what: str = "") -> int:
        if type(self.value) is int and low <= self.value <= high:
            return self.value
        fix = (
            f"use a whole number from {low:,} to {high:,}"
            if low <= high
            else "there is nothing to point at: leave the row out"
        )
        if type(self.value) is int:
            subject = what or self.source.subject(self.path)
            raise self.error(
                f"{subject} is {self.value:,}, which is out of range"
                if subject
                else f"{self.describe()} is out of range",
                fix,
            )
        raise self.mismatch(TYPE_WORDS[int], what, self.source.fix or fix)

    def choice(self, choices: Sequence[str], what: str = "") -> str:
        """The value as one of some words; errors call it `what`, or by its key."""
        word = self.text()
        if word not in choices:
            raise self.unknown_name(what or str(self.path[-1]), choices)
        return word

    def pair(self, low: int, high: int) -> tuple[int, int]:
        """Two whole numbers."""
        found = self.value
        if not isinstance(found, list) or len(found) != 2 or not all(_is_whole(number, low, high) for number in found):
            fix = f"for example {self.path[-1]} = [{low}, {low + 1}]"
            raise self.mismatch(f"two whole numbers from {low} to {high}", fix=fix)
        return found[0], found[1]

    def words(self, choices: Sequence[str] = ()) -> tuple[str, ...]:
        """The value as a list of different texts, each of them one of the choices if any are given."""
        found = self.value
        if not isinstance(found, list) or not all(isinstance(word, str) and word for word in found):
            raise self.mismatch("a list of texts", fix=f'write {self.path[-1]} = ["...", "..."]')
        seen: set[str] = set()
        for index, word in enumerate(found):
            if word in seen:
                raise self.item(index).error(f"{word!r} is listed twice", "take one of them out")
            seen.add(word)
            if choices and word not in choices:
                raise self.item(index).unknown_name(f"word in {self.path[-1]!r}:", choices)
        return tuple(found)

    def of_type(self, kind: type, what: str = "") -> Any:
        """The bare value, if it is of this type."""
        if type(self.value) is not kind:
            wanted = self.source.table_word if kind is dict else TYPE_WORDS[kind]
            raise self.mismatch(wanted, what, self.source.type_fix(kind, self.path))
        return self.value


def in_file(value: Any, path: str, file: str) -> CheckedValue:
    """A value of a file whose parser keeps no positions; `path` leads to it, and is empty for the whole file.

    >>> in_file({"x": [4, True]}, "doors[3]", "a.json").key("x").item(1).integer(0, 9)
    Traceback (most recent call last):
    undercroft.errors.BadInput: a.json: at doors[3].x[1]: a whole number belongs here, not true
      fix: correct the file there, or save the level again
    """
    return CheckedValue(value, (path,) if path else (), FileSource(file))


def format_path(path: Path) -> str:
    """A path as JavaScript writes it.

    >>> format_path(("doors", 3, "x")), format_path(("layers", PathNote(": object 4"), "x"))
    ('doors[3].x', 'layers: object 4.x')
    """
    return "".join(
        f"[{name}]" if isinstance(name, int) else name if isinstance(name, PathNote) else f".{name}" for name in path
    ).removeprefix(".")


def format_value(value: Any, *, quote: str = '"', table_word: str = TYPE_WORDS[dict]) -> str:
    """A value for a reader, as TOML and JSON write it: on one line, without control characters, cut if it is long.

    >>> print(format_value([1.5, True, "a\\tb", {"x": 1}, None]))
    [1.5, true, "a\\tb", a table, null]
    """
    text = ""
    for piece in _list_pieces(value, quote, table_word):
        text += piece
        if len(text) > MAX_SHOWN_LENGTH:
            return f"{text[: MAX_SHOWN_LENGTH - 3]}..."
    return text


def quote_name(value: Any) -> str:
    """A name from a file, or any other value in its place, for an error."""
    return format_value(value, quote=FileSource.quote, table_word=FileSource.table_word)


def _list_pieces(value: Any, quote: str, table_word: str) -> Iterator[str]:
    """The text of a value piece by piece, so that a large one is not formatted whole."""
    if isinstance(value, bool) or value is None:
        yield {None: "null", True: "true", False: "false"}[value]
    elif isinstance(value, str):
        shown = value[: MAX_SHOWN_LENGTH + 1]
        yield f"{quote}{shown if shown.isprintable() else ''.join(map(_escape, shown))}{quote}"
    elif isinstance(value, list | tuple):
        yield "["
        for index, held in enumerate(value):
            yield ", " if index else ""
            yield from _list_pieces(held, quote, table_word)
        yield "]"
    elif type(value) is int:
        yield format_number(value)
    else:
        yield table_word if isinstance(value, dict) else str(value)


def _escape(sign: str) -> str:
    return sign if sign.isprintable() else sign.encode("unicode_escape").decode()


def _is_whole(number: Any, low: int, high: int) -> bool:
    return type(number) is int and low <= number <= high
