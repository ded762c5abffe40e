"""The labels of a blueprint before they are painted: numbers, names, lengths, and the space that each takes."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from undercroft.draw.pen.free_space import CellRect
from undercroft.draw.scene.lettering import text_width
from undercroft.draw.scene.scene import Points, Scene, circle
from undercroft.draw.styles.blueprint.inks import (
    FLOOR,
    LETTER_FACE,
    LINE,
    PALE,
    measure_text_box,
    outline_upright_words,
    outline_words,
)

BUBBLE_RADIUS, SMALL_BUBBLE_RADIUS = 0.56, 0.41
"""The radius of a bubble, and of a small one for tight space."""
LENGTH_SIZE = 0.52
"""The size of figures beside lines."""


@dataclass
class LabelLayer:
    """Labels before they are painted: each kind is painted at once."""

    bubbles: list[tuple[str, float, float, float]] = field(default_factory=list)
    """Texts in circles, with their centres and radius."""
    strong: list[Points] = field(default_factory=list)
    """The outlines of letters."""
    letters: list[Points] = field(default_factory=list)
    lines: list[Points] = field(default_factory=list)
    ticks: list[Points] = field(default_factory=list)
    axes: list[Points] = field(default_factory=list)
    boxes: list[CellRect] = field(default_factory=list)
    """The space that each text takes."""
    spots: dict[int, tuple[float, float]] = field(default_factory=dict)
    """The position of the number or name of a region, by its label."""

    names: list[tuple[str, list[Points]]] = field(default_factory=list)
    """The lines of names, and their outlines."""

    def add_strong(self, text: str, lines: list[Points]) -> None:
        """Add a line of a name."""
        self.names.append((text, lines))
        self.strong += lines

    def draw(self, page: Scene) -> None:
        """Paint everything."""
        page.stroke(self.axes, PALE, 0.028, dash=(0.5, 0.12, 0.08, 0.12), cap="butt", opacity=0.8)
        page.stroke(self.lines, PALE, 0.03, cap="butt")
        page.stroke(self.ticks, LINE, 0.055)
        page.fill_area(self.letters, PALE)
        page.fill_area([circle(x, y, radius) for _, x, y, radius in self.bubbles], FLOOR, stroke=LINE, width=0.05)
        figures: list[Points] = []
        for text, x, y, radius in self.bubbles:
            lines = outline_words(text, x, y, min(0.62 * radius / BUBBLE_RADIUS, 1.7 * radius / len(text)))
            figures += page.mark_text("number", text, lines)
        for text, lines in self.names:
            page.mark_text("name", text, lines)
        page.fill_area(figures, LINE, stroke=LINE, width=0.025)
        page.fill_area(self.strong, LINE, stroke=LINE, width=0.018)

    def add_length(
        self, start: tuple[float, float], end: tuple[float, float], text: str, size: float = LENGTH_SIZE
    ) -> None:
        """Add a line with slanted ticks at its ends and a text in a gap in its middle."""
        (x0, y0), (x1, y1) = start, end
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
        half = text_width(text, size, LETTER_FACE) / 2 + 0.3 * size
        tick = 0.31 * size
        if y0 == y1:
            self.lines += [np.array([[x0, y], [x - half, y]]), np.array([[x + half, y], [x1, y]])]
            self.letters += outline_words(text, x, y, size)
            self.boxes.append(measure_text_box(text, x, y, size, 0.02))
        else:
            self.lines += [np.array([[x, y0], [x, y - half]]), np.array([[x, y + half], [x, y1]])]
            self.letters += outline_upright_words(text, x, y, size)
            self.boxes.append(_turned(measure_text_box(text, 0, 0, size, 0.02), x, y))
        self.ticks += [
            np.array([[at_x - tick, at_y + tick], [at_x + tick, at_y - tick]]) for at_x, at_y in (start, end)
        ]


def _turned(box: CellRect, x: float, y: float) -> CellRect:
    return CellRect.centred_on(x, y, box.bottom - box.top, box.right - box.left)
