"""The option `palette` of formats that can be read with any."""

from __future__ import annotations

from typing import Any

from undercroft.core.palette import STANDARD, Palette
from undercroft.errors import BadInput


def resolve_palette(palette: Any) -> Palette:
    """The palette to read with: the standard one, unless another was given.

    >>> resolve_palette(None) is STANDARD
    True
    """
    if palette is None:
        return STANDARD
    if not isinstance(palette, Palette):
        raise BadInput(
            f"a palette was to be given, not a {type(palette).__name__}",
            fix="load it first: palette=uc.Palette.load(path)",
        )
    return palette
