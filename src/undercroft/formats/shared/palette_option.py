"""The option `palette` of formats that can be read with any."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from undercroft.core.level import Point
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


def find_only_cell(tiles: NDArray[np.uint8], palette: Palette, role: str) -> Point | None:
    """The one cell of that role; none if there are several.

    >>> find_only_cell(np.array([[1, 11]], np.uint8), STANDARD, "entry")
    (1, 0)
    """
    cells = np.flatnonzero(palette.role_mask(role)[tiles])
    if len(cells) != 1:
        return None
    y, x = divmod(int(cells[0]), tiles.shape[1])
    return x, y


def find_ends(tiles: NDArray[np.uint8], palette: Palette) -> tuple[Point | None, Point | None]:
    """Start and end of a map whose file does not tell them: the only stairs by which one comes, and by which one
    leaves.
    """
    return find_only_cell(tiles, palette, "entry"), find_only_cell(tiles, palette, "exit")
