"""The colours, pens and texts of blueprints, and their typeface."""

from __future__ import annotations

from undercroft.draw.pen.free_space import CellRect
from undercroft.draw.scene.lettering import text_outlines, text_width
from undercroft.draw.scene.scene import Points
from undercroft.draw.view.symbols import Inks

GROUND = "#123f7a"
LINE, PALE, FAINT = "#eaf3ff", "#9cc3f2", "#5f93d6"
FLOOR, BAND, DEEP = "#0e3468", "#2f68b4", "#0a2850"
"""The colours of floors, of walls, and of deep places."""
SIGN_INKS = Inks(PALE, FLOOR, BAND)
"""The inks of things: paler than buildings."""
TINT_OPACITY = 0.42
"""The opacity of the colours of regions and distances."""
TILE_OPACITY = 0.55
"""The opacity of tiles with a colour of their own."""
LETTER_FACE, BOLD_FACE = "mono", "mono"
FEET_PER_SQUARE = 5
"""Feet a square."""
CAPITAL_HEIGHT = 0.73
"""The height of capitals and figures, relative to their size."""


def format_feet(squares: float) -> str:
    """A length as it is written beside a line.

    >>> format_feet(7), format_feet(4.5)
    ('35′', '22.5′')
    """
    return f"{squares * FEET_PER_SQUARE:g}′"


def format_square_feet(squares: int) -> str:
    """An area as text.

    >>> format_square_feet(35)
    '875 ft²'
    """
    return f"{squares * FEET_PER_SQUARE * FEET_PER_SQUARE} ft²"


def outline_words(text: str, x: float, y: float, size: float, *, anchor: float = 0.5) -> list[Points]:
    """The outlines of a line of text that is centred vertically on the point."""
    return text_outlines(text, x, y + size * CAPITAL_HEIGHT / 2, size, LETTER_FACE, anchor=anchor)


def outline_upright_words(text: str, x: float, y: float, size: float) -> list[Points]:
    """The outlines of a line of text centred on a point that runs upwards."""
    return [(line * (1, 1))[:, ::-1] * (1, -1) + (x, y) for line in outline_words(text, 0, 0, size)]


def measure_text_box(text: str, x: float, y: float, size: float, air: float = 0.12) -> CellRect:
    """The space that a text centred on a point takes, with some padding."""
    return CellRect.centred_on(x, y, text_width(text, size, LETTER_FACE) + 2 * air, size * CAPITAL_HEIGHT + 2 * air)
