"""Paragraphs: text in lines of a given length, and entries in columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from undercroft.draw.scene.lettering import fitted, outlines, width
from undercroft.draw.scene.scene import Points, Scene, circle
from undercroft.draw.styles.printed.room_key import Entry

BLACK, WHITE = "#000000", "#ffffff"
HEAD, TEXT = "figures", "text"
"""Faces of headings and of what follows them."""
LEADING = 1.16
"""From line to line, in sizes of letters."""
BETWEEN = 0.55
"""From entry to entry, in lines."""


def wrapped(text: str, room: float, size: float, face: str = TEXT) -> list[str]:
    """The text in lines that are no longer than `room`; a word that is, is shortened.

    >>> wrapped("Cold, clear, eight feet deep.", 6, 1)
    ['Cold, clear,', 'eight feet deep.']
    """
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width(longer, size, face) <= room:
            lines[-1] = longer
        else:
            lines.append(fitted(word, room, size, face))
    return lines


@dataclass(frozen=True)
class Columns:
    """Entries of a key in columns of the same length. All lengths are in the units of the page."""

    entries: Sequence[Entry]
    room: float
    """How wide all columns are together."""
    many: int
    size: float
    ruled: int = 1
    """Lines to write on for entries that say nothing."""

    @property
    def gap(self) -> float:
        return 1.6 * self.size

    @property
    def indent(self) -> float:
        """From a number to its text."""
        return 1.9 * self.size

    @property
    def wide(self) -> float:
        return (self.room - (self.many - 1) * self.gap) / self.many

    @cached_property
    def blocks(self) -> list[tuple[Entry, list[tuple[str, str]]]]:
        """Each entry with its lines: the face of each and its text. Lines to write on have no text."""
        found = []
        for entry in self.entries:
            room = self.wide - self.indent
            lines = [(HEAD, line) for line in wrapped(entry.name, room, self.size * 0.98, HEAD)]
            lines += [(TEXT, line) for line in wrapped(" ".join(entry.told), room, self.size)]
            found.append((entry, lines or [("", "")] * self.ruled))
        return found

    @cached_property
    def split(self) -> list[int]:
        """How many entries are in each column, so that the longest is as short as can be."""
        heights = [len(lines) + BETWEEN for _, lines in self.blocks]
        low, high = max(heights, default=0.0), sum(heights)
        for _ in range(24):
            middle = (low + high) / 2
            low, high = (low, middle) if len(_filled(heights, middle)) <= self.many else (middle, high)
        return _filled(heights, high)

    @property
    def least(self) -> float:
        """How high it is at least, whatever the entries say."""
        return (len(self.entries) * (1 + BETWEEN) / self.many - BETWEEN) * LEADING * self.size

    @cached_property
    def height(self) -> float:
        ends = np.cumsum([0, *self.split]).tolist()
        longest = max(
            (sum(len(lines) + BETWEEN for _, lines in self.blocks[start:end]) for start, end in pairwise(ends)),
            default=0.0,
        )
        return (longest - BETWEEN + 0.3) * LEADING * self.size if longest else 0.0

    def draw(self, page: Scene, left: float, top: float) -> None:
        """Paint it, from a corner down."""
        discs, numbers, heads, texts, rules = [], [], [], [], []
        place = 0
        for column, many in enumerate(self.split):
            x, y = left + column * (self.wide + self.gap), top
            for entry, lines in self.blocks[place : place + many]:
                middle = y + 0.5 * LEADING * self.size
                discs.append(circle(x + 0.62 * self.size, middle, 0.62 * self.size))
                number = str(entry.number)
                numbers += outlines(
                    number,
                    x + 0.62 * self.size,
                    middle + 0.29 * self.size,
                    self.size * (0.82 if len(number) < 3 else 0.62),
                    HEAD,
                    anchor=0.5,
                )
                for face, line in lines:
                    down = y + 0.5 * LEADING * self.size + 0.3 * self.size
                    if face == HEAD:
                        heads += outlines(line, x + self.indent, down, self.size * 0.98, HEAD)
                    elif face == TEXT:
                        texts += outlines(line, x + self.indent, down, self.size, TEXT)
                    else:
                        rules.append(np.array([[x + self.indent, down], [x + self.wide, down]]))
                    y += LEADING * self.size
                y += BETWEEN * LEADING * self.size
            place += many
        page.area(discs, BLACK)
        page.area(numbers, WHITE)
        page.area(heads + texts, BLACK)
        page.stroke(rules, BLACK, 0.03 * self.size, dash=(0.02 * self.size, 0.14 * self.size))


def _filled(heights: Sequence[float], most: float) -> list[int]:
    """How many entries go into each column if none is longer than `most`, but for single entries that are."""
    columns: list[int] = []
    used = most + 1
    for height in heights:
        if used + height > most + 1e-9 or not columns:
            columns.append(0)
            used = 0.0
        columns[-1] += 1
        used += height
    return columns


def line_of(
    text: str, x: float, y: float, size: float, face: str = TEXT, *, anchor: float = 0.0, room: float = 1e9
) -> list[Points]:
    """One line of text, shortened if it is too long."""
    return outlines(fitted(text, room, size, face), x, y, size, face, anchor=anchor)
