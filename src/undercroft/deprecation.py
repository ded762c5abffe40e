"""Keep old names working for one release, with a warning."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Any

SAME_NAMES: Mapping[str, str] = MappingProxyType({})


def redirect_names(
    old: str, new: str, names: Collection[str] | None = None, renamed: Mapping[str, str] = SAME_NAMES
) -> Callable[[str], Any]:
    """Return the `__getattr__` of a module whose names moved to another module. `renamed` maps old names to new ones.

    A package must list its `names`, because Python calls its `__getattr__` for sub-modules too.
    """

    def fetch(name: str) -> Any:
        if name.startswith("__") or (names is not None and name not in names):
            raise AttributeError(f"module {old!r} has no attribute {name!r}")
        now = renamed.get(name, name)
        value = getattr(import_module(new), now)
        warnings.warn(
            f"{old}.{name} is {new}.{now} now; the old name works until the next release",
            DeprecationWarning,
            stacklevel=2,
        )
        return value

    return fetch


class RenamedMember:
    """The old name of a method or property. It works on the class and on its instances, and warns.

    >>> class Map:
    ...     def parse(self): return "a map"
    ...     drawn = RenamedMember("drawn", "parse")
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     Map().drawn()
    'a map'
    >>> print(caught[0].message)
    Map.drawn is Map.parse now; the old name works until the next release
    """

    def __init__(self, old: str, new: str) -> None:
        self.old, self.new = old, new

    def __get__(self, instance: object, owner: type) -> Any:
        warnings.warn(
            f"{owner.__name__}.{self.old} is {owner.__name__}.{self.new} now; "
            "the old name works until the next release",
            DeprecationWarning,
            stacklevel=2,
        )
        return getattr(owner if instance is None else instance, self.new)
