"""Convert levels to the arrays that python-tcod uses. This does not need python-tcod."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.core.palette import Palette
from undercroft.errors import BadInput
from undercroft.wording import format_value_briefly

if TYPE_CHECKING:
    from undercroft.core.level import Level

CONSOLE_CELL_DTYPE = np.dtype([("ch", "<i4"), ("fg", "u1", (3,)), ("bg", "u1", (3,))])
"""A cell of a console: a Unicode character, its colour, and its background. The same as `tcod.console.rgb_graphic`."""


class TcodArrays(NamedTuple):
    """A level for tcod. The arrays are [y, x] in the order "C", and [x, y] in the order "F"."""

    walkable: NDArray[np.bool_]
    """Which cells can be walked on."""
    transparent: NDArray[np.bool_]
    """Which cells do not block the view: for `tcod.map.compute_fov`."""
    cost: NDArray[np.int8]
    """1 for walkable cells, 0 for others: for `tcod.path`."""
    rgb: NDArray[Any]
    """The characters and colours of the cells: for `console.rgb[:] = ...`."""
    order: Literal["C", "F"]

    def console(self) -> Any:
        """The level on a new `tcod.console.Console` of its size."""
        try:
            import tcod.console
        except ImportError:
            raise BadInput(
                "tcod is not installed, and only it can make a console",
                fix="pip install tcod, or use the arrays as they are",
            ) from None
        columns, rows = self.rgb.shape if self.order == "F" else self.rgb.shape[::-1]
        console = tcod.console.Console(columns, rows, order=self.order)
        console.rgb[:] = self.rgb
        return console


def build_tcod_arrays(level: Level, order: str = "C") -> TcodArrays:
    """The level as arrays; see `Level.to_tcod`."""
    word = order if type(order) is str else None  # an array of texts is no order
    walkable = level.walkable.copy()
    transparent = ~level.opaque
    cost = walkable.astype(np.int8)
    rgb = _build_tile_graphics(level.palette)[level.tiles]
    if word == "C":
        return TcodArrays(walkable, transparent, cost, rgb, "C")
    if word == "F":
        return TcodArrays(walkable.T, transparent.T, cost.T, rgb.T, "F")
    raise BadInput(
        f"an order is 'C' for [y, x] or 'F' for [x, y], not {format_value_briefly(order)}",
        fix="write order='C' or order='F'",
    )


def _build_tile_graphics(palette: Palette) -> NDArray[Any]:
    """The face of each tile in its colour, on a dark shade of that colour."""
    looks = np.zeros(256, CONSOLE_CELL_DTYPE)
    for code, tile in enumerate(palette.tiles):
        colour = np.frombuffer(bytes.fromhex(tile.colour[1:]), np.uint8)
        looks[code] = (ord(tile.face), colour, colour // 6)
    return looks
