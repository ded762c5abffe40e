"""One document of two TOML texts: the tables of one, changed by the other. Every place is that in its own text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from typing import Any

from undercroft.errors import Place
from undercroft.inputs.lines import LineIndex
from undercroft.inputs.toml import TomlDocument
from undercroft.inputs.values import KeyMark, Path


class JoinedLines(LineIndex):
    """The lines of several texts, one after the other, each with its own file and numbers."""

    __slots__ = ("_parts", "_starts_of_parts")

    def __init__(self, text: str, file: str, parts: list[TomlDocument]) -> None:
        super().__init__(text, file)
        self._parts = parts
        self._starts_of_parts = [0]
        for part in parts[:-1]:
            self._starts_of_parts.append(self._starts_of_parts[-1] + len(part.text) + 1)

    def locate(self, at: int) -> Place:
        part = self.part_at(at)
        return self._parts[part].lines.locate(at - self._starts_of_parts[part])

    def part_at(self, at: int) -> int:
        """The number of the text that the sign at an index stands in."""
        return bisect_right(self._starts_of_parts, at) - 1

    @property
    def parts(self) -> list[TomlDocument]:
        """The texts, in order."""
        return self._parts


class TomlBuilder:
    """Two documents on their way to becoming one. It begins with the tables of the first; values of the second are
    taken over one by one, each with the mark of its place.
    """

    def __init__(self, first: TomlDocument, second: TomlDocument) -> None:
        self.second = second
        self.data: dict[str, Any] = dict(first.data)
        self.tree = _copy_mark(first.tree, 0)
        self._first = first
        self._second_tree = _copy_mark(second.tree, len(first.text) + 1)

    def mark(self, *path: str | int) -> KeyMark:
        """The mark of a key of the second document."""
        mark = self._second_tree
        for name in path:
            mark = mark.inside[name]
        return mark

    def take(self, key: str) -> None:
        """Take a key of the second document, instead of what the first has there."""
        self.data[key] = self.second.data[key]
        self.tree.inside[key] = self.mark(key)

    def merge(self, depth: int, *path: str) -> None:
        """Take the keys of a table of the second document into that of the first; tables in it, `depth` levels down,
        are merged too. Anything else replaces what stands there.
        """
        data, tree = self.data, self.tree
        for name in path[:-1]:
            data, tree = data[name], tree.inside[name]
        name = path[-1]
        ours: Any = self.second.data
        for each in path:
            ours = ours[each]
        theirs = data.get(name)
        if not isinstance(theirs, dict) or not isinstance(ours, dict):
            data[name], tree.inside[name] = ours, self.mark(*path)
            return
        inside = tree.inside[name].inside
        tree.inside[name] = _with_inside(self.mark(*path), inside)
        data[name] = dict(theirs)
        for key in ours:
            if depth:
                self.merge(depth - 1, *path, key)
            else:
                data[name][key] = ours[key]
                tree.inside[name].inside[key] = self.mark(*path, key)

    def build(self) -> TomlDocument:
        """The document."""
        joined = TomlDocument(self.data, self.second.file, f"{self._first.text}\n{self.second.text}", self.tree)
        lines = self._first.lines
        parts = [*(lines.parts if isinstance(lines, JoinedLines) else [self._first]), self.second]
        object.__setattr__(joined, "lines", JoinedLines(joined.text, joined.file, parts))
        return joined


def find_part(document: TomlDocument, path: Path) -> int:
    """The number of the text that the value at a path is written in: 0 for the first, or the only one."""
    lines = document.lines
    return lines.part_at(document.value_offset(*path)) if isinstance(lines, JoinedLines) else 0


def _with_inside(mark: KeyMark, inside: Mapping[str | int, KeyMark]) -> KeyMark:
    copied = KeyMark(mark.key, mark.kind)
    copied.value = mark.value
    copied.inside = dict(inside)
    return copied


def _copy_mark(mark: KeyMark, shift: int) -> KeyMark:
    """A mark with all marks within it, moved by some signs. Documents nest no deeper than their limit."""
    copied = KeyMark(mark.key + shift, mark.kind)
    copied.value = mark.value + shift if mark.value >= 0 else -1
    copied.inside = {name: _copy_mark(each, shift) for name, each in mark.inside.items()}
    return copied
