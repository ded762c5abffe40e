"""The packages that a level or a batch was made with, and which of them are missing here."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from undercroft.analysis.measures.table import MEASURES
from undercroft.errors import BadInput
from undercroft.steps import STEPS

_PACKAGE = re.compile(r"([A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9])?) ([0-9][A-Za-z0-9.+!-]{0,60})")
"""The label of a provider: a package and its version."""


def require_packages(packages: Any, what: str) -> list[str]:
    """Raise `BadInput` if a step or measure that was used is not here; `packages` are recorded labels by name, which
    anybody may have written. Returns notes on packages that are here in another version, or from somebody else.
    """
    notes: list[str] = []
    for name, label in packages.items() if isinstance(packages, Mapping) else ():
        if not isinstance(name, str) or not isinstance(label, str) or not (name + label).isprintable():
            continue
        table = STEPS if name in STEPS else MEASURES
        if name not in table:
            raise _build_missing_error(name, label, what)
        provider = table.provider(name)
        here = "Undercroft itself" if provider is None else provider.label
        if here != label:
            notes.append(f"{what} was made with {name!r} of {label[:160]}, and here it is of {here}")
    return notes


def _build_missing_error(name: str, label: str, what: str) -> BadInput:
    package = _PACKAGE.fullmatch(label)
    if package is None:
        return BadInput(
            f"{what} was made with {name[:80]!r} of the module {label[:160]}, and nothing here has that name",
            fix="import the module that registers it first",
        )
    return BadInput(
        f"{what} was made with {name[:80]!r} of the package {label}, which is not installed",
        fix=f"if you trust that package: pip install {package[1]}=={package[2]}",
    )
