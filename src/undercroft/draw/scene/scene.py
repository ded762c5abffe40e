"""A picture before it is drawn: shapes in the order they are painted, in cells, and what is done to the pixels in
between.

One scene gives a vector file (`svg`, `pdf`), where only the shapes are, or a picture (`raster`), where textures and
light are too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
"""A line: rows of x and y, in cells, x to the right and y down."""
Pixels = NDArray[np.uint8]
"""Red, green and blue as [y, x, 3]."""


class Shape(NamedTuple):
    """Lines that are painted in one go: filled (even-odd, so that holes stay open), stroked, or both."""

    lines: Sequence[Points]
    fill: str = ""
    """A colour as #rrggbb, or nothing."""
    stroke: str = ""
    width: float = 0.0
    """Of the stroke, in cells."""
    opacity: float = 1.0
    closed: bool = False
    """Whether strokes go back to where they began."""
    dash: tuple[float, ...] = ()
    """Lengths of dashes and gaps, in cells."""
    cap: Literal["round", "butt"] = "round"
    clip: str = ""
    """The name of an area of the scene; nothing is painted outside of it."""
    crisp: bool = False
    """Whether edges are sharp, for cells that must meet without a seam."""


class Effect(NamedTuple):
    """Something that is done to the pixels so far: paper, glow, light. Vector files do without it."""

    change: Callable[[Pixels, int], Pixels]
    """The pixels and how many make a cell, to other pixels of the same size."""


class Scene:
    """Shapes and effects on a page of so many cells. The cell (0, 0) of the map is `left` and `top` cells from the
    page's corner.

    >>> scene = Scene(3, 1, "#ffffff")
    >>> scene.fill_area([rectangle(1, 0, 2, 1)], "#000000")
    >>> len(scene.items)
    1
    """

    def __init__(self, width: float, height: float, ground: str, *, left: float = 0.0, top: float = 0.0) -> None:
        self.width, self.height, self.ground, self.left, self.top = width, height, ground, left, top
        self.items: list[Shape | Effect] = []
        self.clips: dict[str, Sequence[Points]] = {}
        self.notes: dict[str, str] = {}
        """Texts that files keep: the title, and how the level was made."""

    def fill_area(self, lines: Iterable[Points], fill: str, **more: Any) -> None:
        """Paint what closed lines enclose."""
        self._add(Shape(list(lines), fill=fill, closed=True, **more))

    def stroke(self, lines: Iterable[Points], colour: str, width: float, **more: Any) -> None:
        """Draw along lines."""
        self._add(Shape(list(lines), stroke=colour, width=width, **more))

    def add_effect(self, change: Callable[[Pixels, int], Pixels]) -> None:
        """Do something to the pixels painted so far."""
        self.items.append(Effect(change))

    def define_clip(self, name: str, lines: Iterable[Points]) -> None:
        """Give an area a name, so that shapes can be kept within it."""
        self.clips[name] = list(lines)

    def _add(self, shape: Shape) -> None:
        if any(len(line) for line in shape.lines):
            self.items.append(shape)


def rectangle(left: float, top: float, right: float, bottom: float) -> Points:
    """The four corners of a box.

    >>> rectangle(0, 0, 2, 1).tolist()
    [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [0.0, 1.0]]
    """
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]], float)


def circle(x: float, y: float, radius: float, corners: int = 28) -> Points:
    """A circle as a polygon that looks round."""
    turn = np.arange(corners) * (2 * np.pi / corners)
    return np.stack([x + radius * np.cos(turn), y + radius * np.sin(turn)], axis=1)
