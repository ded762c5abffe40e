"""Paragraphs: text wrapped into lines, and entries in columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from undercroft.draw.scene.lettering import shorten_to_fit, text_outlines, text_width
from undercroft.draw.scene.scene import Points, Scene, circle
from undercroft.draw.styles.printed.room_key import KeyEntry

BLACK, WHITE = "#000000", "#ffffff"
HEAD_FACE, TEXT_FACE = "figures", "text"
"""The typefaces of headings and of text."""
LEADING = 1.16
"""The line height, in letter sizes."""
ENTRY_GAP_LINES = 0.55
"""The gap between entries, in lines."""


def wrap_text(text: str, room: float, size: float, face: str = TEXT_FACE) -> list[str]:
    """The text in lines that are at most `room` long; a longer word is shortened.

    >>> wrap_text("Cold, clear, eight feet deep.", 6, 1)
    ['Cold, clear,', 'eight feet deep.']
    """
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size, face) <= room:
            lines[-1] = longer
        else:
            lines.append(shorten_to_fit(word, room, size, face))
    return lines


@dataclass(frozen=True)
class KeyColumns:
    """Entries of a key in columns of about equal height. All lengths are in the units of the page."""

    entries: Sequence[KeyEntry]
    room: float
    """The total width of all columns."""
    many: int
    size: float
    ruled: int = 1
    """The number of blank lines to write on for entries without text."""

    @property
    def gap(self) -> float:
        return 1.6 * self.size

    @property
    def indent(self) -> float:
        """The distance from a number to its text."""
        return 1.9 * self.size

    @property
    def column_width(self) -> float:
        return (self.room - (self.many - 1) * self.gap) / self.many

    @cached_property
    def entry_lines(self) -> list[tuple[KeyEntry, list[tuple[str, str]]]]:
        """Each entry with its lines: typeface and text of each. Blank lines to write on have no text."""
        found = []
        for entry in self.entries:
            room = self.column_width - self.indent
            lines = [(HEAD_FACE, line) for line in wrap_text(entry.name, room, self.size * 0.98, HEAD_FACE)]
            lines += [(TEXT_FACE, line) for line in wrap_text(" ".join(entry.told), room, self.size)]
            found.append((entry, lines or [("", "")] * self.ruled))
        return found

    @cached_property
    def entries_per_column(self) -> list[int]:
        """The number of entries in each column, such that the longest column is as short as possible."""
        heights = [len(lines) + ENTRY_GAP_LINES for _, lines in self.entry_lines]
        low, high = max(heights, default=0.0), sum(heights)
        for _ in range(24):
            middle = (low + high) / 2
            low, high = (low, middle) if len(_fill_columns(heights, middle)) <= self.many else (middle, high)
        return _fill_columns(heights, high)

    @property
    def min_height(self) -> float:
        """A lower bound of the height, whatever the texts of the entries."""
        return (len(self.entries) * (1 + ENTRY_GAP_LINES) / self.many - ENTRY_GAP_LINES) * LEADING * self.size

    @cached_property
    def height(self) -> float:
        ends = np.cumsum([0, *self.entries_per_column]).tolist()
        longest = max(
            (
                sum(len(lines) + ENTRY_GAP_LINES for _, lines in self.entry_lines[start:end])
                for start, end in pairwise(ends)
            ),
            default=0.0,
        )
        return (longest - ENTRY_GAP_LINES + 0.3) * LEADING * self.size if longest else 0.0

    def draw(self, page: Scene, left: float, top: float) -> None:
        """Draw the columns, from a corner down."""
        discs, numbers, heads, texts, rules = [], [], [], [], []
        place = 0
        for column, many in enumerate(self.entries_per_column):
            x, y = left + column * (self.column_width + self.gap), top
            for entry, lines in self.entry_lines[place : place + many]:
                middle = y + 0.5 * LEADING * self.size
                if entry.number:
                    discs.append(circle(x + 0.62 * self.size, middle, 0.62 * self.size))
                number = str(entry.number or "")
                numbers += text_outlines(
                    number,
                    x + 0.62 * self.size,
                    middle + 0.29 * self.size,
                    self.size * (0.82 if len(number) < 3 else 0.62),
                    HEAD_FACE,
                    anchor=0.5,
                )
                for face, line in lines:
                    down = y + 0.5 * LEADING * self.size + 0.3 * self.size
                    if face == HEAD_FACE:
                        heads += text_outlines(line, x + self.indent, down, self.size * 0.98, HEAD_FACE)
                    elif face == TEXT_FACE:
                        texts += text_outlines(line, x + self.indent, down, self.size, TEXT_FACE)
                    else:
                        rules.append(np.array([[x + self.indent, down], [x + self.column_width, down]]))
                    y += LEADING * self.size
                y += ENTRY_GAP_LINES * LEADING * self.size
            place += many
        page.fill_area(discs, BLACK)
        page.fill_area(numbers, WHITE)
        page.fill_area(heads + texts, BLACK)
        page.stroke(rules, BLACK, 0.03 * self.size, dash=(0.02 * self.size, 0.14 * self.size))


def _fill_columns(heights: Sequence[float], most: float) -> list[int]:
    """The number of entries in each column if none is longer than `most`, except single entries that are."""
    columns: list[int] = []
    used = most + 1
    for height in heights:
        if used + height > most + 1e-9 or not columns:
            columns.append(0)
            used = 0.0
        columns[-1] += 1
        used += height
    return columns


def outline_line(
    text: str, x: float, y: float, size: float, face: str = TEXT_FACE, *, anchor: float = 0.0, room: float = 1e9
) -> list[Points]:
    """One line of text, shortened if it is too long."""
    return text_outlines(shorten_to_fit(text, room, size, face), x, y, size, face, anchor=anchor)
