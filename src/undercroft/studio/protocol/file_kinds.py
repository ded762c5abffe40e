"""The kinds of files that the studio opens and saves, with their suffixes: one row a kind."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from undercroft import limits
from undercroft.errors import BadInput

SNIFFED_BYTES = 4096
"""How many bytes of a file are read to detect its kind."""


class FileKind(NamedTuple):
    """A kind of file."""

    name: str
    title: str
    """What a file of it is, in a sentence."""
    suffixes: tuple[str, ...]
    """Its suffixes in lower case. The first one is added to a name that has none."""
    marks: Mapping[str, re.Pattern[bytes]] = MappingProxyType({})
    """For suffixes that other files have too: what only the text of this kind holds."""

    def data(self) -> dict[str, Any]:
        return {"name": self.name, "title": self.title, "suffixes": self.suffixes}


_RECIPE_TABLES = re.compile(rb"^\s*(\[\[\s*step\s*\]\]|\[\s*(change|param|require)\b)", re.MULTILINE)
FILE_KINDS = {
    row.name: row
    for row in (
        FileKind("recipe", "a recipe", (".toml",), {".toml": _RECIPE_TABLES}),
        FileKind("rules", "a rule file", (".rules",)),
        FileKind(
            "layout",
            "a layout",
            (".layout", ".json"),
            {".json": re.compile(rb'"(scalePartitions|unscaledTiles|excludedTiles)"')},
        ),
        FileKind("level", "a level", (".json",), {".json": re.compile(rb"undercroft-level")}),
        FileKind(
            "work", "a whole work", (".work.json", ".json"), {".json": re.compile(rb'"format"\s*:\s*"undercroft-work/')}
        ),
    )
}
"""All kinds. Of a suffix that several have, the last row whose mark is found counts."""
_SUFFIXES: set[str] = set()


def known_suffixes() -> set[str]:
    """The suffixes of files that the studio can open or has written."""
    if not _SUFFIXES:
        from undercroft.formats.table import FORMATS

        _SUFFIXES.update(Path(f"x{suffix}").suffix for row in FORMATS.values() for suffix in row.suffixes)
        _SUFFIXES.update(suffix for row in FILE_KINDS.values() for suffix in row.suffixes)
        _SUFFIXES.update((".json", ".txt", ".gif", ".webp", ".apng"))
    return _SUFFIXES


def detect_kind(path: Path) -> str:
    """The name of a file's kind, or "other"."""
    suffix = path.suffix.casefold()
    rows = [row for row in FILE_KINDS.values() if suffix in row.suffixes]
    if not rows:
        from undercroft.formats import table

        reads = {one for row in table.FORMATS.values() if row.load for one in row.suffixes}
        return "level" if suffix in reads and suffix != ".txt" else "other"
    if unmarked := next((row for row in rows if suffix not in row.marks), None):
        return unmarked.name
    try:
        with path.open("rb") as file:
            start = file.read(limits.TOML_BYTES.value if suffix == ".toml" else SNIFFED_BYTES)
    except OSError:
        return "other"
    return next((row.name for row in reversed(rows) if row.marks[suffix].search(start)), "other")


def check_name(name: str, kind: str) -> None:
    """Raise if a file of a kind cannot have that name.

    >>> check_name("crypt.toml", "recipe"), check_name("Crypt.TOML", "recipe")
    (None, None)
    >>> check_name("crypt.rules", "recipe")
    Traceback (most recent call last):
    ...
    undercroft.errors.BadInput: 'crypt.rules' is no name for a recipe
      fix: end it in .toml
    """
    row = FILE_KINDS.get(kind)
    if row is None:
        raise BadInput(f"{kind[:40]!r} is no kind of file", fix="reload the page")
    stem = re.split(r"[/\\]", name)[-1]
    if not any(stem.casefold().endswith(suffix) and len(stem) > len(suffix) for suffix in row.suffixes):
        raise BadInput(f"{name[:60]!r} is no name for {row.title}", fix=f"end it in {' or '.join(row.suffixes)}")
