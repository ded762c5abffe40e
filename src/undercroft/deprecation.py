"""Old names that work for one release, and warn."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from importlib import import_module
from typing import Any


def moved(old: str, new: str) -> Callable[[str], Any]:
    """The `__getattr__` of a module whose names are in another module now."""

    def fetch(name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(f"module {old!r} has no attribute {name!r}")
        value = getattr(import_module(new), name)
        warnings.warn(
            f"{old}.{name} is {new}.{name} now; the old name works until the next release",
            DeprecationWarning,
            stacklevel=2,
        )
        return value

    return fetch
