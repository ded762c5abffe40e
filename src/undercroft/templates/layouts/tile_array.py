"""Tiles at places, stored as an array; layouts consist of such patches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from undercroft.errors import BadInput
from undercroft.limits import LAYOUT_SIDE
from undercroft.templates.template import OUTSIDE


class Patch:
    """A set of cells with a tile on each: immutable, cropped to its box. Cells may have negative coordinates.

    >>> patch = Patch.of([(3, 2, 1), (5, 2, 4)])
    >>> patch.x, patch.y, patch.tiles.tolist(), patch.at(5, 2), patch.at(4, 2)
    (3, 2, [[1, 255, 4]], 4, None)
    """

    __slots__ = ("tiles", "x", "y")

    x: int
    y: int
    tiles: NDArray[np.uint8]
    """Codes as [y, x] from its first column and row on; `OUTSIDE` where it has no cell."""

    def __init__(self, tiles: NDArray[np.uint8], x: int = 0, y: int = 0) -> None:
        rows, columns = (np.flatnonzero((tiles != OUTSIDE).any(axis=axis)) for axis in (1, 0))
        if len(rows):
            x, y = x + int(columns[0]), y + int(rows[0])
            tiles = np.array(tiles[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1], np.uint8)
        else:
            x, y, tiles = 0, 0, np.zeros((0, 0), np.uint8)
        tiles.setflags(write=False)
        for name, value in (("x", x), ("y", y), ("tiles", tiles)):
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a patch is frozen; its methods give new ones")

    @classmethod
    def of(cls, cells: Iterable[tuple[int, int, int]]) -> Patch:
        """Build a patch from rows of x, y and code."""
        rows = np.array(list(cells), np.int64).reshape(-1, 3)
        if not len(rows):
            return EMPTY_PATCH
        x, y = rows[:, :2].min(axis=0)
        width, height = rows[:, :2].max(axis=0) - (x, y) + 1
        LAYOUT_SIDE.check(int(max(width, height)), "the longer side of a layout as it is drawn")
        if not 0 <= rows[:, 2].min() <= rows[:, 2].max() < OUTSIDE:
            raise BadInput(
                "a tile's code is a whole number from 0 to 254", fix="look it up in the palette: palette['floor']"
            )
        tiles = np.full((height, width), OUTSIDE, np.uint8)
        tiles[rows[:, 1] - y, rows[:, 0] - x] = rows[:, 2]
        return cls(tiles, int(x), int(y))

    def __iter__(self) -> Iterator[tuple[int, int, int]]:
        """Its cells in reading order as x, y and code."""
        ys, xs = np.nonzero(self.tiles != OUTSIDE)
        return zip((xs + self.x).tolist(), (ys + self.y).tolist(), self.tiles[ys, xs].tolist(), strict=True)

    def __len__(self) -> int:
        return int(np.count_nonzero(self.tiles != OUTSIDE))

    @property
    def width(self) -> int:
        return int(self.tiles.shape[1])

    @property
    def height(self) -> int:
        return int(self.tiles.shape[0])

    def at(self, x: int, y: int) -> int | None:
        """The code at a cell; None if it has no cell there."""
        if not (0 <= x - self.x < self.width and 0 <= y - self.y < self.height):
            return None
        code = int(self.tiles[y - self.y, x - self.x])
        return None if code == OUTSIDE else code

    def with_cell(self, x: int, y: int, code: int) -> Patch:
        """A patch with that cell added or replaced."""
        return Patch.of([*(cell for cell in self if cell[:2] != (x, y)), (x, y, code)])

    def without_cell(self, x: int, y: int) -> Patch:
        """A patch without that cell."""
        return self if self.at(x, y) is None else Patch.of(cell for cell in self if cell[:2] != (x, y))

    def count_filled(self, axis: int) -> int:
        """The number of columns (axis 0) or rows (1) that have a cell."""
        return int(np.count_nonzero((self.tiles != OUTSIDE).any(axis=axis)))

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Patch)
            and (self.x, self.y) == (other.x, other.y)
            and np.array_equal(self.tiles, other.tiles)
        )

    def __hash__(self) -> int:
        return hash((self.x, self.y, self.tiles.tobytes()))

    def __reduce__(self) -> tuple[object, ...]:
        return Patch, (self.tiles, self.x, self.y)

    def __repr__(self) -> str:
        return f"<Patch of {len(self)} at ({self.x}, {self.y})>"


EMPTY_PATCH = Patch(np.zeros((0, 0), np.uint8))
