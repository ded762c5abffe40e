"""The whole map on one sheet, with its title, and the key of its rooms in columns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from undercroft.draw.pen.free_space import Box
from undercroft.draw.scene.lettering import outlines, width
from undercroft.draw.scene.paper import Paper
from undercroft.draw.scene.scene import Scene, Shape
from undercroft.draw.styles.printed.black_map import BLACK, INKS, WHITE, Map
from undercroft.draw.styles.printed.pagination import Tiling
from undercroft.draw.styles.printed.paragraphs import Columns, line_of
from undercroft.draw.styles.printed.room_key import Entry, key
from undercroft.draw.view import headings
from undercroft.draw.view.legend import entries
from undercroft.draw.view.level_view import Plan
from undercroft.draw.view.symbols import paint, placed

EDGE = 0.5
"""Inches around everything."""
LARGEST = 0.4
"""Inches of the largest squares."""
SIZES = (0.148, 0.135, 0.122, 0.11, 0.1, 0.09)
"""Inches of letters in the key, the largest first."""
MAP = 0.42
"""The share of a page that the map takes at least, if it is as wide as the page."""
ROCK = (0.95, 0.25)
"""Squares around the map that hatching needs, and inches, if these are more."""
SIGN = 0.2
"""Inches of a sign in the legend."""


@dataclass(frozen=True)
class OnePage:
    """A sheet of paper, in inches."""

    plan: Plan
    shown: frozenset[str]
    paper: Paper
    tiling: Tiling | None = None
    """Pages to be drawn over the map, if it is the first of a stack."""

    @property
    def room(self) -> float:
        """How wide everything is."""
        return self.paper.width - 2 * EDGE

    @cached_property
    def title(self) -> str:
        return headings.title(self.plan.level)

    @cached_property
    def head(self) -> float:
        """How far down the map begins."""
        return EDGE + (0.85 if self.has_title else 0.0)

    @cached_property
    def has_title(self) -> bool:
        return "title" in self.shown and bool(self.title)

    @cached_property
    def foot(self) -> float:
        """How much is kept free at the end."""
        return (
            EDGE
            + 0.22 * len(self.legend)
            + (0.12 if self.legend else 0.0)
            + (0.2 if self.tiling or {"scale", "measures"} & self.shown else 0.0)
        )

    @cached_property
    def entries(self) -> list[Entry]:
        return key(self.plan, self.shown) if "legend" in self.shown and self.shown & {"numbers", "names"} else []

    @cached_property
    def legend(self) -> list[list[tuple[float, str, object]]]:
        """Signs and words in lines."""
        rows: list[list[tuple[float, str, object]]] = []
        at = 0.0
        for entry in entries(self.plan, self.shown) if "legend" in self.shown else []:
            wide = SIGN + 0.08 + width(entry.word, 0.11, "italic") + 0.22
            if not rows or at + wide - 0.22 > self.room:
                rows.append([])
                at = 0.0
            rows[-1].append((at, entry.word, entry.sign))
            at += wide
        return rows[:3]

    @property
    def space(self) -> float:
        """Inches for map and key together."""
        return self.paper.height - self.head - self.foot

    @cached_property
    def bounds(self) -> Box:
        """The squares that are open; without any, all."""
        ys, xs = np.nonzero(self.plan.open)
        if not len(ys):
            return Box(0, 0, self.plan.level.width, self.plan.level.height)
        return Box(int(xs.min()), int(ys.min()), int(xs.max()) + 1, int(ys.max()) + 1)

    @cached_property
    def layout(self) -> tuple[float, Columns | None]:
        """How large squares are, and the key: in letters as large as can be without making the map small."""
        wide, high = self.bounds.right - self.bounds.left, self.bounds.bottom - self.bounds.top
        most = min(LARGEST, _largest(self.room, wide), _largest(self.space, high))
        bare = not any(entry.name or entry.told for entry in self.entries)
        for columns in self._keys() if self.entries else ():
            cell = min(most, _largest(self.space - columns.height - 0.25, high))
            if cell >= most - 1e-9 or (cell * high >= MAP * self.space and not bare):
                return cell, columns
        if bare:  # lines to write on are no reason to make the map smaller
            return most, None
        left = self.space * (1 - MAP) - 0.25
        names = Columns(
            [entry._replace(told=()) for entry in self.entries], self.room, self._many(SIZES[-1]) + 1, SIZES[-1]
        )
        while (tall := max(names.least, names.height if names.least <= left else 0.0)) > left and len(
            names.entries
        ) > 1:
            names = Columns(
                names.entries[: int(len(names.entries) * min(0.95, left / tall))], self.room, names.many, SIZES[-1]
            )
        return min(most, _largest(MAP * self.space, high)), names

    def _keys(self) -> Iterator[Columns]:
        """Keys that might do, the best first: all sentences in large letters, then smaller ones, then fewer
        sentences.
        """
        for depth in (99, 3, 2, 1, 0):
            for size in SIZES if depth == 99 else SIZES[2:]:
                told = [entry._replace(told=entry.told[:depth]) for entry in self.entries]
                for ruled in (3, 2, 1) if depth == 99 and size == SIZES[0] else (1,):
                    keys = Columns(told, self.room, self._many(size), size, ruled)
                    if keys.least < self.space:  # else nobody has to break its lines to know
                        yield keys

    def _many(self, size: float) -> int:
        return max(1, round(self.room / (17 * size)))

    def scene(self) -> Scene:
        """The page, in inches."""
        page = Scene(self.paper.width, self.paper.height, WHITE)
        cell, columns = self.layout
        level = self.plan.level
        if self.title:
            page.notes["title"] = self.title
        if self.has_title:
            self._titles(page)
        bounds = self.bounds
        around = max(ROCK[0] * cell, ROCK[1])
        left, top = (self.paper.width - cell * (bounds.left + bounds.right)) / 2, self.head + around - cell * bounds.top
        drawn = Scene(level.width, level.height, WHITE)
        Map(self.plan, self.shown, min(1.4, max(0.27, 0.062 / cell))).draw(drawn)
        laid(drawn, page, left, top, cell)
        if self.tiling is not None:
            self._pages(page, self.tiling, left, top, cell)
        below = top + cell * bounds.bottom + around
        if columns is not None:
            for y, thick in ((below + 0.05, 0.02), (below + 0.085, 0.006)):
                page.stroke([np.array([[EDGE, y], [self.paper.width - EDGE, y]])], BLACK, thick, cap="butt")
            columns.draw(page, EDGE, below + 0.2)
            rest = len(self.entries) - len(columns.entries)
            if rest:
                page.area(
                    line_of(
                        f"and {rest} more",
                        self.paper.width - EDGE,
                        self.paper.height - self.foot + 0.1,
                        0.11,
                        "italic",
                        anchor=1,
                    ),
                    BLACK,
                )
        self._below(page, cell)
        return page

    def _titles(self, page: Scene) -> None:
        size = min(0.45, 0.45 * self.room / max(0.1, width(self.title, 0.45, "title", 0.03)))
        page.area(outlines(self.title, EDGE, EDGE + 0.32, size, "title", spacing=0.03), BLACK)
        page.area(
            line_of(headings.subtitle(self.plan.level), EDGE + 0.02, EDGE + 0.54, 0.15, "italic", room=self.room), BLACK
        )
        page.stroke([np.array([[EDGE, EDGE + 0.68], [self.paper.width - EDGE, EDGE + 0.68]])], BLACK, 0.02, cap="butt")

    def _below(self, page: Scene, cell: float) -> None:
        y = self.paper.height - self.foot + 0.2
        for number, row in enumerate(self.legend):
            for place, word, sign in row:
                x, middle = EDGE + place, y + 0.22 * number
                small = placed(sign, x + SIGN / 2, middle, "S", SIGN)  # type: ignore[arg-type]
                paint(page, [small], INKS)
                page.area(line_of(word, x + SIGN + 0.06, middle + 0.035, 0.11, "italic"), BLACK)
        page.area(
            line_of(
                self._last(cell),
                self.paper.width / 2,
                self.paper.height - EDGE + 0.06,
                0.11,
                "italic",
                anchor=0.5,
                room=self.room,
            ),
            BLACK,
        )

    def _last(self, cell: float) -> str:
        """The last line of the page."""
        said = [headings.measures(self.plan) if "measures" in self.shown else ""]
        if self.tiling is not None:
            said.append(
                f"{len(self.tiling.pages)} pages of one inch a square follow; the letters and numbers on the map name "
                "them"
            )
        elif "scale" in self.shown:
            said.append(f"one square = 5 feet, {cell:.2f} inches here")
        return " · ".join(text for text in said if text)

    def _pages(self, page: Scene, tiling: Tiling, left: float, top: float, cell: float) -> None:
        """Where each page of the stack lies."""
        boxes = [tiling.box(*place) for place in tiling.pages]
        sides = {side for a, b, c, d in boxes for side in ((a, b, c, b), (a, d, c, d), (a, b, a, d), (c, b, c, d))}
        lines = [np.array([[a, b], [c, d]]) * cell + (left, top) for a, b, c, d in sorted(sides)]
        page.stroke(lines, BLACK, 0.01, dash=(0.05, 0.05), cap="butt")
        size = min(0.16, 1.6 * cell)
        tags = [
            (tag(*place), left + (box.left + 0.4) * cell, top + (box.top + 0.35) * cell + 0.72 * size)
            for place, box in zip(tiling.pages, boxes, strict=True)
        ]
        letters = [line for text, x, y in tags for line in outlines(text, x, y, size, "figures")]
        page.stroke(letters, WHITE, 0.4 * size, closed=True)
        page.area(letters, BLACK)


def _largest(room: float, squares: float) -> float:
    """How large squares are if so many, and the rock around them, are to fit."""
    return min(room / (squares + 2 * ROCK[0]), max(0.0, room - 2 * ROCK[1]) / squares)


def tag(column: int, row: int) -> str:
    """What a page is called.

    >>> tag(2, 0), tag(27, 3)
    ('C1', 'AB4')
    """
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return f"{letters}{row + 1}"


def laid(drawn: Scene, page: Scene, left: float, top: float, cell: float) -> None:
    """Put a drawing on a page, `cell` inches a cell, its corner there."""
    for item in drawn.items:
        if isinstance(item, Shape):
            lines = [line * cell + (left, top) for line in item.lines]
            page.items.append(
                item._replace(lines=lines, width=item.width * cell, dash=tuple(length * cell for length in item.dash))
            )


def grown(page: Scene, share: float) -> Scene:
    """A page in other units: `share` of them to one of its own."""
    large = Scene(page.width * share, page.height * share, page.ground)
    laid(page, large, 0, 0, share)
    large.notes = page.notes
    return large
