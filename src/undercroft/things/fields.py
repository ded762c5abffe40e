"""The values of a TOML table, each checked where it is read, so that whatever is wrong with one can be said with its
place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from undercroft.errors import BadInput, Place, unknown
from undercroft.inputs import toml

NAME_LENGTH = 40
_KINDS = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a text",
    list: "a list",
    dict: "a table",
}


class Fields(NamedTuple):
    """A table of a document, and the path that leads to it."""

    document: toml.Document
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

    def wrong(self, problem: str, key: str, *inner: str | int, fix: str) -> BadInput:
        """The error about the value of a key."""
        return BadInput(problem, place=self.document.value_place(*self.path, key, *inner), fix=fix)

    def known(self, keys: Iterable[str]) -> None:
        """Refuse all other keys."""
        keys = tuple(keys)
        for key in self.table:
            if key not in keys:
                raise unknown("key", key, keys, place=self.place(key))

    def inner(self, key: str) -> Fields:
        """A table in this one; an empty one if it is not there."""
        found = self.table.get(key, {})
        if not isinstance(found, dict):
            raise self.wrong(
                f"{key!r} is a table, not {in_words(found)}",
                key,
                fix=f"write [{'.'.join((*self.path, key))}] on a line of its own",
            )
        return Fields(self.document, (*self.path, key))

    def named(self, key: str) -> list[tuple[str, Fields]]:
        """The tables in a table, each with its name."""
        outer = self.inner(key)
        for name in outer.table:
            if not name.strip() or name != name.strip() or len(name) > NAME_LENGTH or not name.isprintable():
                raise BadInput(
                    f"{name[:60]!r} is no name",
                    place=outer.place(name),
                    fix=f"a name has 1 to {NAME_LENGTH} letters, and no blanks around it",
                )
        return [(name, outer.inner(name)) for name in outer.table]

    def text(self, key: str, default: str = "") -> str:
        found: str = self._a(str, key, default, 'put it in quotes: "..."')
        return found

    def truth(self, key: str, default: bool) -> bool:
        found: bool = self._a(bool, key, default, "write true or false")
        return found

    def whole(self, key: str, default: int, low: int, high: int) -> int:
        found: int = self._a(int, key, default, f"write a number from {low:,} to {high:,}")
        if not low <= found <= high:
            raise self.wrong(
                f"{key!r} is {found:,}, which is out of range", key, fix=f"write a number from {low:,} to {high:,}"
            )
        return found

    def choice(self, key: str, default: str, choices: Sequence[str]) -> str:
        found = self.text(key, default)
        if found not in choices:
            raise unknown(key, found, choices, place=self.document.value_place(*self.path, key))
        return found

    def pair(self, key: str, default: tuple[int, int], low: int, high: int) -> tuple[int, int]:
        """Two whole numbers."""
        found = self.table.get(key, list(default))
        if (
            not isinstance(found, list)
            or len(found) != 2
            or any(type(number) is not int or not low <= number <= high for number in found)
        ):
            raise self.wrong(
                f"{key!r} is two whole numbers from {low} to {high}, not {in_words(found)}",
                key,
                fix=f"for example {key} = [{low}, {low + 1}]",
            )
        return found[0], found[1]

    def words(self, key: str, default: Sequence[str] = (), choices: Sequence[str] = ()) -> tuple[str, ...]:
        """A list of different texts, each of them one of the choices if there are some."""
        found = self.table.get(key, list(default))
        if not isinstance(found, list) or not all(isinstance(word, str) and word for word in found):
            raise self.wrong(
                f"{key!r} is a list of texts, not {in_words(found)}", key, fix=f'write {key} = ["...", "..."]'
            )
        for index, word in enumerate(found):
            if word in found[:index]:
                raise self.wrong(f"{word!r} is listed twice", key, index, fix="take one of them out")
            if choices and word not in choices:
                raise unknown(
                    f"word in {key!r}:", word, choices, place=self.document.value_place(*self.path, key, index)
                )
        return tuple(found)

    def weights(self, key: str, high: int) -> dict[str, int]:
        """A table of names with a weight each."""
        inner = self.inner(key)
        return {name: inner.whole(name, 1, 1, high) for name in inner.table}

    def _a(self, kind: type, key: str, default: Any, fix: str) -> Any:
        found = self.table.get(key, default)
        if type(found) is not kind:
            raise self.wrong(f"{key!r} is {_KINDS[kind]}, not {in_words(found)}", key, fix=fix)
        return found


def in_words(value: Any) -> str:
    """A value for an error: short, and by its kind if it is long."""
    if isinstance(value, dict):
        return "a table"
    shown = repr(value) if not isinstance(value, bool) else str(value).lower()
    return shown if len(shown) <= 40 and shown.isprintable() else _KINDS.get(type(value), "something else")
