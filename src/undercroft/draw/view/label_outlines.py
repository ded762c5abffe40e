"""The numbers and names of rooms and the names of locks as outlines, and the lines from numbers to rooms."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from undercroft.draw.pen.free_space import CellRect
from undercroft.draw.scene.lettering import text_outlines, text_width
from undercroft.draw.scene.scene import Points, Scene, circle
from undercroft.draw.view.level_view import LevelView, RoomLabel
from undercroft.draw.view.lock_labels import LETTER_SIZE, LockLabel
from undercroft.draw.view.number_places import FULL_SIZE
from undercroft.draw.view.room_names import LEADING, NameLabel

TIP_RADIUS = 0.09
"""The radius of the dot at the end of a line, in cells."""
RISE = 0.33
"""How far the baseline is below the middle of figures, in their size."""


def outline_numbers(
    page: Scene, labels: Iterable[RoomLabel], face: str = "figures", share: float = 1.0, largest: float = 99.0
) -> list[Points]:
    """The outlines of the numbers, to be filled: in figures of at most `largest` cells, `share` times as large as they
    fit.
    """
    found: list[Points] = []
    for label in labels:
        size = min(label.size * share, largest)
        text = str(label.number)
        lines = text_outlines(text, label.x, label.y + RISE * size, size, face, anchor=0.5)
        found += page.mark_text("number", text, lines)
    return found


def outline_names(page: Scene, names: Iterable[NameLabel], face: str) -> list[Points]:
    """The outlines of names, to be filled."""
    found: list[Points] = []
    for name in names:
        lines = [
            line
            for words, y in name.baselines()
            for line in text_outlines(words, name.x, y, name.size, face, anchor=0.5)
        ]
        found += page.mark_text("name", name.label.name, lines)
    return found


def outline_lock_labels(
    page: Scene, ties: Iterable[LockLabel], size: float = LETTER_SIZE, face: str = "italic"
) -> list[Points]:
    """The outlines of the names of locks, to be filled."""
    return [line for tie in ties for line in page.mark_text("lock", tie.word, tie.lines(size, face))]


def list_text_boxes(plan: LevelView, names: Iterable[NameLabel], face: str) -> list[CellRect]:
    """The boxes of these names and of the names of locks: lines leave them out."""
    boxes = [tie.widest_box() for tie in plan.lock_labels]
    for name in names:
        wide = max(text_width(line, name.size, face) for line in name.lines)
        boxes.append(CellRect.centred_on(name.x, name.y, wide + 0.2, name.size * LEADING * len(name.lines)))
    return boxes


def draw_lead_lines(
    page: Scene, labels: Iterable[RoomLabel], colour: str, under: str = "", width: float = 0.05
) -> None:
    """Draw the lines from numbers beside rooms into them, with a dot at the end; on a wider line of the colour `under`,
    if there is one.
    """
    led = [label for label in labels if label.lead is not None]
    lines = [np.array(label.lead) for label in led]
    weights = [max(1.0, label.size / FULL_SIZE) for label in led]
    if under:
        page.stroke(lines, under, 3.2 * width)
    page.stroke(lines, colour, width)
    page.fill_area(
        [
            circle(float(line[1, 0]), float(line[1, 1]), TIP_RADIUS * weight, 12)
            for line, weight in zip(lines, weights, strict=True)
        ],
        colour,
    )
