"""Entry points of installed packages. Reading them takes a twentieth of a second, so it is done once, and only when a
name is unknown or a whole table is asked for.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from undercroft.plugins.provider import Provider, describe_error

KINDS = ("step", "measure", "format", "style")
"""The kinds of parts that packages can give."""


class FoundEntry(NamedTuple):
    """An entry point: the name of a part, who gives it, and how to load it."""

    name: str
    provider: Provider
    target: str
    """The module and the name in it, such as `cellars.steps:Spiral`."""
    load: Callable[[], Any]


class Scan(NamedTuple):
    """All entry points that concern us."""

    entries: Mapping[str, Mapping[str, tuple[FoundEntry, ...]]]
    """By kind and name; several packages may give the same name."""
    problems: tuple[str, ...]
    """Packages whose entry points cannot be read."""


def group_name(kind: str) -> str:
    """The group of entry points for a kind of parts.

    >>> group_name("step")
    'undercroft.steps'
    """
    return f"undercroft.{kind}s"


@functools.cache
def scan_packages() -> Scan:
    """Read the entry points of all installed packages. Nothing of them is imported."""
    from importlib import metadata  # slow to import

    groups = {group_name(kind): kind for kind in KINDS}
    entries: dict[str, dict[str, list[FoundEntry]]] = {kind: {} for kind in KINDS}
    problems: list[str] = []
    seen: set[str] = set()
    for package in metadata.distributions():
        try:
            found = [entry for entry in package.entry_points if entry.group in groups]
            if not found:
                continue
            name, version = str(package.name), str(package.version)
        except Exception as error:  # noqa: BLE001 - a package that is damaged does not break the others
            problems.append(f"the entry points of {_describe_package(package)} cannot be read: {describe_error(error)}")
            continue
        folded = name.casefold().replace("_", "-").replace(".", "-")
        if folded in seen:  # the first one on the path is the one that is imported
            continue
        seen.add(folded)
        for entry in found:
            provider = Provider(entry.value.partition(":")[0].strip(), name, version)
            one = FoundEntry(entry.name, provider, entry.value.replace(" ", ""), entry.load)
            entries[groups[entry.group]].setdefault(entry.name, []).append(one)
    ordered = {kind: {name: tuple(named[name]) for name in sorted(named)} for kind, named in entries.items()}
    return Scan(ordered, tuple(problems))


def _describe_package(package: Any) -> str:
    try:
        return f"the package {package.name}"
    except Exception:  # noqa: BLE001 - as above
        return "a package"
