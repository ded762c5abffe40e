"""The colours, pens and words of blueprints, and the face they are lettered in."""

from __future__ import annotations

from undercroft.draw.pen.free_space import Box
from undercroft.draw.scene.lettering import outlines, width
from undercroft.draw.scene.scene import Points
from undercroft.draw.view.symbols import Inks

GROUND = "#123f7a"
LINE, PALE, FAINT = "#eaf3ff", "#9cc3f2", "#5f93d6"
FLOOR, BAND, DEEP = "#0e3468", "#2f68b4", "#0a2850"
"""What is walked on, what walls are made of, and what is below."""
SIGNS = Inks(PALE, FLOOR, BAND)
"""For what stands about: paler than what is built."""
TINT = 0.42
"""How far colours of regions and distances cover the floor."""
LETTERS, BOLD = "mono", "mono"
FEET = 5
"""Feet a square."""
HIGH = 0.73
"""How high capitals and figures are, in parts of their size."""


def feet(squares: float) -> str:
    """A length, as it stands beside a line.

    >>> feet(7), feet(4.5)
    ('35′', '22.5′')
    """
    return f"{squares * FEET:g}′"


def square_feet(squares: int) -> str:
    """An area.

    >>> square_feet(35)
    '875 ft²'
    """
    return f"{squares * FEET * FEET} ft²"


def words(text: str, x: float, y: float, size: float, *, anchor: float = 0.5) -> list[Points]:
    """A line of text whose middle is as high as the point."""
    return outlines(text, x, y + size * HIGH / 2, size, LETTERS, anchor=anchor)


def upright(text: str, x: float, y: float, size: float) -> list[Points]:
    """A line of text about a point, to be read from the right: it runs up."""
    return [(line * (1, 1))[:, ::-1] * (1, -1) + (x, y) for line in words(text, 0, 0, size)]


def box_of(text: str, x: float, y: float, size: float, air: float = 0.12) -> Box:
    """The space that a text about a point takes, with some air around it."""
    return Box.about(x, y, width(text, size, LETTERS) + 2 * air, size * HIGH + 2 * air)
