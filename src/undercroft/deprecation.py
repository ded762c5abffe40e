"""Old names that work for one release, and warn."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection
from importlib import import_module
from typing import Any


def moved(old: str, new: str, names: Collection[str] | None = None) -> Callable[[str], Any]:
    """The `__getattr__` of a module whose names are in another module now; of a package only these names, since it is
    also asked for its sub-modules.
    """

    def fetch(name: str) -> Any:
        if name.startswith("__") or (names is not None and name not in names):
            raise AttributeError(f"module {old!r} has no attribute {name!r}")
        value = getattr(import_module(new), name)
        warnings.warn(
            f"{old}.{name} is {new}.{name} now; the old name works until the next release",
            DeprecationWarning,
            stacklevel=2,
        )
        return value

    return fetch
