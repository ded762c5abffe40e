"""The values of a TOML table, each checked where it is read, so that whatever is wrong with one can be said with its
place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from undercroft.errors import BadInput, Place, unknown_name_error
from undercroft.inputs import toml

MAX_NAME_LENGTH = 40
_TYPE_WORDS = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a text",
    list: "a list",
    dict: "a table",
}


class Fields(NamedTuple):
    """A table of a document, and the path that leads to it."""

    document: toml.TomlDocument
    path: tuple[str, ...] = ()

    @property
    def table(self) -> dict[str, Any]:
        """What the table holds; nothing if it is not there."""
        found: dict[str, Any] = self.document.data
        for name in self.path:
            found = found.get(name, {})
        return found

    def place(self, *path: str | int) -> Place:
        """Where a key is written."""
        return self.document.place(*self.path, *path)

    def error(self, problem: str, key: str, *inner: str | int, fix: str) -> BadInput:
        """The error about the value of a key."""
        return BadInput(problem, place=self.document.value_place(*self.path, key, *inner), fix=fix)

    def check_keys(self, keys: Iterable[str]) -> None:
        """Refuse all other keys."""
        keys = tuple(keys)
        for key in self.table:
            if key not in keys:
                raise unknown_name_error("key", key, keys, place=self.place(key))

    def subtable(self, key: str) -> Fields:
        """A table in this one; an empty one if it is not there."""
        found = self.table.get(key, {})
        if not isinstance(found, dict):
            raise self.error(
                f"{key!r} is a table, not {describe_value(found)}",
                key,
                fix=f"write [{'.'.join((*self.path, key))}] on a line of its own",
            )
        return Fields(self.document, (*self.path, key))

    def named_tables(self, key: str) -> list[tuple[str, Fields]]:
        """The tables in a table, each with its name."""
        outer = self.subtable(key)
        for name in outer.table:
            if not name.strip() or name != name.strip() or len(name) > MAX_NAME_LENGTH or not name.isprintable():
                raise BadInput(
                    f"{name[:60]!r} is no name",
                    place=outer.place(name),
                    fix=f"a name has 1 to {MAX_NAME_LENGTH} letters, and no blanks around it",
                )
        return [(name, outer.subtable(name)) for name in outer.table]

    def text(self, key: str, default: str = "") -> str:
        found: str = self._typed_value(str, key, default, 'put it in quotes: "..."')
        return found

    def boolean(self, key: str, default: bool) -> bool:
        found: bool = self._typed_value(bool, key, default, "write true or false")
        return found

    def whole_number(self, key: str, default: int, low: int, high: int) -> int:
        found: int = self._typed_value(int, key, default, f"write a number from {low:,} to {high:,}")
        if not low <= found <= high:
            raise self.error(
                f"{key!r} is {found:,}, which is out of range", key, fix=f"write a number from {low:,} to {high:,}"
            )
        return found

    def choice(self, key: str, default: str, choices: Sequence[str]) -> str:
        found = self.text(key, default)
        if found not in choices:
            raise unknown_name_error(key, found, choices, place=self.document.value_place(*self.path, key))
        return found

    def pair(self, key: str, default: tuple[int, int], low: int, high: int) -> tuple[int, int]:
        """Two whole numbers."""
        found = self.table.get(key, list(default))
        if (
            not isinstance(found, list)
            or len(found) != 2
            or any(type(number) is not int or not low <= number <= high for number in found)
        ):
            raise self.error(
                f"{key!r} is two whole numbers from {low} to {high}, not {describe_value(found)}",
                key,
                fix=f"for example {key} = [{low}, {low + 1}]",
            )
        return found[0], found[1]

    def word_list(self, key: str, default: Sequence[str] = (), choices: Sequence[str] = ()) -> tuple[str, ...]:
        """A list of different texts, each of them one of the choices if there are some."""
        found = self.table.get(key, list(default))
        if not isinstance(found, list) or not all(isinstance(word, str) and word for word in found):
            raise self.error(
                f"{key!r} is a list of texts, not {describe_value(found)}", key, fix=f'write {key} = ["...", "..."]'
            )
        for index, word in enumerate(found):
            if word in found[:index]:
                raise self.error(f"{word!r} is listed twice", key, index, fix="take one of them out")
            if choices and word not in choices:
                raise unknown_name_error(
                    f"word in {key!r}:", word, choices, place=self.document.value_place(*self.path, key, index)
                )
        return tuple(found)

    def weights(self, key: str, high: int) -> dict[str, int]:
        """A table of names with a weight each."""
        inner = self.subtable(key)
        return {name: inner.whole_number(name, 1, 1, high) for name in inner.table}

    def _typed_value(self, kind: type, key: str, default: Any, fix: str) -> Any:
        found = self.table.get(key, default)
        if type(found) is not kind:
            raise self.error(f"{key!r} is {_TYPE_WORDS[kind]}, not {describe_value(found)}", key, fix=fix)
        return found


def describe_value(value: Any) -> str:
    """A value for an error: short, and by its kind if it is long."""
    if isinstance(value, dict):
        return "a table"
    shown = repr(value) if not isinstance(value, bool) else str(value).lower()
    return shown if len(shown) <= 40 and shown.isprintable() else _TYPE_WORDS.get(type(value), "something else")
