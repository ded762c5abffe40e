"""Which files of a project name another one: recipes by `extends`, `file` and others, rules by `include`, works by
`recipe`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any, NamedTuple

import msgspec

from undercroft import limits
from undercroft.errors import UndercroftError
from undercroft.limits import Limit
from undercroft.studio.protocol.project import Project

Named = Iterator[tuple[str, str]]
_WORK_MARK = "undercroft-work/"
_INCLUDED = re.compile(r"^[ \t]*(include|palette)[ \t]+([^\s;]+)", re.MULTILINE)


def find_uses(project: Project, name: str) -> list[dict[str, str]]:
    """The files that name a file, and the key or word by which they do. A file that cannot be read names none."""
    target = project.resolve_path(name).resolve()
    found = []
    for path in sorted(project.list_times()):
        reader = READERS.get(PurePosixPath(path).suffix.casefold())
        if reader is None:
            continue
        try:
            text = project.read_text(path, reader.limit)
        except UndercroftError:
            continue
        folder = project.folder if reader.of_project else project.resolve_path(path).parent
        for key, named in reader.list_named(text):
            try:
                same = folder.joinpath(named).resolve() == target and project.resolve_path(path).resolve() != target
            except (OSError, ValueError, RuntimeError):
                same = False  # no file can have that name
            if same:
                found.append({"path": path, "by": key})
                break
    return found


def list_named_in_toml(text: str) -> Named:
    """All texts of a TOML file that could be the name of a file, with their keys."""
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError):
        return
    yield from _list_texts("", data)


def _list_texts(key: str, value: Any) -> Named:
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _list_texts(name, inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _list_texts(key, inner)
    elif isinstance(value, str):
        if "\n" in value:
            yield from list_named_in_rules(value)  # rules in the text of a recipe
        elif value and len(value) <= limits.STUDIO_PATH_LENGTH.value:
            yield key, value


def list_named_in_rules(text: str) -> Named:
    """The files that rules include, and those of their palettes."""
    for match in _INCLUDED.finditer(text):
        yield match[1], match[2]


def list_named_in_work(text: str) -> Named:
    """The recipe's file that a work is made with, or the files that its own text of that recipe names."""
    if _WORK_MARK not in text:  # levels are .json too
        return
    try:
        data = msgspec.json.decode(text)
    except (ValueError, RecursionError):
        return
    if not isinstance(data, dict) or not str(data.get("format")).startswith(_WORK_MARK):
        return
    recipe, own = data.get("recipe"), data.get("text")
    if not isinstance(recipe, str) or PurePosixPath(recipe).suffix.casefold() != ".toml":
        return
    if not isinstance(own, str):
        yield "recipe", recipe
        return
    for key, named in list_named_in_toml(own):
        yield key, str(PurePosixPath(recipe).parent / named)


class Reader(NamedTuple):
    """How the names of files are read from a file."""

    limit: Limit
    """How large it may be."""
    list_named: Callable[[str], Named]
    of_project: bool = False
    """Whether the names are paths of the project, and not from the folder of the file."""


READERS = {
    ".toml": Reader(limits.TOML_BYTES, list_named_in_toml),
    ".rules": Reader(limits.RULES_BYTES, list_named_in_rules),
    ".json": Reader(limits.WORK_BYTES, list_named_in_work, of_project=True),
}
"""The readers by the suffix of the file."""
