"""The whole map on one sheet, with its title and a key of its rooms in columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from undercroft.draw.pen.free_space import CellRect, cut_lines
from undercroft.draw.scene.lettering import text_outlines, text_width
from undercroft.draw.scene.paper import Paper
from undercroft.draw.scene.scene import Scene, Shape
from undercroft.draw.styles.printed.black_map import BLACK, INKS, WHITE, BlackMap
from undercroft.draw.styles.printed.pagination import PageTiling
from undercroft.draw.styles.printed.paragraphs import KeyColumns, outline_line
from undercroft.draw.styles.printed.patterns import pattern_swatch
from undercroft.draw.styles.printed.room_key import KeyEntry, build_key
from undercroft.draw.view import headings
from undercroft.draw.view.legend import list_legend_entries
from undercroft.draw.view.level_view import LevelView
from undercroft.draw.view.number_places import FULL_SIZE, MAX_SCALE, number_extent
from undercroft.draw.view.symbols import draw_signs, place_sign

EDGE_INCHES = 0.5
"""The margin of the sheet, in inches."""
MAX_SQUARE_INCHES = 0.4
"""The side of the largest squares, in inches."""
KEY_LETTER_INCHES = (0.148, 0.135, 0.122, 0.11, 0.1, 0.09)
"""The letter sizes of the key in inches, the largest first."""
CONTINUED_LETTER_INCHES = 0.11
"""The size of letters of a key that takes several sheets."""
CONTINUED = "the key continues on the next page"
MIN_NUMBER_INCHES = 0.105
"""The size of figures on the map in inches, if there is space for it."""
MIN_MAP_SHARE = 0.42
"""The minimum share of the page for a map that is as wide as the page."""
MAX_MAP_SHARE = 0.6
"""The maximum share of the page for a map whose key takes several sheets."""
ROCK_MARGINS = (0.95, 0.25)
"""The margin around the map for hatching: in squares, or in inches if that is more."""
SIGN_INCHES = 0.2
"""The size of a sign in the legend, in inches."""


@dataclass(frozen=True)
class OnePage:
    """A sheet of paper, in inches."""

    plan: LevelView
    shown: frozenset[str]
    paper: Paper
    tiling: PageTiling | None = None
    """The pages to outline on the map, if this is the first sheet of a stack."""

    @cached_property
    def drawn_plan(self) -> LevelView:
        """The map with numbers that can be read at the size of its squares."""
        scale = MIN_NUMBER_INCHES / (FULL_SIZE * max(self.layout[0], 1e-6))
        return replace(self.plan, text_scale=float(np.clip(scale, 1.0, MAX_SCALE)))

    @property
    def inner_width(self) -> float:
        """The width inside the margins."""
        return self.paper.width - 2 * EDGE_INCHES

    @cached_property
    def title(self) -> str:
        return headings.format_title(self.plan.level)

    @cached_property
    def map_top(self) -> float:
        """The top edge of the map."""
        return EDGE_INCHES + (0.85 if self.has_title else 0.0)

    @cached_property
    def has_title(self) -> bool:
        return "title" in self.shown and bool(self.title)

    @cached_property
    def foot_height(self) -> float:
        """The height that is kept free at the bottom."""
        return (
            EDGE_INCHES
            + 0.22 * len(self.legend_rows)
            + (0.12 if self.legend_rows else 0.0)
            + (0.2 if self.tiling or {"scale", "measures"} & self.shown else 0.0)
        )

    @cached_property
    def key_entries(self) -> list[KeyEntry]:
        return build_key(self.plan, self.shown) if "legend" in self.shown and self.shown & {"numbers", "names"} else []

    @cached_property
    def legend_rows(self) -> list[list[tuple[float, str, object]]]:
        """The signs and words of the legend in lines."""
        rows: list[list[tuple[float, str, object]]] = []
        at = 0.0
        tiles = [each.tile for each in self.plan.coloured_tiles]
        entries = (
            list_legend_entries(self.plan, self.shown, swatch=lambda tile: pattern_swatch(tiles.index(tile)))
            if "legend" in self.shown
            else []
        )
        for entry in entries:
            wide = SIGN_INCHES + 0.08 + text_width(entry.word, 0.11, "italic") + 0.22
            if not rows or at + wide - 0.22 > self.inner_width:
                rows.append([])
                at = 0.0
            rows[-1].append((at, entry.word, entry.sign))
            at += wide
        return rows

    @property
    def content_height(self) -> float:
        """The height for map and key together, in inches."""
        return self.paper.height - self.map_top - self.foot_height

    @cached_property
    def bounds(self) -> CellRect:
        """The box of the open squares; of all squares if none is open."""
        ys, xs = np.nonzero(self.plan.open_cells)
        if not len(ys):
            return CellRect(0, 0, self.plan.level.width, self.plan.level.height)
        return CellRect(int(xs.min()), int(ys.min()), int(xs.max()) + 1, int(ys.max()) + 1)

    @cached_property
    def layout(self) -> tuple[float, KeyColumns | None]:
        """The size of squares, and the key, in the largest letters that do not make the map small."""
        wide, high = self.bounds.right - self.bounds.left, self.bounds.bottom - self.bounds.top
        most = min(MAX_SQUARE_INCHES, _max_square(self.inner_width, wide), _max_square(self.content_height, high))
        bare = not any(entry.name or entry.told for entry in self.key_entries)
        for columns in self._key_candidates() if self.key_entries else ():
            cell = min(most, _max_square(self.content_height - columns.height - 0.25, high))
            if cell >= most - 1e-9 or (cell * high >= MIN_MAP_SHARE * self.content_height and not bare):
                return cell, columns
        if bare:  # blank lines do not justify a smaller map
            return most, None
        # The key needs further sheets in any case: let the map be large.
        cell = min(most, _max_square(MAX_MAP_SHARE * self.content_height, high))
        left = self.content_height - cell * (high + 2 * ROCK_MARGINS[0]) - 2 * ROCK_MARGINS[1]
        return cell, fill_columns(self.key_entries, self.inner_width, CONTINUED_LETTER_INCHES, left)

    @cached_property
    def left_entries(self) -> list[KeyEntry]:
        """The entries of the key that do not fit on this sheet."""
        columns = self.layout[1]
        if columns is None and not any(entry.name or entry.told for entry in self.key_entries):
            return []
        return self.key_entries[len(columns.entries) if columns else 0 :]

    def render_key_pages(self) -> list[Scene]:
        """The sheets with the rest of the key, in inches."""
        found: list[Scene] = []
        left = self.left_entries
        top = EDGE_INCHES + 0.6
        while left:
            columns = fill_columns(
                left, self.inner_width, CONTINUED_LETTER_INCHES, self.paper.height - top - EDGE_INCHES
            ) or _first_entry(left, self.inner_width)
            page = Scene(self.paper.width, self.paper.height, WHITE)
            title = f"{self.title}: key, continued" if self.title else "Key, continued"
            page.notes = {"page": f"key {len(found) + 2}", **({"title": self.title} if self.title else {})}
            head = outline_line(title, EDGE_INCHES, EDGE_INCHES + 0.22, 0.24, "title", room=self.inner_width)
            page.fill_area(head, BLACK)
            line = np.array([[EDGE_INCHES, top - 0.22], [self.paper.width - EDGE_INCHES, top - 0.22]])
            page.stroke([line], BLACK, 0.02, cap="butt")
            columns.draw(page, EDGE_INCHES, top)
            found.append(page)
            left = left[len(columns.entries) :]
        return found

    def _key_candidates(self) -> Iterator[KeyColumns]:
        """Possible keys, the best first: in large letters, then in smaller ones."""
        for size in KEY_LETTER_INCHES:
            for ruled in (3, 2, 1) if size == KEY_LETTER_INCHES[0] else (1,):
                keys = KeyColumns(self.key_entries, self.inner_width, self._count_columns(size), size, ruled)
                if keys.min_height < self.content_height:  # skip the line breaking of a key that cannot fit
                    yield keys

    def _count_columns(self, size: float) -> int:
        return count_columns(self.inner_width, size)

    def render_scene(self) -> Scene:
        """The page, in inches."""
        page = Scene(self.paper.width, self.paper.height, WHITE)
        cell, columns = self.layout
        level = self.plan.level
        if self.title:
            page.notes["title"] = self.title
        if self.has_title:
            self._draw_titles(page)
        bounds = self.bounds
        around = max(ROCK_MARGINS[0] * cell, ROCK_MARGINS[1])
        left, top = (
            (self.paper.width - cell * (bounds.left + bounds.right)) / 2,
            self.map_top + around - cell * bounds.top,
        )
        drawn = Scene(level.width, level.height, WHITE)
        BlackMap(self.drawn_plan, self.shown, min(1.4, max(0.27, 0.062 / cell))).draw(drawn)
        copy_scene(drawn, page, left, top, cell)
        if self.tiling is not None:
            self._draw_page_borders(page, self.tiling, left, top, cell)
        below = top + cell * bounds.bottom + around
        if columns is not None:
            for y, thick in ((below + 0.05, 0.02), (below + 0.085, 0.006)):
                page.stroke(
                    [np.array([[EDGE_INCHES, y], [self.paper.width - EDGE_INCHES, y]])], BLACK, thick, cap="butt"
                )
            columns.draw(page, EDGE_INCHES, below + 0.2)
        if self.left_entries:
            y = self.paper.height - self.foot_height + 0.03
            note = outline_line(CONTINUED, self.paper.width - EDGE_INCHES, y, 0.11, "italic", anchor=1)
            page.fill_area(note, BLACK)
        self._draw_footer(page, cell)
        return page

    def _draw_titles(self, page: Scene) -> None:
        size = min(0.45, 0.45 * self.inner_width / max(0.1, text_width(self.title, 0.45, "title", 0.03)))
        page.fill_area(text_outlines(self.title, EDGE_INCHES, EDGE_INCHES + 0.32, size, "title", spacing=0.03), BLACK)
        page.fill_area(
            outline_line(
                headings.format_subtitle(self.plan.level),
                EDGE_INCHES + 0.02,
                EDGE_INCHES + 0.54,
                0.15,
                "italic",
                room=self.inner_width,
            ),
            BLACK,
        )
        page.stroke(
            [np.array([[EDGE_INCHES, EDGE_INCHES + 0.68], [self.paper.width - EDGE_INCHES, EDGE_INCHES + 0.68]])],
            BLACK,
            0.02,
            cap="butt",
        )

    def _draw_footer(self, page: Scene, cell: float) -> None:
        y = self.paper.height - self.foot_height + 0.2
        for number, row in enumerate(self.legend_rows):
            for place, word, sign in row:
                x, middle = EDGE_INCHES + place, y + 0.22 * number
                small = place_sign(sign, x + SIGN_INCHES / 2, middle, "S", SIGN_INCHES)  # type: ignore[arg-type]
                draw_signs(page, [small], INKS)
                page.fill_area(outline_line(word, x + SIGN_INCHES + 0.06, middle + 0.035, 0.11, "italic"), BLACK)
        page.fill_area(
            outline_line(
                self._footer_text(cell),
                self.paper.width / 2,
                self.paper.height - EDGE_INCHES + 0.06,
                0.11,
                "italic",
                anchor=0.5,
                room=self.inner_width,
            ),
            BLACK,
        )

    def _footer_text(self, cell: float) -> str:
        """The last line of the page."""
        said = [headings.format_measures(self.plan) if "measures" in self.shown else ""]
        if self.tiling is not None:
            said.append(
                f"{len(self.tiling.pages)} pages of one inch a square follow; the letters and numbers on the map name "
                "them"
            )
        elif "scale" in self.shown:
            said.append(f"one square = 5 feet, {cell:.2f} inches here")
        return " · ".join(text for text in said if text)

    def _draw_page_borders(self, page: Scene, tiling: PageTiling, left: float, top: float, cell: float) -> None:
        """Draw the borders of each page of the stack."""
        boxes = [tiling.page_box(*place) for place in tiling.pages]
        sides = {side for a, b, c, d in boxes for side in ((a, b, c, b), (a, d, c, d), (a, b, a, d), (c, b, c, d))}
        lines = [np.array([[a, b], [c, d]]) * cell + (left, top) for a, b, c, d in sorted(sides)]
        boxes = [
            CellRect(*((side * cell + (left, top)[place % 2]) for place, side in enumerate(box)))
            for box in self._list_label_boxes()
        ]
        page.stroke(cut_lines(lines, boxes), BLACK, 0.01, dash=(0.05, 0.05), cap="butt")
        size = min(0.16, 1.6 * cell)
        letters = [
            line * cell + (left, top)
            for text, x, y in self._place_page_tags(tiling, size / cell)
            for line in text_outlines(text, x, y + 0.33 * size / cell, size / cell, "figures", anchor=0.5)
        ]
        page.stroke(letters, WHITE, 0.4 * size, closed=True)
        page.fill_area(letters, BLACK)

    def _list_label_boxes(self) -> list[CellRect]:
        """The boxes of the numbers of rooms and of the names of locks, in cells."""
        labels = self.drawn_plan.labels if {"numbers", "names"} & self.shown else []
        boxes = [CellRect.centred_on(each.x, each.y, *number_extent(each.number, each.size)) for each in labels]
        return boxes + [tie.widest_box() for tie in self.drawn_plan.lock_labels]

    def _place_page_tags(self, tiling: PageTiling, size: float) -> list[tuple[str, float, float]]:
        """The name of each page and the point of the map that it is centred on: in the rock near the page's corner, or
        on free ground.
        """
        plan = self.drawn_plan
        ground, rock = plan.label_space.find_ground(plan.busy_cells), plan.label_space.find_rock()
        for box in self._list_label_boxes():
            for space in (ground, rock):
                space.take(box)
        found = []
        for place in tiling.pages:
            box, tag = tiling.page_box(*place), format_page_tag(*place)
            wide, high = text_width(tag, size, "figures") + 0.3 * size, size
            corner = box.left + wide / 2 + 0.2, box.top + high / 2 + 0.2
            inner = CellRect(box.left + 0.15, box.top + 0.15, box.right - 0.15, box.bottom - 0.15)
            spots = (space.find_place(wide, high, corner, inner) for space in (rock, ground))
            found.append((tag, *(next((spot for spot in spots if spot), None) or corner)))
        return found


def fill_columns(entries: Sequence[KeyEntry], width: float, size: float, height: float) -> KeyColumns | None:
    """As many of the first entries as fit into that height; None if not even one does."""
    low, high, best = 1, len(entries), None
    while low <= high:
        middle = (low + high) // 2
        columns = KeyColumns(entries[:middle], width, count_columns(width, size), size)
        if columns.height <= height:
            low, best = middle + 1, columns
        else:
            high = middle - 1
    return best


def _first_entry(entries: Sequence[KeyEntry], width: float) -> KeyColumns:
    """One entry that is longer than a page, in the smallest letters."""
    return KeyColumns(entries[:1], width, 1, KEY_LETTER_INCHES[-1])


def count_columns(width: float, size: float) -> int:
    """The columns of a key of that width, in letters of that size."""
    return max(1, round(width / (17 * size)))


def _max_square(room: float, squares: float) -> float:
    """The largest size of squares for which this many, and the rock around them, fit."""
    return min(room / (squares + 2 * ROCK_MARGINS[0]), max(0.0, room - 2 * ROCK_MARGINS[1]) / squares)


def format_page_tag(column: int, row: int) -> str:
    """The name of a page.

    >>> format_page_tag(2, 0), format_page_tag(27, 3)
    ('C1', 'AB4')
    """
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return f"{letters}{row + 1}"


def copy_scene(drawn: Scene, page: Scene, left: float, top: float, cell: float) -> None:
    """Copy a drawing onto a page, `cell` inches a cell, with its corner there."""
    for item in drawn.items:
        if isinstance(item, Shape):
            lines = [line * cell + (left, top) for line in item.lines]
            page.items.append(
                item._replace(lines=lines, width=item.width * cell, dash=tuple(length * cell for length in item.dash))
            )


def scale_scene(page: Scene, share: float) -> Scene:
    """A page in other units: `share` of them to one of its own."""
    large = Scene(page.width * share, page.height * share, page.ground)
    copy_scene(page, large, 0, 0, share)
    large.notes = page.notes
    return large
