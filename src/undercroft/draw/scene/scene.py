"""A picture before it is rendered: shapes in painting order, in cells, and effects on the pixels in between.

One scene gives a vector file (`svg`, `pdf`) with the shapes only, or pixels (`raster`) with textures and light too.
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
    """Lines that are painted together: filled (even-odd, so that holes stay open), stroked, or both."""

    lines: Sequence[Points]
    fill: str = ""
    """A colour as #rrggbb, or empty."""
    stroke: str = ""
    width: float = 0.0
    """The width of the stroke, in cells."""
    opacity: float = 1.0
    closed: bool = False
    """Whether strokes return to their first point."""
    dash: tuple[float, ...] = ()
    """Lengths of dashes and gaps, in cells."""
    cap: Literal["round", "butt"] = "round"
    clip: str = ""
    """The name of an area of the scene that clips the shape; empty for none."""
    crisp: bool = False
    """Whether edges are sharp, for cells that must join without a seam."""


class Effect(NamedTuple):
    """A change of the pixels painted so far: paper, glow, light. Vector files have shapes instead, if there are any."""

    change: Callable[[Pixels, int], Pixels]
    """A function of the pixels and the pixels per cell that returns pixels of the same shape."""
    shapes: tuple[Shape, ...] = ()
    """What vector files have instead."""


class TextMark(NamedTuple):
    """A text on the map: what it is (number, name, lock), and the box that its letters take, in cells."""

    kind: str
    text: str
    left: float
    top: float
    right: float
    bottom: float


class Scene:
    """Shapes and effects on a page of `width` by `height` cells. The cell (0, 0) of the map is `left` and `top` cells
    from the page's corner.

    >>> scene = Scene(3, 1, "#ffffff")
    >>> scene.fill_area([rectangle(1, 0, 2, 1)], "#000000")
    >>> len(scene.items)
    1
    """

    def __init__(self, width: float, height: float, ground: str, *, left: float = 0.0, top: float = 0.0) -> None:
        self.width, self.height, self.ground, self.left, self.top = width, height, ground, left, top
        self.items: list[Shape | Effect] = []
        self.clips: dict[str, Sequence[Points]] = {}
        self.texts: list[TextMark] = []
        """The texts on the map, which must not cover anything."""
        self.notes: dict[str, str] = {}
        """Metadata for files: the title and the provenance of the level."""

    def fill_area(self, lines: Iterable[Points], fill: str, **more: Any) -> None:
        """Fill the area that closed lines enclose."""
        self._add(Shape(list(lines), fill=fill, closed=True, **more))

    def stroke(self, lines: Iterable[Points], colour: str, width: float, **more: Any) -> None:
        """Stroke lines."""
        self._add(Shape(list(lines), stroke=colour, width=width, **more))

    def mark_text(self, kind: str, text: str, lines: Sequence[Points]) -> Sequence[Points]:
        """Note where a text stands whose outlines these are. Returns them."""
        points = [line for line in lines if len(line)]
        if points:
            whole = np.concatenate(points)
            self.texts.append(TextMark(kind, text, *whole.min(axis=0).tolist(), *whole.max(axis=0).tolist()))
        return lines

    def add_effect(self, change: Callable[[Pixels, int], Pixels], shapes: Iterable[Shape] = ()) -> None:
        """Add a change of the pixels painted so far, and the shapes that vector files have instead."""
        self.items.append(Effect(change, tuple(shape for shape in shapes if any(map(len, shape.lines)))))

    def list_vector_shapes(self) -> list[Shape]:
        """The shapes of a vector file, in painting order."""
        return [shape for item in self.items for shape in ((item,) if isinstance(item, Shape) else item.shapes)]

    def define_clip(self, name: str, lines: Iterable[Points]) -> None:
        """Name an area that shapes can be clipped to."""
        self.clips[name] = list(lines)

    def _add(self, shape: Shape) -> None:
        if any(len(line) for line in shape.lines):
            self.items.append(shape)


def rectangle(left: float, top: float, right: float, bottom: float) -> Points:
    """The four corners of a rectangle.

    >>> rectangle(0, 0, 2, 1).tolist()
    [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [0.0, 1.0]]
    """
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]], float)


def circle(x: float, y: float, radius: float, corners: int = 28) -> Points:
    """A circle as a polygon with enough corners to look round."""
    turn = np.arange(corners) * (2 * np.pi / corners)
    return np.stack([x + radius * np.cos(turn), y + radius * np.sin(turn)], axis=1)
